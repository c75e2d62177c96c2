import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PROJECT_ROOT, program } from '../../../local/paths.ts';

/** Runs the official CLI in the project. Throws with its output when it fails. */
export async function supabaseCli(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program('supabase'), [...args, '--agent=no'], {
    cwd: PROJECT_ROOT,
    // It reads supabase/config.toml, which requires a Clerk host, even when it only needs the database.
    env: { CLERK_DOMAIN: 'clerk.example.com', ...process.env, DO_NOT_TRACK: '1' },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/**
 * Reads `supabase/config.toml` in a folder of its own, with `.env` made from an example file or without one, and
 * without inherited environment variables. Resolves to the CLI's output.
 */
export async function readConfig(databaseUrl: string, example: string | null): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'questboard-config-'));
  cpSync(join(PROJECT_ROOT, 'supabase'), join(folder, 'supabase'), {
    recursive: true,
    filter: (path) => !/\/(functions\/[^/]+\/|tests|\.temp|\.env)/.test(path),
  });
  if (example) copyFileSync(join(PROJECT_ROOT, example), join(folder, '.env'));
  const { CLERK_DOMAIN: _, ...env } = process.env;
  const args = ['db', 'push', `--remote=${databaseUrl}?sslmode=disable`, '--dry-run', '--yes', '--agent=no'];
  try {
    const options = { cwd: folder, env: { ...env, DO_NOT_TRACK: '1' } };
    const { stdout, stderr } = await promisify(execFile)(program('supabase'), args, options);
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const report = z.object({
  results: z.array(z.object({ name: z.string(), detail: z.string(), cacheKey: z.string() })),
});

export type Finding = z.infer<typeof report>['results'][number];

/** The findings of the platform's own advisors on a database, hints included. */
export async function advise(databaseUrl: string): Promise<Finding[]> {
  const target = `--remote=${databaseUrl}?sslmode=disable`;
  const output = await supabaseCli('db', 'advisors', target, '--level=info', '--fail-on=none', '--output-format=json');
  return report.parse(JSON.parse(output)).results;
}
