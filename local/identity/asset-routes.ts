import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { clerkPackages, packageDirectory, prepareClerkAssets } from './assets.ts';

const hour = 3600;
const year = 31_536_000;

/** Clerk's browser files, at the paths where the SDK looks for them: `/npm/@clerk/{name}@{range}/dist/{file}`. */
export function assetRoutes(assetsDir: string): Hono {
  const routes = new Hono();
  let preparing: Promise<void> | undefined;

  // Usually the installer has fetched them already; if not, the first page that needs them waits.
  const prepare = () => {
    preparing ??= prepareClerkAssets(assetsDir).catch((error: unknown) => {
      preparing = undefined;
      throw error;
    });
    return preparing;
  };

  routes.get('/:package{[a-z-]+@[^/]+}/dist/:file{[\\w.-]+\\.js}', async (c) => {
    const [name, range] = c.req.param('package').split('@');
    const clerkPackage = clerkPackages.find((candidate) => candidate.name === name);
    if (!clerkPackage) return c.text('Not one of the packages that are served here.', 404);
    try {
      await prepare();
    } catch (error) {
      return c.text(error instanceof Error ? error.message : String(error), 503);
    }
    const file = c.req.param('file');
    const path = join(packageDirectory(assetsDir, clerkPackage), 'dist', file);
    const size = await stat(path).then(
      (stats) => stats.size,
      () => undefined,
    );
    if (size === undefined) return c.text('No such file.', 404);
    // A name with the exact version in it never changes its content; `clerk-js@6` does with the next upgrade.
    const isExact = range === clerkPackage.version || file.includes(`_${clerkPackage.version}.`);
    c.header('Cache-Control', isExact ? `public, max-age=${year}, immutable` : `public, max-age=${hour}`);
    c.header('Content-Type', 'text/javascript; charset=utf-8');
    c.header('Content-Length', String(size));
    return c.body(Readable.toWeb(createReadStream(path)) as ReadableStream);
  });

  return routes;
}
