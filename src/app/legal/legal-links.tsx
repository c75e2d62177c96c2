import { lazy, Suspense, useState } from 'react';
import type { LegalText } from './legal-dialog';

const LegalDialog = lazy(() => import('./legal-dialog'));

const titles: Record<LegalText, string> = {
  privacy: 'Privacy policy',
  terms: 'Terms of use',
  cookies: 'Cookie policy',
};
const texts = Object.keys(titles) as LegalText[];

/** Opens the privacy, terms and cookie policy dialogs (HEAD-10). */
export function LegalLinks() {
  const [open, setOpen] = useState<LegalText | null>(null);
  return (
    <>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setOpen(text)}
              className="inline-flex min-h-11 items-center hover:text-action hover:underline hover:underline-offset-4"
            >
              {titles[text]}
            </button>
          </li>
        ))}
      </ul>
      <Suspense fallback={null}>
        {open && <LegalDialog text={open} title={titles[open]} onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  );
}
