import type pg from 'pg';
import { IDENTITY_ISSUER } from '../constants.ts';

/**
 * Settings that an installation makes once (docs/deploy.md): the trusted token issuer, and that Realtime is available.
 */
export async function configureDeployment(client: pg.Client): Promise<void> {
  await client.query('update private.deployment set token_issuer = $1', [IDENTITY_ISSUER]);
  await client.query('select private.enable_live_updates()');
}
