type Confirm = () => boolean | Promise<boolean>;

let confirm: Confirm | null = null;
let hasDraft = false;

/**
 * Registers the confirmation while a screen has unsaved changes (components/unsaved-changes.tsx). `isDraftKept`: they are still there when
 * the screen is opened again. Returns the function that removes it.
 */
export function setLeaveConfirmation(next: Confirm, isDraftKept = false): () => void {
  confirm = next;
  hasDraft = isDraftKept;
  return () => {
    if (confirm === next) confirm = null;
  };
}

/** Whether there are unsaved changes on the screen. */
export const hasUnsavedChanges = (): boolean => confirm !== null;

/** Whether there are unsaved changes that nothing keeps if the screen is taken away without asking. */
export const losesUnsavedChanges = (): boolean => confirm !== null && !hasDraft;

/**
 * Asks for confirmation if there are unsaved changes; true without any. For leaving a page other than by a navigation, which the router
 * blocks itself: signing out, and switching roles, where the guard replaces the page.
 */
export async function confirmLeave(): Promise<boolean> {
  return confirm === null || (await confirm());
}
