import { emptyQuest, rewardParts } from './create-form';

test('QNEW-12 the form starts with points, 25 each for 20 people, 5 in cash, first come first serve', () => {
  expect(emptyQuest).toMatchObject({
    rewardType: 'points',
    rewardAmount: 25,
    cashAmount: 5,
    maxParticipants: 20,
    distributionMethod: 'fcfs',
  });
  expect(rewardParts('points')).toEqual({ enablePoints: true, enableCustomReward: false });
  expect(rewardParts('custom')).toEqual({ enablePoints: false, enableCustomReward: true });
  expect(rewardParts('both')).toEqual({ enablePoints: true, enableCustomReward: true });
});
