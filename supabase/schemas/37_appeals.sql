-- One appeal against a suspension or a revocation, decided by an admin (BEY-04).

create type public.appeal_kind as enum ('suspension', 'revocation');
create type public.appeal_status as enum ('open', 'upheld', 'overturned');

create table public.appeals (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  kind public.appeal_kind not null,
  startup_id uuid,
  against_at timestamptz not null,
  against_reason text,
  words text not null check (length(words) between 1 and 2000),
  status public.appeal_status not null default 'open',
  decision_note text check (length(decision_note) <= 1000),
  decided_by text,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  unique (user_id, kind, against_at),
  check ((status = 'open') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null) and (decided_at is null) = (decision_note is null))
);
comment on table public.appeals is
  'What a person says against their suspension or their project''s revocation, one per decision. No foreign key: it outlives the project.';
comment on column public.appeals.against_at is 'When the decision was made that is appealed.';
comment on column public.appeals.decided_by is 'The admin; read through admin_list_appeals only (C-102).';
create index appeals_open on public.appeals (created_at, id) where status = 'open';
create index appeals_created on public.appeals (created_at desc, id desc);

alter table public.appeals enable row level security;
create policy appeals_read on public.appeals for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy appeals_read on public.appeals is 'The person, also while suspended, and admins.';
grant select (id, user_id, kind, startup_id, against_at, against_reason, words, status, decision_note, created_at, decided_at)
  on public.appeals to authenticated;
grant select on public.appeals to service_role;

create function public.submit_appeal(p_kind text, p_words text) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
  v_words text := private.require_text(p_words, 2000, 'APPEAL_WORDS_REQUIRED', 'Please say why the decision should change');
  v_appeal public.appeals;
begin
  -- Not require_user: a suspended person may do this one thing.
  if v_user is null or exists (select 1 from private.deleted_users d where d.user_id = v_user) then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif p_kind is null or p_kind <> all (enum_range(null::public.appeal_kind)::text[]) then
    perform private.raise_error('INVALID_APPEAL', 'Unknown kind of appeal', 400);
  end if;
  if p_kind = 'suspension' then
    select p.suspended_at, p.suspension_reason into v_appeal.against_at, v_appeal.against_reason
    from public.user_profiles p where p.user_id = v_user;
  else
    select s.id, s.revoked_at, s.review_note into v_appeal.startup_id, v_appeal.against_at, v_appeal.against_reason
    from public.startup_profiles s where s.owner_user_id = v_user;
  end if;
  if v_appeal.against_at is null then
    perform private.raise_error('NOTHING_TO_APPEAL', 'There is no decision to appeal', 409);
  end if;
  insert into public.appeals (user_id, kind, startup_id, against_at, against_reason, words)
  values (v_user, p_kind::public.appeal_kind, v_appeal.startup_id, v_appeal.against_at, v_appeal.against_reason, v_words)
  on conflict (user_id, kind, against_at) do nothing returning * into v_appeal;
  if not found then
    perform private.raise_error('APPEAL_EXISTS', 'You have already appealed this decision', 409);
  end if;
  return v_appeal;
end $$;
comment on function public.submit_appeal(text, text) is
  'The caller appeals against their suspension or their project''s revocation (kind suspension or revocation), once each time. Errors: '
  'UNAUTHENTICATED, APPEAL_WORDS_REQUIRED, TEXT_TOO_LONG, INVALID_APPEAL, NOTHING_TO_APPEAL, APPEAL_EXISTS.';
grant execute on function public.submit_appeal(text, text) to authenticated, service_role;

create function public.decide_appeal(p_appeal_id uuid, p_decision text, p_note text) returns public.appeals
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_note text := left(private.clean(p_note), 1000);
  v_appeal public.appeals;
begin
  if p_decision is null or p_decision not in ('uphold', 'overturn') then
    perform private.raise_error('INVALID_DECISION', 'Unknown decision', 400);
  elsif v_note is null then
    perform private.raise_error('REASON_REQUIRED', 'A reason is required', 400);
  end if;
  update public.appeals a set status = case p_decision when 'uphold' then 'upheld' else 'overturned' end::public.appeal_status,
    decision_note = v_note, decided_by = v_admin, decided_at = now()
  where a.id = p_appeal_id and a.status = 'open' and a.user_id <> v_admin returning a.* into v_appeal;
  if v_appeal.id is null then
    select a.* into v_appeal from public.appeals a where a.id = p_appeal_id;
    if v_appeal.id is null then
      perform private.raise_error('APPEAL_NOT_FOUND', 'Appeal not found', 404);
    elsif v_appeal.user_id = v_admin then
      perform private.raise_error('FORBIDDEN', 'Forbidden', 403);
    end if;
    perform private.raise_error('APPEAL_DECIDED', 'This appeal has already been decided', 409);
  end if;
  perform private.audit(v_admin, 'appeal.' || p_decision, 'appeal', p_appeal_id::text, jsonb_build_object('status', 'open'),
    jsonb_build_object('status', v_appeal.status), v_note);
  if p_decision = 'overturn' and v_appeal.kind = 'suspension' then
    perform public.lift_suspension(v_appeal.user_id, v_note);
  elsif p_decision = 'overturn' and exists (
    select 1 from public.startup_profiles s where s.id = v_appeal.startup_id and s.revoked_at = v_appeal.against_at
  ) then
    perform public.set_startup_status(v_appeal.startup_id, 'verified', v_note);
  end if;
  perform private.enqueue_event('AppealDecided', v_appeal.user_id,
    jsonb_build_object('kind', v_appeal.kind, 'outcome', v_appeal.status, 'note', v_note));
  return v_appeal;
end $$;
comment on function public.decide_appeal(uuid, text, text) is
  'Admin upholds the decision or overturns it, once, with words that the person reads; overturning lifts the suspension or verifies the '
  'project again in the same transaction. Nobody decides their own. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, INVALID_DECISION, '
  'REASON_REQUIRED, APPEAL_NOT_FOUND, APPEAL_DECIDED.';
grant execute on function public.decide_appeal(uuid, text, text) to authenticated, service_role;
