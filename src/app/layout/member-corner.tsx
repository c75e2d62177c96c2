import { useSession } from '@/lib/auth';
import { OgBadge, PointsChip, ProfileSync } from './member-plugs';
import { RoleSwitch } from './role-switch';
import { UserMenu } from './user-menu';

/** A member's things in the header (HEAD-04..09), and the quiet work of keeping the profile in step (AUTH-08). */
export default function MemberCorner() {
  const { role } = useSession();
  return (
    <>
      <ProfileSync />
      <OgBadge />
      {role === 'community' && <PointsChip />}
      <RoleSwitch className="hidden lg:flex" />
      <UserMenu />
    </>
  );
}
