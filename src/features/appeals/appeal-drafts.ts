import * as z from 'zod/mini';
import { createDrafts } from '@/lib/drafts';
import type { AppealedDecision } from './queries';

/** Appeals that are being written: there is only one against a decision, and it may be long. */
const drafts = createDrafts('appeal-draft', z.object({ words: z.string() }));

const idOf = ({ kind, submissionId, at }: AppealedDecision) => [kind, submissionId ?? '', at].join(' ');

/** The draft of the appeal against a decision, empty when there is none. */
export const readAppealDraft = (decision: AppealedDecision): string =>
  drafts.read(decision.userId, idOf(decision))?.values.words ?? '';

/** Saves a draft; removes an empty one. */
export const writeAppealDraft = (decision: AppealedDecision, words: string): void =>
  drafts.write(decision.userId, idOf(decision), words ? { words } : null);
