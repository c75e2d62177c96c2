import { useMutation } from '@tanstack/react-query';
import { findOut, orIsGone, sendOnce } from '@/lib/send-once';
import type { KnownCall } from '@/lib/stale-queries';
import { supabase, unwrap } from '@/lib/supabase';
import { fetchSavedIds, type Quest } from './queries';
import type { CreatePayload, UpdatePayload } from './quest-form';

/**
 * On a screen that stays, a mutation resolves after the stale queries have been refetched (SDASH-07). When the screen
 * is left (`later`), they are only marked stale: refetching under a form would count a new quest against its own
 * limits, or miss a deleted one.
 */
function useQuestMutation<Variables, Result>(
  call: KnownCall,
  mutationFn: (variables: Variables) => Promise<Result>,
  refetch: 'awaited' | 'later' = 'awaited',
) {
  return useMutation({ mutationFn, meta: { calls: [call], refetch } });
}

/** The quest that a call with this key has created or saved, null when there is none. */
async function findQuest(key: string): Promise<Quest | null> {
  const [quest] = await unwrap(supabase().rpc('get_quest_by_key', { p_idempotency_key: key }, { get: true }));
  return quest ?? null;
}

/** `isDraft`: keeps the quest as a draft without reserved points (C-85). */
type CreateQuestInput = { projectId: string; payload: CreatePayload; isDraft?: boolean; onChecking?: () => void };

/**
 * Creates a quest with one task and publishes it, in one transaction (QNEW-19). Idempotent after a lost answer or a
 * reload (TRUST-21); the outcome of a lost answer is looked up (C-99). Errors: see create_quest and sendOnce.
 */
export function useCreateQuest() {
  return useQuestMutation(
    'create_quest',
    ({ projectId, payload, isDraft = false, onChecking }: CreateQuestInput): Promise<Quest> => {
      const quest = { p_startup_id: projectId, p_campaign: payload.quest, p_task: payload.task };
      const terms = isDraft ? { ...quest, p_publish: false } : quest;
      return sendOnce(`create-quest.${projectId}`, {
        content: JSON.stringify(terms),
        tellMade: ({ title }) =>
          `“${title}” was created after all and is on your dashboard. Press again to create this quest, too.`,
        send: (key) => unwrap(supabase().rpc('create_quest', { ...terms, p_idempotency_key: key })),
        find: findQuest,
        onChecking,
      });
    },
    'later',
  );
}

type UpdateQuestInput = {
  payload: UpdatePayload;
  /** Approves and pays pending proofs of removed tasks, which otherwise block saving (C-98). */
  isApprovingWaiting: boolean;
  /** When the form's quest was last changed: a later change is not replaced (QUEST_CHANGED). */
  updatedAt?: string;
  onChecking?: () => void;
};

/**
 * Saves a quest with all its tasks and their reserve (QEDIT-14). Idempotent after a lost answer (TRUST-21), whose
 * outcome is looked up (C-99). Errors: see update_campaign and sendOnce.
 */
export function useUpdateQuest(questId: string) {
  return useQuestMutation(
    'update_campaign',
    ({ payload, isApprovingWaiting, updatedAt, onChecking }: UpdateQuestInput): Promise<Quest> => {
      const { quest, tasks } = payload;
      return sendOnce(`update-quest.${questId}`, {
        content: JSON.stringify(payload),
        send: (key) =>
          unwrap(
            supabase().rpc('update_campaign', {
              p_campaign_id: questId,
              p_campaign: { ...quest, ...(updatedAt && { updated_at: updatedAt }) },
              p_tasks: tasks,
              p_idempotency_key: key,
              p_approve_waiting: isApprovingWaiting || undefined,
            }),
          ),
        find: findQuest,
        onChecking,
      });
    },
    'later',
  );
}

/** Copies a quest with its tasks into a draft (BEY-07). Errors: see duplicate_campaign. */
export function useDuplicateQuest() {
  return useQuestMutation(
    'duplicate_campaign',
    (id: string): Promise<Quest> =>
      sendOnce(`duplicate-quest.${id}`, {
        send: (key) => unwrap(supabase().rpc('duplicate_campaign', { p_campaign_id: id, p_idempotency_key: key })),
        find: findQuest,
      }),
  );
}

/**
 * Saves a quest for the member, or removes it. After a lost answer, what is stored is the result (C-99). Errors: CAMPAIGN_NOT_FOUND,
 * SAVED_LIMIT, and those of findOut.
 */
export function useSaveQuest() {
  return useQuestMutation(
    'set_quest_saved',
    ({ id, isOn }: { id: string; isOn: boolean }): Promise<boolean> =>
      unwrap(supabase().rpc('set_quest_saved', { p_campaign_id: id, p_is_saved: isOn })).catch((error: unknown) =>
        findOut(async () => ((await fetchSavedIds()).includes(id) === isOn ? isOn : null), error),
      ),
  );
}

/** Records the member's first view of a quest, from which its duration is measured (BEY-18). Idempotent. */
export function useRecordQuestView() {
  return useQuestMutation('record_quest_view', async (id: string): Promise<void> => {
    await unwrap(supabase().rpc('record_quest_view', { p_campaign_id: id }));
  });
}

/**
 * The quest after a call that gives it this status. After a lost answer, a quest that has it is the result (C-99). Throws AppError as
 * findOut does.
 */
function withStatus(id: string, status: Quest['status'], call: Promise<Quest>): Promise<Quest> {
  const find = () => unwrap(supabase().from('campaigns').select().eq('id', id).eq('status', status).maybeSingle());
  return call.catch((error: unknown) => findOut(find, error));
}

/** Publishes a draft or closed quest. Errors: ON_HOLD, NO_TASKS, STARTUP_NOT_VERIFIED, INSUFFICIENT_POINTS, and those of findOut. */
export function usePublishQuest() {
  return useQuestMutation('publish_campaign', (id: string) =>
    withStatus(id, 'published', unwrap(supabase().rpc('publish_campaign', { p_campaign_id: id }))),
  );
}

/** Returns a quest to draft; its reserve stays. Errors: those of findOut. */
export function useUnpublishQuest() {
  return useQuestMutation('unpublish_campaign', (id: string) =>
    withStatus(id, 'draft', unwrap(supabase().rpc('unpublish_campaign', { p_campaign_id: id }))),
  );
}

/** Closes a quest; unpromised points are returned to the project. Errors: those of findOut. */
export function useCloseQuest() {
  return useQuestMutation('close_campaign', (id: string) =>
    withStatus(id, 'closed', unwrap(supabase().rpc('close_campaign', { p_campaign_id: id }))),
  );
}

/**
 * Deletes a quest with its tasks, submissions and collected e-mails; earned points stay (QEDIT-15, TRUST-12). With
 * pending proofs it needs `isApprovingWaiting`, which approves and pays them all (C-98). Errors: see delete_campaign and findOut.
 */
export function useDeleteQuest() {
  return useQuestMutation(
    'delete_campaign',
    async ({ id, isApprovingWaiting }: { id: string; isApprovingWaiting: boolean }): Promise<void> => {
      await unwrap(
        supabase().rpc('delete_campaign', { p_campaign_id: id, p_approve_waiting: isApprovingWaiting || undefined }),
      ).catch(orIsGone(() => unwrap(supabase().from('campaigns').select('id').eq('id', id).maybeSingle())));
    },
    'later',
  );
}
