/** The fields of a Sentry event that a report may contain. */
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

/** Everything else (user, request, breadcrumbs, variables, source lines) is removed from a report. */
const EVENT_KEYS = new Set(
  'event_id timestamp level platform release environment type sdk message tags exception'.split(' '),
);
const EXCEPTION_KEYS = new Set(['type', 'value', 'stacktrace', 'mechanism']);
const FRAME_KEYS = new Set(['filename', 'function', 'lineno', 'colno', 'in_app']);
/** Allowed tags; their values are codes, request ids and routes. */
const TAGS = new Set(['event', 'reference', 'function', 'code', 'status', 'route', 'worker', 'reason', 'problems']);

const MAX_TEXT = 300;
/** Of what is scrubbed: some patterns take the square of a text's length, and a validator's message may name a thousand rows. */
const MAX_SCRUBBED = 1_000;

/** Removes personal data and user content from an error report, in place. */
export function scrubReport<Report extends ErrorReport>(report: Report): Report {
  keep(report, EVENT_KEYS);
  if (report.message !== undefined) report.message = scrubText(report.message);
  for (const [name, value] of Object.entries(report.tags ?? {})) {
    if (TAGS.has(name) && report.tags) report.tags[name] = isReference(name, value) ? value : scrubText(String(value));
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

/** One in forty references has digits only, and would be taken for a telephone number. */
const isReference = (tag: string, value: unknown) => tag === 'reference' && /^[0-9a-f]{8}$/.test(String(value));

function keep(holder: object, names: ReadonlySet<string>): void {
  for (const name of Object.keys(holder)) if (!names.has(name)) Reflect.deleteProperty(holder, name);
}

/** Replaces addresses, tokens, ids and quoted text (parsers quote their input) by placeholders. A quote may be cut off before its end. */
export function scrubText(text: string): string {
  return firstWords(text)
    .replace(/https?:\/\/[^\s"'<>)]+/g, (url) => (URL.canParse(url) ? new URL(url).origin + routeOf(url) : '[address]'))
    .replace(/(^|\s)(\/[^\s?#"']*)[?#][^\s"']*/g, '$1$2')
    .replace(/[^\s@<>"'(=]+@[^\s@<>"')]+/g, '[email]')
    .replace(/"[^"]*(?:"|$)|“[^”]*(?:”|$)|`[^`]*(?:`|$)/g, '"…"')
    .replace(/(reading |setting )?'[^']*'(?!\w)|(\W)'[^']*$/g, (quote, verb?: string, before = '') =>
      verb ? quote : `${before}'…'`,
    )
    .replace(/=\([^)]*(?:\)|$)/g, '=(…)')
    .replace(/\bBearer\s+\S+/gi, '[token]')
    .replace(/(\w*(?:password|passwd|pwd|secret|token|api[_-]?key))\s*[=:]\s*\S+/gi, '$1=[secret]')
    .replace(/\b(?:[srp]k_(?:live|test)|whsec|re|sb_secret|github_pat|gh[a-z])_\S+/g, '[token]')
    .replace(/\b(?=[\w.-]*\d)[\w-]{20,}(?:\.[\w-]+)*/g, '[id]')
    .replace(/\b[a-z]{2,8}_(?=\w*\d)\w{6,}/g, '[id]')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[\da-f]{0,4}:){3,7}[\da-f]{1,4}\b/gi, '[ip]')
    .replace(/\+?\d[\d\s()/-]{6,}\d/g, '[number]')
    .slice(0, MAX_TEXT);
}

/** Without the word at which a long text is cut, half of which would be recognised as nothing. */
const firstWords = (text: string) =>
  text.length > MAX_SCRUBBED ? text.slice(0, MAX_SCRUBBED).replace(/\S*$/, '') : text;

/** The path of a URL without query string, with `:id` and `:handle` in place of ids and handles. */
export function routeOf(url: string): string {
  return new URL(url, 'http://here').pathname
    .replace(/^\/m\/[^/]+/, '/m/:handle')
    .replace(/\/(?=[^/]*\d)[\w.%@-]{6,}(?=\/|$)/g, '/:id');
}
