/** Equivalent mutants: why nothing is wrong although they survive, by their name in the report. */
export const EQUIVALENT: Record<string, string> = {
  'function private.flag_picture(submissions,tasks,bit): line 15: "<>" in "f.key = any (v_keys)"':
    'No change: the distance decides. The keys save comparing with every picture.',
  'function private.settle_waiting(uuid,uuid[],boolean): line 27: always true: "v_waiting > 0"':
    'No change: where nothing waits, nothing is approved.',
  'function private.reopen_kept_slot(uuid,uuid,text): line 17: without "v_kept.id is null or"':
    'No change: the proof that was just rejected can always be taken.',
  'function fail_outbox_event(bigint,integer,text,text,integer): line 8: 1 for 0 in "0"':
    'No change: no pause is shorter than 30 seconds.',
  "function get_points_transfer_stats(): line 14: 'debit' for \"'credit'\"":
    'No change: every transfer has one entry of each type, with the same points.',
  'function get_project_points(): line 5: 1 for 0 in "0"':
    'No change: nothing is cached for somebody who is signed in.',
  'function private.platform_days(timestamp with time zone): line 10: everything instead of "s.submitted_at >= p_since"':
    'No change: only the days of the period are shown. The condition saves reading the others.',
  'function private.referral_proof(text,text): line 20: 2 for 1 in "1"':
    'No change: both callers read the first row. The limit saves sorting the others.',
  'function private.uploads_of(text,text): line 2: 1 for 0 in "0"':
    'No change: it is a byte for nobody’s files, and every limit is a megabyte at least.',
  'function update_campaign(uuid,jsonb,jsonb,text,boolean): line 5: without "t.campaign_id = p_campaign_id and"':
    'No change: tasks of other quests are none of those that go. The condition saves reading them.',
  'function adjust_points(uuid,integer,text,text): line 30: 1 for 0 in "p_points < 0"':
    'No change: zero is refused before.',
  "function claim_orphaned_files(text,text,integer,interval): line 24: without \"o.bucket_id in ('proofs', 'project-logos') and\"":
    'No change: pictures of rewards and previews are in nobody’s folder.',
  'function private.catalogue_fingerprint(): line 12: without "and d.adnum = a.attnum"':
    'No change: each column then carries all defaults of its table, and a changed one still changes the hash.',
  'function private.count_referral_code(): line 8: everything instead of "c.change <> 0"':
    'No change: zeros add nothing. The condition saves writing them.',
  'function private.flagged_credits(text): line 2: always false: "not exists (select 1 from public.submission_flags f where f.user_id = p_user_id and f.d..."':
    'No change: the query finds nothing either. The condition saves it.',
  'function private.is_admin_without_role(text): line 3: without "and o.revoked_at is null"':
    'No change: it is asked of profiles with the role, and a revocation takes that away.',
  'function private.page_facts(text,text): line 40: 2 for 1 in "1"':
    'No change: the number only has to differ from that of an earlier drawing.',
  'function private.settle_approval(submissions,uuid,text,text): line 30: 1 for 0 in "0"':
    'No change: a quest that pays has a reserve.',
  'function private.settle_waiting(uuid,uuid[],boolean): line 17: without "and s.task_id <> all (p_kept_tasks)"':
    'No change: proofs of other tasks are scanned a minute earlier.',
  'function reverse_transfer(bigint,text): line 35: everything instead of "c.id = v_transfer.campaign_id"':
    'No change: it locks quests of others for a moment, too.',
  'function private.sum_ledger(bigint,bigint): line 12: 3 for 2 in "t.id between p_after / 2"':
    'No change: it follows from the entries’ ids. The condition saves reading all transfers.',
  'function record_verified_upload(text,text,uuid,text,text,text,bigint,text): line 12: without "and o.name = p_path"':
    'No change: a file counts as checked only under the name that it has.',
  'function private.index_quests(uuid[]): line 12: without "c.id = any (p_campaign_ids) and"':
    'No change: quests that have not changed are indexed again, too.',
  'function private.count_subscriber(): line 7: everything instead of "c.name is not null"':
    'No change: without a name there is no change either.',
  'function private.hold_trial_again(text): line 16: ">=" in "t.trial_points > 0"':
    'No change: a transfer without trial points has null.',
  "function review_submissions(uuid[],text,text,text): line 34: without \"and v_row.status = case p_decision when 'approve' then 'approved' else 'rejected' end::...\"":
    'No change: a rejection has a reason, and an approval has none.',
  'function adjust_points(uuid,integer,text,text): line 27: always true: "p_points < 0"':
    'No change: adding points leaves none missing.',
  'function private.decided_by(text,uuid,text,uuid): line 4: without "a.subject_type = p_type and"':
    'No change: no two things have the same id.',
  'function private.audit_subject(text,text): line 32: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.catalogue_fingerprint(): line 12: "<>" in "d.adnum = a.attnum"':
    'No change: each column then carries the defaults of the others, and a changed one still changes the hash.',
  "function update_campaign(uuid,jsonb,jsonb,text,boolean): line 80: skipped: \"perform set_config('questboard.index_later', 'false', true);\"":
    'No change: the setting ends with the call.',
  'policy app_settings_read on public.app_settings: always true':
    'No change: the one row is public, and its secret column is held by a grant.',
  'policy campaigns_read_public on public.campaigns: for signed-in people too':
    'No change: signed-in people see published quests by their own policy.',
  'policy metrics_events_insert on public.metrics_events: always true':
    'No change: a trigger sets the person before the policy looks.',
  'policy transfers_read on public.transfers: without "( SELECT private.is_admin() AS is_admin)"':
    'No change: every transfer has two entries, and admins read those by their own policy. The term only saves them the look-up.',
  'table public.app_settings: no row level security':
    'No change: the one row is public, and its secret column is held by a grant.',
  'table public.app_settings: a second policy that lets everybody read':
    'No change: the one row is public, and its secret column is held by a grant.',
  'table public.metrics_events: insert for signed-in people':
    'No change: the columns that this adds are set by the identity and by a trigger.',
  'function private.transfer(uuid,uuid,bigint,transfer_kind,text,text,uuid,uuid,uuid,uuid,jsonb,bigint): line 33: without "w.id = p_to and"':
    'No change: no member’s wallet pays for tasks or bonuses.',
  'function private.is_verified_upload(text,text,text): line 7: without "o.bucket_id = v.bucket and"':
    'No change: a file has an id of its own.',
  'function authorize_proof_link(text): line 6: without "and o.name = v.path"':
    'No change: a file has an id of its own, and a link to a name that is gone opens nothing.',
  'function private.add_search_words(text[]): line 11: always true: "cardinality(v_new) > 0"':
    'No change: no words are added. The condition saves the lock.',
  'function private.lock_started_tasks(text): line 2: without "and k.subscribes"':
    'No change: it locks other tokens of the address for a moment, too.',
  'function private.queue_digests(): line 12: always false: "not v_is_first and v_failed = \'{}\'"':
    'No change: no owner is looked at then. The condition saves the query.',
  'function anonymise_user(text): line 17: without "and a.status = \'open\'"':
    'No change: it locks decided appeals for a moment, too.',
  'function private.quest_states(text): line 24: without "and not q.is_complete"':
    'No change: a member who has completed a quest has an approved proof of each of its tasks.',
  'function private.count_review_record(uuid,timestamp with time zone): line 3: without "f.is_decision and"':
    'No change: only the rejections of people are recorded.',
  'function private.take_over_plan(startup_profiles): line 10: without "and own.plan_id = s.plan_id"':
    'No change: there is one plan.',
  'function redeem_reward_safe(uuid,text,integer,jsonb): line 48: without "v_held > 0 and"':
    'No change: nothing is released where nothing is held. The condition saves looking.',
  'function redeem_reward_safe(uuid,text,integer,jsonb): line 48: ">=" in "v_held > 0"':
    'No change: nothing is released where nothing is held. The condition saves looking.',
  'function private.has_decided(text,appeals): line 8: without "l.subject_type = d.subject_type and"':
    'No change: no two things have the same id.',
  'function private.has_decided(text,appeals): line 8: without "and l.subject_id = d.subject_id"':
    'No change: what is recorded at one microsecond, one admin has decided.',
  'function private.has_decided(text,appeals): line 8: without "and l.action = d.action"':
    'No change: what is recorded at one microsecond, one admin has decided.',
  'function private.has_decided(text,appeals): line 9: without "d.kind = p_appeal.kind::text and"':
    'No change: the ids belong to one kind only.',
  'function private.auto_reviewer(tasks,text): line 4: ">=" in "p_task.reward_points > coalesce((select w.points from public.wallets w where w.campaign..."':
    'No change: reserve and free points are enough then, too.',
  'function private.auto_reviewer(tasks,text): line 4: 1 for 0 in "0"': 'No change: a quest that pays has a reserve.',
  'function private.auto_reviewer(tasks,text): line 9: 1 for 0 in "0"': 'No change: a quest that pays has a reserve.',
  'function private.reopen_kept_slot(uuid,uuid,text): line 15: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.settle_approval(submissions,uuid,text,text): line 25: "<=" in "v_reserved < v_promised"':
    'No change: it locks the project’s wallet, too.',
  'function private.settle_approval(submissions,uuid,text,text): line 24: 1 for 0 in "0"':
    'No change: a quest that pays has a reserve.',
  'function private.appeal_rejection(text,uuid,text): line 13: without "h.submission_id = p_submission_id and"':
    'No change: no approval is reversed in the transaction of a rejection.',
  'function decide_appeal(uuid,text,text): line 39: without "p.user_id = v_appeal.user_id and"':
    'No change: nobody else is suspended at the same microsecond.',
  'function decide_appeal(uuid,text,text): line 46: without "s.id = v_appeal.startup_id and"':
    'No change: no other project is revoked at the same microsecond.',
  'function private.count_approvals(uuid[]): line 19: ">=" in "q.raised > 0"':
    'No change: the reserve is what is required. The condition saves asking.',
  'function private.approve(uuid,text,text,boolean): line 16: ">=" in "t.reward_points > v_submission.reward_points"':
    'No change: the reserve is what is required. The condition saves locking it and asking.',
  'function private.update_task(tasks): line 8: never the case: "t.reward_points = p_task.reward_points"':
    'No change: at the same reward the sum is the same. The condition saves reading the proofs.',
  'function activate_subscription(uuid,text,text,text,integer,integer,text): line 38: without "v_reason is not null and"':
    'No change: without a reason v_is_disputed is null.',
  'function private.take_over_plan(startup_profiles): line 11: always true: "found"':
    'No change: the badge is computed anew. The condition saves that.',
  'function private.flag_member(submissions,text): line 9: always true: "exists ( select 1 from private.known_mailboxes k join private.known_mailboxes o on o.ma..."':
    'No change: flag_relation looks for relations itself. The condition saves that.',
  'function private.flag_member(submissions,text): line 11: without "o.mailbox = k.mailbox and"':
    'No change: flag_relation looks for relations itself. The condition saves that.',
  'function private.flag_member(submissions,text): line 11: without "and o.user_id <> k.user_id"':
    'No change: flag_relation looks for relations itself. The condition saves that.',
  'function private.flag_member(submissions,text): line 11: everything instead of "k.user_id = v_user"':
    'No change: flag_relation looks for relations itself. The condition saves that.',
  'function private.flag_member(submissions,text): line 13: everything instead of "r.referred_user_id in (v_user, p_owner_id)"':
    'No change: flag_relation looks for relations itself. The condition saves that.',
  'function private.flag_member(submissions,text): line 14: everything instead of "s.owner_user_id = v_user"':
    'No change: flag_relation looks for relations itself. The condition saves that.',
  'function private.flag_member(submissions,text): line 11: "=" in "o.user_id <> k.user_id"':
    'No change: flag_relation looks for relations itself. The condition saves that.',
  'function private.flag_relation(submissions,text): line 11: "<=" in "(s.submitted_at, s.id) < (p_submission.submitted_at, p_submission.id)"':
    'No change: only the proof itself is equal, and it is by the member.',
  'function private.flag_relation(submissions,text): line 12: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.flag_submission(submissions,tasks,campaigns): line 8: always true: "p_submission.submitted_at > p_submission.created_at"':
    'No change: a new submission has neither fingerprints nor flags.',
  'function private.flag_submission(submissions,tasks,campaigns): line 8: ">=" in "p_submission.submitted_at > p_submission.created_at"':
    'No change: a new submission has neither fingerprints nor flags.',
  'function private.suspend(text,text,text): line 6: without "v_before.suspended_at is not null and"':
    'No change: whoever is not suspended has no reason.',
  'function private.end_email_consent(): line 4: without "tg_op = \'DELETE\' or"':
    'No change: after a deletion new is null, and differs from every consent.',
  'function get_available_quests_for_new_user(text,integer): line 10: without "and not c.is_full"':
    'No change: no task of a full quest has a free slot. The condition lets an index find the quests.',
  'function private.normalize_url(text,text,text): line 4: always false: "v_url is null"':
    'No change: an address that is null has neither a scheme nor a fault, and null is returned.',
  'function submit_completion_code(uuid,text,text,integer,boolean,text): line 26: without "c.task_id = p_task_id and"':
    'No change: the hash depends on the task. The condition is what the index begins with.',
  'function claim_orphaned_files(text,text,integer,interval): line 2: not "true"':
    'No change: only bucket and path of the place are read.',
  'function record_verified_upload(text,text,uuid,text,text,text,bigint,text): line 7: without "and v.path = p_path"':
    'No change: nobody renames a file, so that an id has one path.',
  'function get_unread_notification_count(): line 4: without "n.user_id = public.current_user_id() and"':
    'No change: row level security shows nobody else’s. The condition lets an index find them.',
  'function private.compact_counter_deltas(): line 2: without "and pg_try_advisory_xact_lock(hashtextextended(\'counts\', 0))"':
    'No change: a second session finds the rows gone. The lock saves waiting for the first.',
  'function private.count_rows(): line 3: everything instead of "count(*) > 0"':
    'No change: zeros add nothing. The condition saves writing them.',
  'function private.count_rows(): line 3: ">=" in "count(*) > 0"':
    'No change: zeros add nothing. The condition saves writing them.',
  "function private.links_of(text,text): line 2: always false: \"coalesce(p_text, '') !~* 'https?://'\"":
    'No change: a text without a link adds none. The condition saves looking for them.',
  'function private.startup_wallet(uuid,text): line 6: without "and w.kind = \'startup\'"':
    'No change: only a project’s wallet has a profile. The condition lets an index find it.',
  'function private.own_wallet_ids(): line 5: without "and w.kind <> \'user\'"':
    'No change: the personal wallet is named twice. The condition lets an index find the others.',
  'function private.is_verified_upload(text,text,text): line 3: without "v.bucket = p_bucket and"':
    'No change: it locks the checks of other files for a moment, too.',
  'function private.is_verified_upload(text,text,text): line 3: without "and v.path = p_path"':
    'No change: it locks the checks of other files for a moment, too.',
  'function private.is_verified_upload(text,text,text): line 3: without "and v.owner = p_user_id"':
    'No change: it locks the checks of other files for a moment, too.',
  'function record_verified_upload(text,text,uuid,text,text,text,bigint,text): line 7: without "v.bucket = p_bucket and"':
    'No change: a file has an id of its own.',
  'function private.roll_up_member_weeks(bigint,bigint): line 18: everything instead of "b.week <> excluded.week"':
    'No change: the same week is written again.',
  'function private.open_objection(text): line 9: without "later.decision = \'hold_lifted\' and"':
    'No change: a later hold of the quest is an objection itself.',
  'function private.open_objection(text): line 8: ">=" in "later.id > d.id"':
    'No change: no decision is both an objection and its end.',
  'function private.open_objection(text): line 12: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.save_check(uuid,uuid,text,text): line 8: without "and c.source = p_source"':
    'No change: no address is the name of a repository.',
  'function private.referral_holds_on(text): line 4: without "and h.released_at is null"':
    'No change: it locks wallets whose bonus is free already for a moment, too.',
  'function private.referral_holds_on(text): line 4: without "and h.reversed_at is null"':
    'No change: it locks wallets whose bonus was reversed for a moment, too.',
  'function review_submissions(uuid[],text,text,text): line 33: without "and v_row.user_id <> v_user"':
    'No change: nobody has a proof in a quest of their own.',
  'function review_submissions(uuid[],text,text,text): line 42: without "sqlstate \'PT400\' or"':
    'No change: what is refused so is refused before the first decision.',
  'function private.instructions_before(uuid,uuid,timestamp with time zone): line 5: without "l.subject_type = \'campaign\' and"':
    'No change: no two things have the same id.',
  'function private.instructions_before(uuid,uuid,timestamp with time zone): line 5: without "and l.subject_id = p_campaign_id::text"':
    'No change: a task has an id of its own. The condition lets an index find the records.',
  'function private.instructions_before(uuid,uuid,timestamp with time zone): line 5: without "and l.action = \'campaign.update\'"':
    'No change: no other record has instructions.',
  "function get_quest_by_key(text): line 6: without \"and k.action in ('create_quest', 'update_campaign', 'duplicate_campaign')\"":
    'No change: no other key names a quest.',
  'function private.transfer(uuid,uuid,bigint,transfer_kind,text,text,uuid,uuid,uuid,uuid,jsonb,bigint): line 33: without "and w.kind = \'user\'"':
    'No change: only members are paid for tasks, or get bonuses.',
  'function private.flagged_credits(text): line 2: without "and f.dismissed_at is null"':
    'No change: no payment counts whose flags are dismissed. The condition saves looking at them.',
  'function sync_current_user(text): line 36: without "and w.held_points > 0"':
    'No change: nothing is released where nothing is held. The condition saves looking.',
  'function sync_current_user(text): line 36: ">=" in "w.held_points > 0"':
    'No change: nothing is released where nothing is held. The condition saves looking.',
  'function private.count_beta_feedback(): line 7: everything instead of "sum(c.change) <> 0"':
    'No change: zeros add nothing. The condition saves writing them.',
  'function adjust_points(uuid,integer,text,text): line 21: "<=" in "p_points < 0"':
    'No change: zero is refused before.',
  'function adjust_points(uuid,integer,text,text): line 21: 1 for 0 in "p_points < 0"':
    'No change: zero is refused before.',
  'function adjust_points(uuid,integer,text,text): line 27: "<=" in "p_points < 0"':
    'No change: zero is refused before.',
  'function adjust_points(uuid,integer,text,text): line 27: 1 for 0 in "p_points < 0"':
    'No change: zero is refused before.',
  'function adjust_points(uuid,integer,text,text): line 30: "<=" in "p_points < 0"':
    'No change: zero is refused before.',
  'function adjust_points(uuid,integer,text,text): line 30: ">=" in "p_points > 0"':
    'No change: zero is refused before.',
  'function private.outbox_backoff(integer): line 1: 19 for 20 in "20"':
    'No change: the pause is an hour from the eighth failure on.',
  'function private.expire_subscriptions(): line 6: without "s.status = \'active\' and"':
    'No change: the update asks again. The condition saves trying.',
  'function private.expire_subscriptions(): line 6: without "and s.current_period_end < now()"':
    'No change: the update asks again. The condition saves trying.',
  'function private.lock_owner(text): line 4: everything instead of "s.owner_user_id = p_user_id"':
    'No change: it locks projects of others for a moment, too.',
  'function decide_appeal(uuid,text,text): line 44: everything instead of "s.id = v_appeal.startup_id"':
    'No change: it locks projects of others for a moment, too.',
  'function private.lock_purchase(text): line 5: everything instead of "s.owner_user_id = (select p.owner_user_id from public.point_purchases p where p.payment..."':
    'No change: it locks projects of others for a moment, too.',
  'function private.adjust_reserve(uuid,uuid,text,bigint): line 8: everything instead of "w.id = v_startup"':
    'No change: it locks wallets of others for a moment, too.',
  'function private.approve_overdue(uuid[]): line 21: without "and s.status = \'pending\'"':
    'No change: nothing asks when a decided proof is looked at next.',
  'function private.promise_obstacle(submissions): line 12: 1 for 0 in "0"':
    'No change: a quest that pays has a reserve.',
  'function get_project_payouts(): line 6: 1 for 0 in "0"':
    'No change: nothing is cached for somebody who is signed in.',
  'function get_project_payouts(): line 15: without "and t.created_at >= v_first::timestamp at time zone \'UTC\'"':
    'No change: only the days of the period are shown. The condition saves reading the others.',
  'function get_review_counts(): line 3: 1 for 0 in "0"': 'No change: nothing is cached for somebody who is signed in.',
  'function get_review_counts(): line 6: ">=" in "c.pending_count > 0"':
    'No change: where nothing waits, nothing is found. The condition saves looking.',
  'function get_review_counts(): line 11: ">=" in "c.pending_count > 0"':
    'No change: where nothing waits, nothing is found. The condition saves looking.',
  'function private.measure_quests(): line 11: everything instead of "c.median_minutes is distinct from m.minutes"':
    'No change: the same minutes are written again.',
  'function private.count_startup(): line 7: everything instead of "sum(c.change) <> 0"':
    'No change: zeros add nothing. The condition saves writing them.',
  'function private.is_running(subscriptions): line 2: without "p_subscription.plan_id = \'og_lifetime\' and"':
    'No change: there is one plan.',
  'function private.is_referenced(text,text): line 12: not "true"':
    'No change: nobody asks about the files of other buckets.',
  'function claim_orphaned_files(text,text,integer,interval): line 16: everything instead of "f.id"':
    'No change: there is one row.',
  'function claim_orphaned_files(text,text,integer,interval): line 20: everything instead of "(v.bucket, v.path) in (select b, n from unnest(v_buckets, v_names) t (b, n))"':
    'No change: it locks the checks of other files for a moment, too.',
  'function private.save_verification(uuid,jsonb): line 14: without "c.task_id = p_task_id and"':
    'No change: the hash depends on the task. The condition is what the index begins with.',
  "function private.check_verification(uuid): line 8: without \"and t.verification in ('code', 'call', 'check')\"":
    'No change: the others need nothing of what is asked for. The condition saves looking at them.',
  'function private.copy_verification(uuid,uuid): line 3: without "and n.title = t.title"':
    'No change: no two tasks of a quest have one position.',
  'function private.adjust_reserve_within_balance(uuid,uuid,text): line 6: everything instead of "w.id = v_startup"':
    'No change: it locks wallets of others for a moment, too.',
  'function private.adjust_reserve_within_balance(uuid,uuid,text): line 7: everything instead of "w.id = v_reserve"':
    'No change: it locks wallets of others for a moment, too.',
  'function private.require_owned_campaign(uuid,uuid[]): line 12: always true: "p_kept_tasks is not null"':
    'No change: without a list no proof is found. The condition saves looking.',
  'function create_quest(uuid,jsonb,jsonb,text,boolean): line 61: 1000000 for 1000 in "1000"':
    'No change: more is refused before.',
  'function private.wallet_problems(): line 5: 1 for 0 in "0"':
    'No change: the first entry of a wallet is a credit that counts.',
  'function private.wallet_problems(): line 10: without "t.type = \'credit\' and"':
    'No change: no member’s wallet pays for tasks or bonuses.',
  'function private.wallet_problems(): line 11: without "t.type = \'debit\' and"':
    'No change: a reversal gives no member points.',
  'function private.wallet_problems(): line 12: everything instead of "t.wallet_id is not null"':
    'No change: system accounts have no wallet. The condition saves adding them up.',
  'function private.campaign_problems(): line 13: without "and t.campaign_id is not null"':
    'No change: what is of no quest is compared with none. The condition saves adding it up.',
  'function private.payment_problems(): line 4: without "and t.submission_id is not null"':
    'No change: what is of no proof is compared with none. The condition saves adding it up.',
  'function private.reserve_problems(): line 7: 1 for 0 in "0"':
    'No change: a quest that promises points has a reserve.',
  'function private.counter_mismatches(): line 11: 1 for 0 in "0"':
    'No change: the first entry of all is a debit of a system account.',
  'function private.requeue_events(text,bigint): line 6: without "and o.processed_at is null"':
    'No change: what is processed has not failed.',
  'function private.remove_expired(): line 30: without "and d.processed_at is null"':
    'No change: what is processed has not failed.',
  'function private.remove_left_words(): line 11: without "distinct"': 'No change: a word is removed once.',
  'function private.remove_left_words(): line 12: without "k.word = any (v_words) and"':
    'No change: other words that no quest has any more go earlier. The condition saves looking for them.',
  'function private.next_announcement(): line 3: 2 for 1 in "1"': 'No change: what has begun is read first.',
  'function private.next_announcement(): line 8: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.next_announcement(): line 10: 3 for 2 in "2"': 'No change: it comes after what has begun.',
  'function private.next_announcement(): line 18: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.next_announcement(): line 19: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.flag_text(submissions,text): line 25: 99 for 100 in "100"':
    'No change: how many are compared in full is a matter of time. A copy is among the first.',
  'function private.flag_text(submissions,text): line 27: 2 for 1 in "1"': 'No change: the first row is read.',
  'function private.flag_picture(submissions,tasks,bit): line 15: without "f.key = any (v_keys) and"':
    'No change: the distance decides. The keys save comparing with every picture.',
  'function private.flag_picture(submissions,tasks,bit): line 16: 499 for 500 in "500"':
    'No change: which of more than five hundred look-alikes are counted is left open.',
  'function private.flag_picture(submissions,tasks,bit): line 16: 500000 for 500 in "500"':
    'No change: which of more than five hundred look-alikes are counted is left open.',
  'function private.flag_proof(submissions,tasks,text,text): line 16: always true: "v_dhash is not null"':
    'No change: nothing looks like a picture without a hash. The condition saves looking.',
  'function private.flag_proof(submissions,tasks,text,text): line 20: not "false"':
    'No change: the distance decides. Fewer keys save room.',
  'function private.flag_member(submissions,text): line 6: 2 for 1 in "1"':
    'No change: no domain on the list belongs to another one.',
  'function private.scan_submission(uuid): line 10: always true: "v_campaign.id is not null"':
    'No change: there is nothing to compare in a proof that is gone.',
  'function private.scan_submissions(interval): line 5: always false: "not exists (select 1 from private.unscanned_submissions)"':
    'No change: nothing is scanned then. The condition saves the lock.',
  'function private.scan_submissions(interval): line 13: without "f.job = \'scan_submissions\' and"':
    'No change: no other job records submissions.',
  'function private.text_keys(text,uuid): line 5: 5 for 4 in "4"':
    'No change: the similarity decides. The keys save comparing with every text.',
  'function private.picture_keys(bit,boolean): line 1: 65534 for 65535 in "p_dhash::bigint >> (16 * q) & 65535"':
    'No change: the distance decides. The keys save comparing with every picture.',
  'function private.claim_idempotency_key(text,text,text,uuid): line 8: without "k.user_id = p_user_id and"':
    'No change: whoever calls again deletes their own first.',
  'function private.settle_approval(submissions,uuid,text,text): line 16: always true: "v_holders <> \'{}\'"':
    'No change: the payment locks the member’s wallet, too.',
  'function private.settle_approval(submissions,uuid,text,text): line 18: everything instead of "w.id = any (v_holders || v_member)"':
    'No change: it locks wallets of others for a moment, too.',
  'function private.settle_approval(submissions,uuid,text,text): line 25: always true: "v_reserved < v_promised"':
    'No change: it locks the project’s wallet, too.',
  'function private.settle_approval(submissions,uuid,text,text): line 44: ">=" in "v_trial > 0"':
    'No change: nothing is held of what is no trial. The condition saves looking.',
  'function private.record_submission(text,tasks,text,text,text,integer,boolean,text,integer,text,text): line 69: always true: "p_promised_reward is not null"':
    'No change: no task pays less than an unknown reward. The condition saves looking.',
  'function private.record_submission(text,tasks,text,text,text,integer,boolean,text,integer,text,text): line 71: without "t.id = p_task.id and"':
    'No change: the reserve is what is required. The condition saves asking.',
  'function private.record_submission(text,tasks,text,text,text,integer,boolean,text,integer,text,text): line 71: without "and t.reward_points < p_promised_reward"':
    'No change: the reserve is what is required. The condition saves asking.',
  'function private.record_submission(text,tasks,text,text,text,integer,boolean,text,integer,text,text): line 71: "<=" in "t.reward_points < p_promised_reward"':
    'No change: the reserve is what is required. The condition saves asking.',
  'function private.record_submission(text,tasks,text,text,text,integer,boolean,text,integer,text,text): line 76: without "v_old.kept_until is not null and"':
    'No change: the reserve is what is required. The condition saves asking.',
  'function private.lock_for_leaving(text): line 8: everything instead of "u.owner = p_user_id"':
    'No change: it locks pictures of others for a moment, too.',
  'function private.lock_for_leaving(text): line 9: everything instead of "right(r.subject, length(p_user_id) + 5) = \'user:\' || p_user_id"':
    'No change: it locks limits of others for a moment, too.',
  'function private.lock_for_leaving(text): line 11: without "a.user_id = p_user_id and"':
    'No change: it locks appeals of others for a moment, too.',
  'function private.lock_for_leaving(text): line 11: without "and a.kind = \'rejection\'"':
    'No change: the other appeals are locked already.',
  'function private.lock_for_leaving(text): line 11: without "and a.status = \'open\'"':
    'No change: it locks decided appeals for a moment, too.',
  'function private.lock_for_leaving(text): line 12: without "r.user_id = p_user_id and"':
    'No change: it locks redemptions of others for a moment, too.',
  'function private.lock_for_leaving(text): line 12: without "and r.status = \'pending\'"':
    'No change: it locks decided redemptions for a moment, too.',
  'function private.lock_for_leaving(text): line 15: without "and s.status = \'pending\'"':
    'No change: it locks decided proofs for a moment, too.',
  'function private.lock_for_leaving(text): line 25: everything instead of "w.user_id = p_user_id"':
    'No change: it locks wallets of others for a moment, too.',
  'function private.lock_for_leaving(text): line 26: without "s.campaign_id = any (v_own) and"':
    'No change: it locks wallets of others for a moment, too.',
  'function private.lock_for_leaving(text): line 26: without "and s.status = \'pending\'"':
    'No change: it locks wallets of others for a moment, too.',
  'function private.withdraw_submissions(text): line 22: without "and (h.proof_url is not null or h.proof_text is not null)"':
    'No change: what is empty stays empty. The condition saves writing it.',
  "function private.withdraw_submissions(text): line 24: without \"and f.evidence ?| array['link', 'domain']\"":
    'No change: nothing is removed from other evidence. The condition saves writing it.',
  'function private.retire_startup(text): line 6: always false: "v_startup is null"':
    'No change: without a project there is nothing to settle. The condition saves looking.',
  'function private.retire_startup(text): line 5: without "for no key update"': 'No change: the caller has locked it.',
  'function anonymise_user(text): line 17: without "a.user_id = p_user_id and"':
    'No change: it locks appeals of others for a moment, too.',
  'function anonymise_user(text): line 17: without "and a.kind <> \'rejection\'"':
    'No change: it locks the others a moment earlier.',
  'function anonymise_user(text): line 18: everything instead of "s.owner_user_id = p_user_id"':
    'No change: it locks projects of others for a moment, too.',
  'function anonymise_user(text): line 20: everything instead of "s.owner_user_id = p_user_id"':
    'No change: it locks plans of others for a moment, too.',
  'function anonymise_user(text): line 41: without "and a.kind = \'rejection\'"':
    'No change: the other appeals are of the person’s own project, whose notices are deleted.',
  'function anonymise_user(text): line 76: without "and r.note is not null"':
    'No change: what is empty stays empty. The condition saves writing it.',
  'function anonymise_user(text): line 77: 2 for 1 in "1"': 'No change: the code only has to be a new one.',
  'function anonymise_user(text): line 77: 11 for 12 in "12"': 'No change: the code only has to be a new one.',
  'function get_leaderboard(integer,text): line 23: without "w.kind = \'user\' and"':
    'No change: no other wallets have such points. The condition finds the index.',
  'function get_leaderboard(integer,text): line 24: 100000 for 100 in "100"':
    'No change: the limit of the list decides.',
  'function get_own_rank(text): line 33: without "w.kind = \'user\' and"':
    'No change: no other wallets have such points. The condition finds the index.',
  'function get_own_rank(text): line 33: without "and w.leaderboard_points > 0"':
    'No change: whoever has a rank has points. The condition finds the index.',
  'function get_own_rank(text): line 33: ">=" in "w.leaderboard_points > 0"':
    'No change: whoever has a rank has points. The condition finds the index.',
  'function get_own_rank(text): line 33: without "and w.leaderboard_points >= v_points"':
    'No change: it follows from the next condition, and finds the index.',
  'function get_own_rank(text): line 25: without "and m.points > 0"':
    'No change: whoever has a rank has points. The condition finds the index.',
  'function get_own_rank(text): line 25: ">=" in "m.points > 0"':
    'No change: whoever has a rank has points. The condition finds the index.',
  'function get_own_rank(text): line 25: without "and m.points >= o.points"':
    'No change: it follows from the next condition, and finds the index.',
  'function private.weekly_totals(date,integer): line 8: without "and m.points > 0"':
    'No change: whoever has less is left out of the totals. The condition finds the index.',
  'function private.weekly_totals(date,integer): line 8: ">=" in "m.points > 0"':
    'No change: whoever has less is left out of the totals. The condition finds the index.',
  'function submit_beta_feedback(text,text,integer,text,text): line 22: 2 for 1 in "1"':
    'No change: the first row is read.',
};
