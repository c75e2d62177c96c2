-- Where the law or a platform forbids rewards for reviews, votes, posts or follows (BEY-15). The rules advise and block nothing.

create table private.incentive_rules (
  id text primary key check (id ~ '^[a-z0-9-]+$'),
  place text not null,
  rule text not null,
  source_url text not null check (source_url like 'https://%'),
  source_date date not null,
  alternative_title text not null,
  alternative text not null,
  is_forbidden boolean not null,
  place_pattern text,
  action_pattern text not null
);
comment on table private.incentive_rules is 'What may not be rewarded on which platform, with the source. Changed by migrations only.';
comment on column private.incentive_rules.place is 'Common name of the platform, such as Trustpilot.';
comment on column private.incentive_rules.rule is 'The rule in one sentence, for founders.';
comment on column private.incentive_rules.source_date is 'Date of the source, or when it was last consulted.';
comment on column private.incentive_rules.alternative_title is 'Title of a permitted alternative task.';
comment on column private.incentive_rules.alternative is 'Instructions of the alternative task.';
comment on column private.incentive_rules.is_forbidden is 'False: allowed with the disclosure that every rule here requires.';
comment on column private.incentive_rules.place_pattern is 'Regular expression over the lowercase text; null: any place.';
comment on column private.incentive_rules.action_pattern is 'Regular expression over the lowercase text: what is asked for.';

create function private.asks_to(p_verbs text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- A request starts a sentence or follows one of these words; "our review" and "the pinned post" request nothing.
  return '(?:^|[.!?:;,\n]\s*|\m(?:and|or|then|to|please|kindly|just|also|must|should|can|could|them|friends)\s+)(?:' || p_verbs || ')\M';
end $$;
comment on function private.asks_to(text) is 'Regular expression for a text that requests one of these verbs, separated by |.';

insert into private.incentive_rules
  (id, place, rule, source_url, source_date, alternative_title, alternative, is_forbidden, place_pattern, action_pattern)
select r.id, r.place, r.rule, r.source_url, r.source_date, r.alternative_title, r.alternative, r.is_forbidden, r.place_pattern, case r.kind
    when 'engagement' then private.asks_to(
      'follow(?! (?:the|these|this|our|each|all) (?:guide|step|link|instruction|tutorial|rule)s?)|(?:re)?tweet|re-?post|quote|like|reply|'
      || 'mention|tag|(?:make|write|publish|share|post)(?! (?:it|your (?:result|answer)|a (?:screenshot|picture) of) )(?! .{0,30}\mhere\M)')
    when 'vote' then private.asks_to('up-?vote|vote|hunt|support us')
    when 'star' then private.asks_to('star|(?:give|leave|add|drop)\M.{0,40}\mstars?')
    when 'sentiment' then
      '\m(?:positive|good|great|glowing|favou?rable|nice|negative|bad)\M[^.!?]{0,30}\m(?:review|rating|testimonial|comment)s?\M'
      || '|\m(?:give|leave|rate|add|drop)\M[^.!?]{0,30}\m(?:5|five)[ -]?stars?\M'
      || '|\m(?:5|five)[ -]?stars?[ -](?:review|rating)s?\M|\mpraise\M|\mglowing\M'
    when 'endorsement' then private.asks_to('share|tweet|blog|endorse|recommend|review|write about|post about|talk about')
      || '|\m(?:write|make|publish|record|post|leave|give)\M[^.!?]{0,40}\m(?:review|testimonial|post|thread|article|video|unboxing)s?\M'
    when 'review' then private.asks_to('rate|review')
      || '|\m(?:write|leave|post|publish|give|add|drop)\M[^!?]{0,60}\m(?:review|rating|testimonial|lines)\M'
  end
from (values
  ('x', 'X',
    'X does not allow apps that reward people for posts, replies, likes or follows, since January 2026.',
    'https://developer.x.com/en/developer-terms/policy', date '2026-01-15',
    'Look at our profile on X', 'Open our profile on X and tell us here which topic you would like to read more about.',
    true, '\mtwitter\M|\mx\.com\M|\mon x\M|\mx (?:account|profile|handle)\M|\m(?:re)?tweet(?:s|ed|ing)?\M', 'engagement'),
  ('trustpilot', 'Trustpilot',
    'Trustpilot allows no incentive of any kind for a review.',
    'https://support.trustpilot.com/hc/en-us/articles/235472148', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, 'trustpilot', 'review'),
  ('google', 'Google reviews',
    'Google removes reviews of places that were written for a reward.',
    'https://support.google.com/contributionpolicy/answer/7400114', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, '\mgoogle (?:maps?|reviews?|business)\M|\mon google\M|\mg\.page\M|maps\.app\.goo\.gl|google\.[a-z.]+/maps', 'review'),
  ('google-play', 'Google Play',
    'Google Play forbids incentives for ratings and reviews of an app.',
    'https://support.google.com/googleplay/android-developer/answer/9898684', date '2026-11-22',
    'Try our app', 'Use the app for ten minutes and tell us here what you would change first.',
    true, '\m(?:google )?play ?store\M|\mgoogle play\M|play\.google\.com', 'review'),
  ('app-store', 'App Store',
    'Apple forbids incentives for ratings and reviews of an app.',
    'https://developer.apple.com/app-store/review/guidelines/', date '2026-11-22',
    'Try our app', 'Use the app for ten minutes and tell us here what you would change first.',
    true, '\mapp ?store\M|apps\.apple\.com', 'review'),
  ('product-hunt', 'Product Hunt',
    'Product Hunt does not accept rewarded upvotes and may remove the product.',
    'https://help.producthunt.com/en/articles/3615694-community-guidelines', date '2026-11-22',
    'Read our page on Product Hunt', 'Read our page on Product Hunt and tell us here what you did not understand.',
    true, '\mproduct ?hunt\M', 'vote'),
  ('yelp', 'Yelp',
    'Yelp forbids asking for reviews, with a reward or without.',
    'https://www.yelp.com/guidelines', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, '\myelp\M', 'review'),
  ('amazon', 'Amazon',
    'Amazon forbids rewards for reviews of products.',
    'https://www.amazon.com/gp/help/customer/display.html?nodeId=GLHXEX85MENUE4XF', date '2026-11-22',
    'Tell us what you think', 'Tell us here, in three sentences, what worked for you and what did not.',
    true, '\mamazon\M', 'review'),
  ('github', 'GitHub',
    'GitHub forbids stars and follows that are given for a reward.',
    'https://docs.github.com/en/site-policy/acceptable-use-policies/github-acceptable-use-policies', date '2026-11-22',
    'Try our example', 'Follow the readme until the example runs, and tell us here where you got stuck.',
    true, '\mgithub\M|\mrepo(?:sitory)?\M', 'star'),
  ('sentiment', 'Consumer reviews in the United States',
    'United States law (16 CFR 465.4) forbids paying for reviews that must be positive, or negative.',
    'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-D/part-465', date '2024-10-21',
    'Tell us what you think', 'Tell us here what you honestly think, good or bad.',
    true, null, 'sentiment'),
  ('endorsement', 'Public posts and reviews',
    'Whoever praises a product in public for a reward has to say so (16 CFR 255.5 in the United States, and rules like it elsewhere).',
    'https://www.ecfr.gov/current/title-16/chapter-I/subchapter-B/part-255', date '2023-07-26',
    'Tell us what you think', 'Tell us here what you honestly think, good or bad.',
    false, null, 'endorsement')
) as r (id, place, rule, source_url, source_date, alternative_title, alternative, is_forbidden, place_pattern, kind);

create function private.match_incentive_rules(p_title text, p_instructions text) returns text[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_text text := lower(p_title) || E'\n' || lower(p_instructions);
begin
  return array(
    select r.id from private.incentive_rules r
    where v_text ~ r.action_pattern and (r.place_pattern is null or v_text ~ r.place_pattern)
    order by r.is_forbidden desc, r.id);
end $$;
comment on function private.match_incentive_rules(text, text) is 'Ids of the rules that a task matches, prohibitions first.';

create function public.check_incentives(p_title text, p_instructions text)
returns table (
  id text, place text, rule text, source_url text, source_date date, alternative_title text, alternative text, is_forbidden boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_user();
  return query
    select r.id, r.place, r.rule, r.source_url, r.source_date, r.alternative_title, r.alternative, r.is_forbidden
    from unnest(private.match_incentive_rules(left(p_title, 200), left(p_instructions, 5000))) with ordinality as m (id, position)
    join private.incentive_rules r on r.id = m.id
    order by m.position;
end $$;
comment on function public.check_incentives(text, text) is
  'The rules that a task with this title and these instructions matches, prohibitions first (BEY-15). Advice only. Errors: '
  'UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.check_incentives(text, text) to authenticated, service_role;
