import { type ExtractResult, extract, plan, renderPlanFiles } from '@supabase/pg-delta';
import pg from 'pg';
import { UserError } from '../process/user-error.ts';

export interface SchemaDiff {
  /**
   * Statements that lead from the first database to the second; none when the engine sees no difference. More than one
   * text where the first must be committed before the next can use it (a new enum value, for example).
   */
  steps: string[];
  /** Those among them that lose data: dropped tables and columns, rewritten enums. */
  destructive: string[];
}

/**
 * Diffs the schemas of two databases with the engine of the official CLI. It ignores rows and is an alpha release:
 * compare the catalogues (catalogue.ts) after applying its statements.
 */
export async function diffSchemas(fromUrl: string, toUrl: string): Promise<SchemaDiff> {
  const difference = plan(await read(fromUrl), await read(toUrl), { renames: 'off' });
  const { files } = renderPlanFiles(difference, { allowDrops: true });
  // Migrations run in transactions, here and by the official CLI.
  if (files.some(({ transactional }) => !transactional)) {
    throw new UserError('A change needs a statement that no transaction may contain. Write its migration by hand.');
  }
  return {
    steps: files.map(({ contents }) => contents),
    destructive: difference.actions.filter(({ dataLoss }) => dataLoss === 'destructive').map(({ sql }) => sql),
  };
}

async function read(url: string): Promise<ExtractResult['factBase']> {
  const pool = new pg.Pool({ connectionString: url });
  try {
    const { factBase, diagnostics } = await extract(pool);
    // Dangling edges of generated columns and identity sequences lead to what the engine keeps inside their tables.
    const unreadable = diagnostics.filter(({ severity, code }) => severity !== 'info' && code !== 'dangling_edge');
    if (unreadable.length === 0) return factBase;
    throw new UserError(`The schema cannot be read:\n${unreadable.map(({ message }) => `- ${message}`).join('\n')}`);
  } finally {
    await pool.end();
  }
}
