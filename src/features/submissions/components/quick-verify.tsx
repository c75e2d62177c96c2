import { BadgeCheck } from 'lucide-react';
import { useId } from 'react';
import { Form, SubmitButton } from '@/components/form';
import { MainAction } from '@/components/main-action';
import { toast } from '@/components/ui/toast';
import type { Quest, Task } from '@/features/quests';
import { analytics } from '@/lib/analytics';
import { describeError } from '@/lib/errors';
import { useQuickVerify } from '../mutations';
import { quickVerifyErrors } from '../proof-errors';
import { completedMessage } from '../submission';
import { SharedEmailField, useSharedEmail } from './shared-email-field';

type QuickVerifyProps = {
  task: Pick<Task, 'id' | 'campaign_id' | 'reward_points'>;
  quest: Pick<Quest, 'collect_emails'>;
  userId: string;
  /** The button is the page's primary action. */
  isMain?: boolean;
  onSubmitted?: () => void;
};

/** One press for a task that asks for no proof, with the e-mail where the quest collects them (C-05, QUEST-13..15). */
export function QuickVerify({ task, quest, userId, isMain = false, onSubmitted }: QuickVerifyProps) {
  const quickVerify = useQuickVerify();
  const shared = useSharedEmail(task.campaign_id, quest.collect_emails);
  const formId = useId();

  const handleSubmit = async () => {
    try {
      // Awaited instead of using a callback of mutate(), which does not run when the form has unmounted.
      const submission = await quickVerify.mutateAsync({
        taskId: task.id,
        userId,
        expectedReward: task.reward_points,
        ...shared.values,
      });
      analytics.track('quest_submission', {
        task_id: task.id,
        campaign_id: task.campaign_id,
        status: submission.status,
      });
      toast.success(
        submission.status === 'approved' ? completedMessage(submission) : 'Sent. The project will review it.',
        task.id,
      );
      onSubmitted?.();
    } catch (error) {
      shared.handleError(error);
      toast.error(describeError(error, quickVerifyErrors(error)), task.id);
    }
  };

  const button = (
    <SubmitButton
      form={formId}
      variant={isMain ? 'primary' : 'secondary'}
      isSubmitting={quickVerify.isPending}
      disabled={shared.isMissing}
      className="max-sm:w-full"
    >
      <BadgeCheck aria-hidden="true" />
      Quick Verify
    </SubmitButton>
  );
  return (
    <Form id={formId} className="flex flex-wrap items-end gap-3 empty:hidden" onSubmit={handleSubmit}>
      <SharedEmailField shared={shared} className="w-full" />
      {/* The consent is shown here, which may be out of sight of the bar at the bottom of a phone. */}
      {isMain && !shared.isAsked ? <MainAction>{button}</MainAction> : button}
    </Form>
  );
}
