import { changesOf, formatAction, subjectChoices, subjectLabel, subjectPath } from './audit-format';

const schemas = Object.values(
  import.meta.glob<string>('../../../../supabase/schemas/*.sql', { query: '?raw', import: 'default', eager: true }),
).join('\n');
/** Actions and subjects that occur as literals in the schema; concatenated ones are listed below. */
const written = [
  ...schemas.matchAll(
    /'((?:admin|appeal|campaign|export|flag|outbox|payment|reward|settings|site_stats|startup|submission|transfer|user|wallet)\.[a-z_]+)'/g,
  ),
].map(([, action = '']) => action);
const composed = [
  'appeal.uphold',
  'appeal.overturn',
  'export.feedback',
  'feedback.new',
  'feedback.reviewed',
  'feedback.resolved',
  'mailing_list.activate',
  'mailing_list.deactivate',
  'payment.activate',
  'payment.end',
  'payment.purchase',
  'payment.reinstate',
  'redemption.cancelled',
  'redemption.fulfilled',
  'startup.rejected',
  'startup.verified',
  'submission.approve',
  'submission.reject',
];

const entry = {
  subject_type: 'campaign',
  subject_id: '0192aa77-1111-7000-8000-000000000000',
  subject_name: 'Fly a kite',
  subject_user_id: null,
  subject_username: null,
};

describe('BEY-04 an audit log entry', () => {
  it('describes every action that the schema writes', () => {
    expect(written.length).toBeGreaterThan(25);
    const unworded = [...new Set([...written, ...composed])].filter((action) => {
      const raw = action.replaceAll(/[._]/g, ' ');
      return formatAction(action).toLowerCase() === raw;
    });
    expect(unworded).toEqual([]);
    expect(formatAction('campaign.take_down')).toBe('Took down a quest');
    expect(formatAction('export.mailing_list')).toBe('Exported mailing list');
  });

  it('has a filter for every kind of subject that the schema writes', () => {
    const types = new Set(
      [...schemas.matchAll(/private\.audit\([^;]*?, '([a-z_]+)',\s*[a-z_.]+(?:::text|->|,|\))/g)].map(
        ([, type = '']) => type,
      ),
    );
    expect(types.size).toBeGreaterThan(5);
    expect([...types].filter((type) => !subjectChoices.some(([known]) => known === type))).toEqual([]);
  });

  it('links to its subject', () => {
    expect(subjectPath(entry)).toBe('/admin?tab=quests&q=Fly+a+kite');
    expect(subjectPath({ ...entry, subject_type: 'startup' })).toBe(`/admin?tab=projects&project=${entry.subject_id}`);
    const redemption = { ...entry, subject_type: 'redemption', subject_user_id: 'user_kim', subject_username: 'kim' };
    expect(subjectPath(redemption)).toBe('/admin?tab=redemptions&q=kim');
    expect(subjectPath({ ...redemption, subject_type: 'payment' })).toBe('/admin?tab=people&person=user_kim');
    expect(subjectPath({ ...entry, subject_type: 'submission' })).toBeNull();
  });

  it.each([
    ['submission', '/admin?tab=submissions&q=kim'],
    ['redemption', '/admin?tab=redemptions&q=kim'],
    ['user', '/admin?tab=people&person=user_kim'],
    ['wallet', '/admin?tab=people&person=user_kim'],
    ['transfer', '/admin?tab=people&person=user_kim'],
    ['reward', '/admin?tab=rewards'],
    ['appeal', '/admin?tab=appeals&status=all'],
    ['beta_feedback', '/admin?tab=feedback'],
    ['mailing_list', '/admin?tab=mailing-list&q=Fly+a+kite'],
    ['app_settings', '/admin?tab=settings'],
    ['outbox_event', '/admin?tab=mail'],
    ['export', null],
  ])('about a %s links to %s', (subject_type, path) => {
    expect(subjectPath({ ...entry, subject_type, subject_user_id: 'user_kim', subject_username: 'kim' })).toBe(path);
  });

  it('falls back to the raw names of unknown kinds and actions', () => {
    expect([subjectLabel('campaign'), subjectLabel('new_kind')]).toEqual(['Quest', 'new_kind']);
    expect(formatAction('reward.gift_wrap')).toBe('Reward gift wrap');
    expect(formatAction('export.beta_feedback')).toBe('Exported beta feedback');
  });

  it('formats times, texts and other values, labelled by field, without id and timestamps', () => {
    const now = {
      user_id: 'user_kim',
      rank: 3,
      kind: 'welcome_bonus',
      data: { a: 1 },
      failed_at: '2026-05-01T09:00:00Z',
    };
    const changes = changesOf({ id: 1, updated_at: 'x' }, { id: 2, updated_at: 'y', ...now });
    expect(changes.map(({ field, after }) => [field, after])).toEqual([
      ['Data', '{"a":1}'],
      ['Failed', expect.stringContaining('May 1, 2026')],
      ['Kind', 'welcome bonus'],
      ['Rank', '3'],
      ['Person', 'user_kim'],
    ]);
    expect(changesOf([1], 'x')).toEqual([]);
  });

  it('uses readable names for fields and values, and shows only what changed', () => {
    expect(changesOf({ beta_mode: true, og_slots: 100 }, { beta_mode: false, og_slots: 100 })).toEqual([
      { field: 'Beta mode', before: 'yes', after: 'no' },
    ]);
    expect(changesOf({ status: null, amount_cents: null }, { status: 'active', amount_cents: 9900 })).toEqual([
      { field: 'Amount', before: '—', after: '$99' },
      { field: 'Status', before: '—', after: 'active' },
    ]);
    const task = { id: '1', title: 'Sign up', reward_points: 50, max_completions: 10 };
    expect(changesOf({ tasks: [task] }, { tasks: [{ ...task, reward_points: 40 }] })).toEqual([
      { field: 'Tasks', before: '1 task: Sign up (50 × 10)', after: '1 task: Sign up (40 × 10)' },
    ]);
    const asked = (instructions_md: string) => ({ instructions: [{ title: 'Sign up', instructions_md }] });
    expect(changesOf(asked('Open an account'), asked('Pay for an account'))).toEqual([
      { field: 'Instructions', before: 'Sign up: Open an account', after: 'Sign up: Pay for an account' },
    ]);
  });

  it('leaves what somebody has typed as it is, and so shows a change of a single character', () => {
    const before = { website: 'https://kite.example/my_app', title: 'Try my_app' };
    const after = { website: 'https://kite.example/my app', title: 'Try my app' };
    expect(changesOf(before, after)).toEqual([
      { field: 'Title', before: before.title, after: after.title },
      { field: 'Website', before: before.website, after: after.website },
    ]);
  });

  it('leaves a typed text that looks like a code as it is, by its field', () => {
    const shown = (after: Record<string, string>) => changesOf({}, after).map((change) => change.after);
    expect(shown({ title: 'try_my_app' })).toEqual(['try_my_app']);
    expect(shown({ name: 'paper_kite', reason: 'spam_links', suspended_at: 'now' })).toContain('spam_links');
    expect(shown({ flag: 'same_link', reason: 'does_not_match' })).toEqual(['same link', 'does not match']);
  });

  it('separates thousands, and keeps decimals', () => {
    expect(changesOf({ points: 1250, share: 0.25 }, { points: 12_500, share: 0.5 })).toEqual([
      { field: 'Points', before: '1,250', after: '12,500' },
      { field: 'Share', before: '0.25', after: '0.5' },
    ]);
    const task = { title: 'Sign up', reward_points: 1000, max_completions: 2000 };
    expect(changesOf({}, { tasks: [task] })[0]?.after).toBe('1 task: Sign up (1,000 × 2,000)');
  });

  it('shows added and removed values', () => {
    expect(changesOf(null, { rows: 3 })).toEqual([{ field: 'Rows', before: '—', after: '3' }]);
    expect(changesOf({}, { changed: ['website', 'description'] })).toEqual([
      { field: 'Changed', before: '—', after: 'website, description' },
    ]);
    expect(changesOf({ reason: 'spam' }, null)).toEqual([{ field: 'Reason', before: 'spam', after: '—' }]);
  });
});
