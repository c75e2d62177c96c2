import { Bug, Lightbulb, MessageCircle } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Form, SubmitButton } from '@/components/form';
import { StarRating } from '@/components/star-rating';
import { OutlinedBadge } from '@/components/ui/badge';
import { Dialog } from '@/components/ui/dialog';
import { Field, FieldError, Input, Textarea } from '@/components/ui/field';
import { RadioCards } from '@/components/ui/radio-cards';
import { useZodForm } from '@/components/zod-form';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { submitErrors, useSubmitBetaFeedback } from '../mutations';
import { type BetaFeedbackInput, betaFeedbackSchema, ratingCaptions, typeAndTitle } from '../schema';

/** How long the thank-you message stays before the dialog closes, in milliseconds (FEED-01). */
const thanksFor = 2000;

type BetaFeedbackDialogProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Feedback on the product itself, from anyone. */
export default function BetaFeedbackDialog({ isOpen, onOpenChange }: BetaFeedbackDialogProps) {
  const { email } = useSession();
  const form = useZodForm<BetaFeedbackInput, BetaFeedbackInput>(betaFeedbackSchema, {
    defaultValues: { kind: 'general', description: '', rating: 0, email: email ?? '' },
  });
  // The session may load only after the dialog was opened; what was typed stays.
  const isTyped = form.getFieldState('email', form.formState).isDirty;
  useEffect(() => {
    if (email && !isTyped) form.resetField('email', { defaultValue: email });
  }, [email, isTyped, form]);

  const submit = useSubmitBetaFeedback();
  const [isThanking, setIsThanking] = useState(false);

  useEffect(() => {
    if (!isThanking) return;
    const timer = setTimeout(() => onOpenChange(false), thanksFor);
    return () => clearTimeout(timer);
  }, [isThanking, onOpenChange]);

  // Shows the form again when reopened.
  useEffect(() => {
    if (isOpen) setIsThanking(false);
  }, [isOpen]);

  const handleSubmit = async ({ kind, description, rating, email }: BetaFeedbackInput) => {
    const { type, title } = typeAndTitle(kind);
    try {
      await submit.mutateAsync({ type, title, description, rating: rating || undefined, email: email || undefined });
    } catch {
      // Shown in the form; what was typed stays.
      return;
    }
    analytics.track('beta_feedback', { label: type, value: rating || null });
    form.reset();
    setIsThanking(true);
  };

  return (
    <Dialog
      isOpen={isOpen}
      // Closed meanwhile, it would not show why the feedback was not sent.
      onOpenChange={(next) => !submit.isPending && onOpenChange(next)}
      title="Beta Feedback"
      description={isThanking ? undefined : 'What works, what does not, what is missing? We read every note.'}
    >
      {isThanking ? (
        <div role="status" className="grid justify-items-center gap-4 py-8 text-center">
          <OutlinedBadge tone="action" size="lg" className="animate-stamp">
            Thank you
          </OutlinedBadge>
          <p>Your feedback is on our desk.</p>
        </div>
      ) : (
        <BetaFeedbackForm
          form={form}
          isSubmitting={submit.isPending}
          failure={submit.error && describeError(submit.error, submitErrors)}
          onSubmit={form.handleSubmit(handleSubmit)}
        />
      )}
    </Dialog>
  );
}

const kinds = [
  { value: 'bug', title: 'Bug', icon: Bug },
  { value: 'feature_request', title: 'Feature', icon: Lightbulb },
  { value: 'general', title: 'General', icon: MessageCircle },
] as const;

type BetaFeedbackFormProps = {
  form: UseFormReturn<BetaFeedbackInput, unknown, BetaFeedbackInput>;
  isSubmitting: boolean;
  failure: string | null;
  onSubmit: (event: FormEvent) => void;
};

/**
 * The fields of the Beta Feedback dialog (FEED-02). What was typed stays when sending fails, and nothing is typed meanwhile, because the
 * form is cleared once it is sent.
 */
function BetaFeedbackForm({ form, isSubmitting, failure, onSubmit }: BetaFeedbackFormProps) {
  const { errors } = form.formState;
  return (
    <Form onSubmit={onSubmit}>
      <RadioCards
        label="What is it about?"
        options={kinds}
        value={form.watch('kind')}
        onChange={(kind) => form.setValue('kind', kind)}
        className="gap-3 sm:grid-cols-3"
      />
      <Field label="Your feedback" isRequired error={errors.description?.message}>
        <Textarea {...form.register('description')} readOnly={isSubmitting} />
      </Field>
      <StarRating
        label="How do you like Questboard? (optional)"
        value={form.watch('rating')}
        onChange={(rating) => form.setValue('rating', rating)}
        captions={ratingCaptions}
        isClearable
      />
      <Field label="Email (optional)" hint="Only if you want an answer." error={errors.email?.message}>
        <Input type="email" autoComplete="email" {...form.register('email')} readOnly={isSubmitting} />
      </Field>
      {failure && <FieldError>{failure}</FieldError>}
      <SubmitButton isSubmitting={isSubmitting}>Send feedback</SubmitButton>
    </Form>
  );
}
