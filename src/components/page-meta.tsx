import { useLayoutEffect } from 'react';
import { headTags } from '@/lib/head/head-tags';
import type { PageHead } from '@/lib/head/page-head';

/**
 * The head of a page: its title, and what search engines and link previews are told. Every page renders exactly one; one that
 * is not in lib/head is listed nowhere. The host has sent the same elements with the page, so that the first of these changes
 * nothing.
 */
export function PageMeta(head: Partial<PageHead>) {
  const { status = 200, isIndexed = false, type = 'website', trail = [] } = head;
  const whole = JSON.stringify({ ...head, status, isIndexed, type, trail });
  useLayoutEffect(() => {
    const site = import.meta.env.VITE_SITE_URL || window.location.origin;
    replaceHead(headTags(JSON.parse(whole), site));
  }, [whole]);
  return null;
}

/** Elements that tell of a page's picture, which only the host knows: those of this very address stay. */
const pictures = 'meta[property^="og:image"], meta[name^="twitter:image"]';
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
  const known = document.head.querySelectorAll(`:is(${pictures})[data-head]`);
  if (known.length > 0 && addressOf(next) && addressOf(next) === addressOf(document.head)) {
    for (const unknown of next.querySelectorAll(pictures)) unknown.remove();
    next.append(...known);
  }
  for (const former of document.head.querySelectorAll('[data-head]')) former.remove();
  document.head.append(next);
}
