import { AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';

type AlertBoxProps = { sentence: string; isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** The dialog of useAlert. */
export default function AlertBox({ sentence, isOpen, onOpenChange }: AlertBoxProps) {
  return (
    <AlertDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Please note"
      description={<span className="text-ink">{sentence}</span>}
      actions={
        <AlertCancel>
          <Button>OK</Button>
        </AlertCancel>
      }
    />
  );
}
