import { formatDateTime } from '@/lib/format';
import {
  promisedHours,
  questPhase,
  remainingSlots,
  scheduleText,
  suggestionText,
  takesProofs,
  timeNeeded,
} from './quest';

describe('remainingSlots', () => {
  it('QUEST-07 is what completed and pending submissions leave, never below zero', () => {
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 0, kept_count: 0 })).toBe(15);
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 2, kept_count: 0 })).toBe(13);
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 2, kept_count: 1 })).toBe(12);
    expect(remainingSlots({ max_completions: 3, approved_count: 5, pending_count: 0, kept_count: 0 })).toBe(0);
  });
});

const now = Date.parse('2026-05-01T12:00:00Z');
const hours = (count: number) => new Date(now + count * 3_600_000).toISOString();
const quest = (
  starts_at: string | null,
  ends_at: string | null,
  status: 'draft' | 'published' | 'closed' = 'published',
) => ({
  status,
  starts_at,
  ends_at,
});

test.each([
  [quest(null, null), 'open', null],
  [quest(hours(72), null), 'upcoming', 'Starts in 3 days'],
  [quest(hours(5), hours(9)), 'upcoming', 'Starts in 5 hours'],
  [quest(hours(0.01), null), 'upcoming', 'Starts in a moment'],
  [quest(hours(-1), hours(24)), 'open', 'Ends tomorrow'],
  [quest(null, hours(0)), 'ended', `Ended on ${formatDateTime(hours(0))}`],
  [quest(hours(-9), hours(-5), 'closed'), 'ended', `Ended on ${formatDateTime(hours(-5))}`],
  [quest(null, hours(5), 'closed'), 'open', null],
  [quest(null, hours(-5), 'draft'), 'ended', null],
] as const)('BEY-07 %j is %s and says %j', (given, phase, text) => {
  expect(questPhase(given, now)).toBe(phase);
  expect(scheduleText(given, now)).toBe(text);
});

test('BEY-07 proofs are accepted from the start to the end of a published quest', () => {
  expect(takesProofs(quest(hours(0), hours(1)), now)).toBe(true);
  expect(takesProofs(quest(hours(0), hours(1), 'draft'), now)).toBe(false);
  expect(takesProofs(quest(hours(1), null), now)).toBe(false);
  expect(takesProofs(quest(null, hours(0)), now)).toBe(false);
});

it.each([
  ['saved', null, 'Because you saved it'],
  ['topic', 'design', 'Because you like design quests'],
  ['interest', 'Fintech', 'Because you like Fintech quests'],
  ['industry', 'Gaming', 'Because you like Gaming quests'],
  ['followed', 'Paperkite', 'Because you follow Paperkite'],
  ['new_project', 'Paperkite', 'Because Paperkite is new here'],
  ['new', null, null],
  ['a reason from a later version', 'x', null],
])('BEY-18 the reason %s about %s is worded as %s', (reason, reason_subject, sentence) => {
  expect(suggestionText({ reason, reason_subject })).toBe(sentence);
});

it('BEY-18 the time needed is shown where it was measured', () => {
  expect(timeNeeded({ median_minutes: 5 })).toBe('about 5 minutes');
  expect([null, undefined, 0].map((median_minutes) => timeNeeded({ median_minutes }))).toEqual([null, null, null]);
});

it.each<[string, Parameters<typeof promisedHours>[0], boolean, number | null]>([
  ['waits for a reviewer', [{ verification: 'automatic' }, { verification: 'review' }], false, 72],
  ['needs a proof', [{ verification: 'automatic', requires_proof: true }], false, 72],
  [
    'is verified by itself',
    [{ verification: 'automatic', requires_proof: false }, { verification: 'code' }],
    false,
    null,
  ],
  ['is in the beta', [{ verification: 'review', requires_proof: true }], true, null],
])('C-06 BEY-13 BEY-22 what is promised for a quest that %s', (_what, tasks, isBeta, hours) => {
  expect(promisedHours(tasks, 72, isBeta)).toBe(hours);
});
