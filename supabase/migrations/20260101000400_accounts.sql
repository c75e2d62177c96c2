-- Accounts: one profile per signed-in person, made and refreshed from the signed token.

create type public.user_role as enum ('community', 'startup_unverified', 'startup_verified', 'admin');

create function private.mask_name(p_name text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_size integer := coalesce(length(p_name), 0);
begin
  return coalesce(left(p_name, case when v_size > 8 then 5 else v_size / 2 end), '') || '***'
    || coalesce(right(p_name, case when v_size > 8 then 3 else (v_size - 1) / 4 end), '');
end $$;
comment on function private.mask_name(text) is
  'First 5 and last 3 characters of a name (REWARD-07). A name of up to 8 characters shows at most half from its start and a quarter from its end, so that no name is shown whole.';

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
  updated_at timestamptz not null default now()
);
comment on table public.user_profiles is 'Profile of each person that has signed in (DB-12). Written by procedures only.';
comment on column public.user_profiles.role is 'Last chosen role; steers the client. Permissions never depend on it (C-09).';
comment on column public.user_profiles.email is 'Address that the identity provider reports as verified. Shown to the person and to admins only.';
comment on column public.user_profiles.og_badge is 'Set when an og_lifetime subscription activates (C-58). Never by the user.';
comment on column public.user_profiles.masked_username is 'What others may see of the names (REWARD-07), kept because the leaderboard asks for many.';
comment on column public.user_profiles.welcome_email_sent_at is 'The welcome e-mail goes out once (MAIL-03).';
create index user_profiles_email on public.user_profiles (email);
create index user_profiles_created_at on public.user_profiles (created_at desc, id desc);
create trigger user_profiles_touch before update on public.user_profiles
  for each row execute function private.touch_updated_at();

alter table public.user_profiles enable row level security;
create policy user_profiles_read on public.user_profiles for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy user_profiles_read on public.user_profiles is 'A profile holds an address: only the person and admins read it.';
grant select on public.user_profiles to authenticated;
grant select on public.user_profiles to service_role;

create function private.username_from(p_email text, p_user_id text) returns text
language sql immutable set search_path = ''
as $$ select left(coalesce(private.clean(split_part(p_email, '@', 1)), 'member-' || lower(right(p_user_id, 6))), 80) $$;
comment on function private.username_from(text, text) is 'Default username: the part of the e-mail before the at-sign (PROF-05).';

-- Which startup role a person gets depends on the project; startups come later in the order of files, so the body is late bound.
create function private.startup_role_of(p_user_id text) returns public.user_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  if exists (select 1 from public.startup_profiles s where s.owner_user_id = p_user_id and s.status = 'verified') then
    return 'startup_verified';
  end if;
  return 'startup_unverified';
end $$;
comment on function private.startup_role_of(text) is 'startup_verified when the person''s project is verified, else startup_unverified (C-10).';

create function private.role_for(p_user_id text, p_wanted text, p_current public.user_role) returns public.user_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_admin() then
    return 'admin';
  elsif p_wanted like 'startup%' then
    return private.startup_role_of(p_user_id);
  elsif p_wanted = 'community' then
    return 'community';
  elsif p_current in ('startup_unverified', 'startup_verified') then
    return private.startup_role_of(p_user_id);
  end if;
  return 'community';
end $$;
comment on function private.role_for(text, text, public.user_role) is
  'Role to store: admins stay admin (C-11), a wish is community or startup, no wish keeps what was stored. Nobody becomes admin by wishing (C-09).';

create function public.sync_current_user(p_selected_role text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
  v_email text := private.claim_email();
  v_name text := left(private.clean(auth.jwt() ->> 'name'), 120);
  v_profile public.user_profiles;
begin
  if v_user is null then
    perform private.fail('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  if p_selected_role is not null and p_selected_role not in ('community', 'startup_unverified', 'startup_verified', 'admin') then
    perform private.fail('INVALID_ROLE', 'Unknown role', 400);
  end if;

  if v_email is not null and v_email = (private.settings()).owner_email then
    insert into private.admins (user_id, reason) values (v_user, 'verified e-mail of the product owner')
    on conflict (user_id) do nothing;
  end if;

  insert into public.user_profiles (user_id, role, username, display_name, email)
  values (v_user, private.role_for(v_user, p_selected_role, null), private.username_from(v_email, v_user), v_name, v_email)
  on conflict (user_id) do update set
    role = private.role_for(v_user, p_selected_role, user_profiles.role),
    email = coalesce(excluded.email, user_profiles.email),
    display_name = coalesce(user_profiles.display_name, excluded.display_name)
  where (user_profiles.role, user_profiles.email, user_profiles.display_name) is distinct from (
    private.role_for(v_user, p_selected_role, user_profiles.role),
    coalesce(excluded.email, user_profiles.email),
    coalesce(user_profiles.display_name, excluded.display_name)
  );
  perform private.ensure_user_wallet(v_user);
  perform private.ensure_referral_code(v_user);

  select p.* into v_profile from public.user_profiles p where p.user_id = v_user;
  return v_profile;
end $$;
comment on function public.sync_current_user(text) is
  'Called at sign-in: makes or refreshes the caller''s profile, wallet and referral code from the signed token and returns the profile (AUTH-08). Errors: UNAUTHENTICATED, INVALID_ROLE.';
grant execute on function public.sync_current_user(text) to authenticated, service_role;

create function public.switch_role(p_role text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_profile public.user_profiles;
begin
  if p_role is null or p_role not in ('community', 'startup', 'startup_unverified', 'startup_verified') then
    perform private.fail('INVALID_ROLE', 'Unknown role', 400);
  end if;
  update public.user_profiles p set role = private.role_for(v_user, p_role, p.role)
  where p.user_id = v_user returning p.* into v_profile;
  if v_profile.user_id is null then
    perform private.fail('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  return v_profile;
end $$;
comment on function public.switch_role(text) is
  'Header toggle: community or startup; which startup role follows from the project''s status (HEAD-04, C-10). For an admin the stored role stays admin (C-11). Errors: INVALID_ROLE, PROFILE_NOT_FOUND.';
grant execute on function public.switch_role(text) to authenticated, service_role;

create function public.update_profile(p_username text, p_display_name text, p_email text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_username text := private.clean(p_username);
  v_name text := private.clean(p_display_name);
  v_profile public.user_profiles;
begin
  if length(v_username) > 80 or length(v_name) > 120 then
    perform private.fail('NAME_TOO_LONG', 'Please use a shorter name', 400);
  end if;
  -- The address itself changes only to one that the provider reports as verified (C-65); another one is left for that day.
  update public.user_profiles p set
    username = coalesce(v_username, p.username),
    display_name = v_name,
    email = case when lower(private.clean(p_email)) = private.claim_email() then private.claim_email() else p.email end
  where p.user_id = v_user returning p.* into v_profile;
  if v_profile.user_id is null then
    perform private.fail('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  return v_profile;
end $$;
comment on function public.update_profile(text, text, text) is
  'Saves the caller''s names; the e-mail only when the token says that it is verified (PROF-05, C-65). Errors: NAME_TOO_LONG, PROFILE_NOT_FOUND.';
grant execute on function public.update_profile(text, text, text) to authenticated, service_role;

create function public.update_user_email(p_user_id text, p_email text, p_full_name text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_profile public.user_profiles;
begin
  if p_user_id is distinct from v_user then
    perform private.fail('FORBIDDEN', 'Forbidden', 403);
  end if;
  if private.claim_email() is null or lower(private.clean(p_email)) is distinct from private.claim_email() then
    perform private.fail('EMAIL_NOT_VERIFIED', 'This email address is not verified', 422);
  end if;
  update public.user_profiles p set
    email = private.claim_email(),
    display_name = coalesce(p.display_name, left(private.clean(p_full_name), 120))
  where p.user_id = v_user returning p.* into v_profile;
  if v_profile.user_id is null then
    perform private.fail('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  return v_profile;
end $$;
comment on function public.update_user_email(text, text, text) is
  'E-mail sync: stores the caller''s address when it is the one the token reports as verified (AUTH-08, C-65). Errors: FORBIDDEN, EMAIL_NOT_VERIFIED, PROFILE_NOT_FOUND.';
grant execute on function public.update_user_email(text, text, text) to authenticated, service_role;

create function public.get_user_email_by_clerk_id(p_user_id text) returns text
language sql stable security definer set search_path = ''
as $$ select p.email from public.user_profiles p where p.user_id = p_user_id $$;
comment on function public.get_user_email_by_clerk_id(text) is 'Address of a person, for the mail functions. Service role only.';
grant execute on function public.get_user_email_by_clerk_id(text) to service_role;

create function public.claim_welcome_email(p_user_id text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.user_profiles set welcome_email_sent_at = now()
  where user_id = p_user_id and welcome_email_sent_at is null;
  return found;
end $$;
comment on function public.claim_welcome_email(text) is 'True exactly once per person: the caller may then send the welcome e-mail (MAIL-03, C-49). Service role only.';
grant execute on function public.claim_welcome_email(text) to service_role;

create function public.release_welcome_email(p_user_id text) returns void
language sql security definer set search_path = ''
as $$ update public.user_profiles set welcome_email_sent_at = null where user_id = p_user_id $$;
comment on function public.release_welcome_email(text) is 'Gives the welcome e-mail back after a failed send. Service role only.';
grant execute on function public.release_welcome_email(text) to service_role;

create trigger user_profiles_count_new after insert on public.user_profiles
  referencing new table as changed for each statement execute function private.count_rows('members');
create trigger user_profiles_count_gone after delete on public.user_profiles
  referencing old table as changed for each statement execute function private.count_rows('members');
