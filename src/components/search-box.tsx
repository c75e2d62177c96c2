import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Input } from '@/components/ui/field';
import { cn } from '@/lib/cn';

/** Debounce of the search, in milliseconds. */
const debounceMs = 300;

type SearchBoxProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
  /** Gets the initial focus of its dialog. */
  isFirst?: boolean;
};

/** A debounced search field. `value` is the current search; changes from outside take precedence. */
export function SearchBox({ label, value, onChange, className, isFirst }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  /** Typed, and to be sent when the debounce ends. */
  const [pending, setPending] = useState<string | null>(null);
  const [lastValue, setLastValue] = useState(value);
  // Its own changes come back as `value` when the page has rendered them. More may have been typed by then.
  const [sent, setSent] = useState<readonly string[]>([]);
  if (value !== lastValue) {
    setLastValue(value);
    const own = sent.indexOf(value);
    setSent(own < 0 ? [] : sent.slice(own + 1));
    if (own < 0) {
      setTyped(value);
      setPending(null);
    }
  }
  // Calls the latest handler; the one from when it was typed would undo other changes of the URL.
  const send = useEffectEvent((text: string) => {
    setPending(null);
    setSent((before) => [...before, text]);
    onChange(text);
  });
  useEffect(() => {
    if (pending === null) return;
    const timer = setTimeout(() => send(pending.trim()), debounceMs);
    return () => clearTimeout(timer);
  }, [pending]);

  const handleChange = (next: string) => {
    setTyped(next);
    setPending(next);
  };

  return (
    <div className={cn('relative', className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        data-autofocus={isFirst}
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={typed}
        onChange={(event) => handleChange(event.target.value)}
        className="pl-10"
      />
    </div>
  );
}
