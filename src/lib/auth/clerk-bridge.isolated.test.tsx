import { act, render, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import ClerkBridge from './clerk-bridge';
import type { Identity } from './session';

/** The provider's state, as its hooks return it. */
const provider = vi.hoisted(() => ({
  user: null as object | null,
  getToken: vi.fn<(options?: object) => Promise<string>>(),
}));
vi.mock('@clerk/react', () => {
  const clerk = { on: () => undefined, off: () => undefined, closeUserProfile: () => undefined };
  return {
    ClerkProvider: ({ children }: { children: ReactNode }) => children,
    useClerk: () => clerk,
    useAuth: () => ({ isLoaded: true, getToken: provider.getToken }),
    useUser: () => ({ user: provider.user }),
  };
});

const userWith = (emailAddress: string, fullName = 'Robin Reed') => ({
  id: 'user_test',
  primaryEmailAddress: { emailAddress },
  fullName,
  publicMetadata: {},
});

function show() {
  const told: Identity[] = [];
  const onIdentity = (identity: Identity) => void told.push(identity);
  const actionsRef = { current: null };
  const bridge = () => (
    <MemoryRouter>
      <ClerkBridge onIdentity={onIdentity} actionsRef={actionsRef} slot={null} />
    </MemoryRouter>
  );
  const { rerender } = render(bridge());
  const change = (user: object | null) => {
    provider.user = user;
    act(() => rerender(bridge()));
  };
  const addresses = () => told.map((identity) => (identity.status === 'signed-in' ? identity.email : identity.status));
  return { change, addresses, told };
}

beforeEach(() => {
  provider.user = userWith('old@example.org');
  provider.getToken.mockReset().mockResolvedValue('token');
});

it('C-65 a changed address is told once the provider has issued a token with it, and asked for once', async () => {
  const issued = Promise.withResolvers<string>();
  provider.getToken.mockReturnValue(issued.promise);
  const { change, addresses } = show();
  expect(addresses()).toEqual(['old@example.org']);
  expect(provider.getToken).not.toHaveBeenCalled();
  change(userWith('new@example.org'));
  expect(provider.getToken.mock.calls).toEqual([[{ skipCache: true }]]);
  expect(addresses()).toEqual(['old@example.org']);
  issued.resolve('token with the new address');
  await waitFor(() => expect(addresses()).toEqual(['old@example.org', 'new@example.org']));
  change(userWith('new@example.org', 'Robin R.'));
  expect(provider.getToken).toHaveBeenCalledOnce();
});

it('C-65 a changed address is told even if no token can be had, and the next person’s at once', async () => {
  const { change, addresses } = show();
  provider.getToken.mockRejectedValue(new Error('offline'));
  change(userWith('new@example.org'));
  await waitFor(() => expect(addresses().at(-1)).toBe('new@example.org'));
  change(null);
  change(userWith('other@example.org'));
  expect(addresses()).toEqual(['old@example.org', 'new@example.org', 'signed-out', 'other@example.org']);
  expect(provider.getToken).toHaveBeenCalledOnce();
});

describe('whose account is deleted', () => {
  /** The provider's window with its form, open. */
  function openForm() {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<div class="cl-userProfile-root"><form><input name="deleteConfirmation" /></form></div>',
    );
    const window = document.querySelector('.cl-userProfile-root');
    const form = document.querySelector<HTMLFormElement>('.cl-userProfile-root form');
    onTestFinished(() => window?.remove());
    return {
      send: () => form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true })),
      close: () => window?.remove(),
    };
  }

  it.each([true, false])(
    'is told so after sending the form, also when it has gone with a lost answer: %s',
    async (isGone) => {
      const { change, told } = show();
      const { send, close } = openForm();
      send();
      if (isGone) close();
      change(null);
      await waitFor(() => expect(told.at(-1)).toEqual({ status: 'signed-out', isAccountDeleted: true }));
    },
  );

  it('is not said of a session that ends while the form is open, but was not sent', async () => {
    const { change, told } = show();
    openForm();
    change(null);
    await waitFor(() => expect(told.at(-1)).toEqual({ status: 'signed-out' }));
  });

  it('is not said of a session that ends long after a form that was refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { change, told } = show();
    openForm().send();
    vi.setSystemTime(Date.now() + 3_600_000);
    change(null);
    await waitFor(() => expect(told.at(-1)).toEqual({ status: 'signed-out' }));
  });
});
