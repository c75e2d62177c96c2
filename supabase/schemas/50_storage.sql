-- File storage: private proofs, public logos, pictures of rewards, the sitemap (C-54), pictures for link previews (BEY-17). The buckets
-- themselves check size and type (C-59, C-56). Only the function preview-image reads and writes previews.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('proofs', 'proofs', false, 10485760, array['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  ('project-logos', 'project-logos', true, 5242880, array['image/png', 'image/jpeg', 'image/webp']),
  ('reward-images', 'reward-images', true, 5242880, array['image/png', 'image/jpeg', 'image/webp']),
  ('site', 'site', true, 52428800, array['application/xml', 'text/plain']),
  ('previews', 'previews', false, 2097152, array['image/png'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;

create function private.is_logo_shown(p_name text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- With the whole path of our bucket: whoever enters such an address must own the file (private.validate_logo_url).
  return exists (select 1 from public.startup_profiles s where private.logo_path(s.logo_url) = p_name);
end $$;
comment on function private.is_logo_shown(text) is 'Whether a project uses this file as its logo.';
grant execute on function private.is_logo_shown(text) to authenticated, service_role;

create function private.is_proof_referenced(p_name text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from public.submissions s where s.proof_url = 'proofs/' || p_name)
    or exists (select 1 from public.submission_history h where h.proof_url = 'proofs/' || p_name);
end $$;
comment on function private.is_proof_referenced(text) is
  'Whether this screenshot is the proof of a submission, or an earlier one on which somebody has decided (TRUST-08).';
grant execute on function private.is_proof_referenced(text) to authenticated, service_role;

create function private.may_delete_upload(p_bucket text, p_name text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from private.verified_uploads v where v.bucket = p_bucket and v.path = p_name for update;
  return not case p_bucket when 'proofs' then private.is_proof_referenced(p_name) else private.is_logo_shown(p_name) end;
end $$;
comment on function private.may_delete_upload(text, text) is
  'For policies: whether no submission and no project refers to this file. Waits for a call that is about to refer to it: a member who '
  'submits and deletes at once would be paid for a proof that nobody can see.';
grant execute on function private.may_delete_upload(text, text) to authenticated, service_role;

-- The platform checks an upload that is signed for later when it is signed, and not again when it comes. So while there is room for one
-- file, any number could be signed (TRUST-26), and each would still be taken after a suspension (TRUST-18).
create policy nobody_signs_uploads on storage.objects as restrictive for insert to authenticated
  with check (((select current_setting('storage.operation', true)) like '%object.sign_upload_url') is not true);
-- Directly into the member's folder: an erasure empties that one, and no folders in it (supabase/functions/_shared/storage.ts).
create policy proofs_insert on storage.objects for insert to authenticated
  with check (
    bucket_id = 'proofs'
    and storage.foldername(name) = array[(select public.current_user_id())]
    and private.is_allowed_type(bucket_id, metadata)
    and (select private.may_upload('proofs'))
    -- Its file may be gone, for instance after a restore.
    and not private.is_proof_referenced(name)
  );
-- Only the member's own files: the quest's owner and admins get a short-lived signed URL from the function sign-proof (C-59).
create policy proofs_read on storage.objects for select to authenticated
  using (bucket_id = 'proofs' and (storage.foldername(name))[1] = (select public.current_user_id()));
create policy proofs_delete on storage.objects for delete to authenticated
  using (
    bucket_id = 'proofs'
    and (storage.foldername(name))[1] = (select public.current_user_id())
    and (select private.is_in_good_standing())
    and private.may_delete_upload('proofs', name)
  );
create policy project_logos_insert on storage.objects for insert to authenticated
  with check (
    bucket_id = 'project-logos'
    and storage.foldername(name) = array[(select public.current_user_id())]
    and private.is_allowed_type(bucket_id, metadata)
    and (select private.may_upload('project-logos'))
  );
create policy project_logos_read on storage.objects for select to authenticated
  using (bucket_id = 'project-logos' and (storage.foldername(name))[1] = (select public.current_user_id()));
create policy project_logos_delete on storage.objects for delete to authenticated
  using (
    bucket_id = 'project-logos'
    and (storage.foldername(name))[1] = (select public.current_user_id())
    and (select private.is_in_good_standing())
    and private.may_delete_upload('project-logos', name)
  );
create policy reward_images_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'reward-images' and (select private.is_admin_in_good_standing()));
create policy reward_images_read on storage.objects for select to authenticated
  using (bucket_id = 'reward-images' and (select private.is_admin()));
create policy reward_images_delete on storage.objects for delete to authenticated
  using (bucket_id = 'reward-images' and (select private.is_admin_in_good_standing()));
create policy site_insert on storage.objects for insert to authenticated
  with check (bucket_id = 'site' and (select private.is_admin_in_good_standing()));
create policy site_read on storage.objects for select to authenticated
  using (bucket_id = 'site' and (select private.is_admin()));
create policy site_update on storage.objects for update to authenticated
  using (bucket_id = 'site' and (select private.is_admin_in_good_standing()))
  with check (bucket_id = 'site' and (select private.is_admin_in_good_standing()));
create policy site_delete on storage.objects for delete to authenticated
  using (bucket_id = 'site' and (select private.is_admin_in_good_standing()));

create function public.authorize_proof_link(p_path text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if not exists (
    select 1 from private.verified_uploads v join storage.objects o
      on o.bucket_id = v.bucket and o.name = v.path and o.id = v.object_id and o.version is not distinct from v.version
    where v.bucket = 'proofs' and v.path = p_path
  ) or not (
    (storage.foldername(p_path))[1] = v_user or private.is_admin()
    or exists (
      select 1 from public.submissions s
      where s.proof_url = 'proofs/' || p_path and s.campaign_id in (select private.own_campaign_ids()))
    or exists (
      select 1 from public.submission_history h
      where h.proof_url = 'proofs/' || p_path and h.campaign_id in (select private.own_campaign_ids()))
  ) then
    perform private.raise_error('FILE_NOT_FOUND', 'File not found', 404);
  end if;
  return p_path;
end $$;
comment on function public.authorize_proof_link(text) is
  'Called by the function sign-proof with the person''s token: returns the path when the caller may see this screenshot, as its member, as '
  'the owner of the quest to which it was submitted, or as an admin (C-59). Refused when the file was replaced after its verification. '
  'Errors: UNAUTHENTICATED, SUSPENDED, FILE_NOT_FOUND.';
grant execute on function public.authorize_proof_link(text) to authenticated, service_role;
