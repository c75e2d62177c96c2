-- External logos are fetched once and served from our bucket, so that no third-party server learns who views them (C-101). The queue is in
-- 20_projects.

create function public.claim_logo_imports(p_limit integer default 10) returns table (startup_id uuid, owner_user_id text, url text)
language plpgsql security definer set search_path = ''
as $$
begin
  return query
    with due as (
      select i.startup_id from private.logo_imports i join public.startup_profiles s on s.id = i.startup_id
      where i.attempts < 3 and i.next_attempt_at <= now() and s.suspended_at is null and (
        select u.files < l.files and u.bytes < l.bytes
        from private.uploads_of('project-logos', s.owner_user_id) u, private.upload_limits('project-logos') l
      )
      order by i.next_attempt_at limit least(greatest(p_limit, 0), 100) for update of i skip locked
    ), claimed as (
      update private.logo_imports i set attempts = i.attempts + 1, next_attempt_at = now() + interval '10 minutes' * (i.attempts + 1)
      from due where i.startup_id = due.startup_id returning i.startup_id, i.url
    )
    select c.startup_id, s.owner_user_id, c.url from claimed c join public.startup_profiles s on s.id = c.startup_id;
end $$;
comment on function public.claim_logo_imports(integer) is
  'Claims logos to fetch; each claim is one of three tries, at least ten minutes apart. What is fetched goes into the owner''s folder, so '
  'that of an owner who may not upload waits: suspended, or at the quota (TRUST-18, TRUST-26). Service role only.';
grant execute on function public.claim_logo_imports(integer) to service_role;

create function public.get_stored_file(p_bucket text, p_path text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('id', o.id, 'version', o.version) from storage.objects o where o.bucket_id = p_bucket and o.name = p_path
$$;
comment on function public.get_stored_file(text, text) is 'Id and version of a file that the server has uploaded. Service role only.';
grant execute on function public.get_stored_file(text, text) to service_role;

create function public.complete_logo_import(p_startup_id uuid, p_url text, p_path text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.is_verified_upload('project-logos', p_path, (storage.foldername(p_path))[1]) then
    perform private.raise_error('FILE_NOT_FOUND', 'File not found', 404);
  end if;
  -- Only if the owner has not chosen another one meanwhile. The URL is stored without a host, because the client knows the project's own.
  update public.startup_profiles s set logo_url = '/storage/v1/object/public/project-logos/' || p_path
  where s.id = p_startup_id and s.logo_url = p_url;
  return found;
end $$;
comment on function public.complete_logo_import(uuid, text, text) is
  'Replaces the external URL by the fetched and checked copy; false when the project has another logo by now. Service role only. Errors: '
  'FILE_NOT_FOUND.';
grant execute on function public.complete_logo_import(uuid, text, text) to service_role;
