import { useState } from 'react';
import { SubmitButton } from '@/components/form';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';

/** Characters of a reason that the database keeps. */
const maxReasonLength = 1000;

type RejectFormProps = { isReviewing: boolean; onReject: (reason: string) => void; onCancel: () => void };

/** Why a proof is not accepted, in words that help the member to do better. */
export function RejectForm({ isReviewing, onReject, onCancel }: RejectFormProps) {
  const [reason, setReason] = useState('');
  return (
    <form
      className="mt-6"
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason.trim());
      }}
    >
      <Field
        label="Reason"
        hint="The member reads it and can try again. Left empty, they read: Rejected by project owner."
      >
        <Textarea
          autoFocus
          rows={3}
          maxLength={maxReasonLength}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton variant="danger" isSubmitting={isReviewing}>
          Reject submission
        </SubmitButton>
      </DialogActions>
    </form>
  );
}
