import type { Page } from '@playwright/test';

/** Controls whose focus ring is missing or clipped by an ancestor. */
export async function clippedFocusRings(page: Page): Promise<string[]> {
  // With the keyboard first: focus rings appear for keyboard users.
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const clipped: string[] = [];
    const controls = document.querySelectorAll<HTMLElement>(
      'main :is(a[href], button, input, select, textarea, [tabindex="0"])',
    );
    for (const control of controls) {
      if (!control.checkVisibility() || control.matches(':disabled')) continue;
      control.focus({ preventScroll: true });
      if (document.activeElement !== control) continue;
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control);
      if (outlineStyle === 'none') {
        // The link of a whole card has its ring inside the card's edge, where nothing clips it.
        const after = getComputedStyle(control, '::after');
        const reach = Number.parseFloat(after.outlineWidth) + Number.parseFloat(after.outlineOffset);
        if (after.outlineStyle !== 'none' && reach <= 0) continue;
        clipped.push(`no ring: ${control.outerHTML.slice(0, 120)}`);
        continue;
      }
      const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
      const box = control.getBoundingClientRect();
      for (let around = control.parentElement; around && around !== document.body; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        const edge = around.getBoundingClientRect();
        const isInside =
          box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom;
        const isClippedX = overflowX !== 'visible' && (box.left - ring < edge.left || box.right + ring > edge.right);
        const isClippedY = overflowY !== 'visible' && (box.top - ring < edge.top || box.bottom + ring > edge.bottom);
        if (isInside && (isClippedX || isClippedY)) clipped.push(control.outerHTML.slice(0, 160));
      }
    }
    return [...new Set(clipped)];
  });
}
