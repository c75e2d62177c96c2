import { Link } from 'react-router-dom';
import type { Openable } from '@/components/lazy-overlay';
import { Dialog } from '@/components/ui/dialog';
import { type LegalText, legalTexts } from './legal';
import { LegalBody } from './legal-page';

export type LegalDialogProps = Openable & { text: LegalText };

/** One of the legal texts in a dialog, with a link to its page (HEAD-10). */
export default function LegalDialog({ text, isOpen, onOpenChange }: LegalDialogProps) {
  const { title, path } = legalTexts[text];
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={title}>
      <LegalBody text={text} />
      <p className="mt-5">
        <Link
          to={path}
          onClick={() => onOpenChange(false)}
          className="font-medium text-action underline underline-offset-4"
        >
          Open as a page
        </Link>
      </p>
    </Dialog>
  );
}
