import { useState } from 'react';
import { Stars } from '@/components/star-rating';
import { type Status, StatusBadge } from '@/components/status-badge';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import { describeError } from '@/lib/errors';
import { formatDateTime } from '@/lib/format';
import { Detail, DetailList, Id } from '../components/section';
import { type FeedbackDecision, type Priority, priorities, useSetPriority, useUpdateFeedback } from './mutations';
import type { Feedback } from './queries';

type FeedbackDialogProps = { feedback: Feedback; onChanged: () => void; onClose: () => void };

/** One piece of feedback in full, with status, priority and note (ADMIN-06). */
export function FeedbackDialog({ feedback, onChanged, onClose }: FeedbackDialogProps) {
  const update = useUpdateFeedback();
  const [notes, setNotes] = useState(feedback.admin_notes ?? '');

  const mark = async (status: FeedbackDecision['status']) => {
    try {
      await update.mutateAsync({ feedbackId: feedback.id, status, notes });
      onChanged();
      toast.success(`Marked as ${status}`);
    } catch {
      // The dialog shows why.
    }
  };
  const setPriority = useSetPriority();
  const handlePriority = async (priority: Priority) => {
    try {
      await setPriority.mutateAsync({ feedbackId: feedback.id, priority });
      onChanged();
      toast.success(`Priority set to ${priorityWords[priority].word}`);
    } catch (error) {
      toast.error(describeError(error, { prefix: 'Failed to set the priority' }));
    }
  };
  const working = update.isPending ? update.variables.status : null;

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Feedback details" size="lg">
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <TypeBadge type={feedback.type} />
        <PriorityBadge priority={feedback.priority} />
        <FeedbackStatus status={feedback.status} />
      </div>
      <h3 className="text-lg">{feedback.title}</h3>
      <p className="mt-1 mb-4 whitespace-pre-line [overflow-wrap:anywhere]">{feedback.description}</p>
      <DetailList>
        <Detail label="Rating">
          {feedback.rating ? (
            <span className="inline-flex flex-wrap items-center gap-2">
              <Stars value={feedback.rating} />
              {feedback.rating} out of 5
            </span>
          ) : (
            'No rating'
          )}
        </Detail>
        <Detail label="Email">
          {feedback.email ? (
            <a href={`mailto:${feedback.email}`} className="text-action underline underline-offset-4">
              {feedback.email}
            </a>
          ) : (
            'No email'
          )}
        </Detail>
        <Detail label="User ID">
          <Id>{feedback.user_id}</Id>
        </Detail>
        <Detail label="Created">{formatDateTime(feedback.created_at)}</Detail>
        <Detail label="Last updated">{formatDateTime(feedback.updated_at)}</Detail>
      </DetailList>
      <Field label="Priority" className="mt-5">
        <Select
          value={setPriority.isPending ? setPriority.variables.priority : feedback.priority}
          disabled={setPriority.isPending}
          onChange={(event) => handlePriority(event.target.value as Priority)}
        >
          {priorities.map((priority) => (
            <option key={priority} value={priority}>
              {priorityWords[priority].word}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Notes" hint="For admins only; saved with either button." className="mt-5">
        <Textarea rows={2} maxLength={2000} value={notes} onChange={(event) => setNotes(event.target.value)} />
      </Field>
      {update.isError && (
        <FieldError>{describeError(update.error, { prefix: 'Failed to update feedback status' })}</FieldError>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
        <Button variant="secondary" isLoading={working === 'reviewed'} onClick={() => mark('reviewed')}>
          Mark as Reviewed
        </Button>
        <Button isLoading={working === 'resolved'} onClick={() => mark('resolved')}>
          Mark as Resolved
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function TypeBadge({ type }: Pick<Feedback, 'type'>) {
  return <Badge>{typeLabels[type] ?? type}</Badge>;
}

export function FeedbackStatus({ status }: Pick<Feedback, 'status'>) {
  return <StatusBadge status={feedbackStatuses[status] ?? 'New'} />;
}

export function PriorityBadge({ priority }: Pick<Feedback, 'priority'>) {
  const known = priorityWords[priority as Priority] as { word: string; tone: Tone } | undefined;
  return <Badge tone={known?.tone}>{known?.word ?? priority}</Badge>;
}

/** Label and colour of feedback codes; an unknown code is shown as it is. */
export const typeLabels: Readonly<Record<string, string>> = {
  bug: 'Bug',
  feature: 'Feature',
  rating: 'Rating',
  general: 'General',
  other: 'Other',
};

const feedbackStatuses: Readonly<Record<string, Status>> = {
  new: 'New',
  reviewed: 'Reviewed',
  resolved: 'Resolved',
};

const priorityWords: Readonly<Record<Priority, { word: string; tone: Tone }>> = {
  urgent: { word: 'Urgent', tone: 'danger' },
  high: { word: 'High', tone: 'warning' },
  medium: { word: 'Medium', tone: 'neutral' },
  other: { word: 'Other', tone: 'neutral' },
};
