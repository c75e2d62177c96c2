import { createContext, type ReactNode, use, useCallback, useEffect, useId, useMemo, useState } from 'react';

type Status = 'pending' | 'failed' | 'shown';
type Report = { status: Status; title: string };

type QueryGroupValue = {
  /** Ids of the failed queries when several failed and no other content is on the page; otherwise empty. */
  failed: readonly string[];
  titles: readonly string[];
  report: (id: string, report: Report | null) => void;
  /** Retry function of each query. */
  retries: Map<string, () => void>;
};

const QueryGroupContext = createContext<QueryGroupValue | null>(null);

/** Wraps a page: when all of its queries have failed, only the first shows the error (see QueryView). */
export function QueryGroup({ children }: { children: ReactNode }) {
  const [reports, setReports] = useState<ReadonlyMap<string, Report>>(new Map());
  const [retries] = useState(() => new Map<string, () => void>());

  const report = useCallback(
    (id: string, next: Report | null) =>
      setReports((old) => {
        const changed = new Map(old);
        if (next) changed.set(id, next);
        else changed.delete(id);
        return changed;
      }),
    [],
  );
  const value = useMemo(() => {
    const all = [...reports];
    const failed = all.filter(([, { status }]) => status === 'failed');
    const isAll = failed.length > 1 && !all.some(([, { status }]) => status === 'shown');
    return {
      failed: isAll ? failed.map(([id]) => id) : [],
      titles: isAll ? [...new Set(failed.map(([, { title }]) => title))] : [],
      report,
      retries,
    };
  }, [reports, report, retries]);
  return <QueryGroupContext value={value}>{children}</QueryGroupContext>;
}

/**
 * True once each of these queries has loaded, or has failed once. Stays true: retrying a failed query makes it pending again, which must not
 * hide the page.
 */
export function useHaveSettled(queries: readonly { isPending: boolean; failureCount: number }[]): boolean {
  const [haveSettled, setHaveSettled] = useState(false);
  if (!haveSettled && queries.every(({ isPending, failureCount }) => !isPending || failureCount > 0)) {
    setHaveSettled(true);
  }
  return haveSettled;
}

/**
 * How a failed query shows its error: a box of its own ('alone'), the box for all ('first'), or nothing because another
 * one shows it ('silent').
 */
export function useQueryGroup(status: Status, title: string, retry: () => void) {
  const id = useId();
  const group = use(QueryGroupContext);
  const report = group?.report;
  const retries = group?.retries;

  useEffect(() => {
    report?.(id, { status, title });
  }, [report, id, status, title]);
  useEffect(() => () => report?.(id, null), [report, id]);
  useEffect(() => {
    retries?.set(id, retry);
    return () => void retries?.delete(id);
  }, [retries, id, retry]);

  const failed = group?.failed ?? [];
  const place = !failed.includes(id) ? 'alone' : failed[0] === id ? 'first' : 'silent';
  return {
    place,
    titles: group?.titles ?? [],
    retryAll: () => {
      for (const each of failed) retries?.get(each)?.();
    },
  } as const;
}
