import { lazyDialog } from '@/components/lazy-dialog';
import type { ProofDialogProps } from './proof-dialog-content';

/** Where a member proves a task; closes when the proof has been accepted (QUEST-16..18). */
export const ProofDialog = lazyDialog<ProofDialogProps>(() => import('./proof-dialog-content'));
