-- Monitoring: the function self-check calls this hourly, an external monitor every minute.

create function public.run_self_check() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_problems text[];
begin
  select array_agg(p.problem) into v_problems from (
    select format('Mail: %s were given up, the last because of "%s"', count(*), (array_agg(o.last_error order by o.failed_at desc))[1])
      as problem
    from public.outbox_events o where o.failed_at is not null and o.processed_at is null having count(*) > 0
    union all
    select format('Mail: the oldest has been waiting since %s', to_char(min(o.created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
    from public.outbox_events o where o.processed_at is null and o.failed_at is null having min(o.created_at) < now() - interval '1 hour'
    union all
    select format('Schedule: %s has not ended well since %s', s.worker, coalesce(s.last_success_at, 'it was set up'))
    from jsonb_to_recordset(private.worker_states()) s (worker text, last_success_at text, is_late boolean)
    where s.is_late and s.worker <> 'self-check'
    union all
    select format('Periodic work: %s has failed since %s with %s', j.job,
      to_char(j.failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), j.last_error)
    from private.failed_jobs j
  ) p;
  return jsonb_build_object('owner_email', (private.settings()).owner_email, 'problems', to_jsonb(coalesce(v_problems, '{}')));
end $$;
comment on function public.run_self_check() is
  'owner_email (null: not set) and problems, as sentences without personal data; empty when all is well. Checks mails that failed or '
  'have waited for more than an hour, late workers and failed periodic jobs; the ledger has a call of its own, reconcile_ledger. Service '
  'role only.';
grant execute on function public.run_self_check() to service_role;

create function public.get_health() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('late_workers', coalesce(jsonb_agg(s.worker) filter (where s.is_late), '[]'),
    'has_problems', bool_or(s.last_problem is not null) filter (where s.worker = 'self-check'))
  from jsonb_to_recordset(private.worker_states()) s (worker text, last_problem text, is_late boolean)
$$;
comment on function public.get_health() is
  'For the health check of the function self-check: late_workers, and has_problems when the last self-check found any. Service role only.';
grant execute on function public.get_health() to service_role;
