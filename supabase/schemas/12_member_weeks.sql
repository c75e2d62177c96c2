-- Weekly earnings per member, from which the weekly leaderboard, streaks and badges are computed (C-84, BEY-08). Nothing here pays points.

create table private.member_weeks (
  user_id text not null,
  week date not null check (extract(isodow from week) = 1),
  points bigint not null,
  tasks integer not null,
  primary key (user_id, week)
);
comment on table private.member_weeks is
  'Sums of the ledger per member and ISO week (its Monday, UTC), up to private.ledger_daily_watermark.';
comment on column private.member_weeks.points is
  'Task completions, referral and welcome bonuses, less reversals in that week; may be negative.';
comment on column private.member_weeks.tasks is 'Paid tasks less those reversed in that week.';
create index member_weeks_board on private.member_weeks (week, points desc, user_id) where points > 0;

create function private.week_of(p_at timestamptz) returns date
language sql immutable set search_path = ''
as $$ select date_trunc('week', p_at at time zone 'UTC')::date $$;
comment on function private.week_of(timestamptz) is 'Monday of the ISO week of a time, in UTC.';

create function private.sum_member_weeks(p_after bigint, p_until bigint, p_user_id text default null) returns setof private.member_weeks
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    -- As private.week_of, which would be called once per entry.
    select e.user_id, date_trunc('week', t.created_at at time zone 'UTC')::date,
      sum(case e.type when 'credit' then t.points else -t.points end)::bigint,
      -- The second part of a payment from both reserve and free balance is no second task.
      coalesce(sum(case when t.idempotency_key like 'submission:%:balance' then 0 when t.kind = 'task_completion' then 1
        when t.submission_id is not null then -1 else 0 end), 0)::integer
    from public.entries e join public.transfers t on t.id = e.transfer_id
    where e.id > p_after and e.id <= p_until
      -- Follows from the entries' ids, but the planner would read all transfers.
      and t.id between p_after / 2 and p_until / 2 + 1 and e.user_id is not null and (p_user_id is null or e.user_id = p_user_id)
      and (e.type = 'credit' and t.kind in ('task_completion', 'referral_bonus', 'welcome_bonus')
        or e.type = 'debit' and t.kind = 'reversal')
    group by 1, 2;
end $$;
comment on function private.sum_member_weeks(bigint, bigint, text) is
  'Sums of the ledger entries in a range of ids, of one member or of all.';

-- Streaks -------------------------------------------------------------------------------------------------------------

create type private.streak as (weeks integer, best_weeks integer, has_freeze boolean, last_week date, fourth_week date, twelfth_week date);
comment on type private.streak is
  'weeks: consecutive ones up to last_week; has_freeze: the next missed week is forgiven; fourth_week, twelfth_week: when that many were '
  'first reached.';

create function private.count_streak(p_weeks date[]) returns private.streak
language plpgsql immutable set search_path = ''
as $$
declare
  v_streak private.streak := row(0, 0, false, null, null, null);
  v_since integer;
  v_week date;
begin
  for v_week in select w from unnest(p_weeks) w order by w loop
    if v_week = v_streak.last_week + 7 then
      v_streak.weeks := v_streak.weeks + 1;
      v_since := v_since + 1;
      v_streak.has_freeze := v_streak.has_freeze or v_since >= 4;
    elsif v_week = v_streak.last_week + 14 and v_streak.has_freeze then
      v_streak.weeks := v_streak.weeks + 1;
      v_streak.has_freeze := false;
      v_since := 1;
    else
      v_streak.weeks := 1;
      v_streak.has_freeze := true;
      v_since := 1;
    end if;
    v_streak.last_week := v_week;
    v_streak.best_weeks := greatest(v_streak.best_weeks, v_streak.weeks);
    v_streak.fourth_week := coalesce(v_streak.fourth_week, case when v_streak.weeks >= 4 then v_week end);
    v_streak.twelfth_week := coalesce(v_streak.twelfth_week, case when v_streak.weeks >= 12 then v_week end);
  end loop;
  return v_streak;
end $$;
comment on function private.count_streak(date[]) is
  'The streak in a list of active weeks. Each streak starts with one freeze, which forgives one missed week; four consecutive active weeks '
  'after that earn the next.';

-- Badges --------------------------------------------------------------------------------------------------------------

create table public.badges (
  user_id text not null,
  badge text not null check (badge in ('first_task', 'ten_tasks', 'fifty_tasks', 'hundred_tasks', 'four_weeks', 'twelve_weeks')),
  week date not null,
  id uuid primary key default gen_random_uuid(),
  unique (user_id, badge)
);
comment on table public.badges is
  'Badges of members, derived from private.member_weeks and rechecked by the reconciliation (BEY-08). Worth no points.';
comment on column public.badges.week is 'Monday of the week in which it was earned.';

alter table public.badges enable row level security;
create policy badges_read on public.badges for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy badges_read on public.badges is 'The member and admins; others see them on a public profile.';
grant select on public.badges to authenticated, service_role;

create function private.count_badges(p_user_ids text[]) returns table (user_id text, badge text, week date)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    with weeks as (
      select m.user_id, m.week, m.tasks, sum(m.tasks) over (partition by m.user_id order by m.week) as until,
        sum(m.tasks) over (partition by m.user_id) as total
      from unnest(p_user_ids) u (id) join private.member_weeks m on m.user_id = u.id
    )
    select w.user_id, b.badge, min(w.week)
    from (values ('first_task', 1), ('ten_tasks', 10), ('fifty_tasks', 50), ('hundred_tasks', 100)) b (badge, tasks)
    join weeks w on w.total >= b.tasks and w.until >= b.tasks
    group by w.user_id, b.badge
    union all
    select s.user_id, b.badge, b.week
    from (
      -- Most members have too few weeks for a streak that earns a badge.
      select w.user_id, private.count_streak(array_agg(w.week)) as streak from weeks w where w.tasks > 0
      group by w.user_id having count(*) >= 4
    ) s
    cross join lateral (values ('four_weeks', (s.streak).fourth_week), ('twelve_weeks', (s.streak).twelfth_week)) b (badge, week)
    where b.week is not null;
end $$;
comment on function private.count_badges(text[]) is
  'The badges that follow from the weeks of these members, each named once. Reversed tasks do not count.';

create function private.roll_up_member_weeks(p_after bigint, p_until bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_users text[];
begin
  with added as (
    insert into private.member_weeks as m select s.* from private.sum_member_weeks(p_after, p_until) s
    on conflict (user_id, week) do update set points = m.points + excluded.points, tasks = m.tasks + excluded.tasks
    returning m.user_id
  )
  select array_agg(u.user_id) into v_users from (select distinct a.user_id from added a) u;
  -- Two parts that never touch the same badge: those that no longer follow from the weeks, and those that do.
  with due as materialized (
    select c.* from private.count_badges(v_users) c
  ), gone as (
    delete from public.badges b where b.user_id = any (v_users)
      and not exists (select 1 from due d where d.user_id = b.user_id and d.badge = b.badge)
  )
  insert into public.badges as b (user_id, badge, week) select d.user_id, d.badge, d.week from due d
  on conflict (user_id, badge) do update set week = excluded.week where b.week <> excluded.week;
end $$;
comment on function private.roll_up_member_weeks(bigint, bigint) is
  'Adds a range of entries to member_weeks and recomputes the badges of the members concerned, all at once: a roll-up after an outage may '
  'concern everybody. Part of roll_up_figures.';
