-- Who calls: the claims of the identity provider's signed token, and who is an admin.

-- Small helpers are written in PL/pgSQL: it keeps their plans, while an SQL function that pins search_path is planned at every call.
create function private.session_claims() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
  v_issuer text;
begin
  if nullif(v_claims ->> 'sub', '') is null then
    return null;
  end if;
  select d.token_issuer into v_issuer from private.deployment d;
  return case when v_issuer is null or v_claims ->> 'iss' = v_issuer then v_claims end;
end $$;
comment on function private.session_claims() is
  'Claims of the caller''s session token; null for visitors and servers. The platform checks signatures, but it trusts more than one '
  'issuer (its own sign-in among them): a token of another issuer than the configured one is nobody (TRUST-29). Every look at a token '
  'goes through here.';
grant execute on function private.session_claims() to anon, authenticated, service_role;

create function public.current_user_id() returns text
language plpgsql stable set search_path = ''
as $$ begin return private.session_claims() ->> 'sub'; end $$;
comment on function public.current_user_id() is
  'Id of the signed-in person: the sub claim of the identity provider''s token (text). Null for visitors. Never auth.uid(), which casts '
  'to uuid.';
grant execute on function public.current_user_id() to anon, authenticated, service_role;

create function private.jwt_email() returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_claims jsonb := private.session_claims();
begin
  return case when v_claims ->> 'email_verified' = 'true' then lower(private.clean(v_claims ->> 'email')) end;
end $$;
comment on function private.jwt_email() is 'E-mail of the caller if the identity provider has verified it, null otherwise (C-12, C-65).';
grant execute on function private.jwt_email() to service_role;

create table private.product_owner (
  id boolean primary key default true check (id),
  email text
);
comment on table private.product_owner is
  'app_settings.owner_email, kept by that table''s trigger: who signs in with it, verified, is admin (SEC-05, C-12). A table of its own, '
  'because policies ask who is admin before the settings are declared.';

create table private.admins (
  user_id text primary key,
  granted_at timestamptz not null default now(),
  reason text not null,
  revoked_at timestamptz,
  revoked_by text
);
comment on table private.admins is
  'What was decided about single people, before what their token and address say: granted in the database, or revoked by revoke_admin '
  '(TRUST-19).';
comment on column private.admins.revoked_at is 'Set: no admin, whatever the token says.';

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
    v_claims -> 'public_metadata' ->> 'role' = 'admin' or private.jwt_email() = (select o.email from private.product_owner o),
    false
  );
end $$;
comment on function private.is_admin() is
  'True when the signed token carries public_metadata.role = admin or the product owner''s verified address, as they are at this moment, '
  'and the right was not taken away. Nothing a user can write counts (C-09, C-13, TRUST-19).';
grant execute on function private.is_admin() to anon, authenticated, service_role;
