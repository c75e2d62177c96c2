import { lazy, useState } from 'react';
import { LatePart, lostSentence } from '@/components/lazy';
import { toast } from '@/components/ui/toast';
import { type LegalText, legalTexts } from './legal';

const LegalDialog = lazy(() => import('./legal-dialog'));

const texts = Object.keys(legalTexts) as LegalText[];

/** Opens the privacy, terms and cookie policy dialogs (HEAD-10). Their texts are lazy-loaded. */
export function LegalLinks({ className }: { className?: string }) {
  const [open, setOpen] = useState<LegalText | null>(null);
  const handleLost = () => {
    setOpen(null);
    toast.error(lostSentence);
  };
  return (
    <>
      <ul className={className}>
        {texts.map((text) => (
          <li key={text}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setOpen(text)}
              className="inline-flex min-h-11 items-center hover:text-action hover:underline hover:underline-offset-4"
            >
              {legalTexts[text].title}
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <LatePart lost={null} onLost={handleLost}>
          <LegalDialog text={open} onClose={() => setOpen(null)} />
        </LatePart>
      )}
    </>
  );
}
