import { lazyDialog } from '@/components/lazy-dialog';
import type { ScreenshotDialogProps } from './screenshot-dialog-content';

/** A screenshot as large as the screen; pressed once more, in its own size. */
export const ScreenshotDialog = lazyDialog<ScreenshotDialogProps>(() => import('./screenshot-dialog-content'));
