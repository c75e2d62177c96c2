import type { Outcome } from './outcome.ts';

export interface StepResult {
  name: string;
  outcome: Outcome;
  seconds: number;
}

/** One line per step: its name, what passed and failed, and its duration. Steps overlap, so the times do not add up. */
export function formatTable(results: StepResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const line = (name: string, passed: string, failed: string, minutes: string) =>
    `${name.padEnd(width)}  ${passed.padStart(6)}  ${failed.padStart(6)}  ${minutes.padStart(7)}`;
  return [
    line('step', 'passed', 'failed', 'minutes'),
    ...results.map(({ name, outcome, seconds }) =>
      line(name, String(outcome.passed), String(outcome.failed), (seconds / 60).toFixed(1)),
    ),
  ].join('\n');
}

/** What failed, by step: the steps' own output is thousands of lines further up. Empty if nothing did. */
export const formatFailures = (results: StepResult[]): string =>
  results
    .filter(({ outcome }) => outcome.failed > 0)
    .map(({ name, outcome }) => [`failed in ${name}:`, ...outcome.failures.map((failure) => `  ${failure}`)].join('\n'))
    .join('\n\n');
