import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { cursorPages, fetchAllById, maxPageSize, sortByTime } from '@/lib/paging';
import { poll } from '@/lib/query-client';
import { escapeLike, supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';

/** The public columns of a project. */
export type Project = Omit<
  Tables<'startup_profiles'>,
  | 'owner_user_id'
  | 'review_note'
  | 'owner_email'
  | 'reviewed_by'
  | 'checked_at'
  | 'changed_at'
  | 'changed_from'
  | 'revoked_at'
>;
/** The caller's own project, including the reviewer's note. */
export type OwnedProject = Project & Pick<Tables<'startup_profiles'>, 'owner_user_id' | 'review_note' | 'revoked_at'>;
/** Figures are null with fewer than ten decisions in 90 days. */
export type ProjectPromises = Database['public']['Functions']['get_project_promises']['Returns'][number];
/** What a card shows of a project. */
export type ListedProject = Pick<Project, 'id' | 'name' | 'logo_url' | 'industry' | 'description' | 'created_at'>;
/** A row of list_followed_projects. */
export type FollowedProject = Database['public']['Functions']['list_followed_projects']['Returns'][number];
export type Subscription = Tables<'subscriptions'>;

/** The readable columns; `*` would include the others and be refused. */
const projectColumns =
  'id, name, logo_url, website, description, industry, status, reviewed_at, created_at, updated_at, suspended_at, is_public, former_name, renamed_at' as const;
const listedColumns = 'id, name, logo_url, industry, description, created_at' as const;
/** Further columns from the owner's procedures. */
export const ownProjectColumns = `${projectColumns}, owner_user_id, review_note, revoked_at` as const;

const followedPageSize = 20;

const keys = {
  all: ['startups'] as const,
  own: (userId: string) => ['startups', 'own', userId] as const,
  detail: (id: string) => ['startups', 'detail', id] as const,
  promises: (id: string) => ['startups', 'promises', id] as const,
  verified: ['startups', 'verified'] as const,
  named: (search: string, limit: number) => ['startups', 'named', search, limit] as const,
  followed: (userId: string) => ['startups', 'followed', userId] as const,
  followedList: (userId: string) => ['startups', 'followed', userId, 'list'] as const,
  subscription: (projectId: string) => ['startups', 'subscription', projectId] as const,
};

/** The caller's project, null when they have none. */
export function fetchOwnProject(signal?: AbortSignal): Promise<OwnedProject | null> {
  const call = supabase().rpc('get_own_startup', {}, { get: true }).select(ownProjectColumns);
  return unwrap(withSignal(call, signal).maybeSingle());
}

/** One project, null when it does not exist or is not visible to the caller. */
export function fetchProject(id: string, signal?: AbortSignal): Promise<Project | null> {
  const call = supabase().from('startup_profiles').select(projectColumns).eq('id', id);
  return unwrap(withSignal(call, signal).maybeSingle());
}

/** Ids of the projects that the caller follows. */
export async function fetchFollowedIds(signal?: AbortSignal): Promise<string[]> {
  const call = supabase().from('followed_projects').select('startup_id');
  const rows = await unwrap(withSignal(call, signal));
  return rows.map(({ startup_id }) => startup_id);
}

/** Queries of projects: verified ones are public, others are visible to their owner and to admins. */
export const projectQueries = {
  keys,

  /** The project of the signed-in user, null when they have none. */
  own: (userId: string) =>
    queryOptions({
      queryKey: keys.own(userId),
      queryFn: ({ signal }) => fetchOwnProject(signal),
    }),

  /** One project, null when it does not exist or is not visible to the caller. */
  detail: (id: string) =>
    queryOptions({
      queryKey: keys.detail(id),
      queryFn: ({ signal }) => fetchProject(id, signal),
    }),

  /** Ids of the projects that the member follows, 500 at most. */
  followed: (userId: string) =>
    queryOptions({
      queryKey: keys.followed(userId),
      queryFn: ({ signal }) => fetchFollowedIds(signal),
      enabled: userId !== '',
    }),

  /** The projects that the member follows and everybody can see, most recently followed first. */
  followedList: (userId: string) =>
    infiniteQueryOptions({
      queryKey: keys.followedList(userId),
      ...cursorPages(followedPageSize, (cursor, signal): Promise<FollowedProject[]> => {
        const page = { p_limit: followedPageSize, p_cursor: cursor ?? undefined };
        return unwrap(supabase().rpc('list_followed_projects', page, { get: true }).abortSignal(signal));
      }),
    }),

  /** A project's promises and review record, null when it is not public (BEY-05). */
  promises: (id: string) =>
    queryOptions({
      queryKey: keys.promises(id),
      queryFn: ({ signal }): Promise<ProjectPromises | null> =>
        unwrap(
          supabase().rpc('get_project_promises', { p_startup_id: id }, { get: true }).abortSignal(signal).maybeSingle(),
        ),
    }),

  /** All verified projects, newest first; the hub filters them by industry and search itself. */
  verified: () =>
    queryOptions({
      queryKey: keys.verified,
      queryFn: async ({ signal }): Promise<ListedProject[]> => {
        const rows = await fetchAllById<ListedProject>((last) => {
          const page = supabase().from('startup_profiles').select(listedColumns).eq('is_public', true);
          return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(maxPageSize).abortSignal(signal));
        });
        return sortByTime(rows, (row) => row.created_at, 'newest');
      },
    }),

  /** The first verified projects with this text in their name, by name. */
  named: (search: string, limit: number) =>
    queryOptions({
      queryKey: keys.named(search, limit),
      queryFn: ({ signal }): Promise<Pick<Project, 'id' | 'name' | 'industry'>[]> =>
        unwrap(
          supabase()
            .from('startup_profiles')
            .select('id, name, industry')
            .eq('is_public', true)
            .ilike('name', `%${escapeLike(search)}%`)
            .order('name')
            .order('id')
            .limit(limit)
            .abortSignal(signal),
        ),
    }),

  /** The project's active OG Lifetime plan, null without one. A null period end never ends (SUBS-07, C-21). */
  subscription: (projectId: string) =>
    queryOptions({
      queryKey: keys.subscription(projectId),
      queryFn: ({ signal }): Promise<Subscription | null> =>
        unwrap(
          supabase()
            .from('subscriptions')
            .select()
            .eq('startup_id', projectId)
            .eq('plan_id', 'og_lifetime')
            .eq('status', 'active')
            .or(`current_period_end.is.null,current_period_end.gte.${new Date().toISOString()}`)
            .limit(1)
            .abortSignal(signal)
            .maybeSingle(),
        ),
    }),

  /** The same after returning from the payment page: polled every 3 s until the payment has arrived (C-20). */
  newSubscription: (projectId: string) =>
    queryOptions({
      ...projectQueries.subscription(projectId),
      refetchInterval: (query) => (query.state.data ? false : poll(3).refetchInterval(query)),
    }),
};
