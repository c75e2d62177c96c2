import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Form, SubmitButton } from '@/components/form';
import { Markdown } from '@/components/markdown';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError, Input, Textarea } from '@/components/ui/field';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { toast } from '@/components/ui/toast';
import { useZodForm } from '@/components/zod-form';
import { type Quest, RewardDisclosure, type Task } from '@/features/quests';
import { analytics } from '@/lib/analytics';
import { describeError, toAppError } from '@/lib/errors';
import { formatNumber } from '@/lib/format';
import { checkingSentence } from '@/lib/send-once';
import { useSubmitProof } from '../mutations';
import { screenshotName, screenshotProofUrl } from '../proof';
import { submitProofErrors } from '../proof-errors';
import {
  canSubmitProof,
  emptyProofForm,
  maxProofTextLength,
  type ProofValues,
  proofFormSchema,
  proofText,
  proofValues,
  readProofDraft,
  writeProofDraft,
} from '../proof-form';
import type { Submission } from '../queries';
import { completedMessage, otherProofSentence, reviewText } from '../submission';
import { ScreenshotField, useScreenshot } from './screenshot-field';
import { SharedEmailField, useSharedEmail } from './shared-email-field';

const titles = { link: 'Link Proof', text: 'Text Proof', screenshot: 'Screenshot Proof' } as const;

export type ProofDialogProps = Omit<ProofFormProps, 'onSubmitted' | 'onCancel' | 'task'> & {
  task: ProofFormProps['task'] & Pick<Task, 'title'>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Takes the focus when the button that opened the dialog has gone: the task is proven. */
  returnFocusTo?: () => HTMLElement | null;
};

export default function ProofDialogContent({ isOpen, onOpenChange, task, returnFocusTo, ...rest }: ProofDialogProps) {
  const handleSubmitted = (submission: Submission, isSent: boolean) => {
    onOpenChange(false);
    if (isSent) toast.success(completedMessage(submission));
    else toast.error(otherProofSentence);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={task.requires_proof ? titles[task.proof_type] : 'Submit Proof'}
      description={task.title}
      returnFocusTo={returnFocusTo}
    >
      <ProofForm {...rest} task={task} onSubmitted={handleSubmitted} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

type ProofFormProps = {
  task: Pick<
    Task,
    'id' | 'campaign_id' | 'proof_type' | 'requires_proof' | 'reward_points' | 'instructions_md' | 'incentive_rules'
  >;
  quest: Pick<Quest, 'collect_emails'>;
  userId: string;
  /** The proof that was not accepted; the next one starts from it. */
  rejected?: Submission;
  /** `isSent`: whether the submission holds this proof, rather than one sent from another tab. */
  onSubmitted: (submission: Submission, isSent: boolean) => void;
  onCancel: () => void;
};

/**
 * The instructions, the reason of the last rejection, and the field for the proof that the task asks for; the other kinds can be unfolded.
 * Input is kept as a draft until the proof has been accepted.
 */
function ProofForm({ task, quest, userId, rejected, onSubmitted, onCancel }: ProofFormProps) {
  const [initial] = useState(
    () => readProofDraft(userId, task.id) ?? (rejected ? proofValues(rejected) : emptyProofForm),
  );
  const form = useZodForm(proofFormSchema, { defaultValues: initial });
  const values = useWatch({ control: form.control, compute: (all) => ({ ...emptyProofForm, ...all }) });
  const sentScreenshot = screenshotName(rejected?.proof_url ?? null);
  const screenshot = useScreenshot(userId, initial.screenshot, sentScreenshot, (name) =>
    form.setValue('screenshot', name),
  );
  const shared = useSharedEmail(task.campaign_id, quest.collect_emails);
  const submitProof = useSubmitProof();
  const [isSending, setIsSending] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isFull, setIsFull] = useState(false);
  const [readInstructions] = useState(task.instructions_md);
  // Null once the dialog has been closed, possibly while sending: a toast shows the failure then.
  const shown = useRef<HTMLFormElement>(null);

  useEffect(() => writeProofDraft(userId, task.id, values), [userId, task.id, values]);

  const send = form.handleSubmit(async ({ url, text, screenshot: objectName }) => {
    const proof = {
      url: objectName ? screenshotProofUrl(objectName) : url,
      text: proofText({ url, text, screenshot: objectName }),
      ...shared.values,
    };
    const { submission, isSent } = await submitProof.mutateAsync({
      taskId: task.id,
      proof,
      userId,
      expectedReward: task.reward_points,
      onChecking: () => setIsChecking(true),
    });
    if (isSent) {
      const { status } = submission;
      analytics.track('quest_submission', { task_id: task.id, campaign_id: task.campaign_id, status });
      writeProofDraft(userId, task.id, emptyProofForm);
    }
    onSubmitted(submission, isSent);
  });

  const handleSubmit = async () => {
    setIsSending(true);
    setFailure(null);
    setIsFull(false);
    try {
      form.setValue('screenshot', await screenshot.finish());
      await send();
    } catch (error) {
      shared.handleError(error);
      const sentence = describeError(error, submitProofErrors);
      setIsFull(toAppError(error).code === 'QUEST_FULL');
      if (shown.current) setFailure(sentence);
      else toast.error(sentence);
    } finally {
      setIsSending(false);
      setIsChecking(false);
    }
  };

  const primary = task.requires_proof ? task.proof_type : 'text';
  const { errors } = form.formState;
  const fields = {
    link: <UrlField key="link" form={form} error={errors.url?.message} isOptional={primary !== 'link'} />,
    text: (
      <TextField
        key="text"
        form={form}
        error={errors.text?.message}
        isOptional={primary !== 'text'}
        length={values.text.length}
      />
    ),
    screenshot: <ScreenshotField key="screenshot" screenshot={screenshot} isOptional={primary !== 'screenshot'} />,
  };
  const others = (['link', 'screenshot', 'text'] as const).filter((kind) => kind !== primary);
  const hasOthers = { link: initial.url !== '', text: initial.text !== '', screenshot: initial.screenshot !== null };
  const reason = rejected && reviewText(rejected);

  return (
    <Form ref={shown} onSubmit={handleSubmit}>
      {reason && (
        <Notice tone="danger" title="Your last proof was not accepted">
          {reason}
        </Notice>
      )}
      <div role="status" className="empty:hidden">
        {task.instructions_md !== readInstructions && (
          <Notice tone="waiting" title="The instructions have just changed">
            Please check that your proof shows what they ask for now.
          </Notice>
        )}
      </div>
      {task.instructions_md && (
        <ScrollRegion label="Instructions" className="max-h-40 rounded-control bg-sunken p-3 text-sm">
          <Markdown text={task.instructions_md} />
        </ScrollRegion>
      )}
      <RewardDisclosure task={task} />
      {fields[primary]}
      <details open={others.some((kind) => hasOthers[kind])} className="group">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-medium text-action [&::-webkit-details-marker]:hidden">
          <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
          Add another kind of proof
        </summary>
        <div className="grid gap-5 pt-2">{others.map((kind) => fields[kind])}</div>
      </details>
      <SharedEmailField shared={shared} />
      {isChecking && <p role="status">{checkingSentence}</p>}
      {failure && <FieldError>{failure}</FieldError>}
      {isFull && (
        <p className="text-muted text-sm">
          The last spot was just taken. Your draft is kept in this browser for a week: send it if a spot opens up.
        </p>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton
          isSubmitting={isSending}
          disabled={!canSubmitProof({ ...values, hasFile: screenshot.hasFile }) || shared.isMissing}
        >
          Submit
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

type ProofFieldProps = { form: Pick<UseFormReturn<ProofValues>, 'register'>; error?: string };

/** Marks the field that the dialog opens with. */
const autofocus = (isFirst: boolean) => (isFirst ? { 'data-autofocus': true } : {});

function UrlField({ form, error, isOptional }: ProofFieldProps & { isOptional: boolean }) {
  return (
    <Field label="Link" error={error} aside={isOptional && 'Optional'}>
      <Input
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        {...form.register('url')}
        {...autofocus(!isOptional)}
      />
    </Field>
  );
}

/** The count appears when it starts to matter. */
function TextField({ form, error, isOptional, length }: ProofFieldProps & { isOptional: boolean; length: number }) {
  const isLong = length > maxProofTextLength * 0.8;
  const count = `${formatNumber(length)} of ${formatNumber(maxProofTextLength)}`;
  return (
    <Field label="Description" error={error} aside={isLong ? count : isOptional && 'Optional'}>
      <Textarea rows={3} placeholder="What did you do?" {...form.register('text')} {...autofocus(!isOptional)} />
    </Field>
  );
}
