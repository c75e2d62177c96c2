import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import type { Mutant } from './catalogue.ts';
import { type CallGraph, chooseFiles } from './file-choice.ts';
import type { KeptVerdicts } from './kept-verdicts.ts';
import { readEvents, writeSession } from './session.ts';

/** A mutant that no test of these files notices survives: a test that is named for the function has to. */
const MOST_FILES = 4;

const FILES_AT_A_TIME = 4;

export interface Hunted {
  mutant: Mutant;
  /** The first test that failed; null when all passed, undefined when the run ended before all were asked. */
  noticedBy: { file: string; test: string } | null | undefined;
}

interface Hunt {
  graph: CallGraph;
  testFiles: string[];
  kept: KeptVerdicts;
  onProgress: (line: string) => void;
  /** Ends the run early; what has been found out until then counts. */
  signal: AbortSignal;
}

/** Asks the tests about each mutant: first the file that is mostly about it, then about the survivors the next one. */
export async function hunt(mutants: Mutant[], { graph, testFiles, kept, onProgress, signal }: Hunt): Promise<Hunted[]> {
  const chosen = new Map<string, string[]>();
  for (const { reachedBy } of mutants) {
    if (!chosen.has(reachedBy)) chosen.set(reachedBy, chooseFiles(graph, reachedBy, testFiles, MOST_FILES));
  }
  const verdictOf = (mutant: Mutant): Hunted['noticedBy'] => {
    for (const file of chosen.get(mutant.reachedBy) ?? []) {
      const test = kept.find(mutant.key, file);
      if (test === undefined) return undefined;
      if (test !== null) return { file, test };
    }
    return null;
  };

  const vitest = await startVitest();
  signal.addEventListener('abort', () => void vitest.cancelCurrentRun('keyboard-input'));
  try {
    while (!signal.aborted) {
      const next = new Map<string, Mutant[]>();
      const open = mutants.filter((mutant) => verdictOf(mutant) === undefined);
      for (const mutant of open.filter(({ rank }) => rank === open[0]?.rank)) {
        const file = chosen.get(mutant.reachedBy)?.find((candidate) => kept.find(mutant.key, candidate) === undefined);
        if (file) next.set(file, [...(next.get(file) ?? []), mutant]);
      }
      if (next.size === 0) break;
      // A few files at a time, so that an interrupted run has kept most of what it found out.
      await askFiles(vitest, new Map([...next].slice(0, FILES_AT_A_TIME)), kept, signal);
      const noticed = mutants.filter((mutant) => verdictOf(mutant)).length;
      const survived = mutants.filter((mutant) => verdictOf(mutant) === null).length;
      onProgress(`${noticed} noticed, ${survived} not, of ${mutants.length}`);
    }
  } finally {
    await vitest.close();
  }
  return mutants.map((mutant) => ({ mutant, noticedBy: verdictOf(mutant) }));
}

const startVitest = (): Promise<Vitest> =>
  createVitest('test', {
    config: join(PROJECT_ROOT, 'supabase/tests/mutation/vitest.config.ts'),
    watch: false,
    maxWorkers: 2,
    reporters: [{}],
  });

/** Shows each file its mutants. A file that had to be given up on the way is asked again, on a new database, about the rest. */
async function askFiles(
  vitest: Vitest,
  wanted: Map<string, Mutant[]>,
  kept: KeptVerdicts,
  signal: AbortSignal,
): Promise<void> {
  const specifications = await vitest.globTestSpecifications();
  const passed = new Map<string, string[]>();
  let open = new Map(wanted);
  while (open.size > 0 && !signal.aborted) {
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
      else if (events.length > 0 || signal.aborted) rest.set(file, left);
      else throw new Error(`${file} fails without any mutant`);
    }
    open = rest;
  }
}

const relative = (moduleId: string): string => moduleId.slice(PROJECT_ROOT.length + 1);
