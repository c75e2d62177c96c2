-- The mailing list: anyone subscribes, the link in each mail unsubscribes, admins see and switch entries.

create table public.mailing_list (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email) and private.is_email(email)),
  source text not null default 'website' check (source ~ '^[a-z][a-z0-9_-]{0,49}$'),
  campaign_id uuid references public.campaigns (id) on delete set null,
  user_id text,
  subscribed_at timestamptz not null default now(),
  is_active boolean not null default true,
  unsubscribed_at timestamptz,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  updated_at timestamptz not null default now()
);
comment on table public.mailing_list is 'Addresses for mailings (DB-17). One row per address; unsubscribing keeps it, inactive (MAIL-02).';
comment on column public.mailing_list.source is
  'Where it came from: website, campaign, …; "email" when an address that was never on the list unsubscribed by a link in a mail.';
comment on column public.mailing_list.campaign_id is 'Quest on whose page it was given, when it was.';
comment on column public.mailing_list.user_id is 'Set when the person was signed in with this address, verified.';
comment on column public.mailing_list.is_active is 'False: send nothing to this address.';
comment on column public.mailing_list.metadata is 'page_url and timestamp as the form knew them.';
create index mailing_list_subscribed on public.mailing_list (subscribed_at desc, id desc);
create index mailing_list_recent on public.mailing_list (subscribed_at) where is_active;
create index mailing_list_campaign on public.mailing_list (campaign_id);
create index mailing_list_user on public.mailing_list (user_id);
create index mailing_list_search on public.mailing_list using gin (email extensions.gin_trgm_ops);
create trigger mailing_list_touch before update on public.mailing_list
  for each row execute function private.touch_updated_at();

alter table public.mailing_list enable row level security;
create policy mailing_list_read on public.mailing_list for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy mailing_list_read on public.mailing_list is 'Admins, and the person who subscribed the own verified address.';
grant select on public.mailing_list to authenticated, service_role;

create function private.count_subscriber() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, sum(c.change) from (values
    ('subscribers:' || old.source, -old.is_active::integer), ('subscribers:' || new.source, new.is_active::integer),
    ('campaign_subscribers', coalesce((new.is_active and (new.campaign_id is not null or new.source = 'campaign'))::integer, 0)
      - coalesce((old.is_active and (old.campaign_id is not null or old.source = 'campaign'))::integer, 0))
  ) c (name, change) where c.name is not null group by c.name having sum(c.change) <> 0;
  return null;
end $$;
comment on function private.count_subscriber() is 'Trigger: maintains the counters of active subscribers, per source and from quests.';
create trigger mailing_list_count after insert or delete or update of is_active, source, campaign_id on public.mailing_list
  for each row execute function private.count_subscriber();

create table private.unsubscribe_tokens (
  email text primary key,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
comment on table private.unsubscribe_tokens is
  'Random token (244 bits) behind the unsubscribe link of every mail to an address, on the list or not (C-50).';

create function private.validate_metadata(p_metadata jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  if jsonb_typeof(p_metadata) <> 'object' or length(p_metadata::text) > 2000 then
    perform private.raise_error('INVALID_METADATA', 'Metadata must be an object of at most 2,000 characters', 400);
  end if;
  return coalesce(p_metadata, '{}');
end $$;
comment on function private.validate_metadata(jsonb) is 'A small JSON object; empty for null. Errors: INVALID_METADATA.';

create function public.subscribe_to_mailing_list(p_email text, p_source text default 'website', p_metadata jsonb default '{}') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text := lower(private.clean(p_email));
  v_source text := coalesce(private.clean(p_source), 'website');
  v_metadata jsonb := private.validate_metadata(p_metadata);
begin
  if v_email is null then
    perform private.raise_error('EMAIL_REQUIRED', 'Email is required', 400);
  elsif not private.is_email(v_email) then
    perform private.raise_error('INVALID_EMAIL', 'Please enter a valid email address', 400);
  elsif v_source !~ '^[a-z][a-z0-9_-]{0,49}$' then
    perform private.raise_error('INVALID_SOURCE', 'Unknown source', 400);
  end if;
  perform private.check_visitor_rate('mailing_list', 20);
  insert into public.mailing_list as m (email, source, campaign_id, user_id, metadata)
  values (
    v_email, v_source,
    (select c.id from public.campaigns c where c.id = private.to_uuid(v_metadata ->> 'campaign_id') and c.status = 'published'),
    case when v_email = private.jwt_email() then public.current_user_id() end, v_metadata
  )
  on conflict (email) do update set
    is_active = true, unsubscribed_at = null, source = excluded.source, campaign_id = excluded.campaign_id,
    user_id = coalesce(excluded.user_id, m.user_id), metadata = excluded.metadata, subscribed_at = now()
  where not m.is_active;
end $$;
comment on function public.subscribe_to_mailing_list(text, text, jsonb) is
  'Anyone subscribes an address; an inactive one becomes active again, an active one stays as it is (MAIL-01, MAIL-02). Answers the same '
  'in every case, so that it tells nobody who is on the list. p_metadata: page_url, timestamp, campaign_id. Errors: EMAIL_REQUIRED, '
  'INVALID_EMAIL, INVALID_SOURCE, INVALID_METADATA, RATE_LIMITED.';
grant execute on function public.subscribe_to_mailing_list(text, text, jsonb) to anon, authenticated, service_role;

create function public.get_unsubscribe_token(p_email text) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text := lower(private.clean(p_email));
  v_token text;
begin
  if v_email is null or not private.is_email(v_email) then
    return null;
  end if;
  insert into private.unsubscribe_tokens (email) values (v_email) on conflict (email) do nothing;
  select t.token into v_token from private.unsubscribe_tokens t where t.email = v_email;
  return v_token;
end $$;
comment on function public.get_unsubscribe_token(text) is
  'Token for the unsubscribe link of mails to an address; null for what is no address. Service role only.';
grant execute on function public.get_unsubscribe_token(text) to service_role;

create function public.unsubscribe_from_mailing_list(p_token text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
begin
  select t.email into v_email from private.unsubscribe_tokens t where t.token = p_token;
  if v_email is null then
    perform private.raise_error('INVALID_UNSUBSCRIBE_TOKEN', 'This unsubscribe link is not valid', 404);
  end if;
  insert into public.mailing_list as m (email, source, is_active, unsubscribed_at) values (v_email, 'email', false, now())
  on conflict (email) do update set is_active = false, unsubscribed_at = now() where m.is_active;
end $$;
comment on function public.unsubscribe_from_mailing_list(text) is
  'Whoever holds the link from a mail ends mails to its address; again is no error (MAIL-02, C-50). Errors: INVALID_UNSUBSCRIBE_TOKEN.';
grant execute on function public.unsubscribe_from_mailing_list(text) to anon, authenticated, service_role;

create function public.set_mailing_list_active(p_entry_id uuid, p_is_active boolean) returns public.mailing_list
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_was_active boolean;
  v_entry public.mailing_list;
begin
  if p_is_active is null then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  select m.is_active into v_was_active from public.mailing_list m where m.id = p_entry_id for no key update;
  update public.mailing_list m set is_active = p_is_active,
    unsubscribed_at = case when not p_is_active then coalesce(m.unsubscribed_at, now()) end
  where m.id = p_entry_id returning m.* into v_entry;
  if v_entry.id is null then
    perform private.raise_error('SUBSCRIBER_NOT_FOUND', 'Subscriber not found', 404);
  end if;
  perform private.audit(v_admin, 'mailing_list.' || case when p_is_active then 'activate' else 'deactivate' end, 'mailing_list',
    p_entry_id::text,
    jsonb_build_object('is_active', v_was_active), jsonb_build_object('is_active', p_is_active));
  return v_entry;
end $$;
comment on function public.set_mailing_list_active(uuid, boolean) is
  'Admin switches an entry on or off (C-50). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, SUBSCRIBER_NOT_FOUND.';
grant execute on function public.set_mailing_list_active(uuid, boolean) to authenticated, service_role;

create function public.get_mailing_list_stats() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'total_subscribers', coalesce(sum(s.count), 0),
      'recent_subscribers', (select count(*) from public.mailing_list m where m.is_active and m.subscribed_at > now() - interval '7 days'),
      'campaign_subscribers', coalesce(private.counters() -> 'campaign_subscribers', '0'),
      'subscribers_by_source', '{"website": 0}'::jsonb || coalesce(jsonb_object_agg(s.name, s.count), '{}')
    )
    from private.counters_of('subscribers') s
  );
end $$;
comment on function public.get_mailing_list_stats() is
  'Active subscribers for admins: total_subscribers, recent_subscribers (7 days), campaign_subscribers, subscribers_by_source (DB-17, '
  'ADMIN-07). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_mailing_list_stats() to authenticated, service_role;
