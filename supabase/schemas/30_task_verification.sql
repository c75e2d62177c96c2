-- How tasks are verified without a reviewer (BEY-13): completion codes, secrets that sign a project's calls, endpoints for checks, and the
-- token that identifies a member to a project. Completion is in 33_verified_actions.

create function private.read_verification(p_task jsonb, p_current public.task_verification) returns public.task_verification
language plpgsql immutable set search_path = ''
as $$
declare
  v_value text := private.clean(p_task ->> 'verification');
  v_automatic boolean := private.to_bool(p_task -> 'auto_verify', null);
begin
  if v_value is null then
    return case
      when v_automatic then 'automatic'
      when v_automatic is null or p_current in ('code', 'call', 'check') then coalesce(p_current, 'review')
      else 'review' end;
  elsif v_value <> all (enum_range(null::public.task_verification)::text[]) then
    perform private.raise_error('INVALID_TASK', 'Unknown task or proof type', 400);
  end if;
  return v_value::public.task_verification;
end $$;
comment on function private.read_verification(jsonb, public.task_verification) is
  'Verification in the owner''s input: the key verification, or else the older auto_verify, which only knows review and automatic. Errors: '
  'INVALID_TASK.';

-- Completion codes ----------------------------------------------------------------------------------------------------

create table private.completion_codes (
  id bigint generated always as identity primary key,
  task_id uuid not null references public.tasks (id) on delete cascade,
  code_hash bytea not null,
  is_shared boolean not null,
  submission_id uuid,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  unique (task_id, code_hash),
  check ((submission_id is null) = (used_at is null) and (used_at is null or not is_shared))
);
comment on table private.completion_codes is
  'Codes that complete a task: one shared code, or single-use codes. Only keyed hashes are stored, so a code cannot be read back.';
comment on column private.completion_codes.code_hash is
  'Keyed hash that includes the task, so that equal codes of two tasks cannot be recognised.';
comment on column private.completion_codes.submission_id is
  'The submission that used up a single-use code. One that was taken back or rejected may use up another.';
create index completion_codes_free on private.completion_codes (task_id, is_shared) where used_at is null;

create function private.normalize_completion_code(p_code text) returns text
language plpgsql immutable set search_path = ''
as $$ begin return upper(regexp_replace(normalize(p_code, nfkc), '[\s_-]', '', 'g')); end $$;
comment on function private.normalize_completion_code(text) is 'Normal form of a code: without spaces and hyphens, case-insensitive.';

create function private.hash_completion_code(p_task_id uuid, p_code text) returns bytea
language plpgsql security definer set search_path = ''
as $$
begin
  return extensions.hmac(convert_to(p_task_id || ':' || private.normalize_completion_code(p_code), 'UTF8'),
    private.secret('completion_codes'), 'sha256');
end $$;
comment on function private.hash_completion_code(uuid, text) is 'Keyed hash of a task''s code.';

create function private.add_completion_codes(p_task_id uuid, p_codes text[], p_is_shared boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_added integer;
begin
  -- Number and length first: looking at megabytes of codes would keep the server busy for half a minute, and of a longer one nobody can
  -- enter all characters.
  if cardinality(p_codes) > 1000 then
    perform private.raise_error('CODES_RANGE', 'Please add 1 to 1,000 codes at a time', 400);
  elsif exists (
    select 1 from unnest(p_codes) c
    where length(c) > 200 or coalesce(private.normalize_completion_code(c), '') !~ '^[[:alnum:]]{6,64}$'
  ) then
    perform private.raise_error('COMPLETION_CODE_FORMAT', 'A code has 6 to 64 letters and digits', 400);
  end if;
  insert into private.completion_codes (task_id, code_hash, is_shared)
  select p_task_id, private.hash_completion_code(p_task_id, c), p_is_shared from unnest(p_codes) c
  on conflict (task_id, code_hash) do nothing;
  get diagnostics v_added = row_count;
  -- Ten times the most completions: some codes that are given out are never used.
  if (select count(*) from private.completion_codes c where c.task_id = p_task_id and c.used_at is null) > 10000 then
    perform private.raise_error('CODES_LIMIT', 'A task can have at most 10,000 unused codes', 409);
  end if;
  return v_added;
end $$;
comment on function private.add_completion_codes(uuid, text[], boolean) is
  'Adds codes, skipping ones that the task already has; returns how many were added. Errors: COMPLETION_CODE_FORMAT, CODES_RANGE, '
  'CODES_LIMIT.';

-- Checks --------------------------------------------------------------------------------------------------------------

create table private.task_checks (
  task_id uuid primary key references public.tasks (id) on delete cascade,
  source text not null check (source in ('endpoint', 'github_pull_request')),
  target text not null check (length(target) <= 2048)
);
comment on table private.task_checks is 'What Questboard asks whether a member has done a task. Visible to the project only.';
comment on column private.task_checks.source is
  'endpoint: an https URL of the project; anything else is a connector of the function check-task.';
comment on column private.task_checks.target is 'The URL, or what the connector needs, such as a repository.';

create table private.tested_endpoints (
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  url text not null check (length(url) <= 2048),
  tested_at timestamptz not null default now(),
  primary key (startup_id, url)
);
comment on table private.tested_endpoints is 'Endpoints that passed a test. A task accepts only an endpoint tested within the last day.';

create function public.record_endpoint_test(p_user_id text, p_url text) returns void
language sql security definer set search_path = ''
as $$
  insert into private.tested_endpoints (startup_id, url)
  select s.id, p_url from public.startup_profiles s where s.owner_user_id = p_user_id
  on conflict (startup_id, url) do update set tested_at = now()
$$;
comment on function public.record_endpoint_test(text, text) is
  'Records that the function check-task has tested this endpoint for the project''s owner and got a valid answer. Service role only.';
grant execute on function public.record_endpoint_test(text, text) to service_role;

create function private.save_check(p_task_id uuid, p_startup_id uuid, p_source text, p_target text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if p_target is null
    or p_source not in ('endpoint', 'github_pull_request')
    or p_source = 'endpoint' and not (private.is_http_url(p_target) and p_target ~* '^https://[^/?#:]+([/?#]|$)')
    or p_source = 'github_pull_request' and p_target !~ '^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$'
  then
    perform private.raise_error('INVALID_CHECK', 'Please enter an https address without a port, or a repository as owner/name', 400);
  elsif exists (select 1 from private.task_checks c where c.task_id = p_task_id and c.source = p_source and c.target = p_target) then
    return;
  elsif p_source = 'endpoint' and not exists (
    select 1 from private.tested_endpoints e
    where e.startup_id = p_startup_id and e.url = p_target and e.tested_at > now() - interval '24 hours'
  ) then
    perform private.raise_error('ENDPOINT_NOT_TESTED', 'Please test this address before you save it', 409);
  end if;
  insert into private.task_checks (task_id, source, target) values (p_task_id, p_source, p_target)
  on conflict (task_id) do update set source = excluded.source, target = excluded.target;
end $$;
comment on function private.save_check(uuid, uuid, text, text) is
  'Saves the source of a task''s check; an endpoint must have been tested. Errors: INVALID_CHECK, ENDPOINT_NOT_TESTED.';

-- Signing secrets -----------------------------------------------------------------------------------------------------

create table private.signing_secrets (
  id uuid primary key default gen_random_uuid(),
  startup_id uuid not null references public.startup_profiles (id) on delete cascade,
  secret bytea not null,
  last_characters text not null check (length(last_characters) = 4),
  created_at timestamptz not null default now()
);
comment on table private.signing_secrets is
  'Secrets with which projects sign their calls: at most two per project, for rotation. Encrypted with a key of private.secrets rather '
  'than hashed, because verifying a signature needs the secret itself.';
create index signing_secrets_startup on private.signing_secrets (startup_id, created_at);

create function public.create_signing_secret(p_startup_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles := private.require_owned_startup(p_startup_id);
  v_secret text := 'whsec_' || encode(extensions.gen_random_bytes(24), 'base64');
begin
  perform private.check_owner_rate(v_startup.owner_user_id, 'project_change');
  if (select count(*) from private.signing_secrets s where s.startup_id = p_startup_id) >= 2 then
    perform private.raise_error('SIGNING_SECRET_LIMIT', 'Two secrets are in use. Please revoke one of them first.', 409);
  end if;
  insert into private.signing_secrets (startup_id, secret, last_characters)
  values (p_startup_id, extensions.pgp_sym_encrypt(v_secret, encode(private.secret('signing_secrets'), 'hex'),
    'cipher-algo=aes256, s2k-mode=1'), right(v_secret, 4));
  perform private.audit(v_startup.owner_user_id, 'signing_secret.create', 'startup', p_startup_id::text, null,
    jsonb_build_object('ends_with', right(v_secret, 4)));
  return v_secret;
end $$;
comment on function public.create_signing_secret(uuid) is
  'Creates a secret with which the owner''s system signs its calls; this is the only time it is shown (Standard Webhooks, whsec_ and '
  'base64). Errors: UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, FORBIDDEN, RATE_LIMITED, SIGNING_SECRET_LIMIT.';
grant execute on function public.create_signing_secret(uuid) to authenticated, service_role;

create function public.revoke_signing_secret(p_startup_id uuid, p_secret_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup public.startup_profiles := private.require_owned_startup(p_startup_id);
  v_secret private.signing_secrets;
begin
  delete from private.signing_secrets s where s.id = p_secret_id and s.startup_id = p_startup_id returning s.* into v_secret;
  if v_secret.id is not null then
    perform private.audit(v_startup.owner_user_id, 'signing_secret.revoke', 'startup', p_startup_id::text,
      jsonb_build_object('ends_with', v_secret.last_characters));
  end if;
end $$;
comment on function public.revoke_signing_secret(uuid, uuid) is
  'Revokes a secret: calls signed with it are refused from now on. Idempotent. Errors: UNAUTHENTICATED, SUSPENDED, STARTUP_NOT_FOUND, '
  'FORBIDDEN.';
grant execute on function public.revoke_signing_secret(uuid, uuid) to authenticated, service_role;

create function public.list_signing_secrets(p_startup_id uuid) returns table (id uuid, last_characters text, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.last_characters, s.created_at from private.signing_secrets s
  where s.startup_id = p_startup_id and s.startup_id = any (array(select private.own_startup_ids())) order by s.created_at
$$;
comment on function public.list_signing_secrets(uuid) is 'The secrets of the caller''s project by their last characters, oldest first.';
grant execute on function public.list_signing_secrets(uuid) to authenticated, service_role;

create function public.get_signing_secrets(p_startup_id uuid) returns text[]
language sql stable security definer set search_path = ''
as $$
  select coalesce(array_agg(extensions.pgp_sym_decrypt(s.secret, encode(k.value, 'hex')) order by s.created_at), '{}')
  from private.signing_secrets s cross join private.secrets k where s.startup_id = p_startup_id and k.name = 'signing_secrets'
$$;
comment on function public.get_signing_secrets(uuid) is
  'The secrets that a project''s calls may be signed with, in plain text. Service role only.';
grant execute on function public.get_signing_secrets(uuid) to service_role;

-- Settings of a task -----------------------------------------------------------------------------------------------

create function private.save_verification(p_task_id uuid, p_task jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_task public.tasks;
  v_startup_id uuid;
begin
  select t.* into v_task from public.tasks t where t.id = p_task_id;
  select c.startup_id into v_startup_id from public.campaigns c where c.id = v_task.campaign_id;
  if v_task.verification <> 'code' then
    delete from private.completion_codes c where c.task_id = p_task_id and c.used_at is null;
  elsif private.clean(p_task ->> 'shared_code') is not null then
    delete from private.completion_codes c where c.task_id = p_task_id and c.is_shared;
    if private.add_completion_codes(p_task_id, array[p_task ->> 'shared_code'], true) = 0 then
      -- The task has it as a single-use code, which becomes the shared one if nobody has used it.
      update private.completion_codes c set is_shared = true
      where c.task_id = p_task_id and c.used_at is null
        and c.code_hash = (select private.hash_completion_code(p_task_id, p_task ->> 'shared_code'));
      if not found then
        perform private.raise_error('COMPLETION_CODE_USED',
          'A member has used up this single-use code. Please choose another one for all.', 409);
      end if;
    end if;
  elsif jsonb_typeof(p_task -> 'single_use_codes') <> 'null' then
    -- Of anything but a list as its only element: one code, or no code at all, which is refused.
    perform private.add_completion_codes(p_task_id, array(
      select c #>> '{}' from jsonb_path_query(p_task -> 'single_use_codes', '$[*]') c), false);
  end if;
  if v_task.verification <> 'check' then
    delete from private.task_checks c where c.task_id = p_task_id;
  elsif p_task ? 'check_target' then
    perform private.save_check(p_task_id, v_startup_id, coalesce(p_task ->> 'check_source', 'endpoint'),
      private.clean(p_task ->> 'check_target'));
  end if;
end $$;
comment on function private.save_verification(uuid, jsonb) is
  'Saves the verification settings of a stored task: shared_code replaces the previous one, single_use_codes are added, check_source and '
  'check_target set the check. Missing keys change nothing. Errors: COMPLETION_CODE_FORMAT, COMPLETION_CODE_USED, CODES_RANGE, '
  'CODES_LIMIT, INVALID_CHECK, ENDPOINT_NOT_TESTED.';

create function private.check_verification(p_campaign_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_task record;
begin
  for v_task in
    select t.title, t.verification, t.link_url, k.source, c.startup_id,
      exists (select 1 from private.completion_codes x where x.task_id = t.id) as has_codes
    from public.tasks t join public.campaigns c on c.id = t.campaign_id left join private.task_checks k on k.task_id = t.id
    where t.campaign_id = p_campaign_id and t.verification in ('code', 'call', 'check') order by t.order_index, t.id
  loop
    if v_task.verification = 'code' and not v_task.has_codes then
      perform private.raise_error('CODES_REQUIRED', format('Please add a code to "%s" before publishing', v_task.title), 409);
    elsif v_task.verification = 'check' and v_task.source is null then
      perform private.raise_error('CHECK_REQUIRED', format('Please say whom to ask about "%s" before publishing', v_task.title), 409);
    elsif (v_task.verification = 'call' or v_task.source = 'endpoint') and v_task.link_url is null then
      perform private.raise_error('LINK_REQUIRED', format('Please add the link of "%s" before publishing', v_task.title), 409);
    elsif v_task.verification = 'call'
      and not exists (select 1 from private.signing_secrets s where s.startup_id = v_task.startup_id) then
      perform private.raise_error('SIGNING_SECRET_REQUIRED', 'Please create a signing secret before publishing', 409);
    end if;
  end loop;
end $$;
comment on function private.check_verification(uuid) is
  'Refuses to publish a quest with a task that could never be verified. Errors: CODES_REQUIRED, CHECK_REQUIRED, LINK_REQUIRED, '
  'SIGNING_SECRET_REQUIRED.';

create function public.get_task_verifications(p_campaign_id uuid) returns table (
  task_id uuid, has_shared_code boolean, codes_left integer, codes_used integer, check_source text, check_target text
)
language sql stable security definer set search_path = ''
as $$
  select t.id, coalesce(bool_or(c.is_shared), false), (count(c.id) filter (where not c.is_shared and c.used_at is null))::integer,
    count(c.used_at)::integer, k.source, k.target
  from public.tasks t left join private.completion_codes c on c.task_id = t.id left join private.task_checks k on k.task_id = t.id
  where t.campaign_id = p_campaign_id and t.campaign_id = any (array(select private.own_campaign_ids()))
  group by t.id, k.source, k.target order by t.order_index, t.id
$$;
comment on function public.get_task_verifications(uuid) is
  'Verification settings of the tasks of the caller''s quest, without secrets. Nullable: check_source, check_target.';
grant execute on function public.get_task_verifications(uuid) to authenticated, service_role;

create function private.copy_verification(p_from uuid, p_to uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.task_checks (task_id, source, target)
  select n.id, k.source, k.target from public.tasks t join private.task_checks k on k.task_id = t.id
  join public.tasks n on n.campaign_id = p_to and n.order_index = t.order_index and n.title = t.title
  where t.campaign_id = p_from
  on conflict (task_id) do nothing
$$;
comment on function private.copy_verification(uuid, uuid) is
  'Copies the checks to the tasks of a copied quest. Codes are not copied: they cannot be read, and were given out for the first quest.';

-- Members as a project knows them --------------------------------------------------------------------------------------

create table private.task_tokens (
  token text primary key default encode(extensions.gen_random_bytes(16), 'hex'),
  task_id uuid not null references public.tasks (id) on delete cascade,
  user_id text not null,
  participant_email text check (length(participant_email) <= 254),
  subscribes boolean not null default false,
  created_at timestamptz not null default now(),
  reward_points integer check (reward_points between 0 and 1000),
  consent text,
  unique (task_id, user_id)
);
comment on table private.task_tokens is
  'Members who have started a task that a call or a check verifies. The project only gets the token, which is meaningless elsewhere.';
comment on column private.task_tokens.participant_email is
  'The address that the member shares, where the quest collects addresses; null again when the member withdraws it.';
comment on column private.task_tokens.consent is
  'The sentence that the member agreed to. The address is handed over only while it is the one in force.';
comment on column private.task_tokens.reward_points is 'Reward when the member started the task: they get no less (TRUST-20).';
comment on column private.task_tokens.subscribes is 'Whether the member also subscribes to Questboard''s own news (C-76).';
create index task_tokens_user on private.task_tokens (user_id);
create index task_tokens_subscribing on private.task_tokens (participant_email) where subscribes;
