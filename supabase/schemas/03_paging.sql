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
