import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { withClient } from '../database/connection.ts';
import { reportFailure } from '../ephemeral-stack.ts';
import { createGatewayKeys } from '../gateway/keys.ts';
import { serveGateway } from '../gateway/serve-gateway.ts';
import { loadSigningKey } from '../identity/keys.ts';
import { ProcessRecords } from '../process/orphans.ts';
import { freePorts } from '../process/ports.ts';
import { startRest } from '../rest/postgrest.ts';
import { ownOrigins } from '../stack-env.ts';
import { closeSql, testEnv } from './clients.ts';

/**
 * Set-up file of the project `database`: gives each test file its own database, copied from the server's migrated and seeded one, with its
 * own PostgREST and gateway. Settings, counters and the ledger then belong to the file alone, and files can run concurrently.
 */
// A file whose last check failed leaves its connections behind, and they would be used here.
void closeSql();
const server = testEnv();
const name = `test_${randomUUID().replaceAll('-', '')}`;
const serverDirectory = dirname(server.IDENTITY_DIRECTORY);
const directory = join(serverDirectory, name);
mkdirSync(directory);
const ports = await freePorts();

const asSuperuser = (statement: string) =>
  withClient(inDatabase(server.ADMIN_DATABASE_URL, 'template1'), (client) => client.query(statement));

/**
 * Nobody may be connected to the database that is copied, so statements about databases are sent through another one.
 */
await asSuperuser(`create database ${name} template postgres owner postgres strategy file_copy`);
const keys = await createGatewayKeys(directory, {
  identityKeys: (await loadSigningKey(server.IDENTITY_DIRECTORY)).jwks,
  secretKey: server.SUPABASE_SECRET_KEY,
});
const authenticatorUrl = inDatabase(server.DATABASE_URL.replace('//postgres:', '//authenticator:'), name);
const records = new ProcessRecords(serverDirectory, name);
const rest = await startRest({
  databaseUrl: authenticatorUrl,
  ports,
  jwksPath: keys.jwksPath,
  onSpawn: (pid) => records.add('PostgREST', pid),
  onFailure: reportFailure,
});
const closeGateway = await serveGateway({
  sites: {},
  port: ports.gateway,
  databaseUrl: authenticatorUrl,
  restUrl: `http://127.0.0.1:${ports.rest}`,
  functionsUrl: server.SUPABASE_URL,
  directory,
  keys,
  origins: ownOrigins(server),
});

process.env.SUPABASE_URL = `http://127.0.0.1:${ports.gateway}`;
process.env.DATABASE_URL = inDatabase(server.DATABASE_URL, name);
process.env.ADMIN_DATABASE_URL = inDatabase(server.ADMIN_DATABASE_URL, name);

afterAll(async () => {
  await closeSql();
  await closeGateway();
  await rest.stop();
  records.clear();
  Object.assign(process.env, server);
  await asSuperuser(`drop database ${name} with (force)`);
  rmSync(directory, { recursive: true, force: true });
});

function inDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
