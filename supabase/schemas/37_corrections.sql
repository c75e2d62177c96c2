-- Corrections by admins: reversing an approval (TRUST-08) or a ledger transfer, adjusting a balance with a reason (TRUST-23). All are
-- ordinary transfers, recorded in the audit log and visible to the wallet's owner.

-- Approvals -----------------------------------------------------------------------------------------------------------

create function private.reverse_payout(
  p_submission public.submissions, p_campaign public.campaigns, p_title text, p_owner text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_member uuid := private.ensure_user_wallet(p_submission.user_id);
  v_startup uuid := private.startup_wallet(p_campaign.startup_id, p_owner);
  v_reserve uuid := private.reserve_wallet(p_campaign.id, p_owner);
  v_key text := private.payment_key(p_submission);
  v_payments bigint[];
  v_trial bigint;
begin
  if p_submission.reward_points > 0 then
    -- Locks all wallets first, in order: members, then project and reserve.
    perform 1 from public.wallets w where w.id = any (private.referral_holds_caused_by(p_submission.id) || v_member)
    order by w.id for no key update;
    perform 1 from public.wallets w where w.id = v_startup for no key update;
    perform 1 from public.wallets w where w.id = v_reserve for no key update;
    select array_agg(t.id), coalesce(sum(t.trial_points), 0) into v_payments, v_trial from public.transfers t
    where t.idempotency_key in (v_key, v_key || ':balance');
    perform private.release_holds_for_debit(v_member, p_submission.reward_points, v_payments);
    perform private.transfer(v_member, v_reserve, p_submission.reward_points, 'reversal', 'Reversed: ' || p_title,
      private.reversal_key(v_key), p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id,
      p_trial_points => v_trial);
    perform private.hold_referral_again(p_submission.id);
  end if;
  perform private.adjust_reserve_within_balance(p_campaign.id, p_campaign.startup_id, p_owner);
end $$;
comment on function private.reverse_payout(public.submissions, public.campaigns, text, text) is
  'Reverses an approval''s payment: from the member to the reserve, held points first, and the reserve''s surplus to the project; referral '
  'bonuses that the approval had released are held again. Errors: INSUFFICIENT_POINTS.';

create function public.reverse_submission(p_submission_id uuid, p_note text) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.require_reason(p_note);
  v_submission public.submissions;
  v_campaign public.campaigns;
  v_title text;
  v_owner text;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id for no key update;
  if v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif v_submission.status <> 'approved' then
    perform private.raise_error('NOT_APPROVED', 'Only an approved submission can be reversed', 409);
  end if;
  perform private.refuse_own_matter(v_admin, v_submission.user_id);
  update public.submissions s set status = 'rejected', reviewed_by = 'questboard', review_note = v_note, reviewed_at = now(),
    rejection_reason = 'other'
  where s.id = p_submission_id returning s.* into v_submission;
  update public.tasks t set approved_count = t.approved_count - 1 where t.id = v_submission.task_id returning t.title into v_title;
  update public.campaigns c set approved_count = c.approved_count - 1,
    points_distributed = c.points_distributed - v_submission.reward_points
  where c.id = v_submission.campaign_id returning c.* into v_campaign;
  select s.owner_user_id into v_owner from public.startup_profiles s where s.id = v_campaign.startup_id;
  perform private.refuse_own_matter(v_admin, v_owner);
  perform private.reverse_payout(v_submission, v_campaign, v_title, v_owner);
  perform private.record_decision(v_submission, 'reversed', 'questboard', v_note);
  perform private.audit(v_admin, 'submission.reverse', 'submission', p_submission_id::text,
    jsonb_build_object('status', 'approved'), jsonb_build_object('status', 'rejected', 'points', v_submission.reward_points), v_note);
  perform private.enqueue_event('SubmissionReversed', v_submission.user_id, jsonb_build_object(
    'submission_id', p_submission_id, 'campaign_id', v_submission.campaign_id, 'task', v_title, 'points', v_submission.reward_points,
    'reason', v_note));
  return v_submission;
end $$;
comment on function public.reverse_submission(uuid, text) is
  'Admin reverses an approval with a reason: the submission becomes rejected, opposite ledger entries take the points from the member and '
  'the leaderboard, and the slot is free again (TRUST-08). Spent points cannot be taken back: INSUFFICIENT_POINTS. Refused where the '
  'admin is the member or owns the project that paid. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, '
  'SUBMISSION_NOT_FOUND, NOT_APPROVED, OWN_MATTER, INSUFFICIENT_POINTS.';
grant execute on function public.reverse_submission(uuid, text) to authenticated, service_role;

-- Transfers -----------------------------------------------------------------------------------------------------------

create function private.reversed_referral(p_transfer public.transfers) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_referral public.referrals;
begin
  update public.referrals r set
    referrer_reward_points = r.referrer_reward_points - case p_transfer.kind when 'referral_bonus' then p_transfer.points else 0 end,
    referred_reward_points = r.referred_reward_points - case p_transfer.kind when 'welcome_bonus' then p_transfer.points else 0 end
  where r.id = p_transfer.referral_id returning r.* into v_referral;
  if p_transfer.kind = 'referral_bonus' then
    update public.referral_codes c set total_rewards_earned = c.total_rewards_earned - p_transfer.points
    where c.user_id = v_referral.referrer_user_id;
  end if;
end $$;
comment on function private.reversed_referral(public.transfers) is 'A referral''s figures after the reversal of one of its bonuses.';

create function public.reverse_transfer(p_transfer_id bigint, p_note text) returns public.transfers
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.require_reason(p_note);
  v_transfer public.transfers;
  v_key text;
  v_submission uuid;
  v_member public.wallets;
  v_payments bigint[];
  v_points bigint;
  v_trial bigint;
  v_target uuid;
begin
  select t.* into v_transfer from public.transfers t where t.id = p_transfer_id;
  if v_transfer.id is null then
    perform private.raise_error('TRANSFER_NOT_FOUND', 'Transfer not found', 404);
  elsif v_transfer.kind not in ('task_completion', 'referral_bonus', 'welcome_bonus') then
    perform private.raise_error('NOT_REVERSIBLE', 'Only earned points can be taken back this way', 409);
  end if;
  select w.* into v_member from public.wallets w join public.entries e on e.wallet_id = w.id where e.id = p_transfer_id * 2;
  perform private.refuse_own_matter(v_admin, v_member.user_id);
  perform private.refuse_own_matter(v_admin, w.owner_user_id)
  from public.entries e join public.wallets w on w.id = e.wallet_id where e.id = p_transfer_id * 2 - 1;

  -- Points credited by the service role look like earnings but have a key of their own.
  v_key := private.reversal_key_of(v_transfer);
  select s.id into v_submission from public.submissions s
  where s.id = v_transfer.submission_id and s.status = 'approved' and v_key = private.reversal_key(private.payment_key(s));
  if v_submission is not null then
    perform public.reverse_submission(v_submission, v_note);
  else
    -- The submission was deleted with its quest or task. Lock order: quest, members, project.
    select array_agg(t.id), sum(t.points), coalesce(sum(t.trial_points), 0) into v_payments, v_points, v_trial from public.transfers t
    where t.id = p_transfer_id
      or t.idempotency_key in (replace(v_key, 'reversal:', 'submission:'), replace(v_key, 'reversal:', 'submission:') || ':balance');
    perform 1 from public.campaigns c where c.id = v_transfer.campaign_id for no key update;
    perform 1 from public.wallets w where w.id = any (private.referral_holds_caused_by(v_transfer.submission_id) || v_member.id)
    order by w.id for no key update;
    if exists (select 1 from public.transfers t where t.idempotency_key = v_key) then
      perform private.raise_error('ALREADY_REVERSED', 'These points have already been taken back', 409);
    end if;
    select p.id into v_target from public.entries e join public.wallets payer on payer.id = e.wallet_id
    join public.wallets p on p.owner_user_id = payer.owner_user_id and p.kind = 'startup' where e.id = p_transfer_id * 2 - 1;
    perform private.release_holds_for_debit(v_member.id, v_points, v_payments);
    perform private.transfer(v_member.id, v_target, v_points, 'reversal', 'Reversed: ' || v_transfer.description, v_key,
      p_submission_id => v_transfer.submission_id, p_referral_id => v_transfer.referral_id, p_campaign_id => v_transfer.campaign_id,
      p_trial_points => v_trial);
    perform private.hold_referral_again(v_transfer.submission_id);
    if v_transfer.referral_id is not null then
      perform private.reversed_referral(v_transfer);
    end if;
    -- Bonuses belong to no quest.
    update public.campaigns c set points_distributed = c.points_distributed - v_points where c.id = v_transfer.campaign_id;
    perform private.audit(v_admin, 'transfer.reverse', 'transfer', p_transfer_id::text,
      jsonb_build_object('points', v_points, 'kind', v_transfer.kind), null, v_note);
    perform private.enqueue_event('PointsCorrected', v_member.user_id, jsonb_build_object('points', -v_points, 'reason', v_note));
  end if;
  select t.* into v_transfer from public.transfers t where t.idempotency_key = v_key;
  return v_transfer;
end $$;
comment on function public.reverse_transfer(bigint, text) is
  'Admin reverses a transfer of earned points with a reason; returns the opposite transfer. The same as reverse_submission while the '
  'submission exists; otherwise the points go back to the project, and those of a referral to issuance (TRUST-23, TRUST-12). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, TRANSFER_NOT_FOUND, NOT_REVERSIBLE, OWN_MATTER, ALREADY_REVERSED, '
  'INSUFFICIENT_POINTS (already spent).';
grant execute on function public.reverse_transfer(bigint, text) to authenticated, service_role;

create function public.adjust_points(p_wallet_id uuid, p_points integer, p_reason text, p_idempotency_key text) returns public.transfers
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_key text := 'adjustment:' || private.require_idempotency_key(p_idempotency_key);
  v_reason text := private.require_text(p_reason, 400, 'REASON_REQUIRED', 'A reason is required');
  v_wallet public.wallets;
  v_transfer public.transfers;
  v_id bigint;
begin
  if p_points is null or p_points = 0 or abs(p_points::bigint) > 1000000 then
    perform private.raise_error('INVALID_ADJUSTMENT', 'Enter a whole number of points other than 0, at most 1,000,000', 400);
  end if;
  select w.* into v_wallet from public.wallets w where w.id = p_wallet_id and w.kind in ('user', 'startup') for no key update;
  if v_wallet.id is null then
    perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_wallet.owner_user_id);
  -- The wallet's lock makes a concurrent call with the same key wait and then find the first one's transfer.
  select t.* into v_transfer from public.transfers t where t.idempotency_key = v_key;
  if v_transfer.id is not null then
    if v_transfer.points <> abs(p_points) or not exists (
      select 1 from public.entries e where e.id = v_transfer.id * 2 - (p_points < 0)::integer and e.wallet_id = p_wallet_id
    ) then
      perform private.raise_error('CORRECTION_KEY_REUSED', 'This idempotency key was used for another correction', 409);
    end if;
    return v_transfer;
  end if;
  if p_points < 0 then
    perform private.release_holds_for_debit(p_wallet_id, -p_points);
  end if;
  v_id := private.transfer(case when p_points < 0 then p_wallet_id end, case when p_points > 0 then p_wallet_id end, abs(p_points),
    'adjustment', 'Correction: ' || v_reason, v_key);
  select t.* into v_transfer from public.transfers t where t.id = v_id;
  perform private.audit(v_admin, 'wallet.adjust', 'wallet', p_wallet_id::text, jsonb_build_object('points', v_wallet.points),
    jsonb_build_object('points', v_wallet.points + p_points, 'transfer_id', v_transfer.id, 'user_id', v_wallet.owner_user_id), v_reason);
  perform private.enqueue_event('PointsCorrected', v_wallet.owner_user_id,
    jsonb_build_object('points', p_points, 'reason', v_reason, 'wallet', v_wallet.kind));
  return v_transfer;
end $$;
comment on function public.adjust_points(uuid, integer, text, text) is
  'Admin adds (positive) or removes (negative) points of a member''s or project''s wallet with a reason that its owner reads; available '
  'points before held ones. Idempotent per key: returns the first transfer (TRUST-23, TRUST-21). Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, REASON_REQUIRED, TEXT_TOO_LONG, INVALID_ADJUSTMENT, IDEMPOTENCY_KEY_REQUIRED, INVALID_IDEMPOTENCY_KEY, '
  'CORRECTION_KEY_REUSED, WALLET_NOT_FOUND, OWN_MATTER, INSUFFICIENT_POINTS.';
grant execute on function public.adjust_points(uuid, integer, text, text) to authenticated, service_role;
