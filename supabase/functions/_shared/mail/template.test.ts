import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { notificationMessage, welcomeMessage } from './messages.ts';
import { renderMail, toHeaderText } from './template.ts';

const frame = {
  siteUrl: 'https://questboard.test',
  unsubscribeUrl: 'https://questboard.test/unsubscribe?token=a&b="c"',
};

describe('mail template', () => {
  it('TRUST-13 escapes user text, in content and in attributes', () => {
    const { html } = renderMail(welcomeMessage({ firstName: '<img src=x onerror=alert(1)>', isStartup: false }, frame));
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('unsubscribe?token=a&amp;b=&quot;c&quot;"');
    expect(html).not.toContain('<img');
  });

  it('has the same content in both parts', () => {
    const message = notificationMessage({ subject: 'Proof reviewed', message: 'One\nline\n\nTwo' }, frame);
    const { html, text } = renderMail(message);
    for (const words of ['Proof reviewed', 'Two', 'Open Questboard', message.reason]) {
      expect(html).toContain(words);
      expect(text).toContain(words);
    }
    expect(html).toContain('One<br>line');
  });

  it('omits the unsubscribe link when there is nothing to unsubscribe from', () => {
    const { html, text } = renderMail(welcomeMessage({ isStartup: true }, { ...frame, unsubscribeUrl: null }));
    expect(html + text).not.toContain('nsubscribe');
  });

  it('breaks words that are wider than a phone', () => {
    const { html } = renderMail(notificationMessage({ subject: 'Proof reviewed', message: 'x'.repeat(300) }, frame));
    expect(html).toMatch(/<td [^>]*style="[^"]*overflow-wrap:anywhere[^"]*">\n<h1/);
  });

  it('has the colours of the product, light inline and dark where the client prefers it', () => {
    const tokens = readFileSync('src/styles/tokens.css', 'utf8');
    const { html } = renderMail(notificationMessage({ subject: 'Proof reviewed', message: 'One' }, frame));
    const sheet = html.slice(0, html.indexOf('</style>'));
    expect(sheet).toContain('@media (prefers-color-scheme:dark){');
    const body = html.slice(sheet.length);
    const painted = [...body.matchAll(/class="([^"]+)" style="([^"]+)"/g)];
    expect(painted.length).toBeGreaterThanOrEqual(7);
    for (const [, classes = '', style = ''] of painted) {
      for (const name of classes.split(' ')) {
        const [, property, color] = /^(background|border-color|color)-(.+)$/.exec(name) ?? [];
        const [, light, dark] = new RegExp(`--color-${color}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
        expect(style.split(';'), name).toContain(`${property}:${light}`);
        expect(sheet).toContain(`.${name}{${property}:${dark}!important}`);
      }
    }
    // Whatever has a colour has a dark one, too.
    expect(body.match(/#[0-9a-f]{6}/g)).toHaveLength(painted.flatMap(([, classes = '']) => classes.split(' ')).length);
  });

  it('keeps a subject on one line', () => {
    expect(toHeaderText(' Hi\r\nBcc: x@y.test\u2028z\u0000 ')).toBe('Hi Bcc: x@y.test z');
  });
});
