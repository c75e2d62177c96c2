import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Task } from '@/features/campaigns';
import { ProofDialog, QuickVerify, type Submission } from '@/features/submissions';
import type { QuestView } from '../use-quest';

type TaskActionProps = { task: Task; submission: Submission | undefined; left: number; view: QuestView };

/**
 * The way to prove a task, if there is one. The dialog stands apart from the button that opens it: when the task was
 * proven elsewhere or filled up meanwhile the button goes, but what the server answered must stay readable (RULE-12).
 */
export function TaskAction({ task, submission, left, view }: TaskActionProps) {
  const { campaign, viewer, userId, reload } = view;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <TaskButton task={task} submission={submission} left={left} view={view} onOpen={() => setIsOpen(true)} />
      {viewer === 'participant' && userId && (
        <ProofDialog
          task={task}
          campaign={campaign}
          userId={userId}
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          onSubmitted={reload}
        />
      )}
    </>
  );
}

/** The button of a task. Owners and visitors have none, except to see that it is full (QUEST-06, QUEST-10, TRUST-06). */
function TaskButton({ task, submission, left, view, onOpen }: TaskActionProps & { onOpen: () => void }) {
  const { campaign, viewer, reload } = view;
  if (viewer === 'owner' || submission?.status === 'approved') return null;
  if (submission?.status === 'pending') {
    return <p className="text-muted">Your proof is in. The project reviews it next.</p>;
  }
  if (campaign.status !== 'published') return <p className="text-muted">This quest takes no proof at the moment.</p>;
  if (left <= 0) {
    return (
      <Button disabled variant="secondary" className="justify-self-start max-sm:w-full">
        Quest Full
      </Button>
    );
  }
  if (viewer === 'visitor') return null;
  // One press, beside the dialog, where the task asks for no proof (C-05).
  const isQuick = !task.requires_proof;
  return (
    <div className="grid gap-3 sm:flex sm:flex-wrap sm:items-end">
      {isQuick && <QuickVerify task={task} campaign={campaign} onSubmitted={reload} />}
      <Button variant={isQuick ? 'secondary' : 'primary'} onClick={onOpen}>
        {submission ? 'Submit New Proof' : 'Submit Proof'}
      </Button>
    </div>
  );
}
