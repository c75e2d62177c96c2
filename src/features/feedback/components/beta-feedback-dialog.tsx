import { useEffect, useState } from 'react';
import { useZodForm } from '@/components/form';
import { Stamp } from '@/components/ui/badge';
import { Dialog } from '@/components/ui/dialog';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { useSubmitBetaFeedback } from '../mutations';
import { type BetaFeedbackInput, betaFeedbackSchema, typeAndTitle } from '../schema';
import { BetaFeedbackForm } from './beta-feedback-form';

/** Milliseconds that the thank-you stays before the dialog closes (FEED-01). */
const thanksFor = 2000;

type BetaFeedbackDialogProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Feedback on the product itself, from anyone. */
export default function BetaFeedbackDialog({ isOpen, onOpenChange }: BetaFeedbackDialogProps) {
  const { email } = useSession();
  const form = useZodForm<BetaFeedbackInput, BetaFeedbackInput>(betaFeedbackSchema, {
    defaultValues: { kind: 'general', description: '', rating: 0, email: email ?? '' },
  });
  // The session may be known only after the dialog was opened; what was typed before stays.
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

  // The next opening starts with the form again.
  useEffect(() => {
    if (isOpen) setIsThanking(false);
  }, [isOpen]);

  const handleSubmit = (input: BetaFeedbackInput) =>
    submit.mutate(input, {
      onSuccess: () => {
        analytics.track('beta_feedback', { label: typeAndTitle(input.kind).type, value: input.rating || null });
        form.reset();
        setIsThanking(true);
      },
    });

  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Beta Feedback"
      description={isThanking ? undefined : 'What works, what does not, what is missing? We read every note.'}
    >
      {isThanking ? (
        <div role="status" className="grid justify-items-center gap-4 py-8 text-center">
          <Stamp tone="action" className="animate-stamp px-4 py-2 text-xl">
            Thank you
          </Stamp>
          <p>Your feedback is on our desk.</p>
        </div>
      ) : (
        <BetaFeedbackForm
          form={form}
          isSubmitting={submit.isPending}
          hasFailed={submit.isError}
          onSubmit={form.handleSubmit(handleSubmit)}
        />
      )}
    </Dialog>
  );
}
