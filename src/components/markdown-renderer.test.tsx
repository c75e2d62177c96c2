import { render, screen } from '@testing-library/react';
import MarkdownRenderer from './markdown-renderer';

describe('TRUST-13 user-written Markdown', () => {
  it('keeps bold text, line breaks and http(s) links, which open in a new tab with nofollow', () => {
    render(<MarkdownRenderer text={'**Bold** and https://example.org/a\n[named](http://example.org)'} />);
    const bold = screen.getByText('Bold');
    expect(bold.tagName).toBe('STRONG');
    expect(bold.parentElement).toHaveClass('whitespace-pre-line');
    const links = screen.getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://example.org/a', 'http://example.org']);
    expect(links[1]).toHaveTextContent('named');
    for (const link of links) {
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noopener nofollow');
    }
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](//evil.example)',
    '[x](/admin)',
    '[x](mailto:a@example.org)',
    '<a href="javascript:alert(1)">x</a>',
  ])('removes the link from %s', (text) => {
    render(<MarkdownRenderer text={text} />);
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });

  it('removes images, raw HTML, scripts and headings', () => {
    const text = '# Head\n\n![p](https://example.org/p.png)\n\n<img src=x onerror=alert(1)><script>alert(1)</script>';
    const { container } = render(<MarkdownRenderer text={text} />);
    expect(container.querySelector('img, script, h1, iframe, style')).toBeNull();
    expect(screen.getByText('Head')).toBeInTheDocument();
  });

  it('shows text that nests deeper than the parser can go', () => {
    render(<MarkdownRenderer text={`${'>'.repeat(9_990)}Try it`} />);
    expect(screen.getByText('Try it')).toBeInTheDocument();
  });
});
