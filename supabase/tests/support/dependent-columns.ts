/** An SQL expression for a text of this length. */
export const text = (length: number) => `repeat('x', ${length})`;

const now = 'now()';
const id = 'gen_random_uuid()';
const held = {
  status: "'draft'",
  held_at: now,
  held_by: "'a'",
  hold_reason: text(1000),
  hold_cause: "'moderation'",
  status_before_hold: "'published'",
};
const ofNobody = { owner_user_id: "'a'", user_id: 'null', startup_id: 'null', campaign_id: 'null' };
const ofMember = { ...ofNobody, kind: "'user'", user_id: "'a'" };
const ofProject = { ...ofNobody, kind: "'startup'", startup_id: id };
const ofQuest = { ...ofNobody, kind: "'reserve'", campaign_id: id };
const points = Object.fromEntries(
  ['points', 'held_points', 'trial_points', 'lifetime_points', 'leaderboard_points', 'cash_cents'].map((name) => [
    name,
    '5',
  ]),
);
const dismissed = { dismissed_at: now, dismissed_by: "'a'", dismissal_reason: text(1000) };

/** Values, each an SQL expression, that a row of the table takes together, and others that it refuses. */
export const DEPENDENT: [table: string, taken: Record<string, string>, refused: Record<string, string>][] = [
  ['public.transfers', { points: '5', trial_points: '5' }, { points: '5', trial_points: '6' }],
  ['public.transfers', { points: '5', trial_points: '1' }, { points: '5', trial_points: '0' }],
  [
    'public.referrals',
    { referrer_user_id: "'a'", referred_user_id: "'b'" },
    { referrer_user_id: "'a'", referred_user_id: "'a'" },
  ],
  ['public.referrals', { status: "'completed'", completed_at: now }, { status: "'completed'", completed_at: 'null' }],
  ['public.referrals', { status: "'pending'", completed_at: 'null' }, { status: "'pending'", completed_at: now }],
  ['public.campaigns', { starts_at: now, ends_at: "now() + interval '1 second'" }, { starts_at: now, ends_at: now }],
  ['public.campaigns', { participant_count: '0' }, { participant_count: '-1' }],
  ['public.campaigns', { submission_count: '0' }, { submission_count: '-1' }],
  ['public.campaigns', { pending_count: '0' }, { pending_count: '-1' }],
  ['public.campaigns', { approved_count: '0' }, { approved_count: '-1' }],
  ['public.campaigns', { points_distributed: '0' }, { points_distributed: '-1' }],
  ['public.campaigns', { status: "'published'", published_at: now }, { status: "'published'", published_at: 'null' }],
  [
    'public.tasks',
    { max_completions: '3', approved_count: '1', pending_count: '2' },
    { max_completions: '3', approved_count: '2', pending_count: '2' },
  ],
  ['public.tasks', { approved_count: '0' }, { approved_count: '-1' }],
  ['public.tasks', { pending_count: '0' }, { pending_count: '-1' }],
  ['public.tasks', { pending_points: '0' }, { pending_points: '-1' }],
  ['public.submissions', { proof_url: 'null', proof_text: "'x'" }, { proof_url: 'null', proof_text: 'null' }],
  [
    'public.submissions',
    { proof_url: "'x'", proof_text: 'null' },
    { status: "'pending'", rejection_reason: "'other'" },
  ],
  ['public.rewards', { delivery: "'code'", stock_quantity: '0' }, { delivery: "'code'", stock_quantity: 'null' }],
  ['public.startup_profiles', { former_name: "'Old'", renamed_at: now }, { former_name: "'Old'", renamed_at: 'null' }],
  ['public.startup_profiles', { status: "'rejected'", revoked_at: now }, { status: "'verified'", revoked_at: now }],
  [
    'public.appeals',
    { status: "'open'", decided_at: 'null', decided_by: 'null', decision_note: 'null' },
    { status: "'open'", decided_at: now, decided_by: "'a'", decision_note: "'x'" },
  ],
  [
    'public.appeals',
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: "'x'" },
    { status: "'upheld'", decided_at: now, decided_by: 'null', decision_note: "'x'" },
  ],
  [
    'public.appeals',
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: text(1000) },
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: 'null' },
  ],
  [
    'public.appeals',
    { words: "'x'" },
    { status: "'upheld'", decided_at: now, decided_by: "'a'", decision_note: text(1001) },
  ],
  ...['held_at', 'held_by', 'hold_reason', 'hold_cause', 'status_before_hold'].map(
    (column): (typeof DEPENDENT)[number] => ['public.campaigns', held, { ...held, [column]: 'null' }],
  ),
  ['public.campaigns', held, { ...held, hold_reason: text(1001) }],
  ['public.campaigns', held, { ...held, status: "'published'", published_at: now }],
  ['public.campaigns', { kept_count: '0' }, { kept_count: '-1' }],
  ['public.tasks', { kept_count: '0' }, { kept_count: '-1' }],
  ['public.tasks', { kept_points: '0' }, { kept_points: '-1' }],
  [
    'public.tasks',
    { max_completions: '3', approved_count: '1', pending_count: '1', kept_count: '1' },
    { max_completions: '3', approved_count: '1', pending_count: '1', kept_count: '2' },
  ],
  ...['code', 'call', 'check'].map((how): (typeof DEPENDENT)[number] => [
    'public.tasks',
    { verification: `'${how}'`, requires_proof: 'false' },
    { verification: `'${how}'`, requires_proof: 'true' },
  ]),
  ...['review', 'automatic'].map((how): (typeof DEPENDENT)[number] => [
    'public.tasks',
    { verification: `'${how}'`, requires_proof: 'true' },
    { verification: "'code'", requires_proof: 'true' },
  ]),
  [
    'public.submissions',
    { status: "'rejected'", kept_until: now, is_slot_reopened: 'true' },
    { status: "'approved'", kept_until: now },
  ],
  ['public.submissions', { kept_until: 'null' }, { kept_until: 'null', is_slot_reopened: 'true' }],
  ['public.submissions', { status: "'rejected'", appealed_at: now }, { status: "'pending'", appealed_at: now }],
  ...['points', 'held_points', 'trial_points', 'lifetime_points', 'leaderboard_points', 'cash_cents'].map(
    (column): (typeof DEPENDENT)[number] => [
      'public.wallets',
      { ...points, held_points: '0', trial_points: '0', [column]: '0' },
      { ...points, held_points: '0', trial_points: '0', [column]: '-1' },
    ],
  ),
  ['public.wallets', points, { ...points, held_points: '6' }],
  ['public.wallets', points, { ...points, trial_points: '6' }],
  ['public.wallets', ofMember, { ...ofMember, user_id: 'null' }],
  ['public.wallets', ofMember, { ...ofMember, startup_id: id }],
  ['public.wallets', ofMember, { ...ofMember, campaign_id: id }],
  ['public.wallets', ofProject, { ...ofProject, user_id: "'a'" }],
  ['public.wallets', ofProject, { ...ofProject, campaign_id: id }],
  ['public.wallets', ofQuest, { ...ofQuest, campaign_id: 'null' }],
  ['public.wallets', ofQuest, { ...ofQuest, startup_id: id }],
  ...['issuance', 'redemption'].map((account): (typeof DEPENDENT)[number] => [
    'public.entries',
    { wallet_id: 'null', system_account: `'${account}'` },
    { wallet_id: 'null', system_account: "'other'" },
  ]),
  ['public.entries', { wallet_id: id, system_account: 'null' }, { wallet_id: id, system_account: "'issuance'" }],
  ['public.entries', { wallet_id: id, system_account: 'null' }, { wallet_id: 'null', system_account: 'null' }],
  ...['task_approved', 'project_checked', 'project_paid', 'time_passed'].map((reason): (typeof DEPENDENT)[number] => [
    'public.point_holds',
    { released_at: now, release_reason: `'${reason}'` },
    { released_at: now, release_reason: "'other'" },
  ]),
  ['public.point_holds', { reversed_at: now }, { released_at: now }],
  ['public.point_holds', { reversed_at: now }, { reversed_at: now, released_at: now, release_reason: "'time_passed'" }],
  ...['held', 'hold_lifted'].map((decision): (typeof DEPENDENT)[number] => [
    'private.project_decisions',
    { decision: `'${decision}'`, campaign_id: id },
    { decision: `'${decision}'`, campaign_id: 'null' },
  ]),
  ['private.project_decisions', { decision: "'revoked'" }, { decision: "'revoked'", campaign_id: id }],
  ['public.startup_profiles', { changed_at: now, changed_from: "'{}'" }, { changed_at: now, changed_from: 'null' }],
  [
    'public.point_purchases',
    { status: "'refunded'", written_off_at: now },
    { status: "'paid'", credited_points: 'points', written_off_at: now },
  ],
  [
    'public.point_purchases',
    { status: "'paid'", credited_points: 'points' },
    { status: "'paid'", credited_points: 'points - 1' },
  ],
  [
    'public.point_purchases',
    { status: "'disputed'", credited_points: 'points' },
    { status: "'disputed'", credited_points: 'points + 1' },
  ],
  [
    'public.point_purchases',
    { status: "'disputed'", credited_points: '0' },
    { status: "'disputed'", credited_points: '-1' },
  ],
  [
    'private.completion_codes',
    { is_shared: 'false', submission_id: id, used_at: now },
    { is_shared: 'true', submission_id: id, used_at: now },
  ],
  ['private.completion_codes', { is_shared: 'true' }, { submission_id: id }],
  ['private.completion_codes', { is_shared: 'true' }, { used_at: now }],
  ['public.submission_flags', dismissed, { ...dismissed, dismissal_reason: text(1001) }],
  ['public.submission_flags', dismissed, { ...dismissed, dismissal_reason: 'null' }],
  ['public.submission_flags', dismissed, { ...dismissed, dismissed_by: 'null' }],
  ['private.verification_calls', { kind: "'check'", call_id: 'null' }, { kind: "'other'", call_id: 'null' }],
  ['private.verification_calls', { kind: "'call'", call_id: "'x'" }, { kind: "'call'", call_id: 'null' }],
  ['private.verification_calls', { kind: "'check'", call_id: 'null' }, { kind: "'check'", call_id: "'x'" }],
  ['private.reward_codes', { redemption_id: id, shown_at: now }, { redemption_id: 'null', shown_at: now }],
  ['public.appeals', { kind: "'rejection'", submission_id: id }, { kind: "'rejection'", submission_id: 'null' }],
  ['public.appeals', { kind: "'suspension'", submission_id: 'null' }, { kind: "'suspension'", submission_id: id }],
];
