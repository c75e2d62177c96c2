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
        select 'person', p.user_id, p.username, p.email, case when private.suspended_since(p) is not null then 'suspended' end
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
      select 'person', p.user_id, p.username, p.email, case when private.suspended_since(p) is not null then 'suspended' end
      from public.user_profiles p where p.user_id = $1 or p.user_id = any ($3)
      order by p.user_id = $1 desc, lower(p.username) = lower($1) desc, p.created_at desc limit 5
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
  'People, projects, quests and redemptions, newest five of each, a person with exactly this username first: by name, e-mail or title, or '
  'by id (a submission''s id finds its quest). '
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
        'is_suspended', private.suspended_since(p) is not null) order by r.relation desc, r.user_id)
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
        'cancelled', count(*) filter (where r.status = 'cancelled'),
        'points', coalesce(sum(r.points_cost) filter (where r.status <> 'cancelled'), 0))
      from public.redemptions r where r.user_id = p_user_id),
    'admin_revoked_at', private.admin_revoked_at(p_user_id),
    'deletion', (
      select jsonb_build_object('at', d.deleted_at, 'was_suspended', d.was_suspended) from private.deleted_users d
      where d.user_id = p_user_id),
    'project', (
      select jsonb_build_object('id', s.id, 'name', s.name, 'status', s.status)
      from public.startup_profiles s where s.owner_user_id = p_user_id),
    'history', coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'action', a.action, 'at', a.created_at, 'note', a.note, 'actor', p.username)
        order by a.id desc)
      from (
        select l.* from public.audit_log l where l.subject_type = 'user' and l.subject_id = p_user_id order by l.id desc limit 10
      ) a left join public.user_profiles p on p.user_id = a.actor_id), '[]'));
end $$;
comment on function public.admin_get_person(text) is
  'What an admin needs to decide about a person, besides profile and wallets: submissions, open flags (the latest ten), related accounts, '
  'held points and whose action releases them, redemptions, when their admin right was revoked (TRUST-19), when the account was '
  'deleted and whether its suspension still holds for the person (C-97), project, and earlier admin actions. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN.';
grant execute on function public.admin_get_person(text) to authenticated, service_role;
