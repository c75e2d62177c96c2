import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/components/ui/button';

type ShowAllButtonProps = {
  isWhole: boolean;
  onChange: (isWhole: boolean) => void;
  /** Number of all entries. */
  count: number;
  /** Names what remains: 'Show the top 10'. */
  lessLabel?: string;
};

/**
 * Below a list of which the first entries are shown: shows all of them, or the first ones again. It stays in the window with its focus:
 * at the bottom while the longer list reaches further down, and scrolled to when the shorter list ends above the window.
 */
export function ShowAllButton({ isWhole, onChange, count, lessLabel = 'Show less' }: ShowAllButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  const handleClick = () => {
    flushSync(() => onChange(!isWhole));
    place.current?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div ref={place} className="sticky bottom-0 bg-card py-1">
      <Button variant="ghost" className="w-full" aria-expanded={isWhole} onClick={handleClick}>
        {isWhole ? lessLabel : `Show all ${count}`}
      </Button>
    </div>
  );
}
