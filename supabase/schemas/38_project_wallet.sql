-- A project's points for its owner to audit: free points and the reserves of its quests as one account (BEY-06).

create function private.own_project_wallets() returns setof public.wallets
language sql stable security definer set search_path = ''
as $$ select w.* from public.wallets w where w.id in (select private.own_wallet_ids()) and w.kind <> 'user' $$;
comment on function private.own_project_wallets() is 'The wallet of the caller''s project and the reserves of its quests.';

create function public.list_project_transactions(
  p_view text default null, p_campaign_id uuid default null, p_limit integer default 50, p_cursor text default null
) returns table (
  id bigint, kind public.transfer_kind, description text, created_at timestamptz, change bigint, free_change bigint, reserved_change bigint,
  free_after bigint, reserved_after bigint, campaign_id uuid, campaign_title text, submission_id uuid, task_title text, member_name text,
  submission_status public.submission_status, reviewed_by text, reviewed_at timestamptz, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limit integer;
  v_after bigint;
  v_free uuid;
  v_wallets uuid[];
  v_kinds public.transfer_kind[];
begin
  perform private.require_user();
  v_limit := private.validate_limit(p_limit, 50, 1000);
  v_after := (private.decode_cursor('project_transactions', p_cursor, array['bigint']))[1]::bigint;
  if p_view not in ('payouts', 'reserves', 'received') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  end if;
  v_kinds := case p_view when 'payouts' then '{task_completion,reversal}' when 'reserves' then '{reserve,release}'
    when 'received' then '{trial_budget,purchase,purchase_reversal,refund,adjustment}' end;
  v_wallets := array(select w.id from private.own_project_wallets() w);
  select w.id into v_free from private.own_project_wallets() w where w.kind = 'startup';
  return query
    with page as (
      select distinct x.transfer_id from unnest(v_wallets) w (id)
      cross join lateral (
        select e.transfer_id from public.entries e join public.transfers t on t.id = e.transfer_id
        where e.wallet_id = w.id and e.id < coalesce(v_after * 2 - 1, 9223372036854775807)
          and (v_kinds is null or t.kind = any (v_kinds)) and (p_campaign_id is null or t.campaign_id = p_campaign_id)
        order by e.id desc limit v_limit
      ) x
      order by x.transfer_id desc limit v_limit
    )
    select t.id, t.kind, t.description, t.created_at, (side.free + side.reserved)::bigint, side.free::bigint, side.reserved::bigint,
      after.free::bigint, coalesce(after.reserved, 0)::bigint, t.campaign_id, c.title, t.submission_id, task.title,
      case when t.submission_id is not null then coalesce(p.display_name, p.masked_username, '***') end, s.status, s.reviewed_by,
      s.reviewed_at, private.encode_cursor('project_transactions', jsonb_build_array(t.id))
    from page
    join public.transfers t on t.id = page.transfer_id
    cross join lateral (
      select coalesce(sum(x.points) filter (where x.wallet_id = v_free), 0) as free,
        coalesce(sum(x.points) filter (where x.wallet_id <> v_free), 0) as reserved
      from (
        select e.wallet_id, case e.type when 'credit' then t.points else -t.points end as points
        from public.entries e where e.id in (t.id * 2 - 1, t.id * 2) and e.wallet_id = any (v_wallets)
      ) x
    ) side
    -- The balance of each wallet after its latest entry.
    cross join lateral (
      select sum(l.balance_after) filter (where w.id = v_free) as free,
        sum(l.balance_after) filter (where w.id <> v_free) as reserved
      from unnest(v_wallets) w (id)
      cross join lateral (
        select e.balance_after from public.entries e where e.wallet_id = w.id and e.id <= t.id * 2 order by e.id desc limit 1
      ) l
    ) after
    left join public.campaigns c on c.id = t.campaign_id
    left join public.submissions s on s.id = t.submission_id
    left join public.tasks task on task.id = s.task_id
    left join public.user_profiles p on p.user_id = s.user_id
    order by t.id desc;
end $$;
comment on function public.list_project_transactions(text, uuid, integer, text) is
  'Every movement of the points of the caller''s project, including payments from reserves, newest first, with its quest, proof and '
  'decision and the balance after it (BEY-06). change: of free and reserved points together; all changes add up to the balance. p_view: '
  'payouts (with reversals), reserves, received. Next page: the cursor of the last row. Nullable: campaign_id, campaign_title, '
  'submission_id, task_title, member_name, submission_status, reviewed_by, reviewed_at. Errors: UNAUTHENTICATED, SUSPENDED, INVALID_VIEW, '
  'INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_project_transactions(text, uuid, integer, text) to authenticated, service_role;

create function public.get_project_points() returns table (
  free bigint, reserved bigint, paid bigint, bought bigint, granted bigint, other bigint
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_wallets uuid[];
begin
  perform private.require_user();
  perform private.cache_for(0, false);
  v_wallets := array(select w.id from private.own_project_wallets() w);
  return query
    select b.free, b.reserved, m.paid, m.bought, m.granted, (b.free + b.reserved + m.paid - m.bought - m.granted)::bigint
    from (
      select coalesce(sum(w.points) filter (where w.kind = 'startup'), 0)::bigint as free,
        coalesce(sum(w.points) filter (where w.kind = 'reserve'), 0)::bigint as reserved
      from private.own_project_wallets() w
    ) b
    cross join (
      select coalesce(-sum(x.points) filter (where x.kind in ('task_completion', 'reversal')), 0)::bigint as paid,
        coalesce(sum(x.points) filter (where x.kind in ('purchase', 'purchase_reversal')), 0)::bigint as bought,
        coalesce(sum(x.points) filter (where x.kind = 'trial_budget'), 0)::bigint as granted
      from (
        select t.kind, case e.type when 'credit' then t.points else -t.points end as points
        from public.entries e join public.transfers t on t.id = e.transfer_id where e.wallet_id = any (v_wallets)
      ) x
    ) m;
end $$;
comment on function public.get_project_points() is
  'Totals of the points of the caller''s project: free, reserved, paid to members less reversals, bought, granted as trial budget, other '
  '(corrections). free + reserved + paid = bought + granted + other (BEY-06). Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_project_points() to authenticated, service_role;

create function public.get_project_payouts() returns table (day date, points bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_first date := (now() at time zone 'UTC')::date - 29;
  v_wallets uuid[];
begin
  perform private.require_user();
  perform private.cache_for(0, false);
  v_wallets := array(select w.id from private.own_project_wallets() w);
  return query
    select v_first + d.n, coalesce(p.points, 0)::bigint
    from generate_series(0, 29) d (n)
    left join (
      select (t.created_at at time zone 'UTC')::date as day, sum(t.points) as points
      from public.entries e join public.transfers t on t.id = e.transfer_id
      where e.wallet_id = any (v_wallets) and t.kind = 'task_completion'
        and t.created_at >= v_first::timestamp at time zone 'UTC'
      group by 1
    ) p on p.day = v_first + d.n
    order by 1;
end $$;
comment on function public.get_project_payouts() is
  'Points that the caller''s project has paid for proofs on each of the last 30 UTC days, today last, including days without payouts. What '
  'was taken back later is not subtracted. Errors: UNAUTHENTICATED, SUSPENDED.';
grant execute on function public.get_project_payouts() to authenticated, service_role;
