import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { PROJECT_ROOT } from '../paths.ts';
import { readJsonFile } from '../process/json-file.ts';
import type { Outcome } from './outcome.ts';

const vitestSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.string(),
      results: z.array(z.object({ error: z.object({ message: z.string().default('') }).optional() })),
    }),
  ),
});

interface Suite {
  specs: z.infer<typeof specSchema>[];
  suites?: Suite[] | undefined;
}

const suiteSchema: z.ZodType<Suite> = z.object({
  specs: z.array(specSchema),
  suites: z.lazy(() => z.array(suiteSchema)).optional(),
});

const playwrightSchema = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number() }),
  suites: z.array(suiteSchema),
});

const NONE: Outcome = { passed: 0, failed: 0, failures: [] };

/** Tests of a Vitest JSON report. A file that failed without a failed test (it could not be loaded) counts as one. */
export function readVitestReport(path: string): Outcome {
  const report = readJsonFile(path, vitestSchema);
  if (!report) return NONE;
  const failures: string[] = [];
  let broken = 0;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = relative(PROJECT_ROOT, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of failed)
      failures.push(describe(`${file} › ${fullName}`, failureMessages?.[0]));
    if (status !== 'failed' || failed.length > 0) continue;
    broken += 1;
    failures.push(describe(file, message));
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken, failures };
}

/** Tests of a Playwright JSON report. */
export function readPlaywrightReport(path: string): Outcome {
  const report = readJsonFile(path, playwrightSchema);
  if (!report) return NONE;
  const failures = report.suites
    .flatMap(specsOf)
    .flatMap(({ title, file, line, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ projectName, results }) =>
          describe(`[${projectName}] e2e/${file}:${line} › ${title}`, results.at(-1)?.error?.message),
        ),
    );
  return { passed: report.stats.expected, failed: report.stats.unexpected, failures };
}

const specsOf = ({ specs, suites = [] }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(specsOf)];

function describe(title: string, error = ''): string {
  const [line = ''] = stripVTControlCharacters(error).split('\n');
  return line === '' ? title : `${title}\n    ${line}`;
}
