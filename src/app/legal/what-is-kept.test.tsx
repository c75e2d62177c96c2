import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import storage from '@/lib/storage.ts?raw';
import type { LegalText } from './legal';
import { LegalBody } from './legal-page';

const schemas = import.meta.glob<string>('../../../supabase/schemas/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Columns that name a person or hold their address. */
const PERSONAL = /^ {2}(?:\w*user_id|actor_id|(?:participant_|owner_)?email) text/m;

const tables = Object.values(schemas).flatMap((sql) =>
  [...sql.matchAll(/^create table (\w+\.\w+) \(\n([\s\S]*?)^\)/gm)].flatMap(([, name = '', columns = '']) =>
    PERSONAL.test(columns) ? name : [],
  ),
);

/** What the privacy policy says about each table. Write a sentence there first when this list lacks a new one. */
const POLICY: Readonly<Record<string, RegExp>> = {
  'public.user_profiles': /Your account: name, picture, email addresses, role, interests/,
  'private.former_addresses': /email addresses/,
  'private.known_mailboxes': /keyed hash of each email address/,
  'private.deleted_users': /under an id that no longer leads to you/,
  'private.admins': /A record of what projects and admins have decided/,
  'private.product_owner': /A record of what projects and admins have decided/,
  'public.app_settings': /Who is responsible/,
  'public.audit_log': /A record of what projects and admins have decided and changed, with who did it/,
  'private.idempotency_keys': /A random number for each change that you make/,
  'public.notifications': /notifications we sent you/,
  'public.outbox_events': /notifications we sent you/,
  'public.notification_preferences': /which of them you want by email/,
  'public.wallets': /every line of your wallet/,
  'public.entries': /every line of your wallet/,
  'public.point_holds': /every line of your wallet/,
  'private.member_weeks': /your badges/,
  'public.badges': /your badges/,
  'public.member_profiles': /A page about you is public only once you have made it so/,
  'public.startup_profiles': /what you entered about it/,
  'private.project_decisions': /what we decided about it/,
  'public.subscriptions': /your plan/,
  'private.checkout_holds': /your payments/,
  'private.payment_events': /your payments/,
  'public.point_purchases': /your payments/,
  'public.referral_codes': /Who signed up through your link/,
  'public.referrals': /Who signed up through your link, and whose link you used/,
  'public.submissions': /links, texts and screenshots/,
  'private.task_tokens': /the tasks that you have started/,
  'public.submission_flags': /signs of copying/,
  'public.submission_history': /how each proof was decided/,
  'public.appeals': /your appeals/,
  'public.mailing_list': /Your subscription to our news/,
  'private.unsubscribe_tokens': /Your subscription to our news/,
  'private.mailing_list_confirmations': /entered for our news and never confirmed: 7 days/,
  'public.saved_quests': /The quests you have saved/,
  'public.followed_projects': /the projects you follow/,
  'public.email_consents': /An email address that you share with a quest/,
  'public.campaign_email_collections': /An email address that you share with a quest/,
  'private.quest_views': /When you first open a quest while you are signed in/,
  'public.redemptions': /The rewards that you have redeemed/,
  'public.beta_feedback': /your feedback/,
  'public.project_feedback': /your ratings of projects/,
  'private.former_ratings': /your ratings of projects/,
  'public.metrics_events': /How you use the site: the pages that you open and what you press/,
};

/** What the cookie policy says about each key of lib/storage.ts. */
const COOKIES: Readonly<Record<string, RegExp>> = {
  selectedRole: /as a member or for a project/,
  roleOwner: /which account chose that/,
  pendingReferral: /A referral code, until you sign up/,
  theme: /Your theme/,
  questGateSkipped: /skipped the advice before your first quest/,
  onboardingCompleted: /seen the introduction/,
  welcomeEmailSent: /received the welcome email/,
  registrationTracked: /been counted as a new account/,
  analyticsConsent: /Your answer about statistics/,
  reviewShortcuts: /switched off the keyboard shortcuts/,
  authParams: /What you were about to do when we asked you to sign in/,
  pressedBeforeSignIn: /What you were about to do when we asked you to sign in/,
  reloadedFrom: /Which release the tab was last reloaded for/,
  sessionId: /A random number for the statistics/,
  unansweredCall: /A random number for each request without an answer/,
};

function textOf(text: LegalText): string {
  const { container } = render(
    <MemoryRouter>
      <LegalBody text={text} />
    </MemoryRouter>,
  );
  return container.textContent;
}

const storageKeys = [...storage.matchAll(/^ {2}(\w+): '/gm)].map(([, key = '']) => key);

it('each table with a person in it has a sentence in the privacy policy', () => {
  expect(Object.keys(POLICY).sort()).toEqual([...tables].sort());
  const policy = textOf('privacy');
  for (const sentence of Object.values(POLICY)) expect(policy).toMatch(sentence);
});

it('each key of the browser’s storage has a sentence in the cookie policy', () => {
  expect(Object.keys(COOKIES).sort()).toEqual(storageKeys.sort());
  const policy = textOf('cookies');
  for (const sentence of Object.values(COOKIES)) expect(policy).toMatch(sentence);
});
