import { type ComponentProps, useState } from 'react';
import { Input } from '@/components/ui/input';
import { parseWhole } from '../numbers';

type NumberInputProps = Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'max' | 'type'> & {
  value: number;
  onChange: (value: number) => void;
  /** What blank or not a number means. */
  fallback: number;
  max: number;
};

/**
 * A whole number that can be typed freely: while the field has the focus it shows what was typed, so that it can be
 * cleared; when it is left it shows the number that was understood.
 */
export function NumberInput({ value, onChange, fallback, max, onBlur, ...props }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Input
      {...props}
      inputMode="numeric"
      autoComplete="off"
      className="tabular-nums"
      value={typed ?? String(value)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parseWhole(event.target.value, { fallback, max }));
      }}
      onBlur={(event) => {
        setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}
