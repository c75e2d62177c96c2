-- The OG Lifetime plan: slots, checkout, payment events. Only a verified payment event activates a plan (C-20). The table of plans is in
-- 20_projects.

-- Slots ---------------------------------------------------------------------------------------------------------------

create table private.checkout_holds (
  owner_user_id text primary key,
  hold_id uuid not null default gen_random_uuid(),
  expires_at timestamptz not null
);
comment on table private.checkout_holds is
  'Slots held for open payment pages, one per owner, slightly longer than such a page lives (31 minutes). Their number is limited, so that '
  'unpaid pages cannot sell out the plan. A page may open without a hold; its payment then competes for the slots that nobody holds '
  '(C-103).';
comment on column private.checkout_holds.hold_id is
  'Passed through the payment page, so that the expiry of an old page does not free the slot of a newer one.';
create index checkout_holds_expires_at on private.checkout_holds (expires_at);

create function private.lock_og_slots() returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('og_slots', 0)) $$;
comment on function private.lock_og_slots() is 'Serialises everything that takes or frees a slot, so that slot 101 is never sold (C-21).';

create function private.remaining_og_slots() returns integer
language sql stable security definer set search_path = ''
as $$
  select greatest((private.settings()).og_slots - (
    select count(*)::integer from public.subscriptions s
    where private.is_running(s)
  ), 0)
$$;
comment on function private.remaining_og_slots() is 'Slots configured in the settings minus active subscriptions (C-21).';

create function public.get_og_slots() returns table (total_slots integer, remaining_slots integer)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.cache_for(15, true);
  return query select (private.settings()).og_slots, private.remaining_og_slots();
end $$;
comment on function public.get_og_slots() is 'Slots of the OG Lifetime plan, for everyone (SUBS-02). For display; the checkout decides.';
grant execute on function public.get_og_slots() to anon, authenticated, service_role;

create function private.has_plan_elsewhere(p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.subscriptions s
    where s.owner_user_id = any (private.accounts_of_person(p_owner)) and s.owner_user_id <> p_owner and private.is_running(s));
end $$;
comment on function private.has_plan_elsewhere(text) is
  'Whether another account of the same person has a plan: one slot per person (C-81).';

create function private.most_checkout_holds(p_free_slots integer) returns integer
language sql immutable set search_path = ''
as $$ select least(p_free_slots, greatest(5, p_free_slots / 4)) $$;
comment on function private.most_checkout_holds(integer) is 'Maximum number of holds: a quarter of the free slots, at least five (C-103).';

create function private.take_checkout_hold(p_startup public.startup_profiles, p_free_slots integer) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_hold uuid;
begin
  delete from private.checkout_holds h where h.expires_at < now() or h.owner_user_id = p_startup.owner_user_id;
  if p_startup.is_public and (select count(*) from private.checkout_holds) < private.most_checkout_holds(p_free_slots) then
    insert into private.checkout_holds (owner_user_id, expires_at) values (p_startup.owner_user_id, now() + interval '35 minutes')
    returning hold_id into v_hold;
  end if;
  return v_hold;
end $$;
comment on function private.take_checkout_hold(public.startup_profiles, integer) is
  'Holds a slot for a project in good standing; null when the maximum is reached. The caller must hold lock_og_slots().';

create function private.require_buyer(p_user_id text, p_startup_id uuid) returns public.startup_profiles
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  elsif v_startup.owner_user_id is distinct from p_user_id then
    perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
  elsif v_startup.suspended_at is not null then
    perform private.raise_error('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  end if;
  return v_startup;
end $$;
comment on function private.require_buyer(text, uuid) is
  'The project that its owner wants to pay for. Errors: STARTUP_NOT_FOUND, FORBIDDEN, SUSPENDED.';

create function private.lock_payer(p_startup_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner text;
begin
  select s.owner_user_id into v_owner from public.startup_profiles s where s.id = p_startup_id for no key update;
  -- A statement of its own: one that has waited for an erasure to commit still looks at the accounts as they were before.
  return case when not exists (select 1 from private.deleted_users d where d.user_id = v_owner) then v_owner end;
end $$;
comment on function private.lock_payer(uuid) is
  'Locks the project that is paid for and returns its owner; null when the project or the account is gone, also if it is being erased at '
  'this moment.';

create function public.reserve_checkout_slot(
  p_user_id text, p_startup_id uuid, p_plan_id text, p_expected_cents integer default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_price integer := (private.settings()).og_price_cents;
begin
  if p_plan_id is distinct from 'og_lifetime' then
    perform private.raise_error('INVALID_PLAN', 'Unknown plan', 400);
  end if;
  perform private.lock_og_slots();
  -- Waits for a suspension or an erasure, which frees the slots that its person holds and would not find this one.
  perform private.lock_payer(p_startup_id);
  v_startup := private.require_buyer(p_user_id, p_startup_id);
  perform private.check_price(p_expected_cents, v_price, 'cents');
  if private.has_active_subscription(p_startup_id) or private.has_plan_elsewhere(p_user_id) then
    perform private.raise_error('ALREADY_SUBSCRIBED', 'You already have OG Lifetime Access', 409);
  end if;
  if private.remaining_og_slots() < 1 then
    perform private.raise_error('SOLD_OUT', 'Sold Out', 409);
  end if;
  return jsonb_build_object('price_cents', v_price, 'plan_id', p_plan_id, 'startup_name', v_startup.name,
    'hold_id', private.take_checkout_hold(v_startup, private.remaining_og_slots()));
end $$;
comment on function public.reserve_checkout_slot(text, uuid, text, integer) is
  'Terms for the owner''s payment page: price_cents, plan_id, startup_name, and hold_id of the slot held for it, null when none could be '
  'held (C-19, C-21, C-103). p_expected_cents: the price that the owner saw (TRUST-20). Service role only: the checkout function has '
  'authenticated p_user_id. Errors: INVALID_PLAN, STARTUP_NOT_FOUND, FORBIDDEN, SUSPENDED, PRICE_CHANGED, ALREADY_SUBSCRIBED, SOLD_OUT.';
grant execute on function public.reserve_checkout_slot(text, uuid, text, integer) to service_role;

create function public.release_checkout_slot(p_hold_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_og_slots();
  delete from private.checkout_holds h where h.hold_id = p_hold_id;
  return found;
end $$;
comment on function public.release_checkout_slot(uuid) is
  'Frees the slot held for a payment page that expired or never opened; returns whether it was still held. Idempotent, and without effect '
  'after the payment: it removes the hold, never a subscription (C-21). Service role only.';
grant execute on function public.release_checkout_slot(uuid) to service_role;

-- Payment events ------------------------------------------------------------------------------------------------------

create table private.payment_events (
  event_id text primary key check (length(event_id) between 1 and 255),
  action text not null check (action in ('activate', 'purchase', 'end', 'reinstate')),
  payment_ref text not null check (length(payment_ref) between 1 and 255),
  dispute_ref text check (length(dispute_ref) between 1 and 255),
  outcome jsonb,
  created_at timestamptz not null default now(),
  payer_user_id text,
  product_id text,
  points integer,
  amount_cents integer
);
comment on table private.payment_events is
  'Processed payment events with their results: the provider delivers each at least once, in any order.';
comment on column private.payment_events.dispute_ref is 'The dispute at the provider; null for payments and refunds.';
comment on column private.payment_events.payer_user_id is
  'Of a payment that has bought nothing: who paid it and finds it among their payments, with its product, points and amount (C-110).';
create index payment_events_payment on private.payment_events (payment_ref);
create index payment_events_payer on private.payment_events (payer_user_id) where payer_user_id is not null;

create function private.record_payment_event(
  p_event_id text, p_action text, p_payment_ref text, p_dispute_ref text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb;
begin
  if private.clean(p_event_id) is null or private.clean(p_payment_ref) is null
    or greatest(length(p_event_id), length(p_payment_ref), length(p_dispute_ref)) > 255 then
    perform private.raise_error('INVALID_PAYMENT_EVENT', 'A payment event needs an id and a payment', 400);
  end if;
  insert into private.payment_events (event_id, action, payment_ref, dispute_ref)
  values (p_event_id, p_action, p_payment_ref, private.clean(p_dispute_ref))
  on conflict (event_id) do nothing;
  select e.outcome into v_outcome from private.payment_events e where e.event_id = p_event_id;
  perform private.lock_og_slots();
  return v_outcome;
end $$;
comment on function private.record_payment_event(text, text, text, text) is
  'Records a new event, locks the slots and returns null; for a known event, returns the original result. Errors: INVALID_PAYMENT_EVENT.';

create function private.audit_plan(p_action text, p_payment_ref text, p_before text, p_details jsonb default '{}') returns void
language sql security definer set search_path = ''
as $$
  select private.audit('system', p_action, 'payment', p_payment_ref, jsonb_build_object('status', p_before),
    jsonb_build_object('status', s.status, 'amount_cents', s.amount_cents) || p_details)
  from (values (1)) one left join public.subscriptions s on s.payment_ref = p_payment_ref
$$;
comment on function private.audit_plan(text, text, text, jsonb) is
  'Records the effect of a payment event on the plan: its status before, null without one, and after (BEY-04).';

create function private.answer_payment_event(p_event_id text, p_before text, p_outcome jsonb, p_amount_cents integer default null)
returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_event private.payment_events;
begin
  update private.payment_events e set outcome = p_outcome where e.event_id = p_event_id returning e.* into v_event;
  perform private.audit_plan('payment.' || v_event.action, v_event.payment_ref, p_before,
    p_outcome || case when p_amount_cents is null then '{}' else jsonb_build_object('amount_cents', p_amount_cents) end);
  return p_outcome;
end $$;
comment on function private.answer_payment_event(text, text, jsonb, integer) is
  'Stores the result of a payment event and records it in the audit log, once per event.';

create function private.is_payment_ended(p_payment_ref text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select 1 from private.payment_events e
    where e.payment_ref = p_payment_ref and e.action = 'end' and not exists (
      select 1 from private.payment_events w
      where w.payment_ref = e.payment_ref and w.action = 'reinstate' and w.dispute_ref = e.dispute_ref
    )
  )
$$;
comment on function private.is_payment_ended(text) is
  'Whether a payment was refunded or cancelled, or has a dispute that was not won. Looks at all events received so far, so their order '
  'does not matter.';

create function private.record_unused_payment(
  p_event_id text, p_payer text, p_product_id text, p_points integer, p_amount_cents integer, p_currency text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update private.payment_events e set payer_user_id = p_payer, product_id = p_product_id, points = p_points, amount_cents = p_amount_cents
  where e.event_id = p_event_id and p_payer is not null and p_product_id is not null and p_currency = 'usd';
end $$;
comment on function private.record_unused_payment(text, text, text, integer, integer, text) is
  'Keeps of a payment that has bought nothing what its payer finds among their payments: amounts are shown in US dollars.';

create function private.own_unused_payments() returns table (
  id uuid, product_id text, points integer, amount_cents integer, status text, created_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select md5(e.event_id)::uuid, e.product_id, e.points, e.amount_cents,
      case when e.outcome ->> 'reason' <> 'wrong_amount' or private.is_payment_ended(e.payment_ref) then 'refunded' else 'pending' end,
      e.created_at
    from private.payment_events e where e.payer_user_id = (select public.current_user_id());
end $$;
comment on function private.own_unused_payments() is
  'The caller''s payments that have bought nothing: refunded, or pending while an admin has to look at an unexpected amount.';
grant execute on function private.own_unused_payments() to authenticated, service_role;

create function private.expire_subscriptions() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_plan record;
begin
  for v_plan in
    select s.id, s.owner_user_id, s.payment_ref from public.subscriptions s
    where s.status = 'active' and s.current_period_end < now() order by s.id
  loop
    begin
      update public.subscriptions s set status = 'expired'
      where s.id = v_plan.id and s.status = 'active' and s.current_period_end < now();
      if found then
        perform private.audit_plan('payment.expire', v_plan.payment_ref, 'active');
        perform private.sync_og_badge(v_plan.owner_user_id);
        perform private.enqueue_event('SubscriptionEnded', v_plan.owner_user_id,
          jsonb_build_object('plan_id', 'og_lifetime', 'status', 'expired'));
      end if;
    exception when others then
      -- One broken plan must not keep the others running, nor refuse somebody else's payment, which expires plans first.
      raise warning 'The plan % could not be ended: %', v_plan.id, sqlerrm;
      perform private.record_failed_row('expire_subscriptions', sqlstate, 'plan', v_plan.id);
    end;
  end loop;
end $$;
comment on function private.expire_subscriptions() is
  'Expires plans whose period is over and removes their owners'' badges, so that the unique index of active plans lets them renew (C-110). '
  'A plan that cannot be ended stops no other; it is recorded, and retried with the next run.';

create function private.activation_refusal(p_owner text, p_plan_id text, p_payment_ref text) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p_plan_id is distinct from 'og_lifetime' then 'unknown_plan'
    when p_owner is null then 'startup_not_found'
    when private.is_payment_ended(p_payment_ref) then 'payment_ended'
    when private.has_plan_elsewhere(p_owner)
      or exists (select 1 from public.subscriptions s where s.owner_user_id = p_owner and private.is_running(s)) then 'already_subscribed'
    when private.remaining_og_slots() - (
      select count(*) from private.checkout_holds h where h.owner_user_id <> p_owner and h.expires_at >= now()
    ) < 1 then 'sold_out'
  end
$$;
comment on function private.activation_refusal(text, text, text) is
  'Why a payment cannot activate the plan, null when it can. payment_ended: it was refunded or disputed, which can arrive before the '
  'payment itself.';

create function private.former_owner(p_startup_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select a.actor_id from public.audit_log a
  where a.subject_type = 'startup' and a.subject_id = p_startup_id::text and a.action = 'startup.delete'
    and not exists (select 1 from private.deleted_users d where d.user_id = a.actor_id)
$$;
comment on function private.former_owner(uuid) is
  'Who deleted this project of theirs, to be told that a payment for it is given back; null when the account is deleted too.';

create function public.activate_subscription(
  p_startup_id uuid, p_plan_id text, p_event_id text, p_payment_ref text, p_amount_cents integer,
  p_price_cents integer default null, p_currency text default 'usd'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb := private.record_payment_event(p_event_id, 'activate', p_payment_ref);
  v_owner text;
  v_reason text;
  v_is_disputed boolean;
  v_before text := (select s.status from public.subscriptions s where s.payment_ref = p_payment_ref);
begin
  if v_outcome is not null then
    return v_outcome;
  elsif p_amount_cents is null or p_amount_cents < 0 then
    perform private.raise_error('INVALID_AMOUNT', 'The amount must not be negative', 400);
  end if;
  v_owner := private.lock_payer(p_startup_id);
  perform private.expire_subscriptions();
  if not exists (select 1 from public.subscriptions s where s.payment_ref = p_payment_ref and s.status in ('active', 'expired')) then
    v_reason := case
      when p_amount_cents is distinct from coalesce(p_price_cents, (private.settings()).og_price_cents) or p_currency is distinct from 'usd'
        then 'wrong_amount'
      else private.activation_refusal(v_owner, p_plan_id, p_payment_ref)
    end;
    -- A dispute that arrived before its payment may still be won, and then it must be known what was paid for.
    v_is_disputed := v_reason = 'payment_ended' and not exists (
      select 1 from private.payment_events e where e.payment_ref = p_payment_ref and e.action = 'end' and e.dispute_ref is null);
    if v_reason is null or v_is_disputed then
      insert into public.subscriptions (startup_id, owner_user_id, plan_id, payment_ref, amount_cents, status)
      values (p_startup_id, v_owner, p_plan_id, p_payment_ref, p_amount_cents,
        case when v_reason is null then 'active' else 'disputed' end::public.subscription_status)
      on conflict (payment_ref) do update set status = excluded.status;
      perform private.sync_og_badge(v_owner);
      if v_reason is null then
        perform private.release_project_holds(v_owner, 'project_paid');
      end if;
      delete from private.checkout_holds h where h.owner_user_id = v_owner;
    end if;
    perform private.enqueue_event(case when v_reason is null then 'SubscriptionActivated' else 'PaymentNotApplied' end,
      coalesce(v_owner, private.former_owner(p_startup_id)), jsonb_build_object('startup_id', p_startup_id, 'plan_id', p_plan_id,
        'payment_ref', p_payment_ref, 'amount_cents', p_amount_cents, 'currency', p_currency, 'reason', v_reason));
    if v_reason is not null and not v_is_disputed and v_before is null then
      perform private.record_unused_payment(
        p_event_id, coalesce(v_owner, private.former_owner(p_startup_id)), p_plan_id, null, p_amount_cents, p_currency);
    end if;
  end if;
  return private.answer_payment_event(
    p_event_id, v_before, jsonb_build_object('activated', v_reason is null, 'reason', v_reason), p_amount_cents);
end $$;
comment on function public.activate_subscription(uuid, text, text, text, integer, integer, text) is
  'A verified payment event activates the plan, gives the owner the OG badge and returns {activated, reason}; reason: sold_out, '
  'already_subscribed, payment_ended, startup_not_found, unknown_plan, or wrong_amount: not p_price_cents, the price for which the payment '
  'page was opened (today''s price when unknown), in US dollars (C-20, C-21, C-58). Idempotent per event. Service role only. Errors: '
  'INVALID_PAYMENT_EVENT, INVALID_AMOUNT.';
grant execute on function public.activate_subscription(uuid, text, text, text, integer, integer, text) to service_role;
