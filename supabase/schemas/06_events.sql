-- Events: the outbox behind mails and notifications, and the audit log of admin and owner actions.

create table public.outbox_events (
  id bigint generated always as identity primary key,
  type text not null check (type ~ '^[A-Z][A-Za-z]+$'),
  user_id text,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  processed_at timestamptz,
  failed_at timestamptz,
  last_error text,
  actor_id text,
  mail_admitted_at timestamptz,
  deferrals integer not null default 0,
  deferred_since timestamptz,
  uncertain_since timestamptz
);
comment on table public.outbox_events is
  'Domain events, written in the transaction that caused them (StartupVerified, SubmissionApproved, SubmissionRejected, …). Read by the '
  'outbox worker.';
comment on column public.outbox_events.user_id is 'Whom the event concerns: the member, or the owner of the project.';
comment on column public.outbox_events.actor_id is 'Who caused the event; null when no signed-in person did. Mails are rate limited by it.';
comment on column public.outbox_events.mail_admitted_at is
  'When the event''s mail was counted against the limits, so that a retry is not counted again.';
comment on column public.outbox_events.failed_at is 'Set when the worker gives up (dead letter).';
comment on column public.outbox_events.attempts is 'How often a worker claimed it, since it was enqueued or requeued by an admin.';
comment on column public.outbox_events.deferrals is
  'How many of these attempts failed because of an outage of the mail provider: they do not count as failures of the mail.';
comment on column public.outbox_events.deferred_since is 'When the provider''s outage first deferred this event.';
comment on column public.outbox_events.uncertain_since is
  'When an attempt first ended without an answer or a report, so that the mail may have been sent. The provider''s idempotency key '
  'deduplicates for a day.';
create index outbox_events_due on public.outbox_events (next_attempt_at) where processed_at is null and failed_at is null;
-- For the erasure and the export of own data.
create index outbox_events_user on public.outbox_events (user_id);
create index outbox_events_actor on public.outbox_events (actor_id) where actor_id is not null;
create index outbox_events_processed on public.outbox_events (processed_at) where processed_at is not null;
create index outbox_events_failed on public.outbox_events (id desc) where failed_at is not null;

alter table public.outbox_events enable row level security, alter last_error set statistics 0;
create policy outbox_events_admin_read on public.outbox_events for select to authenticated using ((select private.is_admin()));
comment on policy outbox_events_admin_read on public.outbox_events is 'Admins see what was sent and what failed.';
grant select on public.outbox_events to authenticated;
grant select, update on public.outbox_events to service_role;

create view private.unprocessed_events as
select w.* from public.outbox_events w where w.processed_at is null and w.failed_at is null
union all
select f.* from public.outbox_events f where f.processed_at is null and f.failed_at is not null;
comment on view private.unprocessed_events is
  'Events that wait and events that were given up, each found by an index of its own: there are few among millions.';

create function private.enqueue_event(p_type text, p_user_id text, p_payload jsonb) returns bigint
language plpgsql set search_path = ''
as $$
declare
  v_id bigint;
begin
  insert into public.outbox_events (type, user_id, payload, actor_id) values (p_type, p_user_id, p_payload, public.current_user_id())
  returning id into v_id;
  perform private.notify(v_id, p_type, p_user_id, p_payload);
  return v_id;
end $$;
comment on function private.enqueue_event(text, text, jsonb) is
  'Adds a domain event to the outbox in the caller''s transaction, notifies the person concerned and returns the event''s id.';

create table public.audit_log (
  id bigint generated always as identity primary key,
  actor_id text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  note text,
  created_at timestamptz not null default now()
);
comment on table public.audit_log is 'Append-only record of what admins and owners did: actor, action, subject, before and after (BEY-04).';
create index audit_log_subject on public.audit_log (subject_type, subject_id, id desc);
create index audit_log_actor on public.audit_log (actor_id, id desc);
create trigger audit_log_append_only before update or delete on public.audit_log
  for each row execute function private.prevent_mutation();
create trigger audit_log_no_truncate before truncate on public.audit_log
  for each statement execute function private.prevent_mutation();

alter table public.audit_log enable row level security, alter note set statistics 0;
create policy audit_log_admin_read on public.audit_log for select to authenticated using ((select private.is_admin()));
comment on policy audit_log_admin_read on public.audit_log is 'Only admins read the audit log.';
grant select on public.audit_log to authenticated;
grant select on public.audit_log to service_role;

create function private.audit(
  p_actor text, p_action text, p_subject_type text, p_subject_id text,
  p_before jsonb default null, p_after jsonb default null, p_note text default null
) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.audit_log (actor_id, action, subject_type, subject_id, before, after, note)
  values (p_actor, p_action, p_subject_type, p_subject_id, p_before, p_after, p_note);
end $$;
comment on function private.audit(text, text, text, text, jsonb, jsonb, text) is
  'Adds an entry to the audit log, in the caller''s transaction.';
