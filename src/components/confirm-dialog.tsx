import type { ConfirmDialogProps } from './confirm-dialog-content';
import { lazyDialog } from './lazy-dialog';

/** Asks for confirmation of something that cannot be undone. */
export const ConfirmDialog = lazyDialog<ConfirmDialogProps>(() => import('./confirm-dialog-content'));
