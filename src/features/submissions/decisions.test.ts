import { outcomeUnknownSentence } from '@/lib/send-once';
import { approval, failureText, formatDecision, type Outcome, rejection } from './decisions';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);
const outcome = (done: number, ...reasons: string[]): Outcome => ({
  reviewed: ids(done).map((id) => ({ id }) as Outcome['reviewed'][number]),
  failures: new Map(reasons.map((reason, index) => [`f${index}`, reason])),
});

it('SUBM-09 an approval has its note, a rejection its reason and note', () => {
  expect(approval).toEqual({ decision: 'approve', note: 'Approved by project owner' });
  expect(rejection({ reason: 'incomplete', note: 'x' })).toEqual({
    decision: 'reject',
    reason: 'incomplete',
    note: 'x',
  });
});

it('says how many received which decision', () => {
  expect(formatDecision({ ...approval, ids: ids(1) })).toBe('1 submission approved');
  expect(formatDecision({ ...rejection({ reason: 'other', note: 'x' }), ids: ids(1200) })).toBe(
    '1,200 submissions rejected',
  );
});

it('names the failed decisions, each reason once', () => {
  expect(failureText({ ...approval, ids: ids(1) }, outcome(0, 'Suspended'))).toBe(
    'Failed to review submission: Suspended',
  );
  expect(failureText({ ...approval, ids: ids(4) }, outcome(1, 'Taken', 'Gone', 'Taken'))).toBe(
    '1 approved, 3 failed: Taken Gone',
  );
});

it('C-99 a review with an unknown outcome is not said to have failed', () => {
  expect(failureText({ ...approval, ids: ids(1) }, outcome(0, outcomeUnknownSentence))).toBe(outcomeUnknownSentence);
  expect(failureText({ ...approval, ids: ids(3) }, outcome(1, outcomeUnknownSentence, outcomeUnknownSentence))).toBe(
    `1 approved, 2 unknown: ${outcomeUnknownSentence}`,
  );
});
