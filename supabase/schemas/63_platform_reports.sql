-- Figures for the admin dashboards: all time and for a chosen period.

create function private.revenue_cents(p_since timestamptz) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select coalesce(sum(s.amount_cents), 0) from public.subscriptions s
      where s.status in ('active', 'expired') and s.created_at >= p_since)
    + (select coalesce(sum(p.amount_cents), 0) from public.point_purchases p where p.status = 'paid' and p.created_at >= p_since);
end $$;
comment on function private.revenue_cents(timestamptz) is 'Revenue from plans and points since then, less refunds and disputes.';

create function private.platform_totals(p_counts jsonb) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_members bigint := coalesce(p_counts -> 'members', '0');
  v_published bigint := coalesce(p_counts -> 'published_campaigns', '0');
  v_submissions bigint := coalesce(p_counts -> 'submissions', '0');
begin
  return jsonb_build_object(
    'users', v_members, 'verified_startups', coalesce(p_counts -> 'verified_startups', '0'), 'published_campaigns', v_published,
    'points_awarded', (private.count_site_stats()).points_earned, 'submissions', v_submissions,
    'completed_tasks', coalesce(p_counts -> 'approved_submissions', '0'), 'points_distributed', coalesce(p_counts -> 'active_budgets', '0'),
    'conversion_rate', coalesce(round(100.0 * v_published / nullif(v_members, 0), 1), 0),
    'engagement', coalesce(round(v_submissions::numeric / nullif(v_members, 0), 2), 0),
    'revenue_cents', private.revenue_cents('-infinity')
  );
end $$;
comment on function private.platform_totals(jsonb) is
  'All-time figures from private.counters. conversion_rate: published quests per 100 members; engagement: submissions per member; '
  'points_distributed: budgets of quests with an approved submission (DATA-06, C-52). Zero when the divisor is zero.';

-- Queries over a period are in PL/pgSQL, which plans for the given period; an SQL function gets a generic plan that reads the whole table.
create function private.points_by_day(p_since date) returns table (day date, issued bigint, redeemed bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select l.day,
      coalesce(sum(e.points) filter (where l.kind not in ('redemption', 'refund')), 0)::bigint,
      coalesce(-sum(e.points) filter (where l.kind in ('redemption', 'refund')), 0)::bigint
    from private.ledger_sums(p_since) l
    cross join lateral (select case l.type when 'credit' then l.points else -l.points end as points) e
    where l.account = 'user' and l.kind in ('task_completion', 'referral_bonus', 'welcome_bonus', 'reversal', 'redemption', 'refund')
    group by l.day;
end $$;
comment on function private.points_by_day(date) is
  'Per UTC day: points that members earned, less reversals, and points they redeemed, less refunds, each on its posting day. Empty days '
  'are left out.';

create function private.platform_period(p_since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'verified_startups', (select count(*) from public.startup_profiles s where s.status = 'verified' and s.reviewed_at >= p_since),
      'published_campaigns', (select count(*) from public.campaigns c where c.status = 'published' and c.published_at >= p_since),
      'revenue_cents', private.revenue_cents(p_since),
      'average_session_minutes', (
        select round((avg(extract(epoch from v.length)) / 60)::numeric, 1)
        from (
          select max(e.created_at) - min(e.created_at) as length from public.metrics_events e
          where e.created_at >= p_since and e.data ? 'session_id' group by e.data ->> 'session_id' having count(*) > 1
        ) v
      )
    )
  );
end $$;
comment on function private.platform_period(timestamptz) is
  'Figures since a point in time that are not sums of its days. average_session_minutes: from first to last event of sessions with more '
  'than one event; null without any (C-52).';

create function private.platform_days(p_since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    with days as (
      select d::date as day from generate_series(p_since at time zone 'UTC', now() at time zone 'UTC', interval '24 hours') d
    ), users as (
      select (p.created_at at time zone 'UTC')::date as day, count(*) as users from public.user_profiles p
      where p.created_at >= p_since group by 1
    ), sent as (
      select (s.submitted_at at time zone 'UTC')::date as day, count(*) as submissions from public.submissions s
      where s.submitted_at >= p_since group by 1
    ), done as (
      select (s.reviewed_at at time zone 'UTC')::date as day, count(*) as completions from public.submissions s
      where s.status = 'approved' and s.reviewed_at >= p_since group by 1
    )
    select jsonb_agg(jsonb_build_object('day', d.day, 'new_users', coalesce(u.users, 0), 'submissions', coalesce(s.submissions, 0),
      'completions', coalesce(c.completions, 0), 'points_issued', coalesce(p.issued, 0),
      'points_redeemed', coalesce(p.redeemed, 0)) order by d.day)
    from days d
    left join users u on u.day = d.day
    left join sent s on s.day = d.day
    left join done c on c.day = d.day
    left join private.points_by_day((p_since at time zone 'UTC')::date) p on p.day = d.day
  );
end $$;
comment on function private.platform_days(timestamptz) is
  'New members, submissions, completions, points issued and redeemed per UTC day, including empty days. The days of a period add up to its '
  'figures.';

create function private.sum_of_days(p_days jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'users', sum(d.new_users), 'submissions', sum(d.submissions), 'completed_tasks', sum(d.completions),
    'points_awarded', sum(d.points_issued), 'points_redeemed', sum(d.points_redeemed))
  from jsonb_to_recordset(p_days) d (new_users bigint, submissions bigint, completions bigint, points_issued bigint, points_redeemed bigint)
$$;
comment on function private.sum_of_days(jsonb) is
  'The figures of a period as sums of its days (platform_days), so that the large tables are read once.';

create function private.top_campaigns(p_since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'campaign_id', t.campaign_id, 'title', c.title, 'startup_name', s.name, 'approved', t.approved, 'submissions', t.submissions,
      'completion_rate', round(100.0 * t.approved / t.submissions, 1)
    ) order by t.approved desc, t.campaign_id), '[]')
    from (
      select x.campaign_id, count(*) as submissions, count(*) filter (where x.status = 'approved') as approved
      from public.submissions x where x.submitted_at >= p_since group by x.campaign_id
      order by 3 desc, 1 limit 5
    ) t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles s on s.id = c.startup_id
  );
end $$;
comment on function private.top_campaigns(timestamptz) is
  'The 5 quests with the most approved submissions since then; completion_rate: approved per 100 submissions (DATA-04).';

create function public.get_platform_stats(p_days integer default 30) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_since timestamptz;
  v_by_day jsonb;
  v_counts jsonb;
begin
  perform private.require_admin();
  v_since := private.period_start(p_days);
  v_counts := private.counters();
  v_by_day := private.platform_days(v_since);
  return jsonb_build_object(
    'period_days', p_days,
    'totals', private.platform_totals(v_counts),
    'period', private.platform_period(v_since) || private.sum_of_days(v_by_day),
    'days', v_by_day,
    'top_campaigns', private.top_campaigns(v_since),
    'top_industries', (
      select coalesce(jsonb_agg(
        jsonb_build_object('industry', i.industry, 'startups', i.startups) order by i.startups desc, i.industry), '[]')
      from (select c.name as industry, c.count as startups from private.counters_of('industry') c order by 2 desc, 1 limit 5) i
    ),
    'health', jsonb_build_object(
      'active_campaigns', coalesce(v_counts -> 'published_campaigns', '0'),
      'pending_reviews', (select count(*) from public.submissions s where s.status = 'pending'),
      'pending_startups', (select count(*) from public.startup_profiles s where s.status = 'pending'),
      'verified_startups', coalesce(v_counts -> 'verified_startups', '0'),
      'collected_emails', coalesce(v_counts -> 'collected_emails', '0')
    )
  );
end $$;
comment on function public.get_platform_stats(integer) is
  'Admin dashboards: totals, period (the last p_days UTC days, today included), days, top_campaigns (5), top_industries (5), health '
  '(ADMIN-02, ADMIN-11, DATA-01..07, C-52, C-54). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_PERIOD.';
grant execute on function public.get_platform_stats(integer) to authenticated, service_role;

create function public.get_points_transfer_stats() returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.roll_up_ledger_daily();
  return (
    select jsonb_build_object(
      'total_transfers', coalesce(sum(k.transfers), 0), 'total_points', coalesce(sum(k.points), 0), 'last_transfer_at', max(k.last_at),
      'by_kind', coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'transfers', k.transfers, 'points', k.points)
        order by k.kind), '[]'),
      'balances', jsonb_build_object('members', coalesce(sum(k.members), 0), 'startups', coalesce(sum(k.startups), 0),
        'reserves', coalesce(sum(k.reserves), 0))
    )
    from (
      select l.kind,
        sum(l.entries) filter (where l.type = 'credit') as transfers, sum(l.points) filter (where l.type = 'credit') as points,
        max(l.last_at) as last_at,
        sum(e.points) filter (where l.account = 'user') as members, sum(e.points) filter (where l.account = 'startup') as startups,
        sum(e.points) filter (where l.account = 'reserve') as reserves
      from private.ledger_sums() l
      cross join lateral (select case l.type when 'credit' then l.points else -l.points end as points) e
      group by l.kind
    ) k
  );
end $$;
comment on function public.get_points_transfer_stats() is
  'total_transfers, total_points, last_transfer_at, by_kind, and what members, projects and reserves hold (DB-26), all from the sums of '
  'the ledger, which it rolls up first. Admins only. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_points_transfer_stats() to authenticated, service_role;
