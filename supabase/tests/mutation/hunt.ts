import { join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import type { CallGraph } from './call-graph.ts';
import type { Mutant } from './catalogue.ts';
import { chooseFiles } from './file-choice.ts';
import type { KeptReaches } from './kept-reach.ts';
import type { KeptVerdicts } from './kept-verdicts.ts';
import { type Reach, readEvents, readSession, writeSession } from './session.ts';

/** How many files are asked before all others that reach a mutant are. */
const LIKELY_FILES = 10;

const KEEP_INTERVAL_MS = 10_000;

export interface Hunted {
  mutant: Mutant;
  /** The first test that failed; null when all passed, undefined when the run ended before all were run. */
  noticedBy: { file: string; test: string } | null | undefined;
}

interface Hunt {
  graph: CallGraph;
  testFiles: string[];
  kept: KeptVerdicts;
  reaches: KeptReaches;
  workers: number;
  /** No further files are started after this long. */
  minutes: number;
  /** Called now and then with the results so far. */
  onProgress: (hunted: Hunted[]) => void;
}

/** What this run has learned about the files. */
interface Known {
  /** What the tests of each file reach, as far as it has been measured. */
  reach: Map<string, Reach>;
  /** The same of abandoned files, of which only some tests have been run. */
  retried: Map<string, Reach>;
  unfit: Map<string, string[]>;
  /** Files that had to be abandoned once: perhaps because one of their tests needs another. */
  whole: Set<string>;
  /** Files that fail without any mutant. */
  failing: Set<string>;
}

/**
 * Runs the tests against each mutant: first the most relevant file, then others, as far as the files' text tells, and finally all that were
 * measured to reach it.
 */
export async function hunt(
  mutants: Mutant[],
  { graph, testFiles, kept, reaches, workers, minutes, onProgress }: Hunt,
): Promise<Hunted[]> {
  for (const file of testFiles) keepNoticed(file, kept);

  const vitest = await startVitest(workers);
  const known: Known = {
    reach: reaches.all(),
    retried: new Map(),
    unfit: new Map(),
    whole: new Set(),
    failing: new Set(),
  };
  const unmeasured = () => testFiles.filter((file) => !known.reach.has(file));
  let chosen = new Map<string, string[]>();
  const filesFor = (mutant: Mutant) => {
    const { reachedBy } = mutant;
    const files = chosen.get(reachedBy) ?? chooseFiles(graph, mutant, known.reach, unmeasured());
    chosen.set(reachedBy, files);
    return files;
  };
  const verdictOf = (mutant: Mutant): Hunted['noticedBy'] => {
    const noticed = testFiles.find((file) => kept.find(mutant.key, file));
    if (noticed) return { file: noticed, test: kept.find(mutant.key, noticed) ?? '' };
    const isAsked = filesFor(mutant).every((file) => kept.find(mutant.key, file) !== undefined);
    return isAsked && unmeasured().length === 0 ? null : undefined;
  };

  const hunted = () => mutants.map((mutant) => ({ mutant, noticedBy: verdictOf(mutant) }));
  const end = performance.now() + minutes * 60_000;
  try {
    while (performance.now() < end) {
      const isMeasured = unmeasured().length === 0;
      const next = new Map<string, Mutant[]>();
      for (const mutant of mutants.filter((mutant) => verdictOf(mutant) === undefined)) {
        const open = filesFor(mutant).filter(
          (file) => kept.find(mutant.key, file) === undefined && !known.failing.has(file),
        );
        // The first file notices most; the survivors go to the others together, so that each of them runs few times.
        const asked = filesFor(mutant).length - open.length;
        const likely = asked === 0 ? 1 : asked < LIKELY_FILES ? LIKELY_FILES : isMeasured ? open.length : 0;
        for (const file of open.slice(0, likely)) next.set(file, [...(next.get(file) ?? []), mutant]);
      }
      if (next.size > 0) {
        await askFiles(vitest, next, kept, known, end, () => onProgress(hunted()));
      } else if (isMeasured || mutants.every((mutant) => verdictOf(mutant) !== undefined)) {
        break;
      } else {
        await survey(vitest, unmeasured(), kept, known, reaches);
        chosen = new Map();
      }
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

/** Measures what the tests of these files reach. */
async function survey(
  vitest: Vitest,
  files: string[],
  kept: KeptVerdicts,
  known: Known,
  reaches: KeptReaches,
): Promise<void> {
  const keepMeasured = () => {
    const measured = files.filter((file) => readSession(file).isSurvey && readSession(file).hash === kept.hashOf(file));
    for (const file of measured.filter((file) => !known.reach.has(file) && isComplete(file))) {
      reaches.keep(file, reachIn(file));
      known.reach.set(file, reachIn(file));
    }
  };
  // What an interrupted survey has measured.
  keepMeasured();
  const open = files.filter((file) => !known.reach.has(file));
  for (const file of open)
    writeSession(file, { hash: kept.hashOf(file), mutants: [], reach: {}, isWhole: true, unfit: [], isSurvey: true });
  const specifications = await vitest.globTestSpecifications();
  await vitest.runTestSpecifications(specifications.filter(({ moduleId }) => open.includes(relative(moduleId))));
  keepMeasured();
  // A file that was interrupted, or failed, is measured again the next time.
  for (const file of open) if (!known.reach.has(file)) known.reach.set(file, reachIn(file));
}

const isComplete = (file: string): boolean => readEvents(file).some((event) => 'isComplete' in event);

const reachIn = (file: string): Reach =>
  Object.fromEntries(readEvents(file).flatMap((event) => ('reach' in event ? [[event.test, event.reach]] : [])));

/** Runs each file against its mutants. A file that had to be abandoned is run again, on a new database, against the remaining ones. */
async function askFiles(
  vitest: Vitest,
  wanted: Map<string, Mutant[]>,
  kept: KeptVerdicts,
  known: Known,
  end: number,
  onTick: () => void,
): Promise<void> {
  const specifications = await vitest.globTestSpecifications();
  const passed = new Map<string, string[]>();
  let open = wanted;
  while (open.size > 0 && performance.now() < end) {
    for (const [file, mutants] of open) {
      const tests = (key: string) => passed.get(`${key} ${file}`) ?? [];
      writeSession(file, {
        hash: kept.hashOf(file),
        mutants: mutants.map((mutant) => ({ ...mutant, passed: tests(mutant.key) })),
        reach: { ...known.reach.get(file), ...known.retried.get(file) },
        isWhole: known.whole.has(file),
        unfit: known.unfit.get(file) ?? [],
        isSurvey: false,
      });
    }
    // Results are saved as they arrive: a run may be interrupted.
    const timer = setInterval(() => {
      for (const [file, mutants] of open) keepFindings(file, mutants, kept);
      onTick();
      if (performance.now() >= end) void vitest.cancelCurrentRun('keyboard-input');
    }, KEEP_INTERVAL_MS);
    await vitest.runTestSpecifications(specifications.filter(({ moduleId }) => open.has(relative(moduleId))));
    clearInterval(timer);
    const rest = new Map<string, Mutant[]>();
    for (const [file, mutants] of open) {
      if (keepFindings(file, mutants, kept)) continue;
      const events = readEvents(file);
      const wasWhole = known.whole.has(file);
      known.whole.add(file);
      known.retried.set(file, { ...known.retried.get(file), ...reachIn(file) });
      for (const event of events) {
        if ('unfit' in event) known.unfit.set(file, [...(known.unfit.get(file) ?? []), event.unfit]);
        if (!('passed' in event)) continue;
        const place = `${event.key} ${file}`;
        passed.set(place, [...(passed.get(place) ?? []), event.passed]);
      }
      // A whole file that has added nothing would add nothing the next time either.
      if (events.length === 0 && wasWhole) known.failing.add(file);
      else
        rest.set(
          file,
          mutants.filter(({ key }) => kept.find(key, file) === undefined),
        );
    }
    open = rest;
    onTick();
  }
}

/** Saves a file's results of this session, and whether it has finished. */
function keepFindings(file: string, mutants: Mutant[], kept: KeptVerdicts): boolean {
  keepNoticed(file, kept);
  const hasEnded = isComplete(file);
  for (const { key } of hasEnded ? mutants : []) if (kept.find(key, file) === undefined) kept.keep(key, file, null);
  return hasEnded;
}

/** Saves what a file has noticed in the current session, or in an interrupted one. */
function keepNoticed(file: string, kept: KeptVerdicts): void {
  if (readSession(file).hash !== kept.hashOf(file)) return;
  for (const event of readEvents(file)) {
    if (!('noticedBy' in event) || kept.find(event.key, file) !== undefined) continue;
    kept.keep(event.key, file, event.noticedBy, event.line);
  }
}

const relative = (moduleId: string): string => moduleId.slice(PROJECT_ROOT.length + 1);
