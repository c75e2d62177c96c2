-- What the benchmarks compare with: the least that could move a point. No rules, no rights, no history of causes.

create schema bench;

create table bench.accounts (id integer primary key, points bigint not null check (points >= 0));
create table bench.entries (
  id bigint generated always as identity primary key,
  transfer_id bigint not null,
  account_id integer not null references bench.accounts (id),
  points bigint not null,
  created_at timestamptz not null default now()
);
create index entries_account on bench.entries (account_id, id desc);
create sequence bench.transfer_id;
insert into bench.accounts select i, 1000000000 from generate_series(1, 20000) i;

-- T: a transfer in two rows, balances updated in the order of ids.
create function bench.transfer(p_from integer, p_to integer, p_points bigint) returns bigint
language plpgsql as $$
declare
  v_id bigint := nextval('bench.transfer_id');
begin
  if p_from < p_to then
    update bench.accounts set points = points - p_points where id = p_from and points >= p_points;
    update bench.accounts set points = points + p_points where id = p_to;
  else
    update bench.accounts set points = points + p_points where id = p_to;
    update bench.accounts set points = points - p_points where id = p_from and points >= p_points;
  end if;
  insert into bench.entries (transfer_id, account_id, points) values (v_id, p_from, -p_points), (v_id, p_to, p_points);
  return v_id;
end $$;

-- One row and one balance: what a credit or debit is without its other side.
create function bench.post(p_account integer, p_points bigint) returns bigint
language plpgsql as $$
declare
  v_id bigint := nextval('bench.transfer_id');
begin
  update bench.accounts set points = points + p_points where id = p_account and points + p_points >= 0;
  insert into bench.entries (transfer_id, account_id, points) values (v_id, p_account, p_points);
  return v_id;
end $$;

-- Acting as a member, as PostgREST does it: claims for the transaction, then the procedure.
create sequence bench.member;
create table bench.tasks (n integer primary key, id uuid not null);
create table bench.rewards (n integer primary key, id uuid not null);

create function bench.sign_in(p_number bigint) returns text
language plpgsql as $$
declare
  v_user text := 'bench_member_' || p_number;
begin
  perform set_config('request.jwt.claims', format(
    '{"sub": "%s", "role": "authenticated", "email": "%s@example.com", "email_verified": true}', v_user, v_user), true);
  return v_user;
end $$;

create function bench.approve(p_task integer) returns void
language plpgsql as $$
begin
  perform bench.sign_in(nextval('bench.member'));
  perform public.submit_proof((select t.id from bench.tasks t where t.n = p_task), 'https://example.com/proof');
end $$;

create function bench.redeem(p_member integer, p_reward integer) returns void
language plpgsql as $$
begin
  perform bench.sign_in(p_member);
  perform public.redeem_reward_safe((select r.id from bench.rewards r where r.n = p_reward), gen_random_uuid()::text);
end $$;

create function bench.refer(p_referrer integer) returns void
language plpgsql as $$
declare
  v_user text := bench.sign_in(nextval('bench.member'));
begin
  perform public.process_referral_signup(v_user, 'BENCH' || p_referrer);
end $$;
