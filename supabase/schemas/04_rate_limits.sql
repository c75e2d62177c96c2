-- Rate limits: sliding windows per person (per IP address for visitors), and global ceilings (TRUST-24).

-- Windows per subject -------------------------------------------------------------------------------------------------

create table private.rate_limits (
  subject text not null,
  action text not null,
  hits timestamptz[] not null,
  expires_at timestamptz not null,
  primary key (subject, action)
);
comment on table private.rate_limits is 'Times of the latest hits per subject and action inside the action''s sliding window.';
comment on column private.rate_limits.expires_at is 'When the last hit leaves the window and the row can be removed.';

create function public.take_rate_limit(
  p_subject text, p_action text, p_limit integer, p_window_seconds integer, p_cost integer default 1
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_window interval := make_interval(secs => p_window_seconds);
begin
  if p_cost > p_limit then
    return false;
  end if;
  insert into private.rate_limits as r (subject, action, hits, expires_at)
  values (p_subject, p_action, array_fill(clock_timestamp(), array[p_cost]), clock_timestamp() + v_window)
  on conflict (subject, action) do update set
    hits = array(select h from unnest(r.hits) h where h > clock_timestamp() - v_window) || array_fill(clock_timestamp(), array[p_cost]),
    expires_at = clock_timestamp() + v_window
  where (select count(*) from unnest(r.hits) h where h > clock_timestamp() - v_window) + p_cost <= p_limit;
  return found;
end $$;
comment on function public.take_rate_limit(text, text, integer, integer, integer) is
  'Takes p_cost hits from a sliding window of p_window_seconds and returns whether they were available. Exact under concurrency: the row '
  'lock serialises the calls of one subject. Service role only.';
grant execute on function public.take_rate_limit(text, text, integer, integer, integer) to service_role;

create function private.require_plain_call() returns void
language plpgsql stable set search_path = ''
as $$
begin
  -- PostgREST writes the filters and casts of a request into the statement that calls the procedure. A cast that fails rolls back what the
  -- procedure has counted, and the failure itself says what the procedure returned.
  if current_query() ~* 'pgrst_source.*\m(where|cast)\M' then
    perform private.raise_error('PLAIN_CALL_REQUIRED', 'Please call this without filters and casts', 400);
  end if;
end $$;
comment on function private.require_plain_call() is
  'For procedures that answer what may be asked only so often, or that record who has read something: refuses a request that could take '
  'the answer and undo the record. They return a single value: rows can be skipped (offset), and PostgREST fails and rolls back a request '
  'that asked for another number of rows. Errors: PLAIN_CALL_REQUIRED.';

-- Ceilings ------------------------------------------------------------------------------------------------------------

create table private.write_windows (
  action text not null,
  starts_at timestamptz not null,
  shard smallint not null,
  amount bigint not null check (amount >= 0),
  primary key (action, starts_at, shard)
);
comment on table private.write_windows is
  'Global counters of writes per kind and fixed window. A busy kind is spread over shards, each with its share of the ceiling, so that '
  'writers do not contend for one row.';

create function private.take_ceiling(
  p_action text, p_amount bigint, p_ceiling bigint, p_window interval, p_shards integer default 1
) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_share bigint := p_ceiling / p_shards;
begin
  if p_amount > v_share then
    return false;
  end if;
  insert into private.write_windows as w (action, starts_at, shard, amount)
  values (p_action, date_bin(p_window, clock_timestamp(), '2026-01-01 00:00+00'), floor(random() * p_shards), p_amount)
  on conflict (action, starts_at, shard) do update set amount = w.amount + excluded.amount
  where w.amount + excluded.amount <= v_share;
  return found;
end $$;
comment on function private.take_ceiling(text, bigint, bigint, interval, integer) is
  'Takes p_amount from a global ceiling and returns whether it was available. Never admits more than p_ceiling; with shards it may refuse '
  'slightly earlier.';

-- Visitors ------------------------------------------------------------------------------------------------------------

create table private.address_keys (
  day date primary key,
  secret bytea not null default extensions.gen_random_bytes(32)
);
comment on table private.address_keys is
  'Today''s key for hashing visitors'' IP addresses. Replaced daily and never kept, so that a hash cannot be traced back later.';

create function private.address_key() returns bytea
language plpgsql security definer set search_path = ''
as $$
declare
  v_secret bytea;
  -- Not current_date: callers choose their session's time zone.
  v_today date := (now() at time zone 'UTC')::date;
begin
  select k.secret into v_secret from private.address_keys k where k.day = v_today;
  if v_secret is null then
    insert into private.address_keys (day) values (v_today) on conflict (day) do nothing;
    delete from private.address_keys k where k.day < v_today;
    select k.secret into v_secret from private.address_keys k where k.day = v_today;
  end if;
  return v_secret;
end $$;
comment on function private.address_key() is 'Today''s key, created on first use. The limits of visitors restart with it.';

create function private.client_address(p_headers jsonb default nullif(current_setting('request.headers', true), '')::jsonb) returns inet
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_deployment private.deployment;
  v_hops text[];
begin
  select d.* into v_deployment from private.deployment d;
  v_hops := string_to_array(p_headers ->> v_deployment.address_header, ',');
  -- An IPv4 address may arrive mapped into IPv6.
  return regexp_replace(btrim(v_hops[cardinality(v_hops) - v_deployment.trusted_hops + 1]), '^::ffff:(?=[0-9]+\.)', '', 'i')::inet;
exception
  when invalid_text_representation then
    return null;
end $$;
comment on function private.client_address(jsonb) is
  'The caller''s IP address as the platform reports it, never as the caller claims it (TRUST-24). Null when the platform reports none. '
  'p_headers: those of the request, by their lower-case names.';

create function private.rate_limit_key(p_address inet default private.client_address()) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_client text := case when family(p_address) = 6 then network(set_masklen(p_address, 64))::text else host(p_address) end;
begin
  return left(encode(extensions.hmac(convert_to(coalesce(v_client, ''), 'UTF8'), private.address_key(), 'sha256'), 'hex'), 32);
end $$;
comment on function private.rate_limit_key(inet) is
  'The visitor as a keyed hash of the address, 128 bits: no address is stored. Only the first 64 bits of an IPv6 address count, because '
  'one customer controls the rest. Callers without an address share one key.';

create function private.rate_limit_subject() returns text
language plpgsql security definer set search_path = ''
as $$ begin return coalesce('user:' || public.current_user_id(), 'visitor:' || private.rate_limit_key()); end $$;
comment on function private.rate_limit_subject() is 'Subject of a rate limit: the person, or the hashed IP address of a visitor.';

create function private.check_visitor_rate(p_action text, p_limit integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_visitor boolean := public.current_user_id() is null;
  v_deployment private.deployment;
begin
  -- An office, a university or a mobile network can be one address.
  if not public.take_rate_limit(private.rate_limit_subject(), p_action, p_limit, 60) or not public.take_rate_limit(
    private.rate_limit_subject(), p_action || ':day', p_limit * case when v_is_visitor then 25 else 3 end, 86400
  ) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  if not v_is_visitor then
    return;
  end if;
  select d.* into v_deployment from private.deployment d;
  if not private.take_ceiling('visitors', 1, v_deployment.anonymous_writes_per_minute, '1 minute')
    or not private.take_ceiling('visitors:' || p_action, 1, v_deployment.anonymous_writes_per_day, '1 day') then
    perform private.raise_error('VISITORS_LIMITED', 'Too many visitors are writing right now. Please sign in, or try again later.', 429);
  end if;
end $$;
comment on function private.check_visitor_rate(text, integer) is
  'Allows p_limit calls per minute and three times as many a day per person, 25 times per address for visitors. All visitors together '
  'share a ceiling, so that a flood from many addresses slows down visitors but not members; one address reaches a tenth at most '
  '(TRUST-24). Errors: RATE_LIMITED, VISITORS_LIMITED.';
