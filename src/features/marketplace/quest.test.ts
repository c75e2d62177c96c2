import { aboutText, leadText, nextStep, participationByDay } from './quest';

const task = (id: string, taken = 0) => ({
  id,
  max_completions: 5,
  approved_count: taken,
  pending_count: 0,
  kept_count: 0,
});
const sent = (task_id: string, status: 'pending' | 'approved' | 'rejected') => ({
  task_id,
  status,
  kept_until: null as string | null,
  is_slot_reopened: false,
  appealed_at: null as string | null,
});
const tasks = [task('a'), task('b')];
const untimed = { starts_at: null, ends_at: null };
const published = { status: 'published', ...untimed } as const;
const closed = { status: 'closed', ...untimed } as const;
const paused = { status: 'draft', ...untimed } as const;
const upcoming = { ...published, starts_at: '2999-01-01T00:00:00Z' };
const ended = { ...published, ends_at: '2001-01-01T00:00:00Z' };
const step = (change: Partial<Parameters<typeof nextStep>[0]>) =>
  nextStep({ quest: published, tasks, viewer: 'participant', submissions: [], counts: {}, ...change });

it.each([
  ['a visitor joins', { viewer: 'visitor' }, { kind: 'join' }],
  ['a visitor of a closed quest does nothing', { viewer: 'visitor', quest: closed }, { kind: 'closed' }],
  ['an owner does nothing', { viewer: 'owner' }, { kind: 'none' }],
  ['C-39 without tasks nothing is done or left to do', { tasks: [] }, { kind: 'none' }],
  ['a member proves the first task', {}, { kind: 'prove', taskId: 'a' }],
  [
    'BEY-23 a rejected proof is resubmitted into its kept slot, even when the task is full',
    { tasks: [task('a', 5)], submissions: [{ ...sent('a', 'rejected'), kept_until: '2026-01-09T00:00:00Z' }] },
    { kind: 'retry', taskId: 'a' },
  ],
  [
    'BEY-23 while an appeal is open nothing is resubmitted',
    {
      tasks: [task('a')],
      submissions: [
        { ...sent('a', 'rejected'), kept_until: '2026-01-09T00:00:00Z', appealed_at: '2026-01-02T00:00:00Z' },
      ],
    },
    { kind: 'appealed' },
  ],
  [
    'BEY-23 with another proof in review, it is that one that is waited for',
    {
      submissions: [
        { ...sent('a', 'rejected'), kept_until: '2026-01-09T00:00:00Z', appealed_at: '2026-01-02T00:00:00Z' },
        sent('b', 'pending'),
      ],
    },
    { kind: 'waiting' },
  ],
  ['a full task is left out', { tasks: [task('a', 5), task('b')] }, { kind: 'prove', taskId: 'b' }],
  [
    "fresh counts take precedence over the task's own",
    { counts: { a: { approved_count: 4, pending_count: 1, kept_count: 0 } } },
    { kind: 'prove', taskId: 'b' },
  ],
  [
    'with one task completed the quest continues',
    { submissions: [sent('a', 'approved')] },
    { kind: 'continue', taskId: 'b' },
  ],
  ['with one in review they prove the other', { submissions: [sent('a', 'pending')] }, { kind: 'prove', taskId: 'b' }],
  ['a rejected proof takes precedence', { submissions: [sent('b', 'rejected')] }, { kind: 'retry', taskId: 'b' }],
  [
    'also over a completed one',
    { submissions: [sent('a', 'approved'), sent('b', 'rejected')] },
    { kind: 'retry', taskId: 'b' },
  ],
  [
    'C-39 with one approved and the other in review the member waits',
    { submissions: [sent('a', 'pending'), sent('b', 'approved')] },
    { kind: 'waiting' },
  ],
  [
    'C-39 with all approved the quest is complete',
    { submissions: [sent('a', 'approved'), sent('b', 'approved')] },
    { kind: 'complete' },
  ],
  ['without free slots it is full', { tasks: [task('a', 5), task('b', 5)] }, { kind: 'full' }],
  [
    'a rejected proof of a full task cannot be resubmitted',
    { tasks: [task('a', 5)], submissions: [sent('a', 'rejected')] },
    { kind: 'full' },
  ],
  ['BEY-07 before its start a member can only wait for it', { quest: upcoming }, { kind: 'upcoming' }],
  ['BEY-07 a visitor can join before it starts', { viewer: 'visitor', quest: upcoming }, { kind: 'join' }],
  ['BEY-07 after its end a quest accepts nothing', { quest: ended }, { kind: 'ended' }],
  ['BEY-07 after its end visitors are not asked to join', { viewer: 'visitor', quest: ended }, { kind: 'ended' }],
  [
    'BEY-07 a proof sent in time is still reviewed',
    { quest: ended, submissions: [sent('a', 'pending')] },
    { kind: 'waiting' },
  ],
  ['BEY-07 a paused quest accepts nothing for now', { quest: paused }, { kind: 'paused' }],
  ['a closed quest accepts nothing', { quest: closed }, { kind: 'closed' }],
  [
    'a closed quest still reviews pending proofs',
    { quest: closed, submissions: [sent('a', 'pending')] },
    { kind: 'waiting' },
  ],
] as const)('C-72 %s', (_case, change, expected) => {
  expect(step(change as Parameters<typeof step>[0])).toEqual(expected);
});

const texts = (summary: string, details_md: string, ...instructions: string[]) => ({
  quest: { summary, details_md },
  tasks: instructions.map((instructions_md) => ({ instructions_md })),
});

it('C-71 a sentence repeated in a task is shown once, at the task', () => {
  const made = texts('Try it…', 'Try it out.\n\nTell us all.', 'Try it out.\n\nTell us all.\n\nhttps://example.com');
  expect([aboutText(made), leadText(made)]).toEqual(['', '']);
});

it('text that only the quest contains is shown', () => {
  const own = texts('A short walk.', 'We plan lanes.', '1. Walk. 2. Write.');
  expect([aboutText(own), leadText(own)]).toEqual(['We plan lanes.', 'A short walk.']);
});

it('details that repeat the summary are shown once, as the summary', () => {
  const twice = texts('A short walk.', 'A short  walk.', 'Go.');
  expect([aboutText(twice), leadText(twice)]).toEqual(['', 'A short walk.']);
});

it('gives each of the last days its submissions, including days without any', () => {
  const counted = [
    { day: '2025-12-01', submissions: 4 },
    { day: '2026-01-01', submissions: 1 },
    { day: '2026-01-03', submissions: 2 },
  ];
  expect(participationByDay(counted, 3, new Date('2026-01-03T10:00:00Z'))).toEqual([
    { day: '2026-01-01', count: 1 },
    { day: '2026-01-02', count: 0 },
    { day: '2026-01-03', count: 2 },
  ]);
});
