import { Dialog } from '@/components/ui/dialog';
import { formatCount } from '@/lib/format';
import { RejectForm } from './reject-form';

type BulkRejectDialogProps = { count: number; onReject: (reason: string) => void; onClose: () => void };

/** One reason for all of them. */
export function BulkRejectDialog({ count, onReject, onClose }: BulkRejectDialogProps) {
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Reject ${formatCount(count, 'submission')}`}
      description={count > 1 ? 'Every one of these members gets the same reason.' : undefined}
    >
      <RejectForm isReviewing={false} onReject={onReject} onCancel={onClose} />
    </Dialog>
  );
}
