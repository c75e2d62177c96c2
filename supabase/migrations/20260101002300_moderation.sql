-- What admins do to put things right: take back an approval, suspend a person, change the product's settings.

create function private.unpay_submission(p_submission public.submissions, p_campaign public.campaigns, p_title text, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_member uuid := private.ensure_user_wallet(p_submission.user_id);
  v_startup uuid := private.startup_wallet(p_campaign.startup_id, p_owner);
  v_reserve uuid := private.reserve_wallet(p_campaign.id, p_owner);
begin
  if p_submission.reward_points > 0 then
    -- All three are locked first, in order: the transfer goes from member to reserve, what follows from project to reserve.
    perform 1 from public.wallets w where w.id = v_member for no key update;
    perform 1 from public.wallets w where w.id = v_startup for no key update;
    perform 1 from public.wallets w where w.id = v_reserve for no key update;
    perform private.transfer(v_member, v_reserve, p_submission.reward_points, 'reversal', 'Reversed: ' || p_title,
      'reversal:' || p_submission.id || ':' || p_submission.submitted_at,
      p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id);
  end if;
  perform private.settle_affordable(p_campaign.id, p_campaign.startup_id, p_owner);
end $$;
comment on function private.unpay_submission(public.submissions, public.campaigns, text, text) is
  'Posts the opposite of an approval''s payment: member to reserve, and on to the project what the reserve does not need. Errors: INSUFFICIENT_POINTS.';

create function public.reverse_submission(p_submission_id uuid, p_note text) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := left(private.clean(p_note), 1000);
  v_submission public.submissions;
  v_campaign public.campaigns;
  v_title text;
  v_owner text;
begin
  if v_note is null then
    perform private.fail('REASON_REQUIRED', 'A reason is required', 400);
  end if;
  select s.* into v_submission from public.submissions s where s.id = p_submission_id for no key update;
  if v_submission.id is null then
    perform private.fail('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif v_submission.status <> 'approved' then
    perform private.fail('NOT_APPROVED', 'Only an approved submission can be reversed', 409);
  elsif v_submission.user_id = v_admin then
    perform private.fail('FORBIDDEN', 'Forbidden', 403);
  end if;
  update public.submissions s set status = 'rejected', reviewed_by = v_admin, review_note = v_note, reviewed_at = now()
  where s.id = p_submission_id returning s.* into v_submission;
  update public.tasks t set approved_count = t.approved_count - 1 where t.id = v_submission.task_id returning t.title into v_title;
  update public.campaigns c set approved_count = c.approved_count - 1, points_distributed = c.points_distributed - v_submission.reward_points
  where c.id = v_submission.campaign_id returning c.* into v_campaign;
  select s.owner_user_id into v_owner from public.startup_profiles s where s.id = v_campaign.startup_id;
  perform private.unpay_submission(v_submission, v_campaign, v_title, v_owner);
  perform private.record_decision(v_submission, 'reversed', v_admin, v_note);
  perform private.audit(v_admin, 'submission.reverse', 'submission', p_submission_id::text,
    jsonb_build_object('status', 'approved'), jsonb_build_object('status', 'rejected', 'points', v_submission.reward_points), v_note);
  perform private.emit('SubmissionReversed', v_submission.user_id, jsonb_build_object(
    'submission_id', p_submission_id, 'campaign_id', v_submission.campaign_id, 'task', v_title, 'points', v_submission.reward_points, 'reason', v_note));
  return v_submission;
end $$;
comment on function public.reverse_submission(uuid, text) is
  'Admin takes an approval back, with a reason: the submission becomes rejected, opposite ledger entries take the points from the member and from the leaderboard, the slot is free again (TRUST-08). Points already spent cannot be taken: INSUFFICIENT_POINTS. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, SUBMISSION_NOT_FOUND, NOT_APPROVED, INSUFFICIENT_POINTS.';
grant execute on function public.reverse_submission(uuid, text) to authenticated, service_role;

-- Suspension -----------------------------------------------------------------------------------------------------------

create function private.suspension_of(p_profile public.user_profiles) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('suspended_at', p_profile.suspended_at, 'reason', p_profile.suspension_reason) $$;
comment on function private.suspension_of(public.user_profiles) is 'A person''s suspension as the audit log keeps it; nulls when there is none.';

create function public.suspend_user(p_user_id text, p_reason text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := left(private.clean(p_reason), 1000);
  v_before public.user_profiles;
  v_profile public.user_profiles;
begin
  if v_reason is null then
    perform private.fail('REASON_REQUIRED', 'A reason is required', 400);
  end if;
  select p.* into v_before from public.user_profiles p where p.user_id = p_user_id for no key update;
  if v_before.id is null then
    perform private.fail('PROFILE_NOT_FOUND', 'Profile not found', 404);
  elsif p_user_id = v_admin or v_before.role = 'admin' or exists (select 1 from private.admins a where a.user_id = p_user_id) then
    perform private.fail('ADMIN_NOT_SUSPENDABLE', 'Admins cannot be suspended', 409);
  end if;
  update public.user_profiles p set suspended_at = coalesce(p.suspended_at, now()), suspension_reason = v_reason
  where p.user_id = p_user_id returning p.* into v_profile;
  perform private.audit(v_admin, 'user.suspend', 'user', p_user_id, private.suspension_of(v_before), private.suspension_of(v_profile), v_reason);
  perform private.emit('AccountSuspended', p_user_id, jsonb_build_object('reason', v_reason));
  return v_profile;
end $$;
comment on function public.suspend_user(text, text) is
  'Admin suspends a person, with a reason that the person sees: reading goes on, every procedure that acts refuses (BEY-04). Again only changes the reason. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, PROFILE_NOT_FOUND, ADMIN_NOT_SUSPENDABLE.';
grant execute on function public.suspend_user(text, text) to authenticated, service_role;

create function public.lift_suspension(p_user_id text, p_note text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.user_profiles;
  v_after public.user_profiles;
begin
  select p.* into v_before from public.user_profiles p where p.user_id = p_user_id for no key update;
  if v_before.id is null then
    perform private.fail('PROFILE_NOT_FOUND', 'Profile not found', 404);
  elsif v_before.suspended_at is null then
    return v_before;
  end if;
  update public.user_profiles p set suspended_at = null, suspension_reason = null where p.user_id = p_user_id returning p.* into v_after;
  perform private.audit(v_admin, 'user.lift_suspension', 'user', p_user_id,
    private.suspension_of(v_before), private.suspension_of(v_after), left(private.clean(p_note), 1000));
  perform private.emit('SuspensionLifted', p_user_id, '{}');
  return v_after;
end $$;
comment on function public.lift_suspension(text, text) is 'Admin ends a suspension; no error when there is none (BEY-04). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, PROFILE_NOT_FOUND.';
grant execute on function public.lift_suspension(text, text) to authenticated, service_role;

-- Settings -------------------------------------------------------------------------------------------------------------

create function private.apply_settings(p_settings public.app_settings) returns public.app_settings
language sql security definer set search_path = ''
as $$
  update public.app_settings a set
    beta_mode = p_settings.beta_mode, trial_quest_limit = p_settings.trial_quest_limit, trial_budget_points = p_settings.trial_budget_points,
    referrer_points = p_settings.referrer_points, referred_points = p_settings.referred_points,
    submissions_per_minute = p_settings.submissions_per_minute, member_count_base = p_settings.member_count_base,
    member_floor = p_settings.member_floor, quest_floor = p_settings.quest_floor, points_floor = p_settings.points_floor,
    og_slots = p_settings.og_slots, og_price_cents = p_settings.og_price_cents, og_original_price_cents = p_settings.og_original_price_cents,
    rewards_enabled = p_settings.rewards_enabled, leaderboard_enabled = p_settings.leaderboard_enabled,
    treat_unverified_as_verified = p_settings.treat_unverified_as_verified
  where a.id
  returning a.*
$$;
comment on function private.apply_settings(public.app_settings) is
  'Writes every setting that admins may change. Not owner_email: who becomes admin is decided where the product is installed.';

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
    perform private.fail('INVALID_SETTINGS', 'One of the settings has an invalid value', 400);
  end if;
  select s.* into v_before from public.app_settings s for no key update;
  for v_key in select jsonb_object_keys(p_settings) loop
    if v_key in ('id', 'owner_email', 'updated_at') or not to_jsonb(v_before) ? v_key then
      perform private.fail('UNKNOWN_SETTING', format('Unknown setting: %s', left(v_key, 60)), 400);
    end if;
  end loop;
  begin
    v_after := private.apply_settings(jsonb_populate_record(v_before, p_settings));
  exception when data_exception or integrity_constraint_violation then
    perform private.fail('INVALID_SETTINGS', 'One of the settings has an invalid value', 400);
  end;
  perform private.audit(v_admin, 'settings.update', 'app_settings', 'settings',
    to_jsonb(v_before) - 'owner_email', to_jsonb(v_after) - 'owner_email');
  return to_jsonb(v_after) - 'owner_email';
end $$;
comment on function public.update_app_settings(jsonb) is
  'Admin changes the settings named in the object, all or none, and gets the whole row (C-22, C-26). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, UNKNOWN_SETTING, INVALID_SETTINGS.';
grant execute on function public.update_app_settings(jsonb) to authenticated, service_role;
