/** Equivalent mutants: why nothing is wrong although they survive, by their name in the report. */
export const EQUIVALENT: Record<string, string> = {
  'function private.flag_picture(submissions,tasks,bit): line 15: "<>" in "f.key = any (v_keys)"':
    'No change: the distance decides. The keys save comparing with every picture.',
  'function private.settle_waiting(uuid,uuid[],boolean): line 27: always true: "v_waiting > 0"':
    'No change: where nothing waits, nothing is approved.',
  'function private.reopen_kept_slot(uuid,uuid,text): line 19: always false: "v_kept is null"':
    'No change: the proof that was just rejected can always be taken.',
  'function fail_outbox_event(bigint,integer,text,text,integer): line 8: 1 for 0 in "0"':
    'No change: no pause is shorter than 30 seconds.',
  "function get_points_transfer_stats(): line 14: 'debit' for \"'credit'\"":
    'No change: every transfer has one entry of each type, with the same points.',
  'function list_project_transactions(text,uuid,integer,text): line 40: without "and e.id in (t.id * 2 - 1, t.id * 2)"':
    'No change: it follows from the transfer. The condition makes it a look at the primary key.',
  'function private.platform_days(timestamp with time zone): line 10: everything instead of "s.submitted_at >= p_since"':
    'No change: only the days of the period are shown. The condition saves reading the others.',
  'function private.referral_proof(text,text): line 20: 2 for 1 in "1"':
    'No change: both callers read the first row. The limit saves sorting the others.',
  'function private.uploads_of(text,text): line 2: 1 for 0 in "0"':
    'No change: it is a byte for nobody’s files, and every limit is a megabyte at least.',
  'function run_security_scan(): line 21: without "and a.privilege_type = \'EXECUTE\'"':
    'No change: there is no other privilege on a function.',
  "function run_security_scan(): line 38: without \"and c.relkind in ('r', 'p')\"":
    'No change: only tables have row level security.',
  'function update_campaign(uuid,jsonb,jsonb,text,boolean): line 4: without "t.campaign_id = p_campaign_id and"':
    'No change: tasks of other quests are none of those that go. The condition saves reading them.',
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
};
