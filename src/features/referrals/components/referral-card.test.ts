import { messengers, shareOnXUrl } from './referral-card';

it('Share on X contains the full link', () => {
  const link = 'https://questboard.example/?ref=REF12AB';
  expect(new URL(shareOnXUrl(link)).searchParams.get('url')).toBe(link);
});

it('messengers and mail contain the full link', () => {
  const link = 'https://questboard.example/?ref=REF12AB';
  const urls = Object.fromEntries(messengers(link).map(({ name, href }) => [name, new URL(href)]));
  expect(urls.WhatsApp?.searchParams.get('text')).toContain(link);
  expect(urls.Telegram?.searchParams.get('url')).toBe(link);
  expect(urls.Email?.protocol).toBe('mailto:');
  expect(decodeURIComponent(urls.Email?.search ?? '')).toContain(`Join me on Questboard: ${link}`);
});
