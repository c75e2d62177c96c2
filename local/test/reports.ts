import { z } from 'zod';
import { readJsonFile } from '../process/json-file.ts';
import type { Outcome } from './outcome.ts';

const vitestSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

const playwrightSchema = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number() }),
});

const NONE: Outcome = { passed: 0, failed: 0 };

/** Tests of a Vitest JSON report. A file that failed without a failed test (it could not be loaded) counts as one. */
export function readVitestReport(path: string): Outcome {
  const report = readJsonFile(path, vitestSchema);
  if (!report) return NONE;
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/** Tests of a Playwright JSON report. */
export function readPlaywrightReport(path: string): Outcome {
  const report = readJsonFile(path, playwrightSchema);
  if (!report) return NONE;
  return { passed: report.stats.expected, failed: report.stats.unexpected };
}
