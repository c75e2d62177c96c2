-- Verified actions (BEY-13): a completion code, a signed call from the project's system, or a check that Questboard requests from the
-- project completes a task. All end in record_submission, like a proof that is approved immediately.

create table private.verification_calls (
  id bigint generated always as identity primary key,
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  kind text not null check (kind in ('call', 'check')),
  call_id text check (length(call_id) between 1 and 256),
  token text check (length(token) <= 64),
  task_id uuid references public.tasks (id) on delete set null,
  status integer not null,
  code text not null check (length(code) <= 100),
  message text not null check (length(message) <= 500),
  created_at timestamptz not null default now(),
  unique (startup_id, call_id),
  check ((kind = 'call') = (call_id is not null))
);
comment on table private.verification_calls is
  'Log of exchanges with the projects'' systems: their signed calls, idempotent by their id, and their answers to checks.';
comment on column private.verification_calls.call_id is 'The webhook-id of a call.';
comment on column private.verification_calls.status is 'The HTTP status of our answer to a call, or to the member whose check it was.';
comment on column private.verification_calls.code is 'COMPLETED, ALREADY_COMPLETED, WAITING, NOT_COMPLETED, or why it was refused.';
create index verification_calls_startup on private.verification_calls (startup_id, id desc);
create index verification_calls_task on private.verification_calls (task_id);
create index verification_calls_created on private.verification_calls using brin (created_at);

create table private.counted_actions (
  action_hash bytea primary key,
  token text not null,
  counted_at timestamptz not null default now()
);
comment on table private.counted_actions is
  'What members did elsewhere that a check can tell apart, such as a merged pull request. Each counts for one task of one member, also '
  'after its quest is deleted.';
comment on column private.counted_actions.action_hash is
  'Keyed hash of the id that the connector gives it, because a public id would say who did it, also once the account is erased.';
comment on column private.counted_actions.token is
  'The task token that it counted for, which may use it again, for example after a rejection. No foreign key: it outlives the token.';

create type private.completion as (status integer, code text, message text);
comment on type private.completion is 'Result of a call or a check, as reported to both sides.';

create function private.count_action(p_token text, p_actions text[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_hashes bytea[] := array(
    select extensions.hmac(convert_to(a.action, 'UTF8'), private.secret('counted_actions'), 'sha256')
    from unnest(p_actions) with ordinality a (action, position) order by a.position);
begin
  if exists (select 1 from private.counted_actions c where c.token = p_token and c.action_hash = any (v_hashes)) then
    return;
  end if;
  insert into private.counted_actions (action_hash, token)
  select h.hash, p_token from unnest(v_hashes) with ordinality h (hash, position)
  where not exists (select 1 from private.counted_actions c where c.action_hash = h.hash)
  order by h.position limit 1
  on conflict (action_hash) do nothing;
  if not found then
    perform private.raise_error('ACTION_COUNTED', 'This has already been counted for another task. Each task needs one of its own.', 409);
  end if;
end $$;
comment on function private.count_action(text, text[]) is
  'Counts the first of these actions that has not been counted yet for a task token. Errors: ACTION_COUNTED.';

create function private.complete_task(
  p_token private.task_tokens, p_verified_by text, p_actions text[] default null
) returns public.submissions
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
begin
  perform pg_advisory_xact_lock_shared(private.account_lock(p_token.user_id));
  if not exists (select 1 from public.user_profiles p where p.user_id = p_token.user_id and p.suspended_at is null) then
    perform private.raise_error('MEMBER_NOT_ACTIVE', 'This member cannot take part at the moment', 409);
  end if;
  perform private.require_open_quest(p_token.task_id, p_token.user_id);
  select t.* into v_task from public.tasks t where t.id = p_token.task_id;
  if v_task.verification::text <> p_verified_by then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  if p_actions is not null then
    perform private.count_action(p_token.token, p_actions);
  end if;
  return private.record_submission(p_token.user_id, v_task, null,
    case p_verified_by when 'call' then 'Confirmed by the project' else 'Confirmed by a check' end, null, null, false,
    p_verified_by, p_token.reward_points, p_token => p_token.token);
end $$;
comment on function private.complete_task(private.task_tokens, text, text[]) is
  'Completes a task by a verified action. p_actions: as in finish_check. Errors: MEMBER_NOT_ACTIVE, WRONG_VERIFICATION, ACTION_COUNTED, '
  'those of require_open_quest and of record_submission.';

create function private.try_completion(
  p_token private.task_tokens, p_verified_by text, p_actions text[] default null
) returns private.completion
language plpgsql security definer set search_path = ''
as $$
declare
  v_before private.completion :=
    (200, 'ALREADY_COMPLETED', 'This member has completed the task before. Nothing was changed.')::private.completion;
  v_waiting private.completion := (200, 'WAITING', 'Received. The task waits for a review.')::private.completion;
  v_status public.submission_status;
  v_code text;
  v_message text;
  v_sqlstate text;
begin
  -- Duplicates of a call arrive together: most see here that the task is done, without waiting for the lock on the member's rate limit.
  if exists (
    select 1 from public.submissions s where s.task_id = p_token.task_id and s.user_id = p_token.user_id and s.status = 'approved'
  ) then
    return v_before;
  end if;
  v_status := (private.complete_task(p_token, p_verified_by, p_actions)).status;
  if v_status = 'approved' then
    return (200, 'COMPLETED', 'Completed. The points are in the member''s wallet.')::private.completion;
  end if;
  return v_waiting;
exception when sqlstate 'PT400' or sqlstate 'PT403' or sqlstate 'PT404' or sqlstate 'PT409' or sqlstate 'PT429' then
  get stacked diagnostics v_code = pg_exception_hint, v_message = message_text, v_sqlstate = returned_sqlstate;
  if v_code is distinct from 'ALREADY_SUBMITTED' then
    return (right(v_sqlstate, 3)::integer, v_code, v_message)::private.completion;
  end if;
  select s.status into v_status from public.submissions s where s.task_id = p_token.task_id and s.user_id = p_token.user_id;
  return case v_status when 'pending' then v_waiting else v_before end;
end $$;
comment on function private.try_completion(private.task_tokens, text, text[]) is
  'complete_task with errors as a result, so that they can be logged for the project.';

-- What the member does ------------------------------------------------------------------------------------------------

create function public.start_task(
  p_task_id uuid, p_email text default null, p_subscribe boolean default false, p_expected_reward integer default null,
  p_consent text default null
) returns table (link text, token text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_email text := lower(private.clean(p_email));
  v_campaign public.campaigns := private.require_open_quest(p_task_id, v_user);
  v_task public.tasks;
  v_promised integer;
  v_token text;
begin
  -- Waits for a deletion of the quest, and keeps both until token and consent are stored: the quest first, as a deletion does.
  select t.* into v_task from public.campaigns c join public.tasks t on t.campaign_id = c.id where t.id = p_task_id for key share of c, t;
  if v_task.id is null then
    perform private.raise_error('TASK_NOT_FOUND', 'Task not found', 404);
  elsif v_task.verification not in ('call', 'check') then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  perform private.check_shared_email(v_campaign, v_email);
  perform private.check_consent(v_campaign.id, p_consent) where v_campaign.collect_emails;
  if not public.take_rate_limit('user:' || v_user, 'start_task', 30, 60) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  select k.reward_points into v_promised from private.task_tokens k where k.task_id = p_task_id and k.user_id = v_user;
  if p_expected_reward is distinct from v_promised then
    perform private.check_price(p_expected_reward, v_task.reward_points, 'points');
  end if;
  insert into private.task_tokens as k (task_id, user_id, participant_email, subscribes, reward_points, consent)
  values (p_task_id, v_user, case when v_campaign.collect_emails then v_email end, coalesce(p_subscribe, false), v_task.reward_points,
    private.consent_statement(v_campaign.id))
  on conflict (task_id, user_id) do update set participant_email = excluded.participant_email, subscribes = excluded.subscribes,
    consent = excluded.consent,
    -- A lower reward applies once the member has been shown it and starts again.
    reward_points = coalesce(p_expected_reward, greatest(k.reward_points, excluded.reward_points))
  returning k.token into v_token;
  perform private.save_email_consent(v_user, v_campaign.id, v_email, null) where v_campaign.collect_emails;
  return query select regexp_replace(v_task.link_url, '^([^?#]*)(\?[^#]*)?(#.*)?$',
    case when v_task.link_url ~ '^[^#]*\?' then '\1\2&' else '\1?' end || 'questboard_token=' || v_token || '\3'), v_token;
end $$;
comment on function public.start_task(uuid, text, boolean, integer, text) is
  'The caller starts a task that a call or a check verifies. Returns the token of this member and task, always the same, and the task''s '
  'link with the token, which reveals nothing else about the member. The other arguments are those of submit_proof; the member gets no '
  'less than the current reward, even if it is lowered before verification (TRUST-20). Nullable: link. Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, QUEST_NOT_STARTED, QUEST_ENDED, '
  'WRONG_VERIFICATION, EMAIL_REQUIRED, INVALID_EMAIL, EMAIL_NOT_VERIFIED, CONSENT_CHANGED, RATE_LIMITED, PRICE_CHANGED.';
grant execute on function public.start_task(uuid, text, boolean, integer, text) to authenticated, service_role;

create function private.hits_in_window(p_subject text, p_action text, p_window interval) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from private.rate_limits r cross join unnest(r.hits) h
  where r.subject = p_subject and r.action = p_action and h > clock_timestamp() - p_window
$$;
comment on function private.hits_in_window(text, text, interval) is 'Hits in a limit''s current window.';

create function public.submit_completion_code(
  p_task_id uuid, p_code text, p_email text default null, p_expected_reward integer default null, p_subscribe boolean default false,
  p_consent text default null, out is_accepted boolean, out tries_left integer
)
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_email text := lower(private.clean(p_email));
  v_campaign public.campaigns := private.require_open_quest(p_task_id, v_user);
  v_task public.tasks;
  v_code private.completion_codes;
  v_submission uuid;
begin
  perform private.require_plain_call();
  select t.* into v_task from public.tasks t where t.id = p_task_id;
  if v_task.verification <> 'code' then
    perform private.raise_error('WRONG_VERIFICATION', 'This task is verified in another way. Please look at the quest again.', 409);
  end if;
  perform private.require_text(p_code, 200, 'COMPLETION_CODE_REQUIRED', 'Please enter the code');
  perform private.check_shared_email(v_campaign, v_email);
  if exists (select 1 from public.submissions s where s.task_id = p_task_id and s.user_id = v_user and s.status <> 'rejected') then
    perform private.raise_error('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409);
  elsif private.hits_in_window('task:' || p_task_id, 'wrong_code', interval '1 hour') >= 500 then
    perform private.raise_error('CODES_PAUSED', 'Too many wrong codes were entered for this task. Please try again later.', 429);
  elsif not public.take_rate_limit('user:' || v_user, 'code:' || p_task_id, 5, 3600) then
    perform private.raise_error('CODE_TRIES_USED', 'Too many wrong codes. Please try again in an hour.', 429);
  end if;

  -- Locked before it is read: of two members with the same single-use code, the second finds it used.
  select c.* into v_code from private.completion_codes c
  where c.task_id = p_task_id and c.code_hash = private.hash_completion_code(p_task_id, p_code) for update;
  is_accepted := v_code.id is not null and v_code.used_at is null;
  if not is_accepted then
    -- A result and no error, which would roll back the counted attempt.
    perform public.take_rate_limit('task:' || p_task_id, 'wrong_code', 500, 3600);
  else
    v_submission := (private.record_submission(v_user, v_task, null, 'Completion code entered', v_email, p_expected_reward,
      p_subscribe, 'code', p_consent => p_consent)).id;
    if not v_code.is_shared then
      update private.completion_codes c set submission_id = v_submission, used_at = now() where c.id = v_code.id;
    end if;
  end if;
  tries_left := 5 - private.hits_in_window('user:' || v_user, 'code:' || p_task_id, interval '1 hour');
end $$;
comment on function public.submit_completion_code(uuid, text, text, integer, boolean, text) is
  'Completes a task by a shared or single-use code. A wrong code is a result and no error, because attempts are counted: five an hour per '
  'member and task, 500 wrong ones per task. The other arguments are those of submit_proof. Errors: UNAUTHENTICATED, SUSPENDED, '
  'PROFILE_NOT_FOUND, TASK_NOT_FOUND, OWN_QUEST, QUEST_NOT_OPEN, QUEST_NOT_STARTED, QUEST_ENDED, PLAIN_CALL_REQUIRED, '
  'WRONG_VERIFICATION, COMPLETION_CODE_REQUIRED, TEXT_TOO_LONG, EMAIL_REQUIRED, INVALID_EMAIL, EMAIL_NOT_VERIFIED, ALREADY_SUBMITTED, '
  'CODES_PAUSED, CODE_TRIES_USED, RATE_LIMITED, QUEST_FULL, PRICE_CHANGED, CONSENT_CHANGED.';
grant execute on function public.submit_completion_code(uuid, text, text, integer, boolean, text) to authenticated, service_role;

-- Signed calls --------------------------------------------------------------------------------------------------------

create function public.complete_task_by_call(p_startup_id uuid, p_call_id text, p_token text)
returns table (status integer, code text, message text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_call private.verification_calls;
  v_token private.task_tokens;
  v_startup_id uuid;
  v_answer private.completion;
begin
  insert into private.verification_calls as v (startup_id, kind, call_id, token, status, code, message)
  values (p_startup_id, 'call', p_call_id, left(p_token, 64), 0, 'RECEIVED', '') on conflict (startup_id, call_id) do nothing;
  select v.* into v_call from private.verification_calls v where v.startup_id = p_startup_id and v.call_id = p_call_id for update;
  if v_call.token is distinct from left(p_token, 64) then
    return query select 409, 'CALL_ID_REUSED'::text, 'This webhook-id belongs to another call. Please use a new one.'::text;
    return;
  elsif v_call.status = 200 then
    return query select v_call.status, v_call.code, v_call.message;
    return;
  end if;
  select k.* into v_token from private.task_tokens k where k.token = p_token;
  select c.startup_id into v_startup_id from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = v_token.task_id;
  v_answer := case
    when v_token.token is null
      then (404, 'TOKEN_UNKNOWN', 'This token is not known. Please send the one from the member''s link.')::private.completion
    when v_startup_id <> p_startup_id
      then (403, 'TOKEN_OF_ANOTHER_PROJECT', 'This token belongs to a task of another project.')::private.completion
    else private.try_completion(v_token, 'call') end;
  -- The task may have been deleted since, or be about to be.
  update private.verification_calls v set status = v_answer.status, code = v_answer.code, message = v_answer.message,
    task_id = (select t.id from public.tasks t where t.id = v_token.task_id and v_startup_id = p_startup_id for key share)
  where v.id = v_call.id;
  return query select v_answer.status, v_answer.code, v_answer.message;
end $$;
comment on function public.complete_task_by_call(uuid, text, text) is
  'A project''s system reports, with a signature verified by the function complete-task, that a member has done a task. Idempotent by the '
  'call''s id: a repeated call gets the first answer, and a refused one is tried again. Returns status, code and sentence: COMPLETED, '
  'ALREADY_COMPLETED, WAITING (200), CALL_ID_REUSED, TOKEN_UNKNOWN, TOKEN_OF_ANOTHER_PROJECT, or the code that refused it. Service role '
  'only.';
grant execute on function public.complete_task_by_call(uuid, text, text) to service_role;

-- Checks --------------------------------------------------------------------------------------------------------------

create function public.begin_check(p_user_id text, p_task_id uuid) returns table (source text, target text, token text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup_id uuid;
begin
  select c.startup_id into v_startup_id from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = p_task_id;
  if exists (select 1 from public.submissions s where s.task_id = p_task_id and s.user_id = p_user_id and s.status <> 'rejected') then
    perform private.raise_error('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409);
  elsif not public.take_rate_limit('user:' || p_user_id, 'check_task', 10, 60)
    or not public.take_rate_limit('project:' || v_startup_id, 'check_task', 300, 60) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  return query
    select c.source, c.target, k.token from private.task_checks c join private.task_tokens k on k.task_id = c.task_id
    where c.task_id = p_task_id and k.user_id = p_user_id;
end $$;
comment on function public.begin_check(text, uuid) is
  'What the function check-task has to request for a member who has called start_task, with the member''s token. Service role only. '
  'Errors: ALREADY_SUBMITTED, RATE_LIMITED.';
grant execute on function public.begin_check(text, uuid) to service_role;

create function public.finish_check(p_user_id text, p_task_id uuid, p_problem text default null, p_actions text[] default null)
returns table (status integer, code text, message text)
language plpgsql security definer set search_path = ''
as $$
declare
  v_token private.task_tokens;
  v_answer private.completion;
begin
  select k.* into v_token from private.task_tokens k where k.task_id = p_task_id and k.user_id = p_user_id;
  v_answer := case when p_problem is not null then (200, 'NOT_COMPLETED', left(p_problem, 500))::private.completion
    else private.try_completion(v_token, 'check', p_actions) end;
  insert into private.verification_calls (startup_id, kind, token, task_id, status, code, message)
  select c.startup_id, 'check', v_token.token, p_task_id, v_answer.status, v_answer.code, v_answer.message
  from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = p_task_id for key share of t;
  return query select v_answer.status, v_answer.code, v_answer.message;
end $$;
comment on function public.finish_check(text, uuid, text, text[]) is
  'Stores the outcome of a check: the task is completed unless p_problem says otherwise (such as NOT_COMPLETED). p_actions: ids of what '
  'the check has found, where it can tell one action from another; one of them must not have counted for another task. Returns the same '
  'as complete_task_by_call. Service role only.';
grant execute on function public.finish_check(text, uuid, text, text[]) to service_role;

-- What the project sees -----------------------------------------------------------------------------------------------

create function public.list_verification_calls(p_startup_id uuid) returns table (
  id bigint, kind text, call_id text, token text, task_title text, status integer, code text, message text, created_at timestamptz
)
language sql stable security definer set search_path = ''
as $$
  select v.id, v.kind, v.call_id, v.token, t.title, v.status, v.code, v.message, v.created_at
  from private.verification_calls v left join public.tasks t on t.id = v.task_id
  where v.startup_id = p_startup_id and v.startup_id = any (array(select private.own_startup_ids()))
  order by v.id desc limit 50
$$;
comment on function public.list_verification_calls(uuid) is
  'The last 50 calls and checks of the caller''s project, newest first. Nullable: call_id, token, task_title.';
grant execute on function public.list_verification_calls(uuid) to authenticated, service_role;
