import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** The code of a page could not be fetched: no network, or a newer version of the site has replaced it. */
export class PageLoadError extends Error {
  override name = 'PageLoadError';
}

/** `lazy`, with a failure to fetch told from a failure of the page itself. */
export function lazyPage<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return await load();
    } catch (cause) {
      throw new PageLoadError('The code of the page could not be fetched', { cause });
    }
  });
}
