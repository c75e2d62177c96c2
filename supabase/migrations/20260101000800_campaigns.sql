-- Quests (the code calls them campaigns) and their tasks: tables, counters, who sees what.

create type public.campaign_status as enum ('draft', 'published', 'closed');
create type public.task_type as enum ('visit', 'signup', 'share', 'follow', 'custom', 'others');
create type public.proof_type as enum ('screenshot', 'link', 'text');

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid not null references public.startup_profiles (id) on delete restrict,
  title text not null check (length(title) between 1 and 200),
  summary text not null default '' check (length(summary) <= 500),
  details_md text not null default '' check (length(details_md) <= 10000),
  budget_points integer not null default 0 check (budget_points between 0 and 1000000),
  budget_cash_cents integer not null default 0 check (budget_cash_cents = 0),
  status public.campaign_status not null default 'draft',
  custom_reward_title text check (length(custom_reward_title) <= 200),
  custom_reward_description text check (length(custom_reward_description) <= 2000),
  collect_emails boolean not null default false,
  email_collection_purpose text check (length(email_collection_purpose) <= 500),
  hold_reason text check (length(hold_reason) <= 1000),
  held_by text,
  held_at timestamptz,
  task_count integer not null default 0,
  task_reward_sum integer not null default 0,
  total_slots integer not null default 0,
  submission_count integer not null default 0,
  participant_count integer not null default 0,
  pending_count integer not null default 0,
  approved_count integer not null default 0,
  points_distributed bigint not null default 0,
  open_slots integer generated always as (total_slots - approved_count - pending_count) stored,
  is_full boolean generated always as (total_slots - approved_count - pending_count <= 0) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  closed_at timestamptz,
  check (least(submission_count, participant_count, pending_count, approved_count, points_distributed) >= 0),
  check ((held_at is null) = (hold_reason is null) and (held_at is null) = (held_by is null)),
  check (status <> 'published' or (published_at is not null and held_at is null))
);
comment on table public.campaigns is 'Quests of projects (DB-03), with the counters that lists and statistics read. Written by procedures only.';
comment on column public.campaigns.budget_points is 'Most points the quest''s tasks may pay out in total.';
comment on column public.campaigns.hold_reason is 'Moderation hold by an admin: the owner sees why and cannot publish until it is lifted (C-25).';
comment on column public.campaigns.task_reward_sum is 'Sum of the tasks'' reward points, for the average on cards (HUB-10).';
comment on column public.campaigns.total_slots is 'Sum of the tasks'' max_completions.';
comment on column public.campaigns.participant_count is 'Members with at least one submission.';
comment on column public.campaigns.points_distributed is 'Points paid to members, less reversals.';
comment on column public.campaigns.is_full is 'No open slots. The index names this and not open_slots, so that counting a submission stays a heap-only update.';
comment on column public.campaigns.open_slots is 'Slots that neither an approved nor a pending submission holds (TRUST-04). Zero or less: the quest is full.';
create index campaigns_startup on public.campaigns (startup_id, created_at desc);
create index campaigns_published_new on public.campaigns (published_at desc, id desc) where status = 'published';
create index campaigns_published_reward on public.campaigns (budget_points desc, published_at desc, id desc) where status = 'published';
create index campaigns_published_open on public.campaigns (published_at desc, id desc) where status = 'published' and not is_full;
create index campaigns_search on public.campaigns using gin ((title || ' ' || summary) extensions.gin_trgm_ops) where status = 'published';

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  title text not null check (length(title) between 1 and 200),
  type public.task_type not null,
  instructions_md text not null default '' check (length(instructions_md) <= 5000),
  reward_points integer not null check (reward_points between 0 and 1000),
  max_completions integer not null check (max_completions between 1 and 100000),
  requires_proof boolean not null default true,
  proof_type public.proof_type not null default 'text',
  auto_verify boolean not null default false,
  order_index integer not null default 0,
  approved_count integer not null default 0,
  pending_count integer not null default 0,
  pending_points integer not null default 0,
  created_at timestamptz not null default now(),
  check (least(approved_count, pending_count, pending_points) >= 0 and approved_count + pending_count <= max_completions)
);
comment on table public.tasks is 'Tasks of a quest (DB-06).';
comment on column public.tasks.auto_verify is 'Outside beta, a task without proof that is auto-verified is approved at once (C-06).';
comment on column public.tasks.pending_points is 'Points promised to pending submissions.';
create index tasks_campaign on public.tasks (campaign_id, order_index, id);

-- Who sees what ----------------------------------------------------------------------------------------------------------

create function private.has_participated(p_campaign_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.submissions s where s.campaign_id = p_campaign_id and s.user_id = public.current_user_id()
  );
end $$;
comment on function private.has_participated(uuid) is 'The caller has a submission in the quest: they keep seeing it after it is closed.';
grant execute on function private.has_participated(uuid) to authenticated, service_role;

alter table public.campaigns enable row level security;
create policy campaigns_read_public on public.campaigns for select to anon using (status = 'published');
comment on policy campaigns_read_public on public.campaigns is 'Visitors see published quests only (RULE-14).';
create policy campaigns_read on public.campaigns for select to authenticated
  using (
    status = 'published'
    or startup_id = any (array(select private.own_startup_ids()))
    or (select private.is_admin())
    or private.has_participated(id)
  );
comment on policy campaigns_read on public.campaigns is 'Published quests, one''s own, those one took part in; admins see all.';
grant select on public.campaigns to anon, authenticated, service_role;

alter table public.tasks enable row level security;
create policy tasks_read on public.tasks for select to anon, authenticated
  using (exists (select 1 from public.campaigns c where c.id = campaign_id));
comment on policy tasks_read on public.tasks is 'Who sees the quest sees its tasks: the inner query is under the campaigns'' own policies.';
grant select on public.tasks to anon, authenticated, service_role;

-- Counters and reserve ---------------------------------------------------------------------------------------------------

create function private.reserve_wallet(p_campaign_id uuid, p_owner text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  select w.id into v_id from public.wallets w where w.campaign_id = p_campaign_id;
  if v_id is null then
    insert into public.wallets (kind, owner_user_id, campaign_id) values ('reserve', p_owner, p_campaign_id) returning id into v_id;
  end if;
  return v_id;
end $$;
comment on function private.reserve_wallet(uuid, text) is 'The quest''s reserve: points taken from the project up front and held for the members (C-01).';

create function private.required_reserve(p_campaign_id uuid) returns bigint
language sql stable set search_path = ''
as $$
  select coalesce(sum(t.pending_points + case when c.status = 'closed' then 0
    else t.reward_points::bigint * (t.max_completions - t.approved_count - t.pending_count) end), 0)
  from public.campaigns c join public.tasks t on t.campaign_id = c.id
  where c.id = p_campaign_id
$$;
comment on function private.required_reserve(uuid) is
  'Points the quest may still have to pay: what is promised to pending submissions and, unless it is closed, every free slot at today''s reward.';

create function private.settle_reserve(p_campaign_id uuid, p_startup_id uuid, p_owner text, p_required bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reserve uuid := private.reserve_wallet(p_campaign_id, p_owner);
  v_startup uuid := private.startup_wallet(p_startup_id, p_owner);
  v_title text;
  v_points bigint;
begin
  select c.title into v_title from public.campaigns c where c.id = p_campaign_id;
  perform 1 from public.wallets w where w.id = v_startup for no key update;
  select w.points into v_points from public.wallets w where w.id = v_reserve for no key update;
  if p_required > v_points then
    perform private.transfer(v_startup, v_reserve, p_required - v_points, 'reserve', format('Reserved for quest "%s"', v_title),
      p_campaign_id => p_campaign_id);
  elsif p_required < v_points then
    perform private.transfer(v_reserve, v_startup, v_points - p_required, 'release', format('Released from quest "%s"', v_title),
      p_campaign_id => p_campaign_id);
  end if;
end $$;
comment on function private.settle_reserve(uuid, uuid, text, bigint) is
  'Brings the reserve to what is required: debits the project for the difference or gives it back (RULE-09, C-01). Errors: INSUFFICIENT_POINTS.';

create function private.settle_affordable(p_campaign_id uuid, p_startup_id uuid, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reserve uuid := private.reserve_wallet(p_campaign_id, p_owner);
  v_startup uuid := private.startup_wallet(p_startup_id, p_owner);
  v_points bigint;
begin
  perform 1 from public.wallets w where w.id = v_startup for no key update;
  perform 1 from public.wallets w where w.id = v_reserve for no key update;
  select sum(w.points) into v_points from public.wallets w where w.id in (v_startup, v_reserve);
  perform private.settle_reserve(p_campaign_id, p_startup_id, p_owner, least(private.required_reserve(p_campaign_id), v_points));
end $$;
comment on function private.settle_affordable(uuid, uuid, text) is
  'For slots that become free by a decision: the reserve keeps what they cost today, as far as the project can pay, and gives the rest back. Never refuses.';

create function private.recount_tasks(p_campaign_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.campaigns c set
    task_count = t.task_count, task_reward_sum = t.reward_sum, total_slots = t.slots, updated_at = now()
  from (
    select count(*)::integer as task_count, coalesce(sum(reward_points), 0)::integer as reward_sum,
      coalesce(sum(max_completions), 0)::integer as slots
    from public.tasks where campaign_id = p_campaign_id
  ) t
  where c.id = p_campaign_id
$$;
comment on function private.recount_tasks(uuid) is 'Refreshes the quest''s task figures after its tasks changed.';

create function private.require_owned_campaign(p_campaign_id uuid, p_kept_tasks uuid[] default null) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_startup uuid;
begin
  select c.startup_id into v_startup from public.campaigns c where c.id = p_campaign_id;
  if v_startup is null then
    perform private.require_user();
    perform private.fail('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  -- Lock order: project, submissions (those that go with their task), tasks, quest.
  perform private.require_owned_startup(v_startup);
  if p_kept_tasks is not null then
    perform 1 from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks) order by s.id for update;
  end if;
  perform 1 from public.tasks t where t.campaign_id = p_campaign_id order by t.id for no key update;
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id for no key update;
  if v_campaign.id is null then
    perform private.fail('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  return v_campaign;
end $$;
comment on function private.require_owned_campaign(uuid, uuid[]) is
  'Locks and returns a quest of the caller''s project. p_kept_tasks: all other tasks are about to be deleted, so their submissions are locked first, in the order that reviews lock. Errors: UNAUTHENTICATED, CAMPAIGN_NOT_FOUND, FORBIDDEN (C-42).';

create function private.count_campaign() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A row that is not there (old at an insert, new at a delete) reads as nulls. "active_budgets": of quests with an approved submission (DATA-06).
  insert into private.count_changes (name, change)
  select c.name, c.change from (values
    ('published_campaigns', coalesce((new.status = 'published')::integer, 0) - coalesce((old.status = 'published')::integer, 0)),
    ('submissions', coalesce(new.submission_count, 0) - coalesce(old.submission_count, 0)),
    ('approved_submissions', coalesce(new.approved_count, 0) - coalesce(old.approved_count, 0)),
    ('active_budgets', case when new.approved_count > 0 then new.budget_points else 0 end - case when old.approved_count > 0 then old.budget_points else 0 end)
  ) c (name, change) where c.change <> 0;
  return null;
end $$;
comment on function private.count_campaign() is 'Trigger: keeps the counts that quests add up to.';
create trigger campaigns_count_row after insert or delete on public.campaigns
  for each row execute function private.count_campaign();
create trigger campaigns_count_change after update on public.campaigns
  for each row when (
    old.approved_count <> new.approved_count or old.submission_count <> new.submission_count
    or old.status <> new.status or old.budget_points <> new.budget_points
  ) execute function private.count_campaign();
