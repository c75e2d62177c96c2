-- Decisions on submissions: the owner or an admin approves or rejects. Reversing an approval is in 37_corrections.

create function private.decider(p_user_id text, p_owner text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return case when p_user_id = p_owner then 'project' else 'questboard' end;
end $$;
comment on function private.decider(text, text) is
  'Who made a decision, as members and owners read it: "project" or "questboard", never an admin''s id, which is in the audit log (C-102).';

create function private.count_approvals(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_raised uuid[];
begin
  with decided as (
    select s.task_id, s.campaign_id, count(*)::integer as proofs, sum(s.reward_points)::integer as points,
      sum(greatest(t.reward_points - s.reward_points, 0))::integer as raised
    from public.submissions s join public.tasks t on t.id = s.task_id where s.id = any (p_submission_ids) group by s.task_id, s.campaign_id
  ), of_tasks as (
    update public.tasks t set approved_count = t.approved_count + d.proofs, pending_count = t.pending_count - d.proofs,
      pending_points = t.pending_points - d.points, raised_points = t.raised_points - d.raised
    from decided d where t.id = d.task_id
  ), of_quests as (
    update public.campaigns c set approved_count = c.approved_count + d.proofs, pending_count = c.pending_count - d.proofs,
      points_distributed = c.points_distributed + d.points
    from (
      select campaign_id, sum(proofs)::integer as proofs, sum(points) as points, sum(raised) as raised from decided group by campaign_id
    ) d where c.id = d.campaign_id returning c.id, d.raised
  )
  select array_agg(q.id) filter (where q.raised > 0) into v_raised from of_quests q;
  perform private.adjust_reserve_within_balance(c.id, c.startup_id, p.owner_user_id)
  from public.campaigns c join public.startup_profiles p on p.id = c.startup_id where c.id = any (v_raised);
end $$;
comment on function private.count_approvals(uuid[]) is
  'Moves submissions that the caller has just approved from pending to approved in the counters of their tasks and quests, once for a '
  'batch, and returns to the projects what their slots had cost beyond the promise. The caller has locked submissions, tasks, quests and '
  'wallets.';

create function private.approve(
  p_submission_id uuid, p_reviewer text, p_note text, p_is_counted boolean default true
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_startup_id uuid;
  v_title text;
  v_is_raised boolean := false;
begin
  update public.submissions s set status = 'approved', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now()
  where s.id = p_submission_id and s.status = 'pending' returning s.* into v_submission;
  if v_submission.id is null then
    perform private.raise_error('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
  end if;
  if p_is_counted then
    update public.tasks t set approved_count = t.approved_count + 1, pending_count = t.pending_count - 1,
      pending_points = t.pending_points - v_submission.reward_points,
      raised_points = t.raised_points - greatest(t.reward_points - v_submission.reward_points, 0)
    where t.id = v_submission.task_id returning t.title, t.reward_points > v_submission.reward_points into v_title, v_is_raised;
    update public.campaigns c set approved_count = c.approved_count + 1, pending_count = c.pending_count - 1,
      points_distributed = c.points_distributed + v_submission.reward_points
    where c.id = v_submission.campaign_id returning c.startup_id into v_startup_id;
  else
    select t.title, c.startup_id into v_title, v_startup_id
    from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = v_submission.task_id;
  end if;
  if v_is_raised then
    -- All at once, in order, because the project's wallet is locked before the reserve.
    perform private.lock_wallets(array[v_submission.user_id], array[v_submission.campaign_id]);
  end if;
  perform private.settle_approval(v_submission, v_startup_id, v_title);
  if v_is_raised then
    perform private.adjust_reserve_within_balance(v_submission.campaign_id, v_startup_id, p.owner_user_id)
    from public.startup_profiles p where p.id = v_startup_id;
  end if;
  return v_submission;
end $$;
comment on function private.approve(uuid, text, text, boolean) is
  'Pending to approved, exactly once (RULE-06, RULE-07, TRUST-02). Without p_is_counted, the caller has locked everything and calls '
  'private.count_approvals for the whole batch: a row that one transaction updates a hundred times gets slower with each update. Errors: '
  'ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';

create function private.validate_rejection(p_reason text, p_note text) returns public.rejection_reason
language plpgsql immutable set search_path = ''
as $$
declare
  -- A note without a reason counts as "other".
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
  'One of the six reasons for a rejection; "other" needs a note (C-77). Errors: REASON_REQUIRED, INVALID_REASON, REASON_WORDS_REQUIRED.';

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
comment on function private.rejection_sentence(public.rejection_reason, text) is
  'Reason and note as one sentence, for the mail to the member.';

create function private.appeal_deadline(p_rejected_at timestamptz) returns timestamptz
language sql immutable set search_path = ''
as $$ select date_trunc('day', p_rejected_at at time zone 'UTC') at time zone 'UTC' + interval '192 hours' $$;
comment on function private.appeal_deadline(timestamptz) is
  'Deadline for appealing a rejection: the end of the seventh day after it, in UTC (BEY-23).';

create function private.reject(p_submission_id uuid, p_reviewer text, p_reason public.rejection_reason, p_note text)
returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_kept integer;
begin
  update public.submissions s set status = 'rejected', reviewed_by = p_reviewer, review_note = p_note, reviewed_at = now(),
    rejection_reason = p_reason, kept_until = case when p_reviewer <> 'auto' then private.appeal_deadline(now()) end
  where s.id = p_submission_id and s.status = 'pending' returning s.* into v_submission;
  if v_submission.id is null then
    perform private.raise_error('ALREADY_REVIEWED', 'This submission has already been reviewed', 409);
  end if;
  v_kept := num_nonnulls(v_submission.kept_until);
  update public.tasks t set pending_count = t.pending_count - 1, pending_points = t.pending_points - v_submission.reward_points,
    kept_count = t.kept_count + v_kept, kept_points = t.kept_points + v_kept * v_submission.reward_points,
    raised_points = t.raised_points - (1 - v_kept) * greatest(t.reward_points - v_submission.reward_points, 0)
  where t.id = v_submission.task_id;
  update public.campaigns c set pending_count = c.pending_count - 1, kept_count = c.kept_count + v_kept
  where c.id = v_submission.campaign_id;
  if p_reviewer <> 'auto' then
    perform private.record_decision(v_submission, 'rejected', p_reviewer, p_note);
  end if;
  perform private.enqueue_event('SubmissionRejected', v_submission.user_id, jsonb_build_object(
    'submission_id', v_submission.id, 'campaign_id', v_submission.campaign_id, 'reason', private.rejection_sentence(p_reason, p_note),
    'task', (select t.title from public.tasks t where t.id = v_submission.task_id),
    'due_at', v_submission.kept_until, 'project', (
      select s.name from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = v_submission.campaign_id)));
  return v_submission;
end $$;
comment on function private.reject(uuid, text, public.rejection_reason, text) is
  'Pending to rejected, exactly once; the member is notified. When a person rejects, slot and points are kept until the appeal deadline '
  '(BEY-23). The caller adjusts the reserve. Errors: ALREADY_REVIEWED.';

create function private.release_kept_slots(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- One statement, so that exactly the counted rows are updated.
  with ended as (
    update public.submissions s set kept_until = null, is_slot_reopened = false from (
      select k.id, (not k.is_slot_reopened)::integer as slots from public.submissions k
      where k.id = any (p_submission_ids) and k.kept_until is not null
    ) kept where s.id = kept.id
    returning s.task_id, s.campaign_id, s.reward_points, kept.slots
  ), of_tasks as (
    update public.tasks t set kept_count = t.kept_count - e.slots, kept_points = t.kept_points - e.points,
      raised_points = t.raised_points - e.raised
    from (
      select k.id, sum(x.slots)::integer as slots, sum(x.reward_points)::integer as points,
        sum(x.slots * greatest(k.reward_points - x.reward_points, 0))::integer as raised
      from ended x join public.tasks k on k.id = x.task_id group by 1
    ) e where t.id = e.id
  )
  update public.campaigns c set kept_count = c.kept_count - e.slots
  from (select campaign_id, sum(slots)::integer as slots from ended group by 1) e where c.id = e.campaign_id;
end $$;
comment on function private.release_kept_slots(uuid[]) is
  'Frees the slots that these rejected submissions keep. The caller has locked submissions, tasks and quests, and adjusts the reserves.';

create function private.reopen_kept_slot(p_task_id uuid, p_startup_id uuid, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_required bigint;
  v_kept public.submissions;
begin
  select t.* into v_task from public.tasks t join public.campaigns c on c.id = t.campaign_id
  where t.id = p_task_id and c.status = 'published' and t.approved_count + t.pending_count + t.kept_count >= t.max_completions
    and t.kept_count > greatest(t.max_completions / 10, 1);
  if v_task.id is null then
    return;
  end if;
  -- Skips a submission that is being appealed at this moment: waiting for it would violate the lock order.
  select s.* into v_kept from public.submissions s
  where s.task_id = p_task_id and s.kept_until is not null and s.appealed_at is null and not s.is_slot_reopened
  order by s.kept_until, s.reviewed_at, s.id limit 1 for no key update skip locked;
  v_required := private.required_reserve(v_task.campaign_id) + least(v_task.reward_points, v_kept.reward_points);
  if v_kept.id is null or v_required > (
    select sum(w.points) from public.wallets w where w.campaign_id = v_task.campaign_id or w.startup_id = p_startup_id
  ) then
    return;
  end if;
  update public.submissions s set is_slot_reopened = true where s.id = v_kept.id;
  update public.tasks t set kept_count = t.kept_count - 1,
    raised_points = t.raised_points - greatest(t.reward_points - v_kept.reward_points, 0)
  where t.id = p_task_id;
  update public.campaigns c set kept_count = c.kept_count - 1 where c.id = v_task.campaign_id;
  perform private.adjust_reserve(v_task.campaign_id, p_startup_id, p_owner, v_required);
end $$;
comment on function private.reopen_kept_slot(uuid, uuid, text) is
  'When a task is full and rejected proofs keep more than a tenth of its slots, frees the oldest kept slot without an appeal, if the '
  'project''s free points can pay for both: the points for an overturned appeal stay reserved. The caller has locked task, quest and '
  'wallets.';

create function private.decide(
  p_user text, p_submission public.submissions, p_decision text, p_note text, p_reason text, p_is_counted boolean default true
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions := p_submission;
  v_startup_id uuid;
  v_owner text;
  v_note text := private.normalize_note(p_note);
  v_reason public.rejection_reason;
  v_decider text;
begin
  select sp.id, sp.owner_user_id into v_startup_id, v_owner
  from public.campaigns c join public.startup_profiles sp on sp.id = c.startup_id where c.id = v_submission.campaign_id;
  -- The error must not reveal a submission to callers who may not read it.
  if not (coalesce(v_owner = p_user, false) or private.is_admin()) then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  elsif v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif p_decision is null or p_decision not in ('approve', 'reject') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  -- Participants never review, not even as admin (TRUST-06).
  perform private.refuse_own_matter(p_user, v_submission.user_id);
  if p_decision = 'reject' then
    v_reason := private.validate_rejection(p_reason, v_note);
  end if;
  v_decider := private.decider(p_user, v_owner);
  perform private.audit(p_user, 'submission.' || p_decision, 'submission', v_submission.id::text,
    jsonb_build_object('status', v_submission.status),
    jsonb_build_object('status', case p_decision when 'approve' then 'approved' else 'rejected' end, 'reason', v_reason), v_note);
  if p_decision = 'approve' then
    return private.approve(v_submission.id, v_decider, coalesce(v_note, 'Approved by project owner'), p_is_counted);
  end if;

  v_submission := private.reject(v_submission.id, v_decider, v_reason, v_note);
  -- Nothing changes, because slot and points are kept, unless the reserve was short: it is topped up as far as the project can.
  perform private.adjust_reserve_within_balance(v_submission.campaign_id, v_startup_id, v_owner);
  perform private.reopen_kept_slot(v_submission.task_id, v_startup_id, v_owner);
  return v_submission;
end $$;
comment on function private.decide(text, public.submissions, text, text, text, boolean) is
  'One decision of p_user about a submission as just read (all null: there is none), as review_submission describes it. p_is_counted: as '
  'in private.approve. Errors: FORBIDDEN, SUBMISSION_NOT_FOUND, INVALID_DECISION, OWN_MATTER, REASON_REQUIRED, INVALID_REASON, '
  'REASON_WORDS_REQUIRED, ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';

create function public.review_submission(
  p_submission_id uuid, p_decision text, p_note text default null, p_reason text default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_submission public.submissions;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id;
  return private.decide(v_user, v_submission, p_decision, p_note, p_reason);
end $$;
comment on function public.review_submission(uuid, text, text, text) is
  'The quest''s owner, or an admin, approves or rejects a pending submission (RULE-06, SEC-14, C-43). p_reason, for a rejection: '
  'does_not_match, cannot_open, not_own, incomplete, duplicate or other; p_note: required for other; a note without a reason means other '
  '(C-77). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, SUBMISSION_NOT_FOUND, INVALID_DECISION, OWN_MATTER, REASON_REQUIRED, '
  'INVALID_REASON, REASON_WORDS_REQUIRED, ALREADY_REVIEWED, STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.review_submission(uuid, text, text, text) to authenticated, service_role;

create function private.lock_wallets(p_members text[], p_quests uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallets uuid[] := array(select private.ensure_user_wallet(m.id) from unnest(p_members) m (id))
    || array(select unnest(private.referral_holds_on(m.id)) from unnest(p_members) m (id));
begin
  perform 1 from public.wallets w where w.id = any (v_wallets) order by w.id for no key update;
  perform 1 from public.wallets w
  where w.kind = 'startup' and w.owner_user_id in (
    select s.owner_user_id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = any (p_quests)
  ) order by w.id for no key update;
  perform 1 from public.wallets w where w.campaign_id = any (p_quests) order by w.id for no key update;
end $$;
comment on function private.lock_wallets(text[], uuid[]) is
  'Locks, in the global order, every wallet that approving these members'' proofs in these quests may change: theirs, those whose referral '
  'holds depend on them, the projects'', the reserves. The caller has locked the quests.';

create function private.lock_for_review(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_quests uuid[];
  v_members text[];
begin
  -- Locks class by class over all rows, in the order of docs/data-model.md: locking one submission after the other would take the second
  -- one's row after the first one's reserve, and two reviewers could deadlock.
  perform 1 from public.submissions s where s.id = any (p_submission_ids) order by s.id for no key update;
  perform 1 from public.tasks t
  where t.id in (select s.task_id from public.submissions s where s.id = any (p_submission_ids)) order by t.id for no key update;
  select array_agg(distinct s.campaign_id), array_agg(distinct s.user_id) into v_quests, v_members
  from public.submissions s where s.id = any (p_submission_ids);
  perform 1 from public.campaigns c where c.id = any (v_quests) order by c.id for no key update;
  perform private.lock_wallets(v_members, v_quests);
end $$;
comment on function private.lock_for_review(uuid[]) is
  'Locks everything that deciding these submissions may change, in the global order, so that batches and single decisions never deadlock.';

create function public.review_submissions(
  p_submission_ids uuid[], p_decision text, p_note text default null, p_reason text default null
) returns table (
  submission_id uuid, status public.submission_status, reviewed_by text, review_note text, reviewed_at timestamptz,
  rejection_reason public.rejection_reason, error_code text, error_message text
)
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_note text := private.normalize_note(p_note);
  v_own uuid[] := array(select private.own_campaign_ids());
  v_is_admin boolean := private.is_admin();
  v_reason public.rejection_reason;
  v_row public.submissions;
  v_id uuid;
  v_is_repeated boolean;
  v_approved uuid[] := '{}';
begin
  if cardinality(p_submission_ids) > 100 then
    perform private.raise_error('TOO_MANY_DECISIONS', 'Please decide about at most 100 submissions at a time', 400);
  elsif p_decision is null or p_decision not in ('approve', 'reject') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  if p_decision = 'reject' then
    v_reason := private.validate_rejection(p_reason, v_note);
  else
    v_note := coalesce(v_note, 'Approved by project owner');
  end if;
  -- Locks only what the caller may decide.
  perform private.lock_for_review(array(
    select s.id from public.submissions s
    where s.id = any (p_submission_ids) and s.user_id <> v_user and (v_is_admin or s.campaign_id = any (v_own))));

  for v_id in select i.id from unnest(p_submission_ids) with ordinality i (id, n) group by i.id order by min(i.n) loop
    submission_id := v_id;
    error_code := null;
    error_message := null;
    select s.* into v_row from public.submissions s where s.id = v_id;
    -- A retry of the same decision, whose answer was lost, is not a second decision.
    v_is_repeated := v_row.campaign_id = any (v_own) and v_row.user_id <> v_user and v_row.reviewed_by = 'project'
      and v_row.status = case p_decision when 'approve' then 'approved' else 'rejected' end::public.submission_status
      and v_row.review_note is not distinct from v_note and v_row.rejection_reason is not distinct from v_reason;
    if v_is_repeated is not true then
      begin
        v_row := private.decide(v_user, v_row, p_decision, v_note, p_reason, false);
        if p_decision = 'approve' then
          v_approved := v_approved || v_id;
        end if;
      exception when sqlstate 'PT400' or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' then
        get stacked diagnostics error_code = pg_exception_hint, error_message = message_text;
        v_row := null;
      end;
    end if;
    status := v_row.status;
    reviewed_by := v_row.reviewed_by;
    review_note := v_row.review_note;
    reviewed_at := v_row.reviewed_at;
    rejection_reason := v_row.rejection_reason;
    return next;
  end loop;
  perform private.count_approvals(v_approved);
end $$;
comment on function public.review_submissions(uuid[], text, text, text) is
  'Applies one decision to up to 100 submissions, each independently, as review_submission does: one row per submission with its new state '
  'or the error that refused it (BEY-01). Idempotent (TRUST-21). Nullable: status, reviewed_by, review_note, reviewed_at, '
  'rejection_reason, error_code, error_message. Errors: UNAUTHENTICATED, SUSPENDED, TOO_MANY_DECISIONS, INVALID_DECISION, REASON_REQUIRED, '
  'INVALID_REASON, REASON_WORDS_REQUIRED; in rows FORBIDDEN, SUBMISSION_NOT_FOUND, OWN_MATTER, ALREADY_REVIEWED, '
  'STARTUP_INSUFFICIENT_POINTS.';
grant execute on function public.review_submissions(uuid[], text, text, text) to authenticated, service_role;
