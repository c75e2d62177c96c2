import { sql, testEnv } from '../../local/testing/clients.ts';

interface Person {
  id: string;
  email: string;
}

/**
 * Calls a procedure as a user outside beta, where people review proofs and projects. Beta is off only inside this
 * transaction, which restores it before it ends, so no other test ever sees it. Returns the first row.
 */
async function callOutsideBeta(person: Person, statement: string, values: unknown[]): Promise<{ id: string }> {
  const claims = JSON.stringify({
    iss: testEnv().IDENTITY_ISSUER,
    sub: person.id,
    email: person.email,
    role: 'authenticated',
  });
  const connection = await sql().connect();
  try {
    await connection.query('begin');
    await connection.query('update public.app_settings set beta_mode = false');
    await connection.query("select set_config('request.jwt.claims', $1, true)", [claims]);
    const { rows } = await connection.query<{ id: string }>(statement, values);
    await connection.query('update public.app_settings set beta_mode = true');
    await connection.query('commit');
    if (!rows[0]) throw new Error(`no row from ${statement}`);
    return rows[0];
  } catch (error) {
    await connection.query('rollback');
    throw error;
  } finally {
    connection.release();
  }
}

/** A proof pending with the owner. Returns the submission's id. */
export async function submitForReview(
  member: Person,
  taskId: string,
  proof: { url?: string; text?: string },
): Promise<string> {
  const values = [taskId, proof.url ?? null, proof.text ?? null, member.email];
  const { id } = await callOutsideBeta(member, 'select id from public.submit_proof($1, $2, $3, $4)', values);
  return id;
}

/** A project that waits for an admin. Returns its id. */
export async function applyForReview(owner: Person, name: string): Promise<string> {
  const statement = 'select id from public.create_startup_profile(p_name => $1, p_industry => $2)';
  return (await callOutsideBeta(owner, statement, [name, 'SaaS'])).id;
}
