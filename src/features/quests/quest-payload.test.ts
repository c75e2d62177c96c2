import { emptyQuest, type QuestFormValues, questPayload, questSummary, templateValues } from './create-form';
import { questTemplates } from './quest-templates';

const quest = (change: Partial<QuestFormValues>): QuestFormValues => ({
  ...emptyQuest,
  title: 'T',
  description: 'D',
  ...change,
});

test('QNEW-13 C-71 the details hold the founder’s words and no terms, which would go stale', () => {
  const { details_md } = questPayload(quest({ description: ' Try it. ', rewardAmount: 25, maxParticipants: 20 })).quest;
  expect(details_md).toBe('Try it.');
});

test('QNEW-18 proof is required unless verification is simple, which is stored as text', () => {
  const task = (verification: QuestFormValues['verification']) => {
    const { requires_proof, proof_type } = questPayload(quest({ verification })).task;
    return [requires_proof, proof_type];
  };
  expect(task('simple')).toEqual([false, 'text']);
  expect(task('link')).toEqual([true, 'link']);
  expect(task('screenshot')).toEqual([true, 'screenshot']);
  expect(task('text')).toEqual([true, 'text']);
});

test('templates are stored as the types decided in C-33', () => {
  const types = questTemplates.map((t) => questPayload(quest(templateValues(t.id))).task.type);
  expect(types).toEqual(['signup', 'others', 'others', 'others', 'share', 'visit', 'signup', 'others']);
});

test('a custom reward alone pays no points (C-36)', () => {
  const payload = questPayload(
    quest({ rewardType: 'custom', rewardAmount: 50, customRewardTitle: ' Mug ', customRewardDescription: 'A mug' }),
  );
  expect(payload.task.reward_points).toBe(0);
  expect(payload.quest).toMatchObject({ custom_reward_title: 'Mug', custom_reward_description: 'A mug' });
});

test('points alone send no custom reward, even when one was typed before', () => {
  expect(questPayload(quest({ customRewardTitle: 'Mug' })).quest).not.toHaveProperty('custom_reward_title');
});

test('the link and the custom instructions are part of the instructions', () => {
  expect(questPayload(quest({ selectedTemplate: 1, productUrl: 'example.com' })).task.instructions_md).toBe(
    'D\n\nhttps://example.com',
  );
  expect(questPayload(quest({ selectedTemplate: 8, customInstructions: 'Step 1' })).task.instructions_md).toBe(
    'D\n\nStep 1',
  );
});

test('the purpose of e-mails is sent only when they are collected', () => {
  expect(questPayload(quest({ emailCollectionPurpose: 'News' })).quest).not.toHaveProperty('email_collection_purpose');
  expect(questPayload(quest({ collectEmail: true, emailCollectionPurpose: 'News' })).quest).toMatchObject({
    collect_emails: true,
    email_collection_purpose: 'News',
  });
});

test('the summary is the first paragraph, cut at a word', () => {
  expect(questSummary('One.\n\nTwo.')).toBe('One.');
  const cut = questSummary(`${'word '.repeat(50)}`);
  expect(cut.length).toBeLessThanOrEqual(160);
  expect(cut).toMatch(/word…$/);
});
