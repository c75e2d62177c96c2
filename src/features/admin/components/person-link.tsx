import { Link } from 'react-router-dom';
import { adminTabPath } from '../tabs';

/** A member's name, linked to their details. */
export function PersonLink({ userId, name }: { userId: string; name: string | null }) {
  return (
    <Link
      to={adminTabPath('people', { person: userId })}
      title={name ?? userId}
      className="inline-block max-w-36 truncate align-bottom font-medium text-action underline underline-offset-4"
    >
      {name ?? 'Unknown User'}
    </Link>
  );
}
