-- Retention: removes expired rows and old data of visitors (TRUST-24).

create function private.remove_left_words() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_words text[];
begin
  -- Not while a quest is being published, which counts on the words that it has seen in the list.
  if not pg_try_advisory_xact_lock(hashtextextended('left_words', 0)) then
    return;
  end if;
  with looked_at as (
    delete from private.left_words l where l.id in (select o.id from private.left_words o order by o.id limit 20) returning l.words
  )
  select array_agg(distinct w.word) into v_words from looked_at l cross join unnest(l.words) w (word);
  delete from private.search_words k where k.word = any (v_words)
    and not exists (select 1 from private.quest_search q where q.document @@ k.word::tsquery);
end $$;
comment on function private.remove_left_words() is
  'Takes words that no published quest has any more out of the list of words, for the next twenty changes of quests. Publications wait '
  'until the transaction ends.';

create function private.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('remove_expired', 0))
    or not private.take_ceiling('remove_expired', 1, 1, '1 minute') then
    return;
  end if;
  -- Skips rows that a call under way has locked, until the next run: an erasure locks many of these tables' rows in another order.
  -- In small batches, so that it ends well before the statement timeout. By their places (ctid), which are locked: a join with the same
  -- table takes a minute while its statistics are those of a time when it was nearly empty.
  delete from private.rate_limits r where r.ctid = any (array(
    select x.ctid from private.rate_limits x where x.expires_at < now() limit 10000 for update skip locked));
  delete from private.write_windows w where w.starts_at < now() - 2 * interval '24 hours';
  delete from private.failed_rows f where f.failed_at < now() - interval '24 hours';
  delete from private.csp_reports r where r.last_at < now() - 30 * interval '24 hours';
  delete from private.mailing_list_confirmations c where c.email in (
    select d.email from private.mailing_list_confirmations d where d.requested_at < now() - 7 * interval '24 hours' for update skip locked);
  delete from public.mailing_list m where m.id in (
    select d.id from public.mailing_list d where d.status = 'pending' and d.subscribed_at < now() - 7 * interval '24 hours'
    for update skip locked);
  delete from private.tested_endpoints e where e.tested_at < now() - interval '24 hours';
  delete from private.verification_calls v where v.ctid = any (array(
    select d.ctid from private.verification_calls d where d.created_at < now() - 30 * interval '24 hours' order by d.id limit 10000));
  delete from public.metrics_events e where e.ctid = any (array(
    select d.ctid from public.metrics_events d where d.created_at < now() - 90 * interval '24 hours' order by d.created_at limit 10000
    for update skip locked));
  delete from private.quest_views v where v.ctid = any (array(
    select d.ctid from private.quest_views d where d.viewed_at < now() - 90 * interval '24 hours' order by d.viewed_at limit 10000
    for update skip locked));
  update public.outbox_events o set payload = o.payload - 'email', failed_at = null, processed_at = now() where o.id in (
    select d.id from public.outbox_events d
    where d.type = 'EmailWithdrawn' and d.processed_at is null and d.failed_at < now() - 30 * interval '24 hours' for update skip locked);
  delete from public.outbox_events o where o.ctid = any (array(
    select d.ctid from public.outbox_events d where d.processed_at < now() - 30 * interval '24 hours' order by d.processed_at limit 10000
    for update skip locked));
  delete from public.notifications n where n.ctid = any (array(
    select d.ctid from public.notifications d
    where d.id in (select o.id from public.notifications o order by o.id limit 1000) and d.created_at < now() - 180 * interval '24 hours'
    for update skip locked));
  delete from public.beta_feedback f where f.ctid = any (array(
    select d.ctid from public.beta_feedback d where d.user_id is null and d.created_at < now() - 365 * interval '24 hours'
    order by d.created_at limit 1000 for update skip locked));
  delete from private.redemption_addresses a where a.redemption_id in (
    select d.redemption_id from private.redemption_addresses d join public.redemptions r on r.id = d.redemption_id
    where r.fulfilled_at < now() - 90 * interval '24 hours' for update of d skip locked);
end $$;
comment on function private.remove_expired() is
  'The scheduled clean-up, called on every tick of the outbox worker, effective at most once a minute. Removes expired rate limit windows, '
  'unconfirmed addresses after 7 days, endpoint tests and failures of rows after a day, processed outbox events, projects'' calls and CSP '
  'reports after 30 days, withdrawn addresses that could not be mailed to their project after 30 days, usage events and first views of '
  'quests after 90 days, notifications after 180, visitors'' feedback after a year, and postal addresses 90 days after fulfilment (C-93).';
