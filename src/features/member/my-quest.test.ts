import { myQuest } from '@/features/quests/testing/samples';
import { mostUrgent, questStatus, rejectedProof, rewardInReach } from './my-quest';

describe('BEY-21 the next step', () => {
  const waiting = myQuest({ campaign_id: 'waiting', state: 'waiting' });
  const started = myQuest({ campaign_id: 'started', state: 'started', can_continue: true });
  const rejected = myQuest({ campaign_id: 'rejected', state: 'rejected', can_continue: true });
  const tooLate = myQuest({ campaign_id: 'too-late', state: 'rejected', can_continue: false });

  it.each([
    [[waiting, started, rejected], 'rejected'],
    [[tooLate, waiting, started], 'started'],
    [[waiting, { ...waiting, campaign_id: 'half', can_continue: true }], 'half'],
    [[waiting, tooLate], undefined],
  ])('of %# is what the member can do now', (quests, id) => {
    expect(mostUrgent(quests)?.campaign_id).toBe(id);
  });

  it('names the rejected proof', () => {
    expect(rejectedProof(rejected)?.status).toBe('rejected');
    expect(rejectedProof(waiting)).toBeNull();
  });

  it('BEY-23 does not name one whose appeal is being decided', () => {
    const appeal = { kept_until: '2026-05-08T00:00:00Z', appealed_at: '2026-05-02T10:00:00Z' };
    const submissions = rejected.submissions.map((proof) => ({ ...proof, ...appeal }));
    expect(rejectedProof({ ...rejected, submissions })).toBeNull();
  });
});

describe('BEY-21 the status of a started quest', () => {
  it.each([
    ['says that another proof can be sent', 'rejected', true, 'Try Again'],
    ['does not where an appeal is all that is left', 'rejected', false, 'Rejected'],
    ['says that it is closed', 'closed', false, 'Closed'],
  ] as const)('%s', (_, state, can_continue, status) => {
    expect(questStatus(myQuest({ state, can_continue }))).toBe(status);
  });
});

describe('the next affordable reward', () => {
  const reward = (title: string, points_cost: number, stock_quantity: number | null = null) => ({
    title,
    points_cost,
    stock_quantity,
  });
  const rewards = [reward('Mug', 300), reward('Sticker', 100), reward('Gone', 150, 0)];

  it.each([
    [320, 'Mug', true],
    [150, 'Sticker', true],
    [40, 'Sticker', false],
  ])('with %i points is %s, affordable: %s', (points, title, isAffordable) => {
    expect(rewardInReach(rewards, points)).toMatchObject({ reward: { title }, isAffordable });
  });

  it('is none when nothing is in stock', () => {
    expect(rewardInReach([reward('Gone', 10, 0)], 500)).toBeNull();
  });
});
