/** Colours of the product's light theme, as hex because mail clients know no custom properties. */
const LOOK = {
  paper: '#faf7f1',
  card: '#fffdf8',
  ink: '#1c1a16',
  mutedInk: '#645e52',
  line: '#e5dfd2',
  spruce: '#1f5c4a',
  font: "'Instrument Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif",
};

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
    ? `<p style="margin:24px 0 8px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;` +
      `border-radius:8px;background:${LOOK.spruce};color:#ffffff;font-weight:600;text-decoration:none">` +
      `${escapeHtml(action.label)}</a></p>`
    : '';
  const unsubscribe = unsubscribeUrl ? ` · ${renderFooterLink('Unsubscribe', unsubscribeUrl)}` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(heading)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:${LOOK.paper};color:${LOOK.ink};font-family:${LOOK.font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 4px 16px;font-size:18px;font-weight:700;color:${LOOK.spruce}">Questboard</td></tr>
<tr><td style="padding:28px 28px 24px;background:${LOOK.card};border:1px solid ${LOOK.line};border-radius:10px;font-size:16px;line-height:1.55;${BREAK}">
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${escapeHtml(heading)}</h1>
${text}
${button}
</td></tr>
<tr><td style="padding:16px 4px 0;font-size:13px;line-height:1.5;color:${LOOK.mutedInk}">
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
  return `<a href="${escapeHtml(url)}" style="color:${LOOK.mutedInk}">${label}</a>`;
}
