import type { LucideIcon } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { cn } from '@/lib/cn';

export type RadioCard<Value extends string> = {
  value: Value;
  title: string;
  text?: string;
  icon?: LucideIcon;
  /** Shown but not selectable; `text` says why. */
  isDisabled?: boolean;
};

type RadioCardsProps<Value extends string> = {
  /** Accessible name of the group. */
  label: string;
  isLabelHidden?: boolean;
  options: readonly RadioCard<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  className?: string;
};

/** A choice between a few options, each with a line of explanation. Arrow keys move the choice. */
export function RadioCards<Value extends string>({
  label,
  isLabelHidden,
  options,
  value,
  onChange,
  className = 'gap-3 sm:grid-cols-2',
}: RadioCardsProps<Value>) {
  return (
    <RadioGroup.Root aria-label={label} value={value} onValueChange={(next) => onChange(next as Value)}>
      {!isLabelHidden && (
        <p aria-hidden="true" className="mb-2 font-semibold">
          {label}
        </p>
      )}
      <div className={cn('grid', className)}>
        {options.map(({ icon: Icon, ...option }) => (
          <RadioGroup.Item
            key={option.value}
            value={option.value}
            disabled={option.isDisabled}
            aria-label={option.text ? `${option.title}: ${option.text}` : option.title}
            className="flex min-h-11 items-start gap-3 rounded-card border border-field bg-card p-3 text-left enabled:hover:bg-sunken disabled:cursor-not-allowed disabled:border-dashed disabled:bg-sunken disabled:text-muted data-[state=checked]:border-action data-[state=checked]:bg-action-soft data-[state=checked]:ring-1 data-[state=checked]:ring-action"
          >
            {Icon && <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-action" />}
            <span className="grid">
              <span className="font-semibold">{option.title}</span>
              {option.text && <span className="text-muted text-sm">{option.text}</span>}
            </span>
          </RadioGroup.Item>
        ))}
      </div>
    </RadioGroup.Root>
  );
}
