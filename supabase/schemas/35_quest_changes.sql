-- Editing and deleting a quest. Work that was delivered is answered first: what waits is approved and paid, or stands in the way (C-98).

create function private.update_task(p_task public.tasks) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_task.approved_count + p_task.pending_count > p_task.max_completions then
    perform private.raise_error('TASK_SLOTS_TAKEN', 'Cannot allow fewer completions than have already been submitted', 409);
  end if;
  update public.tasks t set title = p_task.title, type = p_task.type, instructions_md = p_task.instructions_md,
    reward_points = p_task.reward_points, max_completions = p_task.max_completions, requires_proof = p_task.requires_proof,
    proof_type = p_task.proof_type, order_index = p_task.order_index, verification = p_task.verification, link_url = p_task.link_url
  where t.id = p_task.id;
end $$;
comment on function private.update_task(public.tasks) is
  'Saves a validated task whose row the caller has locked, so that its counters are those of now. Errors: TASK_SLOTS_TAKEN.';

create function private.save_task(p_campaign_id uuid, p_task jsonb, p_position integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_new boolean := private.clean(p_task ->> 'id') is null;
  v_current public.tasks;
  v_task public.tasks;
  v_id uuid;
begin
  if not v_is_new then
    select t.* into v_current from public.tasks t where t.id::text = p_task ->> 'id' and t.campaign_id = p_campaign_id;
  end if;
  v_task := private.validate_task(p_task, v_current, p_position, 10, 500);
  if v_is_new then
    v_id := private.insert_task(p_campaign_id, v_task);
  elsif v_current.id is null then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  else
    perform private.update_task(v_task);
    v_id := v_task.id;
  end if;
  perform private.save_verification(v_id, p_task);
  return v_id;
end $$;
comment on function private.save_task(uuid, jsonb, integer) is
  'Adds (no id) or changes one task of a quest that is being edited and returns its id. Errors: TASK_NOT_FOUND, TASK_SLOTS_TAKEN and '
  'those of validate_task and save_verification.';

create function private.approve_waiting(p_campaign_id uuid, p_kept_tasks uuid[], p_reviewer text, p_note text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission uuid;
begin
  -- All wallets that are about to be credited, in order, before the reserve.
  perform 1 from public.wallets w where w.user_id in (
    select s.user_id from public.submissions s
    where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks)
  ) order by w.id for no key update;
  for v_submission in
    select s.id from public.submissions s
    where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks) order by s.submitted_at, s.id
  loop
    perform private.approve(v_submission, p_reviewer, p_note);
  end loop;
end $$;
comment on function private.approve_waiting(uuid, uuid[], text, text) is
  'Approves and pays every proof that waits in a quest, but for those of the kept tasks. The caller has locked submissions, tasks and '
  'quest. Errors: STARTUP_INSUFFICIENT_POINTS.';

create function private.settle_waiting(p_campaign_id uuid, p_kept_tasks uuid[], p_approve boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_waiting integer;
begin
  -- Flags outlive their submissions, as the points do.
  if exists (
    select 1 from private.unscanned_submissions u join public.submissions s on s.id = u.submission_id
    where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks)
  ) then
    perform private.scan_submissions();
  end if;
  select count(*) into v_waiting from public.submissions s
  where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks);
  if v_waiting > 0 and not coalesce(p_approve, false) then
    perform private.raise_error('PROOFS_WAITING', format(
      'Proofs are waiting for your decision: %s. Approve and pay them all, or review them first.', v_waiting), 409,
      jsonb_build_object('waiting', v_waiting));
  elsif v_waiting > 0 then
    perform private.audit(public.current_user_id(), 'submission.approve', 'submission', s.id::text, jsonb_build_object('status', s.status),
      jsonb_build_object('status', 'approved'), 'Approved by project owner')
    from public.submissions s where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks);
    perform private.approve_waiting(p_campaign_id, p_kept_tasks, 'project', 'Approved by project owner');
  end if;
end $$;
comment on function private.settle_waiting(uuid, uuid[], boolean) is
  'Before submissions go with their task or quest: scans them, and refuses while proofs wait, or approves and pays them all (C-98, '
  'TRUST-22). The caller has locked the quest, and no wallet yet. Errors: '
  'PROOFS_WAITING (details: {"waiting": n}), STARTUP_INSUFFICIENT_POINTS.';

create function private.remove_tasks(p_campaign_id uuid, p_kept uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set
    submission_count = c.submission_count - gone.total,
    pending_count = c.pending_count - gone.pending,
    approved_count = c.approved_count - gone.approved,
    participant_count = (
      select count(distinct s.user_id) from public.submissions s
      join public.tasks t on t.id = s.task_id
      where s.campaign_id = p_campaign_id and t.id = any (p_kept)
    )
  from (
    select count(*)::integer as total, count(*) filter (where s.status = 'pending')::integer as pending,
      count(*) filter (where s.status = 'approved')::integer as approved
    from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept)
  ) gone
  where c.id = p_campaign_id and gone.total > 0;
  delete from public.tasks t where t.campaign_id = p_campaign_id and t.id <> all (p_kept);
end $$;
comment on function private.remove_tasks(uuid, uuid[]) is
  'Deletes the quest''s tasks that are not kept, with their submissions. Points already earned stay (TRUST-12).';

create function public.update_campaign(
  p_campaign_id uuid, p_campaign jsonb, p_tasks jsonb, p_idempotency_key text default null, p_approve_waiting boolean default false
) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id, array(
    select t.id from public.tasks t
    where t.campaign_id = p_campaign_id and jsonb_path_exists(p_tasks, '$[*] ? (@.id == $id)', jsonb_build_object('id', t.id))));
  v_owner text := public.current_user_id();
  v_before jsonb := private.quest_terms(p_campaign_id);
  v_title text := private.require_text(p_campaign ->> 'title', 200, 'TITLE_REQUIRED', 'Please enter a quest title.');
  v_summary text := private.require_text(p_campaign ->> 'summary', 500, 'SUMMARY_REQUIRED', 'Please enter a quest summary.');
  v_details text := private.normalize_text(p_campaign ->> 'details_md', 10000);
  v_budget integer := private.to_int(p_campaign -> 'budget_points');
  v_starts_at timestamptz := private.read_time(p_campaign, 'starts_at', v_campaign.starts_at);
  v_ends_at timestamptz := private.read_time(p_campaign, 'ends_at', v_campaign.ends_at);
  v_task jsonb;
  v_position integer := 0;
  v_kept uuid[] := '{}';
  v_allocated bigint;
begin
  if private.claim_idempotency_key(v_owner, 'update_campaign', p_idempotency_key, p_campaign_id) is not null then
    return v_campaign;
  end if;
  perform private.check_owner_rate(v_owner, 'quest_change');
  perform private.validate_title(v_title);
  if v_budget is null or v_budget not between 100 and 5000 then
    perform private.raise_error('BUDGET_RANGE', 'Budget must be between 100 and 5000 points.', 400);
  end if;
  if p_tasks is null or jsonb_typeof(p_tasks) <> 'array' then
    perform private.raise_error('INVALID_TASKS', 'Tasks must be a list', 400);
  elsif jsonb_array_length(p_tasks) > 100 then
    perform private.raise_error('TOO_MANY_TASKS', 'Please use at most 100 tasks', 400);
  end if;
  perform private.check_quest_limits(
    (select s from public.startup_profiles s where s.id = v_campaign.startup_id), p_campaign_id, v_budget);
  perform private.check_schedule(v_starts_at, v_ends_at, v_campaign.status = 'published');
  update public.campaigns c set title = v_title, summary = v_summary, details_md = v_details, budget_points = v_budget,
    starts_at = v_starts_at, ends_at = v_ends_at
  where c.id = p_campaign_id;
  for v_task in select * from jsonb_array_elements(p_tasks) loop
    v_position := v_position + 1;
    v_kept := v_kept || private.save_task(p_campaign_id, v_task, v_position);
  end loop;
  perform private.settle_waiting(p_campaign_id, v_kept, p_approve_waiting);
  perform private.remove_tasks(p_campaign_id, v_kept);
  if v_campaign.status = 'published' then
    perform private.check_verification(p_campaign_id);
  end if;
  select coalesce(sum(t.reward_points::bigint * t.max_completions), 0) into v_allocated from public.tasks t
  where t.campaign_id = p_campaign_id;
  if v_allocated > v_budget then
    perform private.raise_error('OVER_BUDGET', format(
      'Cannot save: Total task points (%s) exceed your budget (%s points). Please reduce task points or increase your budget.',
      v_allocated, v_budget), 409);
  end if;
  perform private.recount_tasks(p_campaign_id);
  perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, v_owner, private.required_reserve(p_campaign_id));
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id;
  perform private.audit(v_owner, 'campaign.update', 'campaign', p_campaign_id::text, v_before, private.quest_terms(p_campaign_id));
  return v_campaign;
end $$;
comment on function public.update_campaign(uuid, jsonb, jsonb, text, boolean) is
  'Saves a quest and all its tasks (those missing from p_tasks are removed) with their reserve, in one transaction (QEDIT-10..14). The '
  'same key again changes nothing and returns the quest as it is (TRUST-21). p_approve_waiting: approves and pays the proofs that wait in '
  'removed tasks, which stand in the way otherwise (C-98). Errors: UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, '
  'INVALID_IDEMPOTENCY_KEY, RATE_LIMITED, TITLE_REQUIRED, HIDDEN_CHARACTERS, RESERVED_NAME, SUMMARY_REQUIRED, TEXT_TOO_LONG, '
  'BUDGET_RANGE, INVALID_TASKS, TOO_MANY_TASKS, PROOFS_WAITING, STARTUP_INSUFFICIENT_POINTS, BUDGET_LIMIT, POINTS_BUDGET_LIMIT, '
  'INVALID_TIME, END_BEFORE_START, END_PASSED, OVER_BUDGET, INSUFFICIENT_POINTS, those of a task, of save_verification and of '
  'check_verification.';
grant execute on function public.update_campaign(uuid, jsonb, jsonb, text, boolean) to authenticated, service_role;

create function public.delete_campaign(p_campaign_id uuid, p_approve_waiting boolean default false) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id, '{}');
begin
  if v_campaign.held_at is not null then
    perform private.raise_error('ON_HOLD', format('This quest is on hold: %s', v_campaign.hold_reason), 409);
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  perform private.audit(public.current_user_id(), 'campaign.delete', 'campaign', p_campaign_id::text, private.quest_terms(p_campaign_id));
  perform private.settle_waiting(p_campaign_id, '{}', p_approve_waiting);
  perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, public.current_user_id(), 0);
  delete from public.campaigns c where c.id = p_campaign_id;
end $$;
comment on function public.delete_campaign(uuid, boolean) is
  'Owner deletes a quest with tasks, submissions and collected e-mails; the reserve goes back, earned points and ledger rows stay (C-25, '
  'TRUST-12). p_approve_waiting: approves and pays the proofs that wait, which stand in the way otherwise (C-98). Not while it is on hold '
  '(C-97). Errors: UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, ON_HOLD, RATE_LIMITED, PROOFS_WAITING, '
  'STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.delete_campaign(uuid, boolean) to authenticated, service_role;
