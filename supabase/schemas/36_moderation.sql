-- Moderation of people and projects. A suspension or revocation closes the business in the same transaction: the project leaves every
-- public list and its quests are held; ending it restores everything (TRUST-18, C-91).
--
-- Lock order: the project before its owner, as in mark_verified.

create function private.hold_quests(p_startup_id uuid, p_admin text, p_reason text, p_cause public.hold_cause) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.hold_campaign(c.id, p_admin, p_reason, p_cause) from (
    select c.id from public.campaigns c where c.startup_id = p_startup_id and c.status = 'published' order by c.id
  ) c;
end $$;
comment on function private.hold_quests(uuid, text, text, public.hold_cause) is
  'Holds every published quest of a project. Reserves and pending proofs stay; the owner, unless suspended, and admins decide the proofs.';

create function private.release_quests(p_startup_id uuid, p_admin text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_campaign public.campaigns;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id;
  for v_campaign in
    select c.* from public.campaigns c
    where c.startup_id = p_startup_id and c.hold_cause in ('suspension', 'revocation') order by c.id for no key update
  loop
    if v_startup.is_public then
      perform private.end_hold(v_campaign.id, true);
      perform private.audit(p_admin, 'campaign.lift_hold', 'campaign', v_campaign.id::text,
        jsonb_build_object('hold_reason', v_campaign.hold_reason, 'hold_cause', v_campaign.hold_cause),
        jsonb_build_object('status', v_campaign.status_before_hold));
    else
      -- One of two causes has ended; the other remains.
      update public.campaigns c set
        hold_cause = case when v_startup.suspended_at is not null then 'suspension' else 'revocation' end::public.hold_cause
      where c.id = v_campaign.id;
    end if;
  end loop;
end $$;
comment on function private.release_quests(uuid, text) is
  'Restores the status of a project''s quests after its owner''s suspension or its revocation ends. Holds on single quests stay.';

-- Suspension ----------------------------------------------------------------------------------------------------------

create function private.suspension_of(p_profile public.user_profiles) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('suspended_at', p_profile.suspended_at, 'reason', p_profile.suspension_reason) $$;
comment on function private.suspension_of(public.user_profiles) is
  'A person''s suspension as the audit log records it; nulls when not suspended.';

create function private.lock_owner(p_user_id text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_profile public.user_profiles;
begin
  perform 1 from public.startup_profiles s where s.owner_user_id = p_user_id for no key update;
  select p.* into v_profile from public.user_profiles p where p.user_id = p_user_id for no key update;
  return v_profile;
end $$;
comment on function private.lock_owner(text) is
  'Locks a person''s project and profile, in this order, and returns the profile. A concurrent creation of a project holds the lock on the '
  'profile, so the project exists afterwards.';

create function private.suspend(p_user_id text, p_reason text, p_actor text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.user_profiles := private.lock_owner(p_user_id);
  v_profile public.user_profiles;
  v_startup uuid;
begin
  if v_before.suspended_at is not null and v_before.suspension_reason = p_reason then
    return v_before;
  end if;
  update public.user_profiles p set suspended_at = coalesce(p.suspended_at, now()), suspension_reason = p_reason
  where p.user_id = p_user_id returning p.* into v_profile;
  update public.startup_profiles s set suspended_at = v_profile.suspended_at
  where s.owner_user_id = p_user_id and s.suspended_at is null returning s.id into v_startup;
  perform private.audit(p_actor, 'user.suspend', 'user', p_user_id, private.suspension_of(v_before), private.suspension_of(v_profile),
    p_reason);
  if v_startup is not null then
    perform private.hold_quests(v_startup, p_actor, p_reason, 'suspension');
    perform private.audit(p_actor, 'startup.suspend', 'startup', v_startup::text, jsonb_build_object('suspended_at', null),
      jsonb_build_object('suspended_at', v_profile.suspended_at), p_reason);
  end if;
  delete from private.checkout_holds h where h.owner_user_id = p_user_id;
  perform private.enqueue_event('AccountSuspended', p_user_id, jsonb_build_object('reason', p_reason));
  return v_profile;
end $$;
comment on function private.suspend(text, text, text) is
  'Suspends a person and closes their business; no effect when they are suspended for the same reason.';

create function public.suspend_user(p_user_id text, p_reason text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_accounts text[] := array(select a from unnest(private.accounts_of_person(p_user_id)) a order by a);
  v_profile public.user_profiles;
begin
  perform private.lock_owner(a) from unnest(v_accounts) a;
  if not exists (select 1 from public.user_profiles p where p.user_id = p_user_id) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  elsif v_admin = any (v_accounts)
    or exists (select 1 from public.user_profiles p where p.user_id = any (v_accounts) and p.role = 'admin')
    or exists (select 1 from private.admins a where a.user_id = any (v_accounts) and a.revoked_at is null)
  then
    perform private.raise_error('ADMIN_NOT_SUSPENDABLE', 'Admins cannot be suspended', 409);
  end if;
  v_profile := private.suspend(p_user_id, v_reason, v_admin);
  perform private.suspend(p.user_id, v_reason, v_admin) from public.user_profiles p
  where p.user_id = any (v_accounts) and p.suspended_at is null;
  return v_profile;
end $$;
comment on function public.suspend_user(text, text) is
  'Admin suspends a person with a reason that the person sees: they can still read, every procedure that changes anything refuses, the '
  'project leaves the public lists and its quests are held (BEY-04, TRUST-18). So are their other accounts (C-81). Repeating it only '
  'updates the reason. An admin''s right must be revoked first (revoke_admin). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'REASON_REQUIRED, PROFILE_NOT_FOUND, ADMIN_NOT_SUSPENDABLE.';
grant execute on function public.suspend_user(text, text) to authenticated, service_role;

create function private.lift(p_user_id text, p_note text, p_admin text) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.user_profiles := private.lock_owner(p_user_id);
  v_after public.user_profiles;
  v_startup uuid;
begin
  if v_before.suspended_at is null or exists (select 1 from private.deleted_users d where d.user_id = p_user_id) then
    update private.deleted_users d set was_suspended = false where d.user_id = p_user_id and d.was_suspended;
    if found then
      perform private.audit(p_admin, 'user.lift_suspension', 'user', p_user_id, private.suspension_of(v_before), null, p_note);
    end if;
    return v_before;
  end if;
  update public.user_profiles p set suspended_at = null, suspension_reason = null where p.user_id = p_user_id returning p.* into v_after;
  update public.startup_profiles s set suspended_at = null
  where s.owner_user_id = p_user_id returning s.id into v_startup;
  perform private.audit(p_admin, 'user.lift_suspension', 'user', p_user_id,
    private.suspension_of(v_before), private.suspension_of(v_after), p_note);
  if v_startup is not null then
    perform private.release_quests(v_startup, p_admin);
    perform private.audit(p_admin, 'startup.lift_suspension', 'startup', v_startup::text,
      jsonb_build_object('suspended_at', v_before.suspended_at), jsonb_build_object('suspended_at', null), p_note);
  end if;
  perform private.enqueue_event('SuspensionLifted', p_user_id, '{}');
  return v_after;
end $$;
comment on function private.lift(text, text, text) is
  'Ends the suspension of one account and reopens its business. That of a deleted one no longer holds for the person''s other accounts.';

create function public.lift_suspension(p_user_id text, p_note text default null) returns public.user_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.normalize_note(p_note);
  v_profile public.user_profiles;
begin
  if not exists (select 1 from public.user_profiles p where p.user_id = p_user_id) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  perform private.lift(a.user_id, v_note, v_admin) from (
    select a from unnest(private.accounts_of_person(p_user_id)) a order by a
  ) a (user_id);
  select p.* into v_profile from public.user_profiles p where p.user_id = p_user_id;
  return v_profile;
end $$;
comment on function public.lift_suspension(text, text) is
  'Admin ends a suspension for all accounts of the person: the project is listed again and its quests get their status back. Idempotent '
  '(BEY-04, TRUST-18). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, PROFILE_NOT_FOUND.';
grant execute on function public.lift_suspension(text, text) to authenticated, service_role;

create function private.carry_suspension(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_suspended public.user_profiles := private.suspended_account(p_user_id);
begin
  if v_suspended.user_id is not null
    and exists (select 1 from public.user_profiles p where p.user_id = p_user_id and p.suspended_at is null) then
    perform private.suspend(p_user_id, v_suspended.suspension_reason, 'system');
  end if;
end $$;
comment on function private.carry_suspension(text) is
  'Carries a suspension over when the person signs in with another account, also after deleting the first (TRUST-18, C-97).';

-- Projects ------------------------------------------------------------------------------------------------------------

create function private.record_project_decision(p_startup public.startup_profiles, p_decision text, p_reason text)
returns void
language sql security definer set search_path = ''
as $$
  insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, reason, decided_by)
  values (p_startup.id, p_startup.owner_user_id, p_startup.name, p_decision, p_reason, 'questboard')
$$;
comment on function private.record_project_decision(public.startup_profiles, text, text) is
  'Adds an entry to a project''s decision history.';

create function public.set_startup_status(p_startup_id uuid, p_status text, p_note text default null) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := private.normalize_note(p_note);
  v_before public.startup_profiles;
  v_after public.startup_profiles;
begin
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_before.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, v_before.owner_user_id);
  if p_status is null or p_status not in ('verified', 'rejected') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  if p_status = 'rejected' then
    perform private.require_reason(v_note);
  end if;
  -- A pending project may be verified or rejected, a rejected one verified later (C-62); a verified one is revoked instead.
  if v_before.status = 'verified' or v_before.status::text = p_status then
    perform private.raise_error('STATUS_FINAL', 'This project has already been reviewed', 409);
  end if;
  if p_status = 'verified' then
    -- Another project may have been verified under it since.
    perform private.check_name_is_free(v_before.name, v_before.owner_user_id);
    -- Lock order: quests before the wallets that the verification credits or releases.
    perform 1 from public.campaigns c where c.startup_id = p_startup_id and c.hold_cause in ('suspension', 'revocation')
    order by c.id for no key update;
    perform private.mark_verified(p_startup_id, 'questboard', coalesce(v_note, 'Approved by admin'));
    perform private.release_quests(p_startup_id, v_admin);
  else
    update public.startup_profiles s set status = 'rejected', reviewed_by = 'questboard', review_note = v_note, reviewed_at = now()
    where s.id = p_startup_id;
    perform private.record_project_decision(v_before, 'rejected', v_note);
    perform private.enqueue_event('StartupRejected', v_before.owner_user_id,
      jsonb_build_object('startup_id', p_startup_id, 'name', v_before.name, 'reason', v_note));
  end if;
  select s.* into v_after from public.startup_profiles s where s.id = p_startup_id;
  perform private.audit(v_admin, 'startup.' || p_status, 'startup', p_startup_id::text,
    jsonb_build_object('status', v_before.status), jsonb_build_object('status', v_after.status), v_note);
  return v_after;
end $$;
comment on function public.set_startup_status(uuid, text, text) is
  'Admin verifies a project, or rejects it with a reason, but not their own (RULE-15, ADMIN-03). Verifying it again after a revocation '
  'republishes its quests (C-91). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, STARTUP_NOT_FOUND, OWN_MATTER, INVALID_STATUS, '
  'REASON_REQUIRED, STATUS_FINAL, NAME_TAKEN.';
grant execute on function public.set_startup_status(uuid, text, text) to authenticated, service_role;

create function public.revoke_verification(p_startup_id uuid, p_reason text) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_startup public.startup_profiles;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_startup.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  elsif v_startup.status <> 'verified' then
    perform private.raise_error('NOT_VERIFIED', 'This project is not verified', 409);
  end if;
  update public.startup_profiles s set status = 'rejected', revoked_at = now(), reviewed_by = 'questboard', review_note = v_reason,
    reviewed_at = now(), changed_at = null, changed_from = null
  where s.id = p_startup_id returning s.* into v_startup;
  update public.user_profiles set role = 'startup_unverified' where user_id = v_startup.owner_user_id and role = 'startup_verified';
  perform private.hold_quests(p_startup_id, v_admin, v_reason, 'revocation');
  perform private.record_project_decision(v_startup, 'revoked', v_reason);
  perform private.audit(v_admin, 'startup.revoke', 'startup', p_startup_id::text,
    jsonb_build_object('status', 'verified'), jsonb_build_object('status', 'rejected'), v_reason);
  perform private.enqueue_event('VerificationRevoked', v_startup.owner_user_id,
    jsonb_build_object('startup_id', p_startup_id, 'name', v_startup.name, 'reason', v_reason));
  return v_startup;
end $$;
comment on function public.revoke_verification(uuid, text) is
  'Admin revokes a verification with a reason that the owner is told: the project leaves the public lists, its quests are held, their '
  'reserves stay (C-91). set_startup_status verifies it again, without a second trial budget. Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, STARTUP_NOT_FOUND, REASON_REQUIRED, NOT_VERIFIED.';
grant execute on function public.revoke_verification(uuid, text) to authenticated, service_role;

create function public.confirm_startup_change(p_startup_id uuid) returns public.startup_profiles
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.startup_profiles;
  v_after public.startup_profiles;
begin
  select s.* into v_before from public.startup_profiles s where s.id = p_startup_id for no key update;
  if v_before.id is null then
    perform private.raise_error('STARTUP_NOT_FOUND', 'Startup profile not found', 404);
  elsif v_before.changed_at is null then
    return v_before;
  end if;
  perform private.refuse_own_matter(v_admin, v_before.owner_user_id);
  update public.startup_profiles s set changed_at = null, changed_from = null where s.id = p_startup_id returning s.* into v_after;
  perform private.audit(v_admin, 'startup.confirm_change', 'startup', p_startup_id::text,
    jsonb_build_object('name', v_before.changed_from ->> 'name'), jsonb_build_object('name', v_after.name));
  return v_after;
end $$;
comment on function public.confirm_startup_change(uuid) is
  'Admin accepts a verified project''s new name or website, but not their own project''s; no effect without a change (C-96). Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN, STARTUP_NOT_FOUND, OWN_MATTER.';
grant execute on function public.confirm_startup_change(uuid) to authenticated, service_role;

create function public.get_project_history(p_startup_id uuid) returns table (
  id bigint, startup_id uuid, project_name text, decision text, campaign_id uuid, reason text, decided_by text, decided_at timestamptz
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
    select d.id, d.startup_id, d.project_name, d.decision, d.campaign_id, d.reason, d.decided_by, d.decided_at
    from public.startup_profiles s cross join lateral private.project_decisions_about(s.owner_user_id) d
    where s.id = p_startup_id order by d.id desc;
end $$;
comment on function public.get_project_history(uuid) is
  'Decisions on a project and on earlier ones of the same person, newest first (C-91, C-97). Nullable: campaign_id, reason. Errors: '
  'UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_project_history(uuid) to authenticated, service_role;
