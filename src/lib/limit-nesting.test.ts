import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { describe, expect, it } from 'vitest';
import { limitNesting } from './limit-nesting.ts';

describe('limitNesting', () => {
  it.each([
    ['quotes', '>'],
    ['quotes with spaces', '> '],
    ['lists', '- '],
    ['other lists', '*\t'],
    ['numbered lists', '1. '],
    ['quotes and lists', '>- 1) '],
  ])('TRUST-13 keeps ten thousand characters of nested %s readable', (_, markers) => {
    const hostile = `${markers.repeat(9_990 / markers.length)}a`;
    expect(textOf(fromMarkdown(limitNesting(`Before\n\n${hostile}\n\nAfter`)))).toContain('a');
    expect(limitNesting(hostile).length).toBeLessThan(50);
  });

  it.each([
    '- one\n  - two\n    - three\n',
    '> > quoted\n> twice',
    '1. - > * + 2) 3. - eight',
    '---\n* * *\n- - - - -',
    'A > B, 1. and 2. - and so on - - - - - - - - - -',
  ])('leaves %j as it is', (text) => {
    expect(limitNesting(text)).toBe(text);
  });
});
