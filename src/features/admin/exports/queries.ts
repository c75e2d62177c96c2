import { supabase, unwrap } from '@/lib/supabase';
import type { Tables } from '@/types/database';
import { collectPages, exportPageSize } from '../export';

type OnRows = (count: number) => void;
type Key = { created_at: string; id: string };

/** Rows created after this one, for tables read in the order of their creation. */
const after = ({ created_at: at, id }: Key) => `created_at.gt."${at}",and(created_at.eq."${at}",id.gt.${id})`;

export type ExportedUser = Pick<
  Tables<'user_profiles'>,
  'id' | 'user_id' | 'username' | 'display_name' | 'email' | 'role' | 'og_badge' | 'suspended_at' | 'created_at'
>;

/** Members who joined since then, oldest first. */
export function fetchUsers(since: string, onRows: OnRows): Promise<ExportedUser[]> {
  return collectPages<ExportedUser>((last) => {
    const page = supabase()
      .from('user_profiles')
      .select('id, user_id, username, display_name, email, role, og_badge, suspended_at, created_at')
      .gte('created_at', since);
    return unwrap((last ? page.or(after(last)) : page).order('created_at').order('id').limit(exportPageSize));
  }, onRows);
}

export type ExportedQuest = Tables<'campaigns'> & { startup_profiles: { name: string } };

/** Quests created since then, oldest first, with their project's name. */
export function fetchQuests(since: string, onRows: OnRows): Promise<ExportedQuest[]> {
  return collectPages<ExportedQuest>((last) => {
    const page = supabase().from('campaigns').select('*, startup_profiles(name)').gte('created_at', since);
    return unwrap((last ? page.or(after(last)) : page).order('created_at').order('id').limit(exportPageSize));
  }, onRows);
}

export type ExportedProject = Pick<
  Tables<'startup_profiles'>,
  'id' | 'name' | 'industry' | 'status' | 'owner_user_id' | 'created_at'
>;

/** Projects created since then, oldest first. */
export function fetchProjects(since: string, onRows: OnRows): Promise<ExportedProject[]> {
  return collectPages<ExportedProject>((last) => {
    const page = supabase()
      .from('startup_profiles')
      .select('id, name, industry, status, owner_user_id, created_at')
      .gte('created_at', since);
    return unwrap((last ? page.or(after(last)) : page).order('created_at').order('id').limit(exportPageSize));
  }, onRows);
}

export type ExportedSubmission = Pick<
  Tables<'submissions'>,
  'id' | 'user_id' | 'status' | 'reward_points' | 'submitted_at'
> & {
  tasks: { title: string };
};

const dayMs = 86_400_000;

/** Submissions since then, day by day: the index by time finds a day at once, and a day is sorted in a moment. */
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
        const next = last
          ? page.or(
              `submitted_at.gt."${last.submitted_at}",and(submitted_at.eq."${last.submitted_at}",id.gt.${last.id})`,
            )
          : page;
        return unwrap(next.order('submitted_at').order('id').limit(exportPageSize));
      },
      (count) => onRows(rows.length + count),
    );
    rows.push(...ofDay);
  }
  return rows;
}
