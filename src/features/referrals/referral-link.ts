/** The shareable link: the root of the site with the code as `ref` (REF-03). */
export function referralLink(code: string, siteUrl: string): string {
  const url = new URL('/', siteUrl);
  url.searchParams.set('ref', code);
  return url.href;
}

/** X's page for writing a post, filled in with the link (REF-01). */
export function shareOnXUrl(link: string): string {
  const url = new URL('https://x.com/intent/post');
  url.searchParams.set('text', 'Complete quests for new projects and earn points. Join me on Questboard:');
  url.searchParams.set('url', link);
  return url.href;
}

/** The code in an address, as the database writes codes; null when there is none or it cannot be one. */
export function referralCodeIn(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim().toUpperCase();
  return code && /^[A-Z0-9]{4,20}$/.test(code) ? code : null;
}
