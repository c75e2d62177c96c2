// @vitest-environment jsdom
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { useCreateReferralCode } from './code-mutations';
import { useProcessReferral, useTrackReferralClick } from './mutations';

it('REF-04 a visit is counted by its code', async () => {
  const api = fakeApi({ 'rpc track_referral_click': true });
  expect((await runMutation(useTrackReferralClick, 'REF1')).data).toBe(true);
  expect(api.calls[0]?.body).toEqual({ p_code: 'REF1' });
});

describe('REF-05 a claim', () => {
  const input = { userId: 'user_test', code: 'REF1' };

  it('sends the member and the code, and refetches points and referrals', async () => {
    const api = fakeApi({ 'rpc process_referral_signup': { id: 'referral-1' } });
    const { data, stale } = await runMutation(useProcessReferral, input);
    expect(data).toEqual({ id: 'referral-1' });
    expect(api.calls[0]?.body).toEqual({ p_user_id: 'user_test', p_code: 'REF1' });
    expect(stale).toEqual([['notifications'], ['wallets'], ['referrals'], ['rewards', 'leaderboard']]);
  });

  it("that fails on the server reads 'Failed to process referral'", async () => {
    fakeApi({ 'rpc process_referral_signup': refuse(500, null, 'deadlock detected') });
    const { error } = await runMutation(useProcessReferral, input);
    expect(error).toMatchObject({ code: 'REFERRAL_FAILED', message: 'Failed to process referral' });
  });
});

describe('REF-11 a code created on request', () => {
  it('is created, and the referrals are refetched', async () => {
    fakeApi({ 'rpc create_user_referral_code': { code: 'REF1' } });
    const { data, stale } = await runMutation(useCreateReferralCode, undefined);
    expect(data).toEqual({ code: 'REF1' });
    expect(stale).toEqual([['referrals']]);
  });

  it('C-99 is not called failed when only the answer was lost', async () => {
    let tries = 0;
    fakeApi({ 'rpc create_user_referral_code': () => (tries++ === 0 ? offline() : { code: 'REF1' }) });
    const { data, error } = await runMutation(useCreateReferralCode, undefined);
    expect([data, error]).toEqual([{ code: 'REF1' }, null]);
  });

  it.each([
    [null, 'REFERRAL_CODE_MISSING', 'Failed to fetch created referral record'],
    [{ code: null }, 'REFERRAL_CODE_MISSING', 'Failed to fetch created referral record'],
  ])('fails if the service returns no code', async (answer, code, message) => {
    fakeApi({ 'rpc create_user_referral_code': answer });
    expect((await runMutation(useCreateReferralCode, undefined)).error).toMatchObject({ code, message });
  });
});
