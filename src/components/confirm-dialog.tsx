import type { ConfirmDialogProps } from './confirm-dialog-content';
import { lazyDialog } from './lazy-dialog';

/** Asks before something that cannot be taken back. */
export const ConfirmDialog = lazyDialog<ConfirmDialogProps>(() => import('./confirm-dialog-content'));
