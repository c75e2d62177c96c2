-- The public review record of a project (BEY-05): decisions by people in the last 90 days, counted from the history of submissions.
-- docs/decisions/0074-the-public-record.md says what counts.

create table private.review_records (
  wallet_id uuid primary key references public.wallets (id),
  decided integer not null,
  accepted integer not null,
  in_time integer not null,
  overturned integer not null,
  median_seconds integer,
  counted_at timestamptz not null
);
comment on table private.review_records is
  'One row per project with decisions, as of counted_at; a maintained count that the reconciliation verifies. Keyed by the project''s '
  'wallet, which a recreated project keeps (C-02).';
comment on column private.review_records.decided is 'Approvals and rejections by people in the 90 days before counted_at.';
comment on column private.review_records.in_time is 'How many of them were made within the promised time.';
comment on column private.review_records.overturned is 'Rejections overturned on appeal in that period, at most the number of rejections.';
comment on column private.review_records.median_seconds is 'From submission to decision; null when nothing was decided.';

create function private.count_review_record(p_wallet_id uuid, p_at timestamptz) returns private.review_records
language sql stable security definer set search_path = ''
as $$
  select row(p_wallet_id, count(*) filter (where f.is_decision), count(*) filter (where f.is_decision and h.action = 'approved'),
    count(*) filter (where f.is_decision and h.created_at <= h.review_due_at),
    least(count(*) filter (where h.action = 'overturned'), count(*) filter (where f.is_decision and h.action = 'rejected')),
    (percentile_cont(0.5) within group (order by extract(epoch from h.created_at - h.submitted_at)) filter (where f.is_decision))::integer,
    p_at)::private.review_records
  from public.submission_history h
  cross join lateral (select h.action in ('approved', 'rejected') and h.actor_id in ('project', 'questboard')) f (is_decision)
  where h.project_wallet_id = p_wallet_id and h.created_at > p_at - 90 * interval '24 hours' and h.created_at <= p_at
$$;
comment on function private.count_review_record(uuid, timestamptz) is
  'A project''s record at a point in time. Only decisions by people count, not approvals by the server. Overturned appeals have a figure '
  'of their own.';

create function private.refresh_review_records(p_at timestamptz) returns void
language sql security definer set search_path = ''
as $$
  insert into private.review_records as r
  select c.* from (
    -- Projects with decisions since the last run, and those whose oldest decisions may have left the 90 days.
    select distinct h.project_wallet_id as wallet_id from public.submission_history h
    where h.created_at <= p_at and h.project_wallet_id is not null
      and h.created_at > coalesce((select max(k.counted_at) from private.review_records k), '-infinity')
    union
    (select k.wallet_id from private.review_records k where k.counted_at < p_at - interval '24 hours' order by k.counted_at limit 100)
  ) w cross join lateral private.count_review_record(w.wallet_id, p_at) c
  on conflict (wallet_id) do update set decided = excluded.decided, accepted = excluded.accepted, in_time = excluded.in_time,
    overturned = excluded.overturned, median_seconds = excluded.median_seconds, counted_at = excluded.counted_at
  where excluded.counted_at > r.counted_at
$$;
comment on function private.refresh_review_records(timestamptz) is
  'Recounts the records that have changed up to a time, which has to be a minute ago: the API ends every statement after 8 s, so no '
  'earlier decision can be committed after that.';

create function public.get_project_promises(p_startup_id uuid) returns table (
  reserved_points bigint, least_review_hours integer, most_review_hours integer, decided integer, accepted integer, in_time integer,
  overturned integer, median_seconds integer
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.cache_for(60, true);
  return query
    select q.reserved, q.least, q.most, r.decided, r.accepted, r.in_time, r.overturned, r.median_seconds
    from public.startup_profiles s
    cross join lateral (
      select coalesce(sum(w.points), 0)::bigint as reserved, min(h.hours) as least, max(h.hours) as most
      from public.campaigns c left join public.wallets w on w.campaign_id = c.id
        cross join lateral (select coalesce(private.promised_hours(c.id, c.review_hours), 0) as hours) h
      where c.startup_id = s.id and c.status = 'published'
    ) q
    left join public.wallets p on p.startup_id = s.id
    left join private.review_records r on r.wallet_id = p.id and r.decided >= 10
    where s.id = p_startup_id and s.is_public;
end $$;
comment on function public.get_project_promises(uuid) is
  'A public project''s promises and its record (BEY-05): points reserved for its published quests, their review times (0: a proof is '
  'approved at once) and, from ten decisions by people in 90 days on, the numbers of decisions, acceptances, timely decisions and '
  'overturned rejections, and the median time. No row for a project that is not public. Nullable: least_review_hours, '
  'most_review_hours, decided, accepted, in_time, overturned, median_seconds.';
grant execute on function public.get_project_promises(uuid) to anon, authenticated, service_role;
