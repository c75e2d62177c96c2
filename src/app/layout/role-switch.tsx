import { cn } from '@/lib/cn';
import { type Side, useRoleSwitch } from './use-role-switch';

const sides: { value: Side; label: string }[] = [
  { value: 'community', label: 'Community' },
  { value: 'startup', label: 'Project' },
];

type RoleSwitchProps = { className?: string; delay?: number; onSwitch?: () => void };

/** Two sides of one account. For admins neither is pressed: their role is the server's (C-11). */
export function RoleSwitch({ className, delay, onSwitch }: RoleSwitchProps) {
  const { side, switchTo, isSwitching } = useRoleSwitch({ delay });
  const handleClick = (value: Side) => {
    if (isSwitching || value === side) return;
    void switchTo(value);
    onSwitch?.();
  };
  return (
    <fieldset
      className={cn('flex rounded-control border border-field bg-card p-0.5', className)}
      aria-busy={isSwitching}
    >
      <legend className="sr-only">Your role</legend>
      {sides.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === side}
          onClick={() => handleClick(value)}
          className="min-h-11 grow rounded-[0.4rem] px-3 font-semibold text-muted text-sm hover:text-ink aria-pressed:bg-action-soft aria-pressed:text-action"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
