import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PROJECT_ROOT, program } from '../paths.ts';
import { testEnv } from '../testing/clients.ts';

// That it applies every migration to an empty database is proved in supabase/tests/cli.test.ts.
it('the official CLI has nothing left to apply on a stack', async () => {
  const remote = `--remote=${testEnv().DATABASE_URL}?sslmode=disable`;
  const args = ['db', 'push', '--yes', '--skip-vault', remote, '--dry-run'];
  const env = { CLERK_DOMAIN: 'clerk.example.com', ...process.env };
  const { stdout, stderr } = await promisify(execFile)(program('supabase'), args, { cwd: PROJECT_ROOT, env });
  expect(stdout + stderr).toContain('up to date');
});
