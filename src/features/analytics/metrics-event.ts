import type { AnalyticsEvent, EventData } from '@/lib/analytics';
import type { TablesInsert } from '@/types/database';

/** A row to insert into metrics_events (ANA-04). */
export type MetricsEvent = TablesInsert<'metrics_events'>;

export type Visitor = {
  userId: string | null;
  userAgent: string;
  sessionId: string;
};

/** Category of an event; others are 'general'. */
const categories: Readonly<Record<string, string>> = {
  page_view: 'navigation',
  cta_click: 'engagement',
  plan_click: 'conversion',
  checkout_start: 'conversion',
  quest_submission: 'quest',
  beta_feedback: 'feedback',
  mailing_list_subscription: 'engagement',
  registration_conversion: 'conversion',
  user_journey: 'conversion',
};

const campaignParameters = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/** The UTM parameters of a URL, cut to 100 characters each (ANA-02). */
export function campaignTracking(href: string): EventData {
  const params = new URL(href).searchParams;
  const found = campaignParameters.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value.slice(0, 100)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** A URL without its query, which can hold tokens from mails and sign-ins. */
function reportedUrl(href: string): string {
  const { origin, pathname } = new URL(href);
  return `${origin}${pathname}`.slice(0, 500);
}

/**
 * The row of an event: action, category, label and value have fields of their own, everything else goes into `extras`.
 */
export function metricsEvent({ name, data, href, at }: AnalyticsEvent, visitor: Visitor): MetricsEvent {
  const { action = name, category = categories[name] ?? 'general', label = null, value = null, ...extras } = data;
  return {
    type: name,
    user_id: visitor.userId,
    data: {
      action,
      category,
      label,
      value,
      page_url: reportedUrl(href),
      user_agent: visitor.userAgent.slice(0, 300),
      session_id: visitor.sessionId,
      timestamp: at.toISOString(),
      extras: Object.fromEntries(Object.entries(extras).filter(([, extra]) => extra !== undefined)) as Record<
        string,
        string | number | boolean | null
      >,
    },
  };
}
