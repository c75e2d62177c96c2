-- Decisions on projects. They outlive a deleted project and a deleted account, so that a rejection cannot be evaded by starting over
-- (C-97).

create table private.project_decisions (
  id bigint generated always as identity primary key,
  startup_id uuid not null,
  owner_user_id text not null,
  project_name text not null,
  decision text not null check (decision in ('verified', 'rejected', 'revoked', 'held', 'hold_lifted')),
  campaign_id uuid check ((campaign_id is not null) = (decision in ('held', 'hold_lifted'))),
  reason text,
  decided_by text not null,
  decided_at timestamptz not null default now()
);
comment on table private.project_decisions is
  'Append-only decisions on projects and holds on their quests. No foreign keys, because it outlives its subjects.';
comment on column private.project_decisions.campaign_id is 'The quest that a hold is about.';
comment on column private.project_decisions.decided_by is
  '"questboard" for an admin, whose id is in the audit log only (C-102), or "beta".';
create index project_decisions_owner on private.project_decisions (owner_user_id, id);
create index project_decisions_startup on private.project_decisions (startup_id, id);
create trigger project_decisions_append_only before update or delete on private.project_decisions
  for each row execute function private.prevent_mutation();
create trigger project_decisions_no_truncate before truncate on private.project_decisions
  for each statement execute function private.prevent_mutation();

create function private.project_decisions_about(p_owner_user_id text) returns setof private.project_decisions
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select d.* from private.project_decisions d where d.owner_user_id = any (private.accounts_of_person(p_owner_user_id)) order by d.id;
end $$;
comment on function private.project_decisions_about(text) is
  'Decisions on a person''s projects across all their accounts (C-81), oldest first.';

create function private.is_refused(p_owner_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((
    select d.decision <> 'verified' from private.project_decisions_about(p_owner_user_id) d
    where d.decision in ('rejected', 'revoked') or d.decision = 'verified' and d.decided_by <> 'beta' order by d.id desc limit 1
  ), false);
end $$;
comment on function private.is_refused(text) is
  'Whether the last word of an admin on a person''s projects, deleted ones included, was a rejection or revocation.';

create function private.open_objection(p_owner_user_id text) returns private.project_decisions
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_decisions private.project_decisions[] := array(select d from private.project_decisions_about(p_owner_user_id) d);
  v_objection private.project_decisions;
begin
  select d.* into v_objection from unnest(v_decisions) d
  where d.decision in ('rejected', 'revoked', 'held') and not exists (
    select 1 from unnest(v_decisions) later
    where later.id > d.id and (
      later.decision = 'verified' and later.decided_by <> 'beta' or later.decision = 'hold_lifted' and later.campaign_id = d.campaign_id
    )
  )
  order by d.id desc limit 1;
  return v_objection;
end $$;
comment on function private.open_objection(text) is
  'The latest rejection, revocation or hold of a person''s projects that no admin has undone; nulls when there is none.';
