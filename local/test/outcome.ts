/** What a step of `npm test` adds to the last line. */
export interface Outcome {
  passed: number;
  failed: number;
  /** Passed only on a second try. */
  flaky?: number;
}

/** A check without tests of its own counts as one. */
export const checkOutcome = (isOk: boolean): Outcome => (isOk ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** A run that failed although no test says so (an error outside the tests, a crash) counts as one failure. */
export function withExitCode(outcome: Outcome, exitCode: number): Outcome {
  return exitCode !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome;
}

export function sum(outcomes: Outcome[]): Required<Outcome> {
  const total = { passed: 0, failed: 0, flaky: 0 };
  for (const { passed, failed, flaky = 0 } of outcomes) {
    total.passed += passed;
    total.failed += failed;
    total.flaky += flaky;
  }
  return total;
}
