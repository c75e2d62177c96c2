import { useMutation, useQueryClient } from '@tanstack/react-query';
import { supabase, unwrap } from '@/lib/supabase';
import type { QuestPayload } from './create-form';
import type { QuestEditPayload } from './edit-form';
import type { Quest } from './queries';

/**
 * A changed quest changes lists, statistics and wallets in several features. Where the screen stays, everything on it is
 * read again before the mutation counts as done (SDASH-07). Where the screen is left (`isLeaving`), it is only marked as
 * out of date: reading again under a form would count a new quest against its own limits, or find a deleted one gone.
 */
function useQuestMutation<Variables, Result>(
  mutationFn: (variables: Variables) => Promise<Result>,
  { isLeaving = false }: { isLeaving?: boolean } = {},
) {
  const queryClient = useQueryClient();
  const refetchType = isLeaving ? 'none' : 'active';
  return useMutation({ mutationFn, onSuccess: () => queryClient.invalidateQueries({ refetchType }) });
}

/** Creates a quest with one task and publishes it, in one transaction (QNEW-19). Errors: see create_quest. */
export function useCreateQuest() {
  return useQuestMutation(
    ({ projectId, payload }: { projectId: string; payload: QuestPayload }): Promise<Quest> =>
      unwrap(
        supabase().rpc('create_quest', { p_startup_id: projectId, p_campaign: payload.quest, p_task: payload.task }),
      ),
    { isLeaving: true },
  );
}

/** Saves a quest with all its tasks and their reserve (QEDIT-14). Errors: see update_campaign. */
export function useUpdateQuest(questId: string) {
  return useQuestMutation(
    ({ quest, tasks }: QuestEditPayload): Promise<Quest> =>
      unwrap(supabase().rpc('update_campaign', { p_campaign_id: questId, p_campaign: quest, p_tasks: tasks })),
    { isLeaving: true },
  );
}

/** Publishes a draft or closed quest. Errors: ON_HOLD, NO_TASKS, STARTUP_NOT_VERIFIED, INSUFFICIENT_POINTS. */
export function usePublishQuest() {
  return useQuestMutation(
    (id: string): Promise<Quest> => unwrap(supabase().rpc('publish_campaign', { p_campaign_id: id })),
  );
}

/** Takes a quest back to draft; its reserve stays. */
export function useUnpublishQuest() {
  return useQuestMutation(
    (id: string): Promise<Quest> => unwrap(supabase().rpc('unpublish_campaign', { p_campaign_id: id })),
  );
}

/** Closes a quest; points that nobody was promised go back to the project. */
export function useCloseQuest() {
  return useQuestMutation(
    (id: string): Promise<Quest> => unwrap(supabase().rpc('close_campaign', { p_campaign_id: id })),
  );
}

/** Deletes a quest with its tasks, submissions and collected e-mails; earned points stay (QEDIT-15, TRUST-12). */
export function useDeleteQuest() {
  return useQuestMutation(
    async (id: string): Promise<void> => {
      await unwrap(supabase().rpc('delete_campaign', { p_campaign_id: id }));
    },
    { isLeaving: true },
  );
}
