-- Frequent public reads: the quest list, its statistics, site figures, the leaderboard. All are stable, so the API serves them by GET, and
-- each sets how long a shared cache may keep the response.

-- Quests --------------------------------------------------------------------------------------------------------------

create function public.list_published_quests(
  p_search text default null, p_sort text default 'new', p_limit integer default 10, p_cursor text default null,
  p_only_open boolean default false, p_view text default 'all', p_startup_id uuid default null, p_min_reward integer default null,
  p_max_reward integer default null, p_proof text default null, p_industry text default null, p_only_one_press boolean default false,
  p_min_minutes integer default null, p_max_minutes integer default null
) returns table (
  id uuid, startup_id uuid, startup_name text, startup_logo_url text, startup_verified boolean,
  title text, summary text, custom_reward_title text, custom_reward_description text, collect_emails boolean,
  reward_points integer, budget_points integer, task_count integer, total_slots integer, open_slots integer, is_full boolean,
  published_at timestamptz, created_at timestamptz, ends_at timestamptz, cursor text, review_hours integer, reserved_points bigint,
  decided integer, accepted integer, overturned integer, median_seconds integer, median_minutes integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_terms tsquery[] := private.search_terms(p_search);
  v_query tsquery := private.all_terms(v_terms);
  v_sort text := coalesce(case when p_sort = 'match' and v_query is null then 'new' else p_sort end, 'new');
  v_view text := case when p_only_open then 'open' else coalesce(p_view, 'all') end;
  v_limit integer := private.validate_limit(p_limit, 10);
  v_list text;
  v_keys private.sort_key[];
  v_after text[];
  v_from text;
begin
  v_keys := case v_sort
    when 'new' then array[row('c.created_at', 'timestamptz')]::private.sort_key[]
    when 'match' then array[row('c.rank', 'real'), row('c.created_at', 'timestamptz')]::private.sort_key[]
    when 'trending' then array[row('c.published_at', 'timestamptz')]::private.sort_key[]
    when 'reward' then array[row('c.open_reward_points', 'integer'), row('c.budget_points', 'integer'),
      row('c.published_at', 'timestamptz')]::private.sort_key[]
  end || row('c.id', 'uuid')::private.sort_key;
  if cardinality(v_keys) = 1 then
    perform private.raise_error('INVALID_SORT', 'Unknown sort order', 400);
  elsif v_view not in ('open', 'full', 'all') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  elsif p_proof <> all (enum_range(null::public.proof_type)::text[]) or p_industry <> all (private.industries()) then
    perform private.raise_error('INVALID_FILTER', 'Unknown filter', 400);
  end if;
  v_list := concat_ws(':', 'quests', v_sort, nullif(v_view, 'all'));
  v_after := private.decode_cursor(v_list, p_cursor, private.key_types(v_keys));
  perform private.cache_for(15, true);
  -- Only the requested conditions are written, so that each combination can use its index (created_at, published_at, open reward, or
  -- words). Text is passed as parameters only.
  v_from := concat_ws(' and ',
    'public.campaigns c' || case when v_query is null then '' else ' join private.quest_search q on q.campaign_id = c.id' end || $sql$
      where c.status = 'published' and (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now())$sql$,
    case when v_query is not null then 'q.document @@ $2' end,
    case v_view when 'open' then 'not c.is_full' when 'full' then 'c.is_full' end,
    case when p_startup_id is not null then 'c.startup_id = $4' end,
    case when p_min_reward is not null then 'c.open_reward_points >= $6' end,
    case when p_max_reward is not null then 'c.open_reward_points <= $7' end,
    case when p_min_minutes is not null then 'c.median_minutes >= $10' end,
    case when p_max_minutes is not null then 'c.median_minutes <= $11' end,
    case when p_proof is not null then
      'exists (select 1 from public.tasks t where t.campaign_id = c.id and t.requires_proof and t.proof_type = $8::public.proof_type)' end,
    case when p_industry is not null then
      'exists (select 1 from public.startup_profiles i where i.id = c.startup_id and i.industry = $9)' end,
    case when p_only_one_press then $sql$c.task_count > 0 and not exists (select 1 from public.tasks t
      where t.campaign_id = c.id and (t.requires_proof or t.verification not in ('review', 'automatic')))$sql$ end);
  if v_sort = 'match' then
    -- When hundreds of quests match, the latest are enough to choose from: ranking all of them finds one labelled search more in 400.
    v_from := format('(select c.*, %s as rank from %s order by c.created_at desc limit 500) c where true',
      private.search_rank(v_terms, '$12', '$5'), v_from);
  end if;
  return query execute format(
    $query$
      select c.id, c.startup_id, s.name, s.logo_url, s.status = 'verified', c.title, c.summary, c.custom_reward_title,
        c.custom_reward_description, c.collect_emails, c.open_reward_points, c.budget_points, c.task_count, c.total_slots,
        greatest(c.open_slots, 0), c.is_full, c.published_at, c.created_at, c.ends_at,
        private.encode_cursor(%1$L, jsonb_build_array(%2$s)),
        -- As private.promised_hours, which would be called once per quest.
        case when $13 and exists (
          select 1 from public.tasks t where t.campaign_id = c.id and (t.verification = 'review' or t.requires_proof)
        ) then c.review_hours end,
        -- Looked up by quest: a join makes the planner merge with the index of all quests' wallets while there are few of them.
        coalesce((select w.points from public.wallets w where w.campaign_id = c.id), 0),
        r.decided, r.accepted, r.overturned, r.median_seconds, c.median_minutes
      from (select c.* from %3$s order by %4$s limit $1) c
      join public.startup_profiles s on s.id = c.startup_id
      left join public.wallets p on p.startup_id = c.startup_id
      left join private.review_records r on r.wallet_id = p.id and r.decided >= 10
      order by %4$s
    $query$,
    v_list,
    (select string_agg(k.expression, ', ' order by k.n) from unnest(v_keys) with ordinality k (expression, type, n)),
    concat_ws(' and ', v_from, case when v_after is not null then private.after_cursor(v_keys, '$3') end),
    private.order_by(v_keys)
  ) using v_limit, v_query, v_after, p_startup_id, private.typed_query(p_search), p_min_reward, p_max_reward, p_proof, p_industry,
    p_min_minutes, p_max_minutes, v_terms, not (private.settings()).beta_mode;
end $$;
comment on function public.list_published_quests(
  text, text, integer, text, boolean, text, uuid, integer, integer, text, text, boolean, integer, integer
) is
  'Published quests as cards show them (RULE-14, DB-04, C-107). View open (with free slots, C-60), full or all; p_only_open is the older '
  'way to request open. Sort new (by creation), match (by rank among the latest 500 matches; like new without a search), trending (by '
  'publication) or reward (reward_points, what one member can still earn, then the budget; C-70). p_search: every word occurs in title, '
  'project name, task titles, summary or details, tolerating one typo per word (C-119, BEY-18). p_proof: some task asks for that kind of '
  'proof; p_only_one_press: no task asks for a proof, so pressing Verify is enough; p_startup_id: quests of that project only. '
  'median_minutes: how long members took, if measured; p_min_minutes and p_max_minutes exclude unmeasured quests. open_slots: maximum less '
  'approved, pending and kept (C-86). Next page: the cursor of the last row. Security definer because row-level security would keep the '
  'planner from using the full-text index; reads published rows only. review_hours: null where a proof is approved at once; '
  'reserved_points: set aside for the quest; decided to median_seconds: the project''s record as in get_project_promises (BEY-05). '
  'Nullable: startup_logo_url, custom_reward_title, custom_reward_description, ends_at, review_hours, decided, accepted, overturned, '
  'median_seconds, median_minutes. Errors: INVALID_SORT, INVALID_VIEW, INVALID_FILTER, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.list_published_quests(
  text, text, integer, text, boolean, text, uuid, integer, integer, text, text, boolean, integer, integer
) to anon, authenticated, service_role;

create function public.get_quest_completion_stats(p_campaign_ids uuid[]) returns table (
  campaign_id uuid, total_slots integer, available_slots integer, completed_slots integer, is_quest_full boolean
)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.cache_for(15, false);
  return query
    select c.id, c.total_slots, greatest(c.open_slots, 0), c.approved_count, c.is_full
    from public.campaigns c where c.id = any (private.validate_ids(p_campaign_ids));
end $$;
comment on function public.get_quest_completion_stats(uuid[]) is
  'Slots of up to 200 quests, as far as the caller may see them: runs with the caller''s rights (DB-22, DB-26). Pending submissions hold '
  'their slot. Errors: TOO_MANY_IDS.';
grant execute on function public.get_quest_completion_stats(uuid[]) to anon, authenticated, service_role;

create function public.get_task_completion_counts(p_task_ids uuid[]) returns table (
  task_id uuid, completions integer, pending integer, remaining_slots integer, kept integer
)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.cache_for(15, false);
  return query
    select t.id, t.approved_count, t.pending_count, greatest(t.max_completions - t.approved_count - t.pending_count - t.kept_count, 0),
      t.kept_count
    from public.tasks t where t.id = any (private.validate_ids(p_task_ids));
end $$;
comment on function public.get_task_completion_counts(uuid[]) is
  'Approved, pending, kept (for a rejection that may be appealed) and free slots of up to 200 tasks, as far as the '
  'caller may see them (DB-06, HUB-11). Errors: TOO_MANY_IDS.';
grant execute on function public.get_task_completion_counts(uuid[]) to anon, authenticated, service_role;

-- Site figures --------------------------------------------------------------------------------------------------------

create table private.site_stats_cache (
  id boolean primary key default true check (id),
  member_count bigint not null,
  active_campaigns bigint not null,
  verified_startups bigint not null,
  points_earned bigint not null,
  counted_at timestamptz not null
);
comment on table private.site_stats_cache is
  'Cached site figures. A GET cannot write, so get_site_stats uses this row while it is at most 30 s old and otherwise counts again; the '
  'roll-up refreshes it.';

create function private.count_site_stats() returns private.site_stats_cache
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb := private.counters();
  v_stats private.site_stats_cache;
begin
  -- Points that members earned by tasks and referrals, less reversals, as on the leaderboard.
  select true, coalesce(v_counts -> 'members', '0'), coalesce(v_counts -> 'open_campaigns', '0'),
    coalesce(v_counts -> 'verified_startups', '0'),
    coalesce(sum(case l.type when 'credit' then l.points else -l.points end), 0), clock_timestamp()
  into v_stats from private.ledger_sums() l
  where l.account = 'user' and l.kind in ('task_completion', 'referral_bonus', 'welcome_bonus', 'reversal');
  return v_stats;
end $$;
comment on function private.count_site_stats() is 'Current site figures, computed from the counters and the ledger sums.';

create function private.roll_up_figures(p_max_age interval default '30 seconds', p_time interval default '1 second') returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from private.site_stats_cache c where c.counted_at > clock_timestamp() - p_max_age)
    or not pg_try_advisory_xact_lock(hashtextextended('site_stats', 0)) then
    return;
  end if;
  perform private.compact_counter_deltas();
  perform private.refresh_review_records(now() - interval '1 minute');
  -- The site figures add what is left over: after a pause that could take longer than a call may, and would undo what has been added.
  if not private.roll_up_ledger_daily(p_time) then
    return;
  end if;
  insert into private.site_stats_cache select c.* from private.count_site_stats() c
  on conflict (id) do update set member_count = excluded.member_count, active_campaigns = excluded.active_campaigns,
    verified_startups = excluded.verified_startups, points_earned = excluded.points_earned, counted_at = excluded.counted_at;
end $$;
comment on function private.roll_up_figures(interval, interval) is
  'The scheduled roll-up, called on every tick of the outbox worker: merges counter deltas, counts projects'' records, sums the ledger''s '
  'days for about p_time and, once none is left, counts the site figures, if the last count is older than p_max_age. One session at a '
  'time; others skip it.';

create function public.get_site_stats() returns table (
  total_members bigint, active_campaigns bigint, verified_startups bigint, total_rewards_paid bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stats private.site_stats_cache;
begin
  perform private.cache_for(30, true);
  select c.* into v_stats from private.site_stats_cache c where c.counted_at > clock_timestamp() - interval '30 seconds';
  if v_stats.id is null then
    v_stats := private.count_site_stats();
  end if;
  return query select v_stats.member_count + (private.settings()).member_count_base,
    v_stats.active_campaigns, v_stats.verified_startups, v_stats.points_earned;
end $$;
comment on function public.get_site_stats() is
  'Site figures, at most 30 s old: members with the base from the settings, published quests with free slots as the hub lists them '
  '(C-83), verified projects, points earned by members (DB-21, C-26).';
grant execute on function public.get_site_stats() to anon, authenticated, service_role;

create function public.rebuild_site_stats_cache() returns table (
  total_members bigint, active_campaigns bigint, verified_startups bigint, total_rewards_paid bigint
)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit(private.require_admin(), 'site_stats.rebuild', 'site_stats', 'cache');
  -- Waits for a concurrent roll-up: unlike the worker, an admin wants current figures.
  perform pg_advisory_xact_lock(hashtextextended('site_stats', 0));
  perform private.roll_up_figures('0 seconds');
  return query select * from public.get_site_stats();
end $$;
comment on function public.rebuild_site_stats_cache() is
  'Admin recounts the site figures; returns them (DB-21, DB-26, SEC-15, C-54). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.rebuild_site_stats_cache() to authenticated, service_role;

-- Leaderboard ---------------------------------------------------------------------------------------------------------

create function private.unsummed_weeks(p_user_id text default null) returns setof private.member_weeks
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select s.* from private.sum_member_weeks((select u.last_id from private.ledger_daily_watermark u), 9223372036854775807, p_user_id) s;
end $$;
comment on function private.unsummed_weeks(text) is 'Weekly sums of the entries that are not rolled up yet, of one member or of all.';

create function private.weekly_totals(p_week date, p_limit integer) returns table (user_id text, points bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    with tail as (
      select s.user_id, s.points from private.unsummed_weeks() s where s.week = p_week
    ), candidates as (
      -- At most as many members can drop out of the list as have entries that are not rolled up yet.
      (
        select m.user_id from private.member_weeks m where m.week = p_week and m.points > 0
        order by m.points desc, m.user_id limit p_limit + (select count(*) from tail)
      )
      union select t.user_id from tail t
    )
    select c.user_id, coalesce(m.points, 0) + coalesce(t.points, 0)
    from candidates c
    left join private.member_weeks m on m.user_id = c.user_id and m.week = p_week
    left join tail t on t.user_id = c.user_id
    where coalesce(m.points, 0) + coalesce(t.points, 0) > 0
    order by 2 desc, 1 limit p_limit;
end $$;
comment on function private.weekly_totals(date, integer) is
  'The top earners of a week, including entries that are not rolled up yet (C-84).';

create function private.check_period(p_period text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_period is null or p_period not in ('all', 'week') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  end if;
end $$;
comment on function private.check_period(text) is 'Accepts all and week. Errors: INVALID_VIEW.';

create function public.get_leaderboard(p_limit integer default 50, p_period text default 'all') returns table (
  rank bigint, user_id text, username text, display_name text, total_points bigint, is_self boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 50);
  v_user text := public.current_user_id();
begin
  perform private.cache_for(30, false);
  perform private.check_period(p_period);
  if not (private.settings()).leaderboard_enabled then
    return;
  elsif p_period = 'week' then
    return query
      select row_number() over (order by w.points desc, w.user_id), case when w.user_id = v_user then w.user_id end,
        coalesce(p.masked_username, '***'), coalesce(p.masked_name, '***'), w.points, coalesce(w.user_id = v_user, false)
      from private.weekly_totals(private.week_of(now()), v_limit) w left join public.user_profiles p on p.user_id = w.user_id
      order by w.points desc, w.user_id;
    return;
  end if;
  return query
    select row_number() over (order by w.leaderboard_points desc, w.user_id), case when w.user_id = v_user then w.user_id end,
      coalesce(p.masked_username, '***'), coalesce(p.masked_name, '***'), w.leaderboard_points, coalesce(w.user_id = v_user, false)
    from (
      -- A constant limit, the maximum anyone may request, lets one plan serve all limits.
      select w.user_id, w.leaderboard_points from public.wallets w
      where w.kind = 'user' and w.leaderboard_points > 0
      order by w.leaderboard_points desc, w.user_id limit 100
    ) w left join public.user_profiles p on p.user_id = w.user_id
    order by w.leaderboard_points desc, w.user_id limit v_limit;
end $$;
comment on function public.get_leaderboard(integer, text) is
  'Members by points from tasks, referral and welcome bonuses, ties by user id (REWARD-04, REWARD-06, TRUST-11): of all time, or of this '
  'ISO week in UTC (C-84). Names are masked and other members'' ids withheld; empty while the feature is off (REWARD-05). Nullable: '
  'user_id. Errors: INVALID_LIMIT, INVALID_VIEW.';
grant execute on function public.get_leaderboard(integer, text) to anon, authenticated, service_role;

create function public.get_own_rank(p_period text default 'all') returns table (rank bigint, total_points bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_week date := private.week_of(now());
  v_points bigint;
  v_ahead bigint;
begin
  perform private.cache_for(0, false);
  perform private.check_period(p_period);
  if not (private.settings()).leaderboard_enabled then
    return;
  elsif p_period = 'week' then
    with tail as (
      select s.user_id, s.points from private.unsummed_weeks() s where s.week = v_week
    ), totals as (
      select t.user_id, t.points + coalesce(m.points, 0) as points
      from tail t left join private.member_weeks m on m.user_id = t.user_id and m.week = v_week
    ), own as (
      select coalesce((select t.points from totals t where t.user_id = v_user),
        (select m.points from private.member_weeks m where m.user_id = v_user and m.week = v_week)) as points
    )
    select o.points,
      (select count(*) from totals t where t.points > o.points or t.points = o.points and t.user_id < v_user)
      + (select count(*) from (
        select 1 from private.member_weeks m
        where m.week = v_week and m.points > 0 and m.points >= o.points and (m.points > o.points or m.user_id < v_user)
          and m.user_id not in (select t.user_id from tail t)
        limit 10000) a)
    into v_points, v_ahead from own o;
  else
    select w.leaderboard_points into v_points from public.wallets w where w.user_id = v_user;
    select count(*) into v_ahead from (
      select 1 from public.wallets w
      where w.kind = 'user' and w.leaderboard_points > 0 and w.leaderboard_points >= v_points
        and (w.leaderboard_points > v_points or w.user_id < v_user)
      limit 10000) a;
  end if;
  if v_points > 0 then
    return query select v_ahead + 1, v_points;
  end if;
end $$;
comment on function public.get_own_rank(text) is
  'The caller''s rank on the leaderboard of all time or of this week, also beyond the list; no row without points. Ranks are counted up to '
  '10,000; 10,001 means beyond. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_VIEW.';
grant execute on function public.get_own_rank(text) to authenticated, service_role;
