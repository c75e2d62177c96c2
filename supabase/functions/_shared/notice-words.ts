// Words that the notice in the bell and the mail about the same event share, for the app and the functions. Nothing is imported here,
// because the app would load it with its first screens.

export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

export const pointsOf = (points: number): string => countOf(points, 'point');

export const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** Subject and verb for the held part of the points named in the sentence before: 'They are', '5 of them are'. */
export const heldOf = (points: number, held: number): string =>
  held < points ? `${held.toLocaleString('en-US')} of them ${are(held)}` : points === 1 ? 'It is' : 'They are';

/** What was decided about a proof that earns its points. */
export const howApproved = (decidedBy: string | null | undefined): string =>
  decidedBy === 'deadline' ? 'approved, because it was not reviewed in time' : 'accepted';

export const correctionSentence = (points: number, wallet: string | null | undefined): string => {
  const whose = wallet === 'startup' ? 'your project’s wallet' : 'your wallet';
  return points < 0
    ? `Questboard took ${pointsOf(-points)} from ${whose}.`
    : `Questboard added ${pointsOf(points)} to ${whose}.`;
};

/** Where a fulfilled reward is, by how it is delivered: the words after its name. */
export const rewardIsWhere = (delivery: string | null | undefined): string =>
  delivery === 'post' ? 'is on its way to you' : delivery === 'mail' ? 'is in your inbox' : 'is ready';

export const purchaseSentence = (points: number): string =>
  `${pointsOf(points)} ${points === 1 ? 'was' : 'were'} added to your project.`;

/** Why a plan ended, by its status. */
export const planEnds: Readonly<Record<string, string>> = {
  expired: 'It expired.',
  refunded: 'Its payment was refunded.',
  disputed: 'Its payment is disputed.',
  cancelled: 'It was cancelled.',
};

export const REFUNDING = 'We are refunding your payment';

/** Why a payment is refunded that has bought nothing, by reason: the clause after REFUNDING. */
export const unusedPayments: Readonly<Record<string, string>> = {
  sold_out: 'every slot of OG Lifetime Access is taken',
  already_subscribed: 'you already have OG Lifetime Access',
  startup_not_found: 'the project that it was for has been deleted',
};
