type Confirm = () => boolean | Promise<boolean>;

let confirm: Confirm | null = null;

/** Set while there are unsaved changes on the screen (components/unsaved-changes.tsx); returns what takes it back. */
export function setLeaveConfirmation(next: Confirm): () => void {
  confirm = next;
  return () => {
    if (confirm === next) confirm = null;
  };
}

/** Whether there are unsaved changes on the screen. */
export const hasUnsavedChanges = (): boolean => confirm !== null;

/**
 * Asks whoever has unsaved changes whether to leave them; true when there are none. For what takes the page away other than by a
 * navigation, which the router holds back itself: signing out, and another role, whose guard replaces the page.
 */
export async function confirmLeave(): Promise<boolean> {
  return confirm === null || (await confirm());
}
