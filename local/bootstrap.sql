-- What a hosted Supabase project has before its first migration, as far as Questboard can see it: roles, the schemas
-- auth, storage and extensions, default privileges, statement timeouts. Runs once, as the superuser supabase_admin, on
-- the embedded Postgres only. Hosted projects and `supabase start` bring their own.

-- Roles ---------------------------------------------------------------------------------------------------------------

-- Migrations run as postgres, which is no superuser on the hosted platform either.
create role postgres login password 'postgres' createdb createrole replication bypassrls;
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit password 'postgres';
create role supabase_auth_admin nologin noinherit createrole;
create role supabase_storage_admin nologin noinherit createrole;
create role supabase_realtime_admin nologin noinherit;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to postgres with admin option;
grant anon, authenticated, service_role to supabase_storage_admin;
grant supabase_storage_admin to postgres;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres with admin option;

-- As on the platform: a restore writes rows without running the triggers that wrote them first.
grant set on parameter session_replication_role to postgres;

-- A visitor's query may take 3 s, everybody else's 8 s.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
-- The platform also loads safeupdate for authenticator, which refuses to update or delete without a where clause. The embedded Postgres
-- does not have it: platform-roles.test.ts looks at the procedures instead.
alter role postgres set search_path to "$user", public, extensions;

-- Schema public -------------------------------------------------------------------------------------------------------

alter database postgres owner to postgres;
alter schema public owner to postgres;
grant usage on schema public to anon, authenticated, service_role;

-- Projects from before October 2026 hand every new object of public to the API roles; the first migration takes that back.
alter default privileges for role postgres in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;

-- Schema extensions ---------------------------------------------------------------------------------------------------

create schema extensions authorization postgres;
grant usage on schema extensions to postgres, anon, authenticated, service_role, supabase_storage_admin;
create extension pgcrypto with schema extensions;
create extension "uuid-ossp" with schema extensions;
create extension pg_stat_statements with schema extensions;

-- Schema auth: the claims of the caller's token, which PostgREST puts into request.jwt.claims --------------------------

create schema auth authorization supabase_auth_admin;
grant usage on schema auth to postgres, anon, authenticated, service_role;

create function auth.jwt() returns jsonb language sql stable
as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

create function auth.role() returns text language sql stable
as $$ select auth.jwt() ->> 'role' $$;

-- Exists on the platform, and fails there too for ids that are no uuid, as Clerk's are. Questboard never calls it.
create function auth.uid() returns uuid language sql stable
as $$ select (auth.jwt() ->> 'sub')::uuid $$;

alter function auth.jwt() owner to supabase_auth_admin;
alter function auth.role() owner to supabase_auth_admin;
alter function auth.uid() owner to supabase_auth_admin;

-- Schema storage: one row a bucket and one a file; the policies of the migrations on storage.objects decide -------------

create schema storage authorization supabase_storage_admin;
grant usage on schema storage to postgres, anon, authenticated, service_role;

create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  version text,
  metadata jsonb,
  user_metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now()
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index name_prefix_search on storage.objects (name text_pattern_ops);

alter table storage.buckets owner to supabase_storage_admin;
alter table storage.objects owner to supabase_storage_admin;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant all on storage.buckets, storage.objects to postgres, anon, authenticated, service_role;

create function storage.foldername(name text) returns text[] language sql immutable
as $$ select (string_to_array(name, '/'))[1:cardinality(string_to_array(name, '/')) - 1] $$;

create function storage.filename(name text) returns text language sql immutable
as $$ select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))] $$;

create function storage.extension(name text) returns text language sql immutable
as $$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $$;

grant execute on all functions in schema storage to postgres, anon, authenticated, service_role;

-- The platform refuses to delete rows behind the storage API's back, which would leave the bytes without a row.
create function storage.protect_delete() returns trigger language plpgsql
as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501';
  end if;
  return null;
end
$$;
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();

-- Schema realtime: who may listen to a private channel is decided by the policies on realtime.messages ---------------------

grant supabase_realtime_admin to postgres;
create schema realtime authorization supabase_realtime_admin;
grant usage on schema realtime to postgres, anon, authenticated, service_role;

create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  primary key (id, inserted_at)
);
alter table realtime.messages owner to supabase_realtime_admin;
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to postgres, anon, authenticated, service_role;

create function realtime.topic() returns text language sql stable
as $$ select nullif(current_setting('realtime.topic', true), '')::text $$;

-- The platform reads the rows from the write-ahead log; here the gateway is notified of them, with the commit as there.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void language plpgsql
as $$
begin
  insert into realtime.messages (payload, event, topic, private, extension) values (payload, event, topic, private, 'broadcast');
  perform pg_notify('realtime', jsonb_build_object('payload', payload, 'event', event, 'topic', topic, 'private', private)::text);
exception when others then
  raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end
$$;
alter function realtime.topic() owner to supabase_realtime_admin;
alter function realtime.send(jsonb, text, text, boolean) owner to supabase_realtime_admin;

-- PostgREST reloads its picture of the schema whenever the schema changes -----------------------------------------------

create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql
as $$ begin notify pgrst, 'reload schema'; end $$;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_ddl_watch();
