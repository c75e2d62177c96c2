-- The baseline of the benchmarks: the least that could move a point in the product's own tables. It writes the same
-- rows, with their constraints and indexes, and omits every rule: no caller, no rights, no idempotency, no cause, no
-- event.

create schema bench;

-- T: a transfer with two entries, balances updated in the order of their ids.
create function bench.transfer(p_from integer, p_to integer, p_points bigint) returns bigint
language plpgsql as $$
declare
  v_id bigint;
  v_from public.wallets;
  v_to public.wallets;
begin
  if p_from < p_to then
    update public.wallets set points = points - p_points where user_id = 'bench_member_' || p_from and points >= p_points returning * into v_from;
    update public.wallets set points = points + p_points where user_id = 'bench_member_' || p_to returning * into v_to;
  else
    update public.wallets set points = points + p_points where user_id = 'bench_member_' || p_to returning * into v_to;
    update public.wallets set points = points - p_points where user_id = 'bench_member_' || p_from and points >= p_points returning * into v_from;
  end if;
  insert into public.transfers (kind, points, description) values ('adjustment', p_points, 'Bench') returning id into v_id;
  insert into public.entries (transfer_id, wallet_id, user_id, type, balance_after) values
    (v_id, v_from.id, v_from.user_id, 'debit', v_from.points), (v_id, v_to.id, v_to.user_id, 'credit', v_to.points);
  return v_id;
end $$;

-- The same in tables with nothing but accounts and points: the baseline for T.
create table bench.accounts (id integer primary key, points bigint not null);
create table bench.postings (
  id bigint generated always as identity primary key, account_id integer not null references bench.accounts (id), points bigint not null
);

create function bench.transfer_bare(p_from integer, p_to integer, p_points bigint) returns void
language plpgsql as $$
begin
  if p_from < p_to then
    update bench.accounts set points = points - p_points where id = p_from and points >= p_points;
    update bench.accounts set points = points + p_points where id = p_to;
  else
    update bench.accounts set points = points + p_points where id = p_to;
    update bench.accounts set points = points - p_points where id = p_from and points >= p_points;
  end if;
  insert into bench.postings (account_id, points) values (p_from, -p_points), (p_to, p_points);
end $$;

-- One entry and one balance: a credit or debit without its other side.
create function bench.post(p_member integer, p_points bigint) returns bigint
language plpgsql as $$
declare
  v_id bigint;
  v_wallet public.wallets;
begin
  update public.wallets set points = points + p_points where user_id = 'bench_member_' || p_member returning * into v_wallet;
  insert into public.transfers (kind, points, description) values ('adjustment', p_points, 'Bench') returning id into v_id;
  insert into public.entries (transfer_id, wallet_id, user_id, type, balance_after)
  values (v_id, v_wallet.id, v_wallet.user_id, 'credit', v_wallet.points);
  return v_id;
end $$;

-- Acting as a member, as PostgREST does it: claims for the transaction, then the procedure.
create sequence bench.member;
create table bench.tasks (n integer primary key, id uuid not null);
create table bench.rewards (n integer primary key, id uuid not null);

create function bench.sign_in_as(p_user text) returns text
language plpgsql as $$
begin
  perform set_config('request.jwt.claims', format(
    '{"iss": "%s", "sub": "%s", "role": "authenticated", "email": "%s@example.com", "email_verified": true}',
    (select d.token_issuer from private.deployment d), p_user, p_user), true);
  return p_user;
end $$;

create function bench.sign_in(p_number bigint) returns text
language sql as $$ select bench.sign_in_as('bench_member_' || p_number) $$;

create function bench.approve(p_task integer) returns void
language plpgsql as $$
declare
  v_user text := bench.sign_in(nextval('bench.member'));
begin
  perform public.submit_proof((select t.id from bench.tasks t where t.n = p_task), 'https://example.com/proof/' || v_user);
end $$;

-- Tasks of one quest that everybody is paid from.
create table bench.hot_tasks (n integer primary key, id uuid not null);

create function bench.approve_hot(p_task integer) returns void
language plpgsql as $$
declare
  v_user text := bench.sign_in(nextval('bench.member'));
begin
  perform public.submit_proof((select t.id from bench.hot_tasks t where t.n = p_task), 'https://example.com/proof/' || v_user);
end $$;

-- Pending submissions, a hundred of each owner in a row; batches start at one end and single decisions at the other.
create table bench.pending (n integer primary key, id uuid not null, owner text not null);
create sequence bench.next_hundred minvalue 0 start 0;
create sequence bench.next_single;

create function bench.review_hundred() returns void
language plpgsql as $$
declare
  v_first integer := 1 + 100 * nextval('bench.next_hundred');
  v_ids uuid[] := array(select p.id from bench.pending p where p.n between v_first and v_first + 99 order by p.n);
  v_approved integer;
begin
  perform bench.sign_in_as((select p.owner from bench.pending p where p.n = v_first));
  select count(*) into v_approved from public.review_submissions(v_ids, 'approve') r where r.status = 'approved';
  if v_approved is distinct from 100 then
    raise exception '% of 100 were approved', v_approved;
  end if;
end $$;

create function bench.review_one() returns void
language plpgsql as $$
declare
  v_n integer := (select max(p.n) from bench.pending p) + 1 - nextval('bench.next_single');
  v_pending bench.pending;
begin
  select p.* into strict v_pending from bench.pending p where p.n = v_n;
  perform bench.sign_in_as(v_pending.owner);
  perform public.review_submission(v_pending.id, 'approve');
end $$;

-- The cost of flags: submit_proof with and without them, with unique proofs of each kind.
create table bench.texts (n integer primary key, text text not null);
do $$
declare
  v_note constant text := 'insert into private.unscanned_submissions (submission_id) values (v_new.id);';
  v_record text := pg_get_functiondef('private.record_submission'::regproc);
  v_submit text := pg_get_functiondef('public.submit_proof'::regproc);
begin
  assert strpos(v_record, v_note) > 0 and strpos(v_submit, 'private.record_submission(') > 0, 'submissions are noted in another way';
  execute replace(replace(v_record, 'FUNCTION private.record_submission', 'FUNCTION bench.record_unflagged'), v_note, '');
  execute replace(replace(v_submit, 'FUNCTION public.submit_proof', 'FUNCTION bench.submit_unflagged'),
    'private.record_submission(', 'bench.record_unflagged(');
end $$;

create function bench.submit(p_task integer, p_kind text, p_is_flagged boolean) returns void
language plpgsql as $$
declare
  v_user text := bench.sign_in(nextval('bench.member'));
  v_task uuid := (select t.id from bench.tasks t where t.n = p_task);
  v_url text := case p_kind when 'link' then 'https://example.com/proof/' || v_user when 'screenshot' then 'proofs/' || v_user || '/p.png' end;
  v_text text := case p_kind when 'text' then (select x.text from bench.texts x where x.n = p_task % 10000) end;
begin
  if p_is_flagged then
    perform public.submit_proof(v_task, v_url, v_text);
  else
    perform bench.submit_unflagged(v_task, v_url, v_text);
  end if;
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
