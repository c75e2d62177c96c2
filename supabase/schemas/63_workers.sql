-- The scheduled workers (edge functions that pg_cron calls): when each last ran and how it ended, so that silence is noticed.

create table private.worker_runs (
  worker text primary key check (worker ~ '^[a-z][a-z-]{0,59}$'),
  last_run_at timestamptz not null default now(),
  last_success_at timestamptz,
  last_problem text check (length(last_problem) <= 500)
);
comment on table private.worker_runs is
  'One row per scheduled worker, written by the worker itself. Whether a schedule exists says little: it may call the wrong address or '
  'carry an old key.';
comment on column private.worker_runs.last_problem is 'Why the last run failed; null when it went well. Codes and reasons, no personal data.';

create function public.report_worker_run(p_worker text, p_problem text default null) returns void
language sql security definer set search_path = ''
as $$
  insert into private.worker_runs as w (worker, last_success_at, last_problem)
  values (p_worker, case when p_problem is null then now() end, left(p_problem, 500))
  on conflict (worker) do update set last_run_at = now(),
    last_success_at = coalesce(excluded.last_success_at, w.last_success_at), last_problem = excluded.last_problem
$$;
comment on function public.report_worker_run(text, text) is
  'A scheduled worker has run to its end (p_problem null) or failed. Service role only.';
grant execute on function public.report_worker_run(text, text) to service_role;

create function private.worker_states() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('worker', w.worker, 'last_run_at', w.last_run_at, 'last_success_at', w.last_success_at,
    'last_problem', w.last_problem, 'seconds_since_success', extract(epoch from now() - w.last_success_at)::bigint) order by w.worker), '[]')
  from private.worker_runs w
$$;
comment on function private.worker_states() is
  '[{worker, last_run_at, last_success_at, last_problem, seconds_since_success}]; a worker that has never run is missing.';
