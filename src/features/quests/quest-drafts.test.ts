// @vitest-environment jsdom
import { readQuestDraft, writeQuestDraft } from './quest-drafts';
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
    writeQuestDraft('user_1', 'p1', typed);
    expect(readQuestDraft('user_1', 'p1')?.values).toEqual(typed);
    expect(readQuestDraft('user_2', 'p1')).toBeNull();
    expect(readQuestDraft('user_1', 'p2')).toBeNull();
  });

  it('contains no completion codes', () => {
    const tasks = typed.tasks.map((task) => ({ ...task, sharedCode: 'SECRET', codes: ['ONCE'] }));
    writeQuestDraft('user_1', 'p1', { ...typed, tasks });
    expect(readQuestDraft('user_1', 'p1')?.values).toEqual(typed);
    expect(JSON.stringify(localStorage)).not.toMatch(/SECRET|ONCE/);
  });

  it('is removed by null', () => {
    writeQuestDraft('user_1', 'p1', typed);
    writeQuestDraft('user_1', 'p1', null);
    expect(localStorage).toHaveLength(0);
  });
});
