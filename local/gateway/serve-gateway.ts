import { join } from 'node:path';
import type { Hono } from 'hono';
import { IDENTITY_ISSUER } from '../constants.ts';
import { listen } from '../process/listen.ts';
import { Realtime } from '../realtime/realtime.ts';
import { StorageDatabase } from '../storage/database.ts';
import { Files } from '../storage/files.ts';
import { UrlSigner } from '../storage/signed-url.ts';
import { createStorage } from '../storage/storage.ts';
import { identifyCaller } from './caller.ts';
import { createGateway } from './gateway.ts';
import type { GatewayKeys } from './keys.ts';

export interface ServedGatewayOptions {
  port: number;
  /** Connection as the role authenticator, for storage. */
  databaseUrl: string;
  restUrl: string;
  functionsUrl: string;
  /** Directory of the uploaded files, in a folder `files`. */
  directory: string;
  keys: GatewayKeys;
  /** Origins whose pages may call. */
  origins: string[];
  /** See GatewayOptions. */
  sites: Record<string, Hono>;
}

/** The gateway with storage and Realtime behind it, on 127.0.0.1. The returned function stops both. */
export async function serveGateway(options: ServedGatewayOptions): Promise<() => Promise<void>> {
  const { port, databaseUrl, restUrl, functionsUrl, directory, keys, origins, sites } = options;
  const identify = (headers: Headers) => identifyCaller(headers, keys, IDENTITY_ISSUER);
  const database = new StorageDatabase(databaseUrl);
  const storage = createStorage({
    database,
    files: new Files(join(directory, 'files')),
    signer: new UrlSigner(),
    identify,
  });
  const realtime = new Realtime({ database, databaseUrl, identify, origins });
  const gateway = createGateway({ restUrl, functionsUrl, storage, identify, origins, sites });
  const { close } = await listen(gateway, port, (request, socket, head) => realtime.upgrade(request, socket, head));
  return async () => {
    await realtime.close();
    await close();
    await database.close();
  };
}
