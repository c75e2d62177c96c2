import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './catalogue.ts';
import { type Coverage, filesReaching } from './coverage.ts';
import type { KeptVerdicts } from './kept-verdicts.ts';
import type { Attempt, Job, Verdict } from './worker.ts';

const WORKERS = 2;

/** A mutant that no test of these files notices survives: a test that is named for the function has to. */
const MOST_FILES = 6;

/** How many tests that noticed other damage of the same function are asked before whole files. */
const MOST_PROVEN = 3;

export interface Hunted extends Verdict {
  mutant: Mutant;
}

interface Hunt {
  coverage: Coverage;
  hashes: Map<string, string>;
  kept: KeptVerdicts;
  onVerdict: (hunted: Hunted, isKept: boolean) => void;
}

/** Asks the tests about each mutant, several at a time. */
export async function hunt(mutants: Mutant[], { coverage, hashes, kept, onVerdict }: Hunt): Promise<Hunted[]> {
  const hunted: Hunted[] = [];
  /** Per function or table, how often each test noticed. */
  const proven = new Map<string, Map<string, number>>();
  const settle = (mutant: Mutant, verdict: Verdict, isKept: boolean) => {
    const entry = { mutant, noticedBy: verdict.noticedBy };
    hunted.push(entry);
    if (verdict.noticedBy) {
      const tests = proven.get(mutant.reachedBy) ?? new Map<string, number>();
      const test = JSON.stringify(verdict.noticedBy);
      proven.set(mutant.reachedBy, tests.set(test, (tests.get(test) ?? 0) + 1));
    }
    onVerdict(entry, isKept);
  };

  const filesOf = (mutant: Mutant) => filesReaching(coverage, mutant.reachedBy).slice(0, MOST_FILES);
  const open = mutants.filter((mutant) => {
    const verdict = kept.find(mutant.key, filesOf(mutant), hashes);
    if (verdict) settle(mutant, verdict, true);
    return !verdict;
  });

  const work = async () => {
    const worker = await startWorker();
    for (let mutant = open.shift(); mutant; mutant = open.shift()) {
      const files = filesOf(mutant);
      const verdict = await judge(worker, {
        sql: mutant.sql,
        attempts: attemptsFor(files, proven.get(mutant.reachedBy)),
      });
      kept.keep(mutant.key, verdict, files, hashes);
      settle(mutant, verdict, false);
    }
    worker.send('end');
  };
  if (open.length > 0) await Promise.all(Array.from({ length: WORKERS }, work));
  return hunted;
}

/** First the tests that noticed most, together; then whole files. */
function attemptsFor(files: string[], proven: Map<string, number> = new Map()): Attempt[] {
  const best = [...proven]
    .sort(([, a], [, b]) => b - a)
    .map(([test]): { file: string; test: string } => JSON.parse(test))
    .filter(({ file, test }) => files.includes(file) && !/^(set-up|an error)/.test(test));
  const first = best[0]?.file;
  const tests = best.filter(({ file }) => file === first).map(({ test }) => test);
  const others = [...new Set([...best.map(({ file }) => file), ...files])];
  return [...(first ? [{ file: first, tests: tests.slice(0, MOST_PROVEN) }] : []), ...others.map((file) => ({ file }))];
}

async function startWorker(): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(worker, 'message');
  return worker;
}

async function judge(worker: ChildProcess, job: Job): Promise<Verdict> {
  worker.send(job);
  const [verdict] = (await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => {
      throw new Error('a worker of the mutation run ended');
    }),
  ])) as [Verdict];
  return verdict;
}
