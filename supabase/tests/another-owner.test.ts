import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { FUNCTION_ACCESS } from './access/declared-functions.ts';
import {
  FORBIDDEN,
  newCheckedOwner,
  newMember,
  newQuest,
  type Owner,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

type Args = Record<string, unknown>;

/** Who looks in has one of everything as well, so that a rule which only asks for some project of the caller shows. */
interface World {
  owner: Owner;
  startup: string;
  campaign: string;
  task: string;
  submission: string;
  wallet: string;
}

/** What an owner reads with the ids of a project; nobody else gets a row. */
const READS: Record<string, (world: World) => Args> = {
  get_task_verifications: ({ campaign }) => ({ p_campaign_id: campaign }),
  list_collected_emails: ({ campaign }) => ({ p_campaign_id: campaign }),
  list_project_transactions: ({ campaign }) => ({ p_campaign_id: campaign }),
  list_signing_secrets: ({ startup }) => ({ p_startup_id: startup }),
  list_transactions: ({ wallet }) => ({ p_wallet_id: wallet }),
  list_verification_calls: ({ startup }) => ({ p_startup_id: startup }),
};

/** What only an owner may call with them. */
const REFUSED: Record<string, (world: World) => Args> = {
  check_user_quest_completion: ({ owner }) => ({ p_user_id: owner.id }),
  close_campaign: ({ campaign }) => ({ p_campaign_id: campaign }),
  create_quest: ({ startup }) => ({ p_startup_id: startup, p_campaign: {}, p_task: {} }),
  create_signing_secret: ({ startup }) => ({ p_startup_id: startup }),
  delete_campaign: ({ campaign }) => ({ p_campaign_id: campaign }),
  duplicate_campaign: ({ campaign }) => ({ p_campaign_id: campaign }),
  get_available_quests_for_new_user: ({ owner }) => ({ p_user_id: owner.id }),
  get_campaign_performance_stats: ({ campaign }) => ({ p_campaign_id: campaign }),
  get_user_referral_stats: ({ owner }) => ({ p_user_id: owner.id }),
  list_review_submissions: ({ campaign }) => ({ p_campaign_id: campaign }),
  process_referral_signup: ({ owner }) => ({ p_user_id: owner.id, p_code: 'REFAAAAAAAA' }),
  publish_campaign: ({ campaign }) => ({ p_campaign_id: campaign }),
  review_submission: ({ submission }) => ({ p_submission_id: submission, p_decision: 'approve' }),
  revoke_signing_secret: ({ startup }) => ({ p_startup_id: startup, p_secret_id: startup }),
  unpublish_campaign: ({ campaign }) => ({ p_campaign_id: campaign }),
  update_campaign: ({ campaign }) => ({ p_campaign_id: campaign, p_campaign: {}, p_tasks: [] }),
  update_startup_profile: ({ startup }) => ({ p_startup_id: startup, p_name: 'Taken' }),
  update_user_email: ({ owner }) => ({ p_user_id: owner.id, p_email: 'taken@example.com' }),
  validate_campaign_creation_eligibility: ({ owner }) => ({ p_user_id: owner.id }),
};

/** What everybody may call with a project's ids, as a member. What it answers concerns the caller alone. */
const FOR_MEMBERS = [
  'get_own_project_feedback',
  'get_participated_quest',
  'get_participated_tasks',
  'record_quest_view',
  'set_project_followed',
  'set_quest_saved',
  'start_task',
  'submit_appeal',
  'submit_completion_code',
  'submit_project_feedback',
  'submit_proof',
];

let own: World;
let other: World;

async function newWorld(): Promise<World> {
  const owner = await newCheckedOwner();
  const quest = await newQuest(owner);
  const { id } = await unwrap(submitProof(await newMember(), quest.taskId));
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  await sql().query(
    `insert into private.verification_calls (startup_id, kind, call_id, token, status, code, message)
     values ($1, 'call', $2, 'token', 200, 'OK', 'Done')`,
    [owner.startup.id, owner.id],
  );
  await sql().query(
    `insert into public.campaign_email_collections (campaign_id, user_id, email, submission_id)
     select s.campaign_id, s.user_id, 'shared@example.com', s.id from public.submissions s where s.id = $1`,
    [id],
  );
  const wallet = await sql().query<{ id: string }>('select id from public.wallets where startup_id = $1', [
    owner.startup.id,
  ]);
  return {
    owner,
    startup: owner.startup.id,
    campaign: quest.campaign.id,
    task: quest.taskId,
    submission: id,
    wallet: wallet.rows[0]?.id ?? '',
  };
}

async function call({ owner: { client } }: World, name: string, args: Args) {
  type Answer = { data: unknown; status: number; error: { message: string; hint: string | null } | null };
  // Deliberately untyped: the types know only literal names.
  const rpc: (name: never, args: never) => PromiseLike<Answer> = client.rpc.bind(client);
  const { data, status, error } = await rpc(name as never, args as never);
  return error ? { status, code: error.hint, message: error.message } : { data };
}

beforeAll(async () => {
  [own, other] = [await newWorld(), await newWorld()];
});

test('each procedure that takes an id of a project, its parts or a person is tried below', async () => {
  const { rows } = await sql().query<{ name: string }>(
    `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any ($1)
       and p.proargnames && '{p_startup_id,p_project_id,p_campaign_id,p_task_id,p_submission_id,p_submission_ids,p_wallet_id,p_user_id}'`,
    [FUNCTION_ACCESS.signedIn],
  );
  const tried = [
    ...Object.keys(READS),
    ...Object.keys(REFUSED),
    ...FOR_MEMBERS,
    'delete_startup_profile',
    'review_submissions',
  ];
  expect(rows.map(({ name }) => name).sort()).toEqual(tried.sort());
});

test.each(Object.entries(READS))(
  'SEC-13 TRUST-03 %s has rows for the owner, and none for the owner of another project',
  async (name, args) => {
    expect(await call(own, name, args(own))).toMatchObject({ data: expect.arrayContaining([expect.anything()]) });
    expect(await call(other, name, args(own))).toEqual({ data: [] });
  },
);

test.each(Object.entries(REFUSED))(
  'SEC-13 TRUST-03 %s is refused to the owner of another project',
  async (name, args) => {
    expect(await call(other, name, args(own))).toEqual(FORBIDDEN);
  },
);

test('SEC-13 TRUST-03 delete_startup_profile is refused to the owner of another project', async () => {
  expect(await call(other, 'delete_startup_profile', { p_startup_id: own.startup })).toMatchObject({
    status: 403,
    code: 'NOT_YOUR_STARTUP',
  });
});

test('SEC-13 TRUST-03 review_submissions refuses each proof to the owner of another project', async () => {
  const decisions = await call(other, 'review_submissions', {
    p_submission_ids: [own.submission],
    p_decision: 'approve',
  });
  expect(decisions).toMatchObject({ data: [{ error_code: 'FORBIDDEN', status: null }] });
});
