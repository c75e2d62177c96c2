import { join } from 'node:path';
import { startAppServer } from '../app-server.ts';
import { type StackEnv, viteEnv } from '../env.ts';
import { defaultAssetsDir, prepareClerkAssets } from '../identity/index.ts';
import { UserError } from '../process/user-error.ts';
import { run } from './run.ts';

/**
 * Builds the app for a stack and serves it where the stack expects it, unless something answers there already. Resolves
 * to the function that stops serving.
 */
export async function serveBuiltApp(
  env: StackEnv,
  { signal, directory }: { signal: AbortSignal; directory: string },
): Promise<() => Promise<void>> {
  if (await answers(env.APP_URL)) return async () => undefined;
  await prepareClerkAssets(defaultAssetsDir, { onProgress: (line) => console.log(line) });
  console.log('Building the app …');
  const outDir = join(directory, 'app');
  const args = ['build', '--mode', 'test', '--logLevel', 'warn', '--outDir', outDir, '--emptyOutDir'];
  if ((await run('vite', args, { signal, directory, env: viteEnv(env) })) !== 0)
    throw new UserError('The app could not be built.');

  const server = await startAppServer({
    mode: 'preview',
    env,
    port: Number(new URL(env.APP_URL).port),
    outDir,
    onFailure: ({ name, lastLines }) => console.error(`${name} ended unexpectedly.\n${lastLines.join('\n')}`),
  });
  return server.stop;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
