/** By a person, or by a code that everybody has, a signed call of the project, or Questboard's question to it (BEY-13). */
export type Verification = 'review' | 'code' | 'call' | 'check';

export interface ModelTask {
  reward: number;
  slots: number;
  verification: Verification;
  /** Who has set out to do it, where a call or a check verifies it. */
  started: Map<string, Start>;
  /** Whose payment an admin took back: nothing verifies them any more, a person decides. */
  reversed: Set<string>;
  submissions: Map<string, Proof>;
}

/** What a project knows a member by: another object is another token. `points`: what they get at least (TRUST-20). */
export interface Start {
  points: number;
}

export interface Proof {
  status: 'pending' | 'approved' | 'rejected';
  points: number;
  /** When it was submitted, or rejected. */
  day: number;
  payment?: Payment;
  /** Rejected by a person, it keeps its slot and points while an appeal may come or is open (BEY-23). */
  isKept: boolean;
  /** Others may have the kept slot; the points stay kept. */
  isReopened: boolean;
  /** Its place among all rejections. */
  rejection: number;
  isAppealed: boolean;
  /** Rejected as a proof, and not by an approval that was taken back. */
  isJudged: boolean;
  appeal?: 'open' | 'decided';
}

export interface ModelQuest {
  status: 'draft' | 'published' | 'closed';
  isDeleted: boolean;
  reserve: Purse;
  task: ModelTask;
}

/** A project's points; those of its trial budget are spent first (C-94). */
export interface Purse {
  points: number;
  trial: number;
}

/** An approved task that was paid. */
export interface Payment {
  user: string;
  points: number;
  trial: number;
  day: number;
  quest: ModelQuest;
  isReversed: boolean;
  /** Nobody had decided in time, and the server did (BEY-22). */
  isByClock: boolean;
}

export interface Hold {
  user: string;
  points: number;
  state: 'open' | 'released' | 'reversed';
  /** The payment from a trial budget, or the member whose approved task releases a referral bonus. */
  of: { payment: Payment } | { invited: string };
  cause?: Payment;
}
