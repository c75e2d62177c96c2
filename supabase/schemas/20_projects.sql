-- Projects (the code calls them startups): one per owner, reviewed by admins, verified at once in beta. The table of paid plans is here
-- too, because a new profile takes over its owner's plan; paying for one is in 21_subscriptions, editing a project in 31_project_changes,
-- moderating one in 36_moderation, deleting it in 70_deletion.

create type public.startup_status as enum ('pending', 'verified', 'rejected');

create table public.startup_profiles (
  id uuid primary key default gen_random_uuid(),
  owner_user_id text not null unique,
  name text not null check (length(name) between 1 and 120),
  logo_url text check (private.is_image_url(logo_url)),
  website text check (private.is_http_url(website)),
  description text check (length(description) <= 2000),
  industry text not null check (industry = any (private.industries())),
  status public.startup_status not null default 'pending',
  owner_email text,
  reviewed_by text,
  review_note text,
  reviewed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  checked_at timestamptz,
  suspended_at timestamptz,
  revoked_at timestamptz,
  is_public boolean not null generated always as (status = 'verified' and suspended_at is null) stored,
  former_name text,
  renamed_at timestamptz,
  changed_at timestamptz,
  changed_from jsonb,
  check ((former_name is null) = (renamed_at is null) and (changed_at is null) = (changed_from is null)),
  check (revoked_at is null or status <> 'verified')
);
comment on table public.startup_profiles is 'Projects that publish quests (DB-11). One per owner.';
comment on column public.startup_profiles.suspended_at is
  'Set while the owner is suspended (TRUST-18), and for good once the owner''s account is deleted.';
comment on column public.startup_profiles.revoked_at is 'When an admin revoked the verification; null again once verified (C-91).';
comment on column public.startup_profiles.is_public is 'Shown to everyone: verified, and its owner is not suspended.';
comment on column public.startup_profiles.former_name is 'What a verified project was called before renamed_at; shown for 30 days (C-96).';
comment on column public.startup_profiles.changed_at is
  'When a verified project last changed its name or website; null once an admin has looked at it (C-96).';
comment on column public.startup_profiles.changed_from is 'Name and website as an admin last saw them.';
comment on column public.startup_profiles.owner_email is
  'Verified address of the owner at creation. API roles can read it through admin procedures only.';
comment on column public.startup_profiles.checked_at is
  'When an admin checked the project; automatic verification in beta does not count. Once set, points from its trial budget are not held '
  '(C-94).';
comment on column public.startup_profiles.reviewed_by is
  '"questboard" for a decision of an admin, whose id is in the audit log only (C-102), or "beta" (RULE-03).';
create index startup_profiles_listing on public.startup_profiles (status, created_at desc, id desc);
create index startup_profiles_created on public.startup_profiles (created_at desc, id desc);
create index startup_profiles_search on public.startup_profiles
  using gin ((name || ' ' || coalesce(owner_email, '')) extensions.gin_trgm_ops);
create index startup_profiles_verified on public.startup_profiles (reviewed_at) where status = 'verified';
create index startup_profiles_skeleton on public.startup_profiles (private.project_skeleton(name)) where status = 'verified';
create index startup_profiles_logo on public.startup_profiles (private.logo_path(logo_url));
create index startup_profiles_public on public.startup_profiles (created_at desc, id desc) where is_public;
create index startup_profiles_changed on public.startup_profiles (changed_at) where changed_at is not null;
create trigger startup_profiles_touch before update on public.startup_profiles
  for each row execute function private.touch_updated_at();

create function private.own_startup_ids() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$ begin return query select s.id from public.startup_profiles s where s.owner_user_id = public.current_user_id(); end $$;
comment on function private.own_startup_ids() is 'Projects of the caller (at most one).';
grant execute on function private.own_startup_ids() to anon, authenticated, service_role;

alter table public.startup_profiles enable row level security, alter name set statistics 0, alter logo_url set statistics 0,
  alter website set statistics 0, alter description set statistics 0, alter former_name set statistics 0;
create policy startup_profiles_read on public.startup_profiles for select to anon, authenticated
  using (is_public or owner_user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy startup_profiles_read on public.startup_profiles is
  'Verified projects are public unless their owner is suspended; all others are visible to their owner and to admins.';
grant select (
  id, name, logo_url, website, description, industry, status, reviewed_at, created_at, updated_at, suspended_at, is_public, former_name,
  renamed_at
) on public.startup_profiles to anon, authenticated;
grant select on public.startup_profiles to service_role;

create function public.get_own_startup() returns setof public.startup_profiles
language sql stable security definer set search_path = ''
as $$ select s.* from public.startup_profiles s where s.owner_user_id = public.current_user_id() $$;
comment on function public.get_own_startup() is
  'The caller''s project, at most one row, including columns that others may not read: owner, address and the reviewer''s note.';
grant execute on function public.get_own_startup() to authenticated, service_role;

create function private.count_startup() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- OLD on insert and NEW on delete read as rows of nulls.
  insert into private.counter_deltas (name, change)
  select c.name, sum(c.change) from (values
    ('verified_startups', coalesce(new.is_public::integer, 0) - coalesce(old.is_public::integer, 0)),
    ('industry:' || old.industry, -1), ('industry:' || new.industry, 1)
  ) c (name, change) where c.name is not null group by c.name having sum(c.change) <> 0;
  return null;
end $$;
comment on function private.count_startup() is 'Trigger: maintains the counters of public projects and of projects per industry.';
create trigger startup_profiles_count after insert or delete or update of status, suspended_at, industry on public.startup_profiles
  for each row execute function private.count_startup();

create table private.logo_imports (
  startup_id uuid primary key references public.startup_profiles (id) on delete cascade,
  url text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
comment on table private.logo_imports is
  'Projects whose logo is still an external URL, which no page shows. The function import-logos tries three times.';
create index logo_imports_due on private.logo_imports (next_attempt_at) where attempts < 3;

create function private.request_logo_import() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.logo_url ~* '^https?://' and private.logo_path(new.logo_url) is null then
    insert into private.logo_imports (startup_id, url) values (new.id, new.logo_url)
    on conflict (startup_id) do update set url = excluded.url, attempts = 0, next_attempt_at = now();
  else
    delete from private.logo_imports i where i.startup_id = new.id;
  end if;
  return null;
end $$;
comment on function private.request_logo_import() is
  'Trigger: queues an external logo to be fetched; one in our own bucket needs no import.';
create trigger startup_profiles_request_logo_new after insert on public.startup_profiles
  for each row when (new.logo_url is not null) execute function private.request_logo_import();
create trigger startup_profiles_request_logo_change after update of logo_url on public.startup_profiles
  for each row when (old.logo_url is distinct from new.logo_url) execute function private.request_logo_import();

-- Paid plans ----------------------------------------------------------------------------------------------------------

create type public.subscription_status as enum ('active', 'refunded', 'disputed', 'cancelled', 'expired');

create table public.subscriptions (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid references public.startup_profiles (id) on delete set null,
  owner_user_id text not null,
  plan_id text not null check (plan_id = 'og_lifetime'),
  status public.subscription_status not null default 'active',
  current_period_end timestamptz,
  payment_ref text not null unique,
  amount_cents integer not null check (amount_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  receipt_url text check (private.is_http_url(receipt_url))
);
comment on table public.subscriptions is 'Paid plans of projects (DB-20). Written by the payment webhook''s procedures only.';
comment on column public.subscriptions.status is
  'A plan whose period is over keeps the status active until the next payment or worker tick expires it; use private.is_running.';
comment on column public.subscriptions.current_period_end is 'Null: never ends (C-21).';
comment on column public.subscriptions.payment_ref is 'The payment''s id at the provider, which refunds and disputes refer to.';
comment on column public.subscriptions.receipt_url is 'URL of the provider''s receipt or invoice. Removed with the owner''s account.';
create unique index subscriptions_one_active on public.subscriptions (owner_user_id, plan_id) where status = 'active';
create index subscriptions_startup on public.subscriptions (startup_id);
create index subscriptions_active on public.subscriptions (plan_id) where status = 'active';
create trigger subscriptions_touch before update on public.subscriptions
  for each row execute function private.touch_updated_at();

alter table public.subscriptions enable row level security, alter payment_ref set statistics 0, alter receipt_url set statistics 0;
create policy subscriptions_read on public.subscriptions for select to authenticated
  using (owner_user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy subscriptions_read on public.subscriptions is 'The owner and admins (SEC-13).';
grant select on public.subscriptions to authenticated, service_role;

create function private.is_running(p_subscription public.subscriptions) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return p_subscription.plan_id = 'og_lifetime' and p_subscription.status = 'active'
    and (p_subscription.current_period_end is null or p_subscription.current_period_end >= now());
end $$;
comment on function private.is_running(public.subscriptions) is
  'The single definition of an active plan, for limits, slots, badge and renewal: plan og_lifetime, status active, period not over '
  '(SUBS-07, C-110).';

create function private.has_active_subscription(p_startup_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select 1 from public.subscriptions s where s.startup_id = p_startup_id and private.is_running(s)) $$;
comment on function private.has_active_subscription(uuid) is 'Whether a plan of the project is active.';

create function private.is_on_trial(p_startup_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select (private.settings()).beta_mode or not private.has_active_subscription(p_startup_id) $$;
comment on function private.is_on_trial(uuid) is
  'During the beta, trial limits apply to everyone; afterwards an active subscription lifts them (RULE-18, C-22).';

create function private.sync_og_badge(p_user_id text) returns void
language sql security definer set search_path = ''
as $$
  update public.user_profiles p set og_badge = exists (
    select 1 from public.subscriptions s where s.owner_user_id = p.user_id and private.is_running(s)
  ) where p.user_id = p_user_id
$$;
comment on function private.sync_og_badge(text) is 'Sets or clears the OG badge: shown while a plan is active (C-58).';

create function private.take_over_plan(p_startup public.startup_profiles) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- One plan: several accounts may have paid before they turned out to be one person's.
  update public.subscriptions s set startup_id = p_startup.id, owner_user_id = p_startup.owner_user_id
  where s.id = (
    select o.id from public.subscriptions o join private.deleted_users d on d.user_id = o.owner_user_id
    where o.status = 'active' and o.owner_user_id = any (private.accounts_of_person(p_startup.owner_user_id))
    order by o.created_at, o.id limit 1
  ) and not exists (
    select 1 from public.subscriptions own
    where own.owner_user_id = p_startup.owner_user_id and own.plan_id = s.plan_id and own.status = 'active');
  if found then
    perform private.sync_og_badge(p_startup.owner_user_id);
  end if;
end $$;
comment on function private.take_over_plan(public.startup_profiles) is
  'A plan that the project''s owner has paid for under an account that is deleted now goes to this project (C-81).';

create function private.reattach_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.subscriptions s set startup_id = new.id where s.owner_user_id = new.owner_user_id;
  perform private.take_over_plan(new);
  return null;
end $$;
comment on function private.reattach_subscriptions() is
  'Trigger: an owner who recreates the project profile keeps the plan paid for the old one, even after deleting the account and signing up '
  'again with the same mailbox (C-81).';
create trigger startup_profiles_reattach_subscriptions after insert on public.startup_profiles
  for each row execute function private.reattach_subscriptions();

-- What owners and admins do -------------------------------------------------------------------------------------------

create function private.require_owned_startup(
  p_startup_id uuid, p_code text default 'FORBIDDEN', p_message text default 'Forbidden'
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if v_startup.owner_user_id <> v_user then
    perform private.raise_error(p_code, p_message, 403);
  end if;
  -- The owner may have been suspended or erased while this call waited for the lock.
  perform private.require_user();
  return v_startup;
end $$;
comment on function private.require_owned_startup(uuid, text, text) is
  'Locks and returns the project when it is the caller''s. The lock serialises everything that counts a project''s quests. Errors: '
  'UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, FORBIDDEN (SEC-13).';

create function private.check_name_is_free(p_name text, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_skeleton text := private.project_skeleton(p_name);
begin
  -- Serialises owners who claim the same name at the same time.
  perform pg_advisory_xact_lock(hashtextextended('project_name:' || v_skeleton, 0));
  if exists (
    select 1 from public.startup_profiles s
    where s.status = 'verified' and private.project_skeleton(s.name) = v_skeleton and s.owner_user_id <> p_owner
  ) then
    perform private.raise_error('NAME_TAKEN', 'This name looks like that of another project. Please choose another one.', 409);
  end if;
end $$;
comment on function private.check_name_is_free(text, text) is
  'Refuses a name that can be confused with another verified project''s (C-96). Errors: NAME_TAKEN.';

create function private.has_had_trial_elsewhere(p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from unnest(private.accounts_of_person(p_owner)) a (user_id)
    join public.transfers t on t.idempotency_key = 'trial_budget:' || a.user_id
    where a.user_id <> p_owner
  );
end $$;
comment on function private.has_had_trial_elsewhere(text) is 'Whether another account of the same person got the trial budget (C-81).';

create function private.grant_trial_budget(p_startup_id uuid, p_owner text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_points integer := (private.settings()).trial_budget_points;
begin
  perform private.lock_person(p_owner);
  if v_points = 0 or private.has_had_trial_elsewhere(p_owner)
    or not exists (select 1 from private.known_mailboxes k where k.user_id = p_owner) then
    return 0;
  end if;
  perform private.transfer(null, private.startup_wallet(p_startup_id, p_owner), v_points, 'trial_budget', 'Trial budget',
    'trial_budget:' || p_owner, p_trial_points => v_points);
  return v_points;
end $$;
comment on function private.grant_trial_budget(uuid, text) is
  'Grants the trial budget once per person (C-02, C-81); without a verified address, as soon as there is one. Returns the points granted, '
  'now or earlier; 0 when another account of the same person received them.';

create function private.project_record(p_startup public.startup_profiles) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('name', p_startup.name, 'industry', p_startup.industry, 'status', p_startup.status) $$;
comment on function private.project_record(public.startup_profiles) is
  'A project as the audit log records it, without anything that must be erased with its owner (TRUST-28).';

create function private.mark_verified(p_startup_id uuid, p_reviewer text, p_note text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_points integer;
begin
  update public.startup_profiles s set status = 'verified', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now(),
    checked_at = case when p_reviewer = 'beta' then s.checked_at else now() end,
    revoked_at = null
  where s.id = p_startup_id and s.status <> 'verified' returning s.* into v_startup;
  if v_startup.id is null then
    return;
  elsif v_startup.checked_at is not null then
    perform private.release_project_holds(v_startup.owner_user_id, 'project_checked');
  end if;
  update public.user_profiles set role = 'startup_verified'
  where user_id = v_startup.owner_user_id and role = 'startup_unverified';
  v_points := private.grant_trial_budget(p_startup_id, v_startup.owner_user_id);
  insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, reason, decided_by)
  values (p_startup_id, v_startup.owner_user_id, v_startup.name, 'verified', p_note, p_reviewer);
  if public.take_rate_limit('user:' || v_startup.owner_user_id, 'startup_verified', 1, 86400) then
    perform private.enqueue_event('StartupVerified', v_startup.owner_user_id,
      jsonb_build_object('startup_id', p_startup_id, 'name', v_startup.name, 'trial_points',
        case when v_points > 0 or private.has_had_trial_elsewhere(v_startup.owner_user_id) then v_points end));
  end if;
end $$;
comment on function private.mark_verified(uuid, text, text) is
  'Verifies a project once: status, owner''s role (C-10), trial budget once per person (C-02, C-81), StartupVerified (RULE-15) at most '
  'once per day and owner, because it is mailed (TRUST-27). Its trial_points: null when there are none yet or the setting is 0; 0 only '
  'when another account of the same person received them.';
