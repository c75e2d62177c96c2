import { Keyboard } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog } from '@/components/ui/dialog';
import { shortcutKeys } from '../shortcuts';

type ShortcutHelpProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
};

const keyNames: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑' };

/** The list of keys, and the switch that turns them off. For keyboards; hidden where there is only a touch screen. */
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
        description="They act on the submission that has the focus."
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
          onCheckedChange={(checked) => onSwitch(checked === true)}
        />
      </Dialog>
    </>
  );
}
