import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  projectPoints,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { answerAfter, untilWaiting } from './support/locks.ts';
import { changesNothing } from './support/raw.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const publish = (who: Member, id: string) => who.client.rpc('publish_campaign', { p_campaign_id: id });
const close = (who: Member, id: string) => who.client.rpc('close_campaign', { p_campaign_id: id });
const remove = (who: Member, id: string) => who.client.rpc('delete_campaign', { p_campaign_id: id });
const unpublish = (who: Member, id: string, reason?: string) =>
  who.client.rpc('unpublish_campaign', { p_campaign_id: id, ...(reason !== undefined && { p_reason: reason }) });

const NOT_FOUND = { status: 404, code: 'CAMPAIGN_NOT_FOUND', message: 'Campaign not found' };

async function ownedQuest() {
  const owner = await newOwner();
  const quest = await newQuest(owner);
  return { owner, id: quest.campaign.id, taskId: quest.taskId };
}

const isListed = async (id: string) =>
  (await unwrap(asAnon().from('campaigns').select('id').eq('id', id))).length === 1;

describe('draft, published, closed', () => {
  // A quest is created and published in one step; unpublishing makes it a draft (C-85 also allows saving one).
  test('RULE-13 RULE-14 publish, unpublish and close set status and times; only published quests are public', async () => {
    const { owner, id } = await ownedQuest();
    const created = await unwrap(owner.client.from('campaigns').select('status, published_at').eq('id', id).single());
    expect(created).toEqual({ status: 'published', published_at: expect.any(String) });
    expect(await isListed(id)).toBe(true);
    const draft = await unwrap(unpublish(owner, id));
    expect(draft).toMatchObject({ status: 'draft', hold_reason: null });
    expect(await unwrap(unpublish(owner, id))).toEqual(draft);
    expect(await isListed(id)).toBe(false);
    const published = await unwrap(publish(owner, id));
    expect(published).toMatchObject({ status: 'published', closed_at: null });
    expect(Date.parse(published.published_at ?? '')).toBeGreaterThan(Date.parse(created.published_at ?? ''));
    expect(await unwrap(publish(owner, id))).toEqual(published);
    const closed = await unwrap(close(owner, id));
    expect(closed).toMatchObject({ status: 'closed' });
    expect(closed.closed_at).not.toBeNull();
    expect(await isListed(id)).toBe(false);
    expect(await unwrap(close(owner, id))).toEqual(closed);
    const drafted = await unwrap(unpublish(owner, id));
    expect(drafted).toMatchObject({ status: 'draft', closed_at: null });
    const changes = [draft, published, closed, drafted].map(({ updated_at }) => updated_at);
    expect(changes).toEqual([...new Set(changes)].sort());
    await unwrap(close(owner, id));
    expect(await unwrap(publish(owner, id))).toMatchObject({ status: 'published', closed_at: null });
  });

  test('C-50 closing releases the uncommitted reserve; publishing or drafting again takes it back', async () => {
    const { owner, id, taskId } = await ownedQuest();
    await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    const points = () => projectPoints(owner.startup.id, id);
    expect(await points()).toEqual({ free: 450, reserved: 40 });
    await unwrap(close(owner, id));
    expect(await points()).toEqual({ free: 490, reserved: 0 });
    await unwrap(publish(owner, id));
    expect(await points()).toEqual({ free: 450, reserved: 40 });
    await unwrap(close(owner, id));
    await unwrap(unpublish(owner, id));
    expect(await points()).toEqual({ free: 450, reserved: 40 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('closing keeps what is promised to pending submissions', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const { campaign, taskId } = await newQuest(owner);
      const member = await newMember();
      const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
      await unwrap(close(owner, campaign.id));
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 10 });
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
      expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
      expect(await unwrap(member.client.from('campaigns').select('status').eq('id', campaign.id))).toEqual([
        { status: 'closed' },
      ]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('C-50 TRUST-07 a proof that is sent while the quest is being closed is refused: nothing is reserved for it', async () => {
    const [{ owner, id, taskId }, member] = [await ownedQuest(), await newMember()];
    const closing = await sql().connect();
    try {
      await closing.query('begin');
      await actAs(closing, owner);
      await closing.query('select public.close_campaign($1)', [id]);
      const proof = refusal(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
      await untilWaiting();
      await closing.query('commit');
      expect(await proof).toMatchObject({ status: 409, code: 'QUEST_NOT_OPEN' });
    } finally {
      await closing.query('rollback');
      closing.release();
    }
    expect(await projectPoints(owner.startup.id, id)).toEqual({ free: 500, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('publishing needs a task and a verified project', async () => {
    const { owner, id } = await ownedQuest();
    await unwrap(unpublish(owner, id));
    const { rows } = await sql().query<{ id: string }>(
      "update public.startup_profiles set status = 'rejected' where id = $1 returning id",
      [owner.startup.id],
    );
    expect(rows).toHaveLength(1);
    expect(await changesNothing(() => refusal(publish(owner, id)))).toEqual({
      status: 403,
      code: 'STARTUP_NOT_VERIFIED',
      message: 'Your project must be verified before you can create quests.',
    });
    await sql().query("update public.startup_profiles set status = 'verified' where id = $1", [owner.startup.id]);
    const campaign = { title: 'T', summary: 'S', budget_points: 100 };
    await unwrap(owner.client.rpc('update_campaign', { p_campaign_id: id, p_campaign: campaign, p_tasks: [] }));
    expect(await refusal(publish(owner, id))).toEqual({
      status: 409,
      code: 'NO_TASKS',
      message: 'Add at least one task before publishing',
    });
  });
});

describe('moderation hold', () => {
  test('C-25 ADMIN-04 SEC-15 an admin takes a quest down with a reason; the owner sees it, and can publish only once it is lifted', async () => {
    const { owner, id } = await ownedQuest();
    const [admin, stranger] = [await newAdmin(), await newMember()];
    for (const reason of [undefined, '', ' \n']) {
      expect(await changesNothing(() => refusal(unpublish(admin, id, reason)))).toEqual({
        status: 400,
        code: 'REASON_REQUIRED',
        message: 'A reason is required',
      });
    }
    // A quest of the admin's own needs none: it is taken back, not held.
    const own = await ownedQuest();
    await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [own.owner.id]);
    expect(await unwrap(unpublish(own.owner, own.id))).toMatchObject({ status: 'draft', hold_reason: null });
    const { id: another } = await ownedQuest();
    expect(await unwrap(unpublish(own.owner, another, 'Spam'))).toMatchObject({ hold_reason: 'Spam' });
    const { updated_at: before } = await unwrap(
      owner.client.from('campaigns').select('updated_at').eq('id', id).single(),
    );
    const held = await unwrap(unpublish(admin, id, ' asks for passwords '));
    expect(held).toMatchObject({ status: 'draft', hold_reason: 'asks for passwords', held_by: 'questboard' });
    expect(await isListed(id)).toBe(false);
    expect(await unwrap(owner.client.from('campaigns').select('hold_reason').eq('id', id).single())).toEqual({
      hold_reason: 'asks for passwords',
    });
    const onHold = { status: 409, code: 'ON_HOLD', message: 'This quest is on hold: asks for passwords' };
    expect(await changesNothing(() => refusal(publish(owner, id)))).toEqual(onHold);
    const lift = (who: Member, campaignId: string) =>
      who.client.rpc('lift_campaign_hold', { p_campaign_id: campaignId });
    await changesNothing(async () => {
      for (const who of [owner, stranger]) expect(await refusal(lift(who, id))).toEqual(FORBIDDEN);
      expect(await refusal(asAnon().rpc('lift_campaign_hold', { p_campaign_id: id }))).toMatchObject({ status: 401 });
      expect(await refusal(lift(admin, randomUUID()))).toEqual(NOT_FOUND);
    });
    // Taken down twice for the same reason, it is held once.
    const again = () => unwrap(unpublish(admin, id, 'asks for passwords'));
    expect(await changesNothing(again)).toMatchObject({ id, hold_reason: 'asks for passwords' });
    const lifted = await unwrap(lift(admin, id));
    expect(lifted).toMatchObject({ status: 'draft', hold_reason: null });
    const changes = [before, held.updated_at, lifted.updated_at];
    expect(changes).toEqual([...new Set(changes)].sort());
    // An admin with a project of their own lifts another's hold, and hears of none.
    expect(await unwrap(lift(own.owner, another))).toMatchObject({ hold_reason: null });
    const concerned = await sql().query(
      `select type from public.outbox_events where user_id = $1 and type like 'QuestH%'
       union all select decision from private.project_decisions where owner_user_id = $1 and decision like '%h%ld%'`,
      [own.owner.id],
    );
    expect(concerned.rows).toEqual([]);
    // Pressed twice: there is nothing left to lift.
    expect(await changesNothing(() => unwrap(lift(admin, id)))).toMatchObject({ id, held_at: null });
    expect((await unwrap(publish(owner, id))).status).toBe('published');
    const { rows } = await sql().query(
      'select action, note from public.audit_log where subject_id = $1 and actor_id = $2 order by id',
      [id, admin.id],
    );
    expect(rows).toEqual([
      { action: 'campaign.take_down', note: 'asks for passwords' },
      { action: 'campaign.lift_hold', note: null },
    ]);
  });

  test('C-25 a draft that is published while an admin puts it on hold stays a draft', async () => {
    const { owner, id } = await ownedQuest();
    await unwrap(unpublish(owner, id));
    const publishing = () => refusal(publish(owner, id));
    const answer = await answerAfter(await newAdmin(), "unpublish_campaign($1, 'spam')", [id], publishing);
    expect(answer).toMatchObject({ status: 409, code: 'ON_HOLD' });
  });

  test('a hold leaves a closed quest closed, and the ledger balanced', async () => {
    const { owner, id } = await ownedQuest();
    await unwrap(close(owner, id));
    expect(await unwrap(unpublish(await newAdmin(), id, 'spam'))).toMatchObject({
      status: 'closed',
      hold_reason: 'spam',
    });
    expect(await refusal(publish(owner, id))).toMatchObject({ code: 'ON_HOLD' });
    expect(await ledgerProblems()).toEqual([]);
  });
});

describe('delete_campaign', () => {
  test('TRUST-12 QEDIT-15 C-25 deletes tasks, submissions and e-mails and returns the reserve; earned points and ledger rows remain', async () => {
    const owner = await newOwner();
    const { campaign, taskId } = await newQuest(owner, { campaign: { collect_emails: true } });
    const member = await newMember();
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x', p_email: member.email }));
    expect((await remove(owner, campaign.id)).error).toBeNull();
    expect(await refusal(remove(owner, campaign.id))).toEqual(NOT_FOUND);
    for (const table of ['tasks', 'submissions', 'campaign_email_collections'] as const) {
      const { rows } = await sql().query(`select 1 from public.${table} where campaign_id = $1`, [campaign.id]);
      expect(rows, table).toEqual([]);
    }
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 10 });
    expect(await unwrap(member.client.from('transactions').select('points'))).toEqual([{ points: 10 }]);
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 490, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });
});

test('SEC-09 SEC-13 QEDIT-02 only the owner changes the status: strangers, other owners, visitors and suspended owners cannot; admins can only unpublish', async () => {
  const { owner, id } = await ownedQuest();
  const [stranger, other, admin] = [await newMember(), await newOwner(), await newAdmin()];
  await changesNothing(async () => {
    for (const who of [stranger, other]) {
      for (const call of [publish, unpublish, close, remove]) expect(await refusal(call(who, id))).toEqual(FORBIDDEN);
    }
    for (const call of [publish, close, remove]) {
      expect(await refusal(call(admin, id))).toEqual(FORBIDDEN);
      expect(await refusal(call(owner, randomUUID()))).toEqual(NOT_FOUND);
    }
    expect(await refusal(unpublish(admin, randomUUID(), 'r'))).toEqual(NOT_FOUND);
    for (const name of ['publish_campaign', 'unpublish_campaign', 'close_campaign', 'delete_campaign'] as const) {
      expect(await refusal(asAnon().rpc(name, { p_campaign_id: id }))).toMatchObject({ status: 401 });
    }
  });
  await suspend(owner);
  await changesNothing(async () => {
    for (const call of [publish, unpublish, close, remove]) expect(await refusal(call(owner, id))).toEqual(SUSPENDED);
  });
});
