import * as z from 'zod/mini';
import type { Database } from '@/types/database';
import { type QuestState, toQuestState } from './quest';

// Separate from quest.ts, so that lists on the first route do not load the schema library.

/** A submission of the member with its decision; times are ISO times. */
const sentProof = z.object({
  task_id: z.string(),
  task_title: z.string(),
  status: z.enum(['pending', 'approved', 'rejected']),
  reward_points: z.number(),
  proof_url: z.nullable(z.string()),
  proof_text: z.nullable(z.string()),
  submitted_at: z.string(),
  reviewed_at: z.nullable(z.string()),
  reviewed_by: z.nullable(z.string()),
  rejection_reason: z.nullable(
    z.enum(['does_not_match', 'cannot_open', 'not_own', 'incomplete', 'duplicate', 'other']),
  ),
  review_note: z.nullable(z.string()),
  id: z.string(),
  review_due_at: z.nullable(z.string()),
  kept_until: z.nullable(z.string()),
  appealed_at: z.nullable(z.string()),
});

type MyQuestRow = Database['public']['Functions']['list_my_quests']['Returns'][number];

/** A quest that the member has started (BEY-21). `can_continue`: it accepts a proof from them now. */
export type MyQuest = Omit<MyQuestRow, 'state' | 'submissions'> & {
  state: QuestState;
  submissions: z.infer<typeof sentProof>[];
};

/** Parses a row of list_my_quests. Throws on values unknown to this version of the app. */
export function toMyQuest(row: MyQuestRow): MyQuest {
  return { ...row, state: toQuestState(row.state), submissions: z.array(sentProof).parse(row.submissions) };
}
