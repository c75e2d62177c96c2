-- Submitting and reviewing proof.

create function private.checked_proof_url(p_url text, p_user text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_url text := private.clean(p_url);
begin
  if v_url is null or private.is_http_url(v_url) then
    return v_url;
  end if;
  -- A screenshot is named by its place in the private bucket: in the member's own folder, and really uploaded (C-59).
  if v_url like 'proofs/%' and exists (
    select 1 from storage.objects o
    where o.bucket_id = 'proofs' and 'proofs/' || o.name = v_url and (storage.foldername(o.name))[1] = p_user
  ) then
    return v_url;
  end if;
  perform private.fail('INVALID_PROOF_URL', 'Invalid URL format', 400);
end $$;
comment on function private.checked_proof_url(text, text) is 'A http(s) address or the member''s own uploaded screenshot (QUEST-19, C-59). Errors: INVALID_PROOF_URL.';

create function private.check_submission_rate(p_user text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- The lock lets one member submit one proof at a time, which makes both the rate and "once per task" exact.
  perform pg_advisory_xact_lock(hashtextextended('submit:' || p_user, 0));
  if (
    select count(*) from public.submissions s where s.user_id = p_user and s.submitted_at > clock_timestamp() - interval '1 minute'
  ) >= (select x.submissions_per_minute from public.app_settings x) then
    perform private.fail('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_submission_rate(text) is 'At most 6 (a setting) submissions in any minute (RULE-11). Takes the member''s lock. Errors: RATE_LIMITED.';

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
    perform private.fail('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
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

create function private.take_slot(p_task_id uuid, p_user text, p_is_new boolean, p_approved boolean) returns public.tasks
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_is_new_participant boolean;
begin
  update public.tasks t set approved_count = t.approved_count + p_approved::integer, pending_count = t.pending_count + (not p_approved)::integer,
    pending_points = t.pending_points + case when p_approved then 0 else t.reward_points end
  where t.id = p_task_id and t.approved_count + t.pending_count < t.max_completions returning t.* into v_task;
  if v_task.id is null then
    perform private.fail('QUEST_FULL', 'Quest Full', 409);
  end if;
  v_is_new_participant := p_is_new and not exists (
    select 1 from public.submissions s where s.user_id = p_user and s.campaign_id = v_task.campaign_id);
  update public.campaigns c set approved_count = c.approved_count + p_approved::integer, pending_count = c.pending_count + (not p_approved)::integer,
    points_distributed = c.points_distributed + case when p_approved then v_task.reward_points else 0 end,
    submission_count = c.submission_count + p_is_new::integer, participant_count = c.participant_count + v_is_new_participant::integer
  where c.id = v_task.campaign_id and c.status = 'published';
  if not found then
    perform private.fail('QUEST_NOT_OPEN', 'This quest is not open for submissions', 409);
  end if;
  return v_task;
end $$;
comment on function private.take_slot(uuid, text, boolean, boolean) is
  'Takes one slot of a published quest, as approved or pending; together they never exceed max_completions (TRUST-04, TRUST-07). Returns the locked task. Errors: QUEST_FULL, QUEST_NOT_OPEN.';

create function private.auto_reviewer(p_task public.tasks) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Missing funds leave the submission pending (C-07). The reserve alone suffices, but for defects; once the slot is taken, the task''s lock keeps the reserve sufficient.
  if p_task.reward_points > 0 and p_task.reward_points > coalesce((select w.points from public.wallets w where w.campaign_id = p_task.campaign_id), 0)
    and not exists (
      select 1 from public.campaigns c
      join public.wallets f on f.startup_id = c.startup_id
      left join public.wallets r on r.campaign_id = c.id
      where c.id = p_task.campaign_id and f.points + coalesce(r.points, 0) >= p_task.reward_points
    )
  then
    return null;
  end if;
  return case when (select s.beta_mode from public.app_settings s) then 'beta'
    when p_task.auto_verify and not p_task.requires_proof then 'auto' end;
end $$;
comment on function private.auto_reviewer(public.tasks) is
  'Who approves a submission of this task at once: "beta", "auto" for auto-verified tasks without proof (C-06), or null: it waits for the owner.';

create function public.submit_proof(p_task_id uuid, p_url text default null, p_text text default null, p_email text default null)
returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_url text := private.checked_proof_url(p_url, v_user);
  v_text text := private.clean(p_text);
  v_email text := lower(private.clean(p_email));
  v_task public.tasks;
  v_campaign public.campaigns;
  v_old public.submissions;
  v_new public.submissions;
  v_reviewer text;
begin
  select t.* into v_task from public.tasks t where t.id = p_task_id;
  select c.* into v_campaign from public.campaigns c where c.id = v_task.campaign_id;
  if v_campaign.id is null then
    perform private.fail('TASK_NOT_FOUND', 'Task not found', 404);
  elsif exists (select 1 from public.startup_profiles s where s.id = v_campaign.startup_id and s.owner_user_id = v_user) then
    perform private.fail('OWN_QUEST', 'You cannot complete your own quest', 403);
  elsif v_campaign.status <> 'published' then
    perform private.fail('QUEST_NOT_OPEN', 'This quest is not open for submissions', 409);
  elsif v_url is null and v_text is null then
    perform private.fail('PROOF_REQUIRED', 'Proof is required', 400);
  elsif length(v_text) > 2000 then
    perform private.fail('PROOF_TOO_LONG', 'Text proof too long', 400);
  elsif v_campaign.collect_emails and v_email is null then
    perform private.fail('EMAIL_REQUIRED', 'Email is required', 400);
  elsif v_email is not null and not private.is_email(v_email) then
    perform private.fail('INVALID_EMAIL', 'Please enter a valid email address', 400);
  end if;

  perform private.check_submission_rate(v_user);
  select s.* into v_old from public.submissions s where s.task_id = p_task_id and s.user_id = v_user for no key update;
  if v_old.status in ('pending', 'approved') then
    perform private.fail('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409);
  end if;
  v_reviewer := private.auto_reviewer(v_task);
  v_task := private.take_slot(p_task_id, v_user, v_old.id is null, v_reviewer is not null);
  if v_old.id is not null then
    perform private.record_decision(v_old, 'resubmitted', v_user, v_old.review_note);
  end if;

  insert into public.submissions as s (task_id, campaign_id, user_id, proof_url, proof_text, participant_email, reward_points,
    status, reviewed_by, review_note, reviewed_at)
  values (p_task_id, v_campaign.id, v_user, v_url, v_text, case when v_campaign.collect_emails then v_email end, v_task.reward_points,
    case when v_reviewer is null then 'pending' else 'approved' end::public.submission_status, v_reviewer,
    case v_reviewer when 'beta' then 'Beta auto-approved - instant rewards!' when 'auto' then 'Verified automatically' end,
    case when v_reviewer is not null then now() end)
  on conflict (task_id, user_id) do update set proof_url = excluded.proof_url, proof_text = excluded.proof_text,
    participant_email = excluded.participant_email, reward_points = excluded.reward_points, status = excluded.status,
    reviewed_by = excluded.reviewed_by, review_note = excluded.review_note, reviewed_at = excluded.reviewed_at, submitted_at = now()
  returning s.* into v_new;
  if v_new.participant_email is not null then
    insert into public.campaign_email_collections (campaign_id, user_id, email, submission_id)
    values (v_campaign.id, v_user, v_new.participant_email, v_new.id)
    on conflict (campaign_id, user_id) do update set email = excluded.email, submission_id = excluded.submission_id, collected_at = now();
  end if;
  if v_reviewer is not null then
    perform private.settle_approval(v_new, v_campaign.startup_id, v_task.title);
  end if;
  return v_new;
end $$;
comment on function public.submit_proof(uuid, text, text, text) is
  'Submits a proof of a task and returns the submission, approved already in beta (RULE-02). Errors: UNAUTHENTICATED, SUSPENDED, TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, INVALID_PROOF_URL, PROOF_REQUIRED, PROOF_TOO_LONG, EMAIL_REQUIRED, INVALID_EMAIL, RATE_LIMITED, ALREADY_SUBMITTED, QUEST_FULL.';
grant execute on function public.submit_proof(uuid, text, text, text) to authenticated, service_role;

create function public.review_submission(p_submission_id uuid, p_decision text, p_note text default null) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_submission public.submissions;
  v_startup_id uuid;
  v_owner text;
  v_note text := left(private.clean(p_note), 1000);
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id;
  select sp.id, sp.owner_user_id into v_startup_id, v_owner
  from public.campaigns c join public.startup_profiles sp on sp.id = c.startup_id where c.id = v_submission.campaign_id;
  -- Someone who may not know the submission learns nothing of it; participants never review, not even as admin (TRUST-06).
  if v_submission.user_id = v_user or not (coalesce(v_owner = v_user, false) or private.is_admin()) then
    perform private.fail('FORBIDDEN', 'Forbidden', 403);
  elsif v_submission.id is null then
    perform private.fail('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif p_decision is null or p_decision not in ('approve', 'reject') then
    perform private.fail('INVALID_DECISION', 'Unknown decision', 400);
  elsif p_decision = 'reject' and v_note is null then
    perform private.fail('REASON_REQUIRED', 'A reason is required', 400);
  end if;
  if v_owner is distinct from v_user then
    perform private.audit(v_user, 'submission.' || p_decision, 'submission', p_submission_id::text, jsonb_build_object('status', v_submission.status),
      jsonb_build_object('status', case p_decision when 'approve' then 'approved' else 'rejected' end), v_note);
  end if;
  if p_decision = 'approve' then
    return private.approve(p_submission_id, v_user, coalesce(v_note, 'Approved by project owner'));
  end if;

  update public.submissions s set status = 'rejected', reviewed_by = v_user, review_note = v_note, reviewed_at = now()
  where s.id = p_submission_id and s.status = 'pending' returning s.* into v_submission;
  if v_submission.id is null then
    perform private.fail('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
  end if;
  update public.tasks t set pending_count = t.pending_count - 1, pending_points = t.pending_points - v_submission.reward_points
  where t.id = v_submission.task_id;
  update public.campaigns c set pending_count = c.pending_count - 1 where c.id = v_submission.campaign_id;
  -- What was promised may be more than the slot costs today, or the quest may be closed: the rest goes back to the project.
  perform private.settle_affordable(v_submission.campaign_id, v_startup_id, v_owner);
  perform private.record_decision(v_submission, 'rejected', v_user, v_note);
  perform private.emit('SubmissionRejected', v_submission.user_id, jsonb_build_object(
    'submission_id', v_submission.id, 'campaign_id', v_submission.campaign_id, 'reason', v_note,
    'task', (select t.title from public.tasks t where t.id = v_submission.task_id)));
  return v_submission;
end $$;
comment on function public.review_submission(uuid, text, text) is
  'The quest''s owner, or an admin, approves or rejects (with reason) a pending submission (RULE-06, SEC-14, C-43). Errors: FORBIDDEN, SUBMISSION_NOT_FOUND, INVALID_DECISION, REASON_REQUIRED, ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.review_submission(uuid, text, text) to authenticated, service_role;
