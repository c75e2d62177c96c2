-- File storage: private proofs, public logos, pictures of rewards, the sitemap (C-54). Size and type are checked by the buckets
-- themselves (C-59, C-56).

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('proofs', 'proofs', false, 10485760, array['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  ('project-logos', 'project-logos', true, 5242880, array['image/png', 'image/jpeg', 'image/webp']),
  ('reward-images', 'reward-images', true, 5242880, array['image/png', 'image/jpeg', 'image/webp']),
  ('site', 'site', true, 52428800, array['application/xml', 'text/plain'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

create function private.can_see_proof(p_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select 1 from public.submissions s
    where s.proof_url = 'proofs/' || p_name and s.campaign_id in (select private.own_campaign_ids())
  )
$$;
comment on function private.can_see_proof(text) is 'Whether the caller owns the quest to which this screenshot was submitted.';
grant execute on function private.can_see_proof(text) to authenticated, service_role;

create function private.is_logo_shown(p_name text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select 1 from public.startup_profiles s where right(s.logo_url, length(p_name) + 15) = '/project-logos/' || p_name
  )
$$;
comment on function private.is_logo_shown(text) is
  'Whether a project uses this file as its logo. Scans all projects, because the host in the URL is not known here; logos are rarely '
  'replaced.';
grant execute on function private.is_logo_shown(text) to authenticated, service_role;

create policy proofs_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'proofs' and (storage.foldername(name))[1] = (select public.current_user_id()));
create policy proofs_read on storage.objects for select to authenticated
  using (
    bucket_id = 'proofs'
    and (
      (storage.foldername(name))[1] = (select public.current_user_id())
      or (select private.is_admin())
      or private.can_see_proof(name)
    )
  );
create policy proofs_delete on storage.objects for delete to authenticated
  using (
    bucket_id = 'proofs'
    and (storage.foldername(name))[1] = (select public.current_user_id())
    and not exists (select 1 from public.submissions s where s.proof_url = 'proofs/' || objects.name)
  );
create policy project_logos_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'project-logos' and (storage.foldername(name))[1] = (select public.current_user_id()));
create policy project_logos_read on storage.objects for select to authenticated
  using (bucket_id = 'project-logos' and (storage.foldername(name))[1] = (select public.current_user_id()));
create policy project_logos_delete on storage.objects for delete to authenticated
  using (
    bucket_id = 'project-logos'
    and (storage.foldername(name))[1] = (select public.current_user_id())
    and not private.is_logo_shown(name)
  );
create policy reward_images_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'reward-images' and (select private.is_admin()));
create policy reward_images_read on storage.objects for select to authenticated
  using (bucket_id = 'reward-images' and (select private.is_admin()));
create policy reward_images_delete on storage.objects for delete to authenticated
  using (bucket_id = 'reward-images' and (select private.is_admin()));
create policy site_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'site' and (select private.is_admin()));
create policy site_read on storage.objects for select to authenticated
  using (bucket_id = 'site' and (select private.is_admin()));
create policy site_update on storage.objects for update to authenticated
  using (bucket_id = 'site' and (select private.is_admin())) with check (bucket_id = 'site' and (select private.is_admin()));
create policy site_delete on storage.objects for delete to authenticated
  using (bucket_id = 'site' and (select private.is_admin()));
