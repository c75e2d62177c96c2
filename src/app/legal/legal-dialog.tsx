import type { ReactNode } from 'react';
import { Dialog } from '@/components/ui/dialog';

export type LegalText = 'privacy' | 'terms' | 'cookies';

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

/** The rules of the beta in plain words. */
function TermsOfUse() {
  return (
    <>
      <p>Questboard is in beta. Using it, you agree to the following.</p>
      <h3>Quests and proofs</h3>
      <p>
        Do the task yourself and prove it honestly. One submission per person and task. Owners decide with reasons; a
        rejected proof may be sent again.
      </p>
      <h3>Points and rewards</h3>
      <p>
        Points have no cash value and cannot be transferred. Rewards are limited by their stock. Points gained by
        cheating can be taken back.
      </p>
      <h3>Projects</h3>
      <p>
        Describe your project truthfully, ask only for lawful tasks and use collected emails only for what you said.
      </p>
      <h3>Accounts</h3>
      <p>One account per person. We may suspend accounts that break these rules and will say why.</p>
    </>
  );
}

/** What is kept and why, as the product really does it. */
function PrivacyPolicy() {
  return (
    <>
      <p>This is what Questboard keeps about you, and what for.</p>
      <h3>Your account</h3>
      <p>
        Your name, email address and sign-in are kept by our identity provider. We keep a copy of your name and email,
        your role, your points and what you did to earn or spend them.
      </p>
      <h3>Your proofs</h3>
      <p>
        Links, texts and screenshots that you submit are seen by you, by the owner of the quest and by our admins.
        Nobody else can open them.
      </p>
      <h3>Emails that quests collect</h3>
      <p>Some quests ask for an email address. If you give one, the owner of that quest receives it.</p>
      <h3>After you delete your account</h3>
      <p>
        We remove your name, addresses, profile, proofs and files. The record of points stays, under an id that no
        longer leads to you. We also keep a keyed hash of each email address that you had verified, so that referral
        bonuses, trial points and plans are given once per person, and of an address that has unsubscribed, so that it
        stays unsubscribed. It cannot be turned back into the address.
      </p>
      <h3>The leaderboard</h3>
      <p>The public leaderboard shows your points with a masked name.</p>
      <h3>Your choices</h3>
      <p>
        Every mailing has a link that ends it. To see or delete what we keep about you, write to us through Share
        Feedback.
      </p>
    </>
  );
}

/** What is stored in the browser; keep it in step with lib/storage.ts. */
function CookiePolicy() {
  return (
    <>
      <p>Questboard stores as little as it can in your browser.</p>
      <h3>Cookies</h3>
      <p>Our identity provider sets the cookies that keep you signed in. They are needed and used for nothing else.</p>
      <h3>Local storage</h3>
      <p>
        We remember your role, your theme, a referral code until you sign up, your answer about statistics, and whether
        you have seen the introduction and received the welcome email.
      </p>
      <h3>Statistics</h3>
      <p>
        We count page views and clicks in our own database, with a random number that is forgotten when you close the
        tab, and with your account while you are signed in. A statistics service is loaded only if you allow it. If you
        say no, or your browser asks not to be tracked, neither happens. The foot of each page lets you change your
        answer.
      </p>
    </>
  );
}
