-- Submitting a proof, and paying for an approval.

-- Approval ------------------------------------------------------------------------------------------------------------

create function private.settle_approval(
  p_submission public.submissions, p_startup_id uuid, p_title text, p_action text default 'approved'
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_promised integer := p_submission.reward_points;
  v_key text := private.payment_key(p_submission);
  v_description text := 'Task completion: ' || p_title;
  v_holders uuid[] := private.referral_holds_on(p_submission.user_id);
  v_holder uuid;
  v_member uuid := private.ensure_user_wallet(p_submission.user_id);
  v_startup uuid;
  v_free bigint;
  v_reserve uuid;
  v_reserved bigint;
  v_trial bigint;
  v_transfer bigint;
  v_held bigint := 0;
begin
  if v_holders <> '{}' then
    -- Lock order: members' wallets before the project's, including those whose holds this approval may release.
    perform 1 from public.wallets w where w.id = any (v_holders || v_member) order by w.id for no key update;
  end if;

  -- The quest is locked, so its reserve cannot shrink.
  select w.id, w.points, w.trial_points into v_reserve, v_reserved, v_trial from public.wallets w
  where w.campaign_id = p_submission.campaign_id;
  v_reserved := least(coalesce(v_reserved, 0), v_promised);
  if v_reserved < v_promised then
    -- Rare: the free balance pays the rest. All three are locked, in order, before the balance is read again.
    perform 1 from public.wallets w where w.id = v_member for no key update;
    select w.id, w.points into v_startup, v_free from public.wallets w where w.startup_id = p_startup_id for no key update;
    select w.points, w.trial_points into v_reserved, v_trial from public.wallets w where w.id = v_reserve for no key update;
    v_reserved := least(coalesce(v_reserved, 0), v_promised);
    if v_reserved + coalesce(v_free, 0) < v_promised then
      perform private.raise_error('STARTUP_INSUFFICIENT_POINTS', format(
        'Cannot approve submission: Startup has insufficient points. Current balance: %s, Required: %s',
        v_reserved + coalesce(v_free, 0), v_promised), 409);
    elsif v_reserved < v_promised then
      v_held := private.hold_trial_points(private.transfer(v_startup, v_member, v_promised - v_reserved, 'task_completion',
        v_description, case when v_reserved > 0 then v_key || ':balance' else v_key end, p_submission_id => p_submission.id,
        p_campaign_id => p_submission.campaign_id));
    end if;
  end if;
  if v_reserved > 0 then
    v_transfer := private.transfer(v_reserve, v_member, v_reserved, 'task_completion', v_description, v_key,
      p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id);
    v_held := v_held + case when v_trial > 0 then private.hold_trial_points(v_transfer) else 0 end;
  end if;

  -- An immediate approval by rule is recorded on the submission and in the ledger, and needs no history.
  if p_submission.reviewed_by not in ('beta', 'auto') then
    perform private.record_decision(p_submission, p_action, p_submission.reviewed_by, p_submission.review_note);
  end if;
  foreach v_holder in array v_holders loop
    perform private.release_holds(v_holder, p_submission.user_id);
  end loop;
  perform private.enqueue_event('SubmissionApproved', p_submission.user_id, jsonb_build_object(
    'submission_id', p_submission.id, 'campaign_id', p_submission.campaign_id, 'task', p_title, 'points', v_promised,
    'held', v_held, 'decided_by', p_submission.reviewed_by, 'status', nullif(p_action, 'approved')));
  return v_held;
end $$;
comment on function private.settle_approval(public.submissions, uuid, text, text) is
  'Settles an approval, or an overturned rejection (p_action overturned), in its transaction: pays the promised points once, from the '
  'quest''s reserve and the rest from the project''s free balance (C-01, RULE-08); writes the history, releases referral bonuses (C-80), '
  'enqueues SubmissionApproved (RULE-07). Returns how many of the points are held. Errors: STARTUP_INSUFFICIENT_POINTS.';

-- Submitting ----------------------------------------------------------------------------------------------------------

create function private.validate_proof_url(p_url text, p_user text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_url text := private.clean(p_url);
begin
  if v_url is null or private.is_web_address(v_url) then
    return v_url;
  end if;
  -- A screenshot is referred to by its path in the private bucket: in the member's own folder, uploaded, and verified to be a picture
  -- (C-59).
  if v_url like 'proofs/%' then
    if private.is_verified_upload('proofs', substr(v_url, 8), p_user) then
      return v_url;
    elsif split_part(v_url, '/', 2) = p_user then
      perform private.raise_error('UPLOAD_NOT_CHECKED', 'This file has not been checked yet. Please upload it again.', 409);
    end if;
  end if;
  perform private.raise_error('INVALID_PROOF_URL', 'Invalid URL format', 400);
end $$;
comment on function private.validate_proof_url(text, text) is
  'A web address, or the path of the member''s own screenshot that the server has verified (QUEST-19, C-59, C-89). Errors: '
  'INVALID_PROOF_URL, UPLOAD_NOT_CHECKED.';

create function private.check_submission_rate(p_user text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not public.take_rate_limit('user:' || p_user, 'submit_proof', (select x.submissions_per_minute from public.app_settings x), 60) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_submission_rate(text) is
  'At most 6 (a setting) accepted submissions in any minute, whatever their status now (RULE-11). The row lock on the limit serialises a '
  'member''s submissions, which also makes "once per task" exact. Errors: RATE_LIMITED.';

create function private.reserve_slot(
  p_task_id uuid, p_user text, p_old public.submissions, p_approved boolean, p_promised_reward integer default null
) returns public.tasks
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_is_new boolean := p_old.id is null;
  v_is_new_participant boolean;
  v_kept integer := (p_old.kept_until is not null and not p_old.is_slot_reopened)::integer;
begin
  update public.tasks t set approved_count = t.approved_count + p_approved::integer,
    pending_count = t.pending_count + (not p_approved)::integer,
    pending_points = t.pending_points + case when p_approved then 0 else greatest(t.reward_points, p_promised_reward) end,
    kept_count = t.kept_count - v_kept,
    kept_points = t.kept_points - case when p_old.kept_until is not null then p_old.reward_points else 0 end,
    raised_points = t.raised_points - v_kept * greatest(t.reward_points - p_old.reward_points, 0)
  where t.id = p_task_id and t.approved_count + t.pending_count + t.kept_count - v_kept < t.max_completions returning t.* into v_task;
  if v_task.id is null then
    if not exists (select 1 from public.tasks t where t.id = p_task_id) then
      perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
    end if;
    perform private.raise_error('QUEST_FULL', 'Quest Full', 409);
  end if;
  v_task.reward_points := greatest(v_task.reward_points, p_promised_reward);
  v_is_new_participant := not exists (
    select 1 from public.submissions s where s.user_id = p_user and s.campaign_id = v_task.campaign_id);
  update public.campaigns c set approved_count = c.approved_count + p_approved::integer,
    pending_count = c.pending_count + (not p_approved)::integer, kept_count = c.kept_count - v_kept,
    points_distributed = c.points_distributed + case when p_approved then v_task.reward_points else 0 end,
    submission_count = c.submission_count + v_is_new::integer, participant_count = c.participant_count + v_is_new_participant::integer
  where c.id = v_task.campaign_id;
  return v_task;
end $$;
comment on function private.reserve_slot(uuid, text, public.submissions, boolean, integer) is
  'Takes one slot of a task, as approved or pending; together they never exceed max_completions (TRUST-04, TRUST-07). p_old: the '
  'member''s rejected submission, whose kept slot is reused; null: none. p_promised_reward: minimum reward. Returns the task with this '
  'member''s reward; task and quest are locked, and the caller checks that the quest is open. Errors: TASK_NOT_FOUND (deleted meanwhile), '
  'QUEST_FULL.';

create function private.cover_promised_reward(p_submission public.submissions, p_campaign public.campaigns) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner text := (select s.owner_user_id from public.startup_profiles s where s.id = p_campaign.startup_id);
begin
  -- Locks everything that the payment may lock, in order, before the reserve.
  perform 1 from public.wallets w
  where w.id = any (private.referral_holds_on(p_submission.user_id) || private.ensure_user_wallet(p_submission.user_id))
  order by w.id for no key update;
  perform private.adjust_reserve(p_campaign.id, p_campaign.startup_id, v_owner,
    private.required_reserve(p_campaign.id) + case p_submission.status when 'approved' then p_submission.reward_points else 0 end);
exception when sqlstate 'PT409' then
  perform private.raise_error('STARTED_REWARD_NOT_COVERED', format(
    'This member started when the task paid %s points, and the project has too few points for that.', p_submission.reward_points), 409);
end $$;
comment on function private.cover_promised_reward(public.submissions, public.campaigns) is
  'Moves what a member was promised beyond the current reward from the project''s free points to the reserve, before it is paid '
  '(TRUST-20). Errors: STARTED_REWARD_NOT_COVERED.';

create function private.auto_reviewer(p_task public.tasks, p_verified_by text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Missing funds leave the submission pending (C-07). Barring defects the reserve suffices: once the slot is taken, the lock on the task
  -- keeps it so.
  if p_task.reward_points > coalesce((select w.points from public.wallets w where w.campaign_id = p_task.campaign_id), 0)
    and not exists (
      select 1 from public.campaigns c
      join public.wallets f on f.startup_id = c.startup_id
      left join public.wallets r on r.campaign_id = c.id
      where c.id = p_task.campaign_id and f.points + coalesce(r.points, 0) >= p_task.reward_points
    )
  then
    return null;
  end if;
  return case when p_verified_by is not null then p_verified_by
    when (select s.beta_mode from public.app_settings s) then 'beta'
    when p_task.auto_verify and not p_task.requires_proof then 'auto' end;
end $$;
comment on function private.auto_reviewer(public.tasks, text) is
  'Who approves a submission of this task immediately: the verified action behind it, "beta", "auto" for auto-verified tasks without proof '
  '(C-06); null when it waits for the owner.';

create function private.approval_note(p_reviewer text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return case p_reviewer
    when 'beta' then 'Beta auto-approved - instant rewards!'
    when 'auto' then 'Verified automatically'
    when 'code' then 'Verified: the completion code was right'
    when 'call' then 'Verified: the project''s own system confirmed it'
    when 'check' then 'Verified: confirmed when Questboard asked' end;
end $$;
comment on function private.approval_note(text) is 'Review note that explains an approval by the server.';

create function private.require_open_quest(p_task_id uuid, p_user text) returns public.campaigns
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_found record;
  v_campaign public.campaigns;
begin
  select c as campaign, s.owner_user_id as owner into v_found
  from public.tasks t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles s on s.id = c.startup_id
  where t.id = p_task_id;
  v_campaign := v_found.campaign;
  if v_campaign.id is null then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  elsif v_found.owner = p_user then
    perform private.raise_error('OWN_QUEST', 'You cannot complete your own quest', 403);
  elsif v_campaign.status <> 'published' then
    perform private.raise_error('QUEST_NOT_OPEN', 'This quest is not open for submissions', 409);
  elsif v_campaign.starts_at > now() then
    perform private.raise_error('QUEST_NOT_STARTED', 'This quest has not started yet', 409);
  elsif v_campaign.ends_at <= now() then
    perform private.raise_error('QUEST_ENDED', 'This quest has ended', 409);
  end if;
  return v_campaign;
end $$;
comment on function private.require_open_quest(uuid, text) is
  'The quest of a task, if it accepts proofs from this member now (TRUST-06, TRUST-07). Errors: TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, '
  'QUEST_NOT_STARTED, QUEST_ENDED.';

create function private.check_shared_email(p_campaign public.campaigns, p_email text) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_campaign.collect_emails and p_email is null then
    perform private.raise_error('EMAIL_REQUIRED', 'Email is required', 400);
  elsif not private.is_email(p_email) then
    perform private.raise_error('INVALID_EMAIL', 'Please enter a valid email address', 400);
  elsif p_campaign.collect_emails and not private.is_own_address(p_email) then
    perform private.raise_error('EMAIL_NOT_VERIFIED', 'This email address is not verified', 422);
  elsif p_campaign.collect_emails and (
    select count(*) from public.email_consents e join public.campaigns c on c.id = e.campaign_id
    where e.user_id = public.current_user_id() and e.withdrawn_at > now() - interval '24 hours' and c.startup_id = p_campaign.startup_id
  ) >= 5 then
    -- Each withdrawal leaves a row, and after the hand-over it is mailed to the project, whatever that has received.
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_shared_email(public.campaigns, text) is
  'Where a quest collects addresses, requires a verified one of the caller (BEY-10), who has not withdrawn it from this project five times '
  'within a day (TRUST-27). Errors: EMAIL_REQUIRED, INVALID_EMAIL, EMAIL_NOT_VERIFIED, RATE_LIMITED.';

create function private.record_submission(
  p_user text, p_task public.tasks, p_url text, p_text text, p_email text, p_expected_reward integer, p_subscribe boolean,
  p_verified_by text default null, p_promised_reward integer default null, p_consent text default null,
  p_token text default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_old public.submissions;
  v_new public.submissions;
  v_reviewer text;
  v_campaign public.campaigns;
  v_status public.submission_status;
  v_reviewed_at timestamptz;
  v_due_at timestamptz;
  v_check_at timestamptz;
begin
  perform private.check_submission_rate(p_user);
  select s.* into v_old from public.submissions s where s.task_id = p_task.id and s.user_id = p_user for no key update;
  if v_old.status in ('pending', 'approved') then
    perform private.raise_error('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409);
  elsif v_old.appealed_at is not null and v_old.kept_until is not null then
    perform private.raise_error('APPEAL_OPEN', 'Your appeal is being decided. You can send a new proof after that.', 409);
  end if;
  v_reviewer := private.auto_reviewer(p_task, p_verified_by);
  if exists (select 1 from public.submission_history h where h.submission_id = v_old.id and h.action = 'reversed') then
    -- What an admin has taken back waits for a person, whatever comes next: another proof in beta, or the same code once more.
    v_reviewer := null;
  end if;
  v_task := private.reserve_slot(p_task.id, p_user, v_old, v_reviewer is not null, p_promised_reward);
  -- Read under the lock, because the owner may have changed the quest since the caller read it.
  v_campaign := private.require_open_quest(p_task.id, p_user);
  if (v_task.verification, v_task.requires_proof) <> (p_task.verification, p_task.requires_proof) then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  perform private.check_price(p_expected_reward, v_task.reward_points, 'points');
  if p_token is not null then
    -- Without the address if the member agreed to something else when they started. Locked, because they may be withdrawing it or
    -- unsubscribing at this moment, and only now, because deleting the task locks the token after the task.
    select k.participant_email, k.subscribes into p_email, p_subscribe from private.task_tokens k
    where k.token = p_token and k.consent = private.consent_statement(v_campaign.id) for no key update;
  end if;
  if v_old.id is not null then
    perform private.record_decision(v_old, 'resubmitted', 'member', v_old.review_note);
  end if;

  if v_reviewer is null then
    v_status := 'pending';
    v_due_at := now() + make_interval(hours => v_campaign.review_hours);
    v_check_at := now() + make_interval(hours => v_campaign.review_hours) * 0.5;
  else
    v_status := 'approved';
    v_reviewed_at := now();
  end if;
  insert into public.submissions as s (task_id, campaign_id, user_id, proof_url, proof_text, participant_email, reward_points,
    status, reviewed_by, review_note, reviewed_at, review_due_at, review_check_at)
  values (p_task.id, v_campaign.id, p_user, p_url, p_text, case when v_campaign.collect_emails then p_email end, v_task.reward_points,
    v_status, v_reviewer, private.approval_note(v_reviewer), v_reviewed_at, v_due_at, v_check_at)
  on conflict (task_id, user_id) do update set proof_url = excluded.proof_url, proof_text = excluded.proof_text,
    participant_email = excluded.participant_email, reward_points = excluded.reward_points, status = excluded.status,
    reviewed_by = excluded.reviewed_by, review_note = excluded.review_note, reviewed_at = excluded.reviewed_at, submitted_at = now(),
    rejection_reason = null, review_due_at = excluded.review_due_at, review_check_at = excluded.review_check_at,
    kept_until = null, appealed_at = null, is_slot_reopened = false
  returning s.* into v_new;
  if v_new.participant_email is not null then
    perform private.check_consent(v_campaign.id, p_consent);
    insert into public.campaign_email_collections (campaign_id, user_id, email, submission_id)
    values (v_campaign.id, p_user, v_new.participant_email, v_new.id)
    on conflict (campaign_id, user_id) do update set email = excluded.email, submission_id = excluded.submission_id, collected_at = now();
    if p_subscribe then
      perform private.subscribe_participant(p_user, v_new.participant_email, v_campaign.id);
    end if;
  end if;
  insert into private.unscanned_submissions (submission_id) values (v_new.id);
  if p_promised_reward is not null then
    perform private.cover_promised_reward(v_new, v_campaign) from public.tasks t
    where t.id = p_task.id and t.reward_points < p_promised_reward;
  end if;
  if v_reviewer is not null then
    perform private.settle_approval(v_new, v_campaign.startup_id, v_task.title);
  end if;
  if v_old.kept_until is not null and (v_old.is_slot_reopened or v_old.reward_points <> v_new.reward_points) then
    perform private.adjust_reserve_within_balance(v_campaign.id, v_campaign.startup_id, s.owner_user_id)
    from public.startup_profiles s where s.id = v_campaign.startup_id;
  end if;
  return v_new;
end $$;
comment on function private.record_submission(
  text, public.tasks, text, text, text, integer, boolean, text, integer, text, text
) is
  'Records every submission: rate limit, slot, promised points, row, shared address, and the payment if it is approved immediately. '
  'p_verified_by: the verified action that approves it ("code", "call", "check"); null: the proof is reviewed. The caller has checked '
  'quest, proof and address. p_promised_reward: the reward when the member started the task, if known. p_consent: as in submit_proof. '
  'p_token: the task token that has the address and the ticked box, instead of p_email and p_subscribe. '
  'Errors: RATE_LIMITED, ALREADY_SUBMITTED, APPEAL_OPEN, TASK_NOT_FOUND, QUEST_FULL, QUEST_NOT_OPEN, WRONG_VERIFICATION, PRICE_CHANGED, '
  'CONSENT_CHANGED, STARTED_REWARD_NOT_COVERED, those of require_open_quest.';

create function public.submit_proof(
  p_task_id uuid, p_url text default null, p_text text default null, p_email text default null, p_expected_reward integer default null,
  p_subscribe boolean default false, p_consent text default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_url text := private.validate_proof_url(p_url, v_user);
  v_text text := private.clean(p_text);
  v_email text := lower(private.clean(p_email));
  v_campaign public.campaigns := private.require_open_quest(p_task_id, v_user);
  v_task public.tasks;
begin
  select t.* into v_task from public.tasks t where t.id = p_task_id;
  if v_url is null and v_text is null then
    perform private.raise_error('PROOF_REQUIRED', 'Proof is required', 400);
  elsif length(v_text) > 2000 then
    perform private.raise_error('PROOF_TOO_LONG', 'Text proof too long', 400);
  elsif v_task.verification in ('code', 'call', 'check') then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  perform private.check_shared_email(v_campaign, v_email);
  return private.record_submission(v_user, v_task, v_url, v_text, v_email, p_expected_reward, p_subscribe, p_consent => p_consent);
end $$;
comment on function public.submit_proof(uuid, text, text, text, integer, boolean, text) is
  'Submits a proof of a task and returns the submission, already approved in beta (RULE-02). p_expected_reward: the points that the member '
  'was shown (TRUST-20). p_subscribe: where the quest collects e-mails, also subscribes the member to Questboard''s own news (C-76). '
  'p_consent: the sentence from get_consent_statement that the member was shown and agreed to (BEY-10). '
  'Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, QUEST_NOT_STARTED, QUEST_ENDED, '
  'INVALID_PROOF_URL, UPLOAD_NOT_CHECKED, PROOF_REQUIRED, PROOF_TOO_LONG, WRONG_VERIFICATION, EMAIL_REQUIRED, INVALID_EMAIL, '
  'EMAIL_NOT_VERIFIED, RATE_LIMITED, ALREADY_SUBMITTED, APPEAL_OPEN, QUEST_FULL, PRICE_CHANGED, CONSENT_CHANGED.';
grant execute on function public.submit_proof(uuid, text, text, text, integer, boolean, text) to authenticated, service_role;
