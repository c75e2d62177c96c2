import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';

// Generous, because machines that run the tests are busy; what is there at once is found at once.
configure({ asyncUtilTimeout: 5000 });

vi.stubEnv('VITE_SUPABASE_URL', 'http://supabase.test');
vi.stubEnv('VITE_SUPABASE_ANON_KEY', 'sb_publishable_test');
vi.stubEnv('VITE_CLERK_PUBLISHABLE_KEY', 'pk_test_Y2xlcmsuZXhhbXBsZS50ZXN0JA');

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

const unexpected: string[] = [];
const expected: (string | RegExp)[] = [];

/** Lets the next console errors that contain `text` pass, in this test only; every other one fails it. */
export function expectConsoleError(text: string | RegExp): void {
  expected.push(text);
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...values: unknown[]) => {
    const message = values.map(String).join(' ');
    const isExpected = expected.some((text) =>
      typeof text === 'string' ? message.includes(text) : text.test(message),
    );
    if (!isExpected) unexpected.push(message);
  });
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  const errors = unexpected.splice(0);
  expected.length = 0;
  if (errors.length > 0) throw new Error(`Unexpected console.error:\n${errors.join('\n')}`);
});
