import type { Plugin } from 'vite';

const PRELOAD = /[ \t]*<link rel="modulepreload"([^>]*) href="([^"]+)">\n/g;
const ENTRY = /[ \t]*<script type="module"[^>]*><\/script>\n/;

/**
 * Gives each file that the page's entry imports a script element of its own, in the order in which they import each other. The browser
 * evaluates each script in a task of its own; what is only imported is evaluated with the entry, in one long task that presses wait for.
 */
export function scriptPerChunk(): Plugin {
  return {
    name: 'script-per-chunk',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: (html) => withScripts(html) },
  };
}

/** `html` as Vite writes it: the entry, then a preload for each file that it imports. */
export function withScripts(html: string): string {
  const imported = [...html.matchAll(PRELOAD)].map(
    ([, attributes, file]) => `    <script type="module"${attributes} src="${file}"></script>\n`,
  );
  return html.replace(PRELOAD, '').replace(ENTRY, (entry) => [...imported, entry].join(''));
}
