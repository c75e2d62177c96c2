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

create function private.with_separators(p_number bigint) returns text
language plpgsql immutable set search_path = ''
as $$ begin return to_char(p_number, 'FM999,999,999,999,999,999,990'); end $$;
comment on function private.with_separators(bigint) is 'A number as the app writes it in sentences: 1,250.';

create function private.to_int(p_value jsonb) returns integer
language plpgsql immutable set search_path = ''
as $$
begin
  if jsonb_typeof(p_value) not in ('number', 'string') then
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

create function private.is_web_address(p_url text) returns boolean
language plpgsql immutable set search_path = ''
as $$ begin return private.is_http_url(p_url) and p_url ~* '^https?://[^/?#]*[^./?#]\.[^./?#]'; end $$;
comment on function private.is_web_address(text) is
  'True for an http(s) URL whose host has a dot: what people type as a link, of which a single word is none.';

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
  if not private.is_web_address(v_url) then
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
