-- Quests (the code calls them campaigns), their tasks and what members submit to them: tables, counters, row-level security. They share a
-- file because their policies refer to each other: members keep seeing the quests in which they took part.

create type public.campaign_status as enum ('draft', 'published', 'closed');
create type public.task_type as enum ('visit', 'signup', 'share', 'follow', 'custom', 'others');
create type public.hold_cause as enum ('moderation', 'suspension', 'revocation');
create type public.proof_type as enum ('screenshot', 'link', 'text');
create type public.task_verification as enum ('review', 'automatic', 'code', 'call', 'check');
create type public.submission_status as enum ('pending', 'approved', 'rejected');
create type public.rejection_reason as enum ('does_not_match', 'cannot_open', 'not_own', 'incomplete', 'duplicate', 'other');

create table public.campaigns (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid not null references public.startup_profiles (id) on delete restrict,
  title text not null check (length(title) between 1 and 200),
  summary text not null default '' check (length(summary) <= 500),
  details_md text not null default '' check (length(details_md) <= 10000),
  budget_points integer not null default 0 check (budget_points between 0 and 1000000),
  budget_cash_cents integer not null default 0 check (budget_cash_cents = 0),
  status public.campaign_status not null default 'draft',
  custom_reward_title text check (length(custom_reward_title) <= 200),
  custom_reward_description text check (length(custom_reward_description) <= 2000),
  collect_emails boolean not null default false,
  email_collection_purpose text check (length(email_collection_purpose) <= 500),
  hold_reason text check (length(hold_reason) <= 1000),
  held_by text,
  held_at timestamptz,
  task_count integer not null default 0,
  open_reward_points integer not null default 0,
  total_slots integer not null default 0,
  submission_count integer not null default 0,
  participant_count integer not null default 0,
  pending_count integer not null default 0,
  approved_count integer not null default 0,
  points_distributed bigint not null default 0,
  open_slots integer generated always as (total_slots - approved_count - pending_count - kept_count) stored,
  is_full boolean generated always as (total_slots - approved_count - pending_count - kept_count <= 0) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  closed_at timestamptz,
  hold_cause public.hold_cause,
  status_before_hold public.campaign_status,
  starts_at timestamptz,
  ends_at timestamptz,
  review_hours integer not null default 72 check (review_hours between 24 and 504),
  kept_count integer not null default 0,
  median_minutes integer check (median_minutes > 0),
  check (ends_at > starts_at),
  check (least(submission_count, participant_count, pending_count, approved_count, kept_count, points_distributed) >= 0),
  check ((held_at is null) = (hold_reason is null) and (held_at is null) = (held_by is null)),
  check ((held_at is null) = (hold_cause is null) and (held_at is null) = (status_before_hold is null)),
  check (status <> 'published' or (published_at is not null and held_at is null))
) with (fillfactor = 75);
comment on table public.campaigns is
  'Quests of projects (DB-03), with the counters that lists and statistics read. Written by procedures only. Pages of campaigns and tasks '
  'keep room for the next version of a row, so that counting a submission is a heap-only (HOT) update.';
comment on column public.campaigns.budget_points is 'Maximum that the quest''s tasks may pay out in total.';
comment on column public.campaigns.published_at is
  'When it was last published. Null for a draft without reserved points: never published, or its points were taken back.';
comment on column public.campaigns.starts_at is
  'Before this time and after ends_at, a published quest is not listed and takes no proofs; null: no limit (BEY-07).';
comment on column public.campaigns.review_hours is
  'Hours within which the project promises to review a proof. A change applies to proofs submitted after it (BEY-22).';
comment on column public.campaigns.hold_reason is
  'Moderation hold by an admin: the owner sees why and cannot publish until it is lifted (C-25).';
comment on column public.campaigns.open_reward_points is
  'Points that one member can still earn: the rewards of its tasks with open slots (C-70). Maintained by a trigger on tasks.';
comment on column public.campaigns.hold_cause is
  'Why it is held: a decision about this quest, the owner''s suspension, or the project''s revocation. The last two end with their cause.';
comment on column public.campaigns.status_before_hold is 'Status to restore when the cause of the hold ends (TRUST-18, C-91).';
comment on column public.campaigns.held_by is 'Always "questboard": the admin''s id is in the audit log only (C-102).';
comment on column public.campaigns.total_slots is 'Sum of the tasks'' max_completions.';
comment on column public.campaigns.participant_count is 'Members with at least one submission.';
comment on column public.campaigns.points_distributed is 'Points paid to members, less reversals.';
comment on column public.campaigns.is_full is 'No open slots. Indexed in place of open_slots, which every submission changes.';
comment on column public.campaigns.open_slots is
  'Slots taken by no approved or pending submission, nor by a rejected one that may be appealed (TRUST-04, BEY-23). At most 0: it is full.';
comment on column public.campaigns.median_minutes is 'Median minutes that members took; null: not enough measurements yet (BEY-18).';
comment on column public.campaigns.kept_count is 'Sum of the tasks'' kept_count.';
create index campaigns_startup on public.campaigns (startup_id, created_at desc);
create index campaigns_published_new on public.campaigns (published_at desc, id desc) where status = 'published';
create index campaigns_published_reward on public.campaigns (open_reward_points desc, budget_points desc, published_at desc, id desc)
  where status = 'published';
create index campaigns_published_open on public.campaigns (published_at desc, id desc) where status = 'published' and not is_full;
create index campaigns_published_open_created on public.campaigns (created_at desc, id desc) where status = 'published' and not is_full;
create index campaigns_published_full on public.campaigns (created_at desc, id desc) where status = 'published' and is_full;
create index campaigns_published_created on public.campaigns (created_at desc, id desc) where status = 'published';
create index campaigns_median_minutes on public.campaigns (median_minutes) where status = 'published' and median_minutes is not null;
create index campaigns_created on public.campaigns (created_at desc, id desc);
create index campaigns_title_search on public.campaigns using gin (title extensions.gin_trgm_ops);
create index campaigns_ends_at on public.campaigns (ends_at) where status = 'published' and ends_at is not null;
create index campaigns_held on public.campaigns (held_at) where held_at is not null;

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  title text not null check (length(title) between 1 and 200),
  type public.task_type not null,
  instructions_md text not null default '' check (length(instructions_md) <= 5000),
  reward_points integer not null check (reward_points between 0 and 1000),
  max_completions integer not null check (max_completions between 1 and 100000),
  requires_proof boolean not null default true,
  proof_type public.proof_type not null default 'text',
  auto_verify boolean not null generated always as (verification = 'automatic') stored,
  order_index integer not null default 0,
  approved_count integer not null default 0,
  pending_count integer not null default 0,
  pending_points integer not null default 0,
  created_at timestamptz not null default now(),
  incentive_rules text[] not null default '{}',
  verification public.task_verification not null default 'review',
  link_url text check (length(link_url) <= 2048),
  kept_count integer not null default 0,
  kept_points integer not null default 0,
  raised_points integer not null default 0,
  check (
    least(approved_count, pending_count, pending_points, kept_count, kept_points, raised_points) >= 0
    and approved_count + pending_count + kept_count <= max_completions
  ),
  check (verification in ('review', 'automatic') or not requires_proof)
) with (fillfactor = 85);
comment on table public.tasks is 'Tasks of a quest (DB-06).';
comment on column public.tasks.verification is
  'How completion is verified: by a person (review); by the server immediately, also outside beta, for a task without proof (automatic, '
  'C-06); by a completion code (code), a signed call from the project''s system (call), or a request to the project (check, BEY-13).';
comment on column public.tasks.auto_verify is 'Whether verification is automatic; the specification''s name for it.';
comment on column public.tasks.link_url is
  'Where a member does a task that a call or a check verifies; the member''s own link adds the token from start_task.';
comment on column public.tasks.pending_points is 'Points promised to pending submissions.';
comment on column public.tasks.kept_count is 'Slots kept for rejected submissions that may be appealed (BEY-23).';
comment on column public.tasks.kept_points is 'Points promised to those submissions and to ones whose slot was reopened.';
comment on column public.tasks.raised_points is
  'What pending and kept slots would cost now beyond what was promised: when one comes back, it is offered at the raised reward.';
comment on column public.tasks.incentive_rules is 'Ids of the incentive_rules that its text matches (BEY-15). Maintained by a trigger.';
create index tasks_campaign on public.tasks (campaign_id, order_index, id);
create index tasks_incentive on public.tasks (campaign_id) where incentive_rules <> '{}';

create table public.submissions (
  id uuid primary key default private.uuidv7(),
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
  rejection_reason public.rejection_reason check (rejection_reason is null or status = 'rejected'),
  review_due_at timestamptz,
  review_check_at timestamptz,
  kept_until timestamptz check (kept_until is null or status = 'rejected'),
  appealed_at timestamptz check (appealed_at is null or status <> 'pending'),
  is_slot_reopened boolean not null default false check (kept_until is not null or not is_slot_reopened),
  unique (task_id, user_id),
  check (proof_url is not null or proof_text is not null)
);
comment on table public.submissions is
  'A member''s proof of a task (DB-08). One row per member and task; resubmitting after a rejection updates the row (C-08).';
comment on column public.submissions.proof_url is
  'An http(s) address, or "proofs/{user}/{file}" for a screenshot in the private bucket (C-59).';
comment on column public.submissions.reward_points is 'Points promised at submission; later changes of the task do not affect them.';
comment on column public.submissions.rejection_reason is
  'One of six reasons (C-77); review_note holds the reviewer''s words. Null for a rejection by the server.';
comment on column public.submissions.reviewed_by is
  'Who decided: "project" (its owner), "questboard" (an admin, whose id is in the audit log only, C-102), the server by rule ("beta", '
  '"auto"; "deadline": the review time ran out, BEY-22) or by a verified action ("code", "call", "check").';
comment on column public.submissions.review_due_at is
  'When it is approved unless somebody decides earlier; fixed at submission (BEY-22). Null when it was approved immediately.';
comment on column public.submissions.kept_until is
  'Until when a rejected proof keeps its slot and points because the member may appeal; longer while an appeal is open. Null: it keeps '
  'none.';
comment on column public.submissions.is_slot_reopened is
  'The kept slot was given to others; the points stay kept, because the member may still appeal.';
comment on column public.submissions.appealed_at is 'When its member appealed the last rejection; null: they did not (BEY-23).';
comment on column public.submissions.review_check_at is
  'When the server checks it next: to remind the owner after half and nine tenths of the review time, and to approve it at the end.';
create index submissions_user on public.submissions (user_id, submitted_at desc, id desc);
create index submissions_campaign on public.submissions (campaign_id, submitted_at desc, id desc);
-- The review queue, quest by quest: pending ones first, by due time (BEY-01).
create index submissions_review on public.submissions (campaign_id, status, (coalesce(review_due_at, submitted_at)), submitted_at, id);
create index submissions_due on public.submissions (review_due_at, id) where status = 'pending';
create index submissions_pending on public.submissions (submitted_at, id) where status = 'pending';
create index submissions_check on public.submissions (review_check_at, id) where status = 'pending' and review_check_at is not null;
create index submissions_kept on public.submissions (kept_until, id) where kept_until is not null;
create index submissions_proof_file on public.submissions (proof_url) where proof_url like 'proofs/%';
-- Rows are inserted in chronological order, so a BRIN index finds a period at almost no cost for inserts and updates.
create index submissions_reviewed on public.submissions using brin (reviewed_at);
create index submissions_recent on public.submissions (submitted_at desc, id desc);
create index submissions_rejected on public.submissions (submitted_at desc, id desc) where status = 'rejected';

-- What they are found by ----------------------------------------------------------------------------------------------

create table private.quest_search (
  campaign_id uuid primary key references public.campaigns (id) on delete cascade,
  document tsvector not null
);
comment on table private.quest_search is
  'The words of published quests and of no others, by weight: title (A), the project''s name (B), the tasks'' titles (C), summary and '
  'details (D). Separate from campaigns, whose rows change with every proof (BEY-18).';
create index quest_search_document on private.quest_search using gin (document) with (fastupdate = off);
create trigger quest_search_left after update or delete on private.quest_search for each row execute function private.note_left_words();

create function private.index_quests(p_campaign_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_words text[];
begin
  delete from private.quest_search q where q.campaign_id in (
    select c.id from public.campaigns c where c.id = any (p_campaign_ids) and c.status <> 'published');
  with indexed as (
    insert into private.quest_search as q (campaign_id, document)
    select c.id, private.weighted_words(c.title, 'A') || private.weighted_words(s.name, 'B')
      || private.weighted_words((select string_agg(t.title, ' ') from public.tasks t where t.campaign_id = c.id), 'C')
      || private.weighted_words(c.summary || ' ' || c.details_md, 'D')
    from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
    where c.id = any (p_campaign_ids) and c.status = 'published'
    on conflict (campaign_id) do update set document = excluded.document where q.document <> excluded.document
    returning q.document
  )
  select array_agg(distinct w.lexeme) into v_words from indexed i cross join unnest(i.document) w;
  perform private.add_search_words(v_words);
end $$;
comment on function private.index_quests(uuid[]) is 'Indexes the quests that are published and removes the others.';

create function private.reindex_quest() returns trigger
language plpgsql security definer set search_path = ''
as $$ begin perform private.index_quests(array[(to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid]); return null; end $$;
comment on function private.reindex_quest() is 'Trigger: reindexes a quest; the argument is the column of its id. A save does so once.';
create trigger campaigns_search after insert or update of title, summary, details_md, status on public.campaigns for each row
  when (current_setting('questboard.index_later', true) is distinct from 'true') execute function private.reindex_quest('id');
create trigger tasks_search after insert or delete or update of title on public.tasks for each row
  when (current_setting('questboard.index_later', true) is distinct from 'true') execute function private.reindex_quest('campaign_id');

-- Counts --------------------------------------------------------------------------------------------------------------

create function private.count_campaign() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- OLD on insert and NEW on delete read as rows of nulls. "active_budgets": budgets of quests with an approved submission (DATA-06).
  insert into private.counter_deltas (name, change)
  select c.name, c.change from (values
    ('published_campaigns', coalesce((new.status = 'published')::integer, 0) - coalesce((old.status = 'published')::integer, 0)),
    ('open_campaigns', coalesce((new.status = 'published' and not new.is_full)::integer, 0)
      - coalesce((old.status = 'published' and not old.is_full)::integer, 0)),
    ('submissions', coalesce(new.submission_count, 0) - coalesce(old.submission_count, 0)),
    ('approved_submissions', coalesce(new.approved_count, 0) - coalesce(old.approved_count, 0)),
    ('active_budgets', case when new.approved_count > 0 then new.budget_points else 0 end
      - case when old.approved_count > 0 then old.budget_points else 0 end)
  ) c (name, change) where c.change <> 0;
  return null;
end $$;
comment on function private.count_campaign() is 'Trigger: maintains the counters derived from quests.';
create trigger campaigns_count_row after insert or delete on public.campaigns
  for each row execute function private.count_campaign();
create trigger campaigns_count_change after update on public.campaigns
  for each row when (
    old.approved_count <> new.approved_count or old.submission_count <> new.submission_count
    or old.status <> new.status or old.budget_points <> new.budget_points or old.is_full <> new.is_full
  ) execute function private.count_campaign();

create trigger campaigns_tell_owner after update on public.campaigns
  for each row when (
    new.pending_count > old.pending_count or (new.pending_count = 0 and old.pending_count > 0) or (new.is_full and not old.is_full)
  ) execute function private.notify_quest_owner();

create function private.update_open_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- OLD on insert and NEW on delete read as rows of nulls.
  update public.campaigns c set open_reward_points = c.open_reward_points
    + coalesce(case when new.approved_count + new.pending_count + new.kept_count < new.max_completions then new.reward_points end, 0)
    - coalesce(case when old.approved_count + old.pending_count + old.kept_count < old.max_completions then old.reward_points end, 0)
  where c.id = coalesce(new.campaign_id, old.campaign_id);
  return null;
end $$;
comment on function private.update_open_reward() is 'Trigger: maintains what one member can still earn in the task''s quest (C-70).';
create trigger tasks_open_reward_row after insert or delete on public.tasks
  for each row execute function private.update_open_reward();
-- Most submissions change nothing: only the one that takes or frees a task's last slot updates the quest.
create trigger tasks_open_reward_change after update on public.tasks
  for each row when (
    old.reward_points <> new.reward_points
    or (old.approved_count + old.pending_count + old.kept_count < old.max_completions)
      <> (new.approved_count + new.pending_count + new.kept_count < new.max_completions)
  ) execute function private.update_open_reward();

create function private.note_incentive_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.incentive_rules := private.match_incentive_rules(new.title, new.instructions_md);
  return new;
end $$;
comment on function private.note_incentive_rules() is 'Trigger: stores the rules that a task''s text matches (BEY-15).';
-- A migration that changes the rules sets each title to itself to recompute them.
create trigger tasks_incentive_rules before insert or update of title, instructions_md on public.tasks
  for each row execute function private.note_incentive_rules();

-- What members took part in --------------------------------------------------------------------------------------------

create table private.published_quests (
  campaign_id uuid primary key references public.campaigns (id) on delete cascade,
  quest jsonb not null,
  tasks jsonb not null
);
comment on table private.published_quests is
  'Last published version of quests that are no longer published: participants must see neither the owner''s draft nor a moderation hold.';

create function private.keep_published_quest() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.published_quests (campaign_id, quest, tasks)
  select old.id, to_jsonb(old) - array['hold_reason', 'held_by', 'held_at'],
    coalesce(jsonb_agg(to_jsonb(t) order by t.order_index, t.id), '[]') from public.tasks t where t.campaign_id = old.id
  on conflict (campaign_id) do update set quest = excluded.quest, tasks = excluded.tasks;
  return null;
end $$;
comment on function private.keep_published_quest() is 'Trigger: keeps the last published text when a quest stops being published.';
create trigger campaigns_keep_published after update of status on public.campaigns
  for each row when (old.status = 'published' and new.status <> 'published') execute function private.keep_published_quest();

create table private.deleted_quests (
  campaign_id uuid primary key,
  deleted_at timestamptz not null default now()
);
comment on table private.deleted_quests is 'Ids of deleted quests that were once public: their URL answers 410 instead of 404 (BEY-17).';

create function private.keep_deleted_quest() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.deleted_quests (campaign_id)
  select old.id where old.status = 'published' or exists (select 1 from private.published_quests p where p.campaign_id = old.id);
  return old;
end $$;
comment on function private.keep_deleted_quest() is 'Trigger: records the id of a deleted quest that was public.';
create trigger campaigns_keep_deleted before delete on public.campaigns
  for each row execute function private.keep_deleted_quest();

-- Who sees what -------------------------------------------------------------------------------------------------------

create function private.has_participated(p_campaign_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from public.submissions s where s.campaign_id = p_campaign_id and s.user_id = public.current_user_id());
end $$;
comment on function private.has_participated(uuid) is 'Whether the caller has a submission in the quest, and so access after closing.';
grant execute on function private.has_participated(uuid) to authenticated, service_role;

create function private.own_campaign_ids() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$ begin return query select c.id from public.campaigns c where c.startup_id = any (array(select private.own_startup_ids())); end $$;
comment on function private.own_campaign_ids() is 'Quests of the caller''s project.';
grant execute on function private.own_campaign_ids() to authenticated, service_role;

alter table public.campaigns enable row level security, alter title set statistics 0, alter summary set statistics 0,
  alter details_md set statistics 0, alter custom_reward_title set statistics 0, alter custom_reward_description set statistics 0,
  alter email_collection_purpose set statistics 0, alter hold_reason set statistics 0;
create policy campaigns_read_public on public.campaigns for select to anon using (status = 'published');
comment on policy campaigns_read_public on public.campaigns is 'Visitors see published quests only (RULE-14).';
create policy campaigns_read on public.campaigns for select to authenticated
  using (
    status = 'published'
    or startup_id = any (array(select private.own_startup_ids()))
    or (select private.is_admin())
    or status = 'closed' and held_at is null and private.has_participated(id)
  );
comment on policy campaigns_read on public.campaigns is
  'Published quests, the caller''s own, and closed ones in which they took part; all for admins. Participants read a quest that is back in '
  'draft or on hold as last published, through get_participated_quest.';
grant select on public.campaigns to anon, authenticated, service_role;

alter table public.tasks enable row level security, alter title set statistics 0, alter instructions_md set statistics 0,
  alter link_url set statistics 0;
create policy tasks_read on public.tasks for select to anon, authenticated
  using (exists (select 1 from public.campaigns c where c.id = campaign_id));
comment on policy tasks_read on public.tasks is 'Whoever sees the quest sees its tasks: the policies of campaigns apply.';
grant select on public.tasks to anon, authenticated, service_role;

alter table public.submissions enable row level security, alter proof_url set statistics 0, alter proof_text set statistics 0,
  alter participant_email set statistics 0, alter review_note set statistics 0;
create policy submissions_read on public.submissions for select to authenticated
  using (
    user_id = (select public.current_user_id())
    or campaign_id = any (array(select private.own_campaign_ids()))
    or (select private.is_admin())
  );
comment on policy submissions_read on public.submissions is 'The member, the quest''s owner, admins.';
grant select on public.submissions to authenticated, service_role;
