import { dayMs } from '@/lib/format';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { collectPages, exportPageSize, sortByTime } from '../export';

type OnRows = (count: number) => void;

const createdAt = ({ created_at: at }: { created_at: string }) => at;

export type ExportedUser = Pick<
  Tables<'user_profiles'>,
  'id' | 'user_id' | 'username' | 'display_name' | 'email' | 'role' | 'og_badge' | 'suspended_at' | 'created_at'
>;

/** Members who joined since then, oldest first. */
export async function fetchUsers(since: string, onRows: OnRows): Promise<ExportedUser[]> {
  const rows = await collectPages<ExportedUser>((last) => {
    const page = supabase()
      .from('user_profiles')
      .select('id, user_id, username, display_name, email, role, og_badge, suspended_at, created_at')
      .gte('created_at', since);
    return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(exportPageSize));
  }, onRows);
  return sortByTime(rows, createdAt);
}

export type ExportedQuest = Tables<'campaigns'> & { startup_profiles: { name: string } };

/** Quests created since then, oldest first, with their project's name. */
export async function fetchQuests(since: string, onRows: OnRows): Promise<ExportedQuest[]> {
  const rows = await collectPages<ExportedQuest>((last) => {
    const page = supabase().from('campaigns').select('*, startup_profiles(name)').gte('created_at', since);
    return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(exportPageSize));
  }, onRows);
  return sortByTime(rows, createdAt);
}

type ListedProject = Database['public']['Functions']['admin_list_startups']['Returns'][number];

export type ExportedProject = Pick<
  ListedProject,
  'id' | 'name' | 'industry' | 'status' | 'owner_user_id' | 'created_at'
>;

/** Maximum page size of the admin list procedures. */
const listPageSize = 100;

/** Projects created since then, oldest first, through the admin procedure, the only one that returns owners. */
export async function fetchProjects(since: string, onRows: OnRows): Promise<ExportedProject[]> {
  const rows: ListedProject[] = [];
  for (;;) {
    const args = { p_sort: 'newest', p_limit: listPageSize, p_cursor: rows.at(-1)?.cursor };
    const page = await unwrap(supabase().rpc('admin_list_startups', args, { get: true }));
    const fresh = page.filter((row) => Date.parse(row.created_at) >= Date.parse(since));
    rows.push(...fresh);
    onRows(rows.length);
    if (page.length < listPageSize || fresh.length < page.length) return rows.reverse();
  }
}

export type ExportedSubmission = Pick<
  Tables<'submissions'>,
  'id' | 'user_id' | 'status' | 'reward_points' | 'submitted_at'
> & {
  tasks: { title: string };
};

/** Submissions since then, fetched day by day: the BRIN index finds a day quickly, and sorting a day is cheap. */
export async function fetchSubmissions(since: string, onRows: OnRows): Promise<ExportedSubmission[]> {
  const rows: ExportedSubmission[] = [];
  for (let day = new Date(since).getTime(); day <= Date.now(); day += dayMs) {
    const [from, to] = [new Date(day).toISOString(), new Date(day + dayMs).toISOString()];
    const ofDay = await collectPages<ExportedSubmission>(
      (last) => {
        const page = supabase()
          .from('submissions')
          .select('id, user_id, status, reward_points, submitted_at, tasks(title)')
          .gte('submitted_at', from)
          .lt('submitted_at', to);
        return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(exportPageSize));
      },
      (count) => onRows(rows.length + count),
    );
    rows.push(...sortByTime(ofDay, (row) => row.submitted_at));
  }
  return rows;
}
