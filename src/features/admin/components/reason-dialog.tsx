import { type ReactNode, useRef, useState } from 'react';
import { Form, SubmitButton } from '@/components/form';
import { takeFocus } from '@/components/take-focus';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError, Textarea } from '@/components/ui/field';
import { isMadeBefore } from '../mutations';
import type { AuditSubject } from '../queries';
import { LatestEntry } from './latest-entry';

type ReasonDialogProps = {
  /** Names the thing: 'Reject “Paper Kite”?' */
  title: ReactNode;
  /** What will happen. */
  consequence: ReactNode;
  /** What has to be checked before deciding; shown between the description and the reason. */
  children?: ReactNode;
  label?: string;
  hint?: ReactNode;
  /** Error for a missing reason; without it the text is optional. */
  missing?: string;
  confirmLabel: string;
  /** Leaves everything as it is; to be named where the action itself is called Cancel. */
  dismissLabel?: string;
  isDangerous?: boolean;
  /** Awaited: the dialog closes on success and shows `failure` when it throws. */
  onConfirm: (reason: string) => Promise<unknown>;
  /** Message for a failure. */
  failure: (error: unknown) => string;
  /** What is decided. When somebody else has decided it first, the dialog says who did what instead of asking again. */
  subject?: AuditSubject;
  /** Called when the dialog is closed after a failure. Somebody else may have decided, so the list should be refreshed. */
  onGiveUp?: () => void;
  onClose: () => void;
};

/** Asks for a reason or note, then performs the action. */
export function ReasonDialog(props: ReasonDialogProps) {
  const {
    title,
    consequence,
    label = 'Reason',
    hint,
    missing,
    confirmLabel,
    dismissLabel = 'Cancel',
    isDangerous = true,
  } = props;
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<unknown>(null);
  const [isWorking, setIsWorking] = useState(false);
  const isDecided = isMadeBefore(failure);
  const field = useRef<HTMLTextAreaElement>(null);

  const handleSubmit = async () => {
    if (missing && reason.trim() === '') {
      setProblem(missing);
      return field.current?.focus();
    }
    setIsWorking(true);
    setFailure(null);
    try {
      await props.onConfirm(reason.trim());
      props.onClose();
    } catch (error) {
      setFailure(error);
      setIsWorking(false);
    }
  };

  const handleClose = () => {
    if (failure !== null) props.onGiveUp?.();
    props.onClose();
  };

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !isWorking && handleClose()}
      title={title}
      description={isDecided ? undefined : consequence}
      isDirty={!isWorking && !isDecided && reason.trim() !== ''}
    >
      <Form className="grid gap-3" onSubmit={handleSubmit}>
        {props.children}
        {!isDecided && (
          <Field label={label} hint={hint} isRequired={missing !== undefined} error={problem}>
            <Textarea
              ref={field}
              // Not focused where something has to be checked first: a phone's keyboard would cover it.
              data-autofocus={props.children ? undefined : true}
              rows={3}
              maxLength={1000}
              value={reason}
              onChange={(event) => {
                setReason(event.target.value);
                setProblem(undefined);
              }}
            />
          </Field>
        )}
        {failure !== null && <FieldError>{props.failure(failure)}</FieldError>}
        {isDecided && props.subject && <LatestEntry subject={props.subject} />}
        <DialogActions>
          {isDecided ? (
            <Button ref={takeFocus} onClick={handleClose}>
              Close
            </Button>
          ) : (
            <>
              <Button variant="secondary" disabled={isWorking} onClick={handleClose}>
                {dismissLabel}
              </Button>
              <SubmitButton variant={isDangerous ? 'danger' : 'primary'} isSubmitting={isWorking}>
                {confirmLabel}
              </SubmitButton>
            </>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}
