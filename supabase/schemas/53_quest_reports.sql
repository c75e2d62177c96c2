-- Quest figures: for a member before the first quest of their own (DB-23; advice only, C-38), and for owners.

-- Members -------------------------------------------------------------------------------------------------------------

create function private.quest_completion(p_user_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with quests as (
    select s.campaign_id, bool_or(s.status = 'approved') as is_completed,
      sum(s.reward_points) filter (where s.status = 'approved') as reward_points,
      max(s.reviewed_at) filter (where s.status = 'approved') as completed_at
    from public.submissions s where s.user_id = p_user_id group by s.campaign_id
  ), latest as (
    select q.* from quests q where q.is_completed order by q.completed_at desc, q.campaign_id limit 20
  )
  select jsonb_build_object(
    'has_completed_quests', count(*) filter (where q.is_completed) > 0,
    'completed_quests_count', count(*) filter (where q.is_completed),
    'total_quests_attempted', count(*),
    'quest_details', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'campaign_title', private.quest_title_for_member(c), 'startup_name', sp.name, 'reward_points', l.reward_points,
        'completed_at', l.completed_at
      ) order by l.completed_at desc, l.campaign_id), '[]')
      from latest l join public.campaigns c on c.id = l.campaign_id join public.startup_profiles sp on sp.id = c.startup_id
    ),
    'can_create_campaigns', count(*) filter (where q.is_completed) > 0
  )
  from quests q
$$;
comment on function private.quest_completion(text) is
  'Quests a member has tried and completed. One approved submission completes a quest here (C-39); quest_details are the latest 20.';

create function public.check_user_quest_completion(p_user_id text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.quest_completion(private.require_self(p_user_id));
end $$;
comment on function public.check_user_quest_completion(text) is
  'has_completed_quests, completed_quests_count, total_quests_attempted, quest_details [campaign_title, startup_name, reward_points, '
  'completed_at], can_create_campaigns (DB-23, DB-25). The member or an admin. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.check_user_quest_completion(text) to authenticated, service_role;

create function public.validate_campaign_creation_eligibility(p_user_id text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_self(p_user_id);
  v_completion jsonb := private.quest_completion(v_user);
  v_is_eligible boolean := (v_completion ->> 'can_create_campaigns')::boolean;
begin
  return jsonb_build_object(
    'user_id', v_user,
    'user_role', coalesce((select p.role from public.user_profiles p where p.user_id = v_user), 'community'),
    'is_eligible', v_is_eligible,
    'requirement_message', case when v_is_eligible
      then 'Requirement met: you have completed a quest and can create your own.'
      else 'Complete at least 1 quest before you create your own, to see what members see.' end,
    'trial_message', case when private.has_had_trial_elsewhere(v_user)
      then 'Your email address has already received its trial points, so your project starts with 0 points.' end,
    'quest_completion', v_completion
  );
end $$;
comment on function public.validate_campaign_creation_eligibility(text) is
  'user_id, user_role, is_eligible, requirement_message, trial_message (why there are no trial points, else null; C-81), '
  'quest_completion (DB-23, QNEW-05): advice for the form, not a rule of the server (C-38). The member or an admin. '
  'Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.validate_campaign_creation_eligibility(text) to authenticated, service_role;

create function public.get_available_quests_for_new_user(p_user_id text, p_limit integer default 20) returns table (
  task_id uuid, campaign_id uuid, title text, campaign_title text, startup_name text, startup_logo text,
  instructions text, requires_proof boolean, max_completions integer, reward_points integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_self(p_user_id);
  v_limit integer := private.validate_limit(p_limit, 20);
begin
  return query
    select t.id, c.id, t.title, c.title, s.name, s.logo_url, t.instructions_md, t.requires_proof, t.max_completions, t.reward_points
    from public.campaigns c
    join public.startup_profiles s on s.id = c.startup_id and s.owner_user_id <> v_user
    join public.tasks t on t.campaign_id = c.id and t.approved_count + t.pending_count + t.kept_count < t.max_completions
    where c.status = 'published' and not c.is_full and (c.starts_at is null or c.starts_at <= now())
      and (c.ends_at is null or c.ends_at > now())
      and not exists (select 1 from public.submissions x where x.task_id = t.id and x.user_id = v_user and x.status <> 'rejected')
    order by c.published_at desc, c.id desc, t.order_index, t.id
    limit v_limit;
end $$;
comment on function public.get_available_quests_for_new_user(text, integer) is
  'Tasks with free slots that the member has not done, newest quests first, without their own quests (DB-23, C-40). The member or an '
  'admin. Nullable: startup_logo. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_LIMIT.';
grant execute on function public.get_available_quests_for_new_user(text, integer) to authenticated, service_role;

-- Owners --------------------------------------------------------------------------------------------------------------

create function public.list_own_quests(p_limit integer default 100, p_cursor text default null) returns table (
  id uuid, startup_id uuid, title text, summary text, status public.campaign_status, hold_reason text, held_at timestamptz,
  reward_points integer, budget_points integer, task_count integer, total_slots integer, open_slots integer, is_full boolean,
  submission_count integer, participant_count integer, pending_count integer, approved_count integer, email_count bigint,
  created_at timestamptz, published_at timestamptz, closed_at timestamptz, cursor text,
  reserved_points bigint, points_distributed bigint, daily_submissions integer[], starts_at timestamptz, ends_at timestamptz,
  hold_cause public.hold_cause, points_taken_back_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_projects uuid[];
  v_limit integer := private.validate_limit(p_limit, 100);
  v_after text[] := private.decode_cursor('own_quests', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.require_user();
  v_projects := array(select private.own_startup_ids());
  perform private.cache_for(0, false);
  return query
    select c.id, c.startup_id, c.title, c.summary, c.status, c.hold_reason, c.held_at, c.open_reward_points, c.budget_points,
      c.task_count, c.total_slots, greatest(c.open_slots, 0), c.is_full, c.submission_count, c.participant_count, c.pending_count,
      c.approved_count, (select count(*) from public.campaign_email_collections e where e.campaign_id = c.id), c.created_at,
      c.published_at, c.closed_at, private.encode_cursor('own_quests', jsonb_build_array(c.created_at, c.id)),
      coalesce((select w.points from public.wallets w where w.campaign_id = c.id), 0), c.points_distributed,
      array(
        select (
          select count(*)::integer from public.submissions s
          where s.campaign_id = c.id and s.submitted_at >= d.day and s.submitted_at < d.day + interval '24 hours'
        ) from generate_series(date_trunc('day', now(), 'UTC') - 13 * interval '24 hours', now(), interval '24 hours') d (day)
        order by d.day),
      c.starts_at, c.ends_at, c.hold_cause,
      case when c.status = 'draft' and c.published_at is null then private.points_taken_back_at(c.id) end
    from public.campaigns c
    where c.startup_id = any (v_projects)
      and (v_after is null or (c.created_at, c.id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by c.created_at desc, c.id desc limit v_limit;
end $$;
comment on function public.list_own_quests(integer, text) is
  'All quests of the caller''s project with the owner''s figures, newest first (SDASH-08, DB-05). Shared columns as in '
  'list_published_quests; email_count: collected addresses; reserved_points: set aside for open spots; points_distributed: paid to '
  'members; daily_submissions: last 14 UTC days, oldest first; points_taken_back_at: when a draft lost its points to a refund or dispute. '
  'Next page: the cursor of the last row. Nullable: hold_reason, held_at, published_at, closed_at, starts_at, ends_at, hold_cause, '
  'points_taken_back_at. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_own_quests(integer, text) to authenticated, service_role;

create function private.task_funnel(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'task_id', t.id, 'title', t.title, 'reward_points', t.reward_points, 'max_completions', t.max_completions,
    'submissions', f.submissions, 'approved', t.approved_count, 'pending', t.pending_count, 'rejected', f.rejected,
    'remaining_slots', t.max_completions - t.approved_count - t.pending_count - t.kept_count
  ) order by t.order_index, t.id), '[]')
  from public.tasks t
  cross join lateral (
    select count(*) as submissions, count(*) filter (where s.status = 'rejected') as rejected from public.submissions s
    where s.task_id = t.id
  ) f
  where t.campaign_id = p_campaign_id
$$;
comment on function private.task_funnel(uuid) is 'Slots and submissions by outcome for each task of a quest.';

create function private.participation_by_day(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'day', d.day, 'submissions', d.submissions, 'participants', d.participants, 'approved', d.approved
  ) order by d.day), '[]')
  from (
    select (s.submitted_at at time zone 'UTC')::date as day, count(*) as submissions, count(distinct s.user_id) as participants,
      count(*) filter (where s.status = 'approved') as approved
    from public.submissions s where s.campaign_id = p_campaign_id group by 1 order by 1 desc limit 366
  ) d
$$;
comment on function private.participation_by_day(uuid) is 'Submissions per UTC day for the latest 366 days that have any, oldest first.';

create function public.get_campaign_performance_stats(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_campaign public.campaigns;
begin
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id;
  if v_campaign.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  elsif not private.is_admin()
    and not exists (select 1 from public.startup_profiles s where s.id = v_campaign.startup_id and s.owner_user_id = v_user) then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  return jsonb_build_object(
    'campaign_id', v_campaign.id,
    'total_submissions', v_campaign.submission_count,
    'approved', v_campaign.approved_count,
    'pending', v_campaign.pending_count,
    'rejected', v_campaign.submission_count - v_campaign.approved_count - v_campaign.pending_count,
    'participants', v_campaign.participant_count,
    'points_distributed', v_campaign.points_distributed,
    'completion_rate', coalesce(round(100.0 * v_campaign.approved_count / nullif(v_campaign.submission_count, 0), 1), 0),
    'median_review_seconds', (
      select round(percentile_cont(0.5) within group (order by extract(epoch from s.reviewed_at - s.submitted_at))::numeric)
      from public.submissions s where s.campaign_id = p_campaign_id
    ),
    'tasks', private.task_funnel(p_campaign_id),
    'days', private.participation_by_day(p_campaign_id)
  );
end $$;
comment on function public.get_campaign_performance_stats(uuid) is
  'A quest''s figures for its owner and admins: total_submissions, approved, pending, rejected, participants, points_distributed, '
  'completion_rate (%), median_review_seconds (null before the first review), tasks, days (DB-26, SEC-09). Errors: UNAUTHENTICATED, '
  'SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN.';
grant execute on function public.get_campaign_performance_stats(uuid) to authenticated, service_role;
