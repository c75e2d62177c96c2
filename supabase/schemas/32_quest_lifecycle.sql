-- The status of a quest: draft, published, closed, and moderation holds (RULE-13, C-25).

create function private.audit_status(p_before public.campaigns, p_after public.campaigns, p_action text) returns void
language sql security definer set search_path = ''
as $$
  select private.audit(public.current_user_id(), p_action, 'campaign', p_after.id::text,
    jsonb_build_object('status', p_before.status), jsonb_build_object('status', p_after.status))
$$;
comment on function private.audit_status(public.campaigns, public.campaigns, text) is
  'Records that the owner of a quest changed its status (BEY-04).';

create function public.publish_campaign(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_before public.campaigns := v_campaign;
begin
  if v_campaign.held_at is not null then
    perform private.raise_error('ON_HOLD', format('This quest is on hold: %s', v_campaign.hold_reason), 409);
  end if;
  if v_campaign.status = 'published' then
    return v_campaign;
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  if not exists (select 1 from public.startup_profiles s where s.id = v_campaign.startup_id and s.status = 'verified') then
    perform private.raise_error('STARTUP_NOT_VERIFIED', 'Your project must be verified before you can create quests.', 403);
  end if;
  if v_campaign.task_count = 0 then
    perform private.raise_error('NO_TASKS', 'Add at least one task before publishing', 409);
  end if;
  perform private.check_schedule(v_campaign.starts_at, v_campaign.ends_at, true);
  perform private.check_verification(p_campaign_id);
  update public.campaigns c set status = 'published', published_at = now(), closed_at = null, updated_at = now()
  where c.id = p_campaign_id returning c.* into v_campaign;
  perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, public.current_user_id(), private.required_reserve(p_campaign_id));
  perform private.audit_status(v_before, v_campaign, 'campaign.publish');
  return v_campaign;
end $$;
comment on function public.publish_campaign(uuid) is
  'Owner publishes a draft or closed quest; its reserve is topped up first. Already published: no change. Errors: UNAUTHENTICATED, '
  'SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, ON_HOLD, RATE_LIMITED, STARTUP_NOT_VERIFIED, NO_TASKS, END_PASSED, INSUFFICIENT_POINTS and '
  'those of check_verification.';
grant execute on function public.publish_campaign(uuid) to authenticated, service_role;

create function private.take_back_to_draft(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_before public.campaigns := v_campaign;
begin
  if v_campaign.status = 'draft' then
    return v_campaign;
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  update public.campaigns c set status = 'draft', closed_at = null, updated_at = now()
  where c.id = p_campaign_id returning c.* into v_campaign;
  if v_before.status = 'closed' then
    -- Closing returned the reserve; as a draft the quest needs it again.
    perform private.adjust_reserve(p_campaign_id, v_campaign.startup_id, public.current_user_id(), private.required_reserve(p_campaign_id));
  end if;
  perform private.audit_status(v_before, v_campaign, 'campaign.unpublish');
  return v_campaign;
end $$;
comment on function private.take_back_to_draft(uuid) is
  'Unpublishing by the owner. The reserve stays; a closed quest, which has none, is funded again. No effect on a draft. Errors: '
  'UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, RATE_LIMITED, INSUFFICIENT_POINTS.';

create function private.record_hold(p_campaign public.campaigns, p_decision text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, campaign_id, reason, decided_by)
  select s.id, s.owner_user_id, s.name, p_decision, p_campaign.id, p_campaign.hold_reason, 'questboard'
  from public.startup_profiles s where s.id = p_campaign.startup_id
$$;
comment on function private.record_hold(public.campaigns, text) is 'Adds a hold, or its end, to the project''s decision history (C-97).';

create function private.notify_hold(p_campaign public.campaigns, p_type text, p_reason text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.enqueue_event(p_type, s.owner_user_id,
    jsonb_build_object('campaign_id', p_campaign.id, 'quest', p_campaign.title, 'reason', p_reason))
  from public.startup_profiles s where s.id = p_campaign.startup_id;
end $$;
comment on function private.notify_hold(public.campaigns, text, text) is
  'Notifies the owner of a moderation hold (QuestHeld) or its end (QuestHoldLifted). A suspension or revocation, which holds all quests, '
  'has events of its own.';

create function private.hold_campaign(
  p_campaign_id uuid, p_admin text, p_reason text, p_cause public.hold_cause default 'moderation'
) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_before public.campaigns;
  v_campaign public.campaigns;
  v_reason text := private.require_reason(p_reason);
begin
  select c.* into v_before from public.campaigns c where c.id = p_campaign_id for no key update;
  if v_before.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  elsif (v_before.hold_cause, v_before.hold_reason) = (p_cause, v_reason) then
    return v_before;
  end if;
  -- A closed quest stays closed: its reserve has been returned, and the hold prevents publishing anyway.
  update public.campaigns c set status = case when c.status = 'closed' then c.status else 'draft' end,
    hold_reason = v_reason, held_by = 'questboard', held_at = now(), updated_at = now(), hold_cause = p_cause,
    status_before_hold = coalesce(c.status_before_hold, c.status)
  where c.id = p_campaign_id returning c.* into v_campaign;
  if p_cause = 'moderation' then
    perform private.record_hold(v_campaign, 'held');
    perform private.notify_hold(v_campaign, 'QuestHeld', v_campaign.hold_reason);
  end if;
  perform private.audit(p_admin, case p_cause when 'moderation' then 'campaign.take_down' else 'campaign.hold' end, 'campaign',
    p_campaign_id::text,
    jsonb_build_object('status', v_before.status, 'hold_reason', v_before.hold_reason),
    jsonb_build_object('status', v_campaign.status, 'hold_reason', v_campaign.hold_reason, 'hold_cause', p_cause),
    v_campaign.hold_reason);
  return v_campaign;
end $$;
comment on function private.hold_campaign(uuid, text, text, public.hold_cause) is
  'Unpublishing by an admin: a hold with a reason that the owner sees (C-25). A hold caused by the owner''s suspension or the project''s '
  'revocation ends with it. The same hold again has no effect. Errors: REASON_REQUIRED, CAMPAIGN_NOT_FOUND.';

create function private.end_hold(p_campaign_id uuid, p_publish boolean) returns public.campaigns
language sql security definer set search_path = ''
as $$
  update public.campaigns c set hold_reason = null, held_by = null, held_at = null, hold_cause = null, status_before_hold = null,
    status = case when p_publish and c.status = 'draft' and c.task_count > 0 then coalesce(c.status_before_hold, c.status)
      else c.status end, updated_at = now()
  where c.id = p_campaign_id returning c.*
$$;
comment on function private.end_hold(uuid, boolean) is
  'Ends a hold; p_publish: also restores the status that the hold replaced, unless the owner has since closed the quest or removed its '
  'tasks.';

create function public.unpublish_campaign(p_campaign_id uuid, p_reason text default null) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  if private.is_admin() and not exists (
    select 1 from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
    where c.id = p_campaign_id and s.owner_user_id = v_user
  ) then
    return private.hold_campaign(p_campaign_id, v_user, p_reason);
  end if;
  return private.take_back_to_draft(p_campaign_id);
end $$;
comment on function public.unpublish_campaign(uuid, text) is
  'Owner returns a quest to draft; an admin takes it down with a moderation hold whose reason the owner sees (C-25, C-78). The reserve '
  'stays; a closed quest, which has none, is funded again when its owner returns it to draft. Errors: UNAUTHENTICATED, SUSPENDED, '
  'CAMPAIGN_NOT_FOUND, FORBIDDEN, RATE_LIMITED, REASON_REQUIRED, INSUFFICIENT_POINTS.';
grant execute on function public.unpublish_campaign(uuid, text) to authenticated, service_role;

create function public.lift_campaign_hold(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.campaigns;
  v_campaign public.campaigns;
begin
  select c.* into v_before from public.campaigns c where c.id = p_campaign_id for no key update;
  if v_before.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  perform private.refuse_own_matter(v_admin, s.owner_user_id) from public.startup_profiles s where s.id = v_before.startup_id;
  if v_before.held_at is null then
    return v_before;
  end if;
  -- Lifted singly, it would stay a draft when its project's other quests are restored.
  if v_before.hold_cause <> 'moderation' then
    perform private.raise_error('HELD_WITH_PROJECT',
      'This quest is on hold together with its project, and comes back with it.', 409);
  end if;
  v_campaign := private.end_hold(p_campaign_id, false);
  perform private.record_hold(v_campaign, 'hold_lifted');
  perform private.notify_hold(v_campaign, 'QuestHoldLifted', null);
  perform private.audit(v_admin, 'campaign.lift_hold', 'campaign', p_campaign_id::text,
    jsonb_build_object('hold_reason', v_before.hold_reason), jsonb_build_object('hold_reason', null));
  return v_campaign;
end $$;
comment on function public.lift_campaign_hold(uuid) is
  'Admin lifts a moderation hold, but not on a quest of their own; the owner may publish again (C-25). Idempotent. Errors: FORBIDDEN, '
  'CAMPAIGN_NOT_FOUND, OWN_MATTER, HELD_WITH_PROJECT.';
grant execute on function public.lift_campaign_hold(uuid) to authenticated, service_role;

create function public.close_campaign(p_campaign_id uuid) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_before public.campaigns := v_campaign;
begin
  if v_campaign.status = 'closed' then
    return v_campaign;
  end if;
  perform private.check_owner_rate(public.current_user_id(), 'quest_change');
  update public.campaigns c set status = 'closed', closed_at = now(), updated_at = now()
  where c.id = p_campaign_id returning c.* into v_campaign;
  perform private.audit_status(v_before, v_campaign, 'campaign.close');
  -- Nobody can submit from here on: what is not promised to pending submissions is returned to the project.
  perform private.adjust_reserve_within_balance(p_campaign_id, v_campaign.startup_id, public.current_user_id());
  return v_campaign;
end $$;
comment on function public.close_campaign(uuid) is
  'Owner closes a quest for good; the unpromised reserve is released (RULE-13, C-50). Errors: UNAUTHENTICATED, SUSPENDED, '
  'CAMPAIGN_NOT_FOUND, FORBIDDEN, RATE_LIMITED.';
grant execute on function public.close_campaign(uuid) to authenticated, service_role;

create function private.close_ended_quests() returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign record;
begin
  for v_campaign in
    select e.* from (
      select c.id, c.startup_id, s.owner_user_id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
      left join private.failed_rows f on f.job = 'close_ended_quests' and f.row_id = c.id
      where c.status = 'published' and c.ends_at <= now() order by f.failed_at nulls first, c.ends_at limit 100
    ) e
    -- Lock order: projects' wallets by id.
    left join public.wallets w on w.startup_id = e.startup_id order by w.id, e.id
  loop
    begin
      -- Waits for nobody, because the worker's transaction may hold what a review or a deletion of the quest is waiting for.
      perform 1 from public.startup_profiles s where s.id = v_campaign.startup_id for no key update nowait;
      perform 1 from public.tasks t where t.campaign_id = v_campaign.id order by t.id for no key update nowait;
      perform 1 from public.campaigns c where c.id = v_campaign.id for no key update nowait;
      update public.campaigns c set status = 'closed', closed_at = now(), updated_at = now()
      where c.id = v_campaign.id and c.status = 'published' and c.ends_at <= now();
      if found then
        perform private.adjust_reserve_within_balance(v_campaign.id, v_campaign.startup_id, v_campaign.owner_user_id);
        perform private.audit('system', 'campaign.close', 'campaign', v_campaign.id::text, jsonb_build_object('status', 'published'),
          jsonb_build_object('status', 'closed'), 'Its end has come');
      end if;
    exception
      when lock_not_available then null;
      when others then
        -- One broken quest must not keep all others open. A quest whose end has come takes no proofs, closed or not.
        raise warning 'The quest % could not be closed: %', v_campaign.id, sqlerrm;
        perform private.record_failed_row('close_ended_quests', sqlstate, 'quest', v_campaign.id);
    end;
  end loop;
end $$;
comment on function private.close_ended_quests() is
  'Called on every worker tick: closes quests that have reached ends_at. Unpromised points are returned to the project; pending proofs are '
  'reviewed and paid as after any closing (BEY-07). Submissions are refused from ends_at on, without waiting for this. A quest in use is '
  'left to the next tick.';

create function public.duplicate_campaign(p_campaign_id uuid, p_idempotency_key text default null) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.require_owned_campaign(p_campaign_id);
  v_owner text := public.current_user_id();
  v_startup public.startup_profiles;
  v_id uuid := gen_random_uuid();
  v_first_id uuid := private.claim_idempotency_key(v_owner, 'duplicate_campaign', p_idempotency_key, v_id);
begin
  if v_first_id is not null then
    select c.* into v_campaign from public.campaigns c where c.id = v_first_id;
    if v_campaign.id is null then
      perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
    end if;
    return v_campaign;
  elsif v_campaign.held_at is not null then
    -- A copy could be published at once.
    perform private.raise_error('ON_HOLD', format('This quest is on hold: %s', v_campaign.hold_reason), 409);
  end if;
  select s.* into v_startup from public.startup_profiles s where s.id = v_campaign.startup_id;
  if v_startup.status <> 'verified' then
    perform private.raise_error('STARTUP_NOT_VERIFIED', 'Your project must be verified before you can create quests.', 403);
  end if;
  perform private.check_owner_rate(v_owner, 'quest_creation');
  perform private.check_quest_limits(v_startup, null, v_campaign.budget_points);
  insert into public.campaigns (id, startup_id, title, summary, details_md, budget_points, custom_reward_title, custom_reward_description,
    collect_emails, email_collection_purpose, review_hours)
  values (v_id, v_campaign.startup_id, left('Copy of ' || v_campaign.title, 200), v_campaign.summary, v_campaign.details_md,
    v_campaign.budget_points, v_campaign.custom_reward_title, v_campaign.custom_reward_description, v_campaign.collect_emails,
    v_campaign.email_collection_purpose, v_campaign.review_hours);
  insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type,
    order_index, verification, link_url)
  select v_id, t.title, t.type, t.instructions_md, t.reward_points, t.max_completions, t.requires_proof, t.proof_type, t.order_index,
    t.verification, t.link_url
  from public.tasks t where t.campaign_id = p_campaign_id;
  perform private.copy_verification(p_campaign_id, v_id);
  perform private.recount_tasks(v_id);
  select c.* into v_campaign from public.campaigns c where c.id = v_id;
  perform private.audit(v_owner, 'campaign.create', 'campaign', v_id::text, null, private.quest_terms(v_id));
  return v_campaign;
end $$;
comment on function public.duplicate_campaign(uuid, text) is
  'Copies a quest with its tasks into a draft without reserved points, schedule, submissions and figures (BEY-07). Idempotent per key. '
  'Errors: UNAUTHENTICATED, SUSPENDED, CAMPAIGN_NOT_FOUND, FORBIDDEN, INVALID_IDEMPOTENCY_KEY, ON_HOLD, RATE_LIMITED, '
  'STARTUP_NOT_VERIFIED, QUEST_LIMIT, TRIAL_QUEST_LIMIT, BUDGET_LIMIT, POINTS_BUDGET_LIMIT.';
grant execute on function public.duplicate_campaign(uuid, text) to authenticated, service_role;
