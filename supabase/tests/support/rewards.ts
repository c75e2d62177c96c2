import { randomUUID } from 'node:crypto';
import type { Json } from '../../../src/types/database.ts';
import { type Member, newAdmin, newCheckedOwner, newMember, newQuest, unwrap } from './factories.ts';
import { flag } from './holds.ts';

/** A reward of 40 points, saved by an admin; its id. */
export async function newReward(values: Record<string, Json> = {}): Promise<string> {
  const admin = await newAdmin();
  const reward = { title: 'Voucher', points_cost: 40, ...values };
  return (await unwrap(admin.client.rpc('save_reward', { p_reward: reward }))).id;
}

export async function newCodeReward(admin: Member, codes: string[]): Promise<string> {
  const id = await newReward({ delivery: 'code' });
  if (codes.length > 0) await unwrap(addCodes(admin, id, codes));
  return id;
}

export const addCodes = (who: Member, id: string, codes: string[]) =>
  who.client.rpc('add_reward_codes', { p_reward_id: id, p_codes: codes });

/** A redemption with a key of its own. */
export const redeem = (who: Member, rewardId: string, p_address?: Json) =>
  who.client.rpc('redeem_reward_safe', {
    p_reward_id: rewardId,
    p_idempotency_key: randomUUID(),
    ...(p_address !== undefined && { p_address }),
  });

export const codeOf = (who: Member, id: string) => who.client.rpc('get_redemption_code', { p_redemption_id: id });

export const decide = (who: Member, id: string, status: string) =>
  who.client.rpc('set_redemption_status', { p_redemption_id: id, p_status: status });

/** A member whose points all come from flagged submissions. */
export async function flaggedMember(): Promise<Member> {
  const [member, owner] = [await newMember(), await newCheckedOwner()];
  const quest = await newQuest(owner, { task: { reward_points: 100, max_completions: 1 } });
  const proof = await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: randomUUID() }));
  await flag(proof.id);
  return member;
}
