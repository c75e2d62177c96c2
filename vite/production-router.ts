import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const directory = new URL('../node_modules/react-router/dist/production/', import.meta.url);

/**
 * Builds with React Router's production files, which are without its warnings (600 bytes after gzip). Its package names those of development
 * under every condition.
 */
export function productionRouter(): Plugin {
  return {
    name: 'production-router',
    apply: 'build',
    config: () => ({
      resolve: {
        alias: [
          { find: /^react-router$/, replacement: fileURLToPath(new URL('index.mjs', directory)) },
          { find: /^react-router\/dom$/, replacement: fileURLToPath(new URL('dom-export.mjs', directory)) },
        ],
      },
    }),
  };
}
