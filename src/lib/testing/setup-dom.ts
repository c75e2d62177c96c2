import '@testing-library/jest-dom/vitest';
import { cleanup, configure, render, screen } from '@testing-library/react';
import { createElement } from 'react';
import { toast } from 'sonner';
import { Markdown } from '@/components/markdown';

// Generous, because machines that run the tests are busy; what is there at once is found at once.
configure({ asyncUtilTimeout: 5000 });

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

/** Files share a document and what they import, so each file says anew what is done around its tests. */
export function cleanUpAfterTests(): void {
  beforeAll(async () => {
    // Testing Library says it to the first file that imports it, and takes it back at its end.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    // The one part of many screens that comes in its own chunk: it would arrive in the middle of whichever test shows it first.
    // Rules have no screens, and loading it would take longer than they do.
    if (!expect.getState().testPath?.endsWith('.tsx')) return;
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
