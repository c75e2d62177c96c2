import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { ConnectionPool } from './support/connection-pool.ts';
import { ledgerProblems, newAdmin, newOwner, projectPoints, walletOf, withSettings } from './support/factories.ts';
import { balanceOf, letDaysPass, tick } from './support/holds.ts';
import { LedgerModel } from './support/ledger-model.ts';
import { letHoursPass } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

// 300 actions in `npm test`, 12,000 in `npm run test:long`. A failure prints its seed; set QUESTBOARD_SEED to see it again.
const [RUNS, LENGTH] = process.env.QUESTBOARD_FULL ? [100, 120] : [6, 50];
const SEED = Number(process.env.QUESTBOARD_SEED ?? Date.now() % 2 ** 31);
const USERS = 4;
const COST = 15;

type Action =
  | { do: 'create' | 'edit'; reward: number; slots: number; isCode: boolean }
  | { do: 'publish' | 'unpublish' | 'close' }
  | { do: 'delete'; approve: boolean }
  | { do: 'submit' | 'enter'; user: number }
  | { do: 'review'; user: number; approve: boolean }
  | { do: 'appeal'; user: number }
  | { do: 'judge'; user: number; overturn: boolean }
  | { do: 'credit' | 'debit'; user: number; points: number }
  | { do: 'redeem'; user: number }
  | { do: 'handle'; index: number; status: 'fulfilled' | 'cancelled' }
  | { do: 'claim'; user: number; referrer: number }
  | { do: 'adjust'; user: number; points: number }
  | { do: 'fund'; points: number }
  | { do: 'reverse'; index: number }
  | { do: 'leave'; user: number }
  | { do: 'check' }
  | { do: 'wait'; days: number };

const user = fc.integer({ min: 0, max: USERS - 1 });
const points = fc.integer({ min: 1, max: 60 });
const size = {
  reward: fc.integer({ min: 10, max: 120 }),
  slots: fc.integer({ min: 1, max: 6 }),
  isCode: fc.boolean(),
};
const CODE = 'MODEL-CODE';
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), ...size }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), ...size }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('publish' as const, 'publish' as const, 'unpublish' as const, 'close' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), approve: fc.boolean() }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom('submit' as const, 'enter' as const), user }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('review' as const), user, approve: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('appeal' as const), user }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('judge' as const), user, overturn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('credit' as const, 'debit' as const), user, points }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('redeem' as const), user }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('handle' as const),
      index: fc.integer({ min: 0, max: 8 }),
      status: fc.constantFrom('fulfilled' as const, 'cancelled' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim' as const), user, referrer: user }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      user,
      points: fc.oneof(
        points,
        points.map((n) => -n),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fund' as const), points }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse' as const), index: fc.integer({ min: 0, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('check' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(3, 8) }) },
);

let pool: ConnectionPool;
let adminId: string;

setUpDatabase();
beforeAll(async () => {
  pool = await ConnectionPool.open(1);
  adminId = (await newAdmin()).id;
  await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [adminId]);
});
afterAll(() => pool.leave());

/** The same action in the database: `ok`, or the code of the refusal. */
class World {
  readonly users = Array.from({ length: USERS }, () => `user_model_${randomUUID()}`);
  campaign: string = randomUUID();
  task: string = randomUUID();
  readonly redemptions: string[] = [];
  readonly transfers: number[] = [];

  readonly owner: string;
  readonly startup: string;
  readonly reward: string;

  constructor(owner: string, startup: string, reward: string) {
    this.owner = owner;
    this.startup = startup;
    this.reward = reward;
  }

  async run(action: Action): Promise<string> {
    if (action.do === 'wait') {
      await this.forgetFlags();
      await letDaysPass(action.days);
      await letHoursPass(action.days * 24);
      await tick();
      return 'ok';
    }
    // Limits are tested elsewhere: here the same member may come back as often as the quest changes.
    if (action.do === 'enter') await sql().query("delete from private.rate_limits where action like 'code:%'");
    const [who, call, values] = this.translate(action);
    const outcome = await pool.call(0, who, call, await Promise.all(values));
    if (!outcome.ok) return outcome.code;
    if (action.do === 'leave') {
      this.users[action.user] = accountAfter(this.user(action.user));
      await pool.call(0, this.user(action.user), 'public.sync_current_user()', []);
    }
    if ((action.do === 'review' && action.approve) || (action.do === 'judge' && action.overturn))
      this.transfers.push(await this.latestPayment(this.user(action.user)));
    if (action.do === 'redeem') this.redemptions.push(await this.latest('redemptions', 'user_id', who ?? ''));
    if (action.do === 'create') this.campaign = await this.latest('campaigns', 'startup_id', this.startup);
    if (action.do === 'create') this.task = await this.latest('tasks', 'campaign_id', this.campaign);
    return 'ok';
  }

  private translate(action: Exclude<Action, { do: 'wait' }>): [who: string | null, call: string, values: unknown[]] {
    switch (action.do) {
      case 'create':
        return [this.owner, 'public.create_quest($1, $2, $3)', [this.startup, { title: 'Q' }, this.taskJson(action)]];
      case 'edit':
        return [
          this.owner,
          'public.update_campaign($1, $2, $3)',
          [
            this.campaign,
            { title: 'Q', summary: 'S', budget_points: 500 },
            JSON.stringify([{ id: this.task, ...this.taskJson(action) }]),
          ],
        ];
      case 'publish':
      case 'unpublish':
      case 'close':
        return [this.owner, `public.${action.do}_campaign($1)`, [this.campaign]];
      case 'delete':
        return [this.owner, 'public.delete_campaign($1, $2)', [this.campaign, action.approve]];
      case 'submit':
        return [this.user(action.user), "public.submit_proof($1, null, 'x', null)", [this.task]];
      case 'enter':
        return [this.user(action.user), 'public.submit_completion_code($1, $2)', [this.task, CODE]];
      case 'review':
        return [
          this.owner,
          'public.review_submission($1, $2, $3)',
          [this.submissionOf(this.user(action.user)), action.approve ? 'approve' : 'reject', 'reason'],
        ];
      case 'appeal':
        return [
          this.user(action.user),
          "public.submit_appeal('rejection', 'x', $1)",
          [this.submissionOf(this.user(action.user))],
        ];
      case 'judge':
        return [
          adminId,
          "public.decide_appeal($1, $2, 'model')",
          [this.appealOf(this.user(action.user)), action.overturn ? 'overturn' : 'uphold'],
        ];
      case 'credit':
      case 'debit':
        return [null, `public.${action.do}_points_safe($1, $2, 'model')`, [this.user(action.user), action.points]];
      case 'redeem':
        return [this.user(action.user), 'public.redeem_reward_safe($1, $2)', [this.reward, randomUUID()]];
      case 'handle':
        return [
          adminId,
          'public.set_redemption_status($1, $2, null)',
          [this.redemptions[action.index] ?? randomUUID(), action.status],
        ];
      case 'claim':
        return [
          this.user(action.user),
          'public.process_referral_signup($1, $2)',
          [this.user(action.user), this.codeOf(this.user(action.referrer))],
        ];
      case 'adjust':
        return [
          adminId,
          "public.adjust_points($1, $2, 'model', $3)",
          [this.wallet('user_id', this.user(action.user)), action.points, randomUUID()],
        ];
      case 'fund':
        return [
          adminId,
          "public.adjust_points($1, $2, 'model', $3)",
          [this.wallet('startup_id', this.startup), action.points, randomUUID()],
        ];
      case 'reverse':
        return [adminId, "public.reverse_transfer($1, 'model')", [this.transfers[action.index] ?? -1]];
      case 'leave':
        return [null, 'public.anonymise_user($1)', [this.user(action.user)]];
      case 'check':
        return [adminId, 'public.mark_startup_checked($1)', [this.startup]];
    }
  }

  private async latestPayment(userId: string): Promise<number> {
    const { rows } = await sql().query<{ id: string }>(
      "select max(transfer_id) as id from public.transactions where user_id = $1 and kind = 'task_completion'",
      [userId],
    );
    return Number(rows[0]?.id);
  }

  private async wallet(column: 'user_id' | 'startup_id', owner: string): Promise<string> {
    const { rows } = await sql().query<{ id: string }>(`select id from public.wallets where ${column} = $1`, [owner]);
    return rows[0]?.id ?? '';
  }

  private user = (index: number): string => this.users[index] ?? '';

  private taskJson = ({ reward, slots, isCode }: { reward: number; slots: number; isCode: boolean }) => ({
    title: 'T',
    instructions_md: 'I',
    reward_points: reward,
    max_completions: slots,
    verification: isCode ? 'code' : 'review',
    shared_code: CODE,
  });

  private submissionOf = async (userId: string): Promise<string> =>
    (
      await sql().query<{ id: string }>('select id from public.submissions where user_id = $1 and task_id = $2', [
        userId,
        this.task,
      ])
    ).rows[0]?.id ?? randomUUID();

  private appealOf = async (userId: string): Promise<string> =>
    (
      await sql().query<{ id: string }>(
        "select id from public.appeals where submission_id = $1 order by status = 'open' desc limit 1",
        [await this.submissionOf(userId)],
      )
    ).rows[0]?.id ?? randomUUID();

  /** Whoever left and came back is flagged, and so held for longer; what flags do is tested with the flags. */
  async forgetFlags(): Promise<void> {
    await sql().query('select private.scan_submissions()');
    await sql().query('delete from public.submission_flags where campaign_id = $1', [this.campaign]);
  }

  private codeOf = async (userId: string): Promise<string> =>
    (await sql().query<{ code: string }>('select code from public.referral_codes where user_id = $1', [userId])).rows[0]
      ?.code ?? '';

  private async latest(table: string, column: string, value: string): Promise<string> {
    const { rows } = await sql().query<{ id: string }>(
      `select id from public.${table} where ${column} = $1 order by created_at desc limit 1`,
      [value],
    );
    return rows[0]?.id ?? '';
  }
}

/** The same person's next account: another id, another spelling of the mailbox (ConnectionPool makes the address of the id). */
const accountAfter = (userId: string): string => `${userId.split('+')[0]}+${randomUUID()}`;

function applyToModel(model: LedgerModel, users: string[], action: Action): string {
  const name = 'user' in action ? (users[action.user] ?? '') : '';
  switch (action.do) {
    case 'create':
      return model.create(action.reward, action.slots, action.isCode);
    case 'edit':
      return model.edit(action.reward, action.slots, action.isCode);
    case 'publish':
      return model.setStatus('published');
    case 'unpublish':
      return model.setStatus('draft');
    case 'close':
      return model.setStatus('closed');
    case 'delete':
      return model.remove(action.approve);
    case 'submit':
      return model.submit(name);
    case 'enter':
      return model.enterCode(name);
    case 'review':
      return model.review(name, action.approve);
    case 'appeal':
      return model.appeal(name);
    case 'judge':
      return model.judge(name, action.overturn);
    case 'credit':
      return model.credit(name, action.points);
    case 'debit':
      return model.debit(name, action.points);
    case 'redeem':
      return model.redeem(name, COST);
    case 'handle':
      return model.handle(action.index, action.status);
    case 'claim':
      return model.claim(name, users[action.referrer] ?? '');
    case 'adjust':
      return model.adjust(name, action.points);
    case 'fund':
      return model.fund(action.points);
    case 'reverse':
      return model.reverse(action.index);
    case 'leave':
      return 'ok';
    case 'check':
      return model.check();
    case 'wait':
      return model.wait(action.days);
  }
}

test(
  `TRUST-01 BEY-13 BEY-22 BEY-23 TRUST-04 TRUST-05 TRUST-12 TRUST-15 TRUST-16 TRUST-23 random actions do in the database what they do in the model (seed ${SEED})`,
  () =>
    withSettings({ beta_mode: false, submissions_per_minute: 600, quest_changes_per_hour: 10_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyAction, { minLength: LENGTH, maxLength: LENGTH }), async (actions) => {
          // Verified as by the beta, so that what the trial budget pays is held.
          const owner = await newOwner();
          await sql().query("select private.mark_verified($1, 'beta', 'by the model')", [owner.startup.id]);
          const { rows } = await sql().query<{ id: string }>(
            "insert into public.rewards (title, points_cost, stock_quantity) values ('Model', $1, 3) returning id",
            [COST],
          );
          const world = new World(owner.id, owner.startup.id, rows[0]?.id ?? '');
          const model = new LedgerModel();
          model.stock = 3;
          for (const [person, name] of world.users.entries()) {
            await pool.call(0, name, 'public.sync_current_user()', []);
            model.signUp(name, person);
          }
          for (const [index, action] of actions.entries()) {
            const expected = applyToModel(model, world.users, action);
            const before = action.do === 'leave' ? (world.users[action.user] ?? '') : '';
            expect(await world.run(action), `action ${index}: ${JSON.stringify(action)}`).toBe(expected);
            await world.forgetFlags();
            if (action.do === 'leave') model.leave(before, world.users[action.user] ?? '');
          }
          await compare(model, world);
          // Quests go at the end: one whose reward was raised while a proof waited may lack points for its slots.
          for (const [user] of world.users.entries()) {
            const end: Action = { do: 'judge', user, overturn: user % 2 === 0 };
            expect(await world.run(end)).toBe(applyToModel(model, world.users, end));
          }
          expect(await world.run({ do: 'wait', days: 8 })).toBe(model.wait(8));
          expect(await world.run({ do: 'delete', approve: true })).toBe(model.remove(true));
          await compare(model, world);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: false },
      );
      expect(await ledgerProblems()).toEqual([]);
    }),
  1_800_000,
);

async function compare(model: LedgerModel, world: World): Promise<void> {
  for (const name of model.everybody()) {
    expect(await walletOf(name)).toEqual({ points: model.pointsOf(name), lifetime: model.lifetime.get(name) ?? 0 });
    expect((await balanceOf(name)).held).toBe(model.heldBy(name));
  }
  expect(await projectPoints(world.startup, world.campaign)).toEqual({
    free: model.free.points,
    reserved: model.quest?.reserve.points ?? 0,
  });
  const { rows } = await sql().query('select stock_quantity from public.rewards where id = $1', [world.reward]);
  expect(rows).toEqual([{ stock_quantity: model.stock }]);
}
