-- Generated from supabase/schemas by `npm run db:baseline`; edit those files, never this one (see CONTRIBUTING.md).

-- ==============================================================================================================================
-- 01_foundation.sql
-- ==============================================================================================================================

-- Foundation: default deny, errors, input validation, shared triggers. Whatever PostgREST must not expose is in the schema "private".

create schema private;
comment on schema private is 'Helpers behind the public API. Not exposed by PostgREST.';
grant usage on schema private to anon, authenticated, service_role;

-- The platform grants everything in public to the API roles by default. Questboard grants object by object.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

create extension if not exists pg_trgm with schema extensions;
create extension if not exists pgcrypto with schema extensions;

-- Small helpers are written in PL/pgSQL: their plans are cached, while an SQL function with a pinned search_path cannot be inlined and is
-- planned on every call.

-- Errors --------------------------------------------------------------------------------------------------------------

create function private.raise_error(p_code text, p_message text, p_status integer default 400, p_details jsonb default null) returns void
language plpgsql set search_path = ''
as $$
begin
  if p_details is null then
    raise exception using errcode = 'PT' || p_status, message = p_message, hint = p_code;
  end if;
  raise exception using errcode = 'PT' || p_status, message = p_message, hint = p_code, detail = p_details;
end $$;
comment on function private.raise_error(text, text, integer, jsonb) is
  'Raises a business error: message = exact sentence, hint = stable code (docs/errors.md), HTTP status in sqlstate PTnnn, details = '
  'figures that the caller needs to recover. Every business error is raised here.';

-- Ids -----------------------------------------------------------------------------------------------------------------

create function private.uuidv7() returns uuid
language plpgsql set search_path = ''
as $$
begin
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substr(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;
end $$;
comment on function private.uuidv7() is
  'A UUID of version 7: milliseconds, then 74 random bits. For tables that grow with every action or member: new rows go to the end of '
  'each index on the id, where random ids dirty another page of a large index with each insert. PostgreSQL 18 has it built in.';

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
  'Integer in a JSON value; null when it is not one or out of range, so that callers can raise an error of their own instead of a cast '
  'error.';

create function private.to_bool(p_value jsonb, p_default boolean) returns boolean
language sql immutable set search_path = ''
as $$ select case p_value #>> '{}' when 'true' then true when 'false' then false else p_default end $$;
comment on function private.to_bool(jsonb, boolean) is 'Boolean in a JSON value, or the default.';

create function private.to_uuid(p_text text) returns uuid
language sql immutable set search_path = ''
as $$ select case when p_text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end $$;
comment on function private.to_uuid(text) is 'The text as a UUID, or null when it is not one.';

create function private.is_http_url(p_url text) returns boolean
language plpgsql immutable set search_path = ''
as $$ begin return length(p_url) <= 2048 and p_url ~* '^https?://[^\s/?#@<>"''\\:]+(:[0-9]{1,5})?([/?#][^\s<>"]*)?$'; end $$;
comment on function private.is_http_url(text) is
  'True for an absolute http(s) address of at most 2048 characters without credentials, spaces or markup (TRUST-13).';

create function private.is_image_url(p_url text) returns boolean
language plpgsql immutable set search_path = ''
as $$ begin return private.is_http_url(p_url) or (p_url ~ '^/[a-z0-9][A-Za-z0-9_./-]*$' and length(p_url) <= 300); end $$;
comment on function private.is_image_url(text) is 'Image URL: http(s), or a path on this site ("/demo/logos/x.svg").';

create function private.is_email(p_email text) returns boolean
language plpgsql immutable set search_path = ''
as $$
declare
  v_pattern text := '^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\.]+(\.[^\s@<>"(),;:\\.]+)+$';
begin
  -- The length first: whoever sends megabytes must not keep the server busy for seconds.
  if length(p_email) > 254 or p_email !~ v_pattern then
    return false;
  end if;
  -- As mailboxes are compared, where wide and composed characters become others.
  p_email := lower(normalize(p_email, nfkc));
  return length(p_email) <= 254 and p_email ~ v_pattern;
end $$;
comment on function private.is_email(text) is
  'Whether this is a plausible e-mail address (at most 254 characters), whose mailbox can be recognised (private.normalize_mailbox).';

create function private.normalize_text(p_value text, p_max integer) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if length(private.clean(p_value)) > p_max then
    perform private.raise_error('TEXT_TOO_LONG', 'This text is too long', 400);
  end if;
  return coalesce(private.clean(p_value), '');
end $$;
comment on function private.normalize_text(text, integer) is
  'Trimmed text of at most p_max characters; empty string for null. Errors: TEXT_TOO_LONG.';

create function private.require_text(p_value text, p_max integer, p_code text, p_message text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if private.clean(p_value) is null then
    perform private.raise_error(p_code, p_message, 400);
  end if;
  return private.normalize_text(p_value, p_max);
end $$;
comment on function private.require_text(text, integer, text, text) is
  'Like normalize_text, but raises the given error for blank text. Errors: TEXT_TOO_LONG.';

create function private.normalize_note(p_note text) returns text
language plpgsql immutable set search_path = ''
as $$ begin return left(private.clean(p_note), 1000); end $$;
comment on function private.normalize_note(text) is
  'The words that come with a decision, trimmed and cut to 1,000 characters; blank becomes null.';

create function private.require_reason(p_reason text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_reason text := private.normalize_note(p_reason);
begin
  if v_reason is null then
    perform private.raise_error('REASON_REQUIRED', 'A reason is required', 400);
  end if;
  return v_reason;
end $$;
comment on function private.require_reason(text) is 'Like normalize_note, for a decision that needs a reason. Errors: REASON_REQUIRED.';

create function private.normalize_url(p_url text, p_code text, p_message text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_url text := private.clean(p_url);
begin
  if v_url is null then
    return null;
  end if;
  if v_url !~* '^[a-z][a-z0-9+.-]*://' then
    v_url := 'https://' || v_url;
  end if;
  if not private.is_http_url(v_url) then
    perform private.raise_error(p_code, p_message, 400);
  end if;
  return v_url;
end $$;
comment on function private.normalize_url(text, text, text) is
  'URL with https:// prepended when it has no scheme (SPROF-03). Raises the given error when it is invalid.';

create function private.normalize_image_url(p_url text, p_code text) returns text
language sql immutable set search_path = ''
as $$
  select case when private.clean(p_url) like '/%' and private.is_image_url(private.clean(p_url)) then private.clean(p_url)
    else private.normalize_url(p_url, p_code, 'Please enter a valid image URL') end
$$;
comment on function private.normalize_image_url(text, text) is
  'Image URL; raises the given code with the sentence of SPROF-03 when it is invalid.';

-- Triggers ------------------------------------------------------------------------------------------------------------

create function private.prevent_mutation() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'rows of %.% are append-only', tg_table_schema, tg_table_name using errcode = '42501';
end $$;
comment on function private.prevent_mutation() is 'Trigger for append-only tables: rejects update, delete and truncate for every role.';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end $$;
comment on function private.touch_updated_at() is 'Trigger: sets updated_at to now.';

-- ==============================================================================================================================
-- 02_deployment.sql
-- ==============================================================================================================================

-- Settings of one installation. Set once in the SQL editor (docs/deploy.md); no API role can read or write them.

create table private.deployment (
  id boolean primary key default true check (id),
  token_issuer text check (token_issuer ~ '^https?://[^/[:space:]]+$'),
  address_header text not null default 'cf-connecting-ip' check (address_header ~ '^[a-z0-9-]+$'),
  trusted_hops integer not null default 1 check (trusted_hops between 1 and 10),
  anonymous_writes_per_minute integer not null default 600 check (anonymous_writes_per_minute >= 0),
  anonymous_writes_per_day integer not null default 5000 check (anonymous_writes_per_day >= 0),
  metrics_bytes_per_day bigint not null default 52428800 check (metrics_bytes_per_day >= 0),
  mails_per_day integer not null default 10000 check (mails_per_day >= 0),
  digest_hour integer not null default 7 check (digest_hour between 0 and 23),
  has_live_updates boolean not null default false
);
comment on table private.deployment is 'Settings and ceilings of this installation; exactly one row.';
comment on column private.deployment.token_issuer is
  'The iss claim of the identity provider''s tokens, without a trailing slash; a caller with a token from any other issuer counts as a '
  'visitor (TRUST-29). Null: not configured, which npm run doctor reports; every token that the platform accepts is then trusted.';
comment on column private.deployment.address_header is
  'Lower-case name of the request header that the platform sets to the caller''s IP address (TRUST-24). Behind another proxy: the header '
  'that the proxy overwrites, or x-forwarded-for with trusted_hops.';
comment on column private.deployment.trusted_hops is
  'Which entry of the list in address_header is the caller, counted from the end: the number of our own proxies that append to it.';
comment on column private.deployment.anonymous_writes_per_minute is 'Ceiling for the writes of all visitors together, per minute.';
comment on column private.deployment.anonymous_writes_per_day is
  'Ceiling for the writes of all visitors together, per day and kind of write.';
comment on column private.deployment.metrics_bytes_per_day is 'Bytes of usage events stored per day; later events are dropped.';
comment on column private.deployment.mails_per_day is 'Mails sent per day; later ones wait for the next day.';
comment on column private.deployment.digest_hour is 'Hour (UTC) from which the founders'' daily digest is sent.';
comment on column private.deployment.has_live_updates is 'Whether Realtime is used; set by private.enable_live_updates().';
insert into private.deployment default values;

-- ==============================================================================================================================
-- 02_identity.sql
-- ==============================================================================================================================

-- Who is calling: the claims of the identity provider's signed token, and who is an admin.

create table private.deleted_users (
  user_id text primary key,
  deleted_at timestamptz not null default now(),
  was_suspended boolean not null default false
);
comment on table private.deleted_users is
  'Ids of deleted accounts, so that a session token that outlives its account by seconds cannot recreate the profile. The identity '
  'provider never reuses an id.';
comment on column private.deleted_users.was_suspended is
  'The suspension carries over to the person''s next account (C-97); false once an admin has lifted it.';

create function private.session_claims() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
  v_issuer text;
begin
  -- A session with tasks left, such as the change of a compromised password, is none yet.
  if nullif(v_claims ->> 'sub', '') is null or v_claims ->> 'sts' = 'pending' then
    return null;
  end if;
  select d.token_issuer into v_issuer from private.deployment d;
  return case when (v_issuer is null or v_claims ->> 'iss' = v_issuer)
    and not exists (select 1 from private.deleted_users u where u.user_id = v_claims ->> 'sub') then v_claims end;
end $$;
comment on function private.session_claims() is
  'Claims of the caller''s session token; null for visitors and servers. The platform verifies signatures but trusts several issuers (its '
  'own sign-in among them), so a token from an issuer other than the configured one counts as none (TRUST-29), and so do one that '
  'outlives its deleted account by seconds and one of a session that the identity provider still calls pending. Claims are read nowhere '
  'else.';
grant execute on function private.session_claims() to anon, authenticated, service_role;

create function public.current_user_id() returns text
language plpgsql stable set search_path = ''
as $$ begin return private.session_claims() ->> 'sub'; end $$;
comment on function public.current_user_id() is
  'Id of the signed-in person: the sub claim of the identity provider''s token (text). Null for visitors. Never auth.uid(), which casts '
  'to uuid.';
grant execute on function public.current_user_id() to anon, authenticated, service_role;

create function private.account_lock(p_user_id text) returns bigint
language plpgsql immutable set search_path = ''
as $$ begin return hashtextextended('account:' || p_user_id, 0); end $$;
comment on function private.account_lock(text) is
  'Key of the advisory lock that calls of a person share and that the erasure of the account takes alone, each before any other lock, so '
  'that nothing written by a call outlives the erasure (TRUST-28).';

create function private.lock_own_account() returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(private.account_lock(public.current_user_id()));
  -- Asked again, because the account may have been erased meanwhile.
  return public.current_user_id();
end $$;
comment on function private.lock_own_account() is
  'Id of the caller, whose erasure waits for the end of this call; null for visitors. For calls that write something of the caller''s.';

create function private.jwt_email() returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_claims jsonb := private.session_claims();
begin
  return case when v_claims ->> 'email_verified' = 'true' and private.is_email(private.clean(v_claims ->> 'email'))
    then lower(private.clean(v_claims ->> 'email')) end;
end $$;
comment on function private.jwt_email() is
  'E-mail of the caller if the identity provider has verified it, null otherwise (C-12, C-65). An address in quotes or with a comment '
  'counts as none, because the mailbox behind it would not be recognised (TRUST-15).';
grant execute on function private.jwt_email() to service_role;

create table private.product_owner (
  id boolean primary key default true check (id),
  email text,
  revoked_at timestamptz
);
comment on table private.product_owner is
  'Copy of app_settings.owner_email, maintained by that table''s trigger: whoever signs in with this verified address is admin (SEC-05, '
  'C-12). A table of its own because policies need is_admin() before the settings are declared.';
comment on column private.product_owner.revoked_at is
  'Set by revoke_admin: nobody is admin by this address, until restore_admin or until owner_email is set again (TRUST-19).';

create table private.admins (
  user_id text primary key,
  granted_at timestamptz not null default now(),
  reason text not null,
  revoked_at timestamptz,
  revoked_by text
);
comment on table private.admins is
  'Admin rights of single people, which override their token and address: granted in the database, or revoked by revoke_admin (TRUST-19).';
comment on column private.admins.revoked_at is 'Set: not an admin, whatever the token says.';

create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := private.session_claims();
  v_is_admin boolean;
begin
  if v_claims is null then
    return false;
  end if;
  select a.revoked_at is null into v_is_admin from private.admins a where a.user_id = v_claims ->> 'sub';
  return coalesce(
    v_is_admin,
    v_claims -> 'public_metadata' ->> 'role' = 'admin'
      or private.jwt_email() = (select o.email from private.product_owner o where o.revoked_at is null),
    false
  );
end $$;
comment on function private.is_admin() is
  'True when the signed token carries public_metadata.role = admin or the product owner''s verified address at this moment, and the right '
  'has not been revoked. Nothing that a user can write counts (C-09, C-13, TRUST-19).';
grant execute on function private.is_admin() to anon, authenticated, service_role;

create function private.refuse_own_matter(p_admin text, p_person text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_person = p_admin then
    perform private.raise_error('OWN_MATTER', 'This concerns you or your own project. Another admin has to decide it.', 403);
  end if;
end $$;
comment on function private.refuse_own_matter(text, text) is
  'Admins decide nothing about themselves or a project of their own: another admin does. p_person: whom the decision is about, or who owns '
  'the project. Errors: OWN_MATTER.';

-- ==============================================================================================================================
-- 03_paging.sql
-- ==============================================================================================================================

-- What list procedures share: caching, page size, search, cursors and order.

create function private.cache_for(p_seconds integer, p_same_for_all boolean) returns void
language plpgsql stable set search_path = ''
as $$
begin
  perform set_config('response.headers', jsonb_build_array(
    -- Browsers always revalidate, so that people see the effect of what they just did; shared caches absorb the polling.
    jsonb_build_object('Cache-Control', case when p_same_for_all or public.current_user_id() is null
      then format('public, max-age=0, s-maxage=%s', p_seconds) else 'private, no-cache' end),
    -- PostgREST answers each of these headers differently: one row, CSV, no CORS. Nobody else is to get such an answer from a cache.
    jsonb_build_object('Vary', concat_ws(', ', 'Accept, Accept-Encoding, Origin, Prefer, Range',
      case when not p_same_for_all then 'Authorization' end)))::text, true);
end $$;
comment on function private.cache_for(integer, boolean) is
  'Sets Cache-Control on the response: a shared cache may keep the response for that many seconds. Responses that depend on the caller '
  '(p_same_for_all false) are shared between visitors only.';
grant execute on function private.cache_for(integer, boolean) to anon, authenticated, service_role;

create function private.validate_limit(p_limit integer, p_default integer, p_most integer default 100) returns integer
language plpgsql immutable security definer set search_path = ''
as $$
begin
  if coalesce(p_limit, p_default) not between 1 and p_most then
    perform private.raise_error('INVALID_LIMIT', format('Please ask for 1 to %s rows', p_most), 400);
  end if;
  return coalesce(p_limit, p_default);
end $$;
comment on function private.validate_limit(integer, integer, integer) is
  'Page size from 1 to p_most; the default for null. Security definer, so that callers with a visitor''s rights get a readable error. '
  'Errors: INVALID_LIMIT.';
grant execute on function private.validate_limit(integer, integer, integer) to anon, authenticated, service_role;

create function private.validate_ids(p_ids uuid[]) returns uuid[]
language plpgsql immutable security definer set search_path = ''
as $$
begin
  if cardinality(p_ids) > 200 then
    perform private.raise_error('TOO_MANY_IDS', 'Please ask for at most 200 ids', 400);
  end if;
  return coalesce(p_ids, '{}');
end $$;
comment on function private.validate_ids(uuid[]) is
  'The ids; an empty array for null. Security definer, so that callers with a visitor''s rights get a readable error. Errors: '
  'TOO_MANY_IDS.';
grant execute on function private.validate_ids(uuid[]) to anon, authenticated, service_role;

create function private.validate_status_filter(p_status text, p_statuses text[]) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_status <> all (p_statuses) then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
end $$;
comment on function private.validate_status_filter(text, text[]) is
  'Accepts one of the statuses, or null for no filter. Errors: INVALID_STATUS.';

create function private.validate_search(p_search text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if length(p_search) > 100 then
    perform private.raise_error('SEARCH_TOO_LONG', 'Please use a shorter search', 400);
  end if;
  return private.clean(p_search);
end $$;
comment on function private.validate_search(text) is 'The search text, trimmed; null for a blank search. Errors: SEARCH_TOO_LONG.';

create function private.search_pattern(p_search text) returns text
language sql immutable set search_path = ''
as $$ select '%' || regexp_replace(private.validate_search(p_search), '([\\%_])', '\\\1', 'g') || '%' $$;
comment on function private.search_pattern(text) is
  'ILIKE pattern that matches the literal text, wildcards escaped; null for a blank search. Errors: SEARCH_TOO_LONG.';

-- Cursors -------------------------------------------------------------------------------------------------------------

create function private.encode_cursor(p_list text, p_keys jsonb) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return translate(encode(convert_to((jsonb_build_array(p_list) || p_keys)::text, 'UTF8'), 'base64'), E'+/=\n', '-_');
end $$;
comment on function private.encode_cursor(text, jsonb) is
  'Opaque page cursor: the sort keys of a row (a JSON array), bound to the list and sort order that produced it.';
grant execute on function private.encode_cursor(text, jsonb) to anon, authenticated, service_role;

create function private.decode_cursor(p_list text, p_cursor text, p_types text[]) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_text text := left(private.clean(p_cursor), 1000);
  v_parts jsonb;
  v_keys text[];
begin
  if v_text is null then
    return null;
  end if;
  begin
    v_parts := convert_from(decode(rpad(translate(v_text, '-_', '+/'), ((length(v_text) + 3) / 4) * 4, '='), 'base64'), 'UTF8')::jsonb;
    v_keys := array(select k.key from jsonb_array_elements_text(v_parts) with ordinality k (key, n) where k.n > 1 order by k.n);
  exception when data_exception then
    v_keys := null;
  end;
  if v_parts ->> 0 is distinct from p_list or cardinality(v_keys) is distinct from cardinality(p_types)
    or exists (select 1 from unnest(v_keys, p_types) k (key, type) where (k.key is null or not pg_input_is_valid(k.key, k.type)))
  then
    perform private.raise_error('INVALID_CURSOR', 'This page cannot be found. Please start from the first page.', 400);
  end if;
  return v_keys;
end $$;
comment on function private.decode_cursor(text, text, text[]) is
  'Sort keys of the row after which a page begins, as text that is valid for the types; null for the first page. Errors: INVALID_CURSOR.';
grant execute on function private.decode_cursor(text, text, text[]) to anon, authenticated, service_role;

-- Order ---------------------------------------------------------------------------------------------------------------

create function private.sort_direction(p_sort text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if coalesce(p_sort, 'newest') not in ('newest', 'oldest') then
    perform private.raise_error('INVALID_SORT', 'Unknown sort order', 400);
  end if;
  return case p_sort when 'oldest' then 'asc' else 'desc' end;
end $$;
comment on function private.sort_direction(text) is
  'Direction of a list sorted by time: newest first (default) or oldest first. Errors: INVALID_SORT.';

create type private.sort_key as (expression text, type text);
comment on type private.sort_key is
  'One key of an order: an SQL expression and its type. Literals of the calling procedure only.';

create function private.order_by(p_keys private.sort_key[], p_direction text default 'desc') returns text
language sql immutable set search_path = ''
as $$
  select string_agg(k.expression || ' ' || p_direction, ', ' order by k.n) from unnest(p_keys) with ordinality k (expression, type, n)
$$;
comment on function private.order_by(private.sort_key[], text) is 'What follows "order by": all keys in one direction, asc or desc.';

create function private.after_cursor(p_keys private.sort_key[], p_parameter text, p_direction text default 'desc') returns text
language sql immutable set search_path = ''
as $$
  -- A row-wise comparison, which an index can serve.
  select format('(%s) %s (%s)', string_agg(k.expression, ', ' order by k.n), case p_direction when 'asc' then '>' else '<' end,
    string_agg(format('%s[%s]::%s', p_parameter, k.n, k.type), ', ' order by k.n))
  from unnest(p_keys) with ordinality k (expression, type, n)
$$;
comment on function private.after_cursor(private.sort_key[], text, text) is
  'Condition for the rows after a cursor in this order; p_parameter names the parameter with its keys (text[]), for example "$3".';

create function private.key_types(p_keys private.sort_key[]) returns text[]
language sql immutable set search_path = ''
as $$ select array_agg(k.type order by k.n) from unnest(p_keys) with ordinality k (expression, type, n) $$;
comment on function private.key_types(private.sort_key[]) is 'Types of the keys, in the form that decode_cursor takes.';

create function private.build_page_query(
  p_columns text, p_from text, p_conditions text[], p_time text, p_id text, p_direction text, p_has_cursor boolean
) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- As in list_published_quests: only the requested conditions are written, so that each combination can use its index.
  return format('select %s from %s where %s order by %s %s, %s %s limit $1', p_columns, p_from,
    array_to_string(
      array['true'] || p_conditions
        || case when p_has_cursor then format('(%s, %s) %s ($3, $4)', p_time, p_id, case p_direction when 'asc' then '>' else '<' end) end,
      ' and '),
    p_time, p_direction, p_id, p_direction);
end $$;
comment on function private.build_page_query(text, text, text[], text, text, text, boolean) is
  'Query for one page of an admin list, sorted by a time column and an id column. Null conditions are left out. Parameters: $1 limit, $2 '
  'search pattern, $3 and $4 time and id of the cursor, $5 and up as the conditions use them. Every fragment is a literal of the calling '
  'procedure; text from a request is only ever passed as a parameter.';

-- ==============================================================================================================================
-- 04_rate_limits.sql
-- ==============================================================================================================================

-- Rate limits: sliding windows per person (per IP address for visitors), and global ceilings (TRUST-24).

-- Windows per subject -------------------------------------------------------------------------------------------------

create table private.rate_limits (
  subject text not null,
  action text not null,
  hits timestamptz[] not null,
  expires_at timestamptz not null,
  primary key (subject, action)
);
comment on table private.rate_limits is 'Times of the latest hits per subject and action inside the action''s sliding window.';
comment on column private.rate_limits.expires_at is 'When the last hit leaves the window and the row can be removed.';

create function public.take_rate_limit(
  p_subject text, p_action text, p_limit integer, p_window_seconds integer, p_cost integer default 1
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_window interval := make_interval(secs => p_window_seconds);
begin
  if p_cost > p_limit then
    return false;
  end if;
  insert into private.rate_limits as r (subject, action, hits, expires_at)
  values (p_subject, p_action, array_fill(clock_timestamp(), array[p_cost]), clock_timestamp() + v_window)
  on conflict (subject, action) do update set
    hits = array(select h from unnest(r.hits) h where h > clock_timestamp() - v_window) || array_fill(clock_timestamp(), array[p_cost]),
    expires_at = clock_timestamp() + v_window
  where (select count(*) from unnest(r.hits) h where h > clock_timestamp() - v_window) + p_cost <= p_limit;
  return found;
end $$;
comment on function public.take_rate_limit(text, text, integer, integer, integer) is
  'Takes p_cost hits from a sliding window of p_window_seconds and returns whether they were available. Exact under concurrency: the row '
  'lock serialises the calls of one subject. Service role only.';
grant execute on function public.take_rate_limit(text, text, integer, integer, integer) to service_role;

create function private.require_plain_call() returns void
language plpgsql stable set search_path = ''
as $$
begin
  -- PostgREST writes the filters and casts of a request into the statement that calls the procedure. A cast that fails rolls back what the
  -- procedure has counted, and the failure itself says what the procedure returned.
  if current_query() ~* 'pgrst_source.*\m(where|cast)\M' then
    perform private.raise_error('PLAIN_CALL_REQUIRED', 'Please call this without filters and casts', 400);
  end if;
end $$;
comment on function private.require_plain_call() is
  'For procedures that answer what may be asked only so often, or that record who has read something: refuses a request that could take '
  'the answer and undo the record. They return a single value: rows can be skipped (offset), and PostgREST fails and rolls back a request '
  'that asked for another number of rows. Errors: PLAIN_CALL_REQUIRED.';

-- Ceilings ------------------------------------------------------------------------------------------------------------

create table private.write_windows (
  action text not null,
  starts_at timestamptz not null,
  shard smallint not null,
  amount bigint not null check (amount >= 0),
  primary key (action, starts_at, shard)
);
comment on table private.write_windows is
  'Global counters of writes per kind and fixed window. A busy kind is spread over shards, each with its share of the ceiling, so that '
  'writers do not contend for one row.';

create function private.take_ceiling(
  p_action text, p_amount bigint, p_ceiling bigint, p_window interval, p_shards integer default 1
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_share bigint := p_ceiling / p_shards;
begin
  if p_amount > v_share then
    return false;
  end if;
  insert into private.write_windows as w (action, starts_at, shard, amount)
  values (p_action, date_bin(p_window, clock_timestamp(), '2026-01-01 00:00+00'), floor(random() * p_shards), p_amount)
  on conflict (action, starts_at, shard) do update set amount = w.amount + excluded.amount
  where w.amount + excluded.amount <= v_share;
  return found;
end $$;
comment on function private.take_ceiling(text, bigint, bigint, interval, integer) is
  'Takes p_amount from a global ceiling and returns whether it was available. Never admits more than p_ceiling; with shards it may refuse '
  'slightly earlier.';

-- Visitors ------------------------------------------------------------------------------------------------------------

create table private.address_keys (
  day date primary key,
  secret bytea not null default extensions.gen_random_bytes(32)
);
comment on table private.address_keys is
  'Today''s key for hashing visitors'' IP addresses. Replaced daily and never kept, so that a hash cannot be traced back later.';

create function private.address_key() returns bytea
language plpgsql security definer set search_path = ''
as $$
declare
  v_secret bytea;
  -- Not current_date: callers choose their session's time zone.
  v_today date := (now() at time zone 'UTC')::date;
begin
  select k.secret into v_secret from private.address_keys k where k.day = v_today;
  if v_secret is null then
    insert into private.address_keys (day) values (v_today) on conflict (day) do nothing;
    delete from private.address_keys k where k.day < v_today;
    select k.secret into v_secret from private.address_keys k where k.day = v_today;
  end if;
  return v_secret;
end $$;
comment on function private.address_key() is 'Today''s key, created on first use. The limits of visitors restart with it.';

create function private.client_address() returns inet
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_deployment private.deployment;
  v_hops text[];
begin
  select d.* into v_deployment from private.deployment d;
  v_hops := string_to_array(nullif(current_setting('request.headers', true), '')::jsonb ->> v_deployment.address_header, ',');
  -- An IPv4 address may arrive mapped into IPv6.
  return regexp_replace(btrim(v_hops[cardinality(v_hops) - v_deployment.trusted_hops + 1]), '^::ffff:(?=[0-9]+\.)', '', 'i')::inet;
exception
  when invalid_text_representation then
    return null;
end $$;
comment on function private.client_address() is
  'The caller''s IP address as the platform reports it, never as the caller claims it (TRUST-24). Null when the platform reports none.';

create function private.rate_limit_key(p_address inet default private.client_address()) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_client text := case when family(p_address) = 6 then network(set_masklen(p_address, 64))::text else host(p_address) end;
begin
  return left(encode(extensions.hmac(convert_to(coalesce(v_client, ''), 'UTF8'), private.address_key(), 'sha256'), 'hex'), 32);
end $$;
comment on function private.rate_limit_key(inet) is
  'The visitor as a keyed hash of the address, 128 bits: no address is stored. Only the first 64 bits of an IPv6 address count, because '
  'one customer controls the rest. Callers without an address share one key.';

create function private.rate_limit_subject() returns text
language plpgsql security definer set search_path = ''
as $$ begin return coalesce('user:' || public.current_user_id(), 'visitor:' || private.rate_limit_key()); end $$;
comment on function private.rate_limit_subject() is 'Subject of a rate limit: the person, or the hashed IP address of a visitor.';

create function private.check_visitor_rate(p_action text, p_limit integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_visitor boolean := public.current_user_id() is null;
  v_deployment private.deployment;
begin
  -- An office, a university or a mobile network can be one address.
  if not public.take_rate_limit(private.rate_limit_subject(), p_action, p_limit, 60) or not public.take_rate_limit(
    private.rate_limit_subject(), p_action || ':day', p_limit * case when v_is_visitor then 25 else 3 end, 86400
  ) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  if not v_is_visitor then
    return;
  end if;
  select d.* into v_deployment from private.deployment d;
  if not private.take_ceiling('visitors', 1, v_deployment.anonymous_writes_per_minute, '1 minute')
    or not private.take_ceiling('visitors:' || p_action, 1, v_deployment.anonymous_writes_per_day, '1 day') then
    perform private.raise_error('VISITORS_LIMITED', 'Very many visitors are writing to us. Please sign in, or try again later.', 429);
  end if;
end $$;
comment on function private.check_visitor_rate(text, integer) is
  'Allows p_limit calls per minute and three times as many a day per person, 25 times per address for visitors. All visitors together '
  'share a ceiling, so that a flood from many addresses slows down visitors but not members; one address reaches a tenth at most '
  '(TRUST-24). Errors: RATE_LIMITED, VISITORS_LIMITED.';

-- ==============================================================================================================================
-- 05_counters.sql
-- ==============================================================================================================================

-- Maintained counts of whole tables, so that the cost of a dashboard does not grow with the data. Each domain adds triggers to its tables.

create table private.counter_deltas (
  id bigint generated always as identity primary key,
  name text not null,
  change bigint not null
);
comment on table private.counter_deltas is
  'Changes to named counters, written in the transaction that causes them; a counter is the sum of its deltas. Insert-only, so that '
  'concurrent transactions do not contend for one counter row. compact_counter_deltas() merges them.';
comment on column private.counter_deltas.name is 'What is counted, e.g. "members", or "industry:SaaS" for one of several of a kind.';

create function private.count_rows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select tg_argv[0], case tg_op when 'INSERT' then count(*) else -count(*) end from changed having count(*) > 0;
  return null;
end $$;
comment on function private.count_rows() is
  'Trigger: adds the number of rows that a statement inserted or deleted (transition table "changed") to the counter named by its '
  'argument.';

create function private.counters() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select coalesce(jsonb_object_agg(c.name, c.count), '{}') from (
    select x.name, sum(x.change)::bigint as count from private.counter_deltas x group by x.name having sum(x.change) <> 0
  ) c);
end $$;
comment on function private.counters() is 'Current value of every counter by name; zeros are left out.';

create function private.counters_of(p_kind text) returns table (name text, count bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select substr(c.key, length(p_kind) + 2), c.value::bigint from jsonb_each_text(private.counters()) c
    where starts_with(c.key, p_kind || ':');
end $$;
comment on function private.counters_of(text) is 'Current counters of one kind, e.g. those named "industry:…" for "industry".';

create function private.compact_counter_deltas() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from private.counter_deltas offset 500) and pg_try_advisory_xact_lock(hashtextextended('counts', 0)) then
    with gone as (delete from private.counter_deltas where true returning *)
    insert into private.counter_deltas (name, change) select g.name, sum(g.change) from gone g group by g.name having sum(g.change) <> 0;
  end if;
end $$;
comment on function private.compact_counter_deltas() is
  'Merges deltas to one row per counter once there are more than 500. One session at a time; others skip it.';

-- ==============================================================================================================================
-- 05_failed_jobs.sql
-- ==============================================================================================================================

-- Failures of the database's periodic jobs, which 63_workers.sql runs.

create table private.failed_jobs (
  job text primary key check (job ~ '^[a-z_]{1,60}$'),
  failing_since timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  last_error text not null check (length(last_error) <= 500)
);
comment on table private.failed_jobs is
  'Periodic jobs of the database whose last run failed, as a whole or for some rows; a job that succeeds is removed. Read by '
  'run_self_check.';
comment on column private.failed_jobs.last_error is
  'SQLSTATE, error code and constraint of the last failure, without the message, which may contain personal data.';

create table private.failed_rows (
  job text not null check (job ~ '^[a-z_]{1,60}$'),
  row_id uuid not null,
  failed_at timestamptz not null default now(),
  primary key (job, row_id)
);
comment on table private.failed_rows is
  'Rows that a periodic job could not process. It tries them again after all others, or a batch full of them would keep the others waiting '
  'for ever. Removed a day after the last failure.';

create function private.put_last(p_job text, p_row_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.failed_rows (job, row_id) values (p_job, p_row_id) on conflict (job, row_id) do update set failed_at = now()
$$;
comment on function private.put_last(text, uuid) is
  'Has a periodic job process this row after all those that have not failed within a day.';

create function private.record_failure(p_job text, p_error text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.failed_jobs as f (job, last_error) values (p_job, left(p_error, 500))
  on conflict (job) do update set failed_at = now(), last_error = excluded.last_error
$$;
comment on function private.record_failure(text, text) is
  'Records that a periodic job has failed, also for one row of many, so that run_self_check mails it. p_error: codes and ids, no personal '
  'data.';

create function private.record_failed_row(p_job text, p_state text, p_kind text, p_row_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_failure(p_job, concat_ws(' ', p_state, p_kind, p_row_id));
  perform private.put_last(p_job, p_row_id);
end $$;
comment on function private.record_failed_row(text, text, text, uuid) is
  'For a job that goes on without a row that it cannot process: the failure is reported, and the row comes last from now on. p_state: '
  'SQLSTATE; p_kind: what the row is.';

-- ==============================================================================================================================
-- 05_notifications.sql
-- ==============================================================================================================================

-- Notifications in the app, and by mail unless switched off (BEY-03). private.enqueue_event writes them: outbox events are the only source
-- of both.

create type public.notification_kind as enum (
  'proof_approved', 'proof_rejected', 'points_held', 'points_corrected', 'redemption_decided', 'referral_joined', 'proofs_waiting',
  'quest_full', 'quest_held', 'project_reviewed', 'account_suspended', 'appeal_decided', 'plan_changed', 'daily_digest',
  'review_due', 'quest_published'
);

create function private.notification_kind(p_type text) returns public.notification_kind
language plpgsql immutable set search_path = ''
as $$
begin
  return case p_type
    when 'SubmissionApproved' then 'proof_approved'
    when 'SubmissionRejected' then 'proof_rejected'
    when 'PointsHeld' then 'points_held'
    when 'PointsReleased' then 'points_held'
    when 'SubmissionReversed' then 'points_corrected'
    when 'PointsCorrected' then 'points_corrected'
    when 'RedemptionFulfilled' then 'redemption_decided'
    when 'RedemptionCancelled' then 'redemption_decided'
    when 'ReferralCompleted' then 'referral_joined'
    when 'ProofsWaiting' then 'proofs_waiting'
    when 'QuestFull' then 'quest_full'
    when 'QuestHeld' then 'quest_held'
    when 'QuestHoldLifted' then 'quest_held'
    when 'StartupVerified' then 'project_reviewed'
    when 'StartupRejected' then 'project_reviewed'
    when 'VerificationRevoked' then 'project_reviewed'
    when 'AccountSuspended' then 'account_suspended'
    when 'SuspensionLifted' then 'account_suspended'
    when 'AppealDecided' then 'appeal_decided'
    when 'RejectionAppealed' then 'appeal_decided'
    when 'ProjectAppealDecided' then 'appeal_decided'
    when 'SubscriptionActivated' then 'plan_changed'
    when 'SubscriptionEnded' then 'plan_changed'
    when 'SubscriptionReinstated' then 'plan_changed'
    when 'PaymentNotApplied' then 'plan_changed'
    when 'PointsPurchased' then 'plan_changed'
    when 'PurchaseTakenBack' then 'plan_changed'
    when 'PurchaseReinstated' then 'plan_changed'
    when 'ReviewHalfTime' then 'review_due'
    when 'ReviewDueSoon' then 'review_due'
    when 'ReviewTimeOver' then 'review_due'
    when 'QuestPublished' then 'quest_published'
    when 'DigestDue' then 'daily_digest' end::public.notification_kind;
end $$;
comment on function private.notification_kind(text) is
  'Notification kind of an event, by which mails are switched on and off; null for events that are not notifications, such as address '
  'confirmations and receipts for a consent.';
grant execute on function private.notification_kind(text) to authenticated, service_role;

create table public.notifications (
  id bigint primary key,
  user_id text not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
comment on table public.notifications is
  'One row per outbox event that concerns a person (BEY-03). Written in the event''s transaction, kept for 180 days.';
comment on column public.notifications.id is 'The event''s id, so that each event notifies once.';
comment on column public.notifications.type is 'The event''s type; private.notification_kind says which kind it is.';
comment on column public.notifications.data is
  'The part of the event''s payload that its sentence and link need: never an address, a payment reference or another person''s id '
  '(C-102).';
create index notifications_user on public.notifications (user_id, id desc);
create index notifications_unread on public.notifications (user_id, id desc) where read_at is null;
-- Five hundred proofs make one notification: while a quest's is unread, no further one is added.
create unique index notifications_unread_quest on public.notifications ((data ->> 'campaign_id'), type)
  where read_at is null and type in ('ProofsWaiting', 'QuestFull', 'ReviewHalfTime', 'ReviewDueSoon');

alter table public.notifications enable row level security;
create policy notifications_read on public.notifications for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy notifications_read on public.notifications is 'The recipient alone, also while suspended.';
grant select on public.notifications to authenticated;

create function private.notify(p_event_id bigint, p_type text, p_user_id text, p_payload jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_user_id is null or coalesce(private.notification_kind(p_type), 'daily_digest') = 'daily_digest'
    or exists (select 1 from private.deleted_users d where d.user_id = p_user_id) then
    return;
  end if;
  insert into public.notifications (id, user_id, type, data)
  select p_event_id, p_user_id, p_type, coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(p_payload) d
  where d.key in ('campaign_id', 'count', 'decided_by', 'due_at', 'held', 'kind', 'name', 'note', 'outcome', 'points', 'project', 'quest',
    'reason', 'status', 'taken_back', 'task', 'title', 'trial_points', 'wallet') and d.value <> 'null';
  if (select d.has_live_updates from private.deployment d) then
    perform realtime.send('{}', 'look', 'notifications:' || p_user_id, true);
  end if;
end $$;
comment on function private.notify(bigint, text, text, jsonb) is
  'Writes the notification of an event, if its type is one that notifies and the person has not been erased (TRUST-28). Copies only an '
  'allow-list of payload keys. With Realtime on, the person''s open pages get an empty signal to refetch, and no data (C-88).';

create function private.enable_live_updates() returns void
language plpgsql set search_path = ''
as $$
begin
  -- Not part of the migrations: a project has realtime.messages only once its Realtime has run. The platform allows policies on its table
  -- and nothing else, not even a comment on them. People may subscribe to the private channel of their own notifications. Only the database
  -- sends to it.
  drop policy if exists notifications_listen on realtime.messages;
  create policy notifications_listen on realtime.messages for select to authenticated
    using (extension = 'broadcast' and (select realtime.topic()) = 'notifications:' || (select public.current_user_id()));
  update private.deployment set has_live_updates = true where id;
end $$;
comment on function private.enable_live_updates() is
  'Turns live updates on; run in the SQL editor (docs/deploy.md), idempotent. To turn them off: update private.deployment set '
  'has_live_updates = false. No API role may call it.';

create function private.has_unread(p_type text, p_campaign_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The list of types is that of the index notifications_unread_quest.
  return exists (
    select 1 from public.notifications n where n.data ->> 'campaign_id' = p_campaign_id::text and n.type = p_type
      and n.read_at is null and n.type in ('ProofsWaiting', 'QuestFull', 'ReviewHalfTime', 'ReviewDueSoon')
  );
end $$;
comment on function private.has_unread(text, uuid) is
  'Whether the owner has an unread notification of this type (ProofsWaiting, QuestFull, ReviewHalfTime, ReviewDueSoon) on the quest.';

-- Reading -------------------------------------------------------------------------------------------------------------

create function public.get_unread_notification_count() returns integer
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select count(*) from (
      select 1 from public.notifications n where n.user_id = public.current_user_id() and n.read_at is null limit 100
    ) n
  );
end $$;
comment on function public.get_unread_notification_count() is
  'Unread notifications of the caller, counted up to 100: the bell says "99+" anyway. Runs with the caller''s rights.';
grant execute on function public.get_unread_notification_count() to authenticated, service_role;

create function public.mark_notification_read(p_notification_id bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  update public.notifications n set read_at = coalesce(n.read_at, now()) where n.id = p_notification_id and n.user_id = v_user;
  if not found then
    perform private.raise_error('NOTIFICATION_NOT_FOUND', 'Notification not found', 404);
  end if;
end $$;
comment on function public.mark_notification_read(bigint) is
  'Marks one of the caller''s notifications as read; idempotent. Also for suspended people. Errors: NOTIFICATION_NOT_FOUND.';
grant execute on function public.mark_notification_read(bigint) to authenticated, service_role;

create function public.mark_all_notifications_read(p_up_to bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Skips locked rows: notify_quest_owner is marking those as read at this moment.
  update public.notifications n set read_at = now() where n.id in (
    select u.id from public.notifications u
    where u.user_id = public.current_user_id() and u.read_at is null and u.id <= p_up_to for update skip locked
  );
end $$;
comment on function public.mark_all_notifications_read(bigint) is
  'Marks the caller''s notifications as read up to this one, the latest that the screen showed; later ones stay unread.';
grant execute on function public.mark_all_notifications_read(bigint) to authenticated, service_role;

-- Mails ---------------------------------------------------------------------------------------------------------------

create table public.notification_preferences (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  kind public.notification_kind not null,
  is_mailed boolean not null,
  updated_at timestamptz not null default now(),
  unique (user_id, kind)
);
comment on table public.notification_preferences is
  'Which kinds a person wants by mail, where they chose; private.is_mailed_by_default decides the rest. The app shows every kind.';
alter table public.notification_preferences enable row level security;
create policy notification_preferences_read on public.notification_preferences for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy notification_preferences_read on public.notification_preferences is 'The person alone.';
grant select on public.notification_preferences to authenticated;

create function private.is_mailed_by_default(p_kind public.notification_kind) returns boolean
language sql immutable set search_path = ''
as $$
  select p_kind in ('proof_rejected', 'redemption_decided', 'quest_held', 'project_reviewed', 'account_suspended', 'appeal_decided',
    'plan_changed', 'daily_digest', 'review_due')
$$;
comment on function private.is_mailed_by_default(public.notification_kind) is
  'Kinds that are mailed by default: those that ask for an answer or come unexpectedly.';

create function private.wants_mail(p_user_id text, p_type text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_kind public.notification_kind := private.notification_kind(p_type);
begin
  -- Refunds and disputes are always mailed.
  if v_kind is null or p_type = 'PaymentNotApplied' then
    return true;
  end if;
  return coalesce(
    (select p.is_mailed from public.notification_preferences p where p.user_id = p_user_id and p.kind = v_kind),
    private.is_mailed_by_default(v_kind));
end $$;
comment on function private.wants_mail(text, text) is 'Whether a person wants events of this type by mail.';

create function public.get_notification_preferences() returns table (kind public.notification_kind, is_mailed boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select k.kind, coalesce(p.is_mailed, private.is_mailed_by_default(k.kind))
    from unnest(enum_range(null::public.notification_kind)) k (kind)
    left join public.notification_preferences p on p.kind = k.kind and p.user_id = public.current_user_id()
    order by k.kind;
end $$;
comment on function public.get_notification_preferences() is 'Every kind and whether the caller gets it by mail.';
grant execute on function public.get_notification_preferences() to authenticated, service_role;

create function public.set_notification_preference(p_kind text, p_is_mailed boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
begin
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif p_is_mailed is null or p_kind is null or p_kind <> all (enum_range(null::public.notification_kind)::text[]) then
    perform private.raise_error('INVALID_NOTIFICATION_KIND', 'Unknown kind of notification', 400);
  end if;
  insert into public.notification_preferences as p (user_id, kind, is_mailed) values (v_user, p_kind::public.notification_kind, p_is_mailed)
  on conflict (user_id, kind) do update set is_mailed = excluded.is_mailed, updated_at = now()
  where p.is_mailed <> excluded.is_mailed;
end $$;
comment on function public.set_notification_preference(text, boolean) is
  'Switches the mails of one kind on or off for the caller, also for a suspended one. Errors: UNAUTHENTICATED, INVALID_NOTIFICATION_KIND.';
grant execute on function public.set_notification_preference(text, boolean) to authenticated, service_role;

-- ==============================================================================================================================
-- 06_events.sql
-- ==============================================================================================================================

-- Events: the outbox behind mails and notifications, and the audit log of admin and owner actions.

create table public.outbox_events (
  id bigint generated always as identity primary key,
  type text not null check (type ~ '^[A-Z][A-Za-z]+$'),
  user_id text,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  processed_at timestamptz,
  failed_at timestamptz,
  last_error text,
  actor_id text,
  mail_admitted_at timestamptz,
  deferrals integer not null default 0,
  deferred_since timestamptz,
  uncertain_since timestamptz
);
comment on table public.outbox_events is
  'Domain events, written in the transaction that caused them (StartupVerified, SubmissionApproved, SubmissionRejected, …). Read by the '
  'outbox worker.';
comment on column public.outbox_events.user_id is 'Whom the event concerns: the member, or the owner of the project.';
comment on column public.outbox_events.actor_id is 'Who caused the event; null when no signed-in person did. Mails are rate limited by it.';
comment on column public.outbox_events.mail_admitted_at is
  'When the event''s mail was counted against the limits, so that a retry is not counted again.';
comment on column public.outbox_events.failed_at is 'Set when the worker gives up (dead letter).';
comment on column public.outbox_events.attempts is 'How often a worker claimed it, since it was enqueued or requeued by an admin.';
comment on column public.outbox_events.deferrals is
  'How many of these attempts failed because of an outage of the mail provider: they do not count as failures of the mail.';
comment on column public.outbox_events.deferred_since is 'When the provider''s outage first deferred this event.';
comment on column public.outbox_events.uncertain_since is
  'When an attempt first ended without an answer, so that the mail may have been sent. The provider''s idempotency key deduplicates for a '
  'day.';
create index outbox_events_due on public.outbox_events (next_attempt_at) where processed_at is null and failed_at is null;
-- For the erasure and the export of own data.
create index outbox_events_user on public.outbox_events (user_id);
create index outbox_events_actor on public.outbox_events (actor_id) where actor_id is not null;
create index outbox_events_processed on public.outbox_events (processed_at) where processed_at is not null;
create index outbox_events_failed on public.outbox_events (id desc) where failed_at is not null;

alter table public.outbox_events enable row level security;
create policy outbox_events_admin_read on public.outbox_events for select to authenticated using ((select private.is_admin()));
comment on policy outbox_events_admin_read on public.outbox_events is 'Admins see what was sent and what failed.';
grant select on public.outbox_events to authenticated;
grant select, update on public.outbox_events to service_role;

create view private.unprocessed_events as
select w.* from public.outbox_events w where w.processed_at is null and w.failed_at is null
union all
select f.* from public.outbox_events f where f.processed_at is null and f.failed_at is not null;
comment on view private.unprocessed_events is
  'Events that wait and events that were given up, each found by an index of its own: there are few among millions.';

create function private.enqueue_event(p_type text, p_user_id text, p_payload jsonb) returns bigint
language plpgsql set search_path = ''
as $$
declare
  v_id bigint;
begin
  insert into public.outbox_events (type, user_id, payload, actor_id) values (p_type, p_user_id, p_payload, public.current_user_id())
  returning id into v_id;
  perform private.notify(v_id, p_type, p_user_id, p_payload);
  return v_id;
end $$;
comment on function private.enqueue_event(text, text, jsonb) is
  'Adds a domain event to the outbox in the caller''s transaction, notifies the person concerned and returns the event''s id.';

create table public.audit_log (
  id bigint generated always as identity primary key,
  actor_id text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  note text,
  created_at timestamptz not null default now()
);
comment on table public.audit_log is 'Append-only record of what admins and owners did: actor, action, subject, before and after (BEY-04).';
create index audit_log_subject on public.audit_log (subject_type, subject_id, id desc);
create index audit_log_actor on public.audit_log (actor_id, id desc);
create trigger audit_log_append_only before update or delete on public.audit_log
  for each row execute function private.prevent_mutation();
create trigger audit_log_no_truncate before truncate on public.audit_log
  for each statement execute function private.prevent_mutation();

alter table public.audit_log enable row level security;
create policy audit_log_admin_read on public.audit_log for select to authenticated using ((select private.is_admin()));
comment on policy audit_log_admin_read on public.audit_log is 'Only admins read the audit log.';
grant select on public.audit_log to authenticated;
grant select on public.audit_log to service_role;

create function private.audit(
  p_actor text, p_action text, p_subject_type text, p_subject_id text,
  p_before jsonb default null, p_after jsonb default null, p_note text default null
) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.audit_log (actor_id, action, subject_type, subject_id, before, after, note)
  values (p_actor, p_action, p_subject_type, p_subject_id, p_before, p_after, p_note);
end $$;
comment on function private.audit(text, text, text, text, jsonb, jsonb, text) is
  'Adds an entry to the audit log, in the caller''s transaction.';

-- ==============================================================================================================================
-- 07_mailboxes.sql
-- ==============================================================================================================================

-- One verified mailbox is one person, whatever its spelling, also after the account is deleted (C-81, TRUST-15).

create table private.secrets (
  name text primary key,
  value bytea not null
);
comment on table private.secrets is
  'Secret keys that the database generates: no API role can read them and no export contains them, so that keyed hashes are useless to '
  'whoever gets them alone. A backup of the whole database holds them, because without them codes and signing secrets could not be read.';

create function private.secret(p_name text) returns bytea
language plpgsql security definer set search_path = ''
as $$
declare
  v_value bytea;
begin
  select s.value into v_value from private.secrets s where s.name = p_name;
  if v_value is null then
    insert into private.secrets (name, value) values (p_name, extensions.gen_random_bytes(32)) on conflict (name) do nothing;
    select s.value into v_value from private.secrets s where s.name = p_name;
  end if;
  return v_value;
end $$;
comment on function private.secret(text) is 'The key (32 random bytes) of that name, created on first use.';

create function private.decode_label(p_label text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_code text := substr(p_label, 5);
  v_text text := coalesce(substring(v_code from '^(.*)-'), '');
  v_digits text := substring(v_code from '[^-]*$');
  v_digit integer;
  v_at integer := 1;
  v_letter integer := 128;
  v_bias integer := 72;
  v_index integer := 0;
  v_before integer;
  v_weight integer;
  v_base integer;
  v_threshold integer;
  v_delta integer;
begin
  if p_label !~ '^xn-{2}.' then
    return p_label;
  end if;
  while v_at <= length(v_digits) loop
    v_before := v_index;
    v_weight := 1;
    v_base := 36;
    loop
      v_digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(v_digits, v_at, 1)) - 1;
      if v_digit < 0 or v_at > length(v_digits) then
        return p_label;
      end if;
      v_at := v_at + 1;
      v_index := v_index + v_digit * v_weight;
      v_threshold := least(greatest(v_base - v_bias, 1), 26);
      exit when v_digit < v_threshold;
      v_weight := v_weight * (36 - v_threshold);
      v_base := v_base + 36;
    end loop;
    v_delta := (v_index - v_before) / case when v_before = 0 then 700 else 2 end;
    v_delta := v_delta + v_delta / (length(v_text) + 1);
    v_bias := 0;
    while v_delta > 455 loop
      v_delta := v_delta / 35;
      v_bias := v_bias + 36;
    end loop;
    v_bias := v_bias + 36 * v_delta / (v_delta + 38);
    v_letter := v_letter + v_index / (length(v_text) + 1);
    v_index := v_index % (length(v_text) + 1);
    v_text := overlay(v_text placing chr(v_letter) from v_index + 1 for 0);
    v_index := v_index + 1;
  end loop;
  -- What nobody can register under this name stays as it is.
  return case when v_text ~ '[^\x01-\x7f]' and v_text = lower(normalize(v_text, nfkc)) then v_text else p_label end;
exception
  when numeric_value_out_of_range or program_limit_exceeded or invalid_parameter_value then
    return p_label;
end $$;
comment on function private.decode_label(text) is
  'The letters that a label of a domain in Punycode (RFC 3492) stands for; any other label unchanged.';

create function private.normalize_domain(p_domain text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  -- Another full stop, and characters that a domain is looked up without (UTS 46).
  v_domain text := rtrim(regexp_replace(replace(p_domain, U&'\3002', '.'),
    U&'[\00ad\034f\180b-\180f\200b-\200d\2060\2064\fe00-\fe0f\feff]', '', 'g'), '.');
begin
  if v_domain ~ 'xn-{2}' then
    v_domain := (
      select string_agg(private.decode_label(l.label), '.' order by l.n) from string_to_table(v_domain, '.') with ordinality l (label, n));
  end if;
  return v_domain;
end $$;
comment on function private.normalize_domain(text) is
  'One spelling of a domain that is given in lower case and NFKC, whether in Punycode or in letters.';

create function private.normalize_mailbox(p_email text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_email text := lower(normalize(private.clean(p_email), nfkc));
  v_local text := regexp_replace(split_part(v_email, '@', 1), '(.)\+.*$', '\1');
  v_domain text := private.normalize_domain(split_part(v_email, '@', 2));
begin
  if not coalesce(private.is_email(v_email), false) then
    return null;
  end if;
  -- Whatever stands before the name of a mailbox reaches it: any@anna.fastmail.com.
  if v_domain ~ '^[^.]+\.(fastmail\.(com|fm|net|org|us|de|es|fr|nl|jp|co\.uk|com\.au)|runbox\.com)$' then
    v_local := split_part(v_domain, '.', 1);
    v_domain := substr(v_domain, length(v_local) + 2);
  end if;
  -- Aliases of one mail provider: the same local part belongs to the same person on all of them.
  v_domain := case
    when v_domain = 'googlemail.com' then 'gmail.com'
    when v_domain in ('protonmail.com', 'protonmail.ch', 'pm.me') then 'proton.me'
    when v_domain in ('me.com', 'mac.com') then 'icloud.com'
    when v_domain = 'ya.ru' or v_domain ~ '^yandex\.(com|by|kz|ua|uz|fr|com\.tr)$' then 'yandex.ru'
    else v_domain end;
  v_local := coalesce(nullif(case
    when v_domain = 'gmail.com' then replace(v_local, '.', '')
    when v_domain = 'proton.me' then translate(v_local, '.-_', '')
    when v_domain = 'yandex.ru' then replace(v_local, '-', '.')
    when v_domain ~ '^(yahoo\.|ymail\.com$|rocketmail\.com$)' then regexp_replace(v_local, '(.)-.*$', '\1')
    else v_local end, ''), v_local);
  return v_local || '@' || v_domain;
end $$;
comment on function private.normalize_mailbox(text) is
  'The mailbox behind an address: lower case, without a plus suffix (Yahoo: hyphen), without the characters that the provider ignores '
  '(dots at Gmail; dots, hyphens and underscores at Proton; Yandex treats hyphens as dots), without the name of a subdomain that the '
  'provider gives with each mailbox (Fastmail, Runbox), with one domain for a provider that has several and one spelling of a domain. Null '
  'for an invalid address.';

create function private.mailbox_key(p_email text) returns bytea
language plpgsql security definer set search_path = ''
as $$
begin
  return extensions.hmac(convert_to(private.normalize_mailbox(p_email), 'UTF8'), private.secret('mailbox'), 'sha256');
end $$;
comment on function private.mailbox_key(text) is
  'Keyed hash (HMAC-SHA256) of the mailbox behind an address; null for an invalid address. Without the key, addresses cannot be guessed '
  'from the hashes.';

create table private.known_mailboxes (
  user_id text not null,
  mailbox bytea not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, mailbox)
);
comment on table private.known_mailboxes is
  'Mailboxes that an account has had verified, as keyed hashes. Kept after the account is deleted, so that somebody who signs up again is '
  'recognised as the same person. What they received is in the ledger, the referrals and the plans.';
create index known_mailboxes_mailbox on private.known_mailboxes (mailbox, first_seen_at);

create function private.remember_mailbox(p_user_id text, p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.known_mailboxes (user_id, mailbox)
  select p_user_id, k.mailbox from (select private.mailbox_key(p_email) as mailbox) k where k.mailbox is not null
  on conflict (user_id, mailbox) do nothing;
end $$;
comment on function private.remember_mailbox(text, text) is
  'Records a verified address of an account. Only for addresses that the identity provider vouches for.';

-- The length of an array changes the estimate, so that the query would be planned on every call.
create function private.accounts_of_person(p_user_id text) returns text[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  v_accounts text[] := array[p_user_id];
  v_more text[];
begin
  loop
    v_more := array(
      select distinct b.user_id from private.known_mailboxes a join private.known_mailboxes b on b.mailbox = a.mailbox
      where a.user_id = any (v_accounts) and b.user_id <> all (v_accounts));
    exit when v_more = '{}';
    v_accounts := v_accounts || v_more;
  end loop;
  return v_accounts;
end $$;
comment on function private.accounts_of_person(text) is
  'Every account, deleted ones included, that shares a mailbox with this one, directly or transitively; itself first.';

create function private.lock_person(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(m.key) from (
    select distinct hashtextextended(encode(k.mailbox, 'hex'), 0) as key from private.known_mailboxes k
    where k.user_id = any (private.accounts_of_person(p_user_id)) order by 1
  ) m;
end $$;
comment on function private.lock_person(text) is
  'Advisory lock on all accounts of one person: whatever is paid once per person is checked under it.';

create function private.is_first_account(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return not exists (
    select 1 from private.known_mailboxes k
    where k.user_id = any (private.accounts_of_person(p_user_id)) and k.user_id <> p_user_id
      and k.first_seen_at <= (select min(own.first_seen_at) from private.known_mailboxes own where own.user_id = p_user_id)
  );
end $$;
comment on function private.is_first_account(text) is 'Whether this is the person''s first account.';

-- ==============================================================================================================================
-- 07_names.sql
-- ==============================================================================================================================

-- Rules for chosen names: no invisible characters, no look-alikes of other names, nothing that poses as Questboard (C-96).

create function private.has_hidden_characters(p_text text) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  -- Joiners are seen where they join: the parts of an emoji, Arabic letters that would else take another form, and letters of Indian
  -- scripts on both sides of a virama. A Malayalam letter takes its other form at the end of a word too, and Bengali may have the joiner
  -- before the virama, between ra and ya.
  return regexp_replace(p_text, '(?<=[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])'
      || '|(?<=[\u0620-\u06ff])\u200c(?=[\u0620-\u06ff])'
      || '|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d](?=[\u0904-\u0df5])'
      || '|(?<=[\u0d15-\u0d39]\u0d4d)\u200d|(?<=\u09b0)\u200d(?=\u09cd\u09af)', '', 'g')
    ~ ('[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e'
    || '\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffc\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159'
    || '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
    -- An accent without a letter is drawn over whatever stands before the text.
    || '|^\s*[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]');
end $$;
comment on function private.has_hidden_characters(text) is
  'Whether a text holds control characters, bidirectional marks, or invisible characters, or begins with an accent that has no letter.';

create function private.name_skeleton(p_name text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- First thin spaces and trade mark signs, then compatibility forms with accents and variation selectors, which all leave a word looking
  -- the same, then Cyrillic and Greek homoglyphs, then small capitals, Lisu, Cherokee, Armenian and rarer Cyrillic ones, then look-alikes
  -- within Latin.
  return translate(lower(translate(translate(
    regexp_replace(normalize(regexp_replace(p_name, '[\u2000-\u200a\u202f\u205f\u2120\u2122]', '', 'g'), NFKD),
      '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]', '', 'g'),
    'АВЕЅІЈКМНОРСТХУаеѕіјкмнорстхуԁһԛԝѵгΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχϲϳıłøđɑɡ',
    'abesijkmhopctxyaesijkmhopctxydhqwvrabezhikmnoptyxabeikvoptyxcjilodag'
  ),
    'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃՕՍօոսհյցզԀԚԜѴԌԍӀӏҮү',
    'abcdefghijklmnopqrstuvwyzabcdefghijklmnoprstuvwxyzabcdeghijklmprstvwyzouonuhjgqdqwvggllyy'
  )), 'il|10', 'llllo');
end $$;
comment on function private.name_skeleton(text) is
  'Homoglyph skeleton of a name: two names with the same skeleton are easily confused (Unicode TS 39, for Latin, Cyrillic, Greek, '
  'Lisu, Cherokee and Armenian).';

create function private.project_skeleton(p_name text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(nullif(regexp_replace(private.name_skeleton(p_name), '[^[:alnum:]]', '', 'g'), ''), lower(p_name));
end $$;
comment on function private.project_skeleton(text) is 'Skeleton of a project''s name, without spaces and punctuation.';

create function private.name_words(p_name text) returns text[]
language plpgsql immutable set search_path = ''
as $$ begin return array_remove(regexp_split_to_array(private.name_skeleton(p_name), '[^[:alnum:]]+'), ''); end $$;
comment on function private.name_words(text) is 'The words of a name, each as its skeleton.';

create function private.reserved_words() returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  return private.name_words('support admin admins administrator official moderator moderators staff helpdesk root system');
end $$;
comment on function private.reserved_words() is 'Words that suggest the name speaks for Questboard, each as its skeleton.';

create function private.names_questboard(p_text text) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  return strpos(array_to_string(private.name_words(p_text), ' '), private.name_skeleton('Questboard')) > 0;
end $$;
comment on function private.names_questboard(text) is 'Whether a word contains "Questboard", as "Questboards" and "QuestboardTeam" do.';

create function private.is_reserved_name(p_name text) returns boolean
language plpgsql immutable set search_path = ''
as $$ begin return private.name_words(p_name) && private.reserved_words() or private.names_questboard(p_name); end $$;
comment on function private.is_reserved_name(text) is 'Whether one of the name''s words is reserved.';

create function private.validate_name(p_name text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.has_hidden_characters(p_name) then
    perform private.raise_error('HIDDEN_CHARACTERS', 'Please use visible characters only', 400);
  elsif private.is_reserved_name(p_name) and not private.is_admin() then
    perform private.raise_error('RESERVED_NAME', 'This name is reserved. Please choose another one.', 400);
  end if;
  return private.clean(p_name);
end $$;
comment on function private.validate_name(text) is
  'A person''s or project''s name, trimmed. Admins may use reserved words. Errors: HIDDEN_CHARACTERS, RESERVED_NAME.';

create function private.validate_title(p_title text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.has_hidden_characters(p_title) then
    perform private.raise_error('HIDDEN_CHARACTERS', 'Please use visible characters only', 400);
  elsif (private.names_questboard(p_title) or private.name_words(p_title) <@ private.reserved_words()) and not private.is_admin() then
    perform private.raise_error('RESERVED_NAME', 'This name is reserved. Please choose another one.', 400);
  end if;
  return private.clean(p_title);
end $$;
comment on function private.validate_title(text) is
  'Title of a quest, trimmed. "Write to our support" is an honest title, so a title may hold reserved words but not consist of them, and '
  'may not name Questboard. Errors: HIDDEN_CHARACTERS, RESERVED_NAME.';

create function private.plain_name(p_name text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.has_hidden_characters(p_name) or (private.is_reserved_name(p_name) and not private.is_admin()) then
    return null;
  end if;
  return private.clean(p_name);
end $$;
comment on function private.plain_name(text) is
  'The name that the identity provider reports; null when validate_name would refuse it, so that signing in never fails because of it.';

create function private.validate_startup_text(p_name text, p_code text, p_message text, p_description text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.clean(p_name) is null then
    perform private.raise_error(p_code, p_message, 400);
  end if;
  if length(private.clean(p_name)) > 120 then
    perform private.raise_error('NAME_TOO_LONG', 'Please use a shorter name', 400);
  end if;
  if length(p_description) > 2000 then
    perform private.raise_error('DESCRIPTION_TOO_LONG', 'Please use at most 2000 characters for the description', 400);
  end if;
  return private.validate_name(p_name);
end $$;
comment on function private.validate_startup_text(text, text, text, text) is
  'Trimmed name. Errors: NAME_REQUIRED, NAME_TOO_LONG, HIDDEN_CHARACTERS, RESERVED_NAME, DESCRIPTION_TOO_LONG.';

-- ==============================================================================================================================
-- 08_mailbox_domains.sql
-- ==============================================================================================================================

-- Mail domains that say little about who somebody is, for submission flags.

create table private.mailbox_domains (
  domain text primary key check (domain = lower(domain)),
  kind text not null check (kind in ('disposable', 'forwarding'))
);
comment on table private.mailbox_domains is
  'Domains of disposable addresses and forwarding aliases. Apple''s relay is not among them, because many phones offer it by default. How '
  'to update the list: docs/decisions/0026-flags.md.';
insert into private.mailbox_domains (domain, kind)
select unnest(string_to_array(
  '0-mail.com 10mail.org 10minutemail.co.uk 10minutemail.com 10minutemail.net 1secmail.com 1secmail.net 1secmail.org 20minutemail.com '
  '33mail.org anonbox.net anonymbox.com burnermail.io cock.li crazymailing.com deadaddress.com discard.email discardmail.com '
  'dispostable.com dropmail.me easytrashmail.com emailfake.com emailondeck.com emailtemporanea.com fakeinbox.com fakemail.net '
  'fakemailgenerator.com filzmail.com generator.email getairmail.com getnada.com grr.la guerrillamail.biz guerrillamail.com '
  'guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com harakirimail.com inboxbear.com '
  'inboxkitten.com incognitomail.org jetable.org kasmail.com linshiyouxiang.net mail-temp.com mail.tm mailcatch.com maildrop.cc '
  'mailexpire.com mailforspam.com mailinator.com mailinator.net mailinator2.com mailmoat.com mailnesia.com mailnull.com mailpoof.com '
  'mailsac.com mailtemp.net mailto.plus meltmail.com mintemail.com minutebox.com moakt.cc moakt.com mohmal.com mt2015.com '
  'mytemp.email mytrashmail.com nada.email no-spam.ws nospamfor.us notmailinator.com nowmymail.com one-time.email onetimemail.com '
  'owlymail.com pokemail.net rcpt.at sharklasers.com sogetthis.com spam4.me spambog.com spambox.us spamex.com spamfree24.org '
  'spamgourmet.com spamhole.com spaml.com tafmail.com temp-mail.io temp-mail.org tempail.com tempemail.net tempinbox.com tempm.com '
  'tempmail.dev tempmail.net tempmail.plus tempmailaddress.com tempmailo.com temporary-mail.net tempr.email thankyou2010.com '
  'throwam.com throwawaymail.com tmail.ws tmpmail.net tmpmail.org trash-mail.com trashmail.com trashmail.de trashmail.me '
  'trashmail.net trashymail.com trbvm.com wegwerfemail.de wegwerfmail.de wegwerfmail.net yopmail.com yopmail.fr yopmail.net '
  'zetmail.com', ' ')), 'disposable';
insert into private.mailbox_domains (domain, kind)
select unnest(string_to_array(
  '33mail.com addy.io aleeas.com anonaddy.com anonaddy.me duck.com erine.email mozmail.com passmail.com passmail.net '
  'relay.firefox.com silomails.com simplelogin.co simplelogin.com simplelogin.fr slmail.me slmails.com', ' ')), 'forwarding';

-- ==============================================================================================================================
-- 08_repetition.sql
-- ==============================================================================================================================

-- What makes a call safe to retry: an idempotency key, and the price that the caller was shown.

create table private.idempotency_keys (
  user_id text not null,
  action text not null,
  key text not null check (length(key) between 1 and 100),
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (user_id, action, key)
);
comment on table private.idempotency_keys is
  'Idempotency keys of completed calls (TRUST-21). The client reuses a key until it has an answer, even across a reload. '
  'Those older than 30 days go with the person''s next one.';
comment on column private.idempotency_keys.subject_id is 'Id of what the first call created or changed.';

create function private.normalize_idempotency_key(p_key text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if length(private.clean(p_key)) > 100 then
    perform private.raise_error('INVALID_IDEMPOTENCY_KEY', 'An idempotency key has at most 100 characters', 400);
  end if;
  return private.clean(p_key);
end $$;
comment on function private.normalize_idempotency_key(text) is
  'An idempotency key, trimmed; null when there is none. Errors: INVALID_IDEMPOTENCY_KEY.';

create function private.require_idempotency_key(p_key text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_key text := private.normalize_idempotency_key(p_key);
begin
  if v_key is null then
    perform private.raise_error('IDEMPOTENCY_KEY_REQUIRED', 'An idempotency key is required', 400);
  end if;
  return v_key;
end $$;
comment on function private.require_idempotency_key(text) is
  'Like normalize_idempotency_key, for calls that need a key. Errors: IDEMPOTENCY_KEY_REQUIRED, INVALID_IDEMPOTENCY_KEY.';

create function private.claim_idempotency_key(p_user_id text, p_action text, p_key text, p_subject_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_key text := private.normalize_idempotency_key(p_key);
  v_subject_id uuid;
begin
  if v_key is null then
    return null;
  end if;
  delete from private.idempotency_keys k where k.user_id = p_user_id and k.created_at < now() - interval '30 days';
  -- The primary key makes a concurrent call with the same key wait here and then find the first one's result.
  insert into private.idempotency_keys (user_id, action, key, subject_id) values (p_user_id, p_action, v_key, p_subject_id)
  on conflict (user_id, action, key) do nothing;
  if found then
    return null;
  end if;
  select k.subject_id into v_subject_id from private.idempotency_keys k
  where k.user_id = p_user_id and k.action = p_action and k.key = v_key;
  return v_subject_id;
end $$;
comment on function private.claim_idempotency_key(text, text, text, uuid) is
  'Null for a new (or missing) key: the caller proceeds. Otherwise the id of what the first call with this key created or changed. Errors: '
  'INVALID_IDEMPOTENCY_KEY.';

create function private.check_price(p_expected bigint, p_actual bigint, p_unit text) returns void
language plpgsql set search_path = ''
as $$
begin
  if p_expected <> p_actual then
    perform private.raise_error('PRICE_CHANGED', format('This has changed since you looked: it is now %s.', case p_unit
      when 'cents' then '$' || trim_scale(round(p_actual / 100.0, 2)) else p_actual || ' points' end), 409,
      jsonb_build_object(p_unit, p_actual));
  end if;
end $$;
comment on function private.check_price(bigint, bigint, text) is
  'Refuses when the price differs from the expected one; details hold the current one as {"points": n} or {"cents": n}. Null expects '
  'nothing and accepts any price (TRUST-20). Errors: PRICE_CHANGED.';

-- ==============================================================================================================================
-- 09_proof_comparison.sql
-- ==============================================================================================================================

-- Normal forms by which proofs are compared: links, words, pictures. Used by the flags in 32_submission_signals.

-- Links ---------------------------------------------------------------------------------------------------------------

create function private.normalize_link(p_url text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_parts text[] := regexp_match(p_url, '^https?://([^/?#]+)([^?#]*)(\?[^#]*)?(#[/!].*)?', 'i');
  v_host text := regexp_replace(regexp_replace(lower(v_parts[1]), ':(80|443)$', ''), '^(www|m|mobile)\.(?=[^.]+\.)', '');
  v_path text := rtrim(v_parts[2], '/');
  v_query text;
begin
  -- On social networks the path identifies the post; elsewhere the query string may.
  if v_parts[3] is not null
    and v_host not in ('x.com', 'twitter.com', 'instagram.com', 'tiktok.com', 'linkedin.com', 'reddit.com', 'medium.com') then
    -- Kept in keys, so the order must outlive an update of the database's collations.
    select string_agg(q.part, '&' order by q.part collate "C") into v_query
    from regexp_split_to_table(substr(v_parts[3], 2), '&') q (part)
    where q.part <> ''
      and q.part !~* '^(utm_[a-z_]+|[a-z]{1,2}clid|msclkid|twclid|igshid|igsh|mc_[ce]id|ref_src|ref_url|si|feature|_g[al])(=|$)';
  end if;
  -- Sites with two domains.
  if v_host in ('x.com', 'twitter.com') then
    v_host := 'x.com';
    v_path := regexp_replace(v_path, '/(photo|video)/\d+$', '');
  elsif v_host = 'youtu.be' then
    v_host := 'youtube.com';
    v_query := concat_ws('&', v_query, 'v=' || substr(v_path, 2));
    v_path := '/watch';
  end if;
  return v_host || v_path || coalesce('?' || v_query, '') || coalesce(v_parts[4], '');
end $$;
comment on function private.normalize_link(text) is
  'Normal form of a link: without scheme, www, default port, trailing slash, tracking parameters and fragment (except the #/ and #! of '
  'single-page apps), parameters sorted. Null for anything but an http(s) link.';

create function private.links_of(p_url text, p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  if p_text is null or p_text !~* 'https?://' then
    return array_remove(array[private.normalize_link(p_url)], null);
  end if;
  return array(
    select distinct private.normalize_link(l.link)
    from (
      select p_url union all select rtrim(m[1], '.,;:!?)]}*_') from regexp_matches(p_text, '(https?://[^\s<>"]+)', 'gi') m limit 6
    ) l (link)
    where private.normalize_link(l.link) is not null
    order by 1
  );
end $$;
comment on function private.links_of(text, text) is 'The normalised links of a proof, sorted: its URL and the first five in its text.';

create function private.is_asked_for(p_link text, p_instructions text, p_website text) returns boolean
language plpgsql immutable set search_path = ''
as $$
declare
  v_site text := private.normalize_link(p_website);
  -- Lower case may have more letters.
  v_instructions text := lower(p_instructions);
  v_link text := lower(p_link);
  v_at integer := strpos(v_instructions, v_link);
begin
  return v_at > 0 and substr(v_instructions, v_at + length(v_link), 1) !~ '[[:alnum:]_-]'
    or p_link = v_site or starts_with(p_link, v_site || '/') or starts_with(p_link, v_site || '?')
    or strpos(v_site, '/') = 0 and right(split_part(p_link, '/', 1), length(v_site) + 1) = '.' || v_site;
end $$;
comment on function private.is_asked_for(text, text, text) is
  'Whether everybody is expected to submit this link: the instructions contain it, or it leads to the project''s own site. Null: no.';

-- Texts ---------------------------------------------------------------------------------------------------------------

create function private.distinct_words(p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$ begin return tsvector_to_array(to_tsvector('pg_catalog.simple', p_text)); end $$;
comment on function private.distinct_words(text) is 'The words of a text, each once.';

create function private.own_words(p_text text, p_known_words text[]) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return array_to_string(tsvector_to_array(ts_delete(to_tsvector('pg_catalog.simple', p_text), p_known_words)), ' ');
end $$;
comment on function private.own_words(text, text[]) is
  'The words of a text that are not in the instructions, because repeating those is not copying from another member. Distinct and '
  'unordered, since trigrams ignore both.';

create function private.text_keys(p_words text, p_campaign_id uuid) returns bigint[]
language plpgsql immutable set search_path = ''
as $$
declare
  v_seed bigint := hashtextextended(p_campaign_id::text, 0);
begin
  return array(
    select distinct hashtextextended(t, v_seed) as hash from unnest(extensions.show_trgm(p_words)) t order by hash limit 4
  );
end $$;
comment on function private.text_keys(text, uuid) is
  'The four lowest hashes of a text''s trigrams. Two texts that share four fifths of their trigrams have one of the four in common in 998 '
  'of 1,000 cases, so an index finds candidates. The quest is part of the hash: only texts of the same quest match.';

-- Pictures ------------------------------------------------------------------------------------------------------------

create function private.picture_keys(p_dhash bit(64), p_is_near boolean) returns bigint[]
language sql immutable set search_path = ''
as $$
  select array_agg((q::bigint << 16) | (p_dhash::bigint >> (16 * q) & 65535) # case when i >= 0 then 1::bigint << i else 0 end)
  from generate_series(0, 3) q, generate_series(-1, case when p_is_near then 15 else -1 end) i
$$;
comment on function private.picture_keys(bit, boolean) is
  'The four quarters of a picture''s difference hash, each tagged with its position; p_is_near adds each quarter with one bit flipped. Two '
  'hashes at a distance of at most seven bits have a quarter that differs in at most one, so an index finds every near match.';

-- ==============================================================================================================================
-- 10_accounts.sql
-- ==============================================================================================================================

-- Accounts: one profile per signed-in person. Signing in, which creates it, is in 42_sign_in, because it also creates a wallet and a
-- referral code.

create type public.user_role as enum ('community', 'startup_unverified', 'startup_verified', 'admin');

create function private.mask_name(p_name text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_size integer := coalesce(length(p_name), 0);
begin
  return coalesce(left(p_name, case when v_size > 8 then 5 else v_size / 2 end), '') || '***'
    || coalesce(right(p_name, case when v_size > 8 then 3 else (v_size - 1) / 4 end), '');
end $$;
comment on function private.mask_name(text) is
  'First 5 and last 3 characters of a name (REWARD-07). A name of up to 8 characters shows at most the first half and the last quarter, so '
  'that no name is shown in full.';

create function private.industries() returns text[]
language sql immutable set search_path = ''
as $$
  select array[
    'Technology', 'Fintech', 'Healthcare', 'Education', 'E-commerce', 'SaaS', 'AI/ML', 'Blockchain/Crypto', 'Gaming', 'Social Media',
    'Real Estate', 'Food & Beverage', 'Fashion', 'Travel', 'Transportation', 'Energy', 'Manufacturing', 'Media & Entertainment',
    'Non-profit', 'Other'
  ]
$$;
comment on function private.industries() is 'The 20 industries (HUB-03): for projects, and for members'' interests (C-116).';

create table public.user_profiles (
  id uuid primary key default gen_random_uuid(),
  user_id text not null unique check (length(user_id) between 1 and 255),
  role public.user_role not null default 'community',
  username text not null check (length(username) between 1 and 80),
  display_name text check (length(display_name) <= 120),
  avatar_url text check (private.is_http_url(avatar_url)),
  email text check (length(email) <= 254),
  og_badge boolean not null default false,
  verified_socials jsonb not null default '{}',
  welcome_email_sent_at timestamptz,
  suspended_at timestamptz,
  suspension_reason text,
  masked_username text generated always as (private.mask_name(username)) stored,
  masked_name text generated always as (private.mask_name(coalesce(display_name, username))) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  interests text[] not null default '{}' check (interests <@ private.industries() and cardinality(interests) <= 20),
  provider_changed_at timestamptz
);
comment on table public.user_profiles is 'One profile per person who has signed in (DB-12). Written by procedures only.';
comment on column public.user_profiles.role is 'Last chosen role; selects the client''s navigation. Permissions never depend on it (C-09).';
comment on column public.user_profiles.email is
  'Address that the identity provider reports as verified. Shown to the person and to admins only.';
comment on column public.user_profiles.verified_socials is
  'External accounts that the identity provider has verified, user name by provider: {"github": "robin"} (C-108).';
comment on column public.user_profiles.provider_changed_at is
  'When the identity provider last changed the person whose report was stored last; an older report is late and ignored.';
comment on column public.user_profiles.interests is 'Industries chosen during onboarding or later; visible to the person only.';
comment on column public.user_profiles.og_badge is 'Set while an og_lifetime subscription is active (C-58); never by the user.';
comment on column public.user_profiles.masked_username is
  'What others may see of the name (REWARD-07), stored because the leaderboard reads many at once.';
comment on column public.user_profiles.welcome_email_sent_at is 'When the welcome e-mail was enqueued, which happens once (MAIL-03).';
create index user_profiles_email on public.user_profiles (email);
create index user_profiles_created_at on public.user_profiles (created_at desc, id desc);
create index user_profiles_search on public.user_profiles
  using gin ((username || ' ' || coalesce(display_name, '') || ' ' || coalesce(email, '')) extensions.gin_trgm_ops);
create trigger user_profiles_touch before update on public.user_profiles
  for each row execute function private.touch_updated_at();
create trigger user_profiles_count_new after insert on public.user_profiles
  referencing new table as changed for each statement execute function private.count_rows('members');
create trigger user_profiles_count_gone after delete on public.user_profiles
  referencing old table as changed for each statement execute function private.count_rows('members');

alter table public.user_profiles enable row level security;
create policy user_profiles_read on public.user_profiles for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy user_profiles_read on public.user_profiles is 'A profile holds an e-mail address, so only the person and admins read it.';
grant select on public.user_profiles to authenticated;
grant select on public.user_profiles to service_role;

-- Deleted accounts ----------------------------------------------------------------------------------------------------

create function private.refuse_deleted_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from private.deleted_users d where d.user_id = new.user_id) then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  return new;
end $$;
comment on function private.refuse_deleted_user() is 'Trigger: refuses to recreate or refill the profile of a deleted account.';

create trigger user_profiles_refuse_deleted before insert or update of username, display_name, email, avatar_url on public.user_profiles
  for each row execute function private.refuse_deleted_user();

create function private.remember_profile_mailbox() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.remember_mailbox(new.user_id, new.email);
  return null;
end $$;
comment on function private.remember_profile_mailbox() is
  'Trigger: records the profile''s mailbox; profiles only ever hold verified addresses.';
create trigger user_profiles_remember_mailbox after insert or update of email on public.user_profiles
  for each row when (new.email is not null) execute function private.remember_profile_mailbox();

create table private.former_addresses (
  user_id text not null,
  email text not null,
  primary key (user_id, email)
);
comment on table private.former_addresses is
  'Addresses that profiles have given up: what is stored by address, such as the links in mails, is erased with the account (TRUST-28).';

create function private.keep_former_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.former_addresses (user_id, email) values (old.user_id, old.email) on conflict do nothing;
  return null;
end $$;
comment on function private.keep_former_address() is 'Trigger: remembers the address that a profile gives up.';
create trigger user_profiles_keep_former_address after update of email on public.user_profiles
  for each row when (old.email <> new.email) execute function private.keep_former_address();

-- Who may act ---------------------------------------------------------------------------------------------------------

create function private.suspended_account(p_user_id text) returns public.user_profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_profile public.user_profiles;
begin
  -- A deleted account looks suspended, too.
  select p.* into v_profile from public.user_profiles p left join private.deleted_users d on d.user_id = p.user_id
  where p.user_id = any (private.accounts_of_person(p_user_id)) and p.suspended_at is not null and coalesce(d.was_suspended, true)
  order by p.suspended_at desc limit 1;
  return v_profile;
end $$;
comment on function private.suspended_account(text) is
  'The account of this person that was suspended last and has not been let off, also a deleted one; nulls: there is none (C-81, C-97).';

create function private.require_user() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif exists (select 1 from public.user_profiles p where p.user_id = v_user and p.suspended_at is not null) then
    perform private.raise_error('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  end if;
  return v_user;
end $$;
comment on function private.require_user() is
  'Id of the caller. Raises UNAUTHENTICATED (401) for visitors and for erased accounts, whose session token may outlive them by seconds, '
  'and SUSPENDED (403) for suspended accounts.';

create function private.require_profile() returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text;
begin
  perform private.lock_own_account();
  v_user := private.require_user();
  if not exists (select 1 from public.user_profiles p where p.user_id = v_user) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  return v_user;
end $$;
comment on function private.require_profile() is
  'Id of the caller, who must have a profile here and not only an account at the identity provider, and whose erasure waits for the end of '
  'this call. Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND.';

create function private.is_in_good_standing() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.user_profiles p where p.user_id = public.current_user_id() and p.suspended_at is null
  );
end $$;
comment on function private.is_in_good_standing() is
  'For policies: whether the caller has a profile, is not suspended and has not been erased (TRUST-18, TRUST-26).';
grant execute on function private.is_in_good_standing() to authenticated, service_role;

create function private.is_admin_in_good_standing() returns boolean
language plpgsql stable security definer set search_path = ''
as $$ begin return private.is_admin() and private.is_in_good_standing(); end $$;
comment on function private.is_admin_in_good_standing() is 'For policies that let admins write: an admin who is not suspended.';
grant execute on function private.is_admin_in_good_standing() to authenticated, service_role;

create function private.require_self(p_user_id text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if p_user_id is distinct from v_user and not private.is_admin() then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  return p_user_id;
end $$;
comment on function private.require_self(text) is
  'For procedures whose signature carries a user id: it must be the caller''s, or the caller must be an admin. Raises FORBIDDEN '
  '(SEC-04).';

create function private.require_admin() returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if not private.is_admin() then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  return v_user;
end $$;
comment on function private.require_admin() is 'Id of the calling admin. Raises FORBIDDEN (403) for everyone else (SEC-04, SEC-15).';

create function private.require_admin_or_server() returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The service role and a database console have no user; every session must be an admin's.
  if public.current_user_id() is not null or current_setting('role', true) in ('anon', 'authenticated') then
    perform private.require_admin();
  end if;
end $$;
comment on function private.require_admin_or_server() is
  'Allows admins, the service role and the database owner. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';

-- Names and addresses -------------------------------------------------------------------------------------------------

create function public.update_profile(p_username text, p_display_name text, p_email text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_profile public.user_profiles;
begin
  -- First, because looking at the words of a text of megabytes takes seconds, and forty times its memory.
  if length(private.clean(p_username)) > 80 or length(private.clean(p_display_name)) > 120 then
    perform private.raise_error('NAME_TOO_LONG', 'Please use a shorter name', 400);
  end if;
  -- The address changes only to one that the provider reports as verified (C-65); any other is ignored until it is.
  update public.user_profiles p set
    username = coalesce(private.validate_name(p_username), p.username),
    display_name = private.validate_name(p_display_name),
    email = case when lower(private.clean(p_email)) = private.jwt_email() then private.jwt_email() else p.email end
  where p.user_id = v_user returning p.* into v_profile;
  return v_profile;
end $$;
comment on function public.update_profile(text, text, text) is
  'Saves the caller''s names; the e-mail only when the token says that it is verified (PROF-05, C-65). Errors: UNAUTHENTICATED, '
  'SUSPENDED, HIDDEN_CHARACTERS, RESERVED_NAME, NAME_TOO_LONG, PROFILE_NOT_FOUND.';
grant execute on function public.update_profile(text, text, text) to authenticated, service_role;

create function public.save_interests(p_interests text[]) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_profile public.user_profiles;
begin
  if p_interests is null or not p_interests <@ private.industries() then
    perform private.raise_error('INDUSTRY_REQUIRED', 'Please select an industry', 400);
  end if;
  update public.user_profiles p set interests = (select coalesce(array_agg(distinct i order by i), '{}') from unnest(p_interests) i)
  where p.user_id = v_user returning p.* into v_profile;
  return v_profile;
end $$;
comment on function public.save_interests(text[]) is
  'Saves the caller''s interests, without duplicates; an empty list clears them (C-116). Errors: UNAUTHENTICATED, SUSPENDED, '
  'INDUSTRY_REQUIRED, PROFILE_NOT_FOUND.';
grant execute on function public.save_interests(text[]) to authenticated, service_role;

create function public.update_user_email(p_user_id text, p_email text, p_full_name text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_profile public.user_profiles;
begin
  if p_user_id is distinct from v_user then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  if private.jwt_email() is null or lower(private.clean(p_email)) is distinct from private.jwt_email() then
    perform private.raise_error('EMAIL_NOT_VERIFIED', 'This email address is not verified', 422);
  end if;
  update public.user_profiles p set
    email = private.jwt_email(),
    display_name = coalesce(p.display_name, private.plain_name(left(private.clean(p_full_name), 120)))
  where p.user_id = v_user returning p.* into v_profile;
  return v_profile;
end $$;
comment on function public.update_user_email(text, text, text) is
  'E-mail sync: stores the caller''s address when it is the one the token reports as verified (AUTH-08, C-65). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, EMAIL_NOT_VERIFIED, PROFILE_NOT_FOUND.';
grant execute on function public.update_user_email(text, text, text) to authenticated, service_role;

create function public.record_changed_email(p_user_id text, p_email text, p_changed_at timestamptz) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text := lower(private.clean(p_email));
  v_before text;
begin
  select p.email into v_before from public.user_profiles p
  where p.user_id = p_user_id and coalesce(p.provider_changed_at <= p_changed_at, true) for no key update;
  -- Also when the address is the same, because a report from in between may still arrive.
  update public.user_profiles p set email = v_email, provider_changed_at = p_changed_at
  where p.user_id = p_user_id and v_before is not null;
  return coalesce(v_before <> v_email, false);
end $$;
comment on function public.record_changed_email(text, text, timestamptz) is
  'Stores a verified address that the identity provider reports as changed at p_changed_at; returns whether it was new (C-65). A report '
  'older than the one that is stored is late and ignored. A profile without an address gets its first one at the next sign-in, together '
  'with what depends on it. Service role only.';
grant execute on function public.record_changed_email(text, text, timestamptz) to service_role;

create function public.get_user_email_by_clerk_id(p_user_id text) returns text
language sql stable security definer set search_path = ''
as $$ select p.email from public.user_profiles p where p.user_id = p_user_id $$;
comment on function public.get_user_email_by_clerk_id(text) is 'E-mail address of a person, for the mail functions. Service role only.';
grant execute on function public.get_user_email_by_clerk_id(text) to service_role;

create function public.request_welcome_email(p_user_id text, p_first_name text, p_is_startup boolean) returns bigint
language plpgsql security definer set search_path = ''
as $$
begin
  update public.user_profiles set welcome_email_sent_at = now()
  where user_id = p_user_id and email is not null and welcome_email_sent_at is null;
  return case when found then private.enqueue_event('WelcomeRequested', p_user_id,
    jsonb_build_object('first_name', left(private.clean(p_first_name), 80), 'is_startup', coalesce(p_is_startup, false))) end;
end $$;
comment on function public.request_welcome_email(text, text, boolean) is
  'Enqueues the welcome e-mail once per person and returns the event''s id; null when that has happened before or there is no address '
  '(MAIL-03, C-49). Service role only.';
grant execute on function public.request_welcome_email(text, text, boolean) to service_role;

create function private.is_own_address(p_email text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(p_email = private.jwt_email(), false)
    or exists (select 1 from public.user_profiles p where p.user_id = public.current_user_id() and p.email = p_email);
end $$;
comment on function private.is_own_address(text) is
  'Whether the identity provider has verified this address for the caller: now, in the token, or when the profile was last refreshed '
  '(BEY-10).';

-- ==============================================================================================================================
-- 11_admins.sql
-- ==============================================================================================================================

-- Revoking and restoring the right of admins (TRUST-19). Who is admin is in 02_identity, because policies ask it from the start.

create function private.has_owner_address(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from private.product_owner o join private.known_mailboxes k on k.mailbox = private.mailbox_key(o.email)
    where k.user_id = p_user_id
      and not exists (select 1 from public.user_profiles p where p.email = o.email and p.user_id <> p_user_id));
end $$;
comment on function private.has_owner_address(text) is
  'Whether the product owner''s address is, or was, this account''s and is nobody else''s now.';

create function private.is_admin_without_role(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from private.admins a where a.user_id = p_user_id and a.revoked_at is null) or exists (
    select 1 from public.user_profiles p join private.product_owner o on o.email = p.email and o.revoked_at is null
    where p.user_id = p_user_id);
end $$;
comment on function private.is_admin_without_role(text) is
  'Whether somebody is admin without the identity provider''s role: by a grant in the database, or by the product owner''s address.';

create function private.has_other_admin(p_admin text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.user_profiles p left join private.admins a on a.user_id = p.user_id
    where p.user_id <> p_admin and p.suspended_at is null and a.revoked_at is null and (p.role = 'admin' or a.user_id is not null)
  );
end $$;
comment on function private.has_other_admin(text) is
  'Whether somebody else is admin, or was at their last sign-in, is not suspended, and neither an admin nor the identity provider nor a '
  'new owner_email has taken that back since.';

create function public.revoke_admin(p_user_id text, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
begin
  -- Serialised, so that two admins cannot revoke each other at the same time.
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  perform private.require_admin();
  if p_user_id = v_admin and not private.has_other_admin(v_admin) then
    perform private.raise_error('LAST_ADMIN', 'The last admin has to stay', 409);
  end if;
  update public.user_profiles p set role = 'community' where p.user_id = p_user_id and p.role = 'admin';
  if not found and not exists (select 1 from public.user_profiles p where p.user_id = p_user_id) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  insert into private.admins as a (user_id, reason, revoked_at, revoked_by) values (p_user_id, v_reason, now(), v_admin)
  on conflict (user_id) do update set reason = excluded.reason, revoked_at = excluded.revoked_at, revoked_by = excluded.revoked_by
  where a.revoked_at is null;
  if found then
    update private.product_owner o set revoked_at = now() where o.revoked_at is null and private.has_owner_address(p_user_id);
    perform private.audit(v_admin, 'admin.revoke', 'user', p_user_id, jsonb_build_object('is_admin', true),
      jsonb_build_object('is_admin', false), v_reason);
  end if;
end $$;
comment on function public.revoke_admin(text, text) is
  'Admin revokes somebody''s admin right, or their own unless they are the last admin; takes effect at the next call, whatever the token '
  'says (TRUST-19). The product owner''s address then makes nobody admin, or whoever has it could start over with a new account. '
  'Idempotent. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, LAST_ADMIN, PROFILE_NOT_FOUND.';
grant execute on function public.revoke_admin(text, text) to authenticated, service_role;

create function private.admin_revoked_at(p_user_id text) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select a.revoked_at from private.admins a where a.user_id = p_user_id),
    (select o.revoked_at from private.product_owner o where private.has_owner_address(p_user_id)));
end $$;
comment on function private.admin_revoked_at(text) is
  'When the admin right of a person was revoked, or that of the product owner''s address, if it is theirs; null: it was not.';

create function public.restore_admin(p_user_id text, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_is_revoked boolean := private.admin_revoked_at(p_user_id) is not null;
begin
  delete from private.admins a where a.user_id = p_user_id and a.revoked_at is not null;
  update private.product_owner o set revoked_at = null where o.revoked_at is not null and private.has_owner_address(p_user_id);
  if v_is_revoked then
    perform private.audit(v_admin, 'admin.restore', 'user', p_user_id, null, null, v_reason);
  end if;
end $$;
comment on function public.restore_admin(text, text) is
  'Admin undoes a revocation: the person is admin again if the token or the address makes them one. Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, REASON_REQUIRED.';
grant execute on function public.restore_admin(text, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 11_settings.sql
-- ==============================================================================================================================

-- Product settings: one row, typed columns, readable by everyone except for the owner's address.

create table public.app_settings (
  id boolean primary key default true check (id),
  beta_mode boolean not null default true,
  trial_quest_limit integer not null default 1 check (trial_quest_limit between 0 and 1000),
  trial_budget_points integer not null default 500 check (trial_budget_points between 0 and 1000000),
  referrer_points integer not null default 500 check (referrer_points between 0 and 100000),
  referred_points integer not null default 250 check (referred_points between 0 and 100000),
  submissions_per_minute integer not null default 6 check (submissions_per_minute between 1 and 600),
  member_count_base integer not null default 1000 check (member_count_base >= 0),
  member_floor integer not null default 47 check (member_floor >= 0),
  quest_floor integer not null default 3 check (quest_floor >= 0),
  points_floor integer not null default 12700 check (points_floor >= 0),
  og_slots integer not null default 100 check (og_slots between 0 and 100000),
  og_price_cents integer not null default 9900 check (og_price_cents between 50 and 99999999),
  og_original_price_cents integer not null default 29700 check (og_original_price_cents > 0),
  rewards_enabled boolean not null default true,
  leaderboard_enabled boolean not null default true,
  treat_unverified_as_verified boolean not null default false,
  owner_email text check (owner_email = lower(owner_email)),
  updated_at timestamptz not null default now(),
  project_changes_per_hour integer not null default 20 check (project_changes_per_hour between 1 and 10000),
  quest_creations_per_hour integer not null default 30 check (quest_creations_per_hour between 1 and 10000),
  quest_changes_per_hour integer not null default 120 check (quest_changes_per_hour between 1 and 10000),
  proof_files_per_person integer not null default 1000 check (proof_files_per_person between 1 and 100000),
  proof_megabytes_per_person integer not null default 500 check (proof_megabytes_per_person between 1 and 100000),
  logo_files_per_person integer not null default 10 check (logo_files_per_person between 1 and 1000),
  logo_megabytes_per_person integer not null default 20 check (logo_megabytes_per_person between 1 and 10000),
  paid_referrals_per_day integer not null default 20 check (paid_referrals_per_day between 0 and 100000),
  pack_small_points integer not null default 1000 check (pack_small_points between 0 and 1000000),
  pack_small_cents integer not null default 4900 check (pack_small_cents between 50 and 99999999),
  pack_medium_points integer not null default 5000 check (pack_medium_points between 0 and 1000000),
  pack_medium_cents integer not null default 19900 check (pack_medium_cents between 50 and 99999999),
  pack_large_points integer not null default 20000 check (pack_large_points between 0 and 1000000),
  pack_large_cents integer not null default 69900 check (pack_large_cents between 50 and 99999999)
);
comment on table public.app_settings is
  'The product''s switches and numbers, exactly one row. Changed by admins through update_app_settings.';
comment on column public.app_settings.beta_mode is
  'On: submissions are approved and projects verified at once, and the trial limits bind everyone (RULE-01..05, C-06, C-22, C-62).';
comment on column public.app_settings.trial_quest_limit is 'Quests, of any status, that a project on trial may have (RULE-04, C-23).';
comment on column public.app_settings.trial_budget_points is
  'Points granted once per owner at verification, and the sum of quest budgets on trial (RULE-05, C-02).';
comment on column public.app_settings.referrer_points is 'Points for the member who referred (REF-09).';
comment on column public.app_settings.referred_points is 'Points for the member who was referred (REF-09).';
comment on column public.app_settings.paid_referrals_per_day is 'Paid referrals per member and UTC day (C-80).';
comment on column public.app_settings.submissions_per_minute is 'Submissions per member in any window of one minute (RULE-11).';
comment on column public.app_settings.member_count_base is 'Added to the number of profiles in the member count (DB-21, C-26).';
comment on column public.app_settings.member_floor is 'Minimum of the member count shown (HOME-09).';
comment on column public.app_settings.quest_floor is 'Minimum of the number of quests shown (HOME-09).';
comment on column public.app_settings.points_floor is 'Minimum of the points earned shown (HOME-09).';
comment on column public.app_settings.og_slots is 'Slots of the OG Lifetime plan (SUBS-02, C-21).';
comment on column public.app_settings.og_price_cents is 'Price of the OG Lifetime plan in US cents, within Stripe''s limits (SUBS-01).';
comment on column public.app_settings.og_original_price_cents is 'Struck-through price of the OG Lifetime plan in US cents (SUBS-01).';
comment on column public.app_settings.rewards_enabled is 'Feature check of the reward list and redeeming (REWARD-05, C-45).';
comment on column public.app_settings.leaderboard_enabled is 'Feature check of the leaderboard (REWARD-05).';
comment on column public.app_settings.treat_unverified_as_verified is 'SEC-06: the client treats startup_unverified as startup_verified.';
comment on column public.app_settings.owner_email is
  'The product owner''s address: whoever signs in with it, verified, is admin (SEC-05, C-12). Never readable by the API roles.';
comment on column public.app_settings.project_changes_per_hour is
  'Times that one person may create, edit or delete a project in any hour (TRUST-27).';
comment on column public.app_settings.quest_creations_per_hour is 'Quests that one person may create in any hour (TRUST-27).';
comment on column public.app_settings.quest_changes_per_hour is
  'Times that one person may edit, publish, pause, close or delete quests in any hour (TRUST-27).';
comment on column public.app_settings.proof_files_per_person is 'Screenshots that one member may keep uploaded (TRUST-26).';
comment on column public.app_settings.proof_megabytes_per_person is 'Storage for one member''s screenshots, in MiB (TRUST-26).';
comment on column public.app_settings.logo_files_per_person is 'Logo files that one person may keep uploaded (TRUST-26).';
comment on column public.app_settings.logo_megabytes_per_person is 'Storage for one person''s logo files, in MiB (TRUST-26).';
comment on column public.app_settings.pack_small_points is
  'Points of the small pack; 0: not for sale. Likewise for the other packs (BEY-20).';
comment on column public.app_settings.pack_small_cents is 'Price of the small pack in US cents; at least the payment provider''s minimum.';
create trigger app_settings_touch before update on public.app_settings
  for each row execute function private.touch_updated_at();

create function private.follow_owner_email() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.product_owner (email) values (new.owner_email)
  on conflict (id) do update set email = excluded.email, revoked_at = null;
  -- OLD on insert reads as a row of nulls.
  update public.user_profiles p set role = 'community'
  where p.email = old.owner_email and p.role = 'admin' and not private.is_admin_without_role(p.user_id);
  return null;
end $$;
comment on function private.follow_owner_email() is
  'Trigger: keeps private.product_owner equal to owner_email. Whoever had the former address counts as admin again once they sign in with '
  'a right of their own.';
create trigger app_settings_follow_owner_email after insert or update of owner_email on public.app_settings
  for each row execute function private.follow_owner_email();

insert into public.app_settings default values;

alter table public.app_settings enable row level security;
create policy app_settings_read on public.app_settings for select to anon, authenticated using (id);
comment on policy app_settings_read on public.app_settings is 'Settings are public except owner_email, which no API role may select.';
grant select (
  id, beta_mode, trial_quest_limit, trial_budget_points, referrer_points, referred_points, submissions_per_minute,
  member_count_base, member_floor, quest_floor, points_floor, og_slots, og_price_cents, og_original_price_cents,
  rewards_enabled, leaderboard_enabled, treat_unverified_as_verified, updated_at, paid_referrals_per_day,
  proof_files_per_person, proof_megabytes_per_person, logo_files_per_person, logo_megabytes_per_person,
  project_changes_per_hour, quest_creations_per_hour, quest_changes_per_hour,
  pack_small_points, pack_small_cents, pack_medium_points, pack_medium_cents, pack_large_points, pack_large_cents
) on public.app_settings to anon, authenticated;
grant select, update on public.app_settings to service_role;

create function private.settings() returns public.app_settings
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_settings public.app_settings;
begin
  select s.* into v_settings from public.app_settings s;
  return v_settings;
end $$;
comment on function private.settings() is 'The settings row.';

create function private.check_owner_rate(p_user_id text, p_action text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_settings public.app_settings := private.settings();
begin
  if not public.take_rate_limit('user:' || p_user_id, p_action, case p_action
    when 'project_change' then v_settings.project_changes_per_hour
    when 'quest_creation' then v_settings.quest_creations_per_hour
    when 'quest_change' then v_settings.quest_changes_per_hour end, 3600)
  then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_owner_rate(text, text) is
  'Limits what one person may do to projects and quests per hour: project_change, quest_creation or quest_change. Refused calls roll back '
  'and do not count (TRUST-27). Errors: RATE_LIMITED.';

create function private.apply_settings(p_settings public.app_settings) returns public.app_settings
language sql security definer set search_path = ''
as $$
  update public.app_settings a set
    beta_mode = p_settings.beta_mode, trial_quest_limit = p_settings.trial_quest_limit,
    trial_budget_points = p_settings.trial_budget_points,
    referrer_points = p_settings.referrer_points, referred_points = p_settings.referred_points,
    submissions_per_minute = p_settings.submissions_per_minute, member_count_base = p_settings.member_count_base,
    member_floor = p_settings.member_floor, quest_floor = p_settings.quest_floor, points_floor = p_settings.points_floor,
    og_slots = p_settings.og_slots, og_price_cents = p_settings.og_price_cents,
    og_original_price_cents = p_settings.og_original_price_cents,
    rewards_enabled = p_settings.rewards_enabled, leaderboard_enabled = p_settings.leaderboard_enabled,
    treat_unverified_as_verified = p_settings.treat_unverified_as_verified, paid_referrals_per_day = p_settings.paid_referrals_per_day,
    proof_files_per_person = p_settings.proof_files_per_person, proof_megabytes_per_person = p_settings.proof_megabytes_per_person,
    logo_files_per_person = p_settings.logo_files_per_person, logo_megabytes_per_person = p_settings.logo_megabytes_per_person,
    project_changes_per_hour = p_settings.project_changes_per_hour, quest_creations_per_hour = p_settings.quest_creations_per_hour,
    quest_changes_per_hour = p_settings.quest_changes_per_hour,
    pack_small_points = p_settings.pack_small_points, pack_small_cents = p_settings.pack_small_cents,
    pack_medium_points = p_settings.pack_medium_points, pack_medium_cents = p_settings.pack_medium_cents,
    pack_large_points = p_settings.pack_large_points, pack_large_cents = p_settings.pack_large_cents
  where a.id
  returning a.*
$$;
comment on function private.apply_settings(public.app_settings) is
  'Writes every setting that admins may change. Not owner_email, which is set by whoever installs the product.';

create function public.update_app_settings(p_settings jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.app_settings;
  v_after public.app_settings;
  v_key text;
begin
  if p_settings is null or jsonb_typeof(p_settings) <> 'object' then
    perform private.raise_error('INVALID_SETTINGS', 'One of the settings has an invalid value', 400);
  end if;
  select s.* into v_before from public.app_settings s for no key update;
  for v_key in select jsonb_object_keys(p_settings) loop
    if v_key in ('id', 'owner_email', 'updated_at') or not to_jsonb(v_before) ? v_key then
      perform private.raise_error('UNKNOWN_SETTING', format('Unknown setting: %s', left(v_key, 60)), 400);
    end if;
  end loop;
  begin
    v_after := private.apply_settings(jsonb_populate_record(v_before, p_settings));
  exception when data_exception or integrity_constraint_violation then
    perform private.raise_error('INVALID_SETTINGS', 'One of the settings has an invalid value', 400);
  end;
  perform private.audit(v_admin, 'settings.update', 'app_settings', 'settings',
    to_jsonb(v_before) - 'owner_email', to_jsonb(v_after) - 'owner_email');
  return to_jsonb(v_after) - 'owner_email';
end $$;
comment on function public.update_app_settings(jsonb) is
  'Admin changes the settings named in the object, all or none; returns the whole row (C-22, C-26). Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, UNKNOWN_SETTING, INVALID_SETTINGS.';
grant execute on function public.update_app_settings(jsonb) to authenticated, service_role;

-- ==============================================================================================================================
-- 12_ledger.sql
-- ==============================================================================================================================

-- The ledger: wallets with a balance, and an append-only double-entry record of every transfer.
--
-- A transfer is one row with amount and reason, plus two entries: a debit of the source and a credit of the destination. Where points enter
-- or leave the product the other side is a system account ("issuance", "redemption"), which has no balance row and so no contention. A
-- wallet always equals the sum of its entries (TRUST-01).
--
-- The order in which all procedures take their locks is in docs/data-model.md.

create type public.wallet_kind as enum ('user', 'startup', 'reserve');
create type public.transaction_type as enum ('credit', 'debit');
create type public.transfer_kind as enum (
  'task_completion', 'referral_bonus', 'welcome_bonus', 'redemption', 'refund',
  'trial_budget', 'reserve', 'release', 'reversal', 'adjustment', 'purchase', 'purchase_reversal'
);

create table public.wallets (
  id uuid primary key default private.uuidv7(),
  kind public.wallet_kind not null,
  owner_user_id text not null,
  user_id text,
  startup_id uuid,
  campaign_id uuid,
  points bigint not null default 0,
  lifetime_points bigint not null default 0,
  leaderboard_points bigint not null default 0,
  cash_cents bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  held_points bigint not null default 0,
  trial_points bigint not null default 0,
  -- Few constraints, because Postgres prepares each one again for every statement that changes a balance.
  constraint wallets_never_negative check (
    least(points, lifetime_points, leaderboard_points, cash_cents, held_points, trial_points, points - greatest(held_points, trial_points))
      >= 0
  ),
  constraint wallets_owner_fits_kind check (
    (kind = 'user') = (user_id is not null) and (kind = 'startup' or startup_id is null) and (kind = 'reserve') = (campaign_id is not null)
  )
) with (fillfactor = 85);
comment on table public.wallets is
  'Accounts with a balance: a member''s (user_id), a project''s (startup_id), a quest''s reserve (campaign_id). Personal and project '
  'points are never mixed (C-03). Its pages keep room for the next version of a row, so that most updates are heap-only.';
comment on column public.wallets.owner_user_id is
  'Who may see it. A project''s wallet outlives the profile and is reused when the owner creates a new one (C-02).';
comment on column public.wallets.points is 'Balance in points. Never below zero (RULE-10, TRUST-05).';
comment on column public.wallets.lifetime_points is
  'Points ever credited. Refunds and released reserves do not count again, and a reversal subtracts its points (RULE-17, C-87).';
comment on column public.wallets.leaderboard_points is
  'Sum of task completions, referral and welcome bonuses less reversals: what the leaderboard ranks by (REWARD-06, C-46).';
comment on column public.wallets.held_points is
  'Part of a member''s points that is not redeemable yet: the sum of the open rows in point_holds (TRUST-16).';
comment on column public.wallets.trial_points is
  'Part of a project''s or reserve''s points that comes from a trial budget. Spent first (C-94).';
-- Partial indexes per kind: members' balances change most often, and an update that is not heap-only rewrites every index of the row.
create unique index wallets_user on public.wallets (user_id) where user_id is not null;
create unique index wallets_startup on public.wallets (startup_id) where startup_id is not null;
create unique index wallets_campaign on public.wallets (campaign_id) where campaign_id is not null;
create unique index wallets_startup_owner on public.wallets (owner_user_id) where kind = 'startup';
create index wallets_owner on public.wallets (owner_user_id) where kind <> 'user';
create index wallets_leaderboard on public.wallets (leaderboard_points desc, user_id) where kind = 'user' and leaderboard_points > 0;

create table public.transfers (
  id bigint generated always as identity primary key,
  kind public.transfer_kind not null,
  points bigint not null check (points > 0),
  description text not null check (length(description) <= 500),
  metadata jsonb not null default '{}',
  submission_id uuid,
  redemption_id uuid,
  referral_id uuid,
  campaign_id uuid,
  idempotency_key text check (length(idempotency_key) <= 200),
  created_at timestamptz not null default now(),
  trial_points bigint check (trial_points between 1 and points)
);
comment on table public.transfers is 'What moved and why, one row per transfer. Append-only.';
comment on column public.transfers.submission_id is 'What caused it. No foreign key: earned points outlive a deleted quest (TRUST-12).';
comment on column public.transfers.trial_points is 'How many of the points come from a trial budget; null when none (C-94).';
comment on column public.transfers.idempotency_key is 'A second transfer with the same key has no effect.';
create unique index transfers_idempotency on public.transfers (idempotency_key) where idempotency_key is not null;
create trigger transfers_append_only before update or delete on public.transfers
  for each row execute function private.prevent_mutation();
create trigger transfers_no_truncate before truncate on public.transfers
  for each statement execute function private.prevent_mutation();

create table public.entries (
  id bigint generated always as (transfer_id * 2 - (type = 'debit')::integer) stored primary key,
  transfer_id bigint not null,
  wallet_id uuid references public.wallets (id),
  system_account text check (system_account in ('issuance', 'redemption')),
  user_id text,
  type public.transaction_type not null,
  balance_after bigint check (balance_after >= 0),
  check ((wallet_id is null) = (system_account is not null))
);
comment on table public.entries is 'The two sides of each transfer, one debit and one credit. Append-only.';
comment on column public.entries.id is
  'Derived from the transfer: 2n - 1 is the debit of transfer n, 2n its credit. The primary key rules out a third entry and finds both.';
comment on column public.entries.transfer_id is 'No foreign key: private.transfer, the only writer, writes both in one statement.';
comment on column public.entries.user_id is 'Owner of a member''s wallet; null for project wallets, reserves and system accounts.';
comment on column public.entries.balance_after is 'Balance of the wallet after this entry; null for system accounts.';
create index entries_wallet on public.entries (wallet_id, id desc) where wallet_id is not null;
create trigger entries_append_only before update or delete on public.entries
  for each row execute function private.prevent_mutation();
create trigger entries_no_truncate before truncate on public.entries
  for each statement execute function private.prevent_mutation();

create function private.own_wallet_ids() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  return query select w.id from public.wallets w where w.user_id = v_user
    union all select w.id from public.wallets w where w.owner_user_id = v_user and w.kind <> 'user';
end $$;
comment on function private.own_wallet_ids() is 'Wallets of the caller: personal, project and reserves.';
grant execute on function private.own_wallet_ids() to authenticated, service_role;

alter table public.wallets enable row level security;
create policy wallets_read on public.wallets for select to authenticated
  using (id = any (array(select private.own_wallet_ids())) or (select private.is_admin()));
comment on policy wallets_read on public.wallets is 'The owner and admins (SEC-13).';
grant select on public.wallets to authenticated, service_role;

alter table public.entries enable row level security;
create policy entries_read on public.entries for select to authenticated
  using (wallet_id = any (array(select private.own_wallet_ids())) or (select private.is_admin()));
comment on policy entries_read on public.entries is
  'Entries of the caller''s own wallets; all for admins. The array is computed once per query and can use the index.';
grant select on public.entries to authenticated, service_role;

alter table public.transfers enable row level security;
create policy transfers_read on public.transfers for select to authenticated
  using (
    (select private.is_admin())
    or exists (select 1 from public.entries e where e.id in (transfers.id * 2 - 1, transfers.id * 2))
  );
comment on policy transfers_read on public.transfers is
  'Whoever may read one of its entries: the inner query is subject to the policy of entries.';
grant select on public.transfers to authenticated, service_role;

create view public.transactions with (security_invoker = true) as
select e.id, e.transfer_id, e.wallet_id, e.system_account, e.user_id, e.type, t.points, e.balance_after, t.kind, t.description, t.metadata,
  t.submission_id, t.redemption_id, t.referral_id, t.campaign_id, t.created_at, t.trial_points
from public.entries e
join public.transfers t on t.id = e.transfer_id;
comment on view public.transactions is 'Entries joined with amount and reason, as a wallet''s history shows them (DB-09, DB-13).';
-- Without it a write fails before the grants are looked at, and the API answers 500.
create trigger transactions_read_only instead of insert or update or delete on public.transactions
  for each row execute function private.prevent_mutation();
grant select on public.transactions to authenticated, service_role;

create function public.list_transactions(p_wallet_id uuid, p_limit integer default 50, p_cursor text default null) returns table (
  id bigint, type public.transaction_type, kind public.transfer_kind, points bigint, balance_after bigint, description text,
  created_at timestamptz, submission_id uuid, redemption_id uuid, referral_id uuid, campaign_id uuid, transfer_id bigint,
  cursor text
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 50, 1000);
  v_after text[] := private.decode_cursor('transactions', p_cursor, array['bigint']);
begin
  return query
    select t.id, t.type, t.kind, t.points, t.balance_after, t.description, t.created_at, t.submission_id, t.redemption_id, t.referral_id,
      t.campaign_id, t.transfer_id, private.encode_cursor('transactions', jsonb_build_array(t.id))
    from public.transactions t
    where t.wallet_id = p_wallet_id and t.id < coalesce(v_after[1]::bigint, 9223372036854775807)
    order by t.id desc limit v_limit;
end $$;
comment on function public.list_transactions(uuid, integer, text) is
  'A wallet''s history, newest first, as far as the caller may see it: runs with the caller''s rights (DB-13). Next page: the cursor of '
  'the last row. Nullable: submission_id, redemption_id, referral_id, campaign_id. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_transactions(uuid, integer, text) to authenticated, service_role;

-- Wallets -------------------------------------------------------------------------------------------------------------

create function private.ensure_user_wallet(p_user_id text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  select w.id into v_id from public.wallets w where w.user_id = p_user_id;
  if v_id is null then
    insert into public.wallets (kind, owner_user_id, user_id) values ('user', p_user_id, p_user_id)
    on conflict (user_id) where user_id is not null do nothing;
    select w.id into v_id from public.wallets w where w.user_id = p_user_id;
  end if;
  return v_id;
end $$;
comment on function private.ensure_user_wallet(text) is 'Id of a member''s wallet, created empty if missing (DB-13).';

create function private.startup_wallet(p_startup_id uuid, p_owner text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  -- Read first, because an upsert locks the row also when it changes nothing, and callers may have members' wallets to lock before.
  select w.id into v_id from public.wallets w
  where w.owner_user_id = p_owner and w.kind = 'startup' and w.startup_id = p_startup_id;
  if v_id is null then
    insert into public.wallets (kind, owner_user_id, startup_id) values ('startup', p_owner, p_startup_id)
    on conflict (owner_user_id) where kind = 'startup' do update set startup_id = excluded.startup_id returning id into v_id;
  end if;
  return v_id;
end $$;
comment on function private.startup_wallet(uuid, text) is
  'The owner''s project wallet, attached to this profile: a re-created profile takes over the old balance (C-02).';

create function private.reserve_wallet(p_campaign_id uuid, p_owner text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  select w.id into v_id from public.wallets w where w.campaign_id = p_campaign_id;
  if v_id is null then
    insert into public.wallets (kind, owner_user_id, campaign_id) values ('reserve', p_owner, p_campaign_id) returning id into v_id;
  end if;
  return v_id;
end $$;
comment on function private.reserve_wallet(uuid, text) is
  'The quest''s reserve: points debited from the project in advance and held for the members (C-01).';

-- Transfers -----------------------------------------------------------------------------------------------------------

create function private.transfer(
  p_from uuid, p_to uuid, p_points bigint, p_kind public.transfer_kind, p_description text, p_key text default null,
  p_submission_id uuid default null, p_redemption_id uuid default null, p_referral_id uuid default null,
  p_campaign_id uuid default null, p_metadata jsonb default '{}', p_trial_points bigint default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_id bigint;
  v_wallets integer := num_nonnulls(p_from, p_to);
  v_trial bigint := coalesce(p_trial_points, case when p_from is null then 0 end);
begin
  if p_points is null or p_points <= 0 then
    perform private.raise_error('INVALID_POINTS', 'Points must be a positive number', 400);
  end if;
  if p_key is not null then
    select t.id into v_id from public.transfers t where t.idempotency_key = p_key;
    if v_id is not null then
      return v_id;
    end if;
  end if;

  -- A single wallet is locked by the update below, unless its trial points have to be known first.
  if v_wallets = 2 or v_trial is null then
    -- Locks both balances in the global order, whichever way the points go: member, project, reserve, then by id.
    select coalesce(v_trial, least(max(w.trial_points) filter (where w.id = p_from), p_points)) into v_trial
    from (
      select w.id, w.trial_points from public.wallets w where w.id in (p_from, p_to) order by w.kind, w.id for no key update
    ) w;
  end if;

  with balance as (
    update public.wallets w set
      points = w.points + case when w.id = p_to then p_points else -p_points end,
      lifetime_points = w.lifetime_points + case
        when w.id = p_to and p_kind not in ('refund', 'release', 'reversal') then p_points
        when w.id = p_from and p_kind in ('reversal', 'purchase_reversal') then -p_points
        else 0 end,
      leaderboard_points = case
        when w.id = p_to and w.kind = 'user' and p_kind in ('task_completion', 'referral_bonus', 'welcome_bonus')
          then w.leaderboard_points + p_points
        when w.id = p_from and p_kind = 'reversal' then greatest(w.leaderboard_points - p_points, 0)
        else w.leaderboard_points end,
      trial_points = w.trial_points + case when w.kind = 'user' then 0 when w.id = p_to then v_trial else -v_trial end,
      updated_at = now()
    where w.id in (p_from, p_to) and (w.id is distinct from p_from or w.points - w.held_points >= p_points)
    returning w.id, w.points, w.user_id
  ), transfer as (
    -- Draws its id once the balances are locked, so that a wallet's entries are numbered in the order in which they changed it.
    insert into public.transfers (kind, points, description, metadata, submission_id, redemption_id, referral_id, campaign_id,
      idempotency_key, trial_points)
    select p_kind, p_points, left(p_description, 500), p_metadata, p_submission_id, p_redemption_id, p_referral_id, p_campaign_id,
      p_key, nullif(v_trial, 0)
    from (select count(*) as wallets from balance) b where b.wallets = v_wallets
    returning id
  ), entry as (
    insert into public.entries (transfer_id, wallet_id, system_account, user_id, type, balance_after)
    select t.id, b.id, case when b.id is null then side.system_account end, b.user_id, side.type, b.points
    from transfer t
    cross join (values
      ('debit'::public.transaction_type, p_from, 'issuance'), ('credit', p_to, 'redemption')
    ) side (type, wallet_id, system_account)
    left join balance b on b.id = side.wallet_id
  )
  select t.id into v_id from transfer t;
  if v_id is null then
    if (select count(*) from public.wallets w where w.id in (p_from, p_to)) < v_wallets then
      perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
    end if;
    perform private.raise_error('INSUFFICIENT_POINTS', 'Insufficient points balance', 409);
  end if;
  return v_id;
end $$;
comment on function private.transfer(uuid, uuid, bigint, public.transfer_kind, text, text, uuid, uuid, uuid, uuid, jsonb, bigint) is
  'Moves points from one wallet to another (null = system account) and writes the transfer with its two entries. Returns the transfer id; '
  'the same key again returns the first one and moves nothing. Held points cannot be moved. Trial points are spent first, unless '
  'p_trial_points says how many to move. Errors: INVALID_POINTS, INSUFFICIENT_POINTS, WALLET_NOT_FOUND.';

create function private.credit_kind(p_description text) returns public.transfer_kind
language plpgsql immutable set search_path = ''
as $$
begin
  return case
    when p_description ilike '%task completion%' then 'task_completion'
    when p_description ilike '%referral bonus%' then 'referral_bonus'
    when p_description ilike '%welcome bonus%' then 'welcome_bonus'
    else 'adjustment' end;
end $$;
comment on function private.credit_kind(text) is
  'Kind of a credit, derived from its description; the three phrases count towards the leaderboard (C-46).';

create function public.credit_points_safe(
  p_user_id text, p_points integer, p_description text, p_metadata jsonb default '{}', p_idempotency_key text default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
begin
  if private.clean(p_user_id) is null then
    perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
  end if;
  if p_idempotency_key is not null then
    -- Calls with the same key are serialised, so that the later one finds the first one's transfer.
    perform pg_advisory_xact_lock(hashtextextended(p_idempotency_key, 0));
  end if;
  return private.transfer(null, private.ensure_user_wallet(p_user_id), p_points, private.credit_kind(p_description),
    coalesce(private.clean(p_description), 'Points credited'), p_idempotency_key, p_metadata => coalesce(p_metadata, '{}'));
end $$;
comment on function public.credit_points_safe(text, integer, text, jsonb, text) is
  'Credits a member''s wallet from issuance; returns the transfer id. Service role only (TRUST-03, DB-24). Errors: INVALID_POINTS, '
  'WALLET_NOT_FOUND.';
grant execute on function public.credit_points_safe(text, integer, text, jsonb, text) to service_role;

create function public.debit_points_safe(
  p_user_id text, p_points integer, p_description text, p_metadata jsonb default '{}', p_idempotency_key text default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet uuid;
begin
  select w.id into v_wallet from public.wallets w where w.user_id = p_user_id;
  if v_wallet is null then
    perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
  end if;
  if p_idempotency_key is not null then
    perform pg_advisory_xact_lock(hashtextextended(p_idempotency_key, 0));
  end if;
  return private.transfer(v_wallet, null, p_points, 'adjustment',
    coalesce(private.clean(p_description), 'Points debited'), p_idempotency_key, p_metadata => coalesce(p_metadata, '{}'),
    p_trial_points => 0);
end $$;
comment on function public.debit_points_safe(text, integer, text, jsonb, text) is
  'Debits a member''s wallet; returns the transfer id. Service role only (TRUST-03, DB-24, RULE-10). Errors: INVALID_POINTS, '
  'INSUFFICIENT_POINTS, WALLET_NOT_FOUND.';
grant execute on function public.debit_points_safe(text, integer, text, jsonb, text) to service_role;

-- ==============================================================================================================================
-- 12_member_weeks.sql
-- ==============================================================================================================================

-- Weekly earnings per member, from which the weekly leaderboard, streaks and badges are computed (C-84, BEY-08). Nothing here pays points.

create table private.member_weeks (
  user_id text not null,
  week date not null check (extract(isodow from week) = 1),
  points bigint not null,
  tasks integer not null,
  primary key (user_id, week)
);
comment on table private.member_weeks is
  'Sums of the ledger per member and ISO week (its Monday, UTC), up to private.ledger_daily_watermark.';
comment on column private.member_weeks.points is
  'Task completions, referral and welcome bonuses, less reversals in that week; may be negative.';
comment on column private.member_weeks.tasks is 'Paid tasks less those reversed in that week.';
create index member_weeks_board on private.member_weeks (week, points desc, user_id) where points > 0;

create function private.week_of(p_at timestamptz) returns date
language sql immutable set search_path = ''
as $$ select date_trunc('week', p_at at time zone 'UTC')::date $$;
comment on function private.week_of(timestamptz) is 'Monday of the ISO week of a time, in UTC.';

create function private.sum_member_weeks(p_after bigint, p_until bigint, p_user_id text default null) returns setof private.member_weeks
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    -- As private.week_of, which would be called once per entry.
    select e.user_id, date_trunc('week', t.created_at at time zone 'UTC')::date,
      sum(case e.type when 'credit' then t.points else -t.points end)::bigint,
      -- The second part of a payment from both reserve and free balance is no second task.
      coalesce(sum(case when t.idempotency_key like 'submission:%:balance' then 0 when t.kind = 'task_completion' then 1
        when t.submission_id is not null then -1 else 0 end), 0)::integer
    from public.entries e join public.transfers t on t.id = e.transfer_id
    where e.id > p_after and e.id <= p_until
      -- Follows from the entries' ids, but the planner would read all transfers.
      and t.id between p_after / 2 and p_until / 2 + 1 and e.user_id is not null and (p_user_id is null or e.user_id = p_user_id)
      and (e.type = 'credit' and t.kind in ('task_completion', 'referral_bonus', 'welcome_bonus')
        or e.type = 'debit' and t.kind = 'reversal')
    group by 1, 2;
end $$;
comment on function private.sum_member_weeks(bigint, bigint, text) is
  'Sums of the ledger entries in a range of ids, of one member or of all.';

-- Streaks -------------------------------------------------------------------------------------------------------------

create type private.streak as (weeks integer, best_weeks integer, has_freeze boolean, last_week date, fourth_week date, twelfth_week date);
comment on type private.streak is
  'weeks: consecutive ones up to last_week; has_freeze: the next missed week is forgiven; fourth_week, twelfth_week: when that many were '
  'first reached.';

create function private.count_streak(p_weeks date[]) returns private.streak
language plpgsql immutable set search_path = ''
as $$
declare
  v_streak private.streak := row(0, 0, false, null, null, null);
  v_since integer := 0;
  v_week date;
begin
  for v_week in select w from unnest(p_weeks) w order by w loop
    if v_week = v_streak.last_week + 7 then
      v_streak.weeks := v_streak.weeks + 1;
      v_since := v_since + 1;
      v_streak.has_freeze := v_streak.has_freeze or v_since >= 4;
    elsif v_week = v_streak.last_week + 14 and v_streak.has_freeze then
      v_streak.weeks := v_streak.weeks + 1;
      v_streak.has_freeze := false;
      v_since := 1;
    else
      v_streak.weeks := 1;
      v_streak.has_freeze := true;
      v_since := 1;
    end if;
    v_streak.last_week := v_week;
    v_streak.best_weeks := greatest(v_streak.best_weeks, v_streak.weeks);
    v_streak.fourth_week := coalesce(v_streak.fourth_week, case when v_streak.weeks >= 4 then v_week end);
    v_streak.twelfth_week := coalesce(v_streak.twelfth_week, case when v_streak.weeks >= 12 then v_week end);
  end loop;
  return v_streak;
end $$;
comment on function private.count_streak(date[]) is
  'The streak in a list of active weeks. Each streak starts with one freeze, which forgives one missed week; four consecutive active weeks '
  'after that earn the next.';

-- Badges --------------------------------------------------------------------------------------------------------------

create table public.badges (
  user_id text not null,
  badge text not null check (badge in ('first_task', 'ten_tasks', 'fifty_tasks', 'hundred_tasks', 'four_weeks', 'twelve_weeks')),
  week date not null,
  id uuid primary key default gen_random_uuid(),
  unique (user_id, badge)
);
comment on table public.badges is
  'Badges of members, derived from private.member_weeks and rechecked by the reconciliation (BEY-08). Worth no points.';
comment on column public.badges.week is 'Monday of the week in which it was earned.';

alter table public.badges enable row level security;
create policy badges_read on public.badges for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy badges_read on public.badges is 'The member and admins; others see them on a public profile.';
grant select on public.badges to authenticated, service_role;

create function private.count_badges(p_user_ids text[]) returns table (user_id text, badge text, week date)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    with weeks as (
      select m.user_id, m.week, m.tasks, sum(m.tasks) over (partition by m.user_id order by m.week) as until,
        sum(m.tasks) over (partition by m.user_id) as total
      from unnest(p_user_ids) u (id) join private.member_weeks m on m.user_id = u.id
    )
    select w.user_id, b.badge, min(w.week)
    from (values ('first_task', 1), ('ten_tasks', 10), ('fifty_tasks', 50), ('hundred_tasks', 100)) b (badge, tasks)
    join weeks w on w.total >= b.tasks and w.until >= b.tasks
    group by w.user_id, b.badge
    union all
    select s.user_id, b.badge, b.week
    from (
      -- Most members have too few weeks for a streak that earns a badge.
      select w.user_id, private.count_streak(array_agg(w.week)) as streak from weeks w where w.tasks > 0
      group by w.user_id having count(*) >= 4
    ) s
    cross join lateral (values ('four_weeks', (s.streak).fourth_week), ('twelve_weeks', (s.streak).twelfth_week)) b (badge, week)
    where b.week is not null;
end $$;
comment on function private.count_badges(text[]) is
  'The badges that follow from the weeks of these members, each named once. Reversed tasks do not count.';

create function private.roll_up_member_weeks(p_after bigint, p_until bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_users text[];
begin
  with added as (
    insert into private.member_weeks as m select s.* from private.sum_member_weeks(p_after, p_until) s
    on conflict (user_id, week) do update set points = m.points + excluded.points, tasks = m.tasks + excluded.tasks
    returning m.user_id
  )
  select array_agg(u.user_id) into v_users from (select distinct a.user_id from added a) u;
  -- Two parts that never touch the same badge: those that no longer follow from the weeks, and those that do.
  with due as materialized (
    select c.* from private.count_badges(v_users) c
  ), gone as (
    delete from public.badges b where b.user_id = any (v_users)
      and not exists (select 1 from due d where d.user_id = b.user_id and d.badge = b.badge)
  )
  insert into public.badges as b (user_id, badge, week) select d.user_id, d.badge, d.week from due d
  on conflict (user_id, badge) do update set week = excluded.week where b.week <> excluded.week;
end $$;
comment on function private.roll_up_member_weeks(bigint, bigint) is
  'Adds a range of entries to member_weeks and recomputes the badges of the members concerned, all at once: a roll-up after an outage may '
  'concern everybody. Part of roll_up_figures.';

-- ==============================================================================================================================
-- 13_ledger_daily.sql
-- ==============================================================================================================================

-- Daily sums of the ledger, so that the cost of all-time figures does not grow with the ledger.

create table private.ledger_daily (
  day date not null,
  account text not null check (account in ('user', 'startup', 'reserve', 'system')),
  kind public.transfer_kind not null,
  type public.transaction_type not null,
  entries bigint not null,
  points bigint not null,
  last_at timestamptz not null,
  primary key (day, account, kind, type)
);
comment on table private.ledger_daily is
  'Sums of the ledger per UTC day, kind of wallet, kind of transfer and direction, up to private.ledger_daily_watermark. The ledger is '
  'append-only, so a sum never has to be corrected.';

create table private.ledger_daily_watermark (
  id boolean primary key default true check (id),
  last_id bigint not null
);
comment on table private.ledger_daily_watermark is 'Last entry included in private.ledger_daily and private.member_weeks.';
insert into private.ledger_daily_watermark (last_id) values (0);

create function private.sum_ledger(p_after bigint, p_until bigint) returns setof private.ledger_daily
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select (t.created_at at time zone 'UTC')::date, case
        when e.user_id is not null then 'user'
        -- A look for each: a join would read all wallets as soon as some hundred entries wait.
        when e.wallet_id is not null then (select w.kind::text from public.wallets w where w.id = e.wallet_id)
        else 'system' end,
      t.kind, e.type, count(*), sum(t.points)::bigint, max(t.created_at)
    from public.entries e join public.transfers t on t.id = e.transfer_id
    where e.id > p_after and e.id <= p_until
      -- Follows from the entries' ids, but the planner would read all transfers.
      and t.id between p_after / 2 and p_until / 2 + 1
    group by 1, 2, 3, 4;
end $$;
comment on function private.sum_ledger(bigint, bigint) is 'Sums of the ledger entries in a range of ids.';

create function private.ledger_sums(p_since date default '-infinity') returns setof private.ledger_daily
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select d.* from private.ledger_daily d where d.day >= p_since
    union all
    select s.* from private.sum_ledger((select u.last_id from private.ledger_daily_watermark u), 9223372036854775807) s
    where s.day >= p_since;
end $$;
comment on function private.ledger_sums(date) is
  'Current sums of the ledger since a UTC day: the stored days plus the entries not rolled up yet, so a key may appear twice.';

create function private.roll_up_ledger_daily(p_time interval default '1 second') returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_after bigint;
  v_until bigint;
  v_last bigint;
begin
  select u.last_id into v_after from private.ledger_daily_watermark u for no key update;
  -- The API ends every statement after 8 s, so no entry with a smaller id can be committed once a row is a minute old.
  select t.id into v_last from public.transactions t
  where t.created_at < now() - interval '1 minute' and t.id > v_after order by t.id desc limit 1;
  while v_after < v_last loop
    -- After a pause of the worker more may be due than one call can add. Without a limit one piece is quicker, because the badges of a
    -- member are counted once for each piece that concerns them.
    v_until := case when p_time is null then v_last else least(v_last, v_after + 20000) end;
    insert into private.ledger_daily as d select s.* from private.sum_ledger(v_after, v_until) s
    on conflict (day, account, kind, type) do update
      set entries = d.entries + excluded.entries, points = d.points + excluded.points, last_at = greatest(d.last_at, excluded.last_at);
    perform private.roll_up_member_weeks(v_after, v_until);
    update private.ledger_daily_watermark u set last_id = v_until where u.id;
    v_after := v_until;
    exit when clock_timestamp() > now() + p_time;
  end loop;
  return coalesce(v_after >= v_last, true);
end $$;
comment on function private.roll_up_ledger_daily(interval) is
  'Adds entries older than a minute to the stored sums of days and of members'' weeks, 20,000 at a time, and starts with no more after '
  'p_time (null: all at once, for a console). Returns whether all are added. A transfer made in a database console must commit within '
  'that minute; otherwise reconcile_ledger() reports it (ledger_day, member_week).';

create function private.rebuild_ledger_daily() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from private.ledger_daily_watermark u for no key update;
  delete from private.ledger_daily where true;
  delete from private.member_weeks where true;
  update private.ledger_daily_watermark u set last_id = 0 where u.id;
  perform private.roll_up_ledger_daily(null);
end $$;
comment on function private.rebuild_ledger_daily() is
  'Rebuilds the stored sums from the ledger, after a transfer in a database console took longer than a minute to commit. Run it in that '
  'console: with millions of entries it exceeds the API''s statement timeout. Readers see the old sums until it commits.';

-- ==============================================================================================================================
-- 14_point_holds.sql
-- ==============================================================================================================================

-- Held points: in a member's wallet, shown and counted, but not redeemable until a condition is met (C-80, C-94, TRUST-16). The conditions
-- are in 33_held_points. Lock the wallet before changing its holds.

create table public.point_holds (
  id bigint primary key references public.transfers (id),
  wallet_id uuid not null references public.wallets (id),
  user_id text not null,
  reason text not null check (reason in ('referral', 'trial')),
  points bigint not null check (points > 0),
  depends_on text not null,
  due_at timestamptz,
  check_at timestamptz not null,
  cause_submission_id uuid,
  created_at timestamptz not null default now(),
  released_at timestamptz,
  release_reason text check (release_reason in ('task_approved', 'project_checked', 'project_paid', 'time_passed')),
  reversed_at timestamptz,
  check ((released_at is null) = (release_reason is null) and (released_at is null or reversed_at is null))
);
comment on table public.point_holds is
  'One row per transfer whose points are or were held, in full or in part. Open until released (redeemable) or reversed (taken back).';
comment on column public.point_holds.id is 'The transfer that credited the points.';
comment on column public.point_holds.reason is
  'referral: until the invited member has an approved task; trial: until the project whose trial budget paid them is vetted '
  '(private.project_proof).';
comment on column public.point_holds.points is 'Points held; for a closed hold, those that were held when it ended.';
comment on column public.point_holds.depends_on is 'Whose action releases it: the invited member, or the owner of the project.';
comment on column public.point_holds.due_at is
  'When it is released by the passage of time, unless something is flagged before; null: not known yet.';
comment on column public.point_holds.check_at is 'When the worker looks at it next.';
comment on column public.point_holds.cause_submission_id is 'The approved task that released a referral bonus.';
create index point_holds_open on public.point_holds (wallet_id) where released_at is null and reversed_at is null;
create index point_holds_depends_on on public.point_holds (depends_on, reason) where released_at is null and reversed_at is null;
create index point_holds_check_at on public.point_holds (check_at) where released_at is null and reversed_at is null;
create index point_holds_user on public.point_holds (user_id, id desc);
create index point_holds_cause on public.point_holds (cause_submission_id) where cause_submission_id is not null;

alter table public.point_holds enable row level security;
create policy point_holds_read on public.point_holds for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy point_holds_read on public.point_holds is 'The member and admins.';
grant select (id, wallet_id, user_id, reason, points, due_at, created_at, released_at, release_reason, reversed_at)
  on public.point_holds to authenticated;
grant select on public.point_holds to service_role;

create function private.hold_points(
  p_transfer_id bigint, p_wallet_id uuid, p_points bigint, p_reason text, p_depends_on text, p_due_at timestamptz default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text;
begin
  update public.wallets w set held_points = w.held_points + p_points where w.id = p_wallet_id returning w.user_id into v_user;
  insert into public.point_holds (id, wallet_id, user_id, reason, points, depends_on, due_at, check_at)
  values (p_transfer_id, p_wallet_id, v_user, p_reason, p_points, p_depends_on, p_due_at, coalesce(p_due_at, now() + interval '1 day'));
end $$;
comment on function private.hold_points(bigint, uuid, bigint, text, text, timestamptz) is
  'Holds points that a transfer has just credited to a member.';

create function private.close_holds(p_wallet_id uuid, p_transfers bigint[], p_release_reason text, p_cause uuid default null) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_points bigint;
begin
  perform 1 from public.wallets w where w.id = p_wallet_id for no key update;
  with closed as (
    update public.point_holds h set
      released_at = case when p_release_reason is not null then now() end, release_reason = p_release_reason,
      reversed_at = case when p_release_reason is null then now() end, cause_submission_id = p_cause
    where h.wallet_id = p_wallet_id and h.id = any (p_transfers) and h.released_at is null and h.reversed_at is null
    returning h.points
  )
  select coalesce(sum(c.points), 0) into v_points from closed c;
  if v_points > 0 then
    update public.wallets w set held_points = w.held_points - v_points where w.id = p_wallet_id;
  end if;
  return v_points;
end $$;
comment on function private.close_holds(uuid, bigint[], text, uuid) is
  'Closes the open holds of these transfers: released when a reason is given, reversed otherwise. The wallet''s lock makes that happen '
  'once. Returns the points that are no longer held.';

create function private.notify_release(p_wallet_id uuid, p_points bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_points > 0 then
    perform private.enqueue_event('PointsReleased', w.user_id, jsonb_build_object('points', p_points))
    from public.wallets w where w.id = p_wallet_id;
  end if;
end $$;
comment on function private.notify_release(uuid, bigint) is 'Notifies a member of points that are no longer held, if any.';

create function private.release_project_holds(p_owner text, p_release_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet record;
begin
  for v_wallet in
    select h.wallet_id, array_agg(h.id) as transfers from public.point_holds h
    where h.depends_on = p_owner and h.reason = 'trial' and h.released_at is null and h.reversed_at is null
    group by h.wallet_id order by h.wallet_id
  loop
    begin
      perform private.notify_release(v_wallet.wallet_id, private.close_holds(v_wallet.wallet_id, v_wallet.transfers, p_release_reason));
    exception when others then
      -- One member's broken wallet must not refuse the project's payment, nor keep the other members' points held.
      raise warning 'The holds of wallet % could not be released: %', v_wallet.wallet_id, sqlerrm;
      perform private.record_failed_row('release_due_holds', sqlstate, 'wallet', v_wallet.wallet_id);
    end;
  end loop;
end $$;
comment on function private.release_project_holds(text, text) is
  'Releases all points held from the trial budget of an owner who has paid, or whose project an admin has checked (C-94). Those of a '
  'wallet that fails are released when they are next looked at.';

create function private.release_holds_for_debit(p_wallet_id uuid, p_points bigint, p_transfers bigint[] default '{}') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_missing bigint;
  v_hold public.point_holds;
begin
  perform private.close_holds(p_wallet_id, p_transfers, null);
  select p_points - (w.points - w.held_points) into v_missing from public.wallets w where w.id = p_wallet_id for no key update;
  for v_hold in
    select h.* from public.point_holds h where h.wallet_id = p_wallet_id and h.released_at is null and h.reversed_at is null
    order by h.id desc
  loop
    exit when v_missing <= 0;
    if v_hold.points <= v_missing then
      perform private.close_holds(p_wallet_id, array[v_hold.id], null);
    else
      update public.point_holds h set points = h.points - v_missing where h.id = v_hold.id;
      update public.wallets w set held_points = w.held_points - v_missing where w.id = p_wallet_id;
    end if;
    v_missing := v_missing - v_hold.points;
  end loop;
end $$;
comment on function private.release_holds_for_debit(uuid, bigint, bigint[]) is
  'Frees held points before an admin takes points back: first the holds of these transfers, then, if the available balance is still too '
  'small, other holds, latest first.';

-- ==============================================================================================================================
-- 15_uploads.sql
-- ==============================================================================================================================

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
  -- The lock keeps claim_orphaned_files away until the caller's reference to the file is committed.
  perform 1 from private.verified_uploads v join storage.objects o
    on o.bucket_id = v.bucket and o.name = v.path and o.id = v.object_id and o.version is not distinct from v.version
  where v.bucket = p_bucket and v.path = p_path and v.owner = p_user_id for share of v;
  return found;
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

-- ==============================================================================================================================
-- 19_project_history.sql
-- ==============================================================================================================================

-- Decisions on projects. They outlive a deleted project and a deleted account, so that a rejection cannot be evaded by starting over
-- (C-97).

create table private.project_decisions (
  id bigint generated always as identity primary key,
  startup_id uuid not null,
  owner_user_id text not null,
  project_name text not null,
  decision text not null check (decision in ('verified', 'rejected', 'revoked', 'held', 'hold_lifted')),
  campaign_id uuid check ((campaign_id is not null) = (decision in ('held', 'hold_lifted'))),
  reason text,
  decided_by text not null,
  decided_at timestamptz not null default now()
);
comment on table private.project_decisions is
  'Append-only decisions on projects and holds on their quests. No foreign keys, because it outlives its subjects.';
comment on column private.project_decisions.campaign_id is 'The quest that a hold is about.';
comment on column private.project_decisions.decided_by is
  '"questboard" for an admin, whose id is in the audit log only (C-102), or "beta".';
create index project_decisions_owner on private.project_decisions (owner_user_id, id);
create index project_decisions_startup on private.project_decisions (startup_id, id);
create trigger project_decisions_append_only before update or delete on private.project_decisions
  for each row execute function private.prevent_mutation();
create trigger project_decisions_no_truncate before truncate on private.project_decisions
  for each statement execute function private.prevent_mutation();

create function private.project_decisions_about(p_owner_user_id text) returns setof private.project_decisions
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select d.* from private.project_decisions d where d.owner_user_id = any (private.accounts_of_person(p_owner_user_id)) order by d.id;
end $$;
comment on function private.project_decisions_about(text) is
  'Decisions on a person''s projects across all their accounts (C-81), oldest first.';

create function private.is_refused(p_owner_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((
    select d.decision <> 'verified' from private.project_decisions_about(p_owner_user_id) d
    where d.decision in ('rejected', 'revoked') or d.decision = 'verified' and d.decided_by <> 'beta' order by d.id desc limit 1
  ), false);
end $$;
comment on function private.is_refused(text) is
  'Whether the last word of an admin on a person''s projects, deleted ones included, was a rejection or revocation.';

create function private.open_objection(p_owner_user_id text) returns private.project_decisions
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_decisions private.project_decisions[] := array(select d from private.project_decisions_about(p_owner_user_id) d);
  v_objection private.project_decisions;
begin
  select d.* into v_objection from unnest(v_decisions) d
  where d.decision in ('rejected', 'revoked', 'held') and not exists (
    select 1 from unnest(v_decisions) later
    where later.id > d.id and (
      later.decision = 'verified' and later.decided_by <> 'beta' or later.decision = 'hold_lifted' and later.campaign_id = d.campaign_id
    )
  )
  order by d.id desc limit 1;
  return v_objection;
end $$;
comment on function private.open_objection(text) is
  'The latest rejection, revocation or hold of a person''s projects that no admin has undone; nulls when there is none.';

-- ==============================================================================================================================
-- 20_projects.sql
-- ==============================================================================================================================

-- Projects (the code calls them startups): one per owner, reviewed by admins, verified at once in beta. The table of paid plans is here
-- too, because a new profile takes over its owner's plan; paying for one is in 21_subscriptions, editing a project in 31_project_changes,
-- moderating one in 36_moderation, deleting it in 70_deletion.

create type public.startup_status as enum ('pending', 'verified', 'rejected');

create table public.startup_profiles (
  id uuid primary key default gen_random_uuid(),
  owner_user_id text not null unique,
  name text not null check (length(name) between 1 and 120),
  logo_url text check (private.is_image_url(logo_url)),
  website text check (private.is_http_url(website)),
  description text check (length(description) <= 2000),
  industry text not null check (industry = any (private.industries())),
  status public.startup_status not null default 'pending',
  owner_email text,
  reviewed_by text,
  review_note text,
  reviewed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  checked_at timestamptz,
  suspended_at timestamptz,
  revoked_at timestamptz,
  is_public boolean not null generated always as (status = 'verified' and suspended_at is null) stored,
  former_name text,
  renamed_at timestamptz,
  changed_at timestamptz,
  changed_from jsonb,
  check ((former_name is null) = (renamed_at is null) and (changed_at is null) = (changed_from is null)),
  check (revoked_at is null or status <> 'verified')
);
comment on table public.startup_profiles is 'Projects that publish quests (DB-11). One per owner.';
comment on column public.startup_profiles.suspended_at is
  'Set while the owner is suspended (TRUST-18), and for good once the owner''s account is deleted.';
comment on column public.startup_profiles.revoked_at is 'When an admin revoked the verification; null again once verified (C-91).';
comment on column public.startup_profiles.is_public is 'Shown to everyone: verified, and its owner is not suspended.';
comment on column public.startup_profiles.former_name is 'What a verified project was called before renamed_at; shown for 30 days (C-96).';
comment on column public.startup_profiles.changed_at is
  'When a verified project last changed its name or website; null once an admin has looked at it (C-96).';
comment on column public.startup_profiles.changed_from is 'Name and website as an admin last saw them.';
comment on column public.startup_profiles.owner_email is
  'Verified address of the owner at creation. API roles can read it through admin procedures only.';
comment on column public.startup_profiles.checked_at is
  'When an admin checked the project; automatic verification in beta does not count. Once set, points from its trial budget are not held '
  '(C-94).';
comment on column public.startup_profiles.reviewed_by is
  '"questboard" for a decision of an admin, whose id is in the audit log only (C-102), or "beta" (RULE-03).';
create index startup_profiles_listing on public.startup_profiles (status, created_at desc, id desc);
create index startup_profiles_created on public.startup_profiles (created_at desc, id desc);
create index startup_profiles_search on public.startup_profiles
  using gin ((name || ' ' || coalesce(owner_email, '')) extensions.gin_trgm_ops);
create index startup_profiles_verified on public.startup_profiles (reviewed_at) where status = 'verified';
create index startup_profiles_skeleton on public.startup_profiles (private.project_skeleton(name)) where status = 'verified';
create index startup_profiles_logo on public.startup_profiles (private.logo_path(logo_url));
create index startup_profiles_public on public.startup_profiles (created_at desc, id desc) where is_public;
create index startup_profiles_changed on public.startup_profiles (changed_at) where changed_at is not null;
create trigger startup_profiles_touch before update on public.startup_profiles
  for each row execute function private.touch_updated_at();

create function private.own_startup_ids() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$ begin return query select s.id from public.startup_profiles s where s.owner_user_id = public.current_user_id(); end $$;
comment on function private.own_startup_ids() is 'Projects of the caller (at most one).';
grant execute on function private.own_startup_ids() to anon, authenticated, service_role;

alter table public.startup_profiles enable row level security;
create policy startup_profiles_read on public.startup_profiles for select to anon, authenticated
  using (is_public or owner_user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy startup_profiles_read on public.startup_profiles is
  'Verified projects are public unless their owner is suspended; all others are visible to their owner and to admins.';
grant select (
  id, name, logo_url, website, description, industry, status, reviewed_at, created_at, updated_at, suspended_at, is_public, former_name,
  renamed_at
) on public.startup_profiles to anon, authenticated;
grant select on public.startup_profiles to service_role;

create function public.get_own_startup() returns setof public.startup_profiles
language sql stable security definer set search_path = ''
as $$ select s.* from public.startup_profiles s where s.owner_user_id = public.current_user_id() $$;
comment on function public.get_own_startup() is
  'The caller''s project, at most one row, including columns that others may not read: owner, address and the reviewer''s note.';
grant execute on function public.get_own_startup() to authenticated, service_role;

create function private.count_startup() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- OLD on insert and NEW on delete read as rows of nulls.
  insert into private.counter_deltas (name, change)
  select c.name, sum(c.change) from (values
    ('verified_startups', coalesce(new.is_public::integer, 0) - coalesce(old.is_public::integer, 0)),
    ('industry:' || old.industry, -1), ('industry:' || new.industry, 1)
  ) c (name, change) where c.name is not null group by c.name having sum(c.change) <> 0;
  return null;
end $$;
comment on function private.count_startup() is 'Trigger: maintains the counters of public projects and of projects per industry.';
create trigger startup_profiles_count after insert or delete or update of status, suspended_at, industry on public.startup_profiles
  for each row execute function private.count_startup();

create table private.logo_imports (
  startup_id uuid primary key references public.startup_profiles (id) on delete cascade,
  url text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now()
);
comment on table private.logo_imports is
  'Projects whose logo is still an external URL, which no page shows. The function import-logos tries three times.';
create index logo_imports_due on private.logo_imports (next_attempt_at) where attempts < 3;

create function private.request_logo_import() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.logo_url ~* '^https?://' and private.logo_path(new.logo_url) is null then
    insert into private.logo_imports (startup_id, url) values (new.id, new.logo_url)
    on conflict (startup_id) do update set url = excluded.url, attempts = 0, next_attempt_at = now();
  else
    delete from private.logo_imports i where i.startup_id = new.id;
  end if;
  return null;
end $$;
comment on function private.request_logo_import() is
  'Trigger: queues an external logo to be fetched; one in our own bucket needs no import.';
create trigger startup_profiles_request_logo_new after insert on public.startup_profiles
  for each row when (new.logo_url is not null) execute function private.request_logo_import();
create trigger startup_profiles_request_logo_change after update of logo_url on public.startup_profiles
  for each row when (old.logo_url is distinct from new.logo_url) execute function private.request_logo_import();

-- Paid plans ----------------------------------------------------------------------------------------------------------

create type public.subscription_status as enum ('active', 'refunded', 'disputed', 'cancelled', 'expired');

create table public.subscriptions (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid references public.startup_profiles (id) on delete set null,
  owner_user_id text not null,
  plan_id text not null check (plan_id = 'og_lifetime'),
  status public.subscription_status not null default 'active',
  current_period_end timestamptz,
  payment_ref text not null unique,
  amount_cents integer not null check (amount_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  receipt_url text check (private.is_http_url(receipt_url))
);
comment on table public.subscriptions is 'Paid plans of projects (DB-20). Written by the payment webhook''s procedures only.';
comment on column public.subscriptions.status is
  'A plan whose period is over keeps the status active until the next payment or worker tick expires it; use private.is_running.';
comment on column public.subscriptions.current_period_end is 'Null: never ends (C-21).';
comment on column public.subscriptions.payment_ref is 'The payment''s id at the provider, which refunds and disputes refer to.';
comment on column public.subscriptions.receipt_url is 'URL of the provider''s receipt or invoice. Removed with the owner''s account.';
create unique index subscriptions_one_active on public.subscriptions (owner_user_id, plan_id) where status = 'active';
create index subscriptions_startup on public.subscriptions (startup_id);
create index subscriptions_active on public.subscriptions (plan_id) where status = 'active';
create trigger subscriptions_touch before update on public.subscriptions
  for each row execute function private.touch_updated_at();

alter table public.subscriptions enable row level security;
create policy subscriptions_read on public.subscriptions for select to authenticated
  using (owner_user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy subscriptions_read on public.subscriptions is 'The owner and admins (SEC-13).';
grant select on public.subscriptions to authenticated, service_role;

create function private.is_running(p_subscription public.subscriptions) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return p_subscription.plan_id = 'og_lifetime' and p_subscription.status = 'active'
    and (p_subscription.current_period_end is null or p_subscription.current_period_end >= now());
end $$;
comment on function private.is_running(public.subscriptions) is
  'The single definition of an active plan, for limits, slots, badge and renewal: plan og_lifetime, status active, period not over '
  '(SUBS-07, C-110).';

create function private.has_active_subscription(p_startup_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select exists (select 1 from public.subscriptions s where s.startup_id = p_startup_id and private.is_running(s)) $$;
comment on function private.has_active_subscription(uuid) is 'Whether a plan of the project is active.';

create function private.is_on_trial(p_startup_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$ select (private.settings()).beta_mode or not private.has_active_subscription(p_startup_id) $$;
comment on function private.is_on_trial(uuid) is
  'During the beta, trial limits apply to everyone; afterwards an active subscription lifts them (RULE-18, C-22).';

create function private.sync_og_badge(p_user_id text) returns void
language sql security definer set search_path = ''
as $$
  update public.user_profiles p set og_badge = exists (
    select 1 from public.subscriptions s where s.owner_user_id = p.user_id and private.is_running(s)
  ) where p.user_id = p_user_id
$$;
comment on function private.sync_og_badge(text) is 'Sets or clears the OG badge: shown while a plan is active (C-58).';

create function private.take_over_plan(p_startup public.startup_profiles) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- One plan: several accounts may have paid before they turned out to be one person's.
  update public.subscriptions s set startup_id = p_startup.id, owner_user_id = p_startup.owner_user_id
  where s.id = (
    select o.id from public.subscriptions o join private.deleted_users d on d.user_id = o.owner_user_id
    where o.status = 'active' and o.owner_user_id = any (private.accounts_of_person(p_startup.owner_user_id))
    order by o.created_at, o.id limit 1
  ) and not exists (
    select 1 from public.subscriptions own
    where own.owner_user_id = p_startup.owner_user_id and own.plan_id = s.plan_id and own.status = 'active');
  if found then
    perform private.sync_og_badge(p_startup.owner_user_id);
  end if;
end $$;
comment on function private.take_over_plan(public.startup_profiles) is
  'A plan that the project''s owner has paid for under an account that is deleted now goes to this project (C-81).';

create function private.reattach_subscriptions() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.subscriptions s set startup_id = new.id where s.owner_user_id = new.owner_user_id and s.startup_id is null;
  perform private.take_over_plan(new);
  return null;
end $$;
comment on function private.reattach_subscriptions() is
  'Trigger: an owner who recreates the project profile keeps the plan paid for the old one, even after deleting the account and signing up '
  'again with the same mailbox (C-81).';
create trigger startup_profiles_reattach_subscriptions after insert on public.startup_profiles
  for each row execute function private.reattach_subscriptions();

-- What owners and admins do -------------------------------------------------------------------------------------------

create function private.require_owned_startup(
  p_startup_id uuid, p_code text default 'FORBIDDEN', p_message text default 'Forbidden'
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if v_startup.owner_user_id <> v_user then
    perform private.raise_error(p_code, p_message, 403);
  end if;
  -- The owner may have been suspended or erased while this call waited for the lock.
  perform private.require_user();
  return v_startup;
end $$;
comment on function private.require_owned_startup(uuid, text, text) is
  'Locks and returns the project when it is the caller''s. The lock serialises everything that counts a project''s quests. Errors: '
  'UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, FORBIDDEN (SEC-13).';

create function private.check_name_is_free(p_name text, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_skeleton text := private.project_skeleton(p_name);
begin
  -- Serialises owners who claim the same name at the same time.
  perform pg_advisory_xact_lock(hashtextextended('project_name:' || v_skeleton, 0));
  if exists (
    select 1 from public.startup_profiles s
    where s.status = 'verified' and private.project_skeleton(s.name) = v_skeleton and s.owner_user_id <> p_owner
  ) then
    perform private.raise_error('NAME_TAKEN', 'This name looks like that of another project. Please choose another one.', 409);
  end if;
end $$;
comment on function private.check_name_is_free(text, text) is
  'Refuses a name that can be confused with another verified project''s (C-96). Errors: NAME_TAKEN.';

create function private.has_had_trial_elsewhere(p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from unnest(private.accounts_of_person(p_owner)) a (user_id)
    join public.transfers t on t.idempotency_key = 'trial_budget:' || a.user_id
    where a.user_id <> p_owner
  );
end $$;
comment on function private.has_had_trial_elsewhere(text) is 'Whether another account of the same person got the trial budget (C-81).';

create function private.grant_trial_budget(p_startup_id uuid, p_owner text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_points integer := (private.settings()).trial_budget_points;
begin
  perform private.lock_person(p_owner);
  if v_points = 0 or private.has_had_trial_elsewhere(p_owner)
    or not exists (select 1 from private.known_mailboxes k where k.user_id = p_owner) then
    return 0;
  end if;
  perform private.transfer(null, private.startup_wallet(p_startup_id, p_owner), v_points, 'trial_budget', 'Trial budget',
    'trial_budget:' || p_owner, p_trial_points => v_points);
  return v_points;
end $$;
comment on function private.grant_trial_budget(uuid, text) is
  'Grants the trial budget once per person (C-02, C-81); without a verified address, as soon as there is one. Returns the points granted, '
  'now or earlier; 0 when another account of the same person received them.';

create function private.project_record(p_startup public.startup_profiles) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('name', p_startup.name, 'industry', p_startup.industry, 'status', p_startup.status) $$;
comment on function private.project_record(public.startup_profiles) is
  'A project as the audit log records it, without anything that must be erased with its owner (TRUST-28).';

create function private.mark_verified(p_startup_id uuid, p_reviewer text, p_note text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_points integer;
begin
  update public.startup_profiles s set status = 'verified', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now(),
    checked_at = case when p_reviewer = 'beta' then s.checked_at else now() end,
    revoked_at = null
  where s.id = p_startup_id and s.status <> 'verified' returning s.* into v_startup;
  if v_startup.id is null then
    return;
  elsif v_startup.checked_at is not null then
    perform private.release_project_holds(v_startup.owner_user_id, 'project_checked');
  end if;
  update public.user_profiles set role = 'startup_verified'
  where user_id = v_startup.owner_user_id and role = 'startup_unverified';
  v_points := private.grant_trial_budget(p_startup_id, v_startup.owner_user_id);
  insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, reason, decided_by)
  values (p_startup_id, v_startup.owner_user_id, v_startup.name, 'verified', p_note, p_reviewer);
  if public.take_rate_limit('user:' || v_startup.owner_user_id, 'startup_verified', 1, 86400) then
    perform private.enqueue_event('StartupVerified', v_startup.owner_user_id,
      jsonb_build_object('startup_id', p_startup_id, 'name', v_startup.name, 'trial_points',
        case when v_points > 0 or private.has_had_trial_elsewhere(v_startup.owner_user_id) then v_points end));
  end if;
end $$;
comment on function private.mark_verified(uuid, text, text) is
  'Verifies a project once: status, owner''s role (C-10), trial budget once per person (C-02, C-81), StartupVerified (RULE-15) at most '
  'once per day and owner, because it is mailed (TRUST-27). Its trial_points: null when there are none yet or the setting is 0; 0 only '
  'when another account of the same person received them.';

-- ==============================================================================================================================
-- 21_subscriptions.sql
-- ==============================================================================================================================

-- The OG Lifetime plan: slots, checkout, payment events. Only a verified payment event activates a plan (C-20). The table of plans is in
-- 20_projects.

-- Slots ---------------------------------------------------------------------------------------------------------------

create table private.checkout_holds (
  owner_user_id text primary key,
  hold_id uuid not null default gen_random_uuid(),
  expires_at timestamptz not null
);
comment on table private.checkout_holds is
  'Slots held for open payment pages, one per owner, slightly longer than such a page lives (31 minutes). Their number is limited, so that '
  'unpaid pages cannot sell out the plan. A page may open without a hold; its payment then competes for the slots that nobody holds '
  '(C-103).';
comment on column private.checkout_holds.hold_id is
  'Passed through the payment page, so that the expiry of an old page does not free the slot of a newer one.';
create index checkout_holds_expires_at on private.checkout_holds (expires_at);

create function private.lock_og_slots() returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('og_slots', 0)) $$;
comment on function private.lock_og_slots() is 'Serialises everything that takes or frees a slot, so that slot 101 is never sold (C-21).';

create function private.remaining_og_slots() returns integer
language sql stable security definer set search_path = ''
as $$
  select greatest((private.settings()).og_slots - (
    select count(*)::integer from public.subscriptions s
    where private.is_running(s)
  ), 0)
$$;
comment on function private.remaining_og_slots() is 'Slots configured in the settings minus active subscriptions (C-21).';

create function public.get_og_slots() returns table (total_slots integer, remaining_slots integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.cache_for(15, true);
  return query select (private.settings()).og_slots, private.remaining_og_slots();
end $$;
comment on function public.get_og_slots() is 'Slots of the OG Lifetime plan, for everyone (SUBS-02). For display; the checkout decides.';
grant execute on function public.get_og_slots() to anon, authenticated, service_role;

create function private.has_plan_elsewhere(p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.subscriptions s
    where s.owner_user_id = any (private.accounts_of_person(p_owner)) and s.owner_user_id <> p_owner and private.is_running(s));
end $$;
comment on function private.has_plan_elsewhere(text) is
  'Whether another account of the same person has a plan: one slot per person (C-81).';

create function private.most_checkout_holds(p_free_slots integer) returns integer
language sql immutable set search_path = ''
as $$ select least(p_free_slots, greatest(5, p_free_slots / 4)) $$;
comment on function private.most_checkout_holds(integer) is 'Maximum number of holds: a quarter of the free slots, at least five (C-103).';

create function private.take_checkout_hold(p_startup public.startup_profiles, p_free_slots integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_hold uuid;
begin
  delete from private.checkout_holds h where h.expires_at < now() or h.owner_user_id = p_startup.owner_user_id;
  if p_startup.is_public and (select count(*) from private.checkout_holds) < private.most_checkout_holds(p_free_slots) then
    insert into private.checkout_holds (owner_user_id, expires_at) values (p_startup.owner_user_id, now() + interval '35 minutes')
    returning hold_id into v_hold;
  end if;
  return v_hold;
end $$;
comment on function private.take_checkout_hold(public.startup_profiles, integer) is
  'Holds a slot for a project in good standing; null when the maximum is reached. The caller must hold lock_og_slots().';

create function private.require_buyer(p_user_id text, p_startup_id uuid) returns public.startup_profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  elsif v_startup.owner_user_id is distinct from p_user_id then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  elsif v_startup.suspended_at is not null then
    perform private.raise_error('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  end if;
  return v_startup;
end $$;
comment on function private.require_buyer(text, uuid) is
  'The project that its owner wants to pay for. Errors: STARTUP_NOT_FOUND, FORBIDDEN, SUSPENDED.';

create function public.reserve_checkout_slot(
  p_user_id text, p_startup_id uuid, p_plan_id text, p_expected_cents integer default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_price integer := (private.settings()).og_price_cents;
begin
  if p_plan_id is distinct from 'og_lifetime' then
    perform private.raise_error('INVALID_PLAN', 'Unknown plan', 400);
  end if;
  v_startup := private.require_buyer(p_user_id, p_startup_id);
  perform private.check_price(p_expected_cents, v_price, 'cents');
  perform private.lock_og_slots();
  if private.has_active_subscription(p_startup_id) or private.has_plan_elsewhere(p_user_id) then
    perform private.raise_error('ALREADY_SUBSCRIBED', 'You already have OG Lifetime Access', 409);
  end if;
  if private.remaining_og_slots() < 1 then
    perform private.raise_error('SOLD_OUT', 'Sold Out', 409);
  end if;
  return jsonb_build_object('price_cents', v_price, 'plan_id', p_plan_id, 'startup_name', v_startup.name,
    'hold_id', private.take_checkout_hold(v_startup, private.remaining_og_slots()));
end $$;
comment on function public.reserve_checkout_slot(text, uuid, text, integer) is
  'Terms for the owner''s payment page: price_cents, plan_id, startup_name, and hold_id of the slot held for it, null when none could be '
  'held (C-19, C-21, C-103). p_expected_cents: the price that the owner saw (TRUST-20). Service role only: the checkout function has '
  'authenticated p_user_id. Errors: INVALID_PLAN, STARTUP_NOT_FOUND, FORBIDDEN, SUSPENDED, PRICE_CHANGED, ALREADY_SUBSCRIBED, SOLD_OUT.';
grant execute on function public.reserve_checkout_slot(text, uuid, text, integer) to service_role;

create function public.release_checkout_slot(p_hold_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_og_slots();
  delete from private.checkout_holds h where h.hold_id = p_hold_id;
  return found;
end $$;
comment on function public.release_checkout_slot(uuid) is
  'Frees the slot held for a payment page that expired or never opened; returns whether it was still held. Idempotent, and without effect '
  'after the payment: it removes the hold, never a subscription (C-21). Service role only.';
grant execute on function public.release_checkout_slot(uuid) to service_role;

-- Payment events ------------------------------------------------------------------------------------------------------

create table private.payment_events (
  event_id text primary key check (length(event_id) between 1 and 255),
  action text not null check (action in ('activate', 'purchase', 'end', 'reinstate')),
  payment_ref text not null check (length(payment_ref) between 1 and 255),
  dispute_ref text check (length(dispute_ref) between 1 and 255),
  outcome jsonb,
  created_at timestamptz not null default now(),
  payer_user_id text,
  product_id text,
  points integer,
  amount_cents integer
);
comment on table private.payment_events is
  'Processed payment events with their results: the provider delivers each at least once, in any order.';
comment on column private.payment_events.dispute_ref is 'The dispute at the provider; null for payments and refunds.';
comment on column private.payment_events.payer_user_id is
  'Of a payment that has bought nothing: who paid it and finds it among their payments, with its product, points and amount (C-110).';
create index payment_events_payment on private.payment_events (payment_ref);
create index payment_events_payer on private.payment_events (payer_user_id) where payer_user_id is not null;

create function private.record_payment_event(
  p_event_id text, p_action text, p_payment_ref text, p_dispute_ref text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb;
begin
  if private.clean(p_event_id) is null or private.clean(p_payment_ref) is null
    or greatest(length(p_event_id), length(p_payment_ref), length(p_dispute_ref)) > 255 then
    perform private.raise_error('INVALID_PAYMENT_EVENT', 'A payment event needs an id and a payment', 400);
  end if;
  insert into private.payment_events (event_id, action, payment_ref, dispute_ref)
  values (p_event_id, p_action, p_payment_ref, private.clean(p_dispute_ref))
  on conflict (event_id) do nothing;
  select e.outcome into v_outcome from private.payment_events e where e.event_id = p_event_id;
  perform private.lock_og_slots();
  return v_outcome;
end $$;
comment on function private.record_payment_event(text, text, text, text) is
  'Records a new event, locks the slots and returns null; for a known event, returns the original result. Errors: INVALID_PAYMENT_EVENT.';

create function private.audit_plan(p_action text, p_payment_ref text, p_before text, p_details jsonb default '{}') returns void
language sql security definer set search_path = ''
as $$
  select private.audit('system', p_action, 'payment', p_payment_ref, jsonb_build_object('status', p_before),
    jsonb_build_object('status', s.status, 'amount_cents', s.amount_cents) || p_details)
  from (values (1)) one left join public.subscriptions s on s.payment_ref = p_payment_ref
$$;
comment on function private.audit_plan(text, text, text, jsonb) is
  'Records the effect of a payment event on the plan: its status before, null without one, and after (BEY-04).';

create function private.answer_payment_event(p_event_id text, p_before text, p_outcome jsonb, p_amount_cents integer default null)
returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_event private.payment_events;
begin
  update private.payment_events e set outcome = p_outcome where e.event_id = p_event_id returning e.* into v_event;
  perform private.audit_plan('payment.' || v_event.action, v_event.payment_ref, p_before,
    p_outcome || case when p_amount_cents is null then '{}' else jsonb_build_object('amount_cents', p_amount_cents) end);
  return p_outcome;
end $$;
comment on function private.answer_payment_event(text, text, jsonb, integer) is
  'Stores the result of a payment event and records it in the audit log, once per event.';

create function private.is_payment_ended(p_payment_ref text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select 1 from private.payment_events e
    where e.payment_ref = p_payment_ref and e.action = 'end' and not exists (
      select 1 from private.payment_events w
      where w.payment_ref = e.payment_ref and w.action = 'reinstate' and w.dispute_ref = e.dispute_ref
    )
  )
$$;
comment on function private.is_payment_ended(text) is
  'Whether a payment was refunded or cancelled, or has a dispute that was not won. Looks at all events received so far, so their order '
  'does not matter.';

create function private.record_unused_payment(
  p_event_id text, p_payer text, p_product_id text, p_points integer, p_amount_cents integer, p_currency text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.payment_events e set payer_user_id = p_payer, product_id = p_product_id, points = p_points, amount_cents = p_amount_cents
  where e.event_id = p_event_id and p_payer is not null and p_product_id is not null and p_currency = 'usd';
end $$;
comment on function private.record_unused_payment(text, text, text, integer, integer, text) is
  'Keeps of a payment that has bought nothing what its payer finds among their payments: amounts are shown in US dollars.';

create function private.own_unused_payments() returns table (
  id uuid, product_id text, points integer, amount_cents integer, status text, created_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select md5(e.event_id)::uuid, e.product_id, e.points, e.amount_cents,
      case when e.outcome ->> 'reason' <> 'wrong_amount' or private.is_payment_ended(e.payment_ref) then 'refunded' else 'pending' end,
      e.created_at
    from private.payment_events e where e.payer_user_id = (select public.current_user_id());
end $$;
comment on function private.own_unused_payments() is
  'The caller''s payments that have bought nothing: refunded, or pending while an admin has to look at an unexpected amount.';
grant execute on function private.own_unused_payments() to authenticated, service_role;

create function private.expire_subscriptions() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_plan record;
begin
  for v_plan in
    select s.id, s.owner_user_id, s.payment_ref from public.subscriptions s
    where s.status = 'active' and s.current_period_end < now() order by s.id
  loop
    begin
      update public.subscriptions s set status = 'expired'
      where s.id = v_plan.id and s.status = 'active' and s.current_period_end < now();
      if found then
        perform private.audit_plan('payment.expire', v_plan.payment_ref, 'active');
        perform private.sync_og_badge(v_plan.owner_user_id);
        perform private.enqueue_event('SubscriptionEnded', v_plan.owner_user_id,
          jsonb_build_object('plan_id', 'og_lifetime', 'status', 'expired'));
      end if;
    exception when others then
      -- One broken plan must not keep the others running, nor refuse somebody else's payment, which expires plans first.
      raise warning 'The plan % could not be ended: %', v_plan.id, sqlerrm;
      perform private.record_failed_row('expire_subscriptions', sqlstate, 'plan', v_plan.id);
    end;
  end loop;
end $$;
comment on function private.expire_subscriptions() is
  'Expires plans whose period is over and removes their owners'' badges, so that the unique index of active plans lets them renew (C-110). '
  'A plan that cannot be ended stops no other; it is recorded, and retried with the next run.';

create function private.activation_refusal(p_owner text, p_plan_id text, p_payment_ref text) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p_plan_id is distinct from 'og_lifetime' then 'unknown_plan'
    when p_owner is null then 'startup_not_found'
    when private.is_payment_ended(p_payment_ref) then 'payment_ended'
    when private.has_plan_elsewhere(p_owner)
      or exists (select 1 from public.subscriptions s where s.owner_user_id = p_owner and private.is_running(s)) then 'already_subscribed'
    when private.remaining_og_slots() - (
      select count(*) from private.checkout_holds h where h.owner_user_id <> p_owner and h.expires_at >= now()
    ) < 1 then 'sold_out'
  end
$$;
comment on function private.activation_refusal(text, text, text) is
  'Why a payment cannot activate the plan, null when it can. payment_ended: it was refunded or disputed, which can arrive before the '
  'payment itself.';

create function private.former_owner(p_startup_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select a.actor_id from public.audit_log a
  where a.subject_type = 'startup' and a.subject_id = p_startup_id::text and a.action = 'startup.delete'
    and not exists (select 1 from private.deleted_users d where d.user_id = a.actor_id)
$$;
comment on function private.former_owner(uuid) is
  'Who deleted this project of theirs, to be told that a payment for it is given back; null when the account is deleted too.';

create function private.lock_payer(p_startup_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner text;
begin
  select s.owner_user_id into v_owner from public.startup_profiles s where s.id = p_startup_id for no key update;
  -- A statement of its own: one that has waited for an erasure to commit still looks at the accounts as they were before.
  return case when not exists (select 1 from private.deleted_users d where d.user_id = v_owner) then v_owner end;
end $$;
comment on function private.lock_payer(uuid) is
  'Locks the project that a payment is for and returns its owner; null when the project or the account is gone, also if it is being '
  'erased at this moment.';

create function public.activate_subscription(
  p_startup_id uuid, p_plan_id text, p_event_id text, p_payment_ref text, p_amount_cents integer,
  p_price_cents integer default null, p_currency text default 'usd'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb := private.record_payment_event(p_event_id, 'activate', p_payment_ref);
  v_owner text;
  v_reason text;
  v_is_disputed boolean;
  v_before text := (select s.status from public.subscriptions s where s.payment_ref = p_payment_ref);
begin
  if v_outcome is not null then
    return v_outcome;
  elsif p_amount_cents is null or p_amount_cents < 0 then
    perform private.raise_error('INVALID_AMOUNT', 'The amount must not be negative', 400);
  end if;
  v_owner := private.lock_payer(p_startup_id);
  perform private.expire_subscriptions();
  if not exists (select 1 from public.subscriptions s where s.payment_ref = p_payment_ref and s.status in ('active', 'expired')) then
    v_reason := case
      when p_amount_cents is distinct from coalesce(p_price_cents, (private.settings()).og_price_cents) or p_currency is distinct from 'usd'
        then 'wrong_amount'
      else private.activation_refusal(v_owner, p_plan_id, p_payment_ref)
    end;
    -- A dispute that arrived before its payment may still be won, and then it must be known what was paid for.
    v_is_disputed := v_reason = 'payment_ended' and not exists (
      select 1 from private.payment_events e where e.payment_ref = p_payment_ref and e.action = 'end' and e.dispute_ref is null);
    if v_reason is null or v_is_disputed then
      insert into public.subscriptions (startup_id, owner_user_id, plan_id, payment_ref, amount_cents, status)
      values (p_startup_id, v_owner, p_plan_id, p_payment_ref, p_amount_cents,
        case when v_reason is null then 'active' else 'disputed' end::public.subscription_status)
      on conflict (payment_ref) do update set status = excluded.status;
      perform private.sync_og_badge(v_owner);
      if v_reason is null then
        perform private.release_project_holds(v_owner, 'project_paid');
      end if;
      delete from private.checkout_holds h where h.owner_user_id = v_owner;
    end if;
    perform private.enqueue_event(case when v_reason is null then 'SubscriptionActivated' else 'PaymentNotApplied' end,
      coalesce(v_owner, private.former_owner(p_startup_id)), jsonb_build_object('startup_id', p_startup_id, 'plan_id', p_plan_id,
        'payment_ref', p_payment_ref, 'amount_cents', p_amount_cents, 'currency', p_currency, 'reason', v_reason));
    if v_reason is not null and not v_is_disputed and v_before is null then
      perform private.record_unused_payment(
        p_event_id, coalesce(v_owner, private.former_owner(p_startup_id)), p_plan_id, null, p_amount_cents, p_currency);
    end if;
  end if;
  return private.answer_payment_event(
    p_event_id, v_before, jsonb_build_object('activated', v_reason is null, 'reason', v_reason), p_amount_cents);
end $$;
comment on function public.activate_subscription(uuid, text, text, text, integer, integer, text) is
  'A verified payment event activates the plan, gives the owner the OG badge and returns {activated, reason}; reason: sold_out, '
  'already_subscribed, payment_ended, startup_not_found, unknown_plan, or wrong_amount: not p_price_cents, the price for which the payment '
  'page was opened (today''s price when unknown), in US dollars (C-20, C-21, C-58). Idempotent per event. Service role only. Errors: '
  'INVALID_PAYMENT_EVENT, INVALID_AMOUNT.';
grant execute on function public.activate_subscription(uuid, text, text, text, integer, integer, text) to service_role;

-- ==============================================================================================================================
-- 22_point_purchases.sql
-- ==============================================================================================================================

-- Point packs for projects (BEY-20): what is sold, the terms of the payment page, crediting a verified payment. Refunds and disputes are in
-- 38_payments_back, because they may have to draw on the reserves of quests.

create type public.purchase_status as enum ('paid', 'refunded', 'disputed');

create table public.point_purchases (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid references public.startup_profiles (id) on delete set null,
  owner_user_id text not null,
  pack_id text not null check (pack_id ~ '^points_[a-z]+$'),
  points integer not null check (points between 1 and 1000000),
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null default 'usd' check (currency = 'usd'),
  payment_ref text not null unique,
  status public.purchase_status not null,
  credited_points integer not null default 0,
  receipt_url text check (private.is_http_url(receipt_url)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  written_off_at timestamptz check (written_off_at is null or status <> 'paid'),
  check (credited_points between 0 and points and (status <> 'paid' or credited_points = points))
);
comment on table public.point_purchases is
  'Point packs that projects have paid for, one row per payment. Written by the payment webhook''s procedures only.';
comment on column public.point_purchases.payment_ref is 'The payment''s id at the provider, which refunds and disputes refer to.';
comment on column public.point_purchases.credited_points is
  'Points that the purchase has put into the ledger, less those taken back. After a refund or dispute, what remains are points that were '
  'already spent, which an admin has to settle.';
comment on column public.point_purchases.written_off_at is 'When an admin decided not to take back the rest after a refund or dispute.';
comment on column public.point_purchases.receipt_url is 'URL of the provider''s receipt or invoice. Removed with the owner''s account.';
create index point_purchases_owner on public.point_purchases (owner_user_id, created_at desc, id desc);
create index point_purchases_startup on public.point_purchases (startup_id);
create index point_purchases_created on public.point_purchases (created_at desc, id desc);
create index point_purchases_short on public.point_purchases (created_at desc, id desc)
  where status <> 'paid' and credited_points > 0;
create trigger point_purchases_touch before update on public.point_purchases
  for each row execute function private.touch_updated_at();

alter table public.point_purchases enable row level security;
create policy point_purchases_read on public.point_purchases for select to authenticated
  using (owner_user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy point_purchases_read on public.point_purchases is 'The owner and admins (SEC-13).';
grant select on public.point_purchases to authenticated, service_role;

create function private.bought_points(p_owner text) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(p.points), 0)::bigint from public.point_purchases p where p.owner_user_id = p_owner and p.status = 'paid'
$$;
comment on function private.bought_points(text) is
  'Points that an owner has paid for, spent or not, without refunded and disputed payments.';

-- The payment page ----------------------------------------------------------------------------------------------------

create function private.point_packs() returns table (pack_id text, points integer, price_cents integer)
language sql stable security definer set search_path = ''
as $$
  select p.* from public.app_settings s
  cross join lateral (values
    ('points_small', s.pack_small_points, s.pack_small_cents), ('points_medium', s.pack_medium_points, s.pack_medium_cents),
    ('points_large', s.pack_large_points, s.pack_large_cents)
  ) p (pack_id, points, price_cents)
  where p.points > 0
$$;
comment on function private.point_packs() is 'The packs for sale, at the prices in the settings.';

create function public.get_pack_terms(p_user_id text, p_startup_id uuid, p_pack_id text, p_expected_cents integer default null)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_pack record;
begin
  select p.* into v_pack from private.point_packs() p where p.pack_id = p_pack_id;
  if v_pack.pack_id is null then
    perform private.raise_error('INVALID_PACK', 'This pack is not sold', 400);
  end if;
  v_startup := private.require_buyer(p_user_id, p_startup_id);
  if v_startup.status <> 'verified' then
    perform private.raise_error('BUYER_NOT_VERIFIED', 'Your project must be verified before it can buy points.', 403);
  end if;
  perform private.check_price(p_expected_cents, v_pack.price_cents, 'cents');
  return jsonb_build_object('price_cents', v_pack.price_cents, 'pack_id', v_pack.pack_id, 'points', v_pack.points,
    'startup_name', v_startup.name);
end $$;
comment on function public.get_pack_terms(text, uuid, text, integer) is
  'Terms for the owner''s payment page: price_cents, pack_id, points, startup_name (BEY-20). p_expected_cents: the price that the owner '
  'saw (TRUST-20). Service role only: the checkout function has authenticated p_user_id. Errors: INVALID_PACK, STARTUP_NOT_FOUND, '
  'FORBIDDEN, SUSPENDED, BUYER_NOT_VERIFIED, PRICE_CHANGED.';
grant execute on function public.get_pack_terms(text, uuid, text, integer) to service_role;

-- The payment ---------------------------------------------------------------------------------------------------------

create function private.purchase_facts(p_purchase public.point_purchases) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('startup_id', p_purchase.startup_id, 'pack_id', p_purchase.pack_id, 'points', p_purchase.points,
    'amount_cents', p_purchase.amount_cents, 'status', p_purchase.status, 'credited_points', p_purchase.credited_points)
$$;
comment on function private.purchase_facts(public.point_purchases) is 'A purchase as recorded in the audit log and the outbox.';

create function private.answer_purchase_event(p_event_id text, p_before jsonb, p_purchase_id uuid, p_outcome jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_event private.payment_events;
begin
  update private.payment_events e set outcome = p_outcome where e.event_id = p_event_id returning e.* into v_event;
  perform private.audit('system', 'payment.' || v_event.action, 'payment', v_event.payment_ref, p_before, p_outcome || coalesce((
    select private.purchase_facts(p) from public.point_purchases p where p.id = p_purchase_id), '{}'));
  return p_outcome;
end $$;
comment on function private.answer_purchase_event(text, jsonb, uuid, jsonb) is
  'Stores the result of a payment event about points and records it in the audit log, once per event (BEY-04).';

create function private.credit_purchase(p_purchase public.point_purchases, p_points integer, p_description text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet uuid;
begin
  -- Lock order: members' wallets before the project's.
  perform private.release_project_holds(p_purchase.owner_user_id, 'project_paid');
  -- The wallet of an owner without a project profile waits for the next one.
  select w.id into v_wallet from public.wallets w where w.owner_user_id = p_purchase.owner_user_id and w.kind = 'startup';
  v_wallet := coalesce(v_wallet, private.startup_wallet(p_purchase.startup_id, p_purchase.owner_user_id));
  perform private.transfer(null, v_wallet, p_points, 'purchase', p_description,
    p_metadata => jsonb_build_object('purchase_id', p_purchase.id));
end $$;
comment on function private.credit_purchase(public.point_purchases, integer, text) is
  'Credits bought points to the project''s wallet. They are not trial points, and a purchase counts as vetting: points that members hold '
  'from the trial budget are released (C-94).';

create function public.credit_point_purchase(
  p_startup_id uuid, p_pack_id text, p_points integer, p_event_id text, p_payment_ref text, p_amount_cents integer, p_price_cents integer,
  p_currency text default 'usd'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb := private.record_payment_event(p_event_id, 'purchase', p_payment_ref);
  v_owner text;
  v_reason text;
  v_purchase public.point_purchases;
begin
  if v_outcome is not null then
    return v_outcome;
  elsif p_amount_cents is null or p_amount_cents < 0 then
    perform private.raise_error('INVALID_AMOUNT', 'The amount must not be negative', 400);
  elsif p_points is null or p_points not between 1 and 1000000 then
    perform private.raise_error('INVALID_POINTS', 'Points must be a positive number', 400);
  end if;
  if not exists (select 1 from public.point_purchases p where p.payment_ref = p_payment_ref) then
    v_owner := private.lock_payer(p_startup_id);
    v_reason := case
      when p_amount_cents is distinct from p_price_cents or p_currency is distinct from 'usd' then 'wrong_amount'
      when v_owner is null then 'startup_not_found'
      when private.is_payment_ended(p_payment_ref) then 'payment_ended'
    end;
    if v_reason is null or v_reason = 'payment_ended' then
      -- A payment whose refund or dispute arrived first is recorded too, since a dispute may still be won.
      insert into public.point_purchases (startup_id, owner_user_id, pack_id, points, amount_cents, payment_ref, status, credited_points)
      values (p_startup_id, v_owner, p_pack_id, p_points, p_amount_cents, p_payment_ref, case
        when v_reason is null then 'paid'
        when exists (
          select 1 from private.payment_events e where e.payment_ref = p_payment_ref and e.action = 'end' and e.dispute_ref is null
        ) then 'refunded'
        else 'disputed' end::public.purchase_status, case when v_reason is null then p_points else 0 end)
      returning * into v_purchase;
    end if;
    if v_reason is null then
      perform private.credit_purchase(v_purchase, p_points, 'Points purchased');
    end if;
    perform private.enqueue_event(case when v_reason is null then 'PointsPurchased' else 'PaymentNotApplied' end,
      coalesce(v_owner, private.former_owner(p_startup_id)), jsonb_build_object('startup_id', p_startup_id, 'pack_id', p_pack_id,
        'points', p_points, 'payment_ref', p_payment_ref, 'amount_cents', p_amount_cents, 'currency', p_currency, 'reason', v_reason));
    if v_purchase.id is null then
      perform private.record_unused_payment(
        p_event_id, coalesce(v_owner, private.former_owner(p_startup_id)), p_pack_id, p_points, p_amount_cents, p_currency);
    end if;
  end if;
  return private.answer_purchase_event(
    p_event_id, null, v_purchase.id, jsonb_build_object('credited', v_reason is null, 'reason', v_reason));
end $$;
comment on function public.credit_point_purchase(uuid, text, integer, text, text, integer, integer, text) is
  'A verified payment event credits a pack''s points to the project''s wallet, once per payment, and returns {credited, reason}; reason: '
  'payment_ended, startup_not_found, or wrong_amount: not p_price_cents, the price for which the payment page was opened, in US dollars '
  '(BEY-20). Points and price are those of the page, whatever the settings are now. Idempotent per event and per payment. Service role '
  'only. Errors: INVALID_PAYMENT_EVENT, INVALID_AMOUNT, INVALID_POINTS.';
grant execute on function public.credit_point_purchase(uuid, text, integer, text, text, integer, integer, text) to service_role;

-- ==============================================================================================================================
-- 22_referrals.sql
-- ==============================================================================================================================

-- Referrals: every member has a code; a new member who signs up through it earns both sides a bonus, once.

-- Codes ---------------------------------------------------------------------------------------------------------------

create table public.referral_codes (
  id uuid primary key default gen_random_uuid(),
  user_id text not null unique references public.user_profiles (user_id),
  code text not null unique check (code ~ '^[A-Z0-9]{4,20}$'),
  clicks integer not null default 0 check (clicks >= 0),
  successful_referrals integer not null default 0 check (successful_referrals >= 0),
  total_rewards_earned integer not null default 0 check (total_rewards_earned >= 0),
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table public.referral_codes is 'One code per member (DB-18).';
comment on column public.referral_codes.total_rewards_earned is 'Points that the code has earned its owner.';
create index referral_codes_top on public.referral_codes (successful_referrals desc, user_id);

alter table public.referral_codes enable row level security;
create policy referral_codes_read on public.referral_codes for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy referral_codes_read on public.referral_codes is 'The member and admins. Nobody can list other people''s codes.';
grant select on public.referral_codes to authenticated, service_role;

create function private.count_referral_code() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, c.change from (values
    ('codes', (new.id is not null)::integer - (old.id is not null)::integer),
    ('active_codes', coalesce(new.is_active::integer, 0) - coalesce(old.is_active::integer, 0)),
    ('code_clicks', coalesce(new.clicks, 0) - coalesce(old.clicks, 0)),
    ('code_referrals', coalesce(new.successful_referrals, 0) - coalesce(old.successful_referrals, 0))
  ) c (name, change) where c.change <> 0;
  return null;
end $$;
comment on function private.count_referral_code() is 'Trigger: maintains the counters derived from referral codes.';
create trigger referral_codes_count after insert or delete or update of is_active, clicks, successful_referrals on public.referral_codes
  for each row execute function private.count_referral_code();

create function private.random_referral_code() returns text
language sql volatile set search_path = ''
as $$
  select 'REF' || string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 1 + get_byte(r.bytes, n) % 32, 1), '')
  from (select extensions.gen_random_bytes(8) as bytes) r, generate_series(0, 7) n
$$;
comment on function private.random_referral_code() is
  'REF and eight random characters, without look-alikes. A code reveals nothing about its owner (C-100).';

create function private.ensure_referral_code(p_user_id text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_code text;
begin
  for v_try in 1 .. 10 loop
    select c.code into v_code from public.referral_codes c where c.user_id = p_user_id;
    if v_code is not null then
      return v_code;
    end if;
    -- What an admin has deactivated stays so when its member returns with another account; the codes of deleted accounts are renamed.
    -- Does nothing when the code is taken, or when a concurrent call was faster.
    insert into public.referral_codes (user_id, code, is_active)
    values (p_user_id, private.random_referral_code(), not exists (
      select 1 from public.referral_codes c
      where c.user_id = any (private.accounts_of_person(p_user_id)) and not c.is_active and c.code not like 'GONE%'))
    on conflict do nothing;
  end loop;
  perform private.raise_error('REFERRAL_CODE_FAILED', 'Failed to create referral record', 500);
end $$;
comment on function private.ensure_referral_code(text) is
  'The member''s code, created on first use; draws again when the code is taken (REF-10, C-100). Inactive if an admin has deactivated that '
  'of another account of the same person (C-81, C-108). Errors: REFERRAL_CODE_FAILED.';

create function public.create_user_referral_code() returns public.referral_codes
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_code public.referral_codes;
begin
  perform private.ensure_referral_code(v_user);
  select c.* into v_code from public.referral_codes c where c.user_id = v_user;
  return v_code;
end $$;
comment on function public.create_user_referral_code() is
  'The caller''s code, created on first use; idempotent (DB-27, REF-10). Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, '
  'REFERRAL_CODE_FAILED.';
grant execute on function public.create_user_referral_code() to authenticated, service_role;

create function public.track_referral_click(p_code text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_code text := coalesce(left(upper(private.clean(p_code)), 20), '');
  v_subject text := private.rate_limit_subject();
begin
  if not public.take_rate_limit(v_subject, 'referral_click', 30, 60)
    or not public.take_rate_limit('code:' || v_code || ':' || v_subject, 'referral_click', 5, 60)
    or not public.take_rate_limit('code:' || v_code, 'referral_click', 120, 60) then
    return false;
  end if;
  update public.referral_codes c set clicks = c.clicks + 1
  where c.code = v_code and c.is_active and c.user_id is distinct from public.current_user_id();
  return true;
end $$;
comment on function public.track_referral_click(text) is
  'Counts a visit through a code, by anyone (REF-04, C-47): per minute at most 30 from one person or IP address, 5 of them through one '
  'code, and 120 through a code in all; false beyond that. The owner''s own visits do not count. Unknown codes get the same answers within '
  'the same limits, so that codes cannot be probed.';
grant execute on function public.track_referral_click(text) to anon, authenticated, service_role;

-- Sign-ups ------------------------------------------------------------------------------------------------------------

create type public.referral_status as enum ('pending', 'completed');

create table public.referrals (
  id uuid primary key default private.uuidv7(),
  referrer_user_id text not null,
  referred_user_id text not null unique,
  referral_code text not null,
  status public.referral_status not null default 'pending',
  referrer_reward_points integer not null default 0 check (referrer_reward_points >= 0),
  referred_reward_points integer not null default 0 check (referred_reward_points >= 0),
  completed_at timestamptz,
  rewarded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (referrer_user_id <> referred_user_id),
  check ((status = 'completed') = (completed_at is not null))
);
comment on table public.referrals is
  'Who referred whom (DB-18). One permanent row per referred member, which makes a referral pay only once (TRUST-09).';
comment on column public.referrals.status is
  'completed in the transaction that pays the bonuses; a pending row is a defect (get_referral_system_health).';
comment on column public.referrals.rewarded_at is 'When the bonuses were paid; null when the settings had them at zero.';
create index referrals_referrer on public.referrals (referrer_user_id, created_at desc, id desc);
create index referrals_completed on public.referrals (completed_at desc, id desc) where status = 'completed';
create trigger referrals_touch before update on public.referrals
  for each row execute function private.touch_updated_at();

alter table public.referrals enable row level security;
create policy referrals_read on public.referrals for select to authenticated
  using (
    referrer_user_id = (select public.current_user_id())
    or referred_user_id = (select public.current_user_id())
    or (select private.is_admin())
  );
comment on policy referrals_read on public.referrals is 'Both members, and admins.';
grant select on public.referrals to authenticated, service_role;

create function private.count_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, c.change from (values
    ('referrals', (new.id is not null)::integer - (old.id is not null)::integer),
    ('pending_referrals', coalesce((new.status = 'pending')::integer, 0) - coalesce((old.status = 'pending')::integer, 0)),
    ('referral_points', case when new.status = 'completed' then new.referrer_reward_points + new.referred_reward_points else 0 end
      - case when old.status = 'completed' then old.referrer_reward_points + old.referred_reward_points else 0 end)
  ) c (name, change) where c.change <> 0;
  return null;
end $$;
comment on function private.count_referral() is
  'Trigger: maintains the counters derived from referrals; "referral_points" sums both sides of completed ones.';
create trigger referrals_count after insert or delete or update on public.referrals
  for each row execute function private.count_referral();

create function private.referrer_of_code(p_code text, p_user text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_referrer text;
begin
  select c.user_id into v_referrer
  from public.referral_codes c join public.user_profiles p on p.user_id = c.user_id
  where c.code = upper(private.clean(p_code)) and c.is_active and p.suspended_at is null and c.user_id <> p_user;
  if v_referrer is null then
    perform private.raise_error('INVALID_REFERRAL_CODE', 'Invalid referral code', 400);
  end if;
  return v_referrer;
end $$;
comment on function private.referrer_of_code(text, text) is
  'Owner of a referral code: active, not suspended, and not the caller (C-47). Errors: INVALID_REFERRAL_CODE.';

create function private.check_new_account(p_user text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_created timestamptz;
  v_email text := private.jwt_email();
begin
  select p.created_at into v_created from public.user_profiles p where p.user_id = p_user;
  if v_created is null then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  elsif v_email is null then
    perform private.raise_error('EMAIL_NOT_VERIFIED', 'This email address is not verified', 422);
  end if;
  perform private.remember_mailbox(p_user, v_email);
  perform private.lock_person(p_user);
  if v_created < now() - interval '24 hours' or not private.is_first_account(p_user) or exists (
    select 1 from public.referrals r where r.referred_user_id = any (private.accounts_of_person(p_user)) and r.referred_user_id <> p_user
  ) then
    perform private.raise_error('NOT_A_NEW_ACCOUNT', 'Only new accounts can use a referral code', 409);
  end if;
end $$;
comment on function private.check_new_account(text) is
  'A referred member has a verified address, signed up in the last 24 hours, had no account with the same mailbox before and was never '
  'referred under another (C-47, C-81, TRUST-09, TRUST-15). Takes the person''s lock. Errors: '
  'PROFILE_NOT_FOUND, EMAIL_NOT_VERIFIED, NOT_A_NEW_ACCOUNT.';

create function private.pay_referral(p_referral public.referrals) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_referrer uuid := private.ensure_user_wallet(p_referral.referrer_user_id);
  v_referred uuid := private.ensure_user_wallet(p_referral.referred_user_id);
  v_limit integer := (private.settings()).paid_referrals_per_day;
begin
  -- Lock order: both wallets by id, then the code, the hottest row.
  perform 1 from public.wallets w where w.id in (v_referrer, v_referred) order by w.id for no key update;
  -- Counted under the lock, including this referral.
  if (
    select count(*) > v_limit from public.referrals r
    where r.referrer_user_id = p_referral.referrer_user_id and r.rewarded_at is not null
      and r.created_at >= date_trunc('day', now(), 'UTC')
  ) then
    perform private.raise_error('REFERRAL_LIMIT', 'This invitation has been used too often today. Please try again tomorrow.', 429);
  end if;
  if p_referral.referrer_reward_points > 0 then
    perform private.hold_points(
      private.transfer(null, v_referrer, p_referral.referrer_reward_points, 'referral_bonus', 'Referral bonus',
        p_referral_id => p_referral.id),
      v_referrer, p_referral.referrer_reward_points, 'referral', p_referral.referred_user_id);
  end if;
  if p_referral.referred_reward_points > 0 then
    perform private.hold_points(
      private.transfer(null, v_referred, p_referral.referred_reward_points, 'welcome_bonus', 'Welcome bonus',
        p_referral_id => p_referral.id),
      v_referred, p_referral.referred_reward_points, 'referral', p_referral.referred_user_id);
  end if;
  update public.referral_codes c set successful_referrals = c.successful_referrals + 1,
    total_rewards_earned = c.total_rewards_earned + p_referral.referrer_reward_points
  where c.user_id = p_referral.referrer_user_id;
end $$;
comment on function private.pay_referral(public.referrals) is
  'Pays a referral that was just inserted: both bonuses, held until the referred member has an approved task (C-80), and updates the '
  'code''s counters (REF-09). The unique referred member makes it idempotent. Errors: REFERRAL_LIMIT.';

create function public.process_referral_signup(p_user_id text, p_code text) returns public.referrals
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_settings public.app_settings := private.settings();
  v_referrer text;
  v_referral public.referrals;
begin
  if p_user_id is distinct from v_user then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  v_referrer := private.referrer_of_code(p_code, v_user);
  -- Inserted as completed: nobody else sees the row before the bonuses are paid. A concurrent call of the same member waits here and then
  -- finds it.
  insert into public.referrals (
    referrer_user_id, referred_user_id, referral_code, status, completed_at, rewarded_at, referrer_reward_points, referred_reward_points
  ) values (
    v_referrer, v_user, upper(private.clean(p_code)), 'completed', now(),
    case when v_settings.referrer_points + v_settings.referred_points > 0 then now() end,
    v_settings.referrer_points, v_settings.referred_points
  )
  on conflict (referred_user_id) do nothing returning * into v_referral;
  if v_referral.id is null then
    perform private.raise_error('ALREADY_REFERRED', 'User already referred', 409);
  end if;
  perform private.check_new_account(v_user);
  -- The referrer's account must be older, which rules out circles of any length (C-80).
  if (select a.created_at >= b.created_at from public.user_profiles a, public.user_profiles b
      where a.user_id = v_referrer and b.user_id = v_user) then
    perform private.raise_error('INVALID_REFERRAL_CODE', 'Invalid referral code', 400);
  end if;
  perform private.pay_referral(v_referral);
  perform private.enqueue_event('ReferralCompleted', v_referrer,
    jsonb_build_object('referral_id', v_referral.id, 'points', v_referral.referrer_reward_points));
  if v_referral.referred_reward_points > 0 then
    perform private.enqueue_event('PointsHeld', v_user,
      jsonb_build_object('points', v_referral.referred_reward_points, 'kind', 'welcome'));
  end if;
  return v_referral;
end $$;
comment on function public.process_referral_signup(text, text) is
  'The caller, a new member, claims the code that brought them: both sides are paid once, held until the member has an approved task '
  '(REF-05, REF-08, REF-09, C-47, C-80). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_REFERRAL_CODE, ALREADY_REFERRED, '
  'PROFILE_NOT_FOUND, EMAIL_NOT_VERIFIED, NOT_A_NEW_ACCOUNT, REFERRAL_LIMIT.';
grant execute on function public.process_referral_signup(text, text) to authenticated, service_role;

-- Admins --------------------------------------------------------------------------------------------------------------

create function public.set_referral_code_active(p_code text, p_is_active boolean) returns public.referral_codes
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.referral_codes;
  v_after public.referral_codes;
begin
  select c.* into v_before from public.referral_codes c where c.code = upper(private.clean(p_code)) for no key update;
  if v_before.id is null then
    perform private.raise_error('INVALID_REFERRAL_CODE', 'Invalid referral code', 400);
  elsif p_is_active is null then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  perform private.refuse_own_matter(v_admin, v_before.user_id);
  update public.referral_codes c set is_active = p_is_active where c.id = v_before.id returning c.* into v_after;
  if v_before.is_active <> p_is_active then
    perform private.audit(v_admin, 'referral_code.' || case when p_is_active then 'activate' else 'deactivate' end, 'referral_codes',
      v_after.code, jsonb_build_object('is_active', v_before.is_active), jsonb_build_object('is_active', v_after.is_active));
  end if;
  return v_after;
end $$;
comment on function public.set_referral_code_active(text, boolean) is
  'Admin deactivates a code, so that nobody can sign up through it, or reactivates it (C-108). Past referrals stay. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_REFERRAL_CODE, INVALID_STATUS, OWN_MATTER.';
grant execute on function public.set_referral_code_active(text, boolean) to authenticated, service_role;

-- ==============================================================================================================================
-- 23_referral_reports.sql
-- ==============================================================================================================================

-- Referral figures: for the invited, for members on their own code, for admins on all.

create function public.get_referral_greeting(p_code text, out inviter_name text, out referred_points integer)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_plain_call();
  referred_points := (private.settings()).referred_points;
  if public.take_rate_limit(private.rate_limit_subject(), 'referral_greeting', 20, 60) then
    select p.masked_name into inviter_name from public.referral_codes c join public.user_profiles p on p.user_id = c.user_id
    where c.code = left(upper(private.clean(p_code)), 20) and c.is_active and p.suspended_at is null;
  end if;
end $$;
comment on function public.get_referral_greeting(text) is
  'The inviter''s masked name and the points that the invited person gets. No name for an unknown code, nor beyond 20 calls a minute from '
  'one person or IP address; the page then shows no greeting. Errors: PLAIN_CALL_REQUIRED.';
grant execute on function public.get_referral_greeting(text) to anon, authenticated, service_role;

create function public.get_user_referral_stats(p_user_id text) returns table (
  referral_code text, clicks integer, successful_referrals integer, total_referrals bigint, total_points_earned integer,
  code_active boolean, held_points bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_self(p_user_id);
begin
  return query
    select c.code, coalesce(c.clicks, 0), coalesce(c.successful_referrals, 0),
      (select count(*) from public.referrals r where r.referrer_user_id = v_user),
      coalesce(c.total_rewards_earned, 0), coalesce(c.is_active, false),
      (select coalesce(sum(h.points), 0)::bigint from public.point_holds h join public.transfers t on t.id = h.id
        where h.user_id = v_user and h.released_at is null and h.reversed_at is null and t.kind = 'referral_bonus')
    from (select v_user as user_id) u left join public.referral_codes c on c.user_id = u.user_id;
end $$;
comment on function public.get_user_referral_stats(text) is
  'Figures of a member''s code, exactly one row, zeros without a code (DB-18, REF-01). held_points: earned but still held (C-80). The '
  'member or an admin. Nullable: referral_code. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_user_referral_stats(text) to authenticated, service_role;

create function public.list_own_referrals(p_limit integer default 10) returns table (
  id uuid, status public.referral_status, points integer, held_points bigint, created_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 10);
begin
  return query
    select r.id, r.status, r.referrer_reward_points, coalesce((
      select h.points from public.point_holds h join public.transfers t on t.id = h.id
      where h.user_id = v_user and t.referral_id = r.id and t.kind = 'referral_bonus' and h.released_at is null and h.reversed_at is null
    ), 0), r.created_at
    from public.referrals r where r.referrer_user_id = v_user
    order by r.created_at desc, r.id desc limit v_limit;
end $$;
comment on function public.list_own_referrals(integer) is
  'The latest sign-ups through the caller''s code, anonymous, with the points each earned and how many of them are still held (REF-07, '
  'C-80). Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT.';
grant execute on function public.list_own_referrals(integer) to authenticated, service_role;

create function private.referral_overview() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb := private.counters();
  v_codes bigint := coalesce(v_counts -> 'codes', '0');
  v_clicks bigint := coalesce(v_counts -> 'code_clicks', '0');
  v_successful bigint := coalesce(v_counts -> 'code_referrals', '0');
begin
  return jsonb_build_object(
    'total_referral_codes', v_codes, 'total_clicks', v_clicks, 'total_successful_referrals', v_successful,
    'total_points_distributed', coalesce(v_counts -> 'referral_points', '0'),
    'conversion_rate', coalesce(round(100.0 * v_successful / nullif(v_clicks, 0), 1), 0),
    'avg_clicks_per_code', coalesce(round(v_clicks::numeric / nullif(v_codes, 0), 1), 0),
    'active_codes', coalesce(v_counts -> 'active_codes', '0')
  );
end $$;
comment on function private.referral_overview() is 'Totals over all codes; conversion_rate is a percentage.';

create function public.get_admin_referral_stats() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'overview', private.referral_overview(),
    'top_referrers', coalesce((
      select jsonb_agg(jsonb_build_object(
        'user_id', c.user_id, 'username', coalesce(p.username, 'Unknown User'), 'referral_code', c.code,
        'successful_referrals', c.successful_referrals, 'total_points_earned', c.total_rewards_earned
      ) order by c.successful_referrals desc, c.user_id)
      from (
        select * from public.referral_codes where successful_referrals > 0 order by successful_referrals desc, user_id limit 10
      ) c left join public.user_profiles p on p.user_id = c.user_id
    ), '[]'),
    'recent_referrals', coalesce((
      select jsonb_agg(jsonb_build_object(
        'referrer_username', coalesce(a.username, 'Unknown User'), 'referred_username', coalesce(b.username, 'Unknown User'),
        'referral_code', r.referral_code, 'points_awarded', r.referrer_reward_points + r.referred_reward_points,
        'completed_at', r.completed_at
      ) order by r.completed_at desc, r.id desc)
      from (
        select * from public.referrals where status = 'completed' order by completed_at desc, id desc limit 10
      ) r
      left join public.user_profiles a on a.user_id = r.referrer_user_id
      left join public.user_profiles b on b.user_id = r.referred_user_id
    ), '[]')
  );
end $$;
comment on function public.get_admin_referral_stats() is
  'overview, top_referrers (10) and recent_referrals (10) for admins, keys as in DB-19 (ADMIN-09, ADMIN-10). Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN.';
grant execute on function public.get_admin_referral_stats() to authenticated, service_role;

create function public.get_referral_system_health()
  returns table (health_score integer, users_without_codes bigint, failed_referrals bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb;
  v_members bigint;
  v_without_codes bigint;
  v_failed bigint;
begin
  perform private.require_admin();
  v_counts := private.counters();
  v_members := coalesce(v_counts -> 'members', '0');
  -- Every code belongs to a member, and a member has at most one.
  v_without_codes := v_members - coalesce(v_counts -> 'codes', '0')::bigint;
  v_failed := coalesce(v_counts -> 'pending_referrals', '0');
  return query
    select floor(100 * (1 - (v_without_codes + v_failed)::numeric
      / greatest(v_members + coalesce(v_counts -> 'referrals', '0')::bigint, 1)))::integer,
      v_without_codes, v_failed;
end $$;
comment on function public.get_referral_system_health() is
  'Percentage of members and referrals without a problem, members without a code, referrals that were never completed (DB-19, ADMIN-10). '
  'Admins only. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_referral_system_health() to authenticated, service_role;

-- ==============================================================================================================================
-- 24_logo_imports.sql
-- ==============================================================================================================================

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

-- ==============================================================================================================================
-- 29_incentive_rules.sql
-- ==============================================================================================================================

-- Where the law or a platform forbids rewards for reviews, votes, posts or follows (BEY-15). The rules advise and block nothing.

create table private.incentive_rules (
  id text primary key check (id ~ '^[a-z0-9-]+$'),
  place text not null,
  rule text not null,
  source_url text not null check (source_url like 'https://%'),
  source_date date not null,
  alternative_title text not null,
  alternative text not null,
  is_forbidden boolean not null,
  place_pattern text,
  action_pattern text not null
);
comment on table private.incentive_rules is 'What may not be rewarded on which platform, with the source. Changed by migrations only.';
comment on column private.incentive_rules.place is 'Common name of the platform, such as Trustpilot.';
comment on column private.incentive_rules.rule is 'The rule in one sentence, for founders.';
comment on column private.incentive_rules.source_date is 'Date of the source, or when it was last consulted.';
comment on column private.incentive_rules.alternative_title is 'Title of a permitted alternative task.';
comment on column private.incentive_rules.alternative is 'Instructions of the alternative task.';
comment on column private.incentive_rules.is_forbidden is 'False: allowed with the disclosure that every rule here requires.';
comment on column private.incentive_rules.place_pattern is 'Regular expression over the lowercase text; null: any place.';
comment on column private.incentive_rules.action_pattern is 'Regular expression over the lowercase text: what is asked for.';

create function private.asks_to(p_verbs text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- A request starts a sentence or follows one of these words; "our review" and "the pinned post" request nothing.
  return '(?:^|[.!?:;,\n]\s*|\m(?:and|or|then|to|please|kindly|just|also|must|should|can|could|them|friends)\s+)(?:' || p_verbs || ')\M';
end $$;
comment on function private.asks_to(text) is 'Regular expression for a text that requests one of these verbs, separated by |.';

insert into private.incentive_rules
  (id, place, rule, source_url, source_date, alternative_title, alternative, is_forbidden, place_pattern, action_pattern)
select r.id, r.place, r.rule, r.source_url, r.source_date, r.alternative_title, r.alternative, r.is_forbidden, r.place_pattern, case r.kind
    when 'engagement' then private.asks_to(
      'follow(?! (?:the|these|this|our|each|all) (?:guide|step|link|instruction|tutorial|rule)s?)|(?:re)?tweet|re-?post|quote|like|reply|'
      || 'mention|tag|(?:make|write|publish|share|post)(?! (?:it|your (?:result|answer)|a (?:screenshot|picture) of) )(?! .{0,30}\mhere\M)')
    when 'vote' then private.asks_to('up-?vote|vote|hunt|support us')
    when 'star' then private.asks_to('star|(?:give|leave|add|drop)\M.{0,40}\mstars?')
    when 'sentiment' then
      '\m(?:positive|good|great|glowing|favou?rable|nice|negative|bad)\M[^.!?]{0,30}\m(?:review|rating|testimonial|comment)s?\M'
      || '|\m(?:give|leave|rate|add|drop)\M[^.!?]{0,30}\m(?:5|five)[ -]?stars?\M'
      || '|\m(?:5|five)[ -]?stars?[ -](?:review|rating)s?\M|\mpraise\M|\mglowing\M'
    when 'endorsement' then private.asks_to('share|tweet|blog|endorse|recommend|review|write about|post about|talk about')
      || '|\m(?:write|make|publish|record|post|leave|give)\M[^.!?]{0,40}\m(?:review|testimonial|post|thread|article|video|unboxing)s?\M'
    when 'review' then private.asks_to('rate|review')
      || '|\m(?:write|leave|post|publish|give|add|drop)\M[^!?]{0,60}\m(?:review|rating|testimonial|lines)\M'
  end
from (values
  ('x', 'X',
    'X does not allow apps that reward people for posts, replies, likes or follows, since January 2026.',
    'https://developer.x.com/en/developer-terms/policy', date '2026-01-15',
    'Look at our profile on X', 'Open our profile on X and tell us here which topic you would like to read more about.',
    true, '\mtwitter\M|\mx\.com\M|\mon x\M|\mx (?:account|profile|handle)\M|\m(?:re)?tweet(?:s|ed|ing)?\M', 'engagement'),
  ('trustpilot', 'Trustpilot',
    'Trustpilot allows no incentive of any kind for a review.',
    'https://support.trustpilot.com/hc/en-us/articles/235472148', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, 'trustpilot', 'review'),
  ('google', 'Google reviews',
    'Google removes reviews of places that were written for a reward.',
    'https://support.google.com/contributionpolicy/answer/7400114', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, '\mgoogle (?:maps?|reviews?|business)\M|\mon google\M|\mg\.page\M|maps\.app\.goo\.gl|google\.[a-z.]+/maps', 'review'),
  ('google-play', 'Google Play',
    'Google Play forbids incentives for ratings and reviews of an app.',
    'https://support.google.com/googleplay/android-developer/answer/9898684', date '2026-11-22',
    'Try our app', 'Use the app for ten minutes and tell us here what you would change first.',
    true, '\m(?:google )?play ?store\M|\mgoogle play\M|play\.google\.com', 'review'),
  ('app-store', 'App Store',
    'Apple forbids incentives for ratings and reviews of an app.',
    'https://developer.apple.com/app-store/review/guidelines/', date '2026-11-22',
    'Try our app', 'Use the app for ten minutes and tell us here what you would change first.',
    true, '\mapp ?store\M|apps\.apple\.com', 'review'),
  ('product-hunt', 'Product Hunt',
    'Product Hunt does not accept rewarded upvotes and may remove the product.',
    'https://help.producthunt.com/en/articles/3615694-community-guidelines', date '2026-11-22',
    'Read our page on Product Hunt', 'Read our page on Product Hunt and tell us here what you did not understand.',
    true, '\mproduct ?hunt\M', 'vote'),
  ('yelp', 'Yelp',
    'Yelp forbids asking for reviews, with a reward or without.',
    'https://www.yelp.com/guidelines', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, '\myelp\M', 'review'),
  ('amazon', 'Amazon',
    'Amazon forbids rewards for reviews of products.',
    'https://www.amazon.com/gp/help/customer/display.html?nodeId=GLHXEX85MENUE4XF', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, '\mamazon\M', 'review'),
  ('github', 'GitHub',
    'GitHub forbids stars and follows that are given for a reward.',
    'https://docs.github.com/en/site-policy/acceptable-use-policies/github-acceptable-use-policies', date '2026-11-22',
    'Try our example', 'Follow the readme until the example runs, and tell us here where you got stuck.',
    true, '\mgithub\M|\mrepo(?:sitory)?\M', 'star'),
  ('sentiment', 'Consumer reviews in the United States',
    'United States law (16 CFR 465.4) forbids paying for reviews that must be positive, or negative.',
    'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-D/part-465', date '2024-10-21',
    'Tell us what you think', 'Tell us here what you honestly think, good or bad.',
    true, null, 'sentiment'),
  ('endorsement', 'Public posts and reviews',
    'Whoever praises a product in public for a reward has to say so (16 CFR 255.5 in the United States, and rules like it elsewhere).',
    'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-B/part-255', date '2023-07-26',
    'Tell us what you think', 'Tell us here what you honestly think, good or bad.',
    false, null, 'endorsement')
) as r (id, place, rule, source_url, source_date, alternative_title, alternative, is_forbidden, place_pattern, kind);

create function private.match_incentive_rules(p_title text, p_instructions text) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_text text := lower(p_title) || E'\n' || lower(p_instructions);
begin
  return array(
    select r.id from private.incentive_rules r
    where v_text ~ r.action_pattern and (r.place_pattern is null or v_text ~ r.place_pattern)
    order by r.is_forbidden desc, r.id);
end $$;
comment on function private.match_incentive_rules(text, text) is 'Ids of the rules that a task matches, prohibitions first.';

create function public.check_incentives(p_title text, p_instructions text)
returns table (
  id text, place text, rule text, source_url text, source_date date, alternative_title text, alternative text, is_forbidden boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_user();
  return query
    select r.id, r.place, r.rule, r.source_url, r.source_date, r.alternative_title, r.alternative, r.is_forbidden
    from unnest(private.match_incentive_rules(left(p_title, 200), left(p_instructions, 5000))) with ordinality as m (id, position)
    join private.incentive_rules r on r.id = m.id
    order by m.position;
end $$;
comment on function public.check_incentives(text, text) is
  'The rules that a task with this title and these instructions matches, prohibitions first (BEY-15). Advice only. Errors: '
  'UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.check_incentives(text, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 29_quest_notifications.sql
-- ==============================================================================================================================

-- Notifications of owners when a quest's counters change: proofs are waiting, the quest is full (BEY-03).

create function private.notify_quest_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner text;
  v_payload jsonb := jsonb_build_object('campaign_id', new.id, 'quest', new.title);
  v_waits boolean := new.pending_count > old.pending_count and not private.has_unread('ProofsWaiting', new.id);
  v_is_full boolean := new.is_full and not old.is_full and new.total_slots = old.total_slots
    and not private.has_unread('QuestFull', new.id);
begin
  if new.pending_count = 0 then
    -- The list of types is that of the index notifications_unread_quest.
    update public.notifications n set read_at = now()
    where n.data ->> 'campaign_id' = new.id::text and n.type <> 'QuestFull' and n.read_at is null
      and n.type in ('ProofsWaiting', 'QuestFull', 'ReviewHalfTime', 'ReviewDueSoon');
  end if;
  if v_waits or v_is_full then
    select s.owner_user_id into v_owner from public.startup_profiles s where s.id = new.startup_id;
  end if;
  if v_waits then
    perform private.enqueue_event('ProofsWaiting', v_owner, v_payload);
  end if;
  if v_is_full then
    perform private.enqueue_event('QuestFull', v_owner, v_payload);
  end if;
  return null;
end $$;
comment on function private.notify_quest_owner() is
  'Trigger: keeps at most one unread notification per quest that proofs are waiting, and marks it read once none is. The row lock on the '
  'quest serialises submissions.';

-- ==============================================================================================================================
-- 29_search_words.sql
-- ==============================================================================================================================

-- Search: turns typed words into a full-text query that tolerates one typo per word (BEY-18).

create function private.words_of(p_text text) returns text[]
language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(w.word order by w.n), '{}')
  from string_to_table(regexp_replace(lower(p_text), '[^[:alnum:]_]+', ' ', 'g'), ' ') with ordinality w (word, n)
  where length(w.word) between 1 and 60
$$;
comment on function private.words_of(text) is
  'The words of a text in order, in lower case: letters, digits and underscores, at most 60 characters.';

create function private.weighted_words(p_text text, p_weight text) returns tsvector
language sql immutable set search_path = ''
as $$
  -- Words contain nothing that needs quoting.
  select coalesce(string_agg(format('%s:%s%s', w.word, least(w.n, 16383), p_weight), ' '), '')::tsvector
  from unnest(private.words_of(p_text)) with ordinality w (word, n)
$$;
comment on function private.weighted_words(text, text) is
  'The words of a text as a tsvector with one weight. No stemming, because quests are written in any language.';

create function private.deletions(p_word text) returns text[]
language sql immutable set search_path = ''
as $$
  -- The dictionary's collation knows only the letters of ASCII.
  select case when p_word collate "default" ~ '^[[:alpha:]]{3,30}$' then (
    select array_agg(distinct overlay(p_word placing '' from i for 1)) || p_word from generate_series(1, length(p_word)) i
  ) else '{}' end
$$;
comment on function private.deletions(text) is
  'The word and all its variants with one letter deleted (symmetric delete). Two words that share a variant differ by one typo: a letter '
  'that is missing, added, wrong or transposed. Empty for words with fewer than 3 or more than 30 letters, or with a digit, which are '
  'matched as typed.';

create table private.search_words (
  word text collate "C" primary key,
  deletions text[] not null generated always as (private.deletions(word)) stored
);
comment on table private.search_words is
  'Dictionary for typo tolerance: every word that a published quest has. A word that no quest has any more finds nothing, and retention '
  'removes it.';
create index search_words_parts on private.search_words using gin (word extensions.gin_trgm_ops) with (fastupdate = off);
create index search_words_typos on private.search_words using gin (deletions) with (fastupdate = off);

create function private.add_search_words(p_words text[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_new text[];
begin
  if p_words is null then
    return;
  end if;
  -- Waits for a clean-up that is removing words, and sees what it has left: it could not see the quest that has them now.
  perform pg_advisory_xact_lock_shared(hashtextextended('left_words', 0));
  v_new := array(
    select w.word from unnest(p_words) w (word) where not exists (select 1 from private.search_words k where k.word = w.word));
  if cardinality(v_new) > 0 then
    -- Serialised: two publications that insert the same words in a different order would deadlock.
    perform pg_advisory_xact_lock(hashtextextended('search_words', 0));
    insert into private.search_words (word) select w.word from unnest(v_new) w (word) on conflict (word) do nothing;
  end if;
end $$;
comment on function private.add_search_words(text[]) is 'Adds words that are not in the dictionary yet.';

create table private.left_words (
  id bigint primary key generated always as identity,
  words text[] not null
);
comment on table private.left_words is
  'Words that quests have lost, a row for each change: the clean-up looks for them in all other quests.';

create function private.note_left_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_words text[] := array(select unnest(tsvector_to_array(old.document)) except select unnest(tsvector_to_array(new.document)));
begin
  if cardinality(v_words) > 0 then
    insert into private.left_words (words) values (v_words);
  end if;
  return null;
end $$;
comment on function private.note_left_words() is 'Trigger: notes the words that a quest''s document has lost, all of them when it is gone.';

create function private.expand_word(p_word text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Expands to whole words instead of a prefix query, for which the index would first collect every match of the prefix.
  v_words text[] := array(
    select w.word from private.search_words w where w.word >= p_word and w.word < p_word || chr(1114111)
    order by length(w.word), w.word limit 20);
  v_variants text[];
begin
  if cardinality(v_words) = 0 and length(p_word) >= 3 then
    -- In a variable, or the planner computes them several times and the plan may do so for each word.
    v_variants := private.deletions(p_word);
    v_words := array(
      select w.word from private.search_words w where w.word like '%' || replace(p_word, '_', '\_') || '%'
      order by length(w.word), w.word limit 20
    ) || array(
      select w.word from private.search_words w where w.deletions && v_variants
      order by extensions.similarity(w.word, p_word) desc, w.word limit 20);
  end if;
  return case when cardinality(v_words) = 0 then p_word else '(' || array_to_string(v_words, ' | ') || ')' end;
end $$;
comment on function private.expand_word(text) is
  'Expansion of a typed word for the full-text query: words that start with it, shortest first; if there are none, words that contain it '
  'and words that differ by one typo. At most twenty of each.';

create function private.searched_words(p_search text) returns text[]
language plpgsql immutable set search_path = ''
as $$ begin return array(select distinct w.word from unnest(private.words_of(p_search)) w (word) limit 10); end $$;
comment on function private.searched_words(text) is 'The words of a search text, at most ten.';

create function private.search_terms(p_search text) returns tsquery[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.validate_search(p_search) is null then
    return null;
  end if;
  return coalesce(
    (select array_agg(private.expand_word(w.word)::tsquery) from unnest(private.searched_words(p_search)) w (word)),
    -- A search without letters or digits finds nothing, because no word is a dot.
    array[$query$'.'$query$::tsquery]);
end $$;
comment on function private.search_terms(text) is
  'Expansions of the words of a search text, all of which a quest must match; null for a blank search. Errors: SEARCH_TOO_LONG.';

create function private.all_terms(p_terms tsquery[]) returns tsquery
language plpgsql immutable set search_path = ''
as $$ begin return (select string_agg(format('(%s)', t.term), ' & ')::tsquery from unnest(p_terms) t (term)); end $$;
comment on function private.all_terms(tsquery[]) is 'Full-text query for all of the terms.';

create function private.typed_query(p_search text) returns tsquery
language plpgsql immutable set search_path = ''
as $$ begin return (select string_agg(w.word, ' | ')::tsquery from unnest(private.searched_words(p_search)) w (word)); end $$;
comment on function private.typed_query(text) is
  'Full-text query for any of the words of a search exactly as they were typed; null if there are none.';

create function private.search_rank(p_terms tsquery[], p_terms_parameter text, p_typed_parameter text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- ts_rank divides by the number of words in the query, so a term of many words would count less. The square root keeps a word that
  -- stands everywhere from outweighing one that is missing from the title.
  return (
    select format('(%s + coalesce(ts_rank(q.document, %s), 0) / 10)::real',
      string_agg(format('sqrt(%s * ts_rank(q.document, %s[%s]))', (numnode(t.term) + 1) / 2, p_terms_parameter, t.n), ' + '),
      p_typed_parameter)
    from unnest(p_terms) with ordinality t (term, n));
end $$;
comment on function private.search_rank(tsquery[], text, text) is
  'SQL expression for the rank of a quest q: each term counts by itself, and words exactly as typed a little more, so that prefix and typo '
  'matches come later. The parameters with the terms (tsquery[]) and the typed words (tsquery) are named, for example "$2". Written out '
  'because a function call per quest costs more than the ranking.';

-- ==============================================================================================================================
-- 30_quests.sql
-- ==============================================================================================================================

-- Quests (the code calls them campaigns), their tasks and what members submit to them: tables, counters, row-level security. They share a
-- file because their policies refer to each other: members keep seeing the quests in which they took part.

create type public.campaign_status as enum ('draft', 'published', 'closed');
create type public.task_type as enum ('visit', 'signup', 'share', 'follow', 'custom', 'others');
create type public.hold_cause as enum ('moderation', 'suspension', 'revocation');
create type public.proof_type as enum ('screenshot', 'link', 'text');
create type public.task_verification as enum ('review', 'automatic', 'code', 'call', 'check');
create type public.submission_status as enum ('pending', 'approved', 'rejected');
create type public.rejection_reason as enum ('does_not_match', 'cannot_open', 'not_own', 'incomplete', 'duplicate', 'other');

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid not null references public.startup_profiles (id) on delete restrict,
  title text not null check (length(title) between 1 and 200),
  summary text not null default '' check (length(summary) <= 500),
  details_md text not null default '' check (length(details_md) <= 10000),
  budget_points integer not null default 0 check (budget_points between 0 and 1000000),
  budget_cash_cents integer not null default 0 check (budget_cash_cents = 0),
  status public.campaign_status not null default 'draft',
  custom_reward_title text check (length(custom_reward_title) <= 200),
  custom_reward_description text check (length(custom_reward_description) <= 2000),
  collect_emails boolean not null default false,
  email_collection_purpose text check (length(email_collection_purpose) <= 500),
  hold_reason text check (length(hold_reason) <= 1000),
  held_by text,
  held_at timestamptz,
  task_count integer not null default 0,
  open_reward_points integer not null default 0,
  total_slots integer not null default 0,
  submission_count integer not null default 0,
  participant_count integer not null default 0,
  pending_count integer not null default 0,
  approved_count integer not null default 0,
  points_distributed bigint not null default 0,
  open_slots integer generated always as (total_slots - approved_count - pending_count - kept_count) stored,
  is_full boolean generated always as (total_slots - approved_count - pending_count - kept_count <= 0) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  closed_at timestamptz,
  hold_cause public.hold_cause,
  status_before_hold public.campaign_status,
  starts_at timestamptz,
  ends_at timestamptz,
  review_hours integer not null default 72 check (review_hours between 24 and 504),
  kept_count integer not null default 0,
  median_minutes integer check (median_minutes > 0),
  check (ends_at > starts_at),
  check (least(submission_count, participant_count, pending_count, approved_count, kept_count, points_distributed) >= 0),
  check ((held_at is null) = (hold_reason is null) and (held_at is null) = (held_by is null)),
  check ((held_at is null) = (hold_cause is null) and (held_at is null) = (status_before_hold is null)),
  check (status <> 'published' or (published_at is not null and held_at is null))
) with (fillfactor = 75);
comment on table public.campaigns is
  'Quests of projects (DB-03), with the counters that lists and statistics read. Written by procedures only. Pages of campaigns and tasks '
  'keep room for the next version of a row, so that counting a submission is a heap-only (HOT) update.';
comment on column public.campaigns.budget_points is 'Maximum that the quest''s tasks may pay out in total.';
comment on column public.campaigns.published_at is
  'When it was last published. Null for a draft without reserved points: never published, or its points were taken back.';
comment on column public.campaigns.starts_at is
  'Before this time and after ends_at, a published quest is not listed and takes no proofs; null: no limit (BEY-07).';
comment on column public.campaigns.review_hours is
  'Hours within which the project promises to review a proof. A change applies to proofs submitted after it (BEY-22).';
comment on column public.campaigns.hold_reason is
  'Moderation hold by an admin: the owner sees why and cannot publish until it is lifted (C-25).';
comment on column public.campaigns.open_reward_points is
  'Points that one member can still earn: the rewards of its tasks with open slots (C-70). Maintained by a trigger on tasks.';
comment on column public.campaigns.hold_cause is
  'Why it is held: a decision about this quest, the owner''s suspension, or the project''s revocation. The last two end with their cause.';
comment on column public.campaigns.status_before_hold is 'Status to restore when the cause of the hold ends (TRUST-18, C-91).';
comment on column public.campaigns.held_by is 'Always "questboard": the admin''s id is in the audit log only (C-102).';
comment on column public.campaigns.total_slots is 'Sum of the tasks'' max_completions.';
comment on column public.campaigns.participant_count is 'Members with at least one submission.';
comment on column public.campaigns.points_distributed is 'Points paid to members, less reversals.';
comment on column public.campaigns.is_full is 'No open slots. Indexed in place of open_slots, which every submission changes.';
comment on column public.campaigns.open_slots is
  'Slots not taken by an approved or pending submission, nor by a rejected one that may be appealed (TRUST-04, BEY-23). Zero or less: the '
  'quest is full.';
comment on column public.campaigns.median_minutes is
  'Median minutes that members took, as measured; null: not enough measurements yet (BEY-18).';
comment on column public.campaigns.kept_count is 'Sum of the tasks'' kept_count.';
create index campaigns_startup on public.campaigns (startup_id, created_at desc);
create index campaigns_published_new on public.campaigns (published_at desc, id desc) where status = 'published';
create index campaigns_published_reward on public.campaigns (open_reward_points desc, budget_points desc, published_at desc, id desc)
  where status = 'published';
create index campaigns_published_open on public.campaigns (published_at desc, id desc) where status = 'published' and not is_full;
create index campaigns_published_open_created on public.campaigns (created_at desc, id desc) where status = 'published' and not is_full;
create index campaigns_published_full on public.campaigns (created_at desc, id desc) where status = 'published' and is_full;
create index campaigns_published_created on public.campaigns (created_at desc, id desc) where status = 'published';
create index campaigns_median_minutes on public.campaigns (median_minutes) where status = 'published' and median_minutes is not null;
create index campaigns_created on public.campaigns (created_at desc, id desc);
create index campaigns_title_search on public.campaigns using gin (title extensions.gin_trgm_ops);
create index campaigns_ends_at on public.campaigns (ends_at) where status = 'published' and ends_at is not null;
create index campaigns_held on public.campaigns (held_at) where held_at is not null;

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  title text not null check (length(title) between 1 and 200),
  type public.task_type not null,
  instructions_md text not null default '' check (length(instructions_md) <= 5000),
  reward_points integer not null check (reward_points between 0 and 1000),
  max_completions integer not null check (max_completions between 1 and 100000),
  requires_proof boolean not null default true,
  proof_type public.proof_type not null default 'text',
  auto_verify boolean not null generated always as (verification = 'automatic') stored,
  order_index integer not null default 0,
  approved_count integer not null default 0,
  pending_count integer not null default 0,
  pending_points integer not null default 0,
  created_at timestamptz not null default now(),
  incentive_rules text[] not null default '{}',
  verification public.task_verification not null default 'review',
  link_url text check (length(link_url) <= 2048),
  kept_count integer not null default 0,
  kept_points integer not null default 0,
  check (
    least(approved_count, pending_count, pending_points, kept_count, kept_points) >= 0
    and approved_count + pending_count + kept_count <= max_completions
  ),
  check (verification in ('review', 'automatic') or not requires_proof)
) with (fillfactor = 85);
comment on table public.tasks is 'Tasks of a quest (DB-06).';
comment on column public.tasks.verification is
  'How completion is verified: by a person (review); by the server immediately, also outside beta, for a task without proof (automatic, '
  'C-06); by a completion code (code), a signed call from the project''s system (call), or a request to the project (check, BEY-13).';
comment on column public.tasks.auto_verify is 'Whether verification is automatic; the specification''s name for it.';
comment on column public.tasks.link_url is
  'Where a member does a task that a call or a check verifies; the member''s own link adds the token from start_task.';
comment on column public.tasks.pending_points is 'Points promised to pending submissions.';
comment on column public.tasks.kept_count is 'Slots kept for rejected submissions that may be appealed (BEY-23).';
comment on column public.tasks.kept_points is 'Points promised to those submissions and to ones whose slot was reopened.';
comment on column public.tasks.incentive_rules is 'Ids of the incentive_rules that its text matches (BEY-15). Maintained by a trigger.';
create index tasks_campaign on public.tasks (campaign_id, order_index, id);
create index tasks_incentive on public.tasks (campaign_id) where incentive_rules <> '{}';

create table public.submissions (
  id uuid primary key default private.uuidv7(),
  task_id uuid not null references public.tasks (id) on delete cascade,
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  user_id text not null,
  proof_url text check (length(proof_url) <= 2048),
  proof_text text check (length(proof_text) <= 2000),
  participant_email text check (length(participant_email) <= 254),
  status public.submission_status not null default 'pending',
  reward_points integer not null check (reward_points >= 0),
  reviewed_by text,
  review_note text check (length(review_note) <= 1000),
  reviewed_at timestamptz,
  submitted_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  rejection_reason public.rejection_reason check (rejection_reason is null or status = 'rejected'),
  review_due_at timestamptz,
  review_check_at timestamptz,
  kept_until timestamptz check (kept_until is null or status = 'rejected'),
  appealed_at timestamptz check (appealed_at is null or status <> 'pending'),
  is_slot_reopened boolean not null default false check (kept_until is not null or not is_slot_reopened),
  unique (task_id, user_id),
  check (proof_url is not null or proof_text is not null)
);
comment on table public.submissions is
  'A member''s proof of a task (DB-08). One row per member and task; resubmitting after a rejection updates the row (C-08).';
comment on column public.submissions.proof_url is
  'An http(s) address, or "proofs/{user}/{file}" for a screenshot in the private bucket (C-59).';
comment on column public.submissions.reward_points is 'Points promised at submission; later changes of the task do not affect them.';
comment on column public.submissions.rejection_reason is
  'One of six reasons (C-77); review_note holds the reviewer''s words. Null for a rejection by the server.';
comment on column public.submissions.reviewed_by is
  'Who decided: "project" (its owner), "questboard" (an admin, whose id is in the audit log only, C-102), the server by rule ("beta", '
  '"auto"; "deadline": the review time ran out, BEY-22) or by a verified action ("code", "call", "check").';
comment on column public.submissions.review_due_at is
  'When it is approved unless somebody decides earlier; fixed at submission (BEY-22). Null when it was approved immediately.';
comment on column public.submissions.kept_until is
  'Until when a rejected proof keeps its slot and points because the member may appeal; longer while an appeal is open. Null: it keeps '
  'none.';
comment on column public.submissions.is_slot_reopened is
  'The kept slot was given to others; the points stay kept, because the member may still appeal.';
comment on column public.submissions.appealed_at is 'When its member appealed the last rejection; null: they did not (BEY-23).';
comment on column public.submissions.review_check_at is
  'When the server checks it next: to remind the owner after half and nine tenths of the review time, and to approve it at the end.';
create index submissions_user on public.submissions (user_id, submitted_at desc, id desc);
create index submissions_campaign on public.submissions (campaign_id, submitted_at desc, id desc);
-- The review queue, quest by quest: pending ones first, by due time (BEY-01).
create index submissions_review on public.submissions (campaign_id, status, (coalesce(review_due_at, submitted_at)), submitted_at, id);
create index submissions_due on public.submissions (review_due_at, id) where status = 'pending';
create index submissions_pending on public.submissions (submitted_at, id) where status = 'pending';
create index submissions_check on public.submissions (review_check_at, id) where status = 'pending' and review_check_at is not null;
create index submissions_kept on public.submissions (kept_until, id) where kept_until is not null;
create index submissions_proof_file on public.submissions (proof_url) where proof_url like 'proofs/%';
-- Rows are inserted in chronological order, so a BRIN index finds a period at almost no cost for inserts and updates.
create index submissions_reviewed on public.submissions using brin (reviewed_at);
create index submissions_recent on public.submissions (submitted_at desc, id desc);
create index submissions_rejected on public.submissions (submitted_at desc, id desc) where status = 'rejected';

-- What they are found by ----------------------------------------------------------------------------------------------

create table private.quest_search (
  campaign_id uuid primary key references public.campaigns (id) on delete cascade,
  document tsvector not null
);
comment on table private.quest_search is
  'The words of published quests and of no others, by weight: title (A), the project''s name (B), the tasks'' titles (C), summary and '
  'details (D). Separate from campaigns, whose rows change with every proof (BEY-18).';
create index quest_search_document on private.quest_search using gin (document) with (fastupdate = off);
create trigger quest_search_left after update or delete on private.quest_search for each row execute function private.note_left_words();

create function private.index_quests(p_campaign_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_words text[];
begin
  delete from private.quest_search q where q.campaign_id in (
    select c.id from public.campaigns c where c.id = any (p_campaign_ids) and c.status <> 'published');
  with indexed as (
    insert into private.quest_search as q (campaign_id, document)
    select c.id, private.weighted_words(c.title, 'A') || private.weighted_words(s.name, 'B')
      || private.weighted_words((select string_agg(t.title, ' ') from public.tasks t where t.campaign_id = c.id), 'C')
      || private.weighted_words(c.summary || ' ' || c.details_md, 'D')
    from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
    where c.id = any (p_campaign_ids) and c.status = 'published'
    on conflict (campaign_id) do update set document = excluded.document where q.document <> excluded.document
    returning q.document
  )
  select array_agg(distinct w.lexeme) into v_words from indexed i cross join unnest(i.document) w;
  perform private.add_search_words(v_words);
end $$;
comment on function private.index_quests(uuid[]) is 'Indexes the quests that are published and removes the others.';

create function private.reindex_quest() returns trigger
language plpgsql security definer set search_path = ''
as $$ begin perform private.index_quests(array[(to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid]); return null; end $$;
comment on function private.reindex_quest() is 'Trigger: reindexes a quest; the argument is the column of its id. A save does so once.';
create trigger campaigns_search after insert or update of title, summary, details_md, status on public.campaigns for each row
  when (current_setting('questboard.index_later', true) is distinct from 'true') execute function private.reindex_quest('id');
create trigger tasks_search after insert or delete or update of title on public.tasks for each row
  when (current_setting('questboard.index_later', true) is distinct from 'true') execute function private.reindex_quest('campaign_id');

-- Counts --------------------------------------------------------------------------------------------------------------

create function private.count_campaign() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- OLD on insert and NEW on delete read as rows of nulls. "active_budgets": budgets of quests with an approved submission (DATA-06).
  insert into private.counter_deltas (name, change)
  select c.name, c.change from (values
    ('published_campaigns', coalesce((new.status = 'published')::integer, 0) - coalesce((old.status = 'published')::integer, 0)),
    ('open_campaigns', coalesce((new.status = 'published' and not new.is_full)::integer, 0)
      - coalesce((old.status = 'published' and not old.is_full)::integer, 0)),
    ('submissions', coalesce(new.submission_count, 0) - coalesce(old.submission_count, 0)),
    ('approved_submissions', coalesce(new.approved_count, 0) - coalesce(old.approved_count, 0)),
    ('active_budgets', case when new.approved_count > 0 then new.budget_points else 0 end
      - case when old.approved_count > 0 then old.budget_points else 0 end)
  ) c (name, change) where c.change <> 0;
  return null;
end $$;
comment on function private.count_campaign() is 'Trigger: maintains the counters derived from quests.';
create trigger campaigns_count_row after insert or delete on public.campaigns
  for each row execute function private.count_campaign();
create trigger campaigns_count_change after update on public.campaigns
  for each row when (
    old.approved_count <> new.approved_count or old.submission_count <> new.submission_count
    or old.status <> new.status or old.budget_points <> new.budget_points or old.is_full <> new.is_full
  ) execute function private.count_campaign();

create trigger campaigns_tell_owner after update on public.campaigns
  for each row when (
    new.pending_count > old.pending_count or (new.pending_count = 0 and old.pending_count > 0) or (new.is_full and not old.is_full)
  ) execute function private.notify_quest_owner();

create function private.update_open_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- OLD on insert and NEW on delete read as rows of nulls.
  update public.campaigns c set open_reward_points = c.open_reward_points
    + coalesce(case when new.approved_count + new.pending_count + new.kept_count < new.max_completions then new.reward_points end, 0)
    - coalesce(case when old.approved_count + old.pending_count + old.kept_count < old.max_completions then old.reward_points end, 0)
  where c.id = coalesce(new.campaign_id, old.campaign_id);
  return null;
end $$;
comment on function private.update_open_reward() is 'Trigger: maintains what one member can still earn in the task''s quest (C-70).';
create trigger tasks_open_reward_row after insert or delete on public.tasks
  for each row execute function private.update_open_reward();
-- Most submissions change nothing: only the one that takes or frees a task's last slot updates the quest.
create trigger tasks_open_reward_change after update on public.tasks
  for each row when (
    old.reward_points <> new.reward_points
    or (old.approved_count + old.pending_count + old.kept_count < old.max_completions)
      <> (new.approved_count + new.pending_count + new.kept_count < new.max_completions)
  ) execute function private.update_open_reward();

create function private.note_incentive_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.incentive_rules := private.match_incentive_rules(new.title, new.instructions_md);
  return new;
end $$;
comment on function private.note_incentive_rules() is 'Trigger: stores the rules that a task''s text matches (BEY-15).';
-- A migration that changes the rules sets each title to itself to recompute them.
create trigger tasks_incentive_rules before insert or update of title, instructions_md on public.tasks
  for each row execute function private.note_incentive_rules();

-- What members took part in --------------------------------------------------------------------------------------------

create table private.published_quests (
  campaign_id uuid primary key references public.campaigns (id) on delete cascade,
  quest jsonb not null,
  tasks jsonb not null
);
comment on table private.published_quests is
  'Last published version of quests that are no longer published: participants must see neither the owner''s draft nor a moderation hold.';

create function private.keep_published_quest() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.published_quests (campaign_id, quest, tasks)
  select old.id, to_jsonb(old) - array['hold_reason', 'held_by', 'held_at'],
    coalesce(jsonb_agg(to_jsonb(t) order by t.order_index, t.id), '[]') from public.tasks t where t.campaign_id = old.id
  on conflict (campaign_id) do update set quest = excluded.quest, tasks = excluded.tasks;
  return null;
end $$;
comment on function private.keep_published_quest() is 'Trigger: keeps the last published text when a quest stops being published.';
create trigger campaigns_keep_published after update of status on public.campaigns
  for each row when (old.status = 'published' and new.status <> 'published') execute function private.keep_published_quest();

create table private.deleted_quests (
  campaign_id uuid primary key,
  deleted_at timestamptz not null default now()
);
comment on table private.deleted_quests is 'Ids of deleted quests that were once public: their URL answers 410 instead of 404 (BEY-17).';

create function private.keep_deleted_quest() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.deleted_quests (campaign_id)
  select old.id where old.status = 'published' or exists (select 1 from private.published_quests p where p.campaign_id = old.id);
  return old;
end $$;
comment on function private.keep_deleted_quest() is 'Trigger: records the id of a deleted quest that was public.';
create trigger campaigns_keep_deleted before delete on public.campaigns
  for each row execute function private.keep_deleted_quest();

-- Who sees what -------------------------------------------------------------------------------------------------------

create function private.has_participated(p_campaign_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from public.submissions s where s.campaign_id = p_campaign_id and s.user_id = public.current_user_id());
end $$;
comment on function private.has_participated(uuid) is
  'Whether the caller has a submission in the quest: participants keep access after it is closed.';
grant execute on function private.has_participated(uuid) to authenticated, service_role;

create function private.own_campaign_ids() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select c.id from public.campaigns c where c.startup_id = any (array(select private.own_startup_ids()));
end $$;
comment on function private.own_campaign_ids() is 'Quests of the caller''s project.';
grant execute on function private.own_campaign_ids() to authenticated, service_role;

alter table public.campaigns enable row level security;
create policy campaigns_read_public on public.campaigns for select to anon using (status = 'published');
comment on policy campaigns_read_public on public.campaigns is 'Visitors see published quests only (RULE-14).';
create policy campaigns_read on public.campaigns for select to authenticated
  using (
    status = 'published'
    or startup_id = any (array(select private.own_startup_ids()))
    or (select private.is_admin())
    or status = 'closed' and held_at is null and private.has_participated(id)
  );
comment on policy campaigns_read on public.campaigns is
  'Published quests, the caller''s own, and closed ones in which they took part; all for admins. Participants read a quest that is back in '
  'draft or on hold as last published, through get_participated_quest.';
grant select on public.campaigns to anon, authenticated, service_role;

alter table public.tasks enable row level security;
create policy tasks_read on public.tasks for select to anon, authenticated
  using (exists (select 1 from public.campaigns c where c.id = campaign_id));
comment on policy tasks_read on public.tasks is
  'Whoever sees the quest sees its tasks: the inner query is subject to the policies of campaigns.';
grant select on public.tasks to anon, authenticated, service_role;

alter table public.submissions enable row level security;
create policy submissions_read on public.submissions for select to authenticated
  using (
    user_id = (select public.current_user_id())
    or campaign_id = any (array(select private.own_campaign_ids()))
    or (select private.is_admin())
  );
comment on policy submissions_read on public.submissions is 'The member, the quest''s owner, admins.';
grant select on public.submissions to authenticated, service_role;

-- ==============================================================================================================================
-- 30_task_verification.sql
-- ==============================================================================================================================

-- How tasks are verified without a reviewer (BEY-13): completion codes, secrets that sign a project's calls, endpoints for checks, and the
-- token that identifies a member to a project. Completion is in 33_verified_actions.

create function private.read_verification(p_task jsonb, p_current public.task_verification) returns public.task_verification
language plpgsql immutable set search_path = ''
as $$
declare
  v_value text := private.clean(p_task ->> 'verification');
  v_automatic boolean := private.to_bool(p_task -> 'auto_verify', null);
begin
  if v_value is null then
    return case
      when v_automatic then 'automatic'
      when v_automatic is null or p_current in ('code', 'call', 'check') then coalesce(p_current, 'review')
      else 'review' end;
  elsif v_value <> all (enum_range(null::public.task_verification)::text[]) then
    perform private.raise_error('INVALID_TASK', 'Unknown task or proof type', 400);
  end if;
  return v_value::public.task_verification;
end $$;
comment on function private.read_verification(jsonb, public.task_verification) is
  'Verification in the owner''s input: the key verification, or else the older auto_verify, which only knows review and automatic. Errors: '
  'INVALID_TASK.';

-- Completion codes ----------------------------------------------------------------------------------------------------

create table private.completion_codes (
  id bigint generated always as identity primary key,
  task_id uuid not null references public.tasks (id) on delete cascade,
  code_hash bytea not null,
  is_shared boolean not null,
  submission_id uuid,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (task_id, code_hash),
  check ((submission_id is null) = (used_at is null) and (used_at is null or not is_shared))
);
comment on table private.completion_codes is
  'Codes that complete a task: one shared code, or single-use codes. Only keyed hashes are stored, so a code cannot be read back.';
comment on column private.completion_codes.code_hash is
  'Keyed hash that includes the task, so that equal codes of two tasks cannot be recognised.';
comment on column private.completion_codes.submission_id is
  'The submission that used up a single-use code. One that was taken back or rejected may use up another.';
create index completion_codes_free on private.completion_codes (task_id, is_shared) where used_at is null;

create function private.normalize_completion_code(p_code text) returns text
language plpgsql immutable set search_path = ''
as $$ begin return upper(regexp_replace(normalize(p_code, nfkc), '[\s_-]', '', 'g')); end $$;
comment on function private.normalize_completion_code(text) is 'Normal form of a code: without spaces and hyphens, case-insensitive.';

create function private.hash_completion_code(p_task_id uuid, p_code text) returns bytea
language plpgsql security definer set search_path = ''
as $$
begin
  return extensions.hmac(convert_to(p_task_id || ':' || private.normalize_completion_code(p_code), 'UTF8'),
    private.secret('completion_codes'), 'sha256');
end $$;
comment on function private.hash_completion_code(uuid, text) is 'Keyed hash of a task''s code.';

create function private.add_completion_codes(p_task_id uuid, p_codes text[], p_is_shared boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_added integer;
begin
  if exists (
    select 1 from unnest(p_codes) c where coalesce(private.normalize_completion_code(c), '') !~ '^[[:alnum:]]{6,64}$'
  ) then
    perform private.raise_error('COMPLETION_CODE_FORMAT', 'A code has 6 to 64 letters and digits', 400);
  elsif cardinality(p_codes) > 1000 then
    perform private.raise_error('CODES_RANGE', 'Please add 1 to 1,000 codes at a time', 400);
  end if;
  insert into private.completion_codes (task_id, code_hash, is_shared)
  select p_task_id, private.hash_completion_code(p_task_id, c), p_is_shared from unnest(p_codes) c
  on conflict (task_id, code_hash) do nothing;
  get diagnostics v_added = row_count;
  -- Ten times the most completions: some codes that are given out are never used.
  if (select count(*) from private.completion_codes c where c.task_id = p_task_id and c.used_at is null) > 10000 then
    perform private.raise_error('CODES_LIMIT', 'A task can have at most 10,000 unused codes', 409);
  end if;
  return v_added;
end $$;
comment on function private.add_completion_codes(uuid, text[], boolean) is
  'Adds codes, skipping ones that the task already has; returns how many were added. Errors: COMPLETION_CODE_FORMAT, CODES_RANGE, '
  'CODES_LIMIT.';

-- Checks --------------------------------------------------------------------------------------------------------------

create table private.task_checks (
  task_id uuid primary key references public.tasks (id) on delete cascade,
  source text not null check (source in ('endpoint', 'github_pull_request')),
  target text not null check (length(target) <= 2048)
);
comment on table private.task_checks is 'What Questboard asks whether a member has done a task. Visible to the project only.';
comment on column private.task_checks.source is
  'endpoint: an https URL of the project; anything else is a connector of the function check-task.';
comment on column private.task_checks.target is 'The URL, or what the connector needs, such as a repository.';

create table private.tested_endpoints (
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  url text not null check (length(url) <= 2048),
  tested_at timestamptz not null default now(),
  primary key (startup_id, url)
);
comment on table private.tested_endpoints is 'Endpoints that passed a test. A task accepts only an endpoint tested within the last day.';

create function public.record_endpoint_test(p_user_id text, p_url text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.tested_endpoints (startup_id, url)
  select s.id, p_url from public.startup_profiles s where s.owner_user_id = p_user_id
  on conflict (startup_id, url) do update set tested_at = now()
$$;
comment on function public.record_endpoint_test(text, text) is
  'Records that the function check-task has tested this endpoint for the project''s owner and got a valid answer. Service role only.';
grant execute on function public.record_endpoint_test(text, text) to service_role;

create function private.save_check(p_task_id uuid, p_startup_id uuid, p_source text, p_target text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_source is null or p_target is null
    or p_source not in ('endpoint', 'github_pull_request')
    or p_source = 'endpoint' and not (private.is_http_url(p_target) and p_target ~* '^https://[^/?#:]+([/?#]|$)')
    or p_source = 'github_pull_request' and p_target !~ '^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$'
  then
    perform private.raise_error('INVALID_CHECK', 'Please enter an https address without a port, or a repository as owner/name', 400);
  elsif exists (select 1 from private.task_checks c where c.task_id = p_task_id and c.source = p_source and c.target = p_target) then
    return;
  elsif p_source = 'endpoint' and not exists (
    select 1 from private.tested_endpoints e
    where e.startup_id = p_startup_id and e.url = p_target and e.tested_at > now() - interval '1 day'
  ) then
    perform private.raise_error('ENDPOINT_NOT_TESTED', 'Please test this address before you save it', 409);
  end if;
  insert into private.task_checks (task_id, source, target) values (p_task_id, p_source, p_target)
  on conflict (task_id) do update set source = excluded.source, target = excluded.target;
end $$;
comment on function private.save_check(uuid, uuid, text, text) is
  'Saves the source of a task''s check; an endpoint must have been tested. Errors: INVALID_CHECK, ENDPOINT_NOT_TESTED.';

-- Signing secrets -----------------------------------------------------------------------------------------------------

create table private.signing_secrets (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  secret bytea not null,
  last_characters text not null check (length(last_characters) = 4),
  created_at timestamptz not null default now()
);
comment on table private.signing_secrets is
  'Secrets with which projects sign their calls: at most two per project, for rotation. Encrypted with a key of private.secrets rather '
  'than hashed, because verifying a signature needs the secret itself.';
create index signing_secrets_startup on private.signing_secrets (startup_id, created_at);

create function public.create_signing_secret(p_startup_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles := private.require_owned_startup(p_startup_id);
  v_secret text := 'whsec_' || encode(extensions.gen_random_bytes(24), 'base64');
begin
  perform private.check_owner_rate(v_startup.owner_user_id, 'project_change');
  if (select count(*) from private.signing_secrets s where s.startup_id = p_startup_id) >= 2 then
    perform private.raise_error('SIGNING_SECRET_LIMIT', 'Two secrets are in use. Please revoke one of them first.', 409);
  end if;
  insert into private.signing_secrets (startup_id, secret, last_characters)
  values (p_startup_id, extensions.pgp_sym_encrypt(v_secret, encode(private.secret('signing_secrets'), 'hex'),
    'cipher-algo=aes256, s2k-mode=1'), right(v_secret, 4));
  perform private.audit(v_startup.owner_user_id, 'signing_secret.create', 'startup', p_startup_id::text, null,
    jsonb_build_object('ends_with', right(v_secret, 4)));
  return v_secret;
end $$;
comment on function public.create_signing_secret(uuid) is
  'Creates a secret with which the owner''s system signs its calls; this is the only time it is shown (Standard Webhooks, whsec_ and '
  'base64). Errors: UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, FORBIDDEN, RATE_LIMITED, SIGNING_SECRET_LIMIT.';
grant execute on function public.create_signing_secret(uuid) to authenticated, service_role;

create function public.revoke_signing_secret(p_startup_id uuid, p_secret_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles := private.require_owned_startup(p_startup_id);
  v_secret private.signing_secrets;
begin
  delete from private.signing_secrets s where s.id = p_secret_id and s.startup_id = p_startup_id returning s.* into v_secret;
  if v_secret.id is not null then
    perform private.audit(v_startup.owner_user_id, 'signing_secret.revoke', 'startup', p_startup_id::text,
      jsonb_build_object('ends_with', v_secret.last_characters));
  end if;
end $$;
comment on function public.revoke_signing_secret(uuid, uuid) is
  'Revokes a secret: calls signed with it are refused from now on. Idempotent. Errors: UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, '
  'FORBIDDEN.';
grant execute on function public.revoke_signing_secret(uuid, uuid) to authenticated, service_role;

create function public.list_signing_secrets(p_startup_id uuid) returns table (id uuid, last_characters text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.last_characters, s.created_at from private.signing_secrets s
  where s.startup_id = p_startup_id and s.startup_id = any (array(select private.own_startup_ids())) order by s.created_at
$$;
comment on function public.list_signing_secrets(uuid) is 'The secrets of the caller''s project by their last characters, oldest first.';
grant execute on function public.list_signing_secrets(uuid) to authenticated, service_role;

create function public.get_signing_secrets(p_startup_id uuid) returns text[]
language sql stable security definer set search_path = ''
as $$
  select coalesce(array_agg(extensions.pgp_sym_decrypt(s.secret, encode(k.value, 'hex')) order by s.created_at), '{}')
  from private.signing_secrets s cross join private.secrets k where s.startup_id = p_startup_id and k.name = 'signing_secrets'
$$;
comment on function public.get_signing_secrets(uuid) is
  'The secrets that a project''s calls may be signed with, in plain text. Service role only.';
grant execute on function public.get_signing_secrets(uuid) to service_role;

-- Settings of a task -----------------------------------------------------------------------------------------------

create function private.save_verification(p_task_id uuid, p_task jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_startup_id uuid;
begin
  select t.* into v_task from public.tasks t where t.id = p_task_id;
  select c.startup_id into v_startup_id from public.campaigns c where c.id = v_task.campaign_id;
  if v_task.verification <> 'code' then
    delete from private.completion_codes c where c.task_id = p_task_id and c.used_at is null;
  elsif private.clean(p_task ->> 'shared_code') is not null then
    delete from private.completion_codes c where c.task_id = p_task_id and c.is_shared;
    perform private.add_completion_codes(p_task_id, array[p_task ->> 'shared_code'], true);
  elsif jsonb_typeof(p_task -> 'single_use_codes') = 'array' then
    perform private.add_completion_codes(p_task_id, array(select jsonb_array_elements_text(p_task -> 'single_use_codes')), false);
  end if;
  if v_task.verification <> 'check' then
    delete from private.task_checks c where c.task_id = p_task_id;
  elsif p_task ? 'check_target' then
    perform private.save_check(p_task_id, v_startup_id, coalesce(p_task ->> 'check_source', 'endpoint'),
      private.clean(p_task ->> 'check_target'));
  end if;
end $$;
comment on function private.save_verification(uuid, jsonb) is
  'Saves the verification settings of a stored task: shared_code replaces the previous one, single_use_codes are added, check_source and '
  'check_target set the check. Missing keys change nothing. Errors: COMPLETION_CODE_FORMAT, CODES_RANGE, CODES_LIMIT, '
  'INVALID_CHECK, ENDPOINT_NOT_TESTED.';

create function private.check_verification(p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_task record;
begin
  for v_task in
    select t.title, t.verification, t.link_url, k.source, c.startup_id,
      exists (select 1 from private.completion_codes x where x.task_id = t.id) as has_codes
    from public.tasks t join public.campaigns c on c.id = t.campaign_id left join private.task_checks k on k.task_id = t.id
    where t.campaign_id = p_campaign_id and t.verification in ('code', 'call', 'check') order by t.order_index, t.id
  loop
    if v_task.verification = 'code' and not v_task.has_codes then
      perform private.raise_error('CODES_REQUIRED', format('Please add a code to "%s" before publishing', v_task.title), 409);
    elsif v_task.verification = 'check' and v_task.source is null then
      perform private.raise_error('CHECK_REQUIRED', format('Please say whom to ask about "%s" before publishing', v_task.title), 409);
    elsif (v_task.verification = 'call' or v_task.source = 'endpoint') and v_task.link_url is null then
      perform private.raise_error('LINK_REQUIRED', format('Please add the link of "%s" before publishing', v_task.title), 409);
    elsif v_task.verification = 'call'
      and not exists (select 1 from private.signing_secrets s where s.startup_id = v_task.startup_id) then
      perform private.raise_error('SIGNING_SECRET_REQUIRED', 'Please create a signing secret before publishing', 409);
    end if;
  end loop;
end $$;
comment on function private.check_verification(uuid) is
  'Refuses to publish a quest with a task that could never be verified. Errors: CODES_REQUIRED, CHECK_REQUIRED, LINK_REQUIRED, '
  'SIGNING_SECRET_REQUIRED.';

create function public.get_task_verifications(p_campaign_id uuid) returns table (
  task_id uuid, has_shared_code boolean, codes_left integer, codes_used integer, check_source text, check_target text
)
language sql stable security definer set search_path = ''
as $$
  select t.id, coalesce(bool_or(c.is_shared), false), (count(c.id) filter (where not c.is_shared and c.used_at is null))::integer,
    count(c.used_at)::integer, k.source, k.target
  from public.tasks t left join private.completion_codes c on c.task_id = t.id left join private.task_checks k on k.task_id = t.id
  where t.campaign_id = p_campaign_id and t.campaign_id = any (array(select private.own_campaign_ids()))
  group by t.id, k.source, k.target order by t.order_index, t.id
$$;
comment on function public.get_task_verifications(uuid) is
  'Verification settings of the tasks of the caller''s quest, without secrets. Nullable: check_source, check_target.';
grant execute on function public.get_task_verifications(uuid) to authenticated, service_role;

create function private.copy_verification(p_from uuid, p_to uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.task_checks (task_id, source, target)
  select n.id, k.source, k.target from public.tasks t join private.task_checks k on k.task_id = t.id
  join public.tasks n on n.campaign_id = p_to and n.order_index = t.order_index and n.title = t.title
  where t.campaign_id = p_from
  on conflict (task_id) do nothing
$$;
comment on function private.copy_verification(uuid, uuid) is
  'Copies the checks to the tasks of a copied quest. Codes are not copied: they cannot be read, and were given out for the first quest.';

-- Members as a project knows them --------------------------------------------------------------------------------------

create table private.task_tokens (
  token text primary key default encode(extensions.gen_random_bytes(16), 'hex'),
  task_id uuid not null references public.tasks (id) on delete cascade,
  user_id text not null,
  participant_email text check (length(participant_email) <= 254),
  subscribes boolean not null default false,
  created_at timestamptz not null default now(),
  reward_points integer check (reward_points between 0 and 1000),
  consent text,
  unique (task_id, user_id)
);
comment on table private.task_tokens is
  'Members who have started a task that a call or a check verifies. The project only gets the token, which is meaningless elsewhere.';
comment on column private.task_tokens.participant_email is
  'The address that the member shares, where the quest collects addresses; null again when the member withdraws it.';
comment on column private.task_tokens.consent is
  'The sentence that the member agreed to. The address is handed over only while it is the one in force.';
comment on column private.task_tokens.reward_points is 'Reward when the member started the task: they get no less (TRUST-20).';
comment on column private.task_tokens.subscribes is 'Whether the member also subscribes to Questboard''s own news (C-76).';
create index task_tokens_user on private.task_tokens (user_id);
create index task_tokens_subscribing on private.task_tokens (participant_email) where subscribes;

-- ==============================================================================================================================
-- 31_mailing_list.sql
-- ==============================================================================================================================

-- The mailing list with double opt-in: anyone may request a subscription, a mailed link confirms it, a link in every mail unsubscribes,
-- admins view and switch entries.

create table public.mailing_list (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email) and private.is_email(email)),
  source text not null default 'website' check (source ~ '^[a-z][a-z0-9_-]{0,49}$'),
  campaign_id uuid references public.campaigns (id) on delete set null,
  user_id text,
  subscribed_at timestamptz not null default now(),
  is_active boolean not null default false,
  unsubscribed_at timestamptz,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  updated_at timestamptz not null default now(),
  confirmed_at timestamptz,
  status text not null generated always as (
    case when is_active then 'active' when unsubscribed_at is null then 'pending' else 'unsubscribed' end) stored
);
comment on table public.mailing_list is
  'Addresses for mailings (DB-17). One row per address; unsubscribing deactivates the row (MAIL-02). Pending ones are removed after a '
  'week.';
comment on column public.mailing_list.source is
  'Where the subscription came from, such as website or campaign; "email" when an address that was never on the list unsubscribed through '
  'a link in a mail.';
comment on column public.mailing_list.campaign_id is 'Quest on whose page the address was entered, if any.';
comment on column public.mailing_list.user_id is 'Set when the subscriber was signed in with this verified address.';
comment on column public.mailing_list.is_active is 'False: no mailings, because the address is not confirmed or was unsubscribed.';
comment on column public.mailing_list.confirmed_at is 'When the holder of the address last confirmed it (C-82).';
comment on column public.mailing_list.metadata is 'page_url and timestamp as sent by the form.';
create index mailing_list_subscribed on public.mailing_list (subscribed_at desc, id desc);
create index mailing_list_pending on public.mailing_list (subscribed_at) where status = 'pending';
create index mailing_list_recent on public.mailing_list (subscribed_at) where is_active;
create index mailing_list_campaign on public.mailing_list (campaign_id);
create index mailing_list_user on public.mailing_list (user_id);
create index mailing_list_search on public.mailing_list using gin (email extensions.gin_trgm_ops);
create trigger mailing_list_touch before update on public.mailing_list
  for each row execute function private.touch_updated_at();

alter table public.mailing_list enable row level security;
create policy mailing_list_read on public.mailing_list for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy mailing_list_read on public.mailing_list is 'Admins, and the person who subscribed their own verified address.';
grant select on public.mailing_list to authenticated, service_role;

create function private.count_subscriber() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, sum(c.change) from (values
    ('subscribers:' || old.source, -old.is_active::integer), ('subscribers:' || new.source, new.is_active::integer),
    ('campaign_subscribers', coalesce((new.is_active and (new.campaign_id is not null or new.source = 'campaign'))::integer, 0)
      - coalesce((old.is_active and (old.campaign_id is not null or old.source = 'campaign'))::integer, 0))
  ) c (name, change) where c.name is not null group by c.name having sum(c.change) <> 0;
  return null;
end $$;
comment on function private.count_subscriber() is 'Trigger: maintains the counters of active subscribers, per source and from quests.';
create trigger mailing_list_count after insert or delete or update of is_active, source, campaign_id on public.mailing_list
  for each row execute function private.count_subscriber();

-- Opting out ----------------------------------------------------------------------------------------------------------

create table private.opt_outs (
  mailbox bytea primary key,
  is_by_admin boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table private.opt_outs is
  'Mailboxes that opted out, as keyed hashes, which outlive the mailing list entry, the account and the address (TRUST-25).';
comment on column private.opt_outs.is_by_admin is 'Switched off by an admin, who may switch it on again. An opt-out by the holder stays.';

create function public.is_opted_out(p_email text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_mailbox bytea := private.mailbox_key(p_email);
begin
  return exists (select 1 from private.opt_outs o where o.mailbox = v_mailbox)
    or exists (select 1 from public.mailing_list m where m.email = lower(private.clean(p_email)) and m.status = 'unsubscribed');
end $$;
comment on function public.is_opted_out(text) is 'Whether the holder of an address has opted out (MAIL-02, TRUST-25). Service role only.';
grant execute on function public.is_opted_out(text) to service_role;

create table private.unsubscribe_tokens (
  email text primary key,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
comment on table private.unsubscribe_tokens is
  'Random token (244 bits) in the unsubscribe link of every mail to an address, on the list or not (C-50).';

create function private.validate_metadata(p_metadata jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  if jsonb_typeof(p_metadata) <> 'object' or length(p_metadata::text) > 2000 then
    perform private.raise_error('INVALID_METADATA', 'Metadata must be an object of at most 2,000 characters', 400);
  end if;
  return coalesce(p_metadata, '{}');
end $$;
comment on function private.validate_metadata(jsonb) is 'Checks for a small JSON object; empty for null. Errors: INVALID_METADATA.';

-- Subscribing ---------------------------------------------------------------------------------------------------------

create table private.mailing_list_confirmations (
  email text primary key references public.mailing_list (email) on delete cascade,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  requested_at timestamptz not null default now()
);
comment on table private.mailing_list_confirmations is
  'Random token (244 bits) in the link that confirms an address (C-82). Valid for a week after the latest request.';
create index mailing_list_confirmations_requested on private.mailing_list_confirmations (requested_at);

create function private.activate_subscriber(p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_mailbox bytea := private.mailbox_key(p_email);
begin
  delete from private.opt_outs o where o.mailbox = v_mailbox;
  update public.mailing_list m set is_active = true, unsubscribed_at = null, confirmed_at = now(), subscribed_at = now()
  where m.email = p_email and not m.is_active;
end $$;
comment on function private.activate_subscriber(text) is
  'Activates an address at the holder''s request and ends an opt-out, which nobody else may do (TRUST-25).';

create function private.request_confirmation(p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_mailbox text := 'mailbox:' || encode(private.mailbox_key(p_email), 'hex');
  v_entry uuid;
begin
  select m.id into v_entry from public.mailing_list m where m.email = p_email and not m.is_active;
  if v_entry is null or not public.take_rate_limit(v_mailbox, 'confirmation', 1, 300)
    or not public.take_rate_limit(v_mailbox, 'confirmations', 3, 86400) then
    return;
  end if;
  insert into private.mailing_list_confirmations (email) values (p_email) on conflict (email) do update set requested_at = now();
  perform private.enqueue_event('SubscriptionRequested', null, jsonb_build_object('entry_id', v_entry));
end $$;
comment on function private.request_confirmation(text) is
  'Enqueues the confirmation mail to an address that is not active: per mailbox one in five minutes and three a day, whoever asks.';

create function public.subscribe_to_mailing_list(p_email text, p_source text default 'website', p_metadata jsonb default '{}') returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_email text := lower(private.clean(p_email));
  v_source text := coalesce(private.clean(p_source), 'website');
  v_metadata jsonb := private.validate_metadata(p_metadata);
  v_is_holder boolean := coalesce(v_email = private.jwt_email(), false);
begin
  if v_email is null then
    perform private.raise_error('EMAIL_REQUIRED', 'Email is required', 400);
  elsif not private.is_email(v_email) then
    perform private.raise_error('INVALID_EMAIL', 'Please enter a valid email address', 400);
  elsif v_source !~ '^[a-z][a-z0-9_-]{0,49}$' then
    perform private.raise_error('INVALID_SOURCE', 'Unknown source', 400);
  end if;
  perform private.check_visitor_rate('mailing_list', 20);
  insert into public.mailing_list as m (email, source, campaign_id, user_id, metadata)
  values (
    v_email, v_source,
    (select c.id from public.campaigns c where c.id = private.to_uuid(v_metadata ->> 'campaign_id') and c.status = 'published'),
    case when v_is_holder then v_user end, v_metadata
  )
  on conflict (email) do update set
    source = excluded.source, campaign_id = excluded.campaign_id, user_id = coalesce(excluded.user_id, m.user_id),
    metadata = excluded.metadata, subscribed_at = now()
  where m.status = 'pending' or v_is_holder and not m.is_active;
  if v_is_holder then
    perform private.activate_subscriber(v_email);
    return 'active';
  end if;
  perform private.request_confirmation(v_email);
  return 'confirm';
end $$;
comment on function public.subscribe_to_mailing_list(text, text, jsonb) is
  'Anyone requests a subscription for an address (MAIL-01, MAIL-02, C-82). Returns "active" when the caller is signed in with this '
  'verified address, which is subscribed at once; otherwise "confirm": a confirmation mail is sent unless the address is already '
  'subscribed, and the answer does not reveal which. p_metadata: page_url, timestamp, campaign_id. Errors: EMAIL_REQUIRED, INVALID_EMAIL, '
  'INVALID_SOURCE, INVALID_METADATA, RATE_LIMITED, VISITORS_LIMITED.';
grant execute on function public.subscribe_to_mailing_list(text, text, jsonb) to anon, authenticated, service_role;

create function private.subscribe_participant(p_user text, p_email text, p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.mailing_list as m (email, source, campaign_id, user_id) values (p_email, 'campaign', p_campaign_id, p_user)
  on conflict (email) do update set source = excluded.source, campaign_id = excluded.campaign_id, user_id = excluded.user_id
  where not m.is_active;
  perform private.activate_subscriber(p_email);
end $$;
comment on function private.subscribe_participant(text, text, uuid) is
  'A member who submits a proof subscribes to Questboard''s news with their own verified address (C-76). An existing subscription is left '
  'as it is.';

create function public.get_confirmation_token(p_email text) returns text
language sql stable security definer set search_path = ''
as $$
  select c.token from private.mailing_list_confirmations c join public.mailing_list m on m.email = c.email
  where c.email = lower(private.clean(p_email)) and not m.is_active and c.requested_at > now() - interval '7 days'
$$;
comment on function public.get_confirmation_token(text) is
  'Token for the confirmation link of an address; null when there is nothing to confirm. Service role only.';
grant execute on function public.get_confirmation_token(text) to service_role;

create function public.confirm_mailing_list_subscription(p_token text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
begin
  select c.email into v_email from private.mailing_list_confirmations c
  where c.token = p_token and c.requested_at > now() - interval '7 days';
  if v_email is null then
    perform private.raise_error('INVALID_CONFIRMATION_TOKEN', 'This link is no longer valid. Please subscribe again.', 404);
  end if;
  perform private.activate_subscriber(v_email);
end $$;
comment on function public.confirm_mailing_list_subscription(text) is
  'Subscribes the address of a confirmation link; idempotent (C-82). Unsubscribing invalidates the link. Errors: '
  'INVALID_CONFIRMATION_TOKEN.';
grant execute on function public.confirm_mailing_list_subscription(text) to anon, authenticated, service_role;

-- Unsubscribing -------------------------------------------------------------------------------------------------------

create function public.get_unsubscribe_token(p_email text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text := lower(private.clean(p_email));
  v_token text;
begin
  if v_email is null or not private.is_email(v_email) then
    return null;
  end if;
  insert into private.unsubscribe_tokens (email) values (v_email) on conflict (email) do nothing;
  select t.token into v_token from private.unsubscribe_tokens t where t.email = v_email;
  return v_token;
end $$;
comment on function public.get_unsubscribe_token(text) is
  'Token for the unsubscribe link of mails to an address; null for an invalid address. Service role only.';
grant execute on function public.get_unsubscribe_token(text) to service_role;

create function private.deactivate_subscriber(p_email text, p_is_by_admin boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.opt_outs as o (mailbox, is_by_admin) values (private.mailbox_key(p_email), p_is_by_admin)
  on conflict (mailbox) do update set is_by_admin = o.is_by_admin and excluded.is_by_admin;
  delete from private.mailing_list_confirmations c where c.email = p_email;
  insert into public.mailing_list as m (email, source, unsubscribed_at) values (p_email, 'email', now())
  on conflict (email) do update set is_active = false, unsubscribed_at = now() where m.status <> 'unsubscribed';
  -- A box that was ticked when a task was started, and takes effect only when the task is verified, is older than this.
  update private.task_tokens k set subscribes = false where k.participant_email = p_email and k.subscribes;
end $$;
comment on function private.deactivate_subscriber(text, boolean) is
  'Opts an address out, whether it is on the list or not, and invalidates a pending confirmation and what was ticked at started tasks.';

create function public.unsubscribe_from_mailing_list(p_token text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
begin
  select t.email into v_email from private.unsubscribe_tokens t where t.token = p_token;
  if v_email is null then
    perform private.raise_error('INVALID_UNSUBSCRIBE_TOKEN', 'This unsubscribe link is not valid', 404);
  end if;
  perform private.deactivate_subscriber(v_email, false);
end $$;
comment on function public.unsubscribe_from_mailing_list(text) is
  'Opts out the address of an unsubscribe link; idempotent (MAIL-02, C-50). Errors: INVALID_UNSUBSCRIBE_TOKEN.';
grant execute on function public.unsubscribe_from_mailing_list(text) to anon, authenticated, service_role;

-- Admins --------------------------------------------------------------------------------------------------------------

create function public.set_mailing_list_active(p_entry_id uuid, p_is_active boolean) returns public.mailing_list
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.mailing_list;
  v_after public.mailing_list;
  v_mailbox bytea;
begin
  if p_is_active is null then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  select m.* into v_before from public.mailing_list m where m.id = p_entry_id for no key update;
  if v_before.id is null then
    perform private.raise_error('SUBSCRIBER_NOT_FOUND', 'Subscriber not found', 404);
  elsif not p_is_active then
    perform private.deactivate_subscriber(v_before.email, true);
  elsif not v_before.is_active then
    v_mailbox := private.mailbox_key(v_before.email);
    -- An admin may only switch on what an admin has switched off (TRUST-25).
    if v_before.confirmed_at is null
      or not exists (select 1 from private.opt_outs o where o.mailbox = v_mailbox and o.is_by_admin) then
      perform private.raise_error('NOT_CONFIRMED', 'Only the holder of this address can put it on the list, by the link in our mail', 409);
    end if;
    perform private.activate_subscriber(v_before.email);
  end if;
  select m.* into v_after from public.mailing_list m where m.id = p_entry_id;
  perform private.audit(v_admin, 'mailing_list.' || case when p_is_active then 'activate' else 'deactivate' end, 'mailing_list',
    p_entry_id::text,
    jsonb_build_object('is_active', v_before.is_active), jsonb_build_object('is_active', v_after.is_active));
  return v_after;
end $$;
comment on function public.set_mailing_list_active(uuid, boolean) is
  'Admin deactivates an entry, or reactivates one that an admin deactivated (C-50); the holder''s own opt-out stays. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, SUBSCRIBER_NOT_FOUND, NOT_CONFIRMED.';
grant execute on function public.set_mailing_list_active(uuid, boolean) to authenticated, service_role;

create function public.get_mailing_list_stats() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'total_subscribers', coalesce(sum(s.count), 0),
      'recent_subscribers', (select count(*) from public.mailing_list m where m.is_active and m.subscribed_at > now() - interval '7 days'),
      'campaign_subscribers', coalesce(private.counters() -> 'campaign_subscribers', '0'),
      'subscribers_by_source', '{"website": 0}'::jsonb || coalesce(jsonb_object_agg(s.name, s.count), '{}')
    )
    from private.counters_of('subscribers') s
  );
end $$;
comment on function public.get_mailing_list_stats() is
  'Active subscribers for admins: total_subscribers, recent_subscribers (7 days), campaign_subscribers, subscribers_by_source (DB-17, '
  'ADMIN-07). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_mailing_list_stats() to authenticated, service_role;

-- ==============================================================================================================================
-- 31_participated_quests.sql
-- ==============================================================================================================================

-- Quests that are no longer published: what participants still see, and whether the URL was public.

create function public.get_participated_quest(p_campaign_id uuid) returns setof public.campaigns
language sql stable security definer set search_path = ''
as $$
  -- The current status, so that a member learns that the quest takes no proofs, but not why.
  select r.* from private.published_quests p join public.campaigns c on c.id = p.campaign_id
  cross join lateral jsonb_populate_record(c, p.quest
    || jsonb_build_object('status', c.status, 'hold_reason', null, 'held_by', null, 'held_at', null)) r
  where p.campaign_id = p_campaign_id and c.status <> 'published' and private.has_participated(p_campaign_id)
$$;
comment on function public.get_participated_quest(uuid) is
  'A quest that the caller took part in and that is back in draft, on hold or closed, as last published; at most one row.';
grant execute on function public.get_participated_quest(uuid) to authenticated, service_role;

create function public.get_participated_tasks(p_campaign_id uuid) returns setof public.tasks
language sql stable security definer set search_path = ''
as $$
  select t.* from private.published_quests p join public.campaigns c on c.id = p.campaign_id
  cross join lateral jsonb_populate_recordset(null::public.tasks, p.tasks) t
  where p.campaign_id = p_campaign_id and c.status <> 'published' and private.has_participated(p_campaign_id)
  order by t.order_index, t.id
$$;
comment on function public.get_participated_tasks(uuid) is 'The tasks of a quest from get_participated_quest.';
grant execute on function public.get_participated_tasks(uuid) to authenticated, service_role;

create function private.was_public(p_campaign_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from private.deleted_quests d where d.campaign_id = p_campaign_id) or exists (
    select 1 from private.published_quests p join public.campaigns c on c.id = p.campaign_id
    where p.campaign_id = p_campaign_id and (c.status = 'closed' or c.held_at is not null)
  );
end $$;
comment on function private.was_public(uuid) is
  'Whether a quest was public and has been deleted, closed or put on hold. False for drafts, even those that were once published.';

create function private.quest_title_for_member(p_campaign public.campaigns) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case when p_campaign.status = 'published' then p_campaign.title else coalesce(
    (select p.quest ->> 'title' from private.published_quests p where p.campaign_id = p_campaign.id), p_campaign.title) end;
end $$;
comment on function private.quest_title_for_member(public.campaigns) is
  'Title of a quest for members who took part in it: that of a quest which is no longer published is as last published.';

create function private.task_title_for_member(p_task public.tasks) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((
    select x ->> 'title' from private.published_quests p join public.campaigns c on c.id = p.campaign_id and c.status <> 'published'
    cross join lateral jsonb_array_elements(p.tasks) x where p.campaign_id = p_task.campaign_id and x ->> 'id' = p_task.id::text
  ), p_task.title);
end $$;
comment on function private.task_title_for_member(public.tasks) is 'Title of a task, like that of its quest.';

-- ==============================================================================================================================
-- 31_project_changes.sql
-- ==============================================================================================================================

-- Editing a project, by its owner or an admin; a new name or website of a verified project is reviewed again (C-96).

create function private.note_project_change(p_before public.startup_profiles, p_after public.startup_profiles)
returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  -- After two renames within 30 days, people know it by the first name.
  v_former text := case when p_before.renamed_at > now() - interval '30 days' then p_before.former_name else p_before.name end;
  -- An admin's own project waits for another admin.
  v_is_checked boolean := private.is_admin() and p_before.owner_user_id <> public.current_user_id();
  v_startup public.startup_profiles;
begin
  update public.startup_profiles s set
    former_name = case when p_before.name = p_after.name then s.former_name when v_former <> p_after.name then v_former end,
    renamed_at = case when p_before.name = p_after.name then s.renamed_at when v_former <> p_after.name then now() end,
    changed_at = case when v_is_checked then s.changed_at else now() end,
    changed_from = case when v_is_checked then s.changed_from
      else coalesce(s.changed_from, jsonb_build_object('name', p_before.name, 'website', p_before.website)) end
  where s.id = p_after.id returning s.* into v_startup;
  return v_startup;
end $$;
comment on function private.note_project_change(public.startup_profiles, public.startup_profiles) is
  'Records a new name or website of a verified project: it stays verified, is shown with its former name, and waits for an admin''s check '
  'unless an admin made the change in somebody else''s project (C-96).';

create function public.update_startup_profile(
  p_startup_id uuid, p_name text, p_website text default null, p_logo_url text default null, p_description text default null
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_name text := private.validate_startup_text(p_name, 'COMPANY_NAME_REQUIRED', 'Company name is required', p_description);
  v_before public.startup_profiles;
  v_startup public.startup_profiles;
begin
  if not private.is_admin() then
    perform private.require_owned_startup(p_startup_id);
    perform private.check_owner_rate(v_user, 'project_change');
  end if;
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_before.name <> v_name then
    perform private.check_name_is_free(v_name, v_before.owner_user_id);
  end if;
  update public.startup_profiles s set
    name = v_name,
    website = private.normalize_url(p_website, 'INVALID_WEBSITE', 'Please enter a valid URL'),
    logo_url = private.validate_logo_url(p_logo_url, v_user, v_before.owner_user_id, v_before.logo_url),
    description = private.clean(p_description)
  where s.id = p_startup_id returning s.* into v_startup;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if v_before.status = 'verified' and (v_before.name, v_before.website) is distinct from (v_startup.name, v_startup.website) then
    v_startup := private.note_project_change(v_before, v_startup);
  end if;
  if v_before.name <> v_startup.name then
    -- Quests can be found by the project's name.
    perform private.index_quests(array(select c.id from public.campaigns c where c.startup_id = p_startup_id));
  end if;
  perform private.audit(v_user, 'startup.update', 'startup', p_startup_id::text,
    private.project_record(v_before), private.project_record(v_startup));
  return v_startup;
end $$;
comment on function public.update_startup_profile(uuid, text, text, text, text) is
  'Owner or admin (C-31) edits a project (SPROF-06). Errors: UNAUTHENTICATED, SUSPENDED, COMPANY_NAME_REQUIRED, NAME_TOO_LONG, '
  'HIDDEN_CHARACTERS, RESERVED_NAME, NAME_TAKEN, DESCRIPTION_TOO_LONG, INVALID_WEBSITE, INVALID_LOGO_URL, UPLOAD_NOT_CHECKED, '
  'STARTUP_NOT_FOUND, FORBIDDEN, RATE_LIMITED.';
grant execute on function public.update_startup_profile(uuid, text, text, text, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 31_project_limits.sql
-- ==============================================================================================================================

-- Limits on the quests of a project: those of the trial, extended by bought points (RULE-04, RULE-05, RULE-18, BEY-20).

create type private.project_limits as (quests integer, budget bigint, reward integer, bought bigint);
comment on type private.project_limits is
  'Limits of a project: number of quests, sum of their budgets (null: unlimited), points of one reward; and the points it has bought.';

create function private.quest_limits(p_startup public.startup_profiles) returns private.project_limits
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_settings public.app_settings := private.settings();
  v_limits private.project_limits := (null, null, 1000, private.bought_points(p_startup.owner_user_id));
begin
  if private.is_on_trial(p_startup.id) then
    -- An owner who has bought points may spend them, also during the beta: points then limit the quests, not their number.
    v_limits.quests := case when v_limits.bought = 0 then v_settings.trial_quest_limit end;
    v_limits.budget := v_settings.trial_budget_points + v_limits.bought;
    v_limits.reward := least(v_limits.budget, 1000);
  end if;
  return v_limits;
end $$;
comment on function private.quest_limits(public.startup_profiles) is
  'The limits of a project: those of the trial plus the points it has bought; none with a plan after the beta (RULE-04, RULE-05, RULE-18, '
  'C-22, BEY-20).';

create function private.check_quest_limits(p_startup public.startup_profiles, p_campaign_id uuid, p_budget bigint) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limits private.project_limits := private.quest_limits(p_startup);
  v_count integer;
  v_budgets bigint;
begin
  select count(*), coalesce(sum(c.budget_points), 0) into v_count, v_budgets
  from public.campaigns c where c.startup_id = p_startup.id and c.id is distinct from p_campaign_id;
  -- Quests of any status count; deleting one frees its slot (C-23). Of the beta only during it (C-69).
  if p_campaign_id is null and v_count >= v_limits.quests and (private.settings()).beta_mode then
    perform private.raise_error('QUEST_LIMIT', format(
      'Beta limit reached: You can only create %s quest%s during the beta period. Please wait for the full launch to create more quests.',
      v_limits.quests, case when v_limits.quests = 1 then '' else 's' end), 409);
  elsif p_campaign_id is null and v_count >= v_limits.quests then
    perform private.raise_error('TRIAL_QUEST_LIMIT', format(
      'Your trial has room for %s quest%s, drafts included.', v_limits.quests, case when v_limits.quests = 1 then '' else 's' end), 409);
  elsif v_budgets + p_budget > v_limits.budget and v_limits.bought > 0 then
    perform private.raise_error('POINTS_BUDGET_LIMIT',
      format('Total budget exceeds your limit of %s points, bought ones included', v_limits.budget), 409);
  elsif v_budgets + p_budget > v_limits.budget then
    perform private.raise_error('BUDGET_LIMIT', format('Total budget exceeds trial limit of %s points', v_limits.budget), 409);
  end if;
end $$;
comment on function private.check_quest_limits(public.startup_profiles, uuid, bigint) is
  'Enforces the limits of a project whose row the caller has locked: the number of quests for a new one (p_campaign_id null), the sum of '
  'budgets always (RULE-04, RULE-05, C-35). Errors: QUEST_LIMIT, TRIAL_QUEST_LIMIT, BUDGET_LIMIT, POINTS_BUDGET_LIMIT.';

create function public.get_quest_limits() returns table (
  quest_count integer, quest_limit integer, budget_used bigint, budget_limit bigint, reward_limit integer, bought_points bigint,
  has_plan boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select (select count(*)::integer from public.campaigns c where c.startup_id = s.id), l.quests,
      (select coalesce(sum(c.budget_points), 0)::bigint from public.campaigns c where c.startup_id = s.id), l.budget, l.reward, l.bought,
      private.has_active_subscription(s.id)
    from public.startup_profiles s cross join lateral private.quest_limits(s) l
    where s.owner_user_id = public.current_user_id();
end $$;
comment on function public.get_quest_limits() is
  'The limits of the caller''s project and how much of them is used: at most one row, none without a project. Quests of every status count '
  '(C-23). reward_limit: maximum points of one reward. Null: unlimited. Nullable: quest_limit, budget_limit.';
grant execute on function public.get_quest_limits() to authenticated, service_role;

-- ==============================================================================================================================
-- 31_quest_creation.sql
-- ==============================================================================================================================

-- Creating a quest, within the project's limits and with its reserve of points. Editing and deleting are in 35_quest_changes, because both
-- may decide pending submissions.

-- Reserve -------------------------------------------------------------------------------------------------------------

create function private.required_reserve(p_campaign_id uuid) returns bigint
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(sum(t.pending_points + t.kept_points + case when c.status = 'closed' or c.published_at is null then 0
      else t.reward_points::bigint * (t.max_completions - t.approved_count - t.pending_count - t.kept_count) end), 0)
    from public.campaigns c join public.tasks t on t.campaign_id = c.id
    where c.id = p_campaign_id
  );
end $$;
comment on function private.required_reserve(uuid) is
  'Points that the quest may still have to pay: those promised to pending submissions, those kept for rejected ones that may be appealed '
  'and, from publishing until closing, every free slot at the current reward.';

create function private.adjust_reserve(p_campaign_id uuid, p_startup_id uuid, p_owner text, p_required bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reserve uuid := private.reserve_wallet(p_campaign_id, p_owner);
  v_startup uuid := private.startup_wallet(p_startup_id, p_owner);
  v_title text;
  v_points bigint;
begin
  select c.title into v_title from public.campaigns c where c.id = p_campaign_id;
  perform 1 from public.wallets w where w.id = v_startup for no key update;
  select w.points into v_points from public.wallets w where w.id = v_reserve for no key update;
  if p_required > v_points then
    perform private.transfer(v_startup, v_reserve, p_required - v_points, 'reserve', format('Reserved for quest "%s"', v_title),
      p_campaign_id => p_campaign_id);
  elsif p_required < v_points then
    perform private.transfer(v_reserve, v_startup, v_points - p_required, 'release', format('Released from quest "%s"', v_title),
      p_campaign_id => p_campaign_id);
  end if;
end $$;
comment on function private.adjust_reserve(uuid, uuid, text, bigint) is
  'Brings the reserve to the required amount: debits the project for the difference or returns the surplus (RULE-09, C-01). Errors: '
  'INSUFFICIENT_POINTS.';

create function private.adjust_reserve_within_balance(p_campaign_id uuid, p_startup_id uuid, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reserve uuid := private.reserve_wallet(p_campaign_id, p_owner);
  v_startup uuid := private.startup_wallet(p_startup_id, p_owner);
  v_points bigint;
begin
  perform 1 from public.wallets w where w.id = v_startup for no key update;
  perform 1 from public.wallets w where w.id = v_reserve for no key update;
  select sum(w.points) into v_points from public.wallets w where w.id in (v_startup, v_reserve);
  perform private.adjust_reserve(p_campaign_id, p_startup_id, p_owner, least(private.required_reserve(p_campaign_id), v_points));
end $$;
comment on function private.adjust_reserve_within_balance(uuid, uuid, text) is
  'Like adjust_reserve, for slots freed by a decision: tops up only as far as the project''s balance allows, returns any surplus, and '
  'never fails.';

-- Tasks ---------------------------------------------------------------------------------------------------------------

create function private.recount_tasks(p_campaign_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.campaigns c set
    task_count = t.task_count, total_slots = t.slots, updated_at = now()
  from (
    select count(*)::integer as task_count, coalesce(sum(max_completions), 0)::integer as slots
    from public.tasks where campaign_id = p_campaign_id
  ) t
  where c.id = p_campaign_id
$$;
comment on function private.recount_tasks(uuid) is 'Recomputes the quest''s totals after its tasks have changed.';

create function private.require_owned_campaign(p_campaign_id uuid, p_kept_tasks uuid[] default null) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_startup uuid;
begin
  select c.startup_id into v_startup from public.campaigns c where c.id = p_campaign_id;
  if v_startup is null then
    perform private.require_user();
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  -- Lock order: project, submissions (those that go with their task), tasks, quest.
  perform private.require_owned_startup(v_startup);
  if p_kept_tasks is not null then
    perform 1 from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks) order by s.id for update;
  end if;
  perform 1 from public.tasks t where t.campaign_id = p_campaign_id order by t.id for no key update;
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id for no key update;
  if v_campaign.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  return v_campaign;
end $$;
comment on function private.require_owned_campaign(uuid, uuid[]) is
  'Locks and returns a quest of the caller''s project. p_kept_tasks: all other tasks are about to be deleted, so their submissions are '
  'locked first, in the same order as by reviews. Errors: UNAUTHENTICATED, CAMPAIGN_NOT_FOUND, FORBIDDEN (C-42).';

create function private.validate_task(
  p_task jsonb, p_current public.tasks, p_position integer, p_min_points integer, p_max_points integer
) returns public.tasks
language plpgsql stable set search_path = ''
as $$
declare
  v_task public.tasks := p_current;
  v_type text := coalesce(p_task ->> 'type', 'custom');
  v_proof text := coalesce(p_task ->> 'proof_type', 'text');
  v_max_completions integer := greatest(1000, p_current.max_completions);
begin
  v_task.title := private.require_text(p_task ->> 'title', 200, 'TASK_TITLE_REQUIRED',
    format('Please enter a title for Task %s.', p_position));
  v_task.instructions_md := private.require_text(p_task ->> 'instructions_md', 5000, 'TASK_INSTRUCTIONS_REQUIRED',
    format('Please enter instructions for Task %s.', p_position));
  v_task.reward_points := private.to_int(p_task -> 'reward_points');
  if v_task.reward_points is null or v_task.reward_points not between p_min_points and p_max_points then
    perform private.raise_error('TASK_POINTS_RANGE', format('Points must be between %s and %s', p_min_points, p_max_points), 400);
  end if;
  v_task.max_completions := private.to_int(p_task -> 'max_completions');
  if v_task.max_completions is null or v_task.max_completions < 1 then
    perform private.raise_error('TASK_COMPLETIONS_MIN', 'Must allow at least 1 completion', 400);
  elsif v_task.max_completions > v_max_completions then
    perform private.raise_error('TASK_COMPLETIONS_MAX', format('Must allow at most %s completions', v_max_completions), 400);
  end if;
  if v_type <> all (enum_range(null::public.task_type)::text[]) or v_proof <> all (enum_range(null::public.proof_type)::text[]) then
    perform private.raise_error('INVALID_TASK', 'Unknown task or proof type', 400);
  end if;
  v_task.type := v_type;
  v_task.proof_type := v_proof;
  v_task.verification := private.read_verification(p_task, p_current.verification);
  v_task.requires_proof := v_task.verification in ('review', 'automatic')
    and private.to_bool(p_task -> 'requires_proof', coalesce(p_current.requires_proof, true));
  v_task.link_url := case when not p_task ? 'link_url' then p_current.link_url
    else private.normalize_url(p_task ->> 'link_url', 'INVALID_LINK', 'Please enter a valid link') end;
  v_task.order_index := p_position - 1;
  return v_task;
end $$;
comment on function private.validate_task(jsonb, public.tasks, integer, integer, integer) is
  'The validated task at a 1-based position of the owner''s input; p_current is the stored task, null for a new one. Errors: '
  'TASK_TITLE_REQUIRED, TEXT_TOO_LONG, TASK_INSTRUCTIONS_REQUIRED, TASK_POINTS_RANGE, TASK_COMPLETIONS_MIN, TASK_COMPLETIONS_MAX, '
  'INVALID_TASK, INVALID_LINK.';

create function private.insert_task(p_campaign_id uuid, p_task public.tasks) returns uuid
language sql security definer set search_path = ''
as $$
  insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type,
    order_index, verification, link_url)
  values (p_campaign_id, p_task.title, p_task.type, p_task.instructions_md, p_task.reward_points, p_task.max_completions,
    p_task.requires_proof, p_task.proof_type, p_task.order_index, p_task.verification, p_task.link_url)
  returning id
$$;
comment on function private.insert_task(uuid, public.tasks) is 'Adds a validated task to a quest and returns its id.';

-- Quests --------------------------------------------------------------------------------------------------------------

create function private.read_time(p_values jsonb, p_key text, p_default timestamptz default null) returns timestamptz
language plpgsql stable set search_path = ''
as $$
declare
  v_text text := private.clean(p_values ->> p_key);
begin
  if not p_values ? p_key then
    return p_default;
  elsif not pg_input_is_valid(coalesce(v_text, 'now'), 'timestamptz') then
    perform private.raise_error('INVALID_TIME', 'Please enter a valid date and time', 400);
  end if;
  -- Infinity and years of more than four digits are no times to a browser.
  if v_text::timestamptz not between '2000-01-01 00:00+00' and '9999-12-31 00:00+00' then
    perform private.raise_error('INVALID_TIME', 'Please enter a valid date and time', 400);
  end if;
  return v_text::timestamptz;
end $$;
comment on function private.read_time(jsonb, text, timestamptz) is
  'A time in the owner''s input; blank means null, a missing key the default. Errors: INVALID_TIME.';

create function private.check_schedule(p_starts_at timestamptz, p_ends_at timestamptz, p_publishes boolean) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if p_ends_at <= p_starts_at then
    perform private.raise_error('END_BEFORE_START', 'The end must be after the start', 400);
  elsif p_publishes and p_ends_at <= now() then
    perform private.raise_error('END_PASSED', 'The end of this quest has passed. Please choose a later one.', 409);
  end if;
end $$;
comment on function private.check_schedule(timestamptz, timestamptz, boolean) is
  'Refuses an end before the start, and publishing after the end (BEY-07). Errors: END_BEFORE_START, END_PASSED.';

create function private.read_review_hours(p_values jsonb, p_default integer) returns integer
language plpgsql immutable set search_path = ''
as $$
declare
  v_hours integer := private.to_int(p_values -> 'review_hours');
begin
  if (p_values ? 'review_hours') is not true then
    return p_default;
  elsif v_hours is null or v_hours not between 24 and 504 then
    perform private.raise_error('REVIEW_TIME_RANGE', 'The review time must be between 24 and 504 hours', 400);
  end if;
  return v_hours;
end $$;
comment on function private.read_review_hours(jsonb, integer) is
  'Hours within which the owner promises to review a proof; a missing key means the default (BEY-22). Errors: REVIEW_TIME_RANGE.';

create function private.validate_custom_reward(p_values jsonb, p_current public.campaigns) returns public.campaigns
language plpgsql stable set search_path = ''
as $$
declare
  v_campaign public.campaigns := p_current;
begin
  if p_values ? 'custom_reward_title' then
    v_campaign.custom_reward_title := private.clean(p_values ->> 'custom_reward_title');
  end if;
  if p_values ? 'custom_reward_description' then
    v_campaign.custom_reward_description := private.clean(p_values ->> 'custom_reward_description');
  end if;
  if p_values ?| array['custom_reward_title', 'custom_reward_description']
    and not p_values @> '{"custom_reward_title": null, "custom_reward_description": null}'
  then
    perform private.require_text(v_campaign.custom_reward_title, 200, 'CUSTOM_REWARD_TITLE_REQUIRED',
      'Please enter a custom reward title');
    perform private.require_text(v_campaign.custom_reward_description, 2000, 'CUSTOM_REWARD_DESCRIPTION_REQUIRED',
      'Please enter a custom reward description');
  end if;
  return v_campaign;
end $$;
comment on function private.validate_custom_reward(jsonb, public.campaigns) is
  'The quest with the custom reward from the owner''s input: both fields, or null in both for none; a missing key changes nothing. Errors: '
  'CUSTOM_REWARD_TITLE_REQUIRED, CUSTOM_REWARD_DESCRIPTION_REQUIRED, TEXT_TOO_LONG.';

create function private.validate_terms(p_values jsonb, p_current public.campaigns) returns public.campaigns
language plpgsql stable set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.validate_custom_reward(p_values, p_current);
begin
  v_campaign.collect_emails := private.to_bool(p_values -> 'collect_emails', coalesce(p_current.collect_emails, false));
  if p_values ? 'email_collection_purpose' then
    v_campaign.email_collection_purpose := private.clean(left(p_values ->> 'email_collection_purpose', 500));
  end if;
  v_campaign.starts_at := private.read_time(p_values, 'starts_at', p_current.starts_at);
  v_campaign.ends_at := private.read_time(p_values, 'ends_at', p_current.ends_at);
  v_campaign.review_hours := private.read_review_hours(p_values, coalesce(p_current.review_hours, 72));
  return v_campaign;
end $$;
comment on function private.validate_terms(jsonb, public.campaigns) is
  'The quest with the terms shared by creating and editing: custom reward, e-mail collection, times, review time (C-75). p_current is the '
  'stored quest, null for a new one; a missing key changes nothing. Errors: INVALID_TIME, REVIEW_TIME_RANGE and those of '
  'validate_custom_reward.';

create function private.quest_terms(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('title', c.title, 'status', c.status, 'budget_points', c.budget_points,
    'custom_reward_title', c.custom_reward_title, 'custom_reward_description', c.custom_reward_description,
    'collect_emails', c.collect_emails, 'email_collection_purpose', c.email_collection_purpose, 'review_hours', c.review_hours,
    'tasks', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', t.id, 'title', t.title, 'reward_points', t.reward_points, 'max_completions', t.max_completions
    ) order by t.order_index, t.id), '[]')
    from public.tasks t where t.campaign_id = c.id
  ))
  from public.campaigns c where c.id = p_campaign_id
$$;
comment on function private.quest_terms(uuid) is 'The terms of a quest as the audit log records them (BEY-04).';

create function public.create_quest(
  p_startup_id uuid, p_campaign jsonb, p_task jsonb, p_idempotency_key text default null, p_publish boolean default true
) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_limits private.project_limits;
  v_campaign public.campaigns;
  v_title text;
  v_points integer := private.to_int(p_task -> 'reward_points');
  v_max integer := private.to_int(p_task -> 'max_completions');
  v_user text := private.require_user();
  v_terms public.campaigns;
  v_id uuid := gen_random_uuid();
  v_first_id uuid := private.claim_idempotency_key(v_user, 'create_quest', p_idempotency_key, v_id);
begin
  if v_first_id is not null then
    select c.* into v_campaign from public.campaigns c where c.id = v_first_id;
    if v_campaign.id is null then
      perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
    end if;
    return v_campaign;
  end if;
  if not exists (select 1 from public.startup_profiles s where s.id = p_startup_id) then
    perform private.raise_error(
      'STARTUP_ID_NOT_FOUND', format('Startup with ID %s not found', coalesce(p_startup_id::text, '(none)')), 404);
  end if;
  v_startup := private.require_owned_startup(p_startup_id);
  if v_startup.status <> 'verified' then
    perform private.raise_error('STARTUP_NOT_VERIFIED', 'Your project must be verified before you can create quests.', 403);
  end if;
  perform private.check_owner_rate(v_user, 'quest_creation');
  v_title := private.require_text(p_campaign ->> 'title', 200, 'QUEST_TITLE_REQUIRED', 'Please enter a quest title');
  perform private.validate_title(v_title);
  v_terms := private.validate_terms(p_campaign, null);
  if v_points is null or v_points < (case when v_terms.custom_reward_title is null then 1 else 0 end) then
    perform private.raise_error('REWARD_MIN', 'Please enter a valid reward amount (minimum 1 point)', 400);
  end if;
  if v_max is null or v_max < 1 then
    perform private.raise_error('PARTICIPANTS_MIN', 'Please enter a valid number of participants (minimum 1)', 400);
  elsif v_max > 1000 then
    perform private.raise_error('PARTICIPANTS_MAX', 'Please enter at most 1000 participants', 400);
  end if;
  v_limits := private.quest_limits(v_startup);
  if v_points > 1000 then
    perform private.raise_error('TASK_POINTS_RANGE', format('Points must be between %s and %s', 0, 1000), 400);
  elsif v_points > v_limits.reward and not (private.settings()).beta_mode then
    perform private.raise_error('TRIAL_REWARD_MAX', format('Your trial allows at most %s points per quest', v_limits.reward), 400);
  elsif v_points > v_limits.reward then
    perform private.raise_error('REWARD_MAX', format('Beta limit: maximum %s points per quest', v_limits.reward), 400);
  end if;
  perform private.check_quest_limits(v_startup, null, v_points::bigint * v_max);
  perform private.check_schedule(v_terms.starts_at, v_terms.ends_at, p_publish);

  insert into public.campaigns (id, startup_id, title, summary, details_md, budget_points, custom_reward_title, custom_reward_description,
    collect_emails, email_collection_purpose, status, published_at, starts_at, ends_at, review_hours)
  values (v_id, p_startup_id, v_title,
    private.normalize_text(p_campaign ->> 'summary', 500),
    private.normalize_text(p_campaign ->> 'details_md', 10000),
    v_points * v_max, v_terms.custom_reward_title, v_terms.custom_reward_description, v_terms.collect_emails,
    v_terms.email_collection_purpose, case when p_publish then 'published' else 'draft' end::public.campaign_status,
    case when p_publish then now() end, v_terms.starts_at, v_terms.ends_at, v_terms.review_hours)
  returning * into v_campaign;
  perform private.save_verification(private.insert_task(v_campaign.id, private.validate_task(
    p_task || jsonb_build_object('title', coalesce(private.clean(p_task ->> 'title'), v_title)), null, 1, 0, 1000)), p_task);
  if p_publish then
    perform private.check_verification(v_campaign.id);
  end if;
  perform private.recount_tasks(v_campaign.id);
  perform private.adjust_reserve(v_campaign.id, p_startup_id, v_startup.owner_user_id, private.required_reserve(v_campaign.id));
  select c.* into v_campaign from public.campaigns c where c.id = v_campaign.id;
  perform private.audit(v_user, 'campaign.create', 'campaign', v_id::text, null, private.quest_terms(v_id));
  return v_campaign;
end $$;
comment on function public.create_quest(uuid, jsonb, jsonb, text, boolean) is
  'Creates a quest with one task, reserves its points and publishes it, in one transaction (QNEW-19, RULE-09); p_publish false: keeps it '
  'as a draft without reserved points (C-85). Idempotent per owner and key, also under concurrency (TRUST-21). p_campaign: title, summary, '
  'details_md, custom_reward_title, custom_reward_description, collect_emails, email_collection_purpose, starts_at, ends_at, review_hours. '
  'p_task: title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type, auto_verify or verification, '
  'link_url, shared_code or single_use_codes, check_source, check_target. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_IDEMPOTENCY_KEY, '
  'CAMPAIGN_NOT_FOUND (created with this key and deleted since), STARTUP_ID_NOT_FOUND, FORBIDDEN, RATE_LIMITED, STARTUP_NOT_VERIFIED, '
  'QUEST_TITLE_REQUIRED, HIDDEN_CHARACTERS, RESERVED_NAME, TEXT_TOO_LONG, CUSTOM_REWARD_TITLE_REQUIRED, '
  'CUSTOM_REWARD_DESCRIPTION_REQUIRED, REWARD_MIN, REWARD_MAX, TRIAL_REWARD_MAX, PARTICIPANTS_MIN, PARTICIPANTS_MAX, QUEST_LIMIT, '
  'TRIAL_QUEST_LIMIT, BUDGET_LIMIT, POINTS_BUDGET_LIMIT, INVALID_TIME, END_BEFORE_START, END_PASSED, REVIEW_TIME_RANGE, '
  'INSUFFICIENT_POINTS, those of a task, of save_verification and of check_verification.';
grant execute on function public.create_quest(uuid, jsonb, jsonb, text, boolean) to authenticated, service_role;

create function public.get_quest_by_key(p_idempotency_key text) returns setof public.campaigns
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  return query
    select c.* from private.idempotency_keys k join public.campaigns c on c.id = k.subject_id
    where k.user_id = v_user and k.action in ('create_quest', 'update_campaign', 'duplicate_campaign')
      and k.key = private.clean(p_idempotency_key);
end $$;
comment on function public.get_quest_by_key(text) is
  'The quest that the caller created or saved with this key, or none: the outcome of a call whose answer was lost (TRUST-21, C-99). '
  'Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_quest_by_key(text) to authenticated, service_role;

-- ==============================================================================================================================
-- 31_saved_quests.sql
-- ==============================================================================================================================

-- Saved quests and followed projects. Followers of a project are notified of its new quests (BEY-18).

create table public.saved_quests (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  saved_at timestamptz not null default now(),
  unique (user_id, campaign_id)
);
comment on table public.saved_quests is 'Quests saved for later, at most 500 per member.';
create index saved_quests_latest on public.saved_quests (user_id, saved_at desc, campaign_id desc);
create index saved_quests_campaign on public.saved_quests (campaign_id);
alter table public.saved_quests enable row level security;
create policy saved_quests_read on public.saved_quests for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy saved_quests_read on public.saved_quests is 'The member alone.';
grant select on public.saved_quests to authenticated;

create table public.followed_projects (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  followed_at timestamptz not null default now(),
  unique (user_id, startup_id)
);
comment on table public.followed_projects is 'Projects that members follow, at most 500 per member. Projects never learn who follows them.';
create index followed_projects_latest on public.followed_projects (user_id, followed_at desc, startup_id desc);
create index followed_projects_startup on public.followed_projects (startup_id, user_id);
alter table public.followed_projects enable row level security;
create policy followed_projects_read on public.followed_projects for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy followed_projects_read on public.followed_projects is 'The member alone.';
grant select on public.followed_projects to authenticated;

create function public.set_quest_saved(p_campaign_id uuid, p_is_saved boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
begin
  if not coalesce(p_is_saved, false) then
    delete from public.saved_quests s where s.user_id = v_user and s.campaign_id = p_campaign_id;
    return false;
  end if;
  -- Serialised, so that the limit holds.
  perform 1 from public.user_profiles p where p.user_id = v_user for no key update;
  perform 1 from public.campaigns c where c.id = p_campaign_id and c.status = 'published' for key share;
  if not found then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  if (select count(*) from public.saved_quests s where s.user_id = v_user and s.campaign_id <> p_campaign_id) >= 500 then
    perform private.raise_error('SAVED_LIMIT', 'You can save up to 500 quests. Please remove one first.', 409);
  end if;
  insert into public.saved_quests (user_id, campaign_id) values (v_user, p_campaign_id) on conflict do nothing;
  return true;
end $$;
comment on function public.set_quest_saved(uuid, boolean) is
  'Saves a published quest for the caller, or removes it from the saved ones; idempotent. Returns whether it is saved. Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, CAMPAIGN_NOT_FOUND, SAVED_LIMIT.';
grant execute on function public.set_quest_saved(uuid, boolean) to authenticated, service_role;

create function public.set_project_followed(p_startup_id uuid, p_is_followed boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
begin
  if not coalesce(p_is_followed, false) then
    delete from public.followed_projects f where f.user_id = v_user and f.startup_id = p_startup_id;
    return false;
  end if;
  perform 1 from public.user_profiles p where p.user_id = v_user for no key update;
  perform 1 from public.startup_profiles s where s.id = p_startup_id and s.is_public for key share;
  if not found then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if (select count(*) from public.followed_projects f where f.user_id = v_user and f.startup_id <> p_startup_id) >= 500 then
    perform private.raise_error('FOLLOWED_LIMIT', 'You can follow up to 500 projects. Please unfollow one first.', 409);
  end if;
  insert into public.followed_projects (user_id, startup_id) values (v_user, p_startup_id) on conflict do nothing;
  return true;
end $$;
comment on function public.set_project_followed(uuid, boolean) is
  'Follows or unfollows a public project for the caller; idempotent. Returns whether it is followed. Errors: UNAUTHENTICATED, SUSPENDED, '
  'PROFILE_NOT_FOUND, STARTUP_NOT_FOUND, FOLLOWED_LIMIT.';
grant execute on function public.set_project_followed(uuid, boolean) to authenticated, service_role;

create function public.list_saved_quests(p_limit integer default 20, p_cursor text default null) returns table (
  id uuid, startup_id uuid, startup_name text, startup_logo_url text, startup_verified boolean, title text, summary text,
  custom_reward_title text, reward_points integer, task_count integer, total_slots integer, open_slots integer, is_full boolean,
  published_at timestamptz, ends_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('saved_quests', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.cache_for(0, false);
  return query
    select c.id, c.startup_id, s.name, s.logo_url, s.status = 'verified', c.title, c.summary, c.custom_reward_title,
      c.open_reward_points, c.task_count, c.total_slots, greatest(c.open_slots, 0), c.is_full, c.published_at, c.ends_at,
      private.encode_cursor('saved_quests', jsonb_build_array(q.saved_at, c.id))
    from public.saved_quests q join public.campaigns c on c.id = q.campaign_id join public.startup_profiles s on s.id = c.startup_id
    where q.user_id = v_user and c.status = 'published' and (c.ends_at is null or c.ends_at > now())
      and (v_after is null or (q.saved_at, q.campaign_id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by q.saved_at desc, q.campaign_id desc limit v_limit;
end $$;
comment on function public.list_saved_quests(integer, text) is
  'The caller''s saved quests that are still listed, most recently saved first. Columns as in list_published_quests. Next page: the cursor '
  'of the last row. Nullable: startup_logo_url, custom_reward_title, ends_at. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT, '
  'INVALID_CURSOR.';
grant execute on function public.list_saved_quests(integer, text) to authenticated, service_role;

create function public.list_followed_projects(p_limit integer default 20, p_cursor text default null) returns table (
  id uuid, name text, logo_url text, industry text, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('followed_projects', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.cache_for(0, false);
  return query
    select s.id, s.name, s.logo_url, s.industry, private.encode_cursor('followed_projects', jsonb_build_array(f.followed_at, s.id))
    from public.followed_projects f join public.startup_profiles s on s.id = f.startup_id
    where f.user_id = v_user and s.is_public
      and (v_after is null or (f.followed_at, f.startup_id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by f.followed_at desc, f.startup_id desc limit v_limit;
end $$;
comment on function public.list_followed_projects(integer, text) is
  'The public projects that the caller follows, most recently followed first. Next page: the cursor of the last row. Nullable: logo_url. '
  'Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_followed_projects(integer, text) to authenticated, service_role;

-- New quests of followed projects -------------------------------------------------------------------------------------

create table private.quest_announcements (
  campaign_id uuid primary key,
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  announced_at timestamptz not null default now(),
  told_until text,
  untold uuid[] not null default '{}'
);
comment on table private.quest_announcements is
  'Quests that have been announced to the followers of their project; each is announced once. A quest''s row outlives it, or deleting '
  'quests would let a project announce more of them.';
comment on column private.quest_announcements.told_until is
  'While followers are being told, in the order of their ids: the last one that was, at first an empty text. Null once all have had '
  'their turn.';
comment on column private.quest_announcements.untold is
  'Ids in followed_projects of those who could not be told; they are tried again after everybody else.';
create index quest_announcements_startup on private.quest_announcements (startup_id, announced_at);
create index quest_announcements_unfinished on private.quest_announcements (announced_at, campaign_id)
  where told_until is not null or untold <> '{}';

create function private.tell_followers(p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_announcement private.quest_announcements;
  v_last text;
  v_turn uuid[];
  v_follower record;
  v_events bigint[] := '{}';
  v_untold uuid[];
  v_state text;
begin
  select a.* into v_announcement from private.quest_announcements a where a.campaign_id = p_campaign_id;
  if v_announcement.told_until is null then
    v_turn := v_announcement.untold;
    v_untold := '{}';
  else
    select array_agg(f.id), case when count(*) = 1000 then max(f.user_id) end into v_turn, v_last from (
      select f.id, f.user_id from public.followed_projects f
      where f.startup_id = v_announcement.startup_id and f.user_id > v_announcement.told_until order by f.user_id limit 1000
    ) f;
    v_untold := v_announcement.untold;
  end if;
  for v_follower in
    select f.id, f.user_id, jsonb_build_object('campaign_id', c.id, 'quest', c.title, 'project', s.name) as payload
    from public.campaigns c
    join public.startup_profiles s on s.id = c.startup_id
    join public.followed_projects f on f.startup_id = c.startup_id and f.id = any (v_turn) and f.user_id <> s.owner_user_id
      and f.followed_at < greatest(c.published_at, c.starts_at)
    join public.user_profiles p on p.user_id = f.user_id and p.suspended_at is null
    where c.id = p_campaign_id order by f.user_id
  loop
    begin
      v_events := v_events || private.enqueue_event('QuestPublished', v_follower.user_id, v_follower.payload);
    exception when others then
      raise warning 'A follower of quest % could not be told: %', p_campaign_id, sqlerrm;
      v_state := sqlstate;
      v_untold := v_untold || v_follower.id;
    end;
  end loop;
  if v_untold <> '{}' then
    perform private.record_failed_row('announce_quests', v_state, 'followers of quest', p_campaign_id);
  end if;
  -- Hardly anybody wants these mails, and other mails must not wait for all the rest.
  update public.outbox_events o set processed_at = now() where o.id = any (v_events) and not private.wants_mail(o.user_id, o.type);
  update private.quest_announcements a set told_until = v_last, untold = v_untold where a.campaign_id = p_campaign_id;
end $$;
comment on function private.tell_followers(uuid) is
  'Notifies the next thousand followers of an announced quest''s project, and notes the last of them in the same transaction. When all '
  'have had their turn: those who could not be told.';

create function private.next_announcement() returns uuid
language sql stable security definer set search_path = ''
as $$
  select n.id from (
    -- A quest that is not public while its followers are being told waits until it is again.
    (select c.id, f.failed_at, 1 as turn from private.quest_announcements a
    join public.campaigns c on c.id = a.campaign_id and c.status = 'published' and coalesce(c.ends_at > now(), true)
    join public.startup_profiles s on s.id = c.startup_id and s.is_public
    left join private.failed_rows f on f.job = 'announce_quests' and f.row_id = c.id
    where (a.told_until is not null or a.untold <> '{}') and f.failed_at is distinct from now()
    order by f.failed_at nulls first, a.announced_at, c.id limit 1)
    union all
    (select c.id, f.failed_at, 2 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id and s.is_public
    left join private.failed_rows f on f.job = 'announce_quests' and f.row_id = c.id
    where c.status = 'published' and c.published_at > now() - interval '60 days'
      and greatest(c.published_at, c.starts_at) between now() - interval '2 days' and now() and coalesce(c.ends_at > now(), true)
      and not exists (
        select 1 from private.quest_announcements a
        where a.campaign_id = c.id or a.startup_id = c.startup_id and a.announced_at > now() - interval '6 hours'
      ) and f.failed_at is distinct from now()
    order by f.failed_at nulls first, c.published_at desc, c.id desc limit 1)
  ) n order by n.failed_at nulls first, n.turn limit 1
$$;
comment on function private.next_announcement() is
  'The quest whose followers are told next: one whose followers have been told in part before new ones, and what has failed last. Null: '
  'none, or only what has failed in this transaction.';

create function private.announce_quests(p_time interval default '1 second') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign uuid;
begin
  -- One session at a time; others skip it. Two could announce two quests of one project, each not seeing the other's.
  if not pg_try_advisory_xact_lock(hashtextextended('announce_quests', 0)) then
    return;
  end if;
  loop
    v_campaign := private.next_announcement();
    exit when v_campaign is null;
    begin
      insert into private.quest_announcements (campaign_id, startup_id, told_until)
      select c.id, c.startup_id, '' from public.campaigns c where c.id = v_campaign on conflict (campaign_id) do nothing;
      perform private.tell_followers(v_campaign);
    exception when others then
      raise warning 'The quest % could not be announced: %', v_campaign, sqlerrm;
      perform private.record_failed_row('announce_quests', sqlstate, 'quest', v_campaign);
    end;
    exit when clock_timestamp() > now() + p_time;
  end loop;
end $$;
comment on function private.announce_quests(interval) is
  'Called on every tick of the outbox worker: notifies the followers of a project of quests that started within the last two days '
  '(QuestPublished), once per quest, however often it is published. A quest on hold is not published and not announced. A thousand '
  'followers at a time; starts with no more after p_time, and the next call goes on. A quest or follower that fails stops no other; it is '
  'recorded and retried after them.';

-- ==============================================================================================================================
-- 32_email_consents.sql
-- ==============================================================================================================================

-- Members' consents to share their address with a project: what they agreed to and when, and its withdrawal (BEY-10).

create table public.email_consents (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  campaign_id uuid references public.campaigns (id) on delete set null,
  project_name text not null,
  quest_title text not null,
  email text not null,
  statement text not null,
  given_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  handed_over_at timestamptz
);
comment on table public.email_consents is
  'One row per consent of a member to share an address with a project. Written by triggers on campaign_email_collections, and by '
  'start_task for a task whose verification hands the address over.';
comment on column public.email_consents.statement is 'The sentence that the member read and agreed to.';
comment on column public.email_consents.withdrawn_at is
  'When the member withdrew it or gave another address, or its quest was deleted. Null: the project has the address, or gets it.';
comment on column public.email_consents.handed_over_at is
  'When the project got the address; null while the task with which it is handed over is only started.';
create unique index email_consents_active on public.email_consents (user_id, campaign_id) where withdrawn_at is null;
create index email_consents_user on public.email_consents (user_id, given_at desc, id);
create index email_consents_campaign on public.email_consents (campaign_id);

alter table public.email_consents enable row level security;
create policy email_consents_read on public.email_consents for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy email_consents_read on public.email_consents is 'The member and admins; projects read their list of addresses.';
grant select on public.email_consents to authenticated, service_role;

create function private.consent_statement(p_campaign_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select format('I agree that %s gets my email address%s. I can take this back in my settings at any time.',
    s.name, coalesce(' for this purpose: ' || rtrim(c.email_collection_purpose, '. '), ' to contact me'))
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = p_campaign_id
$$;
comment on function private.consent_statement(uuid) is
  'The sentence that a member agrees to who shares an address with this quest, including the owner''s purpose.';

create function public.get_consent_statement(p_campaign_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select private.consent_statement(c.id) from public.campaigns c
  where c.id = p_campaign_id and c.collect_emails and c.status = 'published'
$$;
comment on function public.get_consent_statement(uuid) is
  'The sentence to show where a published quest asks for an address; null when it does not. The same sentence is stored with the consent.';
grant execute on function public.get_consent_statement(uuid) to anon, authenticated, service_role;

create function private.check_consent(p_campaign_id uuid, p_consent text) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_consent <> private.consent_statement(p_campaign_id) then
    perform private.raise_error('CONSENT_CHANGED',
      'What you agree to has changed. Please read it again, then choose your address once more.', 409);
  end if;
end $$;
comment on function private.check_consent(uuid, text) is
  'Refuses when the sentence that the member read is not the one in force: the owner has changed the purpose, or the project''s name, '
  'since. Null, from a caller who shows none, accepts the one in force, as check_price accepts any price. Errors: CONSENT_CHANGED.';

create function private.end_email_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.email_consents e set withdrawn_at = now()
  where e.user_id = old.user_id and e.campaign_id = old.campaign_id and e.withdrawn_at is null
    and (tg_op = 'DELETE' or (e.email, e.statement) is distinct from (new.email, private.consent_statement(new.campaign_id)));
  return null;
end $$;
comment on function private.end_email_consent() is
  'Trigger: ends the consent when the address leaves the list, or when it is given again with another address or sentence.';

create function private.end_consent_without_quest() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.withdrawn_at := coalesce(new.withdrawn_at, now());
  return new;
end $$;
comment on function private.end_consent_without_quest() is 'Trigger: a deleted quest ends the consents to share an address with it.';
create trigger email_consents_end_without_quest before update of campaign_id on public.email_consents
  for each row when (new.campaign_id is null) execute function private.end_consent_without_quest();

create function private.save_email_consent(p_user_id text, p_campaign_id uuid, p_email text, p_handed_over_at timestamptz)
returns public.email_consents
language plpgsql security definer set search_path = ''
as $$
declare
  v_consent public.email_consents;
begin
  insert into public.email_consents as e (user_id, campaign_id, project_name, quest_title, email, statement, handed_over_at)
  select p_user_id, c.id, s.name, c.title, p_email, private.consent_statement(c.id), p_handed_over_at
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = p_campaign_id
  on conflict (user_id, campaign_id) where withdrawn_at is null do update set project_name = excluded.project_name,
    quest_title = excluded.quest_title, email = excluded.email, statement = excluded.statement, handed_over_at = excluded.handed_over_at,
    given_at = case when (e.email, e.statement) = (excluded.email, excluded.statement) then e.given_at else excluded.given_at end
  where e.handed_over_at is null
  returning e.* into v_consent;
  return v_consent;
end $$;
comment on function private.save_email_consent(text, uuid, text, timestamptz) is
  'Stores the consent to share an address with a quest, with p_handed_over_at null for a task that is only started. Returns null when the '
  'project has the address already.';

create function private.record_email_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_consent public.email_consents := private.save_email_consent(new.user_id, new.campaign_id, new.email, now());
begin
  if v_consent.id is not null then
    perform private.enqueue_event('EmailHandedOver', new.user_id, jsonb_build_object(
      'project', v_consent.project_name, 'quest', v_consent.quest_title, 'email', v_consent.email, 'statement', v_consent.statement));
  end if;
  return null;
end $$;
comment on function private.record_email_consent() is
  'Trigger: stores the consent and enqueues a receipt by mail, once for all tasks of a quest under the same sentence.';

-- ==============================================================================================================================
-- 32_quest_lifecycle.sql
-- ==============================================================================================================================

-- The status of a quest: draft, published, closed, and moderation holds (RULE-13, C-25).

create function private.audit_status(p_before public.campaigns, p_after public.campaigns, p_action text) returns void
language sql security definer set search_path = ''
as $$
  select private.audit(public.current_user_id(), p_action, 'campaign', p_after.id::text,
    jsonb_build_object('status', p_before.status), jsonb_build_object('status', p_after.status))
$$;
comment on function private.audit_status(public.campaigns, public.campaigns, text) is
  'Records that the owner of a quest changed its status (BEY-04).';

create function public.publish_campaign(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_before public.campaigns := v_campaign;
begin
  if v_campaign.held_at is not null then
    perform private.raise_error('ON_HOLD', format('This quest is on hold: %s', v_campaign.hold_reason), 409);
  end if;
  if v_campaign.status = 'published' then
    return v_campaign;
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  if not exists (select 1 from public.startup_profiles s where s.id = v_campaign.startup_id and s.status = 'verified') then
    perform private.raise_error('STARTUP_NOT_VERIFIED', 'Your project must be verified before you can create quests.', 403);
  end if;
  if v_campaign.task_count = 0 then
    perform private.raise_error('NO_TASKS', 'Add at least one task before publishing', 409);
  end if;
  perform private.check_schedule(v_campaign.starts_at, v_campaign.ends_at, true);
  perform private.check_verification(p_campaign_id);
  update public.campaigns c set status = 'published', published_at = now(), closed_at = null, updated_at = now()
  where c.id = p_campaign_id returning c.* into v_campaign;
  perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, public.current_user_id(), private.required_reserve(p_campaign_id));
  perform private.audit_status(v_before, v_campaign, 'campaign.publish');
  return v_campaign;
end $$;
comment on function public.publish_campaign(uuid) is
  'Owner publishes a draft or closed quest; its reserve is topped up first. Already published: no change. Errors: UNAUTHENTICATED, '
  'SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, ON_HOLD, RATE_LIMITED, STARTUP_NOT_VERIFIED, NO_TASKS, END_PASSED, INSUFFICIENT_POINTS and '
  'those of check_verification.';
grant execute on function public.publish_campaign(uuid) to authenticated, service_role;

create function private.take_back_to_draft(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_before public.campaigns := v_campaign;
begin
  if v_campaign.status = 'draft' then
    return v_campaign;
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  update public.campaigns c set status = 'draft', closed_at = null, updated_at = now()
  where c.id = p_campaign_id returning c.* into v_campaign;
  if v_before.status = 'closed' then
    -- Closing returned the reserve; as a draft the quest needs it again.
    perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, public.current_user_id(), private.required_reserve(p_campaign_id));
  end if;
  perform private.audit_status(v_before, v_campaign, 'campaign.unpublish');
  return v_campaign;
end $$;
comment on function private.take_back_to_draft(uuid) is
  'Unpublishing by the owner. The reserve stays; a closed quest, which has none, is funded again. No effect on a draft. Errors: '
  'UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, RATE_LIMITED, INSUFFICIENT_POINTS.';

create function private.record_hold(p_campaign public.campaigns, p_decision text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, campaign_id, reason, decided_by)
  select s.id, s.owner_user_id, s.name, p_decision, p_campaign.id, p_campaign.hold_reason, 'questboard'
  from public.startup_profiles s where s.id = p_campaign.startup_id
$$;
comment on function private.record_hold(public.campaigns, text) is 'Adds a hold, or its end, to the project''s decision history (C-97).';

create function private.notify_hold(p_campaign public.campaigns, p_type text, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue_event(p_type, s.owner_user_id,
    jsonb_build_object('campaign_id', p_campaign.id, 'quest', p_campaign.title, 'reason', p_reason))
  from public.startup_profiles s where s.id = p_campaign.startup_id;
end $$;
comment on function private.notify_hold(public.campaigns, text, text) is
  'Notifies the owner of a moderation hold (QuestHeld) or its end (QuestHoldLifted). A suspension or revocation, which holds all quests, '
  'has events of its own.';

create function private.hold_campaign(
  p_campaign_id uuid, p_admin text, p_reason text, p_cause public.hold_cause default 'moderation'
) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.campaigns;
  v_campaign public.campaigns;
  v_reason text := private.require_reason(p_reason);
begin
  select c.* into v_before from public.campaigns c where c.id = p_campaign_id for no key update;
  if v_before.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  elsif (v_before.hold_cause, v_before.hold_reason) = (p_cause, v_reason) then
    return v_before;
  end if;
  -- A closed quest stays closed: its reserve has been returned, and the hold prevents publishing anyway.
  update public.campaigns c set status = case when c.status = 'closed' then c.status else 'draft' end,
    hold_reason = v_reason, held_by = 'questboard', held_at = now(), updated_at = now(), hold_cause = p_cause,
    status_before_hold = coalesce(c.status_before_hold, c.status)
  where c.id = p_campaign_id returning c.* into v_campaign;
  if p_cause = 'moderation' then
    perform private.record_hold(v_campaign, 'held');
    perform private.notify_hold(v_campaign, 'QuestHeld', v_campaign.hold_reason);
  end if;
  perform private.audit(p_admin, case p_cause when 'moderation' then 'campaign.take_down' else 'campaign.hold' end, 'campaign',
    p_campaign_id::text,
    jsonb_build_object('status', v_before.status, 'hold_reason', v_before.hold_reason),
    jsonb_build_object('status', v_campaign.status, 'hold_reason', v_campaign.hold_reason, 'hold_cause', p_cause),
    v_campaign.hold_reason);
  return v_campaign;
end $$;
comment on function private.hold_campaign(uuid, text, text, public.hold_cause) is
  'Unpublishing by an admin: a hold with a reason that the owner sees (C-25). A hold caused by the owner''s suspension or the project''s '
  'revocation ends with it. The same hold again has no effect. Errors: REASON_REQUIRED, CAMPAIGN_NOT_FOUND.';

create function private.end_hold(p_campaign_id uuid, p_publish boolean) returns public.campaigns
language sql security definer set search_path = ''
as $$
  update public.campaigns c set hold_reason = null, held_by = null, held_at = null, hold_cause = null, status_before_hold = null,
    status = case when p_publish and c.status = 'draft' and c.task_count > 0 then coalesce(c.status_before_hold, c.status)
      else c.status end, updated_at = now()
  where c.id = p_campaign_id returning c.*
$$;
comment on function private.end_hold(uuid, boolean) is
  'Ends a hold; p_publish: also restores the status that the hold replaced, unless the owner has since closed the quest or removed its '
  'tasks.';

create function public.unpublish_campaign(p_campaign_id uuid, p_reason text default null) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if private.is_admin() and not exists (
    select 1 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
    where c.id = p_campaign_id and s.owner_user_id = v_user
  ) then
    return private.hold_campaign(p_campaign_id, v_user, p_reason);
  end if;
  return private.take_back_to_draft(p_campaign_id);
end $$;
comment on function public.unpublish_campaign(uuid, text) is
  'Owner returns a quest to draft; an admin takes it down with a moderation hold whose reason the owner sees (C-25, C-78). The reserve '
  'stays; a closed quest, which has none, is funded again when its owner returns it to draft. Errors: UNAUTHENTICATED, SUSPENDED, '
  'CAMPAIGN_NOT_FOUND, FORBIDDEN, RATE_LIMITED, REASON_REQUIRED, INSUFFICIENT_POINTS.';
grant execute on function public.unpublish_campaign(uuid, text) to authenticated, service_role;

create function public.lift_campaign_hold(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.campaigns;
  v_campaign public.campaigns;
begin
  select c.* into v_before from public.campaigns c where c.id = p_campaign_id for no key update;
  if v_before.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, s.owner_user_id) from public.startup_profiles s where s.id = v_before.startup_id;
  if v_before.held_at is null then
    return v_before;
  end if;
  -- Lifted singly, it would stay a draft when its project's other quests are restored.
  if v_before.hold_cause <> 'moderation' then
    perform private.raise_error('HELD_WITH_PROJECT',
      'This quest is on hold together with its project, and comes back with it.', 409);
  end if;
  v_campaign := private.end_hold(p_campaign_id, false);
  perform private.record_hold(v_campaign, 'hold_lifted');
  perform private.notify_hold(v_campaign, 'QuestHoldLifted', null);
  perform private.audit(v_admin, 'campaign.lift_hold', 'campaign', p_campaign_id::text,
    jsonb_build_object('hold_reason', v_before.hold_reason), jsonb_build_object('hold_reason', null));
  return v_campaign;
end $$;
comment on function public.lift_campaign_hold(uuid) is
  'Admin lifts a moderation hold, but not on a quest of their own; the owner may publish again (C-25). Idempotent. Errors: FORBIDDEN, '
  'CAMPAIGN_NOT_FOUND, OWN_MATTER, HELD_WITH_PROJECT.';
grant execute on function public.lift_campaign_hold(uuid) to authenticated, service_role;

create function public.close_campaign(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_before public.campaigns := v_campaign;
begin
  if v_campaign.status = 'closed' then
    return v_campaign;
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  update public.campaigns c set status = 'closed', closed_at = now(), updated_at = now()
  where c.id = p_campaign_id returning c.* into v_campaign;
  perform private.audit_status(v_before, v_campaign, 'campaign.close');
  -- Nobody can submit from here on: what is not promised to pending submissions is returned to the project.
  perform private.adjust_reserve_within_balance(p_campaign_id, v_campaign.startup_id, public.current_user_id());
  return v_campaign;
end $$;
comment on function public.close_campaign(uuid) is
  'Owner closes a quest for good; the unpromised reserve is released (RULE-13, C-50). Errors: UNAUTHENTICATED, SUSPENDED, '
  'CAMPAIGN_NOT_FOUND, FORBIDDEN, RATE_LIMITED.';
grant execute on function public.close_campaign(uuid) to authenticated, service_role;

create function private.close_ended_quests() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign record;
begin
  for v_campaign in
    select e.* from (
      select c.id, c.startup_id, s.owner_user_id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
      left join private.failed_rows f on f.job = 'close_ended_quests' and f.row_id = c.id
      where c.status = 'published' and c.ends_at <= now() order by f.failed_at nulls first, c.ends_at limit 100
    ) e
    -- Lock order: projects' wallets by id.
    left join public.wallets w on w.startup_id = e.startup_id order by w.id, e.id
  loop
    begin
      -- Waits for nobody, because the worker's transaction may hold what a review or a deletion of the quest is waiting for.
      perform 1 from public.startup_profiles s where s.id = v_campaign.startup_id for no key update nowait;
      perform 1 from public.tasks t where t.campaign_id = v_campaign.id order by t.id for no key update nowait;
      perform 1 from public.campaigns c where c.id = v_campaign.id for no key update nowait;
      update public.campaigns c set status = 'closed', closed_at = now(), updated_at = now()
      where c.id = v_campaign.id and c.status = 'published' and c.ends_at <= now();
      if found then
        perform private.adjust_reserve_within_balance(v_campaign.id, v_campaign.startup_id, v_campaign.owner_user_id);
        perform private.audit('system', 'campaign.close', 'campaign', v_campaign.id::text, jsonb_build_object('status', 'published'),
          jsonb_build_object('status', 'closed'), 'Its end has come');
      end if;
    exception
      when lock_not_available then null;
      when others then
        -- One broken quest must not keep all others open. A quest whose end has come takes no proofs, closed or not.
        raise warning 'The quest % could not be closed: %', v_campaign.id, sqlerrm;
        perform private.record_failed_row('close_ended_quests', sqlstate, 'quest', v_campaign.id);
    end;
  end loop;
end $$;
comment on function private.close_ended_quests() is
  'Called on every worker tick: closes quests that have reached ends_at. Unpromised points are returned to the project; pending proofs are '
  'reviewed and paid as after any closing (BEY-07). Submissions are refused from ends_at on, without waiting for this. A quest in use is '
  'left to the next tick.';

create function public.duplicate_campaign(p_campaign_id uuid, p_idempotency_key text default null) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_owner text := public.current_user_id();
  v_startup public.startup_profiles;
  v_id uuid := gen_random_uuid();
  v_first_id uuid := private.claim_idempotency_key(v_owner, 'duplicate_campaign', p_idempotency_key, v_id);
begin
  if v_first_id is not null then
    select c.* into v_campaign from public.campaigns c where c.id = v_first_id;
    if v_campaign.id is null then
      perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
    end if;
    return v_campaign;
  elsif v_campaign.held_at is not null then
    -- A copy could be published at once.
    perform private.raise_error('ON_HOLD', format('This quest is on hold: %s', v_campaign.hold_reason), 409);
  end if;
  select s.* into v_startup from public.startup_profiles s where s.id = v_campaign.startup_id;
  if v_startup.status <> 'verified' then
    perform private.raise_error('STARTUP_NOT_VERIFIED', 'Your project must be verified before you can create quests.', 403);
  end if;
  perform private.check_owner_rate(v_owner, 'quest_creation');
  perform private.check_quest_limits(v_startup, null, v_campaign.budget_points);
  insert into public.campaigns (id, startup_id, title, summary, details_md, budget_points, custom_reward_title, custom_reward_description,
    collect_emails, email_collection_purpose, review_hours)
  values (v_id, v_campaign.startup_id, left('Copy of ' || v_campaign.title, 200), v_campaign.summary, v_campaign.details_md,
    v_campaign.budget_points, v_campaign.custom_reward_title, v_campaign.custom_reward_description, v_campaign.collect_emails,
    v_campaign.email_collection_purpose, v_campaign.review_hours);
  insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type,
    order_index, verification, link_url)
  select v_id, t.title, t.type, t.instructions_md, t.reward_points, t.max_completions, t.requires_proof, t.proof_type, t.order_index,
    t.verification, t.link_url
  from public.tasks t where t.campaign_id = p_campaign_id;
  perform private.copy_verification(p_campaign_id, v_id);
  perform private.recount_tasks(v_id);
  select c.* into v_campaign from public.campaigns c where c.id = v_id;
  perform private.audit(v_owner, 'campaign.create', 'campaign', v_id::text, null, private.quest_terms(v_id));
  return v_campaign;
end $$;
comment on function public.duplicate_campaign(uuid, text) is
  'Copies a quest with its tasks into a draft without reserved points, schedule, submissions and figures (BEY-07). Idempotent per key. '
  'Errors: UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, INVALID_IDEMPOTENCY_KEY, ON_HOLD, RATE_LIMITED, '
  'STARTUP_NOT_VERIFIED, QUEST_LIMIT, TRIAL_QUEST_LIMIT, BUDGET_LIMIT, POINTS_BUDGET_LIMIT.';
grant execute on function public.duplicate_campaign(uuid, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 32_submission_flags.sql
-- ==============================================================================================================================

-- Flags: signs of abuse on a submission, with evidence, for reviewers. They block nothing by themselves (BEY-02), but redeeming points from
-- a flagged submission needs an admin (C-95).

create table public.submission_flags (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null,
  campaign_id uuid not null,
  user_id text not null,
  kind text not null check (kind in (
    'same_link', 'same_picture', 'similar_picture', 'similar_text', 'too_fast', 'related_account', 'disposable_mailbox', 'aliased_mailbox'
  )),
  evidence jsonb not null default '{}',
  twin_submission_id uuid,
  created_at timestamptz not null default now(),
  dismissed_at timestamptz,
  dismissed_by text,
  dismissal_reason text check (length(dismissal_reason) <= 1000),
  unique (submission_id, kind),
  check ((dismissed_at is null) = (dismissed_by is null) and (dismissed_at is null) = (dismissal_reason is null))
);
comment on table public.submission_flags is
  'Signs of abuse on submissions (BEY-02). No foreign keys: points earned by a flagged submission outlive a deleted quest, and so must the '
  'flag.';
comment on column public.submission_flags.evidence is
  'Values for the sentence on the screen. The quest''s owner reads them, so they identify no person and reveal nothing of another project.';
comment on column public.submission_flags.dismissed_by is
  '"questboard" for an admin, whose id is in the audit log only (C-102), or "system".';
comment on column public.submission_flags.twin_submission_id is 'The other submission that this one resembles, perhaps of another project.';
create index submission_flags_user on public.submission_flags (user_id) where dismissed_at is null;
create index submission_flags_campaign on public.submission_flags (campaign_id);

alter table public.submission_flags enable row level security;
create policy submission_flags_read on public.submission_flags for select to authenticated
  using (campaign_id = any (array(select private.own_campaign_ids())) or (select private.is_admin()));
comment on policy submission_flags_read on public.submission_flags is
  'The quest''s owner and admins, never the member, who could use them to evade detection.';
grant select on public.submission_flags to authenticated, service_role;

create table private.unscanned_submissions (
  submission_id uuid not null,
  position bigint not null generated always as identity,
  primary key (submission_id, position)
);
comment on table private.unscanned_submissions is
  'Queue of submissions to compare with others (32_submission_signals), a row for each proof: one that is sent again while the last is '
  'being scanned is scanned, too. No foreign key, because its check would slow down every submission.';
comment on column private.unscanned_submissions.position is 'Scan order: of two similar submissions the later one is flagged.';

create function private.has_unscanned(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from private.unscanned_submissions u join public.submissions s on s.id = u.submission_id where s.user_id = p_user_id);
end $$;
comment on function private.has_unscanned(text) is 'Whether a member has submissions that have not been scanned yet.';

create function private.is_flagged(p_submission_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from public.submission_flags f where f.submission_id = p_submission_id and f.dismissed_at is null)
    or exists (select 1 from private.unscanned_submissions u where u.submission_id = p_submission_id);
end $$;
comment on function private.is_flagged(uuid) is
  'Whether a submission has a flag that no admin has dismissed, or has not been scanned yet; also when its quest is gone.';

create function public.flags(public.submissions) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', f.id, 'kind', f.kind, 'evidence', f.evidence, 'created_at', f.created_at,
    'dismissed_at', f.dismissed_at, 'dismissal_reason', f.dismissal_reason, 'has_twin', f.twin_submission_id is not null,
    'twin', case when t.id is not null then jsonb_build_object('id', t.id, 'campaign_id', t.campaign_id) end
  ) order by f.dismissed_at is not null, f.created_at, f.kind), '[]')
  from public.submission_flags f left join public.submissions t on t.id = f.twin_submission_id
  where f.submission_id = $1.id
$$;
comment on function public.flags(public.submissions) is
  'Computed column (`select=*,flags`): the flags of a submission that the caller may see, with kind, evidence, whether there is a twin, '
  'and its id when the caller may read that submission too. Nothing for the member.';
grant execute on function public.flags(public.submissions) to authenticated, service_role;

create function public.is_flagged(public.submissions) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select 1 from public.submission_flags f where f.submission_id = $1.id and f.dismissed_at is null)
$$;
comment on function public.is_flagged(public.submissions) is
  'Computed column for filters (`is_flagged=is.true`): whether the submission has an open flag that the caller may see. False for the '
  'member.';
grant execute on function public.is_flagged(public.submissions) to authenticated, service_role;

create function public.dismiss_submission_flag(p_flag_id uuid, p_reason text) returns public.submission_flags
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_flag public.submission_flags;
begin
  select f.* into v_flag from public.submission_flags f where f.id = p_flag_id for no key update;
  if v_flag.id is null then
    perform private.raise_error('FLAG_NOT_FOUND', 'Flag not found', 404);
  elsif v_flag.dismissed_at is not null then
    perform private.raise_error('FLAG_DISMISSED', 'This flag has already been dismissed', 409);
  end if;
  perform private.refuse_own_matter(v_admin, v_flag.user_id);
  -- A deleted quest leaves its reserve.
  perform private.refuse_own_matter(v_admin, o.owner_user_id) from (
    select s.owner_user_id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = v_flag.campaign_id
    union all
    select w.owner_user_id from public.wallets w where w.campaign_id = v_flag.campaign_id
  ) o;
  update public.submission_flags f set dismissed_at = now(), dismissed_by = 'questboard', dismissal_reason = v_reason
  where f.id = p_flag_id returning f.* into v_flag;
  -- Without what must be erased with the member (TRUST-28).
  perform private.audit(v_admin, 'flag.dismiss', 'submission', v_flag.submission_id::text,
    jsonb_build_object('flag', v_flag.kind, 'evidence', v_flag.evidence - 'link' - 'domain'), null, v_reason);
  return v_flag;
end $$;
comment on function public.dismiss_submission_flag(uuid, text) is
  'Admin dismisses a flag with a reason (BEY-02, BEY-04), but not on a submission of their own or to a quest of their own. '
  'Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, OWN_MATTER, REASON_REQUIRED, FLAG_NOT_FOUND, FLAG_DISMISSED.';
grant execute on function public.dismiss_submission_flag(uuid, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 32_submission_history.sql
-- ==============================================================================================================================

-- Decisions on submissions, and proofs that were replaced.

create table public.submission_history (
  id bigint generated always as identity primary key,
  submission_id uuid not null,
  campaign_id uuid not null,
  user_id text not null,
  action text not null check (action in ('approved', 'rejected', 'resubmitted', 'reversed', 'overturned')),
  actor_id text not null,
  note text,
  proof_url text,
  proof_text text,
  created_at timestamptz not null default now(),
  rejection_reason public.rejection_reason,
  submitted_at timestamptz,
  review_due_at timestamptz,
  project_wallet_id uuid
);
comment on table public.submission_history is
  'Append-only decisions and earlier proofs of submissions (TRUST-08). No foreign keys: it outlives a deleted quest.';
comment on column public.submission_history.actor_id is
  'Who did it: "member", "project", "questboard", the server by a verified action ("code", "call", "check"), or "deadline": the promised '
  'review time ran out (BEY-22). Admins'' ids are in the audit log only (C-102).';
comment on column public.submission_history.submitted_at is 'When the decided proof was submitted, and when its review was due.';
comment on column public.submission_history.project_wallet_id is
  'Wallet of the project whose public record counts the decision (BEY-05); it outlives quest and project.';
create index submission_history_submission on public.submission_history (submission_id, id);
create index submission_history_project on public.submission_history (project_wallet_id, created_at);
create index submission_history_created on public.submission_history (created_at);
create index submission_history_user on public.submission_history (user_id);
create index submission_history_proof_file on public.submission_history (proof_url) where proof_url like 'proofs/%';
-- The one exception to append-only: when an account is deleted, a proof may be blanked, but not changed.
create trigger submission_history_append_only before update on public.submission_history
  for each row
  when (
    new.proof_url is not null or new.proof_text is not null
    or (to_jsonb(new) - 'proof_url' - 'proof_text') is distinct from (to_jsonb(old) - 'proof_url' - 'proof_text')
  )
  execute function private.prevent_mutation();
create trigger submission_history_no_delete before delete on public.submission_history
  for each row execute function private.prevent_mutation();
create trigger submission_history_no_truncate before truncate on public.submission_history
  for each statement execute function private.prevent_mutation();

alter table public.submission_history enable row level security;
create policy submission_history_read on public.submission_history for select to authenticated
  using (exists (select 1 from public.submissions s where s.id = submission_id) or (select private.is_admin()));
comment on policy submission_history_read on public.submission_history is
  'Whoever may read the submission: the inner query is subject to its policies. Only admins read what outlives a deleted quest.';
grant select on public.submission_history to authenticated, service_role;

create function private.record_decision(p_submission public.submissions, p_action text, p_actor text, p_note text) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.submission_history (submission_id, campaign_id, user_id, action, actor_id, note, proof_url, proof_text,
    rejection_reason, submitted_at, review_due_at, project_wallet_id)
  values (p_submission.id, p_submission.campaign_id, p_submission.user_id, p_action, p_actor, p_note, p_submission.proof_url,
    p_submission.proof_text, p_submission.rejection_reason, p_submission.submitted_at, p_submission.review_due_at, (
      select w.id from public.campaigns c join public.wallets w on w.startup_id = c.startup_id where c.id = p_submission.campaign_id));
end $$;
comment on function private.record_decision(public.submissions, text, text, text) is 'Adds an entry to a submission''s history.';

-- ==============================================================================================================================
-- 32_submission_signals.sql
-- ==============================================================================================================================

-- Detection of the signals behind flags. A new proof is compared with the indexed fingerprints of other people's proofs soon after
-- submission, and in any case before its points can be redeemed. Each rule is explained in docs/decisions/0026-flags.md.

-- Fingerprints --------------------------------------------------------------------------------------------------------

create table private.submission_fingerprints (
  key bigint not null,
  submission_id uuid not null,
  dhash bit(64),
  primary key (key, submission_id)
);
comment on table private.submission_fingerprints is
  'Hashes of a proof''s links, of its picture and of its text, by which later proofs are compared with it. None for a proof without '
  'content of its own. No foreign key, because its check would slow down every submission; readers join submissions.';
comment on column private.submission_fingerprints.dhash is 'The full difference hash, on rows with a quarter of it.';
create index submission_fingerprints_submission on private.submission_fingerprints (submission_id);

create function private.find_twin(p_submission public.submissions, p_key bigint) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  return (
    select s.id from private.submission_fingerprints f join public.submissions s on s.id = f.submission_id
    where f.key = p_key and s.user_id <> p_submission.user_id
    order by (s.campaign_id = p_submission.campaign_id) desc, s.submitted_at, s.id limit 1
  );
end $$;
comment on function private.find_twin(public.submissions, bigint) is
  'Somebody else''s earliest submission with this fingerprint, preferably in the same quest; null when there is none.';

-- Pace ----------------------------------------------------------------------------------------------------------------

create function private.seconds_per_proof(p_submission_ids uuid[]) returns setof numeric
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
  select l.seconds from public.submissions s
  join public.campaigns c on c.id = s.campaign_id
  cross join lateral (
    select least(extract(epoch from s.submitted_at - coalesce(
      case when count(*) = 6 then min(o.submitted_at) end,
      (select p.created_at from public.user_profiles p where p.user_id = s.user_id)
    )) / least(count(*), 5), extract(epoch from s.submitted_at - c.published_at)) as seconds
    from (
      select x.submitted_at from public.submissions x
      where x.user_id = s.user_id and x.submitted_at <= s.submitted_at order by x.submitted_at desc limit 6
    ) o
  ) l
  where s.id = any (p_submission_ids);
end $$;
comment on function private.seconds_per_proof(uuid[]) is
  'For each of these proofs, the upper bound of the average time that its member spent on each of their latest five: since the proof '
  'before them, the sign-up, or the publication of the last one''s quest. An average, because members may work on several quests in '
  'parallel and submit them together. Takes many at once: flagging a proof compares it with a hundred others.';

create function private.usual_seconds(p_campaign_id uuid, p_user_id text) returns numeric
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select case when count(*) >= 20 then percentile_cont(0.05) within group (order by l.seconds) end
    from private.seconds_per_proof(array(
      select s.id from public.submissions s
      where s.campaign_id = p_campaign_id and s.user_id <> p_user_id
        and not exists (
          select 1 from public.submission_flags f where f.submission_id = s.id and f.kind = 'too_fast' and f.dismissed_at is null
        )
      order by s.submitted_at desc limit 100
    )) l (seconds)
  );
end $$;
comment on function private.usual_seconds(uuid, text) is
  'The 5th percentile of the time that other members spent on the latest hundred unflagged proofs of a quest; null with fewer than twenty, '
  'which are too few to tell.';

-- Accounts ------------------------------------------------------------------------------------------------------------

create function private.referrers_of(p_user_id text) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_chain text[] := '{}';
  v_user text := p_user_id;
begin
  for i in 1..3 loop
    select r.referrer_user_id into v_user from public.referrals r where r.referred_user_id = v_user;
    exit when v_user is null;
    v_chain := v_chain || v_user;
  end loop;
  return v_chain;
end $$;
comment on function private.referrers_of(text) is 'The member''s referrer, that one''s referrer, and so on, three levels up.';

create function private.relation_to_owner(p_user_id text, p_owner_id text, p_at timestamptz default now()) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when p_owner_id = any (private.referrers_of(p_user_id)) then 'referred_by_owner'
    when p_user_id = any (private.referrers_of(p_owner_id)) then 'referred_owner'
    when exists (
      select 1 from public.startup_profiles p
      join public.campaigns c on c.startup_id = p.id
      join public.submissions s on s.campaign_id = c.id and s.user_id = p_owner_id and s.status <> 'rejected' and s.submitted_at < p_at
      where p.owner_user_id = p_user_id
    ) then 'mutual_projects' end;
end $$;
comment on function private.relation_to_owner(text, text, timestamptz) is
  'How a member is related to the owner whose quest pays: by referral within three levels, or as owners who complete each other''s quests, '
  'judged by what the owner had submitted before p_at. A referral between two members alone is not suspicious.';

-- Scanning -----------------------------------------------------------------------------------------------------------

create function private.flag(p_submission public.submissions, p_kind text, p_evidence jsonb, p_twin uuid default null) returns void
language sql security definer set search_path = ''
as $$
  insert into public.submission_flags (submission_id, campaign_id, user_id, kind, evidence, twin_submission_id)
  values (p_submission.id, p_submission.campaign_id, p_submission.user_id, p_kind, p_evidence, p_twin)
  on conflict (submission_id, kind) do nothing
$$;
comment on function private.flag(public.submissions, text, jsonb, uuid) is 'Adds a flag unless there is one of its kind.';

create function private.flag_links(p_submission public.submissions, p_instructions text, p_website text) returns bigint[]
language plpgsql security definer set search_path = ''
as $$
declare
  v_keys bigint[] := '{}';
  v_link text;
  v_key bigint;
  v_twin uuid;
begin
  foreach v_link in array private.links_of(p_submission.proof_url, p_submission.proof_text) loop
    continue when private.is_asked_for(v_link, p_instructions, p_website);
    v_key := hashtextextended('link:' || v_link, 0);
    v_keys := v_keys || v_key;
    v_twin := private.find_twin(p_submission, v_key);
    if v_twin is not null then
      perform private.flag(p_submission, 'same_link', jsonb_build_object('link', v_link), v_twin);
    end if;
  end loop;
  return v_keys;
end $$;
comment on function private.flag_links(public.submissions, text, text) is
  'Flags a link that somebody else has submitted. Returns the fingerprints of the proof''s links.';

create function private.flag_text(p_submission public.submissions, p_instructions text) returns bigint[]
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  v_known text[];
  v_words text;
  v_keys bigint[];
  v_twin uuid;
  v_similarity real;
begin
  if length(p_submission.proof_text) < 30 then
    return '{}';
  end if;
  v_known := private.distinct_words(p_instructions);
  v_words := private.own_words(p_submission.proof_text, v_known);
  if length(v_words) < 30 then
    return '{}';
  end if;
  v_keys := private.text_keys(v_words, p_submission.campaign_id);
  select c.id, c.similarity into v_twin, v_similarity
  from (
    select s.id, extensions.similarity(private.own_words(s.proof_text, v_known), v_words) as similarity
    from (
      -- Comparing in full is what takes time: only with those that have the most fingerprints in common.
      select f.submission_id
      from private.submission_fingerprints f join public.submissions o on o.id = f.submission_id
      where f.key = any (v_keys) and o.campaign_id = p_submission.campaign_id and o.user_id <> p_submission.user_id
        and o.proof_text is not null
      group by f.submission_id order by count(*) desc, f.submission_id limit 100
    ) n join public.submissions s on s.id = n.submission_id
  ) c where c.similarity > 0.8 order by c.similarity desc, c.id limit 1;
  if v_twin is not null then
    perform private.flag(p_submission, 'similar_text', jsonb_build_object('similarity', round(v_similarity::numeric, 2)), v_twin);
  end if;
  return v_keys;
end $$;
comment on function private.flag_text(public.submissions, text) is
  'Flags a text that is nearly the same as somebody else''s in this quest, ignoring words of the instructions and very short texts. '
  'Returns the text''s fingerprints.';

create function private.flag_picture(p_submission public.submissions, p_task public.tasks, p_dhash bit(64)) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  v_twin uuid;
  v_distance integer;
  v_others bigint;
  v_look_alikes uuid[];
  v_keys bigint[] := private.picture_keys(p_dhash, true);
begin
  select (array_agg(n.id order by n.is_same_quest desc, n.distance, n.id))[1], min(n.distance),
    count(distinct n.user_id) filter (where n.task_id = p_task.id), array_agg(n.id) filter (where n.task_id = p_task.id)
  into v_twin, v_distance, v_others, v_look_alikes
  from (
    select distinct s.id, s.user_id, s.task_id, s.campaign_id = p_submission.campaign_id as is_same_quest,
      bit_count(f.dhash # p_dhash) as distance
    from private.submission_fingerprints f join public.submissions s on s.id = f.submission_id
    where f.key = any (v_keys) and bit_count(f.dhash # p_dhash) <= 6 and s.user_id <> p_submission.user_id
    limit 500
  ) n;
  if v_others >= 5 and v_others * 2 >= (
    select count(*) - 1 from public.submissions s
    where s.task_id = p_task.id and s.status <> 'rejected' and s.submitted_at <= p_submission.submitted_at
  ) then
    -- If most members send the same picture, it is the screen that the task asks for. Exact copies of a file stay flagged.
    update public.submission_flags f set dismissed_at = now(), dismissed_by = 'system',
      dismissal_reason = 'Most screenshots of this task look like this one'
    where f.submission_id = any (v_look_alikes) and f.twin_submission_id = any (v_look_alikes) and f.kind = 'similar_picture'
      and f.dismissed_at is null;
  elsif v_twin is not null then
    perform private.flag(p_submission, 'similar_picture', jsonb_build_object('distance', v_distance), v_twin);
  end if;
end $$;
comment on function private.flag_picture(public.submissions, public.tasks, bit) is
  'Flags a picture that looks like somebody else''s, unless half of the task''s pictures, from at least five members, look alike.';

create function private.flag_proof(p_submission public.submissions, p_task public.tasks, p_instructions text, p_website text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_keys bigint[] := '{}';
  v_sha256 text;
  v_dhash bit(64);
  v_twin uuid;
begin
  if p_submission.proof_url like 'proofs/%' then
    select v.sha256, v.dhash into v_sha256, v_dhash from private.verified_uploads v
    where v.bucket = 'proofs' and v.path = substr(p_submission.proof_url, 8);
    v_keys := array[hashtextextended('picture:' || v_sha256, 0)];
    v_twin := private.find_twin(p_submission, v_keys[1]);
    -- Nearly blank pictures, such as a button on an empty page, all look alike.
    v_dhash := case when bit_count(v_dhash) between 8 and 56 then v_dhash end;
    if v_twin is not null then
      perform private.flag(p_submission, 'same_picture', '{}', v_twin);
    elsif v_dhash is not null then
      perform private.flag_picture(p_submission, p_task, v_dhash);
    end if;
    insert into private.submission_fingerprints (key, submission_id, dhash)
    select k, p_submission.id, v_dhash from unnest(private.picture_keys(v_dhash, false)) k where v_dhash is not null;
  end if;
  v_keys := v_keys || private.flag_links(p_submission, p_instructions, p_website) || private.flag_text(p_submission, p_instructions);
  insert into private.submission_fingerprints (key, submission_id)
  select distinct k, p_submission.id from unnest(v_keys) k;
end $$;
comment on function private.flag_proof(public.submissions, public.tasks, text, text) is
  'Compares a proof with those of other people, flags matches, and stores its fingerprints.';

create function private.flag_relation(p_submission public.submissions, p_owner_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_accounts text[] := private.accounts_of_person(p_submission.user_id);
  v_relation text;
  v_twin uuid;
begin
  if p_owner_id = any (v_accounts) then
    v_relation := 'mailbox_of_owner';
  else
    select s.id into v_twin from public.submissions s
    where s.campaign_id = p_submission.campaign_id and s.user_id = any (v_accounts) and s.user_id <> p_submission.user_id
      and (s.submitted_at, s.id) < (p_submission.submitted_at, p_submission.id)
    order by s.submitted_at, s.id limit 1;
    v_relation := case when v_twin is not null then 'same_mailbox'
      else private.relation_to_owner(p_submission.user_id, p_owner_id, p_submission.submitted_at) end;
  end if;
  if v_relation is not null then
    perform private.flag(p_submission, 'related_account', jsonb_build_object('relation', v_relation), v_twin);
  end if;
end $$;
comment on function private.flag_relation(public.submissions, text) is
  'Flags a member who takes part in this quest with another account, or is related to the owner who pays.';

create function private.flag_member(p_submission public.submissions, p_owner_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := p_submission.user_id;
  v_email text := (select p.email from public.user_profiles p where p.user_id = v_user);
  v_domain text := substr(v_email, strpos(v_email, '@') + 1);
  v_parent text := substr(v_domain, strpos(v_domain, '.') + 1);
  v_kind text := (select d.kind from private.mailbox_domains d where d.domain in (v_domain, v_parent) limit 1);
begin
  -- A single statement handles the common case of a member without relations.
  if exists (
      select 1 from private.known_mailboxes k
      join private.known_mailboxes o on o.mailbox = k.mailbox and o.user_id <> k.user_id where k.user_id = v_user
    )
    or exists (select 1 from public.referrals r where r.referred_user_id in (v_user, p_owner_id))
    or exists (select 1 from public.startup_profiles s where s.owner_user_id = v_user)
  then
    perform private.flag_relation(p_submission, p_owner_id);
  end if;
  if v_kind = 'disposable' then
    perform private.flag(p_submission, 'disposable_mailbox', jsonb_build_object('domain', v_domain));
  elsif v_kind = 'forwarding' or strpos(v_email, '+') between 2 and strpos(v_email, '@') then
    perform private.flag(p_submission, 'aliased_mailbox', '{}');
  end if;
end $$;
comment on function private.flag_member(public.submissions, text) is
  'Flags relations to other members and addresses that hide an identity. The evidence contains no address.';

create function private.flag_submission(p_submission public.submissions, p_task public.tasks, p_campaign public.campaigns) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner_id text;
  v_website text;
  v_seconds numeric;
  v_usual numeric;
begin
  select p.owner_user_id, p.website into v_owner_id, v_website from public.startup_profiles p where p.id = p_campaign.startup_id;
  if p_submission.submitted_at > p_submission.created_at then
    -- Resubmitted after a rejection: the flags of the previous proof have been dealt with.
    delete from private.submission_fingerprints f where f.submission_id = p_submission.id;
    delete from public.submission_flags f where f.submission_id = p_submission.id;
  end if;
  perform private.flag_proof(p_submission, p_task,
    concat_ws(' ', p_task.title, p_task.instructions_md, p_campaign.title, p_campaign.summary, p_campaign.details_md), v_website);
  perform private.flag_member(p_submission, v_owner_id);

  select x into v_seconds from private.seconds_per_proof(array[p_submission.id]) x;
  if v_seconds < 10 then
    v_usual := private.usual_seconds(p_campaign.id, p_submission.user_id);
    if v_seconds < v_usual then
      perform private.flag(p_submission, 'too_fast',
        jsonb_build_object('seconds', round(v_seconds, 1), 'usual_seconds', round(v_usual, 1)));
    end if;
  end if;
end $$;
comment on function private.flag_submission(public.submissions, public.tasks, public.campaigns) is
  'Flags a new or resubmitted proof, without any effect on its status.';

-- When ----------------------------------------------------------------------------------------------------------------

create function private.scan_submission(p_submission_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_until bigint := (select max(u.position) from private.unscanned_submissions u where u.submission_id = p_submission_id);
  v_submission public.submissions;
  v_task public.tasks;
  v_campaign public.campaigns;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id;
  select t.* into v_task from public.tasks t where t.id = v_submission.task_id;
  select c.* into v_campaign from public.campaigns c where c.id = v_submission.campaign_id;
  if v_campaign.id is not null then
    perform private.flag_submission(v_submission, v_task, v_campaign);
  end if;
  -- Not what was submitted since this began.
  delete from private.unscanned_submissions u where u.submission_id = p_submission_id and u.position <= v_until;
exception when others then
  -- A failed scan counts as a flag, so that an admin sees it and the queue moves on.
  raise warning 'Submission % cannot be scanned: %', p_submission_id, sqlerrm;
  perform private.put_last('scan_submissions', p_submission_id);
end $$;
comment on function private.scan_submission(uuid) is 'Scans one submission and removes it from the queue.';

create function private.lock_scans() returns void
language plpgsql set search_path = ''
as $$ begin perform pg_advisory_xact_lock(hashtextextended('scan_submissions', 0)); end $$;
comment on function private.lock_scans() is
  'One session scans at a time, because each proof is compared with those before it. Comes before the lock of any row: whoever scans may '
  'be waiting for that row.';

create function private.scan_submissions(p_for interval default '2 seconds') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission_id uuid;
  v_start timestamptz;
begin
  if not exists (select 1 from private.unscanned_submissions) then
    return;
  end if;
  perform private.lock_scans();
  -- Not before: whoever has waited for another scan would have no time left.
  v_start := clock_timestamp();
  for v_submission_id in
    select u.submission_id from private.unscanned_submissions u
    left join private.failed_rows f on f.job = 'scan_submissions' and f.row_id = u.submission_id
    group by u.submission_id, f.failed_at order by f.failed_at nulls first, min(u.position)
  loop
    exit when clock_timestamp() > v_start + p_for;
    perform private.scan_submission(v_submission_id);
  end loop;
end $$;
comment on function private.scan_submissions(interval) is
  'Scans the queue for at most p_for (null: all of it): once a minute, and right away when a member with unscanned proofs redeems or '
  'submissions are about to be deleted. Must be called before any wallet is locked.';

-- ==============================================================================================================================
-- 33_collected_emails.sql
-- ==============================================================================================================================

-- E-mails that quests collect from the members who prove their tasks (C-76, BEY-10).

create table public.campaign_email_collections (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  user_id text not null,
  email text not null check (length(email) <= 254),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  collected_at timestamptz not null default now(),
  unique (campaign_id, user_id)
);
comment on table public.campaign_email_collections is
  'E-mails that members gave to quests that collect them (DB-10). Read by the quest''s owner, the member and admins.';
create index campaign_email_collections_submission on public.campaign_email_collections (submission_id);
create index campaign_email_collections_collected on public.campaign_email_collections (campaign_id, collected_at, id);
create index campaign_email_collections_user on public.campaign_email_collections (user_id);
create trigger campaign_email_collections_count_new after insert on public.campaign_email_collections
  referencing new table as changed for each statement execute function private.count_rows('collected_emails');
create trigger campaign_email_collections_count_gone after delete on public.campaign_email_collections
  referencing old table as changed for each statement execute function private.count_rows('collected_emails');

create trigger campaign_email_collections_end_consent after delete or update of email on public.campaign_email_collections
  for each row execute function private.end_email_consent();
-- Named so that it fires after the trigger that ends the previous consent.
create trigger campaign_email_collections_record_consent after insert or update of email on public.campaign_email_collections
  for each row execute function private.record_email_consent();

alter table public.campaign_email_collections enable row level security;
create policy campaign_email_collections_read on public.campaign_email_collections for select to authenticated
  using (
    campaign_id = any (array(select private.own_campaign_ids()))
    or user_id = (select public.current_user_id())
    or (select private.is_admin())
  );
comment on policy campaign_email_collections_read on public.campaign_email_collections is
  'The owner who collected it, the member, and admins.';
grant select on public.campaign_email_collections to authenticated, service_role;

create function public.list_collected_emails(p_campaign_id uuid, p_limit integer default 100, p_cursor text default null) returns table (
  id uuid, email text, collected_at timestamptz, cursor text
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 100, 1000);
  v_after text[] := private.decode_cursor('collected_emails', p_cursor, array['timestamptz', 'uuid']);
begin
  return query
    select e.id, e.email, e.collected_at, private.encode_cursor('collected_emails', jsonb_build_array(e.collected_at, e.id))
    from public.campaign_email_collections e
    where e.campaign_id = p_campaign_id and (v_after is null or (e.collected_at, e.id) > (v_after[1]::timestamptz, v_after[2]::uuid))
    order by e.collected_at, e.id limit v_limit;
end $$;
comment on function public.list_collected_emails(uuid, integer, text) is
  'Addresses that a quest collected, oldest first, as far as the caller may see them: runs with the caller''s rights (SDASH-09). Next '
  'page: the cursor of the last row. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_collected_emails(uuid, integer, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 33_held_points.sql
-- ==============================================================================================================================

-- Conditions that release held points (C-80, C-94).

-- Referral bonuses ----------------------------------------------------------------------------------------------------

create function private.is_related_owner(p_user_id text, p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return p_owner = any (private.accounts_of_person(p_user_id))
    or coalesce(private.relation_to_owner(p_user_id, p_owner) in ('referred_by_owner', 'referred_owner'), false);
end $$;
comment on function private.is_related_owner(text, text) is 'Whether a project''s owner is this person or related to them by referrals.';

create function private.is_decided(p_submission_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.submissions s
    where s.id = p_submission_id and s.status = 'approved' and s.reviewed_by not in ('beta', 'auto', 'deadline')
  );
end $$;
comment on function private.is_decided(uuid) is
  'Whether a person or a verified action approved a submission, rather than the server by rule; false once its quest is deleted.';

create function private.payment_key(p_submission public.submissions) returns text
language plpgsql stable set search_path = ''
as $$ begin return 'submission:' || p_submission.id || ':' || (p_submission.submitted_at at time zone 'UTC'); end $$;
comment on function private.payment_key(public.submissions) is
  'Idempotency key of the payment for a submission as it was last submitted. In UTC, because callers choose their session''s time zone.';

create function private.reversal_key(p_payment_key text) returns text
language sql immutable set search_path = ''
as $$
  select case when p_payment_key like 'submission:%' then
    regexp_replace(regexp_replace(p_payment_key, '^submission:', 'reversal:'), ':balance$', '') end
$$;
comment on function private.reversal_key(text) is
  'Idempotency key of the reversal of a submission''s payment; null when it is not the key of such a payment.';

create function private.referral_proof(p_referrer text, p_referred text) returns table (submission_id uuid, due_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Their mailboxes may have turned out to be the same only after the bonuses were paid.
  if p_referrer = any (private.accounts_of_person(p_referred)) then
    return;
  end if;
  -- From the ledger, because it keeps approved tasks of deleted quests.
  return query
    select t.submission_id, t.created_at + case when d.is_decided then interval '0' else interval '7 days' end
    from public.wallets member
    join public.entries e on e.wallet_id = member.id and e.type = 'credit'
    join public.transfers t on t.id = e.transfer_id and t.kind = 'task_completion' and t.submission_id is not null
    join public.entries paid on paid.id = e.id - 1
    join public.wallets payer on payer.id = paid.wallet_id
    cross join lateral (select private.is_decided(t.submission_id)) d (is_decided)
    where member.user_id = p_referred
      and not exists (select 1 from public.transfers r where r.idempotency_key = private.reversal_key(t.idempotency_key))
      and (d.is_decided or not private.is_flagged(t.submission_id))
      and not private.is_related_owner(p_referrer, payer.owner_user_id)
      and not private.is_related_owner(p_referred, payer.owner_user_id)
    order by 2, t.id limit 1;
end $$;
comment on function private.referral_proof(text, text) is
  'The invited member''s approved task that releases the bonuses, and when: immediately if a person or a verified action approved it, '
  'seven days later if the server approved it by rule and it has no flag. Only tasks of projects unrelated to both members count. No row: '
  'none yet, or both are the same person (C-80, TRUST-15).';

-- Trial budgets -------------------------------------------------------------------------------------------------------

create function private.project_proof(p_owner text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when exists (
      select 1 from public.startup_profiles s where s.owner_user_id = p_owner and s.checked_at is not null and s.status = 'verified'
    ) then 'project_checked'
    when exists (
      select 1 from public.startup_profiles s where s.owner_user_id = p_owner and private.has_active_subscription(s.id)
    ) or private.bought_points(p_owner) > 0 then 'project_paid' end;
end $$;
comment on function private.project_proof(text) is
  'Why points from an owner''s trial budget are not held: an admin has checked the project, or it has paid for a plan or points. Null: '
  'they are held (C-94).';

create function private.is_out_of_favour(p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_refused(p_owner) or (private.suspended_account(p_owner)).user_id is not null;
end $$;
comment on function private.is_out_of_favour(text) is
  'Whether an owner is suspended, also under another account, or an admin''s last word on their projects was no: the passage of time then '
  'releases nothing (C-94, TRUST-18).';

create function private.hold_trial_points(p_transfer_id bigint) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_points bigint;
  v_wallet uuid;
  v_owner text;
begin
  select t.trial_points, e.wallet_id, payer.owner_user_id into v_points, v_wallet, v_owner
  from public.transfers t
  join public.entries e on e.id = t.id * 2
  join public.entries paid on paid.id = t.id * 2 - 1
  join public.wallets payer on payer.id = paid.wallet_id
  where t.id = p_transfer_id and t.trial_points > 0;
  if v_points is not null and private.project_proof(v_owner) is null then
    perform private.hold_points(p_transfer_id, v_wallet, v_points, 'trial', v_owner, now() + interval '7 days');
    return v_points;
  end if;
  return 0;
end $$;
comment on function private.hold_trial_points(bigint) is
  'Holds what a payment has just taken from the trial budget of an unvetted project; returns how many points (C-94).';

create function private.hold_trial_again(p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_paid record;
  v_points bigint;
begin
  -- Waits for approvals under way, which may still have seen the payment, and keeps later ones waiting.
  perform 1 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
  where s.owner_user_id = p_owner order by c.id for no key update of c;
  if private.project_proof(p_owner) is not null then
    return;
  end if;
  for v_paid in
    select t.id, coalesce(h.points, t.trial_points) as points, t.created_at + interval '7 days' as due_at, m.id as wallet_id, m.user_id
    from public.wallets payer
    join public.entries e on e.wallet_id = payer.id and e.type = 'debit'
    join public.transfers t on t.id = e.transfer_id and t.kind = 'task_completion' and t.trial_points > 0
    join public.entries credit on credit.id = t.id * 2
    join public.wallets m on m.id = credit.wallet_id
    left join public.point_holds h on h.id = t.id
    where payer.owner_user_id = p_owner and payer.kind <> 'user' and t.created_at > now() - interval '7 days'
      and (h.id is null or h.release_reason = 'project_paid')
      and not exists (select 1 from public.transfers r where r.idempotency_key = private.reversal_key(t.idempotency_key))
      and not exists (select 1 from private.deleted_users d where d.user_id = m.user_id)
    order by m.id, t.id
  loop
    select least(v_paid.points, w.points - w.held_points) into v_points
    from public.wallets w where w.id = v_paid.wallet_id for no key update;
    continue when v_points <= 0;
    update public.wallets w set held_points = w.held_points + v_points where w.id = v_paid.wallet_id;
    insert into public.point_holds as h (id, wallet_id, user_id, reason, points, depends_on, due_at, check_at)
    values (v_paid.id, v_paid.wallet_id, v_paid.user_id, 'trial', v_points, p_owner, v_paid.due_at, v_paid.due_at)
    on conflict (id) do update set points = excluded.points, due_at = excluded.due_at, check_at = excluded.check_at, released_at = null,
      release_reason = null;
    perform private.enqueue_event('PointsHeld', v_paid.user_id, jsonb_build_object('points', v_points, 'kind', 'trial'));
  end loop;
end $$;
comment on function private.hold_trial_again(text) is
  'After a payment of an owner was taken back, and unless something else vouches for the project: what its trial budget paid in the last '
  'seven days is held until they are over, as if it had never paid. What members have spent stays spent, and what they earned longer ago '
  'stays free (C-94). Locks the owner''s quests, then members'' wallets. For all members or for none: no job would make up for one that '
  'was left out, while the provider repeats an event that failed.';

create function public.mark_startup_checked(p_startup_id uuid, p_note text default null) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_startup.owner_user_id);
  if v_startup.status <> 'verified' then
    perform private.raise_error('STARTUP_UNVERIFIED', 'Only a verified project can be marked as checked', 409);
  elsif v_startup.checked_at is not null then
    return v_startup;
  end if;
  update public.startup_profiles s set checked_at = now() where s.id = p_startup_id returning s.* into v_startup;
  perform private.audit(v_admin, 'startup.check', 'startup', p_startup_id::text, jsonb_build_object('checked_at', null),
    jsonb_build_object('checked_at', v_startup.checked_at), private.normalize_note(p_note));
  perform private.release_project_holds(v_startup.owner_user_id, 'project_checked');
  return v_startup;
end $$;
comment on function public.mark_startup_checked(uuid, text) is
  'Admin confirms a project that was verified automatically in beta, not their own: points from its trial budget are released (C-94). '
  'Idempotent. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, STARTUP_NOT_FOUND, OWN_MATTER, STARTUP_UNVERIFIED.';
grant execute on function public.mark_startup_checked(uuid, text) to authenticated, service_role;

-- Releasing -----------------------------------------------------------------------------------------------------------

create function private.release_hold(p_hold public.point_holds) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_transfer public.transfers;
  v_due_at timestamptz := p_hold.due_at;
  v_cause uuid;
  v_reason text;
begin
  select t.* into v_transfer from public.transfers t where t.id = p_hold.id;
  if p_hold.reason = 'referral' then
    select p.submission_id, p.due_at into v_cause, v_due_at
    from public.referrals r cross join private.referral_proof(r.referrer_user_id, r.referred_user_id) p
    where r.id = v_transfer.referral_id;
    v_reason := case when v_due_at <= now() then 'task_approved' end;
  else
    v_reason := coalesce(private.project_proof(p_hold.depends_on), case
      when v_due_at <= now() and not private.is_flagged(v_transfer.submission_id) and not private.is_out_of_favour(p_hold.depends_on)
        then 'time_passed' end);
  end if;
  if v_reason is not null then
    perform private.close_holds(p_hold.wallet_id, array[p_hold.id], v_reason, v_cause);
  elsif v_due_at is distinct from p_hold.due_at or p_hold.check_at <= now() then
    update public.point_holds h set due_at = v_due_at, check_at = greatest(v_due_at, now() + interval '6 hours')
    where h.id = p_hold.id and h.released_at is null and h.reversed_at is null;
  end if;
end $$;
comment on function private.release_hold(public.point_holds) is
  'Releases a hold if its condition is met; otherwise sets when to check again.';

create function private.release_holds(p_wallet_id uuid, p_depends_on text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hold public.point_holds;
  v_held bigint;
begin
  select w.held_points into v_held from public.wallets w where w.id = p_wallet_id for no key update;
  for v_hold in
    select h.* from public.point_holds h where h.wallet_id = p_wallet_id and h.released_at is null and h.reversed_at is null
      and (p_depends_on is null or h.depends_on = p_depends_on)
    order by h.id
  loop
    perform private.release_hold(v_hold);
  end loop;
  perform private.notify_release(w.id, v_held - w.held_points) from public.wallets w where w.id = p_wallet_id;
end $$;
comment on function private.release_holds(uuid, text) is
  'Releases the holds of a wallet whose conditions are met, all or those that depend on one person, and notifies its owner; called where '
  'the owner is about to spend, or that person has done something.';

create function private.release_due_holds() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('release_due_holds', 0)) then
    return;
  end if;
  for v_wallet in
    select distinct d.wallet_id from (
      select h.wallet_id from public.point_holds h
      left join private.failed_rows f on f.job = 'release_due_holds' and f.row_id = h.wallet_id
      where h.check_at <= now() and h.released_at is null and h.reversed_at is null
      order by f.failed_at nulls first, h.check_at limit 100
    ) d order by 1
  loop
    begin
      perform private.release_holds(v_wallet);
    exception when others then
      -- One broken wallet must not keep everybody else's points held, on this run and all later ones.
      raise warning 'The due holds of wallet % could not be released: %', v_wallet, sqlerrm;
      perform private.record_failed_row('release_due_holds', sqlstate, 'wallet', v_wallet);
    end;
  end loop;
end $$;
comment on function private.release_due_holds() is
  'Releases due holds on every tick of the outbox worker. One session at a time; others skip it. One wallet whose holds cannot be '
  'released stops no other; it is recorded and retried after them.';

-- Approvals and reversals ---------------------------------------------------------------------------------------------

create function private.referral_holds_on(p_user_id text) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select distinct h.wallet_id from public.point_holds h
    where h.depends_on = p_user_id and h.reason = 'referral' and h.released_at is null and h.reversed_at is null order by 1);
end $$;
comment on function private.referral_holds_on(text) is 'Wallets that hold a referral bonus until this member has an approved task.';

create function private.hold_referral_again(p_submission_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hold record;
  v_proof record;
  v_available bigint;
begin
  for v_hold in
    select h.id, h.wallet_id, h.user_id, h.points, r.referrer_user_id, r.referred_user_id
    from public.point_holds h
    join public.transfers t on t.id = h.id
    join public.referrals r on r.id = t.referral_id
    where h.cause_submission_id = p_submission_id and h.released_at is not null
      and not exists (select 1 from public.transfers b where b.idempotency_key = 'reversal:transfer:' || h.id)
    order by h.wallet_id, h.id
  loop
    select p.* into v_proof from private.referral_proof(v_hold.referrer_user_id, v_hold.referred_user_id) p;
    if v_proof.due_at <= now() then
      update public.point_holds h set cause_submission_id = v_proof.submission_id where h.id = v_hold.id;
      continue;
    end if;
    select w.points - w.held_points into v_available from public.wallets w where w.id = v_hold.wallet_id for no key update;
    if v_available > 0 then
      update public.point_holds h set released_at = null, release_reason = null, cause_submission_id = null,
        points = least(h.points, v_available), due_at = v_proof.due_at, check_at = coalesce(v_proof.due_at, now() + interval '1 day')
      where h.id = v_hold.id;
      update public.wallets w set held_points = w.held_points + least(v_hold.points, v_available) where w.id = v_hold.wallet_id;
      perform private.enqueue_event('PointsHeld', v_hold.user_id, jsonb_build_object(
        'points', least(v_hold.points, v_available), 'kind', 'again'));
    end if;
  end loop;
end $$;
comment on function private.hold_referral_again(uuid) is
  'After the reversal of an approval that released referral bonuses: unless another task releases them, unspent points are held again, but '
  'not for a bonus that was itself reversed. The caller has locked the wallets (referral_holds_caused_by).';

create function private.referral_holds_caused_by(p_submission_id uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(select distinct h.wallet_id from public.point_holds h where h.cause_submission_id = p_submission_id order by 1);
end $$;
comment on function private.referral_holds_caused_by(uuid) is 'Wallets whose referral bonus this approval has released.';

-- ==============================================================================================================================
-- 33_submissions.sql
-- ==============================================================================================================================

-- Submitting a proof, and paying for an approval.

-- Approval ------------------------------------------------------------------------------------------------------------

create function private.settle_approval(
  p_submission public.submissions, p_startup_id uuid, p_title text, p_action text default 'approved'
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_promised integer := p_submission.reward_points;
  v_key text := private.payment_key(p_submission);
  v_description text := 'Task completion: ' || p_title;
  v_holders uuid[] := private.referral_holds_on(p_submission.user_id);
  v_holder uuid;
  v_member uuid := private.ensure_user_wallet(p_submission.user_id);
  v_startup uuid;
  v_free bigint;
  v_reserve uuid;
  v_reserved bigint;
  v_trial bigint;
  v_transfer bigint;
  v_held bigint := 0;
begin
  if v_holders <> '{}' then
    -- Lock order: members' wallets before the project's, including those whose holds this approval may release.
    perform 1 from public.wallets w where w.id = any (v_holders || v_member) order by w.id for no key update;
  end if;

  -- The quest is locked, so its reserve cannot shrink.
  select w.id, w.points, w.trial_points into v_reserve, v_reserved, v_trial from public.wallets w
  where w.campaign_id = p_submission.campaign_id;
  v_reserved := least(coalesce(v_reserved, 0), v_promised);
  if v_reserved < v_promised then
    -- Rare: the free balance pays the rest. All three are locked, in order, before the balance is read again.
    perform 1 from public.wallets w where w.id = v_member for no key update;
    select w.id, w.points into v_startup, v_free from public.wallets w where w.startup_id = p_startup_id for no key update;
    select w.points, w.trial_points into v_reserved, v_trial from public.wallets w where w.id = v_reserve for no key update;
    v_reserved := least(coalesce(v_reserved, 0), v_promised);
    if v_reserved + coalesce(v_free, 0) < v_promised then
      perform private.raise_error('STARTUP_INSUFFICIENT_POINTS', format(
        'Cannot approve submission: Startup has insufficient points. Current balance: %s, Required: %s',
        v_reserved + coalesce(v_free, 0), v_promised), 409);
    elsif v_reserved < v_promised then
      v_held := private.hold_trial_points(private.transfer(v_startup, v_member, v_promised - v_reserved, 'task_completion',
        v_description, case when v_reserved > 0 then v_key || ':balance' else v_key end, p_submission_id => p_submission.id,
        p_campaign_id => p_submission.campaign_id));
    end if;
  end if;
  if v_reserved > 0 then
    v_transfer := private.transfer(v_reserve, v_member, v_reserved, 'task_completion', v_description, v_key,
      p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id);
    v_held := v_held + case when v_trial > 0 then private.hold_trial_points(v_transfer) else 0 end;
  end if;

  -- An immediate approval by rule is recorded on the submission and in the ledger, and needs no history.
  if p_submission.reviewed_by not in ('beta', 'auto') then
    perform private.record_decision(p_submission, p_action, p_submission.reviewed_by, p_submission.review_note);
  end if;
  foreach v_holder in array v_holders loop
    perform private.release_holds(v_holder, p_submission.user_id);
  end loop;
  perform private.enqueue_event('SubmissionApproved', p_submission.user_id, jsonb_build_object(
    'submission_id', p_submission.id, 'campaign_id', p_submission.campaign_id, 'task', p_title, 'points', v_promised,
    'held', v_held, 'decided_by', p_submission.reviewed_by));
end $$;
comment on function private.settle_approval(public.submissions, uuid, text, text) is
  'Settles an approval, or an overturned rejection (p_action overturned), in its transaction: pays the promised points once, from the '
  'quest''s reserve and the rest from the project''s free balance (C-01, RULE-08); writes the history, releases referral bonuses (C-80), '
  'enqueues SubmissionApproved (RULE-07). Errors: STARTUP_INSUFFICIENT_POINTS.';

-- Submitting ----------------------------------------------------------------------------------------------------------

create function private.validate_proof_url(p_url text, p_user text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_url text := private.clean(p_url);
begin
  if v_url is null or private.is_http_url(v_url) then
    return v_url;
  end if;
  -- A screenshot is referred to by its path in the private bucket: in the member's own folder, uploaded, and verified to be a picture
  -- (C-59).
  if v_url like 'proofs/%' then
    if private.is_verified_upload('proofs', substr(v_url, 8), p_user) then
      return v_url;
    elsif split_part(v_url, '/', 2) = p_user then
      perform private.raise_error('UPLOAD_NOT_CHECKED', 'This file has not been checked yet. Please upload it again.', 409);
    end if;
  end if;
  perform private.raise_error('INVALID_PROOF_URL', 'Invalid URL format', 400);
end $$;
comment on function private.validate_proof_url(text, text) is
  'An http(s) URL, or the path of the member''s own screenshot that the server has verified (QUEST-19, C-59, C-89). Errors: '
  'INVALID_PROOF_URL, UPLOAD_NOT_CHECKED.';

create function private.check_submission_rate(p_user text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not public.take_rate_limit('user:' || p_user, 'submit_proof', (select x.submissions_per_minute from public.app_settings x), 60) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_submission_rate(text) is
  'At most 6 (a setting) accepted submissions in any minute, whatever their status now (RULE-11). The row lock on the limit serialises a '
  'member''s submissions, which also makes "once per task" exact. Errors: RATE_LIMITED.';

create function private.reserve_slot(
  p_task_id uuid, p_user text, p_old public.submissions, p_approved boolean, p_promised_reward integer default null
) returns public.tasks
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_is_new boolean := p_old.id is null;
  v_is_new_participant boolean;
  v_kept integer := (p_old.kept_until is not null and not p_old.is_slot_reopened)::integer;
begin
  update public.tasks t set approved_count = t.approved_count + p_approved::integer,
    pending_count = t.pending_count + (not p_approved)::integer,
    pending_points = t.pending_points + case when p_approved then 0 else greatest(t.reward_points, p_promised_reward) end,
    kept_count = t.kept_count - v_kept,
    kept_points = t.kept_points - case when p_old.kept_until is not null then p_old.reward_points else 0 end
  where t.id = p_task_id and t.approved_count + t.pending_count + t.kept_count - v_kept < t.max_completions returning t.* into v_task;
  if v_task.id is null and not exists (select 1 from public.tasks t where t.id = p_task_id) then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  elsif v_task.id is null then
    perform private.raise_error('QUEST_FULL', 'Quest Full', 409);
  end if;
  v_task.reward_points := greatest(v_task.reward_points, p_promised_reward);
  v_is_new_participant := v_is_new and not exists (
    select 1 from public.submissions s where s.user_id = p_user and s.campaign_id = v_task.campaign_id);
  update public.campaigns c set approved_count = c.approved_count + p_approved::integer,
    pending_count = c.pending_count + (not p_approved)::integer, kept_count = c.kept_count - v_kept,
    points_distributed = c.points_distributed + case when p_approved then v_task.reward_points else 0 end,
    submission_count = c.submission_count + v_is_new::integer, participant_count = c.participant_count + v_is_new_participant::integer
  where c.id = v_task.campaign_id and c.status = 'published';
  if not found then
    perform private.raise_error('QUEST_NOT_OPEN', 'This quest is not open for submissions', 409);
  end if;
  return v_task;
end $$;
comment on function private.reserve_slot(uuid, text, public.submissions, boolean, integer) is
  'Takes one slot of a published quest, as approved or pending; together they never exceed max_completions (TRUST-04, TRUST-07). p_old: '
  'the member''s rejected submission, whose kept slot is reused; null: none. p_promised_reward: minimum reward. Returns the locked task '
  'with this member''s reward. Errors: TASK_NOT_FOUND (deleted meanwhile), QUEST_FULL, QUEST_NOT_OPEN.';

create function private.cover_promised_reward(p_submission public.submissions, p_campaign public.campaigns) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner text := (select s.owner_user_id from public.startup_profiles s where s.id = p_campaign.startup_id);
begin
  -- Locks everything that the payment may lock, in order, before the reserve.
  perform 1 from public.wallets w
  where w.id = any (private.referral_holds_on(p_submission.user_id) || private.ensure_user_wallet(p_submission.user_id))
  order by w.id for no key update;
  perform private.adjust_reserve(p_campaign.id, p_campaign.startup_id, v_owner,
    private.required_reserve(p_campaign.id) + case p_submission.status when 'approved' then p_submission.reward_points else 0 end);
exception when sqlstate 'PT409' then
  perform private.raise_error('STARTED_REWARD_NOT_COVERED', format(
    'This member started when the task paid %s points, and the project has too few points for that.', p_submission.reward_points), 409);
end $$;
comment on function private.cover_promised_reward(public.submissions, public.campaigns) is
  'Moves what a member was promised beyond the current reward from the project''s free points to the reserve, before it is paid '
  '(TRUST-20). Errors: STARTED_REWARD_NOT_COVERED.';

create function private.auto_reviewer(p_task public.tasks, p_verified_by text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Missing funds leave the submission pending (C-07). Barring defects the reserve suffices: once the slot is taken, the lock on the task
  -- keeps it so.
  if p_task.reward_points > 0
    and p_task.reward_points > coalesce((select w.points from public.wallets w where w.campaign_id = p_task.campaign_id), 0)
    and not exists (
      select 1 from public.campaigns c
      join public.wallets f on f.startup_id = c.startup_id
      left join public.wallets r on r.campaign_id = c.id
      where c.id = p_task.campaign_id and f.points + coalesce(r.points, 0) >= p_task.reward_points
    )
  then
    return null;
  end if;
  return case when p_verified_by is not null then p_verified_by
    when (select s.beta_mode from public.app_settings s) then 'beta'
    when p_task.auto_verify and not p_task.requires_proof then 'auto' end;
end $$;
comment on function private.auto_reviewer(public.tasks, text) is
  'Who approves a submission of this task immediately: the verified action behind it, "beta", "auto" for auto-verified tasks without proof '
  '(C-06); null when it waits for the owner.';

create function private.approval_note(p_reviewer text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return case p_reviewer
    when 'beta' then 'Beta auto-approved - instant rewards!'
    when 'auto' then 'Verified automatically'
    when 'code' then 'Verified: the completion code was right'
    when 'call' then 'Verified: the project''s own system confirmed it'
    when 'check' then 'Verified: confirmed when Questboard asked' end;
end $$;
comment on function private.approval_note(text) is 'Review note that explains an approval by the server.';

create function private.require_open_quest(p_task_id uuid, p_user text) returns public.campaigns
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_found record;
  v_campaign public.campaigns;
begin
  select c as campaign, s.owner_user_id as owner into v_found
  from public.tasks t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles s on s.id = c.startup_id
  where t.id = p_task_id;
  v_campaign := v_found.campaign;
  if v_campaign.id is null then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  elsif v_found.owner = p_user then
    perform private.raise_error('OWN_QUEST', 'You cannot complete your own quest', 403);
  elsif v_campaign.status <> 'published' then
    perform private.raise_error('QUEST_NOT_OPEN', 'This quest is not open for submissions', 409);
  elsif v_campaign.starts_at > now() then
    perform private.raise_error('QUEST_NOT_STARTED', 'This quest has not started yet', 409);
  elsif v_campaign.ends_at <= now() then
    perform private.raise_error('QUEST_ENDED', 'This quest has ended', 409);
  end if;
  return v_campaign;
end $$;
comment on function private.require_open_quest(uuid, text) is
  'The quest of a task, if it accepts proofs from this member now (TRUST-06, TRUST-07). Errors: TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, '
  'QUEST_NOT_STARTED, QUEST_ENDED.';

create function private.check_shared_email(p_campaign public.campaigns, p_email text) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_campaign.collect_emails and p_email is null then
    perform private.raise_error('EMAIL_REQUIRED', 'Email is required', 400);
  elsif p_email is not null and not private.is_email(p_email) then
    perform private.raise_error('INVALID_EMAIL', 'Please enter a valid email address', 400);
  elsif p_campaign.collect_emails and not private.is_own_address(p_email) then
    perform private.raise_error('EMAIL_NOT_VERIFIED', 'This email address is not verified', 422);
  elsif p_campaign.collect_emails and (
    select count(*) from public.email_consents e join public.campaigns c on c.id = e.campaign_id
    where e.user_id = public.current_user_id() and e.withdrawn_at > now() - interval '1 day' and c.startup_id = p_campaign.startup_id
  ) >= 5 then
    -- Each withdrawal leaves a row, and after the hand-over it is mailed to the project, whatever that has received.
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_shared_email(public.campaigns, text) is
  'Where a quest collects addresses, requires a verified one of the caller (BEY-10), who has not withdrawn it from this project five times '
  'within a day (TRUST-27). Errors: EMAIL_REQUIRED, INVALID_EMAIL, EMAIL_NOT_VERIFIED, RATE_LIMITED.';

create function private.record_submission(
  p_user text, p_campaign public.campaigns, p_task public.tasks, p_url text, p_text text, p_email text, p_expected_reward integer,
  p_subscribe boolean, p_verified_by text default null, p_promised_reward integer default null, p_consent text default null,
  p_token text default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_old public.submissions;
  v_new public.submissions;
  v_reviewer text;
begin
  perform private.check_submission_rate(p_user);
  select s.* into v_old from public.submissions s where s.task_id = p_task.id and s.user_id = p_user for no key update;
  if v_old.status in ('pending', 'approved') then
    perform private.raise_error('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409);
  elsif v_old.appealed_at is not null and v_old.kept_until is not null then
    perform private.raise_error('APPEAL_OPEN', 'Your appeal is being decided. You can send a new proof after that.', 409);
  end if;
  v_reviewer := private.auto_reviewer(p_task, p_verified_by);
  if v_old.id is not null
    and exists (select 1 from public.submission_history h where h.submission_id = v_old.id and h.action = 'reversed') then
    -- What an admin has taken back waits for a person, whatever comes next: another proof in beta, or the same code once more.
    v_reviewer := null;
  end if;
  v_task := private.reserve_slot(p_task.id, p_user, v_old, v_reviewer is not null, p_promised_reward);
  perform private.check_price(p_expected_reward, v_task.reward_points, 'points');
  if p_token is not null then
    -- Without the address if the member agreed to something else when they started. Locked, because they may be withdrawing it at this
    -- moment, and only now, because deleting the task locks the token after the task.
    select k.participant_email into p_email from private.task_tokens k
    where k.token = p_token and k.consent = private.consent_statement(p_campaign.id) for no key update;
  end if;
  if v_old.id is not null then
    perform private.record_decision(v_old, 'resubmitted', 'member', v_old.review_note);
  end if;

  insert into public.submissions as s (task_id, campaign_id, user_id, proof_url, proof_text, participant_email, reward_points,
    status, reviewed_by, review_note, reviewed_at, review_due_at, review_check_at)
  values (p_task.id, p_campaign.id, p_user, p_url, p_text, case when p_campaign.collect_emails then p_email end, v_task.reward_points,
    case when v_reviewer is null then 'pending' else 'approved' end::public.submission_status, v_reviewer,
    private.approval_note(v_reviewer), case when v_reviewer is not null then now() end,
    case when v_reviewer is null then now() + make_interval(hours => p_campaign.review_hours) end,
    case when v_reviewer is null then now() + make_interval(hours => p_campaign.review_hours) * 0.5 end)
  on conflict (task_id, user_id) do update set proof_url = excluded.proof_url, proof_text = excluded.proof_text,
    participant_email = excluded.participant_email, reward_points = excluded.reward_points, status = excluded.status,
    reviewed_by = excluded.reviewed_by, review_note = excluded.review_note, reviewed_at = excluded.reviewed_at, submitted_at = now(),
    rejection_reason = null, review_due_at = excluded.review_due_at, review_check_at = excluded.review_check_at,
    kept_until = null, appealed_at = null, is_slot_reopened = false
  returning s.* into v_new;
  if v_new.participant_email is not null then
    perform private.check_consent(p_campaign.id, p_consent);
    insert into public.campaign_email_collections (campaign_id, user_id, email, submission_id)
    values (p_campaign.id, p_user, v_new.participant_email, v_new.id)
    on conflict (campaign_id, user_id) do update set email = excluded.email, submission_id = excluded.submission_id, collected_at = now();
    if p_subscribe then
      perform private.subscribe_participant(p_user, v_new.participant_email, p_campaign.id);
    end if;
  end if;
  insert into private.unscanned_submissions (submission_id) values (v_new.id);
  if p_promised_reward is not null then
    perform private.cover_promised_reward(v_new, p_campaign) from public.tasks t
    where t.id = p_task.id and t.reward_points < p_promised_reward;
  end if;
  if v_reviewer is not null then
    perform private.settle_approval(v_new, p_campaign.startup_id, v_task.title);
  end if;
  if v_old.kept_until is not null and (v_old.is_slot_reopened or v_old.reward_points <> v_new.reward_points) then
    perform private.adjust_reserve_within_balance(p_campaign.id, p_campaign.startup_id, s.owner_user_id)
    from public.startup_profiles s where s.id = p_campaign.startup_id;
  end if;
  return v_new;
end $$;
comment on function private.record_submission(
  text, public.campaigns, public.tasks, text, text, text, integer, boolean, text, integer, text, text
) is
  'Records every submission: rate limit, slot, promised points, row, shared address, and the payment if it is approved immediately. '
  'p_verified_by: the verified action that approves it ("code", "call", "check"); null: the proof is reviewed. The caller has checked '
  'quest, proof and address. p_promised_reward: the reward when the member started the task, if known. p_consent: as in submit_proof. '
  'p_token: the task token that has the address, instead of p_email. '
  'Errors: RATE_LIMITED, ALREADY_SUBMITTED, APPEAL_OPEN, TASK_NOT_FOUND, QUEST_FULL, QUEST_NOT_OPEN, PRICE_CHANGED, CONSENT_CHANGED, '
  'STARTED_REWARD_NOT_COVERED.';

create function public.submit_proof(
  p_task_id uuid, p_url text default null, p_text text default null, p_email text default null, p_expected_reward integer default null,
  p_subscribe boolean default false, p_consent text default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_url text := private.validate_proof_url(p_url, v_user);
  v_text text := private.clean(p_text);
  v_email text := lower(private.clean(p_email));
  v_campaign public.campaigns := private.require_open_quest(p_task_id, v_user);
  v_task public.tasks;
begin
  select t.* into v_task from public.tasks t where t.id = p_task_id;
  if v_url is null and v_text is null then
    perform private.raise_error('PROOF_REQUIRED', 'Proof is required', 400);
  elsif length(v_text) > 2000 then
    perform private.raise_error('PROOF_TOO_LONG', 'Text proof too long', 400);
  elsif v_task.verification in ('code', 'call', 'check') then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  perform private.check_shared_email(v_campaign, v_email);
  return private.record_submission(v_user, v_campaign, v_task, v_url, v_text, v_email, p_expected_reward, p_subscribe,
    p_consent => p_consent);
end $$;
comment on function public.submit_proof(uuid, text, text, text, integer, boolean, text) is
  'Submits a proof of a task and returns the submission, already approved in beta (RULE-02). p_expected_reward: the points that the member '
  'was shown (TRUST-20). p_subscribe: where the quest collects e-mails, also subscribes the member to Questboard''s own news (C-76). '
  'p_consent: the sentence from get_consent_statement that the member was shown and agreed to (BEY-10). '
  'Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, QUEST_NOT_STARTED, QUEST_ENDED, '
  'INVALID_PROOF_URL, UPLOAD_NOT_CHECKED, PROOF_REQUIRED, PROOF_TOO_LONG, WRONG_VERIFICATION, EMAIL_REQUIRED, INVALID_EMAIL, '
  'EMAIL_NOT_VERIFIED, RATE_LIMITED, ALREADY_SUBMITTED, APPEAL_OPEN, QUEST_FULL, PRICE_CHANGED, CONSENT_CHANGED.';
grant execute on function public.submit_proof(uuid, text, text, text, integer, boolean, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 33_verified_actions.sql
-- ==============================================================================================================================

-- Verified actions (BEY-13): a completion code, a signed call from the project's system, or a check that Questboard requests from the
-- project completes a task. All end in record_submission, like a proof that is approved immediately.

create table private.verification_calls (
  id bigint generated always as identity primary key,
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  kind text not null check (kind in ('call', 'check')),
  call_id text check (length(call_id) between 1 and 256),
  token text check (length(token) <= 64),
  task_id uuid references public.tasks (id) on delete set null,
  status integer not null,
  code text not null check (length(code) <= 100),
  message text not null check (length(message) <= 500),
  created_at timestamptz not null default now(),
  unique (startup_id, call_id),
  check ((kind = 'call') = (call_id is not null))
);
comment on table private.verification_calls is
  'Log of exchanges with the projects'' systems: their signed calls, idempotent by their id, and their answers to checks.';
comment on column private.verification_calls.call_id is 'The webhook-id of a call.';
comment on column private.verification_calls.status is 'The HTTP status of our answer to a call, or to the member whose check it was.';
comment on column private.verification_calls.code is 'COMPLETED, ALREADY_COMPLETED, WAITING, NOT_COMPLETED, or why it was refused.';
create index verification_calls_startup on private.verification_calls (startup_id, id desc);
create index verification_calls_task on private.verification_calls (task_id);
create index verification_calls_created on private.verification_calls using brin (created_at);

create table private.counted_actions (
  action_hash bytea primary key,
  token text not null,
  counted_at timestamptz not null default now()
);
comment on table private.counted_actions is
  'What members did elsewhere that a check can tell apart, such as a merged pull request. Each counts for one task of one member, also '
  'after its quest is deleted.';
comment on column private.counted_actions.action_hash is
  'Keyed hash of the id that the connector gives it, because a public id would say who did it, also once the account is erased.';
comment on column private.counted_actions.token is
  'The task token that it counted for, which may use it again, for example after a rejection. No foreign key: it outlives the token.';

create type private.completion as (status integer, code text, message text);
comment on type private.completion is 'Result of a call or a check, as reported to both sides.';

create function private.count_action(p_token text, p_actions text[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hashes bytea[] := array(
    select extensions.hmac(convert_to(a.action, 'UTF8'), private.secret('counted_actions'), 'sha256')
    from unnest(p_actions) with ordinality a (action, position) order by a.position);
begin
  if exists (select 1 from private.counted_actions c where c.token = p_token and c.action_hash = any (v_hashes)) then
    return;
  end if;
  insert into private.counted_actions (action_hash, token)
  select h.hash, p_token from unnest(v_hashes) with ordinality h (hash, position)
  where not exists (select 1 from private.counted_actions c where c.action_hash = h.hash)
  order by h.position limit 1
  on conflict (action_hash) do nothing;
  if not found then
    perform private.raise_error('ACTION_COUNTED', 'This has already been counted for another task. Each task needs one of its own.', 409);
  end if;
end $$;
comment on function private.count_action(text, text[]) is
  'Counts the first of these actions that has not been counted yet for a task token. Errors: ACTION_COUNTED.';

create function private.complete_task(
  p_token private.task_tokens, p_verified_by text, p_actions text[] default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_task public.tasks;
begin
  perform pg_advisory_xact_lock_shared(private.account_lock(p_token.user_id));
  if not exists (select 1 from public.user_profiles p where p.user_id = p_token.user_id and p.suspended_at is null) then
    perform private.raise_error('MEMBER_NOT_ACTIVE', 'This member cannot take part at the moment', 409);
  end if;
  v_campaign := private.require_open_quest(p_token.task_id, p_token.user_id);
  select t.* into v_task from public.tasks t where t.id = p_token.task_id;
  if v_task.verification::text <> p_verified_by then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  if p_actions is not null then
    perform private.count_action(p_token.token, p_actions);
  end if;
  return private.record_submission(p_token.user_id, v_campaign, v_task, null,
    case p_verified_by when 'call' then 'Confirmed by the project' else 'Confirmed by a check' end, null, null, p_token.subscribes,
    p_verified_by, p_token.reward_points, p_token => p_token.token);
end $$;
comment on function private.complete_task(private.task_tokens, text, text[]) is
  'Completes a task by a verified action. p_actions: as in finish_check. Errors: MEMBER_NOT_ACTIVE, WRONG_VERIFICATION, ACTION_COUNTED, '
  'those of require_open_quest and of record_submission.';

create function private.try_completion(
  p_token private.task_tokens, p_verified_by text, p_actions text[] default null
) returns private.completion
language plpgsql security definer set search_path = ''
as $$
declare
  v_status public.submission_status;
  v_code text;
  v_message text;
  v_sqlstate text;
begin
  -- Duplicates of a call arrive together: most see here that the task is done, without waiting for the lock on the member's rate limit.
  if exists (
    select 1 from public.submissions s where s.task_id = p_token.task_id and s.user_id = p_token.user_id and s.status = 'approved'
  ) then
    return (200, 'ALREADY_COMPLETED', 'This member has completed the task before. Nothing was changed.')::private.completion;
  end if;
  v_status := (private.complete_task(p_token, p_verified_by, p_actions)).status;
  if v_status = 'approved' then
    return (200, 'COMPLETED', 'Completed. The points are in the member''s wallet.')::private.completion;
  end if;
  return (200, 'WAITING', 'Received. The task waits for a review.')::private.completion;
exception when sqlstate 'PT400' or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' or sqlstate 'PT429' then
  get stacked diagnostics v_code = pg_exception_hint, v_message = message_text, v_sqlstate = returned_sqlstate;
  if v_code = 'ALREADY_SUBMITTED' then
    return (200, 'ALREADY_COMPLETED', 'This member has completed the task before. Nothing was changed.')::private.completion;
  end if;
  return (right(v_sqlstate, 3)::integer, v_code, v_message)::private.completion;
end $$;
comment on function private.try_completion(private.task_tokens, text, text[]) is
  'complete_task with errors as a result, so that they can be logged for the project.';

-- What the member does ------------------------------------------------------------------------------------------------

create function public.start_task(
  p_task_id uuid, p_email text default null, p_subscribe boolean default false, p_expected_reward integer default null,
  p_consent text default null
) returns table (link text, token text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_email text := lower(private.clean(p_email));
  v_campaign public.campaigns := private.require_open_quest(p_task_id, v_user);
  v_task public.tasks;
  v_promised integer;
  v_token text;
begin
  -- Waits for a deletion of the quest, and keeps the task until its token is stored.
  select t.* into v_task from public.tasks t where t.id = p_task_id for key share;
  if v_task.id is null then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  elsif v_task.verification not in ('call', 'check') then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  perform private.check_shared_email(v_campaign, v_email);
  perform private.check_consent(v_campaign.id, p_consent) where v_campaign.collect_emails;
  if not public.take_rate_limit('user:' || v_user, 'start_task', 30, 60) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  select k.reward_points into v_promised from private.task_tokens k where k.task_id = p_task_id and k.user_id = v_user;
  if p_expected_reward is distinct from v_promised then
    perform private.check_price(p_expected_reward, v_task.reward_points, 'points');
  end if;
  insert into private.task_tokens as k (task_id, user_id, participant_email, subscribes, reward_points, consent)
  values (p_task_id, v_user, case when v_campaign.collect_emails then v_email end, coalesce(p_subscribe, false), v_task.reward_points,
    private.consent_statement(v_campaign.id))
  on conflict (task_id, user_id) do update set participant_email = excluded.participant_email, subscribes = excluded.subscribes,
    consent = excluded.consent,
    -- A lower reward applies once the member has been shown it and starts again.
    reward_points = coalesce(p_expected_reward, greatest(k.reward_points, excluded.reward_points))
  returning k.token into v_token;
  perform private.save_email_consent(v_user, v_campaign.id, v_email, null) where v_campaign.collect_emails;
  return query select regexp_replace(v_task.link_url, '^([^?#]*)(\?[^#]*)?(#.*)?$',
    case when v_task.link_url ~ '^[^#]*\?' then '\1\2&' else '\1?' end || 'questboard_token=' || v_token || '\3'), v_token;
end $$;
comment on function public.start_task(uuid, text, boolean, integer, text) is
  'The caller starts a task that a call or a check verifies. Returns the token of this member and task, always the same, and the task''s '
  'link with the token, which reveals nothing else about the member. The other arguments are those of submit_proof; the member gets no '
  'less than the current reward, even if it is lowered before verification (TRUST-20). Nullable: link. Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, QUEST_NOT_STARTED, QUEST_ENDED, '
  'WRONG_VERIFICATION, EMAIL_REQUIRED, INVALID_EMAIL, EMAIL_NOT_VERIFIED, CONSENT_CHANGED, RATE_LIMITED, PRICE_CHANGED.';
grant execute on function public.start_task(uuid, text, boolean, integer, text) to authenticated, service_role;

create function private.hits_in_window(p_subject text, p_action text, p_window interval) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from private.rate_limits r cross join unnest(r.hits) h
  where r.subject = p_subject and r.action = p_action and h > clock_timestamp() - p_window
$$;
comment on function private.hits_in_window(text, text, interval) is 'Hits in a limit''s current window.';

create function public.submit_completion_code(
  p_task_id uuid, p_code text, p_email text default null, p_expected_reward integer default null, p_subscribe boolean default false,
  p_consent text default null, out is_accepted boolean, out tries_left integer
)
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_email text := lower(private.clean(p_email));
  v_campaign public.campaigns := private.require_open_quest(p_task_id, v_user);
  v_task public.tasks;
  v_code private.completion_codes;
  v_submission uuid;
begin
  perform private.require_plain_call();
  select t.* into v_task from public.tasks t where t.id = p_task_id;
  if v_task.verification <> 'code' then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  perform private.require_text(p_code, 200, 'COMPLETION_CODE_REQUIRED', 'Please enter the code');
  perform private.check_shared_email(v_campaign, v_email);
  if exists (select 1 from public.submissions s where s.task_id = p_task_id and s.user_id = v_user and s.status <> 'rejected') then
    perform private.raise_error('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409);
  elsif private.hits_in_window('task:' || p_task_id, 'wrong_code', interval '1 hour') >= 500 then
    perform private.raise_error('CODES_PAUSED', 'Too many wrong codes were entered for this task. Please try again later.', 429);
  elsif not public.take_rate_limit('user:' || v_user, 'code:' || p_task_id, 5, 3600) then
    perform private.raise_error('CODE_TRIES_USED', 'Too many wrong codes. Please try again in an hour.', 429);
  end if;

  -- Locked before it is read: of two members with the same single-use code, the second finds it used.
  select c.* into v_code from private.completion_codes c
  where c.task_id = p_task_id and c.code_hash = private.hash_completion_code(p_task_id, p_code) for update;
  is_accepted := v_code.id is not null and v_code.used_at is null;
  if not is_accepted then
    -- A result and no error, which would roll back the counted attempt.
    perform public.take_rate_limit('task:' || p_task_id, 'wrong_code', 500, 3600);
  else
    v_submission := (private.record_submission(v_user, v_campaign, v_task, null, 'Completion code entered', v_email, p_expected_reward,
      p_subscribe, 'code', p_consent => p_consent)).id;
    if not v_code.is_shared then
      update private.completion_codes c set submission_id = v_submission, used_at = now() where c.id = v_code.id;
    end if;
  end if;
  tries_left := 5 - private.hits_in_window('user:' || v_user, 'code:' || p_task_id, interval '1 hour');
end $$;
comment on function public.submit_completion_code(uuid, text, text, integer, boolean, text) is
  'Completes a task by a shared or single-use code. A wrong code is a result and no error, because attempts are counted: five an hour per '
  'member and task, 500 wrong ones per task. The other arguments are those of submit_proof. Errors: UNAUTHENTICATED, SUSPENDED, '
  'PROFILE_NOT_FOUND, TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, QUEST_NOT_STARTED, QUEST_ENDED, PLAIN_CALL_REQUIRED, '
  'WRONG_VERIFICATION, COMPLETION_CODE_REQUIRED, TEXT_TOO_LONG, EMAIL_REQUIRED, INVALID_EMAIL, EMAIL_NOT_VERIFIED, ALREADY_SUBMITTED, '
  'CODES_PAUSED, CODE_TRIES_USED, RATE_LIMITED, QUEST_FULL, PRICE_CHANGED, CONSENT_CHANGED.';
grant execute on function public.submit_completion_code(uuid, text, text, integer, boolean, text) to authenticated, service_role;

-- Signed calls --------------------------------------------------------------------------------------------------------

create function public.complete_task_by_call(p_startup_id uuid, p_call_id text, p_token text)
returns table (status integer, code text, message text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_call private.verification_calls;
  v_token private.task_tokens;
  v_startup_id uuid;
  v_answer private.completion;
begin
  insert into private.verification_calls as v (startup_id, kind, call_id, token, status, code, message)
  values (p_startup_id, 'call', p_call_id, left(p_token, 64), 0, 'RECEIVED', '') on conflict (startup_id, call_id) do nothing;
  select v.* into v_call from private.verification_calls v where v.startup_id = p_startup_id and v.call_id = p_call_id for update;
  if v_call.token is distinct from left(p_token, 64) then
    return query select 409, 'CALL_ID_REUSED'::text, 'This webhook-id belongs to another call. Please use a new one.'::text;
    return;
  elsif v_call.status = 200 then
    return query select v_call.status, v_call.code, v_call.message;
    return;
  end if;
  select k.* into v_token from private.task_tokens k where k.token = p_token;
  select c.startup_id into v_startup_id from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = v_token.task_id;
  v_answer := case
    when v_token.token is null
      then (404, 'TOKEN_UNKNOWN', 'This token is not known. Please send the one from the member''s link.')::private.completion
    when v_startup_id <> p_startup_id
      then (403, 'TOKEN_OF_ANOTHER_PROJECT', 'This token belongs to a task of another project.')::private.completion
    else private.try_completion(v_token, 'call') end;
  update private.verification_calls v set status = v_answer.status, code = v_answer.code, message = v_answer.message,
    task_id = case when v_startup_id = p_startup_id then v_token.task_id end
  where v.id = v_call.id;
  return query select v_answer.status, v_answer.code, v_answer.message;
end $$;
comment on function public.complete_task_by_call(uuid, text, text) is
  'A project''s system reports, with a signature verified by the function complete-task, that a member has done a task. Idempotent by the '
  'call''s id: a repeated call gets the first answer, and a refused one is tried again. Returns status, code and sentence: COMPLETED, '
  'ALREADY_COMPLETED, WAITING (200), CALL_ID_REUSED, TOKEN_UNKNOWN, TOKEN_OF_ANOTHER_PROJECT, or the code that refused it. Service role '
  'only.';
grant execute on function public.complete_task_by_call(uuid, text, text) to service_role;

-- Checks --------------------------------------------------------------------------------------------------------------

create function public.begin_check(p_user_id text, p_task_id uuid) returns table (source text, target text, token text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup_id uuid;
begin
  select c.startup_id into v_startup_id from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = p_task_id;
  if exists (select 1 from public.submissions s where s.task_id = p_task_id and s.user_id = p_user_id and s.status <> 'rejected') then
    perform private.raise_error('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409);
  elsif not public.take_rate_limit('user:' || p_user_id, 'check_task', 10, 60)
    or not public.take_rate_limit('project:' || v_startup_id, 'check_task', 300, 60) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  return query
    select c.source, c.target, k.token from private.task_checks c join private.task_tokens k on k.task_id = c.task_id
    where c.task_id = p_task_id and k.user_id = p_user_id;
end $$;
comment on function public.begin_check(text, uuid) is
  'What the function check-task has to request for a member who has called start_task, with the member''s token. Service role only. '
  'Errors: ALREADY_SUBMITTED, RATE_LIMITED.';
grant execute on function public.begin_check(text, uuid) to service_role;

create function public.finish_check(p_user_id text, p_task_id uuid, p_problem text default null, p_actions text[] default null)
returns table (status integer, code text, message text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_token private.task_tokens;
  v_answer private.completion;
begin
  select k.* into v_token from private.task_tokens k where k.task_id = p_task_id and k.user_id = p_user_id;
  v_answer := case when p_problem is not null then (200, 'NOT_COMPLETED', left(p_problem, 500))::private.completion
    else private.try_completion(v_token, 'check', p_actions) end;
  insert into private.verification_calls (startup_id, kind, token, task_id, status, code, message)
  select c.startup_id, 'check', v_token.token, p_task_id, v_answer.status, v_answer.code, v_answer.message
  from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = p_task_id;
  return query select v_answer.status, v_answer.code, v_answer.message;
end $$;
comment on function public.finish_check(text, uuid, text, text[]) is
  'Stores the outcome of a check: the task is completed unless p_problem says otherwise (such as NOT_COMPLETED). p_actions: ids of what '
  'the check has found, where it can tell one action from another; one of them must not have counted for another task. Returns the same '
  'as complete_task_by_call. Service role only.';
grant execute on function public.finish_check(text, uuid, text, text[]) to service_role;

-- What the project sees -----------------------------------------------------------------------------------------------

create function public.list_verification_calls(p_startup_id uuid) returns table (
  id bigint, kind text, call_id text, token text, task_title text, status integer, code text, message text, created_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select v.id, v.kind, v.call_id, v.token, t.title, v.status, v.code, v.message, v.created_at
  from private.verification_calls v left join public.tasks t on t.id = v.task_id
  where v.startup_id = p_startup_id and v.startup_id = any (array(select private.own_startup_ids()))
  order by v.id desc limit 50
$$;
comment on function public.list_verification_calls(uuid) is
  'The last 50 calls and checks of the caller''s project, newest first. Nullable: call_id, token, task_title.';
grant execute on function public.list_verification_calls(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 34_reviews.sql
-- ==============================================================================================================================

-- Decisions on submissions: the owner or an admin approves or rejects. Reversing an approval is in 37_corrections.

create function private.decider(p_user_id text, p_owner text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return case when p_user_id = p_owner then 'project' else 'questboard' end;
end $$;
comment on function private.decider(text, text) is
  'Who made a decision, as members and owners read it: "project" or "questboard", never an admin''s id, which is in the audit log (C-102).';

create function private.count_approvals(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  with decided as (
    select s.task_id, s.campaign_id, count(*)::integer as proofs, sum(s.reward_points)::integer as points
    from public.submissions s where s.id = any (p_submission_ids) group by s.task_id, s.campaign_id
  ), of_tasks as (
    update public.tasks t set approved_count = t.approved_count + d.proofs, pending_count = t.pending_count - d.proofs,
      pending_points = t.pending_points - d.points
    from decided d where t.id = d.task_id
  )
  update public.campaigns c set approved_count = c.approved_count + d.proofs, pending_count = c.pending_count - d.proofs,
    points_distributed = c.points_distributed + d.points
  from (select campaign_id, sum(proofs)::integer as proofs, sum(points) as points from decided group by campaign_id) d
  where c.id = d.campaign_id;
end $$;
comment on function private.count_approvals(uuid[]) is
  'Moves submissions that the caller has just approved from pending to approved in the counters of their tasks and quests, once for a '
  'batch. The caller has locked submissions, tasks and quests.';

create function private.approve(
  p_submission_id uuid, p_reviewer text, p_note text, p_is_counted boolean default true
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_startup_id uuid;
  v_title text;
begin
  update public.submissions s set status = 'approved', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now()
  where s.id = p_submission_id and s.status = 'pending' returning s.* into v_submission;
  if v_submission.id is null then
    perform private.raise_error('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
  end if;
  if p_is_counted then
    update public.tasks t set approved_count = t.approved_count + 1, pending_count = t.pending_count - 1,
      pending_points = t.pending_points - v_submission.reward_points
    where t.id = v_submission.task_id returning t.title into v_title;
    update public.campaigns c set approved_count = c.approved_count + 1, pending_count = c.pending_count - 1,
      points_distributed = c.points_distributed + v_submission.reward_points
    where c.id = v_submission.campaign_id returning c.startup_id into v_startup_id;
  else
    select t.title, c.startup_id into v_title, v_startup_id
    from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = v_submission.task_id;
  end if;
  perform private.settle_approval(v_submission, v_startup_id, v_title);
  return v_submission;
end $$;
comment on function private.approve(uuid, text, text, boolean) is
  'Pending to approved, exactly once (RULE-06, RULE-07, TRUST-02). Without p_is_counted, the caller has locked everything and calls '
  'private.count_approvals for the whole batch: a row that one transaction updates a hundred times gets slower with each update. Errors: '
  'ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';

create function private.validate_rejection(p_reason text, p_note text) returns public.rejection_reason
language plpgsql immutable set search_path = ''
as $$
declare
  -- A note without a reason counts as "other".
  v_reason text := coalesce(private.clean(p_reason), case when p_note is not null then 'other' end);
begin
  if v_reason is null then
    perform private.raise_error('REASON_REQUIRED', 'A reason is required', 400);
  elsif v_reason <> all (enum_range(null::public.rejection_reason)::text[]) then
    perform private.raise_error('INVALID_REASON', 'Unknown reason', 400);
  elsif v_reason = 'other' and p_note is null then
    perform private.raise_error('REASON_WORDS_REQUIRED', 'Please say in a few words why', 400);
  end if;
  return v_reason;
end $$;
comment on function private.validate_rejection(text, text) is
  'One of the six reasons for a rejection; "other" needs a note (C-77). Errors: REASON_REQUIRED, INVALID_REASON, REASON_WORDS_REQUIRED.';

create function private.rejection_sentence(p_reason public.rejection_reason, p_note text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return concat_ws(' ', case p_reason
    when 'does_not_match' then 'The proof does not match the task.'
    when 'cannot_open' then 'The proof cannot be opened or read.'
    when 'not_own' then 'The proof does not seem to be your own.'
    when 'incomplete' then 'The proof is incomplete.'
    when 'duplicate' then 'The proof was submitted before.' end, p_note);
end $$;
comment on function private.rejection_sentence(public.rejection_reason, text) is
  'Reason and note as one sentence, for the mail to the member.';

create function private.appeal_deadline(p_rejected_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$ select date_trunc('day', p_rejected_at at time zone 'UTC') at time zone 'UTC' + interval '192 hours' $$;
comment on function private.appeal_deadline(timestamptz) is
  'Deadline for appealing a rejection: the end of the seventh day after it, in UTC (BEY-23).';

create function private.reject(p_submission_id uuid, p_reviewer text, p_reason public.rejection_reason, p_note text)
returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_kept integer;
begin
  update public.submissions s set status = 'rejected', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now(),
    rejection_reason = p_reason, kept_until = case when p_reviewer <> 'auto' then private.appeal_deadline(now()) end
  where s.id = p_submission_id and s.status = 'pending' returning s.* into v_submission;
  if v_submission.id is null then
    perform private.raise_error('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
  end if;
  v_kept := num_nonnulls(v_submission.kept_until);
  update public.tasks t set pending_count = t.pending_count - 1, pending_points = t.pending_points - v_submission.reward_points,
    kept_count = t.kept_count + v_kept, kept_points = t.kept_points + v_kept * v_submission.reward_points
  where t.id = v_submission.task_id;
  update public.campaigns c set pending_count = c.pending_count - 1, kept_count = c.kept_count + v_kept
  where c.id = v_submission.campaign_id;
  if p_reviewer <> 'auto' then
    perform private.record_decision(v_submission, 'rejected', p_reviewer, p_note);
  end if;
  perform private.enqueue_event('SubmissionRejected', v_submission.user_id, jsonb_build_object(
    'submission_id', v_submission.id, 'campaign_id', v_submission.campaign_id, 'reason', private.rejection_sentence(p_reason, p_note),
    'task', (select t.title from public.tasks t where t.id = v_submission.task_id),
    'due_at', v_submission.kept_until, 'project', (
      select s.name from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = v_submission.campaign_id)));
  return v_submission;
end $$;
comment on function private.reject(uuid, text, public.rejection_reason, text) is
  'Pending to rejected, exactly once; the member is notified. When a person rejects, slot and points are kept until the appeal deadline '
  '(BEY-23). The caller adjusts the reserve. Errors: ALREADY_REVIEWED.';

create function private.release_kept_slots(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- One statement, so that exactly the counted rows are updated.
  with ended as (
    update public.submissions s set kept_until = null, is_slot_reopened = false from (
      select k.id, (not k.is_slot_reopened)::integer as slots from public.submissions k
      where k.id = any (p_submission_ids) and k.kept_until is not null
    ) kept where s.id = kept.id
    returning s.task_id, s.campaign_id, s.reward_points, kept.slots
  ), of_tasks as (
    update public.tasks t set kept_count = t.kept_count - e.slots, kept_points = t.kept_points - e.points
    from (select task_id, sum(slots)::integer as slots, sum(reward_points)::integer as points from ended group by 1) e
    where t.id = e.task_id
  )
  update public.campaigns c set kept_count = c.kept_count - e.slots
  from (select campaign_id, sum(slots)::integer as slots from ended group by 1) e where c.id = e.campaign_id;
end $$;
comment on function private.release_kept_slots(uuid[]) is
  'Frees the slots that these rejected submissions keep. The caller has locked submissions, tasks and quests, and adjusts the reserves.';

create function private.reopen_kept_slot(p_task_id uuid, p_startup_id uuid, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_required bigint;
  v_kept uuid;
begin
  select t.* into v_task from public.tasks t join public.campaigns c on c.id = t.campaign_id
  where t.id = p_task_id and c.status = 'published' and t.approved_count + t.pending_count + t.kept_count >= t.max_completions
    and t.kept_count > greatest(t.max_completions / 10, 1);
  v_required := private.required_reserve(v_task.campaign_id) + v_task.reward_points;
  if v_task.id is null or v_required > (
    select sum(w.points) from public.wallets w where w.campaign_id = v_task.campaign_id or w.startup_id = p_startup_id
  ) then
    return;
  end if;
  -- Skips a submission that is being appealed at this moment: waiting for it would violate the lock order.
  select s.id into v_kept from public.submissions s
  where s.task_id = p_task_id and s.kept_until is not null and s.appealed_at is null and not s.is_slot_reopened
  order by s.kept_until, s.reviewed_at, s.id limit 1 for no key update skip locked;
  if v_kept is null then
    return;
  end if;
  update public.submissions s set is_slot_reopened = true where s.id = v_kept;
  update public.tasks t set kept_count = t.kept_count - 1 where t.id = p_task_id;
  update public.campaigns c set kept_count = c.kept_count - 1 where c.id = v_task.campaign_id;
  perform private.adjust_reserve(v_task.campaign_id, p_startup_id, p_owner, v_required);
end $$;
comment on function private.reopen_kept_slot(uuid, uuid, text) is
  'When a task is full and rejected proofs keep more than a tenth of its slots, frees the oldest kept slot without an appeal, if the '
  'project''s free points can pay for both: the points for an overturned appeal stay reserved. The caller has locked task, quest and '
  'wallets.';

create function private.decide(
  p_user text, p_submission public.submissions, p_decision text, p_note text, p_reason text, p_is_counted boolean default true
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions := p_submission;
  v_startup_id uuid;
  v_owner text;
  v_note text := private.normalize_note(p_note);
  v_reason public.rejection_reason;
  v_decider text;
begin
  select sp.id, sp.owner_user_id into v_startup_id, v_owner
  from public.campaigns c join public.startup_profiles sp on sp.id = c.startup_id where c.id = v_submission.campaign_id;
  -- The error must not reveal a submission to callers who may not read it.
  if not (coalesce(v_owner = p_user, false) or private.is_admin()) then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  elsif v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif p_decision is null or p_decision not in ('approve', 'reject') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  -- Participants never review, not even as admin (TRUST-06).
  perform private.refuse_own_matter(p_user, v_submission.user_id);
  if p_decision = 'reject' then
    v_reason := private.validate_rejection(p_reason, v_note);
  end if;
  v_decider := private.decider(p_user, v_owner);
  perform private.audit(p_user, 'submission.' || p_decision, 'submission', v_submission.id::text,
    jsonb_build_object('status', v_submission.status),
    jsonb_build_object('status', case p_decision when 'approve' then 'approved' else 'rejected' end, 'reason', v_reason), v_note);
  if p_decision = 'approve' then
    return private.approve(v_submission.id, v_decider, coalesce(v_note, 'Approved by project owner'), p_is_counted);
  end if;

  v_submission := private.reject(v_submission.id, v_decider, v_reason, v_note);
  -- The promised points may exceed the slot's current cost, or the quest may be closed: the surplus is returned to the project.
  perform private.adjust_reserve_within_balance(v_submission.campaign_id, v_startup_id, v_owner);
  perform private.reopen_kept_slot(v_submission.task_id, v_startup_id, v_owner);
  return v_submission;
end $$;
comment on function private.decide(text, public.submissions, text, text, text, boolean) is
  'One decision of p_user about a submission as just read (all null: there is none), as review_submission describes it. p_is_counted: as '
  'in private.approve. Errors: FORBIDDEN, SUBMISSION_NOT_FOUND, INVALID_DECISION, OWN_MATTER, REASON_REQUIRED, INVALID_REASON, '
  'REASON_WORDS_REQUIRED, ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';

create function public.review_submission(
  p_submission_id uuid, p_decision text, p_note text default null, p_reason text default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_submission public.submissions;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id;
  return private.decide(v_user, v_submission, p_decision, p_note, p_reason);
end $$;
comment on function public.review_submission(uuid, text, text, text) is
  'The quest''s owner, or an admin, approves or rejects a pending submission (RULE-06, SEC-14, C-43). p_reason, for a rejection: '
  'does_not_match, cannot_open, not_own, incomplete, duplicate or other; p_note: required for other; a note without a reason means other '
  '(C-77). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, SUBMISSION_NOT_FOUND, INVALID_DECISION, OWN_MATTER, REASON_REQUIRED, '
  'INVALID_REASON, REASON_WORDS_REQUIRED, ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.review_submission(uuid, text, text, text) to authenticated, service_role;

create function private.lock_wallets(p_members text[], p_quests uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallets uuid[] := array(select private.ensure_user_wallet(m.id) from unnest(p_members) m (id))
    || array(select unnest(private.referral_holds_on(m.id)) from unnest(p_members) m (id));
begin
  perform 1 from public.wallets w where w.id = any (v_wallets) order by w.id for no key update;
  perform 1 from public.wallets w
  where w.kind = 'startup' and w.owner_user_id in (
    select s.owner_user_id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = any (p_quests)
  ) order by w.id for no key update;
  perform 1 from public.wallets w where w.campaign_id = any (p_quests) order by w.id for no key update;
end $$;
comment on function private.lock_wallets(text[], uuid[]) is
  'Locks, in the global order, every wallet that approving these members'' proofs in these quests may change: theirs, those whose referral '
  'holds depend on them, the projects'', the reserves. The caller has locked the quests.';

create function private.lock_for_review(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_quests uuid[];
  v_members text[];
begin
  -- Locks class by class over all rows, in the order of docs/data-model.md: locking one submission after the other would take the second
  -- one's row after the first one's reserve, and two reviewers could deadlock.
  perform 1 from public.submissions s where s.id = any (p_submission_ids) order by s.id for no key update;
  perform 1 from public.tasks t
  where t.id in (select s.task_id from public.submissions s where s.id = any (p_submission_ids)) order by t.id for no key update;
  select array_agg(distinct s.campaign_id), array_agg(distinct s.user_id) into v_quests, v_members
  from public.submissions s where s.id = any (p_submission_ids);
  perform 1 from public.campaigns c where c.id = any (v_quests) order by c.id for no key update;
  perform private.lock_wallets(v_members, v_quests);
end $$;
comment on function private.lock_for_review(uuid[]) is
  'Locks everything that deciding these submissions may change, in the global order, so that batches and single decisions never deadlock.';

create function public.review_submissions(
  p_submission_ids uuid[], p_decision text, p_note text default null, p_reason text default null
) returns table (
  submission_id uuid, status public.submission_status, reviewed_by text, review_note text, reviewed_at timestamptz,
  rejection_reason public.rejection_reason, error_code text, error_message text
)
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_note text := private.normalize_note(p_note);
  v_own uuid[] := array(select private.own_campaign_ids());
  v_is_admin boolean := private.is_admin();
  v_reason public.rejection_reason;
  v_row public.submissions;
  v_id uuid;
  v_is_repeated boolean;
  v_approved uuid[] := '{}';
begin
  if cardinality(p_submission_ids) > 100 then
    perform private.raise_error('TOO_MANY_DECISIONS', 'Please decide about at most 100 submissions at a time', 400);
  elsif p_decision is null or p_decision not in ('approve', 'reject') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  if p_decision = 'reject' then
    v_reason := private.validate_rejection(p_reason, v_note);
  else
    v_note := coalesce(v_note, 'Approved by project owner');
  end if;
  -- Locks only what the caller may decide.
  perform private.lock_for_review(array(
    select s.id from public.submissions s
    where s.id = any (p_submission_ids) and s.user_id <> v_user and (v_is_admin or s.campaign_id = any (v_own))));

  for v_id in select i.id from unnest(p_submission_ids) with ordinality i (id, n) group by i.id order by min(i.n) loop
    submission_id := v_id;
    error_code := null;
    error_message := null;
    select s.* into v_row from public.submissions s where s.id = v_id;
    -- A retry of the same decision, whose answer was lost, is not a second decision.
    v_is_repeated := v_row.campaign_id = any (v_own) and v_row.user_id <> v_user and v_row.reviewed_by = 'project'
      and v_row.status = case p_decision when 'approve' then 'approved' else 'rejected' end::public.submission_status
      and v_row.review_note is not distinct from v_note and v_row.rejection_reason is not distinct from v_reason;
    if v_is_repeated is not true then
      begin
        v_row := private.decide(v_user, v_row, p_decision, v_note, p_reason, false);
        if p_decision = 'approve' then
          v_approved := v_approved || v_id;
        end if;
      exception when sqlstate 'PT400' or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
        get stacked diagnostics error_code = pg_exception_hint, error_message = message_text;
        v_row := null;
      end;
    end if;
    status := v_row.status;
    reviewed_by := v_row.reviewed_by;
    review_note := v_row.review_note;
    reviewed_at := v_row.reviewed_at;
    rejection_reason := v_row.rejection_reason;
    return next;
  end loop;
  perform private.count_approvals(v_approved);
end $$;
comment on function public.review_submissions(uuid[], text, text, text) is
  'Applies one decision to up to 100 submissions, each independently, as review_submission does: one row per submission with its new state '
  'or the error that refused it (BEY-01). Idempotent (TRUST-21). Nullable: status, reviewed_by, review_note, reviewed_at, '
  'rejection_reason, error_code, error_message. Errors: UNAUTHENTICATED, SUSPENDED, TOO_MANY_DECISIONS, INVALID_DECISION, REASON_REQUIRED, '
  'INVALID_REASON, REASON_WORDS_REQUIRED; in rows FORBIDDEN, SUBMISSION_NOT_FOUND, OWN_MATTER, ALREADY_REVIEWED, '
  'STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.review_submissions(uuid[], text, text, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 35_email_withdrawal.sql
-- ==============================================================================================================================

-- Withdrawing an address that was shared with a project (BEY-10). The consents themselves are in 32_email_consents.

create function private.remove_shared_emails(p_user_id text, p_campaign_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue_event('EmailWithdrawn', s.owner_user_id, jsonb_build_object('quest', c.title, 'email', e.email))
  from public.campaign_email_collections e join public.campaigns c on c.id = e.campaign_id
  join public.startup_profiles s on s.id = c.startup_id
  where e.user_id = p_user_id and (p_campaign_id is null or e.campaign_id = p_campaign_id);
  delete from public.campaign_email_collections e
  where e.user_id = p_user_id and (p_campaign_id is null or e.campaign_id = p_campaign_id);
end $$;
comment on function private.remove_shared_emails(text, uuid) is
  'Takes a member''s address off a quest''s list, or off all lists, and asks the owners to delete copies (BEY-10).';

create function public.withdraw_email_consent(p_consent_id uuid) returns public.email_consents
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
  v_consent public.email_consents;
begin
  -- Also for suspended members, who may always withdraw their address.
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  select e.* into v_consent from public.email_consents e where e.id = p_consent_id and e.user_id = v_user;
  if v_consent.id is null then
    perform private.raise_error('CONSENT_NOT_FOUND', 'Consent not found', 404);
  elsif v_consent.withdrawn_at is not null then
    return v_consent;
  end if;
  -- Lock order: submissions before the tokens, from which a verified action may be taking the address at this moment.
  perform 1 from public.submissions s where s.user_id = v_user and s.campaign_id = v_consent.campaign_id order by s.id for no key update;
  -- Tasks that were started before and are verified later must not hand it over again.
  update private.task_tokens k set participant_email = null from public.tasks t
  where t.id = k.task_id and t.campaign_id = v_consent.campaign_id and k.user_id = v_user;
  update public.submissions s set participant_email = null
  where s.user_id = v_user and s.campaign_id = v_consent.campaign_id and s.participant_email is not null;
  perform private.remove_shared_emails(v_user, v_consent.campaign_id);
  -- One that was not handed over yet is on no list.
  update public.email_consents e set withdrawn_at = now() where e.id = p_consent_id and e.withdrawn_at is null;
  select e.* into v_consent from public.email_consents e where e.id = p_consent_id;
  return v_consent;
end $$;
comment on function public.withdraw_email_consent(uuid) is
  'A member withdraws an address: it leaves the project''s list and exports, and the owner is asked to delete copies, or it is not handed '
  'over with a task that is only started (BEY-10). Idempotent. '
  'Errors: UNAUTHENTICATED, CONSENT_NOT_FOUND.';
grant execute on function public.withdraw_email_consent(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 35_quest_changes.sql
-- ==============================================================================================================================

-- Editing and deleting a quest. Submitted work is decided first: pending proofs are approved and paid, or block the change (C-98).

create function private.update_task(p_task public.tasks) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_task.approved_count + p_task.pending_count + p_task.kept_count > p_task.max_completions then
    perform private.raise_error('TASK_SLOTS_TAKEN', 'Cannot allow fewer completions than have already been submitted', 409);
  end if;
  update public.tasks t set title = p_task.title, type = p_task.type, instructions_md = p_task.instructions_md,
    reward_points = p_task.reward_points, max_completions = p_task.max_completions, requires_proof = p_task.requires_proof,
    proof_type = p_task.proof_type, order_index = p_task.order_index, verification = p_task.verification, link_url = p_task.link_url
  where t.id = p_task.id;
end $$;
comment on function private.update_task(public.tasks) is
  'Saves a validated task. The caller has locked its row, so that the counters are current. Errors: TASK_SLOTS_TAKEN.';

create function private.save_task(p_campaign public.campaigns, p_task jsonb, p_position integer, p_max_points integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_new boolean := private.clean(p_task ->> 'id') is null;
  v_current public.tasks;
  v_task public.tasks;
  v_id uuid;
begin
  if not v_is_new then
    select t.* into v_current from public.tasks t where t.id::text = p_task ->> 'id' and t.campaign_id = p_campaign.id;
  end if;
  -- Stored values stay allowed, even if the project's limits have become stricter since.
  v_task := private.validate_task(p_task, v_current, p_position,
    case when p_campaign.custom_reward_title is null then 1 else 0 end, greatest(p_max_points, v_current.reward_points));
  if v_is_new then
    v_id := private.insert_task(p_campaign.id, v_task);
  elsif v_current.id is null then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  elsif v_task.reward_points < v_current.reward_points and p_campaign.submission_count > 0 then
    perform private.raise_error('REWARD_PROMISED', format(
      'Members have taken part for the %s points of Task %s. You can raise them, not lower them.',
      v_current.reward_points, p_position), 409);
  else
    perform private.update_task(v_task);
    v_id := v_task.id;
  end if;
  perform private.save_verification(v_id, p_task);
  return v_id;
end $$;
comment on function private.save_task(public.campaigns, jsonb, integer, integer) is
  'Adds (no id) or changes one task of a quest that is being edited and returns its id; p_max_points as for a new quest. A reward cannot '
  'be lowered once there are proofs (C-75). Errors: TASK_NOT_FOUND, REWARD_PROMISED, TASK_SLOTS_TAKEN and those of validate_task and '
  'save_verification.';

create function private.check_promises(p_before public.campaigns, p_after public.campaigns) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not coalesce(starts_with(p_after.custom_reward_title, p_before.custom_reward_title)
    and starts_with(p_after.custom_reward_description, p_before.custom_reward_description), p_before.custom_reward_title is null) then
    perform private.raise_error('CUSTOM_REWARD_PROMISED',
      'Members have taken part for the custom reward. You can add to its words, not change or remove them.', 409);
  elsif p_after.collect_emails and (
    not p_before.collect_emails or p_after.email_collection_purpose is distinct from p_before.email_collection_purpose
  ) then
    perform private.raise_error('EMAIL_PURPOSE_PROMISED',
      'Members have taken part. You can stop collecting e-mails, but not start, and not change what they are for.', 409);
  end if;
end $$;
comment on function private.check_promises(public.campaigns, public.campaigns) is
  'Once there are proofs, terms can only improve for participants (C-75): the custom reward may only be extended, e-mail collection only '
  'be dropped. Task rewards are checked by save_task. Errors: CUSTOM_REWARD_PROMISED, EMAIL_PURPOSE_PROMISED.';

create function private.approve_waiting(p_campaign_id uuid, p_kept_tasks uuid[], p_reviewer text, p_note text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission uuid;
  v_approved uuid[] := '{}';
begin
  perform private.lock_wallets(array(
    select s.user_id from public.submissions s
    where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks)), array[p_campaign_id]);
  for v_submission in
    select s.id from public.submissions s
    where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks) order by s.submitted_at, s.id
  loop
    perform private.approve(v_submission, p_reviewer, p_note, false);
    v_approved := v_approved || v_submission;
  end loop;
  perform private.count_approvals(v_approved);
end $$;
comment on function private.approve_waiting(uuid, uuid[], text, text) is
  'Approves and pays every pending proof of a quest except those of the kept tasks. The caller has locked submissions, tasks and quest. '
  'Errors: STARTUP_INSUFFICIENT_POINTS.';

create function private.settle_waiting(p_campaign_id uuid, p_kept_tasks uuid[], p_approve boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_waiting integer;
  v_until timestamptz;
begin
  perform private.release_kept_slots(array(
    select s.id from public.submissions s
    where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks) and s.kept_until <= now() and s.appealed_at is null));
  select max(s.kept_until) into v_until from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks);
  if v_until is not null then
    perform private.raise_error('APPEAL_POSSIBLE', format(
      'Rejected members can still appeal until %s. You can close the quest now, and delete it after that.',
      to_char(greatest(v_until, now()) at time zone 'UTC', 'FMDD FMMonth')), 409, jsonb_build_object('until', v_until));
  end if;
  -- Flags outlive their submissions, as their points do. The caller has locked scans.
  if exists (
    select 1 from private.unscanned_submissions u join public.submissions s on s.id = u.submission_id
    where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks)
  ) then
    perform private.scan_submissions(null);
  end if;
  select count(*) into v_waiting from public.submissions s
  where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks);
  if v_waiting > 0 and not coalesce(p_approve, false) then
    perform private.raise_error('PROOFS_WAITING', format(
      'Proofs are waiting for your decision: %s. Approve and pay them all, or review them first.', v_waiting), 409,
      jsonb_build_object('waiting', v_waiting));
  elsif v_waiting > 0 then
    perform private.audit(public.current_user_id(), 'submission.approve', 'submission', s.id::text, jsonb_build_object('status', s.status),
      jsonb_build_object('status', 'approved'), 'Approved by project owner')
    from public.submissions s where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks);
    perform private.approve_waiting(p_campaign_id, p_kept_tasks, 'project', 'Approved by project owner');
  end if;
  delete from private.submission_fingerprints f using public.submissions s
  where s.id = f.submission_id and s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks);
end $$;
comment on function private.settle_waiting(uuid, uuid[], boolean) is
  'Before submissions are deleted with their task or quest: scans them, and refuses while a rejection may be appealed (BEY-23) or while '
  'proofs are pending, unless it is to approve and pay them all (C-98, TRUST-22). Removes their fingerprints, with which nothing can be '
  'compared any more. lock_for_removal comes first, and no wallet is locked. '
  'Errors: APPEAL_POSSIBLE (details: {"until": time}), PROOFS_WAITING (details: {"waiting": n}), STARTUP_INSUFFICIENT_POINTS.';

create function private.lock_for_removal(p_campaign_id uuid, p_kept_tasks uuid[]) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
begin
  if p_campaign_id = any (array(select private.own_campaign_ids())) then
    if exists (select 1 from public.tasks t where t.campaign_id = p_campaign_id and t.id <> all (p_kept_tasks)) then
      perform private.lock_scans();
    end if;
    -- A member who enters a code locks it before the task.
    perform 1 from private.completion_codes c join public.tasks t on t.id = c.task_id
    where t.campaign_id = p_campaign_id and c.used_at is null order by c.id for update of c;
  end if;
  return private.require_owned_campaign(p_campaign_id, p_kept_tasks);
end $$;
comment on function private.lock_for_removal(uuid, uuid[]) is
  'require_owned_campaign for a change that may delete completion codes, or submissions, which have to be scanned before '
  '(settle_waiting). Errors: '
  'UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN.';

create function private.remove_tasks(p_campaign_id uuid, p_kept uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set
    submission_count = c.submission_count - gone.total,
    pending_count = c.pending_count - gone.pending,
    approved_count = c.approved_count - gone.approved,
    participant_count = (
      select count(distinct s.user_id) from public.submissions s
      join public.tasks t on t.id = s.task_id
      where s.campaign_id = p_campaign_id and t.id = any (p_kept)
    )
  from (
    select count(*)::integer as total, count(*) filter (where s.status = 'pending')::integer as pending,
      count(*) filter (where s.status = 'approved')::integer as approved
    from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept)
  ) gone
  where c.id = p_campaign_id and gone.total > 0;
  delete from public.tasks t where t.campaign_id = p_campaign_id and t.id <> all (p_kept);
end $$;
comment on function private.remove_tasks(uuid, uuid[]) is
  'Deletes the quest''s tasks that are not kept, with their submissions. Earned points stay (TRUST-12).';

create function private.rewordings(p_asked public.tasks[], out before jsonb, out after jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  select jsonb_agg(jsonb_build_object('title', a.title, 'instructions_md', a.instructions_md) order by t.order_index, t.id),
    jsonb_agg(jsonb_build_object('title', t.title, 'instructions_md', t.instructions_md) order by t.order_index, t.id)
  into before, after
  from unnest(p_asked) a join public.tasks t on t.id = a.id where (a.title, a.instructions_md) <> (t.title, t.instructions_md);
  before := jsonb_strip_nulls(jsonb_build_object('instructions', before));
  after := jsonb_strip_nulls(jsonb_build_object('instructions', after));
end $$;
comment on function private.rewordings(public.tasks[]) is
  'What these tasks, as they were before a change, asked for, and what they ask for now; only those with other words. For the audit log, '
  'because a proof is judged by what its member has read (BEY-23).';

create function public.update_campaign(
  p_campaign_id uuid, p_campaign jsonb, p_tasks jsonb, p_idempotency_key text default null, p_approve_waiting boolean default false
) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_for_removal(p_campaign_id, array(
    select t.id from public.tasks t
    where t.campaign_id = p_campaign_id and jsonb_path_exists(p_tasks, '$[*] ? (@.id == $id)', jsonb_build_object('id', t.id))));
  v_owner text := public.current_user_id();
  v_before jsonb := private.quest_terms(p_campaign_id);
  -- Proofs of these may still be rejected, or their rejection appealed.
  v_asked public.tasks[] := array(
    select t from public.tasks t where t.campaign_id = p_campaign_id and t.pending_count + t.kept_count > 0);
  v_title text := private.require_text(p_campaign ->> 'title', 200, 'TITLE_REQUIRED', 'Please enter a quest title.');
  v_summary text := private.require_text(p_campaign ->> 'summary', 500, 'SUMMARY_REQUIRED', 'Please enter a quest summary.');
  v_details text := case when p_campaign ? 'details_md' then private.normalize_text(p_campaign ->> 'details_md', 10000)
    else v_campaign.details_md end;
  v_budget integer := private.to_int(p_campaign -> 'budget_points');
  v_terms public.campaigns := private.validate_terms(p_campaign, v_campaign);
  v_startup public.startup_profiles;
  v_limits private.project_limits;
  v_min_budget integer := case when v_terms.custom_reward_title is null then 1 else 0 end;
  v_task jsonb;
  v_position integer := 0;
  v_kept uuid[] := '{}';
  v_allocated bigint;
  v_saved uuid := private.claim_idempotency_key(v_owner, 'update_campaign', p_idempotency_key, p_campaign_id);
begin
  if v_saved <> p_campaign_id then
    perform private.raise_error('QUEST_KEY_REUSED', 'This idempotency key was used for another quest', 409);
  elsif v_saved is not null then
    return v_campaign;
  elsif p_campaign -> 'updated_at' <> to_jsonb(v_campaign.updated_at) then
    perform private.raise_error('QUEST_CHANGED', 'This quest was changed after you opened it. Saving replaces what was changed.', 409);
  end if;
  perform private.check_owner_rate(v_owner, 'quest_change');
  perform private.validate_title(v_title);
  if v_budget is null or v_budget not between v_min_budget and 1000000 then
    perform private.raise_error('BUDGET_RANGE', format('Budget must be between %s and %s points.', v_min_budget, 1000000), 400);
  end if;
  if p_tasks is null or jsonb_typeof(p_tasks) <> 'array' then
    perform private.raise_error('INVALID_TASKS', 'Tasks must be a list', 400);
  elsif jsonb_array_length(p_tasks) > 100 then
    perform private.raise_error('TOO_MANY_TASKS', 'Please use at most 100 tasks', 400);
  end if;
  select s.* into v_startup from public.startup_profiles s where s.id = v_campaign.startup_id;
  v_limits := private.quest_limits(v_startup);
  if v_budget > v_campaign.budget_points then
    perform private.check_quest_limits(v_startup, p_campaign_id, v_budget);
  end if;
  perform private.check_schedule(v_terms.starts_at, v_terms.ends_at, v_campaign.status = 'published');
  if v_campaign.submission_count > 0 then
    perform private.check_promises(v_campaign, v_terms);
  end if;
  -- Once instead of for each task, and last, because new words are added under a lock that every publication waits for.
  perform set_config('questboard.index_later', 'true', true);
  update public.campaigns c set title = v_title, summary = v_summary, details_md = v_details, budget_points = v_budget,
    custom_reward_title = v_terms.custom_reward_title, custom_reward_description = v_terms.custom_reward_description,
    collect_emails = v_terms.collect_emails, email_collection_purpose = v_terms.email_collection_purpose,
    starts_at = v_terms.starts_at, ends_at = v_terms.ends_at, review_hours = v_terms.review_hours
  where c.id = p_campaign_id;
  for v_task in select * from jsonb_array_elements(p_tasks) loop
    v_position := v_position + 1;
    v_kept := v_kept || private.save_task(v_terms, v_task, v_position, v_limits.reward);
  end loop;
  perform private.settle_waiting(p_campaign_id, v_kept, p_approve_waiting);
  perform private.remove_tasks(p_campaign_id, v_kept);
  -- What is held with its project is published again by the end of the hold, without its owner.
  if v_campaign.status = 'published' or v_campaign.status = 'draft' and v_campaign.hold_cause <> 'moderation' then
    perform private.check_verification(p_campaign_id);
  end if;
  select coalesce(sum(t.reward_points::bigint * t.max_completions), 0) into v_allocated from public.tasks t
  where t.campaign_id = p_campaign_id;
  if v_allocated > v_budget then
    perform private.raise_error('OVER_BUDGET', format(
      'Cannot save: Total task points (%s) exceed your budget (%s points). Please reduce task points or increase your budget.',
      v_allocated, v_budget), 409);
  end if;
  perform private.recount_tasks(p_campaign_id);
  perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, v_owner, private.required_reserve(p_campaign_id));
  perform private.index_quests(array[p_campaign_id]);
  perform set_config('questboard.index_later', 'false', true);
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id;
  perform private.audit(v_owner, 'campaign.update', 'campaign', p_campaign_id::text, v_before || r.before,
    private.quest_terms(p_campaign_id) || r.after) from private.rewordings(v_asked) r;
  return v_campaign;
end $$;
comment on function public.update_campaign(uuid, jsonb, jsonb, text, boolean) is
  'Saves a quest and all its tasks (those missing from p_tasks are removed) with their reserve, in one transaction (QEDIT-10..14). '
  'Idempotent per key: a repeated call returns the quest as it is (TRUST-21). p_approve_waiting: approves and pays the pending proofs of '
  'removed tasks, which otherwise block the change (C-98). Limits are those for creation by this project, and stored values stay allowed; '
  'once there are proofs, terms can only improve for participants (C-75). p_campaign: title, summary, budget_points and, if they are to '
  'change, the other keys of create_quest; updated_at, as it was read, to be refused if the quest was changed since. Errors: '
  'UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, INVALID_IDEMPOTENCY_KEY, QUEST_KEY_REUSED, QUEST_CHANGED, RATE_LIMITED, '
  'TITLE_REQUIRED, HIDDEN_CHARACTERS, RESERVED_NAME, SUMMARY_REQUIRED, TEXT_TOO_LONG, '
  'CUSTOM_REWARD_TITLE_REQUIRED, CUSTOM_REWARD_DESCRIPTION_REQUIRED, CUSTOM_REWARD_PROMISED, EMAIL_PURPOSE_PROMISED, REWARD_PROMISED, '
  'BUDGET_RANGE, INVALID_TASKS, TOO_MANY_TASKS, APPEAL_POSSIBLE, PROOFS_WAITING, STARTUP_INSUFFICIENT_POINTS, BUDGET_LIMIT, '
  'POINTS_BUDGET_LIMIT, INVALID_TIME, END_BEFORE_START, END_PASSED, REVIEW_TIME_RANGE, OVER_BUDGET, INSUFFICIENT_POINTS, those of a task, '
  'of save_verification and of check_verification.';
grant execute on function public.update_campaign(uuid, jsonb, jsonb, text, boolean) to authenticated, service_role;

create function public.delete_campaign(p_campaign_id uuid, p_approve_waiting boolean default false) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_for_removal(p_campaign_id, '{}');
begin
  if v_campaign.held_at is not null then
    perform private.raise_error('ON_HOLD', format('This quest is on hold: %s', v_campaign.hold_reason), 409);
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  perform private.audit(public.current_user_id(), 'campaign.delete', 'campaign', p_campaign_id::text, private.quest_terms(p_campaign_id));
  perform private.settle_waiting(p_campaign_id, '{}', p_approve_waiting);
  perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, public.current_user_id(), 0);
  delete from public.campaigns c where c.id = p_campaign_id;
end $$;
comment on function public.delete_campaign(uuid, boolean) is
  'Owner deletes a quest with tasks, submissions and collected e-mails; the reserve is returned, earned points and ledger rows stay (C-25, '
  'TRUST-12). p_approve_waiting: approves and pays pending proofs, which otherwise block the deletion (C-98). Refused while it is on hold '
  '(C-97) or a rejection may be appealed (BEY-23). Errors: UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, ON_HOLD, '
  'RATE_LIMITED, APPEAL_POSSIBLE, PROOFS_WAITING, STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.delete_campaign(uuid, boolean) to authenticated, service_role;

-- ==============================================================================================================================
-- 35_quest_minutes.sql
-- ==============================================================================================================================

-- How long quests take: measured from a member's first view until all proofs are submitted, never stated by the owner (BEY-18).

create table private.quest_views (
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  user_id text not null,
  viewed_at timestamptz not null default now(),
  primary key (campaign_id, user_id)
);
comment on table private.quest_views is
  'When a member first opened the page of a quest that they had not started. Kept for 90 days; projects and admins never see who.';
create index quest_views_user on private.quest_views (user_id);
create index quest_views_viewed on private.quest_views (viewed_at);

create function public.record_quest_view(p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
begin
  -- Most calls are repeats and write nothing. Views beyond the limit are dropped, because a measurement must never break a page.
  if exists (select 1 from private.quest_views v where v.campaign_id = p_campaign_id and v.user_id = v_user)
    or not public.take_rate_limit('user:' || v_user, 'quest_view', 60, 60) then
    return;
  end if;
  insert into private.quest_views (campaign_id, user_id)
  select c.id, v_user from public.campaigns c join public.startup_profiles s on s.id = c.startup_id and s.owner_user_id <> v_user
  where c.id = p_campaign_id and c.status = 'published'
    and not exists (select 1 from public.submissions x where x.campaign_id = c.id and x.user_id = v_user)
  for key share of c
  on conflict do nothing;
end $$;
comment on function public.record_quest_view(uuid) is
  'Records the caller''s first view of a published quest that they neither own nor have started. More than sixty a minute are dropped. '
  'Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND.';
grant execute on function public.record_quest_view(uuid) to authenticated, service_role;

create function private.measure_quest(p_campaign_id uuid) returns integer
language sql stable security definer set search_path = ''
as $$
  with latest as (
    select distinct l.user_id from (
      select s.user_id from public.submissions s where s.campaign_id = p_campaign_id order by s.submitted_at desc, s.id desc limit 200
    ) l
  ), taken as (
    -- A resubmitted proof keeps the time of the first one.
    select max(s.created_at) - v.viewed_at as span
    from latest l
    join private.quest_views v on v.campaign_id = p_campaign_id and v.user_id = l.user_id
    join public.tasks t on t.campaign_id = p_campaign_id
    left join public.submissions s on s.task_id = t.id and s.user_id = l.user_id and s.status <> 'rejected'
    group by v.user_id, v.viewed_at
    having count(s.id) = count(*)
  )
  select case when count(*) >= 5
    then greatest(1, ceil(percentile_cont(0.5) within group (order by extract(epoch from k.span)) / 60))::integer end
  from taken k where k.span between interval '0' and interval '4 hours'
$$;
comment on function private.measure_quest(uuid) is
  'Median minutes, rounded up, from a member''s first view until they had submitted a proof of every task. Measured on the members behind '
  'the latest 200 proofs who took at most 4 hours and were not rejected; null for fewer than five.';

create function private.measure_quests() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not private.take_ceiling('measure_quests', 1, 1, '1 hour') then
    return;
  end if;
  -- Skips a quest that is locked until the next run, so that no submission waits for this.
  with measured as materialized (
    select r.campaign_id, private.measure_quest(r.campaign_id) as minutes
    from (select distinct s.campaign_id from public.submissions s where s.submitted_at > now() - interval '2 hours') r
  ), changed as (
    select c.id, m.minutes from measured m join public.campaigns c on c.id = m.campaign_id
    where c.median_minutes is distinct from m.minutes for no key update of c skip locked
  )
  update public.campaigns c set median_minutes = x.minutes from changed x where c.id = x.id;
end $$;
comment on function private.measure_quests() is
  'Called on every tick of the outbox worker, effective once an hour: measures the quests with a proof in the last two hours, all '
  'or none.';

-- ==============================================================================================================================
-- 36_moderation.sql
-- ==============================================================================================================================

-- Moderation of people and projects. A suspension or revocation closes the business in the same transaction: the project leaves every
-- public list and its quests are held; ending it restores everything (TRUST-18, C-91).
--
-- Lock order: the project before its owner, as in mark_verified.

create function private.hold_quests(p_startup_id uuid, p_admin text, p_reason text, p_cause public.hold_cause) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_campaign(c.id, p_admin, p_reason, p_cause) from (
    select c.id from public.campaigns c where c.startup_id = p_startup_id and c.status = 'published' order by c.id
  ) c;
end $$;
comment on function private.hold_quests(uuid, text, text, public.hold_cause) is
  'Holds every published quest of a project. Reserves and pending proofs stay; the owner, unless suspended, and admins decide the proofs.';

create function private.release_quests(p_startup_id uuid, p_admin text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_campaign public.campaigns;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id;
  for v_campaign in
    select c.* from public.campaigns c
    where c.startup_id = p_startup_id and c.hold_cause in ('suspension', 'revocation') order by c.id for no key update
  loop
    if v_startup.is_public then
      perform private.end_hold(v_campaign.id, true);
      perform private.audit(p_admin, 'campaign.lift_hold', 'campaign', v_campaign.id::text,
        jsonb_build_object('hold_reason', v_campaign.hold_reason, 'hold_cause', v_campaign.hold_cause),
        jsonb_build_object('status', v_campaign.status_before_hold));
    else
      -- One of two causes has ended; the other remains.
      update public.campaigns c set
        hold_cause = case when v_startup.suspended_at is not null then 'suspension' else 'revocation' end::public.hold_cause
      where c.id = v_campaign.id;
    end if;
  end loop;
end $$;
comment on function private.release_quests(uuid, text) is
  'Restores the status of a project''s quests after its owner''s suspension or its revocation ends. Holds on single quests stay.';

-- Suspension ----------------------------------------------------------------------------------------------------------

create function private.suspension_of(p_profile public.user_profiles) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('suspended_at', p_profile.suspended_at, 'reason', p_profile.suspension_reason) $$;
comment on function private.suspension_of(public.user_profiles) is
  'A person''s suspension as the audit log records it; nulls when not suspended.';

create function private.lock_owner(p_user_id text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile public.user_profiles;
begin
  perform 1 from public.startup_profiles s where s.owner_user_id = p_user_id for no key update;
  select p.* into v_profile from public.user_profiles p where p.user_id = p_user_id for no key update;
  return v_profile;
end $$;
comment on function private.lock_owner(text) is
  'Locks a person''s project and profile, in this order, and returns the profile. A concurrent creation of a project holds the lock on the '
  'profile, so the project exists afterwards.';

create function private.suspend(p_user_id text, p_reason text, p_actor text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.user_profiles := private.lock_owner(p_user_id);
  v_profile public.user_profiles;
  v_startup uuid;
begin
  if v_before.suspended_at is not null and v_before.suspension_reason = p_reason then
    return v_before;
  end if;
  update public.user_profiles p set suspended_at = coalesce(p.suspended_at, now()), suspension_reason = p_reason
  where p.user_id = p_user_id returning p.* into v_profile;
  update public.startup_profiles s set suspended_at = v_profile.suspended_at
  where s.owner_user_id = p_user_id and s.suspended_at is null returning s.id into v_startup;
  perform private.audit(p_actor, 'user.suspend', 'user', p_user_id, private.suspension_of(v_before), private.suspension_of(v_profile),
    p_reason);
  if v_startup is not null then
    perform private.hold_quests(v_startup, p_actor, p_reason, 'suspension');
    perform private.audit(p_actor, 'startup.suspend', 'startup', v_startup::text, jsonb_build_object('suspended_at', null),
      jsonb_build_object('suspended_at', v_profile.suspended_at), p_reason);
  end if;
  delete from private.checkout_holds h where h.owner_user_id = p_user_id;
  perform private.enqueue_event('AccountSuspended', p_user_id, jsonb_build_object('reason', p_reason));
  return v_profile;
end $$;
comment on function private.suspend(text, text, text) is
  'Suspends a person and closes their business; no effect when they are suspended for the same reason.';

create function public.suspend_user(p_user_id text, p_reason text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_accounts text[] := array(select a from unnest(private.accounts_of_person(p_user_id)) a order by a);
  v_profile public.user_profiles;
begin
  perform private.lock_owner(a) from unnest(v_accounts) a;
  if not exists (select 1 from public.user_profiles p where p.user_id = p_user_id) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  elsif v_admin = any (v_accounts)
    or exists (select 1 from public.user_profiles p where p.user_id = any (v_accounts) and p.role = 'admin')
    or exists (select 1 from private.admins a where a.user_id = any (v_accounts) and a.revoked_at is null)
  then
    perform private.raise_error('ADMIN_NOT_SUSPENDABLE', 'Admins cannot be suspended', 409);
  end if;
  v_profile := private.suspend(p_user_id, v_reason, v_admin);
  perform private.suspend(p.user_id, v_reason, v_admin) from public.user_profiles p
  where p.user_id = any (v_accounts) and p.suspended_at is null;
  return v_profile;
end $$;
comment on function public.suspend_user(text, text) is
  'Admin suspends a person with a reason that the person sees: they can still read, every procedure that changes anything refuses, the '
  'project leaves the public lists and its quests are held (BEY-04, TRUST-18). So are their other accounts (C-81). Repeating it only '
  'updates the reason. An admin''s right must be revoked first (revoke_admin). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'REASON_REQUIRED, PROFILE_NOT_FOUND, ADMIN_NOT_SUSPENDABLE.';
grant execute on function public.suspend_user(text, text) to authenticated, service_role;

create function private.lift(p_user_id text, p_note text, p_admin text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.user_profiles := private.lock_owner(p_user_id);
  v_after public.user_profiles;
  v_startup uuid;
begin
  if v_before.suspended_at is null or exists (select 1 from private.deleted_users d where d.user_id = p_user_id) then
    update private.deleted_users d set was_suspended = false where d.user_id = p_user_id;
    return v_before;
  end if;
  update public.user_profiles p set suspended_at = null, suspension_reason = null where p.user_id = p_user_id returning p.* into v_after;
  update public.startup_profiles s set suspended_at = null
  where s.owner_user_id = p_user_id and s.suspended_at is not null returning s.id into v_startup;
  perform private.audit(p_admin, 'user.lift_suspension', 'user', p_user_id,
    private.suspension_of(v_before), private.suspension_of(v_after), p_note);
  if v_startup is not null then
    perform private.release_quests(v_startup, p_admin);
    perform private.audit(p_admin, 'startup.lift_suspension', 'startup', v_startup::text,
      jsonb_build_object('suspended_at', v_before.suspended_at), jsonb_build_object('suspended_at', null), p_note);
  end if;
  perform private.enqueue_event('SuspensionLifted', p_user_id, '{}');
  return v_after;
end $$;
comment on function private.lift(text, text, text) is 'Ends the suspension of one account and reopens its business.';

create function public.lift_suspension(p_user_id text, p_note text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.normalize_note(p_note);
  v_profile public.user_profiles;
begin
  if not exists (select 1 from public.user_profiles p where p.user_id = p_user_id) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  perform private.lift(a.user_id, v_note, v_admin) from (
    select a from unnest(private.accounts_of_person(p_user_id)) a order by a
  ) a (user_id);
  select p.* into v_profile from public.user_profiles p where p.user_id = p_user_id;
  return v_profile;
end $$;
comment on function public.lift_suspension(text, text) is
  'Admin ends a suspension for all accounts of the person: the project is listed again and its quests get their status back. Idempotent '
  '(BEY-04, TRUST-18). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, PROFILE_NOT_FOUND.';
grant execute on function public.lift_suspension(text, text) to authenticated, service_role;

create function private.carry_suspension(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_suspended public.user_profiles := private.suspended_account(p_user_id);
begin
  if v_suspended.user_id is not null
    and exists (select 1 from public.user_profiles p where p.user_id = p_user_id and p.suspended_at is null) then
    perform private.suspend(p_user_id, v_suspended.suspension_reason, 'system');
  end if;
end $$;
comment on function private.carry_suspension(text) is
  'Carries a suspension over when the person signs in with another account, also after deleting the first (TRUST-18, C-97).';

-- Projects ------------------------------------------------------------------------------------------------------------

create function private.record_project_decision(p_startup public.startup_profiles, p_decision text, p_reason text)
returns void
language sql security definer set search_path = ''
as $$
  insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, reason, decided_by)
  values (p_startup.id, p_startup.owner_user_id, p_startup.name, p_decision, p_reason, 'questboard')
$$;
comment on function private.record_project_decision(public.startup_profiles, text, text) is
  'Adds an entry to a project''s decision history.';

create function public.set_startup_status(p_startup_id uuid, p_status text, p_note text default null) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.normalize_note(p_note);
  v_before public.startup_profiles;
  v_after public.startup_profiles;
begin
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_before.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_before.owner_user_id);
  if p_status is null or p_status not in ('verified', 'rejected') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  if p_status = 'rejected' then
    perform private.require_reason(v_note);
  end if;
  -- A pending project may be verified or rejected, a rejected one verified later (C-62); a verified one is revoked instead.
  if v_before.status = 'verified' or v_before.status::text = p_status then
    perform private.raise_error('STATUS_FINAL', 'This project has already been reviewed', 409);
  end if;
  if p_status = 'verified' then
    -- Another project may have been verified under it since.
    perform private.check_name_is_free(v_before.name, v_before.owner_user_id);
    -- Lock order: quests before the wallets that the verification credits or releases.
    perform 1 from public.campaigns c where c.startup_id = p_startup_id and c.hold_cause in ('suspension', 'revocation')
    order by c.id for no key update;
    perform private.mark_verified(p_startup_id, 'questboard', coalesce(v_note, 'Approved by admin'));
    perform private.release_quests(p_startup_id, v_admin);
  else
    update public.startup_profiles s set status = 'rejected', reviewed_by = 'questboard', review_note = v_note, reviewed_at = now()
    where s.id = p_startup_id;
    perform private.record_project_decision(v_before, 'rejected', v_note);
    perform private.enqueue_event('StartupRejected', v_before.owner_user_id,
      jsonb_build_object('startup_id', p_startup_id, 'name', v_before.name, 'reason', v_note));
  end if;
  select s.* into v_after from public.startup_profiles s where s.id = p_startup_id;
  perform private.audit(v_admin, 'startup.' || p_status, 'startup', p_startup_id::text,
    jsonb_build_object('status', v_before.status), jsonb_build_object('status', v_after.status), v_note);
  return v_after;
end $$;
comment on function public.set_startup_status(uuid, text, text) is
  'Admin verifies a project, or rejects it with a reason, but not their own (RULE-15, ADMIN-03). Verifying it again after a revocation '
  'republishes its quests (C-91). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, STARTUP_NOT_FOUND, OWN_MATTER, INVALID_STATUS, '
  'REASON_REQUIRED, STATUS_FINAL, NAME_TAKEN.';
grant execute on function public.set_startup_status(uuid, text, text) to authenticated, service_role;

create function public.revoke_verification(p_startup_id uuid, p_reason text) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  elsif v_startup.status <> 'verified' then
    perform private.raise_error('NOT_VERIFIED', 'This project is not verified', 409);
  end if;
  update public.startup_profiles s set status = 'rejected', revoked_at = now(), reviewed_by = 'questboard', review_note = v_reason,
    reviewed_at = now(), changed_at = null, changed_from = null
  where s.id = p_startup_id returning s.* into v_startup;
  update public.user_profiles set role = 'startup_unverified' where user_id = v_startup.owner_user_id and role = 'startup_verified';
  perform private.hold_quests(p_startup_id, v_admin, v_reason, 'revocation');
  perform private.record_project_decision(v_startup, 'revoked', v_reason);
  perform private.audit(v_admin, 'startup.revoke', 'startup', p_startup_id::text,
    jsonb_build_object('status', 'verified'), jsonb_build_object('status', 'rejected'), v_reason);
  perform private.enqueue_event('VerificationRevoked', v_startup.owner_user_id,
    jsonb_build_object('startup_id', p_startup_id, 'name', v_startup.name, 'reason', v_reason));
  return v_startup;
end $$;
comment on function public.revoke_verification(uuid, text) is
  'Admin revokes a verification with a reason that the owner is told: the project leaves the public lists, its quests are held, their '
  'reserves stay (C-91). set_startup_status verifies it again, without a second trial budget. Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, STARTUP_NOT_FOUND, REASON_REQUIRED, NOT_VERIFIED.';
grant execute on function public.revoke_verification(uuid, text) to authenticated, service_role;

create function public.confirm_startup_change(p_startup_id uuid) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.startup_profiles;
  v_after public.startup_profiles;
begin
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_before.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  elsif v_before.changed_at is null then
    return v_before;
  end if;
  perform private.refuse_own_matter(v_admin, v_before.owner_user_id);
  update public.startup_profiles s set changed_at = null, changed_from = null where s.id = p_startup_id returning s.* into v_after;
  perform private.audit(v_admin, 'startup.confirm_change', 'startup', p_startup_id::text,
    jsonb_build_object('name', v_before.changed_from ->> 'name'), jsonb_build_object('name', v_after.name));
  return v_after;
end $$;
comment on function public.confirm_startup_change(uuid) is
  'Admin accepts a verified project''s new name or website, but not their own project''s; no effect without a change (C-96). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, STARTUP_NOT_FOUND, OWN_MATTER.';
grant execute on function public.confirm_startup_change(uuid) to authenticated, service_role;

create function public.get_project_history(p_startup_id uuid) returns table (
  id bigint, startup_id uuid, project_name text, decision text, campaign_id uuid, reason text, decided_by text, decided_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select d.id, d.startup_id, d.project_name, d.decision, d.campaign_id, d.reason, d.decided_by, d.decided_at
    from public.startup_profiles s cross join lateral private.project_decisions_about(s.owner_user_id) d
    where s.id = p_startup_id order by d.id desc;
end $$;
comment on function public.get_project_history(uuid) is
  'Decisions on a project and on earlier ones of the same person, newest first (C-91, C-97). Nullable: campaign_id, reason. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_project_history(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 37_appeals.sql
-- ==============================================================================================================================

-- Appeals against a suspension, a revocation (BEY-04) or the rejection of a proof (BEY-23), decided by an admin within 48 hours.

create type public.appeal_kind as enum ('suspension', 'revocation', 'rejection');
create type public.appeal_status as enum ('open', 'upheld', 'overturned');

create table public.appeals (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  kind public.appeal_kind not null,
  startup_id uuid,
  against_at timestamptz not null,
  against_reason text,
  words text not null check (length(words) between 1 and 2000),
  status public.appeal_status not null default 'open',
  decision_note text check (length(decision_note) <= 1000),
  decided_by text,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  submission_id uuid,
  due_at timestamptz not null default now() + interval '48 hours',
  unique nulls not distinct (user_id, kind, against_at, submission_id),
  check ((kind = 'rejection') = (submission_id is not null)),
  check ((status = 'open') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null) and (decided_at is null) = (decision_note is null))
);
comment on table public.appeals is
  'Appeals against a suspension, a project''s revocation or the rejection of a proof, at most one per decision. No foreign key: it '
  'outlives project and quest.';
comment on column public.appeals.against_at is 'When the appealed decision was made.';
comment on column public.appeals.startup_id is 'The project that was revoked, or that rejected the proof; null for a suspension.';
comment on column public.appeals.due_at is 'Promised time of the decision; get_appeal_figures measures how often it is met (BEY-23).';
comment on column public.appeals.decided_by is 'The admin; readable through admin_list_appeals only (C-102).';
create index appeals_open on public.appeals (created_at, id) where status = 'open';
create index appeals_decided on public.appeals (decided_at) where decided_at is not null;
create index appeals_submission on public.appeals (submission_id) where submission_id is not null;
create index appeals_created on public.appeals (created_at desc, id desc);

alter table public.appeals enable row level security;
create policy appeals_read on public.appeals for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy appeals_read on public.appeals is 'The person, also while suspended, and admins.';
grant select (
  id, user_id, kind, startup_id, against_at, against_reason, words, status, decision_note, created_at, decided_at, submission_id, due_at
) on public.appeals to authenticated;
grant select on public.appeals to service_role;

create function private.appeal_rejection(p_user text, p_submission_id uuid, p_words text) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_appeal public.appeals;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id and s.user_id = p_user for no key update;
  if v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif v_submission.appealed_at is not null then
    perform private.raise_error('APPEAL_EXISTS', 'You have already appealed this decision', 409);
  elsif v_submission.status <> 'rejected' or not exists (
    -- Rejections by the server and reversals by an admin are not a reviewer's judgement of the proof.
    select 1 from public.submission_history h
    where h.submission_id = p_submission_id and h.action = 'rejected' and h.created_at = v_submission.reviewed_at
  ) then
    perform private.raise_error('NOTHING_TO_APPEAL', 'There is no decision to appeal', 409);
  elsif v_submission.kept_until is null or v_submission.kept_until <= now() then
    perform private.raise_error('APPEAL_TOO_LATE', 'A rejection can be appealed for 7 days. That time is over.', 409);
  end if;
  update public.submissions s set appealed_at = now() where s.id = p_submission_id;
  insert into public.appeals (user_id, kind, startup_id, against_at, against_reason, words, submission_id)
  select p_user, 'rejection', c.startup_id, v_submission.reviewed_at,
    private.rejection_sentence(v_submission.rejection_reason, v_submission.review_note), p_words, p_submission_id
  from public.campaigns c where c.id = v_submission.campaign_id
  returning * into v_appeal;
  perform private.enqueue_event('RejectionAppealed', p.owner_user_id, jsonb_build_object(
    'campaign_id', c.id, 'quest', c.title, 'task', t.title, 'reason', p_words, 'due_at', v_appeal.due_at))
  from public.tasks t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles p on p.id = c.startup_id
  where t.id = v_submission.task_id;
  return v_appeal;
end $$;
comment on function private.appeal_rejection(text, uuid, text) is
  'Files a member''s appeal against the rejection of their proof and notifies the owner. Errors: SUBMISSION_NOT_FOUND, APPEAL_EXISTS, '
  'NOTHING_TO_APPEAL, APPEAL_TOO_LATE.';

create function public.submit_appeal(p_kind text, p_words text, p_submission_id uuid default null) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_words text := private.require_text(p_words, 2000, 'APPEAL_WORDS_REQUIRED', 'Please say why the decision should change');
  v_appeal public.appeals;
begin
  -- Not require_user, because a suspended person may appeal.
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif p_kind is null or p_kind <> all (enum_range(null::public.appeal_kind)::text[]) then
    perform private.raise_error('INVALID_APPEAL', 'Unknown kind of appeal', 400);
  elsif p_kind = 'rejection' then
    return private.appeal_rejection(private.require_user(), p_submission_id, v_words);
  end if;
  if p_kind = 'suspension' then
    select p.suspended_at, p.suspension_reason into v_appeal.against_at, v_appeal.against_reason
    from public.user_profiles p where p.user_id = v_user;
  else
    select s.id, s.revoked_at, s.review_note into v_appeal.startup_id, v_appeal.against_at, v_appeal.against_reason
    from public.startup_profiles s where s.owner_user_id = v_user;
  end if;
  if v_appeal.against_at is null then
    perform private.raise_error('NOTHING_TO_APPEAL', 'There is no decision to appeal', 409);
  end if;
  insert into public.appeals (user_id, kind, startup_id, against_at, against_reason, words)
  values (v_user, p_kind::public.appeal_kind, v_appeal.startup_id, v_appeal.against_at, v_appeal.against_reason, v_words)
  on conflict (user_id, kind, against_at, submission_id) do nothing returning * into v_appeal;
  if not found then
    perform private.raise_error('APPEAL_EXISTS', 'You have already appealed this decision', 409);
  end if;
  return v_appeal;
end $$;
comment on function public.submit_appeal(text, text, uuid) is
  'The caller appeals against their suspension, their project''s revocation, or the rejection of their proof p_submission_id (kind '
  'suspension, revocation or rejection), once per decision; a rejection within 7 days and before a new proof is submitted (BEY-23). Its '
  'slot and points stay reserved until the appeal is decided. Errors: UNAUTHENTICATED, SUSPENDED (rejection), APPEAL_WORDS_REQUIRED, '
  'TEXT_TOO_LONG, INVALID_APPEAL, NOTHING_TO_APPEAL, APPEAL_EXISTS, SUBMISSION_NOT_FOUND, APPEAL_TOO_LATE.';
grant execute on function public.submit_appeal(text, text, uuid) to authenticated, service_role;

create function private.settle_rejection_appeal(p_appeal public.appeals, p_admin text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_startup public.startup_profiles;
  v_campaign public.campaigns;
  v_title text;
  v_reward integer;
  v_was_reopened boolean;
begin
  perform private.lock_for_review(array[p_appeal.submission_id]);
  select s.* into v_submission from public.submissions s where s.id = p_appeal.submission_id;
  v_was_reopened := v_submission.is_slot_reopened;
  select c.* into v_campaign from public.campaigns c where c.id = v_submission.campaign_id;
  select p.* into v_startup from public.startup_profiles p where p.id = v_campaign.startup_id;
  select t.title into v_title from public.tasks t where t.id = v_submission.task_id;
  perform private.release_kept_slots(array[v_submission.id]);
  if p_appeal.status = 'overturned' then
    update public.submissions s set status = 'approved', reviewed_by = 'questboard', review_note = p_appeal.decision_note,
      reviewed_at = now(), rejection_reason = null
    where s.id = v_submission.id returning s.* into v_submission;
    update public.tasks t set max_completions = t.max_completions + 1
    where t.id = v_submission.task_id and t.approved_count + t.pending_count + t.kept_count >= t.max_completions
    returning t.reward_points into v_reward;
    if found then
      -- Its slot was reopened and taken: the task gets one more, paid from the kept points. The budget has to allow for it, at the task's
      -- current reward, or the owner could not save the quest any more.
      perform private.recount_tasks(v_campaign.id);
      update public.campaigns c set budget_points = least(c.budget_points + v_reward, 1000000) where c.id = v_campaign.id;
    end if;
    update public.tasks t set approved_count = t.approved_count + 1 where t.id = v_submission.task_id;
    update public.campaigns c set approved_count = c.approved_count + 1,
      points_distributed = c.points_distributed + v_submission.reward_points
    where c.id = v_campaign.id;
    perform private.settle_approval(v_submission, v_startup.id, v_title, 'overturned');
    if v_was_reopened then
      perform private.adjust_reserve_within_balance(v_campaign.id, v_startup.id, v_startup.owner_user_id);
    end if;
    perform private.audit(p_admin, 'submission.overturn', 'submission', v_submission.id::text, jsonb_build_object('status', 'rejected'),
      jsonb_build_object('status', 'approved', 'points', v_submission.reward_points), p_appeal.decision_note);
  else
    perform private.adjust_reserve_within_balance(v_campaign.id, v_startup.id, v_startup.owner_user_id);
  end if;
  perform private.enqueue_event('ProjectAppealDecided', v_startup.owner_user_id, jsonb_build_object(
    'campaign_id', v_campaign.id, 'quest', v_campaign.title, 'task', v_title, 'outcome', p_appeal.status, 'note', p_appeal.decision_note));
end $$;
comment on function private.settle_rejection_appeal(public.appeals, text) is
  'Settles a decided appeal against a rejection: overturned, the proof is approved and paid from the kept points; upheld, its slot is '
  'freed. The owner is notified.';

create function private.has_decided(p_admin text, p_appeal public.appeals) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from (values
      ('suspension', 'user', 'user.suspend', p_appeal.user_id),
      ('revocation', 'startup', 'startup.revoke', p_appeal.startup_id::text),
      ('rejection', 'submission', 'submission.reject', p_appeal.submission_id::text)
    ) d (kind, subject_type, action, subject_id)
    join public.audit_log l on l.subject_type = d.subject_type and l.subject_id = d.subject_id and l.action = d.action
    where d.kind = p_appeal.kind::text and l.actor_id = p_admin and l.created_at = p_appeal.against_at
  );
end $$;
comment on function private.has_decided(text, public.appeals) is
  'Whether this admin made the decision that is appealed. The audit log recorded it in the same transaction.';

create function public.decide_appeal(p_appeal_id uuid, p_decision text, p_note text) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text;
  v_appeal public.appeals;
  v_is_own_decision boolean;
begin
  if p_decision is null or p_decision not in ('uphold', 'overturn') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  v_note := private.require_reason(p_note);
  update public.appeals a set status = case p_decision when 'uphold' then 'upheld' else 'overturned' end::public.appeal_status,
    decision_note = v_note, decided_by = v_admin, decided_at = now()
  where a.id = p_appeal_id and a.status = 'open' and a.user_id <> v_admin returning a.* into v_appeal;
  if v_appeal.id is null then
    select a.* into v_appeal from public.appeals a where a.id = p_appeal_id;
    if v_appeal.id is null then
      perform private.raise_error('APPEAL_NOT_FOUND', 'Appeal not found', 404);
    end if;
    perform private.refuse_own_matter(v_admin, v_appeal.user_id);
    perform private.raise_error('APPEAL_DECIDED', 'This appeal has already been decided', 409);
  end if;
  perform private.refuse_own_matter(v_admin, s.owner_user_id) from public.startup_profiles s where s.id = v_appeal.startup_id;
  v_is_own_decision := private.has_decided(v_admin, v_appeal);
  if v_is_own_decision and private.has_other_admin(v_admin) then
    perform private.raise_error('OWN_DECISION', 'This appeal is against your own decision. Another admin has to decide it.', 403);
  end if;
  perform private.audit(v_admin, 'appeal.' || p_decision, 'appeal', p_appeal_id::text, jsonb_build_object('status', 'open'),
    jsonb_build_object('status', v_appeal.status)
      || case when v_is_own_decision then '{"own_decision": true}' else '{}' end::jsonb, v_note);
  if v_appeal.kind = 'rejection' then
    perform private.settle_rejection_appeal(v_appeal, v_admin);
  elsif p_decision = 'overturn' and v_appeal.kind = 'suspension' and exists (
    select 1 from public.user_profiles p where p.user_id = v_appeal.user_id and p.suspended_at = v_appeal.against_at
  ) then
    perform public.lift_suspension(v_appeal.user_id, v_note);
  elsif p_decision = 'overturn' and exists (
    select 1 from public.startup_profiles s where s.id = v_appeal.startup_id and s.revoked_at = v_appeal.against_at
  ) then
    perform public.set_startup_status(v_appeal.startup_id, 'verified', v_note);
  end if;
  perform private.enqueue_event('AppealDecided', v_appeal.user_id,
    jsonb_build_object('kind', v_appeal.kind, 'outcome', v_appeal.status, 'note', v_note, 'campaign_id', (
      select s.campaign_id from public.submissions s where s.id = v_appeal.submission_id
    ), 'task', (
      select t.title from public.submissions s join public.tasks t on t.id = s.task_id where s.id = v_appeal.submission_id)));
  return v_appeal;
end $$;
comment on function public.decide_appeal(uuid, text, text) is
  'Admin upholds or overturns the decision, once, with a note that the person reads; overturning lifts the suspension, verifies the '
  'project again, or approves and pays the proof, in the same transaction. Nobody decides their own appeal, one about their own '
  'project, or, unless they are the only admin, one against their own decision; the audit log then says so. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN, INVALID_DECISION, REASON_REQUIRED, APPEAL_NOT_FOUND, OWN_MATTER, OWN_DECISION, APPEAL_DECIDED, NAME_TAKEN (by '
  'another project since the revocation).';
grant execute on function public.decide_appeal(uuid, text, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 37_corrections.sql
-- ==============================================================================================================================

-- Corrections by admins: reversing an approval (TRUST-08) or a ledger transfer, adjusting a balance with a reason (TRUST-23). All are
-- ordinary transfers, recorded in the audit log and visible to the wallet's owner.

-- Approvals -----------------------------------------------------------------------------------------------------------

create function private.reverse_payout(
  p_submission public.submissions, p_campaign public.campaigns, p_title text, p_owner text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_member uuid := private.ensure_user_wallet(p_submission.user_id);
  v_startup uuid := private.startup_wallet(p_campaign.startup_id, p_owner);
  v_reserve uuid := private.reserve_wallet(p_campaign.id, p_owner);
  v_key text := private.payment_key(p_submission);
  v_payments bigint[];
  v_trial bigint;
begin
  if p_submission.reward_points > 0 then
    -- Locks all wallets first, in order: members, then project and reserve.
    perform 1 from public.wallets w where w.id = any (private.referral_holds_caused_by(p_submission.id) || v_member)
    order by w.id for no key update;
    perform 1 from public.wallets w where w.id = v_startup for no key update;
    perform 1 from public.wallets w where w.id = v_reserve for no key update;
    select array_agg(t.id), coalesce(sum(t.trial_points), 0) into v_payments, v_trial from public.transfers t
    where t.idempotency_key in (v_key, v_key || ':balance');
    perform private.release_holds_for_debit(v_member, p_submission.reward_points, v_payments);
    perform private.transfer(v_member, v_reserve, p_submission.reward_points, 'reversal', 'Reversed: ' || p_title,
      private.reversal_key(v_key), p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id,
      p_trial_points => v_trial);
    perform private.hold_referral_again(p_submission.id);
  end if;
  perform private.adjust_reserve_within_balance(p_campaign.id, p_campaign.startup_id, p_owner);
end $$;
comment on function private.reverse_payout(public.submissions, public.campaigns, text, text) is
  'Reverses an approval''s payment: from the member to the reserve, held points first, and the reserve''s surplus to the project; referral '
  'bonuses that the approval had released are held again. Errors: INSUFFICIENT_POINTS.';

create function public.reverse_submission(p_submission_id uuid, p_note text) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.require_reason(p_note);
  v_submission public.submissions;
  v_campaign public.campaigns;
  v_title text;
  v_owner text;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id for no key update;
  if v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif v_submission.status <> 'approved' then
    perform private.raise_error('NOT_APPROVED', 'Only an approved submission can be reversed', 409);
  end if;
  perform private.refuse_own_matter(v_admin, v_submission.user_id);
  update public.submissions s set status = 'rejected', reviewed_by = 'questboard', review_note = v_note, reviewed_at = now(),
    rejection_reason = 'other'
  where s.id = p_submission_id returning s.* into v_submission;
  update public.tasks t set approved_count = t.approved_count - 1 where t.id = v_submission.task_id returning t.title into v_title;
  update public.campaigns c set approved_count = c.approved_count - 1,
    points_distributed = c.points_distributed - v_submission.reward_points
  where c.id = v_submission.campaign_id returning c.* into v_campaign;
  select s.owner_user_id into v_owner from public.startup_profiles s where s.id = v_campaign.startup_id;
  perform private.refuse_own_matter(v_admin, v_owner);
  perform private.reverse_payout(v_submission, v_campaign, v_title, v_owner);
  perform private.record_decision(v_submission, 'reversed', 'questboard', v_note);
  perform private.audit(v_admin, 'submission.reverse', 'submission', p_submission_id::text,
    jsonb_build_object('status', 'approved'), jsonb_build_object('status', 'rejected', 'points', v_submission.reward_points), v_note);
  perform private.enqueue_event('SubmissionReversed', v_submission.user_id, jsonb_build_object(
    'submission_id', p_submission_id, 'campaign_id', v_submission.campaign_id, 'task', v_title, 'points', v_submission.reward_points,
    'reason', v_note));
  return v_submission;
end $$;
comment on function public.reverse_submission(uuid, text) is
  'Admin reverses an approval with a reason: the submission becomes rejected, opposite ledger entries take the points from the member and '
  'the leaderboard, and the slot is free again (TRUST-08). Spent points cannot be taken back: INSUFFICIENT_POINTS. Refused where the '
  'admin is the member or owns the project that paid. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, '
  'SUBMISSION_NOT_FOUND, NOT_APPROVED, OWN_MATTER, INSUFFICIENT_POINTS.';
grant execute on function public.reverse_submission(uuid, text) to authenticated, service_role;

-- Transfers -----------------------------------------------------------------------------------------------------------

create function private.reversed_referral(p_transfer public.transfers) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_referral public.referrals;
begin
  update public.referrals r set
    referrer_reward_points = r.referrer_reward_points - case p_transfer.kind when 'referral_bonus' then p_transfer.points else 0 end,
    referred_reward_points = r.referred_reward_points - case p_transfer.kind when 'welcome_bonus' then p_transfer.points else 0 end
  where r.id = p_transfer.referral_id returning r.* into v_referral;
  if p_transfer.kind = 'referral_bonus' then
    update public.referral_codes c set total_rewards_earned = c.total_rewards_earned - p_transfer.points
    where c.user_id = v_referral.referrer_user_id;
  end if;
end $$;
comment on function private.reversed_referral(public.transfers) is 'A referral''s figures after the reversal of one of its bonuses.';

create function public.reverse_transfer(p_transfer_id bigint, p_note text) returns public.transfers
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.require_reason(p_note);
  v_transfer public.transfers;
  v_key text;
  v_submission uuid;
  v_member public.wallets;
  v_payments bigint[];
  v_points bigint;
  v_trial bigint;
  v_target uuid;
begin
  select t.* into v_transfer from public.transfers t where t.id = p_transfer_id;
  if v_transfer.id is null then
    perform private.raise_error('TRANSFER_NOT_FOUND', 'Transfer not found', 404);
  elsif v_transfer.kind not in ('task_completion', 'referral_bonus', 'welcome_bonus') then
    perform private.raise_error('NOT_REVERSIBLE', 'Only earned points can be taken back this way', 409);
  end if;
  select w.* into v_member from public.wallets w join public.entries e on e.wallet_id = w.id where e.id = p_transfer_id * 2;
  perform private.refuse_own_matter(v_admin, v_member.user_id);
  perform private.refuse_own_matter(v_admin, w.owner_user_id)
  from public.entries e join public.wallets w on w.id = e.wallet_id where e.id = p_transfer_id * 2 - 1;

  -- Points credited by the service role look like earnings but have a key of their own.
  v_key := coalesce(private.reversal_key(v_transfer.idempotency_key), 'reversal:transfer:' || p_transfer_id);
  select s.id into v_submission from public.submissions s
  where s.id = v_transfer.submission_id and s.status = 'approved' and v_key = private.reversal_key(private.payment_key(s));
  if v_submission is not null then
    perform public.reverse_submission(v_submission, v_note);
  else
    -- The submission was deleted with its quest or task. Lock order: quest, members, project.
    select array_agg(t.id), sum(t.points), coalesce(sum(t.trial_points), 0) into v_payments, v_points, v_trial from public.transfers t
    where t.id = p_transfer_id
      or t.idempotency_key in (replace(v_key, 'reversal:', 'submission:'), replace(v_key, 'reversal:', 'submission:') || ':balance');
    perform 1 from public.campaigns c where c.id = v_transfer.campaign_id for no key update;
    perform 1 from public.wallets w where w.id = any (private.referral_holds_caused_by(v_transfer.submission_id) || v_member.id)
    order by w.id for no key update;
    if exists (select 1 from public.transfers t where t.idempotency_key = v_key) then
      perform private.raise_error('ALREADY_REVERSED', 'These points have already been taken back', 409);
    end if;
    select p.id into v_target from public.entries e join public.wallets payer on payer.id = e.wallet_id
    join public.wallets p on p.owner_user_id = payer.owner_user_id and p.kind = 'startup' where e.id = p_transfer_id * 2 - 1;
    perform private.release_holds_for_debit(v_member.id, v_points, v_payments);
    perform private.transfer(v_member.id, v_target, v_points, 'reversal', left('Reversed: ' || v_transfer.description, 500), v_key,
      p_submission_id => v_transfer.submission_id, p_referral_id => v_transfer.referral_id, p_campaign_id => v_transfer.campaign_id,
      p_trial_points => v_trial);
    perform private.hold_referral_again(v_transfer.submission_id);
    if v_transfer.referral_id is not null then
      perform private.reversed_referral(v_transfer);
    end if;
    update public.campaigns c set points_distributed = c.points_distributed - v_points
    where c.id = v_transfer.campaign_id and v_transfer.kind = 'task_completion';
    perform private.audit(v_admin, 'transfer.reverse', 'transfer', p_transfer_id::text,
      jsonb_build_object('points', v_points, 'kind', v_transfer.kind), null, v_note);
    perform private.enqueue_event('PointsCorrected', v_member.user_id, jsonb_build_object('points', -v_points, 'reason', v_note));
  end if;
  select t.* into v_transfer from public.transfers t where t.idempotency_key = v_key;
  return v_transfer;
end $$;
comment on function public.reverse_transfer(bigint, text) is
  'Admin reverses a transfer of earned points with a reason; returns the opposite transfer. The same as reverse_submission while the '
  'submission exists; otherwise the points go back to the project, and those of a referral to issuance (TRUST-23, TRUST-12). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, TRANSFER_NOT_FOUND, NOT_REVERSIBLE, OWN_MATTER, ALREADY_REVERSED, '
  'INSUFFICIENT_POINTS (already spent).';
grant execute on function public.reverse_transfer(bigint, text) to authenticated, service_role;

create function public.adjust_points(p_wallet_id uuid, p_points integer, p_reason text, p_idempotency_key text) returns public.transfers
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_key text := 'adjustment:' || private.require_idempotency_key(p_idempotency_key);
  v_reason text := private.require_text(p_reason, 400, 'REASON_REQUIRED', 'A reason is required');
  v_wallet public.wallets;
  v_transfer public.transfers;
  v_id bigint;
begin
  if p_points is null or p_points = 0 or abs(p_points::bigint) > 1000000 then
    perform private.raise_error('INVALID_ADJUSTMENT', 'Enter a whole number of points other than 0, at most 1,000,000', 400);
  end if;
  select w.* into v_wallet from public.wallets w where w.id = p_wallet_id and w.kind in ('user', 'startup') for no key update;
  if v_wallet.id is null then
    perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_wallet.owner_user_id);
  -- The wallet's lock makes a concurrent call with the same key wait and then find the first one's transfer.
  select t.* into v_transfer from public.transfers t where t.idempotency_key = v_key;
  if v_transfer.id is not null then
    if v_transfer.points <> abs(p_points) or not exists (
      select 1 from public.entries e where e.id = v_transfer.id * 2 - (p_points < 0)::integer and e.wallet_id = p_wallet_id
    ) then
      perform private.raise_error('CORRECTION_KEY_REUSED', 'This idempotency key was used for another correction', 409);
    end if;
    return v_transfer;
  end if;
  if p_points < 0 then
    perform private.release_holds_for_debit(p_wallet_id, -p_points);
  end if;
  v_id := private.transfer(case when p_points < 0 then p_wallet_id end, case when p_points > 0 then p_wallet_id end, abs(p_points),
    'adjustment', 'Correction: ' || v_reason, v_key);
  select t.* into v_transfer from public.transfers t where t.id = v_id;
  perform private.audit(v_admin, 'wallet.adjust', 'wallet', p_wallet_id::text, jsonb_build_object('points', v_wallet.points),
    jsonb_build_object('points', v_wallet.points + p_points, 'transfer_id', v_transfer.id, 'user_id', v_wallet.owner_user_id), v_reason);
  perform private.enqueue_event('PointsCorrected', v_wallet.owner_user_id,
    jsonb_build_object('points', p_points, 'reason', v_reason, 'wallet', v_wallet.kind));
  return v_transfer;
end $$;
comment on function public.adjust_points(uuid, integer, text, text) is
  'Admin adds (positive) or removes (negative) points of a member''s or project''s wallet with a reason that its owner reads; available '
  'points before held ones. Idempotent per key: returns the first transfer (TRUST-23, TRUST-21). Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, REASON_REQUIRED, TEXT_TOO_LONG, INVALID_ADJUSTMENT, IDEMPOTENCY_KEY_REQUIRED, INVALID_IDEMPOTENCY_KEY, '
  'CORRECTION_KEY_REUSED, WALLET_NOT_FOUND, OWN_MATTER, INSUFFICIENT_POINTS.';
grant execute on function public.adjust_points(uuid, integer, text, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 38_notification_lists.sql
-- ==============================================================================================================================

-- The notification list, and the daily digest for founders (BEY-03).

create function public.list_notifications(p_only_unread boolean default false, p_limit integer default 20, p_cursor text default null)
returns table (
  id bigint, kind public.notification_kind, type text, data jsonb, created_at timestamptz, read_at timestamptz, waiting integer, cursor text
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('notifications', p_cursor, array['bigint']);
begin
  return query
    select n.id, private.notification_kind(n.type), n.type, n.data, n.created_at, n.read_at,
      case when n.type in ('ProofsWaiting', 'ReviewHalfTime', 'ReviewDueSoon') then (
        select c.pending_count from public.campaigns c where c.id = (n.data ->> 'campaign_id')::uuid
      ) end,
      private.encode_cursor('notifications', jsonb_build_array(n.id))
    from public.notifications n
    where n.user_id = public.current_user_id() and (v_after is null or n.id < v_after[1]::bigint)
      and (not coalesce(p_only_unread, false) or n.read_at is null)
    order by n.id desc limit v_limit;
end $$;
comment on function public.list_notifications(boolean, integer, text) is
  'The caller''s notifications, newest first; runs with the caller''s rights. waiting: the quest''s currently pending proofs, for '
  'ProofsWaiting and the reminders. Next page: the cursor of the last row. Nullable: read_at, waiting. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_notifications(boolean, integer, text) to authenticated, service_role;

create function private.queue_digests() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_due timestamptz := date_trunc('day', now(), 'UTC') + make_interval(hours => (select d.digest_hour from private.deployment d));
  v_failed uuid[] := array(select f.row_id from private.failed_rows f where f.job = 'queue_digests' and f.failed_at >= v_due);
  v_is_first boolean;
  v_owner record;
begin
  if now() < v_due then
    return;
  end if;
  v_is_first := private.take_ceiling('digests', 1, 1, '1 day');
  if not v_is_first and v_failed = '{}' then
    return;
  end if;
  for v_owner in
    select s.id, s.owner_user_id, jsonb_build_object(
      'waiting', sum(c.pending_count),
      'quests', jsonb_agg(jsonb_build_object('title', c.title, 'waiting', c.pending_count) order by c.pending_count desc, c.id)
    ) as payload
    from public.startup_profiles s join public.campaigns c on c.startup_id = s.id and c.pending_count > 0 and c.held_at is null
    where (v_is_first or s.id = any (v_failed))
      and s.suspended_at is null and private.wants_mail(s.owner_user_id, 'DigestDue') and s.id in (
        select n.startup_id from public.submissions p join public.campaigns n on n.id = p.campaign_id
        where p.status = 'pending' and p.submitted_at >= v_due - interval '1 day' and p.submitted_at < v_due
      )
    group by s.id
  loop
    begin
      perform private.enqueue_event('DigestDue', v_owner.owner_user_id, v_owner.payload);
      delete from private.failed_rows f where f.job = 'queue_digests' and f.row_id = v_owner.id;
    exception when others then
      raise warning 'The digest of project % could not be queued: %', v_owner.id, sqlerrm;
      perform private.record_failed_row('queue_digests', sqlstate, 'project', v_owner.id);
    end;
  end loop;
end $$;
comment on function private.queue_digests() is
  'Once a day, on the first tick of the outbox worker after private.deployment.digest_hour: enqueues DigestDue for every owner with '
  'pending proofs from the last day. Owners with nothing new get no mail. One that fails stops no other; it is recorded, and retried with '
  'the next runs of the day.';

-- ==============================================================================================================================
-- 38_payments_back.sql
-- ==============================================================================================================================

-- Refunds, disputes, and disputes that were won: the plan or the unspent points are taken back, or restored.

create function private.free_reserves(p_owner text, p_points bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_missing bigint := p_points;
  v_quest record;
  v_reserve public.wallets;
  v_points bigint;
begin
  perform 1 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
  where s.owner_user_id = p_owner order by c.id for no key update of c;
  for v_quest in
    select c.id, c.title, c.status, r.id as reserve, w.id as wallet
    from public.startup_profiles s
    join public.wallets w on w.startup_id = s.id
    join public.campaigns c on c.startup_id = s.id and c.status <> 'closed'
    join public.wallets r on r.campaign_id = c.id and r.points > r.trial_points
    where s.owner_user_id = p_owner order by c.published_at desc nulls last, c.id
  loop
    exit when v_missing <= 0;
    perform 1 from public.wallets w where w.id in (v_quest.wallet, v_quest.reserve) order by w.kind, w.id for no key update;
    select w.* into v_reserve from public.wallets w where w.id = v_quest.reserve;
    select v_reserve.points - coalesce(sum(t.pending_points + t.kept_points), 0) into v_points
    from public.tasks t where t.campaign_id = v_quest.id;
    continue when v_points <= 0;
    -- Also after a hold, which would otherwise end with a published quest without points.
    update public.campaigns c set status = 'draft', published_at = null, updated_at = now(),
      status_before_hold = case when c.held_at is not null then 'draft' end::public.campaign_status
    where c.id = v_quest.id;
    perform private.audit('system', 'campaign.unpublish', 'campaign', v_quest.id::text, jsonb_build_object('status', v_quest.status),
      jsonb_build_object('status', 'draft'), 'A payment for points went back');
    -- Bought points before trial points, which may still pay what was promised.
    perform private.transfer(v_quest.reserve, v_quest.wallet, v_points, 'release', format('Released from quest "%s"', v_quest.title),
      p_campaign_id => v_quest.id, p_trial_points => greatest(v_points - (v_reserve.points - v_reserve.trial_points), 0));
    v_missing := v_missing - least(v_points, v_reserve.points - v_reserve.trial_points);
  end loop;
end $$;
comment on function private.free_reserves(text, bigint) is
  'Returns reserves of the owner''s quests to the project''s wallet after a refund or dispute, latest quest first. Such a quest becomes an '
  'unfunded draft, which its owner can publish again with other points. Points promised to pending proofs, and kept for appeals, stay '
  'reserved; a quest that has no others stays as it is.';

create function private.points_taken_back_at(p_campaign_id uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select max(l.created_at) from public.audit_log l
  where l.subject_type = 'campaign' and l.subject_id = p_campaign_id::text and l.action = 'campaign.unpublish' and l.actor_id = 'system'
$$;
comment on function private.points_taken_back_at(uuid) is
  'When free_reserves last made this quest an unfunded draft, from the audit log; null: never.';

create function private.lock_purchase(p_payment_ref text) returns public.point_purchases
language plpgsql security definer set search_path = ''
as $$
declare
  v_purchase public.point_purchases;
begin
  perform 1 from public.startup_profiles s
  where s.owner_user_id = (select p.owner_user_id from public.point_purchases p where p.payment_ref = p_payment_ref) for no key update;
  select p.* into v_purchase from public.point_purchases p where p.payment_ref = p_payment_ref for no key update;
  return v_purchase;
end $$;
comment on function private.lock_purchase(text) is
  'Locks the project that paid, then the purchase, as deleting the project or its owner does, and returns the purchase; nulls for an '
  'unknown payment.';

create function private.take_back_purchase(p_purchase public.point_purchases, p_status public.purchase_status) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet public.wallets;
  v_missing bigint := case when p_purchase.written_off_at is null then p_purchase.credited_points else 0 end;
  v_uncovered bigint;
  v_points bigint;
begin
  update public.point_purchases p set status = p_status where p.id = p_purchase.id;
  perform private.hold_trial_again(p_purchase.owner_user_id);
  select w.* into v_wallet from public.wallets w where w.owner_user_id = p_purchase.owner_user_id and w.kind = 'startup';
  perform private.free_reserves(p_purchase.owner_user_id, v_missing - (v_wallet.points - v_wallet.trial_points));
  select w.* into v_wallet from public.wallets w where w.id = v_wallet.id for no key update;
  -- Promises that exceed a reserve are paid from the free balance (TRUST-04).
  select coalesce(sum(greatest(t.promised - coalesce(r.points, 0), 0)), 0) into v_uncovered
  from (
    select t.campaign_id, sum(t.pending_points + t.kept_points) as promised from public.tasks t
    join public.campaigns c on c.id = t.campaign_id
    where c.startup_id = v_wallet.startup_id and t.pending_points + t.kept_points > 0 group by 1
  ) t left join public.wallets r on r.campaign_id = t.campaign_id;
  v_points := greatest(least(v_missing, v_wallet.points - v_wallet.trial_points - v_uncovered), 0);
  if v_points > 0 then
    perform private.transfer(v_wallet.id, null, v_points, 'purchase_reversal', 'Purchase taken back: the payment was ' || p_status::text,
      p_metadata => jsonb_build_object('purchase_id', p_purchase.id), p_trial_points => 0);
  end if;
  update public.point_purchases p set credited_points = p.credited_points - v_points
  where p.id = p_purchase.id returning p.* into p_purchase;
  perform private.enqueue_event('PurchaseTakenBack', p_purchase.owner_user_id,
    private.purchase_facts(p_purchase) || jsonb_build_object('taken_back', v_points, 'missing', v_missing - v_points));
end $$;
comment on function private.take_back_purchase(public.point_purchases, public.purchase_status) is
  'Takes back the unspent points of a refunded or disputed purchase: from the project''s wallet, then from the reserves of its quests. '
  'Trial points stay, and so do points promised to pending proofs and to rejected ones that may be appealed. The shortfall remains in '
  'credited_points, where admins see it; one that was written off is not taken any more. Points that members hold because the project had '
  'paid are held again (C-94). The caller has called lock_purchase.';

create function public.end_payment(p_payment_ref text, p_event_id text, p_status text, p_dispute_ref text default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb;
  v_subscription public.subscriptions;
  v_purchase public.point_purchases;
  v_before text := (select s.status from public.subscriptions s where s.payment_ref = p_payment_ref);
begin
  if p_status is null or p_status not in ('refunded', 'disputed', 'cancelled') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  elsif (p_status = 'disputed') is distinct from (private.clean(p_dispute_ref) is not null) then
    perform private.raise_error('INVALID_DISPUTE', 'A dispute needs its id, and nothing else has one', 400);
  end if;
  v_outcome := private.record_payment_event(p_event_id, 'end', p_payment_ref, p_dispute_ref);
  if v_outcome is not null then
    return v_outcome;
  end if;
  if private.is_payment_ended(p_payment_ref) then
    update public.subscriptions s set status = p_status::public.subscription_status
    where s.payment_ref = p_payment_ref and s.status in ('active', 'disputed', 'expired') returning s.* into v_subscription;
    v_purchase := private.lock_purchase(p_payment_ref);
  end if;
  if v_purchase.status <> 'refunded' then
    perform private.take_back_purchase(
      v_purchase, case p_status when 'disputed' then 'disputed' else 'refunded' end::public.purchase_status);
    return private.answer_purchase_event(
      p_event_id, private.purchase_facts(v_purchase), v_purchase.id, jsonb_build_object('ended', true));
  elsif v_subscription.id is not null then
    perform private.sync_og_badge(v_subscription.owner_user_id);
    perform private.hold_trial_again(v_subscription.owner_user_id);
    perform private.enqueue_event('SubscriptionEnded', v_subscription.owner_user_id, jsonb_build_object(
      'startup_id', v_subscription.startup_id, 'plan_id', v_subscription.plan_id, 'status', p_status));
  end if;
  return private.answer_payment_event(p_event_id, v_before, jsonb_build_object('ended', v_subscription.id is not null));
end $$;
comment on function public.end_payment(text, text, text, text) is
  'A refund (refunded), dispute (disputed, with its id) or cancellation (cancelled) of a payment: ends its plan, which frees the slot and '
  'removes the badge, takes back the unspent ones of its points, and releases no held points any more (C-94). Returns {ended}: false when '
  'the payment had no effect or the dispute is already won. Service role only. Errors: INVALID_STATUS, INVALID_PAYMENT_EVENT, '
  'INVALID_DISPUTE.';
grant execute on function public.end_payment(text, text, text, text) to service_role;

create function private.reinstate_purchase(p_purchase public.point_purchases) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_points integer := p_purchase.points - p_purchase.credited_points;
begin
  if p_purchase.status <> 'disputed' then
    return 'not_disputed';
  elsif private.is_payment_ended(p_purchase.payment_ref) then
    return 'payment_ended';
  elsif exists (select 1 from private.deleted_users d where d.user_id = p_purchase.owner_user_id) then
    return 'startup_not_found';
  end if;
  update public.point_purchases p set status = 'paid', credited_points = p.points, written_off_at = null
  where p.id = p_purchase.id returning p.* into p_purchase;
  if v_points > 0 then
    perform private.credit_purchase(p_purchase, v_points, 'Purchase given back: the dispute was won');
  end if;
  perform private.enqueue_event('PurchaseReinstated', p_purchase.owner_user_id, private.purchase_facts(p_purchase));
  return null;
end $$;
comment on function private.reinstate_purchase(public.point_purchases) is
  'Restores the points that a dispute took from a purchase; returns null, or why it could not: not_disputed, payment_ended (another '
  'dispute is open) or startup_not_found (the owner''s account is deleted).';

create function public.reinstate_payment(p_payment_ref text, p_event_id text, p_dispute_ref text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb;
  v_subscription public.subscriptions;
  v_purchase public.point_purchases;
  v_reason text;
  v_before text := (select s.status from public.subscriptions s where s.payment_ref = p_payment_ref);
begin
  if private.clean(p_dispute_ref) is null then
    perform private.raise_error('INVALID_DISPUTE', 'A dispute needs its id, and nothing else has one', 400);
  end if;
  v_outcome := private.record_payment_event(p_event_id, 'reinstate', p_payment_ref, p_dispute_ref);
  if v_outcome is not null then
    return v_outcome;
  end if;
  v_purchase := private.lock_purchase(p_payment_ref);
  if v_purchase.id is not null then
    v_reason := private.reinstate_purchase(v_purchase);
    return private.answer_purchase_event(p_event_id, private.purchase_facts(v_purchase), v_purchase.id,
      jsonb_build_object('reinstated', v_reason is null, 'reason', v_reason));
  end if;
  perform private.expire_subscriptions();
  select s.* into v_subscription from public.subscriptions s where s.payment_ref = p_payment_ref and s.status = 'disputed' for update;
  if v_subscription.id is null then
    v_reason := 'not_disputed';
  else
    v_reason := private.activation_refusal(v_subscription.owner_user_id, v_subscription.plan_id, p_payment_ref);
    if v_reason is null then
      update public.subscriptions s set status = 'active' where s.id = v_subscription.id;
      perform private.sync_og_badge(v_subscription.owner_user_id);
      perform private.release_project_holds(v_subscription.owner_user_id, 'project_paid');
    end if;
    perform private.enqueue_event(case when v_reason is null then 'SubscriptionReinstated' else 'PaymentNotApplied' end,
      v_subscription.owner_user_id,
      jsonb_build_object('startup_id', v_subscription.startup_id, 'plan_id', v_subscription.plan_id, 'payment_ref', p_payment_ref,
        'amount_cents', v_subscription.amount_cents, 'reason', v_reason));
  end if;
  return private.answer_payment_event(p_event_id, v_before, jsonb_build_object('reinstated', v_reason is null, 'reason', v_reason));
end $$;
comment on function public.reinstate_payment(text, text, text) is
  'After a dispute was won: reactivates the plan that it ended, with slot and badge, or restores the points that it took. Returns '
  '{reinstated, reason}; reason: not_disputed (nothing to restore: not paid yet, refunded, or never ended), payment_ended (another dispute '
  'of the payment is open), or, in which case the payment has to be refunded, sold_out, already_subscribed or startup_not_found (C-20, '
  'C-21). Idempotent per event. Service role only. Errors: INVALID_PAYMENT_EVENT, INVALID_DISPUTE.';
grant execute on function public.reinstate_payment(text, text, text) to service_role;

create function public.record_payment_receipt(p_payment_ref text, p_receipt_url text) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.subscriptions s set receipt_url = p_receipt_url where s.payment_ref = p_payment_ref;
  if found then
    return true;
  end if;
  update public.point_purchases p set receipt_url = p_receipt_url where p.payment_ref = p_payment_ref;
  return found;
end $$;
comment on function public.record_payment_receipt(text, text) is
  'Stores the URL of a payment''s receipt; returns whether the payment is known (C-110). Service role only.';
grant execute on function public.record_payment_receipt(text, text) to service_role;

create function public.list_own_payments(p_limit integer default 20, p_cursor text default null) returns table (
  id uuid, product_id text, points integer, amount_cents integer, currency text, status text, credited_points integer, receipt_url text,
  created_at timestamptz, cursor text, is_unused boolean
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 20, 100);
  v_after text[] := private.decode_cursor('own_payments', p_cursor, array['timestamptz', 'uuid']);
begin
  return query
    select p.id, p.pack_id, p.points, p.amount_cents, p.currency, p.status, p.credited_points, p.receipt_url, p.created_at,
      private.encode_cursor('own_payments', jsonb_build_array(p.created_at, p.id)), p.is_unused
    from (
      select x.id, x.pack_id, x.points, x.amount_cents, x.currency, x.status::text, x.credited_points, x.receipt_url, x.created_at,
        false as is_unused
      from public.point_purchases x where x.owner_user_id = (select public.current_user_id())
      union all
      select s.id, s.plan_id, null, s.amount_cents, 'usd',
        case when s.status = 'active' then 'paid' else s.status::text end, null, s.receipt_url, s.created_at, false
      from public.subscriptions s where s.owner_user_id = (select public.current_user_id())
      union all
      select u.id, u.product_id, u.points, u.amount_cents, 'usd', u.status, null, null, u.created_at, true
      from private.own_unused_payments() u
    ) p
    where v_after is null or (p.created_at, p.id) < (v_after[1]::timestamptz, v_after[2]::uuid)
    order by p.created_at desc, p.id desc limit v_limit;
end $$;
comment on function public.list_own_payments(integer, text) is
  'The caller''s payments for plans and points, newest first, with the provider''s receipts (C-110). credited_points: after a refund or '
  'dispute, the points that had been spent. is_unused: it has bought nothing and is given back (C-103). Next page: the cursor of the last '
  'row. Nullable: points, credited_points, receipt_url. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_own_payments(integer, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 38_project_wallet.sql
-- ==============================================================================================================================

-- A project's points for its owner to audit: free points and the reserves of its quests as one account (BEY-06).

create function private.own_project_wallets() returns setof public.wallets
language sql stable security definer set search_path = ''
as $$ select w.* from public.wallets w where w.id in (select private.own_wallet_ids()) and w.kind <> 'user' $$;
comment on function private.own_project_wallets() is 'The wallet of the caller''s project and the reserves of its quests.';

create function public.list_project_transactions(
  p_view text default null, p_campaign_id uuid default null, p_limit integer default 50, p_cursor text default null
) returns table (
  id bigint, kind public.transfer_kind, description text, created_at timestamptz, change bigint, free_change bigint, reserved_change bigint,
  free_after bigint, reserved_after bigint, campaign_id uuid, campaign_title text, submission_id uuid, task_title text, member_name text,
  submission_status public.submission_status, reviewed_by text, reviewed_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer;
  v_after bigint;
  v_free uuid;
  v_wallets uuid[];
  v_kinds public.transfer_kind[];
begin
  perform private.require_user();
  v_limit := private.validate_limit(p_limit, 50, 1000);
  v_after := (private.decode_cursor('project_transactions', p_cursor, array['bigint']))[1]::bigint;
  if p_view not in ('payouts', 'reserves', 'received') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  end if;
  v_kinds := case p_view when 'payouts' then '{task_completion,reversal}' when 'reserves' then '{reserve,release}'
    when 'received' then '{trial_budget,purchase,purchase_reversal,refund,adjustment}' end;
  v_wallets := array(select w.id from private.own_project_wallets() w);
  select w.id into v_free from private.own_project_wallets() w where w.kind = 'startup';
  return query
    with page as (
      select distinct x.transfer_id from unnest(v_wallets) w (id)
      cross join lateral (
        select e.transfer_id from public.entries e join public.transfers t on t.id = e.transfer_id
        where e.wallet_id = w.id and e.id < coalesce(v_after * 2 - 1, 9223372036854775807)
          and (v_kinds is null or t.kind = any (v_kinds)) and (p_campaign_id is null or t.campaign_id = p_campaign_id)
        order by e.id desc limit v_limit
      ) x
      order by x.transfer_id desc limit v_limit
    )
    select t.id, t.kind, t.description, t.created_at, (side.free + side.reserved)::bigint, side.free::bigint, side.reserved::bigint,
      coalesce(after.free, 0)::bigint, coalesce(after.reserved, 0)::bigint, t.campaign_id, c.title, t.submission_id, task.title,
      case when t.submission_id is not null then coalesce(p.display_name, p.masked_username, '***') end, s.status, s.reviewed_by,
      s.reviewed_at, private.encode_cursor('project_transactions', jsonb_build_array(t.id))
    from page
    join public.transfers t on t.id = page.transfer_id
    cross join lateral (
      select coalesce(sum(x.points) filter (where x.wallet_id = v_free), 0) as free,
        coalesce(sum(x.points) filter (where x.wallet_id <> v_free or v_free is null), 0) as reserved
      from (
        select e.wallet_id, case e.type when 'credit' then t.points else -t.points end as points
        from public.entries e where e.transfer_id = t.id and e.id in (t.id * 2 - 1, t.id * 2) and e.wallet_id = any (v_wallets)
      ) x
    ) side
    -- The balance of each wallet after its latest entry.
    cross join lateral (
      select sum(l.balance_after) filter (where w.id = v_free) as free,
        sum(l.balance_after) filter (where w.id <> v_free or v_free is null) as reserved
      from unnest(v_wallets) w (id)
      cross join lateral (
        select e.balance_after from public.entries e where e.wallet_id = w.id and e.id <= t.id * 2 order by e.id desc limit 1
      ) l
    ) after
    left join public.campaigns c on c.id = t.campaign_id
    left join public.submissions s on s.id = t.submission_id
    left join public.tasks task on task.id = s.task_id
    left join public.user_profiles p on p.user_id = s.user_id
    order by t.id desc;
end $$;
comment on function public.list_project_transactions(text, uuid, integer, text) is
  'Every movement of the points of the caller''s project, including payments from reserves, newest first, with its quest, proof and '
  'decision and the balance after it (BEY-06). change: of free and reserved points together; all changes add up to the balance. p_view: '
  'payouts (with reversals), reserves, received. Next page: the cursor of the last row. Nullable: campaign_id, campaign_title, '
  'submission_id, task_title, member_name, submission_status, reviewed_by, reviewed_at. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_VIEW, '
  'INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_project_transactions(text, uuid, integer, text) to authenticated, service_role;

create function public.get_project_points() returns table (
  free bigint, reserved bigint, paid bigint, bought bigint, granted bigint, other bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_wallets uuid[];
begin
  perform private.require_user();
  perform private.cache_for(0, false);
  v_wallets := array(select w.id from private.own_project_wallets() w);
  return query
    select b.free, b.reserved, m.paid, m.bought, m.granted, (b.free + b.reserved + m.paid - m.bought - m.granted)::bigint
    from (
      select coalesce(sum(w.points) filter (where w.kind = 'startup'), 0)::bigint as free,
        coalesce(sum(w.points) filter (where w.kind = 'reserve'), 0)::bigint as reserved
      from private.own_project_wallets() w
    ) b
    cross join (
      select coalesce(-sum(x.points) filter (where x.kind in ('task_completion', 'reversal')), 0)::bigint as paid,
        coalesce(sum(x.points) filter (where x.kind in ('purchase', 'purchase_reversal')), 0)::bigint as bought,
        coalesce(sum(x.points) filter (where x.kind = 'trial_budget'), 0)::bigint as granted
      from (
        select t.kind, case e.type when 'credit' then t.points else -t.points end as points
        from public.entries e join public.transfers t on t.id = e.transfer_id where e.wallet_id = any (v_wallets)
      ) x
    ) m;
end $$;
comment on function public.get_project_points() is
  'Totals of the points of the caller''s project: free, reserved, paid to members less reversals, bought, granted as trial budget, other '
  '(corrections). free + reserved + paid = bought + granted + other (BEY-06). Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_project_points() to authenticated, service_role;

create function public.get_project_payouts() returns table (day date, points bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_first date := (now() at time zone 'UTC')::date - 29;
  v_wallets uuid[];
begin
  perform private.require_user();
  perform private.cache_for(0, false);
  v_wallets := array(select w.id from private.own_project_wallets() w);
  return query
    select v_first + d.n, coalesce(p.points, 0)::bigint
    from generate_series(0, 29) d (n)
    left join (
      select (t.created_at at time zone 'UTC')::date as day, sum(t.points) as points
      from public.entries e join public.transfers t on t.id = e.transfer_id
      where e.wallet_id = any (v_wallets) and e.type = 'debit' and t.kind = 'task_completion'
        and t.created_at >= v_first::timestamp at time zone 'UTC'
      group by 1
    ) p on p.day = v_first + d.n
    order by 1;
end $$;
comment on function public.get_project_payouts() is
  'Points that the caller''s project has paid for proofs on each of the last 30 UTC days, today last, including days without payouts. What '
  'was taken back later is not subtracted. Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_project_payouts() to authenticated, service_role;

-- ==============================================================================================================================
-- 38_review_desk.sql
-- ==============================================================================================================================

-- The review queue: submissions to all quests of the caller's project, and counts of pending ones (BEY-01).

create function private.find_submissions(
  p_campaign_id uuid, p_task_id uuid, p_status text, p_is_flagged boolean, p_search text, p_sort text, p_limit integer, p_cursor text
) returns table (n bigint, submission_id uuid, member_name text, cursor text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_quests uuid[];
  v_limit integer;
  v_pattern text;
  v_sort text := coalesce(p_sort, 'status');
  v_keys private.sort_key[];
  v_direction text := case when v_sort = 'newest' or v_sort like '-%' then 'desc' else 'asc' end;
  v_after text[];
begin
  perform private.require_user();
  v_quests := array(select private.own_campaign_ids());
  v_limit := private.validate_limit(p_limit, 100, 1000);
  v_pattern := private.search_pattern(p_search);
  perform private.validate_status_filter(p_status, array['pending', 'approved', 'rejected']);
  if p_campaign_id is not null then
    if p_campaign_id <> all (v_quests) then
      perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
    end if;
    v_quests := array[p_campaign_id];
  end if;
  v_keys := case ltrim(v_sort, '-')
    when 'status' then array[
      ('s.status', 'public.submission_status'), ('coalesce(s.review_due_at, s.submitted_at)', 'timestamptz')]::private.sort_key[]
    when 'task' then array[
      ('c.created_at', 'timestamptz'), ('c.id', 'uuid'), ('t.order_index', 'integer'), ('t.id', 'uuid')]::private.sort_key[]
    when 'member' then array[
      ($sql$coalesce(p.display_name, p.masked_username, '***')$sql$, 'text'), ('s.user_id', 'text')]::private.sort_key[]
    when 'newest' then '{}' when 'oldest' then '{}' end;
  if v_keys is null or v_sort in ('-newest', '-oldest') then
    perform private.raise_error('INVALID_SORT', 'Unknown sort order', 400);
  end if;
  v_keys := v_keys || array[('s.submitted_at', 'timestamptz'), ('s.id', 'uuid')]::private.sort_key[];
  v_after := private.decode_cursor('submissions:' || v_sort, p_cursor, private.key_types(v_keys));
  -- Quest by quest, so that the index on a quest's submissions returns its first rows in order, however many there are.
  return query execute format(
    $sql$
      select row_number() over (order by %1$s), x.id, x.member_name,
        private.encode_cursor(%2$L, jsonb_build_array(%3$s))
      from unnest($2) q (id)
      cross join lateral (
        select s.id, coalesce(p.display_name, p.masked_username, '***') as member_name, %4$s
        from public.submissions s
        join public.campaigns c on c.id = s.campaign_id
        join public.tasks t on t.id = s.task_id
        left join public.user_profiles p on p.user_id = s.user_id
        where s.campaign_id = q.id %5$s
        order by %6$s limit $1
      ) x
      order by 1 limit $1
    $sql$,
    (select string_agg(format('x.k%s %s', k.n, v_direction), ', ' order by k.n) from generate_subscripts(v_keys, 1) k (n)),
    'submissions:' || v_sort,
    (select string_agg(format('x.k%s', k.n), ', ' order by k.n) from generate_subscripts(v_keys, 1) k (n)),
    (select string_agg(format('%s as k%s', v_keys[k.n].expression, k.n), ', ' order by k.n) from generate_subscripts(v_keys, 1) k (n)),
    concat(
      case when v_after is not null then ' and ' || private.after_cursor(v_keys, '$3', v_direction) end,
      case when p_status is not null then format(' and s.status = %L', p_status) end,
      case when p_task_id is not null then ' and s.task_id = $4' end,
      case when p_is_flagged then
        ' and exists (select 1 from public.submission_flags f where f.submission_id = s.id and f.dismissed_at is null)' end,
      -- Searches only what the reviewer may read anyway.
      case when v_pattern is not null then $sql$ and concat_ws(' ', coalesce(p.display_name, p.masked_username), s.user_id,
        s.id, s.participant_email, t.title, c.title, s.proof_url) ilike $5$sql$ end
    ),
    private.order_by(v_keys, v_direction)
  ) using v_limit, v_quests, v_after, p_task_id, v_pattern;
end $$;
comment on function private.find_submissions(uuid, uuid, text, boolean, text, text, integer, text) is
  'The page of list_review_submissions: ids, members'' names and cursors. Security definer because it reads members'' names; limited to '
  'the caller''s own quests.';
grant execute on function private.find_submissions(uuid, uuid, text, boolean, text, text, integer, text) to authenticated, service_role;

create function public.list_review_submissions(
  p_campaign_id uuid default null, p_task_id uuid default null, p_status text default null, p_is_flagged boolean default false,
  p_search text default null, p_sort text default 'status', p_limit integer default 100, p_cursor text default null
) returns table (
  id uuid, campaign_id uuid, campaign_title text, task_id uuid, task_title text, task_points integer, user_id text, member_name text,
  participant_email text, proof_url text, proof_text text, status public.submission_status, reward_points integer, reviewed_by text,
  review_note text, rejection_reason public.rejection_reason, reviewed_at timestamptz, submitted_at timestamptz, flags jsonb, cursor text,
  review_due_at timestamptz
)
language sql stable set search_path = ''
as $$
  select s.id, s.campaign_id, c.title, s.task_id, t.title, t.reward_points, s.user_id, f.member_name, s.participant_email, s.proof_url,
    s.proof_text, s.status, s.reward_points, s.reviewed_by, s.review_note, s.rejection_reason, s.reviewed_at, s.submitted_at,
    public.flags(s), f.cursor, s.review_due_at
  from private.find_submissions(p_campaign_id, p_task_id, p_status, p_is_flagged, p_search, p_sort, p_limit, p_cursor) f
  join public.submissions s on s.id = f.submission_id
  join public.campaigns c on c.id = s.campaign_id
  join public.tasks t on t.id = s.task_id
  order by f.n
$$;
comment on function public.list_review_submissions(uuid, uuid, text, boolean, text, text, integer, text) is
  'Submissions to the quests of the caller''s project, of one of them or of one task, with quest, task, member''s name (display name, or '
  'masked; C-92) and flags as the caller may see them (BEY-01, BEY-02). p_status: pending, approved, rejected. p_search: names, ids, '
  'e-mail addresses, titles and links. p_sort: status (pending first, by due time), oldest, newest, task or member; a leading minus '
  'reverses status, task and member. Next page: the cursor of the last row. Nullable: participant_email, proof_url, proof_text, '
  'reviewed_by, review_note, rejection_reason, reviewed_at, review_due_at. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, '
  'INVALID_SORT, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.list_review_submissions(uuid, uuid, text, boolean, text, text, integer, text)
  to authenticated, service_role;

create function public.get_review_counts() returns table (
  campaign_id uuid, title text, quest_status public.campaign_status, pending_count integer, approved_count integer, rejected_count integer,
  flagged_count bigint, next_due_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_user();
  perform private.cache_for(0, false);
  return query
    select c.id, c.title, c.status, c.pending_count, c.approved_count, c.submission_count - c.pending_count - c.approved_count,
      case when c.pending_count > 0 then (
        select count(distinct f.submission_id) from public.submission_flags f
        join public.submissions s on s.id = f.submission_id and s.status = 'pending'
        where f.campaign_id = c.id and f.dismissed_at is null
      ) else 0 end,
      case when c.pending_count > 0 then (
        select coalesce(s.review_due_at, s.submitted_at) from public.submissions s where s.campaign_id = c.id and s.status = 'pending'
        order by 1 limit 1
      ) end
    from public.campaigns c
    where c.id = any (array(select private.own_campaign_ids())) and c.submission_count > 0
    order by c.created_at desc, c.id;
end $$;
comment on function public.get_review_counts() is
  'Per quest of the caller''s project: submissions by status, pending ones with a flag, and when the first is due; quests without '
  'submissions are left out. Nullable: next_due_at. Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_review_counts() to authenticated, service_role;

-- ==============================================================================================================================
-- 39_review_promises.sql
-- ==============================================================================================================================

-- The review promise (BEY-22): reminders about pending proofs, and approval by the server when nobody has decided in time. The rules are
-- explained in docs/decisions/0072-the-review-promise.md.

create function private.promised_hours(p_campaign_id uuid, p_review_hours integer) returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case when not (private.settings()).beta_mode and exists (
    select 1 from public.tasks t where t.campaign_id = p_campaign_id and (t.verification = 'review' or t.requires_proof)
  ) then p_review_hours end;
end $$;
comment on function private.promised_hours(uuid, integer) is
  'Within how many hours a quest''s review time promises an answer; null where every proof is approved at once: during the beta (RULE-02, '
  'C-06), and when no task waits for a reviewer (BEY-13).';

create function private.remind_reviewer(p_campaign_id uuid, p_submission_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  with due as (
    select s.id, s.review_due_at - (s.review_due_at - s.submitted_at) * 0.1 as last_at from public.submissions s
    where s.id = any (p_submission_ids)
  ), reminded as (
    update public.submissions s set review_check_at = case when now() < due.last_at then due.last_at else s.review_due_at end
    from due where s.id = due.id
    returning s.review_due_at, case when s.review_check_at = s.review_due_at then 'ReviewDueSoon' else 'ReviewHalfTime' end as type
  )
  select private.enqueue_event(r.type, s.owner_user_id,
    jsonb_build_object('campaign_id', c.id, 'quest', c.title, 'count', c.pending_count, 'due_at', r.due_at))
  from (select r.type, min(r.review_due_at) as due_at from reminded r group by r.type) r
  join public.campaigns c on c.id = p_campaign_id join public.startup_profiles s on s.id = c.startup_id
  where c.held_at is null and s.is_public and not private.has_unread(r.type, c.id) order by r.type desc
$$;
comment on function private.remind_reviewer(uuid, uuid[]) is
  'Reminds the owner of these pending proofs of a quest, and sets when they are looked at next.';

create function private.remind_reviewers(p_limit integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_quest record;
begin
  -- One session at a time, so that a quest gets one notification; others skip it.
  if not pg_try_advisory_xact_lock(hashtextextended('remind_reviewers', 0)) then
    return;
  end if;
  for v_quest in
    select d.campaign_id as id, array_agg(d.id) as proofs from (
      select s.id, s.campaign_id from public.submissions s
      left join private.failed_rows f on f.job = 'remind_reviewers' and f.row_id = s.campaign_id
      where s.status = 'pending' and s.review_check_at <= now() and s.review_due_at > now()
      order by f.failed_at nulls first, s.review_check_at, s.id limit p_limit for no key update of s skip locked
    ) d group by 1 order by 1
  loop
    begin
      perform private.remind_reviewer(v_quest.id, v_quest.proofs);
    exception when others then
      -- One broken quest must keep neither the other owners from being reminded nor anybody from being paid.
      raise warning 'The owner of quest % could not be reminded: %', v_quest.id, sqlerrm;
      perform private.record_failed_row('remind_reviewers', sqlstate, 'quest', v_quest.id);
    end;
  end loop;
end $$;
comment on function private.remind_reviewers(integer) is
  'Reminds owners of pending proofs after half and nine tenths of their review time, with at most one unread reminder of a kind per quest. '
  'Owners who cannot decide (held quest, suspension, revocation) are not reminded. A quest that fails is recorded and retried after the '
  'others.';

create function private.promise_obstacle(p_submission public.submissions) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select case
      when private.is_flagged(p_submission.id) then 'flagged'
      when c.held_at is not null then 'quest_held'
      when not p.is_public then 'project_closed'
      when exists (
        select 1 from public.user_profiles u where u.user_id = p_submission.user_id and u.suspended_at is not null
      ) then 'member_suspended'
      when p_submission.reward_points > coalesce((
        select sum(w.points) from public.wallets w where w.startup_id = c.startup_id or w.campaign_id = c.id
      ), 0) then 'points_short' end
    from public.campaigns c join public.startup_profiles p on p.id = c.startup_id where c.id = p_submission.campaign_id
  );
end $$;
comment on function private.promise_obstacle(public.submissions) is
  'Why the server cannot approve an overdue proof and an admin has to: flagged, quest_held, project_closed (suspended or not verified), '
  'member_suspended, points_short. Null: it can.';

create function private.notify_approved_by_deadline(p_submission_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  select private.enqueue_event('ReviewTimeOver', q.owner_user_id, jsonb_build_object(
    'campaign_id', q.campaign_id, 'quest', q.title, 'count', q.total, 'points', q.points))
  from (
    select c.id as campaign_id, c.title, p.owner_user_id, count(*) as total, sum(s.reward_points) as points
    from public.submissions s join public.campaigns c on c.id = s.campaign_id join public.startup_profiles p on p.id = c.startup_id
    where s.id = any (p_submission_ids) group by c.id, c.title, p.owner_user_id
  ) q
$$;
comment on function private.notify_approved_by_deadline(uuid[]) is
  'Notifies the owner of a quest of its proofs that were approved and paid because nobody had decided. Members are notified by each '
  'approval.';

create function private.approve_overdue(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_approved uuid[] := '{}';
begin
  for v_submission in select s.* from public.submissions s where s.id = any (p_submission_ids) order by s.review_due_at, s.id loop
    continue when private.promise_obstacle(v_submission) is not null;
    begin
      perform private.approve(v_submission.id, 'deadline', 'Approved because the project did not decide in time', false);
      v_approved := v_approved || v_submission.id;
    exception when sqlstate 'PT409' then
      -- An earlier proof of this batch has used up the project's points.
      null;
    when others then
      -- One broken row must not keep everybody else from being paid, on this run and all later ones.
      raise warning 'The overdue proof % could not be approved: %', v_submission.id, sqlerrm;
    end;
  end loop;
  perform private.count_approvals(v_approved);
  perform private.notify_approved_by_deadline(v_approved);
  update public.submissions s set review_check_at = now() + interval '10 minutes'
  where s.id = any (p_submission_ids) and s.status = 'pending';
end $$;
comment on function private.approve_overdue(uuid[]) is
  'Approves and pays what the server can of a quest''s overdue proofs, and notifies its owner; the others are checked again after ten '
  'minutes. The caller has locked everything.';

create function public.settle_due_reviews(p_limit integer default 50) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_limit integer := least(greatest(p_limit, 1), 200);
  v_due uuid[];
  v_kept uuid[];
  v_failed integer := 0;
  v_quest record;
begin
  -- A call of its own: it locks members' wallets, which must not stay locked during other work.
  perform private.scan_submissions();
  perform private.remind_reviewers(v_limit);
  -- Skips locked rows: those of other workers and of decisions under way.
  v_due := array(
    select s.id from public.submissions s
    left join private.failed_rows f on f.job = 'settle_due_reviews' and f.row_id = s.campaign_id
    where s.status = 'pending' and s.review_check_at <= now() and s.review_due_at <= now()
    order by f.failed_at nulls first, s.review_check_at, s.id limit v_limit for no key update of s skip locked);
  v_kept := array(
    select s.id from public.submissions s
    left join private.failed_rows f on f.job = 'settle_due_reviews' and f.row_id = s.campaign_id
    where s.kept_until <= now() and s.appealed_at is null
    order by f.failed_at nulls first, s.kept_until, s.id limit v_limit for no key update of s skip locked);
  perform private.lock_for_review(v_due || v_kept);
  -- What was promised comes before the free slots of other quests, which share the project's points.
  for v_quest in
    select c.id, c.startup_id, p.owner_user_id, w.is_kept, array_agg(s.id) as proofs
    from (select unnest(v_due) as id, false as is_kept union all select unnest(v_kept), true) w join public.submissions s on s.id = w.id
    join public.campaigns c on c.id = s.campaign_id join public.startup_profiles p on p.id = c.startup_id
    group by c.id, p.id, w.is_kept order by w.is_kept, min(s.review_due_at), c.id
  loop
    begin
      if v_quest.is_kept then
        perform private.release_kept_slots(v_quest.proofs);
        perform private.adjust_reserve_within_balance(v_quest.id, v_quest.startup_id, v_quest.owner_user_id);
      else
        perform private.approve_overdue(v_quest.proofs);
      end if;
    exception when others then
      raise warning 'The due reviews of quest % could not be settled: %', v_quest.id, sqlerrm;
      perform private.record_failed_row('settle_due_reviews', sqlstate, 'quest', v_quest.id);
      v_failed := v_failed + 1;
    end;
  end loop;
  delete from private.failed_jobs f where f.job in ('remind_reviewers', 'settle_due_reviews') and f.failed_at < now();
  -- Less than p_limit when a quest has failed, so that the worker waits for its next tick instead of asking for the same proofs again.
  return greatest(greatest(cardinality(v_due), cardinality(v_kept)) - v_failed, 0);
end $$;
comment on function public.settle_due_reviews(integer) is
  'Called on every worker tick: reminds owners of pending proofs, approves and pays, once each, proofs that nobody decided within the '
  'promised time (BEY-22), and frees the slots of rejected proofs that nobody appealed in time (BEY-23). A proof that cannot be approved '
  'goes to an admin and is retried after ten minutes. A quest that cannot be settled stops no other; it is recorded and retried after '
  'them. Returns how many proofs it processed: p_limit means that there may be more. Service role only.';
grant execute on function public.settle_due_reviews(integer) to service_role;

-- ==============================================================================================================================
-- 39_review_records.sql
-- ==============================================================================================================================

-- The public review record of a project (BEY-05): decisions by people in the last 90 days, counted from the history of submissions.
-- docs/decisions/0074-the-public-record.md says what counts.

create table private.review_records (
  wallet_id uuid primary key references public.wallets (id),
  decided integer not null,
  accepted integer not null,
  in_time integer not null,
  overturned integer not null,
  median_seconds integer,
  counted_at timestamptz not null
);
comment on table private.review_records is
  'One row per project with decisions, as of counted_at; a maintained count that the reconciliation verifies. Keyed by the project''s '
  'wallet, which a recreated project keeps (C-02).';
comment on column private.review_records.decided is 'Approvals and rejections by people in the 90 days before counted_at.';
comment on column private.review_records.in_time is 'How many of them were made within the promised time.';
comment on column private.review_records.overturned is 'Rejections overturned on appeal in that period, at most the number of rejections.';
comment on column private.review_records.median_seconds is 'From submission to decision; null when nothing was decided.';

create function private.count_review_record(p_wallet_id uuid, p_at timestamptz) returns private.review_records
language sql stable security definer set search_path = ''
as $$
  select row(p_wallet_id, count(*) filter (where f.is_decision), count(*) filter (where f.is_decision and h.action = 'approved'),
    count(*) filter (where f.is_decision and h.created_at <= h.review_due_at),
    least(count(*) filter (where h.action = 'overturned'), count(*) filter (where f.is_decision and h.action = 'rejected')),
    (percentile_cont(0.5) within group (order by extract(epoch from h.created_at - h.submitted_at)) filter (where f.is_decision))::integer,
    p_at)::private.review_records
  from public.submission_history h
  cross join lateral (select h.action in ('approved', 'rejected') and h.actor_id in ('project', 'questboard')) f (is_decision)
  where h.project_wallet_id = p_wallet_id and h.created_at > p_at - interval '90 days' and h.created_at <= p_at
$$;
comment on function private.count_review_record(uuid, timestamptz) is
  'A project''s record at a point in time. Only decisions by people count, not approvals by the server. Overturned appeals have a figure '
  'of their own.';

create function private.refresh_review_records(p_at timestamptz) returns void
language sql security definer set search_path = ''
as $$
  insert into private.review_records as r
  select c.* from (
    -- Projects with decisions since the last run, and those whose oldest decisions may have left the 90 days.
    select distinct h.project_wallet_id as wallet_id from public.submission_history h
    where h.created_at <= p_at and h.project_wallet_id is not null
      and h.created_at > coalesce((select max(k.counted_at) from private.review_records k), '-infinity')
    union
    (select k.wallet_id from private.review_records k where k.counted_at < p_at - interval '1 day' order by k.counted_at limit 100)
  ) w cross join lateral private.count_review_record(w.wallet_id, p_at) c
  on conflict (wallet_id) do update set decided = excluded.decided, accepted = excluded.accepted, in_time = excluded.in_time,
    overturned = excluded.overturned, median_seconds = excluded.median_seconds, counted_at = excluded.counted_at
  where excluded.counted_at > r.counted_at
$$;
comment on function private.refresh_review_records(timestamptz) is
  'Recounts the records that have changed up to a time, which has to be a minute ago: the API ends every statement after 8 s, so no '
  'earlier decision can be committed after that.';

create function public.get_project_promises(p_startup_id uuid) returns table (
  reserved_points bigint, least_review_hours integer, most_review_hours integer, decided integer, accepted integer, in_time integer,
  overturned integer, median_seconds integer
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.cache_for(60, true);
  return query
    select q.reserved, q.least, q.most, r.decided, r.accepted, r.in_time, r.overturned, r.median_seconds
    from public.startup_profiles s
    cross join lateral (
      select coalesce(sum(w.points), 0)::bigint as reserved, min(h.hours) as least, max(h.hours) as most
      from public.campaigns c left join public.wallets w on w.campaign_id = c.id
        cross join lateral (select coalesce(private.promised_hours(c.id, c.review_hours), 0) as hours) h
      where c.startup_id = s.id and c.status = 'published'
    ) q
    left join public.wallets p on p.startup_id = s.id
    left join private.review_records r on r.wallet_id = p.id and r.decided >= 10
    where s.id = p_startup_id and s.is_public;
end $$;
comment on function public.get_project_promises(uuid) is
  'A public project''s promises and its record (BEY-05): points reserved for its published quests, their review times (0: a proof is '
  'approved at once) and, from ten decisions by people in 90 days on, the numbers of decisions, acceptances, timely decisions and '
  'overturned rejections, and the median time. No row for a project that is not public. Nullable: least_review_hours, '
  'most_review_hours, decided, accepted, in_time, overturned, median_seconds.';
grant execute on function public.get_project_promises(uuid) to anon, authenticated, service_role;

-- ==============================================================================================================================
-- 40_rewards.sql
-- ==============================================================================================================================

-- Rewards, redemptions and their delivery. Redeeming itself is in 41_redeeming.

create type public.redemption_status as enum ('pending', 'fulfilled', 'cancelled');
create type public.reward_delivery as enum ('code', 'mail', 'post', 'other');

create table public.rewards (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 200),
  description text not null default '' check (length(description) <= 2000),
  points_cost integer not null check (points_cost between 1 and 10000000),
  cash_value_cents integer check (cash_value_cents >= 0),
  image_url text check (private.is_image_url(image_url)),
  is_active boolean not null default true,
  stock_quantity integer check (stock_quantity >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  delivery public.reward_delivery not null default 'other',
  check (delivery <> 'code' or stock_quantity is not null)
);
comment on table public.rewards is 'What points can be redeemed for (DB-14). Changed by admins only (SEC-10).';
comment on column public.rewards.stock_quantity is
  'Units left; null means unlimited. Never below zero (TRUST-05). For a code reward, the number of codes left.';
comment on column public.rewards.delivery is
  'How members get it (C-93): code (immediately, from a stock of codes), mail (to their e-mail address), post (to an address they enter), '
  'other.';
create index rewards_active on public.rewards (points_cost, id) where is_active;
create trigger rewards_touch before update on public.rewards
  for each row execute function private.touch_updated_at();

alter table public.rewards enable row level security;
create policy rewards_read on public.rewards for select to anon, authenticated using (is_active or (select private.is_admin()));
comment on policy rewards_read on public.rewards is 'Active rewards are public; admins read all.';
grant select on public.rewards to anon, authenticated, service_role;

create table public.redemptions (
  id uuid primary key default private.uuidv7(),
  user_id text not null,
  reward_id uuid not null references public.rewards (id) on delete restrict,
  reward_title text not null,
  points_cost integer not null check (points_cost > 0),
  status public.redemption_status not null default 'pending',
  note text check (length(note) <= 1000),
  handled_by text,
  idempotency_key text not null check (length(idempotency_key) between 1 and 100),
  created_at timestamptz not null default now(),
  fulfilled_at timestamptz,
  cancelled_at timestamptz,
  delivery public.reward_delivery not null default 'other',
  unique (user_id, idempotency_key)
);
comment on table public.redemptions is 'Redeemed rewards: pending until an admin fulfils or cancels them (DB-14, C-50).';
comment on column public.redemptions.idempotency_key is 'Generated by the client per click: the same key redeems once.';
comment on column public.redemptions.note is 'The admin''s note to the member.';
comment on column public.redemptions.delivery is 'The reward''s delivery kind at redemption.';
create index redemptions_user on public.redemptions (user_id, created_at desc, id desc);
create index redemptions_reward on public.redemptions (reward_id);
create index redemptions_pending on public.redemptions (created_at, id) where status = 'pending';
create index redemptions_handled on public.redemptions (created_at desc, id desc) where status <> 'pending';

alter table public.redemptions enable row level security;
create policy redemptions_read on public.redemptions for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy redemptions_read on public.redemptions is 'The member and admins.';
grant select on public.redemptions to authenticated, service_role;

-- Postal addresses ----------------------------------------------------------------------------------------------------

create table private.redemption_addresses (
  redemption_id uuid primary key references public.redemptions (id),
  name text not null check (length(name) <= 120),
  street text not null check (length(street) <= 200),
  extra text not null default '' check (length(extra) <= 200),
  postal_code text not null default '' check (length(postal_code) <= 20),
  city text not null check (length(city) <= 120),
  region text not null default '' check (length(region) <= 120),
  country text not null check (country ~ '^[A-Z]{2}$')
);
comment on table private.redemption_addresses is
  'Postal address for a reward (C-93). Readable by admins with the redemption and in the owner''s data export only; deleted on '
  'cancellation, 90 days after fulfilment, and with the account.';
comment on column private.redemption_addresses.extra is 'Second address line, such as flat or company; may be empty.';
comment on column private.redemption_addresses.country is 'ISO 3166-1 alpha-2.';

create function private.save_address(p_redemption_id uuid, p_address jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_country text := upper(private.clean(p_address ->> 'country'));
begin
  if p_address is null or jsonb_typeof(p_address) <> 'object' or coalesce(v_country !~ '^[A-Z]{2}$', true) then
    perform private.raise_error('ADDRESS_REQUIRED', 'Please enter a name and a full postal address', 400);
  elsif length(p_address::text) > 2000 then
    perform private.raise_error('TEXT_TOO_LONG', 'This text is too long', 400);
  elsif exists (select 1 from jsonb_each_text(p_address) a (key, value) where private.has_hidden_characters(a.value)) then
    perform private.raise_error('HIDDEN_CHARACTERS', 'Please use visible characters only', 400);
  end if;
  insert into private.redemption_addresses (redemption_id, name, street, extra, postal_code, city, region, country)
  values (p_redemption_id,
    private.require_text(p_address ->> 'name', 120, 'ADDRESS_REQUIRED', 'Please enter a name and a full postal address'),
    private.require_text(p_address ->> 'street', 200, 'ADDRESS_REQUIRED', 'Please enter a name and a full postal address'),
    private.normalize_text(p_address ->> 'extra', 200), private.normalize_text(p_address ->> 'postal_code', 20),
    private.require_text(p_address ->> 'city', 120, 'ADDRESS_REQUIRED', 'Please enter a name and a full postal address'),
    private.normalize_text(p_address ->> 'region', 120), v_country)
  on conflict (redemption_id) do update set name = excluded.name, street = excluded.street, extra = excluded.extra,
    postal_code = excluded.postal_code, city = excluded.city, region = excluded.region, country = excluded.country;
end $$;
comment on function private.save_address(uuid, jsonb) is
  'Stores or replaces the postal address of a redemption: name, street, extra, postal_code, city, region, country. Some '
  'countries have no postal codes. Errors: ADDRESS_REQUIRED, HIDDEN_CHARACTERS, TEXT_TOO_LONG.';

-- Codes ---------------------------------------------------------------------------------------------------------------

create table private.reward_codes (
  id bigint generated always as identity primary key,
  reward_id uuid not null references public.rewards (id) on delete cascade,
  code bytea not null,
  fingerprint bytea not null,
  redemption_id uuid unique references public.redemptions (id),
  shown_at timestamptz,
  created_at timestamptz not null default now(),
  unique (reward_id, fingerprint),
  check (shown_at is null or redemption_id is not null)
);
comment on table private.reward_codes is
  'The stock of a code reward (C-93), encrypted with a key of private.secrets. A code belongs to at most one redemption; once shown, it '
  'never returns to the stock.';
comment on column private.reward_codes.fingerprint is 'Keyed hash, so that the same code cannot be added twice.';
comment on column private.reward_codes.shown_at is 'When its owner first saw it.';
create index reward_codes_free on private.reward_codes (reward_id, id) where redemption_id is null;

create function private.encrypt_code(p_code text) returns bytea
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The key is random, so key stretching would only cost time.
  return extensions.pgp_sym_encrypt(p_code, encode(private.secret('reward_codes'), 'hex'), 'cipher-algo=aes256, s2k-mode=1');
end $$;
comment on function private.encrypt_code(text) is 'Encrypts a code for storage.';

create function private.decrypt_code(p_code bytea) returns text
language plpgsql volatile security definer set search_path = ''
as $$ begin return extensions.pgp_sym_decrypt(p_code, encode(private.secret('reward_codes'), 'hex')); end $$;
comment on function private.decrypt_code(bytea) is 'Decrypts a stored code.';

create function private.lock_code_reward(p_reward_id uuid) returns public.rewards
language plpgsql security definer set search_path = ''
as $$
declare
  v_reward public.rewards;
begin
  select r.* into v_reward from public.rewards r where r.id = p_reward_id for no key update;
  if v_reward.id is null then
    perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
  elsif v_reward.delivery <> 'code' then
    perform private.raise_error('REWARD_WITHOUT_CODES', 'This reward is not delivered by code', 409);
  end if;
  return v_reward;
end $$;
comment on function private.lock_code_reward(uuid) is
  'Locks and returns a code reward: its stock and its codes change together. Errors: REWARD_NOT_FOUND, REWARD_WITHOUT_CODES.';

create function public.add_reward_codes(p_reward_id uuid, p_codes text[]) returns table (added integer, repeated integer, stock integer)
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reward public.rewards;
  v_key bytea := private.secret('reward_codes');
  v_codes text[];
  v_added integer;
begin
  v_codes := array(
    select private.clean(c) from unnest(p_codes) with ordinality u (c, n) where private.clean(c) is not null
    group by 1 order by min(n));
  if cardinality(v_codes) not between 1 and 1000 then
    perform private.raise_error('CODES_RANGE', 'Please add 1 to 1,000 codes at a time', 400);
  elsif exists (select 1 from unnest(v_codes) c where length(c) > 200 or private.has_hidden_characters(c)) then
    perform private.raise_error('INVALID_CODE', 'A code has at most 200 visible characters', 400);
  end if;
  v_reward := private.lock_code_reward(p_reward_id);
  insert into private.reward_codes (reward_id, code, fingerprint)
  select p_reward_id, private.encrypt_code(c), extensions.hmac(convert_to(c, 'UTF8'), v_key, 'sha256') from unnest(v_codes) c
  on conflict (reward_id, fingerprint) do nothing;
  get diagnostics v_added = row_count;
  update public.rewards r set stock_quantity = r.stock_quantity + v_added where r.id = p_reward_id returning r.* into v_reward;
  perform private.audit(v_admin, 'reward.codes_added', 'reward', p_reward_id::text, null,
    jsonb_build_object('title', v_reward.title, 'added', v_added, 'stock_quantity', v_reward.stock_quantity));
  return query select v_added, cardinality(p_codes) - v_added, v_reward.stock_quantity;
end $$;
comment on function public.add_reward_codes(uuid, text[]) is
  'Admin adds up to 1,000 codes to a code reward and raises its stock. repeated: number of blank codes and of codes that it has or had '
  'already (C-93). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, CODES_RANGE, INVALID_CODE, REWARD_NOT_FOUND, REWARD_WITHOUT_CODES.';
grant execute on function public.add_reward_codes(uuid, text[]) to authenticated, service_role;

create function public.remove_reward_codes(p_reward_id uuid) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reward public.rewards := private.lock_code_reward(p_reward_id);
  v_removed integer;
begin
  delete from private.reward_codes c where c.reward_id = p_reward_id and c.redemption_id is null;
  get diagnostics v_removed = row_count;
  update public.rewards r set stock_quantity = r.stock_quantity - v_removed where r.id = p_reward_id;
  perform private.audit(v_admin, 'reward.codes_removed', 'reward', p_reward_id::text, null,
    jsonb_build_object('title', v_reward.title, 'removed', v_removed));
  return v_removed;
end $$;
comment on function public.remove_reward_codes(uuid) is
  'Admin removes all unassigned codes, for example after pasting the wrong ones; returns how many. Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, REWARD_NOT_FOUND, REWARD_WITHOUT_CODES.';
grant execute on function public.remove_reward_codes(uuid) to authenticated, service_role;

create function private.give_code(p_redemption_id uuid, p_reward_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- The caller has lowered the stock and so locked the reward: nobody else is picking a free code.
  update private.reward_codes c set redemption_id = p_redemption_id
  where c.id = (select f.id from private.reward_codes f where f.reward_id = p_reward_id and f.redemption_id is null order by f.id limit 1);
  if not found then
    perform private.raise_error('OUT_OF_STOCK', 'This reward is currently out of stock.', 409);
  end if;
end $$;
comment on function private.give_code(uuid, uuid) is 'Assigns the oldest free code to a redemption. Errors: OUT_OF_STOCK.';

-- Changing rewards ----------------------------------------------------------------------------------------------------

create function public.save_reward(p_reward jsonb, p_reward_id uuid default null, p_idempotency_key text default null)
returns public.rewards
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.rewards;
  v_after public.rewards;
  v_title text;
  v_cost integer;
  v_stock integer;
  v_cash integer;
  v_image text;
  v_description text;
  v_active boolean;
  v_delivery text;
  v_new_id uuid := gen_random_uuid();
  v_first_id uuid := case when p_reward_id is null then
    private.claim_idempotency_key(v_admin, 'save_reward', p_idempotency_key, v_new_id) end;
begin
  if coalesce(p_reward_id, v_first_id) is not null then
    select r.* into v_before from public.rewards r where r.id = coalesce(p_reward_id, v_first_id) for no key update;
    if v_before.id is null then
      perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
    elsif v_first_id is not null then
      return v_before;
    end if;
    -- A form that was opened a while ago names only what was changed in it: the stock may have been redeemed since.
    p_reward := case when jsonb_typeof(p_reward) = 'object' then to_jsonb(v_before) || p_reward else p_reward end;
  end if;
  v_title := private.require_text(p_reward ->> 'title', 200, 'REWARD_TITLE_REQUIRED', 'Please enter a reward title');
  v_cost := private.to_int(p_reward -> 'points_cost');
  v_stock := private.to_int(p_reward -> 'stock_quantity');
  v_cash := private.to_int(p_reward -> 'cash_value_cents');
  v_image := private.normalize_image_url(p_reward ->> 'image_url', 'INVALID_IMAGE_URL');
  v_description := private.normalize_text(p_reward ->> 'description', 2000);
  v_active := private.to_bool(p_reward -> 'is_active', true);
  v_delivery := coalesce(private.clean(p_reward ->> 'delivery'), v_before.delivery::text, 'other');
  if v_cost is null or v_cost not between 1 and 10000000 then
    perform private.raise_error('REWARD_COST_RANGE', 'Cost must be between 1 and 10,000,000 points', 400);
  elsif v_stock < 0 or (v_stock is null and private.clean(p_reward ->> 'stock_quantity') is not null) then
    perform private.raise_error('REWARD_STOCK_RANGE', 'Stock must be empty or a whole number from 0', 400);
  elsif v_cash < 0 then
    perform private.raise_error('REWARD_CASH_RANGE', 'Cash value must not be negative', 400);
  elsif v_delivery not in ('code', 'mail', 'post', 'other') then
    perform private.raise_error('INVALID_DELIVERY', 'Please choose how the reward is delivered', 400);
  end if;
  if p_reward_id is null then
    insert into public.rewards (id, title, description, points_cost, cash_value_cents, image_url, is_active, stock_quantity, delivery)
    values (v_new_id, v_title, v_description, v_cost, v_cash, v_image, v_active, case when v_delivery = 'code' then 0 else v_stock end,
      v_delivery::public.reward_delivery)
    returning * into v_after;
  else
    if v_before.delivery = 'code' and v_delivery <> 'code' and exists (
      select 1 from private.reward_codes c where c.reward_id = p_reward_id and c.redemption_id is null
    ) then
      perform private.raise_error('REWARD_HAS_CODES', 'This reward still has codes. Remove them first.', 409);
    end if;
    update public.rewards r set title = v_title, description = v_description, points_cost = v_cost, cash_value_cents = v_cash,
      image_url = v_image, is_active = v_active, delivery = v_delivery::public.reward_delivery,
      stock_quantity = case when v_delivery <> 'code' then v_stock else
        (select count(*) from private.reward_codes c where c.reward_id = p_reward_id and c.redemption_id is null) end
    where r.id = p_reward_id returning r.* into v_after;
  end if;
  perform private.audit(v_admin, 'reward.save', 'reward', v_after.id::text, to_jsonb(v_before), to_jsonb(v_after));
  return v_after;
end $$;
comment on function public.save_reward(jsonb, uuid, text) is
  'Admin creates (no id) or changes a reward: title, description, points_cost, cash_value_cents, image_url, is_active, stock_quantity, '
  'delivery (SEC-10, C-45, C-93). Of an existing reward, what is not named stays. The stock of a code reward is its number of codes; '
  'a given stock_quantity is ignored. A key that has created a reward changes nothing and returns it (TRUST-21). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_IDEMPOTENCY_KEY, REWARD_TITLE_REQUIRED, TEXT_TOO_LONG, REWARD_COST_RANGE, '
  'REWARD_STOCK_RANGE, REWARD_CASH_RANGE, INVALID_DELIVERY, INVALID_IMAGE_URL, REWARD_NOT_FOUND, REWARD_HAS_CODES.';
grant execute on function public.save_reward(jsonb, uuid, text) to authenticated, service_role;

create function public.get_reward_by_key(p_idempotency_key text) returns setof public.rewards
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
begin
  return query
    select r.* from private.idempotency_keys k join public.rewards r on r.id = k.subject_id
    where k.user_id = v_admin and k.action = 'save_reward' and k.key = private.clean(p_idempotency_key);
end $$;
comment on function public.get_reward_by_key(text) is
  'The reward that the admin created with this key, or none: the outcome of a call whose answer was lost (TRUST-21, C-99). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_reward_by_key(text) to authenticated, service_role;

create function public.delete_reward(p_reward_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.rewards;
begin
  -- The lock waits for redemptions under way.
  select r.* into v_before from public.rewards r where r.id = p_reward_id for update;
  if v_before.id is null then
    perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
  elsif exists (select 1 from public.redemptions r where r.reward_id = p_reward_id) then
    perform private.raise_error('REWARD_REDEEMED', 'This reward has been redeemed; deactivate it instead', 409);
  end if;
  delete from public.rewards r where r.id = p_reward_id;
  perform private.audit(v_admin, 'reward.delete', 'reward', p_reward_id::text, to_jsonb(v_before));
end $$;
comment on function public.delete_reward(uuid) is
  'Admin deletes a reward that nobody has redeemed (SEC-10). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REWARD_NOT_FOUND, '
  'REWARD_REDEEMED.';
grant execute on function public.delete_reward(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 41_redeeming.sql
-- ==============================================================================================================================

-- Redeeming a reward, and handling the redemption.

create table private.redemption_marks (
  redemption_id uuid not null references public.redemptions (id),
  flagged_points bigint not null check (flagged_points > 0),
  transfer_id bigint not null references public.transfers (id),
  primary key (redemption_id, transfer_id)
);
comment on table private.redemption_marks is
  'Redemptions that spend points from flagged work, which an admin decides one by one (C-95), with the payments that those points come '
  'from. Separate from redemptions, which the member can read.';
create index redemption_marks_transfer on private.redemption_marks (transfer_id);

create function private.flagged_credits(p_user_id text) returns table (transfer_id bigint, points bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (select 1 from public.submission_flags f where f.user_id = p_user_id and f.dismissed_at is null)
    and not private.has_unscanned(p_user_id)
  then
    return;
  end if;
  return query
    select t.id, t.points - coalesce(h.points, 0) - coalesce((
      select sum(m.flagged_points) from private.redemption_marks m join public.redemptions r on r.id = m.redemption_id
      where m.transfer_id = t.id and r.status <> 'cancelled'), 0)::bigint
    from public.wallets w
    join public.entries e on e.wallet_id = w.id and e.type = 'credit'
    join public.transfers t on t.id = e.transfer_id and t.kind = 'task_completion'
    left join public.point_holds h on h.id = t.id and h.released_at is null and h.reversed_at is null
    where w.user_id = p_user_id and private.is_flagged(t.submission_id)
      and not exists (select 1 from public.transfers r where r.idempotency_key = private.reversal_key(t.idempotency_key));
end $$;
comment on function private.flagged_credits(text) is
  'Payments that a member got for flagged work, with their points that are neither held nor spent on a redemption that is marked for them; '
  'reversed ones do not count (C-95).';

create function private.mark_redemption(p_redemption public.redemptions, p_available bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- By payment: what an earlier mark was for may be cleared by now, and must not count for other flagged work.
  insert into private.redemption_marks (redemption_id, flagged_points, transfer_id)
  select p_redemption.id, least(c.until, c.needed) - (c.until - c.points), c.transfer_id
  from (
    select f.transfer_id, f.points, sum(f.points) over (order by f.transfer_id) as until,
      -- Unflagged points are spent first, so that they are not delayed.
      p_redemption.points_cost - greatest(p_available - sum(f.points) over (), 0) as needed
    from private.flagged_credits(p_redemption.user_id) f where f.points > 0
  ) c where c.until - c.points < c.needed;
end $$;
comment on function private.mark_redemption(public.redemptions, bigint) is
  'Marks a redemption for review when the available balance before it (p_available) does not cover it without points from flagged work, '
  'oldest first (C-95).';

create function private.deliver_code(p_redemption public.redemptions) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions := p_redemption;
begin
  perform private.give_code(p_redemption.id, p_redemption.reward_id);
  -- With flagged points, the code waits for an admin (C-95).
  if not exists (select 1 from private.redemption_marks m where m.redemption_id = p_redemption.id) then
    update public.redemptions r set status = 'fulfilled', handled_by = 'auto', fulfilled_at = now()
    where r.id = p_redemption.id returning r.* into v_redemption;
    perform private.enqueue_event('RedemptionFulfilled', p_redemption.user_id, jsonb_build_object('redemption_id', p_redemption.id,
      'title', p_redemption.reward_title, 'note', 'Your code is in My Rewards.'));
  end if;
  return v_redemption;
end $$;
comment on function private.deliver_code(public.redemptions) is
  'Assigns a code to a new redemption and fulfils it, unless an admin has to decide. Errors: OUT_OF_STOCK.';

create function public.redeem_reward_safe(
  p_reward_id uuid, p_idempotency_key text, p_expected_cost integer default null, p_address jsonb default null
) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_key text := private.require_idempotency_key(p_idempotency_key);
  v_reward public.rewards;
  v_now public.rewards;
  v_redemption public.redemptions;
  v_wallet uuid;
  v_points bigint;
  v_held bigint;
begin
  -- Members without unscanned proofs do not wait for those of others. Submissions that the scan does not reach count as flagged.
  if private.has_unscanned(v_user) then
    perform private.scan_submissions('1 second');
  end if;
  -- Waits for a deletion of the reward, not for a change of its stock.
  select r.* into v_reward from public.rewards r where r.id = p_reward_id for key share;
  if v_reward.id is null or not v_reward.is_active or not (private.settings()).rewards_enabled then
    -- A retry gets the first answer, whatever has happened to the reward since.
    select r.* into v_redemption from public.redemptions r
    where r.user_id = v_user and r.idempotency_key = v_key and r.reward_id = p_reward_id;
    if v_redemption.id is not null then
      return v_redemption;
    end if;
    perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
  end if;
  -- The unique key makes a concurrent call with the same key wait here and then find the first one's redemption.
  insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key, delivery)
  values (v_user, p_reward_id, v_reward.title, v_reward.points_cost, v_key, v_reward.delivery)
  on conflict (user_id, idempotency_key) do nothing returning * into v_redemption;
  if v_redemption.id is null then
    select r.* into v_redemption from public.redemptions r
    where r.user_id = v_user and r.idempotency_key = v_key for no key update;
    if v_redemption.reward_id <> p_reward_id then
      perform private.raise_error('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another reward', 409);
    elsif v_redemption.delivery = 'post' and v_redemption.status = 'pending' and p_address is not null then
      -- The first answer was lost, and the member may have corrected the address since.
      perform private.save_address(v_redemption.id, p_address);
    end if;
    return v_redemption;
  end if;
  perform private.check_price(p_expected_cost, v_reward.points_cost, 'points');
  if v_reward.delivery = 'post' then
    perform private.save_address(v_redemption.id, p_address);
  end if;

  -- Locked, because what is marked as flagged depends on what the member's other redemptions have spent.
  select w.id, w.points, w.held_points into v_wallet, v_points, v_held from public.wallets w where w.user_id = v_user for no key update;
  if v_held > 0 and v_points - v_held < v_reward.points_cost then
    perform private.release_holds(v_wallet);
    select w.points, w.held_points into v_points, v_held from public.wallets w where w.id = v_wallet;
  end if;
  if coalesce(v_points, 0) < v_reward.points_cost then
    perform private.raise_error('REWARD_TOO_EXPENSIVE', format(
      'You need %s more points to redeem this reward.', v_reward.points_cost - coalesce(v_points, 0)), 409);
  elsif v_points - v_held < v_reward.points_cost then
    perform private.raise_error('POINTS_HELD', format(
      'You have %s points, but %s of them are held and cannot be redeemed yet.', v_points, v_held), 409);
  end if;
  perform private.transfer(v_wallet, null, v_reward.points_cost, 'redemption', 'Redeemed: ' || v_reward.title,
    'redemption:' || v_redemption.id, p_redemption_id => v_redemption.id, p_trial_points => 0);
  perform private.mark_redemption(v_redemption, v_points - v_held);
  if v_reward.stock_quantity is not null then
    update public.rewards r set stock_quantity = r.stock_quantity - 1
    where r.id = p_reward_id and r.is_active and r.points_cost = v_reward.points_cost and coalesce(r.stock_quantity > 0, true);
    if not found then
      -- Something changed concurrently: raise the specific error.
      select r.* into v_now from public.rewards r where r.id = p_reward_id;
      perform private.check_price(v_reward.points_cost, v_now.points_cost, 'points');
      perform private.raise_error('OUT_OF_STOCK', 'This reward is currently out of stock.', 409);
    end if;
  end if;
  perform private.enqueue_event('RewardRedeemed', v_user, jsonb_build_object('redemption_id', v_redemption.id, 'title', v_reward.title,
    'points', v_reward.points_cost, 'delivery', v_reward.delivery));
  return case when v_reward.delivery = 'code' then private.deliver_code(v_redemption) else v_redemption end;
end $$;
comment on function public.redeem_reward_safe(uuid, text, integer, jsonb) is
  'Redeems a reward: debit, stock decrement and redemption, atomically; idempotent per key (RULE-16, TRUST-10). The redemption is pending, '
  'or fulfilled when the reward is a code (C-93). p_expected_cost: the points that the member was shown (TRUST-20). p_address: postal '
  'address, for rewards sent by post only; until the parcel is sent, a repeated call replaces it. Errors: UNAUTHENTICATED, SUSPENDED, '
  'PROFILE_NOT_FOUND, IDEMPOTENCY_KEY_REQUIRED, INVALID_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_REUSED, REWARD_NOT_FOUND, '
  'REWARD_TOO_EXPENSIVE, POINTS_HELD, PRICE_CHANGED, OUT_OF_STOCK, ADDRESS_REQUIRED, HIDDEN_CHARACTERS, TEXT_TOO_LONG.';
grant execute on function public.redeem_reward_safe(uuid, text, integer, jsonb) to authenticated, service_role;

create function private.return_code(p_redemption_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update private.reward_codes c set redemption_id = null where c.redemption_id = p_redemption_id and c.shown_at is null;
  return found;
end $$;
comment on function private.return_code(uuid) is
  'Returns a cancelled redemption''s code to the stock unless it was shown; returns whether it did.';

create function private.fulfil_redemption(p_admin text, p_redemption public.redemptions, p_note text) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions;
begin
  update public.redemptions r set status = 'fulfilled', note = private.normalize_note(p_note), handled_by = 'questboard',
    fulfilled_at = now()
  where r.id = p_redemption.id returning r.* into v_redemption;
  perform private.enqueue_event('RedemptionFulfilled', v_redemption.user_id,
    jsonb_build_object('redemption_id', v_redemption.id, 'title', v_redemption.reward_title, 'note', v_redemption.note));
  perform private.audit(p_admin, 'redemption.fulfilled', 'redemption', v_redemption.id::text,
    jsonb_build_object('status', p_redemption.status), jsonb_build_object('status', v_redemption.status), v_redemption.note);
  return v_redemption;
end $$;
comment on function private.fulfil_redemption(text, public.redemptions, text) is 'Fulfils a redemption that the caller has locked.';

create function private.cancel_redemption(p_admin text, p_redemption public.redemptions, p_note text) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions;
begin
  update public.redemptions r set status = 'cancelled', note = private.normalize_note(p_note), handled_by = 'questboard',
    fulfilled_at = null, cancelled_at = now()
  where r.id = p_redemption.id returning r.* into v_redemption;
  perform private.transfer(null, private.ensure_user_wallet(v_redemption.user_id), v_redemption.points_cost, 'refund',
    'Refund: ' || v_redemption.reward_title, 'refund:' || v_redemption.id, p_redemption_id => v_redemption.id);
  if v_redemption.delivery = 'code' then
    -- The reward is locked before its code: the stock and the codes change together.
    perform 1 from public.rewards r where r.id = v_redemption.reward_id for no key update;
  end if;
  if v_redemption.delivery <> 'code' or private.return_code(v_redemption.id) then
    update public.rewards r set stock_quantity = r.stock_quantity + 1 where r.id = v_redemption.reward_id and r.stock_quantity is not null
      and (r.delivery = 'code') = (v_redemption.delivery = 'code');
  end if;
  delete from private.redemption_addresses a where a.redemption_id = v_redemption.id;
  perform private.enqueue_event('RedemptionCancelled', v_redemption.user_id,
    jsonb_build_object('redemption_id', v_redemption.id, 'title', v_redemption.reward_title, 'note', v_redemption.note));
  perform private.audit(p_admin, 'redemption.cancelled', 'redemption', v_redemption.id::text,
    jsonb_build_object('status', p_redemption.status), jsonb_build_object('status', v_redemption.status), v_redemption.note);
  return v_redemption;
end $$;
comment on function private.cancel_redemption(text, public.redemptions, text) is
  'Cancels a redemption that the caller has locked: one refund, stock restored, address deleted.';

create function public.set_redemption_status(p_redemption_id uuid, p_status text, p_note text default null) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_redemption public.redemptions;
begin
  if p_status is null or p_status not in ('fulfilled', 'cancelled') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  select r.* into v_redemption from public.redemptions r where r.id = p_redemption_id for no key update;
  if v_redemption.id is null then
    perform private.raise_error('REDEMPTION_NOT_FOUND', 'Redemption not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_redemption.user_id);
  if v_redemption.status <> 'pending'
    and not (p_status = 'cancelled' and v_redemption.status = 'fulfilled' and v_redemption.delivery = 'code') then
    perform private.raise_error('REDEMPTION_HANDLED', 'This redemption has already been handled', 409);
  end if;
  return case p_status when 'fulfilled' then private.fulfil_redemption(v_admin, v_redemption, p_note)
    else private.cancel_redemption(v_admin, v_redemption, p_note) end;
end $$;
comment on function public.set_redemption_status(uuid, text, text) is
  'Admin fulfils a pending redemption, or cancels it with one refund and restores the stock (C-50, TRUST-10). An immediately delivered '
  'code can still be cancelled, because nobody has decided on it; it returns to the stock only if it was never shown (C-93). Nobody '
  'decides about their own redemption. Errors: FORBIDDEN, INVALID_STATUS, REDEMPTION_NOT_FOUND, OWN_MATTER, REDEMPTION_HANDLED.';
grant execute on function public.set_redemption_status(uuid, text, text) to authenticated, service_role;

create function public.fulfil_redemptions(p_redemption_ids uuid[], p_note text default null)
returns table (redemption_id uuid, outcome text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_admin text := private.require_admin();
  v_id uuid;
  v_redemption public.redemptions;
begin
  for v_id in select distinct i from unnest(private.validate_ids(p_redemption_ids)) i order by 1 loop
    select r.* into v_redemption from public.redemptions r where r.id = v_id for no key update;
    redemption_id := v_id;
    outcome := case
      when v_redemption.id is null then 'not_found'
      when v_redemption.status <> 'pending' then 'handled'
      when v_redemption.user_id = v_admin then 'own'
      when exists (select 1 from private.redemption_marks m where m.redemption_id = v_id) then 'flagged'
      when exists (select 1 from public.user_profiles p where p.user_id = v_redemption.user_id and p.suspended_at is not null)
        then 'suspended'
      else 'fulfilled' end;
    if outcome = 'fulfilled' then
      perform private.fulfil_redemption(v_admin, v_redemption, p_note);
    end if;
    return next;
  end loop;
end $$;
comment on function public.fulfil_redemptions(uuid[], text) is
  'Admin fulfils up to 200 redemptions with one note; the result for each is fulfilled, handled (already), own (skipped: another admin '
  'decides it), flagged (skipped: it must be decided individually, C-95), suspended (skipped for the same reason: its member is) or '
  'not_found. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, TOO_MANY_IDS.';
grant execute on function public.fulfil_redemptions(uuid[], text) to authenticated, service_role;

create function public.get_redemption_code(p_redemption_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_redemption public.redemptions;
  v_code bytea;
begin
  perform private.require_plain_call();
  -- Same lock as a cancellation: a code that is being shown cannot return to the stock.
  select r.* into v_redemption from public.redemptions r where r.id = p_redemption_id and r.user_id = v_user for no key update;
  if v_redemption.id is null or v_redemption.delivery <> 'code' or v_redemption.status = 'cancelled' then
    perform private.raise_error('CODE_NOT_FOUND', 'There is no code here', 404);
  elsif v_redemption.status = 'pending' then
    perform private.raise_error('CODE_NOT_READY', 'We are looking at this redemption. Your code appears here after that.', 409);
  end if;
  update private.reward_codes c set shown_at = coalesce(c.shown_at, now()) where c.redemption_id = p_redemption_id
  returning c.code into v_code;
  return private.decrypt_code(v_code);
end $$;
comment on function public.get_redemption_code(uuid) is
  'The code of the caller''s own redemption; from the first call on it counts as shown (C-93). Errors: UNAUTHENTICATED, SUSPENDED, '
  'PLAIN_CALL_REQUIRED, CODE_NOT_FOUND, CODE_NOT_READY.';
grant execute on function public.get_redemption_code(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 41_redemption_sources.sql
-- ==============================================================================================================================

-- Sources of a redemption's points, for the admin who decides it (TRUST-17, C-95).

create function private.redeemable_credits(p_redemption public.redemptions, p_debit_id bigint)
returns table (transfer_id bigint, points bigint, is_flagged boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select t.id, t.points - case when h.released_at <= p_redemption.created_at then 0 else coalesce(h.points, 0) end,
      private.is_flagged(t.submission_id)
    from public.wallets w
    join public.entries e on e.wallet_id = w.id and e.type = 'credit' and e.id < p_debit_id
    join public.transfers t on t.id = e.transfer_id and t.kind <> 'refund'
    left join public.point_holds h on h.id = t.id
    where w.user_id = p_redemption.user_id
      and not exists (
        select 1 from public.transfers r
        where r.idempotency_key = coalesce(private.reversal_key(t.idempotency_key), 'reversal:transfer:' || t.id)
      );
end $$;
comment on function private.redeemable_credits(public.redemptions, bigint) is
  'Credits that a member could spend at the time of a redemption: without points held then, and without points reversed since.';

create function private.spent_before(p_redemption public.redemptions, p_debit_id bigint) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(sum(case when t.kind = 'refund' then -t.points else t.points end), 0)::bigint
    from public.wallets w
    join public.entries e on e.wallet_id = w.id and e.id < p_debit_id
    join public.transfers t on t.id = e.transfer_id
    where w.user_id = p_redemption.user_id
      and (t.kind = 'refund' or e.type = 'debit' and t.kind in ('redemption', 'adjustment'))
  );
end $$;
comment on function private.spent_before(public.redemptions, bigint) is
  'Points that a member had spent, less refunds, before a redemption.';

create function public.get_redemption_sources(p_redemption_id uuid) returns table (
  kind public.transfer_kind, campaign_id uuid, campaign_title text, startup_id uuid, startup_name text, points bigint, trial_points bigint,
  flagged_points bigint, related_points bigint, flags text[]
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions;
  v_debit bigint;
  v_spent bigint;
begin
  perform private.require_admin();
  select r.* into v_redemption from public.redemptions r where r.id = p_redemption_id;
  if v_redemption.id is null then
    perform private.raise_error('REDEMPTION_NOT_FOUND', 'Redemption not found', 404);
  end if;
  select t.id * 2 - 1 into v_debit from public.transfers t where t.idempotency_key = 'redemption:' || p_redemption_id;
  v_spent := private.spent_before(v_redemption, v_debit);
  return query
    with ordered as (
      -- Oldest first, and unflagged points before flagged ones, as in mark_redemption.
      select c.transfer_id, c.is_flagged, c.points,
        sum(c.points) over (order by c.is_flagged, c.transfer_id) as until
      from private.redeemable_credits(v_redemption, v_debit) c where c.points > 0
    ), taken as (
      select o.transfer_id, o.is_flagged,
        (least(o.until, v_spent + v_redemption.points_cost) - greatest(o.until - o.points, v_spent))::bigint as points
      from ordered o where o.until > v_spent and o.until - o.points < v_spent + v_redemption.points_cost
    )
    select t.kind, t.campaign_id, c.title, s.id, s.name, sum(x.points)::bigint, sum(least(x.points, coalesce(t.trial_points, 0)))::bigint,
      coalesce(sum(x.points) filter (where x.is_flagged), 0)::bigint,
      coalesce(sum(x.points) filter (where private.is_related_owner(v_redemption.user_id, payer.owner_user_id)), 0)::bigint,
      array(select distinct k from unnest(string_to_array(string_agg(f.kinds, ','), ',')) k order by k)
    from taken x
    join public.transfers t on t.id = x.transfer_id
    join public.entries paid on paid.id = t.id * 2 - 1
    left join public.wallets payer on payer.id = paid.wallet_id
    left join public.startup_profiles s on s.owner_user_id = payer.owner_user_id
    left join public.campaigns c on c.id = t.campaign_id
    left join lateral (
      select string_agg(g.kind, ',') as kinds from public.submission_flags g
      where g.submission_id = t.submission_id and g.dismissed_at is null
    ) f on true
    group by t.kind, t.campaign_id, c.title, s.id, s.name
    order by 6 desc, 2;
end $$;
comment on function public.get_redemption_sources(uuid) is
  'Sources of a redemption''s points: one row per quest and one per other kind of credit, with the points from a trial budget, from '
  'flagged work (flags: the kinds) and from projects of related people (TRUST-17). Adds up to the cost unless points have been reversed '
  'since. Nullable: campaign_id, campaign_title, startup_id, startup_name. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'REDEMPTION_NOT_FOUND.';
grant execute on function public.get_redemption_sources(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 42_own_ledger.sql
-- ==============================================================================================================================

-- A member's point history, for the member to audit (BEY-06).

create function public.list_own_transactions(p_view text default null, p_limit integer default 50, p_cursor text default null)
returns table (
  id bigint, kind public.transfer_kind, description text, created_at timestamptz, change bigint, balance_after bigint, held_points bigint,
  campaign_id uuid, campaign_title text, startup_name text, task_title text, submission_id uuid,
  submission_status public.submission_status, proof_url text, proof_text text, reviewed_by text, reviewed_at timestamptz,
  redemption_id uuid, redemption_status public.redemption_status, referral_id uuid, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer;
  v_after bigint;
  v_wallet uuid;
  v_kinds public.transfer_kind[];
begin
  v_limit := private.validate_limit(p_limit, 50, 1000);
  v_after := (private.decode_cursor('own_transactions', p_cursor, array['bigint']))[1]::bigint;
  if p_view not in ('quests', 'bonuses', 'rewards', 'other') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  end if;
  v_kinds := case p_view when 'quests' then '{task_completion,reversal}' when 'bonuses' then '{referral_bonus,welcome_bonus}'
    when 'rewards' then '{redemption,refund}' when 'other' then '{adjustment,trial_budget,purchase,reserve,release}' end;
  select w.id into v_wallet from public.wallets w where w.user_id = v_user;
  return query
    select t.id, t.kind, t.description, t.created_at, case page.type when 'credit' then t.points else -t.points end, page.balance_after,
      coalesce(h.points, 0), t.campaign_id, private.quest_title_for_member(c), p.name, private.task_title_for_member(task), t.submission_id,
      s.status, s.proof_url, s.proof_text,
      s.reviewed_by, s.reviewed_at, t.redemption_id, r.status, t.referral_id,
      private.encode_cursor('own_transactions', jsonb_build_array(page.id))
    from (
      select e.id, e.transfer_id, e.type, e.balance_after
      from public.entries e join public.transfers f on f.id = e.transfer_id
      where e.wallet_id = v_wallet and e.id < coalesce(v_after, 9223372036854775807) and (v_kinds is null or f.kind = any (v_kinds))
      order by e.id desc limit v_limit
    ) page
    join public.transfers t on t.id = page.transfer_id
    left join public.point_holds h on h.id = t.id and page.type = 'credit' and h.released_at is null and h.reversed_at is null
    left join public.submissions s on s.id = t.submission_id and s.user_id = v_user
    left join public.tasks task on task.id = s.task_id
    left join public.campaigns c on c.id = t.campaign_id
    left join public.startup_profiles p on p.id = c.startup_id
    left join public.redemptions r on r.id = t.redemption_id and r.user_id = v_user
    order by page.id desc;
end $$;
comment on function public.list_own_transactions(text, integer, text) is
  'Every movement of the caller''s own wallet, newest first, with its quest, proof and decision and the balance after it (BEY-06). All '
  'changes add up to the balance; held_points: the part of this credit that is still held. p_view: quests (with reversals), bonuses, '
  'rewards, other. Next page: the cursor of the last row. Nullable: campaign_id, campaign_title, startup_name, task_title, submission_id, '
  'submission_status, proof_url, proof_text, reviewed_by, reviewed_at, redemption_id, redemption_status, referral_id. Errors: '
  'UNAUTHENTICATED, SUSPENDED, INVALID_VIEW, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_own_transactions(text, integer, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 42_sign_in.sql
-- ==============================================================================================================================

-- Signing in: creates or refreshes profile, wallet and referral code from the signed token.

create function private.username_from(p_email text, p_user_id text) returns text
language sql stable set search_path = ''
as $$ select left(coalesce(private.plain_name(split_part(p_email, '@', 1)), 'member-' || lower(right(p_user_id, 6))), 80) $$;
comment on function private.username_from(text, text) is 'Default username: the local part of the e-mail address (PROF-05).';

create function private.startup_role_of(p_user_id text) returns public.user_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  if exists (select 1 from public.startup_profiles s where s.owner_user_id = p_user_id and s.status = 'verified') then
    return 'startup_verified';
  end if;
  return 'startup_unverified';
end $$;
comment on function private.startup_role_of(text) is
  'startup_verified when the person''s project is verified, else startup_unverified (C-10).';

create function private.role_for(p_user_id text, p_wanted text, p_current public.user_role) returns public.user_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.is_admin() then
    return 'admin';
  elsif p_wanted like 'startup%' then
    return private.startup_role_of(p_user_id);
  elsif p_wanted = 'community' then
    return 'community';
  elsif p_current in ('startup_unverified', 'startup_verified') then
    return private.startup_role_of(p_user_id);
  end if;
  return 'community';
end $$;
comment on function private.role_for(text, text, public.user_role) is
  'Role to store: admins stay admin (C-11); otherwise the requested role, community or startup, or the stored one without a request. '
  'Nobody becomes admin by requesting it (C-09).';

create function public.sync_current_user(p_selected_role text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_email text := private.jwt_email();
  v_name text := left(private.plain_name(private.session_claims() ->> 'name'), 120);
  v_is_first_mailbox boolean;
  v_profile public.user_profiles;
begin
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  if p_selected_role is not null and p_selected_role not in ('community', 'startup_unverified', 'startup_verified', 'admin') then
    perform private.raise_error('INVALID_ROLE', 'Unknown role', 400);
  end if;

  v_is_first_mailbox := v_email is not null and not exists (select 1 from private.known_mailboxes k where k.user_id = v_user);
  insert into public.user_profiles (user_id, role, username, display_name, email)
  values (v_user, private.role_for(v_user, p_selected_role, null), private.username_from(v_email, v_user), v_name, v_email)
  on conflict (user_id) do update set
    role = private.role_for(v_user, p_selected_role, user_profiles.role),
    email = coalesce(excluded.email, user_profiles.email),
    display_name = coalesce(user_profiles.display_name, excluded.display_name)
  where (user_profiles.role, user_profiles.email, user_profiles.display_name) is distinct from (
    private.role_for(v_user, p_selected_role, user_profiles.role),
    coalesce(excluded.email, user_profiles.email),
    coalesce(user_profiles.display_name, excluded.display_name)
  );
  perform private.ensure_user_wallet(v_user);
  perform private.ensure_referral_code(v_user);
  perform private.carry_suspension(v_user);
  perform private.release_holds(w.id) from public.wallets w where w.user_id = v_user and w.held_points > 0;
  -- One that was there before the other account was deleted, or before a dispute about its plan was won.
  perform private.take_over_plan(s) from public.startup_profiles s where s.owner_user_id = v_user;
  if v_is_first_mailbox then
    perform private.grant_trial_budget(s.id, v_user) from public.startup_profiles s
    where s.owner_user_id = v_user and s.status = 'verified';
  end if;

  select p.* into v_profile from public.user_profiles p where p.user_id = v_user;
  return v_profile;
end $$;
comment on function public.sync_current_user(text) is
  'Called at sign-in: creates or refreshes the caller''s profile, wallet and referral code from the signed token, and gives their project '
  'the plan of an account of theirs that is gone (C-81); returns the profile (AUTH-08). Errors: UNAUTHENTICATED, INVALID_ROLE.';
grant execute on function public.sync_current_user(text) to authenticated, service_role;

create function public.switch_role(p_role text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_profile public.user_profiles;
begin
  if p_role is null or p_role not in ('community', 'startup', 'startup_unverified', 'startup_verified') then
    perform private.raise_error('INVALID_ROLE', 'Unknown role', 400);
  end if;
  update public.user_profiles p set role = private.role_for(v_user, p_role, p.role)
  where p.user_id = v_user returning p.* into v_profile;
  if v_profile.user_id is null then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  return v_profile;
end $$;
comment on function public.switch_role(text) is
  'Switches between community and startup (header toggle); the project''s status decides which startup role (HEAD-04, C-10). For an admin '
  'the stored role stays admin (C-11). Errors: UNAUTHENTICATED, SUSPENDED, INVALID_ROLE, PROFILE_NOT_FOUND.';
grant execute on function public.switch_role(text) to authenticated, service_role;

create function public.save_provider_account(
  p_user_id text, p_avatar_url text, p_accounts jsonb, p_changed_at timestamptz, p_is_admin boolean default null
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_avatar text := case when private.is_http_url(p_avatar_url) then p_avatar_url end;
  v_accounts jsonb := coalesce(p_accounts, '{}');
  v_before public.user_profiles;
  v_role public.user_role;
begin
  select p.* into v_before from public.user_profiles p
  where p.user_id = p_user_id and coalesce(p.provider_changed_at <= p_changed_at, true)
    and not exists (select 1 from private.deleted_users d where d.user_id = p_user_id)
  for no key update;
  v_role := case when v_before.role = 'admin' and not p_is_admin and not private.is_admin_without_role(p_user_id) then 'community'
    else v_before.role end;
  -- Also when nothing differs, because a report from in between may still arrive.
  update public.user_profiles p set avatar_url = v_avatar, verified_socials = v_accounts, provider_changed_at = p_changed_at, role = v_role
  where p.user_id = v_before.user_id;
  return found and (v_before.avatar_url, v_before.verified_socials, v_before.role) is distinct from (v_avatar, v_accounts, v_role);
end $$;
comment on function public.save_provider_account(text, text, jsonb, timestamptz, boolean) is
  'Stores the picture and the connected accounts (name by provider) that the identity provider reports as changed at p_changed_at; '
  'returns whether anything changed (DB-12, C-108). p_is_admin false: the provider makes the person no admin, and so they count as one no '
  'longer, unless we do; null: not reported. A report older than the one that is stored is late and ignored. Service role only.';
grant execute on function public.save_provider_account(text, text, jsonb, timestamptz, boolean) to service_role;

-- ==============================================================================================================================
-- 44_feedback.sql
-- ==============================================================================================================================

-- Feedback: on the product (beta feedback, for admins) and on projects (ratings, public).

-- Beta feedback -------------------------------------------------------------------------------------------------------

create table public.beta_feedback (
  id uuid primary key default gen_random_uuid(),
  user_id text,
  email text check (private.is_email(email)),
  type text not null check (type in ('bug', 'feature', 'rating', 'general', 'other')),
  title text not null check (length(title) between 1 and 200),
  description text not null check (length(description) between 1 and 5000),
  rating smallint check (rating between 1 and 5),
  status text not null default 'new' check (status in ('new', 'reviewed', 'resolved')),
  priority text not null default 'medium' check (priority in ('urgent', 'high', 'medium', 'other')),
  admin_notes text check (length(admin_notes) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.beta_feedback is 'Feedback on the product (DB-16). Written through submit_beta_feedback, read by admins.';
create index beta_feedback_created on public.beta_feedback (created_at desc, id desc);
create index beta_feedback_new on public.beta_feedback (created_at) where status = 'new';
create trigger beta_feedback_touch before update on public.beta_feedback
  for each row execute function private.touch_updated_at();

alter table public.beta_feedback enable row level security;
create policy beta_feedback_read on public.beta_feedback for select to authenticated
  using ((select private.is_admin()));
comment on policy beta_feedback_read on public.beta_feedback is 'Only admins.';
grant select on public.beta_feedback to authenticated, service_role;

create function private.count_beta_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, sum(c.change) from (values
    ('feedback:' || old.type, -1), ('feedback:' || new.type, 1),
    ('feedback_ratings', (new.rating is not null)::integer - (old.rating is not null)::integer),
    ('feedback_stars', coalesce(new.rating, 0) - coalesce(old.rating, 0))
  ) c (name, change) where c.name is not null group by c.name having sum(c.change) <> 0;
  return null;
end $$;
comment on function private.count_beta_feedback() is
  'Trigger: maintains the counters of feedback per type, of ratings, and the sum of stars.';
create trigger beta_feedback_count after insert or delete or update of type, rating on public.beta_feedback
  for each row execute function private.count_beta_feedback();

create function public.submit_beta_feedback(
  p_type text, p_description text, p_rating integer default null, p_email text default null, p_title text default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_email text := lower(private.clean(p_email));
  v_description text := private.require_text(p_description, 5000, 'FEEDBACK_TEXT_REQUIRED', 'Please enter your feedback');
  v_title text := private.normalize_text(p_title, 200);
  v_id uuid;
begin
  if p_type is null or p_type not in ('bug', 'feature', 'rating', 'general', 'other') then
    perform private.raise_error('INVALID_FEEDBACK_TYPE', 'Unknown feedback type', 400);
  elsif p_rating not between 1 and 5 then
    perform private.raise_error('RATING_RANGE', 'Rating must be between 1 and 5', 400);
  elsif not private.is_email(v_email) then
    perform private.raise_error('INVALID_EMAIL', 'Please enter a valid email address', 400);
  end if;
  perform private.check_visitor_rate('beta_feedback', 10);
  v_title := coalesce(nullif(v_title, ''),
    case p_type when 'bug' then 'Bug Report' when 'feature' then 'Feature Request' else 'General Feedback' end);
  -- The second try of somebody whose answer was lost is the same message. The rate limit's row makes the calls of one sender wait.
  select f.id into v_id from public.beta_feedback f
  where f.created_at > now() - interval '10 minutes' and f.type = p_type and f.title = v_title and f.description = v_description
    and (f.user_id, f.email, f.rating) is not distinct from (v_user, v_email, p_rating) and coalesce(v_user, v_email) is not null
  order by f.created_at limit 1;
  if v_id is null then
    insert into public.beta_feedback (user_id, email, type, title, description, rating)
    values (v_user, v_email, p_type, v_title, v_description, p_rating)
    returning id into v_id;
  end if;
  return v_id;
end $$;
comment on function public.submit_beta_feedback(text, text, integer, text, text) is
  'Anyone sends feedback on the product; without a title it is named after its type (FEED-02, FEED-03). Returns its id; the same '
  'message of the same sender within ten minutes is stored once. Errors: '
  'FEEDBACK_TEXT_REQUIRED, TEXT_TOO_LONG, INVALID_FEEDBACK_TYPE, RATING_RANGE, INVALID_EMAIL, RATE_LIMITED, VISITORS_LIMITED.';
grant execute on function public.submit_beta_feedback(text, text, integer, text, text) to anon, authenticated, service_role;

create function public.update_beta_feedback(p_feedback_id uuid, p_status text, p_admin_notes text default null) returns public.beta_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_notes text := private.normalize_text(p_admin_notes, 2000);
  v_before public.beta_feedback;
  v_after public.beta_feedback;
begin
  if p_status is null or p_status not in ('reviewed', 'resolved') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  select f.* into v_before from public.beta_feedback f where f.id = p_feedback_id for no key update;
  if v_before.id is null then
    perform private.raise_error('FEEDBACK_NOT_FOUND', 'Feedback not found', 404);
  end if;
  update public.beta_feedback f set status = p_status, admin_notes = coalesce(nullif(v_notes, ''), f.admin_notes)
  where f.id = p_feedback_id returning f.* into v_after;
  perform private.audit(v_admin, 'feedback.' || p_status, 'beta_feedback', p_feedback_id::text,
    jsonb_build_object('status', v_before.status), jsonb_build_object('status', v_after.status), p_admin_notes);
  return v_after;
end $$;
comment on function public.update_beta_feedback(uuid, text, text) is
  'Admin marks feedback as reviewed or resolved, with an optional note (FEED-04, SEC-15). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'INVALID_STATUS, TEXT_TOO_LONG, FEEDBACK_NOT_FOUND.';
grant execute on function public.update_beta_feedback(uuid, text, text) to authenticated, service_role;

create function public.set_feedback_priority(p_feedback_id uuid, p_priority text) returns public.beta_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.beta_feedback;
  v_after public.beta_feedback;
begin
  if p_priority is null or p_priority not in ('urgent', 'high', 'medium', 'other') then
    perform private.raise_error('INVALID_PRIORITY', 'Unknown priority', 400);
  end if;
  select f.* into v_before from public.beta_feedback f where f.id = p_feedback_id for no key update;
  if v_before.id is null then
    perform private.raise_error('FEEDBACK_NOT_FOUND', 'Feedback not found', 404);
  end if;
  update public.beta_feedback f set priority = p_priority where f.id = p_feedback_id returning f.* into v_after;
  if v_before.priority <> p_priority then
    perform private.audit(v_admin, 'feedback.priority', 'beta_feedback', p_feedback_id::text,
      jsonb_build_object('priority', v_before.priority), jsonb_build_object('priority', v_after.priority));
  end if;
  return v_after;
end $$;
comment on function public.set_feedback_priority(uuid, text) is
  'Admin sets the priority of feedback: urgent, high, medium or other (DB-16, C-108). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'INVALID_PRIORITY, FEEDBACK_NOT_FOUND.';
grant execute on function public.set_feedback_priority(uuid, text) to authenticated, service_role;

create function public.get_beta_feedback_stats() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb;
begin
  perform private.require_admin();
  v_counts := private.counters();
  return (
    select jsonb_build_object(
      'total', coalesce(sum(f.count), 0),
      'average_rating', coalesce(
        round((v_counts -> 'feedback_stars')::numeric / nullif((v_counts -> 'feedback_ratings')::numeric, 0), 1), 0),
      'by_type', '{"bug": 0, "feature": 0, "rating": 0, "general": 0, "other": 0}'::jsonb
        || coalesce(jsonb_object_agg(f.name, f.count), '{}')
    )
    from private.counters_of('feedback') f
  );
end $$;
comment on function public.get_beta_feedback_stats() is
  'total, average_rating (one decimal) and by_type for admins (DB-16). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_beta_feedback_stats() to authenticated, service_role;

-- Project feedback ----------------------------------------------------------------------------------------------------

create table public.project_feedback (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.startup_profiles (id) on delete cascade,
  user_id text not null,
  rating smallint not null check (rating between 1 and 5),
  feedback_text text not null check (length(feedback_text) between 1 and 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, user_id)
);
comment on table public.project_feedback is 'Ratings of projects by members (DB-15), one per person and project.';
create index project_feedback_project on public.project_feedback (project_id, created_at desc, id desc);
create index project_feedback_user on public.project_feedback (user_id);
create trigger project_feedback_touch before update of rating, feedback_text on public.project_feedback
  for each row execute function private.touch_updated_at();

alter table public.project_feedback enable row level security;
create policy project_feedback_read on public.project_feedback for select to anon, authenticated
  using (exists (select 1 from public.startup_profiles s where s.id = project_id));
comment on policy project_feedback_read on public.project_feedback is
  'Whoever sees the project sees its ratings: the inner query is subject to the policy of projects.';
grant select (id, project_id, rating, feedback_text, created_at, updated_at) on public.project_feedback to anon, authenticated;
grant select on public.project_feedback to service_role;

create table private.former_ratings (
  id uuid primary key,
  owner_user_id text not null,
  user_id text not null,
  rating smallint not null,
  feedback_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table private.former_ratings is
  'Ratings of projects that were deleted: they return with the next project of the same person (C-97). Otherwise whoever is badly rated '
  'would start again.';
create index former_ratings_owner on private.former_ratings (owner_user_id);
create index former_ratings_user on private.former_ratings (user_id);

create function private.keep_ratings(p_startup_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.former_ratings (id, owner_user_id, user_id, rating, feedback_text, created_at, updated_at)
  select f.id, s.owner_user_id, f.user_id, f.rating, f.feedback_text, f.created_at, f.updated_at
  from public.project_feedback f join public.startup_profiles s on s.id = f.project_id where s.id = p_startup_id
$$;
comment on function private.keep_ratings(uuid) is 'Keeps the ratings of a project that is about to be deleted.';

create function private.take_over_ratings(p_startup public.startup_profiles) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_accounts text[] := private.accounts_of_person(p_startup.owner_user_id);
begin
  with gone as (
    delete from private.former_ratings f where f.owner_user_id = any (v_accounts) returning f.*
  )
  insert into public.project_feedback (id, project_id, user_id, rating, feedback_text, created_at, updated_at)
  -- One by each member: somebody may have rated projects of several accounts of the person.
  select distinct on (g.user_id) g.id, p_startup.id, g.user_id, g.rating, g.feedback_text, g.created_at, g.updated_at
  from gone g order by g.user_id, g.updated_at desc, g.id;
  update public.project_feedback f set project_id = p_startup.id
  from public.startup_profiles s join private.deleted_users d on d.user_id = s.owner_user_id
  where f.project_id = s.id and s.owner_user_id = any (v_accounts)
    and not exists (select 1 from public.project_feedback o where o.project_id = p_startup.id and o.user_id = f.user_id);
end $$;
comment on function private.take_over_ratings(public.startup_profiles) is
  'Gives a new project the ratings of its owner''s former ones, also of one that was left with a deleted account (C-81).';

create function private.validate_feedback(p_rating integer, p_text text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if p_rating is null or private.clean(p_text) is null then
    perform private.raise_error('FEEDBACK_INCOMPLETE', 'Please provide both a rating and feedback.', 400);
  elsif p_rating not between 1 and 5 then
    perform private.raise_error('RATING_RANGE', 'Rating must be between 1 and 5', 400);
  elsif length(private.clean(p_text)) > 2000 then
    perform private.raise_error('FEEDBACK_TOO_LONG', 'Please use a shorter feedback text', 400);
  end if;
  return private.clean(p_text);
end $$;
comment on function private.validate_feedback(integer, text) is
  'Checks a rating from 1 to 5 and returns the trimmed text (FEED-06). Errors: FEEDBACK_INCOMPLETE, RATING_RANGE, FEEDBACK_TOO_LONG.';

create function public.submit_project_feedback(p_project_id uuid, p_rating integer, p_feedback_text text) returns public.project_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_text text := private.validate_feedback(p_rating, p_feedback_text);
  v_accounts text[] := private.accounts_of_person(v_user);
  v_startup public.startup_profiles;
  v_feedback public.project_feedback;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_project_id and s.is_public for key share;
  if v_startup.id is null then
    perform private.raise_error('PROJECT_NOT_FOUND', 'Project ID not found.', 404);
  elsif v_startup.owner_user_id = any (v_accounts) then
    perform private.raise_error('OWN_PROJECT', 'You cannot rate your own project', 403);
  end if;
  perform private.check_visitor_rate('project_feedback', 10);
  perform private.lock_person(v_user);
  delete from public.project_feedback f where f.project_id = p_project_id and f.user_id = any (v_accounts) and f.user_id <> v_user;
  insert into public.project_feedback as f (project_id, user_id, rating, feedback_text) values (p_project_id, v_user, p_rating, v_text)
  on conflict (project_id, user_id) do update set rating = excluded.rating, feedback_text = excluded.feedback_text
  returning f.* into v_feedback;
  return v_feedback;
end $$;
comment on function public.submit_project_feedback(uuid, integer, text) is
  'The caller rates a verified project other than their own; rating again, also with another account of the same person (C-81), replaces '
  'the earlier one (FEED-06, FEED-08). Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, FEEDBACK_INCOMPLETE, RATING_RANGE, FEEDBACK_TOO_LONG, PROJECT_NOT_FOUND, OWN_PROJECT, '
  'RATE_LIMITED.';
grant execute on function public.submit_project_feedback(uuid, integer, text) to authenticated, service_role;

create function public.update_project_feedback(p_feedback_id uuid, p_rating integer, p_feedback_text text) returns public.project_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_text text := private.validate_feedback(p_rating, p_feedback_text);
  v_feedback public.project_feedback;
begin
  update public.project_feedback f set rating = p_rating, feedback_text = v_text
  where f.id = p_feedback_id and f.user_id = v_user returning f.* into v_feedback;
  if v_feedback.id is null then
    perform private.raise_error('FEEDBACK_NOT_FOUND', 'Feedback not found', 404);
  end if;
  return v_feedback;
end $$;
comment on function public.update_project_feedback(uuid, integer, text) is
  'The caller changes their rating by its id (FEED-08). Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, FEEDBACK_INCOMPLETE, '
  'RATING_RANGE, FEEDBACK_TOO_LONG, FEEDBACK_NOT_FOUND.';
grant execute on function public.update_project_feedback(uuid, integer, text) to authenticated, service_role;

create function public.list_project_feedback(p_project_id uuid, p_limit integer default 5, p_cursor text default null) returns table (
  id uuid, rating smallint, feedback_text text, created_at timestamptz, updated_at timestamptz, cursor text
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 5);
  v_after text[] := private.decode_cursor('project_feedback', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.cache_for(15, false);
  return query
    select f.id, f.rating, f.feedback_text, f.created_at, f.updated_at,
      private.encode_cursor('project_feedback', jsonb_build_array(f.created_at, f.id))
    from public.project_feedback f
    where f.project_id = p_project_id and (v_after is null or (f.created_at, f.id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by f.created_at desc, f.id desc limit v_limit;
end $$;
comment on function public.list_project_feedback(uuid, integer, text) is
  'Ratings of a project, newest first, as far as the caller may see it: runs with the caller''s rights (DB-15). Authors are not exposed. '
  'Next page: the cursor of the last row. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_project_feedback(uuid, integer, text) to anon, authenticated, service_role;

create function public.get_own_project_feedback(p_project_id uuid) returns setof public.project_feedback
language sql stable security definer set search_path = ''
as $$ select f.* from public.project_feedback f where f.project_id = p_project_id and f.user_id = public.current_user_id() $$;
comment on function public.get_own_project_feedback(uuid) is 'The caller''s own rating of a project, at most one row.';
grant execute on function public.get_own_project_feedback(uuid) to authenticated, service_role;

create function public.get_project_feedback_stats(p_project_id uuid) returns table (
  average_rating numeric, total_reviews bigint, rating_distribution jsonb
)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.cache_for(15, false);
  return query
    select coalesce(round(avg(f.rating), 1), 0), count(*), jsonb_build_object(
      '1', count(*) filter (where f.rating = 1), '2', count(*) filter (where f.rating = 2), '3', count(*) filter (where f.rating = 3),
      '4', count(*) filter (where f.rating = 4), '5', count(*) filter (where f.rating = 5))
    from public.project_feedback f where f.project_id = p_project_id;
end $$;
comment on function public.get_project_feedback_stats(uuid) is
  'Average (one decimal), number and distribution of a project''s ratings; zeros without ratings or when the caller may not see the '
  'project (FEED-09).';
grant execute on function public.get_project_feedback_stats(uuid) to anon, authenticated, service_role;

-- ==============================================================================================================================
-- 45_project_lifecycle.sql
-- ==============================================================================================================================

-- How a project begins and ends. Its points, decisions and ratings outlast it.

create function public.create_startup_profile(
  p_name text, p_website text default null, p_logo_url text default null, p_description text default null, p_industry text default null
) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_name text := private.validate_startup_text(p_name, 'NAME_REQUIRED', 'Project name is required', p_description);
  v_startup public.startup_profiles;
  v_objection private.project_decisions;
begin
  if p_industry is null or p_industry <> all (private.industries()) then
    perform private.raise_error('INDUSTRY_REQUIRED', 'Please select an industry', 400);
  end if;
  -- Waits for a concurrent suspension, and for another call of this one: both would otherwise share a lock that each needs for itself.
  perform 1 from public.user_profiles p where p.user_id = v_user for no key update;
  perform private.require_user();
  perform private.check_owner_rate(v_user, 'project_change');
  perform private.check_name_is_free(v_name, v_user);
  perform private.remember_mailbox(v_user, private.jwt_email());
  if (private.suspended_account(v_user)).user_id is not null then
    -- Only the address shows whose account this is; the next sign-in suspends it, too.
    perform private.raise_error('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  end if;
  insert into public.startup_profiles (owner_user_id, name, website, logo_url, description, industry, owner_email)
  values (
    v_user, v_name,
    private.normalize_url(p_website, 'INVALID_WEBSITE', 'Please enter a valid URL'),
    private.validate_logo_url(p_logo_url, v_user, v_user, null),
    private.clean(p_description), p_industry, private.jwt_email()
  )
  on conflict (owner_user_id) do nothing returning * into v_startup;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_EXISTS', 'You already have a project profile', 409);
  end if;
  perform private.startup_wallet(v_startup.id, v_user);
  perform private.take_over_ratings(v_startup);
  v_objection := private.open_objection(v_user);
  if v_objection.id is not null then
    -- After a decision against an earlier project of the person, an admin decides, also in beta (C-97).
    update public.startup_profiles s set review_note = v_objection.reason where s.id = v_startup.id;
  elsif (private.settings()).beta_mode then
    perform private.mark_verified(v_startup.id, 'beta', 'Verified automatically in beta');
  end if;
  select s.* into v_startup from public.startup_profiles s where s.id = v_startup.id;
  perform private.audit(v_user, 'startup.create', 'startup', v_startup.id::text, null, private.project_record(v_startup));
  return v_startup;
end $$;
comment on function public.create_startup_profile(text, text, text, text, text) is
  'Verification request of the caller''s project; verified at once in beta (SPROF-01, RULE-03, C-62), unless an earlier one of the same '
  'person was rejected, revoked or held (C-97). Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, NAME_REQUIRED, NAME_TOO_LONG, '
  'HIDDEN_CHARACTERS, RESERVED_NAME, NAME_TAKEN, DESCRIPTION_TOO_LONG, INDUSTRY_REQUIRED, INVALID_WEBSITE, INVALID_LOGO_URL, '
  'UPLOAD_NOT_CHECKED, STARTUP_EXISTS, RATE_LIMITED.';
grant execute on function public.create_startup_profile(text, text, text, text, text) to authenticated, service_role;

create function public.delete_startup_profile(p_startup_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_count integer;
  v_before jsonb;
begin
  perform private.require_owned_startup(
    p_startup_id, 'NOT_YOUR_STARTUP', 'You don''t have permission to delete this startup profile');
  select count(*) into v_count from public.campaigns c where c.startup_id = p_startup_id;
  if v_count > 0 then
    perform private.raise_error('STARTUP_HAS_QUESTS', format(
      'Cannot delete startup profile: You have %s active quest(s). Please delete all quests first before deleting your profile.',
      v_count), 409);
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'project_change');
  update public.wallets set startup_id = null where startup_id = p_startup_id;
  -- Waits for a rating that is being given: it is kept, too.
  perform 1 from public.startup_profiles s where s.id = p_startup_id for update;
  perform private.keep_ratings(p_startup_id);
  delete from public.startup_profiles s where s.id = p_startup_id returning private.project_record(s) into v_before;
  perform private.audit(public.current_user_id(), 'startup.delete', 'startup', p_startup_id::text, v_before);
end $$;
comment on function public.delete_startup_profile(uuid) is
  'Owner deletes the project once it has no quests (SPROF-08, C-24); its wallet and ratings wait for a new profile (C-02). Errors: '
  'UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, NOT_YOUR_STARTUP, STARTUP_HAS_QUESTS, RATE_LIMITED.';
grant execute on function public.delete_startup_profile(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 50_storage.sql
-- ==============================================================================================================================

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

-- The platform checks an upload that is signed for later when it is signed, and not again when it comes. So while there is room for one
-- file, any number could be signed (TRUST-26), and each would still be taken after a suspension (TRUST-18).
create policy nobody_signs_uploads on storage.objects as restrictive for insert to authenticated
  with check (((select current_setting('storage.operation', true)) like '%object.sign_upload_url') is not true);
create policy proofs_insert on storage.objects for insert to authenticated
  with check (
    bucket_id = 'proofs'
    and (storage.foldername(name))[1] = (select public.current_user_id())
    and private.is_allowed_type(bucket_id, metadata)
    and (select private.may_upload('proofs'))
    -- Its file may be gone: a member can delete it at the moment of submitting.
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
    and not private.is_proof_referenced(name)
  );
create policy project_logos_insert on storage.objects for insert to authenticated
  with check (
    bucket_id = 'project-logos'
    and (storage.foldername(name))[1] = (select public.current_user_id())
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
    and not private.is_logo_shown(name)
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

-- ==============================================================================================================================
-- 51_public_reads.sql
-- ==============================================================================================================================

-- Frequent public reads: the quest list, its statistics, site figures, the leaderboard. All are stable, so the API serves them by GET, and
-- each sets how long a shared cache may keep the response.

-- Quests --------------------------------------------------------------------------------------------------------------

create function public.list_published_quests(
  p_search text default null, p_sort text default 'new', p_limit integer default 10, p_cursor text default null,
  p_only_open boolean default false, p_view text default 'all', p_startup_id uuid default null, p_min_reward integer default null,
  p_max_reward integer default null, p_proof text default null, p_industry text default null, p_only_one_press boolean default false,
  p_min_minutes integer default null, p_max_minutes integer default null
) returns table (
  id uuid, startup_id uuid, startup_name text, startup_logo_url text, startup_verified boolean,
  title text, summary text, custom_reward_title text, custom_reward_description text, collect_emails boolean,
  reward_points integer, budget_points integer, task_count integer, total_slots integer, open_slots integer, is_full boolean,
  published_at timestamptz, created_at timestamptz, ends_at timestamptz, cursor text, review_hours integer, reserved_points bigint,
  decided integer, accepted integer, overturned integer, median_seconds integer, median_minutes integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_terms tsquery[] := private.search_terms(p_search);
  v_query tsquery := private.all_terms(v_terms);
  v_sort text := coalesce(case when p_sort = 'match' and v_query is null then 'new' else p_sort end, 'new');
  v_view text := case when p_only_open then 'open' else coalesce(p_view, 'all') end;
  v_limit integer := private.validate_limit(p_limit, 10);
  v_list text;
  v_keys private.sort_key[];
  v_after text[];
  v_from text;
begin
  v_keys := case v_sort
    when 'new' then array[row('c.created_at', 'timestamptz')]::private.sort_key[]
    when 'match' then array[row('c.rank', 'real'), row('c.created_at', 'timestamptz')]::private.sort_key[]
    when 'trending' then array[row('c.published_at', 'timestamptz')]::private.sort_key[]
    when 'reward' then array[row('c.open_reward_points', 'integer'), row('c.budget_points', 'integer'),
      row('c.published_at', 'timestamptz')]::private.sort_key[]
  end || row('c.id', 'uuid')::private.sort_key;
  if cardinality(v_keys) = 1 then
    perform private.raise_error('INVALID_SORT', 'Unknown sort order', 400);
  elsif v_view not in ('open', 'full', 'all') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  elsif p_proof <> all (enum_range(null::public.proof_type)::text[]) or p_industry <> all (private.industries()) then
    perform private.raise_error('INVALID_FILTER', 'Unknown filter', 400);
  end if;
  v_list := concat_ws(':', 'quests', v_sort, nullif(v_view, 'all'));
  v_after := private.decode_cursor(v_list, p_cursor, private.key_types(v_keys));
  perform private.cache_for(15, true);
  -- Only the requested conditions are written, so that each combination can use its index (created_at, published_at, open reward, or
  -- words). Text is passed as parameters only.
  v_from := concat_ws(' and ',
    'public.campaigns c' || case when v_query is null then '' else ' join private.quest_search q on q.campaign_id = c.id' end || $sql$
      where c.status = 'published' and (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now())$sql$,
    case when v_query is not null then 'q.document @@ $2' end,
    case v_view when 'open' then 'not c.is_full' when 'full' then 'c.is_full' end,
    case when p_startup_id is not null then 'c.startup_id = $4' end,
    case when p_min_reward is not null then 'c.open_reward_points >= $6' end,
    case when p_max_reward is not null then 'c.open_reward_points <= $7' end,
    case when p_min_minutes is not null then 'c.median_minutes >= $10' end,
    case when p_max_minutes is not null then 'c.median_minutes <= $11' end,
    case when p_proof is not null then
      'exists (select 1 from public.tasks t where t.campaign_id = c.id and t.requires_proof and t.proof_type = $8::public.proof_type)' end,
    case when p_industry is not null then
      'exists (select 1 from public.startup_profiles i where i.id = c.startup_id and i.industry = $9)' end,
    case when p_only_one_press then $sql$c.task_count > 0 and not exists (select 1 from public.tasks t
      where t.campaign_id = c.id and (t.requires_proof or t.verification not in ('review', 'automatic')))$sql$ end);
  if v_sort = 'match' then
    -- When hundreds of quests match, the latest are enough to choose from: ranking all of them finds one labelled search more in 400.
    v_from := format('(select c.*, %s as rank from %s order by c.created_at desc limit 500) c where true',
      private.search_rank(v_terms, '$12', '$5'), v_from);
  end if;
  return query execute format(
    $query$
      select c.id, c.startup_id, s.name, s.logo_url, s.status = 'verified', c.title, c.summary, c.custom_reward_title,
        c.custom_reward_description, c.collect_emails, c.open_reward_points, c.budget_points, c.task_count, c.total_slots,
        greatest(c.open_slots, 0), c.is_full, c.published_at, c.created_at, c.ends_at,
        private.encode_cursor(%1$L, jsonb_build_array(%2$s)),
        -- As private.promised_hours, which would be called once per quest.
        case when $13 and exists (
          select 1 from public.tasks t where t.campaign_id = c.id and (t.verification = 'review' or t.requires_proof)
        ) then c.review_hours end,
        -- Looked up by quest: a join makes the planner merge with the index of all quests' wallets while there are few of them.
        coalesce((select w.points from public.wallets w where w.campaign_id = c.id), 0),
        r.decided, r.accepted, r.overturned, r.median_seconds, c.median_minutes
      from (select c.* from %3$s order by %4$s limit $1) c
      join public.startup_profiles s on s.id = c.startup_id
      left join public.wallets p on p.startup_id = c.startup_id
      left join private.review_records r on r.wallet_id = p.id and r.decided >= 10
      order by %4$s
    $query$,
    v_list,
    (select string_agg(k.expression, ', ' order by k.n) from unnest(v_keys) with ordinality k (expression, type, n)),
    concat_ws(' and ', v_from, case when v_after is not null then private.after_cursor(v_keys, '$3') end),
    private.order_by(v_keys)
  ) using v_limit, v_query, v_after, p_startup_id, private.typed_query(p_search), p_min_reward, p_max_reward, p_proof, p_industry,
    p_min_minutes, p_max_minutes, v_terms, not (private.settings()).beta_mode;
end $$;
comment on function public.list_published_quests(
  text, text, integer, text, boolean, text, uuid, integer, integer, text, text, boolean, integer, integer
) is
  'Published quests as cards show them (RULE-14, DB-04, C-107). View open (with free slots, C-60), full or all; p_only_open is the older '
  'way to request open. Sort new (by creation), match (by rank among the latest 500 matches; like new without a search), trending (by '
  'publication) or reward (reward_points, what one member can still earn, then the budget; C-70). p_search: every word occurs in title, '
  'project name, task titles, summary or details, tolerating one typo per word (C-119, BEY-18). p_proof: some task asks for that kind of '
  'proof; p_only_one_press: no task asks for a proof, so pressing Verify is enough; p_startup_id: quests of that project only. '
  'median_minutes: how long members took, if measured; p_min_minutes and p_max_minutes exclude unmeasured quests. open_slots: maximum less '
  'approved, pending and kept (C-86). Next page: the cursor of the last row. Security definer because row-level security would keep the '
  'planner from using the full-text index; reads published rows only. review_hours: null where a proof is approved at once; '
  'reserved_points: set aside for the quest; decided to median_seconds: the project''s record as in get_project_promises (BEY-05). '
  'Nullable: startup_logo_url, custom_reward_title, custom_reward_description, ends_at, review_hours, decided, accepted, overturned, '
  'median_seconds, median_minutes. Errors: INVALID_SORT, INVALID_VIEW, INVALID_FILTER, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.list_published_quests(
  text, text, integer, text, boolean, text, uuid, integer, integer, text, text, boolean, integer, integer
) to anon, authenticated, service_role;

create function public.get_quest_completion_stats(p_campaign_ids uuid[]) returns table (
  campaign_id uuid, total_slots integer, available_slots integer, completed_slots integer, is_quest_full boolean
)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.cache_for(15, false);
  return query
    select c.id, c.total_slots, greatest(c.open_slots, 0), c.approved_count, c.is_full
    from public.campaigns c where c.id = any (private.validate_ids(p_campaign_ids));
end $$;
comment on function public.get_quest_completion_stats(uuid[]) is
  'Slots of up to 200 quests, as far as the caller may see them: runs with the caller''s rights (DB-22, DB-26). Pending submissions hold '
  'their slot. Errors: TOO_MANY_IDS.';
grant execute on function public.get_quest_completion_stats(uuid[]) to anon, authenticated, service_role;

create function public.get_task_completion_counts(p_task_ids uuid[]) returns table (
  task_id uuid, completions integer, pending integer, remaining_slots integer, kept integer
)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.cache_for(15, false);
  return query
    select t.id, t.approved_count, t.pending_count, greatest(t.max_completions - t.approved_count - t.pending_count - t.kept_count, 0),
      t.kept_count
    from public.tasks t where t.id = any (private.validate_ids(p_task_ids));
end $$;
comment on function public.get_task_completion_counts(uuid[]) is
  'Approved, pending, kept (for a rejection that may be appealed) and free slots of up to 200 tasks, as far as the '
  'caller may see them (DB-06, HUB-11). Errors: TOO_MANY_IDS.';
grant execute on function public.get_task_completion_counts(uuid[]) to anon, authenticated, service_role;

-- Site figures --------------------------------------------------------------------------------------------------------

create table private.site_stats_cache (
  id boolean primary key default true check (id),
  member_count bigint not null,
  active_campaigns bigint not null,
  verified_startups bigint not null,
  points_earned bigint not null,
  counted_at timestamptz not null
);
comment on table private.site_stats_cache is
  'Cached site figures. A GET cannot write, so get_site_stats uses this row while it is at most 30 s old and otherwise counts again; the '
  'roll-up refreshes it.';

create function private.count_site_stats() returns private.site_stats_cache
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb := private.counters();
  v_stats private.site_stats_cache;
begin
  -- Points that members earned by tasks and referrals, less reversals, as on the leaderboard.
  select true, coalesce(v_counts -> 'members', '0'), coalesce(v_counts -> 'open_campaigns', '0'),
    coalesce(v_counts -> 'verified_startups', '0'),
    coalesce(sum(case l.type when 'credit' then l.points else -l.points end), 0), clock_timestamp()
  into v_stats from private.ledger_sums() l
  where l.account = 'user' and l.kind in ('task_completion', 'referral_bonus', 'welcome_bonus', 'reversal');
  return v_stats;
end $$;
comment on function private.count_site_stats() is 'Current site figures, computed from the counters and the ledger sums.';

create function private.roll_up_figures(p_max_age interval default '30 seconds', p_time interval default '1 second') returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from private.site_stats_cache c where c.counted_at > clock_timestamp() - p_max_age)
    or not pg_try_advisory_xact_lock(hashtextextended('site_stats', 0)) then
    return;
  end if;
  perform private.compact_counter_deltas();
  perform private.refresh_review_records(now() - interval '1 minute');
  -- The site figures add what is left over: after a pause that could take longer than a call may, and would undo what has been added.
  if not private.roll_up_ledger_daily(p_time) then
    return;
  end if;
  insert into private.site_stats_cache select c.* from private.count_site_stats() c
  on conflict (id) do update set member_count = excluded.member_count, active_campaigns = excluded.active_campaigns,
    verified_startups = excluded.verified_startups, points_earned = excluded.points_earned, counted_at = excluded.counted_at;
end $$;
comment on function private.roll_up_figures(interval, interval) is
  'The scheduled roll-up, called on every tick of the outbox worker: merges counter deltas, counts projects'' records, sums the ledger''s '
  'days for about p_time and, once none is left, counts the site figures, if the last count is older than p_max_age. One session at a '
  'time; others skip it.';

create function public.get_site_stats() returns table (
  total_members bigint, active_campaigns bigint, verified_startups bigint, total_rewards_paid bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stats private.site_stats_cache;
begin
  perform private.cache_for(30, true);
  select c.* into v_stats from private.site_stats_cache c where c.counted_at > clock_timestamp() - interval '30 seconds';
  if v_stats.id is null then
    v_stats := private.count_site_stats();
  end if;
  return query select v_stats.member_count + (private.settings()).member_count_base,
    v_stats.active_campaigns, v_stats.verified_startups, v_stats.points_earned;
end $$;
comment on function public.get_site_stats() is
  'Site figures, at most 30 s old: members with the base from the settings, published quests with free slots as the hub lists them '
  '(C-83), verified projects, points earned by members (DB-21, C-26).';
grant execute on function public.get_site_stats() to anon, authenticated, service_role;

create function public.rebuild_site_stats_cache() returns table (
  total_members bigint, active_campaigns bigint, verified_startups bigint, total_rewards_paid bigint
)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit(private.require_admin(), 'site_stats.rebuild', 'site_stats', 'cache');
  -- Waits for a concurrent roll-up: unlike the worker, an admin wants current figures.
  perform pg_advisory_xact_lock(hashtextextended('site_stats', 0));
  perform private.roll_up_figures('0 seconds');
  return query select * from public.get_site_stats();
end $$;
comment on function public.rebuild_site_stats_cache() is
  'Admin recounts the site figures; returns them (DB-21, DB-26, SEC-15, C-54). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.rebuild_site_stats_cache() to authenticated, service_role;

-- Leaderboard ---------------------------------------------------------------------------------------------------------

create function private.unsummed_weeks(p_user_id text default null) returns setof private.member_weeks
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select s.* from private.sum_member_weeks((select u.last_id from private.ledger_daily_watermark u), 9223372036854775807, p_user_id) s;
end $$;
comment on function private.unsummed_weeks(text) is 'Weekly sums of the entries that are not rolled up yet, of one member or of all.';

create function private.weekly_totals(p_week date, p_limit integer) returns table (user_id text, points bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    with tail as (
      select s.user_id, s.points from private.unsummed_weeks() s where s.week = p_week
    ), candidates as (
      -- At most as many members can drop out of the list as have entries that are not rolled up yet.
      (
        select m.user_id from private.member_weeks m where m.week = p_week and m.points > 0
        order by m.points desc, m.user_id limit p_limit + (select count(*) from tail)
      )
      union select t.user_id from tail t
    )
    select c.user_id, coalesce(m.points, 0) + coalesce(t.points, 0)
    from candidates c
    left join private.member_weeks m on m.user_id = c.user_id and m.week = p_week
    left join tail t on t.user_id = c.user_id
    where coalesce(m.points, 0) + coalesce(t.points, 0) > 0
    order by 2 desc, 1 limit p_limit;
end $$;
comment on function private.weekly_totals(date, integer) is
  'The top earners of a week, including entries that are not rolled up yet (C-84).';

create function private.check_period(p_period text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_period is null or p_period not in ('all', 'week') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  end if;
end $$;
comment on function private.check_period(text) is 'Accepts all and week. Errors: INVALID_VIEW.';

create function public.get_leaderboard(p_limit integer default 50, p_period text default 'all') returns table (
  rank bigint, user_id text, username text, display_name text, total_points bigint, is_self boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 50);
  v_user text := public.current_user_id();
begin
  perform private.cache_for(30, false);
  perform private.check_period(p_period);
  if not (private.settings()).leaderboard_enabled then
    return;
  elsif p_period = 'week' then
    return query
      select row_number() over (order by w.points desc, w.user_id), case when w.user_id = v_user then w.user_id end,
        coalesce(p.masked_username, '***'), coalesce(p.masked_name, '***'), w.points, coalesce(w.user_id = v_user, false)
      from private.weekly_totals(private.week_of(now()), v_limit) w left join public.user_profiles p on p.user_id = w.user_id
      order by w.points desc, w.user_id;
    return;
  end if;
  return query
    select row_number() over (order by w.leaderboard_points desc, w.user_id), case when w.user_id = v_user then w.user_id end,
      coalesce(p.masked_username, '***'), coalesce(p.masked_name, '***'), w.leaderboard_points, coalesce(w.user_id = v_user, false)
    from (
      -- A constant limit, the maximum anyone may request, lets one plan serve all limits.
      select w.user_id, w.leaderboard_points from public.wallets w
      where w.kind = 'user' and w.leaderboard_points > 0
      order by w.leaderboard_points desc, w.user_id limit 100
    ) w left join public.user_profiles p on p.user_id = w.user_id
    order by w.leaderboard_points desc, w.user_id limit v_limit;
end $$;
comment on function public.get_leaderboard(integer, text) is
  'Members by points from tasks, referral and welcome bonuses, ties by user id (REWARD-04, REWARD-06, TRUST-11): of all time, or of this '
  'ISO week in UTC (C-84). Names are masked and other members'' ids withheld; empty while the feature is off (REWARD-05). Nullable: '
  'user_id. Errors: INVALID_LIMIT, INVALID_VIEW.';
grant execute on function public.get_leaderboard(integer, text) to anon, authenticated, service_role;

create function public.get_own_rank(p_period text default 'all') returns table (rank bigint, total_points bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_week date := private.week_of(now());
  v_points bigint;
  v_ahead bigint;
begin
  perform private.cache_for(0, false);
  perform private.check_period(p_period);
  if not (private.settings()).leaderboard_enabled then
    return;
  elsif p_period = 'week' then
    with tail as (
      select s.user_id, s.points from private.unsummed_weeks() s where s.week = v_week
    ), totals as (
      select t.user_id, t.points + coalesce(m.points, 0) as points
      from tail t left join private.member_weeks m on m.user_id = t.user_id and m.week = v_week
    ), own as (
      select coalesce((select t.points from totals t where t.user_id = v_user),
        (select m.points from private.member_weeks m where m.user_id = v_user and m.week = v_week)) as points
    )
    select o.points,
      (select count(*) from totals t where t.points > o.points or t.points = o.points and t.user_id < v_user)
      + (select count(*) from (
        select 1 from private.member_weeks m
        where m.week = v_week and m.points > 0 and m.points >= o.points and (m.points > o.points or m.user_id < v_user)
          and m.user_id not in (select t.user_id from tail t)
        limit 10000) a)
    into v_points, v_ahead from own o;
  else
    select w.leaderboard_points into v_points from public.wallets w where w.user_id = v_user;
    select count(*) into v_ahead from (
      select 1 from public.wallets w
      where w.kind = 'user' and w.leaderboard_points > 0 and w.leaderboard_points >= v_points
        and (w.leaderboard_points > v_points or w.user_id < v_user)
      limit 10000) a;
  end if;
  if v_points > 0 then
    return query select v_ahead + 1, v_points;
  end if;
end $$;
comment on function public.get_own_rank(text) is
  'The caller''s rank on the leaderboard of all time or of this week, also beyond the list; no row without points. Ranks are counted up to '
  '10,000; 10,001 means beyond. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_VIEW.';
grant execute on function public.get_own_rank(text) to authenticated, service_role;

-- ==============================================================================================================================
-- 52_csp_reports.sql
-- ==============================================================================================================================

-- Violations of the Content-Security-Policy that browsers report, so that a provider's new host is noticed before anybody complains.

create table private.csp_reports (
  directive text not null check (directive ~ '^[a-z-]{1,40}$'),
  blocked text not null check (length(blocked) between 1 and 200),
  page text not null check (length(page) <= 200),
  reports bigint not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (directive, blocked)
);
comment on table private.csp_reports is
  'Violations of the Content-Security-Policy, one row per directive and source. Anybody can send anything here: a hint, not evidence. At '
  'most 100 new rows a day (TRUST-24); removed 30 days after the last report.';
comment on column private.csp_reports.blocked is 'Blocked origin, or a keyword of the policy such as inline or eval.';
comment on column private.csp_reports.page is 'Route of the page that reported last, without ids and query string.';
create index csp_reports_last on private.csp_reports (last_at);

create function public.record_csp_report(p_address inet, p_directive text, p_blocked text, p_page text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_page text := left(p_page, 200);
begin
  if not public.take_rate_limit('visitor:' || private.rate_limit_key(p_address), 'csp_report', 20, 60)
    or not private.take_ceiling('csp_reports', 1, 300, '1 minute') then
    return false;
  end if;
  update private.csp_reports r set reports = r.reports + 1, last_at = now(), page = v_page
  where r.directive = p_directive and r.blocked = p_blocked;
  if found then
    return true;
  elsif not private.take_ceiling('csp_report_rows', 1, 100, '1 day') then
    return false;
  end if;
  insert into private.csp_reports as r (directive, blocked, page) values (p_directive, p_blocked, v_page)
  on conflict (directive, blocked) do update set reports = r.reports + 1, last_at = now(), page = v_page;
  return true;
end $$;
comment on function public.record_csp_report(inet, text, text, text) is
  'Counts a reported violation and returns whether it was counted: 20 reports a minute per IP address (callers without one share a limit), '
  '300 overall (TRUST-24). Service role only: the function csp-report passes the address.';
grant execute on function public.record_csp_report(inet, text, text, text) to service_role;

create function private.recent_csp_reports() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(r) order by r.last_at desc), '[]')
  from (
    select c.directive, c.blocked, c.page, c.reports, c.last_at from private.csp_reports c
    where c.last_at > now() - interval '7 days' order by c.last_at desc limit 20
  ) r
$$;
comment on function private.recent_csp_reports() is
  '[{directive, blocked, page, reports, last_at}] of the last seven days, newest first, 20 at most.';

-- ==============================================================================================================================
-- 52_metrics.sql
-- ==============================================================================================================================

-- Usage events of the site: anyone inserts, only admins read.

create table public.metrics_events (
  id bigint generated always as identity primary key,
  type text not null check (type ~ '^[A-Za-z][A-Za-z0-9_.:-]{0,63}$'),
  user_id text,
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 4096),
  created_at timestamptz not null default now()
);
comment on table public.metrics_events is 'Events (ANA-04). Insert-only for the API roles; removed after 90 days.';
comment on column public.metrics_events.user_id is 'The caller, whatever the request says; null for visitors.';
comment on column public.metrics_events.data is
  'action, category, label, value, page_url, user_agent, session_id, timestamp and extras, at most 4,096 bytes.';
create index metrics_events_user on public.metrics_events (user_id) where user_id is not null;
create index metrics_events_created on public.metrics_events (created_at desc, id desc);

create function private.validate_metrics_event() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_sent integer := coalesce(nullif(current_setting('questboard.sent_events', true), ''), '0')::integer + 1;
  v_user text := public.current_user_id();
begin
  if v_sent > 50 then
    perform private.raise_error('TOO_MANY_EVENTS', 'These are too many events for one request', 413);
  end if;
  perform set_config('questboard.sent_events', v_sent::text, true);
  new.user_id := v_user;
  new.created_at := now();
  -- Those beyond the limits, and those of somebody who was erased while this waited, are dropped without an error, because counting visits
  -- must never break a page.
  if private.lock_own_account() is distinct from v_user
    or octet_length(new.data::text) > 4096
    or not public.take_rate_limit(private.rate_limit_subject(), 'metrics_event', 120, 60, 1 + octet_length(new.data::text) / 1024)
    or not private.take_ceiling('metrics_bytes', octet_length(new.data::text) + 200,
      (select d.metrics_bytes_per_day from private.deployment d), '1 day', 8) then
    return null;
  end if;
  return new;
end $$;
comment on function private.validate_metrics_event() is
  'Trigger: sets the event''s user and time. One person or IP address may send 120 kilobytes a minute, each event counting as at least one '
  'kilobyte; all together metrics_bytes_per_day of private.deployment, each event counting 200 bytes extra for its row. At most 50 events '
  'per request, those that are dropped included, because each takes time. Errors: TOO_MANY_EVENTS.';
create trigger metrics_events_admit before insert on public.metrics_events
  for each row execute function private.validate_metrics_event();

create function private.limit_metrics_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select sum(octet_length(a.data::text)) > 32768 from added a) then
    perform private.raise_error('TOO_MANY_EVENTS', 'These are too many events for one request', 413);
  end if;
  return null;
end $$;
comment on function private.limit_metrics_request() is
  'Trigger: allows at most 32 kilobytes per request. Errors: TOO_MANY_EVENTS.';
create trigger metrics_events_limit_request after insert on public.metrics_events
  referencing new table as added for each statement execute function private.limit_metrics_request();
create trigger metrics_events_append_only before update on public.metrics_events
  for each row execute function private.prevent_mutation();

alter table public.metrics_events enable row level security;
create policy metrics_events_insert on public.metrics_events for insert to anon, authenticated
  with check (user_id is not distinct from (select public.current_user_id()));
comment on policy metrics_events_insert on public.metrics_events is 'Anyone inserts events, as themselves.';
create policy metrics_events_admin_read on public.metrics_events for select to authenticated using ((select private.is_admin()));
comment on policy metrics_events_admin_read on public.metrics_events is 'Only admins read.';
grant insert (type, user_id, data) on public.metrics_events to anon, authenticated;
grant select on public.metrics_events to authenticated, service_role;

-- ==============================================================================================================================
-- 53_quest_reports.sql
-- ==============================================================================================================================

-- Quest figures: for a member before the first quest of their own (DB-23; advice only, C-38), and for owners.

-- Members -------------------------------------------------------------------------------------------------------------

create function private.quest_completion(p_user_id text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  with quests as (
    select s.campaign_id, bool_or(s.status = 'approved') as is_completed,
      sum(s.reward_points) filter (where s.status = 'approved') as reward_points,
      max(s.reviewed_at) filter (where s.status = 'approved') as completed_at
    from public.submissions s where s.user_id = p_user_id group by s.campaign_id
  ), latest as (
    select q.* from quests q where q.is_completed order by q.completed_at desc, q.campaign_id limit 20
  )
  select jsonb_build_object(
    'has_completed_quests', count(*) filter (where q.is_completed) > 0,
    'completed_quests_count', count(*) filter (where q.is_completed),
    'total_quests_attempted', count(*),
    'quest_details', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'campaign_title', private.quest_title_for_member(c), 'startup_name', sp.name, 'reward_points', l.reward_points,
        'completed_at', l.completed_at
      ) order by l.completed_at desc, l.campaign_id), '[]')
      from latest l join public.campaigns c on c.id = l.campaign_id join public.startup_profiles sp on sp.id = c.startup_id
    ),
    'can_create_campaigns', count(*) filter (where q.is_completed) > 0
  )
  from quests q
$$;
comment on function private.quest_completion(text) is
  'Quests a member has tried and completed. One approved submission completes a quest here (C-39); quest_details are the latest 20.';

create function public.check_user_quest_completion(p_user_id text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.quest_completion(private.require_self(p_user_id));
end $$;
comment on function public.check_user_quest_completion(text) is
  'has_completed_quests, completed_quests_count, total_quests_attempted, quest_details [campaign_title, startup_name, reward_points, '
  'completed_at], can_create_campaigns (DB-23, DB-25). The member or an admin. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.check_user_quest_completion(text) to authenticated, service_role;

create function public.validate_campaign_creation_eligibility(p_user_id text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_self(p_user_id);
  v_completion jsonb := private.quest_completion(v_user);
  v_is_eligible boolean := (v_completion ->> 'can_create_campaigns')::boolean;
begin
  return jsonb_build_object(
    'user_id', v_user,
    'user_role', coalesce((select p.role from public.user_profiles p where p.user_id = v_user), 'community'),
    'is_eligible', v_is_eligible,
    'requirement_message', case when v_is_eligible
      then 'Requirement met: you have completed a quest and can create your own.'
      else 'Complete at least 1 quest before you create your own, to see what members see.' end,
    'trial_message', case when private.has_had_trial_elsewhere(v_user)
      then 'Your email address has already received its trial points, so your project starts with 0 points.' end,
    'quest_completion', v_completion
  );
end $$;
comment on function public.validate_campaign_creation_eligibility(text) is
  'user_id, user_role, is_eligible, requirement_message, trial_message (why there are no trial points, else null; C-81), '
  'quest_completion (DB-23, QNEW-05): advice for the form, not a rule of the server (C-38). The member or an admin. '
  'Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.validate_campaign_creation_eligibility(text) to authenticated, service_role;

create function public.get_available_quests_for_new_user(p_user_id text, p_limit integer default 20) returns table (
  task_id uuid, campaign_id uuid, title text, campaign_title text, startup_name text, startup_logo text,
  instructions text, requires_proof boolean, max_completions integer, reward_points integer
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_self(p_user_id);
  v_limit integer := private.validate_limit(p_limit, 20);
begin
  return query
    select t.id, c.id, t.title, c.title, s.name, s.logo_url, t.instructions_md, t.requires_proof, t.max_completions, t.reward_points
    from public.campaigns c
    join public.startup_profiles s on s.id = c.startup_id and s.owner_user_id <> v_user
    join public.tasks t on t.campaign_id = c.id and t.approved_count + t.pending_count + t.kept_count < t.max_completions
    where c.status = 'published' and not c.is_full and (c.starts_at is null or c.starts_at <= now())
      and (c.ends_at is null or c.ends_at > now())
      and not exists (select 1 from public.submissions x where x.task_id = t.id and x.user_id = v_user and x.status <> 'rejected')
    order by c.published_at desc, c.id desc, t.order_index, t.id
    limit v_limit;
end $$;
comment on function public.get_available_quests_for_new_user(text, integer) is
  'Tasks with free slots that the member has not done, newest quests first, without their own quests (DB-23, C-40). The member or an '
  'admin. Nullable: startup_logo. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_LIMIT.';
grant execute on function public.get_available_quests_for_new_user(text, integer) to authenticated, service_role;

-- Owners --------------------------------------------------------------------------------------------------------------

create function public.list_own_quests(p_limit integer default 100, p_cursor text default null) returns table (
  id uuid, startup_id uuid, title text, summary text, status public.campaign_status, hold_reason text, held_at timestamptz,
  reward_points integer, budget_points integer, task_count integer, total_slots integer, open_slots integer, is_full boolean,
  submission_count integer, participant_count integer, pending_count integer, approved_count integer, email_count bigint,
  created_at timestamptz, published_at timestamptz, closed_at timestamptz, cursor text,
  reserved_points bigint, points_distributed bigint, daily_submissions integer[], starts_at timestamptz, ends_at timestamptz,
  hold_cause public.hold_cause, points_taken_back_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_projects uuid[];
  v_limit integer := private.validate_limit(p_limit, 100);
  v_after text[] := private.decode_cursor('own_quests', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.require_user();
  v_projects := array(select private.own_startup_ids());
  perform private.cache_for(0, false);
  return query
    select c.id, c.startup_id, c.title, c.summary, c.status, c.hold_reason, c.held_at, c.open_reward_points, c.budget_points,
      c.task_count, c.total_slots, greatest(c.open_slots, 0), c.is_full, c.submission_count, c.participant_count, c.pending_count,
      c.approved_count, (select count(*) from public.campaign_email_collections e where e.campaign_id = c.id), c.created_at,
      c.published_at, c.closed_at, private.encode_cursor('own_quests', jsonb_build_array(c.created_at, c.id)),
      coalesce((select w.points from public.wallets w where w.campaign_id = c.id), 0), c.points_distributed,
      array(
        select (
          select count(*)::integer from public.submissions s
          where s.campaign_id = c.id and s.submitted_at >= d.day and s.submitted_at < d.day + interval '1 day'
        ) from generate_series(date_trunc('day', now(), 'UTC') - interval '13 days', now(), interval '1 day') d (day) order by d.day),
      c.starts_at, c.ends_at, c.hold_cause,
      case when c.status = 'draft' and c.published_at is null then private.points_taken_back_at(c.id) end
    from public.campaigns c
    where c.startup_id = any (v_projects)
      and (v_after is null or (c.created_at, c.id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by c.created_at desc, c.id desc limit v_limit;
end $$;
comment on function public.list_own_quests(integer, text) is
  'All quests of the caller''s project with the owner''s figures, newest first (SDASH-08, DB-05). Shared columns as in '
  'list_published_quests; email_count: collected addresses; reserved_points: set aside for open spots; points_distributed: paid to '
  'members; daily_submissions: last 14 UTC days, oldest first; points_taken_back_at: when a draft lost its points to a refund or dispute. '
  'Next page: the cursor of the last row. Nullable: hold_reason, held_at, published_at, closed_at, starts_at, ends_at, hold_cause, '
  'points_taken_back_at. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_own_quests(integer, text) to authenticated, service_role;

create function private.task_funnel(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'task_id', t.id, 'title', t.title, 'reward_points', t.reward_points, 'max_completions', t.max_completions,
    'submissions', f.submissions, 'approved', t.approved_count, 'pending', t.pending_count, 'rejected', f.rejected,
    'remaining_slots', t.max_completions - t.approved_count - t.pending_count - t.kept_count
  ) order by t.order_index, t.id), '[]')
  from public.tasks t
  cross join lateral (
    select count(*) as submissions, count(*) filter (where s.status = 'rejected') as rejected from public.submissions s
    where s.task_id = t.id
  ) f
  where t.campaign_id = p_campaign_id
$$;
comment on function private.task_funnel(uuid) is 'Slots and submissions by outcome for each task of a quest.';

create function private.participation_by_day(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'day', d.day, 'submissions', d.submissions, 'participants', d.participants, 'approved', d.approved
  ) order by d.day), '[]')
  from (
    select (s.submitted_at at time zone 'UTC')::date as day, count(*) as submissions, count(distinct s.user_id) as participants,
      count(*) filter (where s.status = 'approved') as approved
    from public.submissions s where s.campaign_id = p_campaign_id group by 1 order by 1 desc limit 366
  ) d
$$;
comment on function private.participation_by_day(uuid) is 'Submissions per UTC day for the latest 366 days that have any, oldest first.';

create function public.get_campaign_performance_stats(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_campaign public.campaigns;
begin
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id;
  if v_campaign.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  elsif not private.is_admin()
    and not exists (select 1 from public.startup_profiles s where s.id = v_campaign.startup_id and s.owner_user_id = v_user) then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  return jsonb_build_object(
    'campaign_id', v_campaign.id,
    'total_submissions', v_campaign.submission_count,
    'approved', v_campaign.approved_count,
    'pending', v_campaign.pending_count,
    'rejected', v_campaign.submission_count - v_campaign.approved_count - v_campaign.pending_count,
    'participants', v_campaign.participant_count,
    'points_distributed', v_campaign.points_distributed,
    'completion_rate', coalesce(round(100.0 * v_campaign.approved_count / nullif(v_campaign.submission_count, 0), 1), 0),
    'median_review_seconds', (
      select round(percentile_cont(0.5) within group (order by extract(epoch from s.reviewed_at - s.submitted_at))::numeric)
      from public.submissions s where s.campaign_id = p_campaign_id and s.reviewed_at is not null
    ),
    'tasks', private.task_funnel(p_campaign_id),
    'days', private.participation_by_day(p_campaign_id)
  );
end $$;
comment on function public.get_campaign_performance_stats(uuid) is
  'A quest''s figures for its owner and admins: total_submissions, approved, pending, rejected, participants, points_distributed, '
  'completion_rate (%), median_review_seconds (null before the first review), tasks, days (DB-26, SEC-09). Errors: UNAUTHENTICATED, '
  'SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN.';
grant execute on function public.get_campaign_performance_stats(uuid) to authenticated, service_role;

-- ==============================================================================================================================
-- 54_retention.sql
-- ==============================================================================================================================

-- Retention: removes expired rows and old data of visitors (TRUST-24).

create function private.remove_left_words() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_words text[];
begin
  -- Not while a quest is being published, which counts on the words that it has seen in the list.
  if not pg_try_advisory_xact_lock(hashtextextended('left_words', 0)) then
    return;
  end if;
  with looked_at as (
    delete from private.left_words l where l.id in (select o.id from private.left_words o order by o.id limit 20) returning l.words
  )
  select array_agg(distinct w.word) into v_words from looked_at l cross join unnest(l.words) w (word);
  delete from private.search_words k where k.word = any (v_words)
    and not exists (select 1 from private.quest_search q where q.document @@ k.word::tsquery);
end $$;
comment on function private.remove_left_words() is
  'Takes words that no published quest has any more out of the list of words, for the next twenty changes of quests. Publications wait '
  'until the transaction ends.';

create function private.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('remove_expired', 0))
    or not private.take_ceiling('remove_expired', 1, 1, '1 minute') then
    return;
  end if;
  -- Skips those of calls under way, which may lock several of a person's in another order.
  delete from private.rate_limits r where (r.subject, r.action) in (
    select x.subject, x.action from private.rate_limits x where x.expires_at < now() limit 10000 for update skip locked);
  delete from private.write_windows w where w.starts_at < now() - interval '2 days';
  delete from private.failed_rows f where f.failed_at < now() - interval '1 day';
  delete from private.csp_reports r where r.last_at < now() - interval '30 days';
  delete from private.mailing_list_confirmations c where c.requested_at < now() - interval '7 days';
  delete from public.mailing_list m where m.status = 'pending' and m.subscribed_at < now() - interval '7 days';
  delete from private.tested_endpoints e where e.tested_at < now() - interval '1 day';
  delete from private.verification_calls v where v.id in (
    select d.id from private.verification_calls d where d.created_at < now() - interval '30 days' order by d.id limit 10000);
  -- In small batches, so that it ends well before the statement timeout.
  delete from public.metrics_events e where e.id in (
    select d.id from public.metrics_events d where d.created_at < now() - interval '90 days' order by d.created_at limit 10000);
  delete from private.quest_views v using (
    select d.campaign_id, d.user_id from private.quest_views d where d.viewed_at < now() - interval '90 days'
    order by d.viewed_at limit 10000
  ) o where v.campaign_id = o.campaign_id and v.user_id = o.user_id;
  update public.outbox_events o set payload = o.payload - 'email', failed_at = null, processed_at = now()
  where o.type = 'EmailWithdrawn' and o.processed_at is null and o.failed_at < now() - interval '30 days';
  delete from public.outbox_events o where o.id in (
    select d.id from public.outbox_events d where d.processed_at < now() - interval '30 days' order by d.processed_at limit 10000);
  delete from public.notifications n where n.id in (
    select o.id from (select d.id, d.created_at from public.notifications d order by d.id limit 1000) o
    where o.created_at < now() - interval '180 days');
  delete from public.beta_feedback f where f.id in (
    select d.id from public.beta_feedback d where d.user_id is null and d.created_at < now() - interval '1 year'
    order by d.created_at limit 1000);
  delete from private.redemption_addresses a using public.redemptions r
  where r.id = a.redemption_id and r.fulfilled_at < now() - interval '90 days';
end $$;
comment on function private.remove_expired() is
  'The scheduled clean-up, called on every tick of the outbox worker, effective at most once a minute. Removes expired rate limit windows, '
  'unconfirmed addresses after 7 days, endpoint tests and failures of rows after a day, processed outbox events, projects'' calls and CSP '
  'reports after 30 days, withdrawn addresses that could not be mailed to their project after 30 days, usage events and first views of '
  'quests after 90 days, notifications after 180, visitors'' feedback after a year, and postal addresses 90 days after fulfilment (C-93).';

-- ==============================================================================================================================
-- 55_member_quests.sql
-- ==============================================================================================================================

-- The quests that a member has started, and their state (BEY-21).

create function private.quest_states(p_user text) returns table (
  campaign_id uuid, state text, approved_count bigint, points_earned bigint, last_activity_at timestamptz
)
language sql stable set search_path = ''
as $$
  select s.campaign_id,
    case
      when count(*) filter (where s.status = 'approved') >= c.task_count then 'complete'
      when bool_or(s.status = 'rejected' and (s.appealed_at is null or s.kept_until is null)) then 'rejected'
      when bool_or(s.status <> 'approved') then 'waiting'
      else 'started' end,
    count(*) filter (where s.status = 'approved'),
    coalesce(sum(s.reward_points) filter (where s.status = 'approved'), 0),
    max(greatest(s.submitted_at, s.reviewed_at))
  from public.submissions s join public.campaigns c on c.id = s.campaign_id
  where s.user_id = p_user
  group by s.campaign_id, c.task_count
$$;
comment on function private.quest_states(text) is
  'The quests that a member has started: complete (every task approved), else rejected (a proof can be sent again), else waiting (for a '
  'decision, also on an appeal), else started.';

create function public.get_own_quest_states() returns table (campaign_id uuid, state text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  perform private.cache_for(0, false);
  return query select q.campaign_id, q.state from private.quest_states(v_user) q order by q.last_activity_at desc, q.campaign_id;
end $$;
comment on function public.get_own_quest_states() is
  'The state of each quest that the caller has started, latest first: complete, rejected, waiting or started (BEY-21). Separate from the '
  'public lists, which are the same for everybody. Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_own_quest_states() to authenticated, service_role;

create function private.own_submissions(p_user text, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object(
    'task_id', s.task_id, 'task_title', private.task_title_for_member(t), 'status', s.status, 'reward_points', s.reward_points,
    'proof_url', s.proof_url, 'proof_text', s.proof_text, 'submitted_at', s.submitted_at, 'reviewed_at', s.reviewed_at,
    'reviewed_by', s.reviewed_by, 'rejection_reason', s.rejection_reason, 'review_note', s.review_note, 'id', s.id,
    'review_due_at', s.review_due_at, 'kept_until', s.kept_until, 'appealed_at', s.appealed_at
  ) order by t.order_index, t.id)
  from public.submissions s join public.tasks t on t.id = s.task_id
  where s.user_id = p_user and s.campaign_id = p_campaign_id
$$;
comment on function private.own_submissions(text, uuid) is 'A member''s submissions to a quest with their decisions, in task order.';

create function public.list_my_quests(p_states text[] default null, p_limit integer default 20, p_cursor text default null) returns table (
  campaign_id uuid, title text, startup_id uuid, startup_name text, startup_logo_url text, state text, can_continue boolean,
  task_count integer, approved_count bigint, points_earned bigint, last_activity_at timestamptz, submissions jsonb, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('my_quests', p_cursor, array['timestamptz', 'uuid']);
begin
  if not coalesce(p_states, '{}') <@ array['started', 'waiting', 'rejected', 'complete'] then
    perform private.raise_error('INVALID_STATE', 'Unknown state', 400);
  end if;
  perform private.cache_for(0, false);
  return query
    select q.campaign_id, private.quest_title_for_member(c), s.id, s.name, s.logo_url, q.state,
      c.status = 'published' and coalesce(c.starts_at <= now(), true) and coalesce(c.ends_at > now(), true) and exists (
        select 1 from public.tasks t left join public.submissions x on x.task_id = t.id and x.user_id = v_user
        where t.campaign_id = c.id and coalesce(x.status, 'rejected') = 'rejected' and case
          when x.kept_until is not null and (x.appealed_at is not null or not x.is_slot_reopened) then x.appealed_at is null
          else t.approved_count + t.pending_count + t.kept_count < t.max_completions end),
      c.task_count, q.approved_count, q.points_earned, q.last_activity_at, private.own_submissions(v_user, q.campaign_id),
      private.encode_cursor('my_quests', jsonb_build_array(q.last_activity_at, q.campaign_id))
    from (
      select m.* from private.quest_states(v_user) m
      where (p_states is null or m.state = any (p_states))
        and (v_after is null or (m.last_activity_at, m.campaign_id) < (v_after[1]::timestamptz, v_after[2]::uuid))
      order by m.last_activity_at desc, m.campaign_id desc limit v_limit
    ) q
    join public.campaigns c on c.id = q.campaign_id
    join public.startup_profiles s on s.id = c.startup_id
    order by q.last_activity_at desc, q.campaign_id desc;
end $$;
comment on function public.list_my_quests(text[], integer, text) is
  'The quests that the caller has started, most recent activity first, with submissions and decisions (BEY-21). p_states: filter by states '
  'of get_own_quest_states, null for all. can_continue: the quest accepts a proof from the caller now. Next page: the cursor of the last '
  'row. Nullable: startup_logo_url. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_STATE, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_my_quests(text[], integer, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 55_suggested_quests.sql
-- ==============================================================================================================================

-- Suggested quests for a member, each with a reason (BEY-18).

create function private.quest_topics(p_user text) returns table (word text, quests bigint)
language sql stable set search_path = ''
as $$
  -- Words shared by the titles of several quests that the member did or saved; words that most titles contain are ignored.
  select w.word, count(distinct c.id)
  from (
    select s.campaign_id from public.submissions s where s.user_id = p_user and s.status = 'approved'
    union select q.campaign_id from public.saved_quests q where q.user_id = p_user
  ) d join public.campaigns c on c.id = d.campaign_id and c.status <> 'draft'
  cross join unnest(private.words_of(c.title)) w (word)
  where length(w.word) >= 4 and w.word <> 'quest' and to_tsvector('pg_catalog.english', w.word) <> ''::tsvector
  group by w.word having count(distinct c.id) >= 2
  order by 2 desc, 1 limit 8
$$;
comment on function private.quest_topics(text) is
  'A member''s topics: words in the titles of two or more of their approved or saved quests.';

create function public.list_suggested_quests(p_limit integer default 3) returns table (
  id uuid, startup_id uuid, startup_name text, startup_logo_url text, startup_verified boolean, title text, summary text,
  custom_reward_title text, reward_points integer, task_count integer, total_slots integer, open_slots integer, is_full boolean,
  published_at timestamptz, ends_at timestamptz, reason text, reason_subject text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 3, 12);
  v_topics text[] := array(select t.word from private.quest_topics(v_user) t order by t.quests desc, t.word);
  v_interests text[] := (select p.interests from public.user_profiles p where p.user_id = v_user);
  v_industries text[] := array(
    select s.industry from public.submissions x join public.campaigns c on c.id = x.campaign_id
    join public.startup_profiles s on s.id = c.startup_id
    where x.user_id = v_user and x.status = 'approved' group by s.industry having count(distinct c.id) >= 2);
begin
  perform private.cache_for(0, false);
  return query
    with latest as (
      -- Candidates: the latest open quests, limited to bound the work, and all saved ones.
      (
        select c.id from public.campaigns c
        where c.status = 'published' and not c.is_full and (c.starts_at is null or c.starts_at <= now())
          and (c.ends_at is null or c.ends_at > now())
        order by c.published_at desc, c.id desc limit 500
      )
      union select q.campaign_id from public.saved_quests q where q.user_id = v_user
    ), candidates as (
      select c.*, s.name as project, s.logo_url, s.status = 'verified' as is_verified, s.industry,
        (
          select t.word from unnest(v_topics) with ordinality t (word, n) where t.word = any (private.words_of(c.title))
          order by t.n limit 1
        ) as topic,
        exists (select 1 from public.saved_quests q where q.user_id = v_user and q.campaign_id = c.id) as is_saved,
        exists (select 1 from public.followed_projects f where f.user_id = v_user and f.startup_id = c.startup_id) as is_followed,
        -- A new project has no followers or history yet, so it gets a fixed share of the places.
        s.reviewed_at > now() - interval '30 days' as is_new
      from latest l join public.campaigns c on c.id = l.id join public.startup_profiles s on s.id = c.startup_id
      where c.status = 'published' and not c.is_full and s.owner_user_id <> v_user
        and (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now())
        and not exists (select 1 from public.submissions x where x.campaign_id = c.id and x.user_id = v_user)
    ), scored as (
      select c.*,
        case
          when c.is_saved then 'saved'
          when c.topic is not null then 'topic'
          when c.is_followed then 'followed'
          when c.industry = any (v_interests) then 'interest'
          when c.industry = any (v_industries) then 'industry'
          when c.is_new then 'new_project'
          else 'new' end as why,
        case when c.is_saved then 5 else 0 end + case when c.topic is not null then 4 else 0 end
          + case when c.is_followed then 3 else 0 end + case when c.industry = any (v_interests) then 3 else 0 end
          + case when c.industry = any (v_industries) then 2 else 0 end
          + 2 * exp(-extract(epoch from now() - c.published_at) / 86400 / 14)
          + c.open_slots::numeric / c.total_slots
          -- Each further quest of the same project scores lower, so that projects alternate.
          - least(row_number() over (partition by c.startup_id order by c.published_at desc, c.id desc) - 1, 10) * 0.1 as score
      from candidates c
    ), ranked as (
      select c.*, row_number() over (order by c.score desc, c.published_at desc, c.id desc) as place,
        case when c.is_new
          then -0.5 + 4 * row_number() over (partition by c.is_new order by c.score desc, c.published_at desc, c.id desc) end as share
      from scored c
    )
    select r.id, r.startup_id, r.project, r.logo_url, r.is_verified, r.title, r.summary, r.custom_reward_title, r.open_reward_points,
      r.task_count, r.total_slots, r.open_slots, r.is_full, r.published_at, r.ends_at, r.why,
      case r.why when 'topic' then r.topic when 'followed' then r.project when 'interest' then r.industry when 'industry' then r.industry
        when 'new_project' then r.project end
    from ranked r order by least(r.place, r.share), r.place limit v_limit;
end $$;
comment on function public.list_suggested_quests(integer) is
  'Suggestions for the caller (C-72, BEY-18): published quests with free slots that they have not started and do not own. Ranked by: '
  'saved, shares a topic with quests they did, project followed, industry among their interests, industry of two quests they did; then by '
  'age and free slots. Every fourth place goes to a project of the last 30 days, unless one has come earlier. reason: saved, topic, '
  'followed, interest, industry, new_project or new; reason_subject: the word, project or industry concerned. Columns otherwise as in '
  'list_published_quests. Nullable: startup_logo_url, custom_reward_title, ends_at, reason_subject. Errors: UNAUTHENTICATED, SUSPENDED, '
  'INVALID_LIMIT.';
grant execute on function public.list_suggested_quests(integer) to authenticated, service_role;

-- ==============================================================================================================================
-- 56_member_progress.sql
-- ==============================================================================================================================

-- Streaks and badges, as shown to members and on public profiles (BEY-08).

create function private.active_weeks(p_user_id text) returns table (week date, tasks integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select w.week, sum(w.tasks)::integer from (
      select m.week, m.tasks from private.member_weeks m where m.user_id = p_user_id
      union all
      select s.week, s.tasks from private.unsummed_weeks(p_user_id) s
    ) w group by w.week having sum(w.tasks) > 0;
end $$;
comment on function private.active_weeks(text) is
  'Weeks in which a member completed tasks, with their number, including entries that are not rolled up yet.';

create function private.streak_now(p_user_id text) returns private.streak
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_streak private.streak := private.count_streak(array(select w.week from private.active_weeks(p_user_id) w));
  v_missed integer := coalesce((private.week_of(now()) - v_streak.last_week) / 7 - 1, 0);
begin
  -- The current week cannot be missed yet.
  if v_missed > 1 or v_missed = 1 and not v_streak.has_freeze then
    v_streak.weeks := 0;
    v_streak.has_freeze := false;
  end if;
  return v_streak;
end $$;
comment on function private.streak_now(text) is 'A member''s current streak; 0 weeks once it is broken.';

create function public.get_own_streak() returns table (
  weeks integer, best_weeks integer, has_freeze boolean, is_active_this_week boolean, is_freeze_in_use boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_streak private.streak := private.streak_now(private.require_user());
  v_week date := private.week_of(now());
begin
  perform private.cache_for(0, false);
  return query select v_streak.weeks, v_streak.best_weeks, v_streak.has_freeze, coalesce(v_streak.last_week = v_week, false),
    coalesce(v_streak.weeks > 0 and v_streak.last_week = v_week - 14, false);
end $$;
comment on function public.get_own_streak() is
  'The caller''s streak in ISO weeks (UTC) with a completed task. is_freeze_in_use: last week was missed, and the freeze preserves the '
  'streak until the end of this week. Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_own_streak() to authenticated, service_role;

-- Public profiles -----------------------------------------------------------------------------------------------------

create table public.member_profiles (
  id uuid primary key default gen_random_uuid(),
  user_id text not null unique references public.user_profiles (user_id),
  handle text not null unique check (handle ~ '^[a-z0-9](-?[a-z0-9]){2,29}$'),
  is_public boolean not null default true,
  updated_at timestamptz not null default now()
);
comment on table public.member_profiles is
  'Handles of members who chose to have a public profile, /m/{handle} (BEY-08). Hiding it keeps the handle.';
create trigger member_profiles_touch before update on public.member_profiles
  for each row execute function private.touch_updated_at();

alter table public.member_profiles enable row level security;
create policy member_profiles_read on public.member_profiles for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy member_profiles_read on public.member_profiles is
  'The member and admins. Everybody else looks up one handle through get_member_profile, so that profiles cannot be listed.';
grant select on public.member_profiles to authenticated, service_role;

create function public.set_public_profile(p_handle text, p_is_public boolean default true) returns public.member_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_handle text := lower(private.clean(p_handle));
  v_profile public.member_profiles;
  v_is_allowed boolean := public.take_rate_limit('user:' || v_user, 'public_profile', 20, 86400);
begin
  -- Counted, but never refused: nobody has to stay public because they have changed it often, or their handle has become reserved.
  update public.member_profiles m set is_public = false
  where m.user_id = v_user and m.handle = v_handle and not p_is_public
  returning m.* into v_profile;
  if v_profile.user_id is not null then
    return v_profile;
  elsif not v_is_allowed then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  elsif v_handle is null or v_handle !~ '^[a-z0-9](-?[a-z0-9]){2,29}$' then
    perform private.raise_error('INVALID_HANDLE', 'Please use 3 to 30 letters, digits and single hyphens', 400);
  elsif private.is_reserved_name(replace(v_handle, '-', ' ')) and not private.is_admin() then
    perform private.raise_error('RESERVED_NAME', 'This name is reserved. Please choose another one.', 400);
  end if;
  begin
    insert into public.member_profiles (user_id, handle, is_public) values (v_user, v_handle, coalesce(p_is_public, true))
    on conflict (user_id) do update set handle = excluded.handle, is_public = excluded.is_public
    returning * into v_profile;
  exception when unique_violation then
    perform private.raise_error('HANDLE_TAKEN', 'Somebody else has this handle. Please choose another one.', 409);
  end;
  return v_profile;
end $$;
comment on function public.set_public_profile(text, boolean) is
  'The caller opts in to a public profile under a handle, changes the handle, or hides the profile, which has no limit. Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, RATE_LIMITED, INVALID_HANDLE, RESERVED_NAME, HANDLE_TAKEN.';
grant execute on function public.set_public_profile(text, boolean) to authenticated, service_role;

create function public.get_member_profile(p_handle text) returns table (
  handle text, display_name text, member_since date, lifetime_points bigint, tasks_done bigint, projects_helped bigint,
  streak_weeks integer, best_weeks integer, badges jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_profile record;
  v_streak private.streak;
begin
  perform private.cache_for(60, true);
  select m.handle, p.user_id, coalesce(p.display_name, p.username) as name, p.created_at into v_profile
  from public.member_profiles m join public.user_profiles p on p.user_id = m.user_id
  where m.handle = lower(private.clean(p_handle)) and m.is_public and p.suspended_at is null;
  if v_profile.user_id is null then
    return;
  end if;
  v_streak := private.streak_now(v_profile.user_id);
  return query
    select v_profile.handle, v_profile.name, date_trunc('month', v_profile.created_at at time zone 'UTC')::date,
      coalesce((select w.lifetime_points from public.wallets w where w.user_id = v_profile.user_id), 0),
      coalesce((select sum(w.tasks) from private.active_weeks(v_profile.user_id) w), 0)::bigint,
      (select count(distinct c.startup_id) from public.submissions s join public.campaigns c on c.id = s.campaign_id
        where s.user_id = v_profile.user_id and s.status = 'approved'),
      v_streak.weeks, v_streak.best_weeks,
      (select coalesce(jsonb_agg(jsonb_build_object('badge', b.badge, 'week', b.week) order by b.week, b.badge), '[]')
        from public.badges b where b.user_id = v_profile.user_id);
end $$;
comment on function public.get_member_profile(text) is
  'The public profile of a handle, counted from the ledger and the submissions; no row when there is none, it is hidden, or its member is '
  'suspended or deleted (BEY-08). Contains no quest, proof or address.';
grant execute on function public.get_member_profile(text) to anon, authenticated, service_role;

-- ==============================================================================================================================
-- 57_public_pages.sql
-- ==============================================================================================================================

-- Data for crawlers and first paint of public pages (BEY-17): document heads, link previews, the sitemap. The same for everybody, so shared
-- caches may keep the responses.

create function private.preview_version(p_inputs jsonb) returns text
language sql immutable set search_path = ''
as $$ select left(encode(sha256(convert_to(p_inputs::text, 'UTF8')), 'hex'), 32) $$;
comment on function private.preview_version(jsonb) is
  'Content hash that names a preview image. Its first input is the version of the drawing, so that increasing it invalidates all images.';

create function private.page_facts(p_kind text, p_key text) returns table (
  state text, key text, title text, summary text, project_id uuid, project_name text, logo_url text, reward_points integer,
  reward_title text, is_listed boolean, description text, task_count integer, max_participants integer, review_hours integer,
  open_quests integer, level integer, preview text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_id uuid := case when p_kind in ('quest', 'project') then private.to_uuid(p_key) end;
begin
  if p_kind = 'quest' then
    return query
      select 'shown', c.id::text, c.title, c.summary, c.startup_id, s.name, s.logo_url, c.open_reward_points, c.custom_reward_title,
        (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now()), c.details_md, c.task_count,
        (select max(t.max_completions) from public.tasks t where t.campaign_id = c.id), private.promised_hours(c.id, c.review_hours),
        null::integer, null::integer,
        private.preview_version(
          jsonb_build_array(1, 'quest', c.title, s.name, s.logo_url, c.open_reward_points, c.custom_reward_title))
      from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
      where c.id = v_id and c.status = 'published';
  elsif p_kind = 'project' then
    return query
      select 'shown', s.id::text, s.name, s.description, s.id, s.name, s.logo_url, null::integer, null::text, true, s.description,
        null::integer, null::integer, null::integer, q.open_quests, null::integer,
        private.preview_version(jsonb_build_array(1, 'project', s.name, s.logo_url, q.open_quests))
      from public.startup_profiles s cross join lateral (
        select count(*)::integer as open_quests from public.campaigns c
        where c.startup_id = s.id and c.status = 'published' and not c.is_full
          and (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now())) q
      where s.id = v_id and s.is_public;
  elsif p_kind = 'member' then
    return query
      select 'shown', m.handle, n.name, null::text, null::uuid, null::text, null::text, null::integer, null::text, true, null::text,
        null::integer, null::integer, null::integer, null::integer, l.level,
        private.preview_version(jsonb_build_array(1, 'member', n.name, l.level))
      from public.member_profiles m join public.user_profiles p on p.user_id = m.user_id
        cross join lateral (select coalesce(p.display_name, p.username) as name) n
        cross join lateral (
          select (coalesce(max(w.lifetime_points), 0) / 1000 + 1)::integer as level
          from public.wallets w where w.user_id = m.user_id) l
      where m.handle = lower(private.clean(p_key)) and m.is_public and p.suspended_at is null;
  elsif p_kind = 'invitation' then
    -- The same for every inviter and for unknown codes, so that codes cannot be probed (C-47).
    return query
      select 'shown', null::text, null::text, null::text, null::uuid, null::text, null::text, i.points, null::text, false, null::text,
        null::integer, null::integer, null::integer, null::integer, null::integer,
        private.preview_version(jsonb_build_array(1, 'invitation', i.points))
      from (select (private.settings()).referred_points as points) i;
  end if;
  if coalesce(p_kind, '') not in ('quest', 'project', 'member', 'invitation') or not found then
    return query
      select case when p_kind = 'quest' and private.was_public(v_id) then 'gone' else 'missing' end, null::text, null::text, null::text,
        null::uuid, null::text, null::text, null::integer, null::text, false, null::text, null::integer, null::integer, null::integer,
        null::integer, null::integer, null::text;
  end if;
end $$;
comment on function private.page_facts(text, text) is
  'Public facts on a quest, project, member or invitation: exactly one row, as returned by get_page_facts.';

create function public.get_page_facts(p_kind text, p_key text default null) returns table (
  state text, key text, title text, summary text, project_id uuid, project_name text, logo_url text, reward_points integer,
  reward_title text, is_listed boolean, description text, task_count integer, max_participants integer, review_hours integer,
  open_quests integer, level integer, preview text
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.cache_for(60, true);
  return query select * from private.page_facts(p_kind, p_key);
end $$;
comment on function public.get_page_facts(text, text) is
  'Data for the head and first paint of a public page of a quest or project (by id), a member (by handle) or an invitation: exactly one '
  'row. State shown, gone (a quest that was public and has been deleted, closed or put on hold) or missing, also for anything that a '
  'visitor may not see. reward_points: what one member can still earn (C-70), or the bonus of an invited member. is_listed: whether search '
  'engines may index it. description: Markdown of a quest, plain text of a project. review_hours: null where a proof is approved at once. '
  'level: as in REWARD-02. preview: file name of the link preview image, which changes with its content. Nullable: key, title, summary, '
  'project_id, project_name, logo_url, reward_points, reward_title, description, task_count, max_participants, review_hours, open_quests, '
  'level, preview.';
grant execute on function public.get_page_facts(text, text) to anon, authenticated, service_role;

create function public.count_public_pages() returns table (quests bigint, projects bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.cache_for(300, true);
  return query select
    (select count(*) from public.campaigns c where c.status = 'published'),
    (select count(*) from public.startup_profiles s where s.is_public);
end $$;
comment on function public.count_public_pages() is
  'Upper bound of quests and projects in the sitemap, from which its index computes the files (BEY-17).';
grant execute on function public.count_public_pages() to anon, authenticated, service_role;

create function public.list_public_pages(p_kind text, p_page integer default 1, p_size integer default 50000) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_size integer := private.validate_limit(p_size, 50000, 50000);
  v_offset bigint := (greatest(coalesce(p_page, 1), 1) - 1)::bigint * v_size;
begin
  perform private.cache_for(300, true);
  return case p_kind
    when 'quests' then (
      select coalesce(jsonb_agg(jsonb_build_array(q.id, (q.updated_at at time zone 'UTC')::date)), '[]') from (
        select c.id, c.updated_at from public.campaigns c
        where c.status = 'published' and (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now())
        order by c.created_at, c.id offset v_offset limit v_size
      ) q)
    when 'projects' then (
      select coalesce(jsonb_agg(jsonb_build_array(p.id, (p.updated_at at time zone 'UTC')::date)), '[]') from (
        select s.id, s.updated_at from public.startup_profiles s where s.is_public
        order by s.created_at, s.id offset v_offset limit v_size
      ) p)
    else '[]'
  end;
end $$;
comment on function public.list_public_pages(text, integer, integer) is
  'One file of the sitemap: up to 50,000 pairs of id and UTC day of the last change of public quests or projects (BEY-17). A single JSON '
  'value, because the API returns at most 1,000 rows. Members'' profiles are not listed (BEY-08). Errors: INVALID_LIMIT.';
grant execute on function public.list_public_pages(text, integer, integer) to anon, authenticated, service_role;

-- ==============================================================================================================================
-- 58_orphaned_files.sql
-- ==============================================================================================================================

-- Clean-up of orphaned files (TRUST-26).

create function private.is_referenced(p_bucket text, p_path text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case p_bucket
    when 'proofs' then private.is_proof_referenced(p_path)
    when 'project-logos' then private.is_logo_shown(p_path)
    when 'reward-images' then exists (
      select 1 from public.rewards r where right(r.image_url, length(p_path) + 15) = '/reward-images/' || p_path)
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

-- ==============================================================================================================================
-- 60_reconciliation.sql
-- ==============================================================================================================================

-- Reconciliation: recomputes every maintained figure from its source (TRUST-01, TRUST-11).

create type private.ledger_problem as (problem text, subject_type text, subject_id text, expected bigint, actual bigint);
comment on type private.ledger_problem is 'A figure that differs from its recount.';

create function private.transfer_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select 'transfer_unbalanced', 'transfer', coalesce(t.id, e.transfer_id)::text, 2::bigint, count(e.id)
  from public.transfers t full join public.entries e on e.transfer_id = t.id
  group by coalesce(t.id, e.transfer_id)
  having count(e.id) <> 2 or count(t.id) = 0
$$;
comment on function private.transfer_problems() is
  'Transfers that do not have their two entries, and entries without a transfer. Constraints of the tables ensure that the two are a debit '
  'and a credit of the same points.';

create function private.wallet_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with recount as (
    select t.wallet_id,
      sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points,
      coalesce(sum(t.points)
        filter (where t.type = 'credit' and t.kind not in ('refund', 'release', 'reversal')), 0)::bigint
        - coalesce(sum(t.points)
          filter (where t.type = 'debit' and t.kind in ('reversal', 'purchase_reversal')), 0)::bigint as lifetime_points,
      coalesce(sum(case t.type when 'credit' then t.trial_points else -t.trial_points end), 0)::bigint as trial_points,
      coalesce(sum(t.points)
        filter (where t.type = 'credit' and t.kind in ('task_completion', 'referral_bonus', 'welcome_bonus')), 0)::bigint
        - coalesce(sum(t.points) filter (where t.type = 'debit' and t.kind = 'reversal'), 0)::bigint as leaderboard_points
    from public.transactions t where t.wallet_id is not null group by t.wallet_id
  ), held as (
    select h.wallet_id, sum(h.points)::bigint as points from public.point_holds h
    where h.released_at is null and h.reversed_at is null group by h.wallet_id
  )
  select f.problem, 'wallet', w.id::text, f.expected, f.actual
  from public.wallets w
  left join recount r on r.wallet_id = w.id
  left join held h on h.wallet_id = w.id
  cross join lateral (values
    ('wallet_points', coalesce(r.points, 0), w.points),
    ('wallet_held_points', coalesce(h.points, 0), w.held_points),
    ('wallet_trial_points', case w.kind when 'user' then 0 else coalesce(r.trial_points, 0) end, w.trial_points),
    ('wallet_lifetime_points', coalesce(r.lifetime_points, 0), w.lifetime_points),
    ('wallet_leaderboard_points', case w.kind when 'user' then greatest(coalesce(r.leaderboard_points, 0), 0) else 0 end,
      w.leaderboard_points)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.wallet_problems() is
  'Wallets whose balance, lifetime, leaderboard or trial points differ from the sum of their entries, or held points from their holds.';

create function private.balance_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select 'entry_balance', 'entry', e.id::text, e.expected, e.balance_after
  from (
    select t.id, t.balance_after, coalesce(lag(t.balance_after) over (partition by t.wallet_id order by t.id), 0)
      + case t.type when 'credit' then t.points else -t.points end as expected
    from public.transactions t where t.wallet_id is not null
  ) e
  where e.expected is distinct from e.balance_after
  union all
  select 'hold_points', 'transfer', h.id::text, coalesce(t.points, 0), h.points
  from public.point_holds h
  left join public.transactions t on t.id = h.id * 2 and t.wallet_id = h.wallet_id and t.user_id = h.user_id
  where h.points > coalesce(t.points, 0)
$$;
comment on function private.balance_problems() is
  'Entries whose balance does not follow from the entry before, and holds of more points than their transfer has credited to their member.';

create function private.task_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with recount as (
    select s.task_id, count(*) filter (where s.status = 'approved') as approved, count(*) filter (where s.status = 'pending') as pending,
      coalesce(sum(s.reward_points) filter (where s.status = 'pending'), 0) as pending_points,
      count(s.kept_until) filter (where not s.is_slot_reopened) as kept,
      coalesce(sum(s.reward_points) filter (where s.kept_until is not null), 0) as kept_points
    from public.submissions s group by s.task_id
  )
  select f.problem, 'task', t.id::text, f.expected, f.actual
  from public.tasks t
  left join recount r on r.task_id = t.id
  cross join lateral (values
    ('task_approved_count', coalesce(r.approved, 0), t.approved_count::bigint),
    ('task_pending_count', coalesce(r.pending, 0), t.pending_count::bigint),
    ('task_pending_points', coalesce(r.pending_points, 0), t.pending_points::bigint),
    ('task_kept_count', coalesce(r.kept, 0), t.kept_count::bigint),
    ('task_kept_points', coalesce(r.kept_points, 0), t.kept_points::bigint)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.task_problems() is 'Tasks whose counters differ from their submissions.';

create function private.campaign_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with submissions as (
    select s.campaign_id, count(*) as total, count(distinct s.user_id) as participants,
      count(*) filter (where s.status = 'approved') as approved, count(*) filter (where s.status = 'pending') as pending,
      count(s.kept_until) filter (where not s.is_slot_reopened) as kept
    from public.submissions s group by s.campaign_id
  ), tasks as (
    select t.campaign_id, count(*) as tasks, sum(t.max_completions) as slots,
      sum(t.reward_points) filter (where t.approved_count + t.pending_count + t.kept_count < t.max_completions) as open_rewards
    from public.tasks t group by t.campaign_id
  ), paid as (
    select t.campaign_id, sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points
    from public.transactions t
    where t.user_id is not null and t.kind in ('task_completion', 'reversal') and t.campaign_id is not null group by t.campaign_id
  )
  select f.problem, 'campaign', c.id::text, f.expected, f.actual
  from public.campaigns c
  left join submissions s on s.campaign_id = c.id
  left join tasks t on t.campaign_id = c.id
  left join paid p on p.campaign_id = c.id
  cross join lateral (values
    ('campaign_submission_count', coalesce(s.total, 0), c.submission_count::bigint),
    ('campaign_participant_count', coalesce(s.participants, 0), c.participant_count::bigint),
    ('campaign_approved_count', coalesce(s.approved, 0), c.approved_count::bigint),
    ('campaign_pending_count', coalesce(s.pending, 0), c.pending_count::bigint),
    ('campaign_kept_count', coalesce(s.kept, 0), c.kept_count::bigint),
    ('campaign_points_distributed', coalesce(p.points, 0), c.points_distributed),
    ('campaign_task_count', coalesce(t.tasks, 0), c.task_count::bigint),
    ('campaign_open_reward_points', coalesce(t.open_rewards, 0), c.open_reward_points::bigint),
    ('campaign_total_slots', coalesce(t.slots, 0), c.total_slots::bigint)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.campaign_problems() is 'Quests whose counters differ from their tasks, submissions and payments.';

create function private.reserve_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with promised as (
    select t.campaign_id, sum(t.pending_points + t.kept_points)::bigint as points,
      sum(t.reward_points::bigint * (t.max_completions - t.approved_count - t.pending_count - t.kept_count))::bigint as open_points
    from public.tasks t group by t.campaign_id
  ), quests as (
    select c.id, c.startup_id, p.points as promised, coalesce(r.points, 0) as reserved,
      greatest(p.points - coalesce(r.points, 0), 0) as missing
    from promised p join public.campaigns c on c.id = p.campaign_id left join public.wallets r on r.campaign_id = c.id
  ), covered as (
    -- A free balance pays once, however many quests count on it.
    select q.*, greatest(
      coalesce(f.points, 0) - (sum(q.missing) over (partition by q.startup_id order by q.id) - q.missing), 0)::bigint as free
    from quests q left join public.wallets f on f.startup_id = q.startup_id
  )
  select 'promise_uncovered', 'campaign', c.id::text, c.promised, c.reserved + c.free from covered c where c.missing > c.free
  union all
  select 'reserve_surplus', 'campaign', w.campaign_id::text, f.required, w.points
  from public.wallets w
  left join public.campaigns c on c.id = w.campaign_id
  left join promised p on p.campaign_id = c.id
  cross join lateral (
    select coalesce(p.points + case when c.status = 'closed' or c.published_at is null then 0 else p.open_points end, 0) as required
  ) f
  where w.kind = 'reserve' and w.points > f.required
$$;
comment on function private.reserve_problems() is
  'Quests that can pay what they promise to pending submissions, and keep for rejected ones that may be appealed, neither from the reserve '
  'nor from what other quests leave of the project''s free balance (TRUST-04, C-07, BEY-23). A reserve too small for free slots is not a '
  'problem: that happens when a slot with a raised reward is given back while the wallet is empty, and submissions to it stay pending '
  'until there are points. And reserves with points that the quest, or a quest that is gone, does not need: they belong to the project.';

create function private.payment_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with paid as (
    select t.submission_id, sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points
    from public.transactions t
    where t.user_id is not null and t.kind in ('task_completion', 'reversal') and t.submission_id is not null group by t.submission_id
  )
  select 'submission_payment', 'submission', s.id::text, f.expected, coalesce(p.points, 0)
  from public.submissions s
  left join paid p on p.submission_id = s.id
  cross join lateral (select case s.status when 'approved' then s.reward_points else 0 end::bigint as expected) f
  where f.expected <> coalesce(p.points, 0)
  union all
  select f.problem, 'referral_code', c.user_id, f.expected, f.actual
  from public.referral_codes c
  left join (
    select r.referrer_user_id, count(*) as referrals, sum(r.referrer_reward_points) as points
    from public.referrals r where r.status = 'completed' group by r.referrer_user_id
  ) r on r.referrer_user_id = c.user_id
  cross join lateral (values
    ('code_successful_referrals', coalesce(r.referrals, 0), c.successful_referrals::bigint),
    ('code_total_rewards_earned', coalesce(r.points, 0), c.total_rewards_earned::bigint)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
  union all
  select 'referral_payment', 'referral', coalesce(r.id, p.referral_id)::text, coalesce(r.points, 0), coalesce(p.points, 0)
  from (
    select x.id, m.user_id, m.points::bigint from public.referrals x cross join lateral (values
      (x.referrer_user_id, x.referrer_reward_points), (x.referred_user_id, x.referred_reward_points)) m (user_id, points)
  ) r
  full join (
    select t.referral_id, t.user_id, sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points
    from public.transactions t where t.user_id is not null and t.referral_id is not null group by 1, 2
  ) p on p.referral_id = r.id and p.user_id = r.user_id
  where coalesce(r.points, 0) <> coalesce(p.points, 0)
$$;
comment on function private.payment_problems() is
  'Submissions that were not paid exactly once when approved, and not at all otherwise; referral codes whose counters differ; referrals of '
  'which a side did not get its bonus once.';

create function private.redemption_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with paid as (
    select t.redemption_id, t.user_id, sum(case t.type when 'debit' then t.points else -t.points end)::bigint as points
    from public.transactions t where t.user_id is not null and t.redemption_id is not null group by 1, 2
  )
  select 'redemption_payment', 'redemption', coalesce(r.id, p.redemption_id)::text, f.expected, coalesce(p.points, 0)
  from public.redemptions r full join paid p on p.redemption_id = r.id and p.user_id = r.user_id
  cross join lateral (select case when r.status <> 'cancelled' then r.points_cost else 0 end::bigint as expected) f
  where f.expected <> coalesce(p.points, 0)
  union all
  select 'reward_stock', 'reward', r.id::text, count(c.id), r.stock_quantity::bigint
  from public.rewards r left join private.reward_codes c on c.reward_id = r.id and c.redemption_id is null
  where r.delivery = 'code' group by r.id having count(c.id) <> r.stock_quantity
$$;
comment on function private.redemption_problems() is
  'Redemptions that were not paid exactly once, or paid although cancelled, and code rewards whose stock is not their number of codes '
  '(TRUST-10, C-93).';

create function private.purchase_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with moved as (
    select coalesce(t.metadata ->> 'purchase_id', 'transfer ' || t.id) as id,
      sum(case t.kind when 'purchase' then t.points else -t.points end)::bigint as points
    from public.transfers t
    where t.kind in ('purchase', 'purchase_reversal') group by 1
  )
  select 'purchase_credited', 'point_purchase', coalesce(p.id::text, m.id), coalesce(p.credited_points, 0)::bigint, coalesce(m.points, 0)
  from public.point_purchases p full join moved m on m.id = p.id::text
  where coalesce(p.credited_points, 0) <> coalesce(m.points, 0)
$$;
comment on function private.purchase_problems() is
  'Purchases whose points are not in the ledger exactly once, less those taken back, and bought points without a purchase (BEY-20).';

create function private.recompute_counters() returns table (name text, count bigint)
language sql stable security definer set search_path = ''
as $$
  select 'members', count(*) from public.user_profiles
  union all select 'collected_emails', count(*) from public.campaign_email_collections
  union all select 'verified_startups', count(*) from public.startup_profiles s where s.is_public
  union all select 'industry:' || s.industry, count(*) from public.startup_profiles s group by s.industry
  union all select 'published_campaigns', count(*) from public.campaigns c where c.status = 'published'
  union all select 'open_campaigns', count(*) from public.campaigns c where c.status = 'published' and not c.is_full
  union all select 'submissions', sum(c.submission_count) from public.campaigns c
  union all select 'approved_submissions', sum(c.approved_count) from public.campaigns c
  union all select 'active_budgets', sum(c.budget_points) from public.campaigns c where c.approved_count > 0
  union all select 'codes', count(*) from public.referral_codes
  union all select 'active_codes', count(*) from public.referral_codes c where c.is_active
  union all select 'code_clicks', sum(c.clicks) from public.referral_codes c
  union all select 'code_referrals', sum(c.successful_referrals) from public.referral_codes c
  union all select 'referrals', count(*) from public.referrals
  union all select 'pending_referrals', count(*) from public.referrals r where r.status = 'pending'
  union all select 'referral_points', sum(r.referrer_reward_points + r.referred_reward_points) from public.referrals r
    where r.status = 'completed'
  union all select 'subscribers:' || m.source, count(*) from public.mailing_list m where m.is_active group by m.source
  union all select 'campaign_subscribers', count(*) from public.mailing_list m
    where m.is_active and (m.campaign_id is not null or m.source = 'campaign')
  union all select 'feedback:' || f.type, count(*) from public.beta_feedback f group by f.type
  union all select 'feedback_ratings', count(f.rating) from public.beta_feedback f
  union all select 'feedback_stars', sum(f.rating) from public.beta_feedback f
$$;
comment on function private.recompute_counters() is 'The expected result of private.counters(), counted from the tables.';

create function private.counter_mismatches() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select 'count', 'count', name, coalesce(r.count, 0), coalesce(k.count::bigint, 0)
  from private.recompute_counters() r full join jsonb_each_text(private.counters()) k (name, count) using (name)
  where coalesce(r.count, 0) <> coalesce(k.count::bigint, 0)
  union all
  select 'ledger_day', 'day', concat_ws(' ', day, account, kind, type), coalesce(r.points, 0), coalesce(d.points, 0)
  from private.sum_ledger(0, (select u.last_id from private.ledger_daily_watermark u)) r
  full join private.ledger_daily d using (day, account, kind, type)
  where (r.points, r.entries) is distinct from (d.points, d.entries)
  union all
  select 'member_week', 'member', concat_ws(' ', user_id, week), coalesce(r.points, 0), coalesce(m.points, 0)
  from private.sum_member_weeks(0, (select u.last_id from private.ledger_daily_watermark u)) r
  full join private.member_weeks m using (user_id, week)
  where (r.points, r.tasks) is distinct from (m.points, m.tasks)
  union all
  select 'badge', 'member', concat_ws(' ', user_id, badge), count(c.week), count(b.week)
  from private.count_badges(array(select distinct m.user_id from private.member_weeks m)) c
  full join public.badges b using (user_id, badge)
  where c.week is distinct from b.week
  group by user_id, badge
$$;
comment on function private.counter_mismatches() is 'Counters, sums of days and of members'' weeks, and badges that differ from a recount.';

create function private.record_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select f.problem, 'wallet', r.wallet_id::text, f.expected, f.actual
  from private.review_records r cross join lateral private.count_review_record(r.wallet_id, r.counted_at) c
  cross join lateral (values
    ('record_decided', c.decided::bigint, r.decided::bigint), ('record_accepted', c.accepted, r.accepted),
    ('record_in_time', c.in_time, r.in_time), ('record_overturned', c.overturned, r.overturned),
    ('record_median_seconds', coalesce(c.median_seconds, -1), coalesce(r.median_seconds, -1))
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.record_problems() is
  'Projects whose public record differs from a recount of the submission history at that time (BEY-05).';

create function private.verification_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with found as (
    select h.submission_id, h.submitted_at, h.actor_id, count(*) as events from public.submission_history h
    where h.action = 'approved' and h.actor_id in ('code', 'call', 'check')
      and exists (select 1 from public.submissions s where s.id = h.submission_id)
      and not exists (
        select 1 from public.submission_history r where r.submission_id = h.submission_id and r.action = 'reversed' and r.id > h.id)
    group by 1, 2, 3
  ), approved as (
    select s.id, s.submitted_at, s.reviewed_by from public.submissions s
    where s.status = 'approved' and s.reviewed_by in ('code', 'call', 'check')
  )
  select 'verification_event', 'submission', coalesce(a.id, f.submission_id)::text, num_nonnulls(a.id)::bigint, coalesce(f.events, 0)
  from approved a
  full join found f on f.submission_id = a.id and f.submitted_at = a.submitted_at and f.actor_id = a.reviewed_by
  where num_nonnulls(a.id) <> coalesce(f.events, 0)
  union all
  -- Exchanges with a project's system are kept for 30 days.
  select 'verification_call', 'submission', coalesce(s.id::text, c.token), num_nonnulls(s.id)::bigint, coalesce(c.calls, 0)
  from (
    select h.submission_id as id, k.token from public.submission_history h
    join public.submissions s on s.id = h.submission_id
    join private.task_tokens k on k.task_id = s.task_id and k.user_id = s.user_id
    where h.action = 'approved' and h.actor_id in ('call', 'check') and h.created_at > now() - interval '29 days'
  ) s
  full join (
    select v.token, count(*) as calls from private.verification_calls v join private.task_tokens k on k.token = v.token
    where v.code = 'COMPLETED' and v.created_at > now() - interval '29 days' group by 1
  ) c using (token)
  where num_nonnulls(s.id) <> coalesce(c.calls, 0)
  union all
  select 'verification_code', 'submission', c.submission_id::text, 1, count(h.id)
  from private.completion_codes c
  left join public.submission_history h on h.submission_id = c.submission_id and h.action = 'approved' and h.actor_id = 'code'
  -- A code that was entered after a reversal, or when the project had too few points, waits for a person's decision.
  where c.used_at is not null and exists (
    select 1 from public.submissions s where s.id = c.submission_id and s.status = 'approved' and s.reviewed_by = 'code')
  group by c.id, c.submission_id having count(h.id) <> 1
$$;
comment on function private.verification_problems() is
  'Completions by code, call or check without exactly one record of each kind, and records without a completion: the decision in the '
  'history, the answered call or check, the used code (BEY-13).';

create function public.reconcile_ledger() returns table (problem text, subject_type text, subject_id text, expected bigint, actual bigint)
language plpgsql stable security definer set search_path = '' set statement_timeout = '55s'
as $$
begin
  perform private.require_admin_or_server();
  -- One statement, one snapshot: concurrent transfers are seen completely or not at all.
  return query
    select q.problem, q.subject_type, q.subject_id, q.expected, q.actual from (
      select p.*, row_number() over (partition by p.problem order by p.subject_id) as place
      from (
        select * from private.transfer_problems() union all select * from private.wallet_problems()
        union all select * from private.balance_problems() union all select * from private.redemption_problems()
        union all select * from private.task_problems() union all select * from private.campaign_problems()
        union all select * from private.reserve_problems() union all select * from private.payment_problems()
        union all select * from private.purchase_problems() union all select * from private.record_problems()
        union all select * from private.verification_problems() union all select * from private.counter_mismatches()
      ) p
    ) q
    where q.place <= 50 order by 1, 3;
end $$;
comment on function public.reconcile_ledger() is
  'Every maintained figure that differs from its recount, none when the books balance; at most 50 of a kind (TRUST-01, TRUST-11). Scans '
  'whole tables: for admins and jobs, not for screens that poll. Fails before the platform ends the call, after 60 s. '
  'Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.reconcile_ledger() to authenticated, service_role;

-- ==============================================================================================================================
-- 61_admin_lists.sql
-- ==============================================================================================================================

-- The admin's lists: projects, people, quests, submissions, redemptions, feedback, subscribers. For admins only, through procedures, paged,
-- newest or oldest first, every condition backed by an index.

create type private.list_page as (size integer, pattern text, at timestamptz, id uuid);
comment on type private.list_page is
  'A request for one page of a list: page size, search pattern (null: everything), and the sort key of the row after which it starts (id '
  'null: the first page).';

create function private.admin_page(p_list text, p_search text, p_limit integer, p_cursor text) returns private.list_page
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_after text[];
begin
  perform private.require_admin();
  v_after := private.decode_cursor(p_list, p_cursor, array['timestamptz', 'uuid']);
  return row(private.validate_limit(p_limit, 20), private.search_pattern(p_search), v_after[1]::timestamptz, v_after[2]::uuid);
end $$;
comment on function private.admin_page(text, text, integer, text) is
  'Checks that the caller is an admin, and validates the page request. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_LIMIT, '
  'INVALID_CURSOR, SEARCH_TOO_LONG.';

create function private.find_user_ids(p_pattern text) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_members text[];
begin
  -- Dynamic SQL, so that it is planned for this pattern: a generic plan would scan all members by date.
  execute $sql$
    select array(
      select p.user_id from public.user_profiles p
      where (p.username || ' ' || coalesce(p.display_name, '') || ' ' || coalesce(p.email, '')) ilike $1
      order by p.created_at desc limit 200
    )
  $sql$ into v_members using p_pattern;
  return v_members;
end $$;
comment on function private.find_user_ids(text) is 'The 200 newest members whose username, display name or e-mail matches the pattern.';

create function private.decided_by(p_type text, p_id uuid, p_label text, p_startup_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select case p_label
    when 'questboard' then coalesce((
      select a.actor_id from public.audit_log a
      where a.subject_type = p_type and a.subject_id = p_id::text and a.action in (
        'submission.approve', 'submission.reject', 'submission.reverse', 'submission.overturn', 'redemption.fulfilled',
        'redemption.cancelled', 'startup.verified', 'startup.rejected', 'startup.revoke'
      ) order by a.id desc limit 1
    ), p_label)
    when 'project' then coalesce((select s.owner_user_id from public.startup_profiles s where s.id = p_startup_id), p_label)
    else p_label end
$$;
comment on function private.decided_by(text, uuid, text, uuid) is
  'For the admin lists: the user id behind "questboard" or "project" (C-102).';

create function public.admin_list_startups(
  p_search text default null, p_status text default null, p_limit integer default 20, p_cursor text default null,
  p_sort text default 'newest', p_startup_id uuid default null
) returns table (
  id uuid, owner_user_id text, owner_email text, name text, logo_url text, website text, description text, industry text,
  status public.startup_status, reviewed_by text, review_note text, reviewed_at timestamptz, created_at timestamptz,
  campaign_count bigint, has_subscription boolean, checked_at timestamptz, cursor text, suspended_at timestamptz, revoked_at timestamptz,
  changed_at timestamptz, changed_from jsonb, former_name text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('startups', p_search, p_limit, p_cursor);
  perform private.validate_status_filter(p_status, array['pending', 'verified', 'rejected', 'changed']);
  return query execute private.build_page_query(
    $sql$s.id, s.owner_user_id, s.owner_email, s.name, s.logo_url, s.website, s.description, s.industry, s.status,
      private.decided_by('startup', s.id, s.reviewed_by, s.id), s.review_note, s.reviewed_at, s.created_at,
      (select count(*) from public.campaigns c where c.startup_id = s.id), private.has_active_subscription(s.id), s.checked_at,
      private.encode_cursor('startups', jsonb_build_array(s.created_at, s.id)), s.suspended_at, s.revoked_at, s.changed_at, s.changed_from,
      s.former_name$sql$,
    'public.startup_profiles s',
    array[
      case when v_page.pattern is not null then $sql$(s.name || ' ' || coalesce(s.owner_email, '')) ilike $2$sql$ end,
      case when p_status = 'changed' then 's.changed_at is not null'
        when p_status is not null then 's.status = $5::public.startup_status' end,
      case when p_startup_id is not null then 's.id = $6' end
    ],
    's.created_at', 's.id', private.sort_direction(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, nullif(p_status, 'changed'), p_startup_id;
end $$;
comment on function public.admin_list_startups(text, text, integer, text, text, uuid) is
  'Projects with their owners'' addresses, newest or oldest first; search in name and address; status pending, verified, rejected, or '
  'changed: verified ones with a new name or website to check (ADMIN-03, C-96); p_startup_id: that project only. Next page: the cursor of '
  'the last row. Nullable: owner_email, logo_url, website, description, reviewed_by, review_note, reviewed_at, checked_at, suspended_at, '
  'revoked_at, changed_at, changed_from, former_name. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_SORT, '
  'INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_startups(text, text, integer, text, text, uuid) to authenticated, service_role;

create function public.admin_list_users(
  p_search text default null, p_limit integer default 20, p_cursor text default null, p_sort text default 'newest'
) returns table (
  id uuid, user_id text, username text, display_name text, email text, role public.user_role, og_badge boolean,
  points bigint, lifetime_points bigint, suspended_at timestamptz, suspension_reason text, created_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('users', p_search, p_limit, p_cursor);
  return query execute private.build_page_query(
    $sql$p.id, p.user_id, p.username, p.display_name, p.email, p.role, p.og_badge, coalesce(w.points, 0), coalesce(w.lifetime_points, 0),
      p.suspended_at, p.suspension_reason, p.created_at, private.encode_cursor('users', jsonb_build_array(p.created_at, p.id))$sql$,
    'public.user_profiles p left join public.wallets w on w.user_id = p.user_id',
    array[case when v_page.pattern is not null then
      $sql$(p.username || ' ' || coalesce(p.display_name, '') || ' ' || coalesce(p.email, '')) ilike $2$sql$ end],
    'p.created_at', 'p.id', private.sort_direction(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id;
end $$;
comment on function public.admin_list_users(text, integer, text, text) is
  'Members with address and balance, newest or oldest first; search in username, display name and address. Next page: the cursor of the '
  'last row. Nullable: display_name, email, suspended_at, suspension_reason. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_SORT, '
  'INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_users(text, integer, text, text) to authenticated, service_role;

create function public.admin_list_campaigns(
  p_search text default null, p_status text default null, p_limit integer default 20, p_cursor text default null,
  p_sort text default 'newest', p_startup_id uuid default null
) returns table (
  id uuid, title text, startup_id uuid, startup_name text, owner_user_id text, status public.campaign_status, hold_reason text,
  held_at timestamptz, budget_points integer, points_distributed bigint, total_slots integer, submission_count integer,
  pending_count integer, approved_count integer, created_at timestamptz, published_at timestamptz, cursor text,
  incentive_rules text[], hold_cause public.hold_cause
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
  v_id uuid := private.to_uuid(private.clean(p_search));
begin
  v_page := private.admin_page('admin_campaigns', p_search, p_limit, p_cursor);
  perform private.validate_status_filter(p_status, array['draft', 'published', 'closed', 'held', 'risky']);
  return query execute private.build_page_query(
    $sql$c.id, c.title, c.startup_id, s.name, s.owner_user_id, c.status, c.hold_reason, c.held_at, c.budget_points, c.points_distributed,
      c.total_slots, c.submission_count, c.pending_count, c.approved_count, c.created_at, c.published_at,
      private.encode_cursor('admin_campaigns', jsonb_build_array(c.created_at, c.id)),
      array(select r.place from private.incentive_rules r where r.is_forbidden and r.id in (
        select unnest(t.incentive_rules) from public.tasks t where t.campaign_id = c.id and t.incentive_rules <> '{}') order by r.id),
      c.hold_cause$sql$,
    'public.campaigns c join public.startup_profiles s on s.id = c.startup_id',
    array[
      case when v_id is not null then 'c.id = $7' when v_page.pattern is not null then 'c.title ilike $2' end,
      case p_status when 'held' then 'c.held_at is not null'
        when 'risky' then $sql$exists (select 1 from public.tasks t join private.incentive_rules r on r.id = any (t.incentive_rules)
          where t.campaign_id = c.id and t.incentive_rules <> '{}' and r.is_forbidden)$sql$
        when 'published' then $sql$c.status = 'published'$sql$
        else case when p_status is not null then 'c.status = $5::public.campaign_status' end end,
      case when p_startup_id is not null then 'c.startup_id = $6' end
    ],
    'c.created_at', 'c.id', private.sort_direction(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, case when p_status not in ('held', 'risky') then p_status end, p_startup_id,
    v_id;
end $$;
comment on function public.admin_list_campaigns(text, text, integer, text, text, uuid) is
  'Quests of every status with their project, by creation; search in titles, or for an id; status draft, published, closed, held, or '
  'risky: those that reward what a platform or the law forbids (ADMIN-04, C-25, BEY-15); incentive_rules: the rules they break; '
  'p_startup_id: quests of that project only. Next page: the cursor of the last row. Nullable: hold_reason, held_at, published_at, '
  'hold_cause. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_SORT, INVALID_LIMIT, INVALID_CURSOR, '
  'SEARCH_TOO_LONG.';
grant execute on function public.admin_list_campaigns(text, text, integer, text, text, uuid) to authenticated, service_role;

create function public.admin_list_submissions(
  p_search text default null, p_status text default null, p_limit integer default 20, p_cursor text default null,
  p_sort text default 'newest'
) returns table (
  id uuid, campaign_id uuid, campaign_title text, task_title text, user_id text, username text, participant_email text,
  proof_url text, proof_text text, status public.submission_status, reward_points integer, reviewed_by text, review_note text,
  submitted_at timestamptz, reviewed_at timestamptz, flags jsonb, cursor text, rejection_reason public.rejection_reason,
  review_due_at timestamptz, obstacle text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_members text[];
  v_page private.list_page;
begin
  v_page := private.admin_page('admin_submissions', p_search, p_limit, p_cursor);
  perform private.validate_status_filter(p_status, array['pending', 'overdue', 'approved', 'rejected', 'flagged']);
  if v_page.pattern is not null then
    v_members := private.find_user_ids(v_page.pattern);
  end if;
  return query execute private.build_page_query(
    $sql$s.id, s.campaign_id, c.title, t.title, s.user_id, p.username, s.participant_email, s.proof_url, s.proof_text, s.status,
      s.reward_points, private.decided_by('submission', s.id, s.reviewed_by, c.startup_id), s.review_note, s.submitted_at, s.reviewed_at,
      public.flags(s),
      private.encode_cursor('admin_submissions', jsonb_build_array(s.submitted_at, s.id)), s.rejection_reason,
      s.review_due_at, case when s.status = 'pending' and s.review_due_at <= now() then private.promise_obstacle(s) end$sql$,
    'public.submissions s join public.campaigns c on c.id = s.campaign_id join public.tasks t on t.id = s.task_id
      left join public.user_profiles p on p.user_id = s.user_id',
    array[
      case when v_members is not null then 's.user_id = any ($5)' end,
      -- Spelled out, so that the partial index matches.
      case p_status when 'pending' then $sql$s.status = 'pending'$sql$ when 'rejected' then $sql$s.status = 'rejected'$sql$
        when 'approved' then $sql$s.status = 'approved'$sql$
        when 'overdue' then $sql$s.status = 'pending' and s.review_due_at <= now()$sql$
        when 'flagged' then 's.id in (select f.submission_id from public.submission_flags f where f.dismissed_at is null)' end
    ],
    's.submitted_at', 's.id', private.sort_direction(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, v_members;
end $$;
comment on function public.admin_list_submissions(text, text, integer, text, text) is
  'Submissions of all quests with quest, task and member, by time of submission; search in the members'' names and addresses; status '
  'pending, overdue, approved, rejected or flagged (C-43, BEY-02). Overdue: nobody decided in time, and obstacle says why the server '
  'cannot approve it (private.promise_obstacle; BEY-22). Next page: the cursor of the last row. Nullable: username, participant_email, '
  'proof_url, proof_text, reviewed_by, review_note, reviewed_at, rejection_reason, review_due_at, obstacle. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_SORT, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_submissions(text, text, integer, text, text) to authenticated, service_role;

create function public.admin_list_redemptions(
  p_search text default null, p_status text default null, p_limit integer default 20, p_cursor text default null,
  p_delivery text default null
) returns table (
  id uuid, user_id text, username text, email text, reward_id uuid, reward_title text, points_cost integer,
  status public.redemption_status, note text, handled_by text, created_at timestamptz, fulfilled_at timestamptz,
  cancelled_at timestamptz, flagged_points bigint, cursor text, delivery public.reward_delivery, address jsonb, sources jsonb,
  is_code_shown boolean, is_suspended boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_members text[];
  v_page private.list_page := private.admin_page('admin_redemptions', p_search, p_limit, null);
  v_after text[] := private.decode_cursor('admin_redemptions', p_cursor, array['boolean', 'timestamptz', 'uuid']);
  v_was_pending boolean := v_after[1]::boolean;
  v_at timestamptz := v_after[2]::timestamptz;
  v_id uuid := v_after[3]::uuid;
  v_wanted uuid := private.to_uuid(private.clean(p_search));
begin
  perform private.validate_status_filter(p_status, array['pending', 'fulfilled', 'cancelled']);
  if p_delivery <> all (array['code', 'mail', 'post', 'other']) then
    perform private.raise_error('INVALID_DELIVERY', 'Please choose how the reward is delivered', 400);
  end if;
  v_members := case when v_wanted is not null then array(select r.user_id from public.redemptions r where r.id = v_wanted)
    when v_page.pattern is not null then private.find_user_ids(v_page.pattern) end;
  -- Two lists in sequence: the cursor starts with the one in which the last page ended.
  return query
    select r.id, r.user_id, p.username, p.email, r.reward_id, r.reward_title, r.points_cost, r.status, r.note,
      private.decided_by('redemption', r.id, r.handled_by, null),
      r.created_at, r.fulfilled_at, r.cancelled_at,
      coalesce((select sum(m.flagged_points) from private.redemption_marks m where m.redemption_id = r.id), 0)::bigint,
      private.encode_cursor('admin_redemptions', jsonb_build_array(r.status = 'pending', r.created_at, r.id)), r.delivery,
      (select to_jsonb(a) - 'redemption_id' from private.redemption_addresses a where a.redemption_id = r.id),
      -- Looked up for pending redemptions only.
      case when r.status = 'pending' then (select coalesce(jsonb_agg(s), '[]') from public.get_redemption_sources(r.id) s) end,
      r.delivery = 'code'
        and exists (select 1 from private.reward_codes c where c.redemption_id = r.id and c.shown_at is not null),
      p.suspended_at is not null
    from (
      (
        select w.*, 0 as part from public.redemptions w
        where w.status = 'pending' and coalesce(p_status, 'pending') = 'pending' and (v_members is null or w.user_id = any (v_members))
          and (p_delivery is null or w.delivery::text = p_delivery) and (v_wanted is null or w.id = v_wanted)
          and (v_after is null or v_was_pending and (w.created_at, w.id) > (v_at, v_id))
        order by w.created_at, w.id limit v_page.size
      )
      union all
      (
        select h.*, 1 from public.redemptions h
        where h.status <> 'pending' and coalesce(p_status, h.status::text) = h.status::text
          and (v_members is null or h.user_id = any (v_members)) and (p_delivery is null or h.delivery::text = p_delivery)
          and (v_wanted is null or h.id = v_wanted)
          and (v_after is null or v_was_pending or (h.created_at, h.id) < (v_at, v_id))
        order by h.created_at desc, h.id desc limit v_page.size
      )
    ) r left join public.user_profiles p on p.user_id = r.user_id
    order by r.part, case r.part when 0 then r.created_at end, case r.part when 0 then r.id end, r.created_at desc, r.id desc
    limit v_page.size;
end $$;
comment on function public.admin_list_redemptions(text, text, integer, text, text) is
  'Redemptions with their members: pending ones first, oldest on top, then handled ones, newest first (C-50). Search in names and '
  'addresses, or for an id. Next page: the cursor of the last row. flagged_points: points from flagged work; such redemptions are decided '
  'one by one (C-95). sources: for pending ones, the rows of get_redemption_sources (TRUST-17). address: postal address, while it is '
  'stored (C-93). Nullable: username, email, note, handled_by, fulfilled_at, cancelled_at, address, sources. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_DELIVERY, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_redemptions(text, text, integer, text, text) to authenticated, service_role;

create function public.admin_list_feedback(
  p_search text default null, p_status text default null, p_limit integer default 20, p_cursor text default null,
  p_sort text default 'newest', p_type text default null
) returns table (
  id uuid, user_id text, email text, type text, title text, description text, rating smallint, status text, priority text,
  admin_notes text, created_at timestamptz, updated_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('admin_feedback', p_search, p_limit, p_cursor);
  perform private.validate_status_filter(p_status, array['new', 'reviewed', 'resolved']);
  if p_type <> all (array['bug', 'feature', 'rating', 'general', 'other']) then
    perform private.raise_error('INVALID_FEEDBACK_TYPE', 'Unknown feedback type', 400);
  end if;
  return query execute private.build_page_query(
    $sql$f.id, f.user_id, f.email, f.type, f.title, f.description, f.rating, f.status, f.priority, f.admin_notes, f.created_at,
      f.updated_at, private.encode_cursor('admin_feedback', jsonb_build_array(f.created_at, f.id))$sql$,
    'public.beta_feedback f',
    array[
      case when v_page.pattern is not null then $sql$(f.title || ' ' || f.description || ' ' || coalesce(f.email, '')) ilike $2$sql$ end,
      case when p_status is not null then 'f.status = $5' end,
      case when p_type is not null then 'f.type = $6' end
    ],
    'f.created_at', 'f.id', private.sort_direction(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, p_status, p_type;
end $$;
comment on function public.admin_list_feedback(text, text, integer, text, text, text) is
  'Feedback on the product; search in title, text and address (ADMIN-05). Next page: the cursor of the last row. Nullable: user_id, '
  'email, rating, admin_notes. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_FEEDBACK_TYPE, INVALID_SORT, '
  'INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_feedback(text, text, integer, text, text, text) to authenticated, service_role;

create function public.admin_list_subscribers(
  p_search text default null, p_status text default null, p_limit integer default 20, p_cursor text default null,
  p_sort text default 'newest'
) returns table (
  id uuid, email text, source text, campaign_id uuid, user_id text, subscribed_at timestamptz, is_active boolean,
  unsubscribed_at timestamptz, cursor text, status text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('admin_subscribers', p_search, p_limit, p_cursor);
  perform private.validate_status_filter(p_status, array['active', 'pending', 'unsubscribed']);
  return query execute private.build_page_query(
    $sql$m.id, m.email, m.source, m.campaign_id, m.user_id, m.subscribed_at, m.is_active, m.unsubscribed_at,
      private.encode_cursor('admin_subscribers', jsonb_build_array(m.subscribed_at, m.id)), m.status$sql$,
    'public.mailing_list m',
    array[
      case when v_page.pattern is not null then 'm.email ilike $2' end,
      case when p_status is not null then format('m.status = %L', p_status) end
    ],
    'm.subscribed_at', 'm.id', private.sort_direction(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id;
end $$;
comment on function public.admin_list_subscribers(text, text, integer, text, text) is
  'The mailing list; search in addresses; status active, pending or unsubscribed (ADMIN-07). Next page: the cursor of the last row. '
  'Nullable: campaign_id, user_id, unsubscribed_at. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_SORT, '
  'INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_subscribers(text, text, integer, text, text) to authenticated, service_role;

create function public.admin_list_appeals(p_status text default null, p_limit integer default 20, p_cursor text default null)
returns table (
  id uuid, user_id text, username text, kind public.appeal_kind, startup_id uuid, startup_name text, against_at timestamptz,
  against_reason text, words text, status public.appeal_status, decision_note text, decided_by text, created_at timestamptz,
  decided_at timestamptz, cursor text, due_at timestamptz, submission_id uuid, campaign_id uuid, campaign_title text, task_title text,
  reward_points integer, proof_url text, proof_text text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('appeals', null, p_limit, p_cursor);
  perform private.validate_status_filter(p_status, array['open', 'upheld', 'overturned']);
  return query execute private.build_page_query(
    $sql$a.id, a.user_id, p.username, a.kind, a.startup_id, s.name, a.against_at, a.against_reason, a.words, a.status, a.decision_note,
      a.decided_by, a.created_at, a.decided_at, private.encode_cursor('appeals', jsonb_build_array(a.created_at, a.id)), a.due_at,
      a.submission_id, c.id, c.title, t.title, x.reward_points, x.proof_url, x.proof_text$sql$,
    $sql$public.appeals a left join public.user_profiles p on p.user_id = a.user_id
      left join public.startup_profiles s on s.id = a.startup_id left join public.submissions x on x.id = a.submission_id
      left join public.tasks t on t.id = x.task_id left join public.campaigns c on c.id = x.campaign_id$sql$,
    array[case when p_status is not null then 'a.status = $5::public.appeal_status' end],
    'a.created_at', 'a.id', private.sort_direction(case p_status when 'open' then 'oldest' else 'newest' end), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, p_status;
end $$;
comment on function public.admin_list_appeals(text, integer, text) is
  'Appeals, newest first, or open ones by due time (BEY-04, BEY-23); with quest and proof for a rejection. Next page: the cursor of the '
  'last row. Nullable: username, startup_id, startup_name, against_reason, decision_note, decided_by, decided_at, submission_id, '
  'campaign_id, campaign_title, task_title, reward_points, proof_url, proof_text. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'INVALID_STATUS, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.admin_list_appeals(text, integer, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 62_admin_payments.sql
-- ==============================================================================================================================

-- Refunded or disputed payments whose points were already spent: the shortfall, and the admin's decision on it.

create function public.admin_list_returned_payments(p_state text default null, p_limit integer default 20, p_cursor text default null)
returns table (
  id uuid, owner_user_id text, owner_name text, startup_id uuid, startup_name text, status public.purchase_status, points integer,
  missing_points integer, available_points bigint, amount_cents integer, payment_ref text, created_at timestamptz, updated_at timestamptz,
  written_off_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('returned_payments', null, p_limit, p_cursor);
  perform private.validate_status_filter(p_state, array['open', 'written_off']);
  return query execute private.build_page_query(
    $sql$p.id, p.owner_user_id, u.username, s.id, s.name, p.status, p.points, p.credited_points,
      coalesce((select w.points - w.trial_points from public.wallets w where w.owner_user_id = p.owner_user_id and w.kind = 'startup'), 0),
      p.amount_cents, p.payment_ref, p.created_at, p.updated_at, p.written_off_at,
      private.encode_cursor('returned_payments', jsonb_build_array(p.created_at, p.id))$sql$,
    $sql$public.point_purchases p left join public.user_profiles u on u.user_id = p.owner_user_id
      left join public.startup_profiles s on s.id = p.startup_id$sql$,
    array[
      $sql$p.status <> 'paid' and p.credited_points > 0$sql$,
      case p_state when 'open' then 'p.written_off_at is null' when 'written_off' then 'p.written_off_at is not null' end
    ],
    'p.created_at', 'p.id', private.sort_direction('newest'), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id;
end $$;
comment on function public.admin_list_returned_payments(text, integer, text) is
  'Payments for points that were refunded or disputed after some of the points were spent (missing_points), newest first; state open or '
  'written_off. available_points: the project''s free points without trial points. Next page: the cursor of the last row. Nullable: '
  'owner_name, startup_id, startup_name, written_off_at. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_LIMIT, '
  'INVALID_CURSOR.';
grant execute on function public.admin_list_returned_payments(text, integer, text) to authenticated, service_role;

create function public.settle_returned_payment(p_purchase_id uuid, p_decision text, p_note text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text;
  v_purchase public.point_purchases;
  v_missing integer;
begin
  if p_decision is null or p_decision not in ('take_back', 'write_off') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  v_note := private.require_reason(p_note);
  v_purchase := private.lock_purchase((select p.payment_ref from public.point_purchases p where p.id = p_purchase_id));
  if v_purchase.id is null then
    perform private.raise_error('PAYMENT_NOT_FOUND', 'Payment not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_purchase.owner_user_id);
  if v_purchase.status = 'paid' or v_purchase.credited_points = 0 or v_purchase.written_off_at is not null then
    perform private.raise_error('NOTHING_MISSING', 'Nothing of this payment is missing any more', 409);
  end if;
  if p_decision = 'take_back' then
    perform private.take_back_purchase(v_purchase, v_purchase.status);
  else
    update public.point_purchases p set written_off_at = now() where p.id = p_purchase_id;
  end if;
  select p.credited_points into v_missing from public.point_purchases p where p.id = p_purchase_id;
  perform private.audit(v_admin, 'payment.' || p_decision, 'payment', v_purchase.payment_ref,
    jsonb_build_object('missing_points', v_purchase.credited_points), jsonb_build_object('missing_points', v_missing), v_note);
  return v_missing;
end $$;
comment on function public.settle_returned_payment(uuid, text, text) is
  'Admin settles points that were spent before a refund or dispute, with a reason: take_back takes what the project has now, as the refund '
  'did, from its free points and from the reserves of its quests; write_off waives the rest. Returns the points still missing. A dispute '
  'won later restores the points in either case. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_DECISION, REASON_REQUIRED, '
  'PAYMENT_NOT_FOUND, OWN_MATTER, NOTHING_MISSING.';
grant execute on function public.settle_returned_payment(uuid, text, text) to authenticated, service_role;

-- ==============================================================================================================================
-- 62_admin_records.sql
-- ==============================================================================================================================

-- For the admin dashboard: pending work, recent activity, the audit log, failed mails, data export.

create function public.get_admin_todo() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'pending_startups', (select count(*) from public.startup_profiles s where s.status = 'pending'),
    'pending_submissions', (select count(*) from public.submissions s where s.status = 'pending'),
    'pending_redemptions', (select count(*) from public.redemptions r where r.status = 'pending'),
    'new_feedback', (select count(*) from public.beta_feedback f where f.status = 'new'),
    'held_campaigns', (select count(*) from public.campaigns c where c.held_at is not null),
    'failed_mails', (select count(*) from public.outbox_events o where o.failed_at is not null),
    'changed_startups', (select count(*) from public.startup_profiles s where s.changed_at is not null),
    'open_appeals', (select count(*) from public.appeals a where a.status = 'open'),
    'returned_payments', (
      select count(*) from public.point_purchases p where p.status <> 'paid' and p.credited_points > 0 and p.written_off_at is null),
    'overdue_reviews', (select count(*) from public.submissions s where s.status = 'pending' and s.review_due_at <= now())
  );
end $$;
comment on function public.get_admin_todo() is
  'Number of pending items of each kind; every count uses a partial index. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_admin_todo() to authenticated, service_role;

create function public.get_appeal_figures() returns table (
  decided bigint, decided_in_time bigint, median_seconds integer, overturned bigint, open bigint, overdue bigint
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select count(*) filter (where f.is_decided), count(*) filter (where f.is_decided and a.decided_at <= a.due_at),
      (percentile_cont(0.5) within group (order by extract(epoch from a.decided_at - a.created_at)))::integer,
      count(*) filter (where f.is_decided and a.status = 'overturned'), count(*) filter (where a.status = 'open'),
      count(*) filter (where a.status = 'open' and a.due_at <= now())
    from public.appeals a cross join lateral (select a.status <> 'open' and a.decided_by <> 'system') f (is_decided)
    where a.status = 'open' or a.decided_at > now() - interval '90 days' and a.decided_by <> 'system';
end $$;
comment on function public.get_appeal_figures() is
  'Decided appeals of the last 90 days: total, within 48 hours, median time and overturned; and open ones with how many are overdue '
  '(BEY-23). Nullable: median_seconds. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_appeal_figures() to authenticated, service_role;

create function private.period_start(p_days integer) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  if p_days is null or p_days not between 1 and 366 then
    perform private.raise_error('INVALID_PERIOD', 'Please choose 1 to 366 days', 400);
  end if;
  return (date_trunc('day', now() at time zone 'UTC') - make_interval(days => p_days - 1)) at time zone 'UTC';
end $$;
comment on function private.period_start(integer) is
  'Start of the last p_days UTC days, today included: whole days, so that those of the charts add up to the period''s figures. Errors: '
  'INVALID_PERIOD.';

create function public.get_recent_activity(p_days integer default 366) returns table (
  kind text, id uuid, title text, detail text, status text, at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_since timestamptz;
begin
  perform private.require_admin();
  v_since := private.period_start(p_days);
  return query
    select a.* from (
      (select 'startup', s.id, s.name, s.industry, s.status::text, s.created_at from public.startup_profiles s
        where s.created_at >= v_since order by s.created_at desc, s.id desc limit 3)
      union all
      (select 'campaign', c.id, c.title, s.name,
          case when c.status = 'draft' and c.published_at is not null then 'paused' else c.status::text end, c.created_at
        from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
        where c.created_at >= v_since order by c.created_at desc, c.id desc limit 3)
      union all
      (select 'submission', l.id, l.task_title, coalesce(l.username, 'Unknown User'), l.status::text, l.submitted_at
        from public.admin_list_submissions(p_limit => 4) l where l.submitted_at >= v_since)
    ) a (kind, id, title, detail, status, at)
    order by a.at desc, a.id;
end $$;
comment on function public.get_recent_activity(integer) is
  'The latest 3 projects, 3 quests and 4 submissions of the last p_days UTC days, newest first (ADMIN-02, DATA-04). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_PERIOD.';
grant execute on function public.get_recent_activity(integer) to authenticated, service_role;

-- Audit log -----------------------------------------------------------------------------------------------------------

create function private.audit_subject(p_type text, p_id text, out name text, out user_id text)
language plpgsql stable security definer set search_path = ''
as $$
begin
  case p_type
    when 'startup' then
      select s.name, s.owner_user_id into name, user_id from public.startup_profiles s where s.id = p_id::uuid;
    when 'campaign' then
      select c.title into name from public.campaigns c where c.id = p_id::uuid;
    when 'submission' then
      select t.title, s.user_id into name, user_id
      from public.submissions s join public.tasks t on t.id = s.task_id where s.id = p_id::uuid;
    when 'redemption' then
      select r.reward_title, r.user_id into name, user_id from public.redemptions r where r.id = p_id::uuid;
    when 'reward' then
      select r.title into name from public.rewards r where r.id = p_id::uuid;
    when 'beta_feedback' then
      select left(f.description, 80), f.user_id into name, user_id from public.beta_feedback f where f.id = p_id::uuid;
    when 'mailing_list' then
      select m.email into name from public.mailing_list m where m.id = p_id::uuid;
    when 'appeal' then
      select a.user_id into user_id from public.appeals a where a.id = p_id::uuid;
    when 'wallet' then
      select w.owner_user_id into user_id from public.wallets w where w.id = p_id::uuid;
    when 'transfer' then
      select t.description, w.owner_user_id into name, user_id
      from public.transfers t join public.entries e on e.id = t.id * 2 join public.wallets w on w.id = e.wallet_id
      where t.id = p_id::bigint;
    when 'payment' then
      select p.name, s.owner_user_id into name, user_id
      from (
        select s.startup_id, s.owner_user_id from public.subscriptions s where s.payment_ref = p_id
        union all
        select b.startup_id, b.owner_user_id from public.point_purchases b where b.payment_ref = p_id
      ) s left join public.startup_profiles p on p.id = s.startup_id limit 1;
    when 'outbox_event' then
      select o.type, o.user_id into name, user_id from public.outbox_events o where o.id = p_id::bigint;
    when 'user' then
      user_id := p_id;
    else
      null;
  end case;
end $$;
comment on function private.audit_subject(text, text) is
  'Display name of an entry''s subject and the user it concerns, as far as they still exist.';

create function public.admin_list_audit(
  p_search text default null, p_subject_type text default null, p_limit integer default 20, p_cursor text default null
) returns table (
  id bigint, actor_id text, actor_name text, action text, subject_type text, subject_id text, before jsonb, after jsonb, note text,
  created_at timestamptz, cursor text, subject_name text, subject_user_id text, subject_username text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer;
  v_pattern text;
  v_after text[];
  v_actors text[];
begin
  perform private.require_admin();
  v_limit := private.validate_limit(p_limit, 20);
  v_pattern := private.search_pattern(p_search);
  v_after := private.decode_cursor('audit', p_cursor, array['bigint']);
  v_actors := case when v_pattern is not null then private.find_user_ids(v_pattern) end;
  return query execute format(
    $query$
      select a.id, a.actor_id, p.username, a.action, a.subject_type, a.subject_id, a.before, a.after, a.note, a.created_at,
        private.encode_cursor('audit', jsonb_build_array(a.id)),
        coalesce(s.name, a.after ->> 'name', a.before ->> 'name', a.after ->> 'title', a.before ->> 'title'), s.user_id, m.username
      from (
        select * from public.audit_log a where true %s %s %s order by a.id desc limit $1
      ) a
      cross join lateral private.audit_subject(a.subject_type, a.subject_id) s
      left join public.user_profiles p on p.user_id = a.actor_id
      left join public.user_profiles m on m.user_id = s.user_id
      order by a.id desc
    $query$,
    case when v_after is not null then 'and a.id < $2' else '' end,
    case when v_actors is not null then 'and a.actor_id = any ($3)' else '' end,
    case when p_subject_type is not null then 'and a.subject_type = $4' else '' end
  ) using v_limit, v_after[1]::bigint, v_actors, p_subject_type;
end $$;
comment on function public.admin_list_audit(text, text, integer, text) is
  'The audit log, newest first, with the names of its subjects, for deleted ones from the entry itself; search in the actors'' names and '
  'addresses. Next page: the cursor of the last row (BEY-04). Nullable: actor_name, before, after, note, subject_name, subject_user_id, '
  'subject_username. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_audit(text, text, integer, text) to authenticated, service_role;

create function public.record_admin_export(p_what text, p_rows integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
begin
  if p_what is null or p_what !~ '^[a-z][a-z_]{0,49}$' then
    perform private.raise_error('INVALID_EXPORT', 'Unknown kind of export', 400);
  end if;
  perform private.audit(v_admin, 'export.' || p_what, 'export', p_what, null, jsonb_build_object('rows', p_rows));
end $$;
comment on function public.record_admin_export(text, integer) is
  'Records in the audit log that an admin exported a file of personal data (BEY-04). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'INVALID_EXPORT.';
grant execute on function public.record_admin_export(text, integer) to authenticated, service_role;

-- Mails and other events ----------------------------------------------------------------------------------------------

create function public.admin_list_outbox(
  p_state text default null, p_limit integer default 20, p_cursor text default null
) returns table (
  id bigint, type text, user_id text, username text, payload jsonb, created_at timestamptz, attempts integer,
  next_attempt_at timestamptz, processed_at timestamptz, failed_at timestamptz, last_error text, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer;
  v_after text[];
begin
  perform private.require_admin();
  v_limit := private.validate_limit(p_limit, 20);
  v_after := private.decode_cursor('outbox', p_cursor, array['bigint']);
  perform private.validate_status_filter(p_state, array['failed', 'waiting', 'done']);
  return query execute format(
    $query$
      select o.id, o.type, o.user_id, p.username, o.payload, o.created_at, o.attempts, o.next_attempt_at, o.processed_at, o.failed_at,
        o.last_error, private.encode_cursor('outbox', jsonb_build_array(o.id))
      from public.outbox_events o left join public.user_profiles p on p.user_id = o.user_id
      where true %s %s order by o.id desc limit $1
    $query$,
    case when v_after is not null then 'and o.id < $2' else '' end,
    case p_state when 'failed' then 'and o.failed_at is not null' when 'waiting' then 'and o.processed_at is null and o.failed_at is null'
      when 'done' then 'and o.processed_at is not null' else '' end
  ) using v_limit, v_after[1]::bigint;
end $$;
comment on function public.admin_list_outbox(text, integer, text) is
  'Outbox events, newest first: state failed (given up), waiting or done. Next page: the cursor of the last row. Nullable: user_id, '
  'username, processed_at, failed_at, last_error. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_LIMIT, '
  'INVALID_CURSOR.';
grant execute on function public.admin_list_outbox(text, integer, text) to authenticated, service_role;

-- Copy of the data (C-54, C-105) ---------------------------------------------------------------------------------------

create function public.export_data() returns jsonb
language plpgsql security definer set search_path = '' set statement_timeout = '55s'
as $$
declare
  v_admin text := private.require_admin();
  v_query text;
  v_tables jsonb;
begin
  perform private.require_plain_call();
  select string_agg(
    format('select %L as name, (select coalesce(jsonb_agg(to_jsonb(t)), %L) from public.%I t) as rows', c.relname, '[]', c.relname),
    ' union all ')
  into v_query
  from pg_catalog.pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r';
  -- One statement, one snapshot: a concurrent transaction is in all tables or in none.
  execute 'select jsonb_object_agg(e.name, e.rows) from (' || v_query || ') e' into v_tables;
  perform private.audit(v_admin, 'export.data', 'export', 'data');
  return jsonb_build_object('taken_at', statement_timestamp(), 'tables', v_tables);
end $$;
comment on function public.export_data() is
  'A consistent snapshot of all rows of all public tables: taken_at, tables {name: rows}. Recorded in the audit log. Not a backup '
  '(docs/restore.md). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, PLAIN_CALL_REQUIRED.';
grant execute on function public.export_data() to authenticated, service_role;

-- ==============================================================================================================================
-- 62_admin_search.sql
-- ==============================================================================================================================

-- The admin's global search, and everything about one person.

create function public.admin_search(p_search text) returns table (kind text, id text, title text, detail text, status text)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_text text := private.clean(p_search);
  v_id uuid := private.to_uuid(private.clean(p_search));
  v_pattern text;
  v_members text[];
begin
  perform private.require_admin();
  v_pattern := private.search_pattern(p_search);
  if v_id is not null then
    return query
      select f.* from (
        select 'person', p.user_id, p.username, p.email, case when p.suspended_at is not null then 'suspended' end
        from public.user_profiles p where p.id = v_id
        union all
        select 'project', s.id::text, s.name, s.owner_email, s.status::text from public.startup_profiles s where s.id = v_id
        union all
        select 'quest', c.id::text, c.title, s.name, case when c.held_at is not null then 'held' else c.status::text end
        from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
        where c.id in (select v_id union all select x.campaign_id from public.submissions x where x.id = v_id)
        union all
        select 'redemption', r.id::text, r.reward_title, p.username, r.status::text
        from public.redemptions r left join public.user_profiles p on p.user_id = r.user_id where r.id = v_id
      ) f;
    return;
  elsif v_pattern is null then
    return;
  end if;
  v_members := private.find_user_ids(v_pattern);
  -- Dynamic SQL, so that it is planned for this pattern.
  return query execute $sql$
    (
      select 'person', p.user_id, p.username, p.email, case when p.suspended_at is not null then 'suspended' end
      from public.user_profiles p where p.user_id = $1 or p.user_id = any ($3) order by p.user_id = $1 desc, p.created_at desc limit 5
    )
    union all
    (
      select 'project', s.id::text, s.name, s.owner_email, s.status::text from public.startup_profiles s
      where (s.name || ' ' || coalesce(s.owner_email, '')) ilike $2 order by s.created_at desc, s.id desc limit 5
    )
    union all
    (
      select 'quest', c.id::text, c.title, s.name, case when c.held_at is not null then 'held' else c.status::text end
      from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
      where c.title ilike $2 order by c.created_at desc, c.id desc limit 5
    )
    union all
    (
      select 'redemption', r.id::text, r.reward_title, p.username, r.status::text
      from public.redemptions r left join public.user_profiles p on p.user_id = r.user_id
      where r.user_id = any ($3) or r.reward_id in (select w.id from public.rewards w where w.title ilike $2)
      order by r.created_at desc, r.id desc limit 5
    )
  $sql$ using v_text, v_pattern, v_members;
end $$;
comment on function public.admin_search(text) is
  'People, projects, quests and redemptions, newest five of each: by name, e-mail or title, or by id (a submission''s id finds its quest). '
  'Nothing for a blank search. Nullable: detail, status. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, SEARCH_TOO_LONG.';
grant execute on function public.admin_search(text) to authenticated, service_role;

create function private.related_accounts(p_user_id text) returns table (user_id text, relation text)
language sql stable security definer set search_path = ''
as $$
  select m, 'same_mailbox' from unnest(private.accounts_of_person(p_user_id)) m where m <> p_user_id
  union all
  select r.referrer_user_id, 'referrer' from public.referrals r where r.referred_user_id = p_user_id
  union all
  (
    select r.referred_user_id, 'referred' from public.referrals r where r.referrer_user_id = p_user_id
    order by r.created_at desc, r.id desc limit 10
  )
$$;
comment on function private.related_accounts(text) is
  'Accounts with the same mailbox, including deleted ones, the account''s referrer, and the latest ten that it referred.';

create function public.admin_get_person(p_user_id text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'submissions', (
      select jsonb_build_object('total', count(*), 'approved', count(*) filter (where s.status = 'approved'),
        'pending', count(*) filter (where s.status = 'pending'), 'rejected', count(*) filter (where s.status = 'rejected'))
      from public.submissions s where s.user_id = p_user_id),
    'flags', coalesce((
      select jsonb_agg(jsonb_build_object('submission_id', f.submission_id, 'kind', f.kind, 'evidence', f.evidence, 'at', f.created_at,
        'quest', f.title) order by f.created_at desc, f.id)
      from (
        select g.*, c.title from public.submission_flags g left join public.campaigns c on c.id = g.campaign_id
        where g.user_id = p_user_id and g.dismissed_at is null order by g.created_at desc, g.id limit 10
      ) f), '[]'),
    'flag_count', (select count(*) from public.submission_flags g where g.user_id = p_user_id and g.dismissed_at is null),
    'related', coalesce((
      select jsonb_agg(jsonb_build_object('user_id', r.user_id, 'relation', r.relation, 'name', p.username,
        'is_suspended', p.suspended_at is not null) order by r.relation desc, r.user_id)
      from private.related_accounts(p_user_id) r left join public.user_profiles p on p.user_id = r.user_id), '[]'),
    'holds', coalesce((
      select jsonb_agg(jsonb_build_object('reason', h.reason, 'points', h.points, 'due_at', h.due_at, 'depends_on', h.depends_on,
        'name', p.username) order by h.points desc)
      from (
        select o.reason, sum(o.points) as points, min(o.due_at) as due_at, o.depends_on from public.point_holds o
        where o.user_id = p_user_id and o.released_at is null and o.reversed_at is null
        group by o.reason, o.depends_on order by 2 desc limit 10
      ) h left join public.user_profiles p on p.user_id = h.depends_on), '[]'),
    'redemptions', (
      select jsonb_build_object('total', count(*), 'pending', count(*) filter (where r.status = 'pending'),
        'points', coalesce(sum(r.points_cost) filter (where r.status <> 'cancelled'), 0))
      from public.redemptions r where r.user_id = p_user_id),
    'admin_revoked_at', private.admin_revoked_at(p_user_id),
    'project', (
      select jsonb_build_object('id', s.id, 'name', s.name, 'status', s.status)
      from public.startup_profiles s where s.owner_user_id = p_user_id order by s.created_at desc limit 1),
    'history', coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'action', a.action, 'at', a.created_at, 'note', a.note, 'actor', p.username)
        order by a.id desc)
      from (
        select l.* from public.audit_log l where l.subject_type = 'user' and l.subject_id = p_user_id order by l.id desc limit 10
      ) a left join public.user_profiles p on p.user_id = a.actor_id), '[]'));
end $$;
comment on function public.admin_get_person(text) is
  'What an admin needs to decide about a person, besides profile and wallets: submissions, open flags (the latest ten), related accounts, '
  'held points and whose action releases them, redemptions, when their admin right was revoked (TRUST-19), project, and earlier admin '
  'actions. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.admin_get_person(text) to authenticated, service_role;

-- ==============================================================================================================================
-- 63_platform_reports.sql
-- ==============================================================================================================================

-- Figures for the admin dashboards: all time and for a chosen period.

create function private.revenue_cents(p_since timestamptz) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select coalesce(sum(s.amount_cents), 0) from public.subscriptions s
      where s.status in ('active', 'expired') and s.created_at >= p_since)
    + (select coalesce(sum(p.amount_cents), 0) from public.point_purchases p where p.status = 'paid' and p.created_at >= p_since);
end $$;
comment on function private.revenue_cents(timestamptz) is 'Revenue from plans and points since then, less refunds and disputes.';

create function private.platform_totals(p_counts jsonb) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_members bigint := coalesce(p_counts -> 'members', '0');
  v_published bigint := coalesce(p_counts -> 'published_campaigns', '0');
  v_submissions bigint := coalesce(p_counts -> 'submissions', '0');
begin
  return jsonb_build_object(
    'users', v_members, 'verified_startups', coalesce(p_counts -> 'verified_startups', '0'), 'published_campaigns', v_published,
    'points_awarded', (private.count_site_stats()).points_earned, 'submissions', v_submissions,
    'completed_tasks', coalesce(p_counts -> 'approved_submissions', '0'), 'points_distributed', coalesce(p_counts -> 'active_budgets', '0'),
    'conversion_rate', coalesce(round(100.0 * v_published / nullif(v_members, 0), 1), 0),
    'engagement', coalesce(round(v_submissions::numeric / nullif(v_members, 0), 2), 0),
    'revenue_cents', private.revenue_cents('-infinity')
  );
end $$;
comment on function private.platform_totals(jsonb) is
  'All-time figures from private.counters. conversion_rate: published quests per 100 members; engagement: submissions per member; '
  'points_distributed: budgets of quests with an approved submission (DATA-06, C-52). Zero when the divisor is zero.';

-- Queries over a period are in PL/pgSQL, which plans for the given period; an SQL function gets a generic plan that reads the whole table.
create function private.points_by_day(p_since date) returns table (day date, issued bigint, redeemed bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select l.day,
      coalesce(sum(e.points) filter (where l.kind not in ('redemption', 'refund')), 0)::bigint,
      coalesce(-sum(e.points) filter (where l.kind in ('redemption', 'refund')), 0)::bigint
    from private.ledger_sums(p_since) l
    cross join lateral (select case l.type when 'credit' then l.points else -l.points end as points) e
    where l.account = 'user' and l.kind in ('task_completion', 'referral_bonus', 'welcome_bonus', 'reversal', 'redemption', 'refund')
    group by l.day;
end $$;
comment on function private.points_by_day(date) is
  'Per UTC day: points that members earned, less reversals, and points they redeemed, less refunds, each on its posting day. Empty days '
  'are left out.';

create function private.platform_period(p_since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'verified_startups', (select count(*) from public.startup_profiles s where s.status = 'verified' and s.reviewed_at >= p_since),
      'published_campaigns', (select count(*) from public.campaigns c where c.status = 'published' and c.published_at >= p_since),
      'revenue_cents', private.revenue_cents(p_since),
      'average_session_minutes', (
        select round((avg(extract(epoch from v.length)) / 60)::numeric, 1)
        from (
          select max(e.created_at) - min(e.created_at) as length from public.metrics_events e
          where e.created_at >= p_since and e.data ? 'session_id' group by e.data ->> 'session_id' having count(*) > 1
        ) v
      )
    )
  );
end $$;
comment on function private.platform_period(timestamptz) is
  'Figures since a point in time that are not sums of its days. average_session_minutes: from first to last event of sessions with more '
  'than one event; null without any (C-52).';

create function private.platform_days(p_since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    with days as (
      select d::date as day from generate_series((p_since at time zone 'UTC')::date, (now() at time zone 'UTC')::date, interval '1 day') d
    ), users as (
      select (p.created_at at time zone 'UTC')::date as day, count(*) as users from public.user_profiles p
      where p.created_at >= p_since group by 1
    ), sent as (
      select (s.submitted_at at time zone 'UTC')::date as day, count(*) as submissions from public.submissions s
      where s.submitted_at >= p_since group by 1
    ), done as (
      select (s.reviewed_at at time zone 'UTC')::date as day, count(*) as completions from public.submissions s
      where s.status = 'approved' and s.reviewed_at >= p_since group by 1
    )
    select jsonb_agg(jsonb_build_object('day', d.day, 'new_users', coalesce(u.users, 0), 'submissions', coalesce(s.submissions, 0),
      'completions', coalesce(c.completions, 0), 'points_issued', coalesce(p.issued, 0),
      'points_redeemed', coalesce(p.redeemed, 0)) order by d.day)
    from days d
    left join users u on u.day = d.day
    left join sent s on s.day = d.day
    left join done c on c.day = d.day
    left join private.points_by_day((p_since at time zone 'UTC')::date) p on p.day = d.day
  );
end $$;
comment on function private.platform_days(timestamptz) is
  'New members, submissions, completions, points issued and redeemed per UTC day, including empty days. The days of a period add up to its '
  'figures.';

create function private.sum_of_days(p_days jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object(
    'users', sum(d.new_users), 'submissions', sum(d.submissions), 'completed_tasks', sum(d.completions),
    'points_awarded', sum(d.points_issued), 'points_redeemed', sum(d.points_redeemed))
  from jsonb_to_recordset(p_days) d (new_users bigint, submissions bigint, completions bigint, points_issued bigint, points_redeemed bigint)
$$;
comment on function private.sum_of_days(jsonb) is
  'The figures of a period as sums of its days (platform_days), so that the large tables are read once.';

create function private.top_campaigns(p_since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'campaign_id', t.campaign_id, 'title', c.title, 'startup_name', s.name, 'approved', t.approved, 'submissions', t.submissions,
      'completion_rate', round(100.0 * t.approved / t.submissions, 1)
    ) order by t.approved desc, t.campaign_id), '[]')
    from (
      select x.campaign_id, count(*) as submissions, count(*) filter (where x.status = 'approved') as approved
      from public.submissions x where x.submitted_at >= p_since group by x.campaign_id
      order by 3 desc, 1 limit 5
    ) t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles s on s.id = c.startup_id
  );
end $$;
comment on function private.top_campaigns(timestamptz) is
  'The 5 quests with the most approved submissions since then; completion_rate: approved per 100 submissions (DATA-04).';

create function public.get_platform_stats(p_days integer default 30) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_since timestamptz;
  v_by_day jsonb;
  v_counts jsonb;
begin
  perform private.require_admin();
  v_since := private.period_start(p_days);
  v_counts := private.counters();
  v_by_day := private.platform_days(v_since);
  return jsonb_build_object(
    'period_days', p_days,
    'totals', private.platform_totals(v_counts),
    'period', private.platform_period(v_since) || private.sum_of_days(v_by_day),
    'days', v_by_day,
    'top_campaigns', private.top_campaigns(v_since),
    'top_industries', (
      select coalesce(jsonb_agg(
        jsonb_build_object('industry', i.industry, 'startups', i.startups) order by i.startups desc, i.industry), '[]')
      from (select c.name as industry, c.count as startups from private.counters_of('industry') c order by 2 desc, 1 limit 5) i
    ),
    'health', jsonb_build_object(
      'active_campaigns', coalesce(v_counts -> 'published_campaigns', '0'),
      'pending_reviews', (select count(*) from public.submissions s where s.status = 'pending'),
      'pending_startups', (select count(*) from public.startup_profiles s where s.status = 'pending'),
      'verified_startups', coalesce(v_counts -> 'verified_startups', '0'),
      'collected_emails', coalesce(v_counts -> 'collected_emails', '0')
    )
  );
end $$;
comment on function public.get_platform_stats(integer) is
  'Admin dashboards: totals, period (the last p_days UTC days, today included), days, top_campaigns (5), top_industries (5), health '
  '(ADMIN-02, ADMIN-11, DATA-01..07, C-52, C-54). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_PERIOD.';
grant execute on function public.get_platform_stats(integer) to authenticated, service_role;

create function public.get_points_transfer_stats() returns jsonb
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  perform private.roll_up_ledger_daily();
  return (
    select jsonb_build_object(
      'total_transfers', coalesce(sum(k.transfers), 0), 'total_points', coalesce(sum(k.points), 0), 'last_transfer_at', max(k.last_at),
      'by_kind', coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'transfers', k.transfers, 'points', k.points) order by k.kind)
        filter (where k.transfers > 0), '[]'),
      'balances', jsonb_build_object('members', coalesce(sum(k.members), 0), 'startups', coalesce(sum(k.startups), 0),
        'reserves', coalesce(sum(k.reserves), 0))
    )
    from (
      select l.kind,
        sum(l.entries) filter (where l.type = 'credit') as transfers, sum(l.points) filter (where l.type = 'credit') as points,
        max(l.last_at) as last_at,
        sum(e.points) filter (where l.account = 'user') as members, sum(e.points) filter (where l.account = 'startup') as startups,
        sum(e.points) filter (where l.account = 'reserve') as reserves
      from private.ledger_sums() l
      cross join lateral (select case l.type when 'credit' then l.points else -l.points end as points) e
      group by l.kind
    ) k
  );
end $$;
comment on function public.get_points_transfer_stats() is
  'total_transfers, total_points, last_transfer_at, by_kind, and what members, projects and reserves hold (DB-26), all from the sums of '
  'the ledger, which it rolls up first. Admins only. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_points_transfer_stats() to authenticated, service_role;

-- ==============================================================================================================================
-- 63_workers.sql
-- ==============================================================================================================================

-- The scheduled workers (edge functions that pg_cron calls): when each last ran and how it ended, so that silence is noticed.

create table private.worker_runs (
  worker text primary key check (worker ~ '^[a-z][a-z-]{0,59}$'),
  last_run_at timestamptz not null default now(),
  last_success_at timestamptz,
  last_problem text check (length(last_problem) <= 500)
);
comment on table private.worker_runs is
  'One row per scheduled worker, written by the worker itself. That a schedule exists is no proof: it may call a wrong URL or use an old '
  'key.';
comment on column private.worker_runs.last_problem is
  'Why the last run failed; null when it went well. Codes and reasons, no personal data.';

create function public.report_worker_run(p_worker text, p_problem text default null) returns void
language sql security definer set search_path = ''
as $$
  insert into private.worker_runs as w (worker, last_success_at, last_problem)
  values (p_worker, case when p_problem is null then now() end, left(p_problem, 500))
  on conflict (worker) do update set last_run_at = now(),
    last_success_at = coalesce(excluded.last_success_at, w.last_success_at), last_problem = excluded.last_problem
$$;
comment on function public.report_worker_run(text, text) is
  'Records that a scheduled worker has finished (p_problem null) or failed. Service role only.';
grant execute on function public.report_worker_run(text, text) to service_role;

create function private.expected_workers() returns table (worker text, schedule text, patience interval)
language sql immutable set search_path = '' rows 4
as $$
  values ('deliver-events', '* * * * *', interval '10 minutes'), ('import-logos', '* * * * *', interval '10 minutes'),
    ('remove-orphans', '23 * * * *', interval '3 hours'), ('self-check', '7 * * * *', interval '3 hours')
$$;
comment on function private.expected_workers() is
  'The workers of docs/deploy.md, their cron schedule, and how long after a success they count as late.';

create function private.worker_states() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('worker', e.worker, 'schedule', e.schedule, 'last_run_at', w.last_run_at,
    'last_success_at', w.last_success_at, 'last_problem', w.last_problem,
    'seconds_since_success', extract(epoch from now() - w.last_success_at)::bigint,
    'is_late', coalesce(w.last_success_at < now() - e.patience, true)) order by e.worker)
  from private.expected_workers() e left join private.worker_runs w using (worker)
$$;
comment on function private.worker_states() is
  '[{worker, schedule, last_run_at, last_success_at, last_problem, seconds_since_success, is_late}] of all workers; nulls for one that has '
  'never run.';

-- Periodic jobs of the database -----------------------------------------------------------------------------------------

create function public.list_periodic_jobs() returns text[]
language sql immutable set search_path = ''
as $$
  select array['roll_up_figures', 'expire_subscriptions', 'scan_submissions', 'release_due_holds', 'close_ended_quests', 'remove_expired',
    'announce_quests', 'queue_digests', 'measure_quests', 'remove_left_words']
$$;
comment on function public.list_periodic_jobs() is
  'Names of the jobs for run_periodic_job, in the order in which they run. Each is a function in the schema private. Service role only.';
grant execute on function public.list_periodic_jobs() to service_role;

create function public.run_periodic_job(p_job text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_state text;
  v_code text;
  v_constraint text;
begin
  if (p_job = any (public.list_periodic_jobs())) is not true then
    perform private.raise_error('JOB_NOT_FOUND', 'There is no such periodic job', 404);
  end if;
  begin
    execute format('select private.%I()', p_job);
    -- Those that this run has not recorded itself.
    delete from private.failed_jobs f where f.job = p_job and f.failed_at < now();
  -- "others" does not include the statement timeout.
  exception when others or query_canceled then
    get stacked diagnostics v_state = returned_sqlstate, v_code = pg_exception_hint, v_constraint = constraint_name;
    perform private.record_failure(p_job, concat_ws(' ', v_state, nullif(v_code, ''), nullif(v_constraint, '')));
    raise warning 'The periodic job % failed: %', p_job, sqlerrm;
  end;
end $$;
comment on function public.run_periodic_job(text) is
  'Runs one of list_periodic_jobs. A failure, including the statement timeout, undoes the job and is recorded for run_self_check. One call '
  'and so one transaction each, so that a job stops neither the others nor the mails. Service role only. Errors: JOB_NOT_FOUND.';
grant execute on function public.run_periodic_job(text) to service_role;

-- ==============================================================================================================================
-- 64_system.sql
-- ==============================================================================================================================

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
        select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0 and a.privilege_type = 'EXECUTE'
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
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
      and not exists (select 1 from pg_catalog.pg_policy p where p.polrelid = c.oid);
end $$;
comment on function public.run_security_scan() is
  'Gaps in the database''s own protection: severity (error, warning), finding, object; no rows when there are none. Admins only. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.run_security_scan() to authenticated, service_role;

-- ==============================================================================================================================
-- 65_outbox_delivery.sql
-- ==============================================================================================================================

-- Delivery of outbox events by the worker (supabase/functions/deliver-events), at least once each. A failing mail is tried eight times, an
-- outage of the provider is waited out for three days; after that an admin has to act.

create function private.outbox_tries() returns integer
language sql immutable set search_path = ''
as $$ select 8 $$;
comment on function private.outbox_tries() is 'Number of attempts before the worker gives up on an event.';

create function private.outbox_patience() returns interval
language sql immutable set search_path = ''
as $$ select interval '72 hours' $$;
comment on function private.outbox_patience() is 'How long an outage of the provider may last before the worker gives up on an event.';

create function private.outbox_certainty() returns interval
language sql immutable set search_path = ''
as $$ select interval '23 hours' $$;
comment on function private.outbox_certainty() is
  'How long after an attempt without an answer a mail may be retried: the provider keeps idempotency keys for 24 hours, and after that it '
  'could arrive twice.';

create function private.may_be_sent(p_event public.outbox_events) returns boolean
language sql stable set search_path = ''
as $$
  -- A claim clears the last error, so an event that was claimed and has none was never reported back.
  select coalesce(
    coalesce(p_event.uncertain_since, case when p_event.attempts > 0 and p_event.last_error is null then p_event.next_attempt_at end)
      <= now() - private.outbox_certainty(), false)
$$;
comment on function private.may_be_sent(public.outbox_events) is
  'Whether the mail may have been sent so long ago that a retry could be a second one: an attempt got no answer from the provider, or the '
  'worker died and none has run since.';

create function private.outbox_backoff(p_attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '30 seconds' * power(2, least(p_attempts, 20) - 1), interval '1 hour') $$;
comment on function private.outbox_backoff(integer) is
  'Exponential backoff after the p_attempts-th failure: 30 s, doubled each time, at most an hour.';

create function public.claim_outbox_events(
  p_limit integer default 10, p_lease_seconds integer default 120, p_event_id bigint default null
) returns table (id bigint, type text, payload jsonb, attempt integer, email text)
language plpgsql security definer set search_path = ''
as $$
begin
  -- A worker that crashed reports nothing: the lease expires and the attempt counts.
  update public.outbox_events o set failed_at = now(), last_error = left(
      case when private.may_be_sent(o) then 'It may have gone out a day ago. ' else '' end
      || coalesce(o.last_error, 'The worker never reported back'), 500)
  where o.processed_at is null and o.failed_at is null and o.next_attempt_at <= now()
    and (o.attempts - o.deferrals >= private.outbox_tries() or o.deferred_since <= now() - private.outbox_patience()
      or private.may_be_sent(o));
  return query
    with due as (
      select o.id from public.outbox_events o
      where o.processed_at is null and o.failed_at is null and o.next_attempt_at <= now() and (p_event_id is null or o.id = p_event_id)
      order by o.next_attempt_at, o.id
      limit least(greatest(p_limit, 0), 100)
      for update skip locked
    ), claimed as (
      update public.outbox_events o
      set attempts = o.attempts + 1, next_attempt_at = now() + make_interval(secs => p_lease_seconds), last_error = null
      from due where o.id = due.id
      returning o.id, o.type, o.payload, o.attempts, o.user_id
    )
    select c.id, c.type, c.payload, c.attempts, case when c.type = 'SubscriptionRequested'
      then (select m.email from public.mailing_list m where m.id = private.to_uuid(c.payload ->> 'entry_id'))
      when private.wants_mail(c.user_id, c.type) then p.email end
    from claimed c left join public.user_profiles p on p.user_id = c.user_id
    order by c.id;
end $$;
comment on function public.claim_outbox_events(integer, integer, bigint) is
  'Leases due events, or the given one, to a worker for p_lease_seconds. email: address of the person concerned, or of the subscription to '
  'confirm; null when unknown or when the person has switched off mails of this kind (BEY-03). Each claim is one attempt. Report back with '
  'complete_outbox_event or fail_outbox_event. Nullable: email. Service role only.';
grant execute on function public.claim_outbox_events(integer, integer, bigint) to service_role;

create function public.admit_mail(p_email text, p_event_id bigint default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_event public.outbox_events;
  v_is_required boolean;
  v_mailbox text := 'mailbox:' || coalesce(encode(private.mailbox_key(p_email), 'hex'), lower(p_email));
begin
  select o.* into v_event from public.outbox_events o where o.id = p_event_id for no key update;
  -- A member was promised that the project is asked to delete its copies.
  v_is_required := coalesce(v_event.type = 'EmailWithdrawn', false);
  if not v_is_required and v_event.type is distinct from 'SubscriptionRequested' and public.is_opted_out(p_email) then
    return 'opted_out';
  elsif v_event.mail_admitted_at is not null then
    return 'send';
  end if;
  begin
    if (not v_is_required and not public.take_rate_limit(v_mailbox, 'mail', 30, 86400))
      or (v_event.type = 'StartupVerified' and not public.take_rate_limit(v_mailbox, 'mail:StartupVerified', 1, 86400))
      or (v_event.actor_id is not null and not public.take_rate_limit('user:' || v_event.actor_id, 'mail', 500, 86400)) then
      return 'limited';
    elsif not private.take_ceiling('mails', 1, (select d.mails_per_day from private.deployment d), '1 day') then
      -- Undoes what the limits have counted: the mail is tried again, and must not be dropped then for having been tried before.
      raise sqlstate 'PT429';
    end if;
  exception when sqlstate 'PT429' then
    return 'exhausted';
  end;
  update public.outbox_events o set mail_admitted_at = now() where o.id = p_event_id;
  return 'send';
end $$;
comment on function public.admit_mail(text, bigint) is
  'Whether a mail may be sent: send, opted_out (the recipient has opted out; address confirmations are sent anyway), limited (30 a day per '
  'mailbox, 500 a day caused by one account, one verified-project mail a day), or exhausted (today''s total is used up; try again later). '
  'A request to delete a withdrawn address is sent whatever its recipient wants or has received (BEY-10). '
  'An event counts once, however often it is tried (TRUST-27). Service role only.';
grant execute on function public.admit_mail(text, bigint) to service_role;

create function public.complete_outbox_event(p_event_id bigint) returns void
language sql security definer set search_path = ''
as $$
  update public.outbox_events o set processed_at = now(), failed_at = null, last_error = null,
    payload = case o.type when 'EmailWithdrawn' then o.payload - 'email' else o.payload end
  where o.id = p_event_id and o.processed_at is null
$$;
comment on function public.complete_outbox_event(bigint) is
  'Marks an event as processed; idempotent. An address that a member has withdrawn is kept only until then (BEY-10). Service role only.';
grant execute on function public.complete_outbox_event(bigint) to service_role;

create function public.fail_outbox_event(
  p_event_id bigint, p_attempt integer, p_error text, p_kind text default 'failure', p_retry_after_seconds integer default null
) returns void
language sql security definer set search_path = ''
as $$
  update public.outbox_events o set
    last_error = left(p_error, 500),
    deferrals = o.deferrals + d.deferral,
    deferred_since = case when d.deferral = 1 then coalesce(o.deferred_since, now()) end,
    uncertain_since = coalesce(o.uncertain_since, case when p_kind = 'uncertain' then now() end),
    next_attempt_at = now() + greatest(
      private.outbox_backoff(case d.deferral when 1 then o.deferrals + 1 else o.attempts - o.deferrals end),
      make_interval(secs => least(coalesce(p_retry_after_seconds, 0), 86400))),
    failed_at = case when o.attempts - o.deferrals - d.deferral >= private.outbox_tries() then now() end
  from (select case when p_kind in ('deferred', 'uncertain') then 1 else 0 end as deferral) d
  where o.id = p_event_id and o.attempts = p_attempt and o.processed_at is null and o.failed_at is null
$$;
comment on function public.fail_outbox_event(bigint, integer, text, text, integer) is
  'Records that attempt p_attempt failed and schedules a retry with backoff, after at least p_retry_after_seconds. p_kind: failure (the '
  'mail was refused; gives up after the eighth), deferred (outage of the provider; does not count), uncertain (no answer; does not count, '
  'and is not retried once the provider''s idempotency key has expired). A report about an earlier attempt is ignored. p_error: codes and '
  'reasons, no personal data. Service role only.';
grant execute on function public.fail_outbox_event(bigint, integer, text, text, integer) to service_role;

create function private.requeue_events(p_admin text, p_event_id bigint) returns integer
language plpgsql set search_path = ''
as $$
declare
  v_count integer;
begin
  with failed as (
    select o.id, o.attempts, o.failed_at, o.last_error from public.outbox_events o
    where o.failed_at is not null and o.processed_at is null and (p_event_id is null or o.id = p_event_id) order by o.id for no key update
  ), requeued as (
    update public.outbox_events o
    set failed_at = null, attempts = 0, deferrals = 0, deferred_since = null, uncertain_since = null, next_attempt_at = now()
    from failed where o.id = failed.id returning failed.id, failed.attempts, failed.failed_at, failed.last_error
  ), audited as (
    select private.audit(p_admin, 'outbox.requeue', 'outbox_event', r.id::text,
      jsonb_build_object('attempts', r.attempts, 'failed_at', r.failed_at),
      jsonb_build_object('attempts', 0, 'failed_at', null), r.last_error)
    from requeued r
  )
  select count(*) into v_count from audited;
  return v_count;
end $$;
comment on function private.requeue_events(text, bigint) is
  'Requeues the event, or with null all failed ones, with its attempts reset; returns how many.';

create function public.requeue_outbox_event(p_event_id bigint) returns public.outbox_events
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_event public.outbox_events;
begin
  select o.* into v_event from public.outbox_events o where o.id = p_event_id for no key update;
  if v_event.id is null then
    perform private.raise_error('EVENT_NOT_FOUND', 'Event not found', 404);
  elsif private.requeue_events(v_admin, p_event_id) = 0 then
    perform private.raise_error('EVENT_NOT_FAILED', 'Only an event that was given up can be tried again', 409);
  end if;
  select o.* into v_event from public.outbox_events o where o.id = p_event_id;
  return v_event;
end $$;
comment on function public.requeue_outbox_event(bigint) is
  'Admin requeues a failed event with its attempts reset. A mail that may have been sent already can then arrive twice. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, EVENT_NOT_FOUND, EVENT_NOT_FAILED.';
grant execute on function public.requeue_outbox_event(bigint) to authenticated, service_role;

create function public.requeue_failed_events() returns integer
language plpgsql security definer set search_path = ''
as $$ begin return private.requeue_events(private.require_admin(), null); end $$;
comment on function public.requeue_failed_events() is
  'Admin requeues every failed event, for example after a long outage of the mail provider; returns how many. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN.';
grant execute on function public.requeue_failed_events() to authenticated, service_role;

-- ==============================================================================================================================
-- 66_own_data.sql
-- ==============================================================================================================================

-- Export of a person's own data (BEY-24).

create function public.get_own_data() returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  perform private.require_plain_call();
  -- Also for suspended people, whose data remains theirs.
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif not public.take_rate_limit('user:' || v_user, 'own_data', 5, 3600) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  return jsonb_build_object(
    'made_at', now(),
    'profile', (select coalesce(jsonb_agg(to_jsonb(p)), '[]') from public.user_profiles p where p.user_id = v_user),
    'wallets', (
      select coalesce(jsonb_agg(to_jsonb(w) order by w.created_at, w.id), '[]')
      from public.wallets w where w.id = any (array(select private.own_wallet_ids()))),
    'transactions', (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'wallet_id', e.wallet_id, 'type', e.type, 'points', t.points,
        'balance_after', e.balance_after, 'kind', t.kind, 'description', t.description, 'created_at', t.created_at) order by e.id), '[]')
      from public.entries e join public.transfers t on t.id = e.transfer_id
      where e.wallet_id = any (array(select private.own_wallet_ids()))),
    'submissions', (
      select coalesce(jsonb_agg(to_jsonb(s) || jsonb_build_object(
        'quest', private.quest_title_for_member(c), 'task', private.task_title_for_member(t)) order by s.submitted_at, s.id), '[]')
      from public.submissions s join public.campaigns c on c.id = s.campaign_id join public.tasks t on t.id = s.task_id
      where s.user_id = v_user),
    -- Whose action releases a hold is not said: it may be somebody else's.
    'point_holds', (
      select coalesce(jsonb_agg(to_jsonb(h) - 'user_id' - 'depends_on' - 'check_at' - 'cause_submission_id' order by h.id), '[]')
      from public.point_holds h where h.user_id = v_user),
    'started_tasks', (
      select coalesce(jsonb_agg(to_jsonb(k) - 'user_id' order by k.created_at, k.token), '[]')
      from private.task_tokens k where k.user_id = v_user),
    'submission_history', (
      select coalesce(jsonb_agg(to_jsonb(h) order by h.id), '[]') from public.submission_history h where h.user_id = v_user),
    'email_consents', (
      select coalesce(jsonb_agg(to_jsonb(e) order by e.given_at, e.id), '[]') from public.email_consents e where e.user_id = v_user),
    'redemptions', (
      select coalesce(jsonb_agg(to_jsonb(r) || jsonb_build_object('address', (
        select to_jsonb(a) - 'redemption_id' from private.redemption_addresses a where a.redemption_id = r.id
      ), 'code', (
        select private.decrypt_code(c.code) from private.reward_codes c where c.redemption_id = r.id and c.shown_at is not null
      )) order by r.created_at, r.id), '[]')
      from public.redemptions r where r.user_id = v_user),
    'public_profile', (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from public.member_profiles m where m.user_id = v_user),
    'badges', (select coalesce(jsonb_agg(to_jsonb(b) order by b.week, b.badge), '[]') from public.badges b where b.user_id = v_user),
    'referral_codes', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from public.referral_codes r where r.user_id = v_user),
    -- The other member's identity is not the caller's data.
    'referrals', (
      select coalesce(jsonb_agg(to_jsonb(r) - case when r.referrer_user_id = v_user then 'referred_user_id' else 'referrer_user_id' end
        order by r.id), '[]')
      from public.referrals r where v_user in (r.referrer_user_id, r.referred_user_id)),
    'project_feedback', (
      select coalesce(jsonb_agg(f.rating order by f.created_at, f.id), '[]') from (
        select to_jsonb(p) as rating, p.created_at, p.id from public.project_feedback p where p.user_id = v_user
        union all
        -- Of projects that were deleted since.
        select to_jsonb(k) - 'owner_user_id', k.created_at, k.id from private.former_ratings k where k.user_id = v_user
      ) f),
    'product_feedback', (
      select coalesce(jsonb_agg(to_jsonb(f) - 'admin_notes' order by f.created_at, f.id), '[]')
      from public.beta_feedback f where f.user_id = v_user),
    'former_addresses', (
      select coalesce(jsonb_agg(f.email order by f.email), '[]') from private.former_addresses f where f.user_id = v_user),
    'mailing_list', (select coalesce(jsonb_agg(to_jsonb(m) - 'metadata'), '[]') from public.mailing_list m where m.user_id = v_user),
    'projects', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from public.startup_profiles s where s.owner_user_id = v_user),
    'subscriptions', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from public.subscriptions s where s.owner_user_id = v_user),
    'point_purchases', (
      select coalesce(jsonb_agg(to_jsonb(p) order by p.created_at, p.id), '[]')
      from public.point_purchases p where p.owner_user_id = v_user),
    'unused_payments', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', e.product_id, 'points', e.points, 'amount_cents', e.amount_cents,
        'payment_ref', e.payment_ref, 'reason', e.outcome ->> 'reason', 'created_at', e.created_at
      ) order by e.created_at, e.event_id), '[]')
      from private.payment_events e where e.payer_user_id = v_user),
    'quests', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.created_at, c.id), '[]')
      from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where s.owner_user_id = v_user),
    'tasks', (
      select coalesce(jsonb_agg(to_jsonb(t) order by t.campaign_id, t.order_index, t.id), '[]')
      from public.tasks t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles s on s.id = c.startup_id
      where s.owner_user_id = v_user),
    'appeals', (
      select coalesce(jsonb_agg(to_jsonb(a) - 'decided_by' order by a.created_at, a.id), '[]')
      from public.appeals a where a.user_id = v_user),
    -- The title of a quest that is no longer published may have become the owner's private draft.
    'saved_quests', (
      select coalesce(jsonb_agg(jsonb_build_object('campaign_id', q.campaign_id, 'saved_at', q.saved_at,
        'quest', case when c.status = 'published' then c.title end) order by q.saved_at, c.id), '[]')
      from public.saved_quests q join public.campaigns c on c.id = q.campaign_id where q.user_id = v_user),
    'followed_projects', (
      select coalesce(jsonb_agg(jsonb_build_object('startup_id', f.startup_id, 'followed_at', f.followed_at, 'project', s.name)
        order by f.followed_at, s.id), '[]')
      from public.followed_projects f join public.startup_profiles s on s.id = f.startup_id where f.user_id = v_user),
    'quest_views', (
      select coalesce(jsonb_agg(jsonb_build_object('campaign_id', v.campaign_id, 'viewed_at', v.viewed_at,
        'quest', case when c.status = 'published' then c.title end) order by v.viewed_at, c.id), '[]')
      from private.quest_views v join public.campaigns c on c.id = v.campaign_id where v.user_id = v_user),
    'usage_events', (
      select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]') from public.metrics_events e where e.user_id = v_user),
    'notifications', (
      select coalesce(jsonb_agg(to_jsonb(n) - 'user_id' order by n.id), '[]') from public.notifications n where n.user_id = v_user),
    'notification_preferences', (
      select coalesce(jsonb_agg(to_jsonb(p) - 'user_id' order by p.kind), '[]') from public.notification_preferences p
      where p.user_id = v_user),
    'mails_and_notices', (
      select coalesce(jsonb_agg(jsonb_build_object('type', o.type, 'payload', o.payload, 'created_at', o.created_at) order by o.id), '[]')
      from public.outbox_events o where o.user_id = v_user),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'path', o.name, 'created_at', o.created_at,
        'bytes', o.metadata -> 'size') order by o.bucket_id, o.name), '[]')
      from storage.objects o
      -- As in private.uploads_of.
      where o.bucket_id in ('proofs', 'project-logos') and o.name ~>=~ (v_user || '/') and o.name ~<~ (v_user || '0'))
  );
end $$;
comment on function public.get_own_data() is
  'The caller''s own rows of every table, by kind: what the export in the settings holds (BEY-24). Other people''s data (submissions to an '
  'owner''s quests, authors of decisions) is not included. Limited to five an hour. Errors: PLAIN_CALL_REQUIRED, UNAUTHENTICATED, '
  'RATE_LIMITED.';
grant execute on function public.get_own_data() to authenticated, service_role;

-- ==============================================================================================================================
-- 67_deployment_report.sql
-- ==============================================================================================================================

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
  ) o
$$;
comment on function private.catalogue_fingerprint() is
  'One hash per function, table (with columns and privileges of the API roles), constraint, index, trigger and policy, by name, ignoring '
  'comments and owners. Databases with equal hashes behave alike.';

create function public.get_deployment_report() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return jsonb_build_object(
    'migrations', to_jsonb(private.applied_migrations()),
    'objects', private.catalogue_fingerprint(),
    'tables_without_rls', (
      select coalesce(jsonb_agg(c.relname order by c.relname), '[]') from pg_catalog.pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
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

-- ==============================================================================================================================
-- 68_self_check.sql
-- ==============================================================================================================================

-- Monitoring: the function self-check calls this hourly, an external monitor every minute.

create function public.run_self_check() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_problems text[];
begin
  select array_agg(p.problem) into v_problems from (
    select format('Mail: %s were given up, the last because of "%s"', count(*), (array_agg(o.last_error order by o.failed_at desc))[1])
      as problem
    from public.outbox_events o where o.failed_at is not null and o.processed_at is null having count(*) > 0
    union all
    select format('Mail: the oldest has been waiting since %s', to_char(min(o.created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
    from public.outbox_events o where o.processed_at is null and o.failed_at is null having min(o.created_at) < now() - interval '1 hour'
    union all
    select format('Schedule: %s has not ended well since %s', s.worker, coalesce(s.last_success_at, 'it was set up'))
    from jsonb_to_recordset(private.worker_states()) s (worker text, last_success_at text, is_late boolean)
    where s.is_late and s.worker <> 'self-check'
    union all
    select format('Periodic work: %s has failed since %s with %s', j.job,
      to_char(j.failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), j.last_error)
    from private.failed_jobs j
  ) p;
  return jsonb_build_object('owner_email', (private.settings()).owner_email, 'problems', to_jsonb(coalesce(v_problems, '{}')));
end $$;
comment on function public.run_self_check() is
  'owner_email (null: not set) and problems, as sentences without personal data; empty when all is well. Checks mails that failed or '
  'have waited for more than an hour, late workers and failed periodic jobs; the ledger has a call of its own, reconcile_ledger. Service '
  'role only.';
grant execute on function public.run_self_check() to service_role;

create function public.get_health() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('late_workers', coalesce(jsonb_agg(s.worker) filter (where s.is_late), '[]'),
    'has_problems', bool_or(s.last_problem is not null) filter (where s.worker = 'self-check'))
  from jsonb_to_recordset(private.worker_states()) s (worker text, last_problem text, is_late boolean)
$$;
comment on function public.get_health() is
  'For the health check of the function self-check: late_workers, and has_problems when the last self-check found any. Service role only.';
grant execute on function public.get_health() to service_role;

-- ==============================================================================================================================
-- 70_deletion.sql
-- ==============================================================================================================================

-- Deleting an account: personal data is erased, and what the books need stays under an id that no longer refers to anybody.

create function private.lock_for_leaving(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_own uuid[] := array(
    select c.id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where s.owner_user_id = p_user_id);
  v_proofs uuid[] := array(
    select s.id from public.submissions s where s.user_id = p_user_id and (s.status = 'pending' or s.kept_until is not null));
begin
  -- A submission locks its picture first, then its member's rate limit, a decision the appeal or redemption.
  perform 1 from private.verified_uploads u where u.owner = p_user_id order by u.bucket, u.path for update;
  perform 1 from private.rate_limits r where right(r.subject, length(p_user_id) + 5) = 'user:' || p_user_id for update;
  perform 1 from public.appeals a
  where a.user_id = p_user_id and a.kind = 'rejection' and a.status = 'open' order by a.id for no key update;
  perform 1 from public.redemptions r where r.user_id = p_user_id and r.status = 'pending' order by r.id for no key update;
  -- Class by class over all rows, in the order of docs/data-model.md, as for a review.
  perform 1 from public.submissions s
  where s.user_id = p_user_id or s.campaign_id = any (v_own) and s.status = 'pending' order by s.id for no key update;
  -- By lists of ids: with conditions on two tables, all tasks and all quests would be read.
  perform 1 from public.tasks t where t.id = any (
    array(select o.id from public.tasks o where o.campaign_id = any (v_own))
    || array(select s.task_id from public.submissions s where s.id = any (v_proofs))
  ) order by t.id for no key update;
  perform 1 from public.campaigns c
  where c.id = any (v_own || array(select s.campaign_id from public.submissions s where s.id = any (v_proofs)))
  order by c.id for no key update;
  perform private.lock_wallets(array(
    select w.user_id from public.wallets w where w.user_id = p_user_id
    union select s.user_id from public.submissions s where s.campaign_id = any (v_own) and s.status = 'pending'
  ), v_own || array(select s.campaign_id from public.submissions s where s.id = any (v_proofs)));
end $$;
comment on function private.lock_for_leaving(text) is
  'Locks what deleting an account may change, in the global order: the person''s pictures, limits, appeals, redemptions and submissions, '
  'the quests of their project with the proofs that wait there, and all wallets concerned.';

create function private.withdraw_submissions(p_user_id text) returns uuid[]
language plpgsql security definer set search_path = ''
as $$
declare
  v_quests uuid[];
begin
  v_quests := array(
    select distinct s.campaign_id from public.submissions s
    where s.user_id = p_user_id and (s.status = 'pending' or s.kept_until is not null) order by 1);
  update public.tasks t set pending_count = t.pending_count - 1, pending_points = t.pending_points - s.reward_points
  from public.submissions s where s.task_id = t.id and s.user_id = p_user_id and s.status = 'pending';
  update public.campaigns c set pending_count = c.pending_count - s.total
  from (
    select campaign_id, count(*)::integer as total from public.submissions where user_id = p_user_id and status = 'pending' group by 1
  ) s where s.campaign_id = c.id;
  -- Nobody is left to appeal.
  perform private.release_kept_slots(array(select s.id from public.submissions s where s.user_id = p_user_id));
  update public.submissions s set status = 'rejected', reviewed_by = 'auto', review_note = 'The member deleted the account',
    reviewed_at = now()
  where s.user_id = p_user_id and s.status = 'pending';
  update public.submissions s set proof_url = null, proof_text = 'Removed with the account', participant_email = null
  where s.user_id = p_user_id;
  update public.submission_history h set proof_url = null, proof_text = null
  where h.user_id = p_user_id and (h.proof_url is not null or h.proof_text is not null);
  update public.submission_flags f set evidence = f.evidence - 'link' - 'domain'
  where f.user_id = p_user_id and f.evidence ?| array['link', 'domain'];
  delete from private.submission_fingerprints f using public.submissions s where s.id = f.submission_id and s.user_id = p_user_id;
  perform private.remove_shared_emails(p_user_id);
  return v_quests;
end $$;
comment on function private.withdraw_submissions(text) is
  'Rejects a deleted person''s pending submissions, which frees their slots and points, and removes proofs and addresses from all of the '
  'person''s submissions; owners are asked to delete copies of an address. Decisions stay. Returns the quests whose reserves the caller '
  'has to adjust. The caller has locked them.';

create function private.settle_for_leaving_owner(p_startup_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_reserved bigint;
begin
  for v_submission in
    select s.* from public.submissions s join public.campaigns c on c.id = s.campaign_id
    where c.startup_id = p_startup_id and c.held_at is null and s.status = 'pending' order by s.submitted_at, s.id
  loop
    select w.points into v_reserved from public.wallets w where w.campaign_id = v_submission.campaign_id;
    if coalesce(v_reserved, 0) >= v_submission.reward_points then
      perform private.approve(v_submission.id, 'auto', 'Approved because the project has left');
    else
      perform private.reject(v_submission.id, 'auto', 'other', 'The project has left and had too few points reserved to pay for this.');
    end if;
  end loop;
end $$;
comment on function private.settle_for_leaving_owner(uuid) is
  'Without an owner to review, pending proofs are approved in order of submission as far as the reserve goes, and the other members are '
  'notified (C-98). Proofs of held quests wait for an admin, and so do all of a project that is not public. The caller has locked '
  'submissions, quests and wallets.';

create function private.retire_startup(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup uuid;
  v_is_public boolean;
begin
  select s.id, s.is_public into v_startup, v_is_public from public.startup_profiles s where s.owner_user_id = p_user_id for no key update;
  if v_startup is null then
    return;
  end if;
  -- Who was suspended or revoked for paying their own accounts must not get them paid by leaving.
  if v_is_public then
    perform private.settle_for_leaving_owner(v_startup);
  end if;
  update public.campaigns c set status = 'closed', closed_at = now(), updated_at = now()
  where c.startup_id = v_startup and c.status <> 'closed';
  -- Also of those that were closed before, whose pending proofs may have been rejected just now.
  perform private.adjust_reserve_within_balance(w.campaign_id, v_startup, p_user_id) from (
    select r.campaign_id from public.wallets r join public.campaigns c on c.id = r.campaign_id where c.startup_id = v_startup order by r.id
  ) w;
  delete from public.campaign_email_collections e using public.campaigns c where c.id = e.campaign_id and c.startup_id = v_startup;
  update public.email_consents e set withdrawn_at = now() from public.campaigns c
  where c.id = e.campaign_id and c.startup_id = v_startup and e.withdrawn_at is null;
  update public.startup_profiles s set status = 'rejected', review_note = 'The owner deleted the account', owner_email = null,
    website = null, description = null, logo_url = null, former_name = null, renamed_at = null, changed_at = null, changed_from = null,
    -- An admin may still verify it, which counts for the person's next account; it lists nothing.
    suspended_at = coalesce(s.suspended_at, now())
  where s.id = v_startup;
end $$;
comment on function private.retire_startup(text) is
  'Settles pending proofs of a deleted owner (C-98), closes the quests, deletes the addresses that they collected (nobody may use them any '
  'more) and takes the project off the public lists for good. Its name and the ledger stay.';

create function public.anonymise_user(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
  -- With former ones, unless somebody else has them now.
  v_emails text[];
  v_was_suspended boolean;
  v_redemption public.redemptions;
  v_quests uuid[];
begin
  if private.clean(p_user_id) is null then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  perform pg_advisory_xact_lock(private.account_lock(p_user_id));
  -- Before rows are locked: whoever scans now may be waiting for them.
  perform private.scan_submissions(null);
  -- A decision about one of these locks it before the project and the profile that it restores.
  perform 1 from public.appeals a
  where a.user_id = p_user_id and a.kind <> 'rejection' and a.status = 'open' order by a.id for no key update;
  perform 1 from public.startup_profiles s where s.owner_user_id = p_user_id for no key update;
  -- The end of a plan locks it before its owner's profile.
  perform 1 from public.subscriptions s where s.owner_user_id = p_user_id order by s.id for no key update;
  select p.email, p.suspended_at is not null into v_email, v_was_suspended
  from public.user_profiles p where p.user_id = p_user_id for update;
  perform private.lock_for_leaving(p_user_id);
  v_quests := private.withdraw_submissions(p_user_id);
  -- Nothing can be delivered any more: refunds the points and restores the stock.
  for v_redemption in
    select r.* from public.redemptions r where r.user_id = p_user_id and r.status = 'pending' order by r.id
  loop
    perform private.cancel_redemption('system', v_redemption, null);
  end loop;
  -- What was promised to the person and is not needed any more returns to the projects.
  perform private.adjust_reserve_within_balance(c.id, c.startup_id, s.owner_user_id)
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = any (v_quests);
  perform private.retire_startup(p_user_id);

  delete from private.admins a where a.user_id = p_user_id;
  delete from private.idempotency_keys k where k.user_id = p_user_id;
  delete from private.task_tokens k where k.user_id = p_user_id;
  update public.notifications n set data = n.data - 'reason'
  from public.appeals a join public.startup_profiles s on s.id = a.startup_id
  where a.user_id = p_user_id and a.kind = 'rejection' and n.user_id = s.owner_user_id and n.type = 'RejectionAppealed'
    and n.data ->> 'reason' = a.words;
  update public.appeals a set words = 'Removed with the account' where a.user_id = p_user_id;
  update public.appeals a set status = 'upheld', decision_note = 'The member deleted the account', decided_by = 'system', decided_at = now()
  where a.user_id = p_user_id and a.status = 'open';
  v_emails := array(
    select f.email from private.former_addresses f
    where f.user_id = p_user_id and not exists (select 1 from public.user_profiles p where p.email = f.email and p.user_id <> p_user_id)
  ) || v_email;
  delete from private.unsubscribe_tokens t
  where t.email = any (v_emails) or t.email in (select m.email from public.mailing_list m where m.user_id = p_user_id);
  -- An opt-out stays, as a keyed hash (TRUST-25).
  delete from public.mailing_list m where m.user_id = p_user_id or m.email = any (v_emails);
  delete from private.former_addresses f where f.user_id = p_user_id;
  delete from private.checkout_holds h where h.owner_user_id = p_user_id;
  update public.subscriptions s set receipt_url = null where s.owner_user_id = p_user_id;
  update public.point_purchases p set receipt_url = null where p.owner_user_id = p_user_id;
  delete from public.email_consents e where e.user_id = p_user_id;
  delete from public.metrics_events e where e.user_id = p_user_id;
  delete from public.notifications n where n.user_id = p_user_id;
  delete from public.saved_quests s where s.user_id = p_user_id;
  delete from private.quest_views v where v.user_id = p_user_id;
  delete from public.followed_projects f where f.user_id = p_user_id;
  delete from public.notification_preferences p where p.user_id = p_user_id;
  delete from private.verified_uploads u where u.owner = p_user_id;
  delete from private.rate_limits r where right(r.subject, length(p_user_id) + 5) = 'user:' || p_user_id;
  update public.beta_feedback f set user_id = null, email = null where f.user_id = p_user_id or f.email = any (v_emails);
  delete from public.member_profiles m where m.user_id = p_user_id;
  delete from private.redemption_addresses a using public.redemptions r where r.id = a.redemption_id and r.user_id = p_user_id;
  update public.redemptions r set note = null where r.user_id = p_user_id and r.note is not null;
  update public.referral_codes c set is_active = false, code = 'GONE' || upper(substr(md5(gen_random_uuid()::text), 1, 12))
  where c.user_id = p_user_id and c.is_active;
  update public.outbox_events o set payload = '{}', last_error = null, failed_at = null, processed_at = coalesce(o.processed_at, now())
  where o.user_id = p_user_id;
  -- In events for others: the words of an appeal, and a withdrawn address unless its project is about to be asked to delete it.
  update public.outbox_events o set payload = o.payload - 'reason' where o.actor_id = p_user_id and o.type = 'RejectionAppealed';
  update public.outbox_events o set payload = o.payload - 'email', failed_at = null, processed_at = coalesce(o.processed_at, now())
  where o.actor_id = p_user_id and o.type = 'EmailWithdrawn' and o.failed_at is not null;
  update public.outbox_events o set actor_id = null where o.actor_id = p_user_id;

  update public.user_profiles p set username = 'deleted-member', display_name = null, avatar_url = null, email = null,
    verified_socials = '{}', interests = '{}', role = 'community', suspended_at = coalesce(p.suspended_at, now()),
    suspension_reason = case when p.suspended_at is null then 'Account deleted' else p.suspension_reason end
  where p.user_id = p_user_id and not exists (select 1 from private.deleted_users d where d.user_id = p_user_id);
  insert into private.deleted_users (user_id, was_suspended) values (p_user_id, coalesce(v_was_suspended, false))
  on conflict (user_id) do nothing;
  if found then
    perform private.audit('system', 'user.delete', 'user', p_user_id);
  end if;
end $$;
comment on function public.anonymise_user(text) is
  'The identity provider deleted the account: removes names, addresses, profile, proofs, collected addresses and feedback''s sender, '
  'closes the person''s quests and appeals and cancels pending redemptions; wallet, ledger, decisions and ratings stay under the bare id. '
  'Idempotent, also for an unknown person. The function clerk-webhook deletes the files. Service role only. Errors: PROFILE_NOT_FOUND.';
grant execute on function public.anonymise_user(text) to service_role;
