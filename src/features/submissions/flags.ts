import * as z from 'zod/mini';
import { formatNumber } from '@/lib/format';

const kinds = {
  same_link: z.object({ link: z.optional(z.string()) }),
  same_picture: z.object({}),
  similar_picture: z.object({}),
  similar_text: z.object({ similarity: z.number() }),
  too_fast: z.object({ seconds: z.number(), usual_seconds: z.number() }),
  related_account: z.object({
    relation: z.enum(['mailbox_of_owner', 'same_mailbox', 'referred_by_owner', 'referred_owner', 'mutual_projects']),
  }),
  disposable_mailbox: z.object({ domain: z.optional(z.string()) }),
  aliased_mailbox: z.object({}),
};
type Kind = keyof typeof kinds;

const flagSchema = z.object({
  id: z.string(),
  kind: z.enum(Object.keys(kinds) as [Kind, ...Kind[]]),
  evidence: z.record(z.string(), z.unknown()),
  dismissed_at: z.nullable(z.string()),
  dismissal_reason: z.nullable(z.string()),
  /** The submission that this one resembles; null when the viewer may not read it. */
  twin: z.nullable(z.object({ id: z.string() })),
  has_twin: z.boolean(),
});

/** Flags of a submission, as returned by the computed column `flags`. */
export type Flag = z.infer<typeof flagSchema>;

/** Parses the flags of a row, open ones first. */
export const parseFlags = (flags: unknown): Flag[] => z.array(flagSchema).parse(flags);

const relations = {
  mailbox_of_owner: 'This account and the quest’s owner use the same mailbox.',
  same_mailbox: 'Another account with the same mailbox took part in this quest.',
  referred_by_owner: 'The quest’s owner invited this member, directly or through somebody else.',
  referred_owner: 'This member invited the quest’s owner, directly or through somebody else.',
  mutual_projects: 'This member has a project, and the quest’s owner submitted to one of its quests.',
};

const sentences: { [K in Kind]: (evidence: z.infer<(typeof kinds)[K]>) => string } = {
  same_link: ({ link }) =>
    link ? `Another member submitted the same link: ${link}` : 'Another member submitted the same link.',
  same_picture: () => 'Another member submitted an identical picture.',
  similar_picture: () => 'Another member submitted a picture that looks the same.',
  similar_text: ({ similarity }) =>
    `Another member wrote nearly the same text: ${formatNumber(Math.round(similarity * 100))}% alike.`,
  too_fast: ({ seconds, usual_seconds }) =>
    `Submitted after ${formatNumber(Math.round(seconds))} s; most people take longer than ${formatNumber(Math.round(usual_seconds))} s.`,
  related_account: ({ relation }) => relations[relation],
  disposable_mailbox: ({ domain }) =>
    domain
      ? `The account uses a disposable email address at ${domain}.`
      : 'The account uses a disposable email address.',
  aliased_mailbox: () => 'The account’s address is an alias of another mailbox.',
};

/** Description of a flag that has not been parsed yet. */
export const describeFlag = (flag: unknown): string =>
  flagSentence(z.pick(flagSchema, { kind: true, evidence: true }).parse(flag));

/** Description of a flag in one sentence. */
export function flagSentence({ kind, evidence }: Pick<Flag, 'kind' | 'evidence'>): string {
  const say = <K extends Kind>(of: K) => sentences[of](kinds[of].parse(evidence) as z.infer<(typeof kinds)[K]>);
  return say(kind);
}
