import { z } from 'zod';
import { RELEASE } from './release.ts';
import { scrubReport } from './scrub.ts';

/** DSN for Sentry or a compatible service. Without it nothing is reported and nothing is loaded. */
const dsn = z.url({ protocol: /^https?$/ }).optional();

let tracker: Promise<typeof import('@sentry/deno')> | undefined;

/**
 * Reports a log line with its error, if any, without personal data (scrub.ts). Never throws and never delays the
 * response.
 */
export function reportError(event: string, fields: Record<string, unknown>, error?: unknown): void {
  const target = dsn.safeParse(Deno.env.get('SENTRY_DSN') || undefined);
  if (!target.success || !target.data) return;
  tracker ??= start(target.data);
  const sending = tracker
    .then(({ captureException, captureMessage, flush }) => {
      const tags = { ...tagsOf(fields), event };
      if (error === undefined) captureMessage(event, { level: 'error', tags });
      else captureException(error, { tags });
      return flush(FLUSH_MS);
    })
    .catch((failure) =>
      console.warn(JSON.stringify({ level: 'warn', event: 'report_not_sent', reason: String(failure) })),
    );
  // The platform may stop an instance after its response, unless told about pending work.
  globalThis.EdgeRuntime?.waitUntil(sending);
}

const FLUSH_MS = 2_000;
/** Number of characters of a request id that are shown to people. */
const REFERENCE_LETTERS = 8;

declare global {
  /** Global of the hosted platform, absent in plain Deno. */
  var EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;
}

async function start(target: string) {
  const sentry = await import('@sentry/deno');
  sentry.init({
    dsn: target,
    release: `questboard-functions@${RELEASE}`,
    environment: environment(),
    // No default integrations, which record requests, console and globals: only errors passed in here are reported.
    defaultIntegrations: false,
    integrations: [sentry.linkedErrorsIntegration(), sentry.dedupeIntegration()],
    beforeSend: scrubReport,
  });
  return sentry;
}

/** The site's host, which tells staging from production. */
function environment(): string {
  const site = Deno.env.get('SITE_URL') ?? '';
  return URL.canParse(site) ? new URL(site).host : 'unknown';
}

function tagsOf(fields: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const tags = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return tags.requestId ? { ...tags, reference: tags.requestId.slice(0, REFERENCE_LETTERS) } : tags;
}
