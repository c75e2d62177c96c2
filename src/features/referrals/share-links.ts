/** The invitation's text, shared along with the link. */
export const invitation = 'Complete quests for new projects and earn points. Join me on Questboard:';

function withParams(address: string, params: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** X's page for writing a post, filled in with the link (REF-01). */
export function shareOnXUrl(link: string): string {
  return withParams('https://x.com/intent/post', { text: invitation, url: link });
}

/** The messengers' pages and the mail program, each filled in with invitation and link. */
export function messengerUrls(link: string): { name: string; href: string }[] {
  const mail = new URLSearchParams({ subject: 'Join me on Questboard', body: `${invitation} ${link}` });
  return [
    { name: 'WhatsApp', href: withParams('https://wa.me/', { text: `${invitation} ${link}` }) },
    { name: 'Telegram', href: withParams('https://t.me/share/url', { url: link, text: invitation }) },
    // Mail programs read a plus as a plus.
    { name: 'Email', href: `mailto:?${mail.toString().replaceAll('+', '%20')}` },
  ];
}
