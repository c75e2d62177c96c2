import { Form, SubmitButton } from '@/components/form';
import { Dialog } from '@/components/ui/dialog';
import { Field, FieldError, Input, Textarea } from '@/components/ui/field';
import { RadioCards } from '@/components/ui/radio-cards';
import { toast } from '@/components/ui/toast';
import { useZodForm } from '@/components/zod-form';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { submitErrors, useSubmitBetaFeedback } from '../mutations';
import {
  type ReportInput,
  type ReportReason,
  type ReportSubject,
  reportMessage,
  reportReasons,
  reportSchema,
} from '../schema';

const reasons = Object.entries(reportReasons).map(([value, title]) => ({ value: value as ReportReason, title }));

type ReportDialogProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void; subject: ReportSubject };

/**
 * Tells the admins what is wrong with a quest or a project; for anyone. A member's address is sent along, a visitor is asked for one.
 */
export default function ReportDialog({ isOpen, onOpenChange, subject }: ReportDialogProps) {
  const { userId, email } = useSession();
  const form = useZodForm<Omit<ReportInput, 'reason'> & { reason: ReportReason | null }, ReportInput>(reportSchema, {
    defaultValues: { reason: null, text: '', email: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const submit = useSubmitBetaFeedback();

  const handleValid = form.handleSubmit(async (input) => {
    try {
      await submit.mutateAsync(reportMessage(subject, { ...input, email: email ?? input.email }));
    } catch {
      // Shown in the form; what was typed stays.
      return;
    }
    form.reset();
    onOpenChange(false);
    toast.success('Thank you. Our admins will look at it.');
  });

  return (
    <Dialog
      isOpen={isOpen}
      // Closed meanwhile, it would not show why the report was not sent.
      onOpenChange={(next) => !isSubmitting && onOpenChange(next)}
      title={`Report this ${subject.what}`}
      description="Our admins read it; the project does not see who has reported it."
    >
      <Form onSubmit={handleValid}>
        <div className="grid gap-1.5">
          <RadioCards
            label="What is wrong?"
            options={reasons}
            value={form.watch('reason')}
            onChange={(reason) => form.setValue('reason', reason, { shouldValidate: true })}
          />
          {errors.reason && <FieldError>{errors.reason.message}</FieldError>}
        </div>
        <Field label="In a few words" isRequired error={errors.text?.message}>
          <Textarea {...form.register('text')} readOnly={isSubmitting} />
        </Field>
        {!userId && (
          <Field label="Email (optional)" hint="Only if you want an answer." error={errors.email?.message}>
            <Input type="email" autoComplete="email" {...form.register('email')} readOnly={isSubmitting} />
          </Field>
        )}
        {submit.error && <FieldError>{describeError(submit.error, submitErrors)}</FieldError>}
        <SubmitButton isSubmitting={isSubmitting}>Send report</SubmitButton>
      </Form>
    </Dialog>
  );
}
