import { Link } from 'react-router-dom';
import { adminTabPath } from '../tabs';

/** A member by name; leads to what is known of them. */
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
