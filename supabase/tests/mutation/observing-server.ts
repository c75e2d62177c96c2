import { appendFileSync, writeFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { withClient } from '../../../local/database/connection.ts';
import { testEnv } from '../../../local/testing/clients.ts';
import startServer from '../../../local/testing/database-server.ts';
import { observeConditions, readReport } from './observed-conditions.ts';
import { CONDITIONS, REPORTS } from './undecided-conditions.ts';

/** The database server for a run of all tests that observes the conditions of the functions. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const reported = new Set<string>();
  writeFileSync(REPORTS, '');
  const stop = await startServer(project, (line) => {
    const report = JSON.stringify(readReport(line));
    if (report === undefined || reported.has(report)) return;
    reported.add(report);
    appendFileSync(REPORTS, `${report}\n`);
  });
  writeFileSync(CONDITIONS, JSON.stringify(await withClient(testEnv().ADMIN_DATABASE_URL, observeConditions)));
  return stop;
}
