// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { drawPreview, type PreviewFacts, previewOf } from './drawing.ts';
import { display, drawable, shorten, text, widthOf, wrap } from './words.ts';

const nothing: PreviewFacts = {
  title: null,
  project_name: null,
  reward_points: null,
  reward_title: null,
  open_quests: null,
  level: null,
};
const quest = { ...nothing, title: 'Try the sign-up', project_name: 'Paperkite', reward_points: 1250 };

/** The drawing as parsed by an XML parser. */
function drawn(facts: PreviewFacts, kind: Parameters<typeof previewOf>[0] = 'quest') {
  const written = drawPreview(previewOf(kind, facts, null));
  const { documentElement: svg } = new DOMParser().parseFromString(written, 'image/svg+xml');
  expect(svg.tagName).toBe('svg');
  return { svg, words: [...svg.querySelectorAll('text')].map(({ textContent }) => textContent) };
}

describe('BEY-17 the content of a preview image', () => {
  it('a quest: its project, its title, what one member gets', () => {
    expect(drawn(quest).words).toEqual(['P', 'Paperkite', 'Questboard', 'Try the sign-up', '1,250 points']);
    expect(drawn({ ...quest, reward_title: 'A mug' }).words).toContain('+ A mug');
    expect(drawn({ ...quest, reward_points: 0, reward_title: 'A mug' }).words.at(-1)).toBe('A mug');
  });

  it.each([
    ['project', { ...nothing, title: 'Paperkite', open_quests: 3 }, ['Paperkite', '3 open quests']],
    ['project', { ...nothing, title: 'Paperkite', open_quests: 1 }, ['Paperkite', '1 open quest']],
    ['project', { ...nothing, title: 'Paperkite', open_quests: 0 }, ['Questboard', 'Paperkite']],
    ['member', { ...nothing, title: 'Ada', level: 3 }, ['Ada', 'Level 3']],
    ['invitation', { ...nothing, reward_points: 250 }, ['250 points', 'for signing up']],
  ] as const)('a %s with %o', (kind, facts, last) => {
    expect(drawn(facts, kind).words.slice(-2)).toEqual(last);
  });

  it.each([
    ['markup', '</text><script>alert(1)</script>', '</text><script>alert(1)</script>'],
    ['the end of a CDATA section', ']]><image href="https://evil.example/x"/>', ']]><image'],
    ['entities and quotes', `&amp; "a" 'b' &#0;`, `&amp; "a" 'b' &#0;`],
    ['control characters', 'a\u0000b\u0007\u2028c', 'ab c'],
    ['bidirectional control characters', '\u202Eevil\u202C \u2067x', 'evil x'],
    ['a lone surrogate', 'x \uD83D y', 'x y'],
    ['emoji', 'Ship it 🚀🎉 now', 'Ship it now'],
    ['styled Unicode letters', '𝗙𝗿𝗲𝗲 ｐｏｉｎｔｓ', 'Free points'],
    ['extended Latin letters', 'Łódź, Çeşme, Đà', 'Łódź, Çeşme, Đà'],
  ])('a hostile or unusual title is plain text: %s', (_, title, shown) => {
    const { svg, words } = drawn({ ...quest, title, project_name: title, reward_title: title });
    expect(words.some((line) => line?.includes(shown))).toBe(true);
    expect(svg.querySelectorAll('script, image, foreignObject, use, a')).toHaveLength(0);
  });

  it.each([
    ['Japanese', '日本語のクエスト'],
    ['Arabic', 'مهمة جديدة'],
    ['Hebrew', 'משימה חדשה'],
    ['Russian', 'Новый квест'],
    ['emoji only', '🎉 🎉'],
    ['stacked combining marks', 'Z\u0351\u036b\u0343\u0369A\u0351\u036bL'],
  ])('a title that the fonts cannot render completely is omitted: %s', (_, title) => {
    expect(drawn({ ...quest, title, project_name: title }).words).toEqual([
      ...['A quest on Questboard', 'Questboard', 'A quest for you', '1,250 points'],
    ]);
  });

  it.each([['word '.repeat(2_000)], ['W'.repeat(10_000)], [`${'a'.repeat(40)} `.repeat(250)]])(
    'ten thousand characters end in an ellipsis inside the card',
    (title) => {
      const { svg } = drawn({ ...quest, title, project_name: title, reward_title: title });
      const lines = [...svg.querySelectorAll('text')];
      expect(lines.filter((line) => line.getAttribute('x') === '112' && line.textContent?.endsWith('…'))).toHaveLength(
        1,
      );
      for (const line of lines) {
        if (line.getAttribute('text-anchor') === 'middle') continue;
        const font = line.getAttribute('font-family') === display.family ? display : text;
        const end =
          Number(line.getAttribute('x')) +
          widthOf(line.textContent ?? '', font, Number(line.getAttribute('font-size')));
        expect(end).toBeLessThanOrEqual(1_089);
        expect(Number(line.getAttribute('y'))).toBeLessThan(576);
      }
    },
  );

  it('lines break between words, and inside words that are wider than a line', () => {
    expect(wrap('aa bb cc', display, 100, widthOf('aa bb', display, 100), 3)).toEqual(['aa bb', 'cc']);
    expect(wrap('aaaa', display, 100, widthOf('aa', display, 100), 3)).toEqual(['aa', 'aa']);
    expect(wrap('a b c d', display, 100, widthOf('b…', display, 100), 2)).toEqual(['a', 'b…']);
    expect(shorten('abc', text, 100, widthOf('abc', text, 100))).toBe('abc');
    expect(drawable('  ', text)).toBeNull();
    expect(drawable(null, text)).toBeNull();
  });
});
