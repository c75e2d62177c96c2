import type { TemplateField } from './quest-templates';

type LinkField = {
  /** Shown before the input, not part of the value. Empty for free text. */
  prefix: string;
  placeholder: string;
  /** Strips the prefix from typed or pasted input (QNEW-10). */
  clean: (value: string) => string;
};

const url = (placeholder: string): LinkField => ({ prefix: 'https://', placeholder, clean: stripUrlPrefix });

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

/** Link fields of the creation form, by field name. */
export const linkFields: Readonly<Record<TemplateField, LinkField>> = {
  productUrl: url('example.com'),
  newsletterUrl: url('example.com/newsletter'),
  twitterHandle: { prefix: '@', placeholder: 'yourproject', clean: stripHandlePrefix },
  discordInvite: { prefix: 'discord.gg/', placeholder: 'invite', clean: stripDiscordPrefix },
  customInstructions: { prefix: '', placeholder: 'What exactly should members do?', clean: (value) => value },
};

/** The full URL of a field's value; null for free text and blanks. */
export function linkAddress(field: TemplateField, value: string): string | null {
  const rest = linkFields[field].clean(value).trim();
  if (rest === '' || field === 'customInstructions') return null;
  if (field === 'twitterHandle') return `https://x.com/${encodeURIComponent(rest)}`;
  return field === 'discordInvite' ? `https://discord.gg/${encodeURIComponent(rest)}` : `https://${rest}`;
}
