import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { adminTabPath } from '../tabs';

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
