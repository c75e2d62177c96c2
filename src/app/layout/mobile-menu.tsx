import { Menu } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '@/components/ui/button';

const loadSheet = () => import('./mobile-menu-sheet');
const MobileMenuSheet = lazy(loadSheet);

/** The button that opens the header's links on small screens. Their sheet is fetched while the finger comes down. */
export function MobileMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on every navigation, also to the same path
  useEffect(() => setIsOpen(false), [key]);

  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Menu"
        aria-haspopup="dialog"
        className="-mr-2 lg:hidden"
        onPointerDown={() => void loadSheet()}
        onClick={() => setIsOpen(true)}
      >
        <Menu aria-hidden="true" />
      </Button>
      <Suspense fallback={null}>{isOpen && <MobileMenuSheet onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
