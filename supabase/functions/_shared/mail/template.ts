/** The product's colours (src/styles/tokens.css) as hex, light and dark, because mail clients know no custom properties. */
const COLORS = {
  paper: ['#faf7f1', '#14130f'],
  card: ['#fffdf8', '#1d1b16'],
  ink: ['#1c1a16', '#f2ede2'],
  muted: ['#615a4d', '#b3aa98'],
  line: ['#e5dfd2', '#34302a'],
  action: ['#1f5c4a', '#6fc3a6'],
  'on-action': ['#fffdf8', '#0f211b'],
} as const;
type Color = keyof typeof COLORS;

const FONT = "'Instrument Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif";

/** CSS property by colour, as a style attribute has them. */
type Paint = Partial<Record<'background' | 'border-color' | 'color', Color>>;

/**
 * Attributes for an element in these colours. Light is inline, because many clients drop style sheets; dark is a class, which only clients
 * that know `prefers-color-scheme` read.
 */
function painted(paint: Paint, style = ''): string {
  const colors = Object.entries(paint);
  const light = colors.map(([property, color]) => `${property}:${COLORS[color][0]}`);
  const classes = colors.map(([property, color]) => `${property}-${color}`);
  return `class="${classes.join(' ')}" style="${[...light, style].filter(Boolean).join(';')}"`;
}

/** The classes of `painted` in dark. */
const DARK_STYLES = (['background', 'border-color', 'color'] as const)
  .flatMap((property) =>
    Object.entries(COLORS).map(([color, [, dark]]) => `.${property}-${color}{${property}:${dark}!important}`),
  )
  .join('\n');

/** A word that is wider than a phone would make the whole mail as wide. */
const BREAK = 'overflow-wrap:anywhere;word-break:break-word';

export interface MailContent {
  heading: string;
  /** Plain text; user content in it is escaped, never rendered as HTML (TRUST-13). */
  paragraphs: string[];
  action?: { label: string; url: string };
  /** Why the recipient gets this mail, in one sentence. */
  reason: string;
  siteUrl: string;
  /** Unsubscribe page; null when there is nothing to unsubscribe from. */
  unsubscribeUrl: string | null;
}

/** Renders the text and HTML parts of a mail from one description, so that they always match. */
export function renderMail(content: MailContent): { html: string; text: string } {
  return { html: renderHtml(content), text: renderText(content) };
}

/** Escapes text for HTML content and double-quoted attributes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** One line without control characters, for a header field such as the subject. */
export function toHeaderText(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function renderText({ heading, paragraphs, action, reason, siteUrl, unsubscribeUrl }: MailContent): string {
  const blocks = [heading, ...paragraphs];
  if (action) blocks.push(`${action.label}: ${action.url}`);
  blocks.push('--', `${reason}\n${siteUrl}`);
  if (unsubscribeUrl) blocks.push(`Unsubscribe: ${unsubscribeUrl}`);
  return `${blocks.join('\n\n')}\n`;
}

function renderHtml({ heading, paragraphs, action, reason, siteUrl, unsubscribeUrl }: MailContent): string {
  const text = paragraphs.map(renderParagraph).join('\n');
  const button = action
    ? `<p style="margin:24px 0 8px"><a href="${escapeHtml(action.url)}" ` +
      `${painted({ background: 'action', color: 'on-action' }, 'display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none')}>` +
      `${escapeHtml(action.label)}</a></p>`
    : '';
  const unsubscribe = unsubscribeUrl ? ` · ${renderFooterLink('Unsubscribe', unsubscribeUrl)}` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
${DARK_STYLES}
}
</style>
</head>
<body ${painted({ background: 'paper', color: 'ink' }, `margin:0;padding:24px 12px;font-family:${FONT}`)}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td ${painted({ color: 'action' }, 'padding:0 4px 16px;font-size:18px;font-weight:700')}>Questboard</td></tr>
<tr><td ${painted({ background: 'card', 'border-color': 'line' }, `padding:28px 28px 24px;border-width:1px;border-style:solid;border-radius:10px;font-size:16px;line-height:1.55;${BREAK}`)}>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${escapeHtml(heading)}</h1>
${text}
${button}
</td></tr>
<tr><td ${painted({ color: 'muted' }, 'padding:16px 4px 0;font-size:13px;line-height:1.5')}>
${escapeHtml(reason)}<br>${renderFooterLink('Questboard', siteUrl)}${unsubscribe}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function renderParagraph(paragraph: string): string {
  return `<p style="margin:0 0 12px">${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`;
}

function renderFooterLink(label: string, url: string): string {
  return `<a href="${escapeHtml(url)}" ${painted({ color: 'muted' })}>${label}</a>`;
}
