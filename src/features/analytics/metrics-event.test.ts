import type { EventData } from '@/lib/analytics';
import { campaignTracking, metricsEvent } from './metrics-event';

const visitor = { userId: 'user_1', userAgent: 'Browser/1', sessionId: 'session-1' };
const event = (name: string, data: EventData = {}) => ({
  name,
  data,
  href: 'https://questboard.example/unsubscribe?token=secret#top',
  at: new Date('2026-03-01T12:00:00Z'),
});

it('ANA-04 a metrics event has type, user_id and data with every named field', () => {
  expect(metricsEvent(event('plan_click', { label: 'og_lifetime', value: 99, place: 'home' }), visitor)).toEqual({
    type: 'plan_click',
    user_id: 'user_1',
    data: {
      action: 'plan_click',
      category: 'conversion',
      label: 'og_lifetime',
      value: 99,
      page_url: 'https://questboard.example/unsubscribe',
      user_agent: 'Browser/1',
      session_id: 'session-1',
      timestamp: '2026-03-01T12:00:00.000Z',
      extras: { place: 'home' },
    },
  });
});

it("keeps the caller's action and category", () => {
  const { data } = metricsEvent(event('anything', { action: 'opened', category: 'help' }), visitor);
  expect(data).toMatchObject({ action: 'opened', category: 'help', label: null, value: null, extras: {} });
  expect(metricsEvent(event('anything'), visitor).data).toMatchObject({ category: 'general' });
});

it('ANA-02 only the campaign tracking parameters are taken from the address', () => {
  expect(
    campaignTracking('https://questboard.example/?utm_source=letter&utm_campaign=spring&ref=REF1&token=x'),
  ).toEqual({
    utm_source: 'letter',
    utm_campaign: 'spring',
  });
  expect(campaignTracking('https://questboard.example/')).toEqual({});
});
