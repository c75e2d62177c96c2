import { Keyboard } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog } from '@/components/ui/dialog';
import { readStorage, writeStorage } from '@/lib/storage';

type ShortcutHelpProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
};

const keyNames: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑' };

/** The list of shortcuts, and the switch that turns them off. Hidden on touch-only devices. */
export function ShortcutHelp({ isOpen, onOpenChange, isOn, onSwitch }: ShortcutHelpProps) {
  return (
    <>
      <Button variant="ghost" className="pointer-coarse:hidden" onClick={() => onOpenChange(true)}>
        <Keyboard aria-hidden="true" />
        Keyboard shortcuts
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        title="Keyboard shortcuts"
        description="They act on the highlighted submission."
      >
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
          {shortcutKeys.map(({ keys, name, text }) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid items-center">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <kbd key={key} className="min-w-8 rounded border bg-sunken px-2 py-0.5 text-center">
                    {keyNames[key] ?? key}
                  </kbd>
                ))}
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Checkbox
          className="mt-4"
          label="Use single-key shortcuts"
          hint="Remembered on this device. Turn it off if you dictate or press keys by accident."
          checked={isOn}
          onChange={onSwitch}
        />
      </Dialog>
    </>
  );
}

/** Review shortcuts and their descriptions. */
const shortcutKeys = [
  { keys: ['j', 'ArrowDown'], name: 'next', text: 'Next submission' },
  { keys: ['k', 'ArrowUp'], name: 'previous', text: 'Previous submission' },
  { keys: ['x'], name: 'select', text: 'Select or unselect it' },
  { keys: ['o'], name: 'open', text: 'Open its details' },
  { keys: ['l'], name: 'link', text: 'Open its link in a new tab' },
  { keys: ['a'], name: 'approve', text: 'Approve it, or all selected ones' },
  { keys: ['r'], name: 'reject', text: 'Reject it, or all selected ones, and ask for the reason' },
  { keys: ['1', '2', '3', '4', '5', '6'], name: 'reason', text: 'Reject with the reason of that number' },
  { keys: ['u'], name: 'undo', text: 'Undo the last decision' },
  { keys: ['?'], name: 'help', text: 'Show this list' },
] as const;
type Shortcut = (typeof shortcutKeys)[number]['name'];

/** Whether single-key shortcuts are on. They can be turned off, because speech input can trigger them (WCAG 2.1.4). */
export function useShortcutSwitch() {
  const [isOn, setIsOn] = useState(() => readStorage('reviewShortcuts') !== 'off');
  const setAndRemember = (next: boolean) => {
    setIsOn(next);
    writeStorage('reviewShortcuts', next ? null : 'off');
  };
  return [isOn, setAndRemember] as const;
}

const typingSelector = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
const overlaySelector = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** The shortcut of a key press; none while typing, in a dialog or with a modifier key. */
function shortcutOf(event: KeyboardEvent): { key: string; name: Shortcut } | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(typingSelector) || document.querySelector(overlaySelector)) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Outside the list, arrow keys scroll the page.
  if (key.startsWith('Arrow') && !target?.closest('[data-row]')) return null;
  const name = shortcutKeys.find(({ keys }) => (keys as readonly string[]).includes(key))?.name;
  // A key that is held down moves on through the list, but decides once: the next proof is another one.
  if (event.repeat && name !== 'next' && name !== 'previous') return null;
  return name ? { key, name } : null;
}

/** Handles the shortcuts while the page is mounted. */
export function useShortcuts(isOn: boolean, actions: Record<Shortcut, (key: string) => void>) {
  const handleShortcut = useEffectEvent(({ name, key }: { name: Shortcut; key: string }) => actions[name](key));
  useEffect(() => {
    if (!isOn) return;
    const handleKey = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event);
      if (!shortcut) return;
      event.preventDefault();
      handleShortcut(shortcut);
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, [isOn]);
}
