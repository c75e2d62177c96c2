-- Saved quests and followed projects. Followers of a project are notified of its new quests (BEY-18).

create table public.saved_quests (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  saved_at timestamptz not null default now(),
  unique (user_id, campaign_id)
);
comment on table public.saved_quests is 'Quests saved for later, at most 500 per member.';
create index saved_quests_latest on public.saved_quests (user_id, saved_at desc, campaign_id desc);
create index saved_quests_campaign on public.saved_quests (campaign_id);
alter table public.saved_quests enable row level security;
create policy saved_quests_read on public.saved_quests for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy saved_quests_read on public.saved_quests is 'The member alone.';
grant select on public.saved_quests to authenticated;

create table public.followed_projects (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  followed_at timestamptz not null default now(),
  unique (user_id, startup_id)
);
comment on table public.followed_projects is 'Projects that members follow, at most 500 per member. Projects never learn who follows them.';
create index followed_projects_latest on public.followed_projects (user_id, followed_at desc, startup_id desc);
create index followed_projects_startup on public.followed_projects (startup_id, user_id);
alter table public.followed_projects enable row level security;
create policy followed_projects_read on public.followed_projects for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy followed_projects_read on public.followed_projects is 'The member alone.';
grant select on public.followed_projects to authenticated;

create function public.set_quest_saved(p_campaign_id uuid, p_is_saved boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
begin
  if not coalesce(p_is_saved, false) then
    delete from public.saved_quests s where s.user_id = v_user and s.campaign_id = p_campaign_id;
    return false;
  end if;
  -- Serialised, so that the limit holds.
  perform 1 from public.user_profiles p where p.user_id = v_user for no key update;
  perform 1 from public.campaigns c where c.id = p_campaign_id and c.status = 'published' for key share;
  if not found then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  if (select count(*) from public.saved_quests s where s.user_id = v_user and s.campaign_id <> p_campaign_id) >= 500 then
    perform private.raise_error('SAVED_LIMIT', 'You can save up to 500 quests. Please remove one first.', 409);
  end if;
  insert into public.saved_quests (user_id, campaign_id) values (v_user, p_campaign_id) on conflict do nothing;
  return true;
end $$;
comment on function public.set_quest_saved(uuid, boolean) is
  'Saves a published quest for the caller, or removes it from the saved ones; idempotent. Returns whether it is saved. Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, CAMPAIGN_NOT_FOUND, SAVED_LIMIT.';
grant execute on function public.set_quest_saved(uuid, boolean) to authenticated, service_role;

create function public.set_project_followed(p_startup_id uuid, p_is_followed boolean) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
begin
  if not coalesce(p_is_followed, false) then
    delete from public.followed_projects f where f.user_id = v_user and f.startup_id = p_startup_id;
    return false;
  end if;
  perform 1 from public.user_profiles p where p.user_id = v_user for no key update;
  perform 1 from public.startup_profiles s where s.id = p_startup_id and s.is_public for key share;
  if not found then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  if (select count(*) from public.followed_projects f where f.user_id = v_user and f.startup_id <> p_startup_id) >= 500 then
    perform private.raise_error('FOLLOWED_LIMIT', 'You can follow up to 500 projects. Please unfollow one first.', 409);
  end if;
  insert into public.followed_projects (user_id, startup_id) values (v_user, p_startup_id) on conflict do nothing;
  return true;
end $$;
comment on function public.set_project_followed(uuid, boolean) is
  'Follows or unfollows a public project for the caller; idempotent. Returns whether it is followed. Errors: UNAUTHENTICATED, SUSPENDED, '
  'PROFILE_NOT_FOUND, STARTUP_NOT_FOUND, FOLLOWED_LIMIT.';
grant execute on function public.set_project_followed(uuid, boolean) to authenticated, service_role;

create function public.list_saved_quests(p_limit integer default 20, p_cursor text default null) returns table (
  id uuid, startup_id uuid, startup_name text, startup_logo_url text, startup_verified boolean, title text, summary text,
  custom_reward_title text, reward_points integer, task_count integer, total_slots integer, open_slots integer, is_full boolean,
  published_at timestamptz, ends_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('saved_quests', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.cache_for(0, false);
  return query
    select c.id, c.startup_id, s.name, s.logo_url, s.status = 'verified', c.title, c.summary, c.custom_reward_title,
      c.open_reward_points, c.task_count, c.total_slots, greatest(c.open_slots, 0), c.is_full, c.published_at, c.ends_at,
      private.encode_cursor('saved_quests', jsonb_build_array(q.saved_at, c.id))
    from public.saved_quests q join public.campaigns c on c.id = q.campaign_id join public.startup_profiles s on s.id = c.startup_id
    where q.user_id = v_user and c.status = 'published' and (c.ends_at is null or c.ends_at > now())
      and (v_after is null or (q.saved_at, q.campaign_id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by q.saved_at desc, q.campaign_id desc limit v_limit;
end $$;
comment on function public.list_saved_quests(integer, text) is
  'The caller''s saved quests that are still listed, most recently saved first. Columns as in list_published_quests. Next page: the cursor '
  'of the last row. Nullable: startup_logo_url, custom_reward_title, ends_at. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT, '
  'INVALID_CURSOR.';
grant execute on function public.list_saved_quests(integer, text) to authenticated, service_role;

create function public.list_followed_projects(p_limit integer default 20, p_cursor text default null) returns table (
  id uuid, name text, logo_url text, industry text, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('followed_projects', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.cache_for(0, false);
  return query
    select s.id, s.name, s.logo_url, s.industry, private.encode_cursor('followed_projects', jsonb_build_array(f.followed_at, s.id))
    from public.followed_projects f join public.startup_profiles s on s.id = f.startup_id
    where f.user_id = v_user and s.is_public
      and (v_after is null or (f.followed_at, f.startup_id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by f.followed_at desc, f.startup_id desc limit v_limit;
end $$;
comment on function public.list_followed_projects(integer, text) is
  'The public projects that the caller follows, most recently followed first. Next page: the cursor of the last row. Nullable: logo_url. '
  'Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_followed_projects(integer, text) to authenticated, service_role;

-- New quests of followed projects -------------------------------------------------------------------------------------

create table private.quest_announcements (
  campaign_id uuid primary key,
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  announced_at timestamptz not null default now(),
  told_until text,
  untold uuid[] not null default '{}'
);
comment on table private.quest_announcements is
  'Quests that have been announced to the followers of their project; each is announced once. A quest''s row outlives it, or deleting '
  'quests would let a project announce more of them.';
comment on column private.quest_announcements.told_until is
  'While followers are being told, in the order of their ids: the last one that was, at first an empty text. Null once all have had '
  'their turn.';
comment on column private.quest_announcements.untold is
  'Ids in followed_projects of those who could not be told; they are tried again after everybody else.';
create index quest_announcements_startup on private.quest_announcements (startup_id, announced_at);
create index quest_announcements_unfinished on private.quest_announcements (announced_at, campaign_id)
  where told_until is not null or untold <> '{}';

create function private.tell_followers(p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_announcement private.quest_announcements;
  v_last text;
  v_turn uuid[];
  v_follower record;
  v_events bigint[] := '{}';
  v_untold uuid[];
  v_state text;
begin
  select a.* into v_announcement from private.quest_announcements a where a.campaign_id = p_campaign_id;
  if v_announcement.told_until is null then
    v_turn := v_announcement.untold;
    v_untold := '{}';
  else
    select array_agg(f.id), case when count(*) = 1000 then max(f.user_id) end into v_turn, v_last from (
      select f.id, f.user_id from public.followed_projects f
      where f.startup_id = v_announcement.startup_id and f.user_id > v_announcement.told_until order by f.user_id limit 1000
    ) f;
    v_untold := v_announcement.untold;
  end if;
  for v_follower in
    select f.id, f.user_id, jsonb_build_object('campaign_id', c.id, 'quest', c.title, 'project', s.name) as payload
    from public.campaigns c
    join public.startup_profiles s on s.id = c.startup_id
    join public.followed_projects f on f.startup_id = c.startup_id and f.id = any (v_turn) and f.user_id <> s.owner_user_id
      and f.followed_at < greatest(c.published_at, c.starts_at)
    join public.user_profiles p on p.user_id = f.user_id and p.suspended_at is null
    where c.id = p_campaign_id order by f.user_id
  loop
    begin
      v_events := v_events || private.enqueue_event('QuestPublished', v_follower.user_id, v_follower.payload);
    exception when others then
      raise warning 'A follower of quest % could not be told: %', p_campaign_id, sqlerrm;
      v_state := sqlstate;
      v_untold := v_untold || v_follower.id;
    end;
  end loop;
  if v_untold <> '{}' then
    perform private.record_failed_row('announce_quests', v_state, 'followers of quest', p_campaign_id);
  end if;
  -- Hardly anybody wants these mails, and other mails must not wait for all the rest.
  update public.outbox_events o set processed_at = now() where o.id = any (v_events) and not private.wants_mail(o.user_id, o.type);
  update private.quest_announcements a set told_until = v_last, untold = v_untold where a.campaign_id = p_campaign_id;
end $$;
comment on function private.tell_followers(uuid) is
  'Notifies the next thousand followers of an announced quest''s project, and notes the last of them in the same transaction. When all '
  'have had their turn: those who could not be told.';

create function private.next_announcement() returns uuid
language sql stable security definer set search_path = ''
as $$
  select n.id from (
    -- A quest that is not public while its followers are being told waits until it is again.
    (select c.id, f.failed_at, 1 as turn from private.quest_announcements a
    join public.campaigns c on c.id = a.campaign_id and c.status = 'published' and coalesce(c.ends_at > now(), true)
    join public.startup_profiles s on s.id = c.startup_id and s.is_public
    left join private.failed_rows f on f.job = 'announce_quests' and f.row_id = c.id
    where (a.told_until is not null or a.untold <> '{}') and f.failed_at is distinct from now()
    order by f.failed_at nulls first, a.announced_at, c.id limit 1)
    union all
    (select c.id, f.failed_at, 2 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id and s.is_public
    left join private.failed_rows f on f.job = 'announce_quests' and f.row_id = c.id
    where c.status = 'published' and c.published_at > now() - 60 * interval '24 hours'
      and greatest(c.published_at, c.starts_at) between now() - 2 * interval '24 hours' and now() and coalesce(c.ends_at > now(), true)
      and not exists (
        select 1 from private.quest_announcements a
        where a.campaign_id = c.id or a.startup_id = c.startup_id and a.announced_at > now() - interval '6 hours'
      ) and f.failed_at is distinct from now()
    order by f.failed_at nulls first, c.published_at desc, c.id desc limit 1)
  ) n order by n.failed_at nulls first, n.turn limit 1
$$;
comment on function private.next_announcement() is
  'The quest whose followers are told next: one whose followers have been told in part before new ones, and what has failed last. Null: '
  'none, or only what has failed in this transaction.';

create function private.announce_quests(p_time interval default '1 second') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign uuid;
begin
  -- One session at a time; others skip it. Two could announce two quests of one project, each not seeing the other's.
  if not pg_try_advisory_xact_lock(hashtextextended('announce_quests', 0)) then
    return;
  end if;
  loop
    v_campaign := private.next_announcement();
    exit when v_campaign is null;
    begin
      insert into private.quest_announcements (campaign_id, startup_id, told_until)
      select c.id, c.startup_id, '' from public.campaigns c where c.id = v_campaign on conflict (campaign_id) do nothing;
      perform private.tell_followers(v_campaign);
    exception when others then
      raise warning 'The quest % could not be announced: %', v_campaign, sqlerrm;
      perform private.record_failed_row('announce_quests', sqlstate, 'quest', v_campaign);
    end;
    exit when clock_timestamp() > now() + p_time;
  end loop;
end $$;
comment on function private.announce_quests(interval) is
  'Called on every tick of the outbox worker: notifies the followers of a project of quests that started within the last two days '
  '(QuestPublished), once per quest, however often it is published. A quest on hold is not published and not announced. A thousand '
  'followers at a time; starts with no more after p_time, and the next call goes on. A quest or follower that fails stops no other; it is '
  'recorded and retried after them.';
