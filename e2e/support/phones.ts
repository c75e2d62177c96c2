import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';

const NARROWEST = 360;
const WIDEST = 430;
const HEIGHT = 740;

interface Size<T> {
  width: number;
  seen: T;
}

/**
 * Measures the current page at each width of common phones, pixel by pixel, in a copy inside a frame: a frame is laid out at once when its
 * width changes, while the window paints each of 71 sizes. At both ends the page itself must be as high as its copy; a page that has
 * changed meanwhile is copied again. `measure` runs in the browser and has no access to outer variables.
 */
export async function atPhoneWidths<T>(page: Page, measure: (copy: Document) => T): Promise<Size<T>[]> {
  const before = page.viewportSize();
  let sizes: Size<T>[] = [];
  await expect(async () => {
    const own: number[] = [];
    for (const width of [WIDEST, NARROWEST]) {
      await page.setViewportSize({ width, height: HEIGHT });
      own.push(await page.evaluate(() => document.documentElement.scrollHeight));
    }
    const copied = await page.evaluate<(Size<T> & { height: number })[]>(inCopy(measure));
    expect([copied.at(0)?.height, copied.at(-1)?.height], 'heights of the copy').toEqual(own);
    sizes = copied;
  }).toPass({ intervals: [0], timeout: 30_000 });
  if (before) await page.setViewportSize(before);
  return sizes;
}

/** What the browser runs, as text because it embeds a function of the caller. */
const inCopy = (measure: (copy: Document) => unknown) => `(async () => {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'position: fixed; top: 0; left: 0; border: 0; visibility: hidden; width: ${WIDEST}px; height: ${HEIGHT}px';
  const copy = document.documentElement.cloneNode(true);
  // Rules added by scripts are not in any text.
  const styles = copy.querySelectorAll('style');
  for (const [index, { sheet }] of document.querySelectorAll('style').entries())
    styles[index].textContent = [...sheet.cssRules].map((rule) => rule.cssText).join(' ');
  for (const script of copy.querySelectorAll('script, link[rel$="preload"]')) script.remove();
  frame.srcdoc = '<!doctype html>' + copy.outerHTML;
  await new Promise((resolve) => {
    frame.addEventListener('load', resolve);
    document.body.append(frame);
  });
  await frame.contentDocument.fonts.ready;
  const measure = ${measure};
  const sizes = [];
  for (let width = ${WIDEST}; width >= ${NARROWEST}; width -= 1) {
    frame.style.width = width + 'px';
    const height = frame.contentDocument.documentElement.scrollHeight;
    sizes.push({ width, height, seen: measure(frame.contentDocument) });
  }
  frame.remove();
  return sizes;
})()`;
