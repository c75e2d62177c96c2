-- Notifications of owners when a quest's counters change: proofs are waiting, the quest is full (BEY-03).

create function private.notify_quest_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_owner text;
  v_payload jsonb := jsonb_build_object('campaign_id', new.id, 'quest', new.title);
  v_waits boolean := new.pending_count > old.pending_count and not private.has_unread('ProofsWaiting', new.id);
  v_is_full boolean := new.is_full and not old.is_full and new.total_slots = old.total_slots
    and not private.has_unread('QuestFull', new.id);
begin
  if new.pending_count = 0 then
    -- The list of types is that of the index notifications_unread_quest.
    update public.notifications n set read_at = now()
    where n.data ->> 'campaign_id' = new.id::text and n.type <> 'QuestFull' and n.read_at is null
      and n.type in ('ProofsWaiting', 'QuestFull', 'ReviewHalfTime', 'ReviewDueSoon');
  end if;
  if v_waits or v_is_full then
    select s.owner_user_id into v_owner from public.startup_profiles s where s.id = new.startup_id;
  end if;
  if v_waits then
    perform private.enqueue_event('ProofsWaiting', v_owner, v_payload);
  end if;
  if v_is_full then
    perform private.enqueue_event('QuestFull', v_owner, v_payload);
  end if;
  return null;
end $$;
comment on function private.notify_quest_owner() is
  'Trigger: keeps at most one unread notification per quest that proofs are waiting, and marks it read once none is. The row lock on the '
  'quest serialises submissions.';
