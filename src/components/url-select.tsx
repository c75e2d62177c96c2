import type { ComponentProps } from 'react';
import { useShownChoice } from '@/lib/use-shown-choice';
import { Select } from './ui/field';

type UrlSelectProps = Omit<ComponentProps<typeof Select>, 'value' | 'onChange'> & {
  value: string;
  /** Returns the navigation's promise. */
  onChange: (value: string) => unknown;
};

/** A select whose choice is kept in the URL. */
export function UrlSelect({ value, onChange, ...props }: UrlSelectProps) {
  const [shown, choose] = useShownChoice(value, onChange);
  return <Select {...props} value={shown} onChange={(event) => choose(event.target.value)} />;
}
