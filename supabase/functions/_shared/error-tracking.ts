import { z } from 'zod';
import { RELEASE } from './release.ts';
import { scrubReport } from './scrub.ts';

/** Where errors are reported: Sentry, or what speaks its protocol. Without it nothing is reported and nothing is loaded. */
const dsn = z.url({ protocol: /^https?$/ }).optional();

let tracker: Promise<typeof import('@sentry/deno')> | undefined;

/**
 * Reports what a log line says, with the error behind it where there is one. What could tell who somebody is stays here
 * (scrub.ts). Never throws and never makes the answer wait.
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
  // The platform ends an instance that has answered, unless it is told that something is still under way.
  globalThis.EdgeRuntime?.waitUntil(sending);
}

const FLUSH_MS = 2_000;
/** As many letters of a request's id as people are shown. */
const REFERENCE_LETTERS = 8;

declare global {
  /** The hosted platform's own; not there on Deno. */
  var EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;
}

async function start(target: string) {
  const sentry = await import('@sentry/deno');
  sentry.init({
    dsn: target,
    release: `questboard-functions@${RELEASE}`,
    environment: environment(),
    // None of those that watch requests, consoles and globals: only what is handed over here is reported.
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
