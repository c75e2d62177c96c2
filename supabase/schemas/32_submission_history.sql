-- Decisions on submissions, and proofs that were replaced.

create table public.submission_history (
  id bigint generated always as identity primary key,
  submission_id uuid not null,
  campaign_id uuid not null,
  user_id text not null,
  action text not null check (action in ('approved', 'rejected', 'resubmitted', 'reversed', 'overturned')),
  actor_id text not null,
  note text,
  proof_url text,
  proof_text text,
  created_at timestamptz not null default now(),
  rejection_reason public.rejection_reason,
  submitted_at timestamptz,
  review_due_at timestamptz,
  project_wallet_id uuid
);
comment on table public.submission_history is
  'Append-only decisions and earlier proofs of submissions (TRUST-08). No foreign keys: it outlives a deleted quest.';
comment on column public.submission_history.actor_id is
  'Who did it: "member", "project", "questboard", the server by a verified action ("code", "call", "check"), or "deadline": the promised '
  'review time ran out (BEY-22). Admins'' ids are in the audit log only (C-102).';
comment on column public.submission_history.submitted_at is 'When the decided proof was submitted, and when its review was due.';
comment on column public.submission_history.project_wallet_id is
  'Wallet of the project whose public record counts the decision (BEY-05); it outlives quest and project.';
create index submission_history_submission on public.submission_history (submission_id, id);
create index submission_history_project on public.submission_history (project_wallet_id, created_at);
create index submission_history_created on public.submission_history (created_at);
create index submission_history_user on public.submission_history (user_id);
create index submission_history_proof_file on public.submission_history (proof_url) where proof_url like 'proofs/%';
-- The one exception to append-only: when an account is deleted, a proof may be blanked, but not changed.
create trigger submission_history_append_only before update on public.submission_history
  for each row
  when (
    new.proof_url is not null or new.proof_text is not null
    or (to_jsonb(new) - 'proof_url' - 'proof_text') is distinct from (to_jsonb(old) - 'proof_url' - 'proof_text')
  )
  execute function private.prevent_mutation();
create trigger submission_history_no_delete before delete on public.submission_history
  for each row execute function private.prevent_mutation();
create trigger submission_history_no_truncate before truncate on public.submission_history
  for each statement execute function private.prevent_mutation();

alter table public.submission_history enable row level security, alter proof_url set statistics 0, alter proof_text set statistics 0,
  alter note set statistics 0;
create policy submission_history_read on public.submission_history for select to authenticated
  using (exists (select 1 from public.submissions s where s.id = submission_id) or (select private.is_admin()));
comment on policy submission_history_read on public.submission_history is
  'Whoever may read the submission: the inner query is subject to its policies. Only admins read what outlives a deleted quest.';
grant select on public.submission_history to authenticated, service_role;

create function private.record_decision(p_submission public.submissions, p_action text, p_actor text, p_note text) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.submission_history (submission_id, campaign_id, user_id, action, actor_id, note, proof_url, proof_text,
    rejection_reason, submitted_at, review_due_at, project_wallet_id)
  values (p_submission.id, p_submission.campaign_id, p_submission.user_id, p_action, p_actor, p_note, p_submission.proof_url,
    p_submission.proof_text, p_submission.rejection_reason, p_submission.submitted_at, p_submission.review_due_at, (
      select w.id from public.campaigns c join public.wallets w on w.startup_id = c.startup_id where c.id = p_submission.campaign_id));
end $$;
comment on function private.record_decision(public.submissions, text, text, text) is 'Adds an entry to a submission''s history.';
