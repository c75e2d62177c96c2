-- Streaks and badges, as shown to members and on public profiles (BEY-08).

create function private.active_weeks(p_user_id text) returns table (week date, tasks integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select w.week, sum(w.tasks)::integer from (
      select m.week, m.tasks from private.member_weeks m where m.user_id = p_user_id
      union all
      select s.week, s.tasks from private.unsummed_weeks(p_user_id) s
    ) w group by w.week having sum(w.tasks) > 0;
end $$;
comment on function private.active_weeks(text) is
  'Weeks in which a member completed tasks, with their number, including entries that are not rolled up yet.';

create function private.streak_now(p_user_id text) returns private.streak
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_streak private.streak := private.count_streak(array(select w.week from private.active_weeks(p_user_id) w));
  v_missed integer := coalesce((private.week_of(now()) - v_streak.last_week) / 7 - 1, 0);
begin
  -- The current week cannot be missed yet.
  if v_missed > 1 or v_missed = 1 and not v_streak.has_freeze then
    v_streak.weeks := 0;
  end if;
  v_streak.has_freeze := v_streak.has_freeze and v_missed < 1;
  return v_streak;
end $$;
comment on function private.streak_now(text) is
  'A member''s current streak; 0 weeks once it is broken. A freeze that covers last week forgives no other week.';

create function public.get_own_streak() returns table (
  weeks integer, best_weeks integer, has_freeze boolean, is_active_this_week boolean, is_freeze_in_use boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_streak private.streak := private.streak_now(private.require_user());
  v_week date := private.week_of(now());
begin
  perform private.cache_for(0, false);
  return query select v_streak.weeks, v_streak.best_weeks, v_streak.has_freeze, coalesce(v_streak.last_week = v_week, false),
    coalesce(v_streak.weeks > 0 and v_streak.last_week = v_week - 14, false);
end $$;
comment on function public.get_own_streak() is
  'The caller''s streak in ISO weeks (UTC) with a completed task. is_freeze_in_use: last week was missed, and the freeze preserves the '
  'streak until the end of this week. Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_own_streak() to authenticated, service_role;

-- Public profiles -----------------------------------------------------------------------------------------------------

create table public.member_profiles (
  id uuid primary key default gen_random_uuid(),
  user_id text not null unique references public.user_profiles (user_id),
  handle text not null unique check (handle ~ '^[a-z0-9](-?[a-z0-9]){2,29}$'),
  is_public boolean not null default true,
  updated_at timestamptz not null default now()
);
comment on table public.member_profiles is
  'Handles of members who chose to have a public profile, /m/{handle} (BEY-08). Hiding it keeps the handle.';
create trigger member_profiles_touch before update on public.member_profiles
  for each row execute function private.touch_updated_at();

alter table public.member_profiles enable row level security, alter handle set statistics 0;
create policy member_profiles_read on public.member_profiles for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy member_profiles_read on public.member_profiles is
  'The member and admins. Everybody else looks up one handle through get_member_profile, so that profiles cannot be listed.';
grant select on public.member_profiles to authenticated, service_role;

create function public.set_public_profile(p_handle text, p_is_public boolean default true) returns public.member_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_handle text := lower(private.clean(p_handle));
  v_profile public.member_profiles;
  v_is_allowed boolean := public.take_rate_limit('user:' || v_user, 'public_profile', 20, 86400);
begin
  -- Counted, but never refused: nobody has to stay public because they have changed it often, or their handle has become reserved, or
  -- because the handle on their screen is one that they have changed on another.
  update public.member_profiles m set is_public = false
  where m.user_id = v_user and not p_is_public
  returning m.* into v_profile;
  if v_profile.user_id is not null then
    return v_profile;
  elsif not v_is_allowed then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  elsif v_handle is null or v_handle !~ '^[a-z0-9](-?[a-z0-9]){2,29}$' then
    perform private.raise_error('INVALID_HANDLE', 'Please use 3 to 30 letters, digits and single hyphens', 400);
  elsif private.is_reserved_name(v_handle) and not private.is_admin() then
    perform private.raise_error('RESERVED_NAME', 'This name is reserved. Please choose another one.', 400);
  end if;
  begin
    insert into public.member_profiles (user_id, handle, is_public) values (v_user, v_handle, coalesce(p_is_public, true))
    on conflict (user_id) do update set handle = excluded.handle, is_public = excluded.is_public
    returning * into v_profile;
  exception when unique_violation then
    perform private.raise_error('HANDLE_TAKEN', 'Somebody else has this handle. Please choose another one.', 409);
  end;
  return v_profile;
end $$;
comment on function public.set_public_profile(text, boolean) is
  'The caller opts in to a public profile under a handle, changes the handle, or hides the profile, which has no limit and keeps its '
  'handle, whatever p_handle says. Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, RATE_LIMITED, INVALID_HANDLE, RESERVED_NAME, HANDLE_TAKEN.';
grant execute on function public.set_public_profile(text, boolean) to authenticated, service_role;

create function public.get_member_profile(p_handle text) returns table (
  handle text, display_name text, member_since date, lifetime_points bigint, tasks_done bigint, projects_helped bigint,
  streak_weeks integer, best_weeks integer, badges jsonb
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_profile record;
  v_streak private.streak;
begin
  perform private.cache_for(60, true);
  -- Not the username, which is a part of the mail address unless the member has changed it (PROF-05).
  select m.handle, p.user_id, coalesce(p.display_name, m.handle) as name, p.created_at into v_profile
  from public.member_profiles m join public.user_profiles p on p.user_id = m.user_id
  where m.handle = lower(private.clean(p_handle)) and m.is_public and p.suspended_at is null;
  if v_profile.user_id is null then
    return;
  end if;
  v_streak := private.streak_now(v_profile.user_id);
  return query
    select v_profile.handle, v_profile.name, date_trunc('month', v_profile.created_at at time zone 'UTC')::date,
      coalesce((select w.lifetime_points from public.wallets w where w.user_id = v_profile.user_id), 0),
      coalesce((select sum(w.tasks) from private.active_weeks(v_profile.user_id) w), 0)::bigint,
      (select count(distinct c.startup_id) from public.submissions s join public.campaigns c on c.id = s.campaign_id
        where s.user_id = v_profile.user_id and s.status = 'approved'),
      v_streak.weeks, v_streak.best_weeks,
      (select coalesce(jsonb_agg(jsonb_build_object('badge', b.badge, 'week', b.week) order by b.week, b.badge), '[]')
        from public.badges b where b.user_id = v_profile.user_id);
end $$;
comment on function public.get_member_profile(text) is
  'The public profile of a handle, counted from the ledger and the submissions; no row when there is none, it is hidden, or its member is '
  'suspended or deleted (BEY-08). Contains no quest, proof or address. display_name: the handle for a member without one.';
grant execute on function public.get_member_profile(text) to anon, authenticated, service_role;
