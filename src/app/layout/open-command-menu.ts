const opener = new EventTarget();

/** Opens the command menu from anywhere. */
export const openCommandMenu = () => opener.dispatchEvent(new Event('open'));

/** What is half written in an open dialog must not be left by a key. */
const isDialogOpen = () => document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"]') !== null;

/** Calls back when somebody asks for the command menu, by a menu's entry or by Ctrl+K (⌘K). The returned function ends it. */
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

/** The shortcut as this device's keys name it. */
export const commandMenuShortcut = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K');
