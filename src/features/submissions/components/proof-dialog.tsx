import { lazyDialog } from '@/components/lazy';
import type { ProofDialogProps } from './proof-dialog-content';

/** The dialog in which a member submits a proof; closes when it has been submitted (QUEST-16..18). */
export const ProofDialog = lazyDialog<ProofDialogProps>(() => import('./proof-dialog-content'));
