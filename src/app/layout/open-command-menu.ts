const opener = new EventTarget();
/** The menu's code comes after the page, and a press before that must not get lost. */
let isRequested = false;

/** Opens the command menu from anywhere. */
export function openCommandMenu(): void {
  isRequested = true;
  opener.dispatchEvent(new Event('open'));
}

/** A shortcut must not leave unsaved input in an open dialog. */
const isDialogOpen = () => document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"]') !== null;

/**
 * Calls back when the command menu is requested, by a menu entry or by Ctrl+K (⌘K); at once when it was requested before. Returns the
 * unsubscribe function.
 */
export function onOpenCommandMenu(listener: () => void): () => void {
  const handleKey = (event: KeyboardEvent) => {
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut || event.altKey || event.shiftKey || event.repeat || isDialogOpen()) return;
    event.preventDefault();
    listener();
  };
  const handleRequest = () => {
    isRequested = false;
    listener();
  };
  if (isRequested) handleRequest();
  opener.addEventListener('open', handleRequest);
  window.addEventListener('keydown', handleKey);
  return () => {
    opener.removeEventListener('open', handleRequest);
    window.removeEventListener('keydown', handleKey);
  };
}

/** The shortcut as written on this platform. */
export const commandMenuShortcut = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K');
