-- Revoking and restoring the right of admins (TRUST-19). Who is admin is in 02_identity, because policies ask it from the start.

create function private.has_owner_address(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from private.product_owner o join private.known_mailboxes k on k.mailbox = private.mailbox_key(o.email)
    where k.user_id = p_user_id
      and not exists (select 1 from public.user_profiles p where p.email = o.email and p.user_id <> p_user_id));
end $$;
comment on function private.has_owner_address(text) is
  'Whether the product owner''s address is, or was, this account''s and is nobody else''s now.';

create function private.is_admin_without_role(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from private.admins a where a.user_id = p_user_id and a.revoked_at is null) or exists (
    select 1 from public.user_profiles p join private.product_owner o on o.email = p.email and o.revoked_at is null
    where p.user_id = p_user_id);
end $$;
comment on function private.is_admin_without_role(text) is
  'Whether somebody is admin without the identity provider''s role: by a grant in the database, or by the product owner''s address.';

create function private.has_other_admin(p_admin text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from public.user_profiles p left join private.admins a on a.user_id = p.user_id
    where p.user_id <> p_admin and p.suspended_at is null and a.revoked_at is null and (p.role = 'admin' or a.user_id is not null)
  );
end $$;
comment on function private.has_other_admin(text) is
  'Whether somebody else is admin, or was at their last sign-in, is not suspended, and neither an admin nor the identity provider nor a '
  'new owner_email has taken that back since.';

create function public.revoke_admin(p_user_id text, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
begin
  -- Serialised, so that two admins cannot revoke each other at the same time.
  perform pg_advisory_xact_lock(hashtextextended('admins', 0));
  perform private.require_admin();
  if p_user_id = v_admin and not private.has_other_admin(v_admin) then
    perform private.raise_error('LAST_ADMIN', 'The last admin cannot be removed', 409);
  end if;
  update public.user_profiles p set role = 'community' where p.user_id = p_user_id and p.role = 'admin';
  if not exists (select 1 from public.user_profiles p where p.user_id = p_user_id) then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  insert into private.admins as a (user_id, reason, revoked_at, revoked_by) values (p_user_id, v_reason, now(), v_admin)
  on conflict (user_id) do update set reason = excluded.reason, revoked_at = excluded.revoked_at, revoked_by = excluded.revoked_by
  where a.revoked_at is null;
  if found then
    update private.product_owner o set revoked_at = now() where o.revoked_at is null and private.has_owner_address(p_user_id);
    perform private.audit(v_admin, 'admin.revoke', 'user', p_user_id, jsonb_build_object('is_admin', true),
      jsonb_build_object('is_admin', false), v_reason);
  end if;
end $$;
comment on function public.revoke_admin(text, text) is
  'Admin revokes somebody''s admin right, or their own unless they are the last admin; takes effect at the next call, whatever the token '
  'says (TRUST-19). The product owner''s address then makes nobody admin, or whoever has it could start over with a new account. '
  'Idempotent. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, REASON_REQUIRED, LAST_ADMIN, PROFILE_NOT_FOUND.';
grant execute on function public.revoke_admin(text, text) to authenticated, service_role;

create function private.admin_revoked_at(p_user_id text) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select a.revoked_at from private.admins a where a.user_id = p_user_id),
    (select o.revoked_at from private.product_owner o where private.has_owner_address(p_user_id)));
end $$;
comment on function private.admin_revoked_at(text) is
  'When the admin right of a person was revoked, or that of the product owner''s address, if it is theirs; null: it was not.';

create function public.restore_admin(p_user_id text, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_is_revoked boolean := private.admin_revoked_at(p_user_id) is not null;
begin
  delete from private.admins a where a.user_id = p_user_id and a.revoked_at is not null;
  update private.product_owner o set revoked_at = null where private.has_owner_address(p_user_id);
  if v_is_revoked then
    perform private.audit(v_admin, 'admin.restore', 'user', p_user_id, null, null, v_reason);
  end if;
end $$;
comment on function public.restore_admin(text, text) is
  'Admin undoes a revocation: the person is admin again if the token or the address makes them one. Errors: UNAUTHENTICATED, SUSPENDED, '
  'FORBIDDEN, REASON_REQUIRED.';
grant execute on function public.restore_admin(text, text) to authenticated, service_role;
