-- Decisions on submissions: the owner approves or rejects, an admin takes an approval back.

create function private.decider(p_user_id text, p_owner text) returns text
language sql immutable set search_path = ''
as $$ select case when p_user_id = p_owner then 'project' else 'questboard' end $$;
comment on function private.decider(text, text) is
  'How a decision names who made it: members and owners read "project" or "questboard", never an admin''s id (C-102). The id stands in '
  'the audit log.';

create function private.approve(p_submission_id uuid, p_reviewer text, p_note text) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_startup_id uuid;
  v_title text;
begin
  update public.submissions s set status = 'approved', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now()
  where s.id = p_submission_id and s.status = 'pending' returning s.* into v_submission;
  if v_submission.id is null then
    perform private.raise_error('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
  end if;
  update public.tasks t set approved_count = t.approved_count + 1, pending_count = t.pending_count - 1,
    pending_points = t.pending_points - v_submission.reward_points
  where t.id = v_submission.task_id returning t.title into v_title;
  update public.campaigns c set approved_count = c.approved_count + 1, pending_count = c.pending_count - 1,
    points_distributed = c.points_distributed + v_submission.reward_points
  where c.id = v_submission.campaign_id returning c.startup_id into v_startup_id;
  perform private.settle_approval(v_submission, v_startup_id, v_title);
  return v_submission;
end $$;
comment on function private.approve(uuid, text, text) is
  'Pending to approved, exactly once (RULE-06, RULE-07, TRUST-02). Errors: ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';

create function private.validate_rejection(p_reason text, p_note text) returns public.rejection_reason
language plpgsql immutable set search_path = ''
as $$
declare
  -- A note alone is a reason in the reviewer's own words.
  v_reason text := coalesce(private.clean(p_reason), case when p_note is not null then 'other' end);
begin
  if v_reason is null then
    perform private.raise_error('REASON_REQUIRED', 'A reason is required', 400);
  elsif v_reason <> all (enum_range(null::public.rejection_reason)::text[]) then
    perform private.raise_error('INVALID_REASON', 'Unknown reason', 400);
  elsif v_reason = 'other' and p_note is null then
    perform private.raise_error('REASON_WORDS_REQUIRED', 'Please say in a few words why', 400);
  end if;
  return v_reason;
end $$;
comment on function private.validate_rejection(text, text) is
  'One of the six reasons for a rejection; "other" needs words (C-77). Errors: REASON_REQUIRED, INVALID_REASON, REASON_WORDS_REQUIRED.';

create function private.rejection_sentence(p_reason public.rejection_reason, p_note text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return concat_ws(' ', case p_reason
    when 'does_not_match' then 'The proof does not match the task.'
    when 'cannot_open' then 'The proof cannot be opened or read.'
    when 'not_own' then 'The proof does not seem to be your own.'
    when 'incomplete' then 'The proof is incomplete.'
    when 'duplicate' then 'The proof was submitted before.' end, p_note);
end $$;
comment on function private.rejection_sentence(public.rejection_reason, text) is 'Reason and words, as mails tell them to the member.';

create function private.reject(p_submission_id uuid, p_reviewer text, p_reason public.rejection_reason, p_note text)
returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
begin
  update public.submissions s set status = 'rejected', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now(),
    rejection_reason = p_reason
  where s.id = p_submission_id and s.status = 'pending' returning s.* into v_submission;
  if v_submission.id is null then
    perform private.raise_error('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
  end if;
  update public.tasks t set pending_count = t.pending_count - 1, pending_points = t.pending_points - v_submission.reward_points
  where t.id = v_submission.task_id;
  update public.campaigns c set pending_count = c.pending_count - 1 where c.id = v_submission.campaign_id;
  if p_reviewer <> 'auto' then
    perform private.record_decision(v_submission, 'rejected', p_reviewer, p_note);
  end if;
  perform private.enqueue_event('SubmissionRejected', v_submission.user_id, jsonb_build_object(
    'submission_id', v_submission.id, 'campaign_id', v_submission.campaign_id, 'reason', private.rejection_sentence(p_reason, p_note),
    'task', (select t.title from public.tasks t where t.id = v_submission.task_id),
    'project', (
      select s.name from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = v_submission.campaign_id)));
  return v_submission;
end $$;
comment on function private.reject(uuid, text, public.rejection_reason, text) is
  'Pending to rejected, exactly once; the member is told. The caller adjusts the reserve. Errors: ALREADY_REVIEWED.';

create function public.review_submission(
  p_submission_id uuid, p_decision text, p_note text default null, p_reason text default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_submission public.submissions;
  v_startup_id uuid;
  v_owner text;
  v_note text := left(private.clean(p_note), 1000);
  v_reason public.rejection_reason;
  v_decider text;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id;
  select sp.id, sp.owner_user_id into v_startup_id, v_owner
  from public.campaigns c join public.startup_profiles sp on sp.id = c.startup_id where c.id = v_submission.campaign_id;
  -- Someone who may not know the submission learns nothing of it; participants never review, not even as admin (TRUST-06).
  if v_submission.user_id = v_user or not (coalesce(v_owner = v_user, false) or private.is_admin()) then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  elsif v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif p_decision is null or p_decision not in ('approve', 'reject') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  if p_decision = 'reject' then
    v_reason := private.validate_rejection(p_reason, v_note);
  end if;
  v_decider := private.decider(v_user, v_owner);
  perform private.audit(v_user, 'submission.' || p_decision, 'submission', p_submission_id::text,
    jsonb_build_object('status', v_submission.status),
    jsonb_build_object('status', case p_decision when 'approve' then 'approved' else 'rejected' end, 'reason', v_reason), v_note);
  if p_decision = 'approve' then
    return private.approve(p_submission_id, v_decider, coalesce(v_note, 'Approved by project owner'));
  end if;

  v_submission := private.reject(p_submission_id, v_decider, v_reason, v_note);
  -- What was promised may be more than the slot costs today, or the quest may be closed: the rest goes back to the project.
  perform private.adjust_reserve_within_balance(v_submission.campaign_id, v_startup_id, v_owner);
  return v_submission;
end $$;
comment on function public.review_submission(uuid, text, text, text) is
  'The quest''s owner, or an admin, approves or rejects a pending submission (RULE-06, SEC-14, C-43). p_reason, for a rejection: '
  'does_not_match, cannot_open, not_own, incomplete, duplicate or other; p_note: words, needed for other, which a note alone means '
  '(C-77). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, SUBMISSION_NOT_FOUND, INVALID_DECISION, REASON_REQUIRED, INVALID_REASON, '
  'REASON_WORDS_REQUIRED, ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.review_submission(uuid, text, text, text) to authenticated, service_role;

create function private.reverse_payout(
  p_submission public.submissions, p_campaign public.campaigns, p_title text, p_owner text
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_member uuid := private.ensure_user_wallet(p_submission.user_id);
  v_startup uuid := private.startup_wallet(p_campaign.startup_id, p_owner);
  v_reserve uuid := private.reserve_wallet(p_campaign.id, p_owner);
  v_key text := 'submission:' || p_submission.id || ':' || p_submission.submitted_at;
  v_payments bigint[];
  v_trial bigint;
begin
  if p_submission.reward_points > 0 then
    -- All are locked first, in order: members, then project and reserve.
    perform 1 from public.wallets w where w.id = any (private.referral_holds_caused_by(p_submission.id) || v_member)
    order by w.id for no key update;
    perform 1 from public.wallets w where w.id = v_startup for no key update;
    perform 1 from public.wallets w where w.id = v_reserve for no key update;
    select array_agg(t.id), coalesce(sum(t.trial_points), 0) into v_payments, v_trial from public.transfers t
    where t.idempotency_key in (v_key, v_key || ':balance');
    perform private.free_for_debit(v_member, p_submission.reward_points, v_payments);
    perform private.transfer(v_member, v_reserve, p_submission.reward_points, 'reversal', 'Reversed: ' || p_title,
      private.reversal_key(v_key), p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id,
      p_trial_points => v_trial);
    perform private.hold_referral_again(p_submission.id);
  end if;
  perform private.adjust_reserve_within_balance(p_campaign.id, p_campaign.startup_id, p_owner);
end $$;
comment on function private.reverse_payout(public.submissions, public.campaigns, text, text) is
  'Posts the opposite of an approval''s payment: member to reserve, held points first, and on to the project what the reserve does not '
  'need; referral bonuses that the approval had released are held again. Errors: '
  'INSUFFICIENT_POINTS.';

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
    perform private.raise_error('REASON_REQUIRED', 'A reason is required', 400);
  end if;
  select s.* into v_submission from public.submissions s where s.id = p_submission_id for no key update;
  if v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif v_submission.status <> 'approved' then
    perform private.raise_error('NOT_APPROVED', 'Only an approved submission can be reversed', 409);
  elsif v_submission.user_id = v_admin then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  end if;
  update public.submissions s set status = 'rejected', reviewed_by = 'questboard', review_note = v_note, reviewed_at = now(),
    rejection_reason = 'other'
  where s.id = p_submission_id returning s.* into v_submission;
  update public.tasks t set approved_count = t.approved_count - 1 where t.id = v_submission.task_id returning t.title into v_title;
  update public.campaigns c set approved_count = c.approved_count - 1,
    points_distributed = c.points_distributed - v_submission.reward_points
  where c.id = v_submission.campaign_id returning c.* into v_campaign;
  select s.owner_user_id into v_owner from public.startup_profiles s where s.id = v_campaign.startup_id;
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
  'Admin takes an approval back, with a reason: the submission becomes rejected, opposite ledger entries take the points from the member '
  'and from the leaderboard, the slot is free again (TRUST-08). Points already spent cannot be taken: INSUFFICIENT_POINTS. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, SUBMISSION_NOT_FOUND, NOT_APPROVED, INSUFFICIENT_POINTS.';
grant execute on function public.reverse_submission(uuid, text) to authenticated, service_role;
