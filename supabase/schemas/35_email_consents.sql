-- Consent to hand one's address to a project: what was said when, and how it is taken back (BEY-10).

create table public.email_consents (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  campaign_id uuid references public.campaigns (id) on delete set null,
  project_name text not null,
  quest_title text not null,
  email text not null,
  statement text not null,
  given_at timestamptz not null default now(),
  withdrawn_at timestamptz
);
comment on table public.email_consents is
  'Each time a member agreed to hand an address to a project. Written by triggers on campaign_email_collections only.';
comment on column public.email_consents.statement is 'The sentence that the member read and agreed to.';
comment on column public.email_consents.withdrawn_at is
  'The member took it back, gave another address, or the list is gone with its quest. Null: the project has the address.';
create unique index email_consents_active on public.email_consents (user_id, campaign_id) where withdrawn_at is null;
create index email_consents_user on public.email_consents (user_id, given_at desc, id);
create index email_consents_campaign on public.email_consents (campaign_id);

alter table public.email_consents enable row level security;
create policy email_consents_read on public.email_consents for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy email_consents_read on public.email_consents is 'The member and admins; projects have their list.';
grant select on public.email_consents to authenticated, service_role;

create function private.consent_statement(p_project text, p_purpose text) returns text
language sql immutable set search_path = ''
as $$
  select format('I agree that %s gets my email address%s. I can take this back in my settings at any time.',
    p_project, coalesce(' for this purpose: ' || rtrim(p_purpose, '. '), ' to contact me'))
$$;
comment on function private.consent_statement(text, text) is 'What a member agrees to, with the purpose that the owner has written.';

create function public.get_consent_statement(p_campaign_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select private.consent_statement(s.name, c.email_collection_purpose)
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
  where c.id = p_campaign_id and c.collect_emails and c.status = 'published'
$$;
comment on function public.get_consent_statement(uuid) is
  'The sentence to show where a published quest asks for an address; null when it does not. The same sentence is kept with the consent.';
grant execute on function public.get_consent_statement(uuid) to anon, authenticated, service_role;

create function private.end_email_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.email_consents e set withdrawn_at = now()
  where e.user_id = old.user_id and e.campaign_id = old.campaign_id and e.withdrawn_at is null;
  return null;
end $$;
comment on function private.end_email_consent() is 'Trigger: an address that is no longer on the list is no longer handed over.';
create trigger campaign_email_collections_end_consent after delete or update of email on public.campaign_email_collections
  for each row execute function private.end_email_consent();

create function private.record_email_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_consent public.email_consents;
begin
  insert into public.email_consents (user_id, campaign_id, project_name, quest_title, email, statement)
  select new.user_id, c.id, s.name, c.title, new.email, private.consent_statement(s.name, c.email_collection_purpose)
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = new.campaign_id
  returning * into v_consent;
  perform private.enqueue_event('EmailHandedOver', new.user_id, jsonb_build_object(
    'project', v_consent.project_name, 'quest', v_consent.quest_title, 'email', v_consent.email, 'statement', v_consent.statement));
  return null;
end $$;
comment on function private.record_email_consent() is 'Trigger: keeps what was agreed to, and has a receipt mailed.';
-- Named so that it fires after the trigger that ends the former consent.
create trigger campaign_email_collections_record_consent after insert or update of email on public.campaign_email_collections
  for each row execute function private.record_email_consent();

create function public.withdraw_email_consent(p_consent_id uuid) returns public.email_consents
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
  v_consent public.email_consents;
  v_owner text;
begin
  -- Also for suspended members: an address is theirs to take back.
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  select e.* into v_consent from public.email_consents e where e.id = p_consent_id and e.user_id = v_user;
  if v_consent.id is null then
    perform private.raise_error('CONSENT_NOT_FOUND', 'Consent not found', 404);
  elsif v_consent.withdrawn_at is not null then
    return v_consent;
  end if;
  update public.submissions s set participant_email = null
  where s.user_id = v_user and s.campaign_id = v_consent.campaign_id and s.participant_email is not null;
  delete from public.campaign_email_collections c where c.user_id = v_user and c.campaign_id = v_consent.campaign_id;
  select s.owner_user_id into v_owner from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
  where c.id = v_consent.campaign_id;
  perform private.enqueue_event('EmailWithdrawn', v_owner, jsonb_build_object('quest', v_consent.quest_title, 'email', v_consent.email));
  select e.* into v_consent from public.email_consents e where e.id = p_consent_id;
  return v_consent;
end $$;
comment on function public.withdraw_email_consent(uuid) is
  'A member takes an address back: it leaves the project''s list and exports, and the owner is asked to delete copies (BEY-10). Again is '
  'no error. Errors: UNAUTHENTICATED, CONSENT_NOT_FOUND.';
grant execute on function public.withdraw_email_consent(uuid) to authenticated, service_role;
