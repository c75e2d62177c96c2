/** Verified by a person, a shared code, a signed call from the project, or a check that Questboard requests from it (BEY-13). */
export type Verification = 'review' | 'code' | 'call' | 'check';

export interface ModelTask {
  reward: number;
  slots: number;
  verification: Verification;
  /** Members who have started it, if a call or a check verifies it. */
  started: Map<string, Start>;
  /** Members whose payment an admin has reversed: nothing verifies them automatically any more, a person decides. */
  reversed: Set<string>;
  submissions: Map<string, Proof>;
}

/** How a project refers to a member: another object is another token. `points`: their minimum reward (TRUST-20). */
export interface Start {
  points: number;
}

export interface Proof {
  status: 'pending' | 'approved' | 'rejected';
  points: number;
  /** When it was submitted, or rejected. */
  day: number;
  payment?: Payment;
  /** Rejected by a person, it keeps its slot and points while an appeal is possible or open (BEY-23). */
  isKept: boolean;
  /** The kept slot has been offered to others; the points stay kept. */
  isReopened: boolean;
  /** Its position among all rejections. */
  rejection: number;
  isAppealed: boolean;
  /** Rejected as a proof, not by reversing an approval. */
  isJudged: boolean;
  appeal?: 'open' | 'decided';
}

export interface ModelQuest {
  status: 'draft' | 'published' | 'closed';
  /** Published since it was created, or since its reserve was freed: its free slots have points. */
  isFunded: boolean;
  isDeleted: boolean;
  reserve: Purse;
  task: ModelTask;
}

/** A project's points; trial points are spent first (C-94). */
export interface Purse {
  points: number;
  trial: number;
}

/** A paid approval. */
export interface Payment {
  number: number;
  user: string;
  points: number;
  trial: number;
  day: number;
  quest: ModelQuest;
  isReversed: boolean;
  /** Approved by the server because nobody had decided in time (BEY-22). */
  isByClock: boolean;
}

export interface Hold {
  /** That of the payment or bonus. */
  number: number;
  user: string;
  /** What is held, or was held last. */
  points: number;
  /** What was held at first: all points of a bonus. */
  bonus: number;
  state: 'open' | 'released' | 'reversed';
  /** The payment from a trial budget, or the member whose approved task releases a referral bonus. */
  of: { payment: Payment } | { invited: string };
  cause?: Payment;
  /** The bonus itself was taken back. */
  isReversed: boolean;
}

export interface Redemption {
  user: string;
  cost: number;
  status: 'pending' | 'fulfilled' | 'cancelled';
  /** Of a code reward, which is delivered at once (C-93). */
  code?: string;
  /** The member has seen the code. */
  isShown: boolean;
}

/** Points that the project has paid for (BEY-20). */
export interface Purchase {
  points: number;
  /** Without those that were taken back. */
  credited: number;
  status: 'paid' | 'refunded' | 'disputed';
  /** How many are open. */
  disputes: number;
}
