import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvFile } from '../env.ts';
import { TOKEN_PATH } from '../identity-server.ts';
import { LOCAL_DIRECTORY } from '../paths.ts';
import { isRunning } from '../process/claim.ts';
import { UserError } from '../process/user-error.ts';

const TOKEN_SECONDS = 3600;

/** `npm run token -- EMAIL`: prints a session token of a local user, created if missing, that is valid for an hour. */
export async function tokenCommand(email: string | undefined): Promise<number> {
  if (!email || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new UserError('Usage: npm run token -- EMAIL');
  const envFile = join(LOCAL_DIRECTORY, 'env');
  if (!isRunning(LOCAL_DIRECTORY) || !existsSync(envFile)) {
    throw new UserError('No local stack is running; start one with npm start or npm run stack.');
  }
  const env = readEnvFile(envFile);
  const response = await fetch(`${env.IDENTITY_URL}${TOKEN_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${env.SUPABASE_SECRET_KEY}` },
    body: JSON.stringify({ email, ttlSeconds: TOKEN_SECONDS }),
  });
  if (!response.ok) throw new UserError(`The identity service refused: ${await response.text()}`);
  console.log(await response.text());
  return 0;
}
