export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** One JSON line for the log. Give codes, counts and durations; never addresses, names, tokens or texts of people. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  console[level](JSON.stringify({ level, event, ...fields }));
}
