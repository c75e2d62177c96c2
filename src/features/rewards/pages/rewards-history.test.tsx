import { screen } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow, settingsRow, walletRow } from '@/lib/testing/rows';
import { ownTransaction } from '../testing';
import RewardsPage from './rewards-page';

it('BEY-06 the history does not wait for the wallet: what made room for it would push the lines about', async () => {
  const wallet = Promise.withResolvers<unknown>();
  fakeApi({
    'GET wallets': () => wallet.promise,
    'GET app_settings': [settingsRow()],
    'GET user_profiles': [profileRow()],
    'rpc list_own_transactions': [ownTransaction({ description: 'Task completion: Draw a leaf' })],
  });
  const { container } = renderApp(<RewardsPage />, { identity: signedIn(), path: '/rewards?view=history' });
  expect(await screen.findByText('Task completion: Draw a leaf')).toBeInTheDocument();
  expect(container.querySelector('[aria-busy="true"]')).toBeNull();
  wallet.resolve([walletRow()]);
});
