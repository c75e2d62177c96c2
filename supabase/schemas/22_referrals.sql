-- Referrals: every member has a code; a new member who signs up through it earns both sides a bonus, once.

-- Codes ---------------------------------------------------------------------------------------------------------------

create table public.referral_codes (
  id uuid primary key default gen_random_uuid(),
  user_id text not null unique references public.user_profiles (user_id),
  code text not null unique check (code ~ '^[A-Z0-9]{4,20}$'),
  clicks integer not null default 0 check (clicks >= 0),
  successful_referrals integer not null default 0 check (successful_referrals >= 0),
  total_rewards_earned integer not null default 0 check (total_rewards_earned >= 0),
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table public.referral_codes is 'One code per member (DB-18).';
comment on column public.referral_codes.total_rewards_earned is 'Points that the code has earned its owner.';
create index referral_codes_top on public.referral_codes (successful_referrals desc, user_id);

alter table public.referral_codes enable row level security, alter code set statistics 0;
create policy referral_codes_read on public.referral_codes for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy referral_codes_read on public.referral_codes is 'The member and admins. Nobody can list other people''s codes.';
grant select on public.referral_codes to authenticated, service_role;

create function private.count_referral_code() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, c.change from (values
    ('codes', (new.id is not null)::integer - (old.id is not null)::integer),
    ('active_codes', coalesce(new.is_active::integer, 0) - coalesce(old.is_active::integer, 0)),
    ('code_clicks', coalesce(new.clicks, 0) - coalesce(old.clicks, 0)),
    ('code_referrals', coalesce(new.successful_referrals, 0) - coalesce(old.successful_referrals, 0))
  ) c (name, change) where c.change <> 0;
  return null;
end $$;
comment on function private.count_referral_code() is 'Trigger: maintains the counters derived from referral codes.';
create trigger referral_codes_count after insert or delete or update of is_active, clicks, successful_referrals on public.referral_codes
  for each row execute function private.count_referral_code();

create function private.random_referral_code() returns text
language sql volatile set search_path = ''
as $$
  select 'REF' || string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 1 + get_byte(r.bytes, n) % 32, 1), '')
  from (select extensions.gen_random_bytes(8) as bytes) r, generate_series(0, 7) n
$$;
comment on function private.random_referral_code() is
  'REF and eight random characters, without look-alikes. A code reveals nothing about its owner (C-100).';

create function private.ensure_referral_code(p_user_id text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_code text;
begin
  for v_try in 1 .. 10 loop
    select c.code into v_code from public.referral_codes c where c.user_id = p_user_id;
    if v_code is not null then
      return v_code;
    end if;
    -- What an admin has deactivated stays so when its member returns with another account; the codes of deleted accounts are renamed.
    -- Does nothing when the code is taken, or when a concurrent call was faster.
    insert into public.referral_codes (user_id, code, is_active)
    values (p_user_id, private.random_referral_code(), not exists (
      select 1 from public.referral_codes c
      where c.user_id = any (private.accounts_of_person(p_user_id)) and not c.is_active and c.code not like 'GONE%'))
    on conflict do nothing;
  end loop;
  perform private.raise_error('REFERRAL_CODE_FAILED', 'Failed to create referral record', 500);
end $$;
comment on function private.ensure_referral_code(text) is
  'The member''s code, created on first use; draws again when the code is taken (REF-10, C-100). Inactive if an admin has deactivated that '
  'of another account of the same person (C-81, C-108). Errors: REFERRAL_CODE_FAILED.';

create function public.create_user_referral_code() returns public.referral_codes
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_code public.referral_codes;
begin
  perform private.ensure_referral_code(v_user);
  select c.* into v_code from public.referral_codes c where c.user_id = v_user;
  return v_code;
end $$;
comment on function public.create_user_referral_code() is
  'The caller''s code, created on first use; idempotent (DB-27, REF-10). Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, '
  'REFERRAL_CODE_FAILED.';
grant execute on function public.create_user_referral_code() to authenticated, service_role;

create function public.track_referral_click(p_code text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_code text := coalesce(left(upper(private.clean(p_code)), 20), '');
  v_subject text := private.rate_limit_subject();
begin
  if not public.take_rate_limit(v_subject, 'referral_click', 30, 60)
    or not public.take_rate_limit('code:' || v_code || ':' || v_subject, 'referral_click', 5, 60)
    or not public.take_rate_limit('code:' || v_code, 'referral_click', 120, 60) then
    return false;
  end if;
  update public.referral_codes c set clicks = c.clicks + 1
  where c.code = v_code and c.is_active and c.user_id is distinct from public.current_user_id();
  return true;
end $$;
comment on function public.track_referral_click(text) is
  'Counts a visit through a code, by anyone (REF-04, C-47): per minute at most 30 from one person or IP address, 5 of them through one '
  'code, and 120 through a code in all; false beyond that. The owner''s own visits do not count. Unknown codes get the same answers within '
  'the same limits, so that codes cannot be probed.';
grant execute on function public.track_referral_click(text) to anon, authenticated, service_role;

-- Sign-ups ------------------------------------------------------------------------------------------------------------

create type public.referral_status as enum ('pending', 'completed');

create table public.referrals (
  id uuid primary key default private.uuidv7(),
  referrer_user_id text not null,
  referred_user_id text not null unique,
  referral_code text not null,
  status public.referral_status not null default 'pending',
  referrer_reward_points integer not null default 0 check (referrer_reward_points >= 0),
  referred_reward_points integer not null default 0 check (referred_reward_points >= 0),
  completed_at timestamptz,
  rewarded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (referrer_user_id <> referred_user_id),
  check ((status = 'completed') = (completed_at is not null))
);
comment on table public.referrals is
  'Who referred whom (DB-18). One permanent row per referred member, which makes a referral pay only once (TRUST-09).';
comment on column public.referrals.status is
  'completed in the transaction that pays the bonuses; a pending row is a defect (get_referral_system_health).';
comment on column public.referrals.rewarded_at is 'When the bonuses were paid; null when the settings had them at zero.';
create index referrals_referrer on public.referrals (referrer_user_id, created_at desc, id desc);
create index referrals_completed on public.referrals (completed_at desc, id desc) where status = 'completed';
create trigger referrals_touch before update on public.referrals
  for each row execute function private.touch_updated_at();

alter table public.referrals enable row level security, alter referral_code set statistics 0;
create policy referrals_read on public.referrals for select to authenticated
  using (
    referrer_user_id = (select public.current_user_id())
    or referred_user_id = (select public.current_user_id())
    or (select private.is_admin())
  );
comment on policy referrals_read on public.referrals is 'Both members, and admins.';
grant select on public.referrals to authenticated, service_role;

create function private.count_referral() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, c.change from (values
    ('referrals', (new.id is not null)::integer - (old.id is not null)::integer),
    ('pending_referrals', coalesce((new.status = 'pending')::integer, 0) - coalesce((old.status = 'pending')::integer, 0)),
    ('referral_points', case when new.status = 'completed' then new.referrer_reward_points + new.referred_reward_points else 0 end
      - case when old.status = 'completed' then old.referrer_reward_points + old.referred_reward_points else 0 end)
  ) c (name, change) where c.change <> 0;
  return null;
end $$;
comment on function private.count_referral() is
  'Trigger: maintains the counters derived from referrals; "referral_points" sums both sides of completed ones.';
create trigger referrals_count after insert or delete or update on public.referrals
  for each row execute function private.count_referral();

create function private.referrer_of_code(p_code text, p_user text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_referrer text;
begin
  select c.user_id into v_referrer
  from public.referral_codes c join public.user_profiles p on p.user_id = c.user_id
  where c.code = upper(private.clean(p_code)) and c.is_active and p.suspended_at is null and c.user_id <> p_user;
  if v_referrer is null then
    perform private.raise_error('INVALID_REFERRAL_CODE', 'Invalid referral code', 400);
  end if;
  return v_referrer;
end $$;
comment on function private.referrer_of_code(text, text) is
  'Owner of a referral code: active, not suspended, and not the caller (C-47). Errors: INVALID_REFERRAL_CODE.';

create function private.is_new_account(p_user text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select 1 from public.user_profiles p where p.user_id = p_user and p.created_at >= now() - interval '24 hours')
    and private.is_first_account(p_user)
    and not exists (
      select 1 from public.referrals r where r.referred_user_id = any (private.accounts_of_person(p_user)) and r.referred_user_id <> p_user
    )
$$;
comment on function private.is_new_account(text) is
  'Whether a member signed up in the last 24 hours, had no account with the same mailbox before and was never referred under another '
  '(C-47, C-81, TRUST-15).';

create function private.check_new_account(p_user text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text := private.jwt_email();
begin
  if v_email is null then
    perform private.raise_error('EMAIL_NOT_VERIFIED', 'This email address is not verified', 422);
  end if;
  perform private.remember_mailbox(p_user, v_email);
  perform private.lock_person(p_user);
  if not private.is_new_account(p_user) then
    perform private.raise_error('NOT_A_NEW_ACCOUNT', 'Only new accounts can use a referral code', 409);
  end if;
end $$;
comment on function private.check_new_account(text) is
  'A referred member has a verified address and a new account (TRUST-09). The caller has checked that there is a profile. Takes the '
  'person''s lock. Errors: EMAIL_NOT_VERIFIED, NOT_A_NEW_ACCOUNT.';

create function private.pay_referral(p_referral public.referrals) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_referrer uuid := private.ensure_user_wallet(p_referral.referrer_user_id);
  v_referred uuid := private.ensure_user_wallet(p_referral.referred_user_id);
  v_limit integer := (private.settings()).paid_referrals_per_day;
begin
  -- Lock order: both wallets by id, then the code, the hottest row.
  perform 1 from public.wallets w where w.id in (v_referrer, v_referred) order by w.id for no key update;
  -- Counted under the lock, including this referral.
  if (
    select count(*) > v_limit from public.referrals r
    where r.referrer_user_id = p_referral.referrer_user_id and r.rewarded_at is not null
      and r.created_at >= date_trunc('day', now(), 'UTC')
  ) then
    perform private.raise_error('REFERRAL_LIMIT', 'This invitation has been used too often today. Please try again tomorrow.', 429);
  end if;
  if p_referral.referrer_reward_points > 0 then
    perform private.hold_points(
      private.transfer(null, v_referrer, p_referral.referrer_reward_points, 'referral_bonus', 'Referral bonus',
        p_referral_id => p_referral.id),
      v_referrer, p_referral.referrer_reward_points, 'referral', p_referral.referred_user_id);
  end if;
  if p_referral.referred_reward_points > 0 then
    perform private.hold_points(
      private.transfer(null, v_referred, p_referral.referred_reward_points, 'welcome_bonus', 'Welcome bonus',
        p_referral_id => p_referral.id),
      v_referred, p_referral.referred_reward_points, 'referral', p_referral.referred_user_id);
  end if;
  update public.referral_codes c set successful_referrals = c.successful_referrals + 1,
    total_rewards_earned = c.total_rewards_earned + p_referral.referrer_reward_points
  where c.user_id = p_referral.referrer_user_id and c.is_active;
  if not found then
    -- Since it was looked up, its owner has been erased or an admin has deactivated it.
    perform private.raise_error('INVALID_REFERRAL_CODE', 'Invalid referral code', 400);
  end if;
end $$;
comment on function private.pay_referral(public.referrals) is
  'Pays a referral that was just inserted: both bonuses, held until the referred member has an approved task (C-80), and updates the '
  'code''s counters (REF-09). The unique referred member makes it idempotent. Errors: REFERRAL_LIMIT, INVALID_REFERRAL_CODE.';

create function public.process_referral_signup(p_user_id text, p_code text) returns public.referrals
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_settings public.app_settings := private.settings();
  v_referrer text;
  v_referral public.referrals;
begin
  if p_user_id is distinct from v_user then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  v_referrer := private.referrer_of_code(p_code, v_user);
  -- Inserted as completed: nobody else sees the row before the bonuses are paid. A concurrent call of the same member waits here and then
  -- finds it.
  insert into public.referrals (
    referrer_user_id, referred_user_id, referral_code, status, completed_at, rewarded_at, referrer_reward_points, referred_reward_points
  ) values (
    v_referrer, v_user, upper(private.clean(p_code)), 'completed', now(),
    case when v_settings.referrer_points + v_settings.referred_points > 0 then now() end,
    v_settings.referrer_points, v_settings.referred_points
  )
  on conflict (referred_user_id) do nothing returning * into v_referral;
  if v_referral.id is null then
    perform private.raise_error('ALREADY_REFERRED', 'User already referred', 409);
  end if;
  perform private.check_new_account(v_user);
  -- The referrer's account must be older, which rules out circles of any length (C-80).
  if (select a.created_at >= b.created_at from public.user_profiles a, public.user_profiles b
      where a.user_id = v_referrer and b.user_id = v_user) then
    perform private.raise_error('INVALID_REFERRAL_CODE', 'Invalid referral code', 400);
  end if;
  perform private.pay_referral(v_referral);
  perform private.enqueue_event('ReferralCompleted', v_referrer,
    jsonb_build_object('referral_id', v_referral.id, 'points', v_referral.referrer_reward_points));
  if v_referral.referred_reward_points > 0 then
    perform private.enqueue_event('PointsHeld', v_user,
      jsonb_build_object('points', v_referral.referred_reward_points, 'kind', 'welcome'));
  end if;
  return v_referral;
end $$;
comment on function public.process_referral_signup(text, text) is
  'The caller, a new member, claims the code that brought them: both sides are paid once, held until the member has an approved task '
  '(REF-05, REF-08, REF-09, C-47, C-80). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_REFERRAL_CODE, ALREADY_REFERRED, '
  'PROFILE_NOT_FOUND, EMAIL_NOT_VERIFIED, NOT_A_NEW_ACCOUNT, REFERRAL_LIMIT.';
grant execute on function public.process_referral_signup(text, text) to authenticated, service_role;

-- Admins --------------------------------------------------------------------------------------------------------------

create function public.set_referral_code_active(p_code text, p_is_active boolean) returns public.referral_codes
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.referral_codes;
  v_after public.referral_codes;
begin
  select c.* into v_before from public.referral_codes c where c.code = upper(private.clean(p_code)) for no key update;
  if v_before.id is null or p_is_active and exists (select 1 from private.deleted_users d where d.user_id = v_before.user_id) then
    perform private.raise_error('INVALID_REFERRAL_CODE', 'Invalid referral code', 400);
  elsif p_is_active is null then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  perform private.refuse_own_matter(v_admin, v_before.user_id);
  update public.referral_codes c set is_active = p_is_active where c.id = v_before.id returning c.* into v_after;
  if v_before.is_active <> p_is_active then
    perform private.audit(v_admin, 'referral_code.' || case when p_is_active then 'activate' else 'deactivate' end, 'referral_codes',
      v_after.code, jsonb_build_object('is_active', v_before.is_active), jsonb_build_object('is_active', v_after.is_active));
  end if;
  return v_after;
end $$;
comment on function public.set_referral_code_active(text, boolean) is
  'Admin deactivates a code, so that nobody can sign up through it, or reactivates it (C-108), but not that of a deleted account. Past '
  'referrals stay. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_REFERRAL_CODE, INVALID_STATUS, OWN_MATTER.';
grant execute on function public.set_referral_code_active(text, boolean) to authenticated, service_role;
