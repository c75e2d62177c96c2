import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { preview } from 'vite';
import { viteEnv } from '../../local/env.ts';
import { PROJECT_ROOT, program } from '../../local/paths.ts';
import { testEnv } from '../../local/testing/clients.ts';

/** A separate build, served on its own port. */
export interface Site {
  url: string;
  /** The build directory; its source maps, if any, are beside it in a directory of the same name with `.maps`. */
  directory: string;
  stop: () => Promise<void>;
}

/** The port that the stack knows for the other site. */
const otherSitePort = Number(process.env.QUESTBOARD_OTHER_SITE_PORT ?? 0);

/** Builds and serves the app with these variables instead of the stack's, in some seconds. Port 0 is any free one. */
export async function buildSite(variables: Record<string, string>, port = otherSitePort): Promise<Site> {
  const outDir = mkdtempSync(join(tmpdir(), 'questboard-site-'));
  const args = ['build', '--mode', 'test', '--logLevel', 'warn', '--outDir', outDir, '--emptyOutDir'];
  const env = { ...process.env, ...viteEnv(testEnv()), ...variables };
  await promisify(execFile)(program('vite'), args, { cwd: PROJECT_ROOT, env });
  const own = { ...process.env };
  Object.assign(process.env, env);
  const server = await preview({
    root: PROJECT_ROOT,
    build: { outDir },
    preview: { port, strictPort: true },
    logLevel: 'silent',
  });
  // The site's responses are fixed by now.
  for (const name of Object.keys(env)) if (!(name in own)) delete process.env[name];
  Object.assign(process.env, own);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await server.close();
    for (const directory of [outDir, `${outDir}.maps`]) rmSync(directory, { recursive: true, force: true });
  };
  return {
    url: new URL(server.resolvedUrls?.local[0] ?? '').origin,
    directory: outDir,
    stop: () => (stopped ??= stop()),
  };
}
