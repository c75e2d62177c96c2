-- The quests that a member has started, and their state (BEY-21).

create function private.quest_states(p_user text) returns table (
  campaign_id uuid, state text, can_continue boolean, approved_count bigint, points_earned bigint, last_activity_at timestamptz
)
language sql stable set search_path = ''
as $$
  select q.campaign_id,
    case
      when q.is_complete then 'complete'
      when q.can_appeal or next.can_resend then 'rejected'
      when q.is_waiting then 'waiting'
      when next.can_continue then 'started'
      else 'closed' end,
    next.can_continue, q.approved_count, q.points_earned, q.last_activity_at
  from (
    select c.id as campaign_id,
      c.status = 'published' and coalesce(c.starts_at <= now(), true) and coalesce(c.ends_at > now(), true) as is_open,
      count(*) filter (where s.status = 'approved') as approved_count,
      count(*) filter (where s.status = 'approved') >= c.task_count as is_complete,
      bool_or(s.kept_until is not null and s.appealed_at is null) as can_appeal,
      bool_or(s.status = 'pending' or s.kept_until is not null and s.appealed_at is not null) as is_waiting,
      coalesce(sum(s.reward_points) filter (where s.status = 'approved'), 0) as points_earned,
      max(greatest(s.submitted_at, s.reviewed_at)) as last_activity_at
    from public.submissions s join public.campaigns c on c.id = s.campaign_id
    where s.user_id = p_user group by c.id
  ) q
  cross join lateral (
    select count(*) > 0 as can_continue, count(x.id) > 0 as can_resend
    from public.tasks t left join public.submissions x on x.task_id = t.id and x.user_id = p_user
    where q.is_open and not q.is_complete and t.campaign_id = q.campaign_id and coalesce(x.status, 'rejected') = 'rejected' and case
      when x.kept_until is not null and (x.appealed_at is not null or not x.is_slot_reopened) then x.appealed_at is null
      else t.approved_count + t.pending_count + t.kept_count < t.max_completions end
  ) next
$$;
comment on function private.quest_states(text) is
  'The quests that a member has started: complete (every task approved), else rejected (a proof can be sent again, or its rejection '
  'appealed), else waiting (for a decision, also on an appeal), else started (a task is left to do), else closed (nothing can change any '
  'more). can_continue: the quest accepts a proof from the member now.';

create function public.get_own_quest_states() returns table (campaign_id uuid, state text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  perform private.cache_for(0, false);
  return query select q.campaign_id, q.state from private.quest_states(v_user) q order by q.last_activity_at desc, q.campaign_id;
end $$;
comment on function public.get_own_quest_states() is
  'The state of each quest that the caller has started, latest first: complete, rejected, waiting, started or closed (BEY-21). Separate '
  'from the public lists, which are the same for everybody. Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_own_quest_states() to authenticated, service_role;

create function private.own_submissions(p_user text, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object(
    'task_id', s.task_id, 'task_title', private.task_title_for_member(t), 'status', s.status, 'reward_points', s.reward_points,
    'proof_url', s.proof_url, 'proof_text', s.proof_text, 'submitted_at', s.submitted_at, 'reviewed_at', s.reviewed_at,
    'reviewed_by', s.reviewed_by, 'rejection_reason', s.rejection_reason, 'review_note', s.review_note, 'id', s.id,
    'review_due_at', s.review_due_at, 'kept_until', s.kept_until, 'appealed_at', s.appealed_at
  ) order by t.order_index, t.id)
  from public.submissions s join public.tasks t on t.id = s.task_id
  where s.user_id = p_user and s.campaign_id = p_campaign_id
$$;
comment on function private.own_submissions(text, uuid) is 'A member''s submissions to a quest with their decisions, in task order.';

create function public.list_my_quests(p_states text[] default null, p_limit integer default 20, p_cursor text default null) returns table (
  campaign_id uuid, title text, startup_id uuid, startup_name text, startup_logo_url text, state text, can_continue boolean,
  task_count integer, approved_count bigint, points_earned bigint, last_activity_at timestamptz, submissions jsonb, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('my_quests', p_cursor, array['timestamptz', 'uuid']);
begin
  if not coalesce(p_states, '{}') <@ array['started', 'waiting', 'rejected', 'complete', 'closed'] then
    perform private.raise_error('INVALID_STATE', 'Unknown state', 400);
  end if;
  perform private.cache_for(0, false);
  return query
    select q.campaign_id, private.quest_title_for_member(c), s.id, s.name, s.logo_url, q.state, q.can_continue,
      c.task_count, q.approved_count, q.points_earned, q.last_activity_at, private.own_submissions(v_user, q.campaign_id),
      private.encode_cursor('my_quests', jsonb_build_array(q.last_activity_at, q.campaign_id))
    from (
      select m.* from private.quest_states(v_user) m
      where (p_states is null or m.state = any (p_states))
        and (v_after is null or (m.last_activity_at, m.campaign_id) < (v_after[1]::timestamptz, v_after[2]::uuid))
      order by m.last_activity_at desc, m.campaign_id desc limit v_limit
    ) q
    join public.campaigns c on c.id = q.campaign_id
    join public.startup_profiles s on s.id = c.startup_id
    order by q.last_activity_at desc, q.campaign_id desc;
end $$;
comment on function public.list_my_quests(text[], integer, text) is
  'The quests that the caller has started, most recent activity first, with submissions and decisions (BEY-21). p_states: filter by states '
  'of get_own_quest_states, null for all. can_continue: the quest accepts a proof from the caller now. Next page: the cursor of the last '
  'row. Nullable: startup_logo_url. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_STATE, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_my_quests(text[], integer, text) to authenticated, service_role;
