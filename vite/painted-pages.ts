import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';
import { FONT } from './service-worker.ts';

/** What is put into the built page for one path: into its head, and into #root. */
export interface PaintedPage {
  head: string;
  body: string;
}

/** Beside Vite's own manifests, below the build's folder. */
export const PAINTED_PAGES_FILE = '.vite/painted-pages.json';

/** The modules of the pages, by path; src/app/painted-pages.ts says which there are. */
const MODULES: Readonly<Record<string, string>> = {
  '/': '/features/home/pages/home-page.tsx',
  '/browse': '/features/marketplace/pages/hub-page.tsx',
  '/pricing': '/app/pages/pricing-page.tsx',
  '/terms': '/app/pages/legal-page.tsx',
  '/privacy': '/app/pages/legal-page.tsx',
  '/cookies': '/app/pages/legal-page.tsx',
};

/** Renders the pages that are the same for everybody, so that they show before any script has run (docs/decisions/0080-painted-pages.md). */
export function paintPages(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'painted-pages',
    apply: (_config, { command, isPreview }) => command === 'build' && !isPreview,
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: {
      order: 'pre',
      sequential: true,
      async handler(_options, bundle) {
        const markup = await renderPages(config);
        const pages = Object.entries(markup).map(([path, body]): [string, PaintedPage] => [
          path,
          { head: preloads(bundle, MODULES[path]), body },
        ]);
        const file = resolve(config.root, config.build.outDir, PAINTED_PAGES_FILE);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify(Object.fromEntries(pages)));
      },
    },
  };
}

/** What `paintPages` has made of a build. */
export function readPaintedPages(directory: string): Record<string, PaintedPage> {
  return JSON.parse(readFileSync(join(directory, PAINTED_PAGES_FILE), 'utf8'));
}

/** Builds src/app/paint.tsx for Node, as one module, and runs it. */
async function renderPages(config: ResolvedConfig): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-paint-'));
  try {
    await build({
      configFile: false,
      root: config.root,
      mode: config.mode,
      publicDir: false,
      // React's marks for the server, which the app's own build has answered already.
      logLevel: 'error',
      define: config.define,
      resolve: { alias: config.resolve.alias },
      ssr: { noExternal: true },
      build: {
        ssr: 'src/app/paint.tsx',
        outDir: directory,
        minify: false,
        rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'paint.mjs' } },
      },
    });
    const module: typeof import('../src/app/paint.tsx') = await import(
      pathToFileURL(join(directory, 'paint.mjs')).href
    );
    return await module.paintPages();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The page's code and the fonts start loading with the page. */
function preloads(bundle: Rolldown.OutputBundle, module: string | undefined): string {
  const scripts = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || scripts.has(name)) return;
    scripts.add(name);
    for (const imported of chunk.imports) add(imported);
  };
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const page = chunks.find(({ facadeModuleId }) => module && facadeModuleId?.endsWith(module));
  if (!page) throw new Error(`No chunk has the page ${module}: see MODULES.`);
  add(page.fileName);
  const fonts = Object.keys(bundle).filter((name) => FONT.test(name));
  return [
    ...fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`),
    ...[...scripts].map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`),
  ].join('\n    ');
}
