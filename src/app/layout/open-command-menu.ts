const opener = new EventTarget();

/** Opens the command menu from anywhere. */
export const openCommandMenu = () => opener.dispatchEvent(new Event('open'));

/** A shortcut must not leave unsaved input in an open dialog. */
const isDialogOpen = () => document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"]') !== null;

/**
 * Calls back when the command menu is requested, by a menu entry or by Ctrl+K (⌘K). Returns the unsubscribe function.
 */
export function onOpenCommandMenu(listener: () => void): () => void {
  const handleKey = (event: KeyboardEvent) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut || event.altKey || event.shiftKey || event.repeat || isDialogOpen()) return;
    event.preventDefault();
    listener();
  };
  opener.addEventListener('open', listener);
  window.addEventListener('keydown', handleKey);
  return () => {
    opener.removeEventListener('open', listener);
    window.removeEventListener('keydown', handleKey);
  };
}

/** The shortcut as written on this platform. */
export const commandMenuShortcut = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K');
