/** A step's contribution to the last line of `npm test`. */
export interface Outcome {
  passed: number;
  failed: number;
}

/** A check without individual tests counts as one. */
export const checkOutcome = (isOk: boolean): Outcome => (isOk ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** A run that failed although no test says so (an error outside the tests, a crash) counts as one failure. */
export function withExitCode(outcome: Outcome, exitCode: number): Outcome {
  return exitCode !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
}

export const sum = (outcomes: Outcome[]): Outcome => ({
  passed: outcomes.reduce((total, { passed }) => total + passed, 0),
  failed: outcomes.reduce((total, { failed }) => total + failed, 0),
});
