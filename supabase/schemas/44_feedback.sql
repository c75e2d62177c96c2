-- Feedback: on the product (beta feedback, for admins) and on projects (ratings, public).

-- Beta feedback -------------------------------------------------------------------------------------------------------

create table public.beta_feedback (
  id uuid primary key default gen_random_uuid(),
  user_id text,
  email text check (private.is_email(email)),
  type text not null check (type in ('bug', 'feature', 'rating', 'general', 'other')),
  title text not null check (length(title) between 1 and 200),
  description text not null check (length(description) between 1 and 5000),
  rating smallint check (rating between 1 and 5),
  status text not null default 'new' check (status in ('new', 'reviewed', 'resolved')),
  priority text not null default 'medium' check (priority in ('urgent', 'high', 'medium', 'other')),
  admin_notes text check (length(admin_notes) <= 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.beta_feedback is 'Feedback on the product (DB-16). Written through submit_beta_feedback, read by admins.';
create index beta_feedback_created on public.beta_feedback (created_at desc, id desc);
create index beta_feedback_new on public.beta_feedback (created_at) where status = 'new';
create trigger beta_feedback_touch before update on public.beta_feedback
  for each row execute function private.touch_updated_at();

alter table public.beta_feedback enable row level security, alter email set statistics 0, alter title set statistics 0,
  alter description set statistics 0, alter admin_notes set statistics 0;
create policy beta_feedback_read on public.beta_feedback for select to authenticated
  using ((select private.is_admin()));
comment on policy beta_feedback_read on public.beta_feedback is 'Only admins.';
grant select on public.beta_feedback to authenticated, service_role;

create function private.count_beta_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.counter_deltas (name, change)
  select c.name, sum(c.change) from (values
    ('feedback:' || old.type, -1), ('feedback:' || new.type, 1),
    ('feedback_ratings', (new.rating is not null)::integer - (old.rating is not null)::integer),
    ('feedback_stars', coalesce(new.rating, 0) - coalesce(old.rating, 0))
  ) c (name, change) where c.name is not null group by c.name having sum(c.change) <> 0;
  return null;
end $$;
comment on function private.count_beta_feedback() is
  'Trigger: maintains the counters of feedback per type, of ratings, and the sum of stars.';
create trigger beta_feedback_count after insert or delete or update of type, rating on public.beta_feedback
  for each row execute function private.count_beta_feedback();

create function public.submit_beta_feedback(
  p_type text, p_description text, p_rating integer default null, p_email text default null, p_title text default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.lock_own_account();
  v_email text := lower(private.clean(p_email));
  v_description text := private.require_text(p_description, 5000, 'FEEDBACK_TEXT_REQUIRED', 'Please enter your feedback');
  v_title text := private.normalize_text(p_title, 200);
  v_id uuid;
begin
  if p_type is null or p_type not in ('bug', 'feature', 'rating', 'general', 'other') then
    perform private.raise_error('INVALID_FEEDBACK_TYPE', 'Unknown feedback type', 400);
  elsif p_rating not between 1 and 5 then
    perform private.raise_error('RATING_RANGE', 'Rating must be between 1 and 5', 400);
  elsif not private.is_email(v_email) then
    perform private.raise_error('INVALID_EMAIL', 'Please enter a valid email address', 400);
  end if;
  perform private.check_visitor_rate('beta_feedback', 10);
  v_title := coalesce(nullif(v_title, ''),
    case p_type when 'bug' then 'Bug Report' when 'feature' then 'Feature Request' else 'General Feedback' end);
  -- The second try of somebody whose answer was lost is the same message. The rate limit's row makes the calls of one sender wait.
  select f.id into v_id from public.beta_feedback f
  where f.created_at > now() - interval '10 minutes' and f.type = p_type and f.title = v_title and f.description = v_description
    and (f.user_id, f.email, f.rating) is not distinct from (v_user, v_email, p_rating) and coalesce(v_user, v_email) is not null
  order by f.created_at limit 1;
  if v_id is null then
    insert into public.beta_feedback (user_id, email, type, title, description, rating)
    values (v_user, v_email, p_type, v_title, v_description, p_rating)
    returning id into v_id;
  end if;
  return v_id;
end $$;
comment on function public.submit_beta_feedback(text, text, integer, text, text) is
  'Anyone sends feedback on the product; without a title it is named after its type (FEED-02, FEED-03). Returns its id; the same '
  'message of the same sender within ten minutes is stored once. Errors: '
  'FEEDBACK_TEXT_REQUIRED, TEXT_TOO_LONG, INVALID_FEEDBACK_TYPE, RATING_RANGE, INVALID_EMAIL, RATE_LIMITED, VISITORS_LIMITED.';
grant execute on function public.submit_beta_feedback(text, text, integer, text, text) to anon, authenticated, service_role;

create function public.update_beta_feedback(p_feedback_id uuid, p_status text, p_admin_notes text default null) returns public.beta_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_notes text := nullif(private.normalize_text(p_admin_notes, 2000), '');
  v_before public.beta_feedback;
  v_after public.beta_feedback;
begin
  if p_status is null or p_status not in ('reviewed', 'resolved') then
    perform private.raise_error('INVALID_STATUS', 'Unknown status', 400);
  end if;
  select f.* into v_before from public.beta_feedback f where f.id = p_feedback_id for no key update;
  if v_before.id is null then
    perform private.raise_error('FEEDBACK_NOT_FOUND', 'Feedback not found', 404);
  end if;
  update public.beta_feedback f set status = p_status, admin_notes = coalesce(v_notes, f.admin_notes)
  where f.id = p_feedback_id returning f.* into v_after;
  perform private.audit(v_admin, 'feedback.' || p_status, 'beta_feedback', p_feedback_id::text,
    jsonb_build_object('status', v_before.status), jsonb_build_object('status', v_after.status), v_notes);
  return v_after;
end $$;
comment on function public.update_beta_feedback(uuid, text, text) is
  'Admin marks feedback as reviewed or resolved, with an optional note (FEED-04, SEC-15). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'INVALID_STATUS, TEXT_TOO_LONG, FEEDBACK_NOT_FOUND.';
grant execute on function public.update_beta_feedback(uuid, text, text) to authenticated, service_role;

create function public.set_feedback_priority(p_feedback_id uuid, p_priority text) returns public.beta_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_admin text := private.require_admin();
  v_before public.beta_feedback;
  v_after public.beta_feedback;
begin
  if p_priority is null or p_priority not in ('urgent', 'high', 'medium', 'other') then
    perform private.raise_error('INVALID_PRIORITY', 'Unknown priority', 400);
  end if;
  select f.* into v_before from public.beta_feedback f where f.id = p_feedback_id for no key update;
  if v_before.id is null then
    perform private.raise_error('FEEDBACK_NOT_FOUND', 'Feedback not found', 404);
  end if;
  update public.beta_feedback f set priority = p_priority where f.id = p_feedback_id returning f.* into v_after;
  if v_before.priority <> p_priority then
    perform private.audit(v_admin, 'feedback.priority', 'beta_feedback', p_feedback_id::text,
      jsonb_build_object('priority', v_before.priority), jsonb_build_object('priority', v_after.priority));
  end if;
  return v_after;
end $$;
comment on function public.set_feedback_priority(uuid, text) is
  'Admin sets the priority of feedback: urgent, high, medium or other (DB-16, C-108). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'INVALID_PRIORITY, FEEDBACK_NOT_FOUND.';
grant execute on function public.set_feedback_priority(uuid, text) to authenticated, service_role;

create function public.get_beta_feedback_stats() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_counts jsonb;
begin
  perform private.require_admin();
  v_counts := private.counters();
  return (
    select jsonb_build_object(
      'total', coalesce(sum(f.count), 0),
      'average_rating', coalesce(
        round((v_counts -> 'feedback_stars')::numeric / nullif((v_counts -> 'feedback_ratings')::numeric, 0), 1), 0),
      'by_type', '{"bug": 0, "feature": 0, "rating": 0, "general": 0, "other": 0}'::jsonb
        || coalesce(jsonb_object_agg(f.name, f.count), '{}')
    )
    from private.counters_of('feedback') f
  );
end $$;
comment on function public.get_beta_feedback_stats() is
  'total, average_rating (one decimal) and by_type for admins (DB-16). Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.get_beta_feedback_stats() to authenticated, service_role;

-- Project feedback ----------------------------------------------------------------------------------------------------

create table public.project_feedback (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.startup_profiles (id) on delete cascade,
  user_id text not null,
  rating smallint not null check (rating between 1 and 5),
  feedback_text text not null check (length(feedback_text) between 1 and 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, user_id)
);
comment on table public.project_feedback is 'Ratings of projects by members (DB-15), one per person and project.';
create index project_feedback_project on public.project_feedback (project_id, created_at desc, id desc);
create index project_feedback_user on public.project_feedback (user_id);
create trigger project_feedback_touch before update of rating, feedback_text on public.project_feedback
  for each row execute function private.touch_updated_at();

alter table public.project_feedback enable row level security, alter feedback_text set statistics 0;
create policy project_feedback_read on public.project_feedback for select to anon, authenticated
  using (exists (select 1 from public.startup_profiles s where s.id = project_id));
comment on policy project_feedback_read on public.project_feedback is
  'Whoever sees the project sees its ratings: the inner query is subject to the policy of projects.';
grant select (id, project_id, rating, feedback_text, created_at, updated_at) on public.project_feedback to anon, authenticated;
grant select on public.project_feedback to service_role;

create table private.former_ratings (
  id uuid primary key,
  owner_user_id text not null,
  user_id text not null,
  rating smallint not null,
  feedback_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table private.former_ratings is
  'Ratings of projects that were deleted: they return with the next project of the same person (C-97). Otherwise whoever is badly rated '
  'would start again.';
create index former_ratings_owner on private.former_ratings (owner_user_id);
create index former_ratings_user on private.former_ratings (user_id);

create function private.keep_ratings(p_startup_id uuid) returns void
language sql security definer set search_path = ''
as $$
  insert into private.former_ratings (id, owner_user_id, user_id, rating, feedback_text, created_at, updated_at)
  select f.id, s.owner_user_id, f.user_id, f.rating, f.feedback_text, f.created_at, f.updated_at
  from public.project_feedback f join public.startup_profiles s on s.id = f.project_id where s.id = p_startup_id
$$;
comment on function private.keep_ratings(uuid) is 'Keeps the ratings of a project that is about to be deleted.';

create function private.take_over_ratings(p_startup public.startup_profiles) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_accounts text[] := private.accounts_of_person(p_startup.owner_user_id);
begin
  with former as (
    delete from private.former_ratings f where f.owner_user_id = any (v_accounts) returning f.*
  ), left_behind as (
    delete from public.project_feedback f using public.startup_profiles s, private.deleted_users d
    where s.id = f.project_id and s.owner_user_id = any (v_accounts) and d.user_id = s.owner_user_id
    returning f.*
  )
  insert into public.project_feedback (id, project_id, user_id, rating, feedback_text, created_at, updated_at)
  -- One by each member: somebody may have rated projects of several accounts of the person.
  select distinct on (g.user_id) g.id, p_startup.id, g.user_id, g.rating, g.feedback_text, g.created_at, g.updated_at
  from (
    select f.id, f.user_id, f.rating, f.feedback_text, f.created_at, f.updated_at from former f
    union all
    select l.id, l.user_id, l.rating, l.feedback_text, l.created_at, l.updated_at from left_behind l
  ) g order by g.user_id, g.updated_at desc, g.id;
end $$;
comment on function private.take_over_ratings(public.startup_profiles) is
  'Gives a new project the ratings of its owner''s former ones, also of one that was left with a deleted account (C-81).';

create function private.validate_feedback(p_rating integer, p_text text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  if p_rating is null or private.clean(p_text) is null then
    perform private.raise_error('FEEDBACK_INCOMPLETE', 'Please provide both a rating and feedback.', 400);
  elsif p_rating not between 1 and 5 then
    perform private.raise_error('RATING_RANGE', 'Rating must be between 1 and 5', 400);
  elsif length(private.clean(p_text)) > 2000 then
    perform private.raise_error('FEEDBACK_TOO_LONG', 'Please use a shorter feedback text', 400);
  end if;
  return private.clean(p_text);
end $$;
comment on function private.validate_feedback(integer, text) is
  'Checks a rating from 1 to 5 and returns the trimmed text (FEED-06). Errors: FEEDBACK_INCOMPLETE, RATING_RANGE, FEEDBACK_TOO_LONG.';

create function public.submit_project_feedback(p_project_id uuid, p_rating integer, p_feedback_text text) returns public.project_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_text text := private.validate_feedback(p_rating, p_feedback_text);
  v_accounts text[] := private.accounts_of_person(v_user);
  v_startup public.startup_profiles;
  v_feedback public.project_feedback;
begin
  select s.* into v_startup from public.startup_profiles s where s.id = p_project_id and s.is_public for key share;
  if v_startup.id is null then
    perform private.raise_error('PROJECT_NOT_FOUND', 'Project ID not found.', 404);
  elsif v_startup.owner_user_id = any (v_accounts) then
    perform private.raise_error('OWN_PROJECT', 'You cannot rate your own project', 403);
  end if;
  perform private.check_visitor_rate('project_feedback', 10);
  perform private.lock_person(v_user);
  delete from public.project_feedback f where f.project_id = p_project_id and f.user_id = any (v_accounts) and f.user_id <> v_user;
  insert into public.project_feedback as f (project_id, user_id, rating, feedback_text) values (p_project_id, v_user, p_rating, v_text)
  on conflict (project_id, user_id) do update set rating = excluded.rating, feedback_text = excluded.feedback_text
  returning f.* into v_feedback;
  return v_feedback;
end $$;
comment on function public.submit_project_feedback(uuid, integer, text) is
  'The caller rates a verified project other than their own; rating again, also with another account of the same person (C-81), replaces '
  'the earlier one (FEED-06, FEED-08). Errors: '
  'UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, FEEDBACK_INCOMPLETE, RATING_RANGE, FEEDBACK_TOO_LONG, PROJECT_NOT_FOUND, OWN_PROJECT, '
  'RATE_LIMITED.';
grant execute on function public.submit_project_feedback(uuid, integer, text) to authenticated, service_role;

create function public.update_project_feedback(p_feedback_id uuid, p_rating integer, p_feedback_text text) returns public.project_feedback
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := private.require_profile();
  v_text text := private.validate_feedback(p_rating, p_feedback_text);
  v_feedback public.project_feedback;
begin
  perform private.check_visitor_rate('project_feedback', 10);
  update public.project_feedback f set rating = p_rating, feedback_text = v_text
  where f.id = p_feedback_id and f.user_id = v_user returning f.* into v_feedback;
  if v_feedback.id is null then
    perform private.raise_error('FEEDBACK_NOT_FOUND', 'Feedback not found', 404);
  end if;
  return v_feedback;
end $$;
comment on function public.update_project_feedback(uuid, integer, text) is
  'The caller changes their rating by its id (FEED-08). Errors: UNAUTHENTICATED, SUSPENDED, PROFILE_NOT_FOUND, FEEDBACK_INCOMPLETE, '
  'RATING_RANGE, FEEDBACK_TOO_LONG, FEEDBACK_NOT_FOUND, RATE_LIMITED.';
grant execute on function public.update_project_feedback(uuid, integer, text) to authenticated, service_role;

create function public.list_project_feedback(p_project_id uuid, p_limit integer default 5, p_cursor text default null) returns table (
  id uuid, rating smallint, feedback_text text, created_at timestamptz, updated_at timestamptz, cursor text
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 5);
  v_after text[] := private.decode_cursor('project_feedback', p_cursor, array['timestamptz', 'uuid']);
begin
  perform private.cache_for(15, false);
  return query
    select f.id, f.rating, f.feedback_text, f.created_at, f.updated_at,
      private.encode_cursor('project_feedback', jsonb_build_array(f.created_at, f.id))
    from public.project_feedback f
    where f.project_id = p_project_id and (v_after is null or (f.created_at, f.id) < (v_after[1]::timestamptz, v_after[2]::uuid))
    order by f.created_at desc, f.id desc limit v_limit;
end $$;
comment on function public.list_project_feedback(uuid, integer, text) is
  'Ratings of a project, newest first, as far as the caller may see it: runs with the caller''s rights (DB-15). Authors are not exposed. '
  'Next page: the cursor of the last row. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_project_feedback(uuid, integer, text) to anon, authenticated, service_role;

create function public.get_own_project_feedback(p_project_id uuid) returns setof public.project_feedback
language sql stable security definer set search_path = ''
as $$ select f.* from public.project_feedback f where f.project_id = p_project_id and f.user_id = public.current_user_id() $$;
comment on function public.get_own_project_feedback(uuid) is 'The caller''s own rating of a project, at most one row.';
grant execute on function public.get_own_project_feedback(uuid) to authenticated, service_role;

create function public.get_project_feedback_stats(p_project_id uuid) returns table (
  average_rating numeric, total_reviews bigint, rating_distribution jsonb
)
language plpgsql stable set search_path = ''
as $$
begin
  perform private.cache_for(15, false);
  return query
    select coalesce(round(avg(f.rating), 1), 0), count(*), jsonb_build_object(
      '1', count(*) filter (where f.rating = 1), '2', count(*) filter (where f.rating = 2), '3', count(*) filter (where f.rating = 3),
      '4', count(*) filter (where f.rating = 4), '5', count(*) filter (where f.rating = 5))
    from public.project_feedback f where f.project_id = p_project_id;
end $$;
comment on function public.get_project_feedback_stats(uuid) is
  'Average (one decimal), number and distribution of a project''s ratings; zeros without ratings or when the caller may not see the '
  'project (FEED-09).';
grant execute on function public.get_project_feedback_stats(uuid) to anon, authenticated, service_role;
