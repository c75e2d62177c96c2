import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeDataDirectory } from './database/data-directory.ts';
import { type StackEnv, writeEnvFile } from './env.ts';
import { claimDirectory } from './process/claim.ts';
import { freePorts, rememberedPorts } from './process/ports.ts';
import { StartedParts } from './process/started-parts.ts';
import { stackEnv } from './stack-env.ts';
import type { StackOptions } from './stack-options.ts';
import { startParts } from './start-parts.ts';

export interface Stack {
  env: StackEnv;
  /** Path of the file with the same lines. */
  envFile: string;
  stop(): Promise<void>;
}

/** Starts every part of the embedded stack in this process and its children. When one fails, all are stopped again. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const claim = await claimDirectory(options.directory);
  const started = new StartedParts(options.directory, { isEphemeral: options.isEphemeral ?? false });
  const stop = async () => {
    await started.stop();
    claim.release();
  };
  try {
    if (options.isFresh) removeData(options.directory);
    const ports = await (options.ports === 'free' ? freePorts() : rememberedPorts(options.directory));
    const env = stackEnv(ports, join(options.directory, 'identity'));
    claim.setUrl(options.app ? env.APP_URL : env.SUPABASE_URL);
    await startParts(options, { ports, env, started });
    return { env, envFile: writeEnvFile(options.directory, env), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Deletes data, uploaded files and accounts; the claim, the remembered ports and the templates are kept. */
function removeData(directory: string): void {
  removeDataDirectory(directory);
  for (const name of ['files', 'identity']) rmSync(join(directory, name), { recursive: true, force: true });
}
