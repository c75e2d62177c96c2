import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';
import type { EarlyRequest } from '../src/lib/head/early-requests.ts';
import { FONT } from './service-worker.ts';

/** What is inserted into the built page for one path, or for all pages of one kind. */
export interface PrerenderedPage {
  /** Its preloads. */
  head: string;
  /** Markup of #root; none for a kind of page, which the host fills with the data of each page. */
  body?: string;
  /** The database requests of its first view. */
  requests: EarlyRequest[];
}

/** Next to Vite's own manifests, in the build's folder. */
export const PRERENDERED_PAGES_FILE = '.vite/prerendered-pages.json';

/** The pages' modules, by path (src/app/pages.ts lists them), and by kind for pages with an id in their address. */
const MODULES: Readonly<Record<string, string>> = {
  '/': '/features/home/pages/home-page.tsx',
  '/browse': '/features/marketplace/pages/hub-page.tsx',
  '/pricing': '/app/pages/pricing-page.tsx',
  '/terms': '/app/legal/legal-page.tsx',
  '/privacy': '/app/legal/legal-page.tsx',
  '/cookies': '/app/legal/legal-page.tsx',
  quest: '/features/marketplace/pages/quest-page.tsx',
  project: '/features/marketplace/pages/project-page.tsx',
  member: '/features/rewards/pages/member-profile-page.tsx',
};

/**
 * Renders the pages that are the same for everybody, so that they show before any script has run
 * (docs/decisions/0080-prerendered-pages.md).
 */
export function prerenderPages(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'prerendered-pages',
    apply: (_config, { command, isPreview }) => command === 'build' && !isPreview,
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: {
      order: 'pre',
      sequential: true,
      async handler(_options, bundle) {
        const { markup, requests } = await renderPages(config);
        const names = new Set([...Object.keys(markup), ...Object.keys(requests)]);
        const pages = [...names].map((name): [string, PrerenderedPage] => [
          name,
          { head: preloads(bundle, MODULES[name]), body: markup[name], requests: requests[name] ?? [] },
        ]);
        const file = resolve(config.root, config.build.outDir, PRERENDERED_PAGES_FILE);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, JSON.stringify(Object.fromEntries(pages)));
      },
    },
  };
}

/** The output of `prerenderPages` for a build. */
export function readPrerenderedPages(directory: string): Record<string, PrerenderedPage> {
  return JSON.parse(readFileSync(join(directory, PRERENDERED_PAGES_FILE), 'utf8'));
}

/** Bundles src/app/prerender.tsx for Node as one module, and runs it. */
async function renderPages(
  config: ResolvedConfig,
): ReturnType<typeof import('../src/app/prerender.tsx').prerenderPages> {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-prerender-'));
  try {
    await build({
      configFile: false,
      root: config.root,
      mode: config.mode,
      publicDir: false,
      // Hides warnings about directives such as "use client", which do not matter here.
      logLevel: 'error',
      define: config.define,
      resolve: { alias: config.resolve.alias },
      ssr: { noExternal: true },
      build: {
        ssr: 'src/app/prerender.tsx',
        outDir: directory,
        minify: false,
        rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'prerender.mjs' } },
      },
    });
    const module: typeof import('../src/app/prerender.tsx') = await import(
      pathToFileURL(join(directory, 'prerender.mjs')).href
    );
    return await module.prerenderPages();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Preloads the page's code and the fonts. */
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
