-- What list procedures share: how long an answer may be cached, page size, search, cursor and order.

create function private.cache_for(p_seconds integer, p_same_for_all boolean) returns void
language plpgsql stable set search_path = ''
as $$
begin
  -- Browsers always ask again (a person who has just acted must see it); shared caches absorb the polling of many.
  perform set_config('response.headers', case when p_same_for_all or public.current_user_id() is null
    then format('[{"Cache-Control": "public, max-age=0, s-maxage=%s"}, {"Vary": %s}]', p_seconds,
      case when p_same_for_all then '"Accept-Encoding"' else '"Authorization, Accept-Encoding"' end)
    else '[{"Cache-Control": "private, no-cache"}, {"Vary": "Authorization, Accept-Encoding"}]' end, true);
end $$;
comment on function private.cache_for(integer, boolean) is
  'Sets Cache-Control on the response: how many seconds a shared cache may keep it. Responses that depend on the caller (p_same_for_all '
  'false) are shared between visitors only.';
grant execute on function private.cache_for(integer, boolean) to anon, authenticated, service_role;

create function private.validate_limit(p_limit integer, p_default integer) returns integer
language plpgsql immutable set search_path = ''
as $$
begin
  if coalesce(p_limit, p_default) not between 1 and 100 then
    perform private.raise_error('INVALID_LIMIT', 'Please ask for 1 to 100 rows', 400);
  end if;
  return coalesce(p_limit, p_default);
end $$;
comment on function private.validate_limit(integer, integer) is 'Page size from 1 to 100, or the default for null. Errors: INVALID_LIMIT.';

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

create function private.search_pattern(p_search text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if length(p_search) > 100 then
    perform private.raise_error('SEARCH_TOO_LONG', 'Please use a shorter search', 400);
  end if;
  return '%' || regexp_replace(private.clean(p_search), '([\\%_])', '\\\1', 'g') || '%';
end $$;
comment on function private.search_pattern(text) is
  'ILIKE pattern that matches the literal text, wildcards escaped; null for a blank search. Errors: SEARCH_TOO_LONG.';

-- Cursors -------------------------------------------------------------------------------------------------------------

create type private.page_cursor as (points bigint, at timestamptz, id uuid);
comment on type private.page_cursor is 'Sort key of the last row of a page: points where the list is sorted by them, time, id.';

create function private.encode_cursor(p_list text, p_points bigint, p_at timestamptz, p_id uuid) returns text
language plpgsql stable set search_path = ''
as $$
begin
  return translate(encode(convert_to(jsonb_build_array(p_list, p_points, p_at, p_id)::text, 'UTF8'), 'base64'), E'+/=\n', '-_');
end $$;
comment on function private.encode_cursor(text, bigint, timestamptz, uuid) is
  'Opaque page cursor, bound to the list and sort order that produced it.';

create function private.decode_cursor(p_list text, p_cursor text) returns private.page_cursor
language plpgsql stable set search_path = ''
as $$
declare
  v_parts jsonb;
  v_cursor private.page_cursor;
begin
  if private.clean(p_cursor) is null then
    return null;
  end if;
  begin
    v_parts := convert_from(decode(
      rpad(translate(left(p_cursor, 400), '-_', '+/'), ((length(left(p_cursor, 400)) + 3) / 4) * 4, '='), 'base64'), 'UTF8')::jsonb;
    v_cursor := ((v_parts ->> 1)::bigint, (v_parts ->> 2)::timestamptz, (v_parts ->> 3)::uuid);
  exception when data_exception then
    v_parts := null;
  end;
  if v_parts ->> 0 is distinct from p_list or v_cursor.at is null or v_cursor.id is null then
    perform private.raise_error('INVALID_CURSOR', 'This page cannot be found. Please start from the first page.', 400);
  end if;
  return v_cursor;
end $$;
comment on function private.decode_cursor(text, text) is 'Decodes a page cursor; null for the first page. Errors: INVALID_CURSOR.';

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

create function private.build_page_query(
  p_columns text, p_from text, p_conditions text[], p_time text, p_id text, p_direction text, p_has_cursor boolean
) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- As in list_published_quests: only the conditions asked for are written, so that each combination can use its index.
  return format('select %s from %s where %s order by %s %s, %s %s limit $1', p_columns, p_from,
    array_to_string(
      array['true'] || p_conditions
        || case when p_has_cursor then format('(%s, %s) %s ($3, $4)', p_time, p_id, case p_direction when 'asc' then '>' else '<' end) end,
      ' and '),
    p_time, p_direction, p_id, p_direction);
end $$;
comment on function private.build_page_query(text, text, text[], text, text, text, boolean) is
  'Query for one page of an admin list, sorted by a time column and an id column. Null conditions are left out. Parameters: $1 limit, $2 '
  'search pattern, $3 and $4 time and id of the cursor, $5 and up whatever the conditions name. Every piece is a literal of the calling '
  'procedure; text from a request is passed as a parameter only.';
