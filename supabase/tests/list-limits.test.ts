import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { callByName } from './support/by-name.ts';
import { type Member, newAdmin, newVerifiedOwner, type Owner } from './support/factories.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** The largest page of each list that people can call. */
const LARGEST: Record<string, number> = {
  admin_list_appeals: 100,
  admin_list_audit: 100,
  admin_list_campaigns: 100,
  admin_list_feedback: 100,
  admin_list_outbox: 100,
  admin_list_redemptions: 100,
  admin_list_returned_payments: 100,
  admin_list_startups: 100,
  admin_list_submissions: 100,
  admin_list_subscribers: 100,
  admin_list_users: 100,
  get_available_quests_for_new_user: 100,
  get_leaderboard: 100,
  list_collected_emails: 1000,
  list_followed_projects: 100,
  list_my_quests: 100,
  list_notifications: 100,
  list_own_payments: 100,
  list_own_quests: 100,
  list_own_referrals: 100,
  list_own_transactions: 1000,
  list_project_feedback: 100,
  list_project_transactions: 1000,
  list_published_quests: 100,
  list_review_submissions: 1000,
  list_saved_quests: 100,
  list_suggested_quests: 12,
  list_transactions: 1000,
};

/** Who may call it, and what it needs besides a limit. */
function callerOf(name: string, admin: Member, owner: Owner): { who: Member; required: Record<string, string> } {
  const required: Record<string, Record<string, string>> = {
    get_available_quests_for_new_user: { p_user_id: owner.id },
    list_collected_emails: { p_campaign_id: owner.startup.id },
    list_project_feedback: { p_project_id: owner.startup.id },
    list_transactions: { p_wallet_id: owner.startup.id },
  };
  return { who: /^admin_|^list_transactions$/.test(name) ? admin : owner, required: required[name] ?? {} };
}

test('every list refuses a page of no rows, and one that is larger than its largest', async () => {
  const { rows } = await sql().query(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and 'p_limit' = any (p.proargnames)
       and has_function_privilege('authenticated', p.oid, 'execute') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(LARGEST).sort());

  const [admin, owner] = [await newAdmin(), await newVerifiedOwner()];
  for (const [name, largest] of Object.entries(LARGEST)) {
    const { who, required } = callerOf(name, admin, owner);
    const ask = (p_limit: number) => callByName(who.client, name, { ...required, p_limit });
    for (const limit of [0, largest + 1]) {
      expect(await ask(limit), `${name} ${limit}`).toEqual({
        status: 400,
        code: 'INVALID_LIMIT',
        message: `Please ask for 1 to ${largest} rows`,
      });
    }
    for (const limit of [1, largest]) expect((await ask(limit)).code, `${name} ${limit}`).not.toBe('INVALID_LIMIT');
  }
});

/** What each kind of choice is refused with, if it is none. */
const REFUSED: Record<string, string> = {
  p_industry: 'INVALID_FILTER',
  p_period: 'INVALID_VIEW',
  p_proof: 'INVALID_FILTER',
  p_sort: 'INVALID_SORT',
  p_state: 'INVALID_STATUS',
  p_states: 'INVALID_STATE',
  p_status: 'INVALID_STATUS',
  p_view: 'INVALID_VIEW',
};

test('every list refuses a status, a view, an order or a filter that there is not', async () => {
  const { rows } = await sql().query<{ name: string; choice: string }>(
    `select p.proname as name, a as choice from pg_proc p, unnest(p.proargnames[:p.pronargs]) a
     where p.pronamespace = 'public'::regnamespace and p.proname = any ($1) and a = any ($2) order by 1, 2`,
    [Object.keys(LARGEST), Object.keys(REFUSED)],
  );
  expect(rows.length).toBeGreaterThan(20);
  const [admin, owner] = [await newAdmin(), await newVerifiedOwner()];
  for (const { name, choice } of rows) {
    const { who, required } = callerOf(name, admin, owner);
    const args = { ...required, [choice]: choice === 'p_states' ? ['none such'] : 'none such' };
    const { status, code } = await callByName(who.client, name, args);
    expect({ name, choice, status, code }).toEqual({ name, choice, status: 400, code: REFUSED[choice] });
  }
});

test('every list has one usual page, whether its size is left out or null', async () => {
  const [admin, owner] = [await newAdmin(), await newVerifiedOwner()];
  await rolledBack(async (client) => {
    // Says what size it has been asked for, in place of the rows.
    await client.query(
      `create or replace function private.validate_limit(p_limit integer, p_default integer, p_most integer default 100) returns integer
       language plpgsql immutable as $$ begin raise exception 'size %', coalesce(p_limit, p_default); end $$`,
    );
    for (const name of Object.keys(LARGEST)) {
      const { who, required } = callerOf(name, admin, owner);
      const sizeOf = async (args: string[]) => {
        await client.query('savepoint before');
        await actAs(client, who);
        const call = client.query(`select public.${name}(${args.join(', ')})`);
        const said = await call.then(String, ({ message }: Error) => message);
        await client.query('rollback to savepoint before');
        return said;
      };
      const others = Object.entries(required).map(([argument, value]) => `${argument} => '${value}'`);
      const usual = await sizeOf(others);
      expect(usual, name).toMatch(/^size \d+$/);
      expect(await sizeOf([...others, 'p_limit => null']), name).toBe(usual);
    }
  });
});
