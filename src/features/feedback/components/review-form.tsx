import { type FormEvent, useState } from 'react';
import { useAlert } from '@/components/alert-provider';
import { Form, SubmitButton } from '@/components/form';
import { StarRating } from '@/components/star-rating';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import { errorMessage } from '@/lib/errors';
import { useSaveReview } from '../mutations';
import type { ProjectFeedbackEntry } from '../queries';
import { isCompleteReview, ratingCaptions, reviewMaxLength } from '../schema';

type ReviewFormProps = {
  startupId: string;
  /** The member's earlier review, which the form then changes. */
  own: ProjectFeedbackEntry | null;
  onClose: () => void;
};

/** Stars and a text, both required; an earlier review is filled in and changed (FEED-06..08). */
export function ReviewForm({ startupId, own, onClose }: ReviewFormProps) {
  const alert = useAlert();
  const save = useSaveReview(startupId);
  const [rating, setRating] = useState(own?.rating ?? 0);
  const [text, setText] = useState(own?.feedback_text ?? '');
  const isComplete = isCompleteReview({ rating, text });

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if (!startupId) return alert('Project ID not found.');
    if (!isComplete) return alert('Please provide both a rating and feedback.');
    save.mutate(
      { id: own?.id ?? null, rating, text },
      {
        onSuccess: () => {
          toast.success('Thank you for your feedback! It has been submitted.');
          onClose();
        },
        onError: (error) => alert(errorMessage(error)),
      },
    );
  };

  return (
    <Card>
      <Form onSubmit={handleSubmit} aria-label="Rate this project" className="grid gap-5">
        <StarRating label="Your rating" value={rating} onChange={setRating} captions={ratingCaptions} />
        <Field label="Your feedback" isRequired aside={`${text.length} / ${reviewMaxLength}`}>
          <Textarea value={text} maxLength={reviewMaxLength} onChange={(event) => setText(event.target.value)} />
        </Field>
        <div className="flex flex-wrap gap-3">
          <SubmitButton isSubmitting={save.isPending} disabled={!isComplete}>
            {own ? 'Update feedback' : 'Submit feedback'}
          </SubmitButton>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </Form>
    </Card>
  );
}
