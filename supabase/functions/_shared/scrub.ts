/** What an error report may hold, in the words of Sentry's events. */
interface ErrorReport {
  message?: string;
  tags?: Record<string, unknown>;
  exception?: { values?: Exception[] };
}

interface Exception {
  type?: string;
  value?: string;
  stacktrace?: { frames?: Frame[] };
}

interface Frame {
  filename?: string;
}

/** Everything else (people, requests, breadcrumbs, variables, lines of code) is taken out of a report. */
const EVENT_KEYS = new Set(
  'event_id timestamp level platform release environment type sdk message tags exception'.split(' '),
);
const EXCEPTION_KEYS = new Set(['type', 'value', 'stacktrace', 'mechanism']);
const FRAME_KEYS = new Set(['filename', 'function', 'lineno', 'colno', 'in_app']);
/** Names of what a tag may say; their values are codes, ids of requests and routes. */
const TAGS = new Set(['event', 'reference', 'function', 'code', 'status', 'route', 'worker', 'reason', 'problems']);

const MAX_TEXT = 300;

/** Takes out of an error report, in place, whatever could tell who somebody is or what they wrote. */
export function scrubReport<Report extends ErrorReport>(report: Report): Report {
  keep(report, EVENT_KEYS);
  if (report.message !== undefined) report.message = scrubText(report.message);
  for (const [name, value] of Object.entries(report.tags ?? {})) {
    if (TAGS.has(name) && report.tags) report.tags[name] = scrubText(String(value));
    else delete report.tags?.[name];
  }
  for (const exception of report.exception?.values ?? []) {
    keep(exception, EXCEPTION_KEYS);
    if (exception.value !== undefined) exception.value = scrubText(exception.value);
    for (const frame of exception.stacktrace?.frames ?? []) {
      keep(frame, FRAME_KEYS);
      frame.filename &&= frame.filename.replace(/[?#].*$/, '');
    }
  }
  return report;
}

function keep(holder: object, names: ReadonlySet<string>): void {
  for (const name of Object.keys(holder)) if (!names.has(name)) Reflect.deleteProperty(holder, name);
}

/** Addresses, tokens, ids and quoted text (a parser quotes what it was given) become words for what stood there. */
export function scrubText(text: string): string {
  return text
    .replace(/https?:\/\/[^\s"'<>)]+/g, (url) => (URL.canParse(url) ? new URL(url).origin + routeOf(url) : '[address]'))
    .replace(/(^|\s)(\/[^\s?#"']*)[?#][^\s"']*/g, '$1$2')
    .replace(/[^\s@<>"'(=]+@[^\s@<>"')]+/g, '[email]')
    .replace(/"[^"]*"|“[^”]*”|`[^`]*`/g, '"…"')
    .replace(/(reading |setting )?'[^']*'(?!\w)/g, (quote, verb?: string) => (verb ? quote : "'…'"))
    .replace(/=\([^)]*\)/g, '=(…)')
    .replace(/\bBearer\s+\S+/gi, '[token]')
    .replace(/\b(?=[\w.-]*\d)[\w-]{20,}(?:\.[\w-]+)*/g, '[id]')
    .replace(/\b[a-z]{2,8}_(?=\w*\d)\w{6,}/g, '[id]')
    .replace(/\+?\d[\d\s()/-]{6,}\d/g, '[number]')
    .slice(0, MAX_TEXT);
}

/** The path of an address without query, with `:id` for what names one thing and `:handle` for what names a person. */
export function routeOf(url: string): string {
  return new URL(url, 'http://here').pathname
    .replace(/^\/m\/[^/]+/, '/m/:handle')
    .replace(/\/(?=[^/]*\d)[\w.%@-]{6,}(?=\/|$)/g, '/:id');
}
