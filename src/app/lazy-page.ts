import type { ComponentType } from 'react';
import { type LazyComponent, lazyWithPreload } from '@/lib/lazy-with-preload';

/** The code of a page could not be fetched: no network, or a newer version of the site has replaced it. */
export class PageLoadError extends Error {
  override name = 'PageLoadError';
}

const reloadedFrom = 'questboard:reloaded-from';

/**
 * Opens the new version when a deployment has taken the code of this one away. Once for each version: should the browser get the old page
 * again, people are told instead.
 */
async function reloadIfReplaced(): Promise<void> {
  const entry = document.querySelector('script[type="module"][src*="/assets/"]')?.getAttribute('src');
  if (!entry || sessionStorage.getItem(reloadedFrom) === entry) return;
  const page = await fetch('/', { cache: 'no-store' });
  if (!page.ok || (await page.text()).includes(entry)) return;
  sessionStorage.setItem(reloadedFrom, entry);
  window.location.reload();
  // The page goes away: nothing else may appear in the meantime.
  await new Promise(() => undefined);
}

/**
 * `lazyWithPreload`, with a failure to fetch told from a failure of the page itself. A page that was preloaded can take over what the host
 * has sent before anything in the frame changes.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  return lazyWithPreload(async () => {
    try {
      return await load();
    } catch (cause) {
      await reloadIfReplaced().catch(() => undefined);
      throw new PageLoadError('The code of the page could not be fetched', { cause });
    }
  });
}
