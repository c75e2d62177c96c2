-- The notification list, and the daily digest for founders (BEY-03).

create function public.list_notifications(p_only_unread boolean default false, p_limit integer default 20, p_cursor text default null)
returns table (
  id bigint, kind public.notification_kind, type text, data jsonb, created_at timestamptz, read_at timestamptz, waiting integer, cursor text
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 20);
  v_after text[] := private.decode_cursor('notifications', p_cursor, array['bigint']);
begin
  return query
    select n.id, private.notification_kind(n.type), n.type, n.data, n.created_at, n.read_at,
      case when n.type in ('ProofsWaiting', 'ReviewHalfTime', 'ReviewDueSoon') then (
        select c.pending_count from public.campaigns c where c.id = (n.data ->> 'campaign_id')::uuid
      ) end,
      private.encode_cursor('notifications', jsonb_build_array(n.id))
    from public.notifications n
    where n.user_id = public.current_user_id() and (v_after is null or n.id < v_after[1]::bigint)
      and (not coalesce(p_only_unread, false) or n.read_at is null)
    order by n.id desc limit v_limit;
end $$;
comment on function public.list_notifications(boolean, integer, text) is
  'The caller''s notifications, newest first; runs with the caller''s rights. waiting: the quest''s currently pending proofs, for '
  'ProofsWaiting and the reminders. Next page: the cursor of the last row. Nullable: read_at, waiting. Errors: INVALID_LIMIT, '
  'INVALID_CURSOR.';
grant execute on function public.list_notifications(boolean, integer, text) to authenticated, service_role;

create function private.queue_digests() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hour interval := make_interval(hours => (select d.digest_hour from private.deployment d));
  -- Until today's hour yesterday's digest is due: a worker that was down until after midnight still sends it.
  v_day timestamptz := date_trunc('day', now() - v_hour, 'UTC');
  v_due timestamptz := v_day + v_hour;
  v_failed uuid[] := array(select f.row_id from private.failed_rows f where f.job = 'queue_digests' and f.failed_at >= v_due);
  v_is_first boolean;
  v_owner record;
begin
  insert into private.write_windows (action, starts_at, shard, amount) values ('digests', v_day, 0, 1) on conflict do nothing;
  v_is_first := found;
  if not v_is_first and v_failed = '{}' then
    return;
  end if;
  for v_owner in
    select s.id, s.owner_user_id, jsonb_build_object(
      'waiting', sum(c.pending_count),
      'quests', jsonb_agg(jsonb_build_object('title', c.title, 'waiting', c.pending_count) order by c.pending_count desc, c.id)
    ) as payload
    from public.startup_profiles s join public.campaigns c on c.startup_id = s.id and c.pending_count > 0 and c.held_at is null
    where (v_is_first or s.id = any (v_failed))
      and s.suspended_at is null and private.wants_mail(s.owner_user_id, 'DigestDue') and s.id in (
        select n.startup_id from public.submissions p join public.campaigns n on n.id = p.campaign_id
        where p.status = 'pending' and p.submitted_at >= v_due - interval '24 hours' and p.submitted_at < v_due
      )
    group by s.id
  loop
    begin
      perform private.enqueue_event('DigestDue', v_owner.owner_user_id, v_owner.payload);
      delete from private.failed_rows f where f.job = 'queue_digests' and f.row_id = v_owner.id;
    exception when others then
      raise warning 'The digest of project % could not be queued: %', v_owner.id, sqlerrm;
      perform private.record_failed_row('queue_digests', sqlstate, 'project', v_owner.id);
    end;
  end loop;
end $$;
comment on function private.queue_digests() is
  'Once a day, on the first tick of the outbox worker after private.deployment.digest_hour: enqueues DigestDue for every owner with '
  'pending proofs from the day before that hour. Owners with nothing new get no mail. One that fails stops no other; it is recorded, and '
  'retried until the next digest is due.';
