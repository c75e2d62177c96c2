import type { PageHead } from './page-head.ts';

const siteName = 'Questboard';
const siteTitle = 'Questboard: quests that pay in points';
/** Maximum length of a description in search results and previews. */
const descriptionLength = 200;
/** Maximum length of an image description on X. */
const altLength = 420;
const siteImage = { path: '/preview.png', alt: siteTitle };

export type HeadTag = { name: 'title' | 'meta' | 'link' | 'script'; attributes: Record<string, string>; text?: string };

/** The elements of a page's head, used by the host and the app. `site`: its origin, for example https://questboard.example */
export function headTags(head: PageHead, site: string): HeadTag[] {
  const title = head.title ? oneLine(head.title) : undefined;
  const description = head.description && shorten(oneLine(head.description), descriptionLength);
  const address = (path: string) => new URL(path, site).href;
  const meta = (name: string, content: string | undefined): HeadTag[] => {
    const attribute = name.startsWith('og:') ? 'property' : 'name';
    return content ? [{ name: 'meta', attributes: { [attribute]: name, content } }] : [];
  };
  const image = head.image ?? siteImage;
  const canonical = head.canonicalPath === undefined ? undefined : address(head.canonicalPath);
  return [
    { name: 'title', attributes: {}, text: title ? `${title} · ${siteName}` : siteTitle },
    ...meta('description', description),
    ...meta('robots', head.isIndexed ? undefined : 'noindex'),
    ...(canonical ? [{ name: 'link' as const, attributes: { rel: 'canonical', href: canonical } }] : []),
    ...(head.isIndexed || canonical || head.image
      ? [
          ...meta('og:site_name', siteName),
          ...meta('og:type', head.type),
          ...meta('og:title', title ?? siteTitle),
          ...meta('og:description', description),
          ...meta('og:url', canonical),
          ...meta('og:image', address(image.path)),
          ...meta('og:image:type', 'image/png'),
          ...meta('og:image:width', '1200'),
          ...meta('og:image:height', '630'),
          ...meta('og:image:alt', shorten(oneLine(image.alt), altLength)),
          ...meta('twitter:card', 'summary_large_image'),
          ...meta('twitter:image', address(image.path)),
          ...meta('twitter:image:alt', shorten(oneLine(image.alt), altLength)),
        ]
      : []),
    ...structuredData(head, title, address),
  ];
}

/** Structured data: the organisation on home, breadcrumbs on other pages. */
function structuredData(head: PageHead, title: string | undefined, address: (path: string) => string): HeadTag[] {
  const { canonicalPath, isHome, isIndexed, trail } = head;
  if (canonicalPath === undefined || !isIndexed) return [];
  const data = isHome
    ? { '@type': 'Organization', name: siteName, url: address('/'), logo: address('/icon-512.png') }
    : {
        '@type': 'BreadcrumbList',
        itemListElement: [
          { name: siteName, path: '/' },
          ...trail,
          { name: title ?? siteName, path: canonicalPath },
        ].map(({ name, path }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: oneLine(name),
          item: address(path),
        })),
      };
  const text = jsonForScript({ '@context': 'https://schema.org', ...data });
  return [{ name: 'script', attributes: { type: 'application/ld+json' }, text }];
}

/** The same as HTML. The app finds the elements by `data-head` and replaces them on navigation. */
export function renderHead(head: PageHead, site: string): string {
  return headTags(head, site).map(renderTag).join('\n    ');
}

function renderTag({ name, attributes, text = '' }: HeadTag): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`);
  const start = `<${name} data-head${written.join('')}>`;
  if (name === 'meta' || name === 'link') return start;
  return `${start}${name === 'script' ? text : escapeHtml(text)}</${name}>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** JSON for a script element, whose content cannot be HTML-escaped: `</script>` and `<!--` become Unicode escapes. */
export const jsonForScript = (data: unknown) => JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, unicodeEscape);

const unicodeEscape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A single line: line breaks and control characters become spaces; bidirectional controls are removed. */
export const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();

/** Truncates at a word boundary. */
const shorten = (text: string, length: number) =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .replace(/ \S*$/, '')
        .toWellFormed()}…`;
