-- The review queue: submissions to all quests of the caller's project, and counts of pending ones (BEY-01).

create function private.find_submissions(
  p_campaign_id uuid, p_task_id uuid, p_status text, p_is_flagged boolean, p_search text, p_sort text, p_limit integer, p_cursor text
) returns table (n bigint, submission_id uuid, member_name text, cursor text, appeal_note text)
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
        private.encode_cursor(%2$L, jsonb_build_array(%3$s)),
        -- One that was overturned is against an earlier decision.
        (select a.decision_note from public.appeals a where a.submission_id = x.id and a.against_at = x.reviewed_at)
      from unnest($2) q (id)
      cross join lateral (
        select s.id, s.reviewed_at, coalesce(p.display_name, p.masked_username, '***') as member_name, %4$s
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
  'The page of list_review_submissions: ids, members'' names, cursors and answers to appeals. Security definer because it reads members'' '
  'names and appeals; limited to the caller''s own quests.';
grant execute on function private.find_submissions(uuid, uuid, text, boolean, text, text, integer, text) to authenticated, service_role;

create function public.list_review_submissions(
  p_campaign_id uuid default null, p_task_id uuid default null, p_status text default null, p_is_flagged boolean default false,
  p_search text default null, p_sort text default 'status', p_limit integer default 100, p_cursor text default null
) returns table (
  id uuid, campaign_id uuid, campaign_title text, task_id uuid, task_title text, task_points integer, user_id text, member_name text,
  participant_email text, proof_url text, proof_text text, status public.submission_status, reward_points integer, reviewed_by text,
  review_note text, rejection_reason public.rejection_reason, reviewed_at timestamptz, submitted_at timestamptz, flags jsonb, cursor text,
  review_due_at timestamptz, kept_until timestamptz, appealed_at timestamptz, appeal_note text
)
language sql stable set search_path = ''
as $$
  select s.id, s.campaign_id, c.title, s.task_id, t.title, t.reward_points, s.user_id, f.member_name, s.participant_email, s.proof_url,
    s.proof_text, s.status, s.reward_points, s.reviewed_by, s.review_note, s.rejection_reason, s.reviewed_at, s.submitted_at,
    public.flags(s), f.cursor, s.review_due_at, s.kept_until, s.appealed_at, f.appeal_note
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
  'reverses status, task and member. appeal_note: the answer to an appeal after which the rejection stands (BEY-23). Next page: the '
  'cursor of the last row. Nullable: participant_email, proof_url, proof_text, '
  'reviewed_by, review_note, rejection_reason, reviewed_at, review_due_at, kept_until, appealed_at, appeal_note. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_SORT, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
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
