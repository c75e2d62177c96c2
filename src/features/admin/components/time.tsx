import { formatAge, formatDate, formatDateTime } from '@/lib/format';

/** A day in a table, on one line. */
export function DateText({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatDate(at)}
    </time>
  );
}

/** A day and time. */
export function DateTime({ at }: { at: string }) {
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}

/** How long ago; the exact time on hover. */
export function RelativeTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatAge(at)}
    </time>
  );
}
