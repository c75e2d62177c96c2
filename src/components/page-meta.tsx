import { useLayoutEffect } from 'react';
import { headTags } from '@/lib/head/head-tags';
import type { PageHead } from '@/lib/head/page-head';

/**
 * The head of a page: its title, and the metadata for search engines and link previews. Every page renders exactly one; one that
 * is not in lib/head is listed nowhere. The host has sent the same elements with the page, so that the first of these changes
 * nothing.
 */
export function PageMeta(head: Partial<PageHead>) {
  const { status = 200, isIndexed = false, type = 'website', trail = [] } = head;
  // Serialised, so that the effect runs again only when the content has changed.
  const serialized = JSON.stringify({ ...head, status, isIndexed, type, trail });
  useLayoutEffect(() => {
    const site = import.meta.env.VITE_SITE_URL || window.location.origin;
    replaceHead(headTags(JSON.parse(serialized), site));
  }, [serialized]);
  return null;
}

/** Preview images. Only the host knows a page's image, so the elements it sent stay while the address is the same. */
const imageTags = 'meta[property^="og:image"], meta[name^="twitter:image"]';
const addressOf = (head: ParentNode) => head.querySelector('meta[property="og:url"]')?.getAttribute('content');

function replaceHead(tags: ReturnType<typeof headTags>): void {
  const elements = tags.map(({ name, attributes, text }) => {
    const element = document.createElement(name);
    element.dataset.head = '';
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text) element.textContent = text;
    return element;
  });
  const next = document.createDocumentFragment();
  next.append(...elements);
  const sentByHost = document.head.querySelectorAll(`:is(${imageTags})[data-head]`);
  if (sentByHost.length > 0 && addressOf(next) && addressOf(next) === addressOf(document.head)) {
    for (const generic of next.querySelectorAll(imageTags)) generic.remove();
    next.append(...sentByHost);
  }
  for (const former of document.head.querySelectorAll('[data-head]')) former.remove();
  document.head.append(next);
}
