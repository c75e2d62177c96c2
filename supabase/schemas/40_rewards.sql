-- Rewards and redemptions.

create type public.redemption_status as enum ('pending', 'fulfilled', 'cancelled');

create table public.rewards (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 200),
  description text not null default '' check (length(description) <= 2000),
  points_cost integer not null check (points_cost between 1 and 10000000),
  cash_value_cents integer check (cash_value_cents >= 0),
  image_url text check (private.is_image_url(image_url)),
  is_active boolean not null default true,
  stock_quantity integer check (stock_quantity >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.rewards is 'What points can be redeemed for (DB-14). Changed by admins only (SEC-10).';
comment on column public.rewards.stock_quantity is 'Pieces left; null means unlimited. Never below zero (TRUST-05).';
create index rewards_active on public.rewards (points_cost, id) where is_active;
create trigger rewards_touch before update on public.rewards
  for each row execute function private.touch_updated_at();

alter table public.rewards enable row level security;
create policy rewards_read on public.rewards for select to anon, authenticated using (is_active or (select private.is_admin()));
comment on policy rewards_read on public.rewards is 'Active rewards are public; admins see all.';
grant select on public.rewards to anon, authenticated, service_role;

create table public.redemptions (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  reward_id uuid not null references public.rewards (id) on delete restrict,
  reward_title text not null,
  points_cost integer not null check (points_cost > 0),
  status public.redemption_status not null default 'pending',
  note text check (length(note) <= 1000),
  handled_by text,
  idempotency_key text not null check (length(idempotency_key) between 1 and 100),
  created_at timestamptz not null default now(),
  fulfilled_at timestamptz,
  cancelled_at timestamptz,
  unique (user_id, idempotency_key)
);
comment on table public.redemptions is 'Redeemed rewards: pending until an admin fulfils or cancels them (DB-14, C-50).';
comment on column public.redemptions.idempotency_key is 'Made by the client per click: the same key redeems once.';
comment on column public.redemptions.note is 'What the admin tells the member.';
create index redemptions_user on public.redemptions (user_id, created_at desc, id desc);
create index redemptions_reward on public.redemptions (reward_id);
create index redemptions_pending on public.redemptions (created_at, id) where status = 'pending';
create index redemptions_handled on public.redemptions (created_at desc, id desc) where status <> 'pending';

alter table public.redemptions enable row level security;
create policy redemptions_read on public.redemptions for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy redemptions_read on public.redemptions is 'The member and admins.';
grant select on public.redemptions to authenticated, service_role;

create table private.redemption_marks (
  redemption_id uuid primary key references public.redemptions (id),
  flagged_points bigint not null check (flagged_points > 0)
);
comment on table private.redemption_marks is
  'Redemptions that take points from flagged work: an admin decides them one by one, with the reasons at hand (C-95). Apart from the '
  'redemption, because its member reads that.';

create function private.mark_redemption(p_redemption public.redemptions, p_available bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_flagged bigint := private.flagged_earnings(p_redemption.user_id);
begin
  if v_flagged > 0 then
    v_flagged := v_flagged - (
      select coalesce(sum(m.flagged_points), 0) from private.redemption_marks m join public.redemptions r on r.id = m.redemption_id
      where r.user_id = p_redemption.user_id and r.status <> 'cancelled');
    -- Points in good order go first, so that they are not delayed.
    v_flagged := least(p_redemption.points_cost - greatest(p_available - v_flagged, 0), v_flagged);
    if v_flagged > 0 then
      insert into private.redemption_marks (redemption_id, flagged_points) values (p_redemption.id, v_flagged);
    end if;
  end if;
end $$;
comment on function private.mark_redemption(public.redemptions, bigint) is
  'Marks a redemption when what was available before it (p_available) does not cover it without points from flagged work (C-95).';

create function public.redeem_reward_safe(p_reward_id uuid, p_idempotency_key text, p_expected_cost integer default null)
returns public.redemptions
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_key text := private.clean(p_idempotency_key);
  v_reward public.rewards;
  v_now public.rewards;
  v_redemption public.redemptions;
  v_wallet uuid;
  v_points bigint;
  v_held bigint;
begin
  if v_key is null or length(v_key) > 100 then
    perform private.raise_error('IDEMPOTENCY_KEY_REQUIRED', 'An idempotency key is required', 400);
  end if;
  perform private.scan_submissions();
  select r.* into v_reward from public.rewards r where r.id = p_reward_id;
  if v_reward.id is null or not v_reward.is_active or not (private.settings()).rewards_enabled then
    -- A call that is sent again gets its first answer, whatever has become of the reward since.
    select r.* into v_redemption from public.redemptions r
    where r.user_id = v_user and r.idempotency_key = v_key and r.reward_id = p_reward_id;
    if v_redemption.id is not null then
      return v_redemption;
    end if;
    perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
  end if;
  -- The unique key makes a parallel call with the same key wait here, and then find the first one's redemption.
  insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key)
  values (v_user, p_reward_id, v_reward.title, v_reward.points_cost, v_key)
  on conflict (user_id, idempotency_key) do nothing returning * into v_redemption;
  if v_redemption.id is null then
    select r.* into v_redemption from public.redemptions r where r.user_id = v_user and r.idempotency_key = v_key;
    if v_redemption.reward_id <> p_reward_id then
      perform private.raise_error('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another reward', 409);
    end if;
    return v_redemption;
  end if;
  perform private.check_price(p_expected_cost, v_reward.points_cost, 'points');

  -- Not locked: the transfer refuses by itself what a parallel call has spent in between.
  select w.id, w.points, w.held_points into v_wallet, v_points, v_held from public.wallets w where w.user_id = v_user;
  if v_held > 0 and v_points - v_held < v_reward.points_cost then
    perform private.release_holds(v_wallet);
    select w.points, w.held_points into v_points, v_held from public.wallets w where w.id = v_wallet;
  end if;
  if coalesce(v_points, 0) < v_reward.points_cost then
    perform private.raise_error('REWARD_TOO_EXPENSIVE', format(
      'You need %s more points to redeem this reward.', v_reward.points_cost - coalesce(v_points, 0)), 409);
  elsif v_points - v_held < v_reward.points_cost then
    perform private.raise_error('POINTS_HELD', format(
      'You have %s points, but %s of them are held and cannot be redeemed yet.', v_points, v_held), 409);
  end if;
  perform private.transfer(v_wallet, null, v_reward.points_cost, 'redemption', 'Redeemed: ' || v_reward.title,
    'redemption:' || v_redemption.id, p_redemption_id => v_redemption.id);
  perform private.mark_redemption(v_redemption, v_points - v_held);
  if v_reward.stock_quantity is not null then
    update public.rewards r set stock_quantity = r.stock_quantity - 1
    where r.id = p_reward_id and r.is_active and r.points_cost = v_reward.points_cost and coalesce(r.stock_quantity > 0, true);
    if not found then
      -- Something changed while this call went on: say what.
      select r.* into v_now from public.rewards r where r.id = p_reward_id;
      perform private.check_price(v_reward.points_cost, v_now.points_cost, 'points');
      perform private.raise_error('OUT_OF_STOCK', 'This reward is currently out of stock.', 409);
    end if;
  end if;
  perform private.enqueue_event('RewardRedeemed', v_user, jsonb_build_object('redemption_id', v_redemption.id, 'title', v_reward.title));
  return v_redemption;
end $$;
comment on function public.redeem_reward_safe(uuid, text, integer) is
  'Redeems a reward: debit, stock minus one and a pending redemption, all or nothing; the same key again returns the first redemption '
  '(RULE-16, TRUST-10). p_expected_cost: the points that the member was shown (TRUST-20). Errors: UNAUTHENTICATED, SUSPENDED, '
  'IDEMPOTENCY_KEY_REQUIRED, IDEMPOTENCY_KEY_REUSED, REWARD_NOT_FOUND, REWARD_TOO_EXPENSIVE, POINTS_HELD, INSUFFICIENT_POINTS, '
  'PRICE_CHANGED, OUT_OF_STOCK.';
grant execute on function public.redeem_reward_safe(uuid, text, integer) to authenticated, service_role;

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
  elsif v_redemption.status <> 'pending' then
    perform private.raise_error('REDEMPTION_HANDLED', 'This redemption has already been handled', 409);
  end if;
  update public.redemptions r set status = p_status::public.redemption_status, note = left(private.clean(p_note), 1000),
    handled_by = 'questboard',
    fulfilled_at = case when p_status = 'fulfilled' then now() end, cancelled_at = case when p_status = 'cancelled' then now() end
  where r.id = p_redemption_id returning r.* into v_redemption;
  if p_status = 'cancelled' then
    perform private.transfer(null, private.ensure_user_wallet(v_redemption.user_id), v_redemption.points_cost, 'refund',
      'Refund: ' || v_redemption.reward_title, 'refund:' || p_redemption_id, p_redemption_id => p_redemption_id);
    update public.rewards r set stock_quantity = r.stock_quantity + 1 where r.id = v_redemption.reward_id and r.stock_quantity is not null;
    perform private.enqueue_event('RedemptionCancelled', v_redemption.user_id,
      jsonb_build_object('redemption_id', p_redemption_id, 'title', v_redemption.reward_title, 'note', v_redemption.note));
  else
    perform private.enqueue_event('RedemptionFulfilled', v_redemption.user_id,
      jsonb_build_object('redemption_id', p_redemption_id, 'title', v_redemption.reward_title, 'note', v_redemption.note));
  end if;
  perform private.audit(v_admin, 'redemption.' || p_status, 'redemption', p_redemption_id::text,
    jsonb_build_object('status', 'pending'), jsonb_build_object('status', p_status), p_note);
  return v_redemption;
end $$;
comment on function public.set_redemption_status(uuid, text, text) is
  'Admin fulfils a pending redemption or cancels it with one refund and the piece back in stock (C-50, TRUST-10). Errors: FORBIDDEN, '
  'INVALID_STATUS, REDEMPTION_NOT_FOUND, REDEMPTION_HANDLED.';
grant execute on function public.set_redemption_status(uuid, text, text) to authenticated, service_role;

create function public.save_reward(p_reward jsonb, p_reward_id uuid default null) returns public.rewards
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.rewards;
  v_after public.rewards;
  v_title text := private.require_text(p_reward ->> 'title', 200, 'REWARD_TITLE_REQUIRED', 'Please enter a reward title');
  v_cost integer := private.to_int(p_reward -> 'points_cost');
  v_stock integer := private.to_int(p_reward -> 'stock_quantity');
  v_cash integer := private.to_int(p_reward -> 'cash_value_cents');
  v_image text := private.normalize_image_url(p_reward ->> 'image_url', 'INVALID_IMAGE_URL');
  v_description text := private.normalize_text(p_reward ->> 'description', 2000);
  v_active boolean := private.to_bool(p_reward -> 'is_active', true);
begin
  if v_cost is null or v_cost not between 1 and 10000000 then
    perform private.raise_error('REWARD_COST_RANGE', 'Cost must be between 1 and 10,000,000 points', 400);
  elsif v_stock < 0 or (v_stock is null and private.clean(p_reward ->> 'stock_quantity') is not null) then
    perform private.raise_error('REWARD_STOCK_RANGE', 'Stock must be empty or a whole number from 0', 400);
  elsif v_cash < 0 then
    perform private.raise_error('REWARD_CASH_RANGE', 'Cash value must not be negative', 400);
  end if;
  if p_reward_id is null then
    insert into public.rewards (title, description, points_cost, cash_value_cents, image_url, is_active, stock_quantity)
    values (v_title, v_description, v_cost, v_cash, v_image, v_active, v_stock) returning * into v_after;
  else
    select r.* into v_before from public.rewards r where r.id = p_reward_id for no key update;
    if v_before.id is null then
      perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
    end if;
    update public.rewards r set title = v_title, description = v_description, points_cost = v_cost, cash_value_cents = v_cash,
      image_url = v_image, is_active = v_active, stock_quantity = v_stock
    where r.id = p_reward_id returning r.* into v_after;
  end if;
  perform private.audit(v_admin, 'reward.save', 'reward', v_after.id::text, to_jsonb(v_before), to_jsonb(v_after));
  return v_after;
end $$;
comment on function public.save_reward(jsonb, uuid) is
  'Admin creates (no id) or changes a reward: title, description, points_cost, cash_value_cents, image_url, is_active, stock_quantity '
  '(SEC-10, C-45). Errors: FORBIDDEN, REWARD_TITLE_REQUIRED, TEXT_TOO_LONG, REWARD_COST_RANGE, REWARD_STOCK_RANGE, REWARD_CASH_RANGE, '
  'INVALID_IMAGE_URL, REWARD_NOT_FOUND.';
grant execute on function public.save_reward(jsonb, uuid) to authenticated, service_role;

create function public.delete_reward(p_reward_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.rewards;
begin
  if exists (select 1 from public.redemptions r where r.reward_id = p_reward_id) then
    perform private.raise_error('REWARD_REDEEMED', 'This reward has been redeemed; deactivate it instead', 409);
  end if;
  delete from public.rewards r where r.id = p_reward_id returning r.* into v_before;
  if v_before.id is null then
    perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
  end if;
  perform private.audit(v_admin, 'reward.delete', 'reward', p_reward_id::text, to_jsonb(v_before));
end $$;
comment on function public.delete_reward(uuid) is
  'Admin deletes a reward that nobody has redeemed (SEC-10). Errors: FORBIDDEN, REWARD_REDEEMED, REWARD_NOT_FOUND.';
grant execute on function public.delete_reward(uuid) to authenticated, service_role;
