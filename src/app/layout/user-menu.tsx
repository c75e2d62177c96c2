import { LayoutDashboard, LogOut, Settings, UserRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Avatar, initials } from '@/components/ui/avatar';
import { DropdownMenu, MenuItem, MenuLabel, MenuRadioGroup, MenuSeparator } from '@/components/ui/dropdown-menu';
import { useSession, useSignOut } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { setTheme, useTheme } from '@/lib/theme';
import { roleWords } from './member-plugs';
import { themeOptions } from './theme-options';

/** Settings, Edit Profile and Sign Out (HEAD-07), the theme, and for admins the way to their dashboard. */
export function UserMenu() {
  const session = useSession();
  const signOut = useSignOut();
  const theme = useTheme();
  if (session.status !== 'signed-in') return null;
  const name = session.name || session.email;

  return (
    <DropdownMenu
      trigger={
        // The initials come first: who speaks to the computer calls a button by what stands on it (WCAG 2.5.3).
        <button
          type="button"
          className="rounded-full p-0.5 hover:bg-sunken"
          aria-label={`${initials(name)}: Your menu, ${name}`}
        >
          <Avatar name={name} src={session.imageUrl} />
        </button>
      }
    >
      <MenuLabel>
        <span className="block font-semibold text-ink">{session.name || 'Signed in'}</span>
        <span className="block">{session.email}</span>
        {roleWords[session.role]}
      </MenuLabel>
      <MenuSeparator />
      {session.role === 'admin' && (
        <MenuItem asChild>
          <Link to={paths.admin}>
            <LayoutDashboard aria-hidden="true" /> Admin
          </Link>
        </MenuItem>
      )}
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
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onChange={setTheme} options={themeOptions} />
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden="true" /> Sign Out
      </MenuItem>
    </DropdownMenu>
  );
}
