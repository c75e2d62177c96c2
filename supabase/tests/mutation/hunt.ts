import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import type { CallGraph } from './call-graph.ts';
import type { Mutant } from './catalogue.ts';
import { chooseFiles } from './file-choice.ts';
import type { KeptVerdicts } from './kept-verdicts.ts';
import { readEvents, readSession, type Session, writeSession } from './session.ts';

/** A mutant that no test of these files notices survives: a test that is named for the function has to. */
const MOST_FILES = 4;

const FILES_AT_A_TIME = 4;

const KEEP_INTERVAL_MS = 30_000;

export interface Hunted {
  mutant: Mutant;
  /** The first test that failed; null when all passed, undefined when the run ended before all were asked. */
  noticedBy: { file: string; test: string } | null | undefined;
}

interface Hunt {
  graph: CallGraph;
  testFiles: string[];
  kept: KeptVerdicts;
  workers: number;
  /** After so long no further files are asked. */
  minutes: number;
  /** Called every now and then with what is known by then. */
  onProgress: (hunted: Hunted[]) => void;
}

/** What the tests of each file were found to reach. */
type Reach = Map<string, Session['reach']>;

/** Asks the tests about each mutant: first the file that is mostly about it, then about the survivors the next one. */
export async function hunt(
  mutants: Mutant[],
  { graph, testFiles, kept, workers, minutes, onProgress }: Hunt,
): Promise<Hunted[]> {
  const chosen = new Map<string, string[]>();
  for (const mutant of mutants) {
    const { reachedBy } = mutant;
    if (!chosen.has(reachedBy)) chosen.set(reachedBy, chooseFiles(graph, mutant, testFiles, MOST_FILES));
  }
  const verdictOf = (mutant: Mutant): Hunted['noticedBy'] => {
    const noticed = testFiles.find((file) => kept.find(mutant.key, file));
    if (noticed) return { file: noticed, test: kept.find(mutant.key, noticed) ?? '' };
    const isAsked = (chosen.get(mutant.reachedBy) ?? []).every((file) => kept.find(mutant.key, file) !== undefined);
    return isAsked ? null : undefined;
  };

  const hunted = () => mutants.map((mutant) => ({ mutant, noticedBy: verdictOf(mutant) }));
  for (const file of testFiles) keepNoticed(file, kept);

  const vitest = await startVitest(workers);
  const reach: Reach = new Map();
  try {
    const end = performance.now() + minutes * 60_000;
    while (performance.now() < end) {
      const next = new Map<string, Mutant[]>();
      for (const mutant of mutants.filter((mutant) => verdictOf(mutant) === undefined)) {
        const file = chosen.get(mutant.reachedBy)?.find((candidate) => kept.find(mutant.key, candidate) === undefined);
        if (file) next.set(file, [...(next.get(file) ?? []), mutant]);
      }
      if (next.size === 0) break;
      // A few files at a time, so that an interrupted run has kept most of what it found out; first those that are asked most.
      const files = [...next].sort(([, a], [, b]) => b.length - a.length).slice(0, FILES_AT_A_TIME);
      await askFiles(vitest, new Map(files), kept, reach, () => onProgress(hunted()));
      onProgress(hunted());
    }
  } finally {
    await vitest.close();
  }
  return hunted();
}

const startVitest = (maxWorkers: number): Promise<Vitest> =>
  createVitest('test', {
    config: join(PROJECT_ROOT, 'supabase/tests/mutation/vitest.config.ts'),
    watch: false,
    maxWorkers,
    reporters: [{}],
  });

/** Shows each file its mutants. A file that had to be given up on the way is asked again, on a new database, about the rest. */
async function askFiles(
  vitest: Vitest,
  wanted: Map<string, Mutant[]>,
  kept: KeptVerdicts,
  reach: Reach,
  onTick: () => void,
): Promise<void> {
  const specifications = await vitest.globTestSpecifications();
  const passed = new Map<string, string[]>();
  let open = wanted;
  while (open.size > 0) {
    for (const [file, mutants] of open) {
      const tests = (key: string) => passed.get(`${key} ${file}`) ?? [];
      writeSession(file, {
        hash: kept.hashOf(file),
        mutants: mutants.map((mutant) => ({ ...mutant, passed: tests(mutant.key) })),
        reach: reach.get(file) ?? {},
        isOneByOne: open !== wanted,
      });
    }
    // What is noticed is kept on the way: a run may be interrupted.
    const timer = setInterval(() => {
      for (const file of wanted.keys()) keepNoticed(file, kept);
      onTick();
    }, KEEP_INTERVAL_MS);
    await vitest.runTestSpecifications(specifications.filter(({ moduleId }) => open.has(relative(moduleId))));
    clearInterval(timer);
    const rest = new Map<string, Mutant[]>();
    for (const [file, mutants] of open) {
      const events = readEvents(file);
      keepNoticed(file, kept);
      for (const event of events) {
        if ('reach' in event) reach.set(file, { ...reach.get(file), [event.test]: event.reach });
        if (!('passed' in event)) continue;
        const place = `${event.key} ${file}`;
        passed.set(place, [...(passed.get(place) ?? []), event.passed]);
      }
      const left = mutants.filter(({ key }) => kept.find(key, file) === undefined);
      if (events.some((event) => 'isComplete' in event)) for (const { key } of left) kept.keep(key, file, null);
      // A file that says nothing new would say nothing the next time either.
      else if (events.length > 0) rest.set(file, left);
      else throw new Error(`${file} fails without any mutant`);
    }
    open = rest;
  }
}

/** Keeps what a file has noticed in the session that is going on, or in one that was interrupted. */
function keepNoticed(file: string, kept: KeptVerdicts): void {
  if (readSession(file).hash !== kept.hashOf(file)) return;
  for (const event of readEvents(file)) {
    if ('noticedBy' in event && kept.find(event.key, file) === undefined) kept.keep(event.key, file, event.noticedBy);
  }
}

const relative = (moduleId: string): string => moduleId.slice(PROJECT_ROOT.length + 1);
