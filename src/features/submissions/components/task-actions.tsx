import { BadgeCheck, ExternalLink, KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '@/components/copy-button';
import { Form, SubmitButton } from '@/components/form';
import { lazyOverlay } from '@/components/lazy-overlay';
import { MainAction } from '@/components/main-action';
import { Button } from '@/components/ui/button';
import { Field, FieldError, Input } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import type { Quest, Task } from '@/features/quests';
import { describeError } from '@/lib/errors';
import { formatCount } from '@/lib/format';
import { useCheckTask, useStartTask, useSubmitCode } from '../mutations';
import { codeErrors, verificationErrors } from '../proof-errors';
import { completedMessage } from '../submission';
import type { ProofDialogProps } from './proof-dialog-content';
import { SharedEmailField, useSharedEmail } from './shared-email-field';

/** The dialog in which a member submits a proof; closes when it has been submitted (QUEST-16..18). */
export const ProofDialog = lazyOverlay<ProofDialogProps>(() => import('./proof-dialog-content'));

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
      setProblem(describeError(error, codeErrors));
    }
  };

  return (
    <Form className="grid w-full gap-3" onSubmit={handleSubmit}>
      <SharedEmailField shared={shared} />
      <Field label="Completion code" hint="The project gives it to you when you are done." error={problem}>
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
    ? `That is not the right code. You have ${formatCount(triesLeft, 'try', 'tries')} left.`
    : 'That is not the right code. You can try again in an hour.';

type ProjectVerificationProps = {
  task: Pick<Task, 'id' | 'campaign_id' | 'verification' | 'link_url' | 'reward_points'>;
  quest: Pick<Quest, 'collect_emails'>;
  userId: string;
  /** The button is the page's primary action. */
  isMain: boolean;
  onCompleted: () => void;
};

/**
 * A task that the project's own system confirms (BEY-13), with the member's personal link to it. A signed call from
 * there updates the page by itself; a check is requested here.
 */
export function ProjectVerification({ task, quest, userId, isMain, onCompleted }: ProjectVerificationProps) {
  const startTask = useStartTask();
  const checkTask = useCheckTask();
  const shared = useSharedEmail(task.campaign_id, quest.collect_emails);
  const [token, setToken] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const isCheck = task.verification === 'check';
  // The consent is shown here, which may be out of sight of the bar at the bottom of a phone.
  const isInBar = isMain && !shared.isAsked;
  const message = useRef<HTMLDivElement>(null);
  const priced = { taskId: task.id, expectedReward: task.reward_points };

  useEffect(() => {
    if (problem) message.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);

  const attempt = async (send: () => Promise<void>) => {
    setProblem(undefined);
    try {
      await send();
    } catch (error) {
      shared.handleError(error);
      setProblem(describeError(error, verificationErrors));
    }
  };

  const handleOpen = () => {
    // Opened synchronously in the click handler: browsers block a window that opens after the response.
    const page = task.link_url ? window.open('about:blank', '_blank') : null;
    return attempt(async () => {
      try {
        const started = await startTask.mutateAsync({ ...priced, ...shared.values });
        setToken(started.token);
        if (!started.link) return;
        if (!page) window.location.assign(started.link);
        else {
          page.opener = null;
          page.location.replace(started.link);
        }
      } catch (error) {
        page?.close();
        throw error;
      }
    });
  };
  const handleVerify = () =>
    attempt(async () => {
      const submission = await checkTask.mutateAsync({ ...priced, userId, ...shared.values });
      toast.success(completedMessage(submission));
      onCompleted();
    });

  const open = (
    <Button
      variant={isMain && !isCheck ? 'primary' : 'secondary'}
      onClick={handleOpen}
      isLoading={startTask.isPending}
      disabled={shared.isMissing || checkTask.isPending}
      className="max-sm:w-full"
    >
      <ExternalLink aria-hidden="true" />
      {task.link_url ? 'Open the project’s page' : 'Show my token'}
    </Button>
  );
  const verify = (
    <Button
      variant={isMain ? 'primary' : 'secondary'}
      onClick={handleVerify}
      isLoading={checkTask.isPending}
      disabled={shared.isMissing || startTask.isPending}
      className="max-sm:w-full"
    >
      <BadgeCheck aria-hidden="true" />
      Verify
    </Button>
  );
  return (
    <div className="grid w-full gap-3">
      <SharedEmailField shared={shared} />
      <p className="text-muted">
        {isCheck
          ? 'Do the task there, then come back and press Verify. No review is needed.'
          : 'Do the task there. Once the project confirms it, this page updates automatically.'}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {isInBar && !isCheck ? <MainAction>{open}</MainAction> : open}
        {isCheck && (isInBar ? <MainAction>{verify}</MainAction> : verify)}
      </div>
      {token && !task.link_url && (
        <p className="flex flex-wrap items-center gap-3">
          Put this into the description of your pull request: <code className="break-all">{token}</code>
          <CopyButton text={token} />
        </p>
      )}
      {problem && (
        <div ref={message} className="scroll-mb-24">
          <FieldError>{problem}</FieldError>
        </div>
      )}
    </div>
  );
}
