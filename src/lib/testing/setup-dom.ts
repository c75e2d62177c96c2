import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';

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

afterEach(() => {
  cleanup();
  localStorage.clear();
});
