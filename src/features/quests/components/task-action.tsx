import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Task } from '@/features/campaigns';
import { ProofDialog, QuickVerify, type Submission } from '@/features/submissions';
import type { QuestView } from '../use-quest';

type TaskActionProps = { task: Task; submission: Submission | undefined; left: number; view: QuestView };

/** The button of a task. Owners and visitors have none, except to see that it is full (QUEST-06, QUEST-10, TRUST-06). */
export function TaskAction({ task, submission, left, view }: TaskActionProps) {
  const { campaign, viewer, userId } = view;
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
  return userId ? <ProofActions task={task} isRetry={submission !== undefined} view={view} userId={userId} /> : null;
}

type ProofActionsProps = { task: Task; isRetry: boolean; view: QuestView; userId: string };

/** Proof by the dialog; one press instead where the task asks for no proof (C-05). */
function ProofActions({ task, isRetry, view: { campaign, reload }, userId }: ProofActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isQuick = !task.requires_proof;
  return (
    <div className="grid gap-3 sm:flex sm:flex-wrap sm:items-end">
      {isQuick && <QuickVerify task={task} campaign={campaign} onSubmitted={reload} />}
      <Button variant={isQuick ? 'secondary' : 'primary'} onClick={() => setIsOpen(true)}>
        {isRetry ? 'Submit New Proof' : 'Submit Proof'}
      </Button>
      <ProofDialog
        task={task}
        campaign={campaign}
        userId={userId}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onSubmitted={reload}
      />
    </div>
  );
}
