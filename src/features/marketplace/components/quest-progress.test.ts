import { questProgress } from './quest-progress';

const tasks = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const sent = (task_id: string, status: 'approved' | 'pending' | 'rejected') => ({ task_id, status, reward_points: 30 });

it('QUEST-08 counts approved tasks and their points, not pending or rejected ones', () => {
  const submissions = [sent('a', 'approved'), sent('b', 'pending'), sent('c', 'rejected')];
  expect(questProgress(tasks, submissions)).toEqual({ done: 1, total: 3, earned: 30 });
});

it('ignores submissions for deleted tasks', () => {
  expect(questProgress(tasks, [sent('a', 'approved'), sent('gone', 'approved')])).toMatchObject({
    done: 1,
    earned: 30,
  });
});
