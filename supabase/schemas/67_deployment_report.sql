-- For `npm run doctor`: describes this database, to be compared with one built from supabase/migrations.

create function private.applied_migrations() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(select m.version from supabase_migrations.schema_migrations m order by m.version);
exception
  when undefined_table or insufficient_privilege then
    return null;
end $$;
comment on function private.applied_migrations() is 'Migration versions that the Supabase CLI has recorded; null when there are none.';

create function private.schedules() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('name', j.jobname, 'schedule', j.schedule, 'active', j.active) order by j.jobname), '[]')
    from cron.job j
  );
exception
  when undefined_table or insufficient_privilege then
    return null;
end $$;
comment on function private.schedules() is '[{name, schedule, active}] of pg_cron; null when it is not installed.';

create function private.api_privileges(p_acl aclitem[]) returns text
language sql stable set search_path = ''
as $$
  select string_agg(g.privilege, ',' order by g.privilege collate "C")
  from aclexplode(p_acl) a
  cross join lateral (select coalesce(nullif(a.grantee, 0)::regrole::text, 'public') || '=' || a.privilege_type) g (privilege)
  where a.grantee in (0, 'anon'::regrole, 'authenticated'::regrole, 'service_role'::regrole)
$$;
comment on function private.api_privileges(aclitem[]) is 'Privileges that an access list grants to the API roles, sorted.';

create function private.catalogue_fingerprint() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_object_agg(o.name, md5(o.definition)) from (
    select 'function ' || p.oid::regprocedure as name,
      concat_ws(' ', pg_get_functiondef(p.oid), private.api_privileges(coalesce(p.proacl, acldefault('f', p.proowner)))) as definition
    from pg_catalog.pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prokind in ('f', 'p')
      and not exists (select 1 from pg_catalog.pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select 'table ' || c.oid::regclass, concat_ws(' ', c.relkind, c.relrowsecurity, c.reloptions,
      private.api_privileges(coalesce(c.relacl, acldefault('r', c.relowner))), case when c.relkind = 'v' then pg_get_viewdef(c.oid) end,
      (select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
          pg_get_expr(d.adbin, d.adrelid), private.api_privileges(a.attacl)), ',' order by a.attname)
        from pg_catalog.pg_attribute a left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped))
    from pg_catalog.pg_class c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm')
    union all
    select 'constraint ' || x.conrelid::regclass || '.' || x.conname, concat_ws(' ', pg_get_constraintdef(x.oid), x.convalidated)
    from pg_catalog.pg_constraint x
    where x.connamespace in ('public'::regnamespace, 'private'::regnamespace) and x.contype <> 'n' and x.conrelid <> 0
    union all
    select 'index ' || i.indexrelid::regclass, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid)
    from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    union all
    select 'trigger ' || t.tgrelid::regclass || '.' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and not t.tgisinternal
    union all
    select 'policy ' || p.polrelid::regclass || '.' || p.polname, concat_ws(' ', p.polcmd, p.polpermissive,
      (select string_agg(r::regrole::text, ',' order by r::regrole::text collate "C") from unnest(p.polroles) r),
      pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
    from pg_catalog.pg_policy p join pg_catalog.pg_class c on c.oid = p.polrelid
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'storage'::regnamespace)
    union all
    select 'schema ' || n.nspname, private.api_privileges(coalesce(n.nspacl, acldefault('n', n.nspowner)))
    from pg_catalog.pg_namespace n
    where n.oid in ('public'::regnamespace, 'private'::regnamespace)
    union all
    select 'sequence ' || c.oid::regclass,
      concat_ws(' ', c.relkind, private.api_privileges(coalesce(c.relacl, acldefault('s', c.relowner))))
    from pg_catalog.pg_class c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'S'
  ) o
$$;
comment on function private.catalogue_fingerprint() is
  'One hash per function, table (with columns and privileges of the API roles), constraint, index, trigger, policy, schema and sequence, '
  'by name, ignoring comments and owners. Databases with equal hashes behave alike.';

create function public.get_deployment_report() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object(
    'migrations', to_jsonb(private.applied_migrations()),
    'objects', private.catalogue_fingerprint(),
    'tables_without_rls', (
      select coalesce(jsonb_agg(c.oid::regclass order by c.relname), '[]') from pg_catalog.pg_class c
      where (c.relnamespace = 'public'::regnamespace or c.oid = 'storage.objects'::regclass) and c.relkind in ('r', 'p')
        and not c.relrowsecurity
    ),
    'buckets', (
      select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'public', b.public, 'file_size_limit', b.file_size_limit,
        'allowed_mime_types', to_jsonb(b.allowed_mime_types)) order by b.id), '[]')
      from storage.buckets b
    ),
    'has_owner_email', (private.settings()).owner_email is not null,
    'token_issuer', (select d.token_issuer from private.deployment d),
    'sees_client_address', private.client_address() is not null,
    'schedules', private.schedules(),
    'workers', private.worker_states(),
    'outbox', (
      select jsonb_build_object(
        'waiting_seconds', extract(epoch from now() - min(o.created_at) filter (where o.failed_at is null))::bigint,
        'failed', count(*) filter (where o.failed_at is not null),
        'last_error', (array_agg(o.last_error order by o.next_attempt_at desc) filter (where o.last_error is not null))[1])
      from private.unprocessed_events o
    )
  );
end $$;
comment on function public.get_deployment_report() is
  'For npm run doctor: migrations (null: unknown), objects (private.catalogue_fingerprint), tables_without_rls, buckets {id, public, '
  'file_size_limit, allowed_mime_types}, has_owner_email, token_issuer, sees_client_address (of this call), schedules (private.schedules), '
  'workers (private.worker_states), outbox {waiting_seconds, failed, last_error} of unprocessed events. Service role only.';
grant execute on function public.get_deployment_report() to service_role;

create function public.probe_row_ceiling() returns setof integer
language sql immutable set search_path = ''
rows 2000
as $$ select generate_series(1, 2000) $$;
comment on function public.probe_row_ceiling() is
  'For npm run doctor: 2,000 rows, of which the API must return at most 1,000. Service role only.';
grant execute on function public.probe_row_ceiling() to service_role;
