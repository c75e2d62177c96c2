import { questProgress } from './quest-progress';

const tasks = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const sent = (task_id: string, status: 'approved' | 'pending' | 'rejected') => ({ task_id, status, reward_points: 30 });

it('QUEST-08 counts approved tasks and their points, not what waits or was rejected', () => {
  const submissions = [sent('a', 'approved'), sent('b', 'pending'), sent('c', 'rejected')];
  expect(questProgress(tasks, submissions)).toEqual({ done: 1, total: 3, earned: 30 });
});

it('leaves out what was sent for a task that is gone', () => {
  expect(questProgress(tasks, [sent('a', 'approved'), sent('gone', 'approved')])).toMatchObject({
    done: 1,
    earned: 30,
  });
});
