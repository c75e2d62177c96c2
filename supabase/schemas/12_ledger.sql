-- The ledger: wallets with a balance, and an append-only double-entry record of every transfer.
--
-- A transfer is one row with amount and reason, plus two entries: a debit of the source and a credit of the destination. Where points enter
-- or leave the product the other side is a system account ("issuance", "redemption"), which has no balance row and so no contention. A
-- wallet always equals the sum of its entries (TRUST-01).
--
-- The order in which all procedures take their locks is in docs/data-model.md.

create type public.wallet_kind as enum ('user', 'startup', 'reserve');
create type public.transaction_type as enum ('credit', 'debit');
create type public.transfer_kind as enum (
  'task_completion', 'referral_bonus', 'welcome_bonus', 'redemption', 'refund',
  'trial_budget', 'reserve', 'release', 'reversal', 'adjustment', 'purchase', 'purchase_reversal'
);

create table public.wallets (
  id uuid primary key default private.uuidv7(),
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
  held_points bigint not null default 0,
  trial_points bigint not null default 0,
  -- Few constraints, because Postgres prepares each one again for every statement that changes a balance.
  constraint wallets_never_negative check (
    least(points, lifetime_points, leaderboard_points, cash_cents, held_points, trial_points, points - greatest(held_points, trial_points))
      >= 0
  ),
  constraint wallets_owner_fits_kind check (
    (kind = 'user') = (user_id is not null) and (kind = 'startup' or startup_id is null) and (kind = 'reserve') = (campaign_id is not null)
  )
) with (fillfactor = 85);
comment on table public.wallets is
  'Accounts with a balance: a member''s (user_id), a project''s (startup_id), a quest''s reserve (campaign_id). Personal and project '
  'points are never mixed (C-03). Its pages keep room for the next version of a row, so that most updates are heap-only.';
comment on column public.wallets.owner_user_id is
  'Who may see it. A project''s wallet outlives the profile and is reused when the owner creates a new one (C-02).';
comment on column public.wallets.points is 'Balance in points. Never below zero (RULE-10, TRUST-05).';
comment on column public.wallets.lifetime_points is
  'Points ever credited. Refunds and released reserves do not count again, and a reversal subtracts its points (RULE-17, C-87).';
comment on column public.wallets.leaderboard_points is
  'Sum of task completions, referral and welcome bonuses less reversals: what the leaderboard ranks by (REWARD-06, C-46).';
comment on column public.wallets.held_points is
  'Part of a member''s points that is not redeemable yet: the sum of the open rows in point_holds (TRUST-16).';
comment on column public.wallets.trial_points is
  'Part of a project''s or reserve''s points that comes from a trial budget. Spent first (C-94).';
-- Partial indexes per kind: members' balances change most often, and an update that is not heap-only rewrites every index of the row.
create unique index wallets_user on public.wallets (user_id) where user_id is not null;
create unique index wallets_startup on public.wallets (startup_id) where startup_id is not null;
create unique index wallets_campaign on public.wallets (campaign_id) where campaign_id is not null;
create unique index wallets_startup_owner on public.wallets (owner_user_id) where kind = 'startup';
create index wallets_owner on public.wallets (owner_user_id) where kind <> 'user';
create index wallets_leaderboard on public.wallets (leaderboard_points desc, user_id) where kind = 'user' and leaderboard_points > 0;

create table public.transfers (
  id bigint generated always as identity primary key,
  kind public.transfer_kind not null,
  points bigint not null check (points > 0),
  description text not null check (length(description) <= 500),
  metadata jsonb not null default '{}',
  submission_id uuid,
  redemption_id uuid,
  referral_id uuid,
  campaign_id uuid,
  idempotency_key text check (length(idempotency_key) <= 200),
  created_at timestamptz not null default now(),
  trial_points bigint check (trial_points between 1 and points)
);
comment on table public.transfers is 'What moved and why, one row per transfer. Append-only.';
comment on column public.transfers.submission_id is 'What caused it. No foreign key: earned points outlive a deleted quest (TRUST-12).';
comment on column public.transfers.trial_points is 'How many of the points come from a trial budget; null when none (C-94).';
comment on column public.transfers.idempotency_key is 'A second transfer with the same key has no effect.';
create unique index transfers_idempotency on public.transfers (idempotency_key) where idempotency_key is not null;
create trigger transfers_append_only before update or delete on public.transfers
  for each row execute function private.prevent_mutation();
create trigger transfers_no_truncate before truncate on public.transfers
  for each statement execute function private.prevent_mutation();

create table public.entries (
  id bigint generated always as (transfer_id * 2 - (type = 'debit')::integer) stored primary key,
  transfer_id bigint not null,
  wallet_id uuid references public.wallets (id),
  system_account text check (system_account in ('issuance', 'redemption')),
  user_id text,
  type public.transaction_type not null,
  balance_after bigint check (balance_after >= 0),
  check ((wallet_id is null) = (system_account is not null))
);
comment on table public.entries is 'The two sides of each transfer, one debit and one credit. Append-only.';
comment on column public.entries.id is
  'Derived from the transfer: 2n - 1 is the debit of transfer n, 2n its credit. The primary key rules out a third entry and finds both.';
comment on column public.entries.transfer_id is 'No foreign key: private.transfer, the only writer, writes both in one statement.';
comment on column public.entries.user_id is 'Owner of a member''s wallet; null for project wallets, reserves and system accounts.';
comment on column public.entries.balance_after is 'Balance of the wallet after this entry; null for system accounts.';
create index entries_wallet on public.entries (wallet_id, id desc) where wallet_id is not null;
create trigger entries_append_only before update or delete on public.entries
  for each row execute function private.prevent_mutation();
create trigger entries_no_truncate before truncate on public.entries
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

alter table public.entries enable row level security;
create policy entries_read on public.entries for select to authenticated
  using (wallet_id = any (array(select private.own_wallet_ids())) or (select private.is_admin()));
comment on policy entries_read on public.entries is
  'Entries of the caller''s own wallets; all for admins. The array is computed once per query and can use the index.';
grant select on public.entries to authenticated, service_role;

alter table public.transfers enable row level security, alter description set statistics 0;
create policy transfers_read on public.transfers for select to authenticated
  using (
    (select private.is_admin())
    or exists (select 1 from public.entries e where e.id in (transfers.id * 2 - 1, transfers.id * 2))
  );
comment on policy transfers_read on public.transfers is
  'Whoever may read one of its entries: the inner query is subject to the policy of entries.';
grant select on public.transfers to authenticated, service_role;

create view public.transactions with (security_invoker = true) as
select e.id, e.transfer_id, e.wallet_id, e.system_account, e.user_id, e.type, t.points, e.balance_after, t.kind, t.description, t.metadata,
  t.submission_id, t.redemption_id, t.referral_id, t.campaign_id, t.created_at, t.trial_points
from public.entries e
join public.transfers t on t.id = e.transfer_id;
comment on view public.transactions is 'Entries joined with amount and reason, as a wallet''s history shows them (DB-09, DB-13).';
-- Without it a write fails before the grants are looked at, and the API answers 500.
create trigger transactions_read_only instead of insert or update or delete on public.transactions
  for each row execute function private.prevent_mutation();
grant select on public.transactions to authenticated, service_role;

create function private.reversal_key(p_payment_key text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return case when p_payment_key like 'submission:%' then
    regexp_replace(regexp_replace(p_payment_key, '^submission:', 'reversal:'), ':balance$', '') end;
end $$;
comment on function private.reversal_key(text) is
  'Idempotency key of the reversal of a submission''s payment; null when it is not the key of such a payment.';

create function private.reversal_key_of(p_transfer public.transfers) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(private.reversal_key(p_transfer.idempotency_key), 'reversal:transfer:' || p_transfer.id);
end $$;
comment on function private.reversal_key_of(public.transfers) is
  'Idempotency key of the reversal of any transfer. Both payments of a submission share one; every other transfer has its own.';

create function private.is_reversed(p_transfer_id bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.transfers t
    join public.transfers r on r.idempotency_key = private.reversal_key_of(t)
    where t.id = p_transfer_id
  );
end $$;
comment on function private.is_reversed(bigint) is 'Whether an admin has taken back what a transfer of earned points credited.';
grant execute on function private.is_reversed(bigint) to authenticated, service_role;

create function public.list_transactions(p_wallet_id uuid, p_limit integer default 50, p_cursor text default null) returns table (
  id bigint, type public.transaction_type, kind public.transfer_kind, points bigint, balance_after bigint, description text,
  created_at timestamptz, submission_id uuid, redemption_id uuid, referral_id uuid, campaign_id uuid, transfer_id bigint,
  cursor text, is_reversed boolean
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 50, 1000);
  v_after text[] := private.decode_cursor('transactions', p_cursor, array['bigint']);
begin
  return query
    select t.id, t.type, t.kind, t.points, t.balance_after, t.description, t.created_at, t.submission_id, t.redemption_id, t.referral_id,
      t.campaign_id, t.transfer_id, private.encode_cursor('transactions', jsonb_build_array(t.id)),
      t.type = 'credit' and t.kind in ('task_completion', 'referral_bonus', 'welcome_bonus') and private.is_reversed(t.transfer_id)
    from public.transactions t
    where t.wallet_id = p_wallet_id and t.id < coalesce(v_after[1]::bigint, 9223372036854775807)
    order by t.id desc limit v_limit;
end $$;
comment on function public.list_transactions(uuid, integer, text) is
  'A wallet''s history, newest first, as far as the caller may see it: runs with the caller''s rights (DB-13). is_reversed: an admin has '
  'taken these points back (TRUST-23). Next page: the cursor of the last row. Nullable: submission_id, redemption_id, referral_id, '
  'campaign_id. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_transactions(uuid, integer, text) to authenticated, service_role;

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
comment on function private.ensure_user_wallet(text) is 'Id of a member''s wallet, created empty if missing (DB-13).';

create function private.startup_wallet(p_startup_id uuid, p_owner text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid;
begin
  -- Read first, because an upsert locks the row also when it changes nothing, and callers may have members' wallets to lock before.
  select w.id into v_id from public.wallets w
  where w.owner_user_id = p_owner and w.kind = 'startup' and w.startup_id = p_startup_id;
  if v_id is null then
    insert into public.wallets (kind, owner_user_id, startup_id) values ('startup', p_owner, p_startup_id)
    on conflict (owner_user_id) where kind = 'startup' do update set startup_id = excluded.startup_id returning id into v_id;
  end if;
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
  'The quest''s reserve: points debited from the project in advance and held for the members (C-01).';

-- Transfers -----------------------------------------------------------------------------------------------------------

create function private.transfer(
  p_from uuid, p_to uuid, p_points bigint, p_kind public.transfer_kind, p_description text, p_key text default null,
  p_submission_id uuid default null, p_redemption_id uuid default null, p_referral_id uuid default null,
  p_campaign_id uuid default null, p_metadata jsonb default '{}', p_trial_points bigint default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_id bigint;
  v_wallets integer := num_nonnulls(p_from, p_to);
  v_trial bigint := coalesce(p_trial_points, case when p_from is null then 0 end);
begin
  if p_points is null or p_points <= 0 then
    perform private.raise_error('INVALID_POINTS', 'Points must be a positive number', 400);
  end if;
  if p_key is not null then
    select t.id into v_id from public.transfers t where t.idempotency_key = p_key;
    if v_id is not null then
      return v_id;
    end if;
  end if;

  -- A single wallet is locked by the update below, unless its trial points have to be known first.
  if v_wallets = 2 or v_trial is null then
    -- Locks both balances in the global order, whichever way the points go: member, project, reserve, then by id.
    select coalesce(v_trial, least(max(w.trial_points) filter (where w.id = p_from), p_points)) into v_trial
    from (
      select w.id, w.trial_points from public.wallets w where w.id in (p_from, p_to) order by w.kind, w.id for no key update
    ) w;
  end if;

  with balance as (
    update public.wallets w set
      points = w.points + case when w.id = p_to then p_points else -p_points end,
      lifetime_points = w.lifetime_points + case
        when w.id = p_to and p_kind not in ('refund', 'release', 'reversal') then p_points
        when w.id = p_from and p_kind in ('reversal', 'purchase_reversal') then -p_points
        else 0 end,
      leaderboard_points = case
        when w.id = p_to and w.kind = 'user' and p_kind in ('task_completion', 'referral_bonus', 'welcome_bonus')
          then w.leaderboard_points + p_points
        when w.id = p_from and p_kind = 'reversal' then greatest(w.leaderboard_points - p_points, 0)
        else w.leaderboard_points end,
      trial_points = w.trial_points + case when w.kind = 'user' then 0 when w.id = p_to then v_trial else -v_trial end,
      updated_at = now()
    where w.id in (p_from, p_to) and (w.id is distinct from p_from or w.points - w.held_points >= p_points)
    returning w.id, w.points, w.user_id
  ), transfer as (
    -- Draws its id once the balances are locked, so that a wallet's entries are numbered in the order in which they changed it.
    insert into public.transfers (kind, points, description, metadata, submission_id, redemption_id, referral_id, campaign_id,
      idempotency_key, trial_points)
    select p_kind, p_points, left(p_description, 500), p_metadata, p_submission_id, p_redemption_id, p_referral_id, p_campaign_id,
      p_key, nullif(v_trial, 0)
    from (select count(*) as wallets from balance) b where b.wallets = v_wallets
    returning id
  ), entry as (
    insert into public.entries (transfer_id, wallet_id, system_account, user_id, type, balance_after)
    select t.id, b.id, case when b.id is null then side.system_account end, b.user_id, side.type, b.points
    from transfer t
    cross join (values
      ('debit'::public.transaction_type, p_from, 'issuance'), ('credit', p_to, 'redemption')
    ) side (type, wallet_id, system_account)
    left join balance b on b.id = side.wallet_id
  )
  select t.id into v_id from transfer t;
  if v_id is null then
    if (select count(*) from public.wallets w where w.id in (p_from, p_to)) < v_wallets then
      perform private.raise_error('WALLET_NOT_FOUND', 'Wallet not found', 404);
    end if;
    perform private.raise_error('INSUFFICIENT_POINTS', 'Insufficient points balance', 409);
  end if;
  return v_id;
end $$;
comment on function private.transfer(uuid, uuid, bigint, public.transfer_kind, text, text, uuid, uuid, uuid, uuid, jsonb, bigint) is
  'Moves points from one wallet to another (null = system account) and writes the transfer with its two entries. Returns the transfer id; '
  'the same key again returns the first one and moves nothing. Held points cannot be moved. Trial points are spent first, unless '
  'p_trial_points says how many to move. Errors: INVALID_POINTS, INSUFFICIENT_POINTS, WALLET_NOT_FOUND.';

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
comment on function private.credit_kind(text) is
  'Kind of a credit, derived from its description; the three phrases count towards the leaderboard (C-46).';

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
    -- Calls with the same key are serialised, so that the later one finds the first one's transfer.
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
    coalesce(private.clean(p_description), 'Points debited'), p_idempotency_key, p_metadata => coalesce(p_metadata, '{}'),
    p_trial_points => 0);
end $$;
comment on function public.debit_points_safe(text, integer, text, jsonb, text) is
  'Debits a member''s wallet; returns the transfer id. Service role only (TRUST-03, DB-24, RULE-10). Errors: INVALID_POINTS, '
  'INSUFFICIENT_POINTS, WALLET_NOT_FOUND.';
grant execute on function public.debit_points_safe(text, integer, text, jsonb, text) to service_role;
