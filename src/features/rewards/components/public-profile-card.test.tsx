import { screen, waitFor } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
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
