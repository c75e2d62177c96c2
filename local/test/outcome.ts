/** A step's contribution to the end of `npm test`. */
export interface Outcome {
  passed: number;
  failed: number;
  /** What failed: a test's title and the first line of its error. Empty where the step's own output has to be read. */
  failures: string[];
}

/** A check without individual tests counts as one. */
export const checkOutcome = (isOk: boolean): Outcome =>
  isOk ? { passed: 1, failed: 0, failures: [] } : { passed: 0, failed: 1, failures: [] };

/** A run that failed although no test says so (an error outside the tests, a crash) counts as one failure. */
export function withExitCode(outcome: Outcome, exitCode: number): Outcome {
  return exitCode !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
}

export const sum = (outcomes: Outcome[]): Pick<Outcome, 'passed' | 'failed'> => ({
  passed: outcomes.reduce((total, { passed }) => total + passed, 0),
  failed: outcomes.reduce((total, { failed }) => total + failed, 0),
});
