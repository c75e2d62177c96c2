-- The scheduled workers (edge functions that pg_cron calls): when each last ran and how it ended, so that silence is noticed.

create table private.worker_runs (
  worker text primary key check (worker ~ '^[a-z][a-z-]{0,59}$'),
  last_run_at timestamptz not null default now(),
  last_success_at timestamptz,
  last_problem text check (length(last_problem) <= 500)
);
comment on table private.worker_runs is
  'One row per scheduled worker, written by the worker itself. That a schedule exists is no proof: it may call a wrong URL or use an old '
  'key.';
comment on column private.worker_runs.last_problem is
  'Why the last run failed; null when it went well. Codes and reasons, no personal data.';

create function public.report_worker_run(p_worker text, p_problem text default null) returns void
language sql security definer set search_path = ''
as $$
  insert into private.worker_runs as w (worker, last_success_at, last_problem)
  values (p_worker, case when p_problem is null then now() end, left(p_problem, 500))
  on conflict (worker) do update set last_run_at = now(),
    last_success_at = coalesce(excluded.last_success_at, w.last_success_at), last_problem = excluded.last_problem
$$;
comment on function public.report_worker_run(text, text) is
  'Records that a scheduled worker has finished (p_problem null) or failed. Service role only.';
grant execute on function public.report_worker_run(text, text) to service_role;

create function private.expected_workers() returns table (worker text, schedule text, patience interval)
language sql immutable set search_path = '' rows 4
as $$
  values ('deliver-events', '* * * * *', interval '10 minutes'), ('import-logos', '* * * * *', interval '10 minutes'),
    ('remove-orphans', '23 * * * *', interval '3 hours'), ('self-check', '7 * * * *', interval '3 hours')
$$;
comment on function private.expected_workers() is
  'The workers of docs/deploy.md, their cron schedule, and how long after a success they count as late.';

create function private.worker_states() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('worker', e.worker, 'schedule', e.schedule, 'last_run_at', w.last_run_at,
    'last_success_at', w.last_success_at, 'last_problem', w.last_problem,
    'seconds_since_success', extract(epoch from now() - w.last_success_at)::bigint,
    'is_late', coalesce(w.last_success_at < now() - e.patience, true)) order by e.worker)
  from private.expected_workers() e left join private.worker_runs w using (worker)
$$;
comment on function private.worker_states() is
  '[{worker, schedule, last_run_at, last_success_at, last_problem, seconds_since_success, is_late}] of all workers; nulls for one that has '
  'never run.';

-- Periodic jobs of the database -----------------------------------------------------------------------------------------

create function public.list_periodic_jobs() returns text[]
language sql immutable set search_path = ''
as $$
  select array['roll_up_figures', 'expire_subscriptions', 'scan_submissions', 'release_due_holds', 'close_ended_quests', 'remove_expired',
    'announce_quests', 'queue_digests', 'measure_quests', 'remove_left_words']
$$;
comment on function public.list_periodic_jobs() is
  'Names of the jobs for run_periodic_job, in the order in which they run. Each is a function in the schema private. Service role only.';
grant execute on function public.list_periodic_jobs() to service_role;

create function public.run_periodic_job(p_job text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_state text;
  v_code text;
  v_constraint text;
begin
  if (p_job = any (public.list_periodic_jobs())) is not true then
    perform private.raise_error('JOB_NOT_FOUND', 'There is no such periodic job', 404);
  end if;
  begin
    execute format('select private.%I()', p_job);
    -- Those that this run has not recorded itself.
    delete from private.failed_jobs f where f.job = p_job and f.failed_at < now();
  -- "others" does not include the statement timeout.
  exception when others or query_canceled then
    get stacked diagnostics v_state = returned_sqlstate, v_code = pg_exception_hint, v_constraint = constraint_name;
    perform private.record_failure(p_job, concat_ws(' ', v_state, nullif(v_code, ''), nullif(v_constraint, '')));
    raise warning 'The periodic job % failed: %', p_job, sqlerrm;
  end;
end $$;
comment on function public.run_periodic_job(text) is
  'Runs one of list_periodic_jobs. A failure, including the statement timeout, undoes the job and is recorded for run_self_check. One call '
  'and so one transaction each, so that a job stops neither the others nor the mails. Service role only. Errors: JOB_NOT_FOUND.';
grant execute on function public.run_periodic_job(text) to service_role;
