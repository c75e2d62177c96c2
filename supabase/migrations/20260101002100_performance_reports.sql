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

create table private.transfer_totals (
  kind public.transfer_kind primary key,
  transfers bigint not null,
  points bigint not null,
  last_at timestamptz not null
);
comment on table private.transfer_totals is 'Sums of the ledger''s transfers up to private.transfer_totals_until: the ledger only grows, so what was summed once stays summed.';
create table private.transfer_totals_until (
  id boolean primary key default true check (id),
  last_id bigint not null
);
comment on table private.transfer_totals_until is 'The last ledger row that private.transfer_totals counts.';
insert into private.transfer_totals_until (last_id) values (0);

create function private.sum_transfers(p_after bigint, p_until bigint) returns setof private.transfer_totals
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select t.kind, count(*), sum(t.points)::bigint, max(t.created_at) from public.transactions t
    where t.id > p_after and t.id <= p_until and t.type = 'credit' group by t.kind;
end $$;
comment on function private.sum_transfers(bigint, bigint) is 'Transfers per kind whose credit row lies in a range of ids.';

create function private.advance_transfer_totals() returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_after bigint;
  v_until bigint;
begin
  select u.last_id into v_after from private.transfer_totals_until u for no key update;
  -- No transaction lasts an hour, so rows this old have no late neighbours with smaller ids.
  select t.id into v_until from public.transactions t
  where t.created_at < now() - interval '1 hour' and t.id > v_after order by t.id desc limit 1;
  if v_until is null then
    return v_after;
  end if;
  insert into private.transfer_totals as t select s.* from private.sum_transfers(v_after, v_until) s
  on conflict (kind) do update set transfers = t.transfers + excluded.transfers, points = t.points + excluded.points,
    last_at = greatest(t.last_at, excluded.last_at);
  update private.transfer_totals_until set last_id = v_until;
  return v_until;
end $$;
comment on function private.advance_transfer_totals() is 'Adds the rows that are over an hour old to the kept sums; returns the id of the last row counted.';

create function public.get_points_transfer_stats() returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_until bigint;
begin
  perform private.require_admin();
  v_until := private.advance_transfer_totals();
  return (
    select jsonb_build_object(
      'total_transfers', coalesce(sum(k.transfers), 0), 'total_points', coalesce(sum(k.points), 0), 'last_transfer_at', max(k.last_at),
      'by_kind', coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'transfers', k.transfers, 'points', k.points) order by k.kind), '[]'),
      'balances', (
        select jsonb_build_object(
          'members', coalesce(sum(w.points) filter (where w.kind = 'user'), 0),
          'startups', coalesce(sum(w.points) filter (where w.kind = 'startup'), 0),
          'reserves', coalesce(sum(w.points) filter (where w.kind = 'reserve'), 0)
        )
        from public.wallets w
      )
    )
    from (
      select t.kind, sum(t.transfers) as transfers, sum(t.points) as points, max(t.last_at) as last_at
      from (select * from private.transfer_totals union all select * from private.sum_transfers(v_until, 9223372036854775807)) t
      group by t.kind
    ) k
  );
end $$;
comment on function public.get_points_transfer_stats() is
  'total_transfers, total_points, last_transfer_at, by_kind, and what members, projects and reserves hold (DB-26). The balances are read from the wallets; transfers over an hour old are summed once and kept. Admins only. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_points_transfer_stats() to authenticated, service_role;
