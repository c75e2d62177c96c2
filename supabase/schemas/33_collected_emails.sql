-- E-mails that quests collect from the members who prove their tasks (C-76, BEY-10).

create table public.campaign_email_collections (
  id uuid primary key default gen_random_uuid(),
  campaign_id uuid not null references public.campaigns (id) on delete cascade,
  user_id text not null,
  email text not null check (length(email) <= 254),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  collected_at timestamptz not null default now(),
  unique (campaign_id, user_id)
);
comment on table public.campaign_email_collections is
  'E-mails that members gave to quests that collect them (DB-10). Read by the quest''s owner, the member and admins.';
create index campaign_email_collections_submission on public.campaign_email_collections (submission_id);
create index campaign_email_collections_collected on public.campaign_email_collections (campaign_id, collected_at, id);
create index campaign_email_collections_user on public.campaign_email_collections (user_id);
create trigger campaign_email_collections_count_new after insert on public.campaign_email_collections
  referencing new table as changed for each statement execute function private.count_rows('collected_emails');
create trigger campaign_email_collections_count_gone after delete on public.campaign_email_collections
  referencing old table as changed for each statement execute function private.count_rows('collected_emails');

create trigger campaign_email_collections_end_consent after delete or update of email on public.campaign_email_collections
  for each row execute function private.end_email_consent();
-- Named so that it fires after the trigger that ends the previous consent.
create trigger campaign_email_collections_record_consent after insert or update of email on public.campaign_email_collections
  for each row execute function private.record_email_consent();

alter table public.campaign_email_collections enable row level security;
alter table public.campaign_email_collections alter email set statistics 0;
create policy campaign_email_collections_read on public.campaign_email_collections for select to authenticated
  using (
    campaign_id = any (array(select private.own_campaign_ids()))
    or user_id = (select public.current_user_id())
    or (select private.is_admin())
  );
comment on policy campaign_email_collections_read on public.campaign_email_collections is
  'The owner who collected it, the member, and admins.';
grant select on public.campaign_email_collections to authenticated, service_role;

create function public.list_collected_emails(p_campaign_id uuid, p_limit integer default 100, p_cursor text default null) returns table (
  id uuid, email text, collected_at timestamptz, cursor text
)
language plpgsql stable set search_path = ''
as $$
declare
  v_limit integer := private.validate_limit(p_limit, 100, 1000);
  v_after text[] := private.decode_cursor('collected_emails', p_cursor, array['timestamptz', 'uuid']);
begin
  return query
    select e.id, e.email, e.collected_at, private.encode_cursor('collected_emails', jsonb_build_array(e.collected_at, e.id))
    from public.campaign_email_collections e
    where e.campaign_id = p_campaign_id and (v_after is null or (e.collected_at, e.id) > (v_after[1]::timestamptz, v_after[2]::uuid))
    order by e.collected_at, e.id limit v_limit;
end $$;
comment on function public.list_collected_emails(uuid, integer, text) is
  'Addresses that a quest collected, oldest first, as far as the caller may see them: runs with the caller''s rights (SDASH-09). Next '
  'page: the cursor of the last row. Errors: INVALID_LIMIT, INVALID_CURSOR.';
grant execute on function public.list_collected_emails(uuid, integer, text) to authenticated, service_role;
