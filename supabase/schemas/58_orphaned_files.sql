-- Clean-up of orphaned files (TRUST-26).

create function private.is_referenced(p_bucket text, p_path text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case p_bucket
    when 'proofs' then private.is_proof_referenced(p_path)
    when 'project-logos' then private.is_logo_shown(p_path)
    when 'reward-images' then exists (
      -- An address may go on behind the path, as those that get past caches do.
      select 1 from public.rewards r
      where right(regexp_replace(r.image_url, '[?#].*', ''), length(p_path) + 15) = '/reward-images/' || p_path)
    when 'previews' then exists (
      select 1 from private.page_facts(split_part(p_path, '/', 1), split_part(p_path, '/', 2)) f
      where f.preview || '.png' = split_part(p_path, '/', 3))
    else true end;
end $$;
comment on function private.is_referenced(text, text) is
  'Whether a submission (or an earlier proof in its history), a project, a reward or the link preview of a public page uses this file.';

create table private.file_search (
  id boolean primary key default true check (id),
  bucket text not null,
  path text not null
);
comment on table private.file_search is
  'The last file that the search for orphaned files has looked at; empty texts when it starts over. One run may not get through all files.';
insert into private.file_search (bucket, path) values ('', '');

create function public.claim_orphaned_files(
  p_after_bucket text default '', p_after_path text default '', p_limit integer default 1000, p_min_age interval default '8 days'
) returns table (bucket text, path text, is_orphan boolean)
language plpgsql security definer set search_path = ''
as $$
declare
  v_after private.file_search := row(true, p_after_bucket, p_after_path);
  v_names text[];
  v_buckets text[];
begin
  if p_after_bucket is null then
    select f.* into v_after from private.file_search f for update;
  end if;
  select array_agg(o.bucket_id), array_agg(o.name) into v_buckets, v_names from (
    select o.bucket_id, o.name from storage.objects o
    where (o.bucket_id, o.name) > (v_after.bucket, v_after.path) and o.bucket_id in ('proofs', 'project-logos', 'reward-images', 'previews')
    order by o.bucket_id, o.name limit least(greatest(p_limit, 1), 1000)
  ) o;
  if p_after_bucket is null then
    update private.file_search f
    set bucket = coalesce(v_buckets[cardinality(v_buckets)], ''), path = coalesce(v_names[cardinality(v_names)], '') where f.id;
  end if;
  -- A transaction that is about to refer to one of these files holds this lock; the next statement sees its result.
  perform 1 from private.verified_uploads v
  where (v.bucket, v.path) in (select b, n from unnest(v_buckets, v_names) t (b, n)) order by v.bucket, v.path for update;
  return query
    with page as (
      select o.bucket_id, o.name,
        o.bucket_id in ('proofs', 'project-logos')
          and exists (select 1 from private.deleted_users d where d.user_id = (storage.foldername(o.name))[1])
        or (o.created_at < now() - p_min_age or o.bucket_id = 'previews') and not private.is_referenced(o.bucket_id, o.name) as is_orphan
      from unnest(v_buckets, v_names) t (b, n) join storage.objects o on o.bucket_id = t.b and o.name = t.n
    ), gone as (
      delete from private.verified_uploads v using page p where p.is_orphan and v.bucket = p.bucket_id and v.path = p.name
    )
    select p.bucket_id, p.name, p.is_orphan from page p order by p.bucket_id, p.name;
end $$;
comment on function public.claim_orphaned_files(text, text, integer, interval) is
  'One page of files in order, each with whether to remove it: unreferenced and older than p_min_age, or its owner was erased, or an '
  'outdated preview. By default older than eight days: a browser keeps the draft of a proof, which may name a picture, for a week. Files '
  'to remove become unverified at once, so that nothing can refer to them; the function remove-orphans deletes them through the storage '
  'API (TRUST-26). Next page: bucket and path of the last row; null goes on where the last page ended that was asked for in this way, and '
  'after an empty page from the beginning. Service role only.';
grant execute on function public.claim_orphaned_files(text, text, integer, interval) to service_role;
