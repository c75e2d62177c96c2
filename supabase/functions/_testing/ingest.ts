import { type Provider, startProvider } from './provider.ts';

export interface Ingest extends Provider {
  /** Value for SENTRY_DSN or VITE_SENTRY_DSN. */
  dsn: string;
  /** Each report as it arrived, and the event in it. */
  reports: { text: string; event: Record<string, unknown> }[];
}

/** Receives the reports of Sentry's SDKs: an envelope is a header line, then a header and a body line for each item. */
export async function startIngest(): Promise<Ingest> {
  const reports: Ingest['reports'] = [];
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const provider = await startProvider(async (_attempt, request) => {
    const text = await request.text();
    const [, item, event] = text.split('\n');
    if (item && event && JSON.parse(item).type === 'event') reports.push({ text, event: JSON.parse(event) });
    return Response.json({}, { headers: cors });
  });
  return { ...provider, reports, dsn: `${provider.url.replace('//', '//publickey@')}/1` };
}
