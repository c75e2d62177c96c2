-- Delivery of outbox events by the worker (supabase/functions/deliver-events), at least once each. A failing mail is tried eight times, an
-- outage of the provider is waited out for three days; after that an admin has to act.

create function private.outbox_tries() returns integer
language sql immutable set search_path = ''
as $$ select 8 $$;
comment on function private.outbox_tries() is 'Number of attempts before the worker gives up on an event.';

create function private.outbox_patience() returns interval
language sql immutable set search_path = ''
as $$ select interval '72 hours' $$;
comment on function private.outbox_patience() is 'How long an outage of the provider may last before the worker gives up on an event.';

create function private.outbox_certainty() returns interval
language sql immutable set search_path = ''
as $$ select interval '23 hours' $$;
comment on function private.outbox_certainty() is
  'How long after an attempt without an answer a mail may be retried: the provider keeps idempotency keys for 24 hours, and after that it '
  'could arrive twice.';

create function private.may_be_sent(p_event public.outbox_events) returns boolean
language sql stable set search_path = ''
as $$
  -- A claim clears the last error, so an event that was claimed and has none was never reported back.
  select coalesce(
    coalesce(p_event.uncertain_since, case when p_event.attempts > 0 and p_event.last_error is null then p_event.next_attempt_at end)
      <= now() - private.outbox_certainty(), false)
$$;
comment on function private.may_be_sent(public.outbox_events) is
  'Whether the mail may have been sent so long ago that a retry could be a second one: an attempt got no answer from the provider, or its '
  'worker died.';

create function private.outbox_backoff(p_attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '30 seconds' * power(2, least(p_attempts, 20) - 1), interval '1 hour') $$;
comment on function private.outbox_backoff(integer) is
  'Exponential backoff after the p_attempts-th failure: 30 s, doubled each time, at most an hour.';

create function public.claim_outbox_events(
  p_limit integer default 10, p_lease_seconds integer default 120, p_event_id bigint default null
) returns table (id bigint, type text, payload jsonb, attempt integer, email text)
language plpgsql security definer set search_path = ''
as $$
begin
  -- A worker that crashed reports nothing: the lease expires and the attempt counts.
  update public.outbox_events o set failed_at = now(), last_error = left(
      case when private.may_be_sent(o) then 'It may have gone out a day ago. ' else '' end
      || coalesce(o.last_error, 'The worker never reported back'), 500)
  where o.processed_at is null and o.failed_at is null and o.next_attempt_at <= now()
    and (o.attempts - o.deferrals >= private.outbox_tries() or o.deferred_since <= now() - private.outbox_patience()
      or private.may_be_sent(o));
  return query
    with due as (
      select o.id from public.outbox_events o
      where o.processed_at is null and o.failed_at is null and o.next_attempt_at <= now() and (p_event_id is null or o.id = p_event_id)
      order by o.next_attempt_at, o.id
      limit least(greatest(p_limit, 0), 100)
      for update skip locked
    ), claimed as (
      update public.outbox_events o
      set attempts = o.attempts + 1, next_attempt_at = now() + make_interval(secs => p_lease_seconds), last_error = null,
        -- The attempt before was never reported back. What follows may be a long outage, in which the provider forgets the mail.
        uncertain_since = coalesce(o.uncertain_since, case when o.attempts > 0 and o.last_error is null then o.next_attempt_at end)
      from due where o.id = due.id
      returning o.id, o.type, o.payload, o.attempts, o.user_id
    )
    select c.id, c.type, c.payload, c.attempts, case when c.type = 'SubscriptionRequested'
      then (select m.email from public.mailing_list m where m.id = private.to_uuid(c.payload ->> 'entry_id'))
      when private.wants_mail(c.user_id, c.type) then p.email end
    from claimed c left join public.user_profiles p on p.user_id = c.user_id
    order by c.id;
end $$;
comment on function public.claim_outbox_events(integer, integer, bigint) is
  'Leases due events, or the given one, to a worker for p_lease_seconds. email: address of the person concerned, or of the subscription to '
  'confirm; null when unknown or when the person has switched off mails of this kind (BEY-03). Each claim is one attempt. Report back with '
  'complete_outbox_event or fail_outbox_event. Nullable: email. Service role only.';
grant execute on function public.claim_outbox_events(integer, integer, bigint) to service_role;

create function public.admit_mail(p_email text, p_event_id bigint default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_event public.outbox_events;
  v_is_required boolean;
  v_mailbox text := 'mailbox:' || coalesce(encode(private.mailbox_key(p_email), 'hex'), lower(p_email));
begin
  select o.* into v_event from public.outbox_events o where o.id = p_event_id for no key update;
  if v_event.processed_at is not null then
    -- Since it was claimed: its reader was erased, or another worker has sent it after the end of a lease.
    return 'settled';
  end if;
  -- A member was promised that the project is asked to delete its copies.
  v_is_required := coalesce(v_event.type = 'EmailWithdrawn', false);
  if not v_is_required and v_event.type is distinct from 'SubscriptionRequested' and public.is_opted_out(p_email) then
    return 'opted_out';
  elsif v_event.mail_admitted_at is not null then
    return 'send';
  end if;
  begin
    if (not v_is_required and not public.take_rate_limit(v_mailbox, 'mail', 30, 86400))
      or (v_event.type = 'StartupVerified' and not public.take_rate_limit(v_mailbox, 'mail:StartupVerified', 1, 86400))
      or (v_event.actor_id is not null and not public.take_rate_limit('user:' || v_event.actor_id, 'mail', 500, 86400)) then
      return 'limited';
    elsif not private.take_ceiling('mails', 1, (select d.mails_per_day from private.deployment d), '1 day') then
      -- Undoes what the limits have counted: the mail is tried again, and must not be dropped then for having been tried before.
      raise sqlstate 'PT429';
    end if;
  exception when sqlstate 'PT429' then
    return 'exhausted';
  end;
  update public.outbox_events o set mail_admitted_at = now() where o.id = p_event_id;
  return 'send';
end $$;
comment on function public.admit_mail(text, bigint) is
  'Whether a mail may be sent: send, opted_out (the recipient has opted out; address confirmations are sent anyway), limited (30 a day per '
  'mailbox, 500 a day caused by one account, one verified-project mail a day), exhausted (today''s total is used up; try again later), or '
  'settled (its event needs no mail any more, because the reader was erased or has got it). '
  'A request to delete a withdrawn address is sent whatever its recipient wants or has received (BEY-10). '
  'An event counts once, however often it is tried (TRUST-27). Service role only.';
grant execute on function public.admit_mail(text, bigint) to service_role;

create function public.complete_outbox_event(p_event_id bigint) returns void
language sql security definer set search_path = ''
as $$
  update public.outbox_events o set processed_at = now(), failed_at = null, last_error = null,
    payload = case o.type when 'EmailWithdrawn' then o.payload - 'email' else o.payload end
  where o.id = p_event_id and o.processed_at is null
$$;
comment on function public.complete_outbox_event(bigint) is
  'Marks an event as processed; idempotent. An address that a member has withdrawn is kept only until then (BEY-10). Service role only.';
grant execute on function public.complete_outbox_event(bigint) to service_role;

create function public.fail_outbox_event(
  p_event_id bigint, p_attempt integer, p_error text, p_kind text default 'failure', p_retry_after_seconds integer default null
) returns void
language sql security definer set search_path = ''
as $$
  update public.outbox_events o set
    last_error = left(p_error, 500),
    deferrals = o.deferrals + d.deferral,
    deferred_since = case when d.deferral = 1 then coalesce(o.deferred_since, now()) end,
    uncertain_since = coalesce(o.uncertain_since, case when p_kind = 'uncertain' then now() end),
    next_attempt_at = now() + greatest(
      private.outbox_backoff(case d.deferral when 1 then o.deferrals + 1 else o.attempts - o.deferrals end),
      make_interval(secs => least(coalesce(p_retry_after_seconds, 0), 86400))),
    failed_at = case when o.attempts - o.deferrals - d.deferral >= private.outbox_tries() then now() end
  from (select case when p_kind in ('deferred', 'uncertain') then 1 else 0 end as deferral) d
  where o.id = p_event_id and o.attempts = p_attempt and o.processed_at is null and o.failed_at is null
$$;
comment on function public.fail_outbox_event(bigint, integer, text, text, integer) is
  'Records that attempt p_attempt failed and schedules a retry with backoff, after at least p_retry_after_seconds. p_kind: failure (the '
  'mail was refused; gives up after the eighth), deferred (outage of the provider; does not count), uncertain (no answer; does not count, '
  'and is not retried once the provider''s idempotency key has expired). A report about an earlier attempt is ignored. p_error: codes and '
  'reasons, no personal data. Service role only.';
grant execute on function public.fail_outbox_event(bigint, integer, text, text, integer) to service_role;

create function private.requeue_events(p_admin text, p_event_id bigint) returns integer
language plpgsql set search_path = ''
as $$
declare
  v_count integer;
begin
  with failed as (
    select o.id, o.attempts, o.failed_at, o.last_error from public.outbox_events o
    where o.failed_at is not null and o.processed_at is null and (p_event_id is null or o.id = p_event_id) order by o.id for no key update
  ), requeued as (
    update public.outbox_events o
    set failed_at = null, attempts = 0, deferrals = 0, deferred_since = null, uncertain_since = null, next_attempt_at = now()
    from failed where o.id = failed.id returning failed.id, failed.attempts, failed.failed_at, failed.last_error
  ), audited as (
    select private.audit(p_admin, 'outbox.requeue', 'outbox_event', r.id::text,
      jsonb_build_object('attempts', r.attempts, 'failed_at', r.failed_at),
      jsonb_build_object('attempts', 0, 'failed_at', null), r.last_error)
    from requeued r
  )
  select count(*) into v_count from audited;
  return v_count;
end $$;
comment on function private.requeue_events(text, bigint) is
  'Requeues the event, or with null all failed ones, with its attempts reset; returns how many.';

create function public.requeue_outbox_event(p_event_id bigint) returns public.outbox_events
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_event public.outbox_events;
begin
  if not exists (select 1 from public.outbox_events o where o.id = p_event_id) then
    perform private.raise_error('EVENT_NOT_FOUND', 'Event not found', 404);
  elsif private.requeue_events(v_admin, p_event_id) = 0 then
    perform private.raise_error('EVENT_NOT_FAILED', 'Only an event that has failed can be tried again', 409);
  end if;
  select o.* into v_event from public.outbox_events o where o.id = p_event_id;
  return v_event;
end $$;
comment on function public.requeue_outbox_event(bigint) is
  'Admin requeues a failed event with its attempts reset. A mail that may have been sent already can then arrive twice. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, EVENT_NOT_FOUND, EVENT_NOT_FAILED.';
grant execute on function public.requeue_outbox_event(bigint) to authenticated, service_role;

create function public.requeue_failed_events() returns integer
language plpgsql security definer set search_path = ''
as $$ begin return private.requeue_events(private.require_admin(), null); end $$;
comment on function public.requeue_failed_events() is
  'Admin requeues every failed event, for example after a long outage of the mail provider; returns how many. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN.';
grant execute on function public.requeue_failed_events() to authenticated, service_role;
