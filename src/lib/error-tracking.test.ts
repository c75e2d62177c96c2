// @vitest-environment jsdom
const dsn = 'https://key@reports.test/1';
const sendReport = vi.fn();

/** The module as built with this address. */
async function load(address: string) {
  vi.resetModules();
  vi.stubEnv('VITE_SENTRY_DSN', address);
  vi.doMock('./sentry', () => ({ sendReport }));
  const [tracking, { AppError }] = await Promise.all([import('./error-tracking'), import('./errors')]);
  return { ...tracking, AppError };
}

beforeEach(() => void sendReport.mockClear());
afterEach(() => {
  vi.doUnmock('./sentry');
  vi.resetModules();
  vi.stubEnv('VITE_SENTRY_DSN', '');
});

/** What was reported, after all pending work has ended. */
async function reported(): Promise<unknown[]> {
  await vi.dynamicImportSettled();
  return sendReport.mock.calls.map(([, error]) => error);
}

describe('an error', () => {
  it('in our code is reported, once', async () => {
    const { reportError, AppError } = await load(dsn);
    const faults = [new AppError('UNEXPECTED', 'x', 500), new AppError('UNKNOWN', 'x', 0), new TypeError('x is null')];
    for (const fault of [...faults, ...faults]) reportError(fault);
    reportError('a text');
    expect(await reported()).toEqual([...faults, 'a text']);
    expect(sendReport.mock.calls[0]?.[0]).toBe(dsn);
  });

  it('that is a refusal, a broken connection or an abort is expected', async () => {
    const { reportError, AppError } = await load(dsn);
    reportError(new AppError('FORBIDDEN', 'Forbidden', 403));
    reportError(new AppError('NETWORK', 'Network error.', 0));
    for (const name of ['AbortError', 'CancelledError', 'PageLoadError', 'EnvError']) {
      reportError(Object.assign(new Error('x'), { name }));
    }
    expect(await reported()).toEqual([]);
  });

  it('is reported under the reference shown to the user', async () => {
    const { reportError, crashReference, AppError } = await load(dsn);
    const cause = { message: 'x', requestId: '1a2b3c4d-0000-4000-8000-000000000000' };
    const crash = new Error('x');
    const shown = crashReference(crash);
    expect(shown).toMatch(/^[0-9a-f]{8}$/);
    expect(crashReference(crash)).toBe(shown);
    expect(crashReference(new Error('x'))).not.toBe(shown);
    expect([crashReference('a text'), crashReference(null)]).toEqual([undefined, undefined]);
    reportError(new AppError('UNEXPECTED', 'x', 500, cause));
    reportError(crash);
    await reported();
    expect(sendReport.mock.calls.map(([, , reference]) => reference)).toEqual(['1a2b3c4d', shown]);
  });

  it('that is uncaught is reported, unless it comes from a third-party script', async () => {
    const { startErrorTracking } = await load(dsn);
    startErrorTracking();
    const [own, strange, promised] = [new Error('own'), new Error('strange'), new Error('promised')];
    const { origin } = window.location;
    window.dispatchEvent(new ErrorEvent('error', { error: own, filename: `${origin}/assets/a.js` }));
    window.dispatchEvent(new ErrorEvent('error', { error: strange, filename: 'chrome-extension://x/a.js' }));
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: promised }));
    expect(await reported()).toEqual([own, promised]);
  });

  it('caught by a boundary is reported, and still logged to the console', async () => {
    const { rootOptions } = await load(dsn);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const caught = new Error('caught');
    rootOptions().onCaughtError?.(caught);
    expect(await reported()).toEqual([caught]);
    expect(logged).toHaveBeenCalledWith(caught);
  });

  it('is not reported where no address is configured', async () => {
    const { reportError, crashReference, rootOptions, startErrorTracking } = await load('');
    const listen = vi.spyOn(window, 'addEventListener');
    startErrorTracking();
    reportError(new Error('x'));
    expect(await reported()).toEqual([]);
    expect([crashReference(new Error('x')), rootOptions(), listen.mock.calls]).toEqual([undefined, {}, []]);
  });
});
