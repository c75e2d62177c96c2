import { supabase, unwrap } from '@/lib/supabase';
import type { MetricsEvent } from './metrics-event';

/** Inserts events (ANA-04); the database sets user and time and drops events beyond its limits. Throws AppError. */
export async function sendMetricsEvents(events: MetricsEvent[]): Promise<void> {
  await unwrap(supabase().from('metrics_events').insert(events));
}
