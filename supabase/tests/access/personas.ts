import type pg from 'pg';
import { IDENTITY_ISSUER } from '../../../local/constants.ts';

/** The callers. The ids own the rows of `fixture.ts`. */
export const PERSONAS = {
  anon: null,
  member: 'access_member',
  otherMember: 'access_other_member',
  owner: 'access_owner',
  otherOwner: 'access_other_owner',
  admin: 'access_admin',
  /** Has a profile, files of her own and nothing else. */
  suspended: 'access_suspended',
} as const;

export type PersonaName = keyof typeof PERSONAS;

export const PERSONA_NAMES = Object.keys(PERSONAS) as PersonaName[];

export const roleOf = (persona: PersonaName): 'anon' | 'authenticated' =>
  persona === 'anon' ? 'anon' : 'authenticated';

/**
 * Runs `run` as PostgREST would run this person's request, inside the open transaction, and rolls back to a savepoint.
 */
export async function actingAs<T>(client: pg.ClientBase, persona: PersonaName, run: () => Promise<T>): Promise<T> {
  const id = PERSONAS[persona];
  const claims = id && {
    iss: IDENTITY_ISSUER,
    sub: id,
    role: 'authenticated',
    public_metadata: persona === 'admin' ? { role: 'admin' } : {},
  };
  await client.query('savepoint acting');
  try {
    await client.query(`select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)`, [
      claims ? JSON.stringify(claims) : '',
      roleOf(persona),
    ]);
    return await run();
  } finally {
    await client.query('rollback to savepoint acting');
  }
}
