-- Usage events of the site: anyone inserts, only admins read.

create table public.metrics_events (
  id bigint generated always as identity primary key,
  type text not null check (type ~ '^[A-Za-z][A-Za-z0-9_.:-]{0,63}$'),
  user_id text,
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 4096),
  created_at timestamptz not null default now()
);
comment on table public.metrics_events is 'Events (ANA-04). Insert-only for the API roles; removed after 90 days.';
comment on column public.metrics_events.user_id is 'The caller, whatever the request says; null for visitors.';
comment on column public.metrics_events.data is
  'action, category, label, value, page_url, user_agent, session_id, timestamp and extras, at most 4,096 bytes.';
create index metrics_events_user on public.metrics_events (user_id) where user_id is not null;
create index metrics_events_created on public.metrics_events (created_at desc, id desc);

create function private.validate_metrics_event() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_sent integer := coalesce(nullif(current_setting('questboard.sent_events', true), ''), '0')::integer + 1;
  v_user text := public.current_user_id();
begin
  if v_sent > 50 then
    perform private.raise_error('TOO_MANY_EVENTS', 'These are too many events for one request', 413);
  end if;
  perform set_config('questboard.sent_events', v_sent::text, true);
  new.user_id := v_user;
  new.created_at := now();
  -- Those beyond the limits, and those of somebody who was erased while this waited, are dropped without an error, because counting visits
  -- must never break a page.
  if private.lock_own_account() is distinct from v_user
    or octet_length(new.data::text) > 4096
    or not public.take_rate_limit(private.rate_limit_subject(), 'metrics_event', 120, 60, 1 + octet_length(new.data::text) / 1024)
    or not private.take_ceiling('metrics_bytes', octet_length(new.data::text) + 200,
      (select d.metrics_bytes_per_day from private.deployment d), '1 day', 8) then
    return null;
  end if;
  return new;
end $$;
comment on function private.validate_metrics_event() is
  'Trigger: sets the event''s user and time. One person or IP address may send 120 kilobytes a minute, each event counting as at least one '
  'kilobyte; all together metrics_bytes_per_day of private.deployment, each event counting 200 bytes extra for its row. At most 50 events '
  'per request, those that are dropped included, because each takes time. Errors: TOO_MANY_EVENTS.';
create trigger metrics_events_admit before insert on public.metrics_events
  for each row execute function private.validate_metrics_event();

create function private.limit_metrics_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (select sum(octet_length(a.data::text)) > 32768 from added a) then
    perform private.raise_error('TOO_MANY_EVENTS', 'These are too many events for one request', 413);
  end if;
  return null;
end $$;
comment on function private.limit_metrics_request() is
  'Trigger: allows at most 32 kilobytes per request. Errors: TOO_MANY_EVENTS.';
create trigger metrics_events_limit_request after insert on public.metrics_events
  referencing new table as added for each statement execute function private.limit_metrics_request();
create trigger metrics_events_append_only before update on public.metrics_events
  for each row execute function private.prevent_mutation();

alter table public.metrics_events enable row level security;
create policy metrics_events_insert on public.metrics_events for insert to anon, authenticated
  with check (user_id is not distinct from (select public.current_user_id()));
comment on policy metrics_events_insert on public.metrics_events is 'Anyone inserts events, as themselves.';
create policy metrics_events_admin_read on public.metrics_events for select to authenticated using ((select private.is_admin()));
comment on policy metrics_events_admin_read on public.metrics_events is 'Only admins read.';
grant insert (type, user_id, data) on public.metrics_events to anon, authenticated;
grant select on public.metrics_events to authenticated, service_role;
