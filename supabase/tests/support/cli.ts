import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PROJECT_ROOT, program } from '../../../local/paths.ts';

/** Runs the official CLI in the project. Throws with its output when it fails. */
export async function supabaseCli(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program('supabase'), [...args, '--agent=no'], {
    cwd: PROJECT_ROOT,
    // It reads supabase/config.toml, which wants a Clerk host, even where it asks only the database.
    env: { CLERK_DOMAIN: 'clerk.example.com', ...process.env, DO_NOT_TRACK: '1' },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

const report = z.object({
  results: z.array(z.object({ name: z.string(), detail: z.string(), cacheKey: z.string() })),
});

export type Finding = z.infer<typeof report>['results'][number];

/** What the platform's own advisors say about a database, hints included. */
export async function advise(databaseUrl: string): Promise<Finding[]> {
  const target = `--remote=${databaseUrl}?sslmode=disable`;
  const output = await supabaseCli('db', 'advisors', target, '--level=info', '--fail-on=none', '--output-format=json');
  return report.parse(JSON.parse(output)).results;
}
