import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Input } from '@/components/ui/input';
import { cn } from '@/lib/cn';

/** Milliseconds of silence after which what was typed is searched for. */
const pause = 300;

type SearchBoxProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
  /** Takes the focus when the dialog around it opens. */
  isFirst?: boolean;
};

/** A search field that lets people finish typing. `value` is what is searched for now; changing it from outside wins. */
export function SearchBox({ label, value, onChange, className, isFirst }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // When the pause is over, the handler of then counts: the one of now would undo what else has changed in the address.
  const latestOnChange = useRef(onChange);
  useEffect(() => {
    latestOnChange.current = onChange;
  });
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== typed.trim()) setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const handleChange = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestOnChange.current(next.trim()), pause);
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
