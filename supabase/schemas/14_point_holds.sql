-- Held points: in a member's wallet, shown and counted, but not redeemable until a condition is met (C-80, C-94, TRUST-16). The conditions
-- are in 33_held_points. Lock the wallet before changing its holds.

create table public.point_holds (
  id bigint primary key references public.transfers (id),
  wallet_id uuid not null references public.wallets (id),
  user_id text not null,
  reason text not null check (reason in ('referral', 'trial')),
  points bigint not null check (points > 0),
  depends_on text not null,
  due_at timestamptz,
  check_at timestamptz not null,
  cause_submission_id uuid,
  created_at timestamptz not null default now(),
  released_at timestamptz,
  release_reason text check (release_reason in ('task_approved', 'project_checked', 'project_paid', 'time_passed')),
  reversed_at timestamptz,
  check ((released_at is null) = (release_reason is null) and (released_at is null or reversed_at is null))
);
comment on table public.point_holds is
  'One row per transfer whose points are or were held, in full or in part. Open until released (redeemable) or reversed (taken back).';
comment on column public.point_holds.id is 'The transfer that credited the points.';
comment on column public.point_holds.reason is
  'referral: until the invited member has an approved task; trial: until the project whose trial budget paid them is vetted '
  '(private.project_proof).';
comment on column public.point_holds.points is 'Points held; for a closed hold, those that were held when it ended.';
comment on column public.point_holds.depends_on is 'Whose action releases it: the invited member, or the owner of the project.';
comment on column public.point_holds.due_at is
  'When it is released by the passage of time, unless something is flagged before; null: not known yet.';
comment on column public.point_holds.check_at is 'When the worker looks at it next.';
comment on column public.point_holds.cause_submission_id is 'The approved task that released a referral bonus.';
create index point_holds_open on public.point_holds (wallet_id) where released_at is null and reversed_at is null;
create index point_holds_depends_on on public.point_holds (depends_on, reason) where released_at is null and reversed_at is null;
create index point_holds_check_at on public.point_holds (check_at) where released_at is null and reversed_at is null;
create index point_holds_user on public.point_holds (user_id, id desc);
create index point_holds_cause on public.point_holds (cause_submission_id) where cause_submission_id is not null;

alter table public.point_holds enable row level security;
create policy point_holds_read on public.point_holds for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy point_holds_read on public.point_holds is 'The member and admins.';
grant select (id, wallet_id, user_id, reason, points, due_at, created_at, released_at, release_reason, reversed_at)
  on public.point_holds to authenticated;
grant select on public.point_holds to service_role;

create function private.hold_points(
  p_transfer_id bigint, p_wallet_id uuid, p_points bigint, p_reason text, p_depends_on text, p_due_at timestamptz default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text;
begin
  update public.wallets w set held_points = w.held_points + p_points where w.id = p_wallet_id returning w.user_id into v_user;
  insert into public.point_holds (id, wallet_id, user_id, reason, points, depends_on, due_at, check_at)
  values (p_transfer_id, p_wallet_id, v_user, p_reason, p_points, p_depends_on, p_due_at, coalesce(p_due_at, now() + interval '24 hours'));
end $$;
comment on function private.hold_points(bigint, uuid, bigint, text, text, timestamptz) is
  'Holds points that a transfer has just credited to a member.';

create function private.close_holds(p_wallet_id uuid, p_transfers bigint[], p_release_reason text, p_cause uuid default null) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_points bigint;
begin
  perform 1 from public.wallets w where w.id = p_wallet_id for no key update;
  with closed as (
    update public.point_holds h set
      released_at = case when p_release_reason is not null then now() end, release_reason = p_release_reason,
      reversed_at = case when p_release_reason is null then now() end, cause_submission_id = p_cause
    where h.wallet_id = p_wallet_id and h.id = any (p_transfers) and h.released_at is null and h.reversed_at is null
    returning h.points
  )
  select coalesce(sum(c.points), 0) into v_points from closed c;
  if v_points > 0 then
    update public.wallets w set held_points = w.held_points - v_points where w.id = p_wallet_id;
  end if;
  return v_points;
end $$;
comment on function private.close_holds(uuid, bigint[], text, uuid) is
  'Closes the open holds of these transfers: released when a reason is given, reversed otherwise. The wallet''s lock makes that happen '
  'once. Returns the points that are no longer held.';

create function private.notify_release(p_wallet_id uuid, p_points bigint) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_points > 0 then
    perform private.enqueue_event('PointsReleased', w.user_id, jsonb_build_object('points', p_points))
    from public.wallets w where w.id = p_wallet_id;
  end if;
end $$;
comment on function private.notify_release(uuid, bigint) is 'Notifies a member of points that are no longer held, if any.';

create function private.release_project_holds(p_owner text, p_release_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet record;
begin
  for v_wallet in
    select h.wallet_id, array_agg(h.id) as transfers from public.point_holds h
    where h.depends_on = p_owner and h.reason = 'trial' and h.released_at is null and h.reversed_at is null
    group by h.wallet_id order by h.wallet_id
  loop
    begin
      perform private.notify_release(v_wallet.wallet_id, private.close_holds(v_wallet.wallet_id, v_wallet.transfers, p_release_reason));
    exception when others then
      -- One member's broken wallet must not refuse the project's payment, nor keep the other members' points held.
      raise warning 'The holds of wallet % could not be released: %', v_wallet.wallet_id, sqlerrm;
      perform private.record_failed_row('release_due_holds', sqlstate, 'wallet', v_wallet.wallet_id);
    end;
  end loop;
end $$;
comment on function private.release_project_holds(text, text) is
  'Releases all points held from the trial budget of an owner who has paid, or whose project an admin has checked (C-94). Those of a '
  'wallet that fails are released when they are next looked at.';

create function private.release_holds_for_debit(p_wallet_id uuid, p_points bigint, p_transfers bigint[] default '{}') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_missing bigint;
  v_hold public.point_holds;
begin
  perform private.close_holds(p_wallet_id, p_transfers, null);
  select p_points - (w.points - w.held_points) into v_missing from public.wallets w where w.id = p_wallet_id for no key update;
  for v_hold in
    select h.* from public.point_holds h where h.wallet_id = p_wallet_id and h.released_at is null and h.reversed_at is null
    order by h.id desc
  loop
    exit when v_missing <= 0;
    if v_hold.points <= v_missing then
      perform private.close_holds(p_wallet_id, array[v_hold.id], null);
    else
      update public.point_holds h set points = h.points - v_missing where h.id = v_hold.id;
      update public.wallets w set held_points = w.held_points - v_missing where w.id = p_wallet_id;
    end if;
    v_missing := v_missing - v_hold.points;
  end loop;
end $$;
comment on function private.release_holds_for_debit(uuid, bigint, bigint[]) is
  'Frees held points before an admin takes points back: first the holds of these transfers, then, if the available balance is still too '
  'small, other holds, latest first.';
