-- Referral figures: for the invited, for members on their own code, for admins on all.

create function public.get_referral_greeting(p_code text, out inviter_name text, out referred_points integer)
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.require_plain_call();
  referred_points := (private.settings()).referred_points;
  if public.take_rate_limit(private.rate_limit_subject(), 'referral_greeting', 20, 60) then
    select p.masked_name into inviter_name from public.referral_codes c join public.user_profiles p on p.user_id = c.user_id
    where c.code = left(upper(private.clean(p_code)), 20) and c.is_active and p.suspended_at is null;
  end if;
end $$;
comment on function public.get_referral_greeting(text) is
  'The inviter''s masked name and the points that the invited person gets. No name for an unknown code, nor beyond 20 calls a minute from '
  'one person or IP address; the page then shows no greeting. Errors: PLAIN_CALL_REQUIRED.';
grant execute on function public.get_referral_greeting(text) to anon, authenticated, service_role;

create function public.get_user_referral_stats(p_user_id text) returns table (
  referral_code text, clicks integer, successful_referrals integer, total_referrals bigint, total_points_earned integer,
  code_active boolean, held_points bigint, can_be_referred boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_self(p_user_id);
begin
  return query
    select c.code, coalesce(c.clicks, 0), coalesce(c.successful_referrals, 0),
      (select count(*) from public.referrals r where r.referrer_user_id = v_user),
      coalesce(c.total_rewards_earned, 0), coalesce(c.is_active, false),
      (select coalesce(sum(h.points), 0)::bigint from public.point_holds h join public.transfers t on t.id = h.id
        where h.user_id = v_user and h.released_at is null and h.reversed_at is null and t.kind = 'referral_bonus'),
      private.is_new_account(v_user) and not exists (select 1 from public.referrals r where r.referred_user_id = v_user)
    from (select v_user as user_id) u left join public.referral_codes c on c.user_id = u.user_id;
end $$;
comment on function public.get_user_referral_stats(text) is
  'Figures of a member''s code, exactly one row, zeros without a code (DB-18, REF-01). held_points: earned but still held (C-80). '
  'can_be_referred: new and not referred yet, so that process_referral_signup takes a code. The member or an admin. Nullable: '
  'referral_code. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_user_referral_stats(text) to authenticated, service_role;

create function public.list_own_referrals(p_limit integer default 10) returns table (
  id uuid, status public.referral_status, points integer, held_points bigint, created_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer := private.validate_limit(p_limit, 10);
begin
  return query
    select r.id, r.status, r.referrer_reward_points, coalesce((
      select h.points from public.point_holds h join public.transfers t on t.id = h.id
      where h.user_id = v_user and t.referral_id = r.id and h.released_at is null and h.reversed_at is null
    ), 0), r.created_at
    from public.referrals r where r.referrer_user_id = v_user
    order by r.created_at desc, r.id desc limit v_limit;
end $$;
comment on function public.list_own_referrals(integer) is
  'The latest sign-ups through the caller''s code, anonymous, with the points each earned and how many of them are still held (REF-07, '
  'C-80). Errors: UNAUTHENTICATED, SUSPENDED, INVALID_LIMIT.';
grant execute on function public.list_own_referrals(integer) to authenticated, service_role;

create function private.referral_overview() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb := private.counters();
  v_codes bigint := coalesce(v_counts -> 'codes', '0');
  v_clicks bigint := coalesce(v_counts -> 'code_clicks', '0');
  v_successful bigint := coalesce(v_counts -> 'code_referrals', '0');
begin
  return jsonb_build_object(
    'total_referral_codes', v_codes, 'total_clicks', v_clicks, 'total_successful_referrals', v_successful,
    'total_points_distributed', coalesce(v_counts -> 'referral_points', '0'),
    'conversion_rate', coalesce(round(100.0 * v_successful / nullif(v_clicks, 0), 1), 0),
    'avg_clicks_per_code', coalesce(round(v_clicks::numeric / nullif(v_codes, 0), 1), 0),
    'active_codes', coalesce(v_counts -> 'active_codes', '0')
  );
end $$;
comment on function private.referral_overview() is 'Totals over all codes; conversion_rate is a percentage.';

create function public.get_admin_referral_stats() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'overview', private.referral_overview(),
    'top_referrers', coalesce((
      select jsonb_agg(jsonb_build_object(
        'user_id', c.user_id, 'username', coalesce(p.username, 'Unknown User'), 'referral_code', c.code,
        'successful_referrals', c.successful_referrals, 'total_points_earned', c.total_rewards_earned
      ) order by c.successful_referrals desc, c.user_id)
      from (
        select * from public.referral_codes where successful_referrals > 0 order by successful_referrals desc, user_id limit 10
      ) c left join public.user_profiles p on p.user_id = c.user_id
    ), '[]'),
    'recent_referrals', coalesce((
      select jsonb_agg(jsonb_build_object(
        'referrer_username', coalesce(a.username, 'Unknown User'), 'referred_username', coalesce(b.username, 'Unknown User'),
        'referral_code', r.referral_code, 'points_awarded', r.referrer_reward_points + r.referred_reward_points,
        'completed_at', r.completed_at
      ) order by r.completed_at desc, r.id desc)
      from (
        select * from public.referrals where status = 'completed' order by completed_at desc, id desc limit 10
      ) r
      left join public.user_profiles a on a.user_id = r.referrer_user_id
      left join public.user_profiles b on b.user_id = r.referred_user_id
    ), '[]')
  );
end $$;
comment on function public.get_admin_referral_stats() is
  'overview, top_referrers (10) and recent_referrals (10) for admins, keys as in DB-19 (ADMIN-09, ADMIN-10). Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN.';
grant execute on function public.get_admin_referral_stats() to authenticated, service_role;

create function public.get_referral_system_health()
  returns table (health_score integer, users_without_codes bigint, failed_referrals bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb;
  v_members bigint;
  v_without_codes bigint;
  v_failed bigint;
begin
  perform private.require_admin();
  v_counts := private.counters();
  v_members := coalesce(v_counts -> 'members', '0');
  -- Every code belongs to a member, and a member has at most one.
  v_without_codes := v_members - coalesce(v_counts -> 'codes', '0')::bigint;
  v_failed := coalesce(v_counts -> 'pending_referrals', '0');
  return query
    select floor(100 * (1 - (v_without_codes + v_failed)::numeric
      / greatest(v_members + coalesce(v_counts -> 'referrals', '0')::bigint, 1)))::integer,
      v_without_codes, v_failed;
end $$;
comment on function public.get_referral_system_health() is
  'Percentage of members and referrals without a problem, members without a code, referrals that were never completed (DB-19, ADMIN-10). '
  'Admins only. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_referral_system_health() to authenticated, service_role;
