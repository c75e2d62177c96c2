-- Notifications in the app, and by mail unless switched off (BEY-03). private.enqueue_event writes them: outbox events are the only source
-- of both.

create type public.notification_kind as enum (
  'proof_approved', 'proof_rejected', 'points_held', 'points_corrected', 'redemption_decided', 'referral_joined', 'proofs_waiting',
  'quest_full', 'quest_held', 'project_reviewed', 'account_suspended', 'appeal_decided', 'plan_changed', 'daily_digest',
  'review_due', 'quest_published'
);

create function private.notification_kind(p_type text) returns public.notification_kind
language plpgsql immutable set search_path = ''
as $$
begin
  return case p_type
    when 'SubmissionApproved' then 'proof_approved'
    when 'SubmissionRejected' then 'proof_rejected'
    when 'PointsHeld' then 'points_held'
    when 'PointsReleased' then 'points_held'
    when 'SubmissionReversed' then 'points_corrected'
    when 'PointsCorrected' then 'points_corrected'
    when 'RedemptionFulfilled' then 'redemption_decided'
    when 'RedemptionCancelled' then 'redemption_decided'
    when 'ReferralCompleted' then 'referral_joined'
    when 'ProofsWaiting' then 'proofs_waiting'
    when 'QuestFull' then 'quest_full'
    when 'QuestHeld' then 'quest_held'
    when 'QuestHoldLifted' then 'quest_held'
    when 'StartupVerified' then 'project_reviewed'
    when 'StartupRejected' then 'project_reviewed'
    when 'VerificationRevoked' then 'project_reviewed'
    when 'AccountSuspended' then 'account_suspended'
    when 'SuspensionLifted' then 'account_suspended'
    when 'AppealDecided' then 'appeal_decided'
    when 'RejectionAppealed' then 'appeal_decided'
    when 'ProjectAppealDecided' then 'appeal_decided'
    when 'SubscriptionActivated' then 'plan_changed'
    when 'SubscriptionEnded' then 'plan_changed'
    when 'SubscriptionReinstated' then 'plan_changed'
    when 'PaymentNotApplied' then 'plan_changed'
    when 'PointsPurchased' then 'plan_changed'
    when 'PurchaseTakenBack' then 'plan_changed'
    when 'PurchaseReinstated' then 'plan_changed'
    when 'ReviewHalfTime' then 'review_due'
    when 'ReviewDueSoon' then 'review_due'
    when 'ReviewTimeOver' then 'review_due'
    when 'QuestPublished' then 'quest_published'
    when 'DigestDue' then 'daily_digest' end::public.notification_kind;
end $$;
comment on function private.notification_kind(text) is
  'Notification kind of an event, by which mails are switched on and off; null for events that are not notifications, such as address '
  'confirmations and receipts for a consent.';
grant execute on function private.notification_kind(text) to authenticated, service_role;

create table public.notifications (
  id bigint primary key,
  user_id text not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
comment on table public.notifications is
  'One row per outbox event that concerns a person (BEY-03). Written in the event''s transaction, kept for 180 days.';
comment on column public.notifications.id is 'The event''s id, so that each event notifies once.';
comment on column public.notifications.type is 'The event''s type; private.notification_kind says which kind it is.';
comment on column public.notifications.data is
  'The part of the event''s payload that its sentence and link need: never an address, a payment reference or another person''s id '
  '(C-102).';
create index notifications_user on public.notifications (user_id, id desc);
create index notifications_unread on public.notifications (user_id, id desc) where read_at is null;
-- Five hundred proofs make one notification: while a quest's is unread, no further one is added.
create unique index notifications_unread_quest on public.notifications ((data ->> 'campaign_id'), type)
  where read_at is null and type in ('ProofsWaiting', 'QuestFull', 'ReviewHalfTime', 'ReviewDueSoon');

alter table public.notifications enable row level security;
create policy notifications_read on public.notifications for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy notifications_read on public.notifications is 'The recipient alone, also while suspended.';
grant select on public.notifications to authenticated;

create function private.notify(p_event_id bigint, p_type text, p_user_id text, p_payload jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_user_id is null or coalesce(private.notification_kind(p_type), 'daily_digest') = 'daily_digest'
    -- AppealDecided says it.
    or p_type = 'SubmissionApproved' and p_payload ->> 'status' = 'overturned'
    or exists (select 1 from private.deleted_users d where d.user_id = p_user_id) then
    return;
  end if;
  insert into public.notifications (id, user_id, type, data)
  select p_event_id, p_user_id, p_type, coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(p_payload) d
  where d.key in ('campaign_id', 'count', 'decided_by', 'delivery', 'due_at', 'held', 'kind', 'name', 'note', 'outcome', 'points',
    'project', 'quest', 'reason', 'status', 'taken_back', 'task', 'title', 'trial_points', 'wallet') and d.value <> 'null';
  if (select d.has_live_updates from private.deployment d) then
    perform realtime.send('{}', 'look', 'notifications:' || p_user_id, true);
  end if;
end $$;
comment on function private.notify(bigint, text, text, jsonb) is
  'Writes the notification of an event, if its type is one that notifies and the person has not been erased (TRUST-28). Copies only an '
  'allow-list of payload keys. With Realtime on, the person''s open pages get an empty signal to refetch, and no data (C-88).';

create function private.enable_live_updates() returns void
language plpgsql set search_path = ''
as $$
begin
  -- Not part of the migrations: a project has realtime.messages only once its Realtime has run. The platform allows policies on its table
  -- and nothing else, not even a comment on them. People may subscribe to the private channel of their own notifications. Only the database
  -- sends to it.
  drop policy if exists notifications_listen on realtime.messages;
  create policy notifications_listen on realtime.messages for select to authenticated
    using (extension = 'broadcast' and (select realtime.topic()) = 'notifications:' || (select public.current_user_id()));
  update private.deployment set has_live_updates = true where id;
end $$;
comment on function private.enable_live_updates() is
  'Turns live updates on; run in the SQL editor (docs/deploy.md), idempotent. To turn them off: update private.deployment set '
  'has_live_updates = false. No API role may call it.';

create function private.has_unread(p_type text, p_campaign_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The list of types is that of the index notifications_unread_quest.
  return exists (
    select 1 from public.notifications n where n.data ->> 'campaign_id' = p_campaign_id::text and n.type = p_type
      and n.read_at is null and n.type in ('ProofsWaiting', 'QuestFull', 'ReviewHalfTime', 'ReviewDueSoon')
  );
end $$;
comment on function private.has_unread(text, uuid) is
  'Whether the owner has an unread notification of this type (ProofsWaiting, QuestFull, ReviewHalfTime, ReviewDueSoon) on the quest.';

-- Reading -------------------------------------------------------------------------------------------------------------

create function public.get_unread_notification_count() returns integer
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select count(*) from (
      select 1 from public.notifications n where n.user_id = public.current_user_id() and n.read_at is null limit 100
    ) n
  );
end $$;
comment on function public.get_unread_notification_count() is
  'Unread notifications of the caller, counted up to 100: the bell says "99+" anyway. Runs with the caller''s rights.';
grant execute on function public.get_unread_notification_count() to authenticated, service_role;

create function public.mark_notification_read(p_notification_id bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  update public.notifications n set read_at = coalesce(n.read_at, now()) where n.id = p_notification_id and n.user_id = v_user;
  if not found then
    perform private.raise_error('NOTIFICATION_NOT_FOUND', 'Notification not found', 404);
  end if;
end $$;
comment on function public.mark_notification_read(bigint) is
  'Marks one of the caller''s notifications as read; idempotent. Also for suspended people. Errors: NOTIFICATION_NOT_FOUND.';
grant execute on function public.mark_notification_read(bigint) to authenticated, service_role;

create function public.mark_all_notifications_read(p_up_to bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Skips locked rows: notify_quest_owner is marking those as read at this moment.
  update public.notifications n set read_at = now() where n.id in (
    select u.id from public.notifications u
    where u.user_id = public.current_user_id() and u.read_at is null and u.id <= p_up_to for update skip locked
  );
end $$;
comment on function public.mark_all_notifications_read(bigint) is
  'Marks the caller''s notifications as read up to this one, the latest that the screen showed; later ones stay unread.';
grant execute on function public.mark_all_notifications_read(bigint) to authenticated, service_role;

-- Mails ---------------------------------------------------------------------------------------------------------------

create table public.notification_preferences (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  kind public.notification_kind not null,
  is_mailed boolean not null,
  updated_at timestamptz not null default now(),
  unique (user_id, kind)
);
comment on table public.notification_preferences is
  'Which kinds a person wants by mail, where they chose; private.is_mailed_by_default decides the rest. The app shows every kind.';
alter table public.notification_preferences enable row level security;
create policy notification_preferences_read on public.notification_preferences for select to authenticated
  using (user_id = (select public.current_user_id()));
comment on policy notification_preferences_read on public.notification_preferences is 'The person alone.';
grant select on public.notification_preferences to authenticated;

create function private.is_mailed_by_default(p_kind public.notification_kind) returns boolean
language sql immutable set search_path = ''
as $$
  select p_kind in ('proof_rejected', 'redemption_decided', 'quest_held', 'project_reviewed', 'account_suspended', 'appeal_decided',
    'plan_changed', 'daily_digest', 'review_due')
$$;
comment on function private.is_mailed_by_default(public.notification_kind) is
  'Kinds that are mailed by default: those that ask for an answer or come unexpectedly.';

create function private.wants_mail(p_user_id text, p_type text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_kind public.notification_kind := private.notification_kind(p_type);
begin
  -- Refunds and disputes are always mailed.
  if v_kind is null or p_type = 'PaymentNotApplied' then
    return true;
  end if;
  return coalesce(
    (select p.is_mailed from public.notification_preferences p where p.user_id = p_user_id and p.kind = v_kind),
    private.is_mailed_by_default(v_kind));
end $$;
comment on function private.wants_mail(text, text) is 'Whether a person wants events of this type by mail.';

create function public.get_notification_preferences() returns table (kind public.notification_kind, is_mailed boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select k.kind, coalesce(p.is_mailed, private.is_mailed_by_default(k.kind))
    from unnest(enum_range(null::public.notification_kind)) k (kind)
    left join public.notification_preferences p on p.kind = k.kind and p.user_id = public.current_user_id()
    order by k.kind;
end $$;
comment on function public.get_notification_preferences() is 'Every kind and whether the caller gets it by mail.';
grant execute on function public.get_notification_preferences() to authenticated, service_role;

create function public.set_notification_preference(p_kind text, p_is_mailed boolean) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
begin
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif p_is_mailed is null or p_kind is null or p_kind <> all (enum_range(null::public.notification_kind)::text[]) then
    perform private.raise_error('INVALID_NOTIFICATION_KIND', 'Unknown kind of notification', 400);
  end if;
  insert into public.notification_preferences as p (user_id, kind, is_mailed) values (v_user, p_kind::public.notification_kind, p_is_mailed)
  on conflict (user_id, kind) do update set is_mailed = excluded.is_mailed, updated_at = now()
  where p.is_mailed <> excluded.is_mailed;
end $$;
comment on function public.set_notification_preference(text, boolean) is
  'Switches the mails of one kind on or off for the caller, also for a suspended one. Errors: UNAUTHENTICATED, INVALID_NOTIFICATION_KIND.';
grant execute on function public.set_notification_preference(text, boolean) to authenticated, service_role;
