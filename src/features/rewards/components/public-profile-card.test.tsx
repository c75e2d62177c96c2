import { screen, waitFor } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
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
    'You have changed it very often today. Please try again tomorrow.',
  );
});
