-- Rewards, what was redeemed of them, and how each is delivered. Redeeming itself stands in 41_redeeming.

create type public.redemption_status as enum ('pending', 'fulfilled', 'cancelled');
create type public.reward_delivery as enum ('code', 'mail', 'post', 'other');

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
  updated_at timestamptz not null default now(),
  delivery public.reward_delivery not null default 'other',
  check (delivery <> 'code' or stock_quantity is not null)
);
comment on table public.rewards is 'What points can be redeemed for (DB-14). Changed by admins only (SEC-10).';
comment on column public.rewards.stock_quantity is
  'Pieces left; null means unlimited. Never below zero (TRUST-05). Of a reward of codes: the codes left.';
comment on column public.rewards.delivery is
  'How members get it (C-93): code (at once, from a stock of codes), mail (to their address here), post (they give an address), other.';
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
  delivery public.reward_delivery not null default 'other',
  unique (user_id, idempotency_key)
);
comment on table public.redemptions is 'Redeemed rewards: pending until an admin fulfils or cancels them (DB-14, C-50).';
comment on column public.redemptions.idempotency_key is 'Made by the client per click: the same key redeems once.';
comment on column public.redemptions.note is 'What the admin tells the member.';
comment on column public.redemptions.delivery is 'The reward''s kind when it was redeemed.';
create index redemptions_user on public.redemptions (user_id, created_at desc, id desc);
create index redemptions_reward on public.redemptions (reward_id);
create index redemptions_pending on public.redemptions (created_at, id) where status = 'pending';
create index redemptions_handled on public.redemptions (created_at desc, id desc) where status <> 'pending';

alter table public.redemptions enable row level security;
create policy redemptions_read on public.redemptions for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy redemptions_read on public.redemptions is 'The member and admins.';
grant select on public.redemptions to authenticated, service_role;

-- Postal addresses ----------------------------------------------------------------------------------------------------

create table private.redemption_addresses (
  redemption_id uuid primary key references public.redemptions (id),
  name text not null check (length(name) <= 120),
  street text not null check (length(street) <= 200),
  extra text not null default '' check (length(extra) <= 200),
  postal_code text not null default '' check (length(postal_code) <= 20),
  city text not null check (length(city) <= 120),
  region text not null default '' check (length(region) <= 120),
  country text not null check (country ~ '^[A-Z]{2}$')
);
comment on table private.redemption_addresses is
  'Where a reward goes by post (C-93). Admins read it with the redemption, nobody else but its owner''s export; it goes with a '
  'cancellation, 90 days after fulfilment, and with the account.';
comment on column private.redemption_addresses.extra is 'Flat, floor, company; empty when there is none.';
comment on column private.redemption_addresses.country is 'ISO 3166-1 alpha-2.';

create function private.save_address(p_redemption_id uuid, p_address jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_country text := upper(private.clean(p_address ->> 'country'));
begin
  if p_address is null or jsonb_typeof(p_address) <> 'object' or coalesce(v_country !~ '^[A-Z]{2}$', true) then
    perform private.raise_error('ADDRESS_REQUIRED', 'Please enter a name and a full postal address', 400);
  elsif exists (select 1 from jsonb_each_text(p_address) a (key, value) where private.has_hidden_characters(a.value)) then
    perform private.raise_error('HIDDEN_CHARACTERS', 'Please use visible characters only', 400);
  end if;
  insert into private.redemption_addresses (redemption_id, name, street, extra, postal_code, city, region, country)
  values (p_redemption_id,
    private.require_text(p_address ->> 'name', 120, 'ADDRESS_REQUIRED', 'Please enter a name and a full postal address'),
    private.require_text(p_address ->> 'street', 200, 'ADDRESS_REQUIRED', 'Please enter a name and a full postal address'),
    private.normalize_text(p_address ->> 'extra', 200), private.normalize_text(p_address ->> 'postal_code', 20),
    private.require_text(p_address ->> 'city', 120, 'ADDRESS_REQUIRED', 'Please enter a name and a full postal address'),
    private.normalize_text(p_address ->> 'region', 120), v_country);
end $$;
comment on function private.save_address(uuid, jsonb) is
  'Keeps where a redemption goes: name, street, extra, postal_code, city, region, country. Some countries have no postal codes. Errors: '
  'ADDRESS_REQUIRED, HIDDEN_CHARACTERS, TEXT_TOO_LONG.';

-- Codes ---------------------------------------------------------------------------------------------------------------

create table private.reward_codes (
  id bigint generated always as identity primary key,
  reward_id uuid not null references public.rewards (id) on delete cascade,
  code bytea not null,
  fingerprint bytea not null,
  redemption_id uuid unique references public.redemptions (id),
  shown_at timestamptz,
  created_at timestamptz not null default now(),
  unique (reward_id, fingerprint),
  check (shown_at is null or redemption_id is not null)
);
comment on table private.reward_codes is
  'The stock of a reward of codes (C-93), encrypted under a key of private.secrets. A code belongs to one redemption at most; one that '
  'was shown never returns to the stock.';
comment on column private.reward_codes.fingerprint is 'Keyed hash: the same code is not taken twice.';
comment on column private.reward_codes.shown_at is 'When its owner first saw it.';
create index reward_codes_free on private.reward_codes (reward_id, id) where redemption_id is null;

create function private.encrypt_code(p_code text) returns bytea
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- The key is random, so that stretching it would only cost time.
  return extensions.pgp_sym_encrypt(p_code, encode(private.secret('reward_codes'), 'hex'), 'cipher-algo=aes256, s2k-mode=1');
end $$;
comment on function private.encrypt_code(text) is 'A code as it is stored.';

create function private.decrypt_code(p_code bytea) returns text
language plpgsql volatile security definer set search_path = ''
as $$ begin return extensions.pgp_sym_decrypt(p_code, encode(private.secret('reward_codes'), 'hex')); end $$;
comment on function private.decrypt_code(bytea) is 'A stored code as its owner reads it.';

create function private.lock_code_reward(p_reward_id uuid) returns public.rewards
language plpgsql security definer set search_path = ''
as $$
declare
  v_reward public.rewards;
begin
  select r.* into v_reward from public.rewards r where r.id = p_reward_id for no key update;
  if v_reward.id is null then
    perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
  elsif v_reward.delivery <> 'code' then
    perform private.raise_error('REWARD_WITHOUT_CODES', 'This reward is not delivered by code', 409);
  end if;
  return v_reward;
end $$;
comment on function private.lock_code_reward(uuid) is
  'The reward, locked: its stock and its codes change together. Errors: REWARD_NOT_FOUND, REWARD_WITHOUT_CODES.';

create function public.add_reward_codes(p_reward_id uuid, p_codes text[]) returns table (added integer, repeated integer, stock integer)
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reward public.rewards;
  v_key bytea := private.secret('reward_codes');
  v_codes text[];
  v_added integer;
begin
  v_codes := array(
    select private.clean(c) from unnest(p_codes) with ordinality u (c, n) where private.clean(c) is not null
    group by 1 order by min(n));
  if cardinality(v_codes) not between 1 and 1000 then
    perform private.raise_error('CODES_RANGE', 'Please add 1 to 1,000 codes at a time', 400);
  elsif exists (select 1 from unnest(v_codes) c where length(c) > 200 or private.has_hidden_characters(c)) then
    perform private.raise_error('INVALID_CODE', 'A code has at most 200 visible characters', 400);
  end if;
  v_reward := private.lock_code_reward(p_reward_id);
  insert into private.reward_codes (reward_id, code, fingerprint)
  select p_reward_id, private.encrypt_code(c), extensions.hmac(convert_to(c, 'UTF8'), v_key, 'sha256') from unnest(v_codes) c
  on conflict (reward_id, fingerprint) do nothing;
  get diagnostics v_added = row_count;
  update public.rewards r set stock_quantity = r.stock_quantity + v_added where r.id = p_reward_id returning r.* into v_reward;
  perform private.audit(v_admin, 'reward.codes_added', 'reward', p_reward_id::text, null,
    jsonb_build_object('title', v_reward.title, 'added', v_added, 'stock_quantity', v_reward.stock_quantity));
  return query select v_added, cardinality(p_codes) - v_added, v_reward.stock_quantity;
end $$;
comment on function public.add_reward_codes(uuid, text[]) is
  'Admin adds up to 1,000 codes to a reward of codes; its stock follows. repeated: blank ones and those that it has or had already '
  '(C-93). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, CODES_RANGE, INVALID_CODE, REWARD_NOT_FOUND, REWARD_WITHOUT_CODES.';
grant execute on function public.add_reward_codes(uuid, text[]) to authenticated, service_role;

create function public.remove_reward_codes(p_reward_id uuid) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reward public.rewards := private.lock_code_reward(p_reward_id);
  v_removed integer;
begin
  delete from private.reward_codes c where c.reward_id = p_reward_id and c.redemption_id is null;
  get diagnostics v_removed = row_count;
  update public.rewards r set stock_quantity = r.stock_quantity - v_removed where r.id = p_reward_id;
  perform private.audit(v_admin, 'reward.codes_removed', 'reward', p_reward_id::text, null,
    jsonb_build_object('title', v_reward.title, 'removed', v_removed));
  return v_removed;
end $$;
comment on function public.remove_reward_codes(uuid) is
  'Admin removes the codes that nobody has been given, expired or pasted by mistake; returns how many. Errors: UNAUTHENTICATED, '
  'SUSPENDED, FORBIDDEN, REWARD_NOT_FOUND, REWARD_WITHOUT_CODES.';
grant execute on function public.remove_reward_codes(uuid) to authenticated, service_role;

create function private.give_code(p_redemption_id uuid, p_reward_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- The caller has lowered the stock, and with it locked the reward: nobody else looks for a free code now.
  update private.reward_codes c set redemption_id = p_redemption_id
  where c.id = (select f.id from private.reward_codes f where f.reward_id = p_reward_id and f.redemption_id is null order by f.id limit 1);
  if not found then
    perform private.raise_error('OUT_OF_STOCK', 'This reward is currently out of stock.', 409);
  end if;
end $$;
comment on function private.give_code(uuid, uuid) is 'The oldest free code becomes this redemption''s. Errors: OUT_OF_STOCK.';

-- Changing rewards ----------------------------------------------------------------------------------------------------

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
  v_delivery text := private.clean(p_reward ->> 'delivery');
begin
  if v_cost is null or v_cost not between 1 and 10000000 then
    perform private.raise_error('REWARD_COST_RANGE', 'Cost must be between 1 and 10,000,000 points', 400);
  elsif v_stock < 0 or (v_stock is null and private.clean(p_reward ->> 'stock_quantity') is not null) then
    perform private.raise_error('REWARD_STOCK_RANGE', 'Stock must be empty or a whole number from 0', 400);
  elsif v_cash < 0 then
    perform private.raise_error('REWARD_CASH_RANGE', 'Cash value must not be negative', 400);
  elsif v_delivery not in ('code', 'mail', 'post', 'other') then
    perform private.raise_error('INVALID_DELIVERY', 'Please choose how the reward is delivered', 400);
  end if;
  if p_reward_id is null then
    v_delivery := coalesce(v_delivery, 'other');
    insert into public.rewards (title, description, points_cost, cash_value_cents, image_url, is_active, stock_quantity, delivery)
    values (v_title, v_description, v_cost, v_cash, v_image, v_active, case when v_delivery = 'code' then 0 else v_stock end,
      v_delivery::public.reward_delivery)
    returning * into v_after;
  else
    select r.* into v_before from public.rewards r where r.id = p_reward_id for no key update;
    if v_before.id is null then
      perform private.raise_error('REWARD_NOT_FOUND', 'Reward not found', 404);
    end if;
    v_delivery := coalesce(v_delivery, v_before.delivery::text);
    if v_before.delivery = 'code' and v_delivery <> 'code' and exists (
      select 1 from private.reward_codes c where c.reward_id = p_reward_id and c.redemption_id is null
    ) then
      perform private.raise_error('REWARD_HAS_CODES', 'This reward still has codes. Remove them first.', 409);
    end if;
    update public.rewards r set title = v_title, description = v_description, points_cost = v_cost, cash_value_cents = v_cash,
      image_url = v_image, is_active = v_active, delivery = v_delivery::public.reward_delivery,
      stock_quantity = case when v_delivery <> 'code' then v_stock else
        (select count(*) from private.reward_codes c where c.reward_id = p_reward_id and c.redemption_id is null) end
    where r.id = p_reward_id returning r.* into v_after;
  end if;
  perform private.audit(v_admin, 'reward.save', 'reward', v_after.id::text, to_jsonb(v_before), to_jsonb(v_after));
  return v_after;
end $$;
comment on function public.save_reward(jsonb, uuid) is
  'Admin creates (no id) or changes a reward: title, description, points_cost, cash_value_cents, image_url, is_active, '
  'stock_quantity, delivery (SEC-10, C-45, C-93). The stock of a reward of codes is that of its codes, whatever is said here. Errors: '
  'FORBIDDEN, REWARD_TITLE_REQUIRED, TEXT_TOO_LONG, REWARD_COST_RANGE, REWARD_STOCK_RANGE, REWARD_CASH_RANGE, INVALID_DELIVERY, '
  'INVALID_IMAGE_URL, REWARD_NOT_FOUND, REWARD_HAS_CODES.';
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
