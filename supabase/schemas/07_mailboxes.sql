-- One verified mailbox is one person, whatever its spelling, also after the account is deleted (C-81, TRUST-15).

create table private.secrets (
  name text primary key,
  value bytea not null
);
comment on table private.secrets is
  'Secret keys that the database generates: no API role can read them and no export contains them, so that keyed hashes are useless to '
  'whoever gets them alone. A backup of the whole database holds them, because without them codes and signing secrets could not be read.';

create function private.secret(p_name text) returns bytea
language plpgsql security definer set search_path = ''
as $$
declare
  v_value bytea;
begin
  select s.value into v_value from private.secrets s where s.name = p_name;
  if v_value is null then
    insert into private.secrets (name, value) values (p_name, extensions.gen_random_bytes(32)) on conflict (name) do nothing;
    select s.value into v_value from private.secrets s where s.name = p_name;
  end if;
  return v_value;
end $$;
comment on function private.secret(text) is 'The key (32 random bytes) of that name, created on first use.';

create function private.decode_label(p_label text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_code text := substr(p_label, 5);
  v_text text := coalesce(substring(v_code from '^(.*)-'), '');
  v_digits text := substring(v_code from '[^-]*$');
  v_digit integer;
  v_at integer := 1;
  v_letter integer := 128;
  v_bias integer := 72;
  v_index integer := 0;
  v_before integer;
  v_weight integer;
  v_base integer;
  v_threshold integer;
  v_delta integer;
begin
  if p_label !~ '^xn-{2}.' then
    return p_label;
  end if;
  while v_at <= length(v_digits) loop
    v_before := v_index;
    v_weight := 1;
    v_base := 36;
    loop
      v_digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(v_digits, v_at, 1)) - 1;
      if v_digit < 0 or v_at > length(v_digits) then
        return p_label;
      end if;
      v_at := v_at + 1;
      v_index := v_index + v_digit * v_weight;
      v_threshold := least(greatest(v_base - v_bias, 1), 26);
      exit when v_digit < v_threshold;
      v_weight := v_weight * (36 - v_threshold);
      v_base := v_base + 36;
    end loop;
    v_delta := (v_index - v_before) / case when v_before = 0 then 700 else 2 end;
    v_delta := v_delta + v_delta / (length(v_text) + 1);
    v_bias := 0;
    while v_delta > 455 loop
      v_delta := v_delta / 35;
      v_bias := v_bias + 36;
    end loop;
    v_bias := v_bias + 36 * v_delta / (v_delta + 38);
    v_letter := v_letter + v_index / (length(v_text) + 1);
    v_index := v_index % (length(v_text) + 1);
    v_text := overlay(v_text placing chr(v_letter) from v_index + 1 for 0);
    v_index := v_index + 1;
  end loop;
  -- What nobody can register under this name stays as it is.
  return case when v_text ~ '[^\x01-\x7f]' and v_text = lower(normalize(v_text, nfkc)) then v_text else p_label end;
exception
  when numeric_value_out_of_range or program_limit_exceeded or invalid_parameter_value then
    return p_label;
end $$;
comment on function private.decode_label(text) is
  'The letters that a label of a domain in Punycode (RFC 3492) stands for; any other label unchanged.';

create function private.normalize_domain(p_domain text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  -- Another full stop, and characters that a domain is looked up without (UTS 46).
  v_domain text := rtrim(regexp_replace(replace(p_domain, U&'\3002', '.'),
    U&'[\00ad\034f\180b-\180f\200b-\200d\2060\2064\fe00-\fe0f\feff]', '', 'g'), '.');
begin
  if v_domain ~ 'xn-{2}' then
    v_domain := (
      select string_agg(private.decode_label(l.label), '.' order by l.n) from string_to_table(v_domain, '.') with ordinality l (label, n));
  end if;
  return v_domain;
end $$;
comment on function private.normalize_domain(text) is
  'One spelling of a domain that is given in lower case and NFKC, whether in Punycode or in letters.';

create function private.normalize_mailbox(p_email text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_email text := lower(normalize(private.clean(p_email), nfkc));
  v_local text := regexp_replace(split_part(v_email, '@', 1), '(.)\+.*$', '\1');
  v_domain text := private.normalize_domain(split_part(v_email, '@', 2));
begin
  if not coalesce(private.is_email(v_email), false) then
    return null;
  end if;
  -- Whatever stands before the name of a mailbox reaches it: any@anna.fastmail.com.
  if v_domain ~ '^[^.]+\.(fastmail\.(com|fm|net|org|us|de|es|fr|nl|jp|co\.uk|com\.au)|runbox\.com)$' then
    v_local := split_part(v_domain, '.', 1);
    v_domain := substr(v_domain, length(v_local) + 2);
  end if;
  -- Aliases of one mail provider: the same local part belongs to the same person on all of them.
  v_domain := case
    when v_domain = 'googlemail.com' then 'gmail.com'
    when v_domain in ('protonmail.com', 'protonmail.ch', 'pm.me') then 'proton.me'
    when v_domain in ('me.com', 'mac.com') then 'icloud.com'
    when v_domain = 'ya.ru' or v_domain ~ '^yandex\.(com|by|kz|ua|uz|fr|com\.tr)$' then 'yandex.ru'
    else v_domain end;
  v_local := coalesce(nullif(case
    when v_domain = 'gmail.com' then replace(v_local, '.', '')
    when v_domain = 'proton.me' then translate(v_local, '.-_', '')
    when v_domain = 'yandex.ru' then replace(v_local, '-', '.')
    when v_domain ~ '^(yahoo\.|ymail\.com$|rocketmail\.com$)' then regexp_replace(v_local, '(.)-.*$', '\1')
    else v_local end, ''), v_local);
  return v_local || '@' || v_domain;
end $$;
comment on function private.normalize_mailbox(text) is
  'The mailbox behind an address: lower case, without a plus suffix (Yahoo: hyphen), without the characters that the provider ignores '
  '(dots at Gmail; dots, hyphens and underscores at Proton; Yandex treats hyphens as dots), without the name of a subdomain that the '
  'provider gives with each mailbox (Fastmail, Runbox), with one domain for a provider that has several and one spelling of a domain. Null '
  'for an invalid address.';

create function private.mailbox_key(p_email text) returns bytea
language plpgsql security definer set search_path = ''
as $$
begin
  return extensions.hmac(convert_to(private.normalize_mailbox(p_email), 'UTF8'), private.secret('mailbox'), 'sha256');
end $$;
comment on function private.mailbox_key(text) is
  'Keyed hash (HMAC-SHA256) of the mailbox behind an address; null for an invalid address. Without the key, addresses cannot be guessed '
  'from the hashes.';

create table private.known_mailboxes (
  user_id text not null,
  mailbox bytea not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, mailbox)
);
comment on table private.known_mailboxes is
  'Mailboxes that an account has had verified, as keyed hashes. Kept after the account is deleted, so that somebody who signs up again is '
  'recognised as the same person. What they received is in the ledger, the referrals and the plans.';
create index known_mailboxes_mailbox on private.known_mailboxes (mailbox, first_seen_at);

create function private.remember_mailbox(p_user_id text, p_email text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.known_mailboxes (user_id, mailbox)
  select p_user_id, k.mailbox from (select private.mailbox_key(p_email) as mailbox) k where k.mailbox is not null
  on conflict (user_id, mailbox) do nothing;
end $$;
comment on function private.remember_mailbox(text, text) is
  'Records a verified address of an account. Only for addresses that the identity provider vouches for.';

-- The length of an array changes the estimate, so that the query would be planned on every call.
create function private.accounts_of_person(p_user_id text) returns text[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  v_accounts text[] := array[p_user_id];
  v_more text[];
begin
  loop
    v_more := array(
      select distinct b.user_id from private.known_mailboxes a join private.known_mailboxes b on b.mailbox = a.mailbox
      where a.user_id = any (v_accounts) and b.user_id <> all (v_accounts));
    exit when v_more = '{}';
    v_accounts := v_accounts || v_more;
  end loop;
  return v_accounts;
end $$;
comment on function private.accounts_of_person(text) is
  'Every account, deleted ones included, that shares a mailbox with this one, directly or transitively; itself first.';

create function private.lock_person(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(m.key) from (
    select distinct hashtextextended(encode(k.mailbox, 'hex'), 0) as key from private.known_mailboxes k
    where k.user_id = any (private.accounts_of_person(p_user_id)) order by 1
  ) m;
end $$;
comment on function private.lock_person(text) is
  'Advisory lock on all accounts of one person: whatever is paid once per person is checked under it.';

create function private.is_first_account(p_user_id text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return not exists (
    select 1 from private.known_mailboxes k
    where k.user_id = any (private.accounts_of_person(p_user_id)) and k.user_id <> p_user_id
      and k.first_seen_at <= (select min(own.first_seen_at) from private.known_mailboxes own where own.user_id = p_user_id)
  );
end $$;
comment on function private.is_first_account(text) is 'Whether this is the person''s first account.';
