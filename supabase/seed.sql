-- Demo data: fictional projects, quests and members, created through the product's own procedures, so that the ledger reconciles.
-- Deterministic: random values come from hashes. A member, an owner and an admin can sign in (local/demo/accounts.ts).

create function pg_temp.act_as(p_user text, p_email text, p_name text default null) returns void language sql as $$
  select set_config('request.jwt.claims', jsonb_build_object(
    'sub', p_user, 'role', 'authenticated', 'email', p_email, 'email_verified', true, 'name', p_name)::text, false)
$$;
-- A pseudorandom number from 0 to 1, derived from the key.
create function pg_temp.chance(p_key text) returns double precision
language sql immutable as $$ select ('x' || left(md5(p_key), 8))::bit(32)::bigint / 4294967296.0 $$;
create function pg_temp.ago(p_days double precision) returns timestamptz
language sql stable as $$ select now() - make_interval(secs => p_days * 86400) $$;

update public.app_settings set owner_email = 'admin@questboard.local', beta_mode = false;

-- Projects ---------------------------------------------------------------------------------------------------------------

create temp table demo_startups (n integer, slug text, owner text, email text, name text, industry text, description text);
insert into demo_startups values
  (1, 'paperkite', 'user_demo_startup', 'startup@questboard.local', 'Paperkite', 'Education', 'Short daily lessons that fold into a week of real practice. Teachers write them, you fly them.'),
  (2, 'lanternfish', 'user_seed_owner_02', 'hello@lanternfish.example', 'Lanternfish', 'Energy', 'A home battery that tells you in plain words what it saved today, and what the grid is doing tonight.'),
  (3, 'pebble-ledger', 'user_seed_owner_03', 'hello@pebble-ledger.example', 'Pebble Ledger', 'Fintech', 'Bookkeeping for one-person shops: every receipt is a pebble, every month a small pile that adds up.'),
  (4, 'mossworks', 'user_seed_owner_04', 'hello@mossworks.example', 'Mossworks', 'E-commerce', 'Refills for soap, tea and spices, delivered in jars that go back with the next order.'),
  (5, 'tidewell', 'user_seed_owner_05', 'hello@tidewell.example', 'Tidewell', 'Healthcare', 'Breathing exercises timed to your own pulse. Made with clinics, free of streak pressure.'),
  (6, 'northloop', 'user_seed_owner_06', 'hello@northloop.example', 'Northloop', 'Transportation', 'Plan a day by bike and train on one map that knows lifts, lanes and last departures.'),
  (7, 'crumbline', 'user_seed_owner_07', 'hello@crumbline.example', 'Crumbline', 'Food & Beverage', 'Neighbourhood bakeries tell you what is still warm. You reserve it before it is gone.'),
  (8, 'halfmoon-studio', 'user_seed_owner_08', 'hello@halfmoon-studio.example', 'Halfmoon Studio', 'Media & Entertainment', 'Audio dramas for the last half hour of the day, one chapter a night.'),
  (9, 'quietstack', 'user_seed_owner_09', 'hello@quietstack.example', 'Quietstack', 'SaaS', 'Incident notes that write themselves from your deploys, so that the retro starts with facts.'),
  (10, 'fernglass', 'user_seed_owner_10', 'hello@fernglass.example', 'Fernglass', 'AI/ML', 'Point a phone at a leaf and learn what it is, what eats it and whether it may be eaten.'),
  (11, 'driftboard', 'user_seed_owner_11', 'hello@driftboard.example', 'Driftboard', 'Gaming', 'A skating game for two thumbs and four minutes. No coins, no chests, just lines.'),
  (12, 'commonthread', 'user_seed_owner_12', 'hello@commonthread.example', 'Commonthread', 'Non-profit', 'Repair cafés share tools, patterns and people who know how to use them.');

do $$
declare
  v record;
  v_id uuid;
begin
  for v in select * from demo_startups order by n loop
    perform pg_temp.act_as(v.owner, v.email, initcap(v.name) || ' team');
    perform public.sync_current_user('startup_unverified');
    v_id := (public.create_startup_profile(v.name, 'https://' || v.slug || '.example', '/demo/logos/' || v.slug || '.svg', v.description, v.industry)).id;
    perform pg_temp.act_as('user_demo_admin', 'admin@questboard.local', 'Demo Admin');
    perform public.sync_current_user('community');
    perform public.set_startup_status(v_id, 'verified', 'Approved by admin');
    if v.n > 3 then
      perform public.activate_subscription(v_id, 'og_lifetime', 'evt_demo_' || v.n, 'pi_demo_' || v.n, 9900);
      perform public.credit_point_purchase(v_id, 'points_large', 20000, 'evt_demo_points_' || v.n, 'pi_demo_points_' || v.n, 69900, 69900);
    end if;
    update public.startup_profiles set created_at = pg_temp.ago(98 - v.n), reviewed_at = pg_temp.ago(97.6 - v.n) where id = v_id;
    update public.user_profiles set created_at = pg_temp.ago(98.1 - v.n) where user_id = v.owner;
  end loop;
  perform pg_temp.act_as('user_seed_owner_13', 'hello@saltbox.example', 'Saltbox team');
  perform public.sync_current_user('startup_unverified');
  perform public.create_startup_profile('Saltbox', 'https://saltbox.example', '/demo/logos/saltbox.svg',
    'Small houses, honest listings: what a place costs to heat is on the first line.', 'Real Estate');
  perform pg_temp.act_as('user_seed_owner_14', 'hello@gilded-gate.example', 'Gilded Gate team');
  perform public.sync_current_user('startup_unverified');
  v_id := (public.create_startup_profile('Gilded Gate', 'https://gilded-gate.example', null, 'Guaranteed returns, every day.', 'Other')).id;
  perform pg_temp.act_as('user_demo_admin', 'admin@questboard.local', 'Demo Admin');
  perform public.set_startup_status(v_id, 'rejected', 'We do not list offers that promise returns.');
end $$;

-- Quests -----------------------------------------------------------------------------------------------------------------
-- slots: maximum completions of each task; target: completions so far; state: final state.

create temp table demo_quests (
  n integer, startup integer, title text, summary text, reward integer, slots integer, target integer, type text, proof text,
  days double precision, state text, collect boolean, extra jsonb default '[]', custom text, campaign_id uuid
);
insert into demo_quests (n, startup, title, summary, reward, slots, target, type, proof, days, state, collect, extra, custom) values
  (1, 1, 'Fly your first lesson', 'Finish day one of any Paperkite week and tell us what stuck.', 25, 20, 13, 'signup', 'text', 34, 'published', true, '[]', null),
  (2, 2, 'Read tonight''s grid report', 'Open the public grid page and note what it says about tonight.', 20, 25, 17, 'visit', 'none', 52, 'published', false, '[]', null),
  (3, 3, 'Sort ten receipts', 'Try the demo shop and sort its first ten receipts.', 50, 10, 10, 'signup', 'screenshot', 61, 'published', false, '[]', null),
  (4, 4, 'Pick your first jar', 'Build a refill basket and share what you would order first.', 40, 60, 34, 'visit', 'link', 44, 'published', true, '[{"title":"Tell a friend about refills","type":"share","proof":"link","reward":75,"slots":25,"target":11}]', null),
  (5, 4, 'Name our winter tea', 'We blend it, you name it. The best name goes on the jar.', 30, 80, 52, 'others', 'text', 12, 'published', false, '[]', 'A jar of the winter blend'),
  (6, 5, 'Breathe with us for three minutes', 'Try the two-minute pulse exercise and one more minute without it.', 35, 90, 61, 'visit', 'none', 40, 'published', false, '[]', null),
  (7, 5, 'Review the evening programme', 'Write an honest review after three evenings.', 75, 40, 14, 'others', 'link', 23, 'published', true, '[]', null),
  (8, 5, 'Sign up for the clinic pilot', 'Twenty places for people who want to test with a clinic.', 60, 20, 19, 'signup', 'screenshot', 29, 'published', true, '[]', null),
  (9, 6, 'Plan a Sunday by bike and train', 'Plan a trip on the map and send us the link.', 45, 50, 38, 'visit', 'link', 37, 'published', false, '[{"title":"Report a missing bike lane","type":"others","proof":"text","reward":30,"slots":50,"target":27},{"title":"Follow the build log","type":"follow","proof":"none","reward":20,"slots":60,"target":48}]', null),
  (10, 6, 'Join the night-train channel', 'We talk timetables. You are welcome.', 30, 45, 43, 'others', 'none', 19, 'published', false, '[]', null),
  (11, 6, 'Photograph your station''s lifts', 'Is the lift working? One photo helps everyone with a bike.', 55, 30, 30, 'others', 'screenshot', 48, 'published', false, '[]', null),
  (12, 7, 'Find what is still warm', 'Reserve something from a bakery near you and show us the slip.', 50, 50, 22, 'signup', 'screenshot', 15, 'published', true, '[]', 'A free loaf at any partner bakery'),
  (13, 7, 'Subscribe to the Friday crumb', 'One letter a week: what our bakers try next.', 20, 100, 71, 'signup', 'none', 56, 'published', true, '[]', null),
  (14, 7, 'Rate three croissants', 'Three bakeries, three croissants, one table.', 70, 25, 6, 'others', 'text', 4, 'published', false, '[]', null),
  (15, 8, 'Listen to chapter one', 'Half an hour, lights low. Tell us the last sentence.', 35, 110, 66, 'visit', 'text', 42, 'published', false, '[]', null),
  (16, 8, 'Share the midnight trailer', 'Post the trailer where your friends will hear it.', 75, 35, 12, 'share', 'link', 9, 'published', false, '[]', null),
  (17, 8, 'Vote for the next voice', 'Three narrators, one role.', 25, 40, 40, 'visit', 'none', 31, 'published', false, '[]', null),
  (18, 9, 'Connect a sandbox repository', 'See an incident note write itself.', 80, 40, 9, 'signup', 'screenshot', 18, 'published', false, '[{"title":"Tell us what the note missed","type":"others","proof":"text","reward":60,"slots":30,"target":5}]', null),
  (19, 9, 'Read the retro guide', 'Ten minutes, no form to fill.', 20, 120, 58, 'visit', 'none', 27, 'published', false, '[]', null),
  (20, 10, 'Identify five leaves', 'Walk around the block with Fernglass and send the list.', 45, 65, 41, 'visit', 'text', 38, 'published', false, '[{"title":"Send a photo that fools us","type":"others","proof":"screenshot","reward":80,"slots":25,"target":8}]', null),
  (21, 10, 'Follow the field notes', 'A new plant every morning.', 25, 80, 55, 'follow', 'none', 50, 'published', false, '[]', null),
  (22, 10, 'Join the spring count', 'Count one square metre with us.', 60, 30, 0, 'signup', 'link', 2, 'draft', true, '[]', null),
  (23, 11, 'Land the opening line', 'Four minutes, one clean run. Show us the replay.', 40, 90, 49, 'visit', 'link', 33, 'published', false, '[]', null),
  (24, 11, 'Break the new level', 'Find a place where the board floats.', 90, 15, 15, 'others', 'text', 24, 'published', false, '[]', 'Your name on a wall in the game'),
  (25, 11, 'Join the skate room', 'Where we post levels before anyone else sees them.', 30, 60, 31, 'others', 'none', 16, 'closed', false, '[]', null),
  (26, 12, 'Bring one thing to repair', 'Visit a repair café and tell us what came back to life.', 65, 45, 21, 'others', 'text', 47, 'published', false, '[{"title":"Offer a skill","type":"signup","proof":"none","reward":35,"slots":55,"target":24}]', null),
  (27, 12, 'Share a pattern', 'Knitting, sewing, soldering: anything that helps the next person.', 75, 30, 7, 'share', 'link', 6, 'published', false, '[]', null),
  (28, 12, 'Help us word the volunteer page', 'We keep it as a draft until it sounds right.', 40, 20, 0, 'custom', 'text', 3, 'draft', false, '[]', null),
  (29, 9, 'Try the spring beta', 'Closed: thank you for the notes.', 60, 30, 18, 'signup', 'text', 70, 'closed', false, '[]', null),
  (30, 8, 'Name the lighthouse keeper', 'Closed: the name is in chapter nine.', 30, 50, 37, 'others', 'text', 75, 'closed', false, '[]', null);

create function pg_temp.demo_task(p_title text, p_type text, p_proof text, p_reward integer, p_slots integer, p_instructions text) returns jsonb
language sql immutable as $$
  select jsonb_build_object('title', p_title, 'type', p_type, 'instructions_md', p_instructions, 'reward_points', p_reward,
    'max_completions', p_slots, 'requires_proof', p_proof <> 'none', 'proof_type', case p_proof when 'none' then 'text' else p_proof end)
$$;

do $$
declare
  v record;
  v_campaign public.campaigns;
  v_tasks jsonb;
begin
  for v in
    select q.*, s.owner, s.email, s.slug, s.name, p.id as startup_id
    from demo_quests q join demo_startups s on s.n = q.startup join public.startup_profiles p on p.owner_user_id = s.owner
    order by q.days desc
  loop
    perform pg_temp.act_as(v.owner, v.email);
    v_campaign := public.create_quest(v.startup_id,
      jsonb_strip_nulls(jsonb_build_object('title', v.title, 'summary', v.summary, 'collect_emails', v.collect,
        'email_collection_purpose', case when v.collect then v.name || ' writes to you about this quest, and nothing else.' end,
        'custom_reward_title', v.custom, 'custom_reward_description', case when v.custom is not null then 'We contact you after the quest has ended.' end,
        'details_md', v.summary)),
      pg_temp.demo_task(v.title, v.type, v.proof, v.reward, v.slots,
        format(E'1. Open [%s.example](https://%s.example).\n2. %s\n3. Come back here and send your proof. **One per person.**', v.slug, v.slug, v.summary)),
      p_publish => v.state <> 'draft');
    if jsonb_array_length(v.extra) > 0 then
      select jsonb_agg(pg_temp.demo_task(t.title, t.type::text, case when t.requires_proof then t.proof_type::text else 'none' end, t.reward_points,
        t.max_completions, t.instructions_md) || jsonb_build_object('id', t.id)) into v_tasks from public.tasks t where t.campaign_id = v_campaign.id;
      select v_tasks || jsonb_agg(pg_temp.demo_task(e ->> 'title', e ->> 'type', e ->> 'proof', (e ->> 'reward')::integer, (e ->> 'slots')::integer,
        format('Go to [%s.example](https://%s.example), then tell us how it went.', v.slug, v.slug))) into v_tasks from jsonb_array_elements(v.extra) e;
      perform public.update_campaign(v_campaign.id, jsonb_build_object('title', v.title, 'summary', v.summary, 'details_md', v_campaign.details_md,
        'budget_points', greatest(v.reward * v.slots + (select sum((e ->> 'reward')::integer * (e ->> 'slots')::integer) from jsonb_array_elements(v.extra) e), 100)), v_tasks);
    end if;
    update public.campaigns set created_at = pg_temp.ago(v.days + 0.4), published_at = case when v.state <> 'draft' then pg_temp.ago(v.days) end
    where id = v_campaign.id;
    update demo_quests set campaign_id = v_campaign.id where n = v.n;
  end loop;
end $$;

-- A quest verified by a code, a signed call and a check. Locally local/demo/project.ts is the project's site and system.
do $$
declare
  v record;
  v_campaign public.campaigns;
  v_check jsonb;
begin
  select s.*, p.id as startup_id into v
  from demo_startups s join public.startup_profiles p on p.owner_user_id = s.owner where s.slug = 'quietstack';
  perform pg_temp.act_as(v.owner, v.email);
  perform public.create_signing_secret(v.startup_id);
  perform public.record_endpoint_test(v.owner, 'https://project.questboard.test/demo-project/completed');
  v_check := jsonb_build_object('verification', 'check', 'check_target', 'https://project.questboard.test/demo-project/completed',
    'link_url', format('https://project.questboard.test/%s/tour', v.startup_id));
  v_campaign := public.create_quest(v.startup_id,
    jsonb_build_object('title', 'Take the tour of Quietstack', 'summary', 'Three stops, and nobody has to look at your proof.', 'details_md',
      'Each stop shows another way in which a project can confirm what you did.'),
    pg_temp.demo_task('Find the code', 'visit', 'none', 20, 60, 'At the end of our handbook you find a code. For this demo it is **QUIET-2026**.')
      || '{"verification": "code", "shared_code": "QUIET-2026"}');
  perform public.update_campaign(v_campaign.id,
    jsonb_build_object('title', v_campaign.title, 'summary', v_campaign.summary, 'details_md', v_campaign.details_md, 'budget_points', 4800),
    (select jsonb_agg(pg_temp.demo_task(t.title, 'visit', 'none', t.reward_points, t.max_completions, t.instructions_md)
      || jsonb_build_object('id', t.id, 'verification', 'code')) from public.tasks t where t.campaign_id = v_campaign.id)
    || (pg_temp.demo_task('Finish the tour', 'visit', 'none', 30, 60, 'Open the tour and press its button. Our system tells Questboard.')
      || v_check || '{"verification": "call"}')
    || (pg_temp.demo_task('Finish it once more', 'visit', 'none', 30, 60, 'Open the tour, press its button, come back and press Verify.') || v_check));
  update public.campaigns set created_at = pg_temp.ago(3.2), published_at = pg_temp.ago(3) where id = v_campaign.id;
end $$;

-- Members ----------------------------------------------------------------------------------------------------------------

create temp table demo_members as
select i as n,
  case when i = 0 then 'user_demo_member' else 'user_seed_' || lpad(i::text, 4, '0') end as user_id,
  case when i = 0 then 'member@questboard.local' else a || '.' || b || '.' || i || '@members.questboard.example' end as email,
  case when i = 0 then 'Demo Member' else initcap(a) || ' ' || initcap(b) end as name,
  case when i = 0 then 58 else 90 * (1 - power(pg_temp.chance('join' || i), 0.6)) + 0.2 end as days
from generate_series(0, 260) i,
  lateral (select (array['quiet','amber','brisk','copper','dusky','early','fabled','gentle','hazel','ivory','jolly','keen','lunar','mellow','nimble','olive','plucky','rustic','silver','tidy','upbeat','velvet','windy','zesty'])[1 + (i * 7) % 24] as a,
    (array['otter','badger','curlew','dormouse','egret','finch','gecko','heron','ibis','jackdaw','kestrel','lynx','marten','newt','osprey','plover','quail','robin','stoat','tern','urchin','vole','wren','yak'])[1 + (i * 11 + i / 24) % 24] as b) names;

do $$
declare
  v record;
  v_code text;
begin
  for v in select * from demo_members order by days desc loop
    perform pg_temp.act_as(v.user_id, v.email, v.name);
    perform public.sync_current_user('community');
    -- Every sixth was referred by an earlier member. The demo member's referrals come first, because the ledger is in order of writing.
    if v.n % 6 = 5 then
      select c.code into v_code from public.referral_codes c join demo_members m on m.user_id = c.user_id
      where m.days > v.days + 0.5 and (m.n <> 0 or v.days > 40) order by (m.n = 0 and v.n % 18 = 5) desc, pg_temp.chance('referrer' || v.n || ':' || m.n) limit 1;
      if v_code is not null then
        update public.referral_codes set clicks = clicks + 1 + v.n % 4 where code = v_code;
        perform public.process_referral_signup(v.user_id, v_code);
        update public.referrals set created_at = pg_temp.ago(v.days), completed_at = pg_temp.ago(v.days), rewarded_at = pg_temp.ago(v.days)
        where referred_user_id = v.user_id;
      end if;
    end if;
    update public.user_profiles set created_at = pg_temp.ago(v.days), welcome_email_sent_at = pg_temp.ago(v.days) where user_id = v.user_id;
  end loop;
end $$;

-- What they did, in the order of time ------------------------------------------------------------------------------------

create temp table demo_actions as
with wanted as (
  select t.id as task_id, t.order_index, t.proof_type, t.requires_proof, q.n as quest, q.days as published, q.collect, s.slug,
    case when t.order_index = 0 then q.target else (q.extra -> (t.order_index - 1) ->> 'target')::integer end as target
  from demo_quests q join demo_startups s on s.n = q.startup join public.tasks t on t.campaign_id = q.campaign_id
  where q.state <> 'draft'
), ranked as (
  select w.*, m.user_id, m.email, m.name, m.days as joined,
    row_number() over (partition by w.task_id order by (m.n = 0 and w.quest % 3 = 0) desc,
      -- A few members do most of the work.
      -ln(1e-9 + pg_temp.chance(w.quest || ':' || w.order_index || ':' || m.n)) / (0.2 + 7 * power(pg_temp.chance('keen' || m.n), 5))) as place
  from wanted w cross join demo_members m
)
select r.*, least(r.published, r.joined) * (0.02 + 0.94 * pg_temp.chance('when' || r.quest || ':' || r.order_index || r.user_id)) as days
from ranked r where r.place <= r.target;

update public.app_settings set beta_mode = true;
do $$
declare
  v record;
  v_submission uuid;
begin
  for v in select * from demo_actions order by days desc loop
    perform pg_temp.act_as(v.user_id, v.email, v.name);
    v_submission := (public.submit_proof(v.task_id,
      case when v.requires_proof and v.proof_type <> 'text' then format('https://%s.example/proof/%s', v.slug, left(md5(v.user_id || v.quest), 10)) end,
      case when not v.requires_proof then 'Quick verified'
        when v.proof_type = 'text' then (array['Done, and it took less time than I thought.', 'Finished. The second part was the best.', 'Did it on the train. Works well offline too.',
          'I liked the plain words. One typo on page two.', 'Done with my sister, she wants to join as well.'])[1 + floor(pg_temp.chance('words' || v.user_id || v.quest) * 5)::integer] end,
      case when v.collect then v.email end)).id;
    -- Backdated immediately, so that the rate limit does not count it.
    delete from private.rate_limits;
    update public.submissions set submitted_at = pg_temp.ago(v.days), created_at = pg_temp.ago(v.days), reviewed_at = pg_temp.ago(v.days) where id = v_submission;
  end loop;
end $$;

-- Pending and rejected submissions, made while beta is off.
update public.app_settings set beta_mode = false;
do $$
declare
  v record;
  v_submission public.submissions;
  v_place integer := 0;
begin
  for v in
    select t.id as task_id, s.owner, s.email as owner_email, s.slug, q.collect, m.user_id, m.email, m.name
    from demo_quests q join demo_startups s on s.n = q.startup join public.tasks t on t.campaign_id = q.campaign_id,
      lateral (select m.* from demo_members m where m.n > 0 and not exists (
        select 1 from public.submissions x where x.task_id = t.id and x.user_id = m.user_id)
        order by pg_temp.chance('pending' || q.n || ':' || m.n) limit 5) m
    where q.n in (1, 7, 14, 27) and t.order_index = 0
  loop
    v_place := v_place + 1;
    perform pg_temp.act_as(v.user_id, v.email, v.name);
    v_submission := public.submit_proof(v.task_id, format('https://%s.example/proof/%s', v.slug, left(md5(v.user_id), 10)),
      'Here is mine. Tell me if anything is missing.', case when v.collect then v.email end);
    if v_place % 5 = 0 then
      perform pg_temp.act_as(v.owner, v.owner_email);
      perform public.review_submission(v_submission.id, 'reject', 'The link shows an empty page. Please send it again.');
    end if;
    delete from private.rate_limits;
    update public.submissions set submitted_at = pg_temp.ago(v_place / 12.0), created_at = pg_temp.ago(v_place / 12.0),
      reviewed_at = case when status <> 'pending' then pg_temp.ago(v_place / 24.0) end where id = v_submission.id;
  end loop;

  -- Quests that have ended.
  for v in select q.*, s.owner, s.email from demo_quests q join demo_startups s on s.n = q.startup where q.state = 'closed' loop
    perform pg_temp.act_as(v.owner, v.email);
    perform public.close_campaign(v.campaign_id);
    update public.campaigns set closed_at = pg_temp.ago(v.days / 4) where id = v.campaign_id;
  end loop;
end $$;
update public.app_settings set beta_mode = true;

-- What they say ---------------------------------------------------------------------------------------------------------

do $$
declare
  v record;
  v_id uuid;
begin
  for v in
    select m.*, p.id as project, pg_temp.chance('stars' || m.n || d.n) as stars, pg_temp.chance('said' || m.n || d.n) as said
    from demo_members m cross join demo_startups d join public.startup_profiles p on p.owner_user_id = d.owner
    where pg_temp.chance('rates' || m.n || ':' || d.n) < 0.035 order by d.n, m.n
  loop
    perform pg_temp.act_as(v.user_id, v.email, v.name);
    v_id := (public.submit_project_feedback(v.project, case when v.stars < 0.06 then 2 when v.stars < 0.2 then 3 when v.stars < 0.55 then 4 else 5 end,
      (array['Clear instructions, and the proof was accepted at once.', 'Good idea. The sign-up could be shorter.', 'I stayed after the quest, which says it all.',
        'Friendly people. They answered my question the same day.', 'Works on an old phone too.', 'Fair points for the time it takes.'])[1 + floor(v.said * 6)::integer])).id;
    update public.project_feedback set created_at = pg_temp.ago(v.days * v.said), updated_at = pg_temp.ago(v.days * v.said) where id = v_id;
  end loop;
  for v in
    select m.*, f.* from (values
      (3, 'bug', 'The screenshot preview turns sideways on my phone.', 4, 9.0), (17, 'feature', 'Let me sort quests by time needed.', 5, 8.2),
      (41, 'general', 'I like that rejections come with a reason.', 5, 6.5), (62, 'bug', 'The points counter took a while to follow.', 3, 5.1),
      (88, 'feature', 'A weekly mail with new quests in my area would help.', 4, 3.4), (120, 'general', 'Calm pages. Keep it that way.', 5, 2.2),
      (151, 'feature', 'Please add more rewards below 100 points.', 4, 1.3), (200, 'bug', 'Search does not find quests by project name.', 3, 0.4)
    ) f (member, type, words, stars, at) join demo_members m on m.n = f.member
  loop
    perform pg_temp.act_as(v.user_id, v.email, v.name);
    v_id := public.submit_beta_feedback(v.type, v.words, v.stars, v.email);
    update public.beta_feedback set created_at = pg_temp.ago(v.at), updated_at = pg_temp.ago(v.at) where id = v_id;
  end loop;
  for v in select * from demo_members where n % 5 = 2 order by n loop
    perform pg_temp.act_as(v.user_id, v.email, v.name);
    perform public.subscribe_to_mailing_list(v.email, 'website', '{"page_url": "/"}');
    update public.mailing_list set subscribed_at = pg_temp.ago(v.days * 0.8) where email = lower(v.email);
  end loop;
end $$;

-- Rewards and who redeemed them ------------------------------------------------------------------------------------------

do $$
declare
  v record;
  v_redemption public.redemptions;
  v_place integer := 0;
begin
  perform pg_temp.act_as('user_demo_admin', 'admin@questboard.local', 'Demo Admin');
  perform public.save_reward(r) from jsonb_array_elements('[
    {"title": "Sticker sheet", "delivery": "post", "description": "Six stickers of this month''s projects, sent by post.", "points_cost": 100},
    {"title": "Bakery voucher", "delivery": "code", "description": "One coffee and one pastry at any Crumbline bakery.", "points_cost": 150, "cash_value_cents": 500},
    {"title": "Audio drama pass", "delivery": "code", "description": "Three months of Halfmoon Studio.", "points_cost": 250, "cash_value_cents": 800},
    {"title": "Questboard mug", "delivery": "post", "description": "Stoneware, holds tea and pencils.", "points_cost": 350, "stock_quantity": 12},
    {"title": "Repair café kit", "delivery": "post", "description": "Needles, patches, a good screwdriver and the Commonthread booklet.", "points_cost": 450, "stock_quantity": 3},
    {"title": "Team board game", "delivery": "post", "description": "Sold out for now; the next batch is on its way.", "points_cost": 500, "stock_quantity": 0},
    {"title": "One hour with a founder", "delivery": "mail", "description": "Ask a founder of your choice anything for an hour.", "points_cost": 1000, "stock_quantity": 5},
    {"title": "Weekend rail pass", "delivery": "mail", "description": "Two days of trains with Northloop.", "points_cost": 2500, "cash_value_cents": 5900, "stock_quantity": 4}
  ]') r;
  perform public.add_reward_codes(r.id, array(select upper(substr(md5(r.title || n), 1, 4) || '-' || substr(md5(n || r.title), 1, 4))
    from generate_series(1, 40) n)) from public.rewards r where r.delivery = 'code';
  for v in
    select m.user_id, m.email, m.name, r.id as reward_id, w.points
    from demo_members m join public.wallets w on w.user_id = m.user_id
    cross join lateral (select x.id from public.rewards x where x.points_cost <= w.points and x.points_cost <= 500 and coalesce(x.stock_quantity > 0, true)
      order by pg_temp.chance('reward' || m.n || x.title) limit 1) r
    where w.points >= 100 and (m.n = 0 or pg_temp.chance('redeem' || m.n) < 0.28) order by m.n desc
  loop
    v_place := v_place + 1;
    perform pg_temp.act_as(v.user_id, v.email, v.name);
    begin
      v_redemption := public.redeem_reward_safe(v.reward_id, 'demo-' || v_place, p_address => jsonb_build_object('name', v.name,
        'street', v_place || ' Lantern Street', 'postal_code', '10' || lpad(v_place::text, 3, '0'), 'city', 'Brookhaven', 'country', 'IE'));
    exception when sqlstate 'PT409' then
      continue; -- The last piece went to somebody before.
    end;
    if v_redemption.status = 'pending' and v_place % 4 <> 0 and v.user_id <> 'user_demo_member' then
      perform pg_temp.act_as('user_demo_admin', 'admin@questboard.local', 'Demo Admin');
      perform public.set_redemption_status(v_redemption.id, case when v_place % 11 = 0 then 'cancelled' else 'fulfilled' end,
        case when v_place % 11 = 0 then 'The parcel came back. Your points are back in your wallet.' else 'On its way to you.' end);
    end if;
    update public.redemptions set created_at = pg_temp.ago(0.2 + v_place * 0.02), fulfilled_at = case when fulfilled_at is not null then pg_temp.ago(0.1 + v_place * 0.01) end,
      cancelled_at = case when cancelled_at is not null then pg_temp.ago(0.1 + v_place * 0.01) end where id = v_redemption.id;
  end loop;
end $$;

-- Time: the procedures use the time of seeding, so the ledger and the histories are backdated to their causes. -------------

alter table public.transfers disable trigger transfers_append_only;
alter table public.submission_history disable trigger submission_history_append_only;
alter table public.audit_log disable trigger audit_log_append_only;
-- A payment is known by when its proof was submitted.
update public.transfers t set created_at = s.submitted_at, idempotency_key = private.payment_key(s) from public.submissions s
where t.submission_id = s.id;
update public.transfers t set created_at = c.created_at from public.campaigns c where t.campaign_id = c.id and t.submission_id is null and t.kind = 'reserve';
update public.transfers t set created_at = c.closed_at from public.campaigns c where t.campaign_id = c.id and t.kind = 'release' and c.closed_at is not null;
update public.transfers t set created_at = s.reviewed_at
from public.wallets w join public.startup_profiles s on s.id = w.startup_id
where t.id in (select x.transfer_id from public.transactions x where x.wallet_id = w.id and x.kind in ('trial_budget', 'adjustment', 'purchase'));
update public.point_purchases p set created_at = s.reviewed_at from public.startup_profiles s where s.id = p.startup_id;
update public.subscriptions p set created_at = s.reviewed_at from public.startup_profiles s where s.id = p.startup_id;
update public.transfers t set created_at = r.completed_at from public.referrals r where t.referral_id = r.id;
update public.transfers t set created_at = case when t.kind = 'refund' then r.cancelled_at else r.created_at end
from public.redemptions r where t.redemption_id = r.id;
update public.submission_history h set created_at = s.reviewed_at from public.submissions s where h.submission_id = s.id and h.action <> 'resubmitted';
update public.audit_log a set created_at = s.reviewed_at from public.startup_profiles s where a.subject_type = 'startup' and a.subject_id = s.id::text and s.reviewed_at is not null;
-- No mails about backdated events.
update public.outbox_events set processed_at = now();
-- Notifications are backdated too; those of the last two days stay unread.
update public.notifications n set created_at = coalesce(s.reviewed_at, r.completed_at, pg_temp.ago(20)) from public.outbox_events o
left join public.submissions s on s.id::text = o.payload ->> 'submission_id' left join public.referrals r on r.id::text = o.payload ->> 'referral_id'
where o.id = n.id;
update public.notifications set read_at = created_at where created_at < pg_temp.ago(2);
alter table public.transfers enable trigger transfers_append_only;
alter table public.submission_history enable trigger submission_history_append_only;
alter table public.audit_log enable trigger audit_log_append_only;
update public.startup_profiles set created_at = pg_temp.ago(1.3) where status = 'pending';
update public.startup_profiles set created_at = pg_temp.ago(8), reviewed_at = pg_temp.ago(7.5) where status = 'rejected';
select set_config('request.jwt.claims', '', false);
