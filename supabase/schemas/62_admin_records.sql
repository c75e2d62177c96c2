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
    select count(*) filter (where a.status <> 'open'), count(*) filter (where a.decided_at <= a.due_at),
      (percentile_cont(0.5) within group (order by extract(epoch from a.decided_at - a.created_at)))::integer,
      count(*) filter (where a.status = 'overturned'), count(*) filter (where a.status = 'open'),
      count(*) filter (where a.status = 'open' and a.due_at <= now())
    from public.appeals a
    where a.status = 'open' or a.decided_at > now() - 90 * interval '24 hours' and a.decided_by <> 'system';
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

create function private.find_audit_subjects(p_pattern text, p_ids text[]) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_subjects text[];
begin
  -- Dynamic SQL, so that it is planned for this pattern.
  execute $sql$
    with projects as (
      select s.id from public.startup_profiles s where s.owner_user_id = any ($2)
      union
      (select s.id from public.startup_profiles s where (s.name || ' ' || coalesce(s.owner_email, '')) ilike $1 limit 200)
    )
    select array_agg(f.id) from (
      select unnest($2)
      union all select p.id::text from projects p
      union all select w.id::text from public.wallets w where w.owner_user_id = any ($2)
      union all select c.code from public.referral_codes c where c.user_id = any ($2)
      union all
      (select c.id::text from public.campaigns c where c.startup_id in (select p.id from projects p) order by c.created_at desc limit 200)
      union all (select c.id::text from public.campaigns c where c.title ilike $1 limit 200)
      union all (select s.id::text from public.submissions s where s.user_id = any ($2) order by s.submitted_at desc limit 200)
      union all (select r.id::text from public.redemptions r where r.user_id = any ($2) order by r.created_at desc limit 200)
    ) f (id)
  $sql$ into v_subjects using p_pattern, p_ids;
  return v_subjects;
end $$;
comment on function private.find_audit_subjects(text, text[]) is
  'Ids of what an audit search may mean: these ids, of people or of anything else; the people''s wallets, referral codes, projects, '
  'latest 200 submissions and latest 200 redemptions; 200 projects and 200 quests whose names match; the projects'' latest 200 quests.';

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
  v_ids text[];
  v_from text;
begin
  perform private.require_admin();
  v_limit := private.validate_limit(p_limit, 20);
  v_pattern := private.search_pattern(p_search);
  v_after := private.decode_cursor('audit', p_cursor, array['bigint']);
  v_ids := case when v_pattern is not null then private.find_user_ids(v_pattern) || btrim(p_search) end;
  v_from := concat('select a.* from public.audit_log a where ', case when v_after is not null then 'a.id < $2' else 'true' end,
    case when p_subject_type is not null then ' and a.subject_type = $4' end);
  return query execute format(
    $query$
      select a.id, a.actor_id, p.username, a.action, a.subject_type, a.subject_id, a.before, a.after, a.note, a.created_at,
        private.encode_cursor('audit', jsonb_build_array(a.id)),
        coalesce(s.name, a.after ->> 'name', a.before ->> 'name', a.after ->> 'title', a.before ->> 'title'), s.user_id, m.username
      from (%s order by id desc limit $1) a
      cross join lateral private.audit_subject(a.subject_type, a.subject_id) s
      left join public.user_profiles p on p.user_id = a.actor_id
      left join public.user_profiles m on m.user_id = s.user_id
      order by a.id desc
    $query$,
    -- Two ways in, so that each can use its index. The one by subject begins with the type, so all types that have an id are named.
    case when v_pattern is null then v_from else format(
      $sql$
        (%1$s and a.actor_id = any ($3) order by a.id desc limit $1) union
        (%1$s and a.subject_id = any ($5) and a.subject_type = any (
          '{user,startup,campaign,submission,redemption,reward,wallet,transfer,payment,appeal,referral_codes,beta_feedback,mailing_list,'
          'outbox_event}')
         order by a.id desc limit $1)
      $sql$, v_from) end
  ) using v_limit, v_after[1]::bigint, v_ids, p_subject_type,
    case when v_pattern is not null then private.find_audit_subjects(v_pattern, v_ids) end;
end $$;
comment on function public.admin_list_audit(text, text, integer, text) is
  'The audit log, newest first, with the names of its subjects, for deleted ones from the entry itself. A search finds what the people of '
  'that name or address did and what happened to them, and the projects, quests and ids that it names. Next page: the cursor of the '
  'last row (BEY-04). Nullable: actor_name, before, after, note, subject_name, subject_user_id, subject_username. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_LIMIT, INVALID_CURSOR, SEARCH_TOO_LONG.';
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
