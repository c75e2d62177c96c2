import { reportError } from './error-tracking.ts';

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/**
 * One JSON line for the log. Give codes, counts and durations; never addresses, names, tokens or texts of people. What is an error goes to
 * the error tracking as well, where it is configured, with the error behind it.
 */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}, error?: unknown): void {
  console[level](JSON.stringify({ level, event, ...fields }));
  if (level === 'error') reportError(event, fields, error);
}
