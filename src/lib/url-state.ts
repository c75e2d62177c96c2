import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * One of a few choices kept in the address (tab, sort, period). The first choice is the default and leaves the address
 * clean; an unknown value in the address reads as the default. Changing it replaces the history entry.
 */
export function useUrlChoice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]) {
  const [params, setParams] = useSearchParams();
  const raw = params.get(name);
  const value = choices.find((choice) => choice === raw) ?? choices[0];
  const fallback = choices[0];
  const setValue = useCallback(
    (next: Choice) => setParams((old) => withParam(old, name, next === fallback ? '' : next), replace),
    [setParams, name, fallback],
  );
  return [value, setValue] as const;
}

/** A text kept in the address (search). Empty removes it. */
export function useUrlText(name: string) {
  const [params, setParams] = useSearchParams();
  const setValue = useCallback(
    (next: string) => setParams((old) => withParam(old, name, next), replace),
    [setParams, name],
  );
  return [params.get(name) ?? '', setValue] as const;
}

/** Removes several of them at once, for Reset Filters. */
export function useUrlReset(names: readonly string[]): () => void {
  const [, setParams] = useSearchParams();
  return () => setParams((old) => names.reduce((params, name) => withParam(params, name, ''), old), replace);
}

const replace = { replace: true, preventScrollReset: true };

function withParam(old: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(old);
  if (value) next.set(name, value);
  else next.delete(name);
  return next;
}
