import type { ComponentProps } from 'react';
import { Input } from '@/components/ui/input';

type PrefixInputProps = Omit<ComponentProps<typeof Input>, 'prefix' | 'onChange'> & {
  /** Written before the input, not part of the value. */
  prefix: string;
  /** Keeps the value without the prefix, as one types or pastes. */
  clean: (value: string) => string;
  onChange: (value: string) => void;
};

/** An input that says how its value begins: https://, @, discord.gg/. */
export function PrefixInput({ prefix, clean, onChange, ...props }: PrefixInputProps) {
  return (
    <div className="flex">
      <span className="grid shrink-0 place-items-center rounded-l-control border border-field border-r-0 bg-sunken px-3 text-muted">
        {prefix}
      </span>
      <Input
        {...props}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        className="rounded-l-none"
        onChange={(event) => onChange(clean(event.target.value))}
      />
    </div>
  );
}
