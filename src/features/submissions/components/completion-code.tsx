import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Form, SubmitButton } from '@/components/form';
import { Field, Input } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import type { Quest, Task } from '@/features/quests';
import { describeError } from '@/lib/errors';
import { formatCount } from '@/lib/format';
import { useSubmitCode } from '../mutations';
import { submitProofErrors } from '../proof-errors';
import { completedMessage } from '../submission-status';
import { SharedEmailField, useSharedEmail } from './shared-email-field';

type CompletionCodeProps = {
  task: Pick<Task, 'id' | 'campaign_id' | 'reward_points'>;
  quest: Pick<Quest, 'collect_emails'>;
  userId: string;
  /** The button is the page's primary action. */
  isMain: boolean;
  onCompleted: () => void;
};

/** Completes a task with the code that the project gives to those who have done it (BEY-13). */
export function CompletionCode({ task, quest, userId, isMain, onCompleted }: CompletionCodeProps) {
  const submitCode = useSubmitCode();
  const [code, setCode] = useState('');
  const shared = useSharedEmail(task.campaign_id, quest.collect_emails);
  const [problem, setProblem] = useState<string>();

  const handleSubmit = async () => {
    setProblem(undefined);
    try {
      const answer = await submitCode.mutateAsync({
        taskId: task.id,
        userId,
        code,
        expectedReward: task.reward_points,
        ...shared.values,
      });
      if (answer.submission) {
        toast.success(completedMessage(answer.submission));
        onCompleted();
      } else setProblem(wrongCode(answer.triesLeft));
    } catch (error) {
      shared.handleError(error);
      setProblem(describeError(error, submitProofErrors));
    }
  };

  return (
    <Form
      className="grid w-full gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        return handleSubmit();
      }}
    >
      <SharedEmailField shared={shared} />
      <Field label="Completion code" hint="The project shows it to you when you are done." error={problem}>
        <Input
          value={code}
          onChange={(event) => setCode(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={200}
          className="max-w-80"
        />
      </Field>
      <SubmitButton
        variant={isMain ? 'primary' : 'secondary'}
        isSubmitting={submitCode.isPending}
        disabled={code.trim() === '' || shared.isMissing}
        className="justify-self-start max-sm:w-full"
      >
        <KeyRound aria-hidden="true" />
        Verify code
      </SubmitButton>
    </Form>
  );
}

const wrongCode = (triesLeft: number) =>
  triesLeft > 0
    ? `This code is not right. You have ${formatCount(triesLeft, 'try', 'tries')} left.`
    : 'This code is not right. You can try again in an hour.';
