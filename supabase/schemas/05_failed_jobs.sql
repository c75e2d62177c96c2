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

create function private.record_failure(p_job text, p_error text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.failed_jobs as f (job, last_error) values (p_job, left(p_error, 500))
  on conflict (job) do update set failed_at = now(), last_error = excluded.last_error
$$;
comment on function private.record_failure(text, text) is
  'Records that a periodic job has failed, also for one row of many: a job that goes on without a broken row calls this, and '
  'run_self_check mails it. p_error: codes and ids, no personal data.';
