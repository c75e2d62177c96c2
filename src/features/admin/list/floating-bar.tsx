import { ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { formatCount } from '@/lib/format';

type FloatingBarProps = {
  /** Rows that wait to be asked for; `noun` is what one is. */
  newCount: number;
  noun: string;
  plural: string;
  onShowNew: () => void;
  /** What else the refresh has to say. */
  children?: ReactNode;
};

/** What a refresh has to say floats over the list's upper edge and takes no room: appearing, it moves no row (ADMIN-01). */
export function FloatingBar({ newCount, noun, plural, onShowNew, children }: FloatingBarProps) {
  return (
    <div className="sticky top-20 z-10 h-0">
      <div className="flex -translate-y-1/2 flex-col items-center gap-2">
        {children}
        <p role="status">
          {newCount > 0 && (
            <Button variant="secondary" className="shadow-card" onClick={onShowNew}>
              <ArrowUp aria-hidden="true" />
              Show {formatCount(newCount, `new ${noun}`, `new ${plural}`)}
            </Button>
          )}
        </p>
      </div>
    </div>
  );
}
