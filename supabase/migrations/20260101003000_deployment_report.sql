-- What `npm run doctor` asks a database about itself.

create function private.applied_migrations() returns text[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(select m.version from supabase_migrations.schema_migrations m order by m.version);
exception
  when undefined_table or insufficient_privilege then
    return null;
end $$;
comment on function private.applied_migrations() is 'Versions that the official CLI has recorded; null when it has recorded none.';

create function public.get_deployment_report() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object(
    'migrations', to_jsonb(private.applied_migrations()),
    'policies', (
      select coalesce(jsonb_agg(p.schemaname || '.' || p.tablename || '.' || p.policyname order by 1), '[]') from pg_catalog.pg_policies p
      where p.schemaname in ('public', 'storage')
    ),
    'tables_without_rls', (
      select coalesce(jsonb_agg(c.relname order by 1), '[]') from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
    ),
    'buckets', (
      select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'public', b.public, 'file_size_limit', b.file_size_limit) order by b.id), '[]')
      from storage.buckets b
    ),
    'has_owner_email', (private.settings()).owner_email is not null,
    'outbox_waiting_seconds', (
      select extract(epoch from now() - min(o.created_at))::bigint from public.outbox_events o
      where o.processed_at is null and o.failed_at is null and o.attempts = 0
    )
  );
end $$;
comment on function public.get_deployment_report() is
  'For npm run doctor: migrations (null: unknown), policies ("schema.table.policy"), tables_without_rls, buckets {id, public, file_size_limit}, has_owner_email, outbox_waiting_seconds (age of the oldest event that nobody has tried; null: none). Service role only.';
grant execute on function public.get_deployment_report() to service_role;
