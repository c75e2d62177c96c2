-- Failures of the database's periodic jobs, which 63_workers.sql runs.

create table private.failed_jobs (
  job text primary key check (job ~ '^[a-z_]{1,60}$'),
  failing_since timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  last_error text not null check (length(last_error) <= 500)
);
comment on table private.failed_jobs is
  'Periodic jobs of the database whose last run failed, as a whole or for some rows; a job that succeeds is removed. Read by '
  'run_self_check.';
comment on column private.failed_jobs.last_error is
  'SQLSTATE, error code and constraint of the last failure, without the message, which may contain personal data.';

create table private.failed_rows (
  job text not null check (job ~ '^[a-z_]{1,60}$'),
  row_id uuid not null,
  failed_at timestamptz not null default now(),
  primary key (job, row_id)
);
comment on table private.failed_rows is
  'Rows that a periodic job could not process. It tries them again after all others, or a batch full of them would keep the others waiting '
  'for ever. Removed a day after the last failure.';

create function private.put_last(p_job text, p_row_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.failed_rows (job, row_id) values (p_job, p_row_id) on conflict (job, row_id) do update set failed_at = now()
$$;
comment on function private.put_last(text, uuid) is
  'Has a periodic job process this row after all those that have not failed within a day.';

create function private.record_failure(p_job text, p_error text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.failed_jobs as f (job, last_error) values (p_job, left(p_error, 500))
  on conflict (job) do update set failed_at = now(), last_error = excluded.last_error
$$;
comment on function private.record_failure(text, text) is
  'Records that a periodic job has failed, also for one row of many, so that run_self_check mails it. p_error: codes and ids, no personal '
  'data.';

create function private.record_failed_row(p_job text, p_state text, p_kind text, p_row_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.record_failure(p_job, concat_ws(' ', p_state, p_kind, p_row_id));
  perform private.put_last(p_job, p_row_id);
end $$;
comment on function private.record_failed_row(text, text, text, uuid) is
  'For a job that goes on without a row that it cannot process: the failure is reported, and the row comes last from now on. p_state: '
  'SQLSTATE; p_kind: what the row is.';
