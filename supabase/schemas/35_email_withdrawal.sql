-- Withdrawing an address that was shared with a project (BEY-10). The consents themselves are in 32_email_consents.

create function private.remove_shared_emails(p_user_id text, p_campaign_id uuid default null) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue_event('EmailWithdrawn', s.owner_user_id, jsonb_build_object('quest', c.title, 'email', e.email))
  from public.campaign_email_collections e join public.campaigns c on c.id = e.campaign_id
  join public.startup_profiles s on s.id = c.startup_id
  where e.user_id = p_user_id and (p_campaign_id is null or e.campaign_id = p_campaign_id);
  delete from public.campaign_email_collections e
  where e.user_id = p_user_id and (p_campaign_id is null or e.campaign_id = p_campaign_id);
end $$;
comment on function private.remove_shared_emails(text, uuid) is
  'Takes a member''s address off a quest''s list, or off all lists, and asks the owners to delete copies (BEY-10).';

create function public.withdraw_email_consent(p_consent_id uuid) returns public.email_consents
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
  v_consent public.email_consents;
begin
  -- Also for suspended members, who may always withdraw their address.
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  end if;
  select e.* into v_consent from public.email_consents e where e.id = p_consent_id and e.user_id = v_user;
  if v_consent.id is null then
    perform private.raise_error('CONSENT_NOT_FOUND', 'Consent not found', 404);
  elsif v_consent.withdrawn_at is not null then
    return v_consent;
  end if;
  -- Lock order: submissions before the tokens, from which a verified action may be taking the address at this moment.
  perform 1 from public.submissions s where s.user_id = v_user and s.campaign_id = v_consent.campaign_id order by s.id for no key update;
  -- Tasks that were started before and are verified later must not hand it over again.
  update private.task_tokens k set participant_email = null from public.tasks t
  where t.id = k.task_id and t.campaign_id = v_consent.campaign_id and k.user_id = v_user;
  update public.submissions s set participant_email = null
  where s.user_id = v_user and s.campaign_id = v_consent.campaign_id and s.participant_email is not null;
  perform private.remove_shared_emails(v_user, v_consent.campaign_id);
  -- One that was not handed over yet is on no list.
  update public.email_consents e set withdrawn_at = now() where e.id = p_consent_id and e.withdrawn_at is null;
  select e.* into v_consent from public.email_consents e where e.id = p_consent_id;
  return v_consent;
end $$;
comment on function public.withdraw_email_consent(uuid) is
  'A member withdraws an address: it leaves the project''s list and exports, and the owner is asked to delete copies, or it is not handed '
  'over with a task that is only started (BEY-10). Idempotent. '
  'Errors: UNAUTHENTICATED, CONSENT_NOT_FOUND.';
grant execute on function public.withdraw_email_consent(uuid) to authenticated, service_role;
