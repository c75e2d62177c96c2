import { act, screen, waitFor, within } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { matchRoutes, Outlet } from 'react-router-dom';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import type { Identity } from '@/lib/auth/session';
import { storeRole } from '@/lib/role';
import { renderApp, requestsSent, signedIn, signedOut } from '@/lib/testing/render';
import { RequireSession } from '../guards';
import { appRoutes } from '../routes';
import { Footer, workScreen } from './footer';
import { Header } from './header';

const saveRole = vi.hoisted(() => vi.fn());
vi.mock('@/features/analytics', () => ({ ConsentLink: () => null }));
vi.mock('@/features/mailing-list', () => ({ MailingListForm: () => <form aria-label="Mailing list" /> }));
vi.mock('@/features/referrals', () => ({ ReferralClaim: () => null }));
const openFeedback = vi.hoisted(() => vi.fn());
vi.mock('@/features/feedback', async (original) => ({
  ...(await original<typeof import('@/features/feedback')>()),
  useOpenFeedback: () => openFeedback,
}));
vi.mock('@/features/wallet', () => ({ PointsChip: () => null }));
vi.mock('@/features/account', async (original) => ({
  ...(await original<typeof import('@/features/account')>()),
  OgBadge: () => <span>the OG badge</span>,
  ProfileSync: () => null,
  useSwitchRole: () => ({ mutateAsync: saveRole }),
}));

beforeEach(() => {
  saveRole.mockReset();
  saveRole.mockImplementation(async (side) => storeRole(side === 'startup' ? 'startup_verified' : 'community'));
});
async function renderHeader(identity: Identity) {
  const rendered = renderApp(<Header />, { identity });
  // The member corner is a separate chunk.
  if (identity.status === 'signed-in') await screen.findByRole('button', { name: /Your menu/ });
  return rendered;
}
const mainLinks = () => within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
const asPairs = (links: HTMLElement[]) => links.map((link) => [link.textContent, link.getAttribute('href')]);

describe('the header of a visitor', () => {
  it('HEAD-01 shows the logo with BETA, Explore and Redeem Rewards', async () => {
    await renderHeader(signedOut);
    expect(screen.getByRole('link', { name: /^Questboard\s*BETA$/ })).toHaveAttribute('href', '/');
    expect(asPairs(mainLinks())).toEqual([
      ['Explore', '/browse'],
      ['Redeem Rewards', '/rewards'],
    ]);
  });

  it('HEAD-02 shows Sign In and Get Started and nothing for members', async () => {
    // After a member's, whose part has been loaded then and would be here at once.
    (await renderHeader(signedIn())).unmount();
    await renderHeader(signedOut);
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth/signin');
    expect(screen.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/auth/signup');
    expect(screen.queryByRole('group', { name: 'Your role' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Your menu/ })).not.toBeInTheDocument();
  });
});

describe('the header of a member', () => {
  it.each([
    ['startup_unverified', 'Project Dashboard', '/startup'],
    ['startup_verified', 'Project Dashboard', '/startup'],
    ['community', 'Community Dashboard', '/community'],
    ['admin', 'Community Dashboard', '/community'],
  ] as const)('HEAD-03 names the dashboard of %s %s', async (role, label, href) => {
    await renderHeader(signedIn(role));
    expect(asPairs(mainLinks()).filter(([name]) => name?.endsWith('Dashboard'))).toEqual([[label, href]]);
  });

  it('HEAD-07 has a menu with Settings, Edit Profile and Sign Out', async () => {
    const signOut = vi.fn(() => Promise.resolve());
    const { user } = renderApp(<Header />, { identity: signedIn(), signOut });
    await user.click(await screen.findByRole('button', { name: /Your menu/ }));
    expect(await screen.findByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/settings');
    expect(screen.getByRole('menuitem', { name: 'Edit Profile' })).toHaveAttribute('href', '/profile');
    await user.click(screen.getByRole('menuitem', { name: 'Sign Out' }));
    await waitFor(() => expect(signOut).toHaveBeenCalledOnce());
  });

  it('HEAD-07 says so when signing out failed', async () => {
    const signOut = () => Promise.reject(new TypeError('Failed to fetch'));
    const { user } = renderApp(<Header />, { identity: signedIn(), signOut });
    await user.click(await screen.findByRole('button', { name: /Your menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error');
  });

  it('links admins, and nobody else, to the admin dashboard', async () => {
    const { user, unmount } = await renderHeader(signedIn('admin'));
    await user.click(screen.getByRole('button', { name: /Your menu/ }));
    expect(await screen.findByRole('menuitem', { name: 'Admin' })).toHaveAttribute('href', '/admin');
    unmount();
    for (const role of ['community', 'startup_unverified', 'startup_verified'] as const) {
      const other = await renderHeader(signedIn(role));
      await other.user.click(screen.getByRole('button', { name: /Your menu/ }));
      await screen.findByRole('menuitem', { name: 'Settings' });
      expect(screen.queryByRole('menuitem', { name: 'Admin' })).not.toBeInTheDocument();
      other.unmount();
    }
  });
});

describe('the role switch', () => {
  const press = (name: string) => screen.getByRole('button', { name });

  it('HEAD-04 saves the role and navigates to that side', async () => {
    const { user, router } = await renderHeader(signedIn('community'));
    expect(press('Community')).toHaveAttribute('aria-pressed', 'true');
    await user.click(press('Project'));
    expect(saveRole).toHaveBeenCalledWith('startup');
    await waitFor(() => expect(router.state.location.pathname).toBe('/startup'));
    expect(press('Project')).toHaveAttribute('aria-pressed', 'true');
    await user.click(press('Community'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/community'));
  });

  it.each([
    ['/startup/wallet', 'startup_verified', 'Community', '/community'],
    ['/community/quests', 'community', 'Project', '/startup'],
  ] as const)('HEAD-04 the Back press from there leads to a page: from %s', async (path, role, side, there) => {
    const frame = (
      <>
        <Header />
        <Outlet />
      </>
    );
    const guarded = { element: <RequireSession roles={['startup_verified']} />, children: [{ path: '/startup/*' }] };
    const routes = [{ element: frame, children: [guarded, { path: '*', element: null }] }];
    const { user, router } = renderApp(null, { identity: signedIn(role), path: '/browse', routes });
    await act(() => router.navigate(path));
    await user.click(await screen.findByRole('button', { name: side }));
    await waitFor(() => expect(router.state.location.pathname).toBe(there));
    // The switch navigates after the guard, on a page that has gone.
    await requestsSent();
    await act(() => router.navigate(-1));
    expect(router.state.location.pathname).toBe(role === 'community' ? path : '/browse');
  });

  it('HEAD-04 changes nothing and says why when saving fails', async () => {
    saveRole.mockRejectedValue(new TypeError('Failed to fetch'));
    const { user, router } = await renderHeader(signedIn('community'));
    await user.click(press('Project'));
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error');
    expect(localStorage.getItem('selectedRole')).toBeNull();
    expect(router.state.location.pathname).toBe('/');
  });
});

function UnsavedForm() {
  const { dialog } = useUnsavedChanges(true);
  return <>{dialog}</>;
}

describe('the role switch, from a form with unsaved changes', () => {
  async function openForm() {
    const page = (
      <>
        <Header />
        <UnsavedForm />
      </>
    );
    const rendered = renderApp(page, { identity: signedIn('startup_verified'), path: '/startup/campaigns/new' });
    await rendered.user.click(await screen.findByRole('button', { name: 'Community' }));
    return rendered;
  }

  it('HEAD-04 asks first, and changes nothing for who stays', async () => {
    const { user, router } = await openForm();
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(saveRole).not.toHaveBeenCalled();
    expect(router.state.location.pathname).toBe('/startup/campaigns/new');
    await user.click(screen.getByRole('button', { name: 'Community' }));
    expect(screen.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  });

  it('HEAD-04 goes on for who leaves', async () => {
    const { user, router } = await openForm();
    await user.click(screen.getByRole('button', { name: 'Leave page' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/community'));
    expect(saveRole).toHaveBeenCalledWith('community');
  });
});

function PressedAtOnce() {
  useLayoutEffect(() => screen.getByRole('button', { name: 'Menu' }).click(), []);
  return null;
}

describe('the mobile menu', () => {
  it('HEAD-08 a press that comes right after the header is there, before its effects, opens the menu', async () => {
    const page = (
      <>
        <Header />
        <PressedAtOnce />
      </>
    );
    renderApp(page, { identity: signedOut });
    expect(await screen.findByRole('dialog', { name: 'Menu' })).toBeInTheDocument();
  });

  it.each(['startup_unverified', 'startup_verified'] as const)('HEAD-08 adds Create Quest for %s', async (role) => {
    const { user } = await renderHeader(signedIn(role));
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    const menu = await screen.findByRole('dialog', { name: 'Menu' });
    expect(within(menu).getByRole('link', { name: 'Create Quest' })).toHaveAttribute('href', '/startup/create-quest');
  });

  it.each([
    ['members', signedIn('community')],
    ['admins', signedIn('admin')],
    ['visitors', signedOut],
  ])('HEAD-08 has no Create Quest for %s', async (_who, identity) => {
    const { user } = await renderHeader(identity);
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    const menu = await screen.findByRole('dialog', { name: 'Menu' });
    expect(within(menu).queryByRole('link', { name: 'Create Quest' })).not.toBeInTheDocument();
  });

  it('HEAD-08 navigates to the other side 500 ms after switching', async () => {
    const { user, router } = await renderHeader(signedIn('community'));
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    const menu = await screen.findByRole('dialog', { name: 'Menu' });
    vi.useFakeTimers();
    await act(async () => within(menu).getByRole('button', { name: 'Project' }).click());
    await act(() => vi.advanceTimersByTimeAsync(499));
    expect(router.state.location.pathname).toBe('/');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(router.state.location.pathname).toBe('/startup');
  });
});

it.each([
  ['of a visitor', signedOut, 'Menu', 'button'],
  ['of a member', signedIn('community'), /Your menu/, 'menuitem'],
] as const)('FEED-01 the menu %s opens the feedback dialog', async (_, identity, menu, role) => {
  openFeedback.mockReset();
  const { user } = await renderHeader(identity);
  await user.click(screen.getByRole('button', { name: menu }));
  await user.click(await screen.findByRole(role, { name: 'Share Feedback' }));
  expect(openFeedback).toHaveBeenCalledOnce();
});

describe('the footer on work screens', () => {
  it('has the legal texts and the theme, but no newsletter', async () => {
    const { user } = renderApp(null, { routes: [{ path: '*', handle: workScreen, element: <Footer /> }] });
    expect(screen.queryByRole('form', { name: 'Mailing list' })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Questboard on X' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Dark' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Privacy policy' }));
    expect(await screen.findByRole('dialog', { name: 'Privacy policy' })).toBeInTheDocument();
  });

  it.each([
    ['/community', true],
    ['/settings', true],
    ['/startup/wallet', true],
    ['/admin', true],
    ['/', false],
    ['/browse', false],
    ['/rewards', false],
    ['/community/project/1', false],
  ])('%s: slim is %s', (path, isSlim) => {
    const matches = matchRoutes(appRoutes({ isAuthConfigured: true }), path) ?? [];
    expect(matches.some(({ route }) => route.handle === workScreen)).toBe(isSlim);
  });
});

describe('the footer', () => {
  it('HEAD-10 holds the mailing list, the social links and the theme', async () => {
    const { user } = renderApp(<Footer />);
    expect(await screen.findByRole('form', { name: 'Mailing list' })).toBeInTheDocument();
    const accounts = screen.getAllByRole('link', { name: /^Questboard on / });
    expect(asPairs(accounts)).toEqual([
      ['Questboard on X', 'https://x.com/questboard'],
      ['Questboard on LinkedIn', 'https://www.linkedin.com/company/questboard'],
      ['Questboard on Discord', 'https://discord.gg/questboard'],
    ]);
    for (const account of accounts) expect(account).toHaveAttribute('rel', 'noopener noreferrer');
    await user.click(screen.getByRole('button', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await user.click(screen.getByRole('button', { name: 'Same as device' }));
    expect(document.documentElement.dataset.theme).toBeUndefined();
  });

  it.each([
    ['Privacy policy', '/privacy'],
    ['Terms of use', '/terms'],
    ['Cookie policy', '/cookies'],
  ])('HEAD-10 opens the dialog %s, which also leads to its page', async (title, path) => {
    const { user } = renderApp(<Footer />);
    await user.click(await screen.findByRole('button', { name: title }));
    const dialog = await screen.findByRole('dialog', { name: title });
    expect(within(dialog).getByText(/Last changed on/)).toBeInTheDocument();
    expect(within(dialog).getByRole('link', { name: 'Open as a page' })).toHaveAttribute('href', path);
  });
});
