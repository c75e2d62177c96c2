-- Conditions that release held points (C-80, C-94).

-- Referral bonuses ----------------------------------------------------------------------------------------------------

create function private.is_related_owner(p_user_id text, p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return p_owner = any (private.accounts_of_person(p_user_id))
    or coalesce(private.relation_to_owner(p_user_id, p_owner) in ('referred_by_owner', 'referred_owner'), false);
end $$;
comment on function private.is_related_owner(text, text) is 'Whether a project''s owner is this person or related to them by referrals.';

create function private.is_decided(p_submission_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.submissions s
    where s.id = p_submission_id and s.status = 'approved' and s.reviewed_by not in ('beta', 'auto', 'deadline')
  );
end $$;
comment on function private.is_decided(uuid) is
  'Whether a person or a verified action approved a submission, rather than the server by rule; false once its quest is deleted.';

create function private.payment_key(p_submission public.submissions) returns text
language plpgsql stable set search_path = '' set datestyle = 'ISO'
as $$ begin return 'submission:' || p_submission.id || ':' || (p_submission.submitted_at at time zone 'UTC'); end $$;
comment on function private.payment_key(public.submissions) is
  'Idempotency key of the payment for a submission as it was last submitted. In UTC and ISO, because sessions have a time zone and a '
  'style of dates of their own.';

create function private.referral_proof(p_referrer text, p_referred text) returns table (submission_id uuid, due_at timestamptz)
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- Their mailboxes may have turned out to be the same only after the bonuses were paid.
  if p_referrer = any (private.accounts_of_person(p_referred)) then
    return;
  end if;
  -- From the ledger, because it keeps approved tasks of deleted quests.
  return query
    select t.submission_id, t.created_at + case when d.is_decided then interval '0' else 7 * interval '24 hours' end
    from public.wallets member
    join public.entries e on e.wallet_id = member.id and e.type = 'credit'
    join public.transfers t on t.id = e.transfer_id and t.kind = 'task_completion' and t.submission_id is not null
    join public.entries paid on paid.id = e.id - 1
    join public.wallets payer on payer.id = paid.wallet_id
    cross join lateral (select private.is_decided(t.submission_id)) d (is_decided)
    where member.user_id = p_referred
      and not exists (select 1 from public.transfers r where r.idempotency_key = private.reversal_key(t.idempotency_key))
      and (d.is_decided or not private.is_flagged(t.submission_id))
      and not private.is_related_owner(p_referrer, payer.owner_user_id)
      and not private.is_related_owner(p_referred, payer.owner_user_id)
    order by 2, t.id limit 1;
end $$;
comment on function private.referral_proof(text, text) is
  'The invited member''s approved task that releases the bonuses, and when: immediately if a person or a verified action approved it, '
  'seven days later if the server approved it by rule and it has no flag. Only tasks of projects unrelated to both members count. No row: '
  'none yet, or both are the same person (C-80, TRUST-15).';

-- Trial budgets -------------------------------------------------------------------------------------------------------

create function private.project_proof(p_owner text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when exists (
      select 1 from public.startup_profiles s where s.owner_user_id = p_owner and s.checked_at is not null and s.status = 'verified'
    ) then 'project_checked'
    when exists (
      select 1 from public.startup_profiles s where s.owner_user_id = p_owner and private.has_active_subscription(s.id)
    ) or private.bought_points(p_owner) > 0 then 'project_paid' end;
end $$;
comment on function private.project_proof(text) is
  'Why points from an owner''s trial budget are not held: an admin has checked the project, or it has paid for a plan or points. Null: '
  'they are held (C-94).';

create function private.is_out_of_favour(p_owner text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_refused(p_owner) or (private.suspended_account(p_owner)).user_id is not null;
end $$;
comment on function private.is_out_of_favour(text) is
  'Whether an owner is suspended, also under another account, or an admin''s last word on their projects was no: the passage of time then '
  'releases nothing (C-94, TRUST-18).';

create function private.hold_trial_points(p_transfer_id bigint) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  v_points bigint;
  v_wallet uuid;
  v_owner text;
begin
  select t.trial_points, e.wallet_id, payer.owner_user_id into v_points, v_wallet, v_owner
  from public.transfers t
  join public.entries e on e.id = t.id * 2
  join public.entries paid on paid.id = t.id * 2 - 1
  join public.wallets payer on payer.id = paid.wallet_id
  where t.id = p_transfer_id and t.trial_points > 0;
  if v_points is not null and private.project_proof(v_owner) is null then
    perform private.hold_points(p_transfer_id, v_wallet, v_points, 'trial', v_owner, now() + 7 * interval '24 hours');
    return v_points;
  end if;
  return 0;
end $$;
comment on function private.hold_trial_points(bigint) is
  'Holds what a payment has just taken from the trial budget of an unvetted project; returns how many points (C-94).';

create function private.hold_trial_again(p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_paid record;
  v_points bigint;
begin
  -- Waits for approvals under way, which may still have seen the payment, and keeps later ones waiting.
  perform 1 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
  where s.owner_user_id = p_owner order by c.id for no key update of c;
  if private.project_proof(p_owner) is not null then
    return;
  end if;
  for v_paid in
    select t.id, coalesce(h.points, t.trial_points) as points, t.created_at + 7 * interval '24 hours' as due_at, m.id as wallet_id,
      m.user_id
    from public.wallets payer
    join public.entries e on e.wallet_id = payer.id and e.type = 'debit'
    join public.transfers t on t.id = e.transfer_id and t.kind = 'task_completion' and t.trial_points > 0
    join public.entries credit on credit.id = t.id * 2
    join public.wallets m on m.id = credit.wallet_id
    left join public.point_holds h on h.id = t.id
    where payer.owner_user_id = p_owner and t.created_at > now() - 7 * interval '24 hours'
      and (h.id is null or h.release_reason = 'project_paid')
      and not exists (select 1 from public.transfers r where r.idempotency_key = private.reversal_key(t.idempotency_key))
      and not exists (select 1 from private.deleted_users d where d.user_id = m.user_id)
    order by m.id, t.id
  loop
    select least(v_paid.points, w.points - w.held_points) into v_points
    from public.wallets w where w.id = v_paid.wallet_id for no key update;
    continue when v_points <= 0;
    update public.wallets w set held_points = w.held_points + v_points where w.id = v_paid.wallet_id;
    insert into public.point_holds as h (id, wallet_id, user_id, reason, points, depends_on, due_at, check_at)
    values (v_paid.id, v_paid.wallet_id, v_paid.user_id, 'trial', v_points, p_owner, v_paid.due_at, v_paid.due_at)
    on conflict (id) do update set points = excluded.points, released_at = null, release_reason = null;
    perform private.enqueue_event('PointsHeld', v_paid.user_id, jsonb_build_object('points', v_points, 'kind', 'trial'));
  end loop;
end $$;
comment on function private.hold_trial_again(text) is
  'After a payment of an owner was taken back, and unless something else vouches for the project: what its trial budget paid in the last '
  'seven days is held until they are over, as if it had never paid. What members have spent stays spent, and what they earned longer ago '
  'stays free (C-94). Locks the owner''s quests, then members'' wallets. For all members or for none: no job would make up for one that '
  'was left out, while the provider repeats an event that failed.';

create function public.mark_startup_checked(p_startup_id uuid, p_note text default null) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_startup.owner_user_id);
  if v_startup.status <> 'verified' then
    perform private.raise_error('STARTUP_UNVERIFIED', 'Only a verified project can be marked as checked', 409);
  elsif v_startup.checked_at is not null then
    return v_startup;
  end if;
  update public.startup_profiles s set checked_at = now() where s.id = p_startup_id returning s.* into v_startup;
  perform private.audit(v_admin, 'startup.check', 'startup', p_startup_id::text, jsonb_build_object('checked_at', null),
    jsonb_build_object('checked_at', v_startup.checked_at), private.normalize_note(p_note));
  perform private.release_project_holds(v_startup.owner_user_id, 'project_checked');
  return v_startup;
end $$;
comment on function public.mark_startup_checked(uuid, text) is
  'Admin confirms a project that was verified automatically in beta, not their own: points from its trial budget are released (C-94). '
  'Idempotent. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, STARTUP_NOT_FOUND, OWN_MATTER, STARTUP_UNVERIFIED.';
grant execute on function public.mark_startup_checked(uuid, text) to authenticated, service_role;

-- Releasing -----------------------------------------------------------------------------------------------------------

create function private.release_hold(p_hold public.point_holds) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_transfer public.transfers;
  v_due_at timestamptz := p_hold.due_at;
  v_cause uuid;
  v_reason text;
begin
  select t.* into v_transfer from public.transfers t where t.id = p_hold.id;
  if p_hold.reason = 'referral' then
    select p.submission_id, p.due_at into v_cause, v_due_at
    from public.referrals r cross join private.referral_proof(r.referrer_user_id, r.referred_user_id) p
    where r.id = v_transfer.referral_id;
    v_reason := case when v_due_at <= now() then 'task_approved' end;
  else
    v_reason := coalesce(private.project_proof(p_hold.depends_on), case
      when v_due_at <= now() and not private.is_flagged(v_transfer.submission_id) and not private.is_out_of_favour(p_hold.depends_on)
        then 'time_passed' end);
  end if;
  if v_reason is not null then
    perform private.close_holds(p_hold.wallet_id, array[p_hold.id], v_reason, v_cause);
  elsif v_due_at is distinct from p_hold.due_at or p_hold.check_at <= now() then
    update public.point_holds h set due_at = v_due_at, check_at = greatest(v_due_at, now() + interval '6 hours')
    where h.id = p_hold.id;
  end if;
end $$;
comment on function private.release_hold(public.point_holds) is
  'Releases an open hold of a locked wallet if its condition is met; otherwise sets when to check again.';

create function private.release_holds(p_wallet_id uuid, p_depends_on text default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hold public.point_holds;
  v_held bigint;
begin
  select w.held_points into v_held from public.wallets w where w.id = p_wallet_id for no key update;
  for v_hold in
    select h.* from public.point_holds h where h.wallet_id = p_wallet_id and h.released_at is null and h.reversed_at is null
      and (p_depends_on is null or h.depends_on = p_depends_on)
    order by h.check_at, h.id limit case when p_depends_on is null then 500 end
  loop
    perform private.release_hold(v_hold);
  end loop;
  perform private.notify_release(w.id, v_held - w.held_points) from public.wallets w where w.id = p_wallet_id;
end $$;
comment on function private.release_holds(uuid, text) is
  'Releases the holds of a wallet whose conditions are met, those that depend on one person or the 500 that are due first, and notifies '
  'its owner; called where that person has done something, or the owner is about to spend. With more, somebody who has invited '
  'thousands could not sign in, because the statement ends first; the worker looks at the others.';

create function private.release_due_holds(p_time interval default '2 seconds') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_wallet uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('release_due_holds', 0)) then
    return;
  end if;
  for v_wallet in
    select distinct d.wallet_id from (
      select h.wallet_id from public.point_holds h
      left join private.failed_rows f on f.job = 'release_due_holds' and f.row_id = h.wallet_id
      where h.check_at <= now() and h.released_at is null and h.reversed_at is null
      order by f.failed_at nulls first, h.check_at limit 100
    ) d order by 1
  loop
    begin
      perform private.release_holds(v_wallet);
    exception when others then
      -- One broken wallet must not keep everybody else's points held, on this run and all later ones.
      raise warning 'The due holds of wallet % could not be released: %', v_wallet, sqlerrm;
      perform private.record_failed_row('release_due_holds', sqlstate, 'wallet', v_wallet);
    end;
    -- The statement timeout would undo all of it, on this run and all later ones.
    exit when clock_timestamp() > now() + p_time;
  end loop;
end $$;
comment on function private.release_due_holds(interval) is
  'Releases due holds on every tick of the outbox worker, for p_time. One session at a time; others skip it. One wallet whose holds cannot '
  'be released stops no other; it is recorded and retried after them.';

-- Approvals and reversals ---------------------------------------------------------------------------------------------

create function private.referral_holds_on(p_user_id text) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select distinct h.wallet_id from public.point_holds h
    where h.depends_on = p_user_id and h.reason = 'referral' and h.released_at is null and h.reversed_at is null order by 1);
end $$;
comment on function private.referral_holds_on(text) is 'Wallets that hold a referral bonus until this member has an approved task.';

create function private.hold_referral_again(p_submission_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hold record;
  v_proof record;
  v_available bigint;
begin
  for v_hold in
    select h.id, h.wallet_id, h.user_id, h.points, r.referrer_user_id, r.referred_user_id
    from public.point_holds h
    join public.transfers t on t.id = h.id
    join public.referrals r on r.id = t.referral_id
    where h.cause_submission_id = p_submission_id and h.released_at is not null
      and not private.is_reversed(h.id)
    order by h.wallet_id, h.id
  loop
    select p.* into v_proof from private.referral_proof(v_hold.referrer_user_id, v_hold.referred_user_id) p;
    if v_proof.due_at <= now() then
      update public.point_holds h set cause_submission_id = v_proof.submission_id where h.id = v_hold.id;
      continue;
    end if;
    select w.points - w.held_points into v_available from public.wallets w where w.id = v_hold.wallet_id for no key update;
    if v_available > 0 then
      update public.point_holds h set released_at = null, release_reason = null, cause_submission_id = null,
        points = least(h.points, v_available), due_at = v_proof.due_at, check_at = coalesce(v_proof.due_at, now() + interval '24 hours')
      where h.id = v_hold.id;
      update public.wallets w set held_points = w.held_points + least(v_hold.points, v_available) where w.id = v_hold.wallet_id;
      perform private.enqueue_event('PointsHeld', v_hold.user_id, jsonb_build_object(
        'points', least(v_hold.points, v_available), 'kind', 'again'));
    end if;
  end loop;
end $$;
comment on function private.hold_referral_again(uuid) is
  'After the reversal of an approval that released referral bonuses: unless another task releases them, unspent points are held again, but '
  'not for a bonus that was itself reversed. The caller has locked the wallets (referral_holds_caused_by).';

create function private.referral_holds_caused_by(p_submission_id uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(select distinct h.wallet_id from public.point_holds h where h.cause_submission_id = p_submission_id order by 1);
end $$;
comment on function private.referral_holds_caused_by(uuid) is 'Wallets whose referral bonus this approval has released.';
