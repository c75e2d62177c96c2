import type pg from 'pg';
import { sql } from '../../../local/testing/clients.ts';

/** People created by the running test, whose points are reconciled after it. */
const people = new Set<string>();

/** Tracks a person who was not created by `newMember` and similar factories. */
export function trackPerson(userId: string): void {
  people.add(userId);
}

/** The tracked people, to restore with `forgetPeople`. */
export const trackedPeople = (): ReadonlySet<string> => new Set(people);

/** Stops tracking the people of a test; `kept`: those tracked before it. */
export function forgetPeople(kept: ReadonlySet<string> = new Set()): void {
  for (const person of people) if (!kept.has(person)) people.delete(person);
}

type Queryable = pg.Pool | pg.ClientBase;

export interface LedgerProblem {
  what: string;
  id: string;
}

/**
 * Violations of the ledger's invariants in the wallets, quests and payments of the people whom the running test has
 * created. Computed from the rows alone, without any of the product's functions.
 */
export async function ledgerProblems(client: Queryable = sql()): Promise<LedgerProblem[]> {
  if (people.size === 0) throw new Error('nobody to judge: make people with newMember(), or call trackPerson()');
  return findProblems(client, [...people]);
}

/** The same for the whole database, in one statement, so that it holds while others move points. */
export const allLedgerProblems = (client: Queryable = sql()): Promise<LedgerProblem[]> => findProblems(client, null);

async function findProblems(client: Queryable, owners: string[] | null): Promise<LedgerProblem[]> {
  const { rows } = await client.query<LedgerProblem>(
    `
    with own_wallets as materialized (
      select * from public.wallets where $1::text[] is null or owner_user_id = any ($1)
    ), own_quests as materialized (
      select c.* from public.campaigns c
      where $1::text[] is null
        or c.startup_id in (select id from public.startup_profiles where owner_user_id = any ($1))
        or c.id in (select campaign_id from public.submissions where user_id = any ($1))
    ), entries as materialized (
      select t.*, case t.type when 'credit' then t.points else -t.points end as change
      from public.transactions t where t.wallet_id in (select id from own_wallets)
    ), sums as (
      select wallet_id, sum(change) as points,
        coalesce(sum(points) filter (where type = 'credit' and kind not in ('refund', 'release', 'reversal')), 0)
          - coalesce(sum(points) filter (where type = 'debit' and kind in ('reversal', 'purchase_reversal')), 0) as lifetime,
        coalesce(sum(case type when 'credit' then trial_points else -trial_points end), 0) as trial,
        coalesce(sum(change) filter (where kind in ('task_completion', 'referral_bonus', 'welcome_bonus', 'reversal')), 0) as ranked
      from entries group by wallet_id
    ), paid as (
      select submission_id, user_id, sum(case type when 'credit' then points else -points end) as points
      from public.transactions where submission_id is not null and user_id is not null group by submission_id, user_id
    )
    select 'transfer' as what, t.transfer_id::text as id from public.transactions t
    where $1::text[] is null or t.transfer_id in (select transfer_id from entries)
    group by t.transfer_id
    having count(*) <> 2 or sum(case t.type when 'credit' then t.points else -t.points end) <> 0
    union all
    select 'balance after entry', e.id::text
    from (select id, balance_after, sum(change) over (partition by wallet_id order by id) as balance from entries) e
    where e.balance_after is distinct from e.balance
    union all
    select x.what, w.id::text from own_wallets w left join sums s on s.wallet_id = w.id cross join lateral (values
      ('wallet points', coalesce(s.points, 0), w.points),
      ('wallet held', coalesce((
        select sum(h.points) from public.point_holds h
        where h.wallet_id = w.id and h.released_at is null and h.reversed_at is null), 0), w.held_points),
      ('wallet trial', case w.kind when 'user' then 0 else coalesce(s.trial, 0) end, w.trial_points),
      ('wallet lifetime', coalesce(s.lifetime, 0), w.lifetime_points),
      ('wallet rank', case w.kind when 'user' then greatest(coalesce(s.ranked, 0), 0) else 0 end, w.leaderboard_points)
    ) x (what, expected, actual)
    where x.expected <> x.actual
    union all
    select 'purchase', p.id::text from public.point_purchases p
    where ($1::text[] is null or p.owner_user_id = any ($1)) and p.credited_points <> (
      select coalesce(sum(change), 0) from entries e where e.metadata ->> 'purchase_id' = p.id::text)
    union all
    select 'reserve', c.id::text from own_quests c cross join lateral (
      select coalesce(sum(t.reward_points * greatest(t.max_completions - taken.all, 0) + taken.raised)
          filter (where c.status <> 'closed' and c.published_at is not null), 0)
        + coalesce(sum(taken.promised), 0) as points
      from public.tasks t cross join lateral (
        select count(*) filter (where not s.is_slot_reopened) as all,
          coalesce(sum(s.reward_points) filter (where s.status <> 'approved'), 0) as promised,
          coalesce(sum(greatest(t.reward_points - s.reward_points, 0)) filter (where s.status <> 'approved' and not s.is_slot_reopened), 0) as raised
        from public.submissions s where s.task_id = t.id and (s.status <> 'rejected' or s.kept_until is not null)
      ) taken where t.campaign_id = c.id
    ) required
    where required.points <> coalesce((select w.points from public.wallets w where w.campaign_id = c.id), 0)
    union all
    select 'quest counters', c.id::text from own_quests c cross join lateral (
      select count(*) as total, count(*) filter (where s.status = 'pending') as pending,
        count(*) filter (where s.status = 'approved') as approved, count(distinct s.user_id) as participants,
        count(s.kept_until) filter (where not s.is_slot_reopened) as kept
      from public.submissions s where s.campaign_id = c.id
    ) x cross join lateral (
      select count(*) as tasks, coalesce(sum(t.max_completions), 0) as slots,
        coalesce(sum(t.reward_points) filter (where t.approved_count + t.pending_count + t.kept_count < t.max_completions), 0) as rewards
      from public.tasks t where t.campaign_id = c.id
    ) y
    where (c.submission_count, c.pending_count, c.approved_count, c.participant_count, c.kept_count, c.task_count, c.open_reward_points,
      c.total_slots)
      is distinct from (x.total, x.pending, x.approved, x.participants, x.kept, y.tasks, y.rewards, y.slots)
    union all
    select 'task counters', t.id::text from public.tasks t cross join lateral (
      select count(*) filter (where s.status = 'pending') as pending, count(*) filter (where s.status = 'approved') as approved,
        coalesce(sum(s.reward_points) filter (where s.status = 'pending'), 0) as points, count(s.kept_until) filter (where not s.is_slot_reopened) as kept,
        coalesce(sum(s.reward_points) filter (where s.kept_until is not null), 0) as kept_points,
        coalesce(sum(greatest(t.reward_points - s.reward_points, 0))
          filter (where s.status = 'pending' or s.kept_until is not null and not s.is_slot_reopened), 0) as raised
      from public.submissions s where s.task_id = t.id
    ) x
    where t.campaign_id in (select id from own_quests)
      and (t.pending_count, t.approved_count, t.pending_points, t.kept_count, t.kept_points, t.raised_points)
        is distinct from (x.pending, x.approved, x.points, x.kept, x.kept_points, x.raised)
    union all
    select 'payment', s.id::text from public.submissions s
    left join paid p on p.submission_id = s.id and p.user_id = s.user_id
    where s.campaign_id in (select id from own_quests)
      and coalesce(p.points, 0) <> case s.status when 'approved' then s.reward_points else 0 end`,
    [owners],
  );
  return rows;
}
