/**
 * Lets the app open without a network: an empty page of the app, its first scripts, its styles and its fonts are kept, and nothing
 * else. Answers of the API and of the identity provider are never kept, so that nothing old is shown as if it were new
 * (docs/decisions/0064-what-works-offline.md).
 *
 * A new version waits until no page of the old one is open any more. Pages come from the network first, so a new release is
 * there with the next page all the same.
 */
declare const self: ServiceWorkerGlobalScope;

/** Written into the build by vite/service-worker.ts. `cache` is a name that no other build has, `page` the empty page. */
declare const __SHELL__: { cache: string; page: string; files: string[] };
const { cache: cacheName, page, files } = __SHELL__;

self.addEventListener('install', (event) => event.waitUntil(keepShell()));
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([forgetOldShells(), startPagesEarly()])));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === 'navigate') event.respondWith(fetchPage(event));
  else if (origin === self.location.origin && files.includes(pathname)) event.respondWith(fromShell(request));
});

async function keepShell(): Promise<void> {
  const shell = await caches.open(cacheName);
  await shell.addAll(files);
  const answer = await fetch(page);
  if (!answer.ok) throw new Error(`${page} answered ${answer.status}`);
  // Some hosts send '/x.html' on to '/x'. Browsers refuse to open a page with an answer that came by such a detour.
  await shell.put(page, new Response(await answer.blob(), { headers: answer.headers }));
}

async function forgetOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
}

/** The browser asks for a page while this worker is still starting. */
const startPagesEarly = () => self.registration.navigationPreload?.enable();

/** A page from the network; the app without any data when there is none. */
async function fetchPage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const kept = await caches.match(page);
    if (!kept) throw error;
    return kept;
  }
}

/** These files are named by their content: what is kept is what the network would send. */
const fromShell = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);
