/** The shareable link: the root of the site with the code as `ref` (REF-03). */
export function referralLink(code: string, siteUrl: string): string {
  const url = new URL('/', siteUrl);
  url.searchParams.set('ref', code);
  return url.href;
}

/** The code in an address, as the database writes codes; null when there is none or it cannot be one. */
export function referralCodeIn(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim().toUpperCase();
  return code && /^[A-Z0-9]{4,20}$/.test(code) ? code : null;
}
