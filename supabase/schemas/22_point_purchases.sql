-- Point packs for projects (BEY-20): what is sold, the terms of the payment page, crediting a verified payment. Refunds and disputes are in
-- 38_payments_back, because they may have to draw on the reserves of quests.

create type public.purchase_status as enum ('paid', 'refunded', 'disputed');

create table public.point_purchases (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid references public.startup_profiles (id) on delete set null,
  owner_user_id text not null,
  pack_id text not null check (pack_id ~ '^points_[a-z]+$'),
  points integer not null check (points between 1 and 1000000),
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null default 'usd' check (currency = 'usd'),
  payment_ref text not null unique,
  status public.purchase_status not null,
  credited_points integer not null default 0,
  receipt_url text check (private.is_http_url(receipt_url)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  written_off_at timestamptz check (written_off_at is null or status <> 'paid'),
  check (credited_points between 0 and points and (status <> 'paid' or credited_points = points))
);
comment on table public.point_purchases is
  'Point packs that projects have paid for, one row per payment. Written by the payment webhook''s procedures only.';
comment on column public.point_purchases.payment_ref is 'The payment''s id at the provider, which refunds and disputes refer to.';
comment on column public.point_purchases.credited_points is
  'Points that the purchase has put into the ledger, less those taken back. After a refund or dispute, what remains are points that were '
  'already spent, which an admin has to settle.';
comment on column public.point_purchases.written_off_at is 'When an admin decided not to take back the rest after a refund or dispute.';
comment on column public.point_purchases.receipt_url is 'URL of the provider''s receipt or invoice. Removed with the owner''s account.';
create index point_purchases_owner on public.point_purchases (owner_user_id, created_at desc, id desc);
create index point_purchases_startup on public.point_purchases (startup_id);
create index point_purchases_created on public.point_purchases (created_at desc, id desc);
create index point_purchases_short on public.point_purchases (created_at desc, id desc)
  where status <> 'paid' and credited_points > 0;
create trigger point_purchases_touch before update on public.point_purchases
  for each row execute function private.touch_updated_at();

alter table public.point_purchases enable row level security, alter payment_ref set statistics 0, alter receipt_url set statistics 0;
create policy point_purchases_read on public.point_purchases for select to authenticated
  using (owner_user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy point_purchases_read on public.point_purchases is 'The owner and admins (SEC-13).';
grant select on public.point_purchases to authenticated, service_role;

create function private.bought_points(p_owner text) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(sum(p.points), 0)::bigint from public.point_purchases p where p.owner_user_id = p_owner and p.status = 'paid'
$$;
comment on function private.bought_points(text) is
  'Points that an owner has paid for, spent or not, without refunded and disputed payments.';

-- The payment page ----------------------------------------------------------------------------------------------------

create function private.point_packs() returns table (pack_id text, points integer, price_cents integer)
language sql stable security definer set search_path = ''
as $$
  select p.* from public.app_settings s
  cross join lateral (values
    ('points_small', s.pack_small_points, s.pack_small_cents), ('points_medium', s.pack_medium_points, s.pack_medium_cents),
    ('points_large', s.pack_large_points, s.pack_large_cents)
  ) p (pack_id, points, price_cents)
  where p.points > 0
$$;
comment on function private.point_packs() is 'The packs for sale, at the prices in the settings.';

create function public.get_pack_terms(p_user_id text, p_startup_id uuid, p_pack_id text, p_expected_cents integer default null)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_pack record;
begin
  select p.* into v_pack from private.point_packs() p where p.pack_id = p_pack_id;
  if v_pack.pack_id is null then
    perform private.raise_error('INVALID_PACK', 'This pack is not sold', 400);
  end if;
  v_startup := private.require_buyer(p_user_id, p_startup_id);
  if v_startup.status <> 'verified' then
    perform private.raise_error('BUYER_NOT_VERIFIED', 'Your project must be verified before it can buy points.', 403);
  end if;
  perform private.check_price(p_expected_cents, v_pack.price_cents, 'cents');
  return jsonb_build_object('price_cents', v_pack.price_cents, 'pack_id', v_pack.pack_id, 'points', v_pack.points,
    'startup_name', v_startup.name);
end $$;
comment on function public.get_pack_terms(text, uuid, text, integer) is
  'Terms for the owner''s payment page: price_cents, pack_id, points, startup_name (BEY-20). p_expected_cents: the price that the owner '
  'saw (TRUST-20). Service role only: the checkout function has authenticated p_user_id. Errors: INVALID_PACK, STARTUP_NOT_FOUND, '
  'FORBIDDEN, SUSPENDED, BUYER_NOT_VERIFIED, PRICE_CHANGED.';
grant execute on function public.get_pack_terms(text, uuid, text, integer) to service_role;

-- The payment ---------------------------------------------------------------------------------------------------------

create function private.purchase_facts(p_purchase public.point_purchases) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_build_object('startup_id', p_purchase.startup_id, 'pack_id', p_purchase.pack_id, 'points', p_purchase.points,
    'amount_cents', p_purchase.amount_cents, 'status', p_purchase.status, 'credited_points', p_purchase.credited_points)
$$;
comment on function private.purchase_facts(public.point_purchases) is 'A purchase as recorded in the audit log and the outbox.';

create function private.answer_purchase_event(p_event_id text, p_before jsonb, p_purchase_id uuid, p_outcome jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_event private.payment_events;
begin
  update private.payment_events e set outcome = p_outcome where e.event_id = p_event_id returning e.* into v_event;
  perform private.audit('system', 'payment.' || v_event.action, 'payment', v_event.payment_ref, p_before, p_outcome || coalesce((
    select private.purchase_facts(p) from public.point_purchases p where p.id = p_purchase_id), '{}'));
  return p_outcome;
end $$;
comment on function private.answer_purchase_event(text, jsonb, uuid, jsonb) is
  'Stores the result of a payment event about points and records it in the audit log, once per event (BEY-04).';

create function private.credit_purchase(p_purchase public.point_purchases, p_points integer, p_description text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet uuid;
begin
  -- Lock order: members' wallets before the project's.
  perform private.release_project_holds(p_purchase.owner_user_id, 'project_paid');
  -- The wallet of an owner without a project profile waits for the next one.
  select w.id into v_wallet from public.wallets w where w.owner_user_id = p_purchase.owner_user_id and w.kind = 'startup';
  v_wallet := coalesce(v_wallet, private.startup_wallet(p_purchase.startup_id, p_purchase.owner_user_id));
  -- A dispute that is won may have taken nothing.
  if p_points > 0 then
    perform private.transfer(null, v_wallet, p_points, 'purchase', p_description,
      p_metadata => jsonb_build_object('purchase_id', p_purchase.id));
  end if;
end $$;
comment on function private.credit_purchase(public.point_purchases, integer, text) is
  'Credits bought points to the project''s wallet. They are not trial points, and a purchase counts as vetting: points that members hold '
  'from the trial budget are released (C-94).';

create function public.credit_point_purchase(
  p_startup_id uuid, p_pack_id text, p_points integer, p_event_id text, p_payment_ref text, p_amount_cents integer, p_price_cents integer,
  p_currency text default 'usd'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb := private.record_payment_event(p_event_id, 'purchase', p_payment_ref);
  v_owner text;
  v_reason text;
  v_purchase public.point_purchases;
begin
  if v_outcome is not null then
    return v_outcome;
  elsif p_amount_cents is null or p_amount_cents < 0 then
    perform private.raise_error('INVALID_AMOUNT', 'The amount must not be negative', 400);
  elsif p_points is null or p_points not between 1 and 1000000 then
    perform private.raise_error('INVALID_POINTS', 'Points must be a positive number', 400);
  end if;
  if not exists (select 1 from public.point_purchases p where p.payment_ref = p_payment_ref) then
    v_owner := private.lock_payer(p_startup_id);
    v_reason := case
      when p_amount_cents is distinct from p_price_cents or p_currency is distinct from 'usd' then 'wrong_amount'
      when v_owner is null then 'startup_not_found'
      when private.is_payment_ended(p_payment_ref) then 'payment_ended'
    end;
    if v_reason is null or v_reason = 'payment_ended' then
      -- A payment whose refund or dispute arrived first is recorded too, since a dispute may still be won.
      insert into public.point_purchases (startup_id, owner_user_id, pack_id, points, amount_cents, payment_ref, status, credited_points)
      values (p_startup_id, v_owner, p_pack_id, p_points, p_amount_cents, p_payment_ref, case
        when v_reason is null then 'paid'
        when exists (
          select 1 from private.payment_events e where e.payment_ref = p_payment_ref and e.action = 'end' and e.dispute_ref is null
        ) then 'refunded'
        else 'disputed' end::public.purchase_status, case when v_reason is null then p_points else 0 end)
      returning * into v_purchase;
    end if;
    if v_reason is null then
      perform private.credit_purchase(v_purchase, p_points, 'Points purchased');
    end if;
    perform private.enqueue_event(case when v_reason is null then 'PointsPurchased' else 'PaymentNotApplied' end,
      coalesce(v_owner, private.former_owner(p_startup_id)), jsonb_build_object('startup_id', p_startup_id, 'pack_id', p_pack_id,
        'points', p_points, 'payment_ref', p_payment_ref, 'amount_cents', p_amount_cents, 'currency', p_currency, 'reason', v_reason));
    if v_purchase.id is null then
      perform private.record_unused_payment(
        p_event_id, coalesce(v_owner, private.former_owner(p_startup_id)), p_pack_id, p_points, p_amount_cents, p_currency);
    end if;
  end if;
  return private.answer_purchase_event(
    p_event_id, null, v_purchase.id, jsonb_build_object('credited', v_reason is null, 'reason', v_reason));
end $$;
comment on function public.credit_point_purchase(uuid, text, integer, text, text, integer, integer, text) is
  'A verified payment event credits a pack''s points to the project''s wallet, once per payment, and returns {credited, reason}; reason: '
  'payment_ended, startup_not_found, or wrong_amount: not p_price_cents, the price for which the payment page was opened, in US dollars '
  '(BEY-20). Points and price are those of the page, whatever the settings are now. Idempotent per event and per payment. Service role '
  'only. Errors: INVALID_PAYMENT_EVENT, INVALID_AMOUNT, INVALID_POINTS.';
grant execute on function public.credit_point_purchase(uuid, text, integer, text, text, integer, integer, text) to service_role;
