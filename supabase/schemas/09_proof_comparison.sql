-- Normal forms by which proofs are compared: links, words, pictures. Used by the flags in 32_submission_signals.

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
  -- On social networks the path identifies the post; elsewhere the query string may.
  if v_host not in ('x.com', 'twitter.com', 'instagram.com', 'tiktok.com', 'linkedin.com', 'reddit.com', 'medium.com') then
    -- Kept in keys, so the order must outlive an update of the database's collations.
    select string_agg(q.part, '&' order by q.part collate "C") into v_query
    from regexp_split_to_table(substr(v_parts[3], 2), '&') q (part)
    where q.part <> ''
      and q.part !~* '^(utm_[a-z_]+|[a-z]{1,2}clid|msclkid|twclid|igshid|igsh|mc_[ce]id|ref_src|ref_url|si|feature|_g[al])(=|$)';
  end if;
  -- Sites with two domains.
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
  'Normal form of a link: without scheme, www, default port, trailing slash, tracking parameters and fragment (except the #/ and #! of '
  'single-page apps), parameters sorted. Null for anything but an http(s) link.';

create function private.links_of(p_url text, p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  if coalesce(p_text, '') !~* 'https?://' then
    return array_remove(array[private.normalize_link(p_url)], null);
  end if;
  return array(
    select distinct private.normalize_link(l.link)
    from (
      select p_url union all select rtrim(m[1], '.,;:!?)]}*_') from regexp_matches(p_text, '(https?://[^\s<>"]+)', 'gi') m limit 6
    ) l (link)
    where private.normalize_link(l.link) is not null
    order by 1
  );
end $$;
comment on function private.links_of(text, text) is 'The normalised links of a proof, sorted: its URL and the first five in its text.';

create function private.is_asked_for(p_link text, p_instructions text, p_website text) returns boolean
language plpgsql immutable set search_path = ''
as $$
declare
  v_site text := private.normalize_link(p_website);
  -- Lower case may have more letters.
  v_instructions text := lower(p_instructions);
  v_link text := lower(p_link);
  v_at integer := strpos(v_instructions, v_link);
begin
  return v_at > 0 and substr(v_instructions, v_at + length(v_link), 1) !~ '[[:alnum:]_-]'
    or p_link = v_site or starts_with(p_link, v_site || '/') or starts_with(p_link, v_site || '?')
    or right(split_part(p_link, '/', 1), length(v_site) + 1) = '.' || v_site;
end $$;
comment on function private.is_asked_for(text, text, text) is
  'Whether everybody is expected to submit this link: the instructions contain it, or it leads to the project''s own site. Null: no.';

-- Texts ---------------------------------------------------------------------------------------------------------------

create function private.distinct_words(p_text text) returns text[]
language plpgsql immutable set search_path = ''
as $$ begin return tsvector_to_array(to_tsvector('pg_catalog.simple', p_text)); end $$;
comment on function private.distinct_words(text) is 'The words of a text, each once.';

create function private.own_words(p_text text, p_known_words text[]) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return array_to_string(tsvector_to_array(ts_delete(to_tsvector('pg_catalog.simple', p_text), p_known_words)), ' ');
end $$;
comment on function private.own_words(text, text[]) is
  'The words of a text that are not in the instructions, because repeating those is not copying from another member. Distinct and '
  'unordered, since trigrams ignore both.';

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
  'The four lowest hashes of a text''s trigrams. Two texts that share four fifths of their trigrams have one of the four in common in 998 '
  'of 1,000 cases, so an index finds candidates. The quest is part of the hash: only texts of the same quest match.';

-- Pictures ------------------------------------------------------------------------------------------------------------

create function private.picture_keys(p_dhash bit(64), p_is_near boolean) returns bigint[]
language sql immutable set search_path = ''
as $$
  select array_agg((q::bigint << 16) | (p_dhash::bigint >> (16 * q) & 65535) # case when i >= 0 then 1::bigint << i else 0 end)
  from generate_series(0, 3) q, generate_series(-1, case when p_is_near then 15 else -1 end) i
$$;
comment on function private.picture_keys(bit, boolean) is
  'The four quarters of a picture''s difference hash, each tagged with its position; p_is_near adds each quarter with one bit flipped. Two '
  'hashes at a distance of at most seven bits have a quarter that differs in at most one, so an index finds every near match.';
