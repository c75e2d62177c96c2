-- Appeals against a suspension, a revocation (BEY-04) or the rejection of a proof (BEY-23), decided by an admin within 48 hours.

create type public.appeal_kind as enum ('suspension', 'revocation', 'rejection');
create type public.appeal_status as enum ('open', 'upheld', 'overturned');

create table public.appeals (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  kind public.appeal_kind not null,
  startup_id uuid,
  against_at timestamptz not null,
  against_reason text,
  words text not null check (length(words) between 1 and 2000),
  status public.appeal_status not null default 'open',
  decision_note text check (length(decision_note) <= 1000),
  decided_by text,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  submission_id uuid,
  due_at timestamptz not null default now() + interval '48 hours',
  unique nulls not distinct (user_id, kind, against_at, submission_id),
  check ((kind = 'rejection') = (submission_id is not null)),
  check ((status = 'open') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null) and (decided_at is null) = (decision_note is null))
);
comment on table public.appeals is
  'Appeals against a suspension, a project''s revocation or the rejection of a proof, at most one per decision. No foreign key: it '
  'outlives project and quest.';
comment on column public.appeals.against_at is 'When the appealed decision was made.';
comment on column public.appeals.startup_id is 'The project that was revoked, or that rejected the proof; null for a suspension.';
comment on column public.appeals.due_at is 'Promised time of the decision; get_appeal_figures measures how often it is met (BEY-23).';
comment on column public.appeals.decided_by is 'The admin; readable through admin_list_appeals only (C-102).';
create index appeals_open on public.appeals (created_at, id) where status = 'open';
create index appeals_decided on public.appeals (decided_at) where decided_at is not null;
create index appeals_submission on public.appeals (submission_id) where submission_id is not null;
create index appeals_created on public.appeals (created_at desc, id desc);

alter table public.appeals enable row level security, alter against_reason set statistics 0, alter words set statistics 0,
  alter decision_note set statistics 0;
create policy appeals_read on public.appeals for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy appeals_read on public.appeals is 'The person, also while suspended, and admins.';
grant select (
  id, user_id, kind, startup_id, against_at, against_reason, words, status, decision_note, created_at, decided_at, submission_id, due_at
) on public.appeals to authenticated;
grant select on public.appeals to service_role;

create function private.appeal_rejection(p_user text, p_submission_id uuid, p_words text) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_appeal public.appeals;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id and s.user_id = p_user for no key update;
  if v_submission.id is null then
    perform private.raise_error('SUBMISSION_NOT_FOUND', 'Submission not found', 404);
  elsif v_submission.appealed_at is not null then
    perform private.raise_error('APPEAL_EXISTS', 'You have already appealed this decision', 409);
  elsif v_submission.status <> 'rejected' or not exists (
    -- Rejections by the server and reversals by an admin are not a reviewer's judgement of the proof.
    select 1 from public.submission_history h
    where h.submission_id = p_submission_id and h.action = 'rejected' and h.created_at = v_submission.reviewed_at
  ) then
    perform private.raise_error('NOTHING_TO_APPEAL', 'There is no decision to appeal', 409);
  elsif v_submission.kept_until is null or v_submission.kept_until <= now() then
    perform private.raise_error('APPEAL_TOO_LATE', 'A rejection can be appealed for 7 days. That time is over.', 409);
  end if;
  update public.submissions s set appealed_at = now() where s.id = p_submission_id;
  -- The notice of the rejection, of the same moment, must not offer an appeal or a new proof any more.
  update public.notifications n set data = n.data || '{"status": "appealed"}'
  from public.tasks t
  where t.id = v_submission.task_id and n.user_id = p_user and n.type = 'SubmissionRejected' and n.created_at = v_submission.reviewed_at
    and n.data ->> 'campaign_id' = v_submission.campaign_id::text and n.data ->> 'task' = t.title;
  insert into public.appeals (user_id, kind, startup_id, against_at, against_reason, words, submission_id)
  select p_user, 'rejection', c.startup_id, v_submission.reviewed_at,
    private.rejection_sentence(v_submission.rejection_reason, v_submission.review_note), p_words, p_submission_id
  from public.campaigns c where c.id = v_submission.campaign_id
  returning * into v_appeal;
  perform private.enqueue_event('RejectionAppealed', p.owner_user_id, jsonb_build_object(
    'campaign_id', c.id, 'quest', c.title, 'task', t.title, 'reason', p_words, 'due_at', v_appeal.due_at))
  from public.tasks t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles p on p.id = c.startup_id
  where t.id = v_submission.task_id;
  return v_appeal;
end $$;
comment on function private.appeal_rejection(text, uuid, text) is
  'Files a member''s appeal against the rejection of their proof and notifies the owner. Errors: SUBMISSION_NOT_FOUND, APPEAL_EXISTS, '
  'NOTHING_TO_APPEAL, APPEAL_TOO_LATE.';

create function public.submit_appeal(p_kind text, p_words text, p_submission_id uuid default null) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_words text := private.require_text(p_words, 2000, 'APPEAL_WORDS_REQUIRED', 'Please say why the decision should change');
  v_appeal public.appeals;
begin
  -- Not require_user, because a suspended person may appeal.
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif p_kind is null or p_kind <> all (enum_range(null::public.appeal_kind)::text[]) then
    perform private.raise_error('INVALID_APPEAL', 'Unknown kind of appeal', 400);
  elsif p_kind = 'rejection' then
    return private.appeal_rejection(private.require_user(), p_submission_id, v_words);
  end if;
  if p_kind = 'suspension' then
    select p.suspended_at, p.suspension_reason into v_appeal.against_at, v_appeal.against_reason
    from public.user_profiles p where p.user_id = v_user;
  else
    select s.id, s.revoked_at, s.review_note into v_appeal.startup_id, v_appeal.against_at, v_appeal.against_reason
    from public.startup_profiles s where s.owner_user_id = v_user;
  end if;
  if v_appeal.against_at is null then
    perform private.raise_error('NOTHING_TO_APPEAL', 'There is no decision to appeal', 409);
  end if;
  insert into public.appeals (user_id, kind, startup_id, against_at, against_reason, words)
  values (v_user, p_kind::public.appeal_kind, v_appeal.startup_id, v_appeal.against_at, v_appeal.against_reason, v_words)
  on conflict (user_id, kind, against_at, submission_id) do nothing returning * into v_appeal;
  if not found then
    perform private.raise_error('APPEAL_EXISTS', 'You have already appealed this decision', 409);
  end if;
  return v_appeal;
end $$;
comment on function public.submit_appeal(text, text, uuid) is
  'The caller appeals against their suspension, their project''s revocation, or the rejection of their proof p_submission_id (kind '
  'suspension, revocation or rejection), once per decision; a rejection within 7 days and before a new proof is submitted (BEY-23). Its '
  'slot and points stay reserved until the appeal is decided. Errors: UNAUTHENTICATED, SUSPENDED (rejection), APPEAL_WORDS_REQUIRED, '
  'TEXT_TOO_LONG, INVALID_APPEAL, NOTHING_TO_APPEAL, APPEAL_EXISTS, SUBMISSION_NOT_FOUND, APPEAL_TOO_LATE.';
grant execute on function public.submit_appeal(text, text, uuid) to authenticated, service_role;

create function private.settle_rejection_appeal(p_appeal public.appeals, p_admin text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_startup public.startup_profiles;
  v_campaign public.campaigns;
  v_title text;
  v_reward integer;
  v_held bigint;
begin
  perform private.lock_for_review(array[p_appeal.submission_id]);
  select s.* into v_submission from public.submissions s where s.id = p_appeal.submission_id;
  select c.* into v_campaign from public.campaigns c where c.id = v_submission.campaign_id;
  select p.* into v_startup from public.startup_profiles p where p.id = v_campaign.startup_id;
  select t.title into v_title from public.tasks t where t.id = v_submission.task_id;
  perform private.release_kept_slots(array[v_submission.id]);
  if p_appeal.status = 'overturned' then
    update public.submissions s set status = 'approved', reviewed_by = 'questboard', review_note = p_appeal.decision_note,
      reviewed_at = now(), rejection_reason = null
    where s.id = v_submission.id returning s.* into v_submission;
    update public.tasks t set max_completions = t.max_completions + 1
    where t.id = v_submission.task_id and t.approved_count + t.pending_count + t.kept_count >= t.max_completions
    returning t.reward_points into v_reward;
    if found then
      -- Its slot was reopened and taken: the task gets one more, paid from the kept points. The budget has to allow for it, at the task's
      -- current reward, or the owner could not save the quest any more.
      perform private.recount_tasks(v_campaign.id);
      update public.campaigns c set budget_points = least(c.budget_points + v_reward, 1000000) where c.id = v_campaign.id;
    end if;
    update public.tasks t set approved_count = t.approved_count + 1 where t.id = v_submission.task_id;
    update public.campaigns c set approved_count = c.approved_count + 1,
      points_distributed = c.points_distributed + v_submission.reward_points
    where c.id = v_campaign.id;
    v_held := private.settle_approval(v_submission, v_startup.id, v_title, 'overturned');
    perform private.audit(p_admin, 'submission.overturn', 'submission', v_submission.id::text, jsonb_build_object('status', 'rejected'),
      jsonb_build_object('status', 'approved', 'points', v_submission.reward_points), p_appeal.decision_note);
  end if;
  perform private.adjust_reserve_within_balance(v_campaign.id, v_startup.id, v_startup.owner_user_id);
  perform private.enqueue_event('ProjectAppealDecided', v_startup.owner_user_id, jsonb_build_object(
    'campaign_id', v_campaign.id, 'quest', v_campaign.title, 'task', v_title, 'outcome', p_appeal.status, 'note', p_appeal.decision_note));
  return jsonb_build_object('campaign_id', v_campaign.id, 'task', v_title)
    || case when v_held is null then '{}' else jsonb_build_object('points', v_submission.reward_points, 'held', v_held) end;
end $$;
comment on function private.settle_rejection_appeal(public.appeals, text) is
  'Settles a decided appeal against a rejection: overturned, the proof is approved and paid from the kept points; upheld, its slot is '
  'freed. The owner is notified. Returns what the member is told: the quest, the task, and what was paid.';

create function private.has_decided(p_admin text, p_appeal public.appeals) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from (values
      ('suspension', 'user', 'user.suspend', p_appeal.user_id),
      ('revocation', 'startup', 'startup.revoke', p_appeal.startup_id::text),
      ('rejection', 'submission', 'submission.reject', p_appeal.submission_id::text)
    ) d (kind, subject_type, action, subject_id)
    join public.audit_log l on l.subject_type = d.subject_type and l.subject_id = d.subject_id and l.action = d.action
    where d.kind = p_appeal.kind::text and l.actor_id = p_admin and l.created_at = p_appeal.against_at
  );
end $$;
comment on function private.has_decided(text, public.appeals) is
  'Whether this admin made the decision that is appealed. The audit log recorded it in the same transaction.';

create function public.decide_appeal(p_appeal_id uuid, p_decision text, p_note text) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text;
  v_appeal public.appeals;
  v_is_own_decision boolean;
  v_settled jsonb := '{}';
begin
  if p_decision is null or p_decision not in ('uphold', 'overturn') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  v_note := private.require_reason(p_note);
  update public.appeals a set status = case p_decision when 'uphold' then 'upheld' else 'overturned' end::public.appeal_status,
    decision_note = v_note, decided_by = v_admin, decided_at = now()
  where a.id = p_appeal_id and a.status = 'open' and a.user_id <> v_admin returning a.* into v_appeal;
  if v_appeal.id is null then
    select a.* into v_appeal from public.appeals a where a.id = p_appeal_id;
    if v_appeal.id is null then
      perform private.raise_error('APPEAL_NOT_FOUND', 'Appeal not found', 404);
    end if;
    perform private.refuse_own_matter(v_admin, v_appeal.user_id);
    perform private.raise_error('APPEAL_DECIDED', 'This appeal has already been decided', 409);
  end if;
  perform private.refuse_own_matter(v_admin, s.owner_user_id) from public.startup_profiles s where s.id = v_appeal.startup_id;
  v_is_own_decision := private.has_decided(v_admin, v_appeal);
  if v_is_own_decision and private.has_other_admin(v_admin) then
    perform private.raise_error('OWN_DECISION', 'This appeal is against your own decision. Another admin has to decide it.', 403);
  end if;
  perform private.audit(v_admin, 'appeal.' || p_decision, 'appeal', p_appeal_id::text, jsonb_build_object('status', 'open'),
    jsonb_build_object('status', v_appeal.status)
      || case when v_is_own_decision then '{"own_decision": true}' else '{}' end::jsonb, v_note);
  if v_appeal.kind = 'rejection' then
    v_settled := private.settle_rejection_appeal(v_appeal, v_admin);
  elsif p_decision = 'overturn' and v_appeal.kind = 'suspension' then
    -- Locked before it is compared, in the order of lift_suspension: another admin may be suspending the person again, for another reason.
    perform private.lock_owner(a.user_id) from (
      select a from unnest(private.accounts_of_person(v_appeal.user_id)) a order by a
    ) a (user_id);
    if exists (
      select 1 from public.user_profiles p where p.user_id = v_appeal.user_id and p.suspended_at = v_appeal.against_at
    ) then
      perform public.lift_suspension(v_appeal.user_id, v_note);
    end if;
  elsif p_decision = 'overturn' then
    perform 1 from public.startup_profiles s where s.id = v_appeal.startup_id for no key update;
    if exists (
      select 1 from public.startup_profiles s where s.id = v_appeal.startup_id and s.revoked_at = v_appeal.against_at
    ) then
      perform public.set_startup_status(v_appeal.startup_id, 'verified', v_note);
    end if;
  end if;
  perform private.enqueue_event('AppealDecided', v_appeal.user_id,
    jsonb_build_object('kind', v_appeal.kind, 'outcome', v_appeal.status, 'note', v_note) || v_settled);
  return v_appeal;
end $$;
comment on function public.decide_appeal(uuid, text, text) is
  'Admin upholds or overturns the decision, once, with a note that the person reads; overturning lifts the suspension, verifies the '
  'project again, or approves and pays the proof, in the same transaction. Nobody decides their own appeal, one about their own '
  'project, or, unless they are the only admin, one against their own decision; the audit log then says so. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN, INVALID_DECISION, REASON_REQUIRED, APPEAL_NOT_FOUND, OWN_MATTER, OWN_DECISION, APPEAL_DECIDED, NAME_TAKEN (by '
  'another project since the revocation).';
grant execute on function public.decide_appeal(uuid, text, text) to authenticated, service_role;
