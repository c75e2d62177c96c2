import { queryOptions } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { Tables } from '@/types/database';

/** A quest; the code's and the tables' word for it is campaign. */
export type Campaign = Tables<'campaigns'>;
export type Task = Tables<'tasks'>;
/** An address that a member gave to a quest; `collected_at` is an ISO time. */
export type CollectedEmail = Pick<Tables<'campaign_email_collections'>, 'id' | 'email' | 'collected_at'>;

/** PostgREST answers with at most this many rows at a time. */
const pageSize = 1000;

const keys = {
  all: ['campaigns'] as const,
  detail: (id: string) => ['campaigns', 'detail', id] as const,
  tasks: (id: string) => ['campaigns', 'tasks', id] as const,
  byStartup: (startupId: string) => ['campaigns', 'by-startup', startupId] as const,
  emailCount: (id: string) => ['campaigns', 'email-count', id] as const,
};

/** Reads of quests under the caller's own rights: published ones, one's own, those one took part in. */
export const campaignQueries = {
  keys,

  /** One quest, null when there is none that the caller may see. */
  detail: (id: string) =>
    queryOptions({
      queryKey: keys.detail(id),
      queryFn: ({ signal }): Promise<Campaign | null> =>
        unwrap(supabase().from('campaigns').select().eq('id', id).abortSignal(signal).maybeSingle()),
    }),

  /** A quest's tasks in their order. */
  tasks: (id: string) =>
    queryOptions({
      queryKey: keys.tasks(id),
      queryFn: ({ signal }): Promise<Task[]> =>
        unwrap(
          supabase().from('tasks').select().eq('campaign_id', id).order('order_index').order('id').abortSignal(signal),
        ),
    }),

  /** A project's quests, newest first; drafts and closed ones only for their owner and admins. */
  byStartup: (startupId: string) =>
    queryOptions({
      queryKey: keys.byStartup(startupId),
      queryFn: ({ signal }): Promise<Campaign[]> =>
        unwrap(
          supabase()
            .from('campaigns')
            .select()
            .eq('startup_id', startupId)
            .order('created_at', { ascending: false })
            .abortSignal(signal),
        ),
    }),

  /** How many e-mail addresses an own quest has collected. */
  emailCount: (id: string) =>
    queryOptions({
      queryKey: keys.emailCount(id),
      queryFn: ({ signal }): Promise<number> => countEmails(id, signal),
    }),
};

async function countEmails(campaignId: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  await unwrap(
    supabase()
      .from('campaign_email_collections')
      .select('id', { count: 'exact', head: true })
      .eq('campaign_id', campaignId)
      .abortSignal(signal)
      .then((answer) => {
        count = answer.count ?? 0;
        return answer;
      }),
  );
  return count;
}

/** All addresses of an own quest, oldest first, read page by page past the row ceiling. */
export async function fetchCollectedEmails(campaignId: string): Promise<CollectedEmail[]> {
  const emails: CollectedEmail[] = [];
  for (;;) {
    const page: CollectedEmail[] = await unwrap(
      supabase()
        .from('campaign_email_collections')
        .select('id, email, collected_at')
        .eq('campaign_id', campaignId)
        .order('collected_at')
        .order('id')
        .range(emails.length, emails.length + pageSize - 1),
    );
    emails.push(...page);
    if (page.length < pageSize) return emails;
  }
}
