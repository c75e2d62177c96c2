-- Editing a project, by its owner or an admin; a new name or website of a verified project is reviewed again (C-96).

create function private.note_project_change(p_before public.startup_profiles, p_after public.startup_profiles)
returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  -- After two renames within 30 days, people know it by the first name.
  v_former text := case when p_before.renamed_at > now() - 30 * interval '24 hours' then p_before.former_name else p_before.name end;
  -- An admin's own project waits for another admin.
  v_is_checked boolean := private.is_admin() and p_before.owner_user_id <> public.current_user_id();
  v_startup public.startup_profiles;
begin
  update public.startup_profiles s set
    former_name = case when p_before.name = p_after.name then s.former_name when v_former <> p_after.name then v_former end,
    renamed_at = case when p_before.name = p_after.name then s.renamed_at when v_former <> p_after.name then now() end,
    changed_at = case when v_is_checked then s.changed_at else now() end,
    changed_from = case when v_is_checked then s.changed_from
      else coalesce(s.changed_from, jsonb_build_object('name', p_before.name, 'website', p_before.website)) end
  where s.id = p_after.id returning s.* into v_startup;
  return v_startup;
end $$;
comment on function private.note_project_change(public.startup_profiles, public.startup_profiles) is
  'Records a new name or website of a verified project: it stays verified, is shown with its former name, and waits for an admin''s check '
  'unless an admin made the change in somebody else''s project (C-96).';

create function public.update_startup_profile(
  p_startup_id uuid, p_name text, p_website text default null, p_logo_url text default null, p_description text default null
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_name text := private.validate_startup_text(p_name, 'COMPANY_NAME_REQUIRED', 'Company name is required', p_description);
  v_before public.startup_profiles;
  v_startup public.startup_profiles;
  v_changed text[];
begin
  if not private.is_admin() then
    perform private.require_owned_startup(p_startup_id);
    perform private.check_owner_rate(v_user, 'project_change');
  end if;
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_before.name <> v_name then
    perform private.check_name_is_free(v_name, v_before.owner_user_id);
  end if;
  update public.startup_profiles s set
    name = v_name,
    website = private.normalize_url(p_website, 'INVALID_WEBSITE', 'Please enter a valid URL'),
    logo_url = private.validate_logo_url(p_logo_url, v_user, v_before.owner_user_id, v_before.logo_url),
    description = private.clean(p_description)
  where s.id = p_startup_id returning s.* into v_startup;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if v_before.status = 'verified' and (v_before.name, v_before.website) is distinct from (v_startup.name, v_startup.website) then
    v_startup := private.note_project_change(v_before, v_startup);
  end if;
  if v_before.name <> v_startup.name then
    -- Quests can be found by the project's name.
    perform private.index_quests(array(select c.id from public.campaigns c where c.startup_id = p_startup_id));
  end if;
  -- By name: their texts and addresses must be erased with the owner, and the log stays (TRUST-28).
  v_changed := array_remove(array[
    case when v_before.website is distinct from v_startup.website then 'website' end,
    case when v_before.logo_url is distinct from v_startup.logo_url then 'logo' end,
    case when v_before.description is distinct from v_startup.description then 'description' end], null);
  perform private.audit(v_user, 'startup.update', 'startup', p_startup_id::text, private.project_record(v_before),
    private.project_record(v_startup) || case when v_changed <> '{}' then jsonb_build_object('changed', v_changed) else '{}' end);
  return v_startup;
end $$;
comment on function public.update_startup_profile(uuid, text, text, text, text) is
  'Owner or admin (C-31) edits a project (SPROF-06). Errors: UNAUTHENTICATED, SUSPENDED, COMPANY_NAME_REQUIRED, NAME_TOO_LONG, '
  'HIDDEN_CHARACTERS, RESERVED_NAME, NAME_TAKEN, DESCRIPTION_TOO_LONG, INVALID_WEBSITE, INVALID_LOGO_URL, UPLOAD_NOT_CHECKED, '
  'STARTUP_NOT_FOUND, FORBIDDEN, RATE_LIMITED.';
grant execute on function public.update_startup_profile(uuid, text, text, text, text) to authenticated, service_role;
