import { questListItem } from '@/features/quests/testing/samples';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { taskRow } from '@/lib/testing/quest-rows';
import { onboardingQueries, pickQuickQuest } from './queries';

const task = (id: string, overrides: Parameters<typeof taskRow>[0] = {}) =>
  taskRow({ id, campaign_id: `q-${id}`, requires_proof: false, ...overrides });

it('C-05 quick tasks are those of these quests without proof or external verification', async () => {
  fakeApi({
    'GET tasks': [
      task('quick'),
      task('automatic', { verification: 'automatic' }),
      task('with-proof', { requires_proof: true }),
      task('by-code', { verification: 'code' }),
      task('elsewhere'),
    ],
  });
  const query = onboardingQueries.quickTasks(['q-quick', 'q-automatic', 'q-with-proof', 'q-by-code']);
  expect(idsOf(await fetchQuery(query))).toEqual(['quick', 'automatic']);
  expect(query.queryKey).not.toEqual(onboardingQueries.quickTasks(['q-quick']).queryKey);
});

it('the first quest is the best-paid one with a free slot that the member has not started', () => {
  const quests = ['low', 'high', 'full', 'begun'].map((id) => questListItem({ id: `q-${id}` }));
  const tasks = [
    task('low', { reward_points: 5 }),
    task('high', { reward_points: 20, max_completions: 1 }),
    task('full', { reward_points: 90, max_completions: 1, approved_count: 1 }),
    task('begun', { reward_points: 80 }),
    task('unlisted', { reward_points: 99 }),
  ];
  const begun = { 'q-begun': true };
  expect(pickQuickQuest(quests, tasks, begun)).toEqual({ quest: quests[1], task: tasks[1] });
  expect(pickQuickQuest(quests, [], begun)).toBeNull();
  expect(pickQuickQuest([], tasks, begun)).toBeNull();
});
