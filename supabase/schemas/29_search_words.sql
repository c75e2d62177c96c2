-- Search: turns typed words into a full-text query that tolerates one typo per word (BEY-18).

create function private.words_of(p_text text) returns text[]
language sql immutable set search_path = ''
as $$
  select coalesce(array_agg(w.word order by w.n), '{}')
  from string_to_table(regexp_replace(lower(p_text), '[^[:alnum:]_]+', ' ', 'g'), ' ') with ordinality w (word, n)
  where length(w.word) between 1 and 60
$$;
comment on function private.words_of(text) is
  'The words of a text in order, in lower case: letters, digits and underscores, at most 60 characters.';

create function private.weighted_words(p_text text, p_weight text) returns tsvector
language sql immutable set search_path = ''
as $$
  -- Words contain nothing that needs quoting.
  select coalesce(string_agg(format('%s:%s%s', w.word, least(w.n, 16383), p_weight), ' '), '')::tsvector
  from unnest(private.words_of(p_text)) with ordinality w (word, n)
$$;
comment on function private.weighted_words(text, text) is
  'The words of a text as a tsvector with one weight. No stemming, because quests are written in any language.';

create function private.deletions(p_word text) returns text[]
language sql immutable set search_path = ''
as $$
  -- The dictionary's collation knows only the letters of ASCII.
  select case when p_word collate "default" ~ '^[[:alpha:]]{3,30}$' then (
    select array_agg(distinct overlay(p_word placing '' from i for 1)) || p_word from generate_series(1, length(p_word)) i
  ) else '{}' end
$$;
comment on function private.deletions(text) is
  'The word and all its variants with one letter deleted (symmetric delete). Two words that share a variant differ by one typo: a letter '
  'that is missing, added, wrong or transposed. Empty for words with fewer than 3 or more than 30 letters, or with a digit, which are '
  'matched as typed.';

create table private.search_words (
  word text collate "C" primary key,
  deletions text[] not null generated always as (private.deletions(word)) stored
);
comment on table private.search_words is
  'Dictionary for typo tolerance: every word that a published quest has. A word that no quest has any more finds nothing, and retention '
  'removes it.';
create index search_words_parts on private.search_words using gin (word extensions.gin_trgm_ops) with (fastupdate = off);
create index search_words_typos on private.search_words using gin (deletions) with (fastupdate = off);

create function private.add_search_words(p_words text[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_new text[];
begin
  if p_words is null then
    return;
  end if;
  -- Waits for a clean-up that is removing words, and sees what it has left: it could not see the quest that has them now.
  perform pg_advisory_xact_lock_shared(hashtextextended('left_words', 0));
  v_new := array(
    select w.word from unnest(p_words) w (word) where not exists (select 1 from private.search_words k where k.word = w.word));
  if cardinality(v_new) > 0 then
    -- Serialised: two publications that insert the same words in a different order would deadlock.
    perform pg_advisory_xact_lock(hashtextextended('search_words', 0));
    insert into private.search_words (word) select w.word from unnest(v_new) w (word) on conflict (word) do nothing;
  end if;
end $$;
comment on function private.add_search_words(text[]) is 'Adds words that are not in the dictionary yet.';

create table private.left_words (
  id bigint primary key generated always as identity,
  words text[] not null
);
comment on table private.left_words is
  'Words that quests have lost, a row for each change: the clean-up looks for them in all other quests.';

create function private.note_left_words() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_words text[] := array(select unnest(tsvector_to_array(old.document)) except select unnest(tsvector_to_array(new.document)));
begin
  if cardinality(v_words) > 0 then
    insert into private.left_words (words) values (v_words);
  end if;
  return null;
end $$;
comment on function private.note_left_words() is 'Trigger: notes the words that a quest''s document has lost, all of them when it is gone.';

create function private.expand_word(p_word text) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Expands to whole words instead of a prefix query, for which the index would first collect every match of the prefix.
  v_words text[] := array(
    select w.word from private.search_words w where w.word >= p_word and w.word < p_word || chr(1114111)
    order by length(w.word), w.word limit 20);
  v_variants text[];
begin
  if cardinality(v_words) = 0 and length(p_word) >= 3 then
    -- In a variable, or the planner computes them several times and the plan may do so for each word.
    v_variants := private.deletions(p_word);
    v_words := array(
      select w.word from private.search_words w where w.word like '%' || replace(p_word, '_', '\_') || '%'
      order by length(w.word), w.word limit 20
    ) || array(
      select w.word from private.search_words w where w.deletions && v_variants
      order by extensions.similarity(w.word, p_word) desc, w.word limit 20);
  end if;
  return case when cardinality(v_words) = 0 then p_word else '(' || array_to_string(v_words, ' | ') || ')' end;
end $$;
comment on function private.expand_word(text) is
  'Expansion of a typed word for the full-text query: words that start with it, shortest first; if there are none, words that contain it '
  'and words that differ by one typo. At most twenty of each.';

create function private.searched_words(p_search text) returns text[]
language plpgsql immutable set search_path = ''
as $$ begin return array(select distinct w.word from unnest(private.words_of(p_search)) w (word) limit 10); end $$;
comment on function private.searched_words(text) is 'The words of a search text, at most ten.';

create function private.search_terms(p_search text) returns tsquery[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.validate_search(p_search) is null then
    return null;
  end if;
  return coalesce(
    (select array_agg(private.expand_word(w.word)::tsquery) from unnest(private.searched_words(p_search)) w (word)),
    -- A search without letters or digits finds nothing, because no word is a dot.
    array[$query$'.'$query$::tsquery]);
end $$;
comment on function private.search_terms(text) is
  'Expansions of the words of a search text, all of which a quest must match; null for a blank search. Errors: SEARCH_TOO_LONG.';

create function private.all_terms(p_terms tsquery[]) returns tsquery
language plpgsql immutable set search_path = ''
as $$ begin return (select string_agg(format('(%s)', t.term), ' & ')::tsquery from unnest(p_terms) t (term)); end $$;
comment on function private.all_terms(tsquery[]) is 'Full-text query for all of the terms.';

create function private.typed_query(p_search text) returns tsquery
language plpgsql immutable set search_path = ''
as $$ begin return (select string_agg(w.word, ' | ')::tsquery from unnest(private.searched_words(p_search)) w (word)); end $$;
comment on function private.typed_query(text) is
  'Full-text query for any of the words of a search exactly as they were typed; null if there are none.';

create function private.search_rank(p_terms tsquery[], p_terms_parameter text, p_typed_parameter text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- ts_rank divides by the number of words in the query, so a term of many words would count less. The square root keeps a word that
  -- stands everywhere from outweighing one that is missing from the title.
  return (
    select format('(%s + coalesce(ts_rank(q.document, %s), 0) / 10)::real',
      string_agg(format('sqrt(%s * ts_rank(q.document, %s[%s]))', (numnode(t.term) + 1) / 2, p_terms_parameter, t.n), ' + '),
      p_typed_parameter)
    from unnest(p_terms) with ordinality t (term, n));
end $$;
comment on function private.search_rank(tsquery[], text, text) is
  'SQL expression for the rank of a quest q: each term counts by itself, and words exactly as typed a little more, so that prefix and typo '
  'matches come later. The parameters with the terms (tsquery[]) and the typed words (tsquery) are named, for example "$2". Written out '
  'because a function call per quest costs more than the ranking.';
