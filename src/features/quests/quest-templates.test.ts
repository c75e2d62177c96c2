import { templateValues } from './quest-form';
import { linkAddress, linkFormats, questTemplates, stripHandlePrefix } from './quest-templates';

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

test.each([
  ['https://example.com', 'example.com'],
  ['http://www.example.com/a?b=c', 'example.com/a?b=c'],
  ['HTTPS://WWW.Example.com', 'Example.com'],
  ['www.example.com', 'example.com'],
  ['  https://example.com', 'example.com'],
  ['example.com/https://', 'example.com/https://'],
  ['wwworld.example', 'wwworld.example'],
])('QNEW-10 the URL inputs store %s as %s', (typed, kept) => {
  expect(linkFormats.productUrl.clean(typed)).toBe(kept);
  expect(linkFormats.newsletterUrl.clean(typed)).toBe(kept);
  expect([linkFormats.productUrl.prefix, linkFormats.newsletterUrl.prefix]).toEqual(['https://', 'https://']);
});

test.each([
  ['discord.gg/abc', 'abc'],
  ['https://discord.gg/abc', 'abc'],
  ['https://www.discord.com/invite/abc', 'abc'],
  ['  http://discord.gg/abc', 'abc'],
  ['abc/discord.gg/x', 'abc/discord.gg/x'],
  ['abc', 'abc'],
])('QNEW-10 the Discord input stores %s as %s', (typed, kept) => {
  expect(linkFormats.discordInvite.clean(typed)).toBe(kept);
});

test('a handle is stored without @ and address', () => {
  const typed = ['@acme', ' @acme', 'https://x.com/acme', 'http://x.com/acme', 'twitter.com/acme', 'acme'];
  expect(typed.map(stripHandlePrefix)).toEqual(Array(6).fill('acme'));
  expect(['ac@me', 'acme/x.com/a'].map(stripHandlePrefix)).toEqual(['ac@me', 'acme/x.com/a']);
});

test('the full address is sent', () => {
  expect(linkAddress('productUrl', 'example.com/a')).toBe('https://example.com/a');
  expect(linkAddress('twitterHandle', '@acme')).toBe('https://x.com/acme');
  expect(linkAddress('discordInvite', 'discord.gg/abc')).toBe('https://discord.gg/abc');
  expect(linkAddress('productUrl', '  ')).toBeNull();
  expect(linkAddress('customInstructions', 'Do it')).toBeNull();
});
