import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';

const WORKER = 'service-worker.js';
const PLACEHOLDER = '__SHELL__';

/** Parts of the app that load after the first paint and that the offline page needs as well. */
const LATE_PARTS = ['src/app/layout/late-parts.tsx'];

/** All fonts of the build: styles/fonts.css names those of the product's own texts only. */
export const FONT = /\.woff2$/;

/**
 * Builds src/service-worker.ts to /service-worker.js and lists what it must cache: the page as built, without anything inserted later, and
 * the files that it starts with.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: 'src/service-worker.ts', fileName: WORKER });
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle[WORKER];
        const html = bundle['index.html'];
        if (worker?.type !== 'chunk' || html?.type !== 'asset') throw new Error('The build has no page or no worker.');
        const source = html.source.toString();
        const page = `assets/shell-${hashOf(source)}.html`;
        this.emitFile({ type: 'asset', fileName: page, source });
        const files = shellFiles(bundle).map((file) => `/${file}`);
        const cache = `questboard-${hashOf([page, ...files].join())}`;
        worker.code = worker.code.replaceAll(PLACEHOLDER, JSON.stringify({ cache, page: `/${page}`, files }));
      },
    },
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Chunks that the app's entry and its lazy parts import, with their styles, and the fonts. */
function shellFiles(bundle: Rolldown.OutputBundle): string[] {
  const output = Object.values(bundle);
  const isShell = ({ isEntry, fileName, facadeModuleId }: Rolldown.OutputChunk) =>
    (isEntry && fileName !== WORKER) || LATE_PARTS.some((part) => facadeModuleId?.endsWith(part));
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk) => {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') add(imported);
    }
  };
  for (const chunk of output) if (chunk.type === 'chunk' && isShell(chunk)) add(chunk);
  for (const { fileName } of output) if (FONT.test(fileName)) files.add(fileName);
  return [...files].toSorted();
}
