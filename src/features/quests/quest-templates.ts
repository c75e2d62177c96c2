import type { Task } from './queries';

/** Proof types of the form; `simple` asks for no proof, and the last three need no reviewer (BEY-13). */
export const verifications = ['simple', 'link', 'screenshot', 'text', 'code', 'call', 'check'] as const;
export type Verification = (typeof verifications)[number];

/** Form fields that a template can require (QNEW-09). */
export type TemplateField = 'productUrl' | 'twitterHandle' | 'discordInvite' | 'newsletterUrl' | 'customInstructions';

export type QuestTemplate = {
  id: number;
  name: string;
  title: string;
  description: string;
  /** Suggested points per person. */
  rewardAmount: number;
  verification: Verification;
  autoVerify: boolean;
  /** The required field of the template, and its label (QNEW-09). */
  requires: TemplateField;
  requiresLabel: string;
  /** Stored task type (C-33). */
  taskType: Task['type'];
};

/** Verification of a template: `simple` is approved by itself, `link` waits for the owner. */
const simple = { verification: 'simple', autoVerify: true } as const;
const reviewed = { verification: 'link', autoVerify: false } as const;

/** The eight templates, in the order of the picker (QNEW-07). */
export const questTemplates: readonly QuestTemplate[] = [
  {
    id: 1,
    name: 'Sign up for product',
    title: 'Sign up for our product',
    description: 'Create a free account and have a first look around.',
    rewardAmount: 50,
    ...simple,
    requires: 'productUrl',
    requiresLabel: 'Product URL',
    taskType: 'signup',
  },
  {
    id: 2,
    name: 'Follow on Twitter/X',
    title: 'Follow us on X',
    description: 'Follow our account to hear what we are building.',
    rewardAmount: 25,
    ...simple,
    requires: 'twitterHandle',
    requiresLabel: 'Twitter/X handle',
    taskType: 'others',
  },
  {
    id: 3,
    name: 'Join Discord',
    title: 'Join our Discord',
    description: 'Join our server and say hello in the welcome channel.',
    rewardAmount: 30,
    ...simple,
    requires: 'discordInvite',
    requiresLabel: 'Discord invite',
    taskType: 'others',
  },
  {
    id: 4,
    name: 'Write a product review',
    title: 'Write an honest review',
    description:
      'Try the product, write on your own page what you honestly think, good or bad, say that you were rewarded for it, and share the link.',
    rewardAmount: 75,
    ...reviewed,
    requires: 'productUrl',
    requiresLabel: 'Product URL',
    taskType: 'others',
  },
  {
    id: 5,
    name: 'Share on social media',
    title: 'Tell your followers about us',
    description:
      'Write a public post about us that says you were rewarded for it, mention our account, and share the link to your post.',
    rewardAmount: 75,
    ...reviewed,
    requires: 'twitterHandle',
    requiresLabel: 'Twitter/X handle',
    taskType: 'share',
  },
  {
    id: 6,
    name: 'Visit website',
    title: 'Visit our website',
    description: 'Have a look at our website and find out what we do.',
    rewardAmount: 30,
    ...simple,
    requires: 'productUrl',
    requiresLabel: 'Website URL',
    taskType: 'visit',
  },
  {
    id: 7,
    name: 'Subscribe to newsletter',
    title: 'Subscribe to our newsletter',
    description: 'Subscribe with your email address and confirm it.',
    rewardAmount: 20,
    ...simple,
    requires: 'newsletterUrl',
    requiresLabel: 'Newsletter URL',
    taskType: 'signup',
  },
  {
    id: 8,
    name: 'Custom quest',
    title: 'Custom quest',
    description: 'Help us with something special.',
    rewardAmount: 50,
    ...simple,
    requires: 'customInstructions',
    requiresLabel: 'Custom instructions',
    taskType: 'others',
  },
];

/** The template with that number; null before one is chosen. */
export function findTemplate(id: number | null): QuestTemplate | null {
  return questTemplates.find((template) => template.id === id) ?? null;
}

type LinkFormat = {
  /** Shown before the input, not part of the value. Empty for free text. */
  prefix: string;
  placeholder: string;
  /** Strips the prefix from typed or pasted input (QNEW-10). */
  clean: (value: string) => string;
};

const url = (placeholder: string): LinkFormat => ({ prefix: 'https://', placeholder, clean: stripUrlPrefix });

/** 'https://www.example.com/a' -> 'example.com/a'. */
function stripUrlPrefix(value: string): string {
  return value.trimStart().replace(/^(https?:\/\/)?(www\.)?/i, '');
}

/** 'https://discord.gg/abc' -> 'abc'; the longer discord.com/invite address too. */
function stripDiscordPrefix(value: string): string {
  return value.trimStart().replace(/^(https?:\/\/)?(www\.)?(discord\.gg\/|discord\.com\/invite\/)/i, '');
}

/** 'https://x.com/acme' or '@acme' -> 'acme'. */
export function stripHandlePrefix(value: string): string {
  return value
    .trimStart()
    .replace(/^(https?:\/\/)?(www\.)?(twitter\.com\/|x\.com\/)/i, '')
    .replace(/^@/, '');
}

/** Formats of the template's fields in the creation form, by field name. */
export const linkFormats: Readonly<Record<TemplateField, LinkFormat>> = {
  productUrl: url('example.com'),
  newsletterUrl: url('example.com/newsletter'),
  twitterHandle: { prefix: '@', placeholder: 'yourproject', clean: stripHandlePrefix },
  discordInvite: { prefix: 'discord.gg/', placeholder: 'invite', clean: stripDiscordPrefix },
  customInstructions: { prefix: '', placeholder: 'What exactly should members do?', clean: (value) => value },
};

/** The full URL of a field's value; null for free text and blanks. */
export function linkAddress(field: TemplateField, value: string): string | null {
  const rest = linkFormats[field].clean(value).trim();
  if (rest === '' || field === 'customInstructions') return null;
  if (field === 'twitterHandle') return `https://x.com/${encodeURIComponent(rest)}`;
  return field === 'discordInvite' ? `https://discord.gg/${encodeURIComponent(rest)}` : `https://${rest}`;
}
