import { use, useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { RouterContext } from './router-context';

/**
 * One of a few choices kept in the URL (tab, sort, period). The first is the default and is omitted from the URL; an
 * unknown value reads as the default. Changing it replaces the history entry.
 */
export function useUrlChoice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]) {
  const [params] = useSearchParams();
  const change = useChangeParams();
  const raw = params.get(name);
  const value = choices.find((choice) => choice === raw) ?? choices[0];
  const fallback = choices[0];
  const setValue = useCallback(
    (next: Choice) => change((old) => withParam(old, name, next === fallback ? '' : next)),
    [change, name, fallback],
  );
  return [value, setValue] as const;
}

/** A text kept in the URL (search). Empty removes it. Without NUL, which the database refuses in any text. */
export function useUrlText(name: string) {
  const [params] = useSearchParams();
  const change = useChangeParams();
  const setValue = useCallback((next: string) => change((old) => withParam(old, name, next)), [change, name]);
  return [params.get(name)?.replaceAll('\0', '') ?? '', setValue] as const;
}

/** Removes several of them at once, for Reset Filters. */
export function useUrlReset(names: readonly string[]): () => void {
  const change = useChangeParams();
  return () => change((old) => names.reduce((params, name) => withParam(params, name, ''), old));
}

/**
 * Updates search parameters from the router's current state. `setSearchParams` passes the last rendered ones to its
 * updater and would lose the first of two changes within one slow render. Does nothing once the router has left the
 * path that is still on the screen. Returns the navigation's promise, if there is one.
 */
function useChangeParams() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const router = use(RouterContext);
  return useCallback(
    (change: (old: URLSearchParams) => URLSearchParams) => {
      const now = router?.state.location;
      if (now?.pathname !== pathname) return;
      const old = new URLSearchParams(now.search);
      const search = change(old).toString();
      // A tab is chosen by the press and again by the focus that it gets.
      if (search === old.toString()) return;
      return navigate({ search }, { replace: true, preventScrollReset: true });
    },
    [navigate, router, pathname],
  );
}

function withParam(old: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(old);
  if (value) next.set(name, value);
  else next.delete(name);
  return next;
}
