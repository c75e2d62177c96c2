// @vitest-environment jsdom
import type { AnalyticsEvent } from './analytics';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
});

it('ANA-02 events from before the adapter are reported with it, with their page and time', async () => {
  const { analytics, setAnalytics } = await import('./analytics');
  window.history.replaceState(null, '', '/?utm_source=letter');
  analytics.track('page_view', { label: '/' });
  window.history.replaceState(null, '', '/rewards');
  vi.advanceTimersByTime(3000);
  const seen: AnalyticsEvent[] = [];
  setAnalytics((event) => seen.push(event));
  analytics.track('cta_click');
  expect(seen).toEqual([
    {
      name: 'page_view',
      data: { label: '/' },
      href: `${window.location.origin}/?utm_source=letter`,
      at: new Date('2026-03-01T12:00:00Z'),
    },
    { name: 'cta_click', data: {}, href: `${window.location.origin}/rewards`, at: new Date('2026-03-01T12:00:03Z') },
  ]);
});

it('forgets early events where analytics is off', async () => {
  const { analytics, setAnalytics } = await import('./analytics');
  const adapter = vi.fn();
  analytics.track('cta_click');
  setAnalytics(null);
  analytics.track('cta_click');
  setAnalytics(adapter);
  expect(adapter).not.toHaveBeenCalled();
});

it('keeps the first fifty where the adapter cannot be loaded', async () => {
  const { analytics, setAnalytics } = await import('./analytics');
  for (let label = 1; label <= 60; label++) analytics.track('cta_click', { label });
  const labels: unknown[] = [];
  setAnalytics(({ data }) => labels.push(data.label));
  expect(labels).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

it('ANA-02 a failing adapter does not break the page', async () => {
  const { analytics, setAnalytics } = await import('./analytics');
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  setAnalytics(() => {
    throw new Error('the adapter broke');
  });
  expect(() => analytics.track('cta_click')).not.toThrow();
  expect(warn).toHaveBeenCalledOnce();
});
