-- Flags: signs of abuse on a submission, with evidence, for reviewers. They block nothing by themselves (BEY-02), but redeeming points from
-- a flagged submission needs an admin (C-95).

create table public.submission_flags (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null,
  campaign_id uuid not null,
  user_id text not null,
  kind text not null check (kind in (
    'same_link', 'same_picture', 'similar_picture', 'similar_text', 'too_fast', 'related_account', 'disposable_mailbox', 'aliased_mailbox'
  )),
  evidence jsonb not null default '{}',
  twin_submission_id uuid,
  created_at timestamptz not null default now(),
  dismissed_at timestamptz,
  dismissed_by text,
  dismissal_reason text check (length(dismissal_reason) <= 1000),
  unique (submission_id, kind),
  check ((dismissed_at is null) = (dismissed_by is null) and (dismissed_at is null) = (dismissal_reason is null))
);
comment on table public.submission_flags is
  'Signs of abuse on submissions (BEY-02). No foreign keys: points earned by a flagged submission outlive a deleted quest, and so must the '
  'flag.';
comment on column public.submission_flags.evidence is
  'Values for the sentence on the screen. The quest''s owner reads them, so they identify no person and reveal nothing of another project.';
comment on column public.submission_flags.dismissed_by is
  '"questboard" for an admin, whose id is in the audit log only (C-102), or "system".';
comment on column public.submission_flags.twin_submission_id is 'The other submission that this one resembles, perhaps of another project.';
create index submission_flags_user on public.submission_flags (user_id) where dismissed_at is null;
create index submission_flags_campaign on public.submission_flags (campaign_id);

alter table public.submission_flags enable row level security, alter dismissal_reason set statistics 0;
create policy submission_flags_read on public.submission_flags for select to authenticated
  using (campaign_id = any (array(select private.own_campaign_ids())) or (select private.is_admin()));
comment on policy submission_flags_read on public.submission_flags is
  'The quest''s owner and admins, never the member, who could use them to evade detection.';
grant select on public.submission_flags to authenticated, service_role;

create table private.unscanned_submissions (
  submission_id uuid not null,
  position bigint not null generated always as identity,
  primary key (submission_id, position)
);
comment on table private.unscanned_submissions is
  'Queue of submissions to compare with others (32_submission_signals), a row for each proof: one that is sent again while the last is '
  'being scanned is scanned, too. No foreign key, because its check would slow down every submission.';
comment on column private.unscanned_submissions.position is
  'Scan order, by the latest row of each submission: of two similar submissions the later one is flagged.';

create function private.has_unscanned(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select 1 from private.unscanned_submissions u join public.submissions s on s.id = u.submission_id where s.user_id = p_user_id);
end $$;
comment on function private.has_unscanned(text) is 'Whether a member has submissions that have not been scanned yet.';

create function private.is_flagged(p_submission_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from public.submission_flags f where f.submission_id = p_submission_id and f.dismissed_at is null)
    or exists (select 1 from private.unscanned_submissions u where u.submission_id = p_submission_id);
end $$;
comment on function private.is_flagged(uuid) is
  'Whether a submission has a flag that no admin has dismissed, or has not been scanned yet; also when its quest is gone.';

create function public.flags(public.submissions) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', f.id, 'kind', f.kind, 'evidence', f.evidence, 'created_at', f.created_at,
    'dismissed_at', f.dismissed_at, 'dismissal_reason', f.dismissal_reason, 'has_twin', f.twin_submission_id is not null,
    'twin', case when t.id is not null then jsonb_build_object('id', t.id, 'campaign_id', t.campaign_id) end
  ) order by f.dismissed_at is not null, f.created_at, f.kind), '[]')
  from public.submission_flags f left join public.submissions t on t.id = f.twin_submission_id
  where f.submission_id = $1.id
$$;
comment on function public.flags(public.submissions) is
  'Computed column (`select=*,flags`): the flags of a submission that the caller may see, with kind, evidence, whether there is a twin, '
  'and its id when the caller may read that submission too. Nothing for the member.';
grant execute on function public.flags(public.submissions) to authenticated, service_role;

create function public.is_flagged(public.submissions) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select 1 from public.submission_flags f where f.submission_id = $1.id and f.dismissed_at is null)
$$;
comment on function public.is_flagged(public.submissions) is
  'Computed column for filters (`is_flagged=is.true`): whether the submission has an open flag that the caller may see. False for the '
  'member.';
grant execute on function public.is_flagged(public.submissions) to authenticated, service_role;

create function public.dismiss_submission_flag(p_flag_id uuid, p_reason text) returns public.submission_flags
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_flag public.submission_flags;
begin
  select f.* into v_flag from public.submission_flags f where f.id = p_flag_id for no key update;
  if v_flag.id is null then
    perform private.raise_error('FLAG_NOT_FOUND', 'Flag not found', 404);
  elsif v_flag.dismissed_at is not null then
    perform private.raise_error('FLAG_DISMISSED', 'This flag has already been dismissed', 409);
  end if;
  perform private.refuse_own_matter(v_admin, v_flag.user_id);
  -- A deleted quest leaves its reserve.
  perform private.refuse_own_matter(v_admin, o.owner_user_id) from (
    select s.owner_user_id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = v_flag.campaign_id
    union all
    select w.owner_user_id from public.wallets w where w.campaign_id = v_flag.campaign_id
  ) o;
  update public.submission_flags f set dismissed_at = now(), dismissed_by = 'questboard', dismissal_reason = v_reason
  where f.id = p_flag_id returning f.* into v_flag;
  -- Without what must be erased with the member (TRUST-28).
  perform private.audit(v_admin, 'flag.dismiss', 'submission', v_flag.submission_id::text,
    jsonb_build_object('flag', v_flag.kind, 'evidence', v_flag.evidence - 'link' - 'domain'), null, v_reason);
  return v_flag;
end $$;
comment on function public.dismiss_submission_flag(uuid, text) is
  'Admin dismisses a flag with a reason (BEY-02, BEY-04), but not on a submission of their own or to a quest of their own. '
  'Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, OWN_MATTER, REASON_REQUIRED, FLAG_NOT_FOUND, FLAG_DISMISSED.';
grant execute on function public.dismiss_submission_flag(uuid, text) to authenticated, service_role;
