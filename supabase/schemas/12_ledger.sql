-- The ledger: wallets with a balance, and an append-only double-entry book of what moved.
--
-- A transfer is two rows of one transfer_id with the same points: a debit of where points come from and a credit of where they go.
-- Where points enter or leave the product the other side is a system account ("issuance", "redemption"), which has no balance row,
-- so that nothing contends on it. Wallet = sum of its entries, always (TRUST-01).
--
-- Lock order by class, ids ascending inside a class: user's advisory lock -> startup profile -> submission -> task -> campaign ->
-- member wallet -> startup wallet -> reserve -> reward. Hot rows come last.

create type public.wallet_kind as enum ('user', 'startup', 'reserve');
create type public.transaction_type as enum ('credit', 'debit');
create type public.transfer_kind as enum (
  'task_completion', 'referral_bonus', 'welcome_bonus', 'redemption', 'refund',
  'trial_budget', 'reserve', 'release', 'reversal', 'adjustment'
);

create table public.wallets (
  id uuid primary key default gen_random_uuid(),
  kind public.wallet_kind not null,
  owner_user_id text not null,
  user_id text,
  startup_id uuid,
  campaign_id uuid,
  points bigint not null default 0,
  lifetime_points bigint not null default 0,
  leaderboard_points bigint not null default 0,
  cash_cents bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Few constraints, because each is prepared anew for every change of a balance.
  constraint wallets_never_negative check (least(points, lifetime_points, leaderboard_points, cash_cents) >= 0),
  constraint wallets_owner_fits_kind check (
    (kind = 'user') = (user_id is not null) and (kind = 'startup' or startup_id is null) and (kind = 'reserve') = (campaign_id is not null)
  )
);
comment on table public.wallets is
  'Accounts with a balance: a member''s (user_id), a project''s (startup_id), a quest''s reserve (campaign_id). Personal and project '
  'points never mix (C-03).';
comment on column public.wallets.owner_user_id is
  'Who may see it. A project''s wallet outlives its profile and is taken over when the owner makes a new one (C-02).';
comment on column public.wallets.points is 'Balance in points. Never below zero (RULE-10, TRUST-05).';
comment on column public.wallets.lifetime_points is
  'Points ever credited; refunds, releases and reversals give back and do not count again (RULE-17).';
comment on column public.wallets.leaderboard_points is
  'Sum of task completions, referral and welcome bonuses less reversals: what the leaderboard ranks by (REWARD-06, C-46).';
-- Partial, each for its kind: a member's balance changes most often, and every index on the row is written anew with it.
create unique index wallets_user on public.wallets (user_id) where user_id is not null;
create unique index wallets_startup on public.wallets (startup_id) where startup_id is not null;
create unique index wallets_campaign on public.wallets (campaign_id) where campaign_id is not null;
create unique index wallets_startup_owner on public.wallets (owner_user_id) where kind = 'startup';
create index wallets_owner on public.wallets (owner_user_id) where kind <> 'user';
create index wallets_leaderboard on public.wallets (leaderboard_points desc, user_id) where kind = 'user' and leaderboard_points > 0;

create sequence public.transfer_id_seq;

create table public.transactions (
  id bigint generated always as identity primary key,
  transfer_id bigint not null,
  wallet_id uuid references public.wallets (id),
  system_account text check (system_account in ('issuance', 'redemption')),
  user_id text,
  type public.transaction_type not null,
  points bigint not null check (points > 0),
  balance_after bigint check (balance_after >= 0),
  kind public.transfer_kind not null,
  description text not null check (length(description) <= 500),
  metadata jsonb not null default '{}',
  submission_id uuid,
  redemption_id uuid,
  referral_id uuid,
  campaign_id uuid,
  idempotency_key text check (length(idempotency_key) <= 200),
  created_at timestamptz not null default now(),
  check ((wallet_id is null) = (system_account is not null))
);
comment on table public.transactions is 'The append-only ledger: two rows a transfer, equal points, one debit and one credit.';
comment on column public.transactions.user_id is 'Owner of a member''s wallet; null for project wallets, reserves and system accounts.';
comment on column public.transactions.balance_after is 'Balance of the wallet after this row; null for system accounts.';
comment on column public.transactions.submission_id is 'What caused it. No foreign keys: earned points outlive a deleted quest (TRUST-12).';
comment on column public.transactions.idempotency_key is 'Kept on the credit row: a second transfer with the same key does nothing.';
create index transactions_wallet on public.transactions (wallet_id, id desc);
create unique index transactions_idempotency on public.transactions (idempotency_key) where type = 'credit' and idempotency_key is not null;
create trigger transactions_append_only before update or delete on public.transactions
  for each row execute function private.prevent_mutation();
create trigger transactions_no_truncate before truncate on public.transactions
  for each statement execute function private.prevent_mutation();

create function private.own_wallet_ids() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  return query select w.id from public.wallets w where w.user_id = v_user
    union all select w.id from public.wallets w where w.owner_user_id = v_user and w.kind <> 'user';
end $$;
comment on function private.own_wallet_ids() is 'Wallets of the caller: personal, project and reserves.';
grant execute on function private.own_wallet_ids() to authenticated, service_role;

alter table public.wallets enable row level security;
create policy wallets_read on public.wallets for select to authenticated
  using (id = any (array(select private.own_wallet_ids())) or (select private.is_admin()));
comment on policy wallets_read on public.wallets is 'The owner and admins (SEC-13).';
grant select on public.wallets to authenticated, service_role;

alter table public.transactions enable row level security;
create policy transactions_read on public.transactions for select to authenticated
  using (wallet_id = any (array(select private.own_wallet_ids())) or (select private.is_admin()));
comment on policy transactions_read on public.transactions is
  'Rows of one''s own wallets, and everything for admins. The array is computed once and meets the index.';
grant select on public.transactions to authenticated, service_role;

-- Wallets -------------------------------------------------------------------------------------------------------------

create function private.ensure_user_wallet(p_user_id text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  select w.id into v_id from public.wallets w where w.user_id = p_user_id;
  if v_id is null then
    insert into public.wallets (kind, owner_user_id, user_id) values ('user', p_user_id, p_user_id)
    on conflict (user_id) where user_id is not null do nothing;
    select w.id into v_id from public.wallets w where w.user_id = p_user_id;
  end if;
  return v_id;
end $$;
comment on function private.ensure_user_wallet(text) is 'Id of a member''s wallet, made with zeros when missing (DB-13).';

create function private.startup_wallet(p_startup_id uuid, p_owner text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  insert into public.wallets (kind, owner_user_id, startup_id) values ('startup', p_owner, p_startup_id)
  on conflict (owner_user_id) where kind = 'startup' do update set startup_id = excluded.startup_id
    where wallets.startup_id is distinct from excluded.startup_id;
  select w.id into v_id from public.wallets w where w.owner_user_id = p_owner and w.kind = 'startup';
  return v_id;
end $$;
comment on function private.startup_wallet(uuid, text) is
  'The owner''s project wallet, attached to this profile: a re-created profile takes over the old balance (C-02).';

create function private.reserve_wallet(p_campaign_id uuid, p_owner text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  select w.id into v_id from public.wallets w where w.campaign_id = p_campaign_id;
  if v_id is null then
    insert into public.wallets (kind, owner_user_id, campaign_id) values ('reserve', p_owner, p_campaign_id) returning id into v_id;
  end if;
  return v_id;
end $$;
comment on function private.reserve_wallet(uuid, text) is
  'The quest''s reserve: points taken from the project up front and held for the members (C-01).';

-- Transfers -----------------------------------------------------------------------------------------------------------

create function private.raise_debit_error(p_wallet uuid) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if exists (select 1 from public.wallets w where w.id = p_wallet) then
    perform private.raise_error('INSUFFICIENT_POINTS', 'Insufficient points balance', 409);
  end if;
  perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
end $$;
comment on function private.raise_debit_error(uuid) is
  'Why a conditional debit touched no row (RULE-10). Errors: INSUFFICIENT_POINTS, WALLET_NOT_FOUND.';

create function private.transfer(
  p_from uuid, p_to uuid, p_points bigint, p_kind public.transfer_kind, p_description text, p_key text default null,
  p_submission_id uuid default null, p_redemption_id uuid default null, p_referral_id uuid default null,
  p_campaign_id uuid default null, p_metadata jsonb default '{}'
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_id bigint;
  v_from_user text;
  v_to_user text;
  v_from_balance bigint;
  v_to_balance bigint;
  v_debit_first boolean := p_to is null;
begin
  if p_points is null or p_points <= 0 then
    perform private.raise_error('INVALID_POINTS', 'Points must be a positive number', 400);
  end if;
  if p_key is not null then
    select t.transfer_id into v_id from public.transactions t where t.idempotency_key = p_key and t.type = 'credit';
    if v_id is not null then
      return v_id;
    end if;
  end if;

  -- Lock order: member before project before reserve, then by id, whichever way the points go. A wallet's kind never changes.
  if p_from is not null and p_to is not null then
    v_debit_first := coalesce((
      select (f.kind, f.id) < (t.kind, t.id) from public.wallets f, public.wallets t where f.id = p_from and t.id = p_to), true);
  end if;
  for v_step in 1 .. 2 loop
    if p_from is not null and (v_step = 1) = v_debit_first then
      update public.wallets w set
        points = w.points - p_points,
        leaderboard_points = case when p_kind = 'reversal' then greatest(w.leaderboard_points - p_points, 0) else w.leaderboard_points end,
        updated_at = now()
      where w.id = p_from and w.points >= p_points
      returning w.points, w.user_id into v_from_balance, v_from_user;
      if v_from_balance is null then
        perform private.raise_debit_error(p_from);
      end if;
    elsif p_to is not null and (v_step = 1) <> v_debit_first then
      update public.wallets w set
        points = w.points + p_points,
        lifetime_points = w.lifetime_points + case when p_kind in ('refund', 'release', 'reversal') then 0 else p_points end,
        leaderboard_points = w.leaderboard_points + case
          when w.kind = 'user' and p_kind in ('task_completion', 'referral_bonus', 'welcome_bonus') then p_points else 0 end,
        updated_at = now()
      where w.id = p_to
      returning w.points, w.user_id into v_to_balance, v_to_user;
      if v_to_balance is null then
        perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
      end if;
    end if;
  end loop;

  v_id := nextval('public.transfer_id_seq');
  insert into public.transactions (
    transfer_id, wallet_id, system_account, user_id, type, points, balance_after, kind, description, metadata,
    submission_id, redemption_id, referral_id, campaign_id, idempotency_key
  ) values
    (v_id, p_from, case when p_from is null then 'issuance' end, v_from_user, 'debit', p_points, v_from_balance, p_kind,
      left(p_description, 500), p_metadata, p_submission_id, p_redemption_id, p_referral_id, p_campaign_id, null),
    (v_id, p_to, case when p_to is null then 'redemption' end, v_to_user, 'credit', p_points, v_to_balance, p_kind,
      left(p_description, 500), p_metadata, p_submission_id, p_redemption_id, p_referral_id, p_campaign_id, p_key);
  return v_id;
end $$;
comment on function private.transfer(uuid, uuid, bigint, public.transfer_kind, text, text, uuid, uuid, uuid, uuid, jsonb) is
  'Moves points from one wallet to another (null = system account) and writes the two ledger rows. Returns the transfer id; the same key '
  'again returns the first one and moves nothing. Errors: INVALID_POINTS, INSUFFICIENT_POINTS, WALLET_NOT_FOUND.';

create function private.credit_kind(p_description text) returns public.transfer_kind
language plpgsql immutable set search_path = ''
as $$
begin
  return case
    when p_description ilike '%task completion%' then 'task_completion'
    when p_description ilike '%referral bonus%' then 'referral_bonus'
    when p_description ilike '%welcome bonus%' then 'welcome_bonus'
    else 'adjustment' end;
end $$;
comment on function private.credit_kind(text) is 'Kind of a credit by its description; the three phrases count for the leaderboard (C-46).';

create function public.credit_points_safe(
  p_user_id text, p_points integer, p_description text, p_metadata jsonb default '{}', p_idempotency_key text default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
begin
  if private.clean(p_user_id) is null then
    perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
  end if;
  if p_idempotency_key is not null then
    -- Calls with the same key go one after the other, so that the later one finds what the first one did.
    perform pg_advisory_xact_lock(hashtextextended(p_idempotency_key, 0));
  end if;
  return private.transfer(null, private.ensure_user_wallet(p_user_id), p_points, private.credit_kind(p_description),
    coalesce(private.clean(p_description), 'Points credited'), p_idempotency_key, p_metadata => coalesce(p_metadata, '{}'));
end $$;
comment on function public.credit_points_safe(text, integer, text, jsonb, text) is
  'Credits a member''s wallet from issuance; returns the transfer id. Service role only (TRUST-03, DB-24). Errors: INVALID_POINTS, '
  'WALLET_NOT_FOUND.';
grant execute on function public.credit_points_safe(text, integer, text, jsonb, text) to service_role;

create function public.debit_points_safe(
  p_user_id text, p_points integer, p_description text, p_metadata jsonb default '{}', p_idempotency_key text default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet uuid;
begin
  select w.id into v_wallet from public.wallets w where w.user_id = p_user_id;
  if v_wallet is null then
    perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
  end if;
  if p_idempotency_key is not null then
    perform pg_advisory_xact_lock(hashtextextended(p_idempotency_key, 0));
  end if;
  return private.transfer(v_wallet, null, p_points, 'adjustment',
    coalesce(private.clean(p_description), 'Points debited'), p_idempotency_key, p_metadata => coalesce(p_metadata, '{}'));
end $$;
comment on function public.debit_points_safe(text, integer, text, jsonb, text) is
  'Debits a member''s wallet; returns the transfer id. Service role only (TRUST-03, DB-24, RULE-10). Errors: INVALID_POINTS, '
  'INSUFFICIENT_POINTS, WALLET_NOT_FOUND.';
grant execute on function public.debit_points_safe(text, integer, text, jsonb, text) to service_role;
