-- Violations of the Content-Security-Policy that browsers report, so that a provider's new host is noticed before anybody complains.

create table private.csp_reports (
  directive text not null check (directive ~ '^[a-z-]{1,40}$'),
  blocked text not null check (length(blocked) between 1 and 200),
  page text not null check (length(page) <= 200),
  reports bigint not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (directive, blocked)
);
comment on table private.csp_reports is
  'Violations of the Content-Security-Policy, one row per directive and source. Anybody can send anything here: a hint, not evidence. At '
  'most 100 new rows a day (TRUST-24); removed 30 days after the last report.';
comment on column private.csp_reports.blocked is 'Blocked origin, or a keyword of the policy such as inline or eval.';
comment on column private.csp_reports.page is 'Route of the page that reported last, without ids and query string.';
create index csp_reports_last on private.csp_reports (last_at);

create function public.record_csp_report(p_address inet, p_directive text, p_blocked text, p_page text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_page text := left(p_page, 200);
begin
  if not public.take_rate_limit('visitor:' || private.rate_limit_key(p_address), 'csp_report', 20, 60)
    or not private.take_ceiling('csp_reports', 1, 300, '1 minute') then
    return false;
  end if;
  update private.csp_reports r set reports = r.reports + 1, last_at = now(), page = v_page
  where r.directive = p_directive and r.blocked = p_blocked;
  if found then
    return true;
  elsif not private.take_ceiling('csp_report_rows', 1, 100, '1 day') then
    return false;
  end if;
  insert into private.csp_reports as r (directive, blocked, page) values (p_directive, p_blocked, v_page)
  on conflict (directive, blocked) do update set reports = r.reports + 1, last_at = now(), page = v_page;
  return true;
end $$;
comment on function public.record_csp_report(inet, text, text, text) is
  'Counts a reported violation and returns whether it was counted: 20 reports a minute per IP address (callers without one share a limit), '
  '300 overall (TRUST-24). Service role only: the function csp-report passes the address.';
grant execute on function public.record_csp_report(inet, text, text, text) to service_role;

create function public.get_caller_address(p_headers jsonb) returns inet
language plpgsql stable security definer set search_path = ''
as $$ begin return private.client_address(p_headers); end $$;
comment on function public.get_caller_address(jsonb) is
  'The address of whoever has sent a request with these headers, by their lower-case names: from the header that private.deployment '
  'trusts, because an edge function''s own call has other headers (TRUST-24). Null when there is none. Service role only.';
grant execute on function public.get_caller_address(jsonb) to service_role;

create function private.recent_csp_reports() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(r) order by r.last_at desc), '[]')
  from (
    select c.directive, c.blocked, c.page, c.reports, c.last_at from private.csp_reports c
    where c.last_at > now() - 7 * interval '24 hours' order by c.last_at desc limit 20
  ) r
$$;
comment on function private.recent_csp_reports() is
  '[{directive, blocked, page, reports, last_at}] of the last seven days, newest first, 20 at most.';
