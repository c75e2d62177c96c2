import pg from 'pg';
import { testEnv } from '../../../local/testing/clients.ts';

/** A line of the reconciliation. Counts and points are `bigint`, so they arrive as text. */
export interface Finding {
  problem: string;
  subject_type: string;
  subject_id: string;
  expected: string;
  actual: string;
}

/** What the reconciliation finds after `damage`, which is rolled back. No trigger or foreign key prevents the damage. */
export async function planted(damage: string, values: unknown[]): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
  try {
    await client.query('begin');
    await client.query("set local session_replication_role = 'replica'");
    await client.query(damage, values);
    const { rows } = await client.query<Finding>(
      'select problem, subject_type, subject_id, expected, actual from public.reconcile_ledger()',
    );
    return rows;
  } finally {
    await client.query('rollback');
    await client.end();
  }
}
