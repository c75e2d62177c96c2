import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { testEnv } from '../../../local/testing/clients.ts';
import { newMember, newOwner, newQuest, unwrap } from './factories.ts';
import { allLedgerProblems, forgetPeople, ledgerProblems } from './ledger.ts';
import { setUpDatabase } from './set-up-database.ts';

setUpDatabase();

/** An owner's quest that a member has completed and been paid for. */
async function paidQuest() {
  const [owner, member] = [await newOwner(), await newMember()];
  const { campaign, taskId } = await newQuest(owner);
  await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
  return { owner: owner.id, member: member.id, campaign: campaign.id, task: taskId };
}

/** The findings of the checks with this damage, which is rolled back. */
async function found(damage: string, id: string) {
  const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
  try {
    await client.query('begin');
    await client.query("set local session_replication_role = 'replica'");
    expect((await client.query(damage, [id])).rowCount, damage).toBeGreaterThan(0);
    const kinds = (problems: { what: string }[]) => [...new Set(problems.map(({ what }) => what))].sort();
    return { own: kinds(await ledgerProblems(client)), all: kinds(await allLedgerProblems(client)) };
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

const DAMAGES: [what: string[], damage: string, who: 'member' | 'owner' | 'campaign' | 'task'][] = [
  [
    ['balance after entry', 'payment', 'wallet lifetime', 'wallet points', 'wallet rank'],
    "update public.transfers set points = points + 1 where kind = 'task_completion' and id in (select e.transfer_id from public.entries e where e.user_id = $1)",
    'member',
  ],
  [
    ['transfer'],
    "delete from public.entries where type = 'debit' and wallet_id is null and transfer_id in (select t.transfer_id from public.transactions t join public.wallets w on w.id = t.wallet_id where w.owner_user_id = $1 and t.kind = 'trial_budget')",
    'owner',
  ],
  [['balance after entry'], 'update public.entries set balance_after = balance_after + 1 where user_id = $1', 'member'],
  [['wallet points'], 'update public.wallets set points = points + 1 where user_id = $1', 'member'],
  [
    ['wallet points'],
    "update public.wallets set points = points + 1 where owner_user_id = $1 and kind = 'startup'",
    'owner',
  ],
  [['wallet lifetime'], 'update public.wallets set lifetime_points = lifetime_points + 1 where user_id = $1', 'member'],
  [
    ['wallet rank'],
    'update public.wallets set leaderboard_points = leaderboard_points - 1 where user_id = $1',
    'member',
  ],
  [['reserve', 'wallet points'], 'update public.wallets set points = points + 1 where campaign_id = $1', 'campaign'],
  [['wallet held'], 'update public.wallets set held_points = held_points - 1 where user_id = $1', 'member'],
  [['wallet trial'], 'update public.wallets set trial_points = trial_points - 1 where campaign_id = $1', 'campaign'],
  [['quest counters'], 'update public.campaigns set participant_count = 9 where id = $1', 'campaign'],
  [['quest counters'], 'update public.campaigns set total_slots = total_slots + 1 where id = $1', 'campaign'],
  [['task counters'], 'update public.tasks set approved_count = approved_count + 1 where id = $1', 'task'],
  [
    ['payment', 'quest counters', 'reserve', 'task counters'],
    "update public.submissions set status = 'rejected' where task_id = $1",
    'task',
  ],
];

describe('the ledger check', () => {
  test.each(DAMAGES)('finds a wrong %s', async (what, damage, who) => {
    const world = await paidQuest();
    expect(await found(damage, world[who])).toEqual({ own: what, all: what });
  });

  test("does not blame one person for damage in another's wallet", async () => {
    const stranger = await paidQuest();
    forgetPeople();
    await paidQuest();
    for (const [what, damage, who] of DAMAGES) {
      expect(await found(damage, stranger[who]), damage).toEqual({ own: [], all: what });
    }
  });

  test('fails when nobody is tracked', async () => {
    forgetPeople();
    await expect(ledgerProblems()).rejects.toThrow('nobody to judge');
  });
});
