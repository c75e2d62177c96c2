import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectQueries } from '@/features/projects/queries';
import { useCreateReferralCode } from '@/features/referrals/code-mutations';
import { useProcessReferral } from '@/features/referrals/mutations';
import { useRedeemReward } from '@/features/rewards/mutations';
import { rewardQueries } from '@/features/rewards/queries';
import { walletQueries } from '@/features/wallet/queries';
import { asService, sql } from '../../local/testing/clients.ts';
import { actAs, configureApp, fromHook } from './support/app.ts';
import { newAdmin, newMember, newOwner, newQuest, unwrap, withSettings } from './support/factories.ts';
import { withBroken } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

beforeEach(() => {
  configureApp();
  client.clear();
});
afterEach(() => actAs('visitor'));

describe('points', () => {
  test("SWAL-01 SWAL-02 a project's wallet and its last fifty transactions by the project's id; nothing without a project", async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    await newQuest(owner);
    actAs(owner);
    const wallet = await client.fetchQuery(walletQueries.project(owner.startup.id));
    expect(wallet).toMatchObject({ points: 450, lifetime_points: 500, cash_cents: 0 });
    for (let i = 0; i < 30; i += 1) {
      await sql().query(
        `with w as (select $1::uuid as project, (select id from public.wallets where user_id = $2) as personal)
         select private.transfer(project, personal, 1, 'adjustment', 'out'), private.transfer(personal, project, 1, 'adjustment', 'back') from w`,
        [wallet?.id, owner.id],
      );
    }
    const { rows } = await sql().query<{ id: string }>(
      'select id from public.transactions where wallet_id = $1 order by id desc limit 50',
      [wallet?.id],
    );
    const transactions = await client.fetchQuery(walletQueries.latestTransactions(wallet?.id ?? ''));
    expect(transactions.map(({ id }) => String(id))).toEqual(rows.map(({ id }) => id));
    expect(transactions).toHaveLength(50);
    // Nobody else sees them.
    actAs(member);
    client.clear();
    expect(await client.fetchQuery(walletQueries.project(owner.startup.id))).toBeNull();
    expect(await client.fetchQuery(walletQueries.latestTransactions(wallet?.id ?? ''))).toEqual([]);
    expect(await client.fetchQuery(projectQueries.own(member.id))).toBeNull();
  });

  test('REWARD-04 the leaderboard requests the top fifty, and is empty while it is turned off', async () => {
    const members = [];
    for (let i = 0; i < 52; i += 1) members.push(await newMember());
    for (const [index, { id }] of members.entries()) {
      await unwrap(
        asService().rpc('credit_points_safe', {
          p_user_id: id,
          p_points: 100_000 + index,
          p_description: 'Task completion: test',
        }),
      );
    }
    const board = await client.fetchQuery(rewardQueries.leaderboard('all'));
    expect(board.map(({ total_points }) => total_points)).toEqual(
      Array.from({ length: 50 }, (_, index) => 100_051 - index),
    );
    expect(Object.keys(board[0] ?? {})).toEqual(
      expect.arrayContaining(['user_id', 'username', 'display_name', 'total_points']),
    );
    client.clear();
    await withSettings({ leaderboard_enabled: false }, async () => {
      expect(await client.fetchQuery(rewardQueries.leaderboard('all'))).toEqual([]);
    });
  });

  test('REWARD-11 a refused redemption reads Failed to process reward, with the reason', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 60 } }));
    actAs(member);
    const { mutateAsync } = fromHook(useRedeemReward);
    await expect(mutateAsync({ reward })).rejects.toMatchObject({
      code: 'REWARD_TOO_EXPENSIVE',
      message: expect.stringMatching(/^Failed to process reward: .*points/i),
    });
  });

  test('ERR-02 a wallet that cannot be read or created says so', async () => {
    const member = await newMember();
    actAs(member);
    const read = () => {
      client.clear();
      return client.fetchQuery(walletQueries.own(member.id));
    };
    expect(await read()).toMatchObject({ points: 0 });
    await withBroken('private.own_wallet_ids()', () => expect(read()).rejects.toThrow(/^Failed to fetch wallet$/));
    await sql().query('delete from public.wallets where user_id = $1', [member.id]);
    await withBroken('public.sync_current_user(text)', () =>
      expect(read()).rejects.toThrow(/^Failed to create wallet$/),
    );
    expect(await read()).toMatchObject({ points: 0 });
  });

  test('REF-11 a referral that fails unexpectedly says what failed', async () => {
    const [referrer, member] = [await newMember(), await newMember()];
    actAs(member);
    const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
    const { mutateAsync: claim } = fromHook(useProcessReferral);
    await withBroken('public.process_referral_signup(text,text)', () =>
      expect(claim({ userId: member.id, code })).rejects.toThrow(/^Failed to process referral$/),
    );
    // Expected errors keep their own sentence.
    await expect(claim({ userId: member.id, code: 'NOPE' })).rejects.toThrow(/^Invalid referral code$/);
    const { mutateAsync: create } = fromHook(useCreateReferralCode);
    // The screen has its own sentence for unexpected errors (referral-card.tsx).
    await withBroken('public.create_user_referral_code()', () =>
      expect(create()).rejects.toMatchObject({ code: 'UNKNOWN' }),
    );
  });
});
