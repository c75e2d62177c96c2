import { join } from 'node:path';
import { startAppServer } from '../app-server.ts';
import { type StackEnv, viteEnv } from '../env.ts';
import { defaultAssetsDir, prepareClerkAssets } from '../identity/index.ts';
import { UserError } from '../process/user-error.ts';
import { type RunOptions, run } from './run.ts';

/**
 * Builds the app for a stack and serves it where the stack expects it, unless something answers there already. Resolves
 * to the function that stops serving.
 */
export async function serveBuiltApp(
  env: StackEnv,
  { log, ...options }: RunOptions & { log: (line: string) => void },
): Promise<() => Promise<void>> {
  if (await answers(env.APP_URL)) return async () => undefined;
  await prepareClerkAssets(defaultAssetsDir, { onProgress: log });
  log('Building the app …');
  const outDir = join(options.directory, 'app');
  const args = ['build', '--mode', 'test', '--logLevel', 'warn', '--outDir', outDir, '--emptyOutDir'];
  if ((await run('vite', args, { ...options, env: viteEnv(env) })) !== 0)
    throw new UserError('The app could not be built.');

  const server = await startAppServer({
    mode: 'preview',
    env,
    port: Number(new URL(env.APP_URL).port),
    outDir,
    onFailure: ({ name, lastLines }) => log(`${name} ended unexpectedly.\n${lastLines.join('\n')}`),
  });
  return server.stop;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
