-- How long quests take: measured from a member's first view until all proofs are submitted, never stated by the owner (BEY-18).

create table private.quest_views (
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  user_id text not null,
  viewed_at timestamptz not null default now(),
  primary key (campaign_id, user_id)
);
comment on table private.quest_views is
  'When a member first opened the page of a quest that they had not started. Kept for 90 days; projects and admins never see who.';
create index quest_views_user on private.quest_views (user_id);
create index quest_views_viewed on private.quest_views (viewed_at);

create function public.record_quest_view(p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
begin
  -- Most calls are repeats and write nothing. Views beyond the limit are dropped, because a measurement must never break a page.
  if exists (select 1 from private.quest_views v where v.campaign_id = p_campaign_id and v.user_id = v_user)
    or not public.take_rate_limit('user:' || v_user, 'quest_view', 60, 60) then
    return;
  end if;
  insert into private.quest_views (campaign_id, user_id)
  select c.id, v_user from public.campaigns c join public.startup_profiles s on s.id = c.startup_id and s.owner_user_id <> v_user
  where c.id = p_campaign_id and c.status = 'published'
    and not exists (select 1 from public.submissions x where x.campaign_id = c.id and x.user_id = v_user)
  for key share of c
  on conflict do nothing;
end $$;
comment on function public.record_quest_view(uuid) is
  'Records the caller''s first view of a published quest that they neither own nor have started. More than sixty a minute are dropped. '
  'Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND.';
grant execute on function public.record_quest_view(uuid) to authenticated, service_role;

create function private.measure_quest(p_campaign_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  with latest as (
    select distinct l.user_id from (
      select s.user_id from public.submissions s where s.campaign_id = p_campaign_id order by s.submitted_at desc, s.id desc limit 200
    ) l
  ), taken as (
    -- A resubmitted proof keeps the time of the first one.
    select max(s.created_at) - v.viewed_at as span
    from latest l
    join private.quest_views v on v.campaign_id = p_campaign_id and v.user_id = l.user_id
    join public.tasks t on t.campaign_id = p_campaign_id
    left join public.submissions s on s.task_id = t.id and s.user_id = l.user_id and s.status <> 'rejected'
    group by v.user_id, v.viewed_at
    having count(s.id) = count(*)
  )
  select case when count(*) >= 5
    then greatest(1, ceil(percentile_cont(0.5) within group (order by extract(epoch from k.span)) / 60))::integer end
  from taken k where k.span between interval '0' and interval '4 hours'
$$;
comment on function private.measure_quest(uuid) is
  'Median minutes, rounded up, from a member''s first view until they had submitted a proof of every task. Measured on the members behind '
  'the latest 200 proofs who took at most 4 hours and were not rejected; null for fewer than five.';

create function private.measure_quests() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.take_ceiling('measure_quests', 1, 1, '1 hour') then
    return;
  end if;
  -- Skips a quest that is locked until the next run, so that no submission waits for this.
  with measured as materialized (
    select r.campaign_id, private.measure_quest(r.campaign_id) as minutes
    from (select distinct s.campaign_id from public.submissions s where s.submitted_at > now() - interval '2 hours') r
  ), changed as (
    select c.id, m.minutes from measured m join public.campaigns c on c.id = m.campaign_id
    where c.median_minutes is distinct from m.minutes for no key update of c skip locked
  )
  update public.campaigns c set median_minutes = x.minutes from changed x where c.id = x.id;
end $$;
comment on function private.measure_quests() is
  'Called on every tick of the outbox worker, effective once an hour: measures the quests with a proof in the last two hours, all '
  'or none.';
