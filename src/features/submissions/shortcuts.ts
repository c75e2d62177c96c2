import { useEffect, useRef, useState } from 'react';
import { readStorage, writeStorage } from '@/lib/storage';

/** The keys of the review and what they do, in the words of the help. */
export const shortcutKeys = [
  { keys: ['j', 'ArrowDown'], name: 'next', text: 'Next submission' },
  { keys: ['k', 'ArrowUp'], name: 'previous', text: 'Previous submission' },
  { keys: ['x'], name: 'select', text: 'Select or unselect it' },
  { keys: ['o'], name: 'open', text: 'Open its details' },
  { keys: ['a'], name: 'approve', text: 'Approve it, or all selected ones' },
  { keys: ['r'], name: 'reject', text: 'Reject it, or all selected ones' },
  { keys: ['u'], name: 'undo', text: 'Undo the last decision' },
  { keys: ['?'], name: 'help', text: 'Show this list' },
] as const;
export type Shortcut = (typeof shortcutKeys)[number]['name'];

/** Whether single keys act. They can be turned off, because speech input types keys, too (WCAG 2.1.4). */
export function useShortcutSwitch() {
  const [isOn, setIsOn] = useState(() => readStorage('reviewShortcuts') !== 'off');
  const setAndRemember = (next: boolean) => {
    setIsOn(next);
    writeStorage('reviewShortcuts', next ? null : 'off');
  };
  return [isOn, setAndRemember] as const;
}

const typingSelector = 'input, textarea, select, [contenteditable="true"]';
const overlaySelector = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** The shortcut that a key press asks for; none while somebody types, uses a dialog or holds a modifier key. */
function shortcutOf(event: KeyboardEvent): Shortcut | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(typingSelector) || document.querySelector(overlaySelector)) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Arrow keys scroll the page everywhere but in the list.
  if (key.startsWith('Arrow') && !target?.closest('[data-row]')) return null;
  return shortcutKeys.find(({ keys }) => (keys as readonly string[]).includes(key))?.name ?? null;
}

/** Listens for the keys while the page is open. */
export function useShortcuts(isOn: boolean, actions: Record<Shortcut, () => void>) {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    if (!isOn) return;
    const handleKey = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event);
      if (!shortcut) return;
      event.preventDefault();
      latest.current[shortcut]();
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, [isOn]);
}
