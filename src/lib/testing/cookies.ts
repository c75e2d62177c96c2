/** Sets a cookie of the test's document, as `name=value`. */
export function setCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist in all browsers, nor in this document
  document.cookie = cookie;
}

export function removeCookies(): void {
  for (const cookie of document.cookie.split('; ')) setCookie(`${cookie.split('=')[0]}=; max-age=0`);
}
