import { screen, waitFor } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { PublicProfileCard } from './public-profile-card';

it('BEY-08 keeps the focus on the button that makes the profile public, and shows the stored handle', async () => {
  const rows: object[] = [];
  fakeApi({
    'GET member_profiles': rows,
    'rpc set_public_profile': () => rows.push({ user_id: 'user_test', handle: 'kite', is_public: true }),
  });
  const { user } = renderApp(<PublicProfileCard userId="user_test" />, { identity: signedIn() });
  await user.type(await screen.findByLabelText('Handle'), 'Kite');
  await user.click(screen.getByRole('button', { name: 'Make it public' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Change handle' })).toHaveFocus());
  expect(screen.getByLabelText('Handle')).toHaveValue('kite');
});

it('BEY-08 says when the handle can be changed again', async () => {
  fakeApi({
    'GET member_profiles': [{ user_id: 'user_test', handle: 'kite', is_public: true }],
    'rpc set_public_profile': refuse(429, 'RATE_LIMITED', 'Rate limit exceeded'),
  });
  const { user } = renderApp(<PublicProfileCard userId="user_test" />, { identity: signedIn() });
  await user.click(await screen.findByRole('button', { name: 'Change handle' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'You have changed it too many times today. Please try again tomorrow.',
  );
});

it('BEY-08 C-99 calls the profile hidden when only the answer was lost', async () => {
  const own = { user_id: 'user_test', handle: 'kite', is_public: true };
  fakeApi({
    'GET member_profiles': [own],
    'rpc set_public_profile': () => {
      own.is_public = false;
      return offline();
    },
  });
  const { user } = renderApp(<PublicProfileCard userId="user_test" />, { identity: signedIn() });
  await user.click(await screen.findByRole('button', { name: 'Hide profile' }));
  expect(await screen.findByText('Your profile is hidden')).toBeInTheDocument();
  // The pressed button has gone.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Make it public' })).toHaveFocus());
  expect(screen.queryByText(/not saved/)).not.toBeInTheDocument();
});

it('does not hide the profile under its old handle while a new one is being saved', async () => {
  const answer = Promise.withResolvers<unknown>();
  const api = fakeApi({
    'GET member_profiles': [{ user_id: 'user_test', handle: 'kite', is_public: true }],
    'rpc set_public_profile': () => answer.promise,
  });
  const { user } = renderApp(<PublicProfileCard userId="user_test" />, { identity: signedIn() });
  await user.type(await screen.findByLabelText('Handle'), '-2');
  await user.click(screen.getByRole('button', { name: 'Change handle' }));
  await user.click(screen.getByRole('button', { name: 'Hide profile' }));
  answer.resolve({ handle: 'kite-2' });
  expect(await screen.findByText('Your profile is public')).toBeInTheDocument();
  const sent = api.calls.filter(({ path }) => path === 'rpc/set_public_profile').map(({ body }) => body);
  expect(sent).toEqual([{ p_handle: 'kite-2', p_is_public: true }]);
});

it('BEY-08 shows one problem at a time', async () => {
  fakeApi({
    'GET member_profiles': [],
    'rpc set_public_profile': refuse(400, 'RESERVED_NAME', 'This name is reserved. Please choose another one.'),
  });
  const { user } = renderApp(<PublicProfileCard userId="user_test" />, { identity: signedIn() });
  await user.type(await screen.findByLabelText('Handle'), 'admin');
  await user.click(screen.getByRole('button', { name: 'Make it public' }));
  expect(await screen.findByText(/This name is reserved/)).toBeInTheDocument();
  await user.type(screen.getByLabelText('Handle'), '!');
  await user.click(screen.getByRole('button', { name: 'Make it public' }));
  expect(await screen.findByText(/3 to 30 letters/)).toBeInTheDocument();
  expect(screen.queryByText(/This name is reserved/)).not.toBeInTheDocument();
});
