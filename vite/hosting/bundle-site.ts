import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { SiteOptions } from './site.ts';

/** Bundles the site's edge function into one module without imports, which every host accepts. */
export async function bundleSite(options: SiteOptions): Promise<string> {
  const result = await build({
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'warn',
    // Edge runtimes have no document.
    resolve: { conditions: ['edge-light', 'module'] },
    define: { __SITE__: JSON.stringify(options) },
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: fileURLToPath(new URL('site-entry.ts', import.meta.url)), formats: ['es'] },
    },
  });
  const [bundle] = [result].flat();
  if (!bundle || !('output' in bundle)) throw new Error('The edge function was not bundled.');
  return bundle.output[0].code;
}
