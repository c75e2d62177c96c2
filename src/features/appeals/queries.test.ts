// @vitest-environment jsdom
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { runMutation } from '@/lib/testing/run-mutation';
import { useSubmitAppeal } from './mutations';
import { appealQueries } from './queries';

const at = '2026-02-01T00:00:00+00:00';
const row = (overrides: object) => ({
  id: 'a1',
  kind: 'rejection',
  words: 'Look again',
  status: 'open',
  decision_note: null,
  created_at: at,
  due_at: at,
  user_id: 'user_test',
  against_at: at,
  submission_id: 's1',
  ...overrides,
});

const decision = { userId: 'user_test', kind: 'rejection', at, submissionId: 's1' } as const;

it("BEY-04 BEY-23 a decision shows this person's appeal against exactly this decision", async () => {
  const others = [
    row({ id: 'hers', user_id: 'user_other' }),
    row({ id: 'earlier', against_at: '2026-01-01T00:00:00+00:00' }),
    row({ id: 'of-another-proof', submission_id: 's2' }),
    row({ id: 'against-suspension', kind: 'suspension' }),
  ];
  const api = fakeApi({ 'GET appeals': [...others, row({})] });
  expect(await fetchQuery(appealQueries.against(decision))).toMatchObject({ id: 'a1', words: 'Look again' });
  expect(api.calls[0]?.params.get('select')).toBe('id,kind,words,status,decision_note,created_at,due_at');
  const suspension = { userId: 'user_test', kind: 'suspension', at } as const;
  expect(await fetchQuery(appealQueries.against(suspension))).toMatchObject({ id: 'against-suspension' });
  api.routes['GET appeals'] = others;
  expect(await fetchQuery(appealQueries.against(decision))).toBeNull();
});

it("BEY-23 an appeal is sent in the member's words, and everything that it affects is refetched", async () => {
  const api = fakeApi({ 'rpc submit_appeal': { id: 'a1' } });
  const { error, stale } = await runMutation(useSubmitAppeal, {
    decision,
    words: 'Look again',
  });
  expect(error).toBeNull();
  expect(api.calls.map(({ body }) => body)).toEqual([
    { p_kind: 'rejection', p_words: 'Look again', p_submission_id: 's1' },
  ]);
  expect(api.calls[0]?.params.get('select')).toBe('id');
  expect(stale).toEqual(expect.arrayContaining([['appeals'], ['submissions']]));
});

it('C-99 an appeal whose answer was lost is the one against exactly this decision', async () => {
  fakeApi({ 'rpc submit_appeal': offline(), 'GET appeals': [row({})] });
  const onChecking = vi.fn();
  const { error } = await runMutation(useSubmitAppeal, { decision, words: 'Look again', onChecking });
  expect(error).toBeNull();
  expect(onChecking).toHaveBeenCalledOnce();
});
