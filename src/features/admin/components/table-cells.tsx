import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { formatAge, formatDate, formatDateTime } from '@/lib/format';
import { adminTabPath } from '../tabs';

/** A day in a table, on one line. */
export function DateText({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatDate(at)}
    </time>
  );
}

/** A day and time, on two lines at most. */
export function DateTime({ at }: { at: string }) {
  const words = formatDateTime(at);
  const clockAt = words.lastIndexOf(', ') + 2;
  return (
    <time dateTime={at} className="inline-block min-w-28">
      {words.slice(0, clockAt)}
      <span className="whitespace-nowrap">{words.slice(clockAt)}</span>
    </time>
  );
}

/** How long ago; the exact time on hover. */
export function RelativeTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatAge(at)}
    </time>
  );
}

/** A member's name or email address, linked to their details. */
export function PersonLink({ userId, name }: { userId: string; name: string | null }) {
  return (
    <Link
      to={adminTabPath('people', { person: userId })}
      className="inline-block wrap-anywhere in-[td]:max-w-36 in-[td]:wrap-break-word align-bottom font-medium text-action underline underline-offset-4"
    >
      <EmailAddress>{name ?? 'Unknown User'}</EmailAddress>
    </Link>
  );
}

/** An email address that, where it is too long for a line, wraps before its @ or a dot of its domain. */
export function EmailAddress({ children: address }: { children: string }) {
  return [...address.matchAll(/^[^@]+|[@.][^@.]*/g)].map(({ 0: part, index: start }) => (
    <Fragment key={start}>
      {start > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
