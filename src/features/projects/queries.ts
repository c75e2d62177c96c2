import { queryOptions } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { Tables } from '@/types/database';

/** A project as the API shows it: who reviewed it and its owner's address are for admins' procedures only. */
export type Project = Omit<
  Tables<'startup_profiles'>,
  'owner_email' | 'reviewed_by' | 'checked_at' | 'changed_at' | 'changed_from' | 'revoked_at'
>;
export type Subscription = Tables<'subscriptions'>;

/** The readable columns; `*` would ask for the others too and be refused. */
export const projectColumns =
  'id, owner_user_id, name, logo_url, website, description, industry, status, review_note, reviewed_at, created_at, updated_at, suspended_at, is_public, former_name, renamed_at';

const keys = {
  all: ['startups'] as const,
  own: (userId: string) => ['startups', 'own', userId] as const,
  detail: (id: string) => ['startups', 'detail', id] as const,
  verified: ['startups', 'verified'] as const,
  subscription: (projectId: string) => ['startups', 'subscription', projectId] as const,
};

/** Reads of projects: verified ones are public, others are seen by their owner and by admins. */
export const projectQueries = {
  keys,

  /** The project of a user, null when they have none. */
  own: (userId: string) =>
    queryOptions({
      queryKey: keys.own(userId),
      queryFn: ({ signal }): Promise<Project | null> =>
        unwrap(
          supabase()
            .from('startup_profiles')
            .select(projectColumns)
            .eq('owner_user_id', userId)
            .abortSignal(signal)
            .maybeSingle(),
        ),
    }),

  /** One project, null when there is none that the caller may see. */
  detail: (id: string) =>
    queryOptions({
      queryKey: keys.detail(id),
      queryFn: ({ signal }): Promise<Project | null> =>
        unwrap(
          supabase().from('startup_profiles').select(projectColumns).eq('id', id).abortSignal(signal).maybeSingle(),
        ),
    }),

  /** All verified projects, newest first; the hub filters them by industry and search itself. */
  verified: () =>
    queryOptions({
      queryKey: keys.verified,
      queryFn: ({ signal }): Promise<Project[]> =>
        unwrap(
          supabase()
            .from('startup_profiles')
            .select(projectColumns)
            .eq('is_public', true)
            .order('created_at', { ascending: false })
            .order('id')
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
};
