import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
import project from './package.json' with { type: 'json' };
import { chunks } from './vite/chunks.ts';
import { guardEnvironment } from './vite/guard-environment.ts';
import { apiProxy } from './vite/hosting/api-routes.ts';
import { hostFiles } from './vite/hosting/plugin.ts';
import { prerenderPages } from './vite/prerendered-pages.ts';
import { productionRouter } from './vite/production-router.ts';
import { scriptPerChunk } from './vite/script-per-chunk.ts';
import { serveDemoFiles } from './vite/serve-demo-files.ts';
import { serviceWorker } from './vite/service-worker.ts';
import { sourceMaps } from './vite/source-maps.ts';

/**
 * Plain Vite. `npm start` sets QUESTBOARD_GATEWAY_URL and QUESTBOARD_IDENTITY_URL, so that the browser reaches the
 * embedded edge functions and identity under the app's own origin, as host rewrites do in production.
 */
const embedded = process.env.QUESTBOARD_GATEWAY_URL;
// `npm run dev` alone leads /api to the project that .env names.
const gateway = embedded ?? loadEnv('development', fileURLToPath(new URL('.', import.meta.url))).VITE_SUPABASE_URL;
const identity = process.env.QUESTBOARD_IDENTITY_URL;
const proxy = {
  ...(gateway ? apiProxy(gateway) : {}),
  ...(identity ? { '/__clerk': { target: identity, xfwd: true } } : {}),
};

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    productionRouter(),
    guardEnvironment(),
    serviceWorker(),
    sourceMaps(),
    scriptPerChunk(),
    prerenderPages(),
    hostFiles(),
    ...(embedded ? [serveDemoFiles()] : []),
  ],
  define: { 'import.meta.env.VITE_RELEASE': JSON.stringify(`questboard@${project.version}`) },
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // Browsers that do not know modulepreload start a little later; the code that helps them would slow all others.
  build: { modulePreload: { polyfill: false }, rolldownOptions: { output: chunks } },
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
});
