-- The mailing list with double opt-in: anyone may request a subscription, a mailed link confirms it, a link in every mail unsubscribes,
-- admins view and switch entries.

create table public.mailing_list (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email) and private.is_email(email)),
  source text not null default 'website' check (source ~ '^[a-z][a-z0-9_-]{0,49}$'),
  campaign_id uuid references public.campaigns (id) on delete set null,
  user_id text,
  subscribed_at timestamptz not null default now(),
  is_active boolean not null default false,
  unsubscribed_at timestamptz,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  updated_at timestamptz not null default now(),
  confirmed_at timestamptz,
  status text not null generated always as (
    case when is_active then 'active' when unsubscribed_at is null then 'pending' else 'unsubscribed' end) stored
);
comment on table public.mailing_list is
  'Addresses for mailings (DB-17). One row per address; unsubscribing deactivates the row (MAIL-02). Pending ones are removed after a '
  'week.';
comment on column public.mailing_list.source is
  'Where the subscription came from, such as website or campaign; "email" when an address that was never on the list unsubscribed through '
  'a link in a mail.';
comment on column public.mailing_list.campaign_id is 'Quest on whose page the address was entered, if any.';
comment on column public.mailing_list.user_id is 'Set when the subscriber was signed in with this verified address.';
comment on column public.mailing_list.is_active is 'False: no mailings, because the address is not confirmed or was unsubscribed.';
comment on column public.mailing_list.confirmed_at is 'When the holder of the address last confirmed it (C-82).';
comment on column public.mailing_list.metadata is 'page_url and timestamp as sent by the form.';
create index mailing_list_subscribed on public.mailing_list (subscribed_at desc, id desc);
create index mailing_list_pending on public.mailing_list (subscribed_at) where status = 'pending';
create index mailing_list_recent on public.mailing_list (subscribed_at) where is_active;
create index mailing_list_campaign on public.mailing_list (campaign_id);
create index mailing_list_user on public.mailing_list (user_id);
create index mailing_list_search on public.mailing_list using gin (email extensions.gin_trgm_ops);
create trigger mailing_list_touch before update on public.mailing_list
  for each row execute function private.touch_updated_at();

alter table public.mailing_list enable row level security;
alter table public.mailing_list alter email set statistics 0;
create policy mailing_list_read on public.mailing_list for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy mailing_list_read on public.mailing_list is 'Admins, and the person who subscribed their own verified address.';
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

-- Opting out ----------------------------------------------------------------------------------------------------------

create table private.opt_outs (
  mailbox bytea primary key,
  is_by_admin boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table private.opt_outs is
  'Mailboxes that opted out, as keyed hashes, which outlive the mailing list entry, the account and the address (TRUST-25).';
comment on column private.opt_outs.is_by_admin is 'Switched off by an admin, who may switch it on again. An opt-out by the holder stays.';

create function public.is_opted_out(p_email text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_mailbox bytea := private.mailbox_key(p_email);
begin
  return exists (select 1 from private.opt_outs o where o.mailbox = v_mailbox)
    or exists (select 1 from public.mailing_list m where m.email = lower(private.clean(p_email)) and m.status = 'unsubscribed');
end $$;
comment on function public.is_opted_out(text) is 'Whether the holder of an address has opted out (MAIL-02, TRUST-25). Service role only.';
grant execute on function public.is_opted_out(text) to service_role;

create table private.unsubscribe_tokens (
  email text primary key,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
comment on table private.unsubscribe_tokens is
  'Random token (244 bits) in the unsubscribe link of every mail to an address, on the list or not (C-50).';

create function private.validate_metadata(p_metadata jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  if jsonb_typeof(p_metadata) <> 'object' or length(p_metadata::text) > 2000 then
    perform private.raise_error('INVALID_METADATA', 'Metadata must be an object of at most 2,000 characters', 400);
  end if;
  return coalesce(p_metadata, '{}');
end $$;
comment on function private.validate_metadata(jsonb) is 'Checks for a small JSON object; empty for null. Errors: INVALID_METADATA.';

-- Subscribing ---------------------------------------------------------------------------------------------------------

create table private.mailing_list_confirmations (
  email text primary key references public.mailing_list (email) on delete cascade,
  token text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  requested_at timestamptz not null default now()
);
comment on table private.mailing_list_confirmations is
  'Random token (244 bits) in the link that confirms an address (C-82). Valid for a week after the latest request.';
create index mailing_list_confirmations_requested on private.mailing_list_confirmations (requested_at);

create function private.activate_subscriber(p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_mailbox bytea := private.mailbox_key(p_email);
begin
  delete from private.opt_outs o where o.mailbox = v_mailbox;
  update public.mailing_list m set is_active = true, unsubscribed_at = null, confirmed_at = now(), subscribed_at = now()
  where m.email = p_email and not m.is_active;
end $$;
comment on function private.activate_subscriber(text) is
  'Activates an address at the holder''s request and ends an opt-out, which nobody else may do (TRUST-25).';

create function private.request_confirmation(p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_mailbox text := 'mailbox:' || encode(private.mailbox_key(p_email), 'hex');
  v_entry uuid;
begin
  select m.id into v_entry from public.mailing_list m where m.email = p_email and not m.is_active;
  if v_entry is null or not public.take_rate_limit(v_mailbox, 'confirmation', 1, 300)
    or not public.take_rate_limit(v_mailbox, 'confirmations', 3, 86400) then
    return;
  end if;
  insert into private.mailing_list_confirmations (email) values (p_email) on conflict (email) do update set requested_at = now();
  perform private.enqueue_event('SubscriptionRequested', null, jsonb_build_object('entry_id', v_entry));
end $$;
comment on function private.request_confirmation(text) is
  'Enqueues the confirmation mail to an address that is not active: per mailbox one in five minutes and three a day, whoever asks.';

create function public.subscribe_to_mailing_list(p_email text, p_source text default 'website', p_metadata jsonb default '{}') returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_email text := lower(private.clean(p_email));
  v_source text := coalesce(private.clean(p_source), 'website');
  v_metadata jsonb := private.validate_metadata(p_metadata);
  v_is_holder boolean := coalesce(v_email = private.jwt_email(), false);
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
    case when v_is_holder then v_user end, v_metadata
  )
  on conflict (email) do update set
    source = excluded.source, campaign_id = excluded.campaign_id, user_id = coalesce(excluded.user_id, m.user_id),
    metadata = excluded.metadata, subscribed_at = now()
  where m.status = 'pending' or v_is_holder and not m.is_active;
  if v_is_holder then
    perform private.activate_subscriber(v_email);
    return 'active';
  end if;
  perform private.request_confirmation(v_email);
  return 'confirm';
end $$;
comment on function public.subscribe_to_mailing_list(text, text, jsonb) is
  'Anyone requests a subscription for an address (MAIL-01, MAIL-02, C-82). Returns "active" when the caller is signed in with this '
  'verified address, which is subscribed at once; otherwise "confirm": a confirmation mail is sent unless the address is already '
  'subscribed, and the answer does not reveal which. p_metadata: page_url, timestamp, campaign_id. Errors: EMAIL_REQUIRED, INVALID_EMAIL, '
  'INVALID_SOURCE, INVALID_METADATA, RATE_LIMITED, VISITORS_LIMITED.';
grant execute on function public.subscribe_to_mailing_list(text, text, jsonb) to anon, authenticated, service_role;

create function private.subscribe_participant(p_user text, p_email text, p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.mailing_list as m (email, source, campaign_id, user_id) values (p_email, 'campaign', p_campaign_id, p_user)
  on conflict (email) do update set source = excluded.source, campaign_id = excluded.campaign_id, user_id = excluded.user_id
  where not m.is_active;
  perform private.activate_subscriber(p_email);
end $$;
comment on function private.subscribe_participant(text, text, uuid) is
  'A member who submits a proof subscribes to Questboard''s news with their own verified address (C-76). An existing subscription is left '
  'as it is.';

create function public.get_confirmation_token(p_email text) returns text
language sql stable security definer set search_path = ''
as $$
  select c.token from private.mailing_list_confirmations c join public.mailing_list m on m.email = c.email
  where c.email = lower(private.clean(p_email)) and not m.is_active and c.requested_at > now() - 7 * interval '24 hours'
$$;
comment on function public.get_confirmation_token(text) is
  'Token for the confirmation link of an address; null when there is nothing to confirm. Service role only.';
grant execute on function public.get_confirmation_token(text) to service_role;

create function public.confirm_mailing_list_subscription(p_token text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
begin
  select c.email into v_email from private.mailing_list_confirmations c
  where c.token = p_token and c.requested_at > now() - 7 * interval '24 hours';
  if v_email is null then
    perform private.raise_error('INVALID_CONFIRMATION_TOKEN', 'This link is no longer valid. Please subscribe again.', 404);
  end if;
  -- Waits for somebody who is unsubscribing the address at this moment, and looks whether the link is still there.
  perform 1 from public.mailing_list m where m.email = v_email for no key update;
  if not exists (select 1 from private.mailing_list_confirmations c where c.token = p_token) then
    perform private.raise_error('INVALID_CONFIRMATION_TOKEN', 'This link is no longer valid. Please subscribe again.', 404);
  end if;
  perform private.activate_subscriber(v_email);
end $$;
comment on function public.confirm_mailing_list_subscription(text) is
  'Subscribes the address of a confirmation link; idempotent (C-82). Unsubscribing invalidates the link. Errors: '
  'INVALID_CONFIRMATION_TOKEN.';
grant execute on function public.confirm_mailing_list_subscription(text) to anon, authenticated, service_role;

-- Unsubscribing -------------------------------------------------------------------------------------------------------

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
  'Token for the unsubscribe link of mails to an address; null for an invalid address. Service role only.';
grant execute on function public.get_unsubscribe_token(text) to service_role;

create function private.lock_started_tasks(p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform 1 from private.task_tokens k where k.participant_email = p_email and k.subscribes order by k.token for no key update;
end $$;
comment on function private.lock_started_tasks(text) is
  'Locks the started tasks at which this address was given with the box for the news ticked. A verified action and the erasure of an '
  'account lock them before anything of the mailing list, so whoever opts an address out calls this first.';

create function private.deactivate_subscriber(p_email text, p_is_by_admin boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- A box that was ticked when a task was started, and takes effect only when the task is verified, is older than this.
  update private.task_tokens k set subscribes = false where k.participant_email = p_email and k.subscribes;
  -- The entry is locked before the opt-out, as by subscribing.
  insert into public.mailing_list as m (email, source, unsubscribed_at) values (p_email, 'email', now())
  on conflict (email) do update set is_active = false, unsubscribed_at = now() where m.status <> 'unsubscribed';
  insert into private.opt_outs as o (mailbox, is_by_admin) values (private.mailbox_key(p_email), p_is_by_admin)
  on conflict (mailbox) do update set is_by_admin = o.is_by_admin and excluded.is_by_admin;
  delete from private.mailing_list_confirmations c where c.email = p_email;
end $$;
comment on function private.deactivate_subscriber(text, boolean) is
  'Opts an address out, whether it is on the list or not, and invalidates a pending confirmation and what was ticked at started tasks. '
  'The caller has called lock_started_tasks.';

create function public.unsubscribe_from_mailing_list(p_token text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
begin
  select t.email into v_email from private.unsubscribe_tokens t where t.token = p_token;
  perform private.lock_started_tasks(v_email);
  -- The account may have been erased meanwhile: its address must not come back to the list.
  select t.email into v_email from private.unsubscribe_tokens t where t.token = p_token for key share;
  if v_email is null then
    perform private.raise_error('INVALID_UNSUBSCRIBE_TOKEN', 'This unsubscribe link is not valid', 404);
  end if;
  perform private.deactivate_subscriber(v_email, false);
end $$;
comment on function public.unsubscribe_from_mailing_list(text) is
  'Opts out the address of an unsubscribe link; idempotent (MAIL-02, C-50). Errors: INVALID_UNSUBSCRIBE_TOKEN.';
grant execute on function public.unsubscribe_from_mailing_list(text) to anon, authenticated, service_role;

-- Admins --------------------------------------------------------------------------------------------------------------

create function public.set_mailing_list_active(p_entry_id uuid, p_is_active boolean) returns public.mailing_list
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.mailing_list;
  v_after public.mailing_list;
  v_mailbox bytea;
begin
  if p_is_active is null then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  perform private.lock_started_tasks(m.email) from public.mailing_list m where m.id = p_entry_id and not p_is_active;
  select m.* into v_before from public.mailing_list m where m.id = p_entry_id for no key update;
  if v_before.id is null then
    perform private.raise_error('SUBSCRIBER_NOT_FOUND', 'Subscriber not found', 404);
  elsif not p_is_active then
    perform private.deactivate_subscriber(v_before.email, true);
  elsif not v_before.is_active then
    v_mailbox := private.mailbox_key(v_before.email);
    -- An admin may only switch on what an admin has switched off (TRUST-25).
    if v_before.confirmed_at is null
      or not exists (select 1 from private.opt_outs o where o.mailbox = v_mailbox and o.is_by_admin) then
      perform private.raise_error('NOT_CONFIRMED', 'Only the holder of this address can put it on the list, by the link in our mail', 409);
    end if;
    perform private.activate_subscriber(v_before.email);
  end if;
  select m.* into v_after from public.mailing_list m where m.id = p_entry_id;
  perform private.audit(v_admin, 'mailing_list.' || case when p_is_active then 'activate' else 'deactivate' end, 'mailing_list',
    p_entry_id::text,
    jsonb_build_object('is_active', v_before.is_active), jsonb_build_object('is_active', v_after.is_active));
  return v_after;
end $$;
comment on function public.set_mailing_list_active(uuid, boolean) is
  'Admin deactivates an entry, or reactivates one that an admin deactivated (C-50); the holder''s own opt-out stays. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, SUBSCRIBER_NOT_FOUND, NOT_CONFIRMED.';
grant execute on function public.set_mailing_list_active(uuid, boolean) to authenticated, service_role;

create function public.get_mailing_list_stats() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'total_subscribers', coalesce(sum(s.count), 0),
      'recent_subscribers', (
        select count(*) from public.mailing_list m where m.is_active and m.subscribed_at > now() - 7 * interval '24 hours'),
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
