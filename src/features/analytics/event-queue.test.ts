// @vitest-environment jsdom
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { createAdapter, enqueueEvent, flushWhenHidden, loadAnalyticsScript, sessionId } from './event-queue';

const event = (type: string) => ({ type, user_id: null, data: {} });
const route = 'POST metrics_events';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  delete window.dataLayer;
});
afterEach(() => {
  vi.runOnlyPendingTimers();
});

const sentTypes = (api: ReturnType<typeof fakeApi>) =>
  api.calls.map(({ body }) => (body as { type: string }[]).map(({ type }) => type));

describe('ANA-04 events', () => {
  it('are batched, half a second after the first one', async () => {
    const api = fakeApi({ [route]: Response.json(null, { status: 201 }) });
    enqueueEvent(event('a'));
    await vi.advanceTimersByTimeAsync(400);
    enqueueEvent(event('b'));
    expect(api.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(sentTypes(api)).toEqual([['a', 'b']]);
    enqueueEvent(event('c'));
    await vi.advanceTimersByTimeAsync(500);
    expect(sentTypes(api)).toEqual([['a', 'b'], ['c']]);
  });

  it('ERR-04 are lost silently', async () => {
    const api = fakeApi({ [route]: offline() });
    enqueueEvent(event('a'));
    await vi.advanceTimersByTimeAsync(500);
    expect(api.calls).toHaveLength(1);
  });

  it('are flushed when the page is hidden, until the listener is removed', async () => {
    const api = fakeApi({ [route]: Response.json(null, { status: 201 }) });
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
    const change = async () => {
      document.dispatchEvent(new Event('visibilitychange'));
      await vi.advanceTimersByTimeAsync(0);
    };
    const stop = flushWhenHidden();
    enqueueEvent(event('a'));
    await change();
    expect(api.calls).toEqual([]);
    visibility.mockReturnValue('hidden');
    await change();
    await change();
    expect(sentTypes(api)).toEqual([['a']]);
    // No timer is left.
    await vi.advanceTimersByTimeAsync(1000);
    expect(api.calls).toHaveLength(1);
    stop();
    enqueueEvent(event('b'));
    await change();
    expect(api.calls).toHaveLength(1);
  });

  it('ANA-01 reach the script only with consent, and are recorded in any case', async () => {
    const api = fakeApi({ [route]: Response.json(null, { status: 201 }) });
    const happened = { href: 'https://questboard.example/rewards?utm_source=letter', at: new Date() };
    createAdapter({ userId: 'user_1', hasScript: false })({ name: 'plan_click', data: { label: 'x' }, ...happened });
    expect(window.dataLayer).toBeUndefined();
    const report = createAdapter({ userId: 'user_1', hasScript: true });
    report({ name: 'page_view', data: { label: '/rewards' }, ...happened });
    report({ name: 'cta_click', data: {}, ...happened });
    expect(window.dataLayer).toEqual([
      { event: 'page_view', label: '/rewards', utm_source: 'letter' },
      { event: 'cta_click' },
    ]);
    await vi.advanceTimersByTimeAsync(500);
    expect(sentTypes(api)).toEqual([['plan_click', 'page_view', 'cta_click']]);
    expect(api.calls[0]?.body).toMatchObject([
      { user_id: 'user_1', data: { label: 'x', session_id: sessionId(), user_agent: navigator.userAgent } },
      { data: { label: '/rewards', page_url: 'https://questboard.example/rewards', extras: { utm_source: 'letter' } } },
      { data: { label: null, extras: {} } },
    ]);
  });
});

it('ANA-04 a visit has one random id, which survives a reload and disabled storage', async () => {
  sessionStorage.clear();
  vi.resetModules();
  const { sessionId: atFirst } = await import('./event-queue');
  const id = atFirst();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(atFirst()).toBe(id);
  vi.resetModules();
  const { sessionId: afterReload } = await import('./event-queue');
  expect(afterReload()).toBe(id);
  for (const method of ['getItem', 'setItem'] as const) {
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('Storage is forbidden', 'SecurityError');
    });
  }
  vi.resetModules();
  const { sessionId: withoutStorage } = await import('./event-queue');
  expect(withoutStorage()).toMatch(/^[0-9a-f]{32}$/);
  expect(withoutStorage()).toBe(withoutStorage());
  expect(withoutStorage()).not.toBe(id);
});

it('ANA-01 the script is loaded once', () => {
  document.head.innerHTML = '';
  loadAnalyticsScript('https://stats.test/a.js');
  loadAnalyticsScript('https://stats.test/a.js');
  const scripts = [...document.head.querySelectorAll('script')];
  expect(scripts.map(({ src, async }) => [src, async])).toEqual([['https://stats.test/a.js', true]]);
  document.head.innerHTML = '';
});
