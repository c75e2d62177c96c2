-- Who is calling: the claims of the identity provider's signed token, and who is an admin.

create table private.deleted_users (
  user_id text primary key,
  deleted_at timestamptz not null default now(),
  was_suspended boolean not null default false
);
comment on table private.deleted_users is
  'Ids of deleted accounts, so that a session token that outlives its account by seconds cannot recreate the profile. The identity '
  'provider never reuses an id.';
comment on column private.deleted_users.was_suspended is
  'The suspension carries over to the person''s next account (C-97); false once an admin has lifted it.';

create function private.session_claims() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
  v_issuer text;
begin
  -- A session with tasks left, such as the change of a compromised password, is none yet.
  if nullif(v_claims ->> 'sub', '') is null or v_claims ->> 'sts' = 'pending' then
    return null;
  end if;
  select d.token_issuer into v_issuer from private.deployment d;
  return case when (v_issuer is null or v_claims ->> 'iss' = v_issuer)
    and not exists (select 1 from private.deleted_users u where u.user_id = v_claims ->> 'sub') then v_claims end;
end $$;
comment on function private.session_claims() is
  'Claims of the caller''s session token; null for visitors and servers. The platform verifies signatures but trusts several issuers (its '
  'own sign-in among them), so a token from an issuer other than the configured one counts as none (TRUST-29), and so do one that '
  'outlives its deleted account by seconds and one of a session that the identity provider still calls pending. Claims are read nowhere '
  'else.';
grant execute on function private.session_claims() to anon, authenticated, service_role;

create function public.current_user_id() returns text
language plpgsql stable set search_path = ''
as $$ begin return private.session_claims() ->> 'sub'; end $$;
comment on function public.current_user_id() is
  'Id of the signed-in person: the sub claim of the identity provider''s token (text). Null for visitors. Never auth.uid(), which casts '
  'to uuid.';
grant execute on function public.current_user_id() to anon, authenticated, service_role;

create function private.account_lock(p_user_id text) returns bigint
language plpgsql immutable set search_path = ''
as $$ begin return hashtextextended('account:' || p_user_id, 0); end $$;
comment on function private.account_lock(text) is
  'Key of the advisory lock that calls of a person share and that the erasure of the account takes alone, each before any other lock, so '
  'that nothing written by a call outlives the erasure (TRUST-28).';

create function private.lock_own_account() returns text
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock_shared(private.account_lock(public.current_user_id()));
  -- Asked again, because the account may have been erased meanwhile.
  return public.current_user_id();
end $$;
comment on function private.lock_own_account() is
  'Id of the caller, whose erasure waits for the end of this call; null for visitors. For calls that write something of the caller''s.';

create function private.jwt_email() returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_claims jsonb := private.session_claims();
begin
  return case when v_claims ->> 'email_verified' = 'true' and private.is_email(private.clean(v_claims ->> 'email'))
    then lower(private.clean(v_claims ->> 'email')) end;
end $$;
comment on function private.jwt_email() is
  'E-mail of the caller if the identity provider has verified it, null otherwise (C-12, C-65). An address in quotes or with a comment '
  'counts as none, because the mailbox behind it would not be recognised (TRUST-15).';
grant execute on function private.jwt_email() to service_role;

create table private.product_owner (
  id boolean primary key default true check (id),
  email text,
  revoked_at timestamptz
);
comment on table private.product_owner is
  'Copy of app_settings.owner_email, maintained by that table''s trigger: whoever signs in with this verified address is admin (SEC-05, '
  'C-12). A table of its own because policies need is_admin() before the settings are declared.';
comment on column private.product_owner.revoked_at is
  'Set by revoke_admin: nobody is admin by this address, until restore_admin or until owner_email is set again (TRUST-19).';

create table private.admins (
  user_id text primary key,
  granted_at timestamptz not null default now(),
  reason text not null,
  revoked_at timestamptz,
  revoked_by text
);
comment on table private.admins is
  'Admin rights of single people, which override their token and address: granted in the database, or revoked by revoke_admin (TRUST-19).';
comment on column private.admins.revoked_at is 'Set: not an admin, whatever the token says.';

create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := private.session_claims();
  v_is_admin boolean;
begin
  if v_claims is null then
    return false;
  end if;
  select a.revoked_at is null into v_is_admin from private.admins a where a.user_id = v_claims ->> 'sub';
  return coalesce(
    v_is_admin,
    v_claims -> 'public_metadata' ->> 'role' = 'admin'
      or private.jwt_email() = (select o.email from private.product_owner o where o.revoked_at is null),
    false
  );
end $$;
comment on function private.is_admin() is
  'True when the signed token carries public_metadata.role = admin or the product owner''s verified address at this moment, and the right '
  'has not been revoked. Nothing that a user can write counts (C-09, C-13, TRUST-19).';
grant execute on function private.is_admin() to anon, authenticated, service_role;

create function private.refuse_own_matter(p_admin text, p_person text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_person = p_admin then
    perform private.raise_error('OWN_MATTER', 'This concerns you or your own project. Another admin has to decide it.', 403);
  end if;
end $$;
comment on function private.refuse_own_matter(text, text) is
  'Admins decide nothing about themselves or a project of their own: another admin does. p_person: whom the decision is about, or who owns '
  'the project. Errors: OWN_MATTER.';
