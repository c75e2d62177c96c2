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
        s.reviewed_at > now() - 30 * interval '24 hours' as is_new
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
