import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { Input } from '@/components/ui/input';

type FormSectionProps = { title: string; text?: ReactNode; children: ReactNode };

/** A part of a long form with its own heading, on a card of its own. */
export function FormSection({ title, text, children }: FormSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-5 rounded-card border bg-card p-4 shadow-card sm:p-6">
      <header>
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {text && <p className="mt-1 text-muted">{text}</p>}
      </header>
      {children}
    </section>
  );
}

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

/**
 * Reads a whole number that someone typed. Blank or not a number gives the fallback; below 0 gives 0, above `max` gives
 * `max`; decimals are cut off (QNEW-16, QEDIT-11, QEDIT-12).
 */
export function parseWhole(text: string, { fallback, max }: { fallback: number; max: number }): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), 0), max) : fallback;
}
