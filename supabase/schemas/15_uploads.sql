-- Uploaded files: quotas, and what the server found in them. The policies of the buckets are in 50_storage.

create table private.verified_uploads (
  bucket text not null,
  path text not null,
  object_id uuid not null,
  version text,
  owner text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  dhash bit(64),
  bytes bigint not null check (bytes > 0),
  mime text not null,
  primary key (bucket, path)
);
comment on table private.verified_uploads is
  'Uploaded pictures whose content the function verify-upload has checked. Valid for one version of an object: a file that replaces it is '
  'unverified.';
comment on column private.verified_uploads.owner is 'User id; the first folder of the path.';
comment on column private.verified_uploads.sha256 is 'SHA-256 of the bytes, in hex.';
comment on column private.verified_uploads.dhash is
  'Difference hash: 9 by 8 grey pixels, each compared with its right neighbour, rows from above; bit_count(a # b) of at most 6 means '
  'nearly the same picture. Null for animated pictures, which are not decoded.';
create index verified_uploads_owner on private.verified_uploads (owner);

create function private.upload_limits(p_bucket text) returns table (files integer, bytes bigint)
language sql stable security definer set search_path = ''
as $$
  select case p_bucket when 'proofs' then s.proof_files_per_person else s.logo_files_per_person end,
    case p_bucket when 'proofs' then s.proof_megabytes_per_person else s.logo_megabytes_per_person end * 1048576::bigint
  from public.app_settings s
$$;
comment on function private.upload_limits(text) is 'How many files and bytes one person may keep in a bucket (TRUST-26).';

create function private.uploads_of(p_bucket text, p_user_id text, out files bigint, out bytes bigint)
language sql stable security definer set search_path = ''
as $$
  -- From "user/" to "user0", the next character: a range of the platform's own index on names, whatever letters the id has.
  select count(*), coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
  where o.bucket_id = p_bucket and o.name ~>=~ (p_user_id || '/') and o.name ~<~ (p_user_id || '0')
$$;
comment on function private.uploads_of(text, text) is 'Number of files and bytes in a person''s folder of a bucket.';

create function private.lock_uploads(p_bucket text, p_user_id text) returns void
language sql volatile set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('upload:' || p_bucket || ':' || p_user_id, 0)) $$;
comment on function private.lock_uploads(text, text) is 'Serialises the uploads of one person, so that the quota is exact.';

create function private.may_upload(p_bucket text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  if not private.is_in_good_standing() then
    return false;
  end if;
  perform private.lock_uploads(p_bucket, v_user);
  return (
    select u.files < l.files and u.bytes < l.bytes from private.uploads_of(p_bucket, v_user) u, private.upload_limits(p_bucket) l
  );
end $$;
comment on function private.may_upload(text) is
  'For policies: whether the caller is in good standing and within the quota of this bucket. The platform checks before it receives the '
  'bytes and writes the row later, so concurrent uploads may exceed the quota; record_verified_upload counts again and the surplus is '
  'removed.';
grant execute on function private.may_upload(text) to authenticated, service_role;

create function private.is_allowed_type(p_bucket text, p_metadata jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    p_metadata ->> 'mimetype' = any ((select b.allowed_mime_types from storage.buckets b where b.id = p_bucket)::text[]), true);
end $$;
comment on function private.is_allowed_type(text, jsonb) is
  'For policies: whether a file''s type, if it is known, is one of its bucket''s. The platform compares the type of an upload with that '
  'list, but not the one that a caller gives to a copy.';
grant execute on function private.is_allowed_type(text, jsonb) to authenticated, service_role;

create function private.is_verified_upload(p_bucket text, p_path text, p_user_id text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  -- The lock keeps claim_orphaned_files and may_delete_upload away until the caller's reference to the file is committed.
  perform 1 from private.verified_uploads v where v.bucket = p_bucket and v.path = p_path and v.owner = p_user_id for share;
  -- Looked up only now: the file may have been removed by the one that the lock waited for.
  return exists (
    select 1 from private.verified_uploads v join storage.objects o
      on o.bucket_id = v.bucket and o.name = v.path and o.id = v.object_id and o.version is not distinct from v.version
    where v.bucket = p_bucket and v.path = p_path and v.owner = p_user_id);
end $$;
comment on function private.is_verified_upload(text, text, text) is
  'Whether this file belongs to the person and the server has verified that it is a picture (C-89, TRUST-26).';

create function private.logo_path(p_url text) returns text
language plpgsql immutable set search_path = ''
as $$ begin return substring(p_url from '/storage/v1/object/public/project-logos/(.+)$'); end $$;
comment on function private.logo_path(text) is
  'Path of a logo in our own bucket, whatever the host of its URL, which is unknown here; null for any other URL.';

create function private.validate_logo_url(p_url text, p_user text, p_owner text, p_current text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_url text := private.normalize_image_url(p_url, 'INVALID_LOGO_URL');
  v_path text := private.logo_path(v_url);
begin
  if v_path is not null and v_url is distinct from p_current
    and not private.is_verified_upload('project-logos', v_path, p_user) and not private.is_verified_upload('project-logos', v_path, p_owner)
  then
    perform private.raise_error('UPLOAD_NOT_CHECKED', 'This file has not been checked yet. Please upload it again.', 409);
  end if;
  return v_url;
end $$;
comment on function private.validate_logo_url(text, text, text, text) is
  'URL of a logo; one in our own bucket must be a verified file of the caller or the owner (C-89). Errors: INVALID_LOGO_URL, '
  'UPLOAD_NOT_CHECKED.';

create function public.start_upload_check(p_bucket text, p_path text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_file jsonb;
begin
  if not public.take_rate_limit('user:' || v_user, 'upload_check', 30, 60) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  select jsonb_build_object('id', o.id, 'version', o.version, 'etag', o.metadata ->> 'eTag') into v_file
  from storage.objects o
  where o.bucket_id = p_bucket and o.name = p_path and p_bucket in ('proofs', 'project-logos')
    and (storage.foldername(o.name))[1] = v_user;
  if v_file is null then
    perform private.raise_error('FILE_NOT_FOUND', 'File not found', 404);
  end if;
  return v_file;
end $$;
comment on function public.start_upload_check(text, text) is
  'Called by the function verify-upload with the person''s token: id, version and ETag of one of their own files (C-89). Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, RATE_LIMITED, FILE_NOT_FOUND.';
grant execute on function public.start_upload_check(text, text) to authenticated, service_role;

create function public.record_verified_upload(
  p_bucket text, p_path text, p_object_id uuid, p_version text, p_sha256 text, p_dhash text, p_bytes bigint, p_mime text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := (storage.foldername(p_path))[1];
begin
  perform pg_advisory_xact_lock_shared(private.account_lock(v_user));
  perform private.lock_uploads(p_bucket, v_user);
  if exists (
    select 1 from private.verified_uploads v where v.bucket = p_bucket and v.path = p_path and v.object_id = p_object_id
      and v.version is not distinct from p_version
  ) then
    return;
  elsif not exists (
    select 1 from storage.objects o where o.bucket_id = p_bucket and o.name = p_path and o.id = p_object_id
      and o.version is not distinct from p_version
  ) or exists (select 1 from private.deleted_users d where d.user_id = v_user) then
    perform private.raise_error('FILE_NOT_FOUND', 'File not found', 404);
  elsif exists (
    select 1 from private.uploads_of(p_bucket, v_user) u, private.upload_limits(p_bucket) l where u.files > l.files or u.bytes > l.bytes
  ) then
    perform private.raise_error('UPLOAD_LIMIT', 'You have uploaded too many files. Please delete some or try again tomorrow.', 409);
  end if;
  insert into private.verified_uploads (bucket, path, object_id, version, owner, sha256, dhash, bytes, mime)
  values (p_bucket, p_path, p_object_id, p_version, v_user, p_sha256, ('x' || p_dhash)::bit(64), p_bytes, p_mime)
  on conflict (bucket, path) do update set object_id = excluded.object_id, version = excluded.version, sha256 = excluded.sha256,
    dhash = excluded.dhash, bytes = excluded.bytes, mime = excluded.mime;
end $$;
comment on function public.record_verified_upload(text, text, uuid, text, text, text, bigint, text) is
  'Stores what verify-upload found, if the file is still the version that it read; p_dhash: 16 hex digits or null. Service role only. '
  'Errors: FILE_NOT_FOUND, UPLOAD_LIMIT.';
grant execute on function public.record_verified_upload(text, text, uuid, text, text, text, bigint, text) to service_role;
