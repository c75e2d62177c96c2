vi.stubEnv('VITE_SUPABASE_URL', 'http://supabase.test');
vi.stubEnv('VITE_SUPABASE_ANON_KEY', 'sb_publishable_test');
vi.stubEnv('VITE_CLERK_PUBLISHABLE_KEY', 'pk_test_Y2xlcmsuZXhhbXBsZS50ZXN0JA');

const unexpected: string[] = [];
const expected: (string | RegExp)[] = [];

/** Allows the next console errors that contain `text`, in this test only; any other one fails it. */
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
  const errors = unexpected.splice(0);
  expected.length = 0;
  if (errors.length > 0) throw new Error(`Unexpected console.error: ${errors.join('\n')}`);
});

// `unstubGlobals` acts before each test: a file's last stubs would still be there while the next file is imported.
afterAll(() => void vi.unstubAllGlobals());

// Tests of rules and queries run without a document, which takes longer to create than most of them to run.
// Imported late: what was registered last is cleaned up first, and its errors count as well.
if (typeof document !== 'undefined') (await import('./setup-dom')).cleanUpAfterTests();
// Before anything is cleaned up by a clock that stands still.
afterEach(() => void vi.useRealTimers());
