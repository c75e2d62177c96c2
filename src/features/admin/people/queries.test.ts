import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { profileRow, walletRow } from '@/lib/testing/rows';
import { peopleQueries } from './queries';

describe('queries about one person', () => {
  it('return the own referral code, or none', async () => {
    const code = (user_id: string) => ({ user_id, code: `REF-${user_id}` });
    fakeApi({ 'GET referral_codes': [code('user_other'), code('user_robin')] });
    expect(await fetchQuery(peopleQueries.referralCode('user_robin'))).toMatchObject({ code: 'REF-user_robin' });
    expect(await fetchQuery(peopleQueries.referralCode('user_new'))).toBeNull();
  });

  it('return everything that an admin decides by, and fail on an unexpected shape', async () => {
    const facts = {
      submissions: { total: 1, approved: 1, pending: 0, rejected: 0 },
      flag_count: 0,
      flags: [],
      related: [],
      holds: [],
      redemptions: { total: 0, pending: 0, cancelled: 0, points: 0 },
      admin_revoked_at: null,
      deletion: null,
      project: null,
      history: [],
    };
    const api = fakeApi({ 'rpc admin_get_person': facts });
    expect(await fetchQuery(peopleQueries.facts('user_robin'))).toEqual(facts);
    expect([api.calls[0]?.method, api.calls[0]?.params.get('p_user_id')]).toEqual(['GET', 'user_robin']);
    api.routes['rpc admin_get_person'] = { ...facts, flag_count: null };
    await expect(fetchQuery(peopleQueries.facts('user_robin'))).rejects.toThrow('flag_count');
  });

  it('return the profile, or none before the first sign-in', async () => {
    const own = profileRow({ user_id: 'user_robin' });
    fakeApi({ 'GET user_profiles': [profileRow({ user_id: 'user_other' }), own] });
    expect(await fetchQuery(peopleQueries.profile('user_robin'))).toEqual(own);
    expect(await fetchQuery(peopleQueries.profile('user_new'))).toBeNull();
  });

  it("return the person's own wallets, without those of quests", async () => {
    fakeApi({
      'GET wallets': [
        walletRow({ id: 'own', kind: 'user' }),
        walletRow({ id: 'project', kind: 'startup' }),
        walletRow({ id: 'reserve', kind: 'reserve' }),
        walletRow({ id: 'foreign', owner_user_id: 'user_other' }),
      ],
    });
    const wallets = await fetchQuery(peopleQueries.wallets('user_test'));
    expect(new Set(idsOf(wallets))).toEqual(new Set(['own', 'project']));
  });
});
