import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { SubmitButton } from '@/components/form';
import { toast } from '@/components/ui/toast';
import type { Quest, Task } from '@/features/quests';
import { analytics } from '@/lib/analytics';
import { describeError } from '@/lib/errors';
import { useQuickVerify } from '../mutations';
import { quickVerifyErrors } from '../proof-errors';
import { completedMessage } from '../submission-status';
import { SharedEmailField } from './shared-email-field';

type QuickVerifyProps = {
  task: Pick<Task, 'id' | 'campaign_id' | 'title'>;
  quest: Pick<Quest, 'collect_emails'>;
};

/** One press for a task that asks for no proof, with the e-mail where the quest collects them (C-05, QUEST-13..15). */
export function QuickVerify({ task, quest }: QuickVerifyProps) {
  const quickVerify = useQuickVerify();
  const [email, setEmail] = useState('');

  const handleSubmit = async () => {
    if (quickVerify.isPending) return;
    const address = quest.collect_emails ? email : undefined;
    try {
      // Awaited instead of using a callback of mutate(), which does not run when the form has gone meanwhile.
      const submission = await quickVerify.mutateAsync({ taskId: task.id, email: address });
      analytics.track('quest_submission', {
        task_id: task.id,
        campaign_id: task.campaign_id,
        status: submission.status,
      });
      toast.success(completedMessage(submission));
    } catch (error) {
      toast.error(describeError(error, quickVerifyErrors(error)));
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
        <SharedEmailField questId={task.campaign_id} value={email} onChange={setEmail} className="w-full" />
      )}
      <SubmitButton
        isSubmitting={quickVerify.isPending}
        disabled={quest.collect_emails && email === ''}
        className="max-sm:w-full"
      >
        <BadgeCheck aria-hidden="true" />
        Quick Verify
      </SubmitButton>
    </form>
  );
}
