-- Refunds, disputes, and disputes that were won: the plan or the unspent points are taken back, or restored.

create function private.free_reserves(p_owner text, p_points bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_missing bigint := p_points;
  v_quest record;
  v_reserve public.wallets;
  v_points bigint;
begin
  perform 1 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
  where s.owner_user_id = p_owner order by c.id for no key update of c;
  for v_quest in
    select c.id, c.title, c.status, r.id as reserve, w.id as wallet
    from public.startup_profiles s
    join public.wallets w on w.startup_id = s.id
    join public.campaigns c on c.startup_id = s.id and c.status <> 'closed'
    join public.wallets r on r.campaign_id = c.id and r.points > r.trial_points
    where s.owner_user_id = p_owner order by c.published_at desc nulls last, c.id
  loop
    exit when v_missing <= 0;
    perform 1 from public.wallets w where w.id in (v_quest.wallet, v_quest.reserve) order by w.kind, w.id for no key update;
    select w.* into v_reserve from public.wallets w where w.id = v_quest.reserve;
    select v_reserve.points - sum(t.pending_points + t.kept_points) into v_points
    from public.tasks t where t.campaign_id = v_quest.id;
    continue when v_points <= 0;
    -- Also after a hold, which would otherwise end with a published quest without points.
    update public.campaigns c set status = 'draft', published_at = null, updated_at = now(),
      status_before_hold = case when c.held_at is not null then 'draft' end::public.campaign_status
    where c.id = v_quest.id;
    perform private.audit('system', 'campaign.unpublish', 'campaign', v_quest.id::text, jsonb_build_object('status', v_quest.status),
      jsonb_build_object('status', 'draft'), 'A payment for points went back');
    -- Bought points before trial points, which may still pay what was promised.
    perform private.transfer(v_quest.reserve, v_quest.wallet, v_points, 'release', format('Released from quest "%s"', v_quest.title),
      p_campaign_id => v_quest.id, p_trial_points => greatest(v_points - (v_reserve.points - v_reserve.trial_points), 0));
    v_missing := v_missing - least(v_points, v_reserve.points - v_reserve.trial_points);
  end loop;
end $$;
comment on function private.free_reserves(text, bigint) is
  'Returns reserves of the owner''s quests to the project''s wallet after a refund or dispute, latest quest first. Such a quest becomes an '
  'unfunded draft, which its owner can publish again with other points. Points promised to pending proofs, and kept for appeals, stay '
  'reserved; a quest that has no others stays as it is.';

create function private.points_taken_back_at(p_campaign_id uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select max(l.created_at) from public.audit_log l
  where l.subject_type = 'campaign' and l.subject_id = p_campaign_id::text and l.action = 'campaign.unpublish' and l.actor_id = 'system'
$$;
comment on function private.points_taken_back_at(uuid) is
  'When free_reserves last made this quest an unfunded draft, from the audit log; null: never.';

create function private.lock_purchase(p_payment_ref text) returns public.point_purchases
language plpgsql security definer set search_path = ''
as $$
declare
  v_purchase public.point_purchases;
begin
  perform 1 from public.startup_profiles s
  where s.owner_user_id = (select p.owner_user_id from public.point_purchases p where p.payment_ref = p_payment_ref) for no key update;
  select p.* into v_purchase from public.point_purchases p where p.payment_ref = p_payment_ref for no key update;
  return v_purchase;
end $$;
comment on function private.lock_purchase(text) is
  'Locks the project that paid, then the purchase, as deleting the project or its owner does, and returns the purchase; nulls for an '
  'unknown payment.';

create function private.take_back_purchase(p_purchase public.point_purchases, p_status public.purchase_status) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet public.wallets;
  v_missing bigint := case when p_purchase.written_off_at is null then p_purchase.credited_points else 0 end;
  v_uncovered bigint;
  v_points bigint;
  v_was_taken_back boolean := p_purchase.status <> 'paid';
begin
  update public.point_purchases p set status = p_status where p.id = p_purchase.id;
  perform private.hold_trial_again(p_purchase.owner_user_id);
  select w.* into v_wallet from public.wallets w where w.owner_user_id = p_purchase.owner_user_id and w.kind = 'startup';
  perform private.free_reserves(p_purchase.owner_user_id, v_missing - (v_wallet.points - v_wallet.trial_points));
  select w.* into v_wallet from public.wallets w where w.id = v_wallet.id for no key update;
  -- Promises that exceed a reserve are paid from the free balance (TRUST-04).
  select coalesce(sum(greatest(t.promised - r.points, 0)), 0) into v_uncovered
  from (
    select t.campaign_id, sum(t.pending_points + t.kept_points) as promised from public.tasks t
    join public.campaigns c on c.id = t.campaign_id
    where c.startup_id = v_wallet.startup_id group by 1
  ) t join public.wallets r on r.campaign_id = t.campaign_id;
  v_points := greatest(least(v_missing, v_wallet.points - v_wallet.trial_points - v_uncovered), 0);
  if v_points > 0 then
    perform private.transfer(v_wallet.id, null, v_points, 'purchase_reversal', 'Purchase taken back: the payment was ' || p_status::text,
      p_metadata => jsonb_build_object('purchase_id', p_purchase.id), p_trial_points => 0);
  end if;
  update public.point_purchases p set credited_points = p.credited_points - v_points
  where p.id = p_purchase.id returning p.* into p_purchase;
  -- A dispute that is lost, or refunded, has told its owner before, and "none were left" would be wrong after that.
  if not v_was_taken_back or v_points > 0 then
    perform private.enqueue_event('PurchaseTakenBack', p_purchase.owner_user_id,
      private.purchase_facts(p_purchase) || jsonb_build_object('taken_back', v_points, 'missing', v_missing - v_points));
  end if;
end $$;
comment on function private.take_back_purchase(public.point_purchases, public.purchase_status) is
  'Takes back the unspent points of a refunded or disputed purchase: from the project''s wallet, then from the reserves of its quests. '
  'Trial points stay, and so do points promised to pending proofs and to rejected ones that may be appealed. The shortfall remains in '
  'credited_points, where admins see it; one that was written off is not taken any more. Points that members hold because the project had '
  'paid are held again (C-94). The caller has called lock_purchase.';

create function public.end_payment(p_payment_ref text, p_event_id text, p_status text, p_dispute_ref text default null) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb;
  v_subscription public.subscriptions;
  v_purchase public.point_purchases;
  v_before text;
begin
  if p_status is null or p_status not in ('refunded', 'disputed', 'cancelled') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  elsif (p_status = 'disputed') is distinct from (private.clean(p_dispute_ref) is not null) then
    perform private.raise_error('INVALID_DISPUTE', 'A dispute needs its id, and nothing else has one', 400);
  end if;
  v_outcome := private.record_payment_event(p_event_id, 'end', p_payment_ref, p_dispute_ref);
  if v_outcome is not null then
    return v_outcome;
  end if;
  v_before := (select s.status from public.subscriptions s where s.payment_ref = p_payment_ref);
  if private.is_payment_ended(p_payment_ref) then
    update public.subscriptions s set status = p_status::public.subscription_status
    where s.payment_ref = p_payment_ref and s.status in ('active', 'disputed', 'expired') returning s.* into v_subscription;
    v_purchase := private.lock_purchase(p_payment_ref);
  end if;
  if v_purchase.status <> 'refunded' then
    perform private.take_back_purchase(
      v_purchase, case p_status when 'disputed' then 'disputed' else 'refunded' end::public.purchase_status);
    return private.answer_purchase_event(
      p_event_id, private.purchase_facts(v_purchase), v_purchase.id, jsonb_build_object('ended', true));
  elsif v_subscription.id is not null then
    perform private.sync_og_badge(v_subscription.owner_user_id);
    perform private.hold_trial_again(v_subscription.owner_user_id);
    -- A dispute that is lost changes nothing more.
    if v_before <> p_status then
      perform private.enqueue_event('SubscriptionEnded', v_subscription.owner_user_id, jsonb_build_object(
        'startup_id', v_subscription.startup_id, 'plan_id', v_subscription.plan_id, 'status', p_status));
    end if;
  end if;
  return private.answer_payment_event(p_event_id, v_before, jsonb_build_object('ended', v_subscription.id is not null));
end $$;
comment on function public.end_payment(text, text, text, text) is
  'A refund (refunded), dispute (disputed, with its id) or cancellation (cancelled) of a payment: ends its plan, which frees the slot and '
  'removes the badge, takes back the unspent ones of its points, and releases no held points any more (C-94). Returns {ended}: false when '
  'the payment had no effect or the dispute is already won. Service role only. Errors: INVALID_STATUS, INVALID_PAYMENT_EVENT, '
  'INVALID_DISPUTE.';
grant execute on function public.end_payment(text, text, text, text) to service_role;

create function private.reinstate_purchase(p_purchase public.point_purchases) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_points integer := p_purchase.points - p_purchase.credited_points;
begin
  if p_purchase.status <> 'disputed' then
    return 'not_disputed';
  elsif private.is_payment_ended(p_purchase.payment_ref) then
    return 'payment_ended';
  elsif exists (select 1 from private.deleted_users d where d.user_id = p_purchase.owner_user_id) then
    return 'startup_not_found';
  end if;
  update public.point_purchases p set status = 'paid', credited_points = p.points, written_off_at = null
  where p.id = p_purchase.id returning p.* into p_purchase;
  perform private.credit_purchase(p_purchase, v_points, 'Purchase given back: the dispute was won');
  perform private.enqueue_event('PurchaseReinstated', p_purchase.owner_user_id, private.purchase_facts(p_purchase));
  return null;
end $$;
comment on function private.reinstate_purchase(public.point_purchases) is
  'Restores the points that a dispute took from a purchase; returns null, or why it could not: not_disputed, payment_ended (another '
  'dispute is open) or startup_not_found (the owner''s account is deleted).';

create function public.reinstate_payment(p_payment_ref text, p_event_id text, p_dispute_ref text) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  v_outcome jsonb;
  v_subscription public.subscriptions;
  v_purchase public.point_purchases;
  v_reason text;
  v_before text := (select s.status from public.subscriptions s where s.payment_ref = p_payment_ref);
begin
  if private.clean(p_dispute_ref) is null then
    perform private.raise_error('INVALID_DISPUTE', 'A dispute needs its id, and nothing else has one', 400);
  end if;
  v_outcome := private.record_payment_event(p_event_id, 'reinstate', p_payment_ref, p_dispute_ref);
  if v_outcome is not null then
    return v_outcome;
  end if;
  v_purchase := private.lock_purchase(p_payment_ref);
  if v_purchase.id is not null then
    v_reason := private.reinstate_purchase(v_purchase);
    return private.answer_purchase_event(p_event_id, private.purchase_facts(v_purchase), v_purchase.id,
      jsonb_build_object('reinstated', v_reason is null, 'reason', v_reason));
  end if;
  perform private.expire_subscriptions();
  select s.* into v_subscription from public.subscriptions s where s.payment_ref = p_payment_ref and s.status = 'disputed' for update;
  if v_subscription.id is null then
    v_reason := 'not_disputed';
  else
    v_reason := private.activation_refusal(v_subscription.owner_user_id, v_subscription.plan_id, p_payment_ref);
    if v_reason is null then
      update public.subscriptions s set status = 'active' where s.id = v_subscription.id;
      perform private.sync_og_badge(v_subscription.owner_user_id);
      perform private.release_project_holds(v_subscription.owner_user_id, 'project_paid');
    end if;
    perform private.enqueue_event(case when v_reason is null then 'SubscriptionReinstated' else 'PaymentNotApplied' end,
      v_subscription.owner_user_id,
      jsonb_build_object('startup_id', v_subscription.startup_id, 'plan_id', v_subscription.plan_id, 'payment_ref', p_payment_ref,
        'amount_cents', v_subscription.amount_cents, 'reason', v_reason));
  end if;
  return private.answer_payment_event(p_event_id, v_before, jsonb_build_object('reinstated', v_reason is null, 'reason', v_reason));
end $$;
comment on function public.reinstate_payment(text, text, text) is
  'After a dispute was won: reactivates the plan that it ended, with slot and badge, or restores the points that it took. Returns '
  '{reinstated, reason}; reason: not_disputed (nothing to restore: not paid yet, refunded, or never ended), payment_ended (another dispute '
  'of the payment is open), or, in which case the payment has to be refunded, sold_out, already_subscribed or startup_not_found (C-20, '
  'C-21). Idempotent per event. Service role only. Errors: INVALID_PAYMENT_EVENT, INVALID_DISPUTE.';
grant execute on function public.reinstate_payment(text, text, text) to service_role;

create function public.record_payment_receipt(p_payment_ref text, p_receipt_url text) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner text := coalesce(
    (select s.owner_user_id from public.subscriptions s where s.payment_ref = p_payment_ref),
    (select p.owner_user_id from public.point_purchases p where p.payment_ref = p_payment_ref));
begin
  perform pg_advisory_xact_lock_shared(private.account_lock(v_owner));
  -- An erased account's receipt is gone for good, also when the provider delivers the payment's event again.
  if not exists (select 1 from private.deleted_users d where d.user_id = v_owner) then
    update public.subscriptions s set receipt_url = p_receipt_url where s.payment_ref = p_payment_ref;
    update public.point_purchases p set receipt_url = p_receipt_url where p.payment_ref = p_payment_ref;
  end if;
  return v_owner is not null;
end $$;
comment on function public.record_payment_receipt(text, text) is
  'Stores the URL of a payment''s receipt, unless its account is erased; returns whether the payment is known (C-110). Service role only.';
grant execute on function public.record_payment_receipt(text, text) to service_role;

create function public.list_own_payments(p_limit integer default 20, p_cursor text default null) returns table (
  id uuid, product_id text, points integer, amount_cents integer, currency text, status text, credited_points integer, receipt_url text,
  created_at timestamptz, cursor text, is_unused boolean
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 20, 100);
  v_after text[] := private.decode_cursor('own_payments', p_cursor, array['timestamptz', 'uuid']);
begin
  return query
    select p.id, p.pack_id, p.points, p.amount_cents, p.currency, p.status, p.credited_points, p.receipt_url, p.created_at,
      private.encode_cursor('own_payments', jsonb_build_array(p.created_at, p.id)), p.is_unused
    from (
      select x.id, x.pack_id, x.points, x.amount_cents, x.currency, x.status::text, x.credited_points, x.receipt_url, x.created_at,
        false as is_unused
      from public.point_purchases x where x.owner_user_id = (select public.current_user_id())
      union all
      select s.id, s.plan_id, null, s.amount_cents, 'usd',
        case when s.status = 'active' then 'paid' else s.status::text end, null, s.receipt_url, s.created_at, false
      from public.subscriptions s where s.owner_user_id = (select public.current_user_id())
      union all
      select u.id, u.product_id, u.points, u.amount_cents, 'usd', u.status, null, null, u.created_at, true
      from private.own_unused_payments() u
    ) p
    where v_after is null or (p.created_at, p.id) < (v_after[1]::timestamptz, v_after[2]::uuid)
    order by p.created_at desc, p.id desc limit v_limit;
end $$;
comment on function public.list_own_payments(integer, text) is
  'The caller''s payments for plans and points, newest first, with the provider''s receipts (C-110). credited_points: after a refund or '
  'dispute, the points that had been spent. is_unused: it has bought nothing and is given back (C-103). Next page: the cursor of the last '
  'row. Nullable: points, credited_points, receipt_url. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_own_payments(integer, text) to authenticated, service_role;
