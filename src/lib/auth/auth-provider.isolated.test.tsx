import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, Suspense, useLayoutEffect } from 'react';
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from 'react-router-dom';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { createQueryClient } from '../query-client';
import { supabase, unwrap } from '../supabase';
import { removeCookies, setCookie } from '../testing/cookies';
import { signedIn, signedOut } from '../testing/render';
import { AuthForm } from './auth-form';
import { AuthProvider } from './auth-provider';
import { type Identity, type ProviderActions, useSession, useSignOut } from './session';
import { setTokenSource } from './token';

/** Stands for the provider's own tree: tells who is signed in, and signs out when asked to. */
const provider = vi.hoisted(() => ({
  tell: null as ((identity: Identity) => void) | null,
  signOut: vi.fn(async () => undefined),
}));
vi.mock('./clerk-bridge', () => ({
  default: function Bridge(props: {
    onIdentity: (identity: Identity) => void;
    actionsRef: { current: ProviderActions | null };
  }) {
    provider.tell = props.onIdentity;
    props.actionsRef.current = { signOut: provider.signOut, openAccount: () => undefined };
    return null;
  },
}));

/** What each commit of the page has put on the screen. */
const painted: string[] = [];

/** Who is there, and what the server answers to them; its key names nobody. */
function Page({ answer }: { answer: () => Promise<string> }) {
  const { userId, status } = useSession();
  const signOut = useSignOut();
  const { data } = useQuery({ queryKey: ['points'], queryFn: answer });
  useLayoutEffect(() => void painted.push(`${userId}: ${data}`));
  return (
    <>
      <p>
        Hello {userId ?? 'nobody'}, {status}
      </p>
      <p>Points: {data ?? 'not known'}</p>
      <button type="button" onClick={() => void signOut()}>
        Sign Out
      </button>
    </>
  );
}

function Form({ answer }: { answer: () => Promise<string> }) {
  const { dialog } = useUnsavedChanges(true);
  return (
    <>
      <Page answer={answer} />
      <input aria-label="Title" />
      {dialog}
    </>
  );
}

const NeverLoaded = lazy(() => new Promise<never>(() => undefined));

/** The parts for everybody but the first member, and for the first member's next name, are on their way for ever. */
function Own() {
  const { userId, name } = useSession();
  if (userId !== 'user_test' || name !== 'Robin Reed') return <NeverLoaded />;
  return <p>Own things of {userId}</p>;
}

function renderAt(path: string) {
  const answer = vi.fn(async () => '10');
  const routes: RouteObject[] = [
    { path: '/points', element: <Page answer={answer} /> },
    { path: '/form', element: <Form answer={answer} /> },
    { path: '/own', element: <Own /> },
    { path: '/sign-in', element: <AuthForm kind="sign-in" returnTo="/" /> },
    { path: '*', element: <p>home</p> },
  ];
  const frame = (
    <AuthProvider>
      <Suspense fallback="Loading">
        <Outlet />
      </Suspense>
    </AuthProvider>
  );
  const router = createMemoryRouter([{ element: frame, children: routes }], { initialEntries: [path] });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const tell = (identity: Identity) => act(() => provider.tell?.(identity));
  return { router, answer, tell, user: userEvent.setup() };
}

async function open(path = '/points') {
  const page = renderAt(path);
  await waitFor(() => expect(provider.tell).not.toBeNull());
  return page;
}

beforeEach(() => {
  provider.tell = null;
  provider.signOut.mockReset();
  setCookie('__client_uat=1790000000');
});

afterEach(removeCookies);

describe('the provider', () => {
  it.each(['', '__client_uat=0', '__client_uat_Ab12cd34=0', 'my__session=1'])(
    'is not loaded for a visitor, who is known at once (cookie %j)',
    async (cookie) => {
      removeCookies();
      if (cookie) setCookie(cookie);
      const { answer } = renderAt('/points');
      await screen.findByText('Hello nobody, signed-out');
      expect(await screen.findByText('Points: 10')).toBeInTheDocument();
      expect(answer).toHaveBeenCalledOnce();
      expect(provider.tell).toBeNull();
    },
  );

  it.each([
    '__client_uat=1790000000',
    '__session=token',
    '__session_Ab12cd34=token',
    '__client_uat_Ab12cd34=1790000000',
  ])('is asked whether somebody is signed in as the cookie says (%s)', async (cookie) => {
    removeCookies();
    setCookie('__client_uat=0');
    setCookie(cookie);
    const { tell } = await open();
    expect(screen.getByText('Hello nobody, loading')).toBeInTheDocument();
    await tell(signedIn());
    expect(screen.getByText('Hello user_test, signed-in')).toBeInTheDocument();
  });

  it('is loaded for the form, and stays for who leaves it', async () => {
    removeCookies();
    const { router, tell } = renderAt('/points');
    await screen.findByText('Hello nobody, signed-out');
    await act(() => router.navigate('/sign-in'));
    await waitFor(() => expect(provider.tell).not.toBeNull());
    await act(() => router.navigate('/points'));
    await tell(signedIn());
    expect(screen.getByText('Hello user_test, signed-in')).toBeInTheDocument();
  });

  it.each(['storage', 'focus'])('is loaded when somebody has signed in in another tab (%s)', async (event) => {
    removeCookies();
    renderAt('/points');
    await screen.findByText('Hello nobody, signed-out');
    act(() => void window.dispatchEvent(new Event(event)));
    expect(provider.tell).toBeNull();
    setCookie('__client_uat=1790000000');
    act(() => void window.dispatchEvent(new Event(event)));
    await waitFor(() => expect(provider.tell).not.toBeNull());
  });

  it('is tried offline, where nobody can tell who is there', async () => {
    removeCookies();
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await open();
    expect(screen.getByText('Hello nobody, loading')).toBeInTheDocument();
  });
});

describe('leaving', () => {
  it.each([
    ['signs out in another tab', signedOut],
    ['gives way to somebody else there', signedIn('community', { userId: 'user_other' })],
  ])('whoever %s is gone at once, before the code of what comes instead is there', async (_, next) => {
    const { tell } = await open('/own');
    await tell(signedIn());
    await screen.findByText('Own things of user_test');
    await tell(next);
    expect(screen.queryByText('Own things of user_test')).not.toBeVisible();
    expect(screen.getByText('Loading')).toBeVisible();
  });

  it('is not for who stays: their page waits for its code as a page does that is gone to', async () => {
    const { tell } = await open('/own');
    await tell(signedIn());
    await screen.findByText('Own things of user_test');
    await tell(signedIn('community', { name: 'Robin R.' }));
    expect(screen.getByText('Own things of user_test')).toBeVisible();
  });
});

describe('what the server has answered', () => {
  it('to somebody is not shown to who comes after them', async () => {
    const { router, answer, tell } = await open();
    await tell(signedIn());
    await screen.findByText('Points: 10');
    await act(() => router.navigate('/'));
    await tell(signedOut);
    await tell(signedIn('community', { userId: 'user_other' }));
    answer.mockReturnValue(new Promise(() => undefined));
    await act(() => router.navigate('/points'));
    expect(screen.getByText('Hello user_other, signed-in')).toBeInTheDocument();
    expect(screen.getByText('Points: not known')).toBeInTheDocument();
  });

  it('to a visitor does not count for the member who has signed in since', async () => {
    const { router, answer, tell } = await open();
    await tell(signedOut);
    await screen.findByText('Points: 10');
    await act(() => router.navigate('/'));
    await tell(signedIn());
    answer.mockResolvedValue('20');
    await act(() => router.navigate('/points'));
    expect(await screen.findByText('Points: 20')).toBeInTheDocument();
  });

  it('is asked anew where it is on the screen', async () => {
    const { answer, tell } = await open();
    await tell(signedIn());
    await screen.findByText('Points: 10');
    answer.mockResolvedValue('20');
    await tell(signedIn('community', { userId: 'user_other' }));
    expect(await screen.findByText('Points: 20')).toBeInTheDocument();
  });

  it('to somebody is not shown for a single frame to who takes their place', async () => {
    const { answer, tell } = await open();
    await tell(signedIn());
    await screen.findByText('Points: 10');
    answer.mockReturnValue(new Promise(() => undefined));
    painted.length = 0;
    await tell(signedIn('community', { userId: 'user_other' }));
    expect(screen.getByText('Points: not known')).toBeInTheDocument();
    expect(painted).not.toContain('user_other: 10');
  });

  it('is asked once while it turns out who is there, and not anew for another name of theirs', async () => {
    const { answer, tell } = await open();
    await screen.findByText('Points: 10');
    await tell(signedIn());
    await tell(signedIn('community', { name: 'Robin R.' }));
    expect(screen.getByText('Hello user_test, signed-in')).toBeInTheDocument();
    expect(answer).toHaveBeenCalledOnce();
  });
});

describe('a session that has ended before the app hears of it', () => {
  it("sends no request as a visitor's, until the app shows a visitor", async () => {
    const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json([]));
    onTestFinished(() => setTokenSource(null));
    setTokenSource(async () => null);
    const { tell } = await open();
    const ask = () => unwrap(supabase().rpc('get_own_quest_states'));
    await tell(signedIn());
    await expect(ask()).rejects.toMatchObject({ code: 'SESSION_EXPIRED', status: 401 });
    expect(sent).not.toHaveBeenCalled();
    await tell(signedOut);
    expect(await ask()).toEqual([]);
    expect(sent).toHaveBeenCalledOnce();
  });
});

describe('signing out of a form with unsaved changes', () => {
  it('asks first, and nothing happens to who stays', async () => {
    const { router, tell, user } = await open('/form');
    await tell(signedIn());
    await user.type(screen.getByLabelText('Title'), 'Kites');
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(screen.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
    expect(provider.signOut).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(provider.signOut).not.toHaveBeenCalled();
    expect(router.state.location.pathname).toBe('/form');
    expect(screen.getByLabelText('Title')).toHaveValue('Kites');
  });

  it('goes on for who leaves', async () => {
    const { router, tell, user } = await open('/form');
    await tell(signedIn());
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    await user.click(screen.getByRole('button', { name: 'Leave page' }));
    await waitFor(() => expect(provider.signOut).toHaveBeenCalledOnce());
    expect(router.state.location.pathname).toBe('/');
  });
});
