import type { PersonaName } from './personas.ts';

/**
 * Result of one verb for one persona on one table: `DENIED` means no privilege on any column; a list holds the labels
 * of the rows (fixture.ts) that are selected, updated or deleted, or of the candidates (below) that may be inserted. An
 * empty list means privilege, but no row.
 */
export type Cell = 'denied' | readonly string[];

type Cells = Record<PersonaName, Cell>;

export interface TableAccess {
  select: Cells;
  insert: Cells;
  update: Cells;
  delete: Cells;
  /** Columns that a role cannot read although it may select from the table. */
  hidden?: { anon?: readonly string[]; authenticated?: readonly string[] };
}

const DENIED = 'denied';
const everyone = (cell: Cell): Cells => ({
  anon: cell,
  member: cell,
  otherMember: cell,
  owner: cell,
  otherOwner: cell,
  admin: cell,
  suspended: cell,
});

/** Written by procedures only. */
const READ_ONLY = { insert: everyone(DENIED), update: everyone(DENIED), delete: everyone(DENIED) };

const adminOnly = (...rows: string[]): Cells => ({ ...everyone([]), anon: DENIED, admin: rows });

const byCampaign: Cells = {
  anon: ['published'],
  member: ['published', 'closed'],
  otherMember: ['published'],
  owner: ['published', 'draft', 'closed'],
  otherOwner: ['published', 'otherDraft'],
  admin: ['published', 'draft', 'closed', 'otherDraft'],
  suspended: ['published'],
};

const bySubmission: Cells = {
  anon: DENIED,
  member: ['ofMember'],
  otherMember: ['ofOtherMember'],
  owner: ['ofMember'],
  otherOwner: ['ofOtherMember'],
  admin: ['ofMember', 'ofOtherMember'],
  suspended: [],
};

const byWallet: Cells = {
  ...adminOnly('member', 'project', 'reserve', 'otherProject', 'system'),
  member: ['member'],
  owner: ['project', 'reserve'],
  otherOwner: ['otherProject'],
};

/** Every table of the schema public, and the storage objects. A missing table fails the test. */
export const ACCESS: Record<string, TableAccess> = {
  'public.appeals': {
    select: {
      ...adminOnly('ofMember', 'ofRejection', 'ofOwner'),
      member: ['ofMember', 'ofRejection'],
      owner: ['ofOwner'],
    },
    ...READ_ONLY,
    hidden: { authenticated: ['decided_by'] },
  },
  'public.app_settings': {
    select: everyone(['settings']),
    ...READ_ONLY,
    hidden: { anon: ['owner_email'], authenticated: ['owner_email'] },
  },
  'public.audit_log': { select: adminOnly('ofOwner'), ...READ_ONLY },
  'public.badges': {
    select: { ...adminOnly('ofMember', 'ofOtherMember'), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
  },
  'public.beta_feedback': { select: adminOnly('ofMember'), ...READ_ONLY },
  'public.campaign_email_collections': { select: bySubmission, ...READ_ONLY },
  'public.campaigns': { select: byCampaign, ...READ_ONLY },
  'public.email_consents': {
    select: { ...adminOnly('ofMember', 'ofOtherMember'), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
  },
  'public.entries': { select: byWallet, ...READ_ONLY },
  'public.mailing_list': {
    select: { ...adminOnly('ofMember', 'ofVisitor'), member: ['ofMember'] },
    ...READ_ONLY,
  },
  'public.member_profiles': {
    select: { ...adminOnly('ofMember', 'ofOtherMember'), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
  },
  'public.followed_projects': {
    select: { ...adminOnly(), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
  },
  'public.metrics_events': {
    select: adminOnly('ofMember'),
    ...READ_ONLY,
    insert: everyone(['event']),
  },
  'public.notification_preferences': {
    select: { ...adminOnly(), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
  },
  'public.notifications': {
    select: { ...adminOnly(), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
  },
  'public.outbox_events': { select: adminOnly('ofMember'), ...READ_ONLY },
  'public.point_holds': {
    select: { ...adminOnly('ofMember', 'ofOtherMember'), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
    hidden: {
      authenticated: ['cause_submission_id', 'check_at', 'depends_on'],
    },
  },
  'public.project_feedback': {
    select: {
      ...everyone(['onVerified']),
      otherOwner: ['onVerified', 'onRejected'],
      admin: ['onVerified', 'onRejected'],
    },
    ...READ_ONLY,
    hidden: { anon: ['user_id'], authenticated: ['user_id'] },
  },
  'public.redemptions': {
    select: {
      ...adminOnly('ofMember', 'ofOtherMember'),
      member: ['ofMember'],
      otherMember: ['ofOtherMember'],
    },
    ...READ_ONLY,
  },
  'public.referral_codes': {
    select: { ...adminOnly('ofMember', 'ofOwner'), member: ['ofMember'], owner: ['ofOwner'] },
    ...READ_ONLY,
  },
  'public.referrals': {
    select: {
      ...adminOnly('memberBroughtOther', 'ownerBroughtAdmin'),
      member: ['memberBroughtOther'],
      otherMember: ['memberBroughtOther'],
      owner: ['ownerBroughtAdmin'],
    },
    ...READ_ONLY,
  },
  'public.rewards': { select: { ...everyone(['active']), admin: ['active', 'inactive'] }, ...READ_ONLY },
  'public.saved_quests': {
    select: { ...adminOnly(), member: ['ofMember'], otherMember: ['ofOtherMember'] },
    ...READ_ONLY,
  },
  'public.startup_profiles': {
    select: {
      ...everyone(['verified']),
      member: ['verified', 'ofSuspended'],
      otherOwner: ['verified', 'rejected'],
      admin: ['verified', 'rejected', 'ofSuspended'],
    },
    ...READ_ONLY,
    hidden: {
      anon: [
        'changed_at',
        'changed_from',
        'checked_at',
        'owner_email',
        'owner_user_id',
        'review_note',
        'reviewed_by',
        'revoked_at',
      ],
      authenticated: [
        'changed_at',
        'changed_from',
        'checked_at',
        'owner_email',
        'owner_user_id',
        'review_note',
        'reviewed_by',
        'revoked_at',
      ],
    },
  },
  'public.point_purchases': {
    select: { ...adminOnly('ofOwner', 'ofOtherOwner'), owner: ['ofOwner'], otherOwner: ['ofOtherOwner'] },
    ...READ_ONLY,
  },
  'public.submission_flags': {
    select: {
      ...adminOnly('ofMember', 'ofOtherMember', 'ofDeletedQuest'),
      owner: ['ofMember'],
      otherOwner: ['ofOtherMember'],
    },
    ...READ_ONLY,
  },
  'public.submission_history': {
    select: { ...bySubmission, admin: ['ofMember', 'ofOtherMember', 'ofDeletedQuest'] },
    ...READ_ONLY,
  },
  'public.submissions': { select: bySubmission, ...READ_ONLY },
  'public.subscriptions': {
    select: { ...adminOnly('ofOwner', 'ofOtherOwner'), owner: ['ofOwner'], otherOwner: ['ofOtherOwner'] },
    ...READ_ONLY,
  },
  'public.tasks': { select: byCampaign, ...READ_ONLY },
  'public.transactions': { select: byWallet, ...READ_ONLY },
  'public.transfers': { select: byWallet, ...READ_ONLY },
  'public.user_profiles': {
    select: {
      ...adminOnly('member', 'otherMember', 'owner', 'admin', 'suspended'),
      suspended: ['suspended'],
      member: ['member'],
      otherMember: ['otherMember'],
      owner: ['owner'],
    },
    ...READ_ONLY,
  },
  'public.wallets': {
    select: {
      ...adminOnly('member', 'otherMember', 'project', 'reserve', 'otherProject'),
      member: ['member'],
      otherMember: ['otherMember'],
      owner: ['project', 'reserve'],
      otherOwner: ['otherProject'],
    },
    ...READ_ONLY,
  },
  // The platform grants the API roles everything on storage objects, so only the policies decide.
  'storage.objects': {
    select: {
      ...everyone([]),
      member: ['usedProof', 'spareProof'],
      owner: ['logo', 'shownLogo'],
      admin: ['rewardImage', 'strayImage', 'sitemap'],
      suspended: ['suspendedProof', 'suspendedLogo'],
    },
    insert: { ...everyone([]), member: ['proof'], owner: ['logo'], admin: ['rewardImage', 'strayImage', 'sitemap'] },
    update: { ...everyone([]), admin: ['sitemap'] },
    // Neither a submitted proof nor a logo in use can be removed. Suspended members can neither add nor remove files.
    delete: {
      ...everyone([]),
      member: ['spareProof'],
      owner: ['logo'],
      admin: ['rewardImage', 'strayImage', 'sitemap'],
    },
  },
};

/** Rows to try to insert where insert is granted. */
export const INSERT_CANDIDATES: Record<string, Record<string, string>> = {
  'public.metrics_events': { event: "(type, data) values ('page_view', '{}')" },
  'storage.objects': {
    proof: `(bucket_id, name, metadata) values ('proofs', 'access_member/new.png', '{"mimetype": "image/gif"}')`,
    logo: `(bucket_id, name, metadata) values ('project-logos', 'access_owner/new.png', '{"mimetype": "image/png"}')`,
    // A proof whose file is gone must not get another under its name, and nobody may sign an upload for later.
    submittedProof: `(bucket_id, name, metadata) values ('proofs', 'access_member/used.png', '{"mimetype": "image/png"}')`,
    signedProof: `(bucket_id, name, metadata) select 'proofs', 'access_member/later.png', '{"mimetype": "image/png"}'
      from set_config('storage.operation', 'storage.object.sign_upload_url', true)`,
    // Copies whose type the caller chose: the platform does not compare it with the bucket's list.
    proofAsPage: `(bucket_id, name, metadata) values ('proofs', 'access_member/new.png', '{"mimetype": "text/html"}')`,
    logoAsPage: `(bucket_id, name, metadata) values ('project-logos', 'access_owner/new.png', '{"mimetype": "image/svg+xml"}')`,
    suspendedProof: "(bucket_id, name) values ('proofs', 'access_suspended/new.png')",
    suspendedLogo: "(bucket_id, name) values ('project-logos', 'access_suspended/new.png')",
    rewardImage: "(bucket_id, name) values ('reward-images', 'new.png')",
    strayImage: "(bucket_id, name) values ('reward-images', 'access_member/new.png')",
    sitemap: "(bucket_id, name) values ('site', 'new.xml')",
    preview: "(bucket_id, name) values ('previews', 'quest/1/new.png')",
  },
};

/**
 * What to set where update is granted, by the suffix of the label in the matrix. No expression reads a column. Moving a
 * file to another bucket would escape that bucket's policies.
 */
export const BLIND_UPDATES: Record<string, Record<string, string>> = {
  'storage.objects': { '': "version = 'mutant'", ' moved': "bucket_id = 'project-logos'" },
};
