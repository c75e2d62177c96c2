-- Members' consents to share their address with a project: what they agreed to and when, and its withdrawal (BEY-10).

create table public.email_consents (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  campaign_id uuid references public.campaigns (id) on delete set null,
  project_name text not null,
  quest_title text not null,
  email text not null,
  statement text not null,
  given_at timestamptz not null default now(),
  withdrawn_at timestamptz,
  handed_over_at timestamptz
);
comment on table public.email_consents is
  'One row per consent of a member to share an address with a project. Written by triggers on campaign_email_collections, and by '
  'start_task for a task whose verification hands the address over.';
comment on column public.email_consents.statement is 'The sentence that the member read and agreed to.';
comment on column public.email_consents.withdrawn_at is
  'When the member withdrew it or gave another address, or its quest was deleted. Null: the project has the address, or gets it.';
comment on column public.email_consents.handed_over_at is
  'When the project got the address; null while the task with which it is handed over is only started.';
create unique index email_consents_active on public.email_consents (user_id, campaign_id) where withdrawn_at is null;
create index email_consents_user on public.email_consents (user_id, given_at desc, id);
create index email_consents_campaign on public.email_consents (campaign_id);

alter table public.email_consents enable row level security, alter email set statistics 0, alter project_name set statistics 0,
  alter quest_title set statistics 0, alter statement set statistics 0;
create policy email_consents_read on public.email_consents for select to authenticated
  using (user_id = (select public.current_user_id()) or (select private.is_admin()));
comment on policy email_consents_read on public.email_consents is 'The member and admins; projects read their list of addresses.';
grant select on public.email_consents to authenticated, service_role;

create function private.consent_statement(p_campaign_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select format('I agree that %s gets my email address%s. I can take this back in my settings at any time.',
    s.name, coalesce(' for this purpose: ' || rtrim(c.email_collection_purpose, '. '), ' to contact me'))
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = p_campaign_id
$$;
comment on function private.consent_statement(uuid) is
  'The sentence that a member agrees to who shares an address with this quest, including the owner''s purpose.';

create function public.get_consent_statement(p_campaign_id uuid) returns text
language sql stable security definer set search_path = ''
as $$
  select private.consent_statement(c.id) from public.campaigns c
  where c.id = p_campaign_id and c.collect_emails and c.status = 'published'
$$;
comment on function public.get_consent_statement(uuid) is
  'The sentence to show where a published quest asks for an address; null when it does not. The same sentence is stored with the consent.';
grant execute on function public.get_consent_statement(uuid) to anon, authenticated, service_role;

create function private.check_consent(p_campaign_id uuid, p_consent text) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_consent <> private.consent_statement(p_campaign_id) then
    perform private.raise_error('CONSENT_CHANGED',
      'What you agree to has changed. Please read it again, then choose your address once more.', 409);
  end if;
end $$;
comment on function private.check_consent(uuid, text) is
  'Refuses when the sentence that the member read is not the one in force: the owner has changed the purpose, or the project''s name, '
  'since. Null, from a caller who shows none, accepts the one in force, as check_price accepts any price. Errors: CONSENT_CHANGED.';

create function private.end_email_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.email_consents e set withdrawn_at = now()
  where e.user_id = old.user_id and e.campaign_id = old.campaign_id and e.withdrawn_at is null
    and (tg_op = 'DELETE' or (e.email, e.statement) is distinct from (new.email, private.consent_statement(new.campaign_id)));
  return null;
end $$;
comment on function private.end_email_consent() is
  'Trigger: ends the consent when the address leaves the list, or when it is given again with another address or sentence.';

create function private.end_consent_without_quest() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.withdrawn_at := coalesce(new.withdrawn_at, now());
  return new;
end $$;
comment on function private.end_consent_without_quest() is 'Trigger: a deleted quest ends the consents to share an address with it.';
create trigger email_consents_end_without_quest before update of campaign_id on public.email_consents
  for each row when (new.campaign_id is null) execute function private.end_consent_without_quest();

create function private.save_email_consent(p_user_id text, p_campaign_id uuid, p_email text, p_handed_over_at timestamptz)
returns public.email_consents
language plpgsql security definer set search_path = ''
as $$
declare
  v_consent public.email_consents;
begin
  insert into public.email_consents as e (user_id, campaign_id, project_name, quest_title, email, statement, handed_over_at)
  select p_user_id, c.id, s.name, c.title, p_email, private.consent_statement(c.id), p_handed_over_at
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = p_campaign_id
  on conflict (user_id, campaign_id) where withdrawn_at is null do update set project_name = excluded.project_name,
    quest_title = excluded.quest_title, email = excluded.email, statement = excluded.statement, handed_over_at = excluded.handed_over_at,
    given_at = case when (e.email, e.statement) = (excluded.email, excluded.statement) then e.given_at else excluded.given_at end
  where e.handed_over_at is null
  returning e.* into v_consent;
  return v_consent;
end $$;
comment on function private.save_email_consent(text, uuid, text, timestamptz) is
  'Stores the consent to share an address with a quest, with p_handed_over_at null for a task that is only started. Returns null when the '
  'project has the address already.';

create function private.record_email_consent() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_consent public.email_consents := private.save_email_consent(new.user_id, new.campaign_id, new.email, now());
begin
  if v_consent.id is not null then
    perform private.enqueue_event('EmailHandedOver', new.user_id, jsonb_build_object(
      'project', v_consent.project_name, 'quest', v_consent.quest_title, 'email', v_consent.email, 'statement', v_consent.statement));
  end if;
  return null;
end $$;
comment on function private.record_email_consent() is
  'Trigger: stores the consent and enqueues a receipt by mail, once for all tasks of a quest under the same sentence.';
