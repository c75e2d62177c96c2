-- Creating a quest, within the project's limits and with its reserve of points. Editing and deleting are in 35_quest_changes, because both
-- may decide pending submissions.

-- Reserve -------------------------------------------------------------------------------------------------------------

create function private.required_reserve(p_campaign_id uuid) returns bigint
language plpgsql stable set search_path = ''
as $$
begin
  return (
    select coalesce(sum(t.pending_points + t.kept_points + case when c.status = 'closed' or c.published_at is null then 0
      else t.raised_points + t.reward_points::bigint * (t.max_completions - t.approved_count - t.pending_count - t.kept_count) end), 0)
    from public.campaigns c join public.tasks t on t.campaign_id = c.id
    where c.id = p_campaign_id
  );
end $$;
comment on function private.required_reserve(uuid) is
  'Points that the quest may still have to pay: those promised to pending submissions, those kept for rejected ones that may be appealed '
  'and, from publishing until closing, every free slot at the current reward, which a slot that comes back costs as well.';

create function private.adjust_reserve(p_campaign_id uuid, p_startup_id uuid, p_owner text, p_required bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reserve uuid := private.reserve_wallet(p_campaign_id, p_owner);
  v_startup uuid := private.startup_wallet(p_startup_id, p_owner);
  v_title text;
  v_points bigint;
begin
  select c.title into v_title from public.campaigns c where c.id = p_campaign_id;
  perform 1 from public.wallets w where w.id = v_startup for no key update;
  select w.points into v_points from public.wallets w where w.id = v_reserve for no key update;
  if p_required > v_points then
    perform private.transfer(v_startup, v_reserve, p_required - v_points, 'reserve', format('Reserved for quest "%s"', v_title),
      p_campaign_id => p_campaign_id);
  elsif p_required < v_points then
    perform private.transfer(v_reserve, v_startup, v_points - p_required, 'release', format('Released from quest "%s"', v_title),
      p_campaign_id => p_campaign_id);
  end if;
end $$;
comment on function private.adjust_reserve(uuid, uuid, text, bigint) is
  'Brings the reserve to the required amount: debits the project for the difference or returns the surplus (RULE-09, C-01). Errors: '
  'INSUFFICIENT_POINTS.';

create function private.adjust_reserve_within_balance(p_campaign_id uuid, p_startup_id uuid, p_owner text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_reserve uuid := private.reserve_wallet(p_campaign_id, p_owner);
  v_startup uuid := private.startup_wallet(p_startup_id, p_owner);
  v_points bigint;
begin
  perform 1 from public.wallets w where w.id = v_startup for no key update;
  perform 1 from public.wallets w where w.id = v_reserve for no key update;
  select sum(w.points) into v_points from public.wallets w where w.id in (v_startup, v_reserve);
  perform private.adjust_reserve(p_campaign_id, p_startup_id, p_owner, least(private.required_reserve(p_campaign_id), v_points));
end $$;
comment on function private.adjust_reserve_within_balance(uuid, uuid, text) is
  'Like adjust_reserve, for slots freed by a decision: tops up only as far as the project''s balance allows, returns any surplus, and '
  'never fails.';

-- Tasks ---------------------------------------------------------------------------------------------------------------

create function private.recount_tasks(p_campaign_id uuid) returns void
language sql security definer set search_path = ''
as $$
  update public.campaigns c set
    task_count = t.task_count, total_slots = t.slots, updated_at = now()
  from (
    select count(*)::integer as task_count, coalesce(sum(max_completions), 0)::integer as slots
    from public.tasks where campaign_id = p_campaign_id
  ) t
  where c.id = p_campaign_id
$$;
comment on function private.recount_tasks(uuid) is 'Recomputes the quest''s totals after its tasks have changed.';

create function private.require_owned_campaign(p_campaign_id uuid, p_kept_tasks uuid[] default null) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_startup uuid;
begin
  select c.startup_id into v_startup from public.campaigns c where c.id = p_campaign_id;
  if v_startup is null then
    perform private.require_user();
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  -- Lock order: project, submissions (those that go with their task), tasks, quest.
  perform private.require_owned_startup(v_startup);
  if p_kept_tasks is not null then
    perform 1 from public.submissions s where s.campaign_id = p_campaign_id and s.task_id <> all (p_kept_tasks) order by s.id for update;
  end if;
  perform 1 from public.tasks t where t.campaign_id = p_campaign_id order by t.id for no key update;
  select c.* into v_campaign from public.campaigns c where c.id = p_campaign_id for no key update;
  if v_campaign.id is null then
    perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
  end if;
  return v_campaign;
end $$;
comment on function private.require_owned_campaign(uuid, uuid[]) is
  'Locks and returns a quest of the caller''s project. p_kept_tasks: all other tasks are about to be deleted, so their submissions are '
  'locked first, in the same order as by reviews. Errors: UNAUTHENTICATED, CAMPAIGN_NOT_FOUND, FORBIDDEN (C-42).';

create function private.validate_task(
  p_task jsonb, p_current public.tasks, p_position integer, p_min_points integer, p_max_points integer
) returns public.tasks
language plpgsql stable set search_path = ''
as $$
declare
  v_task public.tasks := p_current;
  v_type text := coalesce(p_task ->> 'type', 'custom');
  v_proof text := coalesce(p_task ->> 'proof_type', 'text');
  v_max_completions integer := greatest(1000, p_current.max_completions);
begin
  v_task.title := private.require_text(p_task ->> 'title', 200, 'TASK_TITLE_REQUIRED',
    format('Please enter a title for Task %s.', p_position));
  v_task.instructions_md := private.require_text(p_task ->> 'instructions_md', 5000, 'TASK_INSTRUCTIONS_REQUIRED',
    format('Please enter instructions for Task %s.', p_position));
  v_task.reward_points := private.to_int(p_task -> 'reward_points');
  if v_task.reward_points is null or v_task.reward_points not between p_min_points and p_max_points then
    perform private.raise_error('TASK_POINTS_RANGE', format('Points must be between %s and %s', p_min_points, p_max_points), 400);
  end if;
  v_task.max_completions := private.to_int(p_task -> 'max_completions');
  if v_task.max_completions is null or v_task.max_completions < 1 then
    perform private.raise_error('TASK_COMPLETIONS_MIN', 'Must allow at least 1 completion', 400);
  elsif v_task.max_completions > v_max_completions then
    perform private.raise_error('TASK_COMPLETIONS_MAX', format('Must allow at most %s completions', v_max_completions), 400);
  end if;
  if v_type <> all (enum_range(null::public.task_type)::text[]) or v_proof <> all (enum_range(null::public.proof_type)::text[]) then
    perform private.raise_error('INVALID_TASK', 'Unknown task or proof type', 400);
  end if;
  v_task.type := v_type;
  v_task.proof_type := v_proof;
  v_task.verification := private.read_verification(p_task, p_current.verification);
  v_task.requires_proof := v_task.verification in ('review', 'automatic')
    and private.to_bool(p_task -> 'requires_proof', coalesce(p_current.requires_proof, true));
  v_task.link_url := case when not p_task ? 'link_url' then p_current.link_url
    else private.normalize_url(p_task ->> 'link_url', 'INVALID_LINK', 'Please enter a valid link') end;
  v_task.order_index := p_position - 1;
  return v_task;
end $$;
comment on function private.validate_task(jsonb, public.tasks, integer, integer, integer) is
  'The validated task at a 1-based position of the owner''s input; p_current is the stored task, null for a new one. Errors: '
  'TASK_TITLE_REQUIRED, TEXT_TOO_LONG, TASK_INSTRUCTIONS_REQUIRED, TASK_POINTS_RANGE, TASK_COMPLETIONS_MIN, TASK_COMPLETIONS_MAX, '
  'INVALID_TASK, INVALID_LINK.';

create function private.insert_task(p_campaign_id uuid, p_task public.tasks) returns uuid
language sql security definer set search_path = ''
as $$
  insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type,
    order_index, verification, link_url)
  values (p_campaign_id, p_task.title, p_task.type, p_task.instructions_md, p_task.reward_points, p_task.max_completions,
    p_task.requires_proof, p_task.proof_type, p_task.order_index, p_task.verification, p_task.link_url)
  returning id
$$;
comment on function private.insert_task(uuid, public.tasks) is 'Adds a validated task to a quest and returns its id.';

-- Quests --------------------------------------------------------------------------------------------------------------

create function private.read_time(p_values jsonb, p_key text, p_default timestamptz default null) returns timestamptz
language plpgsql stable set search_path = ''
as $$
declare
  v_text text := private.clean(p_values ->> p_key);
begin
  if not p_values ? p_key then
    return p_default;
  elsif not pg_input_is_valid(coalesce(v_text, 'now'), 'timestamptz') then
    perform private.raise_error('INVALID_TIME', 'Please enter a valid date and time', 400);
  end if;
  -- Infinity and years of more than four digits are no times to a browser.
  if v_text::timestamptz not between '2000-01-01 00:00+00' and '9999-12-31 00:00+00' then
    perform private.raise_error('INVALID_TIME', 'Please enter a valid date and time', 400);
  end if;
  return v_text::timestamptz;
end $$;
comment on function private.read_time(jsonb, text, timestamptz) is
  'A time in the owner''s input; blank means null, a missing key the default. Errors: INVALID_TIME.';

create function private.check_schedule(p_starts_at timestamptz, p_ends_at timestamptz, p_publishes boolean) returns void
language plpgsql stable set search_path = ''
as $$
begin
  if p_ends_at <= p_starts_at then
    perform private.raise_error('END_BEFORE_START', 'The end must be after the start', 400);
  elsif p_publishes and p_ends_at <= now() then
    perform private.raise_error('END_PASSED', 'The end of this quest has passed. Please choose a later one.', 409);
  end if;
end $$;
comment on function private.check_schedule(timestamptz, timestamptz, boolean) is
  'Refuses an end before the start, and publishing after the end (BEY-07). Errors: END_BEFORE_START, END_PASSED.';

create function private.read_review_hours(p_values jsonb, p_default integer) returns integer
language plpgsql immutable set search_path = ''
as $$
declare
  v_hours integer := private.to_int(p_values -> 'review_hours');
begin
  if (p_values ? 'review_hours') is not true then
    return p_default;
  elsif v_hours is null or v_hours not between 24 and 504 then
    perform private.raise_error('REVIEW_TIME_RANGE', 'The review time must be between 24 and 504 hours', 400);
  end if;
  return v_hours;
end $$;
comment on function private.read_review_hours(jsonb, integer) is
  'Hours within which the owner promises to review a proof; a missing key means the default (BEY-22). Errors: REVIEW_TIME_RANGE.';

create function private.validate_custom_reward(p_values jsonb, p_current public.campaigns) returns public.campaigns
language plpgsql stable set search_path = ''
as $$
declare
  v_campaign public.campaigns := p_current;
begin
  if p_values ? 'custom_reward_title' then
    v_campaign.custom_reward_title := private.clean(p_values ->> 'custom_reward_title');
  end if;
  if p_values ? 'custom_reward_description' then
    v_campaign.custom_reward_description := private.clean(p_values ->> 'custom_reward_description');
  end if;
  if p_values ?| array['custom_reward_title', 'custom_reward_description']
    and not p_values @> '{"custom_reward_title": null, "custom_reward_description": null}'
  then
    perform private.require_text(v_campaign.custom_reward_title, 200, 'CUSTOM_REWARD_TITLE_REQUIRED',
      'Please enter a custom reward title');
    perform private.require_text(v_campaign.custom_reward_description, 2000, 'CUSTOM_REWARD_DESCRIPTION_REQUIRED',
      'Please enter a custom reward description');
  end if;
  return v_campaign;
end $$;
comment on function private.validate_custom_reward(jsonb, public.campaigns) is
  'The quest with the custom reward from the owner''s input: both fields, or null in both for none; a missing key changes nothing. Errors: '
  'CUSTOM_REWARD_TITLE_REQUIRED, CUSTOM_REWARD_DESCRIPTION_REQUIRED, TEXT_TOO_LONG.';

create function private.validate_terms(p_values jsonb, p_current public.campaigns) returns public.campaigns
language plpgsql stable set search_path = ''
as $$
declare
  v_campaign public.campaigns := private.validate_custom_reward(p_values, p_current);
begin
  v_campaign.collect_emails := private.to_bool(p_values -> 'collect_emails', coalesce(p_current.collect_emails, false));
  if p_values ? 'email_collection_purpose' then
    v_campaign.email_collection_purpose := private.clean(left(p_values ->> 'email_collection_purpose', 500));
  end if;
  v_campaign.starts_at := private.read_time(p_values, 'starts_at', p_current.starts_at);
  v_campaign.ends_at := private.read_time(p_values, 'ends_at', p_current.ends_at);
  v_campaign.review_hours := private.read_review_hours(p_values, coalesce(p_current.review_hours, 72));
  return v_campaign;
end $$;
comment on function private.validate_terms(jsonb, public.campaigns) is
  'The quest with the terms shared by creating and editing: custom reward, e-mail collection, times, review time (C-75). p_current is the '
  'stored quest, null for a new one; a missing key changes nothing. Errors: INVALID_TIME, REVIEW_TIME_RANGE and those of '
  'validate_custom_reward.';

create function private.quest_terms(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('title', c.title, 'status', c.status, 'budget_points', c.budget_points,
    'custom_reward_title', c.custom_reward_title, 'custom_reward_description', c.custom_reward_description,
    'collect_emails', c.collect_emails, 'email_collection_purpose', c.email_collection_purpose, 'review_hours', c.review_hours,
    'tasks', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', t.id, 'title', t.title, 'reward_points', t.reward_points, 'max_completions', t.max_completions
    ) order by t.order_index, t.id), '[]')
    from public.tasks t where t.campaign_id = c.id
  ))
  from public.campaigns c where c.id = p_campaign_id
$$;
comment on function private.quest_terms(uuid) is 'The terms of a quest as the audit log records them (BEY-04).';

create function public.create_quest(
  p_startup_id uuid, p_campaign jsonb, p_task jsonb, p_idempotency_key text default null, p_publish boolean default true
) returns public.campaigns
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles;
  v_limits private.project_limits;
  v_campaign public.campaigns;
  v_title text;
  v_points integer := private.to_int(p_task -> 'reward_points');
  v_max integer := private.to_int(p_task -> 'max_completions');
  v_user text := private.require_user();
  v_terms public.campaigns;
  v_id uuid := gen_random_uuid();
  v_first_id uuid := private.claim_idempotency_key(v_user, 'create_quest', p_idempotency_key, v_id);
begin
  if v_first_id is not null then
    select c.* into v_campaign from public.campaigns c where c.id = v_first_id;
    if v_campaign.id is null then
      perform private.raise_error('CAMPAIGN_NOT_FOUND', 'Campaign not found', 404);
    end if;
    return v_campaign;
  end if;
  if not exists (select 1 from public.startup_profiles s where s.id = p_startup_id) then
    perform private.raise_error(
      'STARTUP_ID_NOT_FOUND', format('Startup with ID %s not found', coalesce(p_startup_id::text, '(none)')), 404);
  end if;
  v_startup := private.require_owned_startup(p_startup_id);
  if v_startup.status <> 'verified' then
    perform private.raise_error('STARTUP_NOT_VERIFIED', 'Your project must be verified before you can create quests.', 403);
  end if;
  perform private.check_owner_rate(v_user, 'quest_creation');
  v_title := private.require_text(p_campaign ->> 'title', 200, 'QUEST_TITLE_REQUIRED', 'Please enter a quest title');
  perform private.validate_title(v_title);
  v_terms := private.validate_terms(p_campaign, null);
  if v_points is null or v_points < (case when v_terms.custom_reward_title is null then 1 else 0 end) then
    perform private.raise_error('REWARD_MIN', 'Please enter a valid reward amount (minimum 1 point)', 400);
  end if;
  if v_max is null or v_max < 1 then
    perform private.raise_error('PARTICIPANTS_MIN', 'Please enter a valid number of participants (minimum 1)', 400);
  elsif v_max > 1000 then
    perform private.raise_error('PARTICIPANTS_MAX', 'Please enter at most 1000 participants', 400);
  end if;
  v_limits := private.quest_limits(v_startup);
  if v_points > 1000 then
    perform private.raise_error('TASK_POINTS_RANGE', format('Points must be between %s and %s', 0, 1000), 400);
  elsif v_points > v_limits.reward and not (private.settings()).beta_mode then
    perform private.raise_error('TRIAL_REWARD_MAX', format('Your trial allows at most %s points per quest', v_limits.reward), 400);
  elsif v_points > v_limits.reward then
    perform private.raise_error('REWARD_MAX', format('Beta limit: maximum %s points per quest', v_limits.reward), 400);
  end if;
  perform private.check_quest_limits(v_startup, null, v_points::bigint * v_max);
  perform private.check_schedule(v_terms.starts_at, v_terms.ends_at, p_publish);

  insert into public.campaigns (id, startup_id, title, summary, details_md, budget_points, custom_reward_title, custom_reward_description,
    collect_emails, email_collection_purpose, status, published_at, starts_at, ends_at, review_hours)
  values (v_id, p_startup_id, v_title,
    private.normalize_text(p_campaign ->> 'summary', 500),
    private.normalize_text(p_campaign ->> 'details_md', 10000),
    v_points * v_max, v_terms.custom_reward_title, v_terms.custom_reward_description, v_terms.collect_emails,
    v_terms.email_collection_purpose, case when p_publish then 'published' else 'draft' end::public.campaign_status,
    case when p_publish then now() end, v_terms.starts_at, v_terms.ends_at, v_terms.review_hours)
  returning * into v_campaign;
  perform private.save_verification(private.insert_task(v_campaign.id, private.validate_task(
    p_task || jsonb_build_object('title', coalesce(private.clean(p_task ->> 'title'), v_title)), null, 1, 0, 1000)), p_task);
  if p_publish then
    perform private.check_verification(v_campaign.id);
  end if;
  perform private.recount_tasks(v_campaign.id);
  perform private.adjust_reserve(v_campaign.id, p_startup_id, v_startup.owner_user_id, private.required_reserve(v_campaign.id));
  select c.* into v_campaign from public.campaigns c where c.id = v_campaign.id;
  perform private.audit(v_user, 'campaign.create', 'campaign', v_id::text, null, private.quest_terms(v_id));
  return v_campaign;
end $$;
comment on function public.create_quest(uuid, jsonb, jsonb, text, boolean) is
  'Creates a quest with one task, reserves its points and publishes it, in one transaction (QNEW-19, RULE-09); p_publish false: keeps it '
  'as a draft without reserved points (C-85). Idempotent per owner and key, also under concurrency (TRUST-21). p_campaign: title, summary, '
  'details_md, custom_reward_title, custom_reward_description, collect_emails, email_collection_purpose, starts_at, ends_at, review_hours. '
  'p_task: title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type, auto_verify or verification, '
  'link_url, shared_code or single_use_codes, check_source, check_target. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_IDEMPOTENCY_KEY, '
  'CAMPAIGN_NOT_FOUND (created with this key and deleted since), STARTUP_ID_NOT_FOUND, FORBIDDEN, RATE_LIMITED, STARTUP_NOT_VERIFIED, '
  'QUEST_TITLE_REQUIRED, HIDDEN_CHARACTERS, RESERVED_NAME, TEXT_TOO_LONG, CUSTOM_REWARD_TITLE_REQUIRED, '
  'CUSTOM_REWARD_DESCRIPTION_REQUIRED, REWARD_MIN, REWARD_MAX, TRIAL_REWARD_MAX, PARTICIPANTS_MIN, PARTICIPANTS_MAX, QUEST_LIMIT, '
  'TRIAL_QUEST_LIMIT, BUDGET_LIMIT, POINTS_BUDGET_LIMIT, INVALID_TIME, END_BEFORE_START, END_PASSED, REVIEW_TIME_RANGE, '
  'INSUFFICIENT_POINTS, those of a task, of save_verification and of check_verification.';
grant execute on function public.create_quest(uuid, jsonb, jsonb, text, boolean) to authenticated, service_role;

create function public.get_quest_by_key(p_idempotency_key text) returns setof public.campaigns
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
begin
  return query
    select c.* from private.idempotency_keys k join public.campaigns c on c.id = k.subject_id
    where k.user_id = v_user and k.action in ('create_quest', 'update_campaign', 'duplicate_campaign')
      and k.key = private.clean(p_idempotency_key);
end $$;
comment on function public.get_quest_by_key(text) is
  'The quest that the caller created or saved with this key, or none: the outcome of a call whose answer was lost (TRUST-21, C-99). '
  'Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_quest_by_key(text) to authenticated, service_role;
