import type { Json } from '../../../src/types/database.ts';
import { type Member, newOwner, newQuest, projectPoints } from './factories.ts';

/** What a change of a quest names besides its tasks. */
export const CAMPAIGN = { title: 'Edited', summary: 'Better', details_md: 'All about it', budget_points: 500 };

/** A task as the edit form sends it. */
export const task = (values: Record<string, Json> = {}): Record<string, Json> => ({
  title: 'Visit',
  type: 'visit',
  instructions_md: 'Go there',
  reward_points: 50,
  max_completions: 2,
  requires_proof: true,
  proof_type: 'screenshot',
  ...values,
});

export const update = (who: Member, id: string, tasks: Json, campaign: Record<string, Json> = {}) =>
  who.client.rpc('update_campaign', { p_campaign_id: id, p_campaign: { ...CAMPAIGN, ...campaign }, p_tasks: tasks });

/** A quest with one task, and how to look at the points of its project. */
export async function ownedQuest() {
  const owner = await newOwner();
  const { campaign, taskId } = await newQuest(owner);
  const points = () => projectPoints(owner.startup.id, campaign.id);
  return { owner, id: campaign.id, taskId, points };
}
