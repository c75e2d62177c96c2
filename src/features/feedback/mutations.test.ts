// @vitest-environment jsdom
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { useSaveReview, useSubmitBetaFeedback } from './mutations';
import { feedbackQueries } from './queries';

const bug = { type: 'bug', title: 'Bug Report', description: 'It broke' };

it.each([
  [
    { rating: 4, email: 'a@example.org' },
    { p_rating: 4, p_email: 'a@example.org' },
  ],
  [{}, {}],
])('FEED-03 feedback with %j is sent with its type and title', async (given, sent) => {
  const api = fakeApi({ 'rpc submit_beta_feedback': 'feedback-1' });
  const { data } = await runMutation(useSubmitBetaFeedback, { ...bug, ...given });
  expect(data).toBe('feedback-1');
  expect(api.calls[0]?.body).toEqual({ p_type: 'bug', p_title: 'Bug Report', p_description: 'It broke', ...sent });
});

it('C-99 feedback with an address whose answer was lost is sent again, which is stored once', async () => {
  const answers = [offline(), 'feedback-1'];
  const api = fakeApi({ 'rpc submit_beta_feedback': () => answers.shift() });
  expect((await runMutation(useSubmitBetaFeedback, { ...bug, email: 'a@example.org' })).data).toBe('feedback-1');
  expect(api.calls[1]?.body).toEqual(api.calls[0]?.body);
});

const useSave = () => useSaveReview('p1');

describe('FEED-08 a review', () => {
  it('is created for its project the first time', async () => {
    const api = fakeApi({ 'rpc submit_project_feedback': {} });
    const { stale } = await runMutation(useSave, { id: null, rating: 5, text: ' Fine ' });
    expect(api.calls[0]?.body).toEqual({ p_project_id: 'p1', p_rating: 5, p_feedback_text: 'Fine' });
    expect(stale).toEqual([feedbackQueries.keys.all]);
  });

  it('is updated by its id', async () => {
    const api = fakeApi({ 'rpc update_project_feedback': {} });
    const { stale } = await runMutation(useSave, { id: 'review-1', rating: 2, text: 'So so' });
    expect(api.calls[0]?.body).toEqual({ p_feedback_id: 'review-1', p_rating: 2, p_feedback_text: 'So so' });
    expect(stale).toEqual([feedbackQueries.keys.all]);
  });

  it.each([
    [null, 'submit_project_feedback'],
    ['review-1', 'update_project_feedback'],
  ])('C-99 whose answer was lost has been saved when it is there (%s)', async (id, call) => {
    fakeApi({ [`rpc ${call}`]: offline(), 'rpc get_own_project_feedback': [{ rating: 5, feedback_text: 'Fine' }] });
    const { data, error } = await runMutation(useSave, { id, rating: 5, text: ' Fine ' });
    expect(error).toBeNull();
    expect(data).toMatchObject({ rating: 5, feedback_text: 'Fine' });
  });

  it('C-99 did not go through when another one is there', async () => {
    vi.useFakeTimers();
    fakeApi({
      'rpc update_project_feedback': offline(),
      'rpc get_own_project_feedback': [{ rating: 4, feedback_text: 'Fine' }],
    });
    const saving = runMutation(useSave, { id: 'review-1', rating: 5, text: 'Fine' });
    await vi.runAllTimersAsync();
    expect((await saving).error).toMatchObject({ code: 'NOT_APPLIED' });
    vi.useRealTimers();
  });

  it('that is refused says why', async () => {
    fakeApi({ 'rpc submit_project_feedback': refuse(403, 'FORBIDDEN', 'Not your own project') });
    const { error } = await runMutation(useSave, { id: null, rating: 5, text: 'Fine' });
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
  });
});
