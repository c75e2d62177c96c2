-- Totals of the whole product, kept instead of counted: what they cost does not grow with members, quests or the ledger.

-- Rows of today ---------------------------------------------------------------------------------------------------------

create table private.platform_counts (
  id bigint generated always as identity primary key,
  members bigint not null default 0,
  verified_startups bigint not null default 0,
  published_campaigns bigint not null default 0,
  submissions bigint not null default 0,
  approved_submissions bigint not null default 0,
  active_budgets bigint not null default 0,
  collected_emails bigint not null default 0
);
comment on table private.platform_counts is
  'Changes of the counts, one row per change, written in its transaction; the sum of all rows is the count. Rows are added, never changed, so that nobody waits for anybody as at one counter; fold_platform_counts() makes many rows one.';
comment on column private.platform_counts.active_budgets is 'Budgets of the quests with an approved submission: "points distributed" of the dashboards (DATA-06).';

create function private.count_rows() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_rows bigint := (select count(*) from changed);
begin
  if v_rows > 0 then
    execute format('insert into private.platform_counts (%I) values ($1)', tg_argv[0]) using case tg_op when 'INSERT' then v_rows else -v_rows end;
  end if;
  return null;
end $$;
comment on function private.count_rows() is 'Trigger: counts the rows that a statement inserted or deleted (transition table "changed") in the column it is given.';

create trigger user_profiles_count_new after insert on public.user_profiles
  referencing new table as changed for each statement execute function private.count_rows('members');
create trigger user_profiles_count_gone after delete on public.user_profiles
  referencing old table as changed for each statement execute function private.count_rows('members');
create trigger campaign_email_collections_count_new after insert on public.campaign_email_collections
  referencing new table as changed for each statement execute function private.count_rows('collected_emails');
create trigger campaign_email_collections_count_gone after delete on public.campaign_email_collections
  referencing old table as changed for each statement execute function private.count_rows('collected_emails');

create table private.industry_counts (
  id bigint generated always as identity primary key,
  industry text not null,
  startups bigint not null
);
comment on table private.industry_counts is 'Changes of the number of projects in an industry, kept like private.platform_counts.';

create function private.count_startup() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- A row that is not there (old at an insert, new at a delete) reads as nulls.
  v_change integer := coalesce((new.status = 'verified')::integer, 0) - coalesce((old.status = 'verified')::integer, 0);
begin
  if v_change <> 0 then
    insert into private.platform_counts (verified_startups) values (v_change);
  end if;
  if old.industry is distinct from new.industry then
    insert into private.industry_counts (industry, startups)
    select c.industry, c.change from (values (old.industry, -1), (new.industry, 1)) c (industry, change) where c.industry is not null;
  end if;
  return null;
end $$;
comment on function private.count_startup() is 'Trigger: keeps the counts of verified projects and of projects by industry.';
create trigger startup_profiles_count after insert or delete or update of status, industry on public.startup_profiles
  for each row execute function private.count_startup();

create function private.count_campaign() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.platform_counts (published_campaigns, submissions, approved_submissions, active_budgets)
  select coalesce((new.status = 'published')::integer, 0) - coalesce((old.status = 'published')::integer, 0),
    coalesce(new.submission_count, 0) - coalesce(old.submission_count, 0),
    coalesce(new.approved_count, 0) - coalesce(old.approved_count, 0),
    case when new.approved_count > 0 then new.budget_points else 0 end - case when old.approved_count > 0 then old.budget_points else 0 end;
  return null;
end $$;
comment on function private.count_campaign() is 'Trigger: keeps the counts that quests add up to.';
create trigger campaigns_count_row after insert or delete on public.campaigns
  for each row execute function private.count_campaign();
create trigger campaigns_count_change after update on public.campaigns
  for each row when (
    old.approved_count <> new.approved_count or old.submission_count <> new.submission_count
    or old.status <> new.status or old.budget_points <> new.budget_points
  ) execute function private.count_campaign();

create function private.platform_count() returns private.platform_counts
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_count private.platform_counts;
begin
  select 0, coalesce(sum(c.members), 0), coalesce(sum(c.verified_startups), 0), coalesce(sum(c.published_campaigns), 0), coalesce(sum(c.submissions), 0),
    coalesce(sum(c.approved_submissions), 0), coalesce(sum(c.active_budgets), 0), coalesce(sum(c.collected_emails), 0)
  into v_count from private.platform_counts c;
  return v_count;
end $$;
comment on function private.platform_count() is 'The counts as of now.';

create function private.fold_platform_counts() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (select 1 from private.platform_counts offset 100) and pg_try_advisory_xact_lock(hashtextextended('platform_counts', 0)) then
    with gone as (delete from private.platform_counts returning *)
    insert into private.platform_counts (members, verified_startups, published_campaigns, submissions, approved_submissions, active_budgets, collected_emails)
    select sum(g.members), sum(g.verified_startups), sum(g.published_campaigns), sum(g.submissions), sum(g.approved_submissions),
      sum(g.active_budgets), sum(g.collected_emails) from gone g;
    with gone as (delete from private.industry_counts returning *)
    insert into private.industry_counts (industry, startups)
    select g.industry, sum(g.startups) from gone g group by g.industry having sum(g.startups) <> 0;
  end if;
end $$;
comment on function private.fold_platform_counts() is 'Makes many rows of the counts one, and one an industry, when there are over 100; one session does it, the others go on without waiting.';

-- Sums of the ledger ----------------------------------------------------------------------------------------------------

create table private.ledger_days (
  day date not null,
  account text not null check (account in ('user', 'startup', 'reserve', 'system')),
  kind public.transfer_kind not null,
  type public.transaction_type not null,
  entries bigint not null,
  points bigint not null,
  last_at timestamptz not null,
  primary key (day, account, kind, type)
);
comment on table private.ledger_days is
  'Sums of the ledger per UTC day, kind of wallet, kind and direction, up to private.ledger_days_until: the ledger only grows, so what was summed once stays summed.';
create table private.ledger_days_until (
  id boolean primary key default true check (id),
  last_id bigint not null
);
comment on table private.ledger_days_until is 'The last ledger row that private.ledger_days counts.';
insert into private.ledger_days_until (last_id) values (0);

create function private.sum_ledger(p_after bigint, p_until bigint) returns setof private.ledger_days
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select (t.created_at at time zone 'UTC')::date, coalesce(w.kind::text, case when t.user_id is null then 'system' else 'user' end),
      t.kind, t.type, count(*), sum(t.points)::bigint, max(t.created_at)
    from public.transactions t
    -- Rows of members say so themselves: only the others ask their wallet.
    left join public.wallets w on t.user_id is null and w.id = t.wallet_id
    where t.id > p_after and t.id <= p_until
    group by 1, 2, 3, 4;
end $$;
comment on function private.sum_ledger(bigint, bigint) is 'Sums of the ledger rows in a range of ids.';

create function private.ledger_sums(p_since date default '-infinity') returns setof private.ledger_days
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select d.* from private.ledger_days d where d.day >= p_since
    union all
    select s.* from private.sum_ledger((select u.last_id from private.ledger_days_until u), 9223372036854775807) s where s.day >= p_since;
end $$;
comment on function private.ledger_sums(date) is 'Sums of the ledger since a UTC day as of now: the kept ones, and those of the latest rows beside them, so that a key may come twice.';

create function private.advance_ledger_days() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_after bigint;
  v_until bigint;
begin
  select u.last_id into v_after from private.ledger_days_until u for no key update;
  -- The API ends every statement after 8 s, so rows a minute old have no late neighbours with smaller ids.
  select t.id into v_until from public.transactions t
  where t.created_at < now() - interval '1 minute' and t.id > v_after order by t.id desc limit 1;
  if v_until is null then
    return;
  end if;
  insert into private.ledger_days as d select s.* from private.sum_ledger(v_after, v_until) s
  on conflict (day, account, kind, type) do update
    set entries = d.entries + excluded.entries, points = d.points + excluded.points, last_at = greatest(d.last_at, excluded.last_at);
  update private.ledger_days_until set last_id = v_until;
end $$;
comment on function private.advance_ledger_days() is 'Adds the rows that are over a minute old to the kept sums. A console that moves points in a transaction of its own must end it within that minute; reconcile_ledger() finds it otherwise (ledger_day).';
