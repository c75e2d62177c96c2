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
      (
        select p.user_id from public.user_profiles p
        where (p.username || ' ' || coalesce(p.display_name, '') || ' ' || coalesce(p.email, '')) ilike $1
        order by p.created_at desc limit 200
      )
      union
      -- Not only those: whoever has exactly this name would be lost behind 200 newer names that contain it.
      (
        select p.user_id from public.user_profiles p
        where (p.username || ' ' || coalesce(p.display_name, '') || ' ' || coalesce(p.email, '')) ilike $2 || ' %'
          and p.username ilike $2
        limit 200
      )
    )
  $sql$ into v_members using p_pattern, substr(p_pattern, 2, length(p_pattern) - 2);
  return v_members;
end $$;
comment on function private.find_user_ids(text) is
  'The 200 newest members whose username, display name or e-mail matches a pattern of private.search_pattern, and those who have exactly '
  'the username that it asks for.';

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
  changed_at timestamptz, changed_from jsonb, former_name text, owner_deleted_at timestamptz
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
      s.former_name, (select d.deleted_at from private.deleted_users d where d.user_id = s.owner_user_id)$sql$,
    'public.startup_profiles s',
    array[
      case when v_page.pattern is not null then $sql$(s.name || ' ' || coalesce(s.owner_email, '')) ilike $2$sql$ end,
      case when p_status = 'changed' then 's.changed_at is not null'
        when p_status is not null then 's.status = $5::public.startup_status' end,
      case when p_startup_id is not null then 's.id = $6' end
    ],
    's.created_at', 's.id', private.sort_direction(p_sort), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, p_status, p_startup_id;
end $$;
comment on function public.admin_list_startups(text, text, integer, text, text, uuid) is
  'Projects with their owners'' addresses, newest or oldest first; search in name and address; status pending, verified, rejected, or '
  'changed: verified ones with a new name or website to check (ADMIN-03, C-96); p_startup_id: that project only. Next page: the cursor of '
  'the last row. Nullable: owner_email, logo_url, website, description, reviewed_by, review_note, reviewed_at, checked_at, suspended_at, '
  'revoked_at, changed_at, changed_from, former_name, owner_deleted_at. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, '
  'INVALID_SORT, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
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
      private.suspended_since(p), p.suspension_reason, p.created_at,
      private.encode_cursor('users', jsonb_build_array(p.created_at, p.id))$sql$,
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
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, p_status, p_startup_id, v_id;
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
  is_code_shown boolean, is_suspended boolean, returns_to_stock boolean
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
      private.suspended_since(p) is not null,
      case r.delivery when 'code' then exists (select 1 from private.reward_codes c where c.redemption_id = r.id and c.shown_at is null)
        else r.is_from_stock and exists (
          select 1 from public.rewards x where x.id = r.reward_id and x.stock_quantity is not null and x.delivery <> 'code') end
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
  'stored (C-93). returns_to_stock: whether private.cancel_redemption returns a unit. Nullable: username, email, note, handled_by, '
  'fulfilled_at, cancelled_at, address, sources. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_DELIVERY, '
  'INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
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
  reward_points integer, proof_url text, proof_text text, instructions_md text, earlier_instructions_md text
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
      a.submission_id, c.id, c.title, t.title, x.reward_points, x.proof_url, x.proof_text, t.instructions_md,
      private.instructions_before(c.id, t.id, x.submitted_at)$sql$,
    $sql$public.appeals a left join public.user_profiles p on p.user_id = a.user_id
      left join public.startup_profiles s on s.id = a.startup_id left join public.submissions x on x.id = a.submission_id
      left join public.tasks t on t.id = x.task_id left join public.campaigns c on c.id = x.campaign_id$sql$,
    array[case when p_status is not null then 'a.status = $5::public.appeal_status' end],
    'a.created_at', 'a.id', private.sort_direction(case p_status when 'open' then 'oldest' else 'newest' end), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id, p_status;
end $$;
comment on function public.admin_list_appeals(text, integer, text) is
  'Appeals, newest first, or open ones by due time (BEY-04, BEY-23); for a rejection with quest, proof and what the task asks for, '
  'and what it asked for when the proof was sent if that was rewritten since. Next page: the cursor of the last row. Nullable: username, '
  'startup_id, startup_name, against_reason, decision_note, decided_by, decided_at, submission_id, campaign_id, campaign_title, '
  'task_title, reward_points, proof_url, proof_text, instructions_md, earlier_instructions_md. Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, INVALID_STATUS, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.admin_list_appeals(text, integer, text) to authenticated, service_role;
