import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { describe, expect, it } from 'vitest';
import { limitMarkdown } from './limit-markdown.ts';

describe('limitMarkdown', () => {
  it.each([
    ['quotes', '>'],
    ['quotes with spaces', '> '],
    ['lists', '- '],
    ['other lists', '*\t'],
    ['numbered lists', '1. '],
    ['quotes and lists', '>- 1) '],
  ])('TRUST-13 keeps ten thousand characters of nested %s readable', (_, markers) => {
    const hostile = `${markers.repeat(9_990 / markers.length)}a`;
    expect(textOf(fromMarkdown(limitMarkdown(`Before\n\n${hostile}\n\nAfter`)))).toContain('a');
    expect(limitMarkdown(hostile).length).toBeLessThan(50);
  });

  it.each([
    ['*a_ ', '*a_'],
    ['*_', '*_'],
    ['~a ', '~a'],
    ['\\**a', '**a'],
  ])('TRUST-13 keeps ten thousand characters of %j readable, without looking for emphasis in all', (part, end) => {
    const hostile = part.repeat(10_000 / part.length);
    const limited = limitMarkdown(hostile);
    // What is escaped neither begins nor ends emphasis.
    expect(limited.replaceAll(/\\./g, '').match(/[*_~]/g)?.length).toBeLessThanOrEqual(1000);
    expect(textOf(fromMarkdown(limited)).endsWith(end)).toBe(true);
  });

  it.each(['www.a_', 'http://a.b/', 'a@b.c'])('TRUST-13 makes no address of a word of %j', (part) => {
    expect(limitMarkdown(part.repeat(1000)).replaceAll(/\\./g, '')).not.toMatch(/[.:@]/);
  });

  it.each([
    `https://example.com/${'a_b.'.repeat(100)}`,
    '**bold** and *so* on_and_on ~~gone~~ '.repeat(100),
    '- one\n  - two\n    - three\n',
    '> > quoted\n> twice',
    '1. - > * + 2) 3. - eight',
    '---\n* * *\n- - - - -',
    'A > B, 1. and 2. - and so on - - - - - - - - - -',
  ])('leaves %j as it is', (text) => {
    expect(limitMarkdown(text)).toBe(text);
  });
});
