-- Signing in: creates or refreshes profile, wallet and referral code from the signed token.

create function private.username_from(p_email text, p_user_id text) returns text
language sql stable set search_path = ''
as $$ select left(coalesce(private.plain_name(split_part(p_email, '@', 1)), 'member-' || lower(right(p_user_id, 6))), 80) $$;
comment on function private.username_from(text, text) is 'Default username: the local part of the e-mail address (PROF-05).';

create function private.startup_role_of(p_user_id text) returns public.user_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  if exists (select 1 from public.startup_profiles s where s.owner_user_id = p_user_id and s.status = 'verified') then
    return 'startup_verified';
  end if;
  return 'startup_unverified';
end $$;
comment on function private.startup_role_of(text) is
  'startup_verified when the person''s project is verified, else startup_unverified (C-10).';

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
  'Role to store: admins stay admin (C-11); otherwise the requested role, community or startup, or the stored one without a request. '
  'Nobody becomes admin by requesting it (C-09).';

create function public.sync_current_user(p_selected_role text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_email text := private.jwt_email();
  v_name text := left(private.plain_name(private.session_claims() ->> 'name'), 120);
  v_is_first_mailbox boolean;
  v_profile public.user_profiles;
begin
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  if p_selected_role is not null and p_selected_role not in ('community', 'startup_unverified', 'startup_verified', 'admin') then
    perform private.raise_error('INVALID_ROLE', 'Unknown role', 400);
  end if;

  v_is_first_mailbox := v_email is not null and not exists (select 1 from private.known_mailboxes k where k.user_id = v_user);
  -- Lock order: a suspension that is carried over closes the project, which comes before the profile. It may come with a new mailbox.
  if (private.suspended_account(v_user)).user_id is not null or v_email is not null and not exists (
    select 1 from private.known_mailboxes k where k.user_id = v_user and k.mailbox = private.mailbox_key(v_email)
  ) then
    perform 1 from public.startup_profiles s where s.owner_user_id = v_user for no key update;
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
  perform private.carry_suspension(v_user);
  perform private.release_holds(w.id) from public.wallets w where w.user_id = v_user and w.held_points > 0;
  -- One that was there before the other account was deleted, or before a dispute about its plan was won.
  perform private.take_over_plan(s) from public.startup_profiles s where s.owner_user_id = v_user;
  if v_is_first_mailbox then
    perform private.grant_trial_budget(s.id, v_user) from public.startup_profiles s
    where s.owner_user_id = v_user and s.status = 'verified';
  end if;

  select p.* into v_profile from public.user_profiles p where p.user_id = v_user;
  return v_profile;
end $$;
comment on function public.sync_current_user(text) is
  'Called at sign-in: creates or refreshes the caller''s profile, wallet and referral code from the signed token, and gives their project '
  'the plan of an account of theirs that is gone (C-81); returns the profile (AUTH-08). Errors: UNAUTHENTICATED, INVALID_ROLE.';
grant execute on function public.sync_current_user(text) to authenticated, service_role;

create function public.switch_role(p_role text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_profile public.user_profiles;
begin
  if p_role is null or p_role not in ('community', 'startup', 'startup_unverified', 'startup_verified') then
    perform private.raise_error('INVALID_ROLE', 'Unknown role', 400);
  end if;
  update public.user_profiles p set role = private.role_for(v_user, p_role, p.role)
  where p.user_id = v_user returning p.* into v_profile;
  if v_profile.user_id is null then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  return v_profile;
end $$;
comment on function public.switch_role(text) is
  'Switches between community and startup (header toggle); the project''s status decides which startup role (HEAD-04, C-10). For an admin '
  'the stored role stays admin (C-11). Errors: UNAUTHENTICATED, SUSPENDED, INVALID_ROLE, PROFILE_NOT_FOUND.';
grant execute on function public.switch_role(text) to authenticated, service_role;

create function public.save_provider_account(
  p_user_id text, p_avatar_url text, p_accounts jsonb, p_changed_at timestamptz, p_is_admin boolean default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_avatar text := case when private.is_http_url(p_avatar_url) then p_avatar_url end;
  v_accounts jsonb := coalesce(p_accounts, '{}');
  v_before public.user_profiles;
  v_role public.user_role;
begin
  -- The provider reports a deletion at the same time as the change before it.
  perform pg_advisory_xact_lock_shared(private.account_lock(p_user_id));
  select p.* into v_before from public.user_profiles p
  where p.user_id = p_user_id and coalesce(p.provider_changed_at <= p_changed_at, true)
    and not exists (select 1 from private.deleted_users d where d.user_id = p_user_id)
  for no key update;
  v_role := case when v_before.role = 'admin' and not p_is_admin and not private.is_admin_without_role(p_user_id) then 'community'
    else v_before.role end;
  -- Also when nothing differs, because a report from in between may still arrive.
  update public.user_profiles p set avatar_url = v_avatar, verified_socials = v_accounts, provider_changed_at = p_changed_at, role = v_role
  where p.user_id = v_before.user_id;
  return found and (v_before.avatar_url, v_before.verified_socials, v_before.role) is distinct from (v_avatar, v_accounts, v_role);
end $$;
comment on function public.save_provider_account(text, text, jsonb, timestamptz, boolean) is
  'Stores the picture and the connected accounts (name by provider) that the identity provider reports as changed at p_changed_at; '
  'returns whether anything changed (DB-12, C-108). p_is_admin false: the provider makes the person no admin, and so they count as one no '
  'longer, unless we do; null: not reported. A report older than the one that is stored is late and ignored. Service role only.';
grant execute on function public.save_provider_account(text, text, jsonb, timestamptz, boolean) to service_role;
