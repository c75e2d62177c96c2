-- Submissions: proofs of tasks, their decisions as append-only history, and collected e-mails.

create type public.submission_status as enum ('pending', 'approved', 'rejected');

create table public.submissions (
  id uuid primary key default gen_random_uuid(),
  task_id uuid not null references public.tasks (id) on delete cascade,
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  user_id text not null,
  proof_url text check (length(proof_url) <= 2048),
  proof_text text check (length(proof_text) <= 2000),
  participant_email text check (length(participant_email) <= 254),
  status public.submission_status not null default 'pending',
  reward_points integer not null check (reward_points >= 0),
  reviewed_by text,
  review_note text check (length(review_note) <= 1000),
  reviewed_at timestamptz,
  submitted_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (task_id, user_id),
  check (proof_url is not null or proof_text is not null)
);
comment on table public.submissions is 'A member''s proof of a task (DB-08). One row per member and task; a rejected one is submitted again on the same row (C-08).';
comment on column public.submissions.proof_url is 'An http(s) address, or "proofs/{user}/{file}" for a screenshot in the private bucket (C-59).';
comment on column public.submissions.reward_points is 'Points promised at submission; a later change of the task does not change them.';
comment on column public.submissions.reviewed_by is 'Who decided: a user id, or "beta" / "auto" for decisions of the server.';
create index submissions_user on public.submissions (user_id, submitted_at desc, id desc);
create index submissions_campaign on public.submissions (campaign_id, submitted_at desc, id desc);
create index submissions_pending on public.submissions (submitted_at, id) where status = 'pending';

create table public.submission_history (
  id bigint generated always as identity primary key,
  submission_id uuid not null,
  campaign_id uuid not null,
  user_id text not null,
  action text not null check (action in ('approved', 'rejected', 'resubmitted', 'reversed')),
  actor_id text not null,
  note text,
  proof_url text,
  proof_text text,
  created_at timestamptz not null default now()
);
comment on table public.submission_history is
  'Append-only decisions of people, and earlier proofs, of submissions (TRUST-08). No foreign keys: it outlives a deleted quest.';
create index submission_history_submission on public.submission_history (submission_id, id);
create trigger submission_history_append_only before update or delete on public.submission_history
  for each row execute function private.refuse_change();
create trigger submission_history_no_truncate before truncate on public.submission_history
  for each statement execute function private.refuse_change();

create table public.campaign_email_collections (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  user_id text not null,
  email text not null check (length(email) <= 254),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  collected_at timestamptz not null default now(),
  unique (campaign_id, user_id)
);
comment on table public.campaign_email_collections is 'E-mails that members gave to quests that collect them (DB-10). Read by the quest''s owner, the member and admins.';
create index campaign_email_collections_submission on public.campaign_email_collections (submission_id);
create index campaign_email_collections_user on public.campaign_email_collections (user_id);

create function private.own_campaign_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select c.id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
  where s.owner_user_id = public.current_user_id()
$$;
comment on function private.own_campaign_ids() is 'Quests of the caller''s project.';
grant execute on function private.own_campaign_ids() to authenticated, service_role;

alter table public.submissions enable row level security;
create policy submissions_read on public.submissions for select to authenticated
  using (
    user_id = (select public.current_user_id())
    or campaign_id = any (array(select private.own_campaign_ids()))
    or (select private.is_admin())
  );
comment on policy submissions_read on public.submissions is 'The member, the quest''s owner, admins.';
grant select on public.submissions to authenticated, service_role;

alter table public.submission_history enable row level security;
create policy submission_history_read on public.submission_history for select to authenticated
  using (exists (select 1 from public.submissions s where s.id = submission_id) or (select private.is_admin()));
comment on policy submission_history_read on public.submission_history is
  'Whoever may read the submission: the inner query is under its policies. What outlives a deleted quest is for admins.';
grant select on public.submission_history to authenticated, service_role;

alter table public.campaign_email_collections enable row level security;
create policy campaign_email_collections_read on public.campaign_email_collections for select to authenticated
  using (
    campaign_id = any (array(select private.own_campaign_ids()))
    or user_id = (select public.current_user_id())
    or (select private.is_admin())
  );
comment on policy campaign_email_collections_read on public.campaign_email_collections is 'The owner who collected it, the member, admins.';
grant select on public.campaign_email_collections to authenticated, service_role;

create function private.record_decision(p_submission public.submissions, p_action text, p_actor text, p_note text) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.submission_history (submission_id, campaign_id, user_id, action, actor_id, note, proof_url, proof_text)
  values (p_submission.id, p_submission.campaign_id, p_submission.user_id, p_action, p_actor, p_note, p_submission.proof_url, p_submission.proof_text);
end $$;
comment on function private.record_decision(public.submissions, text, text, text) is 'Appends one line of a submission''s history.';

create function private.pay_submission(p_submission public.submissions, p_startup_id uuid, p_title text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_member uuid := private.ensure_user_wallet(p_submission.user_id);
  v_key text := 'submission:' || p_submission.id || ':' || p_submission.submitted_at;
  v_title text := 'Task completion: ' || p_title;
  v_reserve uuid;
  v_startup uuid;
  v_reserved bigint;
  v_free bigint;
begin
  if p_submission.reward_points = 0 then
    return;
  end if;
  select w.id, w.points into v_reserve, v_reserved from public.wallets w where w.campaign_id = p_submission.campaign_id;
  if v_reserved >= p_submission.reward_points then
    perform private.transfer(v_reserve, v_member, p_submission.reward_points, 'task_completion', v_title, v_key,
      p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id);
    return;
  end if;

  -- Rare: the reserve is short, so the free balance pays the rest. All three are locked, in order, before looking again.
  perform 1 from public.wallets w where w.id = v_member for no key update;
  select w.id, w.points into v_startup, v_free from public.wallets w where w.startup_id = p_startup_id for no key update;
  select w.points into v_reserved from public.wallets w where w.id = v_reserve for no key update;
  v_reserved := least(coalesce(v_reserved, 0), p_submission.reward_points);
  if v_reserved + coalesce(v_free, 0) < p_submission.reward_points then
    perform private.fail('STARTUP_INSUFFICIENT_POINTS', format(
      'Cannot approve submission: Startup has insufficient points. Current balance: %s, Required: %s',
      v_reserved + coalesce(v_free, 0), p_submission.reward_points), 409);
  end if;
  if v_reserved < p_submission.reward_points then
    perform private.transfer(v_startup, v_member, p_submission.reward_points - v_reserved, 'task_completion', v_title, v_key || ':balance',
      p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id);
  end if;
  if v_reserved > 0 then
    perform private.transfer(v_reserve, v_member, v_reserved, 'task_completion', v_title, v_key,
      p_submission_id => p_submission.id, p_campaign_id => p_submission.campaign_id);
  end if;
end $$;
comment on function private.pay_submission(public.submissions, uuid, text) is
  'Pays the promised points once: from the quest''s reserve first, the rest from the project''s free balance (C-01, RULE-07, RULE-08). Errors: STARTUP_INSUFFICIENT_POINTS.';

create function private.settle_approval(p_submission public.submissions, p_startup_id uuid, p_title text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.pay_submission(p_submission, p_startup_id, p_title);
  -- The history is of people's decisions; what the server approved by rule stands on the submission and in the ledger.
  if p_submission.reviewed_by not in ('beta', 'auto') then
    perform private.record_decision(p_submission, 'approved', p_submission.reviewed_by, p_submission.review_note);
  end if;
  perform private.emit('SubmissionApproved', p_submission.user_id, jsonb_build_object(
    'submission_id', p_submission.id, 'campaign_id', p_submission.campaign_id, 'task', p_title, 'points', p_submission.reward_points));
end $$;
comment on function private.settle_approval(public.submissions, uuid, text) is
  'What follows an approval, in its transaction: points, history, SubmissionApproved (RULE-07). Errors: STARTUP_INSUFFICIENT_POINTS.';

create trigger campaign_email_collections_count_new after insert on public.campaign_email_collections
  referencing new table as changed for each statement execute function private.count_rows('collected_emails');
create trigger campaign_email_collections_count_gone after delete on public.campaign_email_collections
  referencing old table as changed for each statement execute function private.count_rows('collected_emails');
