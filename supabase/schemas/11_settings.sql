-- Product settings: one row, typed columns, readable by everyone except for the owner's address.

create table public.app_settings (
  id boolean primary key default true check (id),
  beta_mode boolean not null default true,
  trial_quest_limit integer not null default 1 check (trial_quest_limit between 0 and 1000),
  trial_budget_points integer not null default 500 check (trial_budget_points between 0 and 1000000),
  referrer_points integer not null default 500 check (referrer_points between 0 and 100000),
  referred_points integer not null default 250 check (referred_points between 0 and 100000),
  submissions_per_minute integer not null default 6 check (submissions_per_minute between 1 and 600),
  member_count_base integer not null default 1000 check (member_count_base >= 0),
  member_floor integer not null default 47 check (member_floor >= 0),
  quest_floor integer not null default 3 check (quest_floor >= 0),
  points_floor integer not null default 12700 check (points_floor >= 0),
  og_slots integer not null default 100 check (og_slots between 0 and 100000),
  og_price_cents integer not null default 9900 check (og_price_cents between 50 and 99999999),
  og_original_price_cents integer not null default 29700 check (og_original_price_cents > 0),
  rewards_enabled boolean not null default true,
  leaderboard_enabled boolean not null default true,
  treat_unverified_as_verified boolean not null default false,
  owner_email text check (owner_email = lower(owner_email)),
  updated_at timestamptz not null default now(),
  project_changes_per_hour integer not null default 20 check (project_changes_per_hour between 1 and 10000),
  quest_creations_per_hour integer not null default 30 check (quest_creations_per_hour between 1 and 10000),
  quest_changes_per_hour integer not null default 120 check (quest_changes_per_hour between 1 and 10000),
  proof_files_per_person integer not null default 1000 check (proof_files_per_person between 1 and 100000),
  proof_megabytes_per_person integer not null default 500 check (proof_megabytes_per_person between 1 and 100000),
  logo_files_per_person integer not null default 10 check (logo_files_per_person between 1 and 1000),
  logo_megabytes_per_person integer not null default 20 check (logo_megabytes_per_person between 1 and 10000),
  paid_referrals_per_day integer not null default 20 check (paid_referrals_per_day between 1 and 100000),
  pack_small_points integer not null default 1000 check (pack_small_points between 0 and 1000000),
  pack_small_cents integer not null default 4900 check (pack_small_cents between 50 and 99999999),
  pack_medium_points integer not null default 5000 check (pack_medium_points between 0 and 1000000),
  pack_medium_cents integer not null default 19900 check (pack_medium_cents between 50 and 99999999),
  pack_large_points integer not null default 20000 check (pack_large_points between 0 and 1000000),
  pack_large_cents integer not null default 69900 check (pack_large_cents between 50 and 99999999)
);
comment on table public.app_settings is
  'The product''s switches and numbers, exactly one row. Changed by admins through update_app_settings.';
comment on column public.app_settings.beta_mode is
  'On: submissions are approved and projects verified at once, and the trial limits bind everyone (RULE-01..05, C-06, C-22, C-62).';
comment on column public.app_settings.trial_quest_limit is 'Quests, of any status, that a project on trial may have (RULE-04, C-23).';
comment on column public.app_settings.trial_budget_points is
  'Points granted once per owner at verification, and the sum of quest budgets on trial (RULE-05, C-02).';
comment on column public.app_settings.referrer_points is 'Points for the member who referred (REF-09).';
comment on column public.app_settings.referred_points is 'Points for the member who was referred (REF-09).';
comment on column public.app_settings.paid_referrals_per_day is
  'Paid referrals per member and UTC day (C-80). At least one, because more are refused: to pay for none, their points are set to 0.';
comment on column public.app_settings.submissions_per_minute is 'Submissions per member in any window of one minute (RULE-11).';
comment on column public.app_settings.member_count_base is 'Added to the number of profiles in the member count (DB-21, C-26).';
comment on column public.app_settings.member_floor is 'Minimum of the member count shown (HOME-09).';
comment on column public.app_settings.quest_floor is 'Minimum of the number of quests shown (HOME-09).';
comment on column public.app_settings.points_floor is 'Minimum of the points earned shown (HOME-09).';
comment on column public.app_settings.og_slots is 'Slots of the OG Lifetime plan (SUBS-02, C-21).';
comment on column public.app_settings.og_price_cents is 'Price of the OG Lifetime plan in US cents, within Stripe''s limits (SUBS-01).';
comment on column public.app_settings.og_original_price_cents is 'Struck-through price of the OG Lifetime plan in US cents (SUBS-01).';
comment on column public.app_settings.rewards_enabled is 'Feature check of the reward list and redeeming (REWARD-05, C-45).';
comment on column public.app_settings.leaderboard_enabled is 'Feature check of the leaderboard (REWARD-05).';
comment on column public.app_settings.treat_unverified_as_verified is 'SEC-06: the client treats startup_unverified as startup_verified.';
comment on column public.app_settings.owner_email is
  'The product owner''s address: whoever signs in with it, verified, is admin (SEC-05, C-12). Never readable by the API roles.';
comment on column public.app_settings.project_changes_per_hour is
  'Times that one person may create, edit or delete a project in any hour (TRUST-27).';
comment on column public.app_settings.quest_creations_per_hour is 'Quests that one person may create in any hour (TRUST-27).';
comment on column public.app_settings.quest_changes_per_hour is
  'Times that one person may edit, publish, pause, close or delete quests in any hour (TRUST-27).';
comment on column public.app_settings.proof_files_per_person is 'Screenshots that one member may keep uploaded (TRUST-26).';
comment on column public.app_settings.proof_megabytes_per_person is 'Storage for one member''s screenshots, in MiB (TRUST-26).';
comment on column public.app_settings.logo_files_per_person is 'Logo files that one person may keep uploaded (TRUST-26).';
comment on column public.app_settings.logo_megabytes_per_person is 'Storage for one person''s logo files, in MiB (TRUST-26).';
comment on column public.app_settings.pack_small_points is
  'Points of the small pack; 0: not for sale. Likewise for the other packs (BEY-20).';
comment on column public.app_settings.pack_small_cents is 'Price of the small pack in US cents; at least the payment provider''s minimum.';
create trigger app_settings_touch before update on public.app_settings
  for each row execute function private.touch_updated_at();

create function private.follow_owner_email() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.product_owner (email) values (new.owner_email)
  on conflict (id) do update set email = excluded.email, revoked_at = null;
  -- OLD on insert reads as a row of nulls.
  update public.user_profiles p set role = 'community'
  where p.email = old.owner_email and p.role = 'admin' and not private.is_admin_without_role(p.user_id);
  return null;
end $$;
comment on function private.follow_owner_email() is
  'Trigger: keeps private.product_owner equal to owner_email. Whoever had the former address counts as admin again once they sign in with '
  'a right of their own.';
create trigger app_settings_follow_owner_email after insert or update of owner_email on public.app_settings
  for each row execute function private.follow_owner_email();

insert into public.app_settings default values;

alter table public.app_settings enable row level security;
create policy app_settings_read on public.app_settings for select to anon, authenticated using (id);
comment on policy app_settings_read on public.app_settings is 'Settings are public except owner_email, which no API role may select.';
grant select (
  id, beta_mode, trial_quest_limit, trial_budget_points, referrer_points, referred_points, submissions_per_minute,
  member_count_base, member_floor, quest_floor, points_floor, og_slots, og_price_cents, og_original_price_cents,
  rewards_enabled, leaderboard_enabled, treat_unverified_as_verified, updated_at, paid_referrals_per_day,
  proof_files_per_person, proof_megabytes_per_person, logo_files_per_person, logo_megabytes_per_person,
  project_changes_per_hour, quest_creations_per_hour, quest_changes_per_hour,
  pack_small_points, pack_small_cents, pack_medium_points, pack_medium_cents, pack_large_points, pack_large_cents
) on public.app_settings to anon, authenticated;
grant select, update on public.app_settings to service_role;

create function private.settings() returns public.app_settings
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_settings public.app_settings;
begin
  select s.* into v_settings from public.app_settings s;
  return v_settings;
end $$;
comment on function private.settings() is 'The settings row.';

create function private.check_owner_rate(p_user_id text, p_action text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_settings public.app_settings := private.settings();
begin
  if not public.take_rate_limit('user:' || p_user_id, p_action, case p_action
    when 'project_change' then v_settings.project_changes_per_hour
    when 'quest_creation' then v_settings.quest_creations_per_hour
    when 'quest_change' then v_settings.quest_changes_per_hour end, 3600)
  then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_owner_rate(text, text) is
  'Limits what one person may do to projects and quests per hour: project_change, quest_creation or quest_change. Refused calls roll back '
  'and do not count (TRUST-27). Errors: RATE_LIMITED.';

create function private.apply_settings(p_settings public.app_settings) returns public.app_settings
language sql security definer set search_path = ''
as $$
  update public.app_settings a set
    beta_mode = p_settings.beta_mode, trial_quest_limit = p_settings.trial_quest_limit,
    trial_budget_points = p_settings.trial_budget_points,
    referrer_points = p_settings.referrer_points, referred_points = p_settings.referred_points,
    submissions_per_minute = p_settings.submissions_per_minute, member_count_base = p_settings.member_count_base,
    member_floor = p_settings.member_floor, quest_floor = p_settings.quest_floor, points_floor = p_settings.points_floor,
    og_slots = p_settings.og_slots, og_price_cents = p_settings.og_price_cents,
    og_original_price_cents = p_settings.og_original_price_cents,
    rewards_enabled = p_settings.rewards_enabled, leaderboard_enabled = p_settings.leaderboard_enabled,
    treat_unverified_as_verified = p_settings.treat_unverified_as_verified, paid_referrals_per_day = p_settings.paid_referrals_per_day,
    proof_files_per_person = p_settings.proof_files_per_person, proof_megabytes_per_person = p_settings.proof_megabytes_per_person,
    logo_files_per_person = p_settings.logo_files_per_person, logo_megabytes_per_person = p_settings.logo_megabytes_per_person,
    project_changes_per_hour = p_settings.project_changes_per_hour, quest_creations_per_hour = p_settings.quest_creations_per_hour,
    quest_changes_per_hour = p_settings.quest_changes_per_hour,
    pack_small_points = p_settings.pack_small_points, pack_small_cents = p_settings.pack_small_cents,
    pack_medium_points = p_settings.pack_medium_points, pack_medium_cents = p_settings.pack_medium_cents,
    pack_large_points = p_settings.pack_large_points, pack_large_cents = p_settings.pack_large_cents
  where a.id
  returning a.*
$$;
comment on function private.apply_settings(public.app_settings) is
  'Writes every setting that admins may change. Not owner_email, which is set by whoever installs the product.';

create function public.update_app_settings(p_settings jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.app_settings;
  v_after public.app_settings;
  v_key text;
begin
  if p_settings is null or jsonb_typeof(p_settings) <> 'object' then
    perform private.raise_error('INVALID_SETTINGS', 'One of the settings has an invalid value', 400);
  end if;
  select s.* into v_before from public.app_settings s for no key update;
  for v_key in select jsonb_object_keys(p_settings) loop
    if v_key in ('id', 'owner_email', 'updated_at') or not to_jsonb(v_before) ? v_key then
      perform private.raise_error('UNKNOWN_SETTING', format('Unknown setting: %s', left(v_key, 60)), 400);
    end if;
  end loop;
  begin
    v_after := private.apply_settings(jsonb_populate_record(v_before, p_settings));
  exception when data_exception or integrity_constraint_violation then
    perform private.raise_error('INVALID_SETTINGS', 'One of the settings has an invalid value', 400);
  end;
  perform private.audit(v_admin, 'settings.update', 'app_settings', 'settings',
    to_jsonb(v_before) - 'owner_email', to_jsonb(v_after) - 'owner_email');
  return to_jsonb(v_after) - 'owner_email';
end $$;
comment on function public.update_app_settings(jsonb) is
  'Admin changes the settings named in the object, all or none; returns the whole row (C-22, C-26). Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, UNKNOWN_SETTING, INVALID_SETTINGS.';
grant execute on function public.update_app_settings(jsonb) to authenticated, service_role;
