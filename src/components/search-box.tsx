import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Calls the latest handler when the debounce ends; the captured one would undo other changes of the URL.
  const latestOnChange = useRef(onChange);
  useEffect(() => {
    latestOnChange.current = onChange;
  });
  const [lastValue, setLastValue] = useState(value);
  // Its own changes come back as `value` when the page has rendered them. More may have been typed by then.
  const [sent, setSent] = useState<readonly string[]>([]);
  if (value !== lastValue) {
    setLastValue(value);
    const own = sent.indexOf(value);
    setSent(own < 0 ? [] : sent.slice(own + 1));
    if (own < 0) setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const handleChange = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const text = next.trim();
      setSent((before) => [...before, text]);
      latestOnChange.current(text);
    }, debounceMs);
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
