import { type ComponentType, createElement, lazy, useState } from 'react';

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

export type LazyPage<Props> = ComponentType<Props> & { preload: () => Promise<void> };

/**
 * `lazy`, with a failure to fetch told from a failure of the page itself. A page that was preloaded renders at once: it can take over
 * what the host has sent before anything in the frame changes.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPage<Props> {
  let loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    loaded = (await load()).default;
  };
  const Lazy = lazy(async () => {
    try {
      return await load();
    } catch (cause) {
      await reloadIfReplaced().catch(() => undefined);
      throw new PageLoadError('The code of the page could not be fetched', { cause });
    }
  });
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each page, at module level, as lazy itself makes one
  function Page(props: Props) {
    // The same component for as long as the page is shown.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(Component, props);
  }
  return Object.assign(Page, { preload });
}
