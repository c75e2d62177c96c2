import { act, screen, waitFor } from '@testing-library/react';
import { Link, Outlet } from 'react-router-dom';
import { analytics, setAnalytics } from '@/lib/analytics';
import type { Identity } from '@/lib/auth/session';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { ConsentLink } from '../consent';
import { usePageViews } from '../use-page-views';
import { AnalyticsTracker } from './analytics-tracker';
import { ConsentBanner } from './consent-banner';

const src = 'https://statistics.example/script.js';
let script: string | undefined;

vi.mock('@/lib/env', async (original) => {
  const env = await original<typeof import('@/lib/env')>();
  return { ...env, getEnv: () => ({ ...env.getEnv(), VITE_ANALYTICS_SRC: script }) };
});

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  script = undefined;
});
afterEach(() => {
  // Events queued by one test must not be sent with the next one's.
  vi.runOnlyPendingTimers();
  setAnalytics(null);
  delete window.dataLayer;
  for (const element of document.querySelectorAll('script[data-analytics]')) element.remove();
});

function Pages() {
  usePageViews();
  return <Outlet />;
}

type SentEvent = { type: string; user_id: string | null; data: Record<string, unknown> };

function setUp({ path = '/', identity = signedOut as Identity, answer = undefined as unknown } = {}) {
  const api = fakeApi({ 'POST metrics_events': answer });
  const layout = (
    <>
      <AnalyticsTracker />
      <ConsentBanner />
      <ConsentLink />
      <Link to="/browse">Explore</Link>
      <Pages />
    </>
  );
  const view = renderApp(null, { routes: [{ path: '*', element: layout }], path, identity });
  const sent = () => api.calls.flatMap(({ body }) => body as SentEvent[]);
  const loaded = () => document.querySelector<HTMLScriptElement>('script[data-analytics]')?.src;
  return { ...view, sent, loaded };
}

/** Longer than the batching delay. */
const settled = () => act(() => vi.advanceTimersByTimeAsync(600));

describe('events', () => {
  it('ANA-02 a page view carries the campaign tracking parameters and goes to metrics_events', async () => {
    window.history.replaceState(null, '', '/?utm_source=letter&utm_medium=mail&ref=REF12345');
    const { sent } = setUp();
    await waitFor(() => expect(sent()).toHaveLength(1));
    window.history.replaceState(null, '', '/');
    expect(sent()[0]).toMatchObject({
      type: 'page_view',
      user_id: null,
      data: { action: 'page_view', label: '/', extras: { utm_source: 'letter', utm_medium: 'mail' } },
    });
  });

  it('ANA-04 events of one tab share a session id and are sent in one batch, as the signed-in person', async () => {
    const { sent, user } = setUp({ identity: signedIn() });
    await user.click(screen.getByRole('link', { name: 'Explore' }));
    act(() => analytics.track('cta_click', { label: 'Join Community' }));
    await waitFor(() => expect(sent()).toHaveLength(3));
    expect(sent().map(({ type, data }) => [type, data.label])).toEqual([
      ['page_view', '/'],
      ['page_view', '/browse'],
      ['cta_click', 'Join Community'],
    ]);
    expect(new Set(sent().map(({ user_id }) => user_id))).toEqual(new Set(['user_test']));
    expect(new Set(sent().map(({ data }) => data.session_id)).size).toBe(1);
    expect(sent()[0]?.data).toMatchObject({ user_agent: navigator.userAgent, timestamp: expect.any(String) });
  });

  it('stops at once when the user opts out in the footer, and resumes when they opt in', async () => {
    const { sent, user } = setUp();
    await waitFor(() => expect(sent()).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Statistics: on' }));
    act(() => analytics.track('cta_click'));
    await settled();
    expect(sent()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Statistics: off' }));
    act(() => analytics.track('cta_click'));
    await waitFor(() => expect(sent()).toHaveLength(2));
  });

  it('continues silently when events cannot be sent', async () => {
    const { sent } = setUp({ answer: offline() });
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(screen.getByRole('link', { name: 'Explore' })).toBeInTheDocument();
  });

  it('flushes the queue when the tab is hidden', async () => {
    // Less time passes than the delay of a batch, however slow the machine is.
    vi.useFakeTimers();
    const { sent } = setUp();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(sent()).toHaveLength(1);
  });
});

describe('the third-party script', () => {
  it('requests and loads nothing where none is configured', async () => {
    const { loaded } = setUp();
    await settled();
    expect(screen.queryByRole('region', { name: 'Statistics' })).not.toBeInTheDocument();
    expect(loaded()).toBeUndefined();
  });

  it('ANA-01 is loaded at start once consent was given, and receives the events', async () => {
    script = src;
    const { loaded, user, unmount } = setUp();
    expect(loaded()).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Allow' }));
    expect(loaded()).toBe(src);
    act(() => analytics.track('plan_click', { label: 'beta_free' }));
    expect(window.dataLayer).toContainEqual({ event: 'plan_click', label: 'beta_free' });

    unmount();
    document.querySelector('script[data-analytics]')?.remove();
    const again = setUp();
    expect(again.loaded()).toBe(src);
    expect(screen.queryByRole('region', { name: 'Statistics' })).not.toBeInTheDocument();
  });

  it('stays unloaded after a refusal, which also stops our own events and can be revoked', async () => {
    script = src;
    const { loaded, sent, user } = setUp();
    await user.click(screen.getByRole('button', { name: 'No thanks' }));
    await settled();
    const before = sent().length;
    act(() => analytics.track('cta_click'));
    await settled();
    expect(sent()).toHaveLength(before);
    expect(loaded()).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Statistics: off' }));
    expect(screen.getByRole('region', { name: 'Statistics' })).toBeInTheDocument();
  });

  it('honours Global Privacy Control until the user decides otherwise', async () => {
    script = src;
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { globalPrivacyControl: true }));
    const { loaded, user } = setUp();
    expect(screen.queryByRole('region', { name: 'Statistics' })).not.toBeInTheDocument();
    expect(loaded()).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Statistics: off' }));
    expect(loaded()).toBe(src);
    vi.unstubAllGlobals();
  });
});
