import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { type ReactElement, useMemo, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { AuthContext, type Identity } from '@/lib/auth/session';
import { markRoleResolved, type Role, storeRole, trustUnverified } from '@/lib/role';
import { loadingSession, renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { RequireSession } from './guards';

const places = ['/', '/community', '/startup', '/admin', '/auth/signin'].map((path) => ({
  path,
  element: <p>at {path}</p>,
}));

function Form({ onDiscard }: { onDiscard?: () => void }) {
  const [title, setTitle] = useState('');
  const { dialog } = useUnsavedChanges(title !== '', onDiscard);
  return (
    <>
      <input aria-label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      {dialog}
    </>
  );
}

function renderGuarded(identity: ReturnType<typeof signedIn>, roles?: Role[]) {
  const guarded = {
    element: <RequireSession roles={roles} />,
    children: [{ path: '/secret', element: <p>secret</p> }],
  };
  return renderApp(null, { identity, path: '/secret?tab=a#b', routes: [guarded, ...places] });
}

/** Whoever is signed in until the session expires, and again when it is known. */
function Session({ initial = signedIn() }: { initial?: Identity }) {
  const [identity, setIdentity] = useState<Identity>(initial);
  const value = useMemo(
    () => ({ identity, signOut: async () => {}, openAccount: () => {}, setFormSlot: () => {} }),
    [identity],
  );
  return (
    <AuthContext value={value}>
      <button type="button" onClick={() => setIdentity(signedOut)}>
        session expires
      </button>
      <button type="button" onClick={() => setIdentity(signedIn())}>
        session is known
      </button>
      <Outlet />
    </AuthContext>
  );
}

describe('RequireSession', () => {
  it('ROUTE-15 C-16 sends a visitor to sign in and remembers the requested path', async () => {
    const { router } = renderGuarded(signedOut);
    expect(await screen.findByText('at /auth/signin')).toBeInTheDocument();
    expect(new URLSearchParams(router.state.location.search).get('redirect')).toBe('/secret?tab=a#b');
  });

  it('ROUTE-15 waits while the session is loading: no redirect, no protected content', () => {
    const { router } = renderGuarded(loadingSession);
    expect(screen.getByRole('status')).toHaveTextContent('Loading page');
    expect(screen.queryByText('secret')).not.toBeInTheDocument();
    expect(router.state.location.pathname).toBe('/secret');
  });

  it.each([
    ['the session is loading', loadingSession],
    ['the session could not be loaded', { status: 'signed-out', isUnavailable: true }],
  ] as const)(
    'BEY-12 while offline, and %s, nobody is redirected to sign in: the page itself says so',
    (_, identity) => {
      vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
      const { router } = renderGuarded(identity);
      expect(screen.getByRole('alert')).toHaveTextContent('You are offline');
      expect(router.state.location.pathname).toBe('/secret');
    },
  );

  it('BEY-12 shows the page when the session is known after all', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const children = [{ path: '/secret', element: <p>secret</p> }];
    const routes = [
      { element: <Session initial={loadingSession} />, children: [{ element: <RequireSession />, children }] },
    ];
    renderApp(null, { path: '/secret', routes });
    expect(screen.queryByText('secret')).not.toBeInTheDocument();
    fireEvent.click(screen.getByRole('button', { name: 'session is known' }));
    expect(screen.getByText('secret')).toBeInTheDocument();
  });

  it('BEY-12 reloads, without an error, when the connection comes back during the first render', () => {
    const reload = vi.fn();
    vi.stubGlobal('location', { ...window.location, reload });
    // React renders once more what has thrown.
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValueOnce(false).mockReturnValueOnce(false).mockReturnValue(true);
    renderGuarded(loadingSession);
    expect(reload).toHaveBeenCalledOnce();
  });

  it.each([
    ['startup_unverified', '/startup'],
    ['startup_verified', '/startup'],
    ['community', '/community'],
  ] as const)('ROUTE-16 sends %s, which is not allowed, to %s', async (role, home) => {
    renderGuarded(signedIn(role), ['admin']);
    expect(await screen.findByText(`at ${home}`)).toBeInTheDocument();
  });

  it('tells an owner on the Community side why a link to the project does not open, and nobody else', async () => {
    const told = () => screen.queryByText('You are on the Community side. Switch to Project to open that page.');
    const { unmount } = renderGuarded(signedIn('community'), ['admin']);
    expect(await screen.findByText('at /community')).toBeInTheDocument();
    unmount();
    expect(told()).not.toBeInTheDocument();
    renderGuarded(signedIn('community'), ['startup_unverified', 'startup_verified']);
    await waitFor(() => expect(told()).toBeInTheDocument());
    expect(screen.getByText('at /community')).toBeInTheDocument();
  });

  it('SEC-04 C-109 ROUTE-16 C-11 sends an admin away from startup pages to /admin', async () => {
    renderGuarded(signedIn('admin'), ['startup_unverified', 'startup_verified']);
    expect(await screen.findByText('at /admin')).toBeInTheDocument();
  });

  it('SEC-03 C-14 the placeholder identity of a visitor has the community role but passes no guard', async () => {
    renderGuarded(signedOut, ['community']);
    expect(await screen.findByText('at /auth/signin')).toBeInTheDocument();
  });

  it('ROUTE-16 waits for the stored role of a member who is new on this browser before redirecting', async () => {
    const identity = signedIn('community', { clerkRole: null, userId: 'user_first_visit' });
    const { router } = renderGuarded(identity, ['startup_verified']);
    expect(screen.getByRole('status')).toHaveTextContent('Loading page');
    expect(router.state.location.pathname).toBe('/secret');
    act(() => storeRole('startup_verified', 'user_first_visit'));
    expect(await screen.findByText('secret')).toBeInTheDocument();
    // Who then goes to the other side knows where it is.
    act(() => storeRole('community', 'user_first_visit'));
    expect(await screen.findByText('at /community')).toBeInTheDocument();
    expect(screen.queryByText(/Switch to Project/)).not.toBeInTheDocument();
  });

  it('ROUTE-16 falls back to the default role when the stored one cannot be loaded', async () => {
    renderGuarded(signedIn('community', { clerkRole: null }), ['startup_verified']);
    act(() => markRoleResolved('user_test'));
    expect(await screen.findByText('at /community')).toBeInTheDocument();
  });

  it('SEC-06 C-68 admits an unverified startup where a verified one is required, while the setting is on', async () => {
    const { router } = renderGuarded(signedIn('startup_unverified'), ['startup_verified']);
    expect(await screen.findByText('at /startup')).toBeInTheDocument();
    act(() => trustUnverified(true));
    await act(() => router.navigate('/secret'));
    expect(screen.getByText('secret')).toBeInTheDocument();
    act(() => trustUnverified(false));
    expect(await screen.findByText('at /startup')).toBeInTheDocument();
  });

  describe('when the role changes in another tab', () => {
    async function openForm() {
      const guarded = {
        element: <RequireSession roles={['startup_verified']} />,
        children: [{ path: '/secret', element: <Form /> }],
      };
      const view = renderApp(null, {
        identity: signedIn('startup_verified'),
        path: '/secret',
        routes: [guarded, ...places],
      });
      await act(async () => fireEvent.change(screen.getByLabelText('Title'), { target: { value: 'Kites' } }));
      await act(async () => storeRole('community', 'user_test'));
      return view;
    }

    it('HEAD-05 asks whoever has unsaved changes before it takes the page away', async () => {
      const { user } = await openForm();
      await user.click(screen.getByRole('button', { name: 'Keep editing' }));
      await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
      expect(screen.getByLabelText('Title')).toHaveValue('Kites');
    });

    it('HEAD-05 goes to the home of the new role when they leave', async () => {
      const { user } = await openForm();
      await user.click(screen.getByRole('button', { name: 'Leave page' }));
      expect(await screen.findByText('at /community')).toBeInTheDocument();
    });
  });

  describe('when the session ends on an open page', () => {
    /** The `state` with which they are sent to sign in. */
    async function endSession(form: ReactElement, typed: string) {
      const guarded = { element: <RequireSession />, children: [{ path: '/secret', element: form }] };
      const { router, user } = renderApp(null, {
        path: '/secret',
        routes: [{ element: <Session />, children: [guarded, ...places] }],
      });
      if (typed) await user.type(screen.getByLabelText('Title'), typed);
      await user.click(screen.getByRole('button', { name: 'session expires' }));
      expect(await screen.findByText('at /auth/signin')).toBeInTheDocument();
      return router.state.location.state;
    }

    it('C-16 says so, and that unsaved text is lost', async () => {
      expect(await endSession(<Form />, 'Kites')).toEqual({ signedOut: { isTextLost: true } });
    });

    it.each([
      ['nothing has been typed', <Form key="form" />, ''],
      ['a draft keeps what has been typed (BEY-11)', <Form key="form" onDiscard={() => undefined} />, 'Kites'],
    ])('C-16 does not speak of lost text when %s', async (_, form, typed) => {
      expect(await endSession(form, typed)).toEqual({ signedOut: { isTextLost: false } });
    });

    it('C-16 a visitor is not told that a session has ended', async () => {
      const { router } = renderGuarded(signedOut);
      expect(await screen.findByText('at /auth/signin')).toBeInTheDocument();
      expect(router.state.location.state).toBeNull();
    });
  });

  it('admits an allowed role', () => {
    renderGuarded(signedIn('admin'), ['admin']);
    expect(screen.getByText('secret')).toBeInTheDocument();
  });
});
