import { templateValues } from './quest-form';
import { questTemplates } from './quest-templates';

test('QNEW-07 the picker offers the eight templates with their rewards and verification', () => {
  expect(questTemplates.map((t) => [t.id, t.name, t.rewardAmount, t.verification, t.autoVerify])).toEqual([
    [1, 'Sign up for product', 50, 'simple', true],
    [2, 'Follow on Twitter/X', 25, 'simple', true],
    [3, 'Join Discord', 30, 'simple', true],
    [4, 'Write a product review', 75, 'link', false],
    [5, 'Share on social media', 75, 'link', false],
    [6, 'Visit website', 30, 'simple', true],
    [7, 'Subscribe to newsletter', 20, 'simple', true],
    [8, 'Custom quest', 50, 'simple', true],
  ]);
});

test('QNEW-08 a template fills title, description, reward and verification and clears the link fields', () => {
  const blank = { productUrl: '', twitterHandle: '', discordInvite: '', newsletterUrl: '', customInstructions: '' };
  for (const template of questTemplates) {
    expect(templateValues(template.id)).toEqual({
      quest: { ...blank, selectedTemplate: template.id, title: template.title },
      task: {
        type: template.taskType,
        instructions: template.description,
        rewardPoints: template.rewardAmount,
        verification: template.verification,
        autoVerify: template.autoVerify,
      },
    });
  }
});

test('QNEW-09 each template requires its own field', () => {
  expect(questTemplates.map((t) => [t.id, t.requires, t.requiresLabel])).toEqual([
    [1, 'productUrl', 'Product URL'],
    [2, 'twitterHandle', 'Twitter/X handle'],
    [3, 'discordInvite', 'Discord invite'],
    [4, 'productUrl', 'Product URL'],
    [5, 'twitterHandle', 'Twitter/X handle'],
    [6, 'productUrl', 'Website URL'],
    [7, 'newsletterUrl', 'Newsletter URL'],
    [8, 'customInstructions', 'Custom instructions'],
  ]);
});
