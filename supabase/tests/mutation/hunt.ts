import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import type { Mutant } from './catalogue.ts';
import { type Coverage, filesReaching } from './coverage.ts';
import type { KeptVerdicts } from './kept-verdicts.ts';
import { readEvents, writeSession } from './session.ts';

/** A mutant that no test of these files notices survives: a test that is named for the function has to. */
const MOST_FILES = 4;

const FILES_AT_A_TIME = 4;

export interface Hunted {
  mutant: Mutant;
  /** The first test that failed; null when all passed. */
  noticedBy: { file: string; test: string } | null;
}

interface Hunt {
  coverage: Coverage;
  kept: KeptVerdicts;
  onProgress: (line: string) => void;
}

/** Asks the tests about each mutant: first the file that is mostly about it, then about the survivors the next one. */
export async function hunt(mutants: Mutant[], { coverage, kept, onProgress }: Hunt): Promise<Hunted[]> {
  const files = new Map<Mutant, string[]>();
  for (const mutant of mutants) files.set(mutant, filesReaching(coverage, mutant.reachedBy).slice(0, MOST_FILES));
  const verdictOf = (mutant: Mutant): Hunted['noticedBy'] | undefined => {
    for (const file of files.get(mutant) ?? []) {
      const test = kept.find(mutant.key, file);
      if (test === undefined) return undefined;
      if (test !== null) return { file, test };
    }
    return null;
  };

  const vitest = await startVitest();
  try {
    for (;;) {
      const next = new Map<string, Mutant[]>();
      for (const mutant of mutants.filter((open) => verdictOf(open) === undefined)) {
        const file = files.get(mutant)?.find((candidate) => kept.find(mutant.key, candidate) === undefined);
        if (file) next.set(file, [...(next.get(file) ?? []), mutant]);
      }
      if (next.size === 0) break;
      // A few files at a time, so that an interrupted run has kept most of what it found out.
      await askFiles(vitest, new Map([...next].slice(0, FILES_AT_A_TIME)), kept);
      const noticed = mutants.filter((mutant) => verdictOf(mutant)).length;
      const survived = mutants.filter((mutant) => verdictOf(mutant) === null).length;
      onProgress(`${noticed} noticed, ${survived} not, of ${mutants.length}`);
    }
  } finally {
    await vitest.close();
  }
  return mutants.map((mutant) => ({ mutant, noticedBy: verdictOf(mutant) ?? null }));
}

const startVitest = (): Promise<Vitest> =>
  createVitest('test', {
    config: join(PROJECT_ROOT, 'supabase/tests/mutation/vitest.config.ts'),
    watch: false,
    maxWorkers: 2,
    reporters: [{}],
  });

/** Shows each file its mutants. A file that had to be given up on the way is asked again, on a new database, about the rest. */
async function askFiles(vitest: Vitest, wanted: Map<string, Mutant[]>, kept: KeptVerdicts): Promise<void> {
  const specifications = await vitest.globTestSpecifications();
  const passed = new Map<string, string[]>();
  let open = new Map(wanted);
  while (open.size > 0) {
    for (const [file, mutants] of open) {
      const tests = (key: string) => passed.get(`${key} ${file}`) ?? [];
      writeSession(file, { mutants: mutants.map((mutant) => ({ ...mutant, passed: tests(mutant.key) })) });
    }
    await vitest.runTestSpecifications(specifications.filter(({ moduleId }) => open.has(relative(moduleId))));
    const rest = new Map<string, Mutant[]>();
    for (const [file, mutants] of open) {
      const events = readEvents(file);
      const noticed = new Set<string>();
      for (const event of events) {
        if ('noticedBy' in event) {
          noticed.add(event.key);
          kept.keep(event.key, file, event.noticedBy);
        } else if ('passed' in event) {
          const place = `${event.key} ${file}`;
          passed.set(place, [...(passed.get(place) ?? []), event.passed]);
        }
      }
      const left = mutants.filter(({ key }) => !noticed.has(key));
      if (events.some((event) => 'isComplete' in event)) for (const { key } of left) kept.keep(key, file, null);
      // A file that says nothing new would say nothing the next time either.
      else if (events.length > 0) rest.set(file, left);
      else throw new Error(`${file} fails without any mutant`);
    }
    open = rest;
  }
}

const relative = (moduleId: string): string => moduleId.slice(PROJECT_ROOT.length + 1);
