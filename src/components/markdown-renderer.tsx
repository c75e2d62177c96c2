import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { type Options } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { limitMarkdown } from '@/lib/limit-markdown';

/**
 * Text, emphasis, lists and links. No images (third parties would learn about viewers), no headings (the page owns its
 * outline).
 */
const schema: Options = {
  tagNames: ['p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'],
  attributes: { a: ['href'], ol: ['start'] },
  protocols: { href: ['http', 'https'] },
  strip: ['script', 'style'],
};

/** Absolute http(s) URLs only; other links lose their target. */
function safeUrl(url: string): string {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : '';
}

const components: Components = {
  p: ({ children }) => <p className="dir-auto whitespace-pre-line">{children}</p>,
  ul: ({ children }) => (
    <ul dir="auto" className="list-disc ps-5">
      {children}
    </ul>
  ),
  ol: ({ children, start }) => (
    <ol dir="auto" start={start} className="list-decimal ps-5">
      {children}
    </ol>
  ),
  code: ({ children }) => <code className="rounded bg-sunken px-1">{children}</code>,
  blockquote: ({ children }) => (
    <blockquote dir="auto" className="border-s-4 ps-3 text-muted">
      {children}
    </blockquote>
  ),
  a: ({ href, children }) =>
    href ? (
      <a
        href={href}
        target="_blank"
        rel="noopener nofollow"
        className="font-medium text-action underline underline-offset-4"
      >
        {children}
      </a>
    ) : (
      children
    ),
};

/** Memoised: parsing is expensive, and polls rerender the page with the same text. */
export default memo(function MarkdownRenderer({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[[rehypeSanitize, schema]]}
      urlTransform={safeUrl}
      components={components}
    >
      {limitMarkdown(text)}
    </ReactMarkdown>
  );
});
