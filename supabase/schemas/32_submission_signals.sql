-- Detection of the signals behind flags. A new proof is compared with the indexed fingerprints of other people's proofs soon after
-- submission, and in any case before its points can be redeemed. Each rule is explained in docs/decisions/0026-flags.md.

-- Fingerprints --------------------------------------------------------------------------------------------------------

create table private.submission_fingerprints (
  key bigint not null,
  submission_id uuid not null,
  dhash bit(64),
  primary key (key, submission_id)
);
comment on table private.submission_fingerprints is
  'Hashes of a proof''s links, of its picture and of its text, by which later proofs are compared with it. None for a proof without '
  'content of its own. No foreign key, because its check would slow down every submission; readers join submissions.';
comment on column private.submission_fingerprints.dhash is 'The full difference hash, on rows with a quarter of it.';
create index submission_fingerprints_submission on private.submission_fingerprints (submission_id);

create function private.find_twin(p_submission public.submissions, p_key bigint) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
  return (
    select s.id from private.submission_fingerprints f join public.submissions s on s.id = f.submission_id
    where f.key = p_key and s.user_id <> p_submission.user_id
    order by (s.campaign_id = p_submission.campaign_id) desc, s.submitted_at, s.id limit 1
  );
end $$;
comment on function private.find_twin(public.submissions, bigint) is
  'Somebody else''s earliest submission with this fingerprint, preferably in the same quest; null when there is none.';

-- Pace ----------------------------------------------------------------------------------------------------------------

create function private.seconds_per_proof(p_submission_ids uuid[]) returns setof numeric
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
  select l.seconds from public.submissions s
  join public.campaigns c on c.id = s.campaign_id
  cross join lateral (
    select least(extract(epoch from s.submitted_at - coalesce(
      case when count(*) = 6 then min(o.submitted_at) end,
      (select p.created_at from public.user_profiles p where p.user_id = s.user_id)
    )) / least(count(*), 5), case when not exists (
      -- Published again: its tasks were known before.
      select 1 from public.submissions e where e.campaign_id = c.id and e.submitted_at < c.published_at
    ) then extract(epoch from s.submitted_at - c.published_at) end) as seconds
    from (
      select x.submitted_at from public.submissions x
      where x.user_id = s.user_id and x.submitted_at <= s.submitted_at order by x.submitted_at desc limit 6
    ) o
  ) l
  where s.id = any (p_submission_ids);
end $$;
comment on function private.seconds_per_proof(uuid[]) is
  'For each of these proofs, the upper bound of the average time that its member spent on each of their latest five: since the proof '
  'before them, the sign-up, or the publication of the last one''s quest, unless that is older than it. An average, because members may '
  'work on several quests in parallel and submit them together. Takes many at once: flagging a proof compares it with a hundred others.';

create function private.usual_seconds(p_campaign_id uuid, p_user_id text) returns numeric
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select case when count(l.seconds) >= 20 then percentile_cont(0.05) within group (order by l.seconds) end
    from private.seconds_per_proof(array(
      select s.id from public.submissions s
      where s.campaign_id = p_campaign_id and s.user_id <> p_user_id
        and not exists (
          select 1 from public.submission_flags f where f.submission_id = s.id and f.kind = 'too_fast' and f.dismissed_at is null
        )
      order by s.submitted_at desc limit 100
    )) l (seconds)
  );
end $$;
comment on function private.usual_seconds(uuid, text) is
  'The 5th percentile of the time that other members spent on the latest hundred unflagged proofs of a quest; null with fewer than twenty, '
  'which are too few to tell.';

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
comment on function private.referrers_of(text) is 'The member''s referrer, that one''s referrer, and so on, three levels up.';

create function private.relation_to_owner(p_user_id text, p_owner_id text, p_at timestamptz default now()) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when p_owner_id = any (private.referrers_of(p_user_id)) then 'referred_by_owner'
    when p_user_id = any (private.referrers_of(p_owner_id)) then 'referred_owner'
    when exists (
      select 1 from public.startup_profiles p
      join public.campaigns c on c.startup_id = p.id
      join public.submissions s on s.campaign_id = c.id and s.user_id = p_owner_id and s.status <> 'rejected' and s.submitted_at < p_at
      where p.owner_user_id = p_user_id
    ) then 'mutual_projects' end;
end $$;
comment on function private.relation_to_owner(text, text, timestamptz) is
  'How a member is related to the owner whose quest pays: by referral within three levels, or as owners who complete each other''s quests, '
  'judged by what the owner had submitted before p_at. A referral between two members alone is not suspicious.';

-- Scanning -----------------------------------------------------------------------------------------------------------

create function private.flag(p_submission public.submissions, p_kind text, p_evidence jsonb, p_twin uuid default null) returns void
language sql security definer set search_path = ''
as $$
  insert into public.submission_flags (submission_id, campaign_id, user_id, kind, evidence, twin_submission_id)
  values (p_submission.id, p_submission.campaign_id, p_submission.user_id, p_kind, p_evidence, p_twin)
  on conflict (submission_id, kind) do nothing
$$;
comment on function private.flag(public.submissions, text, jsonb, uuid) is 'Adds a flag unless there is one of its kind.';

create function private.flag_links(p_submission public.submissions, p_instructions text, p_website text) returns bigint[]
language plpgsql security definer set search_path = ''
as $$
declare
  v_keys bigint[] := '{}';
  v_link text;
  v_key bigint;
  v_twin uuid;
begin
  foreach v_link in array private.links_of(p_submission.proof_url, p_submission.proof_text) loop
    continue when private.is_asked_for(v_link, p_instructions, p_website);
    v_key := hashtextextended('link:' || v_link, 0);
    v_keys := v_keys || v_key;
    v_twin := private.find_twin(p_submission, v_key);
    if v_twin is not null then
      perform private.flag(p_submission, 'same_link', jsonb_build_object('link', v_link), v_twin);
    end if;
  end loop;
  return v_keys;
end $$;
comment on function private.flag_links(public.submissions, text, text) is
  'Flags a link that somebody else has submitted. Returns the fingerprints of the proof''s links.';

create function private.flag_text(p_submission public.submissions, p_instructions text) returns bigint[]
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  v_known text[];
  v_words text;
  v_keys bigint[];
  v_twin uuid;
  v_similarity real;
begin
  if length(p_submission.proof_text) < 30 then
    return '{}';
  end if;
  v_known := private.distinct_words(p_instructions);
  v_words := private.own_words(p_submission.proof_text, v_known);
  if length(v_words) < 30 then
    return '{}';
  end if;
  v_keys := private.text_keys(v_words, p_submission.campaign_id);
  select c.id, c.similarity into v_twin, v_similarity
  from (
    select s.id, extensions.similarity(private.own_words(s.proof_text, v_known), v_words) as similarity
    from (
      -- Comparing in full is what takes time: only with those that have the most fingerprints in common.
      select f.submission_id
      from private.submission_fingerprints f join public.submissions o on o.id = f.submission_id
      where f.key = any (v_keys) and o.user_id <> p_submission.user_id
      group by f.submission_id order by count(*) desc, f.submission_id limit 100
    ) n join public.submissions s on s.id = n.submission_id
  ) c where c.similarity > 0.8 order by c.similarity desc, c.id limit 1;
  if v_twin is not null then
    perform private.flag(p_submission, 'similar_text', jsonb_build_object('similarity', round(v_similarity::numeric, 2)), v_twin);
  end if;
  return v_keys;
end $$;
comment on function private.flag_text(public.submissions, text) is
  'Flags a text that is nearly the same as somebody else''s in this quest, ignoring words of the instructions and very short texts. '
  'Returns the text''s fingerprints.';

create function private.flag_picture(p_submission public.submissions, p_task public.tasks, p_dhash bit(64)) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  v_twin uuid;
  v_distance integer;
  v_others bigint;
  v_look_alikes uuid[];
  v_keys bigint[] := private.picture_keys(p_dhash, true);
begin
  select (array_agg(n.id order by n.is_same_quest desc, n.distance, n.id))[1], min(n.distance),
    count(*) filter (where n.task_id = p_task.id), array_agg(n.id) filter (where n.task_id = p_task.id)
  into v_twin, v_distance, v_others, v_look_alikes
  from (
    select distinct s.id, s.task_id, s.campaign_id = p_submission.campaign_id as is_same_quest,
      bit_count(f.dhash # p_dhash) as distance
    from private.submission_fingerprints f join public.submissions s on s.id = f.submission_id
    where f.key = any (v_keys) and bit_count(f.dhash # p_dhash) <= 6 and s.user_id <> p_submission.user_id
    limit 500
  ) n;
  if v_others >= 5 and v_others * 2 >= (
    select count(*) - 1 from public.submissions s
    where s.task_id = p_task.id and s.status <> 'rejected' and s.submitted_at <= p_submission.submitted_at
  ) then
    -- If most members send the same picture, it is the screen that the task asks for. Exact copies of a file stay flagged.
    update public.submission_flags f set dismissed_at = now(), dismissed_by = 'system',
      dismissal_reason = 'Most screenshots of this task look like this one'
    where f.submission_id = any (v_look_alikes) and f.twin_submission_id = any (v_look_alikes) and f.kind = 'similar_picture'
      and f.dismissed_at is null;
  elsif v_twin is not null then
    perform private.flag(p_submission, 'similar_picture', jsonb_build_object('distance', v_distance), v_twin);
  end if;
end $$;
comment on function private.flag_picture(public.submissions, public.tasks, bit) is
  'Flags a picture that looks like somebody else''s, unless half of the task''s pictures, from at least five members, look alike.';

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
    v_keys := array[hashtextextended('picture:' || v_sha256, 0)];
    v_twin := private.find_twin(p_submission, v_keys[1]);
    -- Nearly blank pictures, such as a button on an empty page, all look alike.
    v_dhash := case when bit_count(v_dhash) between 8 and 56 then v_dhash end;
    if v_twin is not null then
      perform private.flag(p_submission, 'same_picture', '{}', v_twin);
    elsif v_dhash is not null then
      perform private.flag_picture(p_submission, p_task, v_dhash);
    end if;
    insert into private.submission_fingerprints (key, submission_id, dhash)
    select k, p_submission.id, v_dhash from unnest(private.picture_keys(v_dhash, false)) k where v_dhash is not null;
  end if;
  v_keys := v_keys || private.flag_links(p_submission, p_instructions, p_website) || private.flag_text(p_submission, p_instructions);
  insert into private.submission_fingerprints (key, submission_id)
  select distinct k, p_submission.id from unnest(v_keys) k;
end $$;
comment on function private.flag_proof(public.submissions, public.tasks, text, text) is
  'Compares a proof with those of other people, flags matches, and stores its fingerprints.';

create function private.flag_relation(p_submission public.submissions, p_owner_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_accounts text[] := private.accounts_of_person(p_submission.user_id);
  v_relation text;
  v_twin uuid;
begin
  if p_owner_id = any (v_accounts) then
    v_relation := 'mailbox_of_owner';
  else
    select s.id into v_twin from public.submissions s
    where s.campaign_id = p_submission.campaign_id and s.user_id = any (v_accounts) and s.user_id <> p_submission.user_id
      and (s.submitted_at, s.id) < (p_submission.submitted_at, p_submission.id)
    order by s.submitted_at, s.id limit 1;
    v_relation := case when v_twin is not null then 'same_mailbox'
      else private.relation_to_owner(p_submission.user_id, p_owner_id, p_submission.submitted_at) end;
  end if;
  if v_relation is not null then
    perform private.flag(p_submission, 'related_account', jsonb_build_object('relation', v_relation), v_twin);
  end if;
end $$;
comment on function private.flag_relation(public.submissions, text) is
  'Flags a member who takes part in this quest with another account, or is related to the owner who pays.';

create function private.flag_member(p_submission public.submissions, p_owner_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := p_submission.user_id;
  v_email text := (select p.email from public.user_profiles p where p.user_id = v_user);
  v_domain text := substr(v_email, strpos(v_email, '@') + 1);
  v_parent text := substr(v_domain, strpos(v_domain, '.') + 1);
  v_kind text := (select d.kind from private.mailbox_domains d where d.domain in (v_domain, v_parent) limit 1);
begin
  -- A single statement handles the common case of a member without relations.
  if exists (
      select 1 from private.known_mailboxes k
      join private.known_mailboxes o on o.mailbox = k.mailbox and o.user_id <> k.user_id where k.user_id = v_user
    )
    or exists (select 1 from public.referrals r where r.referred_user_id in (v_user, p_owner_id))
    or exists (select 1 from public.startup_profiles s where s.owner_user_id = v_user)
  then
    perform private.flag_relation(p_submission, p_owner_id);
  end if;
  if v_kind = 'disposable' then
    perform private.flag(p_submission, 'disposable_mailbox', jsonb_build_object('domain', v_domain));
  elsif v_kind = 'forwarding' or strpos(v_email, '+') between 2 and strpos(v_email, '@') then
    perform private.flag(p_submission, 'aliased_mailbox', '{}');
  end if;
end $$;
comment on function private.flag_member(public.submissions, text) is
  'Flags relations to other members and addresses that hide an identity. The evidence contains no address.';

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
    -- Resubmitted after a rejection: the flags of the previous proof have been dealt with.
    delete from private.submission_fingerprints f where f.submission_id = p_submission.id;
    delete from public.submission_flags f where f.submission_id = p_submission.id;
  end if;
  perform private.flag_proof(p_submission, p_task,
    concat_ws(' ', p_task.title, p_task.instructions_md, p_campaign.title, p_campaign.summary, p_campaign.details_md), v_website);
  perform private.flag_member(p_submission, v_owner_id);

  select x into v_seconds from private.seconds_per_proof(array[p_submission.id]) x;
  if v_seconds < 10 then
    v_usual := private.usual_seconds(p_campaign.id, p_submission.user_id);
    if v_seconds < v_usual then
      perform private.flag(p_submission, 'too_fast',
        jsonb_build_object('seconds', round(v_seconds, 1), 'usual_seconds', round(v_usual, 1)));
    end if;
  end if;
end $$;
comment on function private.flag_submission(public.submissions, public.tasks, public.campaigns) is
  'Flags a new or resubmitted proof, without any effect on its status.';

-- When ----------------------------------------------------------------------------------------------------------------

create function private.scan_submission(p_submission_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_until bigint := (select max(u.position) from private.unscanned_submissions u where u.submission_id = p_submission_id);
  v_submission public.submissions;
  v_task public.tasks;
  v_campaign public.campaigns;
begin
  select s.* into v_submission from public.submissions s where s.id = p_submission_id;
  select t.* into v_task from public.tasks t where t.id = v_submission.task_id;
  select c.* into v_campaign from public.campaigns c where c.id = v_submission.campaign_id;
  if v_campaign.id is not null then
    perform private.flag_submission(v_submission, v_task, v_campaign);
  end if;
  -- Not what was submitted since this began.
  delete from private.unscanned_submissions u where u.submission_id = p_submission_id and u.position <= v_until;
exception when others then
  -- A failed scan counts as a flag, so that an admin sees it and the queue moves on.
  raise warning 'Submission % cannot be scanned: %', p_submission_id, sqlerrm;
  perform private.put_last('scan_submissions', p_submission_id);
end $$;
comment on function private.scan_submission(uuid) is 'Scans one submission and removes it from the queue.';

create function private.lock_scans() returns void
language plpgsql set search_path = ''
as $$ begin perform pg_advisory_xact_lock(hashtextextended('scan_submissions', 0)); end $$;
comment on function private.lock_scans() is
  'One session scans at a time, because each proof is compared with those before it. Comes before the lock of any row: whoever scans may '
  'be waiting for that row.';

create function private.scan_submissions(p_for interval default '2 seconds') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission_id uuid;
  v_start timestamptz;
begin
  if not exists (select 1 from private.unscanned_submissions) then
    return;
  end if;
  perform private.lock_scans();
  -- Not before: whoever has waited for another scan would have no time left.
  v_start := clock_timestamp();
  for v_submission_id in
    select u.submission_id from private.unscanned_submissions u
    left join private.failed_rows f on f.job = 'scan_submissions' and f.row_id = u.submission_id
    group by u.submission_id, f.failed_at order by f.failed_at nulls first, max(u.position)
  loop
    exit when clock_timestamp() > v_start + p_for;
    perform private.scan_submission(v_submission_id);
  end loop;
end $$;
comment on function private.scan_submissions(interval) is
  'Scans the queue for at most p_for (null: all of it): once a minute, and right away when a member with unscanned proofs redeems or '
  'submissions are about to be deleted. Must be called before any wallet is locked.';
