import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadEnv, type Plugin, type ResolvedConfig } from 'vite';

/**
 * Source maps for error tracking, where it is configured (docs/deploy.md). They are never published: scripts do not
 * reference them, and they are written, with copies of the scripts, to a folder next to the build, ready for upload to
 * Sentry.
 */
export function sourceMaps(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'source-maps',
    apply: 'build',
    config: ({ root = process.cwd() }, { mode }) =>
      loadEnv(mode, root).VITE_SENTRY_DSN ? { build: { sourcemap: 'hidden' } } : {},
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: () => {
      if (!config.build.sourcemap) return;
      const built = resolve(config.root, config.build.outDir);
      const assets = join(built, config.build.assetsDir);
      const target = join(`${built}.maps`, config.build.assetsDir);
      rmSync(`${built}.maps`, { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      // The service worker is at the root of the site and reports nothing.
      for (const file of readdirSync(built)) if (file.endsWith('.map')) rmSync(join(built, file));
      for (const file of readdirSync(assets)) {
        if (file.endsWith('.map')) renameSync(join(assets, file), join(target, file));
        if (file.endsWith('.js')) copyFileSync(join(assets, file), join(target, file));
      }
    },
  };
}
