import { lazyDialog } from '@/components/lazy';
import type { AppealDialogProps } from './appeal-dialog-content';

/** Asks for the words of an appeal and sends it. */
export const AppealDialog = lazyDialog<AppealDialogProps>(() => import('./appeal-dialog-content'));
