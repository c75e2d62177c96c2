-- How a project begins and ends. Its points, decisions and ratings outlast it.

create function public.create_startup_profile(
  p_name text, p_website text default null, p_logo_url text default null, p_description text default null, p_industry text default null
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_name text := private.validate_startup_text(p_name, 'NAME_REQUIRED', 'Project name is required', p_description);
  v_startup public.startup_profiles;
  v_objection private.project_decisions;
begin
  if p_industry is null or p_industry <> all (private.industries()) then
    perform private.raise_error('INDUSTRY_REQUIRED', 'Please select an industry', 400);
  end if;
  -- Waits for a concurrent suspension, and for another call of this one: both would otherwise share a lock that each needs for itself.
  perform 1 from public.user_profiles p where p.user_id = v_user for no key update;
  perform private.require_user();
  perform private.check_owner_rate(v_user, 'project_change');
  perform private.check_name_is_free(v_name, v_user);
  perform private.remember_mailbox(v_user, private.jwt_email());
  if (private.suspended_account(v_user)).user_id is not null then
    -- Only the address shows whose account this is; the next sign-in suspends it, too.
    perform private.raise_error('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  end if;
  insert into public.startup_profiles (owner_user_id, name, website, logo_url, description, industry, owner_email)
  values (
    v_user, v_name,
    private.normalize_url(p_website, 'INVALID_WEBSITE', 'Please enter a valid URL'),
    private.validate_logo_url(p_logo_url, v_user, v_user, null),
    private.clean(p_description), p_industry, private.jwt_email()
  )
  on conflict (owner_user_id) do nothing returning * into v_startup;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_EXISTS', 'You already have a project profile', 409);
  end if;
  perform private.startup_wallet(v_startup.id, v_user);
  perform private.take_over_ratings(v_startup);
  v_objection := private.open_objection(v_user);
  if v_objection.id is not null then
    -- After a decision against an earlier project of the person, an admin decides, also in beta (C-97).
    update public.startup_profiles s set review_note = v_objection.reason where s.id = v_startup.id;
  elsif (private.settings()).beta_mode then
    perform private.mark_verified(v_startup.id, 'beta', 'Verified automatically in beta');
  end if;
  select s.* into v_startup from public.startup_profiles s where s.id = v_startup.id;
  perform private.audit(v_user, 'startup.create', 'startup', v_startup.id::text, null, private.project_record(v_startup));
  return v_startup;
end $$;
comment on function public.create_startup_profile(text, text, text, text, text) is
  'Verification request of the caller''s project; verified at once in beta (SPROF-01, RULE-03, C-62), unless an earlier one of the same '
  'person was rejected, revoked or held (C-97). Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, NAME_REQUIRED, NAME_TOO_LONG, '
  'HIDDEN_CHARACTERS, RESERVED_NAME, NAME_TAKEN, DESCRIPTION_TOO_LONG, INDUSTRY_REQUIRED, INVALID_WEBSITE, INVALID_LOGO_URL, '
  'UPLOAD_NOT_CHECKED, STARTUP_EXISTS, RATE_LIMITED.';
grant execute on function public.create_startup_profile(text, text, text, text, text) to authenticated, service_role;

create function public.delete_startup_profile(p_startup_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_count integer;
  v_before jsonb;
begin
  perform private.require_owned_startup(
    p_startup_id, 'NOT_YOUR_STARTUP', 'You don''t have permission to delete this startup profile');
  select count(*) into v_count from public.campaigns c where c.startup_id = p_startup_id;
  if v_count > 0 then
    perform private.raise_error('STARTUP_HAS_QUESTS', format(
      'Cannot delete startup profile: You have %s active quest(s). Please delete all quests first before deleting your profile.',
      v_count), 409);
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'project_change');
  update public.wallets set startup_id = null where startup_id = p_startup_id;
  -- Waits for a rating that is being given: it is kept, too.
  perform 1 from public.startup_profiles s where s.id = p_startup_id for update;
  perform private.keep_ratings(p_startup_id);
  delete from public.startup_profiles s where s.id = p_startup_id returning private.project_record(s) into v_before;
  perform private.audit(public.current_user_id(), 'startup.delete', 'startup', p_startup_id::text, v_before);
end $$;
comment on function public.delete_startup_profile(uuid) is
  'Owner deletes the project once it has no quests (SPROF-08, C-24); its wallet and ratings wait for a new profile (C-02). Errors: '
  'UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, NOT_YOUR_STARTUP, STARTUP_HAS_QUESTS, RATE_LIMITED.';
grant execute on function public.delete_startup_profile(uuid) to authenticated, service_role;
