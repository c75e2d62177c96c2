import { createHash } from 'node:crypto';
import type pg from 'pg';
import { PERSONAS } from './personas.ts';

const { member, otherMember, owner, otherOwner, admin, suspended } = PERSONAS;

/** A uuid derived from the label alone. */
const uuid = (label: string): string =>
  createHash('md5')
    .update(label)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

type Values = Record<string, string | number | boolean | null>;

const startup = (label: string) => uuid(`startup_profiles ${label}`);
const campaign = (label: string) => uuid(`campaigns ${label}`);
const taskOf = (label: string) => uuid(`tasks ${label}`);
const submission = (label: string) => uuid(`submissions ${label}`);
const wallet = (label: string) => uuid(`wallets ${label}`);
const reward = uuid('rewards active');

const quest = (startupLabel: string, status: string): Values => ({
  startup_id: startup(startupLabel),
  title: 'Quest',
  status,
  ...(status === 'published' && { published_at: '2026-01-01' }),
});
const task = (label: string): Values => ({
  campaign_id: campaign(label),
  title: 'Task',
  type: 'visit',
  reward_points: 1,
  max_completions: 9,
});
const proof = (user: string, label: string, url: string): Values => ({
  task_id: taskOf(label),
  campaign_id: campaign(label),
  user_id: user,
  proof_url: url,
  reward_points: 1,
});
const consent = (user: string): Values => ({
  user_id: user,
  project_name: 'V',
  quest_title: 'Quest',
  email: `${user}@example.com`,
  statement: 'I agree',
});
const transfer = (id: number): Values => ({ id, kind: 'adjustment', points: 1, description: 'x' });
/** The database derives entry ids from the transfer's: 2n - 1 is the debit of transfer n. */
const debitOf = (id: number): number => id * 2 - 1;
const debit = (walletLabel: string | null, id: number): Values => ({
  id: debitOf(id),
  transfer_id: id,
  type: 'debit',
  ...(walletLabel ? { wallet_id: wallet(walletLabel), balance_after: 0 } : { system_account: 'issuance' }),
});

const held: Values = { reason: 'referral', points: 1, depends_on: 'x', check_at: '2026-01-01' };

/**
 * The rows of the matrix: table -> label -> values, in foreign key order. A row's key is its `id`, derived from the
 * label unless given. `member` took part in the owner's closed quest, `otherMember` in the other owner's draft.
 */
export const FIXTURE: Record<string, Record<string, Values>> = {
  'public.user_profiles': {
    member: { user_id: member, username: 'm' },
    otherMember: { user_id: otherMember, username: 'n' },
    owner: { user_id: owner, username: 'o' },
    admin: { user_id: admin, username: 'a' },
    suspended: { user_id: suspended, username: 's', suspended_at: '2026-01-01' },
  },
  'public.startup_profiles': {
    verified: {
      owner_user_id: owner,
      name: 'V',
      industry: 'SaaS',
      status: 'verified',
      owner_email: 'o@example.com',
      logo_url: 'https://files.example/storage/v1/object/public/project-logos/access_owner/shown.png',
    },
    rejected: { owner_user_id: otherOwner, name: 'R', industry: 'SaaS', status: 'rejected' },
    ofSuspended: {
      owner_user_id: member,
      name: 'S',
      industry: 'SaaS',
      status: 'verified',
      suspended_at: '2026-01-01',
    },
  },
  'public.campaigns': {
    published: quest('verified', 'published'),
    draft: quest('verified', 'draft'),
    closed: quest('verified', 'closed'),
    otherDraft: quest('rejected', 'draft'),
  },
  'public.tasks': {
    published: task('published'),
    draft: task('draft'),
    closed: task('closed'),
    otherDraft: task('otherDraft'),
  },
  'public.submissions': {
    ofMember: proof(member, 'closed', 'proofs/access_member/used.png'),
    ofOtherMember: proof(otherMember, 'otherDraft', 'https://example.com'),
  },
  'public.submission_history': {
    ofMember: {
      id: -1,
      submission_id: submission('ofMember'),
      campaign_id: campaign('closed'),
      user_id: member,
      action: 'approved',
      actor_id: 'x',
    },
    ofOtherMember: {
      id: -2,
      submission_id: submission('ofOtherMember'),
      campaign_id: campaign('otherDraft'),
      user_id: otherMember,
      action: 'approved',
      actor_id: 'x',
    },
    // Of a deleted quest: admins keep its history.
    ofDeletedQuest: {
      id: -3,
      submission_id: uuid('gone'),
      campaign_id: uuid('gone'),
      user_id: member,
      action: 'approved',
      actor_id: 'x',
    },
  },
  'public.submission_flags': {
    ofMember: {
      submission_id: submission('ofMember'),
      campaign_id: campaign('closed'),
      user_id: member,
      kind: 'same_link',
    },
    ofOtherMember: {
      submission_id: submission('ofOtherMember'),
      campaign_id: campaign('otherDraft'),
      user_id: otherMember,
      kind: 'same_link',
      twin_submission_id: submission('ofMember'),
    },
    ofDeletedQuest: { submission_id: uuid('gone'), campaign_id: uuid('gone'), user_id: member, kind: 'too_fast' },
  },
  'public.campaign_email_collections': {
    ofMember: {
      campaign_id: campaign('closed'),
      user_id: member,
      email: 'm@example.com',
      submission_id: submission('ofMember'),
    },
    ofOtherMember: {
      campaign_id: campaign('otherDraft'),
      user_id: otherMember,
      email: 'n@example.com',
      submission_id: submission('ofOtherMember'),
    },
  },
  'public.email_consents': {
    ofMember: consent(member),
    ofOtherMember: consent(otherMember),
  },
  'public.wallets': {
    member: { kind: 'user', owner_user_id: member, user_id: member },
    otherMember: { kind: 'user', owner_user_id: otherMember, user_id: otherMember },
    project: { kind: 'startup', owner_user_id: owner, startup_id: startup('verified') },
    reserve: { kind: 'reserve', owner_user_id: owner, campaign_id: campaign('published') },
    otherProject: { kind: 'startup', owner_user_id: otherOwner, startup_id: startup('rejected') },
  },
  'public.transfers': {
    member: transfer(-1),
    project: transfer(-2),
    reserve: transfer(-3),
    otherProject: transfer(-4),
    system: transfer(-5),
  },
  'public.entries': {
    member: debit('member', -1),
    project: debit('project', -2),
    reserve: debit('reserve', -3),
    otherProject: debit('otherProject', -4),
    system: debit(null, -5),
  },
  'public.point_holds': {
    ofMember: { id: -1, wallet_id: wallet('member'), user_id: member, ...held },
    ofOtherMember: { id: -2, wallet_id: wallet('otherMember'), user_id: otherMember, ...held },
  },
  'public.transactions': {
    member: { id: debitOf(-1) },
    project: { id: debitOf(-2) },
    reserve: { id: debitOf(-3) },
    otherProject: { id: debitOf(-4) },
    system: { id: debitOf(-5) },
  },
  'public.rewards': {
    active: { title: 'On', points_cost: 1 },
    inactive: { title: 'Off', points_cost: 1, is_active: false },
  },
  'public.badges': {
    ofMember: { user_id: member, badge: 'first_task', week: '2026-01-05' },
    ofOtherMember: { user_id: otherMember, badge: 'first_task', week: '2026-01-05' },
  },
  'public.member_profiles': {
    ofMember: { user_id: member, handle: 'access-member' },
    ofOtherMember: { user_id: otherMember, handle: 'access-other', is_public: false },
  },
  'public.redemptions': {
    ofMember: { user_id: member, reward_id: reward, reward_title: 'On', points_cost: 1, idempotency_key: 'k' },
    ofOtherMember: {
      user_id: otherMember,
      reward_id: reward,
      reward_title: 'On',
      points_cost: 1,
      idempotency_key: 'k',
    },
  },
  'public.referral_codes': {
    ofMember: { user_id: member, code: 'ACCESSMEMBER' },
    ofOwner: { user_id: owner, code: 'ACCESSOWNER' },
  },
  'public.referrals': {
    memberBroughtOther: { referrer_user_id: member, referred_user_id: otherMember, referral_code: 'ACCESSMEMBER' },
    ownerBroughtAdmin: { referrer_user_id: owner, referred_user_id: admin, referral_code: 'ACCESSOWNER' },
  },
  'public.subscriptions': {
    ofOwner: {
      startup_id: startup('verified'),
      owner_user_id: owner,
      plan_id: 'og_lifetime',
      payment_ref: 'access_1',
      amount_cents: 1,
    },
    ofOtherOwner: { owner_user_id: otherOwner, plan_id: 'og_lifetime', payment_ref: 'access_2', amount_cents: 1 },
  },
  'public.point_purchases': {
    ofOwner: {
      startup_id: startup('verified'),
      owner_user_id: owner,
      pack_id: 'points_small',
      points: 100,
      amount_cents: 100,
      payment_ref: 'access_points_1',
      status: 'refunded',
    },
    ofOtherOwner: {
      owner_user_id: otherOwner,
      pack_id: 'points_small',
      points: 100,
      amount_cents: 100,
      payment_ref: 'access_points_2',
      status: 'refunded',
    },
  },
  'public.mailing_list': {
    ofMember: { email: 'access@example.com', user_id: member, is_active: true },
    ofVisitor: { email: 'access-visitor@example.com' },
  },
  'public.beta_feedback': { ofMember: { user_id: member, type: 'bug', title: 'T', description: 'D' } },
  'public.project_feedback': {
    onVerified: { project_id: startup('verified'), user_id: member, rating: 5, feedback_text: 'x' },
    onRejected: { project_id: startup('rejected'), user_id: otherMember, rating: 1, feedback_text: 'x' },
  },
  'public.metrics_events': { ofMember: { id: -1, type: 'page_view', user_id: member } },
  'public.appeals': {
    ofMember: { user_id: member, kind: 'suspension', against_at: '2026-01-01', words: 'x' },
    ofRejection: {
      user_id: member,
      kind: 'rejection',
      startup_id: startup('verified'),
      submission_id: '00000000-0000-4000-8000-00000000a99e',
      against_at: '2026-01-01',
      words: 'x',
    },
    ofOwner: {
      user_id: owner,
      kind: 'revocation',
      startup_id: startup('verified'),
      against_at: '2026-01-01',
      words: 'x',
    },
  },
  'public.notifications': {
    ofMember: { id: -1, user_id: member, type: 'SubmissionApproved', data: '{}' },
    ofOtherMember: { id: -2, user_id: otherMember, type: 'SubmissionApproved', data: '{}' },
  },
  'public.saved_quests': {
    ofMember: { user_id: member, campaign_id: campaign('published') },
    ofOtherMember: { user_id: otherMember, campaign_id: campaign('published') },
  },
  'public.followed_projects': {
    ofMember: { user_id: member, startup_id: startup('verified') },
    ofOtherMember: { user_id: otherMember, startup_id: startup('verified') },
  },
  'public.notification_preferences': {
    ofMember: { user_id: member, kind: 'proof_approved', is_mailed: true },
    ofOtherMember: { user_id: otherMember, kind: 'proof_approved', is_mailed: true },
  },
  'public.outbox_events': { ofMember: { id: -1, type: 'Test', user_id: member } },
  'public.audit_log': { ofOwner: { id: -1, actor_id: owner, action: 'x', subject_type: 'x', subject_id: 'x' } },
  'storage.objects': {
    usedProof: { bucket_id: 'proofs', name: 'access_member/used.png' },
    spareProof: { bucket_id: 'proofs', name: 'access_member/spare.png' },
    logo: { bucket_id: 'project-logos', name: 'access_owner/logo.png' },
    shownLogo: { bucket_id: 'project-logos', name: 'access_owner/shown.png' },
    rewardImage: { bucket_id: 'reward-images', name: 'mug.png' },
    suspendedProof: { bucket_id: 'proofs', name: 'access_suspended/spare.png' },
    suspendedLogo: { bucket_id: 'project-logos', name: 'access_suspended/logo.png' },
    // In a folder named after a member, but in a bucket without personal folders.
    strayImage: { bucket_id: 'reward-images', name: 'access_member/stray.png' },
    sitemap: { bucket_id: 'site', name: 'access.xml' },
  },
};

/** Views show rows of other tables, and generated keys are not inserted. */
export const VIEWS: ReadonlySet<string> = new Set(['public.transactions']);
const GENERATED_KEYS: ReadonlySet<string> = new Set(['public.entries']);

/** The row that every database has. */
const SETTINGS_KEY = true;

/** Key of a fixture row, or of the single settings row. */
export function keyOf(table: string, label: string): string | number | boolean | null {
  if (table === 'public.app_settings') return SETTINGS_KEY;
  return FIXTURE[table]?.[label]?.id ?? uuid(`${table.split('.')[1]} ${label}`);
}

/** Labels of the rows of the matrix. */
export const labelsOf = (table: string): string[] =>
  table === 'public.app_settings' ? ['settings'] : Object.keys(FIXTURE[table] ?? {});

/** Inserts the rows as the owner of the schema, into the open transaction. */
export async function insertFixture(client: pg.ClientBase): Promise<void> {
  for (const [table, rows] of Object.entries(FIXTURE)) {
    if (VIEWS.has(table)) continue;
    for (const [label, values] of Object.entries(rows)) {
      const row: Values = { id: keyOf(table, label), ...values };
      if (GENERATED_KEYS.has(table)) delete row.id;
      const names = Object.keys(row);
      await client.query(
        `insert into ${table} (${names.join(', ')}) overriding system value values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
        Object.values(row),
      );
    }
  }
}
