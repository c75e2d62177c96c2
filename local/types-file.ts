import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT_ROOT, program } from './paths.ts';
import { messageOf, UserError } from './process/user-error.ts';

/** Below the project's root. Generated, never edited. */
export const TYPES_FILE = 'src/types/database.ts';

/** TypeScript types of the schema public, made by the official CLI and formatted like the rest of the code. */
export async function generateTypes(databaseUrl: string): Promise<string> {
  return formatTypeScript(await runCli(databaseUrl));
}

async function runCli(databaseUrl: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      program('supabase'),
      ['gen', 'types', 'typescript', `--remote=${databaseUrl}?sslmode=disable`, '--schema', 'public'],
      // The CLI reads supabase/config.toml, which wants a Clerk host, even where it asks only the database.
      { cwd: PROJECT_ROOT, env: { CLERK_DOMAIN: 'clerk.example.com', ...process.env, DO_NOT_TRACK: '1' } },
    );
    return stdout;
  } catch (error) {
    throw new UserError(`The official CLI could not generate the types: ${messageOf(error)}`);
  }
}

/** Source as Biome writes it. It is told another file name, because it leaves generated files themselves alone. */
export function formatTypeScript(source: string): string {
  const args = ['format', '--stdin-file-path=src/types/generated.ts'];
  return execFileSync(program('biome'), args, { cwd: PROJECT_ROOT, input: source, encoding: 'utf8' });
}
