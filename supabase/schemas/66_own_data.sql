-- Export of a person's own data (BEY-24).

create function public.get_own_data() returns json
language plpgsql security definer set search_path = ''
as $$
declare
  v_user text := public.current_user_id();
begin
  perform private.require_plain_call();
  -- Also for suspended people, whose data remains theirs.
  if v_user is null then
    perform private.raise_error('UNAUTHENTICATED', 'Please sign in to continue.', 401);
  elsif not public.take_rate_limit('user:' || v_user, 'own_data', 5, 3600) then
    perform private.raise_error('RATE_LIMITED', 'Rate limit exceeded', 429);
  end if;
  -- Not jsonb, which takes three times as long to build: a project may have paid a hundred thousand proofs.
  return json_build_object(
    'made_at', now(),
    'profile', (select coalesce(jsonb_agg(to_jsonb(p)), '[]') from public.user_profiles p where p.user_id = v_user),
    'wallets', (
      select coalesce(jsonb_agg(to_jsonb(w) order by w.created_at, w.id), '[]')
      from public.wallets w where w.id = any (array(select private.own_wallet_ids()))),
    'transactions', (
      select coalesce(json_agg(json_build_object('id', e.id, 'wallet_id', e.wallet_id, 'type', e.type, 'points', t.points,
        'balance_after', e.balance_after, 'kind', t.kind, 'description', t.description, 'created_at', t.created_at) order by e.id), '[]')
      from public.entries e join public.transfers t on t.id = e.transfer_id
      where e.wallet_id = any (array(select private.own_wallet_ids()))),
    'submissions', (
      select coalesce(jsonb_agg(to_jsonb(s) || jsonb_build_object(
        'quest', private.quest_title_for_member(c), 'task', private.task_title_for_member(t)) order by s.submitted_at, s.id), '[]')
      from public.submissions s join public.campaigns c on c.id = s.campaign_id join public.tasks t on t.id = s.task_id
      where s.user_id = v_user),
    -- Whose action releases a hold is not said: it may be somebody else's.
    'point_holds', (
      select coalesce(jsonb_agg(to_jsonb(h) - 'user_id' - 'depends_on' - 'check_at' - 'cause_submission_id' order by h.id), '[]')
      from public.point_holds h where h.user_id = v_user),
    'started_tasks', (
      select coalesce(jsonb_agg(to_jsonb(k) - 'user_id' order by k.created_at, k.token), '[]')
      from private.task_tokens k where k.user_id = v_user),
    'submission_history', (
      select coalesce(jsonb_agg(to_jsonb(h) order by h.id), '[]') from public.submission_history h where h.user_id = v_user),
    'email_consents', (
      select coalesce(jsonb_agg(to_jsonb(e) order by e.given_at, e.id), '[]') from public.email_consents e where e.user_id = v_user),
    'redemptions', (
      select coalesce(jsonb_agg(to_jsonb(r) || jsonb_build_object('address', (
        select to_jsonb(a) - 'redemption_id' from private.redemption_addresses a where a.redemption_id = r.id
      ), 'code', (
        select private.decrypt_code(c.code) from private.reward_codes c where c.redemption_id = r.id and c.shown_at is not null
      )) order by r.created_at, r.id), '[]')
      from public.redemptions r where r.user_id = v_user),
    'public_profile', (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from public.member_profiles m where m.user_id = v_user),
    'badges', (select coalesce(jsonb_agg(to_jsonb(b) order by b.week, b.badge), '[]') from public.badges b where b.user_id = v_user),
    'referral_codes', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from public.referral_codes r where r.user_id = v_user),
    -- The other member's identity is not the caller's data.
    'referrals', (
      select coalesce(jsonb_agg(to_jsonb(r) - case when r.referrer_user_id = v_user then 'referred_user_id' else 'referrer_user_id' end
        order by r.id), '[]')
      from public.referrals r where v_user in (r.referrer_user_id, r.referred_user_id)),
    'project_feedback', (
      select coalesce(jsonb_agg(f.rating order by f.created_at, f.id), '[]') from (
        select to_jsonb(p) as rating, p.created_at, p.id from public.project_feedback p where p.user_id = v_user
        union all
        -- Of projects that were deleted since.
        select to_jsonb(k) - 'owner_user_id', k.created_at, k.id from private.former_ratings k where k.user_id = v_user
      ) f),
    'product_feedback', (
      select coalesce(jsonb_agg(to_jsonb(f) - 'admin_notes' order by f.created_at, f.id), '[]')
      from public.beta_feedback f where f.user_id = v_user),
    'former_addresses', (
      select coalesce(jsonb_agg(f.email order by f.email), '[]') from private.former_addresses f where f.user_id = v_user),
    'mailing_list', (select coalesce(jsonb_agg(to_jsonb(m) - 'metadata'), '[]') from public.mailing_list m where m.user_id = v_user),
    'projects', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from public.startup_profiles s where s.owner_user_id = v_user),
    'subscriptions', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from public.subscriptions s where s.owner_user_id = v_user),
    'point_purchases', (
      select coalesce(jsonb_agg(to_jsonb(p) order by p.created_at, p.id), '[]')
      from public.point_purchases p where p.owner_user_id = v_user),
    'unused_payments', (
      select coalesce(jsonb_agg(jsonb_build_object('product_id', e.product_id, 'points', e.points, 'amount_cents', e.amount_cents,
        'payment_ref', e.payment_ref, 'reason', e.outcome ->> 'reason', 'created_at', e.created_at
      ) order by e.created_at, e.event_id), '[]')
      from private.payment_events e where e.payer_user_id = v_user),
    'quests', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.created_at, c.id), '[]')
      from public.campaigns c join public.startup_profiles s on s.id = c.startup_id where s.owner_user_id = v_user),
    'tasks', (
      select coalesce(jsonb_agg(to_jsonb(t) order by t.campaign_id, t.order_index, t.id), '[]')
      from public.tasks t join public.campaigns c on c.id = t.campaign_id join public.startup_profiles s on s.id = c.startup_id
      where s.owner_user_id = v_user),
    'appeals', (
      select coalesce(jsonb_agg(to_jsonb(a) - 'decided_by' order by a.created_at, a.id), '[]')
      from public.appeals a where a.user_id = v_user),
    -- The title of a quest that is no longer published may have become the owner's private draft.
    'saved_quests', (
      select coalesce(jsonb_agg(jsonb_build_object('campaign_id', q.campaign_id, 'saved_at', q.saved_at,
        'quest', case when c.status = 'published' then c.title end) order by q.saved_at, c.id), '[]')
      from public.saved_quests q join public.campaigns c on c.id = q.campaign_id where q.user_id = v_user),
    'followed_projects', (
      select coalesce(jsonb_agg(jsonb_build_object('startup_id', f.startup_id, 'followed_at', f.followed_at, 'project', s.name)
        order by f.followed_at, s.id), '[]')
      from public.followed_projects f join public.startup_profiles s on s.id = f.startup_id where f.user_id = v_user),
    'quest_views', (
      select coalesce(jsonb_agg(jsonb_build_object('campaign_id', v.campaign_id, 'viewed_at', v.viewed_at,
        'quest', case when c.status = 'published' then c.title end) order by v.viewed_at, c.id), '[]')
      from private.quest_views v join public.campaigns c on c.id = v.campaign_id where v.user_id = v_user),
    'usage_events', (
      select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]') from public.metrics_events e where e.user_id = v_user),
    'notifications', (
      select coalesce(jsonb_agg(to_jsonb(n) - 'user_id' order by n.id), '[]') from public.notifications n where n.user_id = v_user),
    'notification_preferences', (
      select coalesce(jsonb_agg(to_jsonb(p) - 'user_id' order by p.kind), '[]') from public.notification_preferences p
      where p.user_id = v_user),
    'mails_and_notices', (
      select coalesce(jsonb_agg(jsonb_build_object('type', o.type, 'payload', o.payload, 'created_at', o.created_at) order by o.id), '[]')
      from public.outbox_events o where o.user_id = v_user),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('bucket', o.bucket_id, 'path', o.name, 'created_at', o.created_at,
        'bytes', o.metadata -> 'size') order by o.bucket_id, o.name), '[]')
      from storage.objects o
      -- As in private.uploads_of.
      where o.bucket_id in ('proofs', 'project-logos') and o.name ~>=~ (v_user || '/') and o.name ~<~ (v_user || '0'))
  );
end $$;
comment on function public.get_own_data() is
  'The caller''s own rows of every table, by kind: what the export in the settings holds (BEY-24). Other people''s data (submissions to an '
  'owner''s quests, authors of decisions) is not included. Limited to five an hour. Errors: PLAIN_CALL_REQUIRED, UNAUTHENTICATED, '
  'RATE_LIMITED.';
grant execute on function public.get_own_data() to authenticated, service_role;
