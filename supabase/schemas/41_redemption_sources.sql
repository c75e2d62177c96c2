-- Sources of a redemption's points, for the admin who decides it (TRUST-17, C-95).

create function private.redeemable_credits(p_redemption public.redemptions, p_debit_id bigint)
returns table (transfer_id bigint, points bigint, is_flagged boolean)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    -- What was taken back while it was held was spent on that, as private.spent_before counts it.
    select t.id,
      t.points - case when coalesce(h.released_at, h.reversed_at) <= p_redemption.created_at then 0 else coalesce(h.points, 0) end,
      private.is_flagged(t.submission_id)
    from public.wallets w
    join public.entries e on e.wallet_id = w.id and e.type = 'credit' and e.id < p_debit_id
    join public.transfers t on t.id = e.transfer_id and t.kind <> 'refund'
    left join public.point_holds h on h.id = t.id
    where w.user_id = p_redemption.user_id
      and not exists (select 1 from public.transfers r where r.idempotency_key = private.reversal_key_of(t));
end $$;
comment on function private.redeemable_credits(public.redemptions, bigint) is
  'Credits that a member could spend at the time of a redemption: without points held then, and without points reversed since.';

create function private.spent_before(p_redemption public.redemptions, p_debit_id bigint) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(sum(case when t.kind = 'refund' then -t.points else t.points end), 0)::bigint
    from public.wallets w
    join public.entries e on e.wallet_id = w.id and e.id < p_debit_id
    join public.transfers t on t.id = e.transfer_id
    where w.user_id = p_redemption.user_id
      and (t.kind = 'refund' or e.type = 'debit' and t.kind in ('redemption', 'adjustment'))
  );
end $$;
comment on function private.spent_before(public.redemptions, bigint) is
  'Points that a member had spent, less refunds, before a redemption.';

create function public.get_redemption_sources(p_redemption_id uuid) returns table (
  kind public.transfer_kind, campaign_id uuid, campaign_title text, startup_id uuid, startup_name text, points bigint, trial_points bigint,
  flagged_points bigint, related_points bigint, flags text[]
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_redemption public.redemptions;
  v_debit bigint;
  v_spent bigint;
begin
  perform private.require_admin();
  select r.* into v_redemption from public.redemptions r where r.id = p_redemption_id;
  if v_redemption.id is null then
    perform private.raise_error('REDEMPTION_NOT_FOUND', 'Redemption not found', 404);
  end if;
  select t.id * 2 - 1 into v_debit from public.transfers t where t.idempotency_key = 'redemption:' || p_redemption_id;
  v_spent := private.spent_before(v_redemption, v_debit);
  return query
    with ordered as (
      -- Oldest first, and unflagged points before flagged ones, as in mark_redemption.
      select c.transfer_id, c.is_flagged, c.points,
        sum(c.points) over (order by c.is_flagged, c.transfer_id) as until
      from private.redeemable_credits(v_redemption, v_debit) c where c.points > 0
    ), taken as (
      select o.transfer_id, o.is_flagged,
        (least(o.until, v_spent + v_redemption.points_cost) - greatest(o.until - o.points, v_spent))::bigint as points
      from ordered o where o.until > v_spent and o.until - o.points < v_spent + v_redemption.points_cost
    )
    select t.kind, t.campaign_id, c.title, s.id, s.name, sum(x.points)::bigint, sum(least(x.points, coalesce(t.trial_points, 0)))::bigint,
      coalesce(sum(x.points) filter (where x.is_flagged), 0)::bigint,
      coalesce(sum(x.points) filter (where private.is_related_owner(v_redemption.user_id, payer.owner_user_id)), 0)::bigint,
      array(select distinct k from unnest(string_to_array(string_agg(f.kinds, ','), ',')) k order by k)
    from taken x
    join public.transfers t on t.id = x.transfer_id
    join public.entries paid on paid.id = t.id * 2 - 1
    left join public.wallets payer on payer.id = paid.wallet_id
    left join public.startup_profiles s on s.owner_user_id = payer.owner_user_id
    left join public.campaigns c on c.id = t.campaign_id
    left join lateral (
      select string_agg(g.kind, ',') as kinds from public.submission_flags g
      where g.submission_id = t.submission_id and g.dismissed_at is null
    ) f on true
    group by t.kind, t.campaign_id, c.title, s.id, s.name
    order by 6 desc, 2;
end $$;
comment on function public.get_redemption_sources(uuid) is
  'Sources of a redemption''s points: one row per quest and one per other kind of credit, with the points from a trial budget, from '
  'flagged work (flags: the kinds) and from projects of related people (TRUST-17). Adds up to the cost unless points have been reversed '
  'since. Nullable: campaign_id, campaign_title, startup_id, startup_name. Errors: UNAUTHENTICATED, SUSPENDED, FORBIDDEN, '
  'REDEMPTION_NOT_FOUND.';
grant execute on function public.get_redemption_sources(uuid) to authenticated, service_role;
