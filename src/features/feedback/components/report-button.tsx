import { Flag } from 'lucide-react';
import { useState } from 'react';
import { lazyOverlay } from '@/components/lazy-overlay';
import { Button } from '@/components/ui/button';
import type { ReportSubject } from '../schema';

const ReportDialog = lazyOverlay<{ isOpen: boolean; onOpenChange: (isOpen: boolean) => void; subject: ReportSubject }>(
  () => import('./report-dialog'),
);

type ReportButtonProps = Omit<ReportSubject, 'url'> & {
  /** Path of the page about it. */
  path: string;
};

/** Reports a quest or a project to the admins. Few do, so the dialog is loaded when it is opened. */
export function ReportButton({ what, name, path }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  const handleClick = () => {
    setIsWanted(true);
    setIsOpen(true);
  };
  return (
    <>
      <Button variant="ghost" className="-ml-4 justify-self-start" aria-haspopup="dialog" onClick={handleClick}>
        <Flag aria-hidden="true" className="text-muted" />
        Report this {what}
      </Button>
      {isWanted && (
        <ReportDialog
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          subject={{ what, name, url: window.location.origin + path }}
        />
      )}
    </>
  );
}
