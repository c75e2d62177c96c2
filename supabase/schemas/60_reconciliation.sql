-- Reconciliation: recomputes every maintained figure from its source (TRUST-01, TRUST-11).

create type private.ledger_problem as (problem text, subject_type text, subject_id text, expected bigint, actual bigint);
comment on type private.ledger_problem is 'A figure that differs from its recount.';

create function private.transfer_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select 'transfer_unbalanced', 'transfer', coalesce(t.id, e.transfer_id)::text, 2::bigint, count(e.id)
  from public.transfers t full join public.entries e on e.transfer_id = t.id
  group by coalesce(t.id, e.transfer_id)
  having count(e.id) <> 2 or count(t.id) = 0
$$;
comment on function private.transfer_problems() is
  'Transfers that do not have their two entries, and entries without a transfer. Constraints of the tables ensure that the two are a debit '
  'and a credit of the same points.';

create function private.wallet_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with recount as (
    select t.wallet_id,
      sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points,
      coalesce(sum(t.points)
        filter (where t.type = 'credit' and t.kind not in ('refund', 'release', 'reversal')), 0)::bigint
        - coalesce(sum(t.points)
          filter (where t.type = 'debit' and t.kind in ('reversal', 'purchase_reversal')), 0)::bigint as lifetime_points,
      coalesce(sum(case t.type when 'credit' then t.trial_points else -t.trial_points end), 0)::bigint as trial_points,
      coalesce(sum(t.points)
        filter (where t.type = 'credit' and t.kind in ('task_completion', 'referral_bonus', 'welcome_bonus')), 0)::bigint
        - coalesce(sum(t.points) filter (where t.type = 'debit' and t.kind = 'reversal'), 0)::bigint as leaderboard_points
    from public.transactions t where t.wallet_id is not null group by t.wallet_id
  ), held as (
    select h.wallet_id, sum(h.points)::bigint as points from public.point_holds h
    where h.released_at is null and h.reversed_at is null group by h.wallet_id
  )
  select f.problem, 'wallet', w.id::text, f.expected, f.actual
  from public.wallets w
  left join recount r on r.wallet_id = w.id
  left join held h on h.wallet_id = w.id
  cross join lateral (values
    ('wallet_points', coalesce(r.points, 0), w.points),
    ('wallet_held_points', coalesce(h.points, 0), w.held_points),
    ('wallet_trial_points', case w.kind when 'user' then 0 else coalesce(r.trial_points, 0) end, w.trial_points),
    ('wallet_lifetime_points', coalesce(r.lifetime_points, 0), w.lifetime_points),
    ('wallet_leaderboard_points', case w.kind when 'user' then greatest(coalesce(r.leaderboard_points, 0), 0) else 0 end,
      w.leaderboard_points)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.wallet_problems() is
  'Wallets whose balance, lifetime, leaderboard or trial points differ from the sum of their entries, or held points from their holds.';

create function private.balance_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select 'entry_balance', 'entry', e.id::text, e.expected, e.balance_after
  from (
    select t.id, t.balance_after, coalesce(lag(t.balance_after) over (partition by t.wallet_id order by t.id), 0)
      + case t.type when 'credit' then t.points else -t.points end as expected
    from public.transactions t where t.wallet_id is not null
  ) e
  where e.expected is distinct from e.balance_after
  union all
  select 'hold_points', 'transfer', h.id::text, coalesce(t.points, 0), h.points
  from public.point_holds h
  left join public.transactions t on t.id = h.id * 2 and t.wallet_id = h.wallet_id and t.user_id = h.user_id
  where h.points > coalesce(t.points, 0)
$$;
comment on function private.balance_problems() is
  'Entries whose balance does not follow from the entry before, and holds of more points than their transfer has credited to their member.';

create function private.task_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with recount as (
    select s.task_id, count(*) filter (where s.status = 'approved') as approved, count(*) filter (where s.status = 'pending') as pending,
      coalesce(sum(s.reward_points) filter (where s.status = 'pending'), 0) as pending_points,
      count(s.kept_until) filter (where not s.is_slot_reopened) as kept,
      coalesce(sum(s.reward_points) filter (where s.kept_until is not null), 0) as kept_points,
      coalesce(sum(greatest(t.reward_points - s.reward_points, 0)) filter (
        where s.status = 'pending' or s.kept_until is not null and not s.is_slot_reopened), 0) as raised_points
    from public.submissions s join public.tasks t on t.id = s.task_id group by s.task_id
  )
  select f.problem, 'task', t.id::text, f.expected, f.actual
  from public.tasks t
  left join recount r on r.task_id = t.id
  cross join lateral (values
    ('task_approved_count', coalesce(r.approved, 0), t.approved_count::bigint),
    ('task_pending_count', coalesce(r.pending, 0), t.pending_count::bigint),
    ('task_pending_points', coalesce(r.pending_points, 0), t.pending_points::bigint),
    ('task_kept_count', coalesce(r.kept, 0), t.kept_count::bigint),
    ('task_kept_points', coalesce(r.kept_points, 0), t.kept_points::bigint),
    ('task_raised_points', coalesce(r.raised_points, 0), t.raised_points::bigint)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.task_problems() is 'Tasks whose counters differ from their submissions.';

create function private.campaign_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with submissions as (
    select s.campaign_id, count(*) as total, count(distinct s.user_id) as participants,
      count(*) filter (where s.status = 'approved') as approved, count(*) filter (where s.status = 'pending') as pending,
      count(s.kept_until) filter (where not s.is_slot_reopened) as kept
    from public.submissions s group by s.campaign_id
  ), tasks as (
    select t.campaign_id, count(*) as tasks, sum(t.max_completions) as slots,
      sum(t.reward_points) filter (where t.approved_count + t.pending_count + t.kept_count < t.max_completions) as open_rewards
    from public.tasks t group by t.campaign_id
  ), paid as (
    select t.campaign_id, sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points
    from public.transactions t
    where t.user_id is not null and t.kind in ('task_completion', 'reversal') and t.campaign_id is not null group by t.campaign_id
  )
  select f.problem, 'campaign', c.id::text, f.expected, f.actual
  from public.campaigns c
  left join submissions s on s.campaign_id = c.id
  left join tasks t on t.campaign_id = c.id
  left join paid p on p.campaign_id = c.id
  cross join lateral (values
    ('campaign_submission_count', coalesce(s.total, 0), c.submission_count::bigint),
    ('campaign_participant_count', coalesce(s.participants, 0), c.participant_count::bigint),
    ('campaign_approved_count', coalesce(s.approved, 0), c.approved_count::bigint),
    ('campaign_pending_count', coalesce(s.pending, 0), c.pending_count::bigint),
    ('campaign_kept_count', coalesce(s.kept, 0), c.kept_count::bigint),
    ('campaign_points_distributed', coalesce(p.points, 0), c.points_distributed),
    ('campaign_task_count', coalesce(t.tasks, 0), c.task_count::bigint),
    ('campaign_open_reward_points', coalesce(t.open_rewards, 0), c.open_reward_points::bigint),
    ('campaign_total_slots', coalesce(t.slots, 0), c.total_slots::bigint)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.campaign_problems() is 'Quests whose counters differ from their tasks, submissions and payments.';

create function private.reserve_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with promised as (
    select t.campaign_id, sum(t.pending_points + t.kept_points)::bigint as points,
      sum(t.raised_points + t.reward_points::bigint * (t.max_completions - t.approved_count - t.pending_count - t.kept_count))::bigint
        as open_points
    from public.tasks t group by t.campaign_id
  ), quests as (
    select c.id, c.startup_id, p.points as promised, coalesce(r.points, 0) as reserved,
      greatest(p.points - coalesce(r.points, 0), 0) as missing
    from promised p join public.campaigns c on c.id = p.campaign_id left join public.wallets r on r.campaign_id = c.id
  ), covered as (
    -- A free balance pays once, however many quests count on it.
    select q.*, greatest(
      coalesce(f.points, 0) - (sum(q.missing) over (partition by q.startup_id order by q.id) - q.missing), 0)::bigint as free
    from quests q left join public.wallets f on f.startup_id = q.startup_id
  )
  select 'promise_uncovered', 'campaign', c.id::text, c.promised, c.reserved + c.free from covered c where c.missing > c.free
  union all
  select 'reserve_surplus', 'campaign', w.campaign_id::text, f.required, w.points
  from public.wallets w
  left join public.campaigns c on c.id = w.campaign_id
  left join promised p on p.campaign_id = c.id
  cross join lateral (
    select coalesce(p.points + case when c.status = 'closed' or c.published_at is null then 0 else p.open_points end, 0) as required
  ) f
  where w.kind = 'reserve' and w.points > f.required
$$;
comment on function private.reserve_problems() is
  'Quests that can pay what they promise to pending submissions, and keep for rejected ones that may be appealed, neither from the reserve '
  'nor from what other quests leave of the project''s free balance (TRUST-04, C-07, BEY-23). A reserve too small for free slots is not a '
  'problem: that happens when an approval for less than the current reward is reversed while the wallet is empty, and submissions to '
  'its slot stay pending until there are points. And reserves with points that the quest, or a quest that is gone, does not need: they '
  'belong to the project.';

create function private.payment_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with paid as (
    select t.submission_id, sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points
    from public.transactions t
    where t.user_id is not null and t.kind in ('task_completion', 'reversal') and t.submission_id is not null group by t.submission_id
  )
  select 'submission_payment', 'submission', s.id::text, f.expected, coalesce(p.points, 0)
  from public.submissions s
  left join paid p on p.submission_id = s.id
  cross join lateral (select case s.status when 'approved' then s.reward_points else 0 end::bigint as expected) f
  where f.expected <> coalesce(p.points, 0)
  union all
  select f.problem, 'referral_code', c.user_id, f.expected, f.actual
  from public.referral_codes c
  left join (
    select r.referrer_user_id, count(*) as referrals, sum(r.referrer_reward_points) as points
    from public.referrals r where r.status = 'completed' group by r.referrer_user_id
  ) r on r.referrer_user_id = c.user_id
  cross join lateral (values
    ('code_successful_referrals', coalesce(r.referrals, 0), c.successful_referrals::bigint),
    ('code_total_rewards_earned', coalesce(r.points, 0), c.total_rewards_earned::bigint)
  ) f (problem, expected, actual)
  where f.expected <> f.actual
  union all
  select 'referral_payment', 'referral', coalesce(r.id, p.referral_id)::text, coalesce(r.points, 0), coalesce(p.points, 0)
  from (
    select x.id, m.user_id, m.points::bigint from public.referrals x cross join lateral (values
      (x.referrer_user_id, x.referrer_reward_points), (x.referred_user_id, x.referred_reward_points)) m (user_id, points)
  ) r
  full join (
    select t.referral_id, t.user_id, sum(case t.type when 'credit' then t.points else -t.points end)::bigint as points
    from public.transactions t where t.user_id is not null and t.referral_id is not null group by 1, 2
  ) p on p.referral_id = r.id and p.user_id = r.user_id
  where coalesce(r.points, 0) <> coalesce(p.points, 0)
$$;
comment on function private.payment_problems() is
  'Submissions that were not paid exactly once when approved, and not at all otherwise; referral codes whose counters differ; referrals of '
  'which a side did not get its bonus once.';

create function private.redemption_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with paid as (
    select t.redemption_id, t.user_id, sum(case t.type when 'debit' then t.points else -t.points end)::bigint as points
    from public.transactions t where t.user_id is not null and t.redemption_id is not null group by 1, 2
  )
  select 'redemption_payment', 'redemption', coalesce(r.id, p.redemption_id)::text, f.expected, coalesce(p.points, 0)
  from public.redemptions r full join paid p on p.redemption_id = r.id and p.user_id = r.user_id
  cross join lateral (select case when r.status <> 'cancelled' then r.points_cost else 0 end::bigint as expected) f
  where f.expected <> coalesce(p.points, 0)
  union all
  select 'reward_stock', 'reward', r.id::text, count(c.id), r.stock_quantity::bigint
  from public.rewards r left join private.reward_codes c on c.reward_id = r.id and c.redemption_id is null
  where r.delivery = 'code' group by r.id having count(c.id) <> r.stock_quantity
$$;
comment on function private.redemption_problems() is
  'Redemptions that were not paid exactly once, or paid although cancelled, and code rewards whose stock is not their number of codes '
  '(TRUST-10, C-93).';

create function private.purchase_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with moved as (
    select coalesce(t.metadata ->> 'purchase_id', 'transfer ' || t.id) as id,
      sum(case t.kind when 'purchase' then t.points else -t.points end)::bigint as points
    from public.transfers t
    where t.kind in ('purchase', 'purchase_reversal') group by 1
  )
  select 'purchase_credited', 'point_purchase', coalesce(p.id::text, m.id), coalesce(p.credited_points, 0)::bigint, coalesce(m.points, 0)
  from public.point_purchases p full join moved m on m.id = p.id::text
  where coalesce(p.credited_points, 0) <> coalesce(m.points, 0)
$$;
comment on function private.purchase_problems() is
  'Purchases whose points are not in the ledger exactly once, less those taken back, and bought points without a purchase (BEY-20).';

create function private.recompute_counters() returns table (name text, count bigint)
language sql stable security definer set search_path = ''
as $$
  select 'members', count(*) from public.user_profiles
  union all select 'collected_emails', count(*) from public.campaign_email_collections
  union all select 'verified_startups', count(*) from public.startup_profiles s where s.is_public
  union all select 'industry:' || s.industry, count(*) from public.startup_profiles s group by s.industry
  union all select 'published_campaigns', count(*) from public.campaigns c where c.status = 'published'
  union all select 'open_campaigns', count(*) from public.campaigns c where c.status = 'published' and not c.is_full
  union all select 'submissions', sum(c.submission_count) from public.campaigns c
  union all select 'approved_submissions', sum(c.approved_count) from public.campaigns c
  union all select 'active_budgets', sum(c.budget_points) from public.campaigns c where c.approved_count > 0
  union all select 'codes', count(*) from public.referral_codes
  union all select 'active_codes', count(*) from public.referral_codes c where c.is_active
  union all select 'code_clicks', sum(c.clicks) from public.referral_codes c
  union all select 'code_referrals', sum(c.successful_referrals) from public.referral_codes c
  union all select 'referrals', count(*) from public.referrals
  union all select 'pending_referrals', count(*) from public.referrals r where r.status = 'pending'
  union all select 'referral_points', sum(r.referrer_reward_points + r.referred_reward_points) from public.referrals r
    where r.status = 'completed'
  union all select 'subscribers:' || m.source, count(*) from public.mailing_list m where m.is_active group by m.source
  union all select 'campaign_subscribers', count(*) from public.mailing_list m
    where m.is_active and (m.campaign_id is not null or m.source = 'campaign')
  union all select 'feedback:' || f.type, count(*) from public.beta_feedback f group by f.type
  union all select 'feedback_ratings', count(f.rating) from public.beta_feedback f
  union all select 'feedback_stars', sum(f.rating) from public.beta_feedback f
$$;
comment on function private.recompute_counters() is 'The expected result of private.counters(), counted from the tables.';

create function private.counter_mismatches() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select 'count', 'count', name, coalesce(r.count, 0), coalesce(k.count::bigint, 0)
  from private.recompute_counters() r full join jsonb_each_text(private.counters()) k (name, count) using (name)
  where coalesce(r.count, 0) <> coalesce(k.count::bigint, 0)
  union all
  select 'ledger_day', 'day', concat_ws(' ', day, account, kind, type), coalesce(r.points, 0), coalesce(d.points, 0)
  from private.sum_ledger(0, (select u.last_id from private.ledger_daily_watermark u)) r
  full join private.ledger_daily d using (day, account, kind, type)
  where (r.points, r.entries) is distinct from (d.points, d.entries)
  union all
  select 'member_week', 'member', concat_ws(' ', user_id, week), coalesce(r.points, 0), coalesce(m.points, 0)
  from private.sum_member_weeks(0, (select u.last_id from private.ledger_daily_watermark u)) r
  full join private.member_weeks m using (user_id, week)
  where (r.points, r.tasks) is distinct from (m.points, m.tasks)
  union all
  select 'badge', 'member', concat_ws(' ', user_id, badge), count(c.week), count(b.week)
  from private.count_badges(array(select distinct m.user_id from private.member_weeks m)) c
  full join public.badges b using (user_id, badge)
  where c.week is distinct from b.week
  group by user_id, badge
$$;
comment on function private.counter_mismatches() is 'Counters, sums of days and of members'' weeks, and badges that differ from a recount.';

create function private.record_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  select f.problem, 'wallet', r.wallet_id::text, f.expected, f.actual
  from private.review_records r cross join lateral private.count_review_record(r.wallet_id, r.counted_at) c
  cross join lateral (values
    ('record_decided', c.decided::bigint, r.decided::bigint), ('record_accepted', c.accepted, r.accepted),
    ('record_in_time', c.in_time, r.in_time), ('record_overturned', c.overturned, r.overturned),
    ('record_median_seconds', coalesce(c.median_seconds, -1), coalesce(r.median_seconds, -1))
  ) f (problem, expected, actual)
  where f.expected <> f.actual
$$;
comment on function private.record_problems() is
  'Projects whose public record differs from a recount of the submission history at that time (BEY-05).';

create function private.verification_problems() returns setof private.ledger_problem
language sql stable security definer set search_path = ''
as $$
  with found as (
    select h.submission_id, h.submitted_at, h.actor_id, count(*) as events from public.submission_history h
    where h.action = 'approved' and h.actor_id in ('code', 'call', 'check')
      and exists (select 1 from public.submissions s where s.id = h.submission_id)
      and not exists (
        select 1 from public.submission_history r where r.submission_id = h.submission_id and r.action = 'reversed' and r.id > h.id)
    group by 1, 2, 3
  ), approved as (
    select s.id, s.submitted_at, s.reviewed_by from public.submissions s
    where s.status = 'approved' and s.reviewed_by in ('code', 'call', 'check')
  )
  select 'verification_event', 'submission', coalesce(a.id, f.submission_id)::text, num_nonnulls(a.id)::bigint, coalesce(f.events, 0)
  from approved a
  full join found f on f.submission_id = a.id and f.submitted_at = a.submitted_at and f.actor_id = a.reviewed_by
  where num_nonnulls(a.id) <> coalesce(f.events, 0)
  union all
  -- Exchanges with a project's system are kept for 30 days.
  select 'verification_call', 'submission', coalesce(s.id::text, c.token), num_nonnulls(s.id)::bigint, coalesce(c.calls, 0)
  from (
    select h.submission_id as id, k.token from public.submission_history h
    join public.submissions s on s.id = h.submission_id
    join private.task_tokens k on k.task_id = s.task_id and k.user_id = s.user_id
    where h.action = 'approved' and h.actor_id in ('call', 'check') and h.created_at > now() - 29 * interval '24 hours'
  ) s
  full join (
    select v.token, count(*) as calls from private.verification_calls v join private.task_tokens k on k.token = v.token
    where v.code = 'COMPLETED' and v.created_at > now() - 29 * interval '24 hours' group by 1
  ) c using (token)
  where num_nonnulls(s.id) <> coalesce(c.calls, 0)
  union all
  select 'verification_code', 'submission', c.submission_id::text, 1, count(h.id)
  from private.completion_codes c
  left join public.submission_history h on h.submission_id = c.submission_id and h.action = 'approved' and h.actor_id = 'code'
  -- A code that was entered after a reversal, or when the project had too few points, waits for a person's decision.
  where c.used_at is not null and exists (
    select 1 from public.submissions s where s.id = c.submission_id and s.status = 'approved' and s.reviewed_by = 'code')
  group by c.id, c.submission_id having count(h.id) <> 1
$$;
comment on function private.verification_problems() is
  'Completions by code, call or check without exactly one record of each kind, and records without a completion: the decision in the '
  'history, the answered call or check, the used code (BEY-13).';

create function public.reconcile_ledger() returns table (problem text, subject_type text, subject_id text, expected bigint, actual bigint)
language plpgsql stable security definer set search_path = '' set statement_timeout = '55s'
as $$
begin
  perform private.require_admin_or_server();
  -- One statement, one snapshot: concurrent transfers are seen completely or not at all.
  return query
    select q.problem, q.subject_type, q.subject_id, q.expected, q.actual from (
      select p.*, row_number() over (partition by p.problem order by p.subject_id) as place
      from (
        select * from private.transfer_problems() union all select * from private.wallet_problems()
        union all select * from private.balance_problems() union all select * from private.redemption_problems()
        union all select * from private.task_problems() union all select * from private.campaign_problems()
        union all select * from private.reserve_problems() union all select * from private.payment_problems()
        union all select * from private.purchase_problems() union all select * from private.record_problems()
        union all select * from private.verification_problems() union all select * from private.counter_mismatches()
      ) p
    ) q
    where q.place <= 50 order by 1, 3;
end $$;
comment on function public.reconcile_ledger() is
  'Every maintained figure that differs from its recount, none when the books balance; at most 50 of a kind (TRUST-01, TRUST-11). Scans '
  'whole tables: for admins and jobs, not for screens that poll. Fails before the platform ends the call, after 60 s. '
  'Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN.';
grant execute on function public.reconcile_ledger() to authenticated, service_role;
