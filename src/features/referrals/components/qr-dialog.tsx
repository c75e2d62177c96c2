import { lazyDialog } from '@/components/lazy-dialog';
import type { QrDialogProps } from './qr-dialog-content';

/** A referral link as a code to scan. */
export const QrDialog = lazyDialog<QrDialogProps>(() => import('./qr-dialog-content'));
