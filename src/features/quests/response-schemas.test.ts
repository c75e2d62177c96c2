import { toMyQuest } from './response-schemas';
import { myQuest } from './testing/samples';

const sample = myQuest({ state: 'rejected' });
const [proof] = sample.submissions;
const rowWith = (changes: object) => ({ ...sample, cursor: 'next', submissions: [{ ...proof, ...changes }] });

it('parses a quest with its proofs, whatever the decision', () => {
  expect(toMyQuest(rowWith({}))).toEqual({ ...sample, cursor: 'next' });
  for (const status of ['pending', 'approved', 'rejected']) {
    expect(toMyQuest(rowWith({ status })).submissions[0]?.status).toBe(status);
  }
  for (const reason of ['does_not_match', 'cannot_open', 'not_own', 'incomplete', 'duplicate', 'other', null]) {
    expect(toMyQuest(rowWith({ rejection_reason: reason })).submissions[0]?.rejection_reason).toBe(reason);
  }
});

it('fails on values that this version of the app does not know', () => {
  for (const changes of [
    { status: 'withdrawn' },
    { rejection_reason: 'late' },
    { reward_points: '25' },
    { id: undefined },
  ]) {
    expect(() => toMyQuest(rowWith(changes)), JSON.stringify(changes)).toThrow();
  }
  expect(() => toMyQuest({ ...rowWith({}), submissions: null })).toThrow();
  expect(() => toMyQuest({ ...rowWith({}), state: 'paused' })).toThrow('unknown quest state paused');
});
