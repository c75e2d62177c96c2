-- Who calls: the claims of the identity provider's signed token, and who is an admin.

-- Small helpers are written in PL/pgSQL: it keeps their plans, while an SQL function that pins search_path is planned at every call.
create function public.current_user_id() returns text
language plpgsql stable set search_path = ''
as $$ begin return nullif(auth.jwt() ->> 'sub', ''); end $$;
comment on function public.current_user_id() is
  'Id of the signed-in person: the sub claim of the identity provider''s token (text). Null for visitors. Never auth.uid(), which casts '
  'to uuid.';
grant execute on function public.current_user_id() to anon, authenticated, service_role;

create function private.jwt_email() returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
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

create table private.revoked_admins (
  user_id text primary key,
  revoked_by text not null,
  reason text not null,
  revoked_at timestamptz not null default now()
);
comment on table private.revoked_admins is
  'People whose admin right was taken away, whatever their token or address says (TRUST-19). Written by revoke_admin and restore_admin.';

create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := auth.jwt();
begin
  if nullif(v_claims ->> 'sub', '') is null then
    return false;
  end if;
  return (
    coalesce(v_claims -> 'public_metadata' ->> 'role' = 'admin', false)
    or coalesce(private.jwt_email() = (select o.email from private.product_owner o), false)
  ) and not exists (select 1 from private.revoked_admins r where r.user_id = v_claims ->> 'sub');
end $$;
comment on function private.is_admin() is
  'True when the signed token carries public_metadata.role = admin or the product owner''s verified address, as they are at this moment, '
  'and the right was not taken away. Nothing a user can write counts (C-09, C-13, TRUST-19).';
grant execute on function private.is_admin() to anon, authenticated, service_role;
