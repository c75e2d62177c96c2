-- Lists that hold addresses: admins only, by procedure, page by page.

create index startup_profiles_created on public.startup_profiles (created_at desc, id desc);
create index startup_profiles_search on public.startup_profiles using gin ((name || ' ' || coalesce(owner_email, '')) extensions.gin_trgm_ops);
create index user_profiles_search on public.user_profiles using gin ((username || ' ' || coalesce(email, '')) extensions.gin_trgm_ops);

create function private.page_way(p_sort text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if coalesce(p_sort, 'newest') not in ('newest', 'oldest') then
    perform private.fail('INVALID_SORT', 'Unknown sort order', 400);
  end if;
  return case p_sort when 'oldest' then 'asc' else 'desc' end;
end $$;
comment on function private.page_way(text) is 'Direction of a list by time: newest (also for null) or oldest first. The cursor goes on in the same direction. Errors: INVALID_SORT.';

create function private.page_sql(p_columns text, p_from text, p_conditions text[], p_key text, p_way text, p_has_cursor boolean) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- As in list_published_quests: only the conditions asked for are written, so that each combination meets its index.
  return format('select %s from %s where %s order by %s limit $1', p_columns, p_from,
    array_to_string(
      array['true'] || p_conditions
        || case when p_has_cursor then format('(%s) %s ($3, $4)', p_key, case p_way when 'asc' then '>' else '<' end) end, ' and '),
    replace(p_key, ',', ' ' || p_way || ',') || ' ' || p_way);
end $$;
comment on function private.page_sql(text, text, text[], text, text, boolean) is
  'Query of one page of an admin''s list. p_key: the two columns it is sorted by, time and id. Null conditions are left out. Parameters: $1 limit, $2 search pattern, $3 and $4 time and id of the cursor, from $5 on what the conditions name. All pieces are literals of the calling procedure; text of a request comes in through parameters alone.';

create function private.check_choice(p_value text, p_choices text[]) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_value <> all (p_choices) then
    perform private.fail('INVALID_STATUS', 'Unknown status', 400);
  end if;
end $$;
comment on function private.check_choice(text, text[]) is 'Accepts one of the choices, or null for all of them. Errors: INVALID_STATUS.';

create type private.list_page as (size integer, pattern text, points bigint, at timestamptz, id uuid);
comment on type private.list_page is
  'What an admin asks of a list: rows of the page, search pattern (null: everything), and the sort key of the row after which it begins (id null: the first page).';

create function private.admin_page(p_list text, p_search text, p_limit integer, p_cursor text) returns private.list_page
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_from private.page_cursor;
begin
  perform private.require_admin();
  v_from := private.read_cursor(p_list, p_cursor);
  return row(private.checked_limit(p_limit, 20), private.search_pattern(p_search), v_from.points, v_from.at, v_from.id);
end $$;
comment on function private.admin_page(text, text, integer, text) is
  'Checks that an admin calls and what they ask of a list. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';

create function public.admin_list_startups(
  p_search text default null, p_status text default null, p_limit integer default 20, p_cursor text default null, p_sort text default 'newest'
) returns table (
  id uuid, owner_user_id text, owner_email text, name text, logo_url text, website text, description text, industry text,
  status public.startup_status, reviewed_by text, review_note text, reviewed_at timestamptz, created_at timestamptz,
  campaign_count bigint, has_subscription boolean, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('startups', p_search, p_limit, p_cursor);
  perform private.check_choice(p_status, array['pending', 'verified', 'rejected']);
  return query execute private.page_sql(
    $sql$s.id, s.owner_user_id, s.owner_email, s.name, s.logo_url, s.website, s.description, s.industry, s.status, s.reviewed_by,
      s.review_note, s.reviewed_at, s.created_at, (select count(*) from public.campaigns c where c.startup_id = s.id),
      private.has_active_subscription(s.id), private.write_cursor('startups', null, s.created_at, s.id)$sql$,
    'public.startup_profiles s',
    array[
      case when v_page.pattern is not null then $sql$(s.name || ' ' || coalesce(s.owner_email, '')) ilike $2$sql$ end,
      case when p_status is not null then 's.status = $5::public.startup_status' end
    ],
    's.created_at, s.id', private.page_way(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, p_status;
end $$;
comment on function public.admin_list_startups(text, text, integer, text, text) is
  'Projects with their owners'' addresses, newest or oldest first; search in name and address (ADMIN-03). Next page: the cursor of the last row. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_SORT, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_startups(text, text, integer, text, text) to authenticated, service_role;

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
  return query execute private.page_sql(
    $sql$p.id, p.user_id, p.username, p.display_name, p.email, p.role, p.og_badge, coalesce(w.points, 0), coalesce(w.lifetime_points, 0),
      p.suspended_at, p.suspension_reason, p.created_at, private.write_cursor('users', null, p.created_at, p.id)$sql$,
    'public.user_profiles p left join public.wallets w on w.user_id = p.user_id',
    array[case when v_page.pattern is not null then $sql$(p.username || ' ' || coalesce(p.email, '')) ilike $2$sql$ end],
    'p.created_at, p.id', private.page_way(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id;
end $$;
comment on function public.admin_list_users(text, integer, text, text) is
  'Members with address and balance, newest or oldest first; search in username and address. Next page: the cursor of the last row. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_SORT, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
grant execute on function public.admin_list_users(text, integer, text, text) to authenticated, service_role;
