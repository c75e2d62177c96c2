-- Maintained counts of whole tables, so that the cost of a dashboard does not grow with the data. Each domain adds triggers to its tables.

create table private.counter_deltas (
  id bigint generated always as identity primary key,
  name text not null,
  change bigint not null
);
comment on table private.counter_deltas is
  'Changes to named counters, written in the transaction that causes them; a counter is the sum of its deltas. Insert-only, so that '
  'concurrent transactions do not contend for one counter row. compact_counter_deltas() merges them.';
comment on column private.counter_deltas.name is 'What is counted, e.g. "members", or "industry:SaaS" for one of several of a kind.';

create function private.count_rows() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select tg_argv[0], case tg_op when 'INSERT' then count(*) else -count(*) end from changed having count(*) > 0;
  return null;
end $$;
comment on function private.count_rows() is
  'Trigger: adds the number of rows that a statement inserted or deleted (transition table "changed") to the counter named by its '
  'argument.';

create function private.counters() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select coalesce(jsonb_object_agg(c.name, c.count), '{}') from (
    select x.name, sum(x.change)::bigint as count from private.counter_deltas x group by x.name having sum(x.change) <> 0
  ) c);
end $$;
comment on function private.counters() is 'Current value of every counter by name; zeros are left out.';

create function private.counters_of(p_kind text) returns table (name text, count bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select substr(c.key, length(p_kind) + 2), c.value::bigint from jsonb_each_text(private.counters()) c
    where starts_with(c.key, p_kind || ':');
end $$;
comment on function private.counters_of(text) is 'Current counters of one kind, e.g. those named "industry:…" for "industry".';

create function private.compact_counter_deltas() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from private.counter_deltas offset 500) and pg_try_advisory_xact_lock(hashtextextended('counts', 0)) then
    with gone as (delete from private.counter_deltas where true returning *)
    insert into private.counter_deltas (name, change) select g.name, sum(g.change) from gone g group by g.name having sum(g.change) <> 0;
  end if;
end $$;
comment on function private.compact_counter_deltas() is
  'Merges deltas to one row per counter once there are more than 500. One session at a time; others skip it.';
