import type pg from 'pg';
import { IDENTITY_ISSUER } from '../constants.ts';

/** What an installation sets once (docs/deploy.md): whose session tokens the database believes, and that there is Realtime. */
export async function configureDeployment(client: pg.Client): Promise<void> {
  await client.query('update private.deployment set token_issuer = $1', [IDENTITY_ISSUER]);
  await client.query('select private.enable_live_updates()');
}
