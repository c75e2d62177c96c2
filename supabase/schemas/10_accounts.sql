-- Accounts: one profile per signed-in person. Signing in, which creates it, is in 42_sign_in, because it also creates a wallet and a
-- referral code.

create type public.user_role as enum ('community', 'startup_unverified', 'startup_verified', 'admin');

create function private.mask_name(p_name text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_size integer := coalesce(length(p_name), 0);
begin
  if p_name = private.erased_name() then
    return p_name;
  end if;
  return coalesce(left(p_name, case when v_size > 8 then 5 else v_size / 2 end), '') || '***'
    || coalesce(right(p_name, case when v_size > 8 then 3 else (v_size - 1) / 4 end), '');
end $$;
comment on function private.mask_name(text) is
  'First 5 and last 3 characters of a name (REWARD-07). A name of up to 8 characters shows at most the first half and the last quarter, so '
  'that no name is shown in full. That of erased accounts is nobody''s, and masked it would look like somebody''s.';

create function private.industries() returns text[]
language sql immutable set search_path = ''
as $$
  select array[
    'Technology', 'Fintech', 'Healthcare', 'Education', 'E-commerce', 'SaaS', 'AI/ML', 'Blockchain/Crypto', 'Gaming', 'Social Media',
    'Real Estate', 'Food & Beverage', 'Fashion', 'Travel', 'Transportation', 'Energy', 'Manufacturing', 'Media & Entertainment',
    'Non-profit', 'Other'
  ]
$$;
comment on function private.industries() is 'The 20 industries (HUB-03): for projects, and for members'' interests (C-116).';

create table public.user_profiles (
  id uuid primary key default gen_random_uuid(),
  user_id text not null unique check (length(user_id) between 1 and 255),
  role public.user_role not null default 'community',
  username text not null check (length(username) between 1 and 80),
  display_name text check (length(display_name) <= 120),
  avatar_url text check (private.is_http_url(avatar_url)),
  email text check (length(email) <= 254),
  og_badge boolean not null default false,
  verified_socials jsonb not null default '{}',
  welcome_email_sent_at timestamptz,
  suspended_at timestamptz,
  suspension_reason text,
  masked_username text generated always as (private.mask_name(username)) stored,
  masked_name text generated always as (private.mask_name(coalesce(display_name, username))) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  interests text[] not null default '{}' check (interests <@ private.industries() and cardinality(interests) <= 20),
  provider_changed_at timestamptz
);
comment on table public.user_profiles is 'One profile per person who has signed in (DB-12). Written by procedures only.';
comment on column public.user_profiles.role is 'Last chosen role; selects the client''s navigation. Permissions never depend on it (C-09).';
comment on column public.user_profiles.email is
  'Address that the identity provider reports as verified. Shown to the person and to admins only.';
comment on column public.user_profiles.verified_socials is
  'External accounts that the identity provider has verified, user name by provider: {"github": "robin"} (C-108).';
comment on column public.user_profiles.provider_changed_at is
  'When the identity provider last changed the person whose report was stored last; an older report is late and ignored.';
comment on column public.user_profiles.interests is 'Industries chosen during onboarding or later; visible to the person only.';
comment on column public.user_profiles.og_badge is 'Set while an og_lifetime subscription is active (C-58); never by the user.';
comment on column public.user_profiles.masked_username is
  'What others may see of the name (REWARD-07), stored because the leaderboard reads many at once.';
comment on column public.user_profiles.welcome_email_sent_at is 'When the welcome e-mail was enqueued, which happens once (MAIL-03).';
create index user_profiles_email on public.user_profiles (email);
create index user_profiles_created_at on public.user_profiles (created_at desc, id desc);
create index user_profiles_search on public.user_profiles
  using gin ((username || ' ' || coalesce(display_name, '') || ' ' || coalesce(email, '')) extensions.gin_trgm_ops);
create trigger user_profiles_touch before update on public.user_profiles
  for each row execute function private.touch_updated_at();
create trigger user_profiles_count_new after insert on public.user_profiles
  referencing new table as changed for each statement execute function private.count_rows('members');
create trigger user_profiles_count_gone after delete on public.user_profiles
  referencing old table as changed for each statement execute function private.count_rows('members');

alter table public.user_profiles enable row level security;
-- Row level security does not hide statistics: with Prefer: count=planned anybody could search for the limits of their histogram.
alter table public.user_profiles alter email set statistics 0, alter username set statistics 0, alter display_name set statistics 0,
  alter avatar_url set statistics 0, alter suspension_reason set statistics 0, alter masked_username set statistics 0,
  alter masked_name set statistics 0;
create policy user_profiles_read on public.user_profiles for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy user_profiles_read on public.user_profiles is 'A profile holds an e-mail address, so only the person and admins read it.';
grant select on public.user_profiles to authenticated;
grant select on public.user_profiles to service_role;

-- Deleted accounts ----------------------------------------------------------------------------------------------------

create function private.refuse_deleted_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from private.deleted_users d where d.user_id = new.user_id) then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  return new;
end $$;
comment on function private.refuse_deleted_user() is 'Trigger: refuses to recreate or refill the profile of a deleted account.';

create trigger user_profiles_refuse_deleted before insert or update of username, display_name, email, avatar_url on public.user_profiles
  for each row execute function private.refuse_deleted_user();

create function private.remember_profile_mailbox() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.remember_mailbox(new.user_id, new.email);
  return null;
end $$;
comment on function private.remember_profile_mailbox() is
  'Trigger: records the profile''s mailbox; profiles only ever hold verified addresses.';
create trigger user_profiles_remember_mailbox after insert or update of email on public.user_profiles
  for each row when (new.email is not null) execute function private.remember_profile_mailbox();

create table private.former_addresses (
  user_id text not null,
  email text not null,
  primary key (user_id, email)
);
comment on table private.former_addresses is
  'Addresses that profiles have given up: what is stored by address, such as the links in mails, is erased with the account (TRUST-28).';

create function private.keep_former_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.former_addresses (user_id, email) values (old.user_id, old.email) on conflict do nothing;
  return null;
end $$;
comment on function private.keep_former_address() is 'Trigger: remembers the address that a profile gives up.';
create trigger user_profiles_keep_former_address after update of email on public.user_profiles
  for each row when (old.email <> new.email) execute function private.keep_former_address();

-- Who may act ---------------------------------------------------------------------------------------------------------

create function private.suspended_account(p_user_id text) returns public.user_profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_profile public.user_profiles;
begin
  -- A deleted account looks suspended, too.
  select p.* into v_profile from public.user_profiles p left join private.deleted_users d on d.user_id = p.user_id
  where p.user_id = any (private.accounts_of_person(p_user_id)) and p.suspended_at is not null and coalesce(d.was_suspended, true)
  order by p.suspended_at desc limit 1;
  return v_profile;
end $$;
comment on function private.suspended_account(text) is
  'The account of this person that was suspended last and has not been let off, also a deleted one; nulls: there is none (C-81, C-97).';

create function private.suspended_since(p_profile public.user_profiles) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case when not exists (
    select 1 from private.deleted_users d where d.user_id = p_profile.user_id and not d.was_suspended) then p_profile.suspended_at end;
end $$;
comment on function private.suspended_since(public.user_profiles) is
  'For admins: when the account was suspended, not counting that erasing an account suspends it.';

create function private.require_user() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif exists (select 1 from public.user_profiles p where p.user_id = v_user and p.suspended_at is not null) then
    perform private.raise_error('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  end if;
  return v_user;
end $$;
comment on function private.require_user() is
  'Id of the caller. Raises UNAUTHENTICATED (401) for visitors and for erased accounts, whose session token may outlive them by seconds, '
  'and SUSPENDED (403) for suspended accounts.';

create function private.require_profile() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text;
begin
  perform private.lock_own_account();
  v_user := private.require_user();
  if not exists (select 1 from public.user_profiles p where p.user_id = v_user) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  return v_user;
end $$;
comment on function private.require_profile() is
  'Id of the caller, who must have a profile here and not only an account at the identity provider, and whose erasure waits for the end of '
  'this call. Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND.';

create function private.is_in_good_standing() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.user_profiles p where p.user_id = public.current_user_id() and p.suspended_at is null
  );
end $$;
comment on function private.is_in_good_standing() is
  'For policies: whether the caller has a profile, is not suspended and has not been erased (TRUST-18, TRUST-26).';
grant execute on function private.is_in_good_standing() to authenticated, service_role;

create function private.is_admin_in_good_standing() returns boolean
language plpgsql stable security definer set search_path = ''
as $$ begin return private.is_admin() and private.is_in_good_standing(); end $$;
comment on function private.is_admin_in_good_standing() is 'For policies that let admins write: an admin who is not suspended.';
grant execute on function private.is_admin_in_good_standing() to authenticated, service_role;

create function private.require_self(p_user_id text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if p_user_id is distinct from v_user and not private.is_admin() then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  return p_user_id;
end $$;
comment on function private.require_self(text) is
  'For procedures whose signature carries a user id: it must be the caller''s, or the caller must be an admin. Raises FORBIDDEN '
  '(SEC-04).';

create function private.require_admin() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if not private.is_admin() then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  return v_user;
end $$;
comment on function private.require_admin() is 'Id of the calling admin. Raises FORBIDDEN (403) for everyone else (SEC-04, SEC-15).';

create function private.require_admin_or_server() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The service role and a database console have no user; every session must be an admin's.
  if public.current_user_id() is not null or current_setting('role', true) in ('anon', 'authenticated') then
    perform private.require_admin();
  end if;
end $$;
comment on function private.require_admin_or_server() is
  'Allows admins, the service role and the database owner. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';

-- Names and addresses -------------------------------------------------------------------------------------------------

create function public.update_profile(p_username text, p_display_name text, p_email text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_profile public.user_profiles;
begin
  -- First, because looking at the words of a text of megabytes takes seconds, and forty times its memory.
  if length(private.clean(p_username)) > 80 or length(private.clean(p_display_name)) > 120 then
    perform private.raise_error('NAME_TOO_LONG', 'Please use a shorter name', 400);
  end if;
  -- The address changes only to one that the provider reports as verified (C-65); any other is ignored until it is.
  update public.user_profiles p set
    username = coalesce(private.validate_name(p_username), p.username),
    display_name = private.validate_name(p_display_name),
    email = case when lower(private.clean(p_email)) = private.jwt_email() then private.jwt_email() else p.email end
  where p.user_id = v_user returning p.* into v_profile;
  return v_profile;
end $$;
comment on function public.update_profile(text, text, text) is
  'Saves the caller''s names; the e-mail only when the token says that it is verified (PROF-05, C-65). Errors: UNAUTHENTICATED, '
  'SUSPENDED, HIDDEN_CHARACTERS, RESERVED_NAME, NAME_TOO_LONG, PROFILE_NOT_FOUND.';
grant execute on function public.update_profile(text, text, text) to authenticated, service_role;

create function public.save_interests(p_interests text[]) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_profile public.user_profiles;
begin
  if p_interests is null or not p_interests <@ private.industries() then
    perform private.raise_error('INDUSTRY_REQUIRED', 'Please select an industry', 400);
  end if;
  update public.user_profiles p set interests = (select coalesce(array_agg(distinct i order by i), '{}') from unnest(p_interests) i)
  where p.user_id = v_user returning p.* into v_profile;
  return v_profile;
end $$;
comment on function public.save_interests(text[]) is
  'Saves the caller''s interests, without duplicates; an empty list clears them (C-116). Errors: UNAUTHENTICATED, SUSPENDED, '
  'INDUSTRY_REQUIRED, PROFILE_NOT_FOUND.';
grant execute on function public.save_interests(text[]) to authenticated, service_role;

create function public.update_user_email(p_user_id text, p_email text, p_full_name text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_profile public.user_profiles;
begin
  if p_user_id is distinct from v_user then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  if private.jwt_email() is null or lower(private.clean(p_email)) is distinct from private.jwt_email() then
    perform private.raise_error('EMAIL_NOT_VERIFIED', 'This email address is not verified', 422);
  end if;
  update public.user_profiles p set
    email = private.jwt_email(),
    display_name = coalesce(p.display_name, private.plain_name(left(private.clean(p_full_name), 120)))
  where p.user_id = v_user returning p.* into v_profile;
  return v_profile;
end $$;
comment on function public.update_user_email(text, text, text) is
  'E-mail sync: stores the caller''s address when it is the one the token reports as verified (AUTH-08, C-65). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, EMAIL_NOT_VERIFIED, PROFILE_NOT_FOUND.';
grant execute on function public.update_user_email(text, text, text) to authenticated, service_role;

create function public.record_changed_email(p_user_id text, p_email text, p_changed_at timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text := lower(private.clean(p_email));
  v_before text;
begin
  select p.email into v_before from public.user_profiles p
  where p.user_id = p_user_id and coalesce(p.provider_changed_at <= p_changed_at, true) for no key update;
  -- Also when the address is the same, because a report from in between may still arrive.
  update public.user_profiles p set email = v_email, provider_changed_at = p_changed_at
  where p.user_id = p_user_id and v_before is not null;
  return coalesce(v_before <> v_email, false);
end $$;
comment on function public.record_changed_email(text, text, timestamptz) is
  'Stores a verified address that the identity provider reports as changed at p_changed_at; returns whether it was new (C-65). A report '
  'older than the one that is stored is late and ignored. A profile without an address gets its first one at the next sign-in, together '
  'with what depends on it. Service role only.';
grant execute on function public.record_changed_email(text, text, timestamptz) to service_role;

create function public.get_user_email_by_clerk_id(p_user_id text) returns text
language sql stable security definer set search_path = ''
as $$ select p.email from public.user_profiles p where p.user_id = p_user_id $$;
comment on function public.get_user_email_by_clerk_id(text) is 'E-mail address of a person, for the mail functions. Service role only.';
grant execute on function public.get_user_email_by_clerk_id(text) to service_role;

create function public.request_welcome_email(p_user_id text, p_first_name text, p_is_startup boolean) returns bigint
language plpgsql security definer set search_path = ''
as $$
begin
  update public.user_profiles set welcome_email_sent_at = now()
  where user_id = p_user_id and email is not null and welcome_email_sent_at is null;
  return case when found then private.enqueue_event('WelcomeRequested', p_user_id,
    jsonb_build_object('first_name', left(private.clean(p_first_name), 80), 'is_startup', coalesce(p_is_startup, false))) end;
end $$;
comment on function public.request_welcome_email(text, text, boolean) is
  'Enqueues the welcome e-mail once per person and returns the event''s id; null when that has happened before or there is no address '
  '(MAIL-03, C-49). Service role only.';
grant execute on function public.request_welcome_email(text, text, boolean) to service_role;

create function private.is_own_address(p_email text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(p_email = private.jwt_email(), false)
    or exists (select 1 from public.user_profiles p where p.user_id = public.current_user_id() and p.email = p_email);
end $$;
comment on function private.is_own_address(text) is
  'Whether the identity provider has verified this address for the caller: now, in the token, or when the profile was last refreshed '
  '(BEY-10).';
