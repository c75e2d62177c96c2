import { LayoutDashboard, ListChecks, LogOut, MessageSquarePlus, Search, Settings, UserRound } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { Openable } from '@/components/lazy-overlay';
import { DropdownMenu, MenuItem, MenuLabel, MenuRadioGroup, MenuSeparator } from '@/components/ui/dropdown-menu';
import { roleLabels, useShownName } from '@/features/account';
import { useOpenFeedback } from '@/features/feedback';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { setTheme, themeOptions, useTheme } from '@/lib/theme';
import { commandMenuShortcut, openCommandMenu } from './open-command-menu';
import { useSignOutPress } from './use-sign-out-press';

export type UserMenuProps = Openable & { trigger: ReactElement };

/** Settings, Edit Profile and Sign Out (HEAD-07), the theme, and for admins a link to their dashboard. */
export default function UserMenu(props: UserMenuProps) {
  const session = useSession();
  const signOut = useSignOutPress();
  const openFeedback = useOpenFeedback();
  const theme = useTheme();
  const shownName = useShownName();
  if (session.status !== 'signed-in') return null;

  return (
    <DropdownMenu {...props}>
      <MenuLabel>
        <span className="block font-semibold text-ink">{shownName ?? 'Signed in'}</span>
        <span className="block">{session.email}</span>
        {roleLabels[session.role]}
      </MenuLabel>
      <MenuSeparator />
      <MenuItem onSelect={openCommandMenu}>
        <Search aria-hidden="true" /> Search and go to
        <kbd className="ml-auto font-sans text-muted text-sm pointer-coarse:hidden">{commandMenuShortcut()}</kbd>
      </MenuItem>
      {session.role === 'admin' && (
        <MenuItem asChild>
          <Link to={paths.admin}>
            <LayoutDashboard aria-hidden="true" /> Admin
          </Link>
        </MenuItem>
      )}
      <MenuItem asChild>
        <Link to={paths.myQuests}>
          <ListChecks aria-hidden="true" /> My quests
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to={paths.settings}>
          <Settings aria-hidden="true" /> Settings
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to={paths.profile}>
          <UserRound aria-hidden="true" /> Edit Profile
        </Link>
      </MenuItem>
      <MenuItem onSelect={openFeedback}>
        <MessageSquarePlus aria-hidden="true" /> Share Feedback
      </MenuItem>
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onChange={setTheme} options={themeOptions} />
      <MenuSeparator />
      <MenuItem onSelect={signOut}>
        <LogOut aria-hidden="true" /> Sign Out
      </MenuItem>
    </DropdownMenu>
  );
}
