import { use, useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { RouterContext } from './router-context';

/**
 * One of a few choices kept in the address (tab, sort, period). The first choice is the default and leaves the address
 * clean; an unknown value in the address reads as the default. Changing it replaces the history entry.
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

/** A text kept in the address (search). Empty removes it. */
export function useUrlText(name: string) {
  const [params] = useSearchParams();
  const change = useChangeParams();
  const setValue = useCallback((next: string) => change((old) => withParam(old, name, next)), [change, name]);
  return [params.get(name) ?? '', setValue] as const;
}

/** Removes several of them at once, for Reset Filters. */
export function useUrlReset(names: readonly string[]): () => void {
  const change = useChangeParams();
  return () => change((old) => names.reduce((params, name) => withParam(params, name, ''), old));
}

/**
 * Changes the address's parameters by what the router has now. What `setSearchParams` hands to its function is what was
 * rendered last: of two changes within one slow rendering it would lose the first. Once the router has left the path that
 * is still on the screen, nothing is changed.
 */
function useChangeParams() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const router = use(RouterContext);
  return useCallback(
    (change: (old: URLSearchParams) => URLSearchParams) => {
      const now = router?.state.location;
      if (now?.pathname !== pathname) return;
      const search = change(new URLSearchParams(now.search)).toString();
      void navigate({ search }, { replace: true, preventScrollReset: true });
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
