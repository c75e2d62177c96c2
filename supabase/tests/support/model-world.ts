import { randomUUID } from 'node:crypto';
import { sql } from '../../../local/testing/clients.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { letDaysPass } from './holds.ts';
import type { Verification } from './ledger-model-types.ts';
import { tick } from './periodic-jobs.ts';
import { letHoursPass } from './reviews.ts';

/** Members of the model's world; an action refers to one by index. */
export const USERS = 4;
const CODE = 'MODEL-CODE';

/** An action, applied to the model and to the database. */
export type Action =
  | { do: 'create' | 'edit'; reward: number; slots: number; verification: Verification }
  | { do: 'publish' | 'unpublish' | 'close' }
  | { do: 'delete'; approve: boolean }
  | { do: 'submit' | 'enter'; user: number }
  | { do: 'start'; user: number; shown: 'nothing' | 'today' | 'promised' }
  | { do: 'call'; user: number; id: number }
  | { do: 'verify'; user: number; isDone: boolean }
  | { do: 'review'; user: number; approve: boolean }
  | { do: 'appeal'; user: number }
  | { do: 'judge'; user: number; overturn: boolean }
  | { do: 'credit' | 'debit'; user: number; points: number }
  | { do: 'redeem'; user: number; isCode: boolean }
  | { do: 'show'; index: number }
  | { do: 'handle'; index: number; status: 'fulfilled' | 'cancelled' }
  | { do: 'claim'; user: number; referrer: number }
  | { do: 'adjust'; user: number; points: number }
  | { do: 'fund'; points: number }
  | { do: 'buy'; points: number }
  | { do: 'end'; index: number; status: 'refunded' | 'disputed' }
  | { do: 'win'; index: number }
  | { do: 'reverse'; index: number }
  | { do: 'leave'; user: number }
  | { do: 'check' }
  | { do: 'wait'; days: number };

/** The actors besides the members, and the connection that all of them use. */
interface ModelPeople {
  pool: ConnectionPool;
  owner: string;
  admin: string;
}

/** The same action in the database: `ok`, or the code of the refusal. */
export class ModelWorld {
  readonly users = Array.from({ length: USERS }, () => `user_model_${randomUUID()}`);
  campaign: string = randomUUID();
  task: string = randomUUID();
  readonly redemptions: string[] = [];
  readonly transfers: number[] = [];
  /** Payments for points, with their disputes that are open. */
  private readonly purchases: { payment: string; disputes: string[] }[] = [];

  private readonly people: ModelPeople;
  readonly startup: string;
  readonly reward: string;
  readonly codeReward: string;

  constructor(people: ModelPeople, startup: string, reward: string, codeReward: string) {
    this.people = people;
    this.startup = startup;
    this.reward = reward;
    this.codeReward = codeReward;
  }

  async run(action: Action): Promise<string> {
    if (action.do === 'wait') {
      await this.forgetFlags();
      await letDaysPass(action.days);
      await letHoursPass(action.days * 24);
      // A tick looks at a hundred holds, and those of earlier worlds have become due as well.
      do {
        await tick();
      } while (await hasDueHolds());
      return 'ok';
    }
    // Limits are tested elsewhere; here the same member may return as often as the quest changes.
    await sql().query(
      "delete from private.rate_limits where action like 'code:%' or action in ('start_task', 'check_task')",
    );
    if (action.do === 'call') return this.call(this.user(action.user), action.id);
    if (action.do === 'verify') return this.verify(this.user(action.user), action.isDone);
    if (action.do === 'show') return this.show(this.redemptions[action.index]);
    const [who, call, values] = this.translate(action);
    const outcome = await this.people.pool.call(0, who, call, await Promise.all(values));
    if (!outcome.ok) return outcome.code;
    if (action.do === 'leave') {
      this.users[action.user] = accountAfter(this.user(action.user));
      await this.people.pool.call(0, this.user(action.user), 'public.sync_current_user()', []);
    }
    if ((action.do === 'review' && action.approve) || (action.do === 'judge' && action.overturn))
      this.transfers.push(await this.latestPayment(this.user(action.user)));
    if (action.do === 'claim') {
      this.transfers.push(await this.latestPayment(this.user(action.referrer), 'referral_bonus'));
      this.transfers.push(await this.latestPayment(this.user(action.user), 'welcome_bonus'));
    }
    if (action.do === 'redeem') this.redemptions.push(await this.latest('redemptions', 'user_id', who ?? ''));
    if (action.do === 'create') this.campaign = await this.latest('campaigns', 'startup_id', this.startup);
    if (action.do === 'create') this.task = await this.latest('tasks', 'campaign_id', this.campaign);
    return 'ok';
  }

  private translate(
    action: Exclude<Action, { do: 'wait' | 'call' | 'verify' | 'show' }>,
  ): [who: string | null, call: string, values: unknown[]] {
    switch (action.do) {
      case 'create':
        return [
          this.people.owner,
          'public.create_quest($1, $2, $3)',
          [this.startup, { title: 'Q' }, this.taskJson(action)],
        ];
      case 'edit':
        return [
          this.people.owner,
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
        return [this.people.owner, `public.${action.do}_campaign($1)`, [this.campaign]];
      case 'delete':
        return [this.people.owner, 'public.delete_campaign($1, $2)', [this.campaign, action.approve]];
      case 'submit':
        return [this.user(action.user), "public.submit_proof($1, null, 'x', null)", [this.task]];
      case 'enter':
        return [this.user(action.user), 'public.submit_completion_code($1, $2)', [this.task, CODE]];
      case 'start':
        return [
          this.user(action.user),
          'public.start_task($1, null, false, $2)',
          [this.task, this.priceShown(this.user(action.user), action.shown)],
        ];
      case 'review':
        return [
          this.people.owner,
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
          this.people.admin,
          "public.decide_appeal($1, $2, 'model')",
          [this.appealOf(this.user(action.user)), action.overturn ? 'overturn' : 'uphold'],
        ];
      case 'credit':
      case 'debit':
        return [null, `public.${action.do}_points_safe($1, $2, 'model')`, [this.user(action.user), action.points]];
      case 'redeem':
        return [
          this.user(action.user),
          'public.redeem_reward_safe($1, $2)',
          [action.isCode ? this.codeReward : this.reward, randomUUID()],
        ];
      case 'handle':
        return [
          this.people.admin,
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
          this.people.admin,
          "public.adjust_points($1, $2, 'model', $3)",
          [this.wallet('user_id', this.user(action.user)), action.points, randomUUID()],
        ];
      case 'fund':
        return [
          this.people.admin,
          "public.adjust_points($1, $2, 'model', $3)",
          [this.wallet('startup_id', this.startup), action.points, randomUUID()],
        ];
      case 'buy':
        return [null, 'public.credit_point_purchase($1, $2, $3, $4, $5, 100, 100)', this.buy(action.points)];
      case 'end':
        return [null, 'public.end_payment($1, $2, $3, $4)', this.end(action.index, action.status)];
      case 'win':
        return [null, 'public.reinstate_payment($1, $2, $3)', this.win(action.index)];
      case 'reverse':
        return [this.people.admin, "public.reverse_transfer($1, 'model')", [this.transfers[action.index] ?? -1]];
      case 'leave':
        return [null, 'public.anonymise_user($1)', [this.user(action.user)]];
      case 'check':
        return [this.people.admin, 'public.mark_startup_checked($1)', [this.startup]];
    }
  }

  private buy(points: number): unknown[] {
    const payment = randomUUID();
    this.purchases.push({ payment, disputes: [] });
    return [this.startup, 'points_small', points, randomUUID(), payment];
  }

  private end(index: number, status: 'refunded' | 'disputed'): unknown[] {
    const { payment, disputes } = this.purchases[index] ?? { payment: randomUUID(), disputes: [] };
    const dispute = status === 'disputed' ? randomUUID() : null;
    if (dispute) disputes.push(dispute);
    return [payment, randomUUID(), status, dispute];
  }

  private win(index: number): unknown[] {
    const { payment, disputes } = this.purchases[index] ?? { payment: randomUUID(), disputes: [] };
    return [payment, randomUUID(), disputes.pop() ?? randomUUID()];
  }

  /** As the project's system calls, through the function complete-task: the answer's code. */
  private async call(userId: string, id: number): Promise<string> {
    const token = (await this.start(userId))?.token ?? 'unknown';
    return this.answer('public.complete_task_by_call($1, $2, $3)', [this.startup, `call-${id}`, token]);
  }

  /**
   * As the function check-task does: starts the task, looks up the address to call, and records the project's answer.
   */
  private async verify(userId: string, isDone: boolean): Promise<string> {
    const started = await this.people.pool.call(0, userId, 'public.start_task($1)', [this.task]);
    if (!started.ok) return started.code;
    const question = await this.people.pool.call(0, null, 'public.begin_check($1, $2)', [userId, this.task]);
    if (!question.ok) return question.code;
    if (question.value === undefined) return 'CHECK_SWITCHED_OFF';
    return this.answer('public.finish_check($1, $2, $3)', [userId, this.task, isDone ? null : 'Not yet']);
  }

  /** The code of a redemption, as its member reads it. */
  private async show(redemption: string = randomUUID()): Promise<string> {
    const { rows } = await sql().query<{ user_id: string }>('select user_id from public.redemptions where id = $1', [
      redemption,
    ]);
    const member = rows[0]?.user_id ?? this.user(0);
    const outcome = await this.people.pool.call(0, member, 'public.get_redemption_code($1) as code', [redemption]);
    return outcome.ok ? (outcome.value as { code: string }).code : outcome.code;
  }

  private async answer(call: string, values: unknown[]): Promise<string> {
    const outcome = await this.people.pool.call(0, null, `(${call}).code`, values);
    return outcome.ok ? (outcome.value as { code: string }).code : outcome.code;
  }

  /** The stored record that the member has started the task. */
  private start = async (userId: string) =>
    (
      await sql().query<{ token: string; reward_points: number }>(
        'select token, reward_points from private.task_tokens where user_id = $1 and task_id = $2',
        [userId, this.task],
      )
    ).rows[0];

  private async priceShown(userId: string, shown: 'nothing' | 'today' | 'promised'): Promise<number | null> {
    if (shown === 'nothing') return null;
    if (shown === 'promised') return (await this.start(userId))?.reward_points ?? null;
    const { rows } = await sql().query<{ reward_points: number }>(
      'select reward_points from public.tasks where id = $1',
      [this.task],
    );
    return rows[0]?.reward_points ?? null;
  }

  private async latestPayment(userId: string, kind = 'task_completion'): Promise<number> {
    const { rows } = await sql().query<{ id: string }>(
      'select max(transfer_id) as id from public.transactions where user_id = $1 and kind = $2',
      [userId, kind],
    );
    return Number(rows[0]?.id);
  }

  private async wallet(column: 'user_id' | 'startup_id', owner: string): Promise<string> {
    const { rows } = await sql().query<{ id: string }>(`select id from public.wallets where ${column} = $1`, [owner]);
    return rows[0]?.id ?? '';
  }

  private user = (index: number): string => this.users[index] ?? '';

  private taskJson = ({ reward, slots, verification }: Extract<Action, { do: 'create' | 'edit' }>) => ({
    title: 'T',
    instructions_md: 'I',
    reward_points: reward,
    max_completions: slots,
    verification,
    shared_code: CODE,
    link_url: 'https://shop.example/welcome',
    check_source: 'github_pull_request',
    check_target: 'questboard/example',
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

  /** Whoever left and came back is flagged, and so held for longer; the effects of flags are tested with the flags. */
  async forgetFlags(): Promise<void> {
    await sql().query('select private.scan_submissions(null)');
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

async function hasDueHolds(): Promise<boolean> {
  const { rowCount } = await sql().query(
    'select 1 from public.point_holds where check_at <= now() and released_at is null and reversed_at is null limit 1',
  );
  return rowCount === 1;
}

/** The same person's next account: another id, another spelling of the mailbox (ConnectionPool derives the address from the id). */
const accountAfter = (userId: string): string => `${userId.split('+')[0]}+${randomUUID()}`;
