import { QueryClient } from '@tanstack/react-query';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { walletRow } from '@/lib/testing/rows';
import { walletQueries } from './queries';

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
const broken = refuse(500, null, 'out of memory');

describe('own wallet', () => {
  it('DB-13 is made when it is missing', async () => {
    let reads = 0;
    const api = fakeApi({
      'GET wallets': () => (reads++ === 0 ? [] : [walletRow({ points: 0 })]),
      'rpc sync_current_user': { user_id: 'user_test' },
    });
    await expect(client().fetchQuery(walletQueries.own('user_test'))).resolves.toMatchObject({ points: 0 });
    expect(api.calls.map(({ path }) => path)).toEqual(['wallets', 'rpc/sync_current_user', 'wallets']);
  });

  it("ERR-02 failures read 'Failed to fetch wallet' and 'Failed to create wallet'", async () => {
    const api = fakeApi({ 'GET wallets': broken, 'rpc sync_current_user': broken });
    await expect(client().fetchQuery(walletQueries.own('user_test'))).rejects.toThrow('Failed to fetch wallet');
    api.routes['GET wallets'] = [];
    await expect(client().fetchQuery(walletQueries.own('user_test'))).rejects.toThrow('Failed to create wallet');
  });
});

it('DB-13 transactions are the last 50 unless told otherwise', async () => {
  const api = fakeApi({ 'GET transactions': [] });
  await client().fetchQuery(walletQueries.transactions('wallet-1'));
  expect(Object.fromEntries(api.calls[0]?.params ?? [])).toMatchObject({
    wallet_id: 'eq.wallet-1',
    order: 'id.desc',
    limit: '50',
  });
});
