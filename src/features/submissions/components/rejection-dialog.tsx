import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { Form, SubmitButton } from '@/components/form';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, Textarea } from '@/components/ui/field';
import { type Rejection, type RejectionReason, reasonOfKey, rejectionProblems, rejectionReasons } from '../submission';

/** Maximum length of the note in the database. */
const maxNoteLength = 1000;
const reasons = Object.entries(rejectionReasons) as [RejectionReason, string][];

type RejectionDialogProps = {
  title: string;
  description?: string;
  /** The reason that is chosen already. */
  initialReason?: RejectionReason;
  onReject: (rejection: Rejection) => void;
  onCancel: () => void;
  isSending?: boolean;
  /** Why sending it failed. */
  failure?: ReactNode;
};

/** One of six reasons, also selectable by number key, and a note that helps the member to improve (C-77). */
export function RejectionDialog(props: RejectionDialogProps) {
  const { title, description, initialReason, onReject, onCancel, isSending = false, failure } = props;
  const [reason, setReason] = useState<RejectionReason | ''>(initialReason ?? '');
  const [note, setNote] = useState('');
  const [wasSent, setWasSent] = useState(false);
  const errorId = useId();
  const problems = rejectionProblems({ reason, note });
  const handleKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = reasonOfKey(event.key);
    if (!chosen) return;
    event.preventDefault();
    setReason(chosen);
    event.currentTarget.querySelector<HTMLInputElement>(`input[value="${chosen}"]`)?.focus();
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      title={title}
      description={description}
      isDirty={!isSending && note.trim() !== ''}
    >
      <Form
        className="grid gap-4"
        onKeyDown={handleKey}
        onSubmit={({ currentTarget }) => {
          setWasSent(true);
          if (reason !== '' && !problems.note) return onReject({ reason, note: note.trim() });
          // On a phone the message may be outside the sheet's visible part.
          currentTarget.querySelector<HTMLElement>(problems.reason ? '[name="reason"]' : 'textarea')?.focus();
        }}
      >
        <fieldset aria-describedby={wasSent && problems.reason ? errorId : undefined}>
          <legend className="mb-1 font-semibold">Reason</legend>
          <div className="grid gap-x-3 sm:grid-cols-2 sm:gap-y-2">
            {reasons.map(([value, label], index) => (
              <label key={value} className="flex min-h-11 items-center gap-2.5">
                <input
                  type="radio"
                  name="reason"
                  value={value}
                  checked={reason === value}
                  autoFocus={initialReason ? value === initialReason : index === 0}
                  className="size-5 accent-action"
                  onChange={() => setReason(value)}
                />
                {label}
                <span
                  aria-hidden="true"
                  className="ml-auto rounded border bg-sunken px-1.5 text-sm pointer-coarse:hidden"
                >
                  {index + 1}
                </span>
              </label>
            ))}
          </div>
          {wasSent && problems.reason && (
            <p id={errorId} role="alert" className="text-danger text-sm">
              {problems.reason}
            </p>
          )}
        </fieldset>
        <Field
          label={reason === 'other' ? 'Note' : 'Note (optional)'}
          hint="The member reads your reason and note, and can try again."
          error={wasSent ? problems.note : undefined}
        >
          <Textarea rows={2} maxLength={maxNoteLength} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        <DialogActions>
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton variant="danger" isSubmitting={isSending}>
            Reject submission
          </SubmitButton>
        </DialogActions>
      </Form>
      {failure}
    </Dialog>
  );
}
