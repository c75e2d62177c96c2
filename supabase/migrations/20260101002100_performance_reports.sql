-- Figures for owners (one quest) and admins (all movements of points).

create function private.task_funnel(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'task_id', t.id, 'title', t.title, 'reward_points', t.reward_points, 'max_completions', t.max_completions,
    'submissions', f.submissions, 'approved', t.approved_count, 'pending', t.pending_count, 'rejected', f.rejected,
    'remaining_slots', t.max_completions - t.approved_count - t.pending_count
  ) order by t.order_index, t.id), '[]')
  from public.tasks t
  cross join lateral (
    select count(*) as submissions, count(*) filter (where s.status = 'rejected') as rejected from public.submissions s where s.task_id = t.id
  ) f
  where t.campaign_id = p_campaign_id
$$;
comment on function private.task_funnel(uuid) is 'Per task of a quest: slots, submissions and what became of them.';

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
comment on function private.participation_by_day(uuid) is 'Submissions per UTC day, the latest 366 days that have any, oldest first.';

create function public.get_campaign_performance_stats(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_campaign public.campaigns;
begin
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id;
  if v_campaign.id is null then
    perform private.fail('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  elsif not private.is_admin()
    and not exists (select 1 from public.startup_profiles s where s.id = v_campaign.startup_id and s.owner_user_id = v_user) then
    perform private.fail('FORBIDDEN', 'Forbidden', 403);
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
      from public.submissions s where s.campaign_id = p_campaign_id and s.reviewed_at is not null
    ),
    'tasks', private.task_funnel(p_campaign_id),
    'days', private.participation_by_day(p_campaign_id)
  );
end $$;
comment on function public.get_campaign_performance_stats(uuid) is
  'A quest''s figures for its owner and admins: total_submissions, approved, pending, rejected, participants, points_distributed, completion_rate (%), median_review_seconds (null before the first review), tasks, days (DB-26, SEC-09). Errors: UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN.';
grant execute on function public.get_campaign_performance_stats(uuid) to authenticated, service_role;

create function public.get_points_transfer_stats() returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.advance_ledger_days();
  return (
    select jsonb_build_object(
      'total_transfers', coalesce(sum(k.transfers), 0), 'total_points', coalesce(sum(k.points), 0), 'last_transfer_at', max(k.last_at),
      'by_kind', coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'transfers', k.transfers, 'points', k.points) order by k.kind)
        filter (where k.transfers > 0), '[]'),
      'balances', jsonb_build_object('members', coalesce(sum(k.members), 0), 'startups', coalesce(sum(k.startups), 0), 'reserves', coalesce(sum(k.reserves), 0))
    )
    from (
      select l.kind,
        sum(l.entries) filter (where l.type = 'credit') as transfers, sum(l.points) filter (where l.type = 'credit') as points, max(l.last_at) as last_at,
        sum(e.points) filter (where l.account = 'user') as members, sum(e.points) filter (where l.account = 'startup') as startups,
        sum(e.points) filter (where l.account = 'reserve') as reserves
      from private.ledger_sums() l
      cross join lateral (select case l.type when 'credit' then l.points else -l.points end as points) e
      group by l.kind
    ) k
  );
end $$;
comment on function public.get_points_transfer_stats() is
  'total_transfers, total_points, last_transfer_at, by_kind, and what members, projects and reserves hold (DB-26), all from the sums of the ledger, which it brings forward. Admins only. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_points_transfer_stats() to authenticated, service_role;
