-- What flags are made of. A new proof is held against the fingerprints of other people's, by index and in the same transaction, so that
-- nothing can be redeemed before it was looked at. Each rule is explained in docs/decisions/0026.

-- Links ---------------------------------------------------------------------------------------------------------------

create function private.normalize_link(p_url text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_parts text[] := regexp_match(p_url, '^https?://([^/?#]+)([^?#]*)(\?[^#]*)?(#[/!].*)?', 'i');
  v_host text := regexp_replace(regexp_replace(lower(v_parts[1]), ':(80|443)$', ''), '^(www|m|mobile)\.(?=[^.]+\.)', '');
  v_path text := rtrim(v_parts[2], '/');
  v_query text;
begin
  -- At sites of posts the path names the post; elsewhere the query may.
  if v_parts[3] is not null
    and v_host not in ('x.com', 'twitter.com', 'instagram.com', 'tiktok.com', 'linkedin.com', 'reddit.com', 'medium.com') then
    select string_agg(q.part, '&' order by q.part) into v_query from regexp_split_to_table(substr(v_parts[3], 2), '&') q (part)
    where q.part <> ''
      and q.part !~* '^(utm_[a-z_]+|[a-z]{1,2}clid|msclkid|twclid|igshid|igsh|mc_[ce]id|ref_src|ref_url|si|feature|_g[al])(=|$)';
  end if;
  -- Sites with two names.
  if v_host in ('x.com', 'twitter.com') then
    v_host := 'x.com';
    v_path := regexp_replace(v_path, '/(photo|video)/\d+$', '');
  elsif v_host = 'youtu.be' then
    v_host := 'youtube.com';
    v_query := concat_ws('&', v_query, 'v=' || substr(v_path, 2));
    v_path := '/watch';
  end if;
  return v_host || v_path || coalesce('?' || v_query, '') || coalesce(v_parts[4], '');
end $$;
comment on function private.normalize_link(text) is
  'One spelling for links to one page: without scheme, www, default port, trailing slash, tracking parameters and fragment (but for those '
  'that name a page of an app, #/ and #!), parameters sorted. Null for what is no http(s) link.';

create function private.links_of(p_url text, p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  if p_text !~* 'https?://' then
    return array_remove(array[private.normalize_link(p_url)], null);
  end if;
  return array(
    select distinct private.normalize_link(l.link)
    from (
      select p_url union all select rtrim(m[1], '.,;:!?)]}*_') from regexp_matches(p_text, '(https?://[^\s<>"]+)', 'gi') m limit 6
    ) l (link)
    where private.normalize_link(l.link) is not null
  );
end $$;
comment on function private.links_of(text, text) is 'The links of a proof in one spelling: its address and the first five in its text.';

create function private.is_asked_for(p_link text, p_instructions text, p_website text) returns boolean
language plpgsql immutable set search_path = ''
as $$
declare
  v_site text := private.normalize_link(p_website);
  v_at integer := strpos(lower(p_instructions), lower(p_link));
begin
  return v_at > 0 and substr(p_instructions, v_at + length(p_link), 1) !~ '[[:alnum:]_-]'
    or p_link = v_site or starts_with(p_link, v_site || '/') or starts_with(p_link, v_site || '?')
    or strpos(v_site, '/') = 0 and right(split_part(p_link, '/', 1), length(v_site) + 1) = '.' || v_site;
end $$;
comment on function private.is_asked_for(text, text, text) is
  'Whether a link says nothing about who found it: the instructions name it, or it leads to the project''s own site. Null is no.';

-- Texts ---------------------------------------------------------------------------------------------------------------

create function private.own_words(p_text text, p_instructions text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return array_to_string(tsvector_to_array(ts_delete(
    to_tsvector('pg_catalog.simple', p_text), tsvector_to_array(to_tsvector('pg_catalog.simple', p_instructions)))), ' ');
end $$;
comment on function private.own_words(text, text) is
  'The words of a text that are not in the instructions: who repeats what the quest says has copied nobody. Each once and without order, '
  'which trigrams do not see anyway.';

create function private.text_keys(p_words text, p_campaign_id uuid) returns bigint[]
language plpgsql immutable set search_path = ''
as $$
declare
  v_seed bigint := hashtextextended(p_campaign_id::text, 0);
begin
  return array(
    select distinct hashtextextended(t, v_seed) as hash from unnest(extensions.show_trgm(p_words)) t order by hash limit 4
  );
end $$;
comment on function private.text_keys(text, uuid) is
  'The four lowest hashes of a text''s trigrams. Of two texts that share four fifths of them, one of the four is the same in 998 of 1,000 '
  'cases, so an index finds what may be similar. The quest is in the hash: only its own texts meet.';

-- Pictures ------------------------------------------------------------------------------------------------------------

create function private.picture_keys(p_dhash bit(64), p_is_near boolean) returns bigint[]
language sql immutable set search_path = ''
as $$
  select array_agg((q::bigint << 16) | (p_dhash::bigint >> (16 * q) & 65535) # case when i >= 0 then 1::bigint << i else 0 end)
  from generate_series(0, 3) q, generate_series(-1, case when p_is_near then 15 else -1 end) i
$$;
comment on function private.picture_keys(bit, boolean) is
  'The four quarters of a picture''s hash, each with its number; p_is_near: also each quarter with one bit changed. Of two pictures that '
  'differ in at most seven bits, one quarter differs in at most one, so an index finds all that are near.';

-- Fingerprints --------------------------------------------------------------------------------------------------------

create table private.submission_fingerprints (
  submission_id uuid primary key references public.submissions (id) on delete cascade,
  keys bigint[] not null,
  dhash bit(64)
);
comment on table private.submission_fingerprints is
  'By what other people''s proofs find this one: hashes of its links, of its picture and of parts of its text. None for a proof in which '
  'nothing is somebody''s own.';
comment on column private.submission_fingerprints.dhash is 'Of its picture (private.verified_uploads), unless that is nearly empty.';
-- Without a list of pending entries, which each search would have to read.
create index submission_fingerprints_keys on private.submission_fingerprints using gin (keys) with (fastupdate = off);

create function private.find_twin(p_submission public.submissions, p_key bigint) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two members who submit the same at once, the second waits here and then sees the first.
  perform pg_advisory_xact_lock(p_key);
  return (
    select s.id from private.submission_fingerprints f join public.submissions s on s.id = f.submission_id
    where f.keys && array[p_key] and s.user_id <> p_submission.user_id
    order by (s.campaign_id = p_submission.campaign_id) desc, s.submitted_at, s.id limit 1
  );
end $$;
comment on function private.find_twin(public.submissions, bigint) is
  'Somebody else''s earliest submission with this fingerprint, in the same quest if there is one; null when there is none.';

-- Pace ----------------------------------------------------------------------------------------------------------------

create function private.seconds_per_proof(p_user_id text, p_until timestamptz, p_published_at timestamptz) returns numeric
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_times timestamptz[] := array(
    select s.submitted_at from public.submissions s where s.user_id = p_user_id and s.submitted_at <= p_until
    order by s.submitted_at desc limit 6);
  v_count integer := least(cardinality(v_times), 5);
  v_since timestamptz := coalesce(v_times[6], (select p.created_at from public.user_profiles p where p.user_id = p_user_id));
begin
  return least(extract(epoch from p_until - v_since) / nullif(v_count, 0), extract(epoch from p_until - p_published_at));
end $$;
comment on function private.seconds_per_proof(text, timestamptz, timestamptz) is
  'The most time that a member can have spent on each of their latest five proofs: since the one before, the sign-up, or for the last of '
  'them since its quest was published. An average, because who opens five quests in tabs hands them in together.';

create function private.usual_seconds(p_campaign public.campaigns, p_user_id text) returns numeric
language sql stable security definer set search_path = ''
as $$
  select case when count(*) >= 20 then percentile_cont(0.05) within group (order by l.seconds) end
  from (
    select private.seconds_per_proof(s.user_id, s.submitted_at, p_campaign.published_at) as seconds
    from public.submissions s
    where s.campaign_id = p_campaign.id and s.user_id <> p_user_id
      and not exists (
        select 1 from public.submission_flags f where f.submission_id = s.id and f.kind = 'too_fast' and f.dismissed_at is null
      )
    order by s.submitted_at desc limit 100
  ) l
$$;
comment on function private.usual_seconds(public.campaigns, text) is
  'What only one in twenty of other members'' latest hundred proofs of a quest was faster than, flagged ones apart; null below twenty, '
  'which say nothing.';

-- Accounts ------------------------------------------------------------------------------------------------------------

create function private.referrers_of(p_user_id text) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_chain text[] := '{}';
  v_user text := p_user_id;
begin
  for i in 1..3 loop
    select r.referrer_user_id into v_user from public.referrals r where r.referred_user_id = v_user;
    exit when v_user is null;
    v_chain := v_chain || v_user;
  end loop;
  return v_chain;
end $$;
comment on function private.referrers_of(text) is 'Who brought a member, who brought that one, and the one before.';

create function private.relation_to_owner(p_user_id text, p_owner_id text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when p_owner_id = any (private.referrers_of(p_user_id)) then 'referred_by_owner'
    when p_user_id = any (private.referrers_of(p_owner_id)) then 'referred_owner'
    when exists (
      select 1 from public.startup_profiles p
      join public.campaigns c on c.startup_id = p.id
      join public.submissions s on s.campaign_id = c.id and s.user_id = p_owner_id and s.status <> 'rejected'
      where p.owner_user_id = p_user_id
    ) then 'mutual_projects' end;
end $$;
comment on function private.relation_to_owner(text, text) is
  'What ties a member to the owner whose quest pays: invited, at up to three removes, or owners who complete each other''s quests. That '
  'members invited each other is no reason to suspect their proofs.';

-- All of it -----------------------------------------------------------------------------------------------------------

create function private.flag(p_submission public.submissions, p_kind text, p_evidence jsonb, p_twin uuid default null) returns void
language sql security definer set search_path = ''
as $$
  insert into public.submission_flags (submission_id, campaign_id, user_id, kind, evidence, twin_submission_id)
  values (p_submission.id, p_submission.campaign_id, p_submission.user_id, p_kind, p_evidence, p_twin)
  on conflict (submission_id, kind) do nothing
$$;
comment on function private.flag(public.submissions, text, jsonb, uuid) is 'Adds a flag; the first of a kind stays.';

create function private.flag_links(p_submission public.submissions, p_instructions text, p_website text) returns bigint[]
language plpgsql security definer set search_path = ''
as $$
declare
  v_keys bigint[] := '{}';
  v_link text;
  v_twin uuid;
begin
  for v_link in
    select l from unnest(private.links_of(p_submission.proof_url, p_submission.proof_text)) l
    where private.is_asked_for(l, p_instructions, p_website) is not true order by l
  loop
    v_keys := v_keys || hashtextextended('link:' || v_link, 0);
    v_twin := private.find_twin(p_submission, hashtextextended('link:' || v_link, 0));
    if v_twin is not null then
      perform private.flag(p_submission, 'same_link', jsonb_build_object('link', v_link), v_twin);
    end if;
  end loop;
  return v_keys;
end $$;
comment on function private.flag_links(public.submissions, text, text) is
  'Flags a link that somebody else has submitted. Returns the fingerprints of the proof''s links.';

create function private.flag_text(p_submission public.submissions, p_instructions text) returns bigint[]
language plpgsql security definer set search_path = ''
as $$
declare
  v_words text;
  v_keys bigint[];
  v_twin uuid;
  v_similarity real;
begin
  if length(p_submission.proof_text) < 30 then
    return '{}';
  end if;
  v_words := private.own_words(p_submission.proof_text, p_instructions);
  if length(v_words) < 30 then
    return '{}';
  end if;
  v_keys := private.text_keys(v_words, p_submission.campaign_id);
  select c.id, c.similarity into v_twin, v_similarity
  from (
    select s.id, extensions.similarity(private.own_words(s.proof_text, p_instructions), v_words) as similarity
    from private.submission_fingerprints f join public.submissions s on s.id = f.submission_id
    where f.keys && v_keys and s.campaign_id = p_submission.campaign_id and s.user_id <> p_submission.user_id and s.proof_text is not null
    limit 100
  ) c where c.similarity > 0.8 order by c.similarity desc, c.id limit 1;
  if v_twin is not null then
    perform private.flag(p_submission, 'similar_text', jsonb_build_object('similarity', round(v_similarity::numeric, 2)), v_twin);
  end if;
  return v_keys;
end $$;
comment on function private.flag_text(public.submissions, text) is
  'Flags a text that says with nearly the same words what somebody else wrote in this quest; words of the instructions and texts of a few '
  'words do not count. Returns the text''s fingerprints.';

create function private.flag_picture(p_submission public.submissions, p_task public.tasks, p_dhash bit(64)) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_twin uuid;
  v_distance integer;
  v_others bigint;
  v_look_alikes uuid[];
begin
  select (array_agg(n.id order by n.is_same_quest desc, n.distance, n.id))[1], min(n.distance),
    count(distinct n.user_id) filter (where n.task_id = p_task.id), array_agg(n.id) filter (where n.task_id = p_task.id)
  into v_twin, v_distance, v_others, v_look_alikes
  from (
    select s.id, s.user_id, s.task_id, s.campaign_id = p_submission.campaign_id as is_same_quest, bit_count(f.dhash # p_dhash) as distance
    from private.submission_fingerprints f join public.submissions s on s.id = f.submission_id
    where f.keys && private.picture_keys(p_dhash, true) and bit_count(f.dhash # p_dhash) <= 6 and s.user_id <> p_submission.user_id
    limit 500
  ) n;
  if v_others >= 5 and v_others * 2 >= p_task.approved_count + p_task.pending_count - 1 then
    -- What most members photograph is the screen that the task asks for. Copies of the very file stay flagged.
    update public.submission_flags f set dismissed_at = now(), dismissed_by = 'system',
      dismissal_reason = 'Most screenshots of this task look like this one'
    where f.submission_id = any (v_look_alikes) and f.twin_submission_id = any (v_look_alikes) and f.kind = 'similar_picture'
      and f.dismissed_at is null;
  elsif v_twin is not null then
    perform private.flag(p_submission, 'similar_picture', jsonb_build_object('distance', v_distance), v_twin);
  end if;
end $$;
comment on function private.flag_picture(public.submissions, public.tasks, bit) is
  'Flags a picture that looks like one of somebody else, unless half of the task''s pictures do, and those of at least five members.';

create function private.flag_proof(p_submission public.submissions, p_task public.tasks, p_instructions text, p_website text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_keys bigint[] := '{}';
  v_sha256 text;
  v_dhash bit(64);
  v_twin uuid;
begin
  if p_submission.proof_url like 'proofs/%' then
    select v.sha256, v.dhash into v_sha256, v_dhash from private.verified_uploads v
    where v.bucket = 'proofs' and v.path = substr(p_submission.proof_url, 8);
    v_keys := array_remove(array[hashtextextended('picture:' || v_sha256, 0)], null);
    v_twin := private.find_twin(p_submission, v_keys[1]);
    -- A nearly empty picture, a button on a blank page, is like every other.
    v_dhash := case when bit_count(v_dhash) between 8 and 56 then v_dhash end;
    if v_twin is not null then
      perform private.flag(p_submission, 'same_picture', '{}', v_twin);
    elsif v_dhash is not null then
      perform private.flag_picture(p_submission, p_task, v_dhash);
    end if;
    v_keys := v_keys || coalesce(private.picture_keys(v_dhash, false), '{}');
  end if;
  v_keys := v_keys || private.flag_links(p_submission, p_instructions, p_website) || private.flag_text(p_submission, p_instructions);
  if v_keys <> '{}' then
    insert into private.submission_fingerprints (submission_id, keys, dhash) values (p_submission.id, v_keys, v_dhash);
  end if;
end $$;
comment on function private.flag_proof(public.submissions, public.tasks, text, text) is
  'Holds a proof against those of other people, flags what is found, and keeps its fingerprints.';

create function private.flag_member(p_submission public.submissions, p_owner_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_accounts text[] := private.accounts_of_person(p_submission.user_id);
  v_relation text;
  v_twin uuid;
  v_email text;
  v_domain text;
  v_kind text;
begin
  if cardinality(v_accounts) > 1 then
    select s.id into v_twin from public.submissions s
    where s.campaign_id = p_submission.campaign_id and s.user_id = any (v_accounts) and s.user_id <> p_submission.user_id
    order by s.submitted_at, s.id limit 1;
  end if;
  v_relation := case when p_owner_id = any (v_accounts) then 'mailbox_of_owner' when v_twin is not null then 'same_mailbox'
    else private.relation_to_owner(p_submission.user_id, p_owner_id) end;
  if v_relation is not null then
    perform private.flag(p_submission, 'related_account', jsonb_build_object('relation', v_relation), v_twin);
  end if;

  select p.email into v_email from public.user_profiles p where p.user_id = p_submission.user_id;
  v_domain := split_part(v_email, '@', 2);
  select d.kind into v_kind from private.mailbox_domains d where d.domain in (v_domain, substr(v_domain, strpos(v_domain, '.') + 1));
  if v_kind = 'disposable' then
    perform private.flag(p_submission, 'disposable_mailbox', jsonb_build_object('domain', v_domain));
  elsif v_kind = 'forwarding' or v_email ~ '^[^@]+\+[^@]*@' then
    perform private.flag(p_submission, 'aliased_mailbox', '{}');
  end if;
end $$;
comment on function private.flag_member(public.submissions, text) is
  'Flags what ties the member to others or hides who they are. The evidence shows no address.';

create function private.flag_submission(p_submission public.submissions, p_task public.tasks, p_campaign public.campaigns) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner_id text;
  v_website text;
  v_seconds numeric;
  v_usual numeric;
begin
  select p.owner_user_id, p.website into v_owner_id, v_website from public.startup_profiles p where p.id = p_campaign.startup_id;
  if p_submission.submitted_at > p_submission.created_at then
    -- Submitted again after a rejection: what was wrong about the last proof is decided.
    delete from private.submission_fingerprints f where f.submission_id = p_submission.id;
    delete from public.submission_flags f where f.submission_id = p_submission.id;
  end if;
  perform private.flag_proof(p_submission, p_task,
    concat_ws(' ', p_task.title, p_task.instructions_md, p_campaign.title, p_campaign.summary, p_campaign.details_md), v_website);
  perform private.flag_member(p_submission, v_owner_id);

  v_seconds := private.seconds_per_proof(p_submission.user_id, p_submission.submitted_at, p_campaign.published_at);
  if v_seconds < 10 then
    v_usual := private.usual_seconds(p_campaign, p_submission.user_id);
    if v_seconds < v_usual then
      perform private.flag(p_submission, 'too_fast',
        jsonb_build_object('seconds', round(v_seconds, 1), 'usual_seconds', round(v_usual, 1)));
    end if;
  end if;
end $$;
comment on function private.flag_submission(public.submissions, public.tasks, public.campaigns) is
  'Flags a new submission, or one submitted again. Decides nothing: the proof is taken as it would be without.';
