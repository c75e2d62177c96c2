import { questProgress } from './quest-progress';

const tasks = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const done = (task_id: string) => ({ task_id, status: 'approved' as const, reward_points: 30 });

it('QUEST-09 is complete when all tasks are approved', () => {
  expect(
    questProgress(
      tasks,
      tasks.map(({ id }) => done(id)),
    ),
  ).toEqual({
    done: 3,
    total: 3,
    earned: 90,
    nextTaskId: null,
    isComplete: true,
  });
});

it('QUEST-09 continues with the first task not yet approved; pending and rejected ones count as open', () => {
  const submissions = [
    done('a'),
    { task_id: 'b', status: 'pending' as const, reward_points: 30 },
    { task_id: 'c', status: 'rejected' as const, reward_points: 30 },
  ];
  expect(questProgress(tasks, submissions)).toMatchObject({ done: 1, earned: 30, nextTaskId: 'b', isComplete: false });
});

it('C-39 never calls a quest without tasks complete', () => {
  expect(questProgress([], [])).toMatchObject({ isComplete: false, nextTaskId: null });
});
