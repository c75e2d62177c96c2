-- Redeeming a reward, and handling the redemption.

create table private.redemption_marks (
  redemption_id uuid not null references public.redemptions (id),
  flagged_points bigint not null check (flagged_points > 0),
  transfer_id bigint not null references public.transfers (id),
  primary key (redemption_id, transfer_id)
);
comment on table private.redemption_marks is
  'Redemptions that spend points from flagged work, which an admin decides one by one (C-95), with the payments that those points come '
  'from. Separate from redemptions, which the member can read.';
create index redemption_marks_transfer on private.redemption_marks (transfer_id);

create function private.flagged_credits(p_user_id text) returns table (transfer_id bigint, points bigint)
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (select 1 from public.submission_flags f where f.user_id = p_user_id and f.dismissed_at is null)
    and not private.has_unscanned(p_user_id)
  then
    return;
  end if;
  return query
    select t.id, t.points - coalesce(h.points, 0) - coalesce((
      select sum(m.flagged_points) from private.redemption_marks m join public.redemptions r on r.id = m.redemption_id
      where m.transfer_id = t.id and r.status <> 'cancelled'), 0)::bigint
    from public.wallets w
    join public.entries e on e.wallet_id = w.id and e.type = 'credit'
    join public.transfers t on t.id = e.transfer_id and t.kind = 'task_completion'
    left join public.point_holds h on h.id = t.id and h.released_at is null and h.reversed_at is null
    where w.user_id = p_user_id and private.is_flagged(t.submission_id)
      and not exists (select 1 from public.transfers r where r.idempotency_key = private.reversal_key(t.idempotency_key));
end $$;
comment on function private.flagged_credits(text) is
  'Payments that a member got for flagged work, with their points that are neither held nor spent on a redemption that is marked for them; '
  'reversed ones do not count (C-95).';

create function private.mark_redemption(p_redemption public.redemptions, p_available bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- By payment: what an earlier mark was for may be cleared by now, and must not count for other flagged work.
  insert into private.redemption_marks (redemption_id, flagged_points, transfer_id)
  select p_redemption.id, least(c.until, c.needed) - (c.until - c.points), c.transfer_id
  from (
    select f.transfer_id, f.points, sum(f.points) over (order by f.transfer_id) as until,
      -- Unflagged points are spent first, so that they are not delayed.
      p_redemption.points_cost - greatest(p_available - sum(f.points) over (), 0) as needed
    from private.flagged_credits(p_redemption.user_id) f where f.points > 0
  ) c where c.until - c.points < c.needed;
end $$;
comment on function private.mark_redemption(public.redemptions, bigint) is
  'Marks a redemption for review when the available balance before it (p_available) does not cover it without points from flagged work, '
  'oldest first (C-95).';

create function private.deliver_code(p_redemption public.redemptions) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions := p_redemption;
begin
  perform private.give_code(p_redemption.id, p_redemption.reward_id);
  -- With flagged points, the code waits for an admin (C-95).
  if not exists (select 1 from private.redemption_marks m where m.redemption_id = p_redemption.id) then
    update public.redemptions r set status = 'fulfilled', handled_by = 'auto', fulfilled_at = now()
    where r.id = p_redemption.id returning r.* into v_redemption;
    perform private.enqueue_event('RedemptionFulfilled', p_redemption.user_id, jsonb_build_object('redemption_id', p_redemption.id,
      'title', p_redemption.reward_title, 'delivery', p_redemption.delivery, 'note', 'Your code is in My Rewards.'));
  end if;
  return v_redemption;
end $$;
comment on function private.deliver_code(public.redemptions) is
  'Assigns a code to a new redemption and fulfils it, unless an admin has to decide. Errors: OUT_OF_STOCK.';

create function public.redeem_reward_safe(
  p_reward_id uuid, p_idempotency_key text, p_expected_cost integer default null, p_address jsonb default null
) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_key text := private.require_idempotency_key(p_idempotency_key);
  v_reward public.rewards;
  v_now public.rewards;
  v_redemption public.redemptions;
  v_wallet uuid;
  v_points bigint;
  v_held bigint;
begin
  -- Members without unscanned proofs do not wait for those of others. Submissions that the scan does not reach count as flagged.
  if private.has_unscanned(v_user) then
    perform private.scan_submissions('1 second');
  end if;
  -- Waits for a deletion of the reward, not for a change of its stock.
  select r.* into v_reward from public.rewards r where r.id = p_reward_id for key share;
  if v_reward.id is null or not v_reward.is_active or not (private.settings()).rewards_enabled then
    -- A retry gets the first answer, whatever has happened to the reward since.
    select r.* into v_redemption from public.redemptions r
    where r.user_id = v_user and r.idempotency_key = v_key and r.reward_id = p_reward_id;
    if v_redemption.id is not null then
      return v_redemption;
    end if;
    perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
  end if;
  -- The unique key makes a concurrent call with the same key wait here and then find the first one's redemption.
  insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key, delivery, is_from_stock)
  values (v_user, p_reward_id, v_reward.title, v_reward.points_cost, v_key, v_reward.delivery, v_reward.stock_quantity is not null)
  on conflict (user_id, idempotency_key) do nothing returning * into v_redemption;
  if v_redemption.id is null then
    select r.* into v_redemption from public.redemptions r
    where r.user_id = v_user and r.idempotency_key = v_key for no key update;
    if v_redemption.reward_id <> p_reward_id then
      perform private.raise_error('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another reward', 409);
    elsif v_redemption.delivery = 'post' and v_redemption.status = 'pending' and p_address is not null then
      -- The first answer was lost, and the member may have corrected the address since.
      perform private.save_address(v_redemption.id, p_address);
    end if;
    return v_redemption;
  end if;
  perform private.check_price(p_expected_cost, v_reward.points_cost, 'points');
  if v_reward.delivery = 'post' then
    perform private.save_address(v_redemption.id, p_address);
  end if;

  -- Locked, because what is marked as flagged depends on what the member's other redemptions have spent.
  select w.id, w.points, w.held_points into v_wallet, v_points, v_held from public.wallets w where w.user_id = v_user for no key update;
  if v_held > 0 and v_points - v_held < v_reward.points_cost then
    perform private.release_holds(v_wallet);
    select w.points, w.held_points into v_points, v_held from public.wallets w where w.id = v_wallet;
  end if;
  if coalesce(v_points, 0) < v_reward.points_cost then
    perform private.raise_error('REWARD_TOO_EXPENSIVE', format(
      'You need %s more points to redeem this reward.', private.with_separators(v_reward.points_cost - coalesce(v_points, 0))), 409);
  elsif v_points - v_held < v_reward.points_cost then
    perform private.raise_error('POINTS_HELD', format(
      'You have %s points, but %s of them are held and cannot be redeemed yet.', private.with_separators(v_points),
      private.with_separators(v_held)), 409);
  end if;
  perform private.transfer(v_wallet, null, v_reward.points_cost, 'redemption', 'Redeemed: ' || v_reward.title,
    'redemption:' || v_redemption.id, p_redemption_id => v_redemption.id, p_trial_points => 0);
  perform private.mark_redemption(v_redemption, v_points - v_held);
  if v_reward.stock_quantity is not null then
    update public.rewards r set stock_quantity = r.stock_quantity - 1
    where r.id = p_reward_id and r.is_active and r.points_cost = v_reward.points_cost and coalesce(r.stock_quantity > 0, true)
      -- The stock of a code reward is its number of codes, and this redemption may have begun when it was none.
      and (r.delivery = 'code') = (v_reward.delivery = 'code')
    returning r.* into v_now;
    if not found then
      -- Something changed concurrently: raise the specific error.
      select r.* into v_now from public.rewards r where r.id = p_reward_id;
      if not v_now.is_active then
        perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
      end if;
      perform private.check_price(v_reward.points_cost, v_now.points_cost, 'points');
      perform private.raise_error('OUT_OF_STOCK', 'This reward is currently out of stock.', 409);
    elsif v_now.stock_quantity is null then
      update public.redemptions r set is_from_stock = false where r.id = v_redemption.id returning r.* into v_redemption;
    end if;
  end if;
  perform private.enqueue_event('RewardRedeemed', v_user, jsonb_build_object('redemption_id', v_redemption.id, 'title', v_reward.title,
    'points', v_reward.points_cost, 'delivery', v_reward.delivery));
  return case when v_reward.delivery = 'code' then private.deliver_code(v_redemption) else v_redemption end;
end $$;
comment on function public.redeem_reward_safe(uuid, text, integer, jsonb) is
  'Redeems a reward: debit, stock decrement and redemption, atomically; idempotent per key (RULE-16, TRUST-10). The redemption is pending, '
  'or fulfilled when the reward is a code (C-93). p_expected_cost: the points that the member was shown (TRUST-20). p_address: postal '
  'address, for rewards sent by post only; until the parcel is sent, a repeated call replaces it. Errors: UNAUTHENTICATED, SUSPENDED, '
  'PROFILE_NOT_FOUND, IDEMPOTENCY_KEY_REQUIRED, INVALID_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_REUSED, REWARD_NOT_FOUND, '
  'REWARD_TOO_EXPENSIVE, POINTS_HELD, PRICE_CHANGED, OUT_OF_STOCK, ADDRESS_REQUIRED, HIDDEN_CHARACTERS, TEXT_TOO_LONG.';
grant execute on function public.redeem_reward_safe(uuid, text, integer, jsonb) to authenticated, service_role;

create function private.return_code(p_redemption_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update private.reward_codes c set redemption_id = null where c.redemption_id = p_redemption_id and c.shown_at is null;
  return found;
end $$;
comment on function private.return_code(uuid) is
  'Returns a cancelled redemption''s code to the stock unless it was shown; returns whether it did.';

create function private.fulfil_redemption(p_admin text, p_redemption public.redemptions, p_note text) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions;
begin
  update public.redemptions r set status = 'fulfilled', note = private.normalize_note(p_note), handled_by = 'questboard',
    fulfilled_at = now()
  where r.id = p_redemption.id returning r.* into v_redemption;
  perform private.enqueue_event('RedemptionFulfilled', v_redemption.user_id, jsonb_build_object('redemption_id', v_redemption.id,
    'title', v_redemption.reward_title, 'delivery', v_redemption.delivery, 'note', v_redemption.note));
  perform private.audit(p_admin, 'redemption.fulfilled', 'redemption', v_redemption.id::text,
    jsonb_build_object('status', p_redemption.status), jsonb_build_object('status', v_redemption.status), v_redemption.note);
  return v_redemption;
end $$;
comment on function private.fulfil_redemption(text, public.redemptions, text) is 'Fulfils a redemption that the caller has locked.';

create function private.cancel_redemption(p_admin text, p_redemption public.redemptions, p_note text) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions;
begin
  update public.redemptions r set status = 'cancelled', note = private.normalize_note(p_note), handled_by = 'questboard',
    fulfilled_at = null, cancelled_at = now()
  where r.id = p_redemption.id returning r.* into v_redemption;
  perform private.transfer(null, private.ensure_user_wallet(v_redemption.user_id), v_redemption.points_cost, 'refund',
    'Refund: ' || v_redemption.reward_title, 'refund:' || v_redemption.id, p_redemption_id => v_redemption.id);
  if v_redemption.delivery = 'code' then
    -- The reward is locked before its code: the stock and the codes change together.
    perform 1 from public.rewards r where r.id = v_redemption.reward_id for no key update;
  end if;
  if v_redemption.delivery <> 'code' or private.return_code(v_redemption.id) then
    update public.rewards r set stock_quantity = r.stock_quantity + 1
    where r.id = v_redemption.reward_id and v_redemption.is_from_stock
      and (r.delivery = 'code') = (v_redemption.delivery = 'code');
  end if;
  delete from private.redemption_addresses a where a.redemption_id = v_redemption.id;
  perform private.enqueue_event('RedemptionCancelled', v_redemption.user_id,
    jsonb_build_object('redemption_id', v_redemption.id, 'title', v_redemption.reward_title, 'note', v_redemption.note));
  perform private.audit(p_admin, 'redemption.cancelled', 'redemption', v_redemption.id::text,
    jsonb_build_object('status', p_redemption.status), jsonb_build_object('status', v_redemption.status), v_redemption.note);
  return v_redemption;
end $$;
comment on function private.cancel_redemption(text, public.redemptions, text) is
  'Cancels a redemption that the caller has locked: one refund, stock restored, address deleted.';

create function public.set_redemption_status(p_redemption_id uuid, p_status text, p_note text default null) returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_redemption public.redemptions;
begin
  if p_status is null or p_status not in ('fulfilled', 'cancelled') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  select r.* into v_redemption from public.redemptions r where r.id = p_redemption_id for no key update;
  if v_redemption.id is null then
    perform private.raise_error('REDEMPTION_NOT_FOUND', 'Redemption not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_redemption.user_id);
  if v_redemption.status <> 'pending'
    and not (p_status = 'cancelled' and v_redemption.status = 'fulfilled' and v_redemption.delivery = 'code') then
    perform private.raise_error('REDEMPTION_HANDLED', 'This redemption has already been handled', 409);
  end if;
  return case p_status when 'fulfilled' then private.fulfil_redemption(v_admin, v_redemption, p_note)
    else private.cancel_redemption(v_admin, v_redemption, p_note) end;
end $$;
comment on function public.set_redemption_status(uuid, text, text) is
  'Admin fulfils a pending redemption, or cancels it with one refund and restores the stock (C-50, TRUST-10). An immediately delivered '
  'code can still be cancelled, because nobody has decided on it; it returns to the stock only if it was never shown (C-93). Nobody '
  'decides about their own redemption. Errors: FORBIDDEN, INVALID_STATUS, REDEMPTION_NOT_FOUND, OWN_MATTER, REDEMPTION_HANDLED.';
grant execute on function public.set_redemption_status(uuid, text, text) to authenticated, service_role;

create function public.fulfil_redemptions(p_redemption_ids uuid[], p_note text default null)
returns table (redemption_id uuid, outcome text)
language plpgsql security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_admin text := private.require_admin();
  v_id uuid;
  v_redemption public.redemptions;
begin
  for v_id in select distinct i from unnest(private.validate_ids(p_redemption_ids)) i order by 1 loop
    select r.* into v_redemption from public.redemptions r where r.id = v_id for no key update;
    redemption_id := v_id;
    outcome := case
      when v_redemption.id is null then 'not_found'
      when v_redemption.status <> 'pending' then 'handled'
      when v_redemption.user_id = v_admin then 'own'
      when exists (select 1 from private.redemption_marks m where m.redemption_id = v_id) then 'flagged'
      when exists (select 1 from public.user_profiles p where p.user_id = v_redemption.user_id and p.suspended_at is not null)
        then 'suspended'
      else 'fulfilled' end;
    if outcome = 'fulfilled' then
      perform private.fulfil_redemption(v_admin, v_redemption, p_note);
    end if;
    return next;
  end loop;
end $$;
comment on function public.fulfil_redemptions(uuid[], text) is
  'Admin fulfils up to 200 redemptions with one note; the result for each is fulfilled, handled (already), own (skipped: another admin '
  'decides it), flagged (skipped: it must be decided individually, C-95), suspended (skipped for the same reason: its member is) or '
  'not_found. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, TOO_MANY_IDS.';
grant execute on function public.fulfil_redemptions(uuid[], text) to authenticated, service_role;

create function public.get_redemption_code(p_redemption_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_redemption public.redemptions;
  v_code bytea;
begin
  perform private.require_plain_call();
  -- Same lock as a cancellation: a code that is being shown cannot return to the stock.
  select r.* into v_redemption from public.redemptions r where r.id = p_redemption_id and r.user_id = v_user for no key update;
  if v_redemption.id is null or v_redemption.delivery <> 'code' or v_redemption.status = 'cancelled' then
    perform private.raise_error('CODE_NOT_FOUND', 'No code for this redemption', 404);
  elsif v_redemption.status = 'pending' then
    perform private.raise_error('CODE_NOT_READY', 'We are reviewing this redemption. Your code will appear afterwards.', 409);
  end if;
  update private.reward_codes c set shown_at = coalesce(c.shown_at, now()) where c.redemption_id = p_redemption_id
  returning c.code into v_code;
  return private.decrypt_code(v_code);
end $$;
comment on function public.get_redemption_code(uuid) is
  'The code of the caller''s own redemption; from the first call on it counts as shown (C-93). Errors: UNAUTHENTICATED, SUSPENDED, '
  'PLAIN_CALL_REQUIRED, CODE_NOT_FOUND, CODE_NOT_READY.';
grant execute on function public.get_redemption_code(uuid) to authenticated, service_role;
