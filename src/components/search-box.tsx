import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Input } from '@/components/ui/input';
import { cn } from '@/lib/cn';

/** Debounce of the search, in milliseconds. */
const pause = 300;

type SearchBoxProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
  /** Gets the initial focus of its dialog. */
  isFirst?: boolean;
};

/**
 * A debounced search field. `value` is the current search, which the page may take over late; what is being typed is newer than it.
 */
export function SearchBox({ label, value, onChange, className, isFirst }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [isTyping, setIsTyping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Calls the latest handler when the debounce ends; the captured one would undo other changes of the URL.
  const latestOnChange = useRef(onChange);
  useEffect(() => {
    latestOnChange.current = onChange;
  });
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== typed.trim() && !isTyping) setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const handleChange = (next: string) => {
    setTyped(next);
    setIsTyping(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setIsTyping(false);
      latestOnChange.current(next.trim());
    }, pause);
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
