-- Limits on the quests of a project: those of the trial, extended by bought points (RULE-04, RULE-05, RULE-18, BEY-20).

create type private.project_limits as (quests integer, budget bigint, reward integer, bought bigint);
comment on type private.project_limits is
  'Limits of a project: number of quests, sum of their budgets (null: unlimited), points of one reward; and the points it has bought.';

create function private.quest_limits(p_startup public.startup_profiles) returns private.project_limits
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_settings public.app_settings := private.settings();
  v_limits private.project_limits := (null, null, 1000, private.bought_points(p_startup.owner_user_id));
begin
  if private.is_on_trial(p_startup.id) then
    -- An owner who has bought points may spend them, also during the beta: points then limit the quests, not their number.
    v_limits.quests := case when v_limits.bought = 0 then v_settings.trial_quest_limit end;
    v_limits.budget := v_settings.trial_budget_points + v_limits.bought;
    v_limits.reward := least(v_limits.budget, 1000);
  end if;
  return v_limits;
end $$;
comment on function private.quest_limits(public.startup_profiles) is
  'The limits of a project: those of the trial plus the points it has bought; none with a plan after the beta (RULE-04, RULE-05, RULE-18, '
  'C-22, BEY-20).';

create function private.check_quest_limits(p_startup public.startup_profiles, p_campaign_id uuid, p_budget bigint) returns void
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_limits private.project_limits := private.quest_limits(p_startup);
  v_count integer;
  v_budgets bigint;
begin
  select count(*), coalesce(sum(c.budget_points), 0) into v_count, v_budgets
  from public.campaigns c where c.startup_id = p_startup.id and c.id is distinct from p_campaign_id;
  -- Quests of any status count; deleting one frees its slot (C-23). Of the beta only during it (C-69).
  if p_campaign_id is null and v_count >= v_limits.quests and (private.settings()).beta_mode then
    perform private.raise_error('QUEST_LIMIT', format(
      'Beta limit reached: You can only create %s quest%s during the beta period. Please wait for the full launch to create more quests.',
      v_limits.quests, case when v_limits.quests = 1 then '' else 's' end), 409);
  elsif p_campaign_id is null and v_count >= v_limits.quests then
    perform private.raise_error('TRIAL_QUEST_LIMIT', format(
      'Your trial has room for %s quest%s, drafts included.', v_limits.quests, case when v_limits.quests = 1 then '' else 's' end), 409);
  elsif v_budgets + p_budget > v_limits.budget and v_limits.bought > 0 then
    perform private.raise_error('POINTS_BUDGET_LIMIT',
      format('Total budget exceeds your limit of %s points, bought ones included', v_limits.budget), 409);
  elsif v_budgets + p_budget > v_limits.budget then
    perform private.raise_error('BUDGET_LIMIT', format('Total budget exceeds trial limit of %s points', v_limits.budget), 409);
  end if;
end $$;
comment on function private.check_quest_limits(public.startup_profiles, uuid, bigint) is
  'Enforces the limits of a project whose row the caller has locked: the number of quests for a new one (p_campaign_id null), the sum of '
  'budgets always (RULE-04, RULE-05, C-35). Errors: QUEST_LIMIT, TRIAL_QUEST_LIMIT, BUDGET_LIMIT, POINTS_BUDGET_LIMIT.';

create function public.get_quest_limits() returns table (
  quest_count integer, quest_limit integer, budget_used bigint, budget_limit bigint, reward_limit integer, bought_points bigint,
  has_plan boolean
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select (select count(*)::integer from public.campaigns c where c.startup_id = s.id), l.quests,
      (select coalesce(sum(c.budget_points), 0)::bigint from public.campaigns c where c.startup_id = s.id), l.budget, l.reward, l.bought,
      private.has_active_subscription(s.id)
    from public.startup_profiles s cross join lateral private.quest_limits(s) l
    where s.owner_user_id = public.current_user_id();
end $$;
comment on function public.get_quest_limits() is
  'The limits of the caller''s project and how much of them is used: at most one row, none without a project. Quests of every status count '
  '(C-23). reward_limit: maximum points of one reward. Null: unlimited. Nullable: quest_limit, budget_limit.';
grant execute on function public.get_quest_limits() to authenticated, service_role;
