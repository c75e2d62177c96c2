import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { Form, SubmitButton, useZodForm } from '@/components/form';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import type { Campaign, Task } from '@/features/campaigns';
import { analytics } from '@/lib/analytics';
import { useSubmitProof } from '../mutations';
import { readProofDraft, writeProofDraft } from '../proof-draft';
import { submitProofMessage } from '../proof-errors';
import { screenshotProofUrl } from '../proof-file';
import type { Submission } from '../queries';
import { canSubmitProof, emptyProofForm, proofFormSchema, proofText } from '../schema';
import { useScreenshot } from '../use-screenshot';
import { EmailField, TextField, UrlField } from './proof-fields';
import { ScreenshotField } from './screenshot-field';

export type ProofFormProps = {
  task: Pick<Task, 'id' | 'campaign_id' | 'proof_type' | 'requires_proof'>;
  campaign: Pick<Campaign, 'collect_emails' | 'email_collection_purpose'>;
  userId: string;
  onSubmitted: (submission: Submission) => void;
  onCancel: () => void;
};

/** The fields of a proof, the one that the task asks for first; what is typed is kept until it has been accepted. */
export function ProofForm({ task, campaign, userId, onSubmitted, onCancel }: ProofFormProps) {
  const [draft] = useState(() => readProofDraft(userId, task.id));
  const form = useZodForm(proofFormSchema, { defaultValues: draft });
  const values = useWatch({ control: form.control, compute: (all) => ({ ...emptyProofForm, ...all }) });
  const screenshot = useScreenshot(userId, draft.screenshot, (name) => form.setValue('screenshot', name));
  const submitProof = useSubmitProof();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => writeProofDraft(userId, task.id, values), [userId, task.id, values]);

  const send = form.handleSubmit(async ({ url, text, email, screenshot: objectName }) => {
    const proof = {
      url: objectName ? screenshotProofUrl(objectName) : url,
      text: proofText({ url, text, screenshot: objectName }),
      email: campaign.collect_emails ? email : undefined,
    };
    const submission = await submitProof.mutateAsync({ taskId: task.id, proof });
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
      setFailure(submitProofMessage(error));
    } finally {
      setIsSending(false);
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
      {campaign.collect_emails && (
        <EmailField form={form} error={errors.email?.message} purpose={campaign.email_collection_purpose} />
      )}
      {failure && <FieldError>{failure}</FieldError>}
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton
          isSubmitting={isSending}
          disabled={!canSubmitProof({ ...values, hasFile: screenshot.hasFile }, campaign.collect_emails)}
        >
          Submit
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
