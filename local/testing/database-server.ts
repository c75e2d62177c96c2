import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { withClient } from '../database/connection.ts';
import { prepareDataDirectory } from '../database/data-directory.ts';
import { configureDeployment } from '../database/deployment.ts';
import { startDatabase } from '../database/server.ts';
import { makeEphemeralDirectory } from '../ephemeral-directory.ts';
import { reportFailure } from '../ephemeral-stack.ts';
import { loadSigningKey } from '../identity/keys.ts';
import { claimDirectory } from '../process/claim.ts';
import { freePorts } from '../process/ports.ts';
import { StartedParts } from '../process/started-parts.ts';
import { stackEnv } from '../stack-env.ts';

/** Files that run concurrently have a PostgREST pool each, and some use many connections at once. */
const MAX_CONNECTIONS = 500;

/**
 * Starts one throw-away PostgreSQL server for all files of the project `database`. Nobody uses its database `postgres`, which is migrated
 * and seeded: each file works on a copy, see own-database.ts. Vitest's workers inherit this process's environment.
 */
export default async function setup(
  _project: TestProject,
  onLine?: (line: string) => void,
): Promise<() => Promise<void>> {
  const directory = await makeEphemeralDirectory();
  const claim = await claimDirectory(directory.path);
  const started = new StartedParts(directory.path, { isEphemeral: true });
  const stop = async () => {
    await started.stop();
    claim.release();
    directory.remove();
  };
  try {
    const ports = await freePorts();
    const env = stackEnv(ports, join(directory.path, 'identity'));
    await loadSigningKey(env.IDENTITY_DIRECTORY);
    const data = await prepareDataDirectory({ directory: directory.path, isSeeded: true, onProgress: () => undefined });
    started.addDatabase(
      await startDatabase({
        directory: data.path,
        port: ports.database,
        isDurable: false,
        maxConnections: MAX_CONNECTIONS,
        onLine,
        onSpawn: started.record('PostgreSQL'),
        onFailure: reportFailure,
      }),
    );
    await withClient(env.DATABASE_URL, configureDeployment);
    Object.assign(process.env, env);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
