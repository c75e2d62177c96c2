import { emptyQuest, rewardParts } from './quest-form';

test('QNEW-11 the form holds every field; points and custom reward follow from the reward type', () => {
  const fields = [...Object.keys(emptyQuest), ...Object.keys(rewardParts('both'))];
  expect(fields).toEqual(
    expect.arrayContaining([
      'title',
      'description',
      'selectedTemplate',
      'productUrl',
      'twitterHandle',
      'discordInvite',
      'newsletterUrl',
      'customInstructions',
      'rewardType',
      'rewardAmount',
      'cashAmount',
      'maxParticipants',
      'customRewardTitle',
      'customRewardDescription',
      'collectEmail',
      'distributionMethod',
      'verification',
      'autoVerify',
      'enablePoints',
      'enableCustomReward',
    ]),
  );
});

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
