-- Refunded or disputed payments whose points were already spent: the shortfall, and the admin's decision on it.

create function public.admin_list_returned_payments(p_state text default null, p_limit integer default 20, p_cursor text default null)
returns table (
  id uuid, owner_user_id text, owner_name text, startup_id uuid, startup_name text, status public.purchase_status, points integer,
  missing_points integer, available_points bigint, amount_cents integer, payment_ref text, created_at timestamptz, updated_at timestamptz,
  written_off_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page private.list_page;
begin
  v_page := private.admin_page('returned_payments', null, p_limit, p_cursor);
  perform private.validate_status_filter(p_state, array['open', 'written_off']);
  return query execute private.build_page_query(
    $sql$p.id, p.owner_user_id, u.username, s.id, s.name, p.status, p.points, p.credited_points,
      coalesce((select w.points - w.trial_points from public.wallets w where w.owner_user_id = p.owner_user_id and w.kind = 'startup'), 0),
      p.amount_cents, p.payment_ref, p.created_at, p.updated_at, p.written_off_at,
      private.encode_cursor('returned_payments', jsonb_build_array(p.created_at, p.id))$sql$,
    $sql$public.point_purchases p left join public.user_profiles u on u.user_id = p.owner_user_id
      left join public.startup_profiles s on s.id = p.startup_id$sql$,
    array[
      $sql$p.status <> 'paid' and p.credited_points > 0$sql$,
      case p_state when 'open' then 'p.written_off_at is null' when 'written_off' then 'p.written_off_at is not null' end
    ],
    'p.created_at', 'p.id', private.sort_direction('newest'), v_page.id is not null
  ) using v_page.size, v_page.pattern, v_page.at, v_page.id;
end $$;
comment on function public.admin_list_returned_payments(text, integer, text) is
  'Payments for points that were refunded or disputed after some of the points were spent (missing_points), newest first; state open or '
  'written_off. available_points: the project''s free points without trial points. Next page: the cursor of the last row. Nullable: '
  'owner_name, startup_id, startup_name, written_off_at. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_STATUS, INVALID_LIMIT, '
  'INVALID_CURSOR.';
grant execute on function public.admin_list_returned_payments(text, integer, text) to authenticated, service_role;

create function public.settle_returned_payment(p_purchase_id uuid, p_decision text, p_note text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text;
  v_purchase public.point_purchases;
  v_missing integer;
begin
  if p_decision is null or p_decision not in ('take_back', 'write_off') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  end if;
  v_note := private.require_reason(p_note);
  v_purchase := private.lock_purchase((select p.payment_ref from public.point_purchases p where p.id = p_purchase_id));
  if v_purchase.id is null then
    perform private.raise_error('PAYMENT_NOT_FOUND', 'Payment not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_purchase.owner_user_id);
  if v_purchase.status = 'paid' or v_purchase.credited_points = 0 or v_purchase.written_off_at is not null then
    perform private.raise_error('NOTHING_MISSING', 'Nothing is owed on this payment any more', 409);
  end if;
  if p_decision = 'take_back' then
    perform private.take_back_purchase(v_purchase, v_purchase.status);
  else
    update public.point_purchases p set written_off_at = now() where p.id = p_purchase_id;
  end if;
  select p.credited_points into v_missing from public.point_purchases p where p.id = p_purchase_id;
  perform private.audit(v_admin, 'payment.' || p_decision, 'payment', v_purchase.payment_ref,
    jsonb_build_object('missing_points', v_purchase.credited_points), jsonb_build_object('missing_points', v_missing), v_note);
  return v_missing;
end $$;
comment on function public.settle_returned_payment(uuid, text, text) is
  'Admin settles points that were spent before a refund or dispute, with a reason: take_back takes what the project has now, as the refund '
  'did, from its free points and from the reserves of its quests; write_off waives the rest. Returns the points still missing. A dispute '
  'won later restores the points in either case. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_DECISION, REASON_REQUIRED, '
  'PAYMENT_NOT_FOUND, OWN_MATTER, NOTHING_MISSING.';
grant execute on function public.settle_returned_payment(uuid, text, text) to authenticated, service_role;
