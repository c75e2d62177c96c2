import { Bug, Lightbulb, MessageCircle } from 'lucide-react';
import type { FormEvent } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Form, SubmitButton } from '@/components/form';
import { StarRating } from '@/components/star-rating';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { RadioCards } from '@/components/ui/radio-cards';
import { Textarea } from '@/components/ui/textarea';
import { type BetaFeedbackInput, ratingCaptions } from '../schema';

const kinds = [
  { value: 'bug', title: 'Bug', icon: Bug },
  { value: 'feature_request', title: 'Feature', icon: Lightbulb },
  { value: 'general', title: 'General', icon: MessageCircle },
] as const;

type BetaFeedbackFormProps = {
  form: UseFormReturn<BetaFeedbackInput, unknown, BetaFeedbackInput>;
  isSubmitting: boolean;
  hasFailed: boolean;
  onSubmit: (event: FormEvent) => void;
};

/** The fields of the Beta Feedback dialog (FEED-02). What was typed stays when sending fails. */
export function BetaFeedbackForm({ form, isSubmitting, hasFailed, onSubmit }: BetaFeedbackFormProps) {
  const { errors } = form.formState;
  return (
    <Form onSubmit={onSubmit}>
      <RadioCards
        label="What is it about?"
        options={kinds}
        value={form.watch('kind')}
        onChange={(kind) => form.setValue('kind', kind)}
        className="sm:grid-cols-3"
      />
      <Field label="Your feedback" isRequired error={errors.description?.message}>
        <Textarea {...form.register('description')} />
      </Field>
      <StarRating
        label="How do you like Questboard? (optional)"
        value={form.watch('rating')}
        onChange={(rating) => form.setValue('rating', rating)}
        captions={ratingCaptions}
        isClearable
      />
      <Field label="Email (optional)" hint="Only if you want an answer." error={errors.email?.message}>
        <Input type="email" autoComplete="email" {...form.register('email')} />
      </Field>
      {hasFailed && <FieldError>Failed to submit feedback. Please try again.</FieldError>}
      <SubmitButton isSubmitting={isSubmitting}>Send feedback</SubmitButton>
    </Form>
  );
}
