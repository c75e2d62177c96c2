import { type ComponentType, createElement, lazy, useState } from 'react';

/** A component in a chunk of its own. `preload` fetches it ahead; once loaded it renders synchronously, without a fallback. */
export type LazyComponent<Props> = ComponentType<Props> & { preload: () => Promise<void> };

/** `React.lazy` with `preload`: `lazyWithPreload(() => import('./late'))`, with the component as the module's default export. */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    loaded = (await load()).default;
  };
  const Lazy = lazy(load);
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each component, at module level, as lazy itself makes one
  function Late(props: Props) {
    // Keeps the component's identity for as long as it is mounted.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(Component, props);
  }
  return Object.assign(Late, { preload });
}
