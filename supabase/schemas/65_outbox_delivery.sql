-- The outbox's worker (supabase/functions/deliver-events) takes events here: at least once each, eight tries, then it is left to an
-- admin.

create function private.outbox_tries() returns integer
language sql immutable set search_path = ''
as $$ select 8 $$;
comment on function private.outbox_tries() is 'Number of attempts before the worker gives up on an event.';

create function private.outbox_backoff(p_attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '30 seconds' * power(2, p_attempts - 1), interval '1 hour') $$;
comment on function private.outbox_backoff(integer) is
  'Pause after the p_attempts-th failure: 30 s, then twice as long each time. All eight tries fit into the 24 hours for which the mail '
  'provider remembers idempotency keys.';

create function public.claim_outbox_events(
  p_limit integer default 10, p_lease_seconds integer default 120, p_event_id bigint default null
) returns table (id bigint, type text, payload jsonb, attempt integer, email text)
language plpgsql security definer set search_path = ''
as $$
begin
  -- The worker's schedule is the one that every installation has.
  perform private.roll_up_figures();
  perform private.expire_subscriptions();
  perform private.scan_submissions(1000);
  perform private.release_due_holds();
  perform private.remove_expired();
  -- A worker that ended in the middle reports nothing: the lease runs out and the try counts.
  update public.outbox_events o set failed_at = now(), last_error = coalesce(o.last_error, 'The worker never reported back')
  where o.processed_at is null and o.failed_at is null and o.next_attempt_at <= now() and o.attempts >= private.outbox_tries();
  return query
    with due as (
      select o.id from public.outbox_events o
      where o.processed_at is null and o.failed_at is null and o.next_attempt_at <= now() and (p_event_id is null or o.id = p_event_id)
      order by o.next_attempt_at, o.id
      limit least(greatest(p_limit, 0), 100)
      for update skip locked
    ), claimed as (
      update public.outbox_events o
      set attempts = o.attempts + 1, next_attempt_at = now() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id
      returning o.id, o.type, o.payload, o.attempts, o.user_id
    )
    select c.id, c.type, c.payload, c.attempts, case when c.type = 'SubscriptionRequested'
      then (select m.email from public.mailing_list m where m.id = private.to_uuid(c.payload ->> 'entry_id')) else p.email end
    from claimed c left join public.user_profiles p on p.user_id = c.user_id
    order by c.id;
end $$;
comment on function public.claim_outbox_events(integer, integer, bigint) is
  'Takes due events, or the one that is named, for p_lease_seconds: no other worker gets them meanwhile. email: address of the person '
  'whom the event concerns, or of the entry that is to be confirmed; null when unknown. Each claim is one try (attempt). Report back by '
  'complete_outbox_event or fail_outbox_event. Nullable: email. Service role only.';
grant execute on function public.claim_outbox_events(integer, integer, bigint) to service_role;

create function public.admit_mail(p_email text, p_event_id bigint default null) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_event public.outbox_events;
  v_mailbox text := 'mailbox:' || coalesce(encode(private.mailbox_key(p_email), 'hex'), lower(p_email));
begin
  select o.* into v_event from public.outbox_events o where o.id = p_event_id for no key update;
  if v_event.type is distinct from 'SubscriptionRequested' and public.is_opted_out(p_email) then
    return 'opted_out';
  elsif v_event.mail_admitted_at is not null then
    return 'send';
  elsif not public.take_rate_limit(v_mailbox, 'mail', 30, 86400)
    or (v_event.type = 'StartupVerified' and not public.take_rate_limit(v_mailbox, 'mail:StartupVerified', 1, 86400))
    or (v_event.actor_id is not null and not public.take_rate_limit('user:' || v_event.actor_id, 'mail', 500, 86400)) then
    return 'limited';
  elsif not private.take_ceiling('mails', 1, (select d.mails_per_day from private.deployment d), '1 day') then
    return 'exhausted';
  end if;
  update public.outbox_events o set mail_admitted_at = now() where o.id = p_event_id;
  return 'send';
end $$;
comment on function public.admit_mail(text, bigint) is
  'Whether a mail may go out: send, opted_out (its reader wants none; a mail that asks to confirm an address goes to those as well), '
  'limited (30 a day to a mailbox, 500 a day caused by one account, one a day that says that a project is verified), or exhausted (the '
  'product has sent what it may today; try again later). An event counts once, however often it is tried (TRUST-27). Service role only.';
grant execute on function public.admit_mail(text, bigint) to service_role;

create function public.complete_outbox_event(p_event_id bigint) returns void
language sql security definer set search_path = ''
as $$
  update public.outbox_events o set processed_at = now(), failed_at = null, last_error = null
  where o.id = p_event_id and o.processed_at is null
$$;
comment on function public.complete_outbox_event(bigint) is 'What the event asked for is done; again is no error. Service role only.';
grant execute on function public.complete_outbox_event(bigint) to service_role;

create function public.fail_outbox_event(p_event_id bigint, p_attempt integer, p_error text) returns void
language sql security definer set search_path = ''
as $$
  update public.outbox_events o set
    last_error = left(p_error, 500),
    next_attempt_at = now() + private.outbox_backoff(o.attempts),
    failed_at = case when o.attempts >= private.outbox_tries() then now() end
  where o.id = p_event_id and o.attempts = p_attempt and o.processed_at is null and o.failed_at is null
$$;
comment on function public.fail_outbox_event(bigint, integer, text) is
  'The try p_attempt failed: the event comes again after a growing pause, after the eighth try no more (failed_at). A report about an '
  'earlier try changes nothing. p_error: codes and reasons, no personal data. Service role only.';
grant execute on function public.fail_outbox_event(bigint, integer, text) to service_role;

create function public.requeue_outbox_event(p_event_id bigint) returns public.outbox_events
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.outbox_events;
  v_event public.outbox_events;
begin
  select o.* into v_before from public.outbox_events o where o.id = p_event_id for no key update;
  if v_before.id is null then
    perform private.raise_error('EVENT_NOT_FOUND', 'Event not found', 404);
  elsif v_before.failed_at is null then
    perform private.raise_error('EVENT_NOT_FAILED', 'Only an event that was given up can be tried again', 409);
  end if;
  update public.outbox_events o set failed_at = null, attempts = 0, next_attempt_at = now()
  where o.id = p_event_id returning o.* into v_event;
  perform private.audit(v_admin, 'outbox.requeue', 'outbox_event', p_event_id::text,
    jsonb_build_object('attempts', v_before.attempts, 'failed_at', v_before.failed_at),
    jsonb_build_object('attempts', v_event.attempts, 'failed_at', v_event.failed_at), v_event.last_error);
  return v_event;
end $$;
comment on function public.requeue_outbox_event(bigint) is
  'Admin has an event tried again that was given up; it gets eight new tries at once. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'EVENT_NOT_FOUND, EVENT_NOT_FAILED.';
grant execute on function public.requeue_outbox_event(bigint) to authenticated, service_role;
