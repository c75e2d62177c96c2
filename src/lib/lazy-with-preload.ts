import { type ComponentType, createElement, lazy, useState } from 'react';

/** A component in a file of its own. `preload` fetches it ahead; what is there already renders at once, without a placeholder. */
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
    // The same component for as long as it is shown.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(Component, props);
  }
  return Object.assign(Late, { preload });
}
