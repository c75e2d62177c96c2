-- The review promise (BEY-22): reminders about pending proofs, and approval by the server when nobody has decided in time. The rules are
-- explained in docs/decisions/0072-the-review-promise.md.

create function private.promised_hours(p_campaign_id uuid, p_review_hours integer) returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case when not (private.settings()).beta_mode and exists (
    select 1 from public.tasks t where t.campaign_id = p_campaign_id and (t.verification = 'review' or t.requires_proof)
  ) then p_review_hours end;
end $$;
comment on function private.promised_hours(uuid, integer) is
  'Within how many hours a quest''s review time promises an answer; null where every proof is approved at once: during the beta (RULE-02, '
  'C-06), and when no task waits for a reviewer (BEY-13).';

create function private.remind_reviewer(p_campaign_id uuid, p_submission_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  with due as (
    select s.id, s.review_due_at - (s.review_due_at - s.submitted_at) * 0.1 as last_at from public.submissions s
    where s.id = any (p_submission_ids)
  ), reminded as (
    update public.submissions s set review_check_at = case when now() < due.last_at then due.last_at else s.review_due_at end
    from due where s.id = due.id
    returning s.review_due_at, case when s.review_check_at = s.review_due_at then 'ReviewDueSoon' else 'ReviewHalfTime' end as type
  )
  select private.enqueue_event(r.type, s.owner_user_id,
    jsonb_build_object('campaign_id', c.id, 'quest', c.title, 'count', c.pending_count, 'due_at', r.due_at))
  from (select r.type, min(r.review_due_at) as due_at from reminded r group by r.type) r
  join public.campaigns c on c.id = p_campaign_id join public.startup_profiles s on s.id = c.startup_id
  where c.held_at is null and s.is_public and not private.has_unread(r.type, c.id) order by r.type desc
$$;
comment on function private.remind_reviewer(uuid, uuid[]) is
  'Reminds the owner of these pending proofs of a quest, and sets when they are looked at next.';

create function private.remind_reviewers(p_limit integer) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_quest record;
begin
  -- One session at a time, so that a quest gets one notification; others skip it.
  if not pg_try_advisory_xact_lock(hashtextextended('remind_reviewers', 0)) then
    return;
  end if;
  for v_quest in
    select d.campaign_id as id, array_agg(d.id) as proofs from (
      select s.id, s.campaign_id from public.submissions s
      left join private.failed_rows f on f.job = 'remind_reviewers' and f.row_id = s.campaign_id
      where s.status = 'pending' and s.review_check_at <= now() and s.review_due_at > now()
      order by f.failed_at nulls first, s.review_check_at, s.id limit p_limit for no key update of s skip locked
    ) d group by 1 order by 1
  loop
    begin
      perform private.remind_reviewer(v_quest.id, v_quest.proofs);
    exception when others then
      -- One broken quest must keep neither the other owners from being reminded nor anybody from being paid.
      raise warning 'The owner of quest % could not be reminded: %', v_quest.id, sqlerrm;
      perform private.record_failed_row('remind_reviewers', sqlstate, 'quest', v_quest.id);
    end;
  end loop;
end $$;
comment on function private.remind_reviewers(integer) is
  'Reminds owners of pending proofs after half and nine tenths of their review time, with at most one unread reminder of a kind per quest. '
  'Owners who cannot decide (held quest, suspension, revocation) are not reminded. A quest that fails is recorded and retried after the '
  'others.';

create function private.promise_obstacle(p_submission public.submissions) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select case
      when private.is_flagged(p_submission.id) then 'flagged'
      when c.held_at is not null then 'quest_held'
      when not p.is_public then 'project_closed'
      when exists (
        select 1 from public.user_profiles u where u.user_id = p_submission.user_id and u.suspended_at is not null
      ) then 'member_suspended'
      when p_submission.reward_points > coalesce((
        select sum(w.points) from public.wallets w where w.startup_id = c.startup_id or w.campaign_id = c.id
      ), 0) then 'points_short' end
    from public.campaigns c join public.startup_profiles p on p.id = c.startup_id where c.id = p_submission.campaign_id
  );
end $$;
comment on function private.promise_obstacle(public.submissions) is
  'Why the server cannot approve an overdue proof and an admin has to: flagged, quest_held, project_closed (suspended or not verified), '
  'member_suspended, points_short. Null: it can.';

create function private.notify_approved_by_deadline(p_submission_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  select private.enqueue_event('ReviewTimeOver', q.owner_user_id, jsonb_build_object(
    'campaign_id', q.campaign_id, 'quest', q.title, 'count', q.total, 'points', q.points))
  from (
    select c.id as campaign_id, c.title, p.owner_user_id, count(*) as total, sum(s.reward_points) as points
    from public.submissions s join public.campaigns c on c.id = s.campaign_id join public.startup_profiles p on p.id = c.startup_id
    where s.id = any (p_submission_ids) group by c.id, c.title, p.owner_user_id
  ) q
$$;
comment on function private.notify_approved_by_deadline(uuid[]) is
  'Notifies the owner of a quest of its proofs that were approved and paid because nobody had decided. Members are notified by each '
  'approval.';

create function private.approve_overdue(p_submission_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_approved uuid[] := '{}';
begin
  for v_submission in select s.* from public.submissions s where s.id = any (p_submission_ids) order by s.review_due_at, s.id loop
    continue when private.promise_obstacle(v_submission) is not null;
    begin
      perform private.approve(v_submission.id, 'deadline', 'Approved because the project did not decide in time', false);
      v_approved := v_approved || v_submission.id;
    exception when sqlstate 'PT409' then
      -- An earlier proof of this batch has used up the project's points.
      null;
    when others then
      -- One broken row must not keep everybody else from being paid, on this run and all later ones.
      raise warning 'The overdue proof % could not be approved: %', v_submission.id, sqlerrm;
    end;
  end loop;
  perform private.count_approvals(v_approved);
  perform private.notify_approved_by_deadline(v_approved);
  update public.submissions s set review_check_at = now() + interval '10 minutes'
  where s.id = any (p_submission_ids) and s.status = 'pending';
end $$;
comment on function private.approve_overdue(uuid[]) is
  'Approves and pays what the server can of a quest''s overdue proofs, and notifies its owner; the others are checked again after ten '
  'minutes. The caller has locked everything.';

create function public.settle_due_reviews(p_limit integer default 50) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_limit integer := least(greatest(p_limit, 1), 200);
  v_due uuid[];
  v_kept uuid[];
  v_failed integer := 0;
  v_quest record;
begin
  -- A call of its own: it locks members' wallets, which must not stay locked during other work.
  perform private.scan_submissions();
  perform private.remind_reviewers(v_limit);
  -- Skips locked rows: those of other workers and of decisions under way.
  v_due := array(
    select s.id from public.submissions s
    left join private.failed_rows f on f.job = 'settle_due_reviews' and f.row_id = s.campaign_id
    where s.status = 'pending' and s.review_check_at <= now() and s.review_due_at <= now()
    order by f.failed_at nulls first, s.review_check_at, s.id limit v_limit for no key update of s skip locked);
  v_kept := array(
    select s.id from public.submissions s
    left join private.failed_rows f on f.job = 'settle_due_reviews' and f.row_id = s.campaign_id
    where s.kept_until <= now() and s.appealed_at is null
    order by f.failed_at nulls first, s.kept_until, s.id limit v_limit for no key update of s skip locked);
  perform private.lock_for_review(v_due || v_kept);
  -- What was promised comes before the free slots of other quests, which share the project's points.
  for v_quest in
    select c.id, c.startup_id, p.owner_user_id, w.is_kept, array_agg(s.id) as proofs
    from (select unnest(v_due) as id, false as is_kept union all select unnest(v_kept), true) w join public.submissions s on s.id = w.id
    join public.campaigns c on c.id = s.campaign_id join public.startup_profiles p on p.id = c.startup_id
    group by c.id, p.id, w.is_kept order by w.is_kept, min(s.review_due_at), c.id
  loop
    begin
      if v_quest.is_kept then
        perform private.release_kept_slots(v_quest.proofs);
        perform private.adjust_reserve_within_balance(v_quest.id, v_quest.startup_id, v_quest.owner_user_id);
      else
        perform private.approve_overdue(v_quest.proofs);
      end if;
    exception when others then
      raise warning 'The due reviews of quest % could not be settled: %', v_quest.id, sqlerrm;
      perform private.record_failed_row('settle_due_reviews', sqlstate, 'quest', v_quest.id);
      v_failed := v_failed + 1;
    end;
  end loop;
  delete from private.failed_jobs f where f.job in ('remind_reviewers', 'settle_due_reviews') and f.failed_at < now();
  -- Less than p_limit when a quest has failed, so that the worker waits for its next tick instead of asking for the same proofs again.
  return greatest(greatest(cardinality(v_due), cardinality(v_kept)) - v_failed, 0);
end $$;
comment on function public.settle_due_reviews(integer) is
  'Called on every worker tick: reminds owners of pending proofs, approves and pays, once each, proofs that nobody decided within the '
  'promised time (BEY-22), and frees the slots of rejected proofs that nobody appealed in time (BEY-23). A proof that cannot be approved '
  'goes to an admin and is retried after ten minutes. A quest that cannot be settled stops no other; it is recorded and retried after '
  'them. Returns how many proofs it processed: p_limit means that there may be more. Service role only.';
grant execute on function public.settle_due_reviews(integer) to service_role;
