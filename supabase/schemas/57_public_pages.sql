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
        cross join lateral (select coalesce(p.display_name, m.handle) as name) n
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
  if not found then
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
