import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { getEnv } from '@/lib/env';
import { formatDay } from '@/lib/format';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { type LegalText, legalTexts } from './legal';

/** A legal text as a page, linked from sign-up, mails and checkout. */
export default function LegalPage({ text }: { text: LegalText }) {
  const { title } = legalTexts[text];
  return (
    <div className="page-column max-w-form pb-16">
      <PageMeta {...heads[text]} />
      <PageHeader title={title} />
      <LegalBody text={text} />
    </div>
  );
}

const bodies: Record<LegalText, () => ReactNode> = {
  privacy: PrivacyPolicy,
  terms: TermsOfUse,
  cookies: CookiePolicy,
};

/** Date of the texts; change it with them. */
const updated = '2026-11-30';

/** One of the texts with its date; the sections are `h2` on a page and in a dialog alike. */
export function LegalBody({ text }: { text: LegalText }) {
  const Body = bodies[text];
  return (
    <div className="grid gap-3 [&_a]:font-medium [&_a]:text-action [&_a]:underline [&_a]:underline-offset-4 [&_h2]:mt-3 [&_h2]:font-sans [&_h2]:font-semibold [&_h2]:text-lg [&_h2]:tracking-normal [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-1.5 [&_ul]:pl-5">
      <p className="text-muted text-sm">
        Last changed on <time dateTime={updated}>{formatDay(updated)}</time>
      </p>
      <Body />
    </div>
  );
}

/** Operator and contact of this site, as far as configured. */
function Operator() {
  const { VITE_LEGAL_NAME: name, VITE_LEGAL_ADDRESS: address, VITE_LEGAL_EMAIL: email } = getEnv();
  return (
    <p>
      {name ? `Questboard is run by ${[name, address].filter(Boolean).join(', ')}. ` : ''}
      {email ? (
        <>
          Write to <a href={`mailto:${email}`}>{email}</a>.
        </>
      ) : (
        'Write to us through Share Feedback in your menu, and leave an address we can reply to.'
      )}
    </p>
  );
}

/** The rules in plain words. */
function TermsOfUse() {
  return (
    <>
      <p>By using Questboard you agree to the following.</p>
      <h2>Who we are</h2>
      <Operator />
      <h2>Quests and proofs</h2>
      <p>
        Do the task yourself and prove it honestly. One submission per person and task. Projects decide with reasons; a
        rejected proof may be sent again while the quest has spots left.
      </p>
      <h2>Points and rewards</h2>
      <p>
        Points have no cash value and cannot be transferred to other people. Some points are held for a while before
        they can be redeemed; your wallet shows which and why. Rewards are limited by their stock. Points gained by
        cheating can be taken back, with the reason in your history.
      </p>
      <h2>Projects</h2>
      <p>
        Describe your project truthfully, ask only for lawful tasks, reward no reviews, votes, posts or follows where
        the law or the platform forbids it, decide on proofs fairly and use collected email addresses only for what you
        said. Points that a quest has promised are reserved for it. You can report a quest or a project that breaks
        these rules from its page, with or without an account; our admins look at every report.
      </p>
      <h2>Payments</h2>
      <p>
        Prices are shown before you pay. Payments are made with Stripe. Where a plan comes with a money-back guarantee,
        write to us within that period and we refund you in full.
      </p>
      <h2>Accounts</h2>
      <p>
        One account per person. We may suspend accounts that break these rules. We tell you why, and review the decision
        once if you ask. You can delete your account at any time in <Link to={paths.settings}>Settings</Link>, under
        Manage account.
      </p>
      <h2>Changes</h2>
      <p>When these terms change, the date above changes with them.</p>
    </>
  );
}

/** Privacy policy: what is stored, why, for how long and by whom; must match what the product does. */
function PrivacyPolicy() {
  return (
    <>
      <p>This is what Questboard keeps about you, why, for how long, and who else sees it.</p>
      <h2>Who is responsible</h2>
      <Operator />
      <h2>What we keep</h2>
      <ul>
        <li>
          Your account: name, picture, email addresses, role, interests, the accounts elsewhere that you have connected,
          and when you joined. Your sign-in is kept by our identity provider.
        </li>
        <li>Your points: every line of your wallet, with what you did to earn or spend them, and your badges.</li>
        <li>The quests you have saved and the projects you follow. Only you can see them.</li>
        <li>
          Your proofs: links, texts and screenshots, the tasks that you have started, signs of copying, how each proof
          was decided, and your appeals. You, the project that runs the quest and our admins see a proof; nobody else
          can open it.
        </li>
        <li>
          Your project, if you have one: what you entered about it, what we decided about it, your plan and your
          payments.
        </li>
        <li>
          An email address that you share with a quest: the project that asked for it receives it. Settings shows who
          has yours and lets you take it back.
        </li>
        <li>
          The rewards that you have redeemed, and a postal address when one comes by post, which only our admins see.
        </li>
        <li>Who signed up through your link, and whose link you used.</li>
        <li>
          Your subscription to our news, your feedback, your ratings of projects, the notifications we sent you, and
          which of them you want by email.
        </li>
        <li>How you use the site: the pages that you open and what you press, as our cookie policy describes.</li>
        <li>A random number for each change that you make, so that sending it again does nothing twice.</li>
        <li>A record of what projects and admins have decided and changed, with who did it.</li>
        <li>
          When you first open a quest while you are signed in: from this we measure how long quests take. Nobody but you
          can look it up.
        </li>
        <li>
          The public leaderboard shows your points with a masked name. A page about you is public only once you have
          made it so.
        </li>
      </ul>
      <p>
        Proofs are compared with each other, so that copies are noticed. Whoever decides sees what was noticed; no
        machine rejects a proof.
      </p>
      <h2>Who processes data for us</h2>
      <ul>
        <li>Clerk keeps accounts and sign-ins.</li>
        <li>Supabase keeps our database and files.</li>
        <li>Stripe takes payments; we never see card numbers.</li>
        <li>Resend sends our mails.</li>
        {getEnv().VITE_SENTRY_DSN && (
          <li>
            Our error tracking service is told when something on the site breaks: what and where, never your name, your
            address or what you wrote.
          </li>
        )}
        <li>The host of this site delivers its pages and sees your IP address while it does.</li>
      </ul>
      <p>They process your data only on our behalf, and nobody else gets it.</p>
      <h2>How long</h2>
      <ul>
        <li>Your account, your points and your proofs: as long as you have the account.</li>
        <li>Usage statistics: 90 days.</li>
        <li>When you first opened a quest: 90 days.</li>
        <li>Notifications: 180 days.</li>
        <li>A postal address: 90 days after the reward was sent.</li>
        <li>Feedback from visitors without an account: one year.</li>
        <li>An address that was entered for our news and never confirmed: 7 days.</li>
        <li>
          Your IP address: not stored. Requests of visitors are counted under a hash of it that changes every day.
        </li>
        <li>Payment records: as long as the law requires.</li>
      </ul>
      <h2>Deleting your account</h2>
      <p>
        You delete it yourself in <Link to={paths.settings}>Settings</Link>, under Manage account. We then remove your
        name, addresses, profile, proofs and files. The record of points stays, under an id that no longer leads to you.
        We also keep a keyed hash of each email address that you had verified, so that referral bonuses, trial points
        and plans are given once per person, and of an address that has unsubscribed, so that it stays unsubscribed. It
        cannot be turned back into the address.
      </p>
      <h2>Your rights</h2>
      <p>
        Settings gives you everything that is yours as one archive, and lets you correct it. Every mailing has an
        unsubscribe link. You may object to what we do, and complain to the data protection authority where you live.
      </p>
    </>
  );
}

/** What is stored in the browser; keep it in step with lib/storage.ts. */
function CookiePolicy() {
  return (
    <>
      <p>Questboard stores as little as it can in your browser.</p>
      <h2>Cookies</h2>
      <p>Our identity provider sets the cookies that keep you signed in. They are needed and used for nothing else.</p>
      <h2>Local storage</h2>
      <p>This is remembered until you clear your browser’s data, unless it says otherwise:</p>
      <ul>
        <li>Whether you use Questboard as a member or for a project, and which account chose that.</li>
        <li>Your theme, and whether you have switched off the keyboard shortcuts for reviewing.</li>
        <li>A referral code, until you sign up.</li>
        <li>Your answer about statistics.</li>
        <li>
          Whether you have seen the introduction, skipped the advice before your first quest, received the welcome email
          and been counted as a new account.
        </li>
        <li>
          What you have typed into a proof, a new quest or a new project, until it is sent or you sign out, for a week
          at most.
        </li>
      </ul>
      <h2>Session storage</h2>
      <p>This is forgotten when you close the tab:</p>
      <ul>
        <li>What you were about to do when we asked you to sign in, so that you can go on with it.</li>
        <li>A random number for the statistics below.</li>
        <li>A random number for each request without an answer, so that sending it again does nothing twice.</li>
        <li>Which release the tab was last reloaded for, so that it reloads only once.</li>
      </ul>
      <h2>Statistics</h2>
      <p>
        We count page views and clicks in our own database, with a random number that is forgotten when you close the
        tab, and with your account while you are signed in. A statistics service is loaded only if you allow it. If you
        say no, or your browser asks not to be tracked, neither happens. You can change your answer at the foot of any
        page.
      </p>
      <h2>Questions</h2>
      <Operator />
    </>
  );
}
