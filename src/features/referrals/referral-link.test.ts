import { messengerUrls, referralCodeIn, referralLink, shareOnXUrl } from './referral-link';

it('REF-03 the link is the site root with the code as ref', () => {
  expect(referralLink('REF12AB', 'https://questboard.example/some/page?x=1')).toBe(
    'https://questboard.example/?ref=REF12AB',
  );
});

it('Share on X carries the whole link', () => {
  const link = 'https://questboard.example/?ref=REF12AB';
  expect(new URL(shareOnXUrl(link)).searchParams.get('url')).toBe(link);
});

it('messengers and mail carry the whole link', () => {
  const link = 'https://questboard.example/?ref=REF12AB';
  const urls = Object.fromEntries(messengerUrls(link).map(({ name, href }) => [name, new URL(href)]));
  expect(urls.WhatsApp?.searchParams.get('text')).toContain(link);
  expect(urls.Telegram?.searchParams.get('url')).toBe(link);
  expect(urls.Email?.protocol).toBe('mailto:');
  expect(decodeURIComponent(urls.Email?.search ?? '')).toContain(`Join me on Questboard: ${link}`);
});

it('finds the code in an address and refuses what cannot be one', () => {
  expect(referralCodeIn('?utm_source=x&ref=ref12ab')).toBe('REF12AB');
  expect(referralCodeIn('?ref=')).toBeNull();
  expect(referralCodeIn('?ref=<script>')).toBeNull();
  expect(referralCodeIn('')).toBeNull();
});
