-- Daily sums of the ledger, so that the cost of all-time figures does not grow with the ledger.

create table private.ledger_daily (
  day date not null,
  account text not null check (account in ('user', 'startup', 'reserve', 'system')),
  kind public.transfer_kind not null,
  type public.transaction_type not null,
  entries bigint not null,
  points bigint not null,
  last_at timestamptz not null,
  primary key (day, account, kind, type)
);
comment on table private.ledger_daily is
  'Sums of the ledger per UTC day, kind of wallet, kind of transfer and direction, up to private.ledger_daily_watermark. The ledger is '
  'append-only, so a sum never has to be corrected.';

create table private.ledger_daily_watermark (
  id boolean primary key default true check (id),
  last_id bigint not null
);
comment on table private.ledger_daily_watermark is 'Last entry included in private.ledger_daily and private.member_weeks.';
insert into private.ledger_daily_watermark (last_id) values (0);

create function private.sum_ledger(p_after bigint, p_until bigint) returns setof private.ledger_daily
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select (t.created_at at time zone 'UTC')::date, case
        when e.user_id is not null then 'user'
        -- A look for each: a join would read all wallets as soon as some hundred entries wait.
        when e.wallet_id is not null then (select w.kind::text from public.wallets w where w.id = e.wallet_id)
        else 'system' end,
      t.kind, e.type, count(*), sum(t.points)::bigint, max(t.created_at)
    from public.entries e join public.transfers t on t.id = e.transfer_id
    where e.id > p_after and e.id <= p_until
      -- Follows from the entries' ids, but the planner would read all transfers.
      and t.id between p_after / 2 and p_until / 2 + 1
    group by 1, 2, 3, 4;
end $$;
comment on function private.sum_ledger(bigint, bigint) is 'Sums of the ledger entries in a range of ids.';

create function private.ledger_sums(p_since date default '-infinity') returns setof private.ledger_daily
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select d.* from private.ledger_daily d where d.day >= p_since
    union all
    select s.* from private.sum_ledger((select u.last_id from private.ledger_daily_watermark u), 9223372036854775807) s
    where s.day >= p_since;
end $$;
comment on function private.ledger_sums(date) is
  'Current sums of the ledger since a UTC day: the stored days plus the entries not rolled up yet, so a key may appear twice.';

create function private.roll_up_ledger_daily(p_time interval default '1 second') returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_after bigint;
  v_until bigint;
  v_last bigint;
begin
  select u.last_id into v_after from private.ledger_daily_watermark u for no key update;
  -- The API ends every statement after 8 s, so no entry with a smaller id can be committed once a row is a minute old.
  select t.id into v_last from public.transactions t
  where t.created_at < now() - interval '1 minute' and t.id > v_after order by t.id desc limit 1;
  while v_after < v_last loop
    -- After a pause of the worker more may be due than one call can add. Without a limit one piece is quicker, because the badges of a
    -- member are counted once for each piece that concerns them.
    v_until := case when p_time is null then v_last else least(v_last, v_after + 20000) end;
    insert into private.ledger_daily as d select s.* from private.sum_ledger(v_after, v_until) s
    on conflict (day, account, kind, type) do update
      set entries = d.entries + excluded.entries, points = d.points + excluded.points, last_at = greatest(d.last_at, excluded.last_at);
    perform private.roll_up_member_weeks(v_after, v_until);
    update private.ledger_daily_watermark u set last_id = v_until where u.id;
    v_after := v_until;
    exit when clock_timestamp() > now() + p_time;
  end loop;
  return coalesce(v_after >= v_last, true);
end $$;
comment on function private.roll_up_ledger_daily(interval) is
  'Adds entries older than a minute to the stored sums of days and of members'' weeks, 20,000 at a time, and starts with no more after '
  'p_time (null: all at once, for a console). Returns whether all are added. A transfer made in a database console must commit within '
  'that minute; otherwise reconcile_ledger() reports it (ledger_day, member_week).';

create function private.rebuild_ledger_daily() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from private.ledger_daily_watermark u for no key update;
  delete from private.ledger_daily where true;
  delete from private.member_weeks where true;
  update private.ledger_daily_watermark u set last_id = 0 where u.id;
  perform private.roll_up_ledger_daily(null);
end $$;
comment on function private.rebuild_ledger_daily() is
  'Rebuilds the stored sums from the ledger, after a transfer in a database console took longer than a minute to commit. Run it in that '
  'console: with millions of entries it exceeds the API''s statement timeout. Readers see the old sums until it commits.';
