import { describe, expect, it } from 'vitest';
import { quote } from './quote.ts';

describe('quoted user text in mails', () => {
  it('is unchanged when it is plain', () => {
    expect(quote('The link is broken. Please send version 1.5 ...now!')).toBe(
      '“The link is broken. Please send version 1.5 ...now!”',
    );
  });

  it.each([
    ['https://evil.example/login?a=b', '“evil[.]example/login?a=b”'],
    ['Go to EVIL.example now', '“Go to EVIL[.]example now”'],
    ['javascript://evil.example', '“evil[.]example”'],
    // Nothing that is left over becomes a scheme, also before a host without a letter after its dots.
    ['http:/x:///1.2.3.4/login', '“http:/1.2.3.4/login”'],
    ['http:x:////16909060/login', '“http:16909060/login”'],
    ['_http://1.2.3.4 and 1http://1.2.3.4', '“_1.2.3.4 and 11.2.3.4”'],
    ['evil．example and evil。example', '“evil[.]example and evil[.]example”'],
    // Host names may end in a vowel sign or an emoji.
    ['नमस्ते.भारत and i❤️.example', '“नमस्ते[.]भारत and i❤️[.]example”'],
    ['write to help@evil.example', '“write to help[at]evil[.]example”'],
    ['mailto:help@evil.example', '“mailto:help[at]evil[.]example”'],
    ['ev\u200bil.\u200bexample', '“ev il. example”'],
  ])('TRUST-13 contains nothing that becomes a link: %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  it('TRUST-13 is on one line, without bidirectional control characters', () => {
    expect(quote('No.\r\n\r\nQuestboard Support\u202e gro.live\u2028x')).toBe('“No. Questboard Support gro[.]live x”');
  });

  it('is truncated', () => {
    expect(quote('x'.repeat(301))).toBe(`“${'x'.repeat(299)}…”`);
    expect(quote('x'.repeat(300))).toBe(`“${'x'.repeat(300)}”`);
    expect(quote('😀'.repeat(81), 80)).toBe(`“${'😀'.repeat(79)}…”`);
  });
});

it('keeps the order of a sentence around a text from right to left, such as the number after it', () => {
  expect(quote('جرب تطبيقنا')).toBe('“\u2068جرب تطبيقنا\u2069”');
  expect(quote('נסו')).toBe('“\u2068נסו\u2069”');
  expect(quote('Try it')).toBe('“Try it”');
});
