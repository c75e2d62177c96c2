-- Deleting an account: personal data is erased, and what the books need stays under an id that no longer refers to anybody.

create function private.lock_for_leaving(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_own uuid[] := array(
    select c.id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where s.owner_user_id = p_user_id);
  v_proofs uuid[] := array(
    select s.id from public.submissions s where s.user_id = p_user_id and (s.status = 'pending' or s.kept_until is not null));
begin
  -- A submission locks its picture first, then its member's rate limit, a decision the appeal or redemption.
  perform 1 from private.verified_uploads u where u.owner = p_user_id order by u.bucket, u.path for update;
  perform 1 from private.rate_limits r where right(r.subject, length(p_user_id) + 5) = 'user:' || p_user_id for update;
  perform 1 from public.appeals a
  where a.user_id = p_user_id and a.kind = 'rejection' and a.status = 'open' order by a.id for no key update;
  perform 1 from public.redemptions r where r.user_id = p_user_id and r.status = 'pending' order by r.id for no key update;
  -- Class by class over all rows, in the order of docs/data-model.md, as for a review.
  perform 1 from public.submissions s
  where s.user_id = p_user_id or s.campaign_id = any (v_own) and s.status = 'pending' order by s.id for no key update;
  -- By lists of ids: with conditions on two tables, all tasks and all quests would be read.
  perform 1 from public.tasks t where t.id = any (
    array(select o.id from public.tasks o where o.campaign_id = any (v_own))
    || array(select s.task_id from public.submissions s where s.id = any (v_proofs))
  ) order by t.id for no key update;
  perform 1 from public.campaigns c
  where c.id = any (v_own || array(select s.campaign_id from public.submissions s where s.id = any (v_proofs)))
  order by c.id for no key update;
  perform private.lock_wallets(array(
    select w.user_id from public.wallets w where w.user_id = p_user_id
    union select s.user_id from public.submissions s where s.campaign_id = any (v_own) and s.status = 'pending'
  ), v_own || array(select s.campaign_id from public.submissions s where s.id = any (v_proofs)));
end $$;
comment on function private.lock_for_leaving(text) is
  'Locks what deleting an account may change, in the global order: the person''s pictures, limits, appeals, redemptions and submissions, '
  'the quests of their project with the proofs that wait there, and all wallets concerned.';

create function private.withdraw_submissions(p_user_id text) returns uuid[]
language plpgsql security definer set search_path = ''
as $$
declare
  v_quests uuid[];
begin
  v_quests := array(
    select distinct s.campaign_id from public.submissions s
    where s.user_id = p_user_id and (s.status = 'pending' or s.kept_until is not null) order by 1);
  update public.tasks t set pending_count = t.pending_count - 1, pending_points = t.pending_points - s.reward_points,
    raised_points = t.raised_points - greatest(t.reward_points - s.reward_points, 0)
  from public.submissions s where s.task_id = t.id and s.user_id = p_user_id and s.status = 'pending';
  update public.campaigns c set pending_count = c.pending_count - s.total
  from (
    select campaign_id, count(*)::integer as total from public.submissions where user_id = p_user_id and status = 'pending' group by 1
  ) s where s.campaign_id = c.id;
  -- Nobody is left to appeal.
  perform private.release_kept_slots(array(select s.id from public.submissions s where s.user_id = p_user_id));
  update public.submissions s set status = 'rejected', reviewed_by = 'auto', review_note = 'The member deleted the account',
    reviewed_at = now()
  where s.user_id = p_user_id and s.status = 'pending';
  update public.submissions s set proof_url = null, proof_text = 'Removed with the account', participant_email = null
  where s.user_id = p_user_id;
  update public.submission_history h set proof_url = null, proof_text = null
  where h.user_id = p_user_id and (h.proof_url is not null or h.proof_text is not null);
  update public.submission_flags f set evidence = f.evidence - 'link' - 'domain'
  where f.user_id = p_user_id and f.evidence ?| array['link', 'domain'];
  delete from private.submission_fingerprints f using public.submissions s where s.id = f.submission_id and s.user_id = p_user_id;
  perform private.remove_shared_emails(p_user_id);
  return v_quests;
end $$;
comment on function private.withdraw_submissions(text) is
  'Rejects a deleted person''s pending submissions, which frees their slots and points, and removes proofs and addresses from all of the '
  'person''s submissions; owners are asked to delete copies of an address. Decisions stay. Returns the quests whose reserves the caller '
  'has to adjust. The caller has locked them.';

create function private.settle_for_leaving_owner(p_startup_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_submission public.submissions;
  v_reserved bigint;
begin
  for v_submission in
    select s.* from public.submissions s join public.campaigns c on c.id = s.campaign_id
    where c.startup_id = p_startup_id and c.held_at is null and s.status = 'pending' order by s.submitted_at, s.id
  loop
    select w.points into v_reserved from public.wallets w where w.campaign_id = v_submission.campaign_id;
    if coalesce(v_reserved, 0) >= v_submission.reward_points then
      perform private.approve(v_submission.id, 'auto', 'Approved because the project has left');
    else
      perform private.reject(v_submission.id, 'auto', 'other', 'The project has left and had too few points reserved to pay for this.');
    end if;
  end loop;
end $$;
comment on function private.settle_for_leaving_owner(uuid) is
  'Without an owner to review, pending proofs are approved in order of submission as far as the reserve goes, and the other members are '
  'notified (C-98). Proofs of held quests wait for an admin, and so do all of a project that is not public. The caller has locked '
  'submissions, quests and wallets.';

create function private.retire_startup(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_startup uuid;
  v_is_public boolean;
begin
  select s.id, s.is_public into v_startup, v_is_public from public.startup_profiles s where s.owner_user_id = p_user_id for no key update;
  if v_startup is null then
    return;
  end if;
  -- Who was suspended or revoked for paying their own accounts must not get them paid by leaving.
  if v_is_public then
    perform private.settle_for_leaving_owner(v_startup);
  end if;
  update public.campaigns c set status = 'closed', closed_at = now(), updated_at = now()
  where c.startup_id = v_startup and c.status <> 'closed';
  -- Also of those that were closed before, whose pending proofs may have been rejected just now.
  perform private.adjust_reserve_within_balance(w.campaign_id, v_startup, p_user_id) from (
    select r.campaign_id from public.wallets r join public.campaigns c on c.id = r.campaign_id where c.startup_id = v_startup order by r.id
  ) w;
  delete from public.campaign_email_collections e using public.campaigns c where c.id = e.campaign_id and c.startup_id = v_startup;
  update public.email_consents e set withdrawn_at = now() from public.campaigns c
  where c.id = e.campaign_id and c.startup_id = v_startup and e.withdrawn_at is null;
  update public.startup_profiles s set status = 'rejected', review_note = 'The owner deleted the account', owner_email = null,
    website = null, description = null, logo_url = null, former_name = null, renamed_at = null, changed_at = null, changed_from = null,
    -- An admin may still verify it, which counts for the person's next account; it lists nothing.
    suspended_at = coalesce(s.suspended_at, now())
  where s.id = v_startup;
end $$;
comment on function private.retire_startup(text) is
  'Settles pending proofs of a deleted owner (C-98), closes the quests, deletes the addresses that they collected (nobody may use them any '
  'more) and takes the project off the public lists for good. Its name and the ledger stay.';

create function public.anonymise_user(p_user_id text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_email text;
  -- With former ones, unless somebody else has them now.
  v_emails text[];
  v_was_suspended boolean;
  v_redemption public.redemptions;
  v_quests uuid[];
begin
  if private.clean(p_user_id) is null then
    perform private.raise_error('PROFILE_NOT_FOUND', 'Profile not found', 404);
  end if;
  perform pg_advisory_xact_lock(private.account_lock(p_user_id));
  -- Before rows are locked: whoever scans now may be waiting for them.
  perform private.scan_submissions(null);
  -- A decision about one of these locks it before the project and the profile that it restores.
  perform 1 from public.appeals a
  where a.user_id = p_user_id and a.kind <> 'rejection' and a.status = 'open' order by a.id for no key update;
  perform 1 from public.startup_profiles s where s.owner_user_id = p_user_id for no key update;
  -- The end of a plan locks it before its owner's profile.
  perform 1 from public.subscriptions s where s.owner_user_id = p_user_id order by s.id for no key update;
  select p.email, p.suspended_at is not null into v_email, v_was_suspended
  from public.user_profiles p where p.user_id = p_user_id for update;
  perform private.lock_for_leaving(p_user_id);
  v_quests := private.withdraw_submissions(p_user_id);
  -- Nothing can be delivered any more: refunds the points and restores the stock.
  for v_redemption in
    select r.* from public.redemptions r where r.user_id = p_user_id and r.status = 'pending' order by r.id
  loop
    perform private.cancel_redemption('system', v_redemption, null);
  end loop;
  -- What was promised to the person and is not needed any more returns to the projects.
  perform private.adjust_reserve_within_balance(c.id, c.startup_id, s.owner_user_id)
  from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where c.id = any (v_quests);
  perform private.retire_startup(p_user_id);

  delete from private.admins a where a.user_id = p_user_id;
  delete from private.idempotency_keys k where k.user_id = p_user_id;
  delete from private.task_tokens k where k.user_id = p_user_id;
  update public.notifications n set data = n.data - 'reason'
  from public.appeals a join public.startup_profiles s on s.id = a.startup_id
  where a.user_id = p_user_id and a.kind = 'rejection' and n.user_id = s.owner_user_id and n.type = 'RejectionAppealed'
    and n.data ->> 'reason' = a.words;
  update public.appeals a set words = 'Removed with the account' where a.user_id = p_user_id;
  -- The owners of the quests were promised word of the decision.
  perform private.enqueue_event('ProjectAppealDecided', s.owner_user_id, jsonb_build_object(
    'campaign_id', c.id, 'quest', c.title, 'task', t.title, 'outcome', 'upheld', 'note', 'The member deleted the account'))
  from public.appeals a join public.submissions d on d.id = a.submission_id join public.tasks t on t.id = d.task_id
    join public.campaigns c on c.id = t.campaign_id join public.startup_profiles s on s.id = c.startup_id
  where a.user_id = p_user_id and a.status = 'open';
  update public.appeals a set status = 'upheld', decision_note = 'The member deleted the account', decided_by = 'system', decided_at = now()
  where a.user_id = p_user_id and a.status = 'open';
  v_emails := array(
    select f.email from private.former_addresses f
    where f.user_id = p_user_id and not exists (select 1 from public.user_profiles p where p.email = f.email)
  ) || v_email;
  delete from private.unsubscribe_tokens t
  where t.email = any (v_emails) or t.email in (select m.email from public.mailing_list m where m.user_id = p_user_id);
  -- An opt-out stays, as a keyed hash (TRUST-25).
  delete from public.mailing_list m where m.user_id = p_user_id or m.email = any (v_emails);
  delete from private.former_addresses f where f.user_id = p_user_id;
  delete from private.checkout_holds h where h.owner_user_id = p_user_id;
  update public.subscriptions s set receipt_url = null where s.owner_user_id = p_user_id;
  update public.point_purchases p set receipt_url = null where p.owner_user_id = p_user_id;
  delete from public.email_consents e where e.user_id = p_user_id;
  delete from public.metrics_events e where e.user_id = p_user_id;
  delete from public.notifications n where n.user_id = p_user_id;
  delete from public.saved_quests s where s.user_id = p_user_id;
  delete from private.quest_views v where v.user_id = p_user_id;
  delete from public.followed_projects f where f.user_id = p_user_id;
  delete from public.notification_preferences p where p.user_id = p_user_id;
  delete from private.verified_uploads u where u.owner = p_user_id;
  delete from private.rate_limits r where right(r.subject, length(p_user_id) + 5) = 'user:' || p_user_id;
  update public.beta_feedback f set user_id = null, email = null where f.user_id = p_user_id or f.email = any (v_emails);
  delete from public.member_profiles m where m.user_id = p_user_id;
  delete from private.redemption_addresses a using public.redemptions r where r.id = a.redemption_id and r.user_id = p_user_id;
  update public.redemptions r set note = null where r.user_id = p_user_id and r.note is not null;
  update public.referral_codes c set is_active = false, code = 'GONE' || upper(substr(md5(gen_random_uuid()::text), 1, 12))
  where c.user_id = p_user_id and c.is_active;
  update public.outbox_events o set payload = '{}', last_error = null, failed_at = null, processed_at = coalesce(o.processed_at, now())
  where o.user_id = p_user_id;
  -- In events for others: the words of an appeal, and a withdrawn address unless its project is about to be asked to delete it.
  update public.outbox_events o set payload = o.payload - 'reason' where o.actor_id = p_user_id and o.type = 'RejectionAppealed';
  update public.outbox_events o set payload = o.payload - 'email', failed_at = null, processed_at = coalesce(o.processed_at, now())
  where o.actor_id = p_user_id and o.type = 'EmailWithdrawn' and o.failed_at is not null;
  update public.outbox_events o set actor_id = null where o.actor_id = p_user_id;

  update public.user_profiles p set username = private.erased_name(), display_name = null, avatar_url = null, email = null,
    verified_socials = '{}', interests = '{}', role = 'community', suspended_at = coalesce(p.suspended_at, now()),
    suspension_reason = case when p.suspended_at is null then 'Account deleted' else p.suspension_reason end
  where p.user_id = p_user_id and not exists (select 1 from private.deleted_users d where d.user_id = p_user_id);
  insert into private.deleted_users (user_id, was_suspended) values (p_user_id, coalesce(v_was_suspended, false))
  on conflict (user_id) do nothing;
  if found then
    perform private.audit('system', 'user.delete', 'user', p_user_id);
  end if;
end $$;
comment on function public.anonymise_user(text) is
  'The identity provider deleted the account: removes names, addresses, profile, proofs, collected addresses and feedback''s sender, '
  'closes the person''s quests and appeals and cancels pending redemptions; wallet, ledger, decisions and ratings stay under the bare id. '
  'Idempotent, also for an unknown person. The function clerk-webhook deletes the files. Service role only. Errors: PROFILE_NOT_FOUND.';
grant execute on function public.anonymise_user(text) to service_role;
