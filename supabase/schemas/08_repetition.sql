-- What makes a call safe to retry: an idempotency key, and the price that the caller was shown.

create table private.idempotency_keys (
  user_id text not null,
  action text not null,
  key text not null check (length(key) between 1 and 100),
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (user_id, action, key)
);
comment on table private.idempotency_keys is
  'Idempotency keys of completed calls (TRUST-21). The client reuses a key until it has an answer, even across a reload. '
  'Those older than 30 days go with the person''s next one.';
comment on column private.idempotency_keys.subject_id is 'Id of what the first call created or changed.';

create function private.normalize_idempotency_key(p_key text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if length(private.clean(p_key)) > 100 then
    perform private.raise_error('INVALID_IDEMPOTENCY_KEY', 'An idempotency key has at most 100 characters', 400);
  end if;
  return private.clean(p_key);
end $$;
comment on function private.normalize_idempotency_key(text) is
  'An idempotency key, trimmed; null when there is none. Errors: INVALID_IDEMPOTENCY_KEY.';

create function private.require_idempotency_key(p_key text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_key text := private.normalize_idempotency_key(p_key);
begin
  if v_key is null then
    perform private.raise_error('IDEMPOTENCY_KEY_REQUIRED', 'An idempotency key is required', 400);
  end if;
  return v_key;
end $$;
comment on function private.require_idempotency_key(text) is
  'Like normalize_idempotency_key, for calls that need a key. Errors: IDEMPOTENCY_KEY_REQUIRED, INVALID_IDEMPOTENCY_KEY.';

create function private.claim_idempotency_key(p_user_id text, p_action text, p_key text, p_subject_id uuid) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_key text := private.normalize_idempotency_key(p_key);
  v_subject_id uuid;
begin
  if v_key is null then
    return null;
  end if;
  delete from private.idempotency_keys k where k.user_id = p_user_id and k.created_at < now() - 30 * interval '24 hours';
  -- The primary key makes a concurrent call with the same key wait here and then find the first one's result.
  insert into private.idempotency_keys (user_id, action, key, subject_id) values (p_user_id, p_action, v_key, p_subject_id)
  on conflict (user_id, action, key) do nothing;
  if found then
    return null;
  end if;
  select k.subject_id into v_subject_id from private.idempotency_keys k
  where k.user_id = p_user_id and k.action = p_action and k.key = v_key;
  return v_subject_id;
end $$;
comment on function private.claim_idempotency_key(text, text, text, uuid) is
  'Null for a new (or missing) key: the caller proceeds. Otherwise the id of what the first call with this key created or changed. Errors: '
  'INVALID_IDEMPOTENCY_KEY.';

create function private.check_price(p_expected bigint, p_actual bigint, p_unit text) returns void
language plpgsql set search_path = ''
as $$
begin
  if p_expected <> p_actual then
    perform private.raise_error('PRICE_CHANGED', format('This has changed since you looked: it is now %s.', case p_unit
      -- Cents only where there are any, and then both digits, as the app writes prices.
      when 'cents' then '$' || private.with_separators(p_actual / 100)
        || coalesce('.' || nullif(lpad((p_actual % 100)::text, 2, '0'), '00'), '')
      else private.with_separators(p_actual) || ' points' end), 409, jsonb_build_object(p_unit, p_actual));
  end if;
end $$;
comment on function private.check_price(bigint, bigint, text) is
  'Refuses when the price differs from the expected one; details hold the current one as {"points": n} or {"cents": n}. Null expects '
  'nothing and accepts any price (TRUST-20). Errors: PRICE_CHANGED.';
