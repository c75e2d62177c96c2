// @vitest-environment jsdom
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { useDecideRedemption } from './mutations';

const cancellation = { redemptionId: 'r1', decision: 'cancelled', note: 'Sold out' } as const;

describe('C-99 C-50 a cancellation whose answer was lost', () => {
  it('has gone through when the redemption is cancelled', async () => {
    fakeApi({ 'rpc set_redemption_status': offline(), 'GET redemptions': [{ id: 'r1', status: 'cancelled' }] });
    expect((await runMutation(useDecideRedemption, cancellation)).error).toBeNull();
  });

  it('has not when it is something else', async () => {
    vi.useFakeTimers();
    fakeApi({ 'rpc set_redemption_status': offline(), 'GET redemptions': [{ id: 'r1', status: 'pending' }] });
    const deciding = runMutation(useDecideRedemption, cancellation);
    await vi.runAllTimersAsync();
    expect((await deciding).error).toMatchObject({ code: 'NOT_APPLIED' });
  });
});
