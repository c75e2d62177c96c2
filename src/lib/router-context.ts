import { createContext, use, useEffect, useState } from 'react';
import type { createBrowserRouter, Location, NavigateOptions } from 'react-router-dom';

type Router = ReturnType<typeof createBrowserRouter>;

/** The app's router, which knows the pending navigation; `useLocation` is what is on the screen. */
export const RouterContext = createContext<Router | null>(null);

/**
 * The target location of the current navigation, available before its page has loaded. Null outside of a router. A
 * state of its own rather than `useSyncExternalStore`: React makes transitions during which such a store changes
 * blocking.
 */
export function useTargetLocation(): Location | null {
  const router = use(RouterContext);
  const [target, setTarget] = useState(router?.state.location ?? null);
  useEffect(() => router?.subscribe(({ location }) => setTarget(location)), [router]);
  return target;
}

/**
 * For a press whose answer leads to another page. Called when it is pressed, it returns what navigates then, unless the person has left the
 * page meanwhile: nobody is carried away from where they have gone, and may be typing.
 */
export function useMoveOn(): () => (to: string, options?: NavigateOptions) => Promise<void> {
  const router = use(RouterContext);
  return () => {
    const pathname = router?.state.location.pathname;
    return async (to, options) => {
      const next = router?.state.navigation.location ?? router?.state.location;
      if (next?.pathname === pathname) await router?.navigate(to, options);
    };
  };
}
