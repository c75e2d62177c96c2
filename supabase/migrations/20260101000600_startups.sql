-- Projects (the code calls them startups): one per owner, reviewed by admins, verified at once in beta.

create type public.startup_status as enum ('pending', 'verified', 'rejected');

create function private.industries() returns text[]
language sql immutable set search_path = ''
as $$
  select array[
    'Technology', 'Fintech', 'Healthcare', 'Education', 'E-commerce', 'SaaS', 'AI/ML', 'Blockchain/Crypto', 'Gaming', 'Social Media',
    'Real Estate', 'Food & Beverage', 'Fashion', 'Travel', 'Transportation', 'Energy', 'Manufacturing', 'Media & Entertainment',
    'Non-profit', 'Other'
  ]
$$;
comment on function private.industries() is 'The 20 industries (HUB-03).';

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
  updated_at timestamptz not null default now()
);
comment on table public.startup_profiles is 'Projects that publish quests (DB-11). One per owner.';
comment on column public.startup_profiles.owner_email is 'Verified address of the owner at creation; readable by no API role but through admin procedures.';
comment on column public.startup_profiles.reviewed_by is 'Admin who decided, or "beta" for the automatic verification (RULE-03).';
create index startup_profiles_listing on public.startup_profiles (status, created_at desc, id desc);
create trigger startup_profiles_touch before update on public.startup_profiles
  for each row execute function private.touch_updated_at();

create function private.own_startup_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$ select s.id from public.startup_profiles s where s.owner_user_id = public.current_user_id() $$;
comment on function private.own_startup_ids() is 'Projects of the caller (at most one).';
grant execute on function private.own_startup_ids() to anon, authenticated, service_role;

alter table public.startup_profiles enable row level security;
create policy startup_profiles_read on public.startup_profiles for select to anon, authenticated
  using (status = 'verified' or owner_user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy startup_profiles_read on public.startup_profiles is 'Verified projects are public; others are seen by their owner and by admins.';
grant select (id, owner_user_id, name, logo_url, website, description, industry, status, review_note, reviewed_at, created_at, updated_at)
  on public.startup_profiles to anon, authenticated;
grant select on public.startup_profiles to service_role;

-- Rules ----------------------------------------------------------------------------------------------------------------

create function private.require_owned_startup(p_startup_id uuid, p_message text default 'Forbidden') returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_startup.id is null then
    perform private.fail('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if v_startup.owner_user_id <> v_user then
    perform private.fail('FORBIDDEN', p_message, 403);
  end if;
  return v_startup;
end $$;
comment on function private.require_owned_startup(uuid, text) is
  'Locks and returns the project when it is the caller''s. The lock serialises everything that counts a project''s quests. Errors: STARTUP_NOT_FOUND, FORBIDDEN (SEC-13).';

create function private.checked_url(p_url text, p_code text, p_message text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_url text := private.clean(p_url);
begin
  if v_url is null then
    return null;
  end if;
  if v_url !~* '^[a-z][a-z0-9+.-]*://' then
    v_url := 'https://' || v_url;
  end if;
  if not private.is_http_url(v_url) then
    perform private.fail(p_code, p_message, 400);
  end if;
  return v_url;
end $$;
comment on function private.checked_url(text, text, text) is 'Address with https:// put before it when it has no scheme (SPROF-03); raises the given error when it is none.';

create function private.checked_image_url(p_url text, p_code text) returns text
language sql immutable set search_path = ''
as $$
  select case when private.clean(p_url) like '/%' and private.is_image_url(private.clean(p_url)) then private.clean(p_url)
    else private.checked_url(p_url, p_code, 'Please enter a valid image URL') end
$$;
comment on function private.checked_image_url(text, text) is 'Address of a picture, or the given error with the sentence of SPROF-03.';

create function private.checked_startup_text(p_name text, p_name_message text, p_description text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if private.clean(p_name) is null then
    perform private.fail('NAME_REQUIRED', p_name_message, 400);
  end if;
  if length(private.clean(p_name)) > 120 then
    perform private.fail('NAME_TOO_LONG', 'Please use a shorter name', 400);
  end if;
  if length(p_description) > 2000 then
    perform private.fail('DESCRIPTION_TOO_LONG', 'Please use a shorter description', 400);
  end if;
  return private.clean(p_name);
end $$;
comment on function private.checked_startup_text(text, text, text) is 'Trimmed name. Errors: NAME_REQUIRED, NAME_TOO_LONG, DESCRIPTION_TOO_LONG.';

create function private.startup_wallet(p_startup_id uuid, p_owner text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  insert into public.wallets (kind, owner_user_id, startup_id) values ('startup', p_owner, p_startup_id)
  on conflict (owner_user_id) where kind = 'startup' do update set startup_id = excluded.startup_id
    where wallets.startup_id is distinct from excluded.startup_id;
  select w.id into v_id from public.wallets w where w.owner_user_id = p_owner and w.kind = 'startup';
  return v_id;
end $$;
comment on function private.startup_wallet(uuid, text) is 'The owner''s project wallet, attached to this profile: a re-created profile takes over the old balance (C-02).';

create function private.mark_verified(p_startup_id uuid, p_reviewer text, p_note text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_grant integer := (private.settings()).trial_budget_points;
begin
  update public.startup_profiles s set status = 'verified', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now()
  where s.id = p_startup_id and s.status <> 'verified' returning s.* into v_startup;
  if v_startup.id is null then
    return;
  end if;
  update public.user_profiles set role = 'startup_verified'
  where user_id = v_startup.owner_user_id and role = 'startup_unverified';
  if v_grant > 0 then
    perform private.transfer(null, private.startup_wallet(p_startup_id, v_startup.owner_user_id), v_grant,
      'trial_budget', 'Trial budget', 'trial_budget:' || v_startup.owner_user_id);
  end if;
  perform private.emit('StartupVerified', v_startup.owner_user_id, jsonb_build_object('startup_id', p_startup_id, 'name', v_startup.name));
end $$;
comment on function private.mark_verified(uuid, text, text) is
  'Verifies a project once: status, owner''s role (C-10), trial budget once per owner (C-02), StartupVerified (RULE-15).';

create function public.create_startup_profile(
  p_name text, p_website text default null, p_logo_url text default null, p_description text default null, p_industry text default null
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_name text := private.checked_startup_text(p_name, 'Project name is required', p_description);
  v_startup public.startup_profiles;
begin
  if p_industry is null or p_industry <> all (private.industries()) then
    perform private.fail('INDUSTRY_REQUIRED', 'Please select an industry', 400);
  end if;
  insert into public.startup_profiles (owner_user_id, name, website, logo_url, description, industry, owner_email)
  values (
    v_user, v_name,
    private.checked_url(p_website, 'INVALID_WEBSITE', 'Please enter a valid URL'),
    private.checked_image_url(p_logo_url, 'INVALID_LOGO_URL'),
    private.clean(p_description), p_industry, private.claim_email()
  )
  on conflict (owner_user_id) do nothing returning * into v_startup;
  if v_startup.id is null then
    perform private.fail('STARTUP_EXISTS', 'You already have a project profile', 409);
  end if;
  perform private.startup_wallet(v_startup.id, v_user);
  if (private.settings()).beta_mode then
    perform private.mark_verified(v_startup.id, 'beta', 'Verified automatically in beta');
  end if;
  select s.* into v_startup from public.startup_profiles s where s.id = v_startup.id;
  return v_startup;
end $$;
comment on function public.create_startup_profile(text, text, text, text, text) is
  'Verification request of the caller''s project; verified at once in beta (SPROF-01, RULE-03, C-62). Errors: NAME_REQUIRED, NAME_TOO_LONG, DESCRIPTION_TOO_LONG, INDUSTRY_REQUIRED, INVALID_WEBSITE, INVALID_LOGO_URL, STARTUP_EXISTS.';
grant execute on function public.create_startup_profile(text, text, text, text, text) to authenticated, service_role;

create function public.update_startup_profile(
  p_startup_id uuid, p_name text, p_website text default null, p_logo_url text default null, p_description text default null
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_name text := private.checked_startup_text(p_name, 'Company name is required', p_description);
  v_before public.startup_profiles;
  v_startup public.startup_profiles;
begin
  if not private.is_admin() then
    perform private.require_owned_startup(p_startup_id);
  end if;
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  update public.startup_profiles s set
    name = v_name,
    website = private.checked_url(p_website, 'INVALID_WEBSITE', 'Please enter a valid URL'),
    logo_url = private.checked_image_url(p_logo_url, 'INVALID_LOGO_URL'),
    description = private.clean(p_description)
  where s.id = p_startup_id returning s.* into v_startup;
  if v_startup.id is null then
    perform private.fail('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if v_startup.owner_user_id <> v_user then
    perform private.audit(v_user, 'startup.update', 'startup', p_startup_id::text,
      to_jsonb(v_before) - 'owner_email', to_jsonb(v_startup) - 'owner_email');
  end if;
  return v_startup;
end $$;
comment on function public.update_startup_profile(uuid, text, text, text, text) is
  'Owner or admin (C-31) edits a project (SPROF-06). Errors: NAME_REQUIRED, NAME_TOO_LONG, DESCRIPTION_TOO_LONG, INVALID_WEBSITE, INVALID_LOGO_URL, STARTUP_NOT_FOUND, FORBIDDEN.';
grant execute on function public.update_startup_profile(uuid, text, text, text, text) to authenticated, service_role;

create function public.delete_startup_profile(p_startup_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_count integer;
begin
  perform private.require_owned_startup(p_startup_id, 'You don''t have permission to delete this startup profile');
  select count(*) into v_count from public.campaigns c where c.startup_id = p_startup_id;
  if v_count > 0 then
    perform private.fail('STARTUP_HAS_QUESTS', format(
      'Cannot delete startup profile: You have %s active quest(s). Please delete all quests first before deleting your profile.', v_count), 409);
  end if;
  update public.wallets set startup_id = null where startup_id = p_startup_id;
  delete from public.startup_profiles where id = p_startup_id;
end $$;
comment on function public.delete_startup_profile(uuid) is
  'Owner deletes the project once it has no quests (SPROF-08, C-24); its wallet waits for a new profile (C-02). Errors: STARTUP_NOT_FOUND, FORBIDDEN, STARTUP_HAS_QUESTS.';
grant execute on function public.delete_startup_profile(uuid) to authenticated, service_role;

create function public.set_startup_status(p_startup_id uuid, p_status text, p_note text default null) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.startup_profiles;
  v_after public.startup_profiles;
begin
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_before.id is null then
    perform private.fail('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if p_status is null or p_status not in ('verified', 'rejected') then
    perform private.fail('INVALID_STATUS', 'Unknown status', 400);
  end if;
  if p_status = 'rejected' and private.clean(p_note) is null then
    perform private.fail('REASON_REQUIRED', 'A reason is required', 400);
  end if;
  -- Pending may go either way, a rejected project may be approved later; a verified one stays (C-62).
  if v_before.status = 'verified' or v_before.status::text = p_status then
    perform private.fail('STATUS_FINAL', 'This project has already been reviewed', 409);
  end if;
  if p_status = 'verified' then
    perform private.mark_verified(p_startup_id, v_admin, coalesce(private.clean(p_note), 'Approved by admin'));
  else
    update public.startup_profiles s set status = 'rejected', reviewed_by = v_admin, review_note = left(private.clean(p_note), 500), reviewed_at = now()
    where s.id = p_startup_id;
  end if;
  select s.* into v_after from public.startup_profiles s where s.id = p_startup_id;
  perform private.audit(v_admin, 'startup.' || p_status, 'startup', p_startup_id::text,
    jsonb_build_object('status', v_before.status), jsonb_build_object('status', v_after.status), p_note);
  return v_after;
end $$;
comment on function public.set_startup_status(uuid, text, text) is
  'Admin verifies or rejects (with reason) a project (RULE-15, ADMIN-03). Errors: FORBIDDEN, STARTUP_NOT_FOUND, INVALID_STATUS, REASON_REQUIRED, STATUS_FINAL.';
grant execute on function public.set_startup_status(uuid, text, text) to authenticated, service_role;

create function private.count_startup() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A row that is not there (old at an insert, new at a delete) reads as nulls.
  insert into private.count_changes (name, change)
  select c.name, sum(c.change) from (values
    ('verified_startups', coalesce((new.status = 'verified')::integer, 0) - coalesce((old.status = 'verified')::integer, 0)),
    ('industry:' || old.industry, -1), ('industry:' || new.industry, 1)
  ) c (name, change) where c.name is not null group by c.name having sum(c.change) <> 0;
  return null;
end $$;
comment on function private.count_startup() is 'Trigger: keeps the counts of verified projects and of projects by industry.';
create trigger startup_profiles_count after insert or delete or update of status, industry on public.startup_profiles
  for each row execute function private.count_startup();
