import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import type { Mutant } from './catalogue.ts';

/** The directory of everything that the mutation run saves between runs. */
export const KEPT_DIRECTORY = join(PROJECT_ROOT, '.local/mutation');

/** What each test of a file calls, changes or is refused by, by the test's name. */
export type Reach = Record<string, string[]>;

/** What a test file is given in one session: its mutants, and which of its tests they have already passed. */
export interface Session {
  /** Hash of the test file's text. */
  hash: string;
  mutants: (Mutant & { passed: string[] })[];
  /** As far as it has been measured. */
  reach: Reach;
  /** Whether the tests that reach none of the mutants are run, too. */
  isWhole: boolean;
  /** Names of tests after which the database or the test itself could not be restored. They are skipped. */
  unfit: string[];
  /** Whether the tests are only run to measure what they reach. */
  isSurvey: boolean;
}

/** Results as they arrive, one per line. */
export type Event =
  /** The line number of the test. */
  | { key: string; noticedBy: string; line: number | undefined }
  | { key: string; passed: string }
  | { test: string; reach: string[] }
  | { unfit: string }
  /** Every test of the file has been run against every mutant of the session. */
  | { isComplete: true };

const pathOf = (file: string, kind: 'session' | 'events') =>
  join(KEPT_DIRECTORY, `${file.replace(/^.*\//, '')}.${kind}.jsonl`);

export function writeSession(file: string, session: Session): void {
  rmSync(pathOf(file, 'events'), { force: true });
  writeFileSync(pathOf(file, 'session'), JSON.stringify(session));
}

export const readSession = (file: string): Session =>
  existsSync(pathOf(file, 'session'))
    ? JSON.parse(readFileSync(pathOf(file, 'session'), 'utf8'))
    : { hash: '', mutants: [], reach: {}, isWhole: true, unfit: [], isSurvey: false };

export function note(file: string, event: Event): void {
  appendFileSync(pathOf(file, 'events'), `${JSON.stringify(event)}\n`);
}

export function readEvents(file: string): Event[] {
  if (!existsSync(pathOf(file, 'events'))) return [];
  const lines = readFileSync(pathOf(file, 'events'), 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}
