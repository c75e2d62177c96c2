import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input } from '@/components/ui/input';

/** Milliseconds without a key before the server is asked. */
const pause = 300;

type SearchFieldProps = { label: string; value: string; onChange: (value: string) => void };

/** A search that asks the server once typing pauses. Follows the address when that changes otherwise (Reset Filters). */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState({ text: value, of: value });
  if (typed.of !== value) setTyped({ text: value, of: value });

  useEffect(() => {
    if (typed.text === value) return;
    const timer = setTimeout(() => onChange(typed.text), pause);
    return () => clearTimeout(timer);
  }, [typed.text, value, onChange]);

  return (
    <div className="relative grow sm:max-w-xs">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label}
        value={typed.text}
        maxLength={100}
        placeholder={label}
        className="pl-9"
        onChange={(event) => setTyped({ text: event.target.value, of: value })}
      />
    </div>
  );
}
