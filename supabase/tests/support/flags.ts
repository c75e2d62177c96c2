import { sql } from '../../../local/testing/clients.ts';
import { type Member, newMember, newQuest, newVerifiedOwner, type Owner, type Quest, unwrap } from './factories.ts';
import { tick } from './periodic-jobs.ts';

/** For `beforeAll`: several quests of one owner, outside beta. */
export const allowManyQuests = () =>
  sql().query('update public.app_settings set beta_mode = false, trial_quest_limit = 100');

type Proof = { p_url?: string; p_text?: string };

/** Submits a proof, which must be accepted. */
export const submit = (member: Member, quest: Quest, proof: Proof) =>
  unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, ...proof }));

interface Flag {
  id: string;
  kind: string;
  evidence: Record<string, unknown>;
  twin: { id: string; campaign_id: string } | null;
  has_twin: boolean;
}

/** A submission's flags as this person sees them, after the worker has run. */
export async function flagsSeenBy(person: Member, submissionId: string): Promise<Flag[]> {
  await tick();
  const row = await unwrap(person.client.from('submissions').select('flags').eq('id', submissionId).single());
  return row.flags as unknown as Flag[];
}

/** Only the kinds of these flags. */
export const kindsSeenBy = async (person: Member, submissionId: string) =>
  (await flagsSeenBy(person, submissionId)).map(({ kind }) => kind);

/** A unique link. */
export const newLink = () => `https://posts.example/${crypto.randomUUID()}`;

/** A quest, and two members to complete it. */
export async function scene(): Promise<{ owner: Owner; quest: Quest; one: Member; other: Member }> {
  const [owner, one, other] = await Promise.all([newVerifiedOwner(), newMember(), newMember()]);
  return { owner, quest: await newQuest(owner), one, other };
}
