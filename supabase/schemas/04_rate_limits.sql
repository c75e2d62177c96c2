-- Sliding windows per person, or per address for visitors.

create table private.rate_limits (
  subject text not null,
  action text not null,
  hits timestamptz[] not null,
  primary key (subject, action)
);
comment on table private.rate_limits is 'Times of the latest hits per subject and action inside the action''s sliding window.';

create function public.take_rate_limit(p_subject text, p_action text, p_limit integer, p_window_seconds integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_since timestamptz := clock_timestamp() - make_interval(secs => p_window_seconds);
  v_hits timestamptz[];
begin
  insert into private.rate_limits (subject, action, hits) values (p_subject, p_action, '{}')
  on conflict (subject, action) do nothing;
  select hits into v_hits from private.rate_limits where subject = p_subject and action = p_action for no key update;
  v_hits := array(select h from unnest(v_hits) h where h > v_since order by h);
  if cardinality(v_hits) >= p_limit then
    return false;
  end if;
  update private.rate_limits set hits = v_hits || clock_timestamp() where subject = p_subject and action = p_action;
  return true;
end $$;
comment on function public.take_rate_limit(text, text, integer, integer) is
  'Takes one hit from a sliding window of p_window_seconds and says whether it was free. Exact under parallel calls: the row lock '
  'serialises one subject. Service role only.';
grant execute on function public.take_rate_limit(text, text, integer, integer) to service_role;

create function private.rate_limit_key() returns text
language sql stable set search_path = ''
as $$
  select (get_byte(d.digest, 0) * 4 + get_byte(d.digest, 1) % 4)::text
  from (
    select sha256(convert_to(coalesce(
      split_part(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-forwarded-for', ',', 1), ''), 'UTF8')) as digest
  ) d
$$;
comment on function private.rate_limit_key() is
  'The visitor''s address hashed into one of 1,024 buckets for rate limiting: no address is stored, and forged headers cannot fill the '
  'table.';

create function private.check_visitor_rate(p_action text, p_limit integer) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if not public.take_rate_limit(
    coalesce('user:' || public.current_user_id(), 'visitor:' || private.rate_limit_key()), p_action, p_limit, 60
  ) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
end $$;
comment on function private.check_visitor_rate(text, integer) is
  'Allows p_limit calls per minute and person, or per address for visitors. Errors: RATE_LIMITED.';
