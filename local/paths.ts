import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout, without a trailing slash. */
export const PROJECT_ROOT = resolve(fileURLToPath(new URL('..', import.meta.url)));

/** Where `npm start` and `npm run stack` keep their state; `QUESTBOARD_LOCAL` moves it. */
export const LOCAL_DIRECTORY = resolve(process.env.QUESTBOARD_LOCAL ?? join(PROJECT_ROOT, '.local'));

/** Shared by all stacks of this checkout: migrated database templates. */
export const CACHE_DIRECTORY = join(PROJECT_ROOT, '.local/cache');

export const MIGRATIONS_DIRECTORY = join(PROJECT_ROOT, 'supabase/migrations');
/** What the last release consists of: hashes of its migrations, and its demo data, from which upgrades are tested. */
export const CHECKSUMS_FILE = join(PROJECT_ROOT, 'supabase/released/checksums.json');
export const RELEASED_SEED_FILE = join(PROJECT_ROOT, 'supabase/released/seed.sql');
export const FUNCTIONS_DIRECTORY = join(PROJECT_ROOT, 'supabase/functions');
export const SCHEMAS_DIRECTORY = join(PROJECT_ROOT, 'supabase/schemas');
export const SEED_FILE = join(PROJECT_ROOT, 'supabase/seed.sql');
export const BOOTSTRAP_FILE = join(PROJECT_ROOT, 'local/bootstrap.sql');

/** A program of `node_modules/.bin`. */
export const program = (name: string): string => join(PROJECT_ROOT, 'node_modules/.bin', name);
