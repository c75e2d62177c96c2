import '@testing-library/jest-dom/vitest';
import { cleanup, configure, render, screen } from '@testing-library/react';
import type { ClassValue } from 'clsx';
import { createElement } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Markdown } from '@/components/markdown';

// Generous, because machines that run the tests are busy; what is there at once is found at once.
configure({ asyncUtilTimeout: 10_000 });

/** What jsdom lacks and Radix or the router ask for. */
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;
window.scrollTo = () => undefined;
window.matchMedia ??= (query) =>
  Object.assign(new EventTarget(), {
    // Tests see the desktop's version; narrower ones replace this in the test.
    matches: query.includes('min-width'),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

/**
 * Joins class names as the app does, and fails the test that renders two for the same property: which of them wins is the style sheet's
 * affair, and not that of the one that comes last.
 */
vi.mock('@/lib/cn', async () => {
  const { clsx } = await import('clsx');
  const { extendTailwindMerge } = await import('tailwind-merge');
  const merge = extendTailwindMerge({ extend: { theme: { radius: ['control', 'card'], shadow: ['card'] } } });
  const cn = (...classes: ClassValue[]) => {
    const joined = clsx(classes);
    const kept = new Set(merge(joined).split(' '));
    const lost = joined.split(/\s+/).filter((name) => name && !kept.has(name));
    if (lost.length > 0) throw new Error(`${lost.join(' and ')} contradicted by another class of: ${joined}`);
    return joined;
  };
  return { cn };
});

/** Files share a document and what they import, so each file says anew what is done around its tests. */
export function cleanUpAfterTests(): void {
  beforeAll(async () => {
    // Testing Library sets this for the first file that imports it, and takes it back at that file's end.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    // The one part of many screens that comes in its own chunk: it would arrive in the middle of whichever test shows it first.
    // Rules have no screens, and loading it would take longer than they do.
    await ConfirmDialog.preload();
    render(createElement(Markdown, { text: 'Loaded' }));
    await screen.findByText('Loaded');
    cleanup();
  });
  afterEach(() => {
    cleanup();
    toast.dismiss();
    localStorage.clear();
    sessionStorage.clear();
    document.head.replaceChildren();
    document.body.replaceChildren();
  });
}
