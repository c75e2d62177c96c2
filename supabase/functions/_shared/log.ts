import { reportError } from './error-tracking.ts';

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/**
 * Writes one JSON line to the log. Pass codes, counts and durations; never addresses, names, tokens or user content.
 * Errors also go to error tracking, if configured.
 */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}, error?: unknown): void {
  console[level](JSON.stringify({ level, event, ...fields }));
  if (level === 'error') reportError(event, fields, error);
}
