-- Foundation: default deny, identity, errors, append-only guard.
-- Everything that PostgREST must not expose lives in the schema "private".

create schema private;
comment on schema private is 'Helpers behind the public API. Not exposed by PostgREST.';
grant usage on schema private to anon, authenticated, service_role;

-- The platform grants everything in public to the API roles by default. Questboard grants object by object.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

create extension if not exists pg_trgm with schema extensions;

-- Small helpers are written in PL/pgSQL: it keeps their plans, while an SQL function that pins search_path is planned at every call.

-- Identity -----------------------------------------------------------------------------------------------------------

create function public.current_user_id() returns text
language plpgsql stable set search_path = ''
as $$ begin return nullif(auth.jwt() ->> 'sub', ''); end $$;
comment on function public.current_user_id() is
  'Id of the signed-in person: the sub claim of the identity provider''s token (text). Null for visitors. Never auth.uid(), which casts to uuid.';
grant execute on function public.current_user_id() to anon, authenticated, service_role;

create function private.claim_email() returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
begin
  return case when v_claims ->> 'email_verified' = 'true' then lower(private.clean(v_claims ->> 'email')) end;
end $$;
comment on function private.claim_email() is
  'E-mail of the caller, only when the identity provider says that it is verified (C-12, C-65). Null otherwise.';
grant execute on function private.claim_email() to service_role;

create table private.admins (
  user_id text primary key,
  granted_at timestamptz not null default now(),
  reason text not null
);
comment on table private.admins is
  'Server-held admin flag. Written by sync_current_user when the verified e-mail equals app_settings.owner_email (SEC-05, C-12).';

create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
begin
  if nullif(v_claims ->> 'sub', '') is null then
    return false;
  end if;
  return coalesce(v_claims -> 'public_metadata' ->> 'role' = 'admin', false)
    or exists (select 1 from private.admins a where a.user_id = v_claims ->> 'sub');
end $$;
comment on function private.is_admin() is
  'True when the signed token carries public_metadata.role = admin or the caller holds the server-side flag. Nothing a user can write counts (C-09, C-13).';
grant execute on function private.is_admin() to anon, authenticated, service_role;

-- Errors -------------------------------------------------------------------------------------------------------------

create function private.fail(p_code text, p_message text, p_status integer default 400) returns void
language plpgsql set search_path = ''
as $$
begin
  raise exception using errcode = 'PT' || p_status, message = p_message, hint = p_code;
end $$;
comment on function private.fail(text, text, integer) is
  'Raises the one kind of business error: message = exact sentence, hint = stable code (docs/errors.md), HTTP status through sqlstate PTnnn.';

create function private.require_user() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  if v_user is null then
    perform private.fail('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  if exists (select 1 from public.user_profiles p where p.user_id = v_user and p.suspended_at is not null) then
    perform private.fail('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  end if;
  return v_user;
end $$;
comment on function private.require_user() is
  'Id of the caller. Raises UNAUTHENTICATED (401) for visitors and SUSPENDED (403) for suspended accounts.';

create function private.require_self(p_user_id text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if p_user_id is distinct from v_user and not private.is_admin() then
    perform private.fail('FORBIDDEN', 'Forbidden', 403);
  end if;
  return p_user_id;
end $$;
comment on function private.require_self(text) is
  'For procedures whose signature carries a user id: it must be the caller''s, or the caller must be an admin. Raises FORBIDDEN (SEC-04).';

create function private.require_admin() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if not private.is_admin() then
    perform private.fail('FORBIDDEN', 'Forbidden', 403);
  end if;
  return v_user;
end $$;
comment on function private.require_admin() is 'Id of the calling admin. Raises FORBIDDEN (403) for everyone else (SEC-04, SEC-15).';

-- Input ---------------------------------------------------------------------------------------------------------------

create function private.clean(p_text text) returns text
language plpgsql immutable set search_path = ''
as $$ begin return nullif(btrim(p_text, E' \t\r\n'), ''); end $$;
comment on function private.clean(text) is 'Trimmed text; blank becomes null.';

create function private.to_int(p_value jsonb) returns integer
language plpgsql immutable set search_path = ''
as $$
begin
  if p_value is null or jsonb_typeof(p_value) not in ('number', 'string') then
    return null;
  end if;
  return (p_value #>> '{}')::integer;
exception
  when invalid_text_representation or numeric_value_out_of_range then
    return null;
end $$;
comment on function private.to_int(jsonb) is
  'Whole number in a JSON value, null when it is none or does not fit; callers answer null with their own sentence instead of a cast error.';

create function private.to_bool(p_value jsonb, p_default boolean) returns boolean
language sql immutable set search_path = ''
as $$ select case p_value #>> '{}' when 'true' then true when 'false' then false else p_default end $$;
comment on function private.to_bool(jsonb, boolean) is 'Boolean in a JSON value, or the default.';

create function private.is_http_url(p_url text) returns boolean
language plpgsql immutable set search_path = ''
as $$ begin return p_url ~* '^https?://[^\s/?#@<>"''\\:]+(:[0-9]{1,5})?([/?#][^\s<>"]*)?$' and length(p_url) <= 2048; end $$;
comment on function private.is_http_url(text) is 'True for an absolute http(s) address of at most 2048 characters without credentials, spaces or markup (TRUST-13).';

create function private.is_image_url(p_url text) returns boolean
language plpgsql immutable set search_path = ''
as $$ begin return private.is_http_url(p_url) or (p_url ~ '^/[a-z0-9][A-Za-z0-9_./-]*$' and length(p_url) <= 300); end $$;
comment on function private.is_image_url(text) is 'Address of a picture: http(s), or a file of this site itself ("/demo/logos/x.svg").';

create function private.is_email(p_email text) returns boolean
language plpgsql immutable set search_path = ''
as $$ begin return p_email ~* '^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\.]+(\.[^\s@<>"(),;:\\.]+)+$' and length(p_email) <= 254; end $$;
comment on function private.is_email(text) is 'True for something that can be an e-mail address of at most 254 characters.';

-- Append-only tables ----------------------------------------------------------------------------------------------------

create function private.refuse_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'rows of %.% are append-only', tg_table_schema, tg_table_name using errcode = '42501';
end $$;
comment on function private.refuse_change() is 'Trigger of append-only tables: refuses update, delete and truncate whoever asks.';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end $$;
comment on function private.touch_updated_at() is 'Trigger: keeps updated_at true.';
