-- Editing and deleting a quest. Submitted work is decided first: pending proofs are approved and paid, or block the change (C-98).

create function private.update_task(p_task public.tasks) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_task.approved_count + p_task.pending_count + p_task.kept_count > p_task.max_completions then
    perform private.raise_error('TASK_SLOTS_TAKEN', 'Cannot allow fewer completions than have already been submitted', 409);
  end if;
  update public.tasks t set title = p_task.title, type = p_task.type, instructions_md = p_task.instructions_md,
    reward_points = p_task.reward_points, max_completions = p_task.max_completions, requires_proof = p_task.requires_proof,
    proof_type = p_task.proof_type, order_index = p_task.order_index, verification = p_task.verification, link_url = p_task.link_url,
    raised_points = case when t.reward_points = p_task.reward_points then t.raised_points else coalesce((
      select sum(greatest(p_task.reward_points - s.reward_points, 0)) from public.submissions s
      where s.task_id = p_task.id and (s.status = 'pending' or s.kept_until is not null and not s.is_slot_reopened)), 0) end
  where t.id = p_task.id;
end $$;
comment on function private.update_task(public.tasks) is
  'Saves a validated task, with what its taken slots cost at another reward. The caller has locked its row, so that the counters are '
  'current. Errors: TASK_SLOTS_TAKEN.';

create function private.save_task(p_campaign public.campaigns, p_task jsonb, p_position integer, p_max_points integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_new boolean := private.clean(p_task ->> 'id') is null;
  v_current public.tasks;
  v_task public.tasks;
  v_id uuid;
begin
  if not v_is_new then
    select t.* into v_current from public.tasks t where t.id::text = p_task ->> 'id' and t.campaign_id = p_campaign.id;
  end if;
  -- Stored values stay allowed, even if the project's limits have become stricter since.
  v_task := private.validate_task(p_task, v_current, p_position,
    case when p_campaign.custom_reward_title is null then 1 else 0 end, greatest(p_max_points, v_current.reward_points));
  if v_is_new then
    v_id := private.insert_task(p_campaign.id, v_task);
  elsif v_current.id is null then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  elsif v_task.reward_points < v_current.reward_points and p_campaign.submission_count > 0 then
    perform private.raise_error('REWARD_PROMISED', format(
      'Members have taken part for the %s points of Task %s. You can raise them, not lower them.',
      v_current.reward_points, p_position), 409);
  else
    perform private.update_task(v_task);
    v_id := v_task.id;
  end if;
  perform private.save_verification(v_id, p_task);
  return v_id;
end $$;
comment on function private.save_task(public.campaigns, jsonb, integer, integer) is
  'Adds (no id) or changes one task of a quest that is being edited and returns its id; p_max_points as for a new quest. A reward cannot '
  'be lowered once there are proofs (C-75). Errors: TASK_NOT_FOUND, REWARD_PROMISED, TASK_SLOTS_TAKEN and those of validate_task and '
  'save_verification.';

create function private.check_promises(p_before public.campaigns, p_after public.campaigns) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not coalesce(starts_with(p_after.custom_reward_title, p_before.custom_reward_title)
    and starts_with(p_after.custom_reward_description, p_before.custom_reward_description), p_before.custom_reward_title is null) then
    perform private.raise_error('CUSTOM_REWARD_PROMISED',
      'Members have taken part for the custom reward. You can add to its words, not change or remove them.', 409);
  elsif p_after.collect_emails and (
    not p_before.collect_emails or p_after.email_collection_purpose is distinct from p_before.email_collection_purpose
  ) then
    perform private.raise_error('EMAIL_PURPOSE_PROMISED',
      'Members have taken part. You can stop collecting e-mails, but not start, and not change what they are for.', 409);
  end if;
end $$;
comment on function private.check_promises(public.campaigns, public.campaigns) is
  'Once there are proofs, terms can only improve for participants (C-75): the custom reward may only be extended, e-mail collection only '
  'be dropped. Task rewards are checked by save_task. Errors: CUSTOM_REWARD_PROMISED, EMAIL_PURPOSE_PROMISED.';

create function private.approve_waiting(p_campaign_id uuid, p_kept_tasks uuid[], p_reviewer text, p_note text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission uuid;
  v_approved uuid[] := '{}';
begin
  perform private.lock_wallets(array(
    select s.user_id from public.submissions s
    where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks)), array[p_campaign_id]);
  for v_submission in
    select s.id from public.submissions s
    where s.campaign_id = p_campaign_id and s.status = 'pending' and s.task_id <> all (p_kept_tasks) order by s.submitted_at, s.id
  loop
    perform private.approve(v_submission, p_reviewer, p_note, false);
    v_approved := v_approved || v_submission;
  end loop;
  perform private.count_approvals(v_approved);
end $$;
comment on function private.approve_waiting(uuid, uuid[], text, text) is
  'Approves and pays every pending proof of a quest except those of the kept tasks. The caller has locked submissions, tasks and quest. '
  'Errors: STARTUP_INSUFFICIENT_POINTS.';

create function private.settle_waiting(p_campaign_id uuid, p_kept_tasks uuid[], p_approve boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_waiting integer;
  v_until timestamptz;
begin
  perform private.release_kept_slots(array(
    select s.id from public.submissions s
    where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks) and s.kept_until <= now() and s.appealed_at is null));
  select max(s.kept_until) into v_until from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks);
  if v_until is not null then
    perform private.raise_error('APPEAL_POSSIBLE', format(
      'Rejected members can still appeal until %s. You can close the quest now, and delete it after that.',
      to_char(greatest(v_until, now()) at time zone 'UTC', 'FMDD FMMonth')), 409, jsonb_build_object('until', v_until));
  end if;
  -- Flags outlive their submissions, as their points do. The caller has locked scans.
  if exists (
    select 1 from private.unscanned_submissions u join public.submissions s on s.id = u.submission_id
    where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks)
  ) then
    perform private.scan_submissions(null);
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
  delete from private.submission_fingerprints f using public.submissions s
  where s.id = f.submission_id and s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks);
end $$;
comment on function private.settle_waiting(uuid, uuid[], boolean) is
  'Before submissions are deleted with their task or quest: scans them, and refuses while a rejection may be appealed (BEY-23) or while '
  'proofs are pending, unless it is to approve and pay them all (C-98, TRUST-22). Removes their fingerprints, with which nothing can be '
  'compared any more. lock_for_removal comes first, and no wallet is locked. '
  'Errors: APPEAL_POSSIBLE (details: {"until": time}), PROOFS_WAITING (details: {"waiting": n}), STARTUP_INSUFFICIENT_POINTS.';

create function private.lock_for_removal(p_campaign_id uuid, p_kept_tasks uuid[]) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
begin
  if p_campaign_id = any (array(select private.own_campaign_ids())) then
    if exists (select 1 from public.tasks t where t.campaign_id = p_campaign_id and t.id <> all (p_kept_tasks)) then
      perform private.lock_scans();
    end if;
    -- A member who enters a code locks it before the task.
    perform 1 from private.completion_codes c join public.tasks t on t.id = c.task_id
    where t.campaign_id = p_campaign_id and c.used_at is null order by c.id for update of c;
  end if;
  return private.require_owned_campaign(p_campaign_id, p_kept_tasks);
end $$;
comment on function private.lock_for_removal(uuid, uuid[]) is
  'require_owned_campaign for a change that may delete completion codes, or submissions, which have to be scanned before '
  '(settle_waiting). Errors: '
  'UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN.';

create function private.remove_tasks(p_campaign_id uuid, p_kept uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- None of them is pending: settle_waiting has approved those.
  update public.campaigns c set
    submission_count = c.submission_count - gone.total,
    approved_count = c.approved_count - gone.approved,
    participant_count = (
      select count(distinct s.user_id) from public.submissions s
      join public.tasks t on t.id = s.task_id
      where s.campaign_id = p_campaign_id and t.id = any (p_kept)
    )
  from (
    select count(*)::integer as total, count(*) filter (where s.status = 'approved')::integer as approved
    from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept)
  ) gone
  where c.id = p_campaign_id and gone.total > 0;
  delete from public.tasks t where t.campaign_id = p_campaign_id and t.id <> all (p_kept);
end $$;
comment on function private.remove_tasks(uuid, uuid[]) is
  'Deletes the quest''s tasks that are not kept, with their submissions. Earned points stay (TRUST-12).';

create function private.rewordings(p_asked public.tasks[], out before jsonb, out after jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  select
    jsonb_agg(jsonb_build_object('id', a.id, 'title', a.title, 'instructions_md', a.instructions_md) order by t.order_index, t.id),
    jsonb_agg(jsonb_build_object('id', t.id, 'title', t.title, 'instructions_md', t.instructions_md) order by t.order_index, t.id)
  into before, after
  from unnest(p_asked) a join public.tasks t on t.id = a.id where (a.title, a.instructions_md) <> (t.title, t.instructions_md);
  before := jsonb_strip_nulls(jsonb_build_object('instructions', before));
  after := jsonb_strip_nulls(jsonb_build_object('instructions', after));
end $$;
comment on function private.rewordings(public.tasks[]) is
  'What these tasks, as they were before a change, asked for, and what they ask for now; only those with other words. For the audit log, '
  'because a proof is judged by what its member has read (BEY-23).';

create function private.instructions_before(p_campaign_id uuid, p_task_id uuid, p_at timestamptz) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select i.value ->> 'instructions_md'
    from public.audit_log l cross join lateral jsonb_array_elements(l.before -> 'instructions') i
    where l.subject_type = 'campaign' and l.subject_id = p_campaign_id::text and l.action = 'campaign.update' and l.created_at > p_at
      and i.value ->> 'id' = p_task_id::text
    order by l.id limit 1);
end $$;
comment on function private.instructions_before(uuid, uuid, timestamptz) is
  'What a task asked for at a time when it had proofs that were not decided for good; null if that has not been rewritten since.';

create function private.is_same_time(p_read jsonb, p_stored timestamptz) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return case when p_read is null then null
    when pg_input_is_valid(coalesce(p_read #>> '{}', ''), 'timestamptz') then (p_read #>> '{}')::timestamptz = p_stored else false end;
end $$;
comment on function private.is_same_time(jsonb, timestamptz) is
  'Whether a time that a caller has read is the stored one, in whatever time zone it was written; null when there is none.';

create function public.update_campaign(
  p_campaign_id uuid, p_campaign jsonb, p_tasks jsonb, p_idempotency_key text default null, p_approve_waiting boolean default false
) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_for_removal(p_campaign_id, array(
    -- Nobody has counted the list yet: looking all through it for each task would take minutes.
    select t.id from public.tasks t
    where t.campaign_id = p_campaign_id and t.id::text in (select x ->> 'id' from jsonb_path_query(p_tasks, '$[*]') x)));
  v_owner text := public.current_user_id();
  v_before jsonb := private.quest_terms(p_campaign_id);
  -- Proofs of these may still be rejected, or their rejection appealed.
  v_asked public.tasks[] := array(
    select t from public.tasks t where t.campaign_id = p_campaign_id and (t.pending_count > 0
      or exists (select 1 from public.submissions x where x.task_id = t.id and x.kept_until is not null)));
  v_title text := private.require_text(p_campaign ->> 'title', 200, 'TITLE_REQUIRED', 'Please enter a quest title.');
  v_summary text := private.require_text(p_campaign ->> 'summary', 500, 'SUMMARY_REQUIRED', 'Please enter a quest summary.');
  v_details text := case when p_campaign ? 'details_md' then private.normalize_text(p_campaign ->> 'details_md', 10000)
    else v_campaign.details_md end;
  v_budget integer := private.to_int(p_campaign -> 'budget_points');
  v_terms public.campaigns := private.validate_terms(p_campaign, v_campaign);
  v_startup public.startup_profiles;
  v_limits private.project_limits;
  v_min_budget integer := case when v_terms.custom_reward_title is null then 1 else 0 end;
  v_task jsonb;
  v_position integer := 0;
  v_kept uuid[] := '{}';
  v_allocated bigint;
  v_saved uuid := private.claim_idempotency_key(v_owner, 'update_campaign', p_idempotency_key, p_campaign_id);
begin
  if v_saved <> p_campaign_id then
    perform private.raise_error('QUEST_KEY_REUSED', 'This idempotency key was used for another quest', 409);
  elsif v_saved is not null then
    return v_campaign;
  elsif not private.is_same_time(p_campaign -> 'updated_at', v_campaign.updated_at) then
    perform private.raise_error('QUEST_CHANGED', 'This quest was changed after you opened it. Saving overwrites those changes.', 409);
  end if;
  perform private.check_owner_rate(v_owner, 'quest_change');
  perform private.validate_title(v_title);
  if v_budget is null or v_budget not between v_min_budget and 1000000 then
    perform private.raise_error('BUDGET_RANGE', format('Budget must be between %s and %s points.', v_min_budget, 1000000), 400);
  end if;
  if p_tasks is null or jsonb_typeof(p_tasks) <> 'array' then
    perform private.raise_error('INVALID_TASKS', 'Tasks must be a list', 400);
  elsif jsonb_array_length(p_tasks) > 100 then
    perform private.raise_error('TOO_MANY_TASKS', 'Please use at most 100 tasks', 400);
  end if;
  select s.* into v_startup from public.startup_profiles s where s.id = v_campaign.startup_id;
  v_limits := private.quest_limits(v_startup);
  if v_budget > v_campaign.budget_points then
    perform private.check_quest_limits(v_startup, p_campaign_id, v_budget);
  end if;
  perform private.check_schedule(v_terms.starts_at, v_terms.ends_at, v_campaign.status = 'published');
  if v_campaign.submission_count > 0 then
    perform private.check_promises(v_campaign, v_terms);
  end if;
  -- Once instead of for each task, and last, because new words are added under a lock that every publication waits for.
  perform set_config('questboard.index_later', 'true', true);
  update public.campaigns c set title = v_title, summary = v_summary, details_md = v_details, budget_points = v_budget,
    custom_reward_title = v_terms.custom_reward_title, custom_reward_description = v_terms.custom_reward_description,
    collect_emails = v_terms.collect_emails, email_collection_purpose = v_terms.email_collection_purpose,
    starts_at = v_terms.starts_at, ends_at = v_terms.ends_at, review_hours = v_terms.review_hours
  where c.id = p_campaign_id;
  for v_task in select * from jsonb_array_elements(p_tasks) loop
    v_position := v_position + 1;
    v_kept := v_kept || private.save_task(v_terms, v_task, v_position, v_limits.reward);
  end loop;
  perform private.settle_waiting(p_campaign_id, v_kept, p_approve_waiting);
  perform private.remove_tasks(p_campaign_id, v_kept);
  -- What is held with its project is published again by the end of the hold, without its owner.
  if v_campaign.status = 'published' or v_campaign.status = 'draft' and v_campaign.hold_cause <> 'moderation' then
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
  perform private.index_quests(array[p_campaign_id]);
  perform set_config('questboard.index_later', 'false', true);
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id;
  perform private.audit(v_owner, 'campaign.update', 'campaign', p_campaign_id::text, v_before || r.before,
    private.quest_terms(p_campaign_id) || r.after) from private.rewordings(v_asked) r;
  return v_campaign;
end $$;
comment on function public.update_campaign(uuid, jsonb, jsonb, text, boolean) is
  'Saves a quest and all its tasks (those missing from p_tasks are removed) with their reserve, in one transaction (QEDIT-10..14). '
  'Idempotent per key: a repeated call returns the quest as it is (TRUST-21). p_approve_waiting: approves and pays the pending proofs of '
  'removed tasks, which otherwise block the change (C-98). Limits are those for creation by this project, and stored values stay allowed; '
  'once there are proofs, terms can only improve for participants (C-75). p_campaign: title, summary, budget_points and, if they are to '
  'change, the other keys of create_quest; updated_at, as it was read, to be refused if the quest was changed since. Errors: '
  'UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, INVALID_IDEMPOTENCY_KEY, QUEST_KEY_REUSED, QUEST_CHANGED, RATE_LIMITED, '
  'TITLE_REQUIRED, HIDDEN_CHARACTERS, RESERVED_NAME, SUMMARY_REQUIRED, TEXT_TOO_LONG, '
  'CUSTOM_REWARD_TITLE_REQUIRED, CUSTOM_REWARD_DESCRIPTION_REQUIRED, CUSTOM_REWARD_PROMISED, EMAIL_PURPOSE_PROMISED, REWARD_PROMISED, '
  'BUDGET_RANGE, INVALID_TASKS, TOO_MANY_TASKS, APPEAL_POSSIBLE, PROOFS_WAITING, STARTUP_INSUFFICIENT_POINTS, BUDGET_LIMIT, '
  'POINTS_BUDGET_LIMIT, INVALID_TIME, END_BEFORE_START, END_PASSED, REVIEW_TIME_RANGE, OVER_BUDGET, INSUFFICIENT_POINTS, those of a task, '
  'of save_verification and of check_verification.';
grant execute on function public.update_campaign(uuid, jsonb, jsonb, text, boolean) to authenticated, service_role;

create function public.delete_campaign(p_campaign_id uuid, p_approve_waiting boolean default false) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.lock_for_removal(p_campaign_id, '{}');
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
  'Owner deletes a quest with tasks, submissions and collected e-mails; the reserve is returned, earned points and ledger rows stay (C-25, '
  'TRUST-12). p_approve_waiting: approves and pays pending proofs, which otherwise block the deletion (C-98). Refused while it is on hold '
  '(C-97) or a rejection may be appealed (BEY-23). Errors: UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, ON_HOLD, '
  'RATE_LIMITED, APPEAL_POSSIBLE, PROOFS_WAITING, STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.delete_campaign(uuid, boolean) to authenticated, service_role;
