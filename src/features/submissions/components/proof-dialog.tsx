import { useEffect, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { Form, SubmitButton, useZodForm } from '@/components/form';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import type { Quest, Task } from '@/features/quests';
import { analytics } from '@/lib/analytics';
import { describeError } from '@/lib/errors';
import { formatNumber } from '@/lib/format';
import { checkingSentence } from '@/lib/send-once';
import { useSubmitProof } from '../mutations';
import { submitProofErrors } from '../proof-errors';
import { screenshotProofUrl } from '../proof-file';
import type { Submission } from '../queries';
import {
  canSubmitProof,
  emptyProofForm,
  maxProofTextLength,
  type ProofValues,
  proofFormSchema,
  proofText,
} from '../schema';
import { completedMessage } from '../submission-status';
import { useScreenshot } from '../use-screenshot';
import { ScreenshotField } from './screenshot-field';
import { SharedEmailField } from './shared-email-field';

const titles = { link: 'Link Proof', text: 'Text Proof', screenshot: 'Screenshot Proof' } as const;

type ProofDialogProps = Omit<ProofFormProps, 'onSubmitted' | 'onCancel' | 'task'> & {
  task: ProofFormProps['task'] & Pick<Task, 'title'>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** Where a member proves a task; closes when the proof has been accepted (QUEST-16..18). */
export function ProofDialog({ isOpen, onOpenChange, task, ...rest }: ProofDialogProps) {
  const handleSubmitted = (submission: Submission) => {
    onOpenChange(false);
    toast.success(completedMessage(submission));
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={task.requires_proof ? titles[task.proof_type] : 'Submit Proof'}
      description={task.title}
    >
      <ProofForm {...rest} task={task} onSubmitted={handleSubmitted} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

type ProofFormProps = {
  task: Pick<Task, 'id' | 'campaign_id' | 'proof_type' | 'requires_proof' | 'reward_points'>;
  quest: Pick<Quest, 'collect_emails'>;
  userId: string;
  onSubmitted: (submission: Submission) => void;
  onCancel: () => void;
};

/** The fields of a proof, the one that the task asks for first; what is typed is kept until it has been accepted. */
function ProofForm({ task, quest, userId, onSubmitted, onCancel }: ProofFormProps) {
  const [draft] = useState(() => readProofDraft(userId, task.id));
  const form = useZodForm(proofFormSchema, { defaultValues: draft });
  const values = useWatch({ control: form.control, compute: (all) => ({ ...emptyProofForm, ...all }) });
  const screenshot = useScreenshot(userId, draft.screenshot, (name) => form.setValue('screenshot', name));
  const submitProof = useSubmitProof();
  const [isSending, setIsSending] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => writeProofDraft(userId, task.id, values), [userId, task.id, values]);

  const send = form.handleSubmit(async ({ url, text, email, screenshot: objectName }) => {
    const proof = {
      url: objectName ? screenshotProofUrl(objectName) : url,
      text: proofText({ url, text, screenshot: objectName }),
      email: quest.collect_emails ? email : undefined,
    };
    const submission = await submitProof.mutateAsync({
      taskId: task.id,
      proof,
      userId,
      expectedReward: task.reward_points,
      onChecking: () => setIsChecking(true),
    });
    analytics.track('quest_submission', { task_id: task.id, campaign_id: task.campaign_id, status: submission.status });
    writeProofDraft(userId, task.id, emptyProofForm);
    onSubmitted(submission);
  });

  const handleSubmit = async () => {
    if (isSending) return;
    setIsSending(true);
    setFailure(null);
    try {
      form.setValue('screenshot', await screenshot.finish());
      await send();
    } catch (error) {
      setFailure(describeError(error, submitProofErrors));
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
  const order = [primary, ...(['link', 'screenshot', 'text'] as const).filter((kind) => kind !== primary)];

  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      {order.map((kind) => fields[kind])}
      {quest.collect_emails && (
        <SharedEmailField
          questId={task.campaign_id}
          value={values.email}
          onChange={(email) => form.setValue('email', email)}
          error={errors.email?.message}
        />
      )}
      {isChecking && <p role="status">{checkingSentence}</p>}
      {failure && <FieldError>{failure}</FieldError>}
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton
          isSubmitting={isSending}
          disabled={!canSubmitProof({ ...values, hasFile: screenshot.hasFile }, quest.collect_emails)}
        >
          Submit
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

type ProofFieldProps = { form: Pick<UseFormReturn<ProofValues>, 'register'>; error?: string };

function UrlField({ form, error, isOptional }: ProofFieldProps & { isOptional: boolean }) {
  return (
    <Field label="Link" error={error} aside={isOptional && 'Optional'}>
      <Input type="url" inputMode="url" placeholder="https://" autoComplete="off" {...form.register('url')} />
    </Field>
  );
}

/** The count appears when it starts to matter. */
function TextField({ form, error, isOptional, length }: ProofFieldProps & { isOptional: boolean; length: number }) {
  const isLong = length > maxProofTextLength * 0.8;
  const count = `${formatNumber(length)} of ${formatNumber(maxProofTextLength)}`;
  return (
    <Field label="Description" error={error} aside={isLong ? count : isOptional && 'Optional'}>
      <Textarea rows={3} placeholder="What did you do?" {...form.register('text')} />
    </Field>
  );
}

/**
 * What a member typed into a proof dialog and has not submitted. It lives as long as the tab: a failed submit, a closed
 * dialog or a reload must not cost the work, and a shared computer must not keep an e-mail address.
 */
const draftSchema = z.object({
  url: z.string(),
  text: z.string(),
  email: z.string(),
  screenshot: z.nullable(z.string()),
});

const keyOf = (userId: string, taskId: string) => `questboard.proof-draft.${userId}.${taskId}`;

/** The draft of a task, empty when there is none or storage is not available. */
function readProofDraft(userId: string, taskId: string): ProofValues {
  try {
    return draftSchema.parse(JSON.parse(sessionStorage.getItem(keyOf(userId, taskId)) ?? ''));
  } catch {
    return emptyProofForm;
  }
}

/** Keeps a draft; an empty one is removed. */
function writeProofDraft(userId: string, taskId: string, draft: ProofValues): void {
  const isEmpty = !draft.url && !draft.text && !draft.email && !draft.screenshot;
  try {
    if (isEmpty) sessionStorage.removeItem(keyOf(userId, taskId));
    else sessionStorage.setItem(keyOf(userId, taskId), JSON.stringify(draft));
  } catch {
    // Without storage the draft lives in the open dialog only.
  }
}
