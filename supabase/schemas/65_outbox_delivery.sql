-- The outbox's worker (supabase/functions/deliver-events) takes events here, at least once each. What is wrong with a mail is tried eight
-- times, trouble of the provider is waited out for three days; then it is left to an admin.

create function private.outbox_tries() returns integer
language sql immutable set search_path = ''
as $$ select 8 $$;
comment on function private.outbox_tries() is 'Number of attempts before the worker gives up on an event.';

create function private.outbox_patience() returns interval
language sql immutable set search_path = ''
as $$ select interval '72 hours' $$;
comment on function private.outbox_patience() is 'How long the provider may be in trouble before the worker gives up on an event.';

create function private.outbox_certainty() returns interval
language sql immutable set search_path = ''
as $$ select interval '23 hours' $$;
comment on function private.outbox_certainty() is
  'How long after a try without an answer a mail may be repeated: the provider remembers idempotency keys for 24 hours, and later it could '
  'arrive twice.';

create function private.outbox_backoff(p_attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '30 seconds' * power(2, least(p_attempts, 20) - 1), interval '1 hour') $$;
comment on function private.outbox_backoff(integer) is
  'Pause after the p_attempts-th failure: 30 s, then twice as long each time, an hour at most.';

create function public.claim_outbox_events(
  p_limit integer default 10, p_lease_seconds integer default 120, p_event_id bigint default null
) returns table (id bigint, type text, payload jsonb, attempt integer, email text)
language plpgsql security definer set search_path = ''
as $$
begin
  -- The worker's schedule is the one that every installation has.
  perform private.roll_up_figures();
  perform private.expire_subscriptions();
  perform private.scan_submissions('2 seconds');
  perform private.release_due_holds();
  perform private.close_ended_quests();
  perform private.remove_expired();
  perform private.announce_quests();
  perform private.queue_digests();
  perform private.measure_quests();
  -- A worker that ended in the middle reports nothing: the lease runs out and the try counts.
  update public.outbox_events o set failed_at = now(), last_error = case
      when o.uncertain_since <= now() - private.outbox_certainty() then left('It may have gone out a day ago. ' || o.last_error, 500)
      else coalesce(o.last_error, 'The worker never reported back') end
  where o.processed_at is null and o.failed_at is null and o.next_attempt_at <= now()
    and (o.attempts - o.deferrals >= private.outbox_tries() or o.deferred_since <= now() - private.outbox_patience()
      or o.uncertain_since <= now() - private.outbox_certainty());
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
      then (select m.email from public.mailing_list m where m.id = private.to_uuid(c.payload ->> 'entry_id'))
      when private.wants_mail(c.user_id, c.type) then p.email end
    from claimed c left join public.user_profiles p on p.user_id = c.user_id
    order by c.id;
  perform private.remove_left_words();
end $$;
comment on function public.claim_outbox_events(integer, integer, bigint) is
  'Takes due events, or the one that is named, for p_lease_seconds: no other worker gets them meanwhile. email: address of the person '
  'whom the event concerns, or of the entry that is to be confirmed; null when unknown, and when the person wants no mail of this kind '
  '(BEY-03). Each claim is one try (attempt). Report back by complete_outbox_event or fail_outbox_event. Nullable: email. Service role '
  'only.';
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
  'The try p_attempt ended badly and the event comes again after a growing pause, at least p_retry_after_seconds. p_kind: failure (the '
  'mail was refused: after the eighth one no more), deferred (the provider is in trouble: does not count), uncertain (no answer: does not '
  'count, and the mail is not repeated once the provider would not recognise it). A report about an earlier try changes nothing. p_error: '
  'codes and reasons, no personal data. Service role only.';
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
  'Has the event, or with null all that were given up, tried again from the beginning; returns how many.';

create function public.requeue_outbox_event(p_event_id bigint) returns public.outbox_events
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_event public.outbox_events;
begin
  select o.* into v_event from public.outbox_events o where o.id = p_event_id for no key update;
  if v_event.id is null then
    perform private.raise_error('EVENT_NOT_FOUND', 'Event not found', 404);
  elsif private.requeue_events(v_admin, p_event_id) = 0 then
    perform private.raise_error('EVENT_NOT_FAILED', 'Only an event that was given up can be tried again', 409);
  end if;
  select o.* into v_event from public.outbox_events o where o.id = p_event_id;
  return v_event;
end $$;
comment on function public.requeue_outbox_event(bigint) is
  'Admin has an event tried again that was given up; it gets all its tries anew at once. A mail that may have gone out already can then '
  'arrive twice. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, EVENT_NOT_FOUND, EVENT_NOT_FAILED.';
grant execute on function public.requeue_outbox_event(bigint) to authenticated, service_role;

create function public.requeue_failed_events() returns integer
language plpgsql security definer set search_path = ''
as $$ begin return private.requeue_events(private.require_admin(), null); end $$;
comment on function public.requeue_failed_events() is
  'Admin has every event tried again that was given up, as after a long outage of the mail provider; returns how many. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.requeue_failed_events() to authenticated, service_role;
