import { Link } from 'react-router-dom';
import { adminTabPath } from '../tabs';
import { EmailAddress } from './email-address';

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
