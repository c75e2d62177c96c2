import { Link } from 'react-router-dom';
import { Dialog } from '@/components/ui/dialog';
import { type LegalText, legalTexts } from './legal';
import { LegalBody } from './legal-page';

/** One of the legal texts in a dialog, with a link to its page (HEAD-10). */
export default function LegalDialog({ text, onClose }: { text: LegalText; onClose: () => void }) {
  const { title, path } = legalTexts[text];
  return (
    <Dialog isOpen onOpenChange={onClose} title={title}>
      <LegalBody text={text} />
      <p className="mt-5">
        <Link to={path} onClick={onClose} className="font-medium text-action underline underline-offset-4">
          Open as a page
        </Link>
      </p>
    </Dialog>
  );
}
