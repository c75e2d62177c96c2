import { expect, it } from 'vitest';
import { withScripts } from './script-per-chunk.ts';

it('names each imported file as a script of its own, before the entry', () => {
  const html = `<head>
    <script type="module" crossorigin src="/assets/index.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/react.js">
    <link rel="modulepreload" crossorigin href="/assets/vendor.js">
    <link rel="stylesheet" crossorigin href="/assets/index.css">
  </head>`;
  expect(withScripts(html)).toBe(`<head>
    <script type="module" crossorigin src="/assets/react.js"></script>
    <script type="module" crossorigin src="/assets/vendor.js"></script>
    <script type="module" crossorigin src="/assets/index.js"></script>
    <link rel="stylesheet" crossorigin href="/assets/index.css">
  </head>`);
});
