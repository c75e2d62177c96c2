// @vitest-environment jsdom
import { questDrafts } from './quest-drafts';
import { emptyQuest, type QuestFormValues } from './quest-form';

const typed: QuestFormValues = {
  ...emptyQuest,
  selectedTemplate: 3,
  title: 'Say hello',
  discordInvite: 'kites',
  rewardType: 'both',
  customRewardTitle: 'A kite',
  collectEmail: true,
  startsAt: '2026-05-01T09:00',
  reviewHours: 24,
  tasks: emptyQuest.tasks.map((task) => ({ ...task, type: 'share', instructions: 'Wave', rewardPoints: 30 })),
};

beforeEach(() => localStorage.clear());

describe("BEY-11 the draft of a project's new quest", () => {
  it('contains the whole form, for this founder and project', () => {
    questDrafts.write('user_1', 'p1', typed);
    expect(questDrafts.read('user_1', 'p1')?.values).toEqual(typed);
    expect(questDrafts.read('user_2', 'p1')).toBeNull();
    expect(questDrafts.read('user_1', 'p2')).toBeNull();
  });

  it('contains no completion codes', () => {
    const tasks = typed.tasks.map((task) => ({ ...task, sharedCode: 'SECRET', codes: ['ONCE'] }));
    questDrafts.write('user_1', 'p1', { ...typed, tasks });
    expect(questDrafts.read('user_1', 'p1')?.values).toEqual(typed);
    expect(JSON.stringify(localStorage)).not.toMatch(/SECRET|ONCE/);
  });

  it('is removed by null', () => {
    questDrafts.write('user_1', 'p1', typed);
    questDrafts.write('user_1', 'p1', null);
    expect(localStorage).toHaveLength(0);
  });
});
