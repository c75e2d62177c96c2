import type { ComponentType } from 'react';
import { type LazyComponent, lazyWithPreload } from '@/components/lazy';
import { readSessionStorage, writeSessionStorage } from '@/lib/storage';

/** The code of a page could not be fetched: no network, or a newer version of the site has replaced it. */
export class PageLoadError extends Error {
  override name = 'PageLoadError';
}

/**
 * Reloads into the new version when a deployment has removed the code of this one. Once per version: if the browser
 * gets the old page again, an error is shown instead.
 */
async function reloadIfReplaced(): Promise<void> {
  const entry = document.querySelector('script[type="module"][src*="/assets/index-"]')?.getAttribute('src');
  if (!entry || readSessionStorage('reloadedFrom') === entry) return;
  const page = await fetch('/', { cache: 'no-store' });
  if (!page.ok || (await page.text()).includes(entry)) return;
  // Without that note it might reload for ever.
  if (!writeSessionStorage('reloadedFrom', entry)) return;
  window.location.reload();
  // Never resolves, because the page is being reloaded.
  await new Promise(() => undefined);
}

/**
 * `lazyWithPreload`, but distinguishes a failed import from an error of the page itself. A preloaded page can hydrate the
 * prerendered markup before anything in the layout changes.
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
