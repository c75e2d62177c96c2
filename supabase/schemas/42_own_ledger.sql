-- A member's point history, for the member to audit (BEY-06).

create function public.list_own_transactions(p_view text default null, p_limit integer default 50, p_cursor text default null)
returns table (
  id bigint, kind public.transfer_kind, description text, created_at timestamptz, change bigint, balance_after bigint, held_points bigint,
  campaign_id uuid, campaign_title text, startup_name text, task_title text, submission_id uuid,
  submission_status public.submission_status, proof_url text, proof_text text, reviewed_by text, reviewed_at timestamptz,
  redemption_id uuid, redemption_status public.redemption_status, referral_id uuid, cursor text
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user text := private.require_user();
  v_limit integer;
  v_after bigint;
  v_wallet uuid;
  v_kinds public.transfer_kind[];
begin
  v_limit := private.validate_limit(p_limit, 50, 1000);
  v_after := (private.decode_cursor('own_transactions', p_cursor, array['bigint']))[1]::bigint;
  if p_view not in ('quests', 'bonuses', 'rewards', 'other') then
    perform private.raise_error('INVALID_VIEW', 'Unknown view', 400);
  end if;
  v_kinds := case p_view when 'quests' then '{task_completion,reversal}' when 'bonuses' then '{referral_bonus,welcome_bonus}'
    when 'rewards' then '{redemption,refund}' when 'other' then '{adjustment,trial_budget,purchase,reserve,release}' end;
  select w.id into v_wallet from public.wallets w where w.user_id = v_user;
  return query
    select t.id, t.kind, t.description, t.created_at, case page.type when 'credit' then t.points else -t.points end, page.balance_after,
      coalesce(h.points, 0), t.campaign_id, private.quest_title_for_member(c), p.name, private.task_title_for_member(task), t.submission_id,
      s.status, s.proof_url, s.proof_text,
      s.reviewed_by, s.reviewed_at, t.redemption_id, r.status, t.referral_id,
      private.encode_cursor('own_transactions', jsonb_build_array(page.id))
    from (
      select e.id, e.transfer_id, e.type, e.balance_after
      from public.entries e join public.transfers f on f.id = e.transfer_id
      where e.wallet_id = v_wallet and e.id < coalesce(v_after, 9223372036854775807) and (v_kinds is null or f.kind = any (v_kinds))
      order by e.id desc limit v_limit
    ) page
    join public.transfers t on t.id = page.transfer_id
    left join public.point_holds h on h.id = t.id and h.released_at is null and h.reversed_at is null
    left join public.submissions s on s.id = t.submission_id and s.user_id = v_user
    left join public.tasks task on task.id = s.task_id
    left join public.campaigns c on c.id = t.campaign_id
    left join public.startup_profiles p on p.id = c.startup_id
    left join public.redemptions r on r.id = t.redemption_id and r.user_id = v_user
    order by page.id desc;
end $$;
comment on function public.list_own_transactions(text, integer, text) is
  'Every movement of the caller''s own wallet, newest first, with its quest, proof and decision and the balance after it (BEY-06). All '
  'changes add up to the balance; held_points: the part of this credit that is still held. p_view: quests (with reversals), bonuses, '
  'rewards, other. Next page: the cursor of the last row. Nullable: campaign_id, campaign_title, startup_name, task_title, submission_id, '
  'submission_status, proof_url, proof_text, reviewed_by, reviewed_at, redemption_id, redemption_status, referral_id. Errors: '
  'UNAUTHENTICATED, SUSPENDED, INVALID_VIEW, INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_own_transactions(text, integer, text) to authenticated, service_role;
