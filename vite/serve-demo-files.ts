import { createReadStream, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connect, Plugin } from 'vite';

const FILE = /^\/logos\/[a-z0-9-]+\.svg$/;

const serve: Connect.NextHandleFunction = (request, response, next) => {
  const path = request.url?.split('?')[0] ?? '';
  const file = fileURLToPath(new URL(`../local/demo${path}`, import.meta.url));
  if (!FILE.test(path) || !existsSync(file)) return next();
  response.setHeader('content-type', 'image/svg+xml');
  response.setHeader('cache-control', 'public, max-age=3600');
  createReadStream(file).pipe(response);
};

/**
 * The demo projects' logos under `/demo`, the addresses that the seed gives them. On the embedded stack only: they are
 * not part of the product, so `vite build` omits them.
 */
export function serveDemoFiles(): Plugin {
  return {
    name: 'questboard:demo-files',
    configureServer: ({ middlewares }) => void middlewares.use('/demo', serve),
    configurePreviewServer: ({ middlewares }) => void middlewares.use('/demo', serve),
  };
}
