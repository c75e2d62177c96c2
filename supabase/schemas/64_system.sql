-- System status and security scan for the admin settings (ADMIN-12, C-54).

create function public.get_system_health() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'database_time', clock_timestamp(),
    'server_version', current_setting('server_version'),
    'database_bytes', pg_database_size(current_database()),
    'last_transfer_at', (select t.created_at from public.transfers t order by t.id desc limit 1),
    'last_event_at', (select max(e.created_at) from public.metrics_events e),
    'outbox', (
      select jsonb_build_object('waiting', count(*) filter (where o.failed_at is null),
        'failed', count(*) filter (where o.failed_at is not null),
        'oldest_waiting_at', min(o.created_at) filter (where o.failed_at is null))
      from private.unprocessed_events o
    ),
    'workers', private.worker_states(),
    'csp_reports', private.recent_csp_reports()
  );
end $$;
comment on function public.get_system_health() is
  'database_time, server_version, database_bytes, last_transfer_at, last_event_at, outbox {waiting, failed, oldest_waiting_at}, workers '
  '(private.worker_states), csp_reports (private.recent_csp_reports): any response means that the database works. Admins only. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_system_health() to authenticated, service_role;

create function public.run_security_scan() returns table (severity text, finding text, object text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select 'error', 'Table without row level security', c.oid::regclass::text
    from pg_catalog.pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
    union all
    select 'error', 'View runs with its owner''s rights', c.oid::regclass::text
    from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
      and not coalesce(c.reloptions @> array['security_invoker=true'], false)
    union all
    select 'error', 'Privileged function without a fixed search_path', p.oid::regprocedure::text
    from pg_catalog.pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosecdef
      and not coalesce(p.proconfig @> array['search_path=""'], false)
    union all
    select 'error', 'Function that everybody may execute', p.oid::regprocedure::text
    from pg_catalog.pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and exists (
        select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0
      )
      and not exists (select 1 from pg_catalog.pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    -- Visitors and members write through procedures; metrics_events is the only table that they insert into.
    select 'error', format('%s may %s rows', g.role, g.verb), c.oid::regclass::text
    from pg_catalog.pg_class c
    cross join (values ('anon'), ('authenticated')) r (role)
    cross join (values ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) v (verb)
    cross join lateral (select r.role, lower(v.verb) as verb) g
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (has_table_privilege(r.role, c.oid, v.verb)
        or (v.verb in ('INSERT', 'UPDATE') and has_any_column_privilege(r.role, c.oid, v.verb)))
      and not (c.relname = 'metrics_events' and v.verb = 'INSERT')
    union all
    select 'warning', 'Table with row level security but no policy', c.oid::regclass::text
    from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relrowsecurity
      and not exists (select 1 from pg_catalog.pg_policy p where p.polrelid = c.oid);
end $$;
comment on function public.run_security_scan() is
  'Gaps in the database''s own protection: severity (error, warning), finding, object; no rows when there are none. Admins only. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.run_security_scan() to authenticated, service_role;
