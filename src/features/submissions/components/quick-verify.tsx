import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { SubmitButton } from '@/components/form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { Quest, Task } from '@/features/quests';
import { analytics } from '@/lib/analytics';
import { useQuickVerify } from '../mutations';
import { quickVerifyMessage } from '../proof-errors';
import type { Submission } from '../queries';
import { completedMessage } from '../submission-status';

type QuickVerifyProps = {
  task: Pick<Task, 'id' | 'campaign_id' | 'title'>;
  quest: Pick<Quest, 'collect_emails' | 'email_collection_purpose'>;
  onSubmitted?: (submission: Submission) => void;
};

/** One press for a task that asks for no proof, with the e-mail where the quest collects them (C-05, QUEST-13..15). */
export function QuickVerify({ task, quest, onSubmitted }: QuickVerifyProps) {
  const quickVerify = useQuickVerify();
  const [email, setEmail] = useState('');

  const handleSubmit = async () => {
    if (quickVerify.isPending) return;
    const address = quest.collect_emails ? email.trim() : undefined;
    try {
      // Awaited, and not told by a callback of mutate(): the form may be gone once the task counts as proven.
      const submission = await quickVerify.mutateAsync({ taskId: task.id, email: address });
      analytics.track('quest_submission', {
        task_id: task.id,
        campaign_id: task.campaign_id,
        status: submission.status,
      });
      toast.success(completedMessage(submission));
      onSubmitted?.(submission);
    } catch (error) {
      toast.error(quickVerifyMessage(error));
    }
  };

  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      {quest.collect_emails && (
        <Field
          label="Email"
          isRequired
          hint={`Shared with this project. ${quest.email_collection_purpose ?? ''}`.trim()}
          className="w-full"
        >
          <Input type="email" autoComplete="email" value={email} onChange={(event) => setEmail(event.target.value)} />
        </Field>
      )}
      <SubmitButton
        isSubmitting={quickVerify.isPending}
        disabled={quest.collect_emails && email.trim() === ''}
        className="max-sm:w-full"
      >
        <BadgeCheck aria-hidden="true" />
        Quick Verify
      </SubmitButton>
    </form>
  );
}
