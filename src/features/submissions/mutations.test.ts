// @vitest-environment jsdom

import { unsentMessage } from '@/lib/errors';
import { createQueryClient } from '@/lib/query-client';
import { outcomeUnknownSentence } from '@/lib/send-once';
import { type ApiCall, fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { idsOf } from '@/lib/testing/fetch-query';
import { questId, submissionRow } from '@/lib/testing/quest-rows';
import { runMutation } from '@/lib/testing/run-mutation';
import {
  deleteScreenshot,
  sendReview,
  useCheckTask,
  useQuickVerify,
  useStartTask,
  useSubmitCode,
  useSubmitProof,
  useWithdrawConsent,
} from './mutations';
import { type Submission, submissionQueries } from './queries';
import { reviewedRow, reviewServer } from './testing/review-server';

const mine = submissionQueries.mine('user_test', questId).queryKey;
/** Every query that a submission makes stale, including the leaderboard. */
const all = expect.arrayContaining([['submissions'], ['quests'], ['wallets'], ['rewards', 'leaderboard']]);
const other = submissionRow({ id: 's2', task_id: 't2' });

/** A cache with the member's list of the quest's page. */
function withList(...rows: Submission[]) {
  const queryClient = createQueryClient();
  queryClient.setQueryData(mine, rows);
  return queryClient;
}

describe('a proof', () => {
  it.each([
    [{ url: 'https://example.org', text: '', email: '' }, { p_url: 'https://example.org' }],
    [
      { text: 'Done', email: 'a@example.org', consent: 'I agree.' },
      { p_text: 'Done', p_email: 'a@example.org', p_consent: 'I agree.' },
    ],
  ])('QUEST-18 of %j is sent unchanged, then everything it affects is refetched', async (proof, sent) => {
    const api = fakeApi({ 'rpc submit_proof': submissionRow() });
    const queryClient = withList(submissionRow({ proof_text: 'An earlier one' }), other);
    const { data, stale } = await runMutation(
      useSubmitProof,
      { taskId: 't1', proof, userId: 'user_test' },
      queryClient,
    );
    expect(data).toEqual({ submission: submissionRow(), isSent: true });
    expect(api.calls[0]?.body).toEqual({ p_task_id: 't1', ...sent });
    expect(queryClient.getQueryData(mine)).toEqual([other, submissionRow()]);
    expect(stale).toEqual(all);
  });

  it('does not stand for the whole list if that has not been loaded yet', async () => {
    fakeApi({ 'rpc submit_proof': submissionRow() });
    const { queryClient } = await runMutation(useSubmitProof, {
      taskId: 't1',
      proof: { text: 'Done' },
      userId: 'user_test',
    });
    expect(queryClient.getQueryData(mine)).toBeUndefined();
  });

  it('RULE-12 that is refused means that the screen was stale: the same is refetched', async () => {
    fakeApi({ 'rpc submit_proof': refuse(409, 'QUEST_FULL', 'Quest Full') });
    const { error, stale } = await runMutation(useSubmitProof, {
      taskId: 't1',
      proof: { text: 'Done' },
      userId: 'user_test',
    });
    expect(error).toMatchObject({ code: 'QUEST_FULL' });
    expect(stale).toEqual(all);
  });
});

describe('C-99 a proof whose outcome is unknown', () => {
  const input = { taskId: 't1', proof: { text: 'Done' }, userId: 'user_test', expectedReward: 50 };
  const mineOfTask = [
    submissionRow({ id: 'rejected', status: 'rejected' }),
    submissionRow({ id: 'hers', user_id: 'x' }),
  ];

  it('is looked up after a lost answer, and the screen is told', async () => {
    const api = fakeApi({ 'rpc submit_proof': offline(), 'GET submissions': [...mineOfTask, submissionRow()] });
    const onChecking = vi.fn();
    const { data } = await runMutation(useSubmitProof, { ...input, onChecking });
    expect(data).toEqual({ submission: submissionRow(), isSent: true });
    expect(onChecking).toHaveBeenCalledOnce();
    expect(api.calls[0]?.body).toEqual({ p_task_id: 't1', p_text: 'Done', p_expected_reward: 50 });
  });

  it('that a second tab has sent is the result, not an error', async () => {
    const already = refuse(409, 'ALREADY_SUBMITTED', 'You have already submitted this task');
    const api = fakeApi({ 'rpc submit_proof': already, 'GET submissions': [...mineOfTask, submissionRow()] });
    const onChecking = vi.fn();
    const { data } = await runMutation(useSubmitProof, { ...input, onChecking });
    expect(data).toEqual({ submission: submissionRow(), isSent: true });
    expect(onChecking).not.toHaveBeenCalled();
    api.routes['GET submissions'] = mineOfTask;
    expect((await runMutation(useSubmitProof, input)).error).toMatchObject({ code: 'ALREADY_SUBMITTED' });
  });

  it.each([[{ proof_text: 'Something else' }], [{ proof_url: 'https://blog.example/first' }]])(
    'is not said to be sent when another tab has sent another: %o',
    async (first) => {
      for (const failure of [offline(), refuse(409, 'ALREADY_SUBMITTED', 'You have already submitted this task')]) {
        fakeApi({ 'rpc submit_proof': failure, 'GET submissions': [submissionRow(first)] });
        const { data } = await runMutation(useSubmitProof, input);
        expect(data).toEqual({ submission: submissionRow(first), isSent: false });
      }
    },
  );

  it('that is refused for another reason is not confused with an existing one', async () => {
    const api = fakeApi({
      'rpc submit_proof': refuse(409, 'QUEST_FULL', 'Quest Full'),
      'GET submissions': [submissionRow()],
    });
    expect((await runMutation(useSubmitProof, input)).error).toMatchObject({ code: 'QUEST_FULL' });
    expect(api.calls).toHaveLength(1);
  });

  it('C-76 sends the newsletter consent only when given', async () => {
    const api = fakeApi({ 'rpc submit_proof': submissionRow() });
    await runMutation(useSubmitProof, { ...input, proof: { url: 'https://x.test', subscribes: true } });
    await runMutation(useSubmitProof, { ...input, proof: { url: 'https://x.test', subscribes: false } });
    expect(api.calls.map(({ body }) => body)).toEqual([
      { p_task_id: 't1', p_url: 'https://x.test', p_expected_reward: 50, p_subscribe: true },
      { p_task_id: 't1', p_url: 'https://x.test', p_expected_reward: 50 },
    ]);
  });
});

describe('BEY-13 a task verified by an action', () => {
  const shared = { email: 'a@example.org', subscribes: true, consent: 'I agree.' };
  const person = { taskId: 't1', userId: 'user_test', expectedReward: 50, ...shared };
  const approved = submissionRow({ status: 'approved', reviewed_by: 'code' });
  const code = { ...person, code: 'KITE-2' };
  const answer = (is_accepted: boolean) => ({ is_accepted, tries_left: 3 });

  it('by a code: it is sent with the shown price, and the submission is in the cache', async () => {
    const api = fakeApi({ 'rpc submit_completion_code': answer(true), 'GET submissions': [approved] });
    const { data, queryClient, stale } = await runMutation(useSubmitCode, code, withList(other));
    expect(data).toEqual({ submission: approved, triesLeft: 3 });
    expect(api.calls[0]?.body).toEqual({
      ...{ p_task_id: 't1', p_code: 'KITE-2', p_email: 'a@example.org' },
      ...{ p_expected_reward: 50, p_subscribe: true, p_consent: 'I agree.' },
    });
    expect(queryClient.getQueryData(mine)).toEqual([other, approved]);
    expect(stale).toEqual(all);
  });

  it('by a wrong code: nothing is in the cache, and the remaining tries are returned', async () => {
    const api = fakeApi({ 'rpc submit_completion_code': answer(false) });
    const blank = { ...code, email: '', subscribes: false, consent: undefined };
    const { data, queryClient } = await runMutation(useSubmitCode, blank, withList(other));
    expect(data).toEqual({ submission: null, triesLeft: 3 });
    expect(api.calls.map(({ body }) => body)).toEqual([{ p_task_id: 't1', p_code: 'KITE-2', p_expected_reward: 50 }]);
    expect(queryClient.getQueryData(mine)).toEqual([other]);
  });

  it('C-99 by a code whose answer was lost: an existing submission is the result; a refusal is passed on', async () => {
    const api = fakeApi({ 'rpc submit_completion_code': offline(), 'GET submissions': [approved] });
    expect((await runMutation(useSubmitCode, code)).data).toEqual({ submission: approved, triesLeft: 0 });
    api.routes['rpc submit_completion_code'] = refuse(429, 'TOO_MANY_TRIES', 'Too many tries');
    expect((await runMutation(useSubmitCode, code)).error).toMatchObject({ code: 'TOO_MANY_TRIES' });
    expect(api.calls).toHaveLength(3);
  });

  it('C-99 by a code or a check that a second tab has completed before: the existing submission is the result', async () => {
    const already = refuse(409, 'ALREADY_SUBMITTED', 'You have already submitted proof for this task');
    const api = fakeApi({
      'rpc submit_completion_code': already,
      'POST /functions/v1/check-task': already,
      'GET submissions': [approved],
    });
    const { data, queryClient } = await runMutation(useSubmitCode, code, withList(other));
    expect(data).toEqual({ submission: approved, triesLeft: 0 });
    expect(queryClient.getQueryData(mine)).toEqual([other, approved]);
    expect((await runMutation(useCheckTask, person)).data).toEqual(approved);
    api.routes['GET submissions'] = [];
    expect((await runMutation(useSubmitCode, code)).error).toMatchObject({ code: 'ALREADY_SUBMITTED' });
    expect((await runMutation(useCheckTask, person)).error).toMatchObject({ code: 'ALREADY_SUBMITTED' });
  });

  it('TRUST-20 by a link: it is started at the shown price', async () => {
    const api = fakeApi({ 'rpc start_task': { token: 'x', url: 'https://x.test/?token=x' } });
    const { userId: _, ...input } = person;
    const { data } = await runMutation(useStartTask, input);
    expect(data).toEqual({ token: 'x', url: 'https://x.test/?token=x' });
    await runMutation(useStartTask, { taskId: 't1', email: '', expectedReward: 50 });
    expect(api.calls.map(({ body }) => body)).toEqual([
      { p_task_id: 't1', p_email: 'a@example.org', p_subscribe: true, p_expected_reward: 50, p_consent: 'I agree.' },
      { p_task_id: 't1', p_expected_reward: 50 },
    ]);
    expect(new Headers(vi.mocked(fetch).mock.calls[0]?.[1]?.headers).get('accept')).toContain('vnd.pgrst.object');
  });

  it('C-99 by a link: a lost answer, with which an address may have been shared, is asked for again', async () => {
    const started = { token: 'x', link: 'https://x.test/?token=x' };
    let sent = 0;
    fakeApi({
      'rpc start_task': () => {
        sent += 1;
        return sent === 1 ? offline() : started;
      },
    });
    const { userId: _, ...input } = person;
    expect((await runMutation(useStartTask, input)).data).toEqual(started);
  });

  it('by a check: the server calls the project, and the recorded submission is in the cache', async () => {
    const api = fakeApi({ 'POST /functions/v1/check-task': { ok: true }, 'GET submissions': [approved] });
    const { data, queryClient } = await runMutation(useCheckTask, person, withList(other));
    expect(data).toEqual(approved);
    expect(api.calls[0]?.body).toEqual({ taskId: 't1', expectedReward: 50, ...shared });
    expect(queryClient.getQueryData(mine)).toEqual([other, approved]);
  });

  it('by a check: "not yet" is passed on, a lost answer is looked up, and an approval without a submission fails', async () => {
    const api = fakeApi({ 'POST /functions/v1/check-task': refuse(409, 'NOT_COMPLETED', 'Not yet') });
    expect((await runMutation(useCheckTask, person)).error).toMatchObject({ code: 'NOT_COMPLETED' });
    expect(api.calls).toHaveLength(1);
    api.routes['POST /functions/v1/check-task'] = offline();
    api.routes['GET submissions'] = [approved];
    expect((await runMutation(useCheckTask, person)).data).toEqual(approved);
    api.routes['POST /functions/v1/check-task'] = { ok: true };
    api.routes['GET submissions'] = [];
    expect((await runMutation(useCheckTask, person)).error).toMatchObject({
      code: 'UNKNOWN',
      message: 'Something went wrong on our side. Please try again.',
    });
  });

  it('C-99 is not called failed when it is completed and only the reading of it was lost', async () => {
    vi.useFakeTimers();
    fakeApi({
      'POST /functions/v1/check-task': { ok: true },
      'rpc submit_completion_code': { is_accepted: true, tries_left: 5 },
      'GET submissions': offline(),
    });
    const failureOf = async (run: Promise<{ error: Error | null }>) => {
      await vi.runAllTimersAsync();
      return (await run).error;
    };
    const completed = { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('The task is completed.') };
    expect(await failureOf(runMutation(useCheckTask, person))).toMatchObject(completed);
    expect(await failureOf(runMutation(useSubmitCode, code))).toMatchObject(completed);
  });
});

it('BEY-10 a withdrawn address is removed from the cache', async () => {
  const api = fakeApi({ 'rpc withdraw_email_consent': undefined });
  const { stale } = await runMutation(useWithdrawConsent, 'consent-1');
  expect(api.calls.map(({ body }) => body)).toEqual([{ p_consent_id: 'consent-1' }]);
  expect(stale).toContainEqual(['submissions']);
});

it('C-99 an address is withdrawn when only the answer was lost', async () => {
  let sent = 0;
  fakeApi({
    'rpc withdraw_email_consent': () => {
      sent += 1;
      return sent === 1 ? offline() : { id: 'consent-1', withdrawn_at: '2026-03-05T00:00:00Z' };
    },
  });
  expect((await runMutation(useWithdrawConsent, 'consent-1')).error).toBeNull();
});

describe('QUEST-13 a task without a proof', () => {
  const fixed = { p_task_id: 't1', p_text: 'Quick verified', p_email: 'a@example.org' };

  it('is approved with the fixed proof', async () => {
    const approved = submissionRow({ status: 'approved' });
    const api = fakeApi({ 'rpc submit_proof': approved });
    const { data, stale } = await runMutation(useQuickVerify, {
      taskId: 't1',
      userId: 'user_test',
      email: 'a@example.org',
    });
    expect(data).toEqual(approved);
    expect(api.calls.map(({ body }) => body)).toEqual([fixed]);
    expect(stale).toEqual(all);
  });

  it('C-04 C-79 otherwise waits for the owner, without a second call', async () => {
    const api = fakeApi({ 'rpc submit_proof': submissionRow() });
    const queryClient = withList(other);
    const input = { taskId: 't1', userId: 'user_test', email: 'a@example.org' };
    const { data } = await runMutation(useQuickVerify, input, queryClient);
    expect(data).toEqual(submissionRow());
    expect(api.calls.map(({ body }) => body)).toEqual([fixed]);
    expect(queryClient.getQueryData(mine)).toEqual([other, submissionRow()]);
  });

  it('QUEST-15 a second press is refused, even if a submission exists', async () => {
    const api = fakeApi({
      'rpc submit_proof': refuse(409, 'ALREADY_SUBMITTED', 'You have already submitted this task'),
      'GET submissions': [submissionRow()],
    });
    const { error } = await runMutation(useQuickVerify, { taskId: 't1', userId: 'user_test' });
    expect(error).toMatchObject({ code: 'ALREADY_SUBMITTED' });
    expect(api.calls).toHaveLength(1);
  });

  it('C-99 takes the existing submission as the answer when its own was lost', async () => {
    fakeApi({ 'rpc submit_proof': offline(), 'GET submissions': [submissionRow({ status: 'approved' })] });
    const { data } = await runMutation(useQuickVerify, { taskId: 't1', userId: 'user_test' });
    expect(data).toMatchObject({ status: 'approved' });
  });
});

describe('BEY-01 a decision', () => {
  const rows = Array.from({ length: 150 }, (_, index) => reviewedRow({ id: `s${index}` }));
  const ids = idsOf(rows);

  it('SUBM-09 C-77 is sent with its note and reason, at most a hundred submissions per call, with a result for each', async () => {
    const server = reviewServer(rows, { refused: ['s7'] });
    fakeApi(server.routes);
    const outcome = await sendReview({ ids, decision: 'reject', reason: 'cannot_open', note: 'Blurred' });
    expect(server.sent).toEqual(
      [ids.slice(0, 100), ids.slice(100)].map((p_submission_ids) => ({
        p_submission_ids,
        p_decision: 'reject',
        p_note: 'Blurred',
        p_reason: 'cannot_open',
      })),
    );
    expect(outcome.reviewed).toHaveLength(149);
    expect(outcome.reviewed[0]).toMatchObject({ id: 's0', status: 'rejected', rejection_reason: 'cannot_open' });
    expect([...outcome.failures]).toEqual([['s7', 'This submission has already been reviewed']]);
  });

  it('TRUST-21 is sent once more when its answer was lost; without an answer again, nobody claims to know the outcome', async () => {
    const server = reviewServer(rows);
    const api = fakeApi({ ...server.routes, 'rpc review_submissions': offline() });
    const decide = server.routes['rpc review_submissions'];
    let isFirst = true;
    api.routes['rpc review_submissions'] = (call: ApiCall) => {
      const answer = decide(call);
      const isLost = isFirst;
      isFirst = false;
      return isLost ? offline() : answer;
    };
    await sendReview({ ids: ['s1'], decision: 'approve', note: 'Fine' });
    expect(server.sent).toHaveLength(2);
    expect(server.sent[1]).toEqual(server.sent[0]);
    api.routes['rpc review_submissions'] = offline();
    const { failures } = await sendReview({ ids: ['s2'], decision: 'approve', note: 'Fine' });
    expect([...failures]).toEqual([['s2', outcomeUnknownSentence]]);
  });

  it.each([
    ['out of reach', () => Promise.reject(new TypeError(unsentMessage))],
    ['busy', refuse(429, null, 'Too many requests')],
    ['signed out', refuse(401, 'UNAUTHENTICATED', 'Please sign in')],
  ])(
    'C-99 whose answer was lost is unknown, not failed, when the second call finds the server %s',
    async (_, second) => {
      const api = fakeApi({
        'rpc review_submissions': () => {
          api.routes['rpc review_submissions'] = second;
          return offline();
        },
      });
      const { failures } = await sendReview({ ids: ['s1'], decision: 'approve', note: '' });
      expect([...failures]).toEqual([['s1', outcomeUnknownSentence]]);
      expect(api.calls).toHaveLength(2);
    },
  );

  it('is not sent again when it was refused', async () => {
    const api = fakeApi({ 'rpc review_submissions': refuse(403, 'SUSPENDED', 'Suspended') });
    const { failures } = await sendReview({ ids: ['s1'], decision: 'approve', note: '' });
    expect([...failures]).toEqual([['s1', 'Suspended']]);
    expect(api.calls).toHaveLength(1);
  });
});

it('ERR-02 an unused screenshot is removed, or the error is passed on', async () => {
  const api = fakeApi({ 'DELETE /storage/v1/object/proofs': [] });
  await deleteScreenshot('user_test/a.png');
  expect(api.calls[0]?.body).toEqual({ prefixes: ['user_test/a.png'] });
  api.routes['DELETE /storage/v1/object/proofs'] = Response.json({ message: 'Bucket is closed' }, { status: 400 });
  await expect(deleteScreenshot('user_test/a.png')).rejects.toMatchObject({
    code: 'DELETE_FAILED',
    message: 'Delete failed: Bucket is closed',
    status: 0,
  });
});
