import '@testing-library/jest-dom/vitest';
import { act, cleanup, configure, render, screen } from '@testing-library/react';
import type { ClassValue } from 'clsx';
import { createElement } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { Markdown } from '@/components/markdown';

// Generous, because the machines that run the tests are busy and may stand still for half a minute, after which a wait gives up before React
// has done its work; what is present is found at once.
configure({ asyncUtilTimeout: 60_000 });

/** What jsdom lacks and Radix or the router need. */
Element.prototype.scrollIntoView ??= () => undefined;
document.elementFromPoint ??= () => null;
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;
window.scrollTo = () => undefined;
window.matchMedia ??= (query) =>
  Object.assign(new EventTarget(), {
    // Tests use the desktop layout; a test for a narrower one replaces this.
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
 * Joins class names as the app does, and fails the test that renders two for the same property: the style sheet decides which one wins, not
 * their order.
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

/** Files share a document and imported modules, so each file registers its hooks again. */
export function cleanUpAfterTests(): void {
  beforeAll(async () => {
    // Testing Library sets this for the first file that imports it, and resets it at that file's end.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    // The one part of many screens with its own chunk: it would arrive in the middle of whichever test shows it first.
    // Tests of rules have no screens, and loading it would take longer than they do.
    await ConfirmDialog.preload();
    render(createElement(Markdown, { text: 'Loaded' }));
    await screen.findByText('Loaded');
    cleanup();
  });
  afterEach(async () => {
    // A request that a test has begun is counted to it, not to the next one or to nobody.
    await act(() => new Promise<void>((resolve) => setTimeout(resolve)));
    cleanup();
    toast.dismiss();
    localStorage.clear();
    sessionStorage.clear();
    document.head.replaceChildren();
    document.body.replaceChildren();
    window.history.replaceState(null, '', '/');
  });
}
