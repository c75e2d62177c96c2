-- Quests that are no longer published: what participants still see, and whether the URL was public.

create function public.get_participated_quest(p_campaign_id uuid) returns setof public.campaigns
language sql stable security definer set search_path = ''
as $$
  -- The current status, so that a member learns that the quest takes no proofs, but not why.
  select r.* from private.published_quests p join public.campaigns c on c.id = p.campaign_id
  cross join lateral jsonb_populate_record(c, p.quest
    || jsonb_build_object('status', c.status, 'hold_reason', null, 'held_by', null, 'held_at', null)) r
  where p.campaign_id = p_campaign_id and c.status <> 'published' and private.has_participated(p_campaign_id)
$$;
comment on function public.get_participated_quest(uuid) is
  'A quest that the caller took part in and that is back in draft, on hold or closed, as last published; at most one row.';
grant execute on function public.get_participated_quest(uuid) to authenticated, service_role;

create function public.get_participated_tasks(p_campaign_id uuid) returns setof public.tasks
language sql stable security definer set search_path = ''
as $$
  select t.* from private.published_quests p join public.campaigns c on c.id = p.campaign_id
  cross join lateral jsonb_populate_recordset(null::public.tasks, p.tasks) t
  where p.campaign_id = p_campaign_id and c.status <> 'published' and private.has_participated(p_campaign_id)
  order by t.order_index, t.id
$$;
comment on function public.get_participated_tasks(uuid) is 'The tasks of a quest from get_participated_quest.';
grant execute on function public.get_participated_tasks(uuid) to authenticated, service_role;

create function private.was_public(p_campaign_id uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select 1 from private.deleted_quests d where d.campaign_id = p_campaign_id) or exists (
    select 1 from private.published_quests p join public.campaigns c on c.id = p.campaign_id
    where p.campaign_id = p_campaign_id and (c.status = 'closed' or c.held_at is not null)
  );
end $$;
comment on function private.was_public(uuid) is
  'Whether a quest was public and has been deleted, closed or put on hold. False for drafts, even those that were once published.';

create function private.quest_title_for_member(p_campaign public.campaigns) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case when p_campaign.status = 'published' then p_campaign.title else coalesce(
    (select p.quest ->> 'title' from private.published_quests p where p.campaign_id = p_campaign.id), p_campaign.title) end;
end $$;
comment on function private.quest_title_for_member(public.campaigns) is
  'Title of a quest for members who took part in it: that of a quest which is no longer published is as last published.';

create function private.task_title_for_member(p_task public.tasks) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((
    select x ->> 'title' from private.published_quests p join public.campaigns c on c.id = p.campaign_id and c.status <> 'published'
    cross join lateral jsonb_array_elements(p.tasks) x where p.campaign_id = p_task.campaign_id and x ->> 'id' = p_task.id::text
  ), p_task.title);
end $$;
comment on function private.task_title_for_member(public.tasks) is 'Title of a task, like that of its quest.';
