import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import { referralQueries } from './queries';

const row = {
  referral_code: 'REF1',
  clicks: 42,
  successful_referrals: 3,
  total_points_earned: 1500,
  held_points: 500,
  can_be_referred: true,
};
const missing = refuse(404, null, 'Could not find the function in the schema cache');
const code = (user_id: string, clicks: number) => ({
  user_id,
  code: `REF-${user_id}`,
  clicks,
  successful_referrals: 1,
  total_rewards_earned: 500,
});
const nothing = { code: null, clicks: 0, successfulReferrals: 0, pointsEarned: 0, pointsHeld: 0, canBeReferred: false };

describe('statistics', () => {
  it('DB-18 come from the procedure, for this member', async () => {
    const api = fakeApi({ 'rpc get_user_referral_stats': [row] });
    expect(await fetchQuery(referralQueries.stats('user_test'))).toEqual({
      code: 'REF1',
      clicks: 42,
      successfulReferrals: 3,
      pointsEarned: 1500,
      pointsHeld: 500,
      canBeReferred: true,
    });
    expect(api.calls[0]).toMatchObject({ method: 'GET' });
    expect(api.calls[0]?.params.get('p_user_id')).toBe('user_test');
  });

  it('are zeros before the first code', async () => {
    fakeApi({ 'rpc get_user_referral_stats': [] });
    expect(await fetchQuery(referralQueries.stats('user_test'))).toEqual(nothing);
  });

  it("DB-28 come from the member's own row where the procedure is missing", async () => {
    fakeApi({
      'rpc get_user_referral_stats': missing,
      'GET referral_codes': [code('user_other', 99), code('user_test', 7)],
    });
    expect(await fetchQuery(referralQueries.stats('user_test'))).toEqual({
      code: 'REF-user_test',
      clicks: 7,
      successfulReferrals: 1,
      pointsEarned: 500,
      // The table does not contain these.
      pointsHeld: null,
      canBeReferred: false,
    });
    expect(await fetchQuery(referralQueries.stats('user_new'))).toEqual(nothing);
  });

  it('DB-28 other errors do not trigger the fallback', async () => {
    const api = fakeApi({ 'rpc get_user_referral_stats': refuse(500, null, 'deadlock detected') });
    await expect(fetchQuery(referralQueries.stats('user_test'))).rejects.toMatchObject({ status: 500 });
    expect(api.calls).toHaveLength(1);
  });
});

it("REF-07 the history is the member's latest 10 referrals, by GET", async () => {
  const latest = [{ id: 'r1', status: 'completed', points: 500, held_points: 500, created_at: '2026-02-01T12:00:00Z' }];
  const api = fakeApi({ 'rpc list_own_referrals': latest });
  expect(await fetchQuery(referralQueries.latest('user_test'))).toEqual(latest);
  expect(api.calls.map(({ method, params }) => [method, params.get('p_limit')])).toEqual([['GET', '10']]);
});

it('a greeting is requested once per code, and is null for an invalid code', async () => {
  const api = fakeApi({ 'rpc get_referral_greeting': { inviter_name: 'Robin***ler', referred_points: 250 } });
  expect(await fetchQuery(referralQueries.greeting('REF1'))).toEqual({
    inviter_name: 'Robin***ler',
    referred_points: 250,
  });
  expect(api.calls[0]?.body).toEqual({ p_code: 'REF1' });
  api.routes['rpc get_referral_greeting'] = { inviter_name: null, referred_points: 250 };
  expect(await fetchQuery(referralQueries.greeting('REF2'))).toBeNull();
});

it('all referral queries are invalidated together and cached separately', () => {
  const keys = [
    referralQueries.stats('a'),
    referralQueries.stats('b'),
    referralQueries.latest('a'),
    referralQueries.latest('b'),
    referralQueries.greeting('a'),
  ].map(({ queryKey }) => queryKey);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  expect(keys.every(([first]) => first === referralQueries.keys.all[0])).toBe(true);
});
