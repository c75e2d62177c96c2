import { formatAge, formatDate, formatDateTime } from '@/lib/format';

/** A day in a table, on one line. */
export function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatDate(at)}
    </time>
  );
}

/** A day and time. */
export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}

/** How long ago; the exact time on hover. */
export function Age({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatAge(at)}
    </time>
  );
}
