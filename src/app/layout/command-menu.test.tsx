import { screen, waitFor } from '@testing-library/react';
import { matchRoutes } from 'react-router-dom';
import type { Session } from '@/lib/auth';
import type { Role } from '@/lib/role';
import { type ApiCall, fakeApi, offline } from '@/lib/testing/fake-api';
import { questRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { appRoutes } from '../routes';
import CommandMenu, { pageCommands } from './command-menu';

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

/** The entry that Enter would activate, as announced by a screen reader. */
function announced(): string | null | undefined {
  const id = screen.getByRole('combobox').getAttribute('aria-activedescendant');
  return id === null ? null : document.getElementById(id)?.textContent;
}

function open(api: Parameters<typeof fakeApi>[0] = {}) {
  fakeApi({ 'rpc list_published_quests': [], 'GET startup_profiles': [], ...api });
  const onClose = vi.fn();
  return { ...renderApp(<CommandMenu isOpen onOpenChange={onClose} />, { identity: signedIn() }), onClose };
}

it('BEY-12 Enter always activates the announced entry, after typing, deleting and moving', async () => {
  const { user, router, onClose } = open();
  const box = screen.getByRole('combobox');
  expect(announced()).toBe('Community Dashboard');
  await user.type(box, 'set');
  expect(announced()).toBe('Settings');
  await user.type(box, '{Backspace}{Backspace}{Backspace}{ArrowDown}');
  expect(announced()).toBe('My quests');
  await user.type(box, '{ArrowUp}{ArrowUp}');
  expect(announced()).toBe('Sign Out');
  await user.type(box, '{ArrowDown}{ArrowDown}{Enter}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(router.state.location.pathname).toBe('/community/quests');
});

it('BEY-12 a page is found by a synonym', async () => {
  const { user } = open();
  await user.type(screen.getByRole('combobox'), 'wallet');
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Points history',
    'Redeem Rewards',
  ]);
});

it('BEY-12 quests from the server appear below the pages, without moving the current selection', async () => {
  const { user } = open({
    'rpc list_published_quests': [{ ...questRow({ title: 'Reading lamp' }), startup_name: 'Lampworks' }],
  });
  await user.type(screen.getByRole('combobox'), 're');
  const before = announced();
  expect(await screen.findByRole('option', { name: /Reading lamp/ })).toBeInTheDocument();
  expect(announced()).toBe(before);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('BEY-12 an action keeps the selection when quests with the same word are found', async () => {
  const { user, router } = open({ 'rpc list_published_quests': [questRow({ title: 'Log out of the old app' })] });
  await user.type(screen.getByRole('combobox'), 'log out');
  expect(await screen.findByRole('option', { name: /old app/ })).toBeInTheDocument();
  expect(announced()).toBe('Sign Out');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});

it('BEY-12 Enter does not open a quest that was found for a former input', async () => {
  const { user, onClose } = open({
    // The next input has no answer yet, also on a machine that takes long between two keys.
    'rpc list_published_quests': ({ params }: ApiCall) =>
      params.get('p_search') === 'xy' ? [questRow({ title: 'Xylophone' })] : new Promise(() => undefined),
  });
  await user.type(screen.getByRole('combobox'), 'xy');
  expect(await screen.findByRole('option', { name: /Xylophone/ })).toBeInTheDocument();
  await user.keyboard('z{Enter}');
  expect(screen.queryByRole('option')).not.toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
});

it('TRUST-14 a failed search is not shown as a search without results', async () => {
  const { user } = open({ 'rpc list_published_quests': offline() });
  await user.type(screen.getByRole('combobox'), 'xyzzy');
  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent('Quests and projects could not be searched.'),
  );
  expect(screen.queryByText('No page, quest or project matches.')).not.toBeInTheDocument();
});

it('BEY-12 an empty result is announced', async () => {
  const { user } = open();
  await user.type(screen.getByRole('combobox'), 'xyzzy');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('No page, quest or project matches.'));
  expect(screen.queryByRole('option')).not.toBeInTheDocument();
});

const as = (role: Role) => ({ status: 'signed-in', role }) as Session;
const labels = (session: Session) => pageCommands(session).map(({ label }) => label);

describe('BEY-12 pages in the command menu', () => {
  it("are those of the member's own role", () => {
    expect(labels(as('community'))).toContain('My quests');
    expect(labels(as('community'))).not.toContain('Project Dashboard');
    expect(labels(as('startup_verified'))).toContain('Project Dashboard');
    expect(labels(as('startup_verified'))).not.toContain('My quests');
    expect(labels(as('admin'))).toContain('Admin: People');
    expect(labels(as('startup_unverified')).filter((label) => label.startsWith('Admin'))).toEqual([]);
    expect(labels({ status: 'signed-out' } as Session)).toEqual(
      expect.arrayContaining(['Explore quests', 'Sign In', 'Get Started']),
    );
    expect(labels({ status: 'signed-out' } as Session)).not.toContain('Settings');
  });

  it.each(['community', 'startup_unverified', 'startup_verified', 'admin'] as const)(
    'exist, and their guards let %s in',
    (role) => {
      for (const { to } of pageCommands(as(role))) {
        const matches = matchRoutes(appRoutes({ isAuthConfigured: true }), to) ?? [];
        expect(matches.at(-1)?.route.path, to).not.toBe('*');
        const allowed = matches.flatMap(({ route: { element } }) => {
          const props = element && typeof element === 'object' && 'props' in element ? element.props : {};
          return (props as { roles?: Role[] }).roles ?? [];
        });
        if (allowed.length > 0) expect(allowed, to).toContain(role);
      }
    },
  );
});
