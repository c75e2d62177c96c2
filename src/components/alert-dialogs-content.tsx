import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { AlertCancel, AlertDialog } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { describeError } from '@/lib/errors';
import { takeFocus } from './take-focus';

export type ConfirmDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Names the thing: 'Delete “Try our app”?' */
  title: ReactNode;
  /** What will happen and cannot be undone. */
  consequence: ReactNode;
  /** The verb again, never 'OK': 'Delete quest'. */
  confirmLabel: string;
  isDangerous?: boolean;
  /** The dialog waits for it, closes when it succeeds and shows why when it throws. */
  onConfirm: () => unknown;
  /** Whether a failure leaves nothing to confirm, because somebody else was faster: then the dialog can only be closed. */
  isMoot?: (error: unknown) => boolean;
  children?: ReactNode;
};

export function ConfirmDialogContent(props: ConfirmDialogProps) {
  const { isOpen, onOpenChange, title, consequence, confirmLabel, isDangerous = true, isMoot } = props;
  const [isWorking, setIsWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isOver = failure !== null && isMoot?.(failure) === true;

  const handleOpenChange = (next: boolean) => {
    if (isWorking) return;
    setFailure(null);
    onOpenChange(next);
  };
  const handleConfirm = async () => {
    setIsWorking(true);
    setFailure(null);
    try {
      await props.onConfirm();
      onOpenChange(false);
    } catch (error) {
      setFailure(error);
    } finally {
      setIsWorking(false);
    }
  };

  return (
    <AlertDialog
      isOpen={isOpen}
      onOpenChange={handleOpenChange}
      title={title}
      description={consequence}
      actions={
        <>
          <AlertCancel>
            <Button ref={isOver ? takeFocus : undefined} variant="secondary">
              {isOver ? 'Close' : 'Cancel'}
            </Button>
          </AlertCancel>
          {!isOver && (
            <Button variant={isDangerous ? 'danger' : 'primary'} isLoading={isWorking} onClick={handleConfirm}>
              {confirmLabel}
            </Button>
          )}
        </>
      }
    >
      {props.children}
      {failure !== null && (
        <div className="mt-3">
          <FieldError>{describeError(failure)}</FieldError>
        </div>
      )}
    </AlertDialog>
  );
}

/** A link in an alert. In a tab of its own, so that a form behind the alert is not left. */
export type AlertAction = { href: string; label: string };

type AlertBoxProps = {
  sentence: string;
  action: AlertAction | null;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** The dialog of useAlert. */
export function AlertBox({ sentence, action, isOpen, onOpenChange }: AlertBoxProps) {
  return (
    <AlertDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Please note"
      description={<span className="text-ink">{sentence}</span>}
      actions={
        <>
          {action && (
            <Button variant="secondary" asChild>
              <a href={action.href} target="_blank" onClick={() => onOpenChange(false)} rel="noreferrer">
                {action.label}
              </a>
            </Button>
          )}
          <AlertCancel>
            <Button>OK</Button>
          </AlertCancel>
        </>
      }
    />
  );
}
