import type { ReactNode } from 'react';
import { Dialog } from '@/components/ui/dialog';
import type { LegalText } from '../layout/legal-links';
import { CookiePolicy } from './cookie-policy';
import { PrivacyPolicy } from './privacy-policy';
import { TermsOfUse } from './terms-of-use';

const bodies: Record<LegalText, () => ReactNode> = {
  privacy: PrivacyPolicy,
  terms: TermsOfUse,
  cookies: CookiePolicy,
};

/** One of the legal texts in a dialog (HEAD-10). */
export default function LegalDialog({ text, title, onClose }: { text: LegalText; title: string; onClose: () => void }) {
  const Body = bodies[text];
  return (
    <Dialog isOpen onOpenChange={onClose} title={title}>
      <div className="grid gap-3 [&_h3]:mt-2 [&_h3]:font-sans [&_h3]:font-semibold">
        <Body />
      </div>
    </Dialog>
  );
}
