import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { lazyOverlay } from '@/components/lazy-overlay';
import { Avatar, initials } from '@/components/ui/avatar';
import { toast } from '@/components/ui/toast';
import { OgBadge, ProfileSync, useShownName, useSwitchRole } from '@/features/account';
import { NotificationBell } from '@/features/notifications';
import { ReferralClaim } from '@/features/referrals';
import { PointsChip } from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { confirmLeave } from '@/lib/confirm-leave';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';
import { useMoveOn } from '@/lib/router-context';
import type { UserMenuProps } from './user-menu';

/** The signed-in part of the header (HEAD-04..09), and the background work at sign-in (AUTH-08, REF-05). */
export default function MemberCorner() {
  return (
    <>
      <ProfileSync />
      <ReferralClaim />
      <OgBadge isInHeader />
      <PointsChip />
      <RoleSwitch className="max-lg:hidden" />
      <NotificationBell />
      <UserMenu />
    </>
  );
}

const LazyUserMenu = lazyOverlay<UserMenuProps>(() => import('./user-menu'));

/** The avatar that opens the user's menu. */
function UserMenu() {
  const session = useSession();
  const shownName = useShownName();
  const [isOpen, setIsOpen] = useState(false);
  if (session.status !== 'signed-in') return null;
  const name = shownName ?? session.email;
  // Starts with the visible initials, by which speech input addresses the button (WCAG 2.5.3).
  const label = `${initials(name)}: Your menu, ${name}`;
  return (
    <LazyUserMenu
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <button type="button" aria-haspopup="menu" aria-label={label} className="rounded-full p-0.5 hover:bg-sunken">
          <Avatar name={name} src={session.imageUrl} />
        </button>
      }
    />
  );
}

type Side = 'community' | 'startup';

const sides: { value: Side; label: string }[] = [
  { value: 'community', label: 'Community' },
  { value: 'startup', label: 'Project' },
];

type RoleSwitchProps = {
  className?: string;
  /** Milliseconds between choosing and navigating. */
  delay?: number;
  onSwitch?: () => void;
};

/** The two sides of an account. For admins neither is pressed, because their role comes from the server (C-11). */
export function RoleSwitch({ className, delay = 0, onSwitch }: RoleSwitchProps) {
  const { side, switchTo, isSwitching } = useRoleSwitch(delay);
  const handleClick = (value: Side) => {
    if (isSwitching || value === side) return;
    void switchTo(value);
    onSwitch?.();
  };
  return (
    <fieldset
      className={cn('flex rounded-control border border-field bg-card p-0.5', className)}
      aria-busy={isSwitching}
    >
      <legend className="sr-only">Your role</legend>
      {sides.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === side}
          onClick={() => handleClick(value)}
          className="min-h-11 grow rounded-[0.4rem] px-3 font-semibold lg:px-1.5 xl:px-3 text-muted text-sm hover:text-ink aria-pressed:bg-action-soft aria-pressed:text-action"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * Delay in milliseconds between choosing in the mobile menu and navigating, so that the menu visibly closes (HEAD-08).
 */
export const mobileRedirectDelay = 500;

/**
 * The Community/Project switch (HEAD-04): saves the role and goes to that side. When saving fails nothing changes and
 * the reason is shown.
 */
function useRoleSwitch(delay: number) {
  const session = useSession();
  const startMove = useMoveOn();
  const { pathname } = useLocation();
  const { mutateAsync: switchRole } = useSwitchRole();
  const [isSwitching, setIsSwitching] = useState(false);

  const switchTo = async (side: Side) => {
    // The guard of a project page would replace it, with what was typed there.
    if (!(await confirmLeave())) return;
    const moveOn = startMove();
    setIsSwitching(true);
    try {
      await switchRole(side);
      // Back must not lead to a page of the role that was left, whose guard would only redirect.
      const options = { replace: /^\/(startup|admin)\b/.test(pathname) };
      setTimeout(() => void moveOn(side === 'startup' ? paths.founder : paths.community, options), delay);
    } catch (error) {
      toast.error(describeError(error));
    } finally {
      setIsSwitching(false);
    }
  };
  const side: Side | null = session.role === 'admin' ? null : isStartupRole(session.role) ? 'startup' : 'community';
  return { side, switchTo, isSwitching };
}
