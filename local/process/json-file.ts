import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ZodType } from 'zod';

/** Reads a state file; undefined when it is missing, damaged or of an older shape, which all mean "start without". */
export function readJsonFile<T>(path: string, schema: ZodType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step, so that a crash never leaves half of it. */
export function writeJsonFile(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
