import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { callByName } from './support/by-name.ts';
import { type Member, newAdmin, newVerifiedOwner } from './support/factories.ts';
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

test('every list refuses a page of no rows, and one that is larger than its largest', async () => {
  const { rows } = await sql().query(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and 'p_limit' = any (p.proargnames)
       and has_function_privilege('authenticated', p.oid, 'execute') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(LARGEST).sort());

  const [admin, owner] = [await newAdmin(), await newVerifiedOwner()];
  /** What each needs besides. */
  const required: Record<string, Record<string, string>> = {
    get_available_quests_for_new_user: { p_user_id: owner.id },
    list_collected_emails: { p_campaign_id: owner.startup.id },
    list_project_feedback: { p_project_id: owner.startup.id },
    list_transactions: { p_wallet_id: owner.startup.id },
  };
  for (const [name, largest] of Object.entries(LARGEST)) {
    const who: Member = /^admin_|^list_transactions$/.test(name) ? admin : owner;
    const ask = (p_limit: number) => callByName(who.client, name, { ...required[name], p_limit });
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
