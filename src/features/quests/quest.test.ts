import { cardReward, isInView, type QuestSlots, remainingSlots, slotsOf } from './quest';

describe('cardReward', () => {
  it.each([
    ['the average of its tasks', { task_count: 2, average_reward: 37.5, budget_points: 500 }, 38],
    ['at most 100', { task_count: 1, average_reward: 500, budget_points: 500 }, 100],
    ['its budget when it has no tasks', { task_count: 0, average_reward: null, budget_points: 80 }, 80],
    ['at most 100 of a budget', { task_count: 0, average_reward: null, budget_points: 500 }, 100],
    ['50 when the average is unknown', { task_count: 2, average_reward: null, budget_points: 500 }, 50],
    ['0 when only a custom reward is given', { task_count: 1, average_reward: 0, budget_points: 0 }, 0],
  ])('HUB-10 promises %s', (_case, quest, points) => {
    expect(cardReward(quest)).toBe(points);
  });
});

describe('tabs of the hub', () => {
  const open: QuestSlots = { total_slots: 20, available_slots: 5, completed_slots: 15, is_quest_full: false };
  const full: QuestSlots = { total_slots: 20, available_slots: 0, completed_slots: 20, is_quest_full: true };
  const views = (slots: QuestSlots | null) =>
    (['active', 'completed'] as const).filter((view) => isInView(view, slots));

  it('HUB-08 shows open quests under Active and full ones under Completed', () => {
    expect(views(open)).toEqual(['active']);
    expect(views(full)).toEqual(['completed']);
  });

  it('HUB-08 C-34 shows a quest without statistics under both', () => {
    expect(slotsOf('q1', { q2: open })).toBeNull();
    expect(views(null)).toEqual(['active', 'completed']);
  });

  it('HUB-09 C-34 treats a quest as full with zeros when statistics failed', () => {
    expect(slotsOf('q1', 'failed')).toEqual({
      total_slots: 0,
      available_slots: 0,
      completed_slots: 0,
      is_quest_full: true,
    });
    expect(views(slotsOf('q1', 'failed'))).toEqual(['completed']);
  });
});

describe('remainingSlots', () => {
  it('QUEST-07 is what completions and reviews leave, never below zero', () => {
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 0 })).toBe(15);
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 2 })).toBe(13);
    expect(remainingSlots({ max_completions: 3, approved_count: 5, pending_count: 0 })).toBe(0);
  });
});
