/** What the product does with points, in memory and without a database: the plainest thing that can be right. */
export interface ModelTask {
  reward: number;
  slots: number;
  /** Proven by a completion code, which everybody has, instead of a review (BEY-13). */
  isCode: boolean;
  /** Whose payment an admin took back: a code alone pays them no more. */
  reversed: Set<string>;
  submissions: Map<string, Proof>;
}

interface Proof {
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
  reserve: Purse;
  task: ModelTask;
}

/** A project's points; those of its trial budget are spent first (C-94). */
interface Purse {
  points: number;
  trial: number;
}

/** An approved task that was paid. */
interface Payment {
  user: string;
  points: number;
  trial: number;
  day: number;
  quest: ModelQuest;
  isReversed: boolean;
  /** Nobody had decided in time, and the server did (BEY-22). */
  isByClock: boolean;
}

interface Hold {
  user: string;
  points: number;
  state: 'open' | 'released' | 'reversed';
  /** The payment from a trial budget, or the member whose approved task releases a referral bonus. */
  of: { payment: Payment } | { invited: string };
  cause?: Payment;
}

const WEEK = 7;
/** Within so many days a proof is answered. */
const REVIEW_DAYS = 3;

export class LedgerModel {
  /** Points of members. */
  readonly members = new Map<string, number>();
  readonly lifetime = new Map<string, number>();
  readonly holds: Hold[] = [];
  readonly payments: Payment[] = [];
  /** Those by a review, which `reverse` takes back by their number; not those by a deletion that approves all. */
  private readonly reviewed: Payment[] = [];
  readonly free: Purse = { points: 500, trial: 500 };
  quest: ModelQuest | undefined;
  stock = 0;
  redeemed: { user: string; cost: number; status: 'pending' | 'fulfilled' | 'cancelled' }[] = [];
  /** Accounts in the order of their sign-up, with the person behind each. */
  private readonly accounts: { user: string; person: number }[] = [];
  private readonly referred = new Set<string>();
  private isProjectChecked = false;
  private today = 0;
  private rejections = 0;

  /** Points that the quest may still have to pay. */
  private required({ status, task }: ModelQuest): number {
    const promised = [...task.submissions.values()]
      .filter(({ status: s, isKept }) => s === 'pending' || isKept)
      .reduce((sum, { points }) => sum + points, 0);
    return promised + (status === 'closed' ? 0 : task.reward * (task.slots - this.held(task).length));
  }

  /** What has a slot. */
  private held = (task: ModelTask): Proof[] => [...task.submissions.values()].filter(this.holdsSlot);

  private holdsSlot = ({ status, isKept, isReopened }: Proof): boolean =>
    status !== 'rejected' || (isKept && !isReopened);

  private move(from: Purse, to: Purse, points: number): void {
    const trial = Math.min(from.trial, points);
    from.points -= points;
    from.trial -= trial;
    to.points += points;
    to.trial += trial;
  }

  private fill(quest: ModelQuest, points: number): void {
    const difference = points - quest.reserve.points;
    if (difference > 0) this.move(this.free, quest.reserve, difference);
    else this.move(quest.reserve, this.free, -difference);
  }

  /** Moves points between project and reserve until the reserve is what is required; false when the project cannot. */
  private settle(quest: ModelQuest): boolean {
    if (this.required(quest) - quest.reserve.points > this.free.points) return false;
    this.fill(quest, this.required(quest));
    return true;
  }

  /** As far as the project can pay. */
  private settleAffordable(quest: ModelQuest): string {
    this.fill(quest, Math.min(this.required(quest), this.free.points + quest.reserve.points));
    return 'ok';
  }

  create(reward: number, slots: number, isCode: boolean): string {
    if (this.quest) return 'QUEST_LIMIT';
    if (reward * slots > 500) return 'BUDGET_LIMIT';
    const task: ModelTask = { reward, slots, isCode, reversed: new Set(), submissions: new Map() };
    const quest: ModelQuest = { status: 'published', reserve: { points: 0, trial: 0 }, task };
    if (!this.settle(quest)) return 'INSUFFICIENT_POINTS';
    this.quest = quest;
    return 'ok';
  }

  edit(reward: number, slots: number, isCode: boolean): string {
    const quest = this.quest;
    if (!quest) return 'CAMPAIGN_NOT_FOUND';
    if (reward < quest.task.reward && quest.task.submissions.size > 0) return 'REWARD_PROMISED';
    if (this.held(quest.task).length > slots) return 'TASK_SLOTS_TAKEN';
    if (reward * slots > 500) return 'OVER_BUDGET';
    const before = { reward: quest.task.reward, slots: quest.task.slots, isCode: quest.task.isCode };
    Object.assign(quest.task, { reward, slots, isCode });
    if (this.settle(quest)) return 'ok';
    Object.assign(quest.task, before);
    return 'INSUFFICIENT_POINTS';
  }

  setStatus(status: ModelQuest['status']): string {
    const quest = this.quest;
    if (!quest) return 'CAMPAIGN_NOT_FOUND';
    const before = quest.status;
    // Only closing and what leaves "closed" moves points; publishing fills up as well.
    const isMoving = status !== before && (status !== 'draft' || before === 'closed');
    quest.status = status;
    if (!isMoving || this.settle(quest)) return 'ok';
    quest.status = before;
    return 'INSUFFICIENT_POINTS';
  }

  remove(isApprovingWaiting: boolean): string {
    if (!this.quest) return 'CAMPAIGN_NOT_FOUND';
    if ([...this.quest.task.submissions.values()].some(({ isKept }) => isKept)) return 'APPEAL_POSSIBLE';
    const waiting = [...this.quest.task.submissions].filter(([, { status }]) => status === 'pending');
    if (waiting.length > 0 && !isApprovingWaiting) return 'PROOFS_WAITING';
    for (const [user] of waiting) this.decide(user, true);
    this.fill(this.quest, 0);
    this.quest = undefined;
    return 'ok';
  }

  submit(user: string): string {
    return this.take(user, false);
  }

  /** The right code: paid at once, by the project's free points too where the reserve is short; else it waits. */
  enterCode(user: string): string {
    const answer = this.take(user, true);
    const quest = this.quest;
    if (answer !== 'ok' || !quest || quest.task.reversed.has(user)) return answer;
    const missing = Math.max(0, quest.task.reward - quest.reserve.points);
    if (missing > this.free.points) return answer;
    this.move(this.free, quest.reserve, missing);
    return this.decide(user, true);
  }

  /** Takes a spot, which waits. */
  private take(user: string, isCode: boolean): string {
    const quest = this.quest;
    if (!quest) return 'TASK_NOT_FOUND';
    if (quest.status !== 'published') return 'QUEST_NOT_OPEN';
    const { task } = quest;
    if (task.isCode !== isCode) return 'WRONG_VERIFICATION';
    const old = task.submissions.get(user);
    if (old && old.status !== 'rejected') return 'ALREADY_SUBMITTED';
    if (old?.appeal === 'open') return 'APPEAL_OPEN';
    if (this.held(task).length - Number(old ? this.holdsSlot(old) : false) >= task.slots) return 'QUEST_FULL';
    // Last in the order in which all are paid at once.
    task.submissions.delete(user);
    task.submissions.set(user, {
      status: 'pending',
      points: task.reward,
      day: this.today,
      isKept: false,
      isReopened: false,
      rejection: 0,
      isAppealed: false,
      isJudged: false,
      appeal: old?.appeal,
    });
    if (old?.isKept && (old.isReopened || old.points !== task.reward)) this.settleAffordable(quest);
    return 'ok';
  }

  review(user: string, isApproved: boolean): string {
    const answer = this.decide(user, isApproved);
    const payment = this.payments.at(-1);
    if (answer === 'ok' && isApproved && payment) this.reviewed.push(payment);
    return answer;
  }

  private decide(user: string, isApproved: boolean, isByClock = false): string {
    const quest = this.quest;
    const submission = quest?.task.submissions.get(user);
    if (!quest || !submission) return 'FORBIDDEN';
    if (submission.status !== 'pending') return 'ALREADY_REVIEWED';
    if (isApproved) return this.pay(quest, user, submission, isByClock);
    this.rejections += 1;
    Object.assign(submission, {
      status: 'rejected',
      isKept: true,
      isReopened: false,
      isJudged: true,
      day: this.today,
      rejection: this.rejections,
    });
    this.settleAffordable(quest);
    this.reopenSlot(quest);
    return 'ok';
  }

  /** A full task of which rejected proofs keep more than a tenth: the oldest one's slot is free, where the project can pay for both. */
  private reopenSlot(quest: ModelQuest): void {
    const { task } = quest;
    const kept = [...task.submissions.values()].filter(({ isKept, isReopened }) => isKept && !isReopened);
    const isFull = this.held(task).length >= task.slots;
    if (quest.status !== 'published' || !isFull || kept.length <= Math.max(1, Math.floor(task.slots / 10))) return;
    if (this.required(quest) + task.reward > quest.reserve.points + this.free.points) return;
    const [oldest] = kept.filter(({ isAppealed }) => !isAppealed).sort((one, other) => one.rejection - other.rejection);
    if (!oldest) return;
    oldest.isReopened = true;
    this.fill(quest, this.required(quest));
  }

  private pay(quest: ModelQuest, user: string, submission: Proof, isByClock: boolean): string {
    submission.status = 'approved';
    const { points } = submission;
    const trial = Math.min(quest.reserve.trial, points);
    quest.reserve.points -= points;
    quest.reserve.trial -= trial;
    this.add(user, points);
    const payment: Payment = { user, points, trial, day: this.today, quest, isReversed: false, isByClock };
    submission.payment = payment;
    this.payments.push(payment);
    if (trial > 0 && !this.isProjectChecked) this.hold(user, trial, { payment });
    for (const hold of this.holds) if ('invited' in hold.of && hold.of.invited === user) this.release(hold.user);
    return 'ok';
  }

  appeal(user: string): string {
    const submission = this.quest?.task.submissions.get(user);
    if (!submission) return 'SUBMISSION_NOT_FOUND';
    if (submission.isAppealed) return 'APPEAL_EXISTS';
    if (submission.status !== 'rejected' || !submission.isJudged) return 'NOTHING_TO_APPEAL';
    if (!submission.isKept) return 'APPEAL_TOO_LATE';
    Object.assign(submission, { isAppealed: true, appeal: 'open' });
    return 'ok';
  }

  /** An admin decides the appeal. */
  judge(user: string, isOverturned: boolean): string {
    const submission = this.quest?.task.submissions.get(user);
    if (!this.quest || !submission?.appeal) return 'APPEAL_NOT_FOUND';
    if (submission.appeal === 'decided') return 'APPEAL_DECIDED';
    const { isReopened } = submission;
    Object.assign(submission, { appeal: 'decided', isKept: false, isReopened: false });
    if (!isOverturned) return this.settleAffordable(this.quest);
    const { task } = this.quest;
    // Somebody has the slot that was kept: the task gets one more.
    if (this.held(task).length >= task.slots) task.slots += 1;
    this.pay(this.quest, user, submission, false);
    if (isReopened) this.settleAffordable(this.quest);
    const payment = this.payments.at(-1);
    if (payment) this.reviewed.push(payment);
    return 'ok';
  }

  credit(user: string, points: number): string {
    this.add(user, points);
    return 'ok';
  }

  debit(user: string, points: number): string {
    if (this.available(user) < points) return 'INSUFFICIENT_POINTS';
    this.members.set(user, this.pointsOf(user) - points);
    return 'ok';
  }

  redeem(user: string, cost: number): string {
    if (this.available(user) < cost) this.release(user);
    if (this.pointsOf(user) < cost) return 'REWARD_TOO_EXPENSIVE';
    if (this.available(user) < cost) return 'POINTS_HELD';
    if (this.stock < 1) return 'OUT_OF_STOCK';
    this.stock -= 1;
    this.members.set(user, this.pointsOf(user) - cost);
    this.redeemed.push({ user, cost, status: 'pending' });
    return 'ok';
  }

  handle(index: number, status: 'fulfilled' | 'cancelled'): string {
    const redemption = this.redeemed[index];
    if (!redemption) return 'REDEMPTION_NOT_FOUND';
    if (redemption.status !== 'pending') return 'REDEMPTION_HANDLED';
    redemption.status = status;
    if (status === 'cancelled') {
      this.stock += 1;
      this.members.set(redemption.user, this.pointsOf(redemption.user) + redemption.cost);
    }
    return 'ok';
  }

  // Held points -------------------------------------------------------------------------------------------------------

  /** A new account of a person, the first one or after the last was deleted. */
  signUp(user: string, person: number): void {
    this.accounts.push({ user, person });
  }

  /** `user` claims the code of `referrer`: both are paid, and neither can redeem it yet. */
  claim(user: string, referrer: string): string {
    const account = this.accounts.findIndex((a) => a.user === user);
    const person = this.accounts[account]?.person;
    if (user === referrer) return 'INVALID_REFERRAL_CODE';
    if (this.referred.has(user)) return 'ALREADY_REFERRED';
    if (this.accounts.some((a, index) => a.person === person && index < account)) return 'NOT_A_NEW_ACCOUNT';
    if (this.accounts.findIndex((a) => a.user === referrer) > account) return 'INVALID_REFERRAL_CODE';
    this.referred.add(user);
    this.add(referrer, 500);
    this.hold(referrer, 500, { invited: user });
    this.add(user, 250);
    this.hold(user, 250, { invited: user });
    return 'ok';
  }

  /** An admin has looked at the project. */
  check(): string {
    this.isProjectChecked = true;
    for (const hold of this.holds) if ('payment' in hold.of && hold.state === 'open') hold.state = 'released';
    return 'ok';
  }

  /** So many days pass, and the schedule runs. */
  wait(days: number): string {
    this.today += days;
    const proofs = [...(this.quest?.task.submissions ?? [])];
    for (const [user, { status, day }] of proofs)
      if (status === 'pending' && day + REVIEW_DAYS <= this.today) this.decide(user, true, true);
    const unappealed = proofs.filter(
      ([, { isKept, isAppealed, day }]) => isKept && !isAppealed && day + WEEK < this.today,
    );
    for (const [, submission] of unappealed) Object.assign(submission, { isKept: false, isReopened: false });
    if (this.quest && unappealed.length > 0) this.settleAffordable(this.quest);
    for (const { user } of this.holds) this.release(user);
    return 'ok';
  }

  /** Deleted and signed up again with the same mailbox, as another account. */
  leave(user: string, next: string): string {
    const account = this.accounts.find((a) => a.user === user);
    const submission = this.quest?.task.submissions.get(user);
    if (submission?.status === 'pending') submission.status = 'rejected';
    if (submission) Object.assign(submission, { isKept: false, isReopened: false });
    this.signUp(next, account?.person ?? -1);
    return 'ok';
  }

  // Corrections -------------------------------------------------------------------------------------------------------

  adjust(user: string, points: number): string {
    if (points < 0 && this.pointsOf(user) < -points) return 'INSUFFICIENT_POINTS';
    if (points > 0) {
      this.add(user, points);
      return 'ok';
    }
    this.unhold(user, -points);
    this.members.set(user, this.pointsOf(user) + points);
    return 'ok';
  }

  /** Gives points to the project that are not of its trial budget. */
  fund(points: number): string {
    this.free.points += points;
    return 'ok';
  }

  reverse(index: number): string {
    const payment = this.reviewed[index];
    if (!payment) return 'TRANSFER_NOT_FOUND';
    if (payment.isReversed) return 'ALREADY_REVERSED';
    const { user, points, trial, quest } = payment;
    if (this.pointsOf(user) < points) return 'INSUFFICIENT_POINTS';
    this.unhold(user, points, payment);
    payment.isReversed = true;
    this.members.set(user, this.pointsOf(user) - points);
    this.lifetime.set(user, (this.lifetime.get(user) ?? 0) - points);
    const target = quest === this.quest ? quest.reserve : this.free;
    target.points += points;
    target.trial += trial;
    this.holdAgain(payment);
    if (quest === this.quest) {
      const submission = quest.task.submissions.get(user);
      if (submission) Object.assign(submission, { status: 'rejected', isJudged: false });
      quest.task.reversed.add(user);
      this.settleAffordable(quest);
    }
    return 'ok';
  }

  pointsOf = (user: string): number => this.members.get(user) ?? 0;

  /** All accounts that there ever were. */
  everybody = (): string[] => this.accounts.map(({ user }) => user);

  heldBy = (user: string): number => this.openHolds(user).reduce((sum, { points }) => sum + points, 0);

  private available = (user: string): number => this.pointsOf(user) - this.heldBy(user);

  private openHolds = (user: string): Hold[] => this.holds.filter((h) => h.user === user && h.state === 'open');

  private add(user: string, points: number): void {
    this.members.set(user, this.pointsOf(user) + points);
    this.lifetime.set(user, (this.lifetime.get(user) ?? 0) + points);
  }

  private hold(user: string, points: number, of: Hold['of']): void {
    this.holds.push({ user, points, state: 'open', of });
  }

  /** The approved task that proves an invited member: a person decided, or, once its quest is gone, a week has passed. */
  private proof = (invited: string): Payment | undefined =>
    this.payments.find(
      (p) =>
        p.user === invited && !p.isReversed && ((p.quest === this.quest && !p.isByClock) || p.day + WEEK <= this.today),
    );

  private release(user: string): void {
    for (const hold of this.openHolds(user)) {
      const cause = 'invited' in hold.of ? this.proof(hold.of.invited) : undefined;
      const isDue = 'invited' in hold.of ? cause : this.isProjectChecked || hold.of.payment.day + WEEK <= this.today;
      if (isDue) Object.assign(hold, { state: 'released', cause });
    }
  }

  /** Before points are taken back: those of this payment first, then what is available, then the latest held. */
  private unhold(user: string, points: number, payment?: Payment): void {
    for (const hold of this.openHolds(user)) {
      if (payment && 'payment' in hold.of && hold.of.payment === payment) hold.state = 'reversed';
    }
    let missing = points - this.available(user);
    for (const hold of this.openHolds(user).reverse()) {
      if (missing <= 0) return;
      const taken = Math.min(hold.points, missing);
      if (taken === hold.points) hold.state = 'reversed';
      else hold.points -= taken;
      missing -= taken;
    }
  }

  /** Bonuses that a payment had released are held again, as far as they are not spent, unless another one proves them. */
  private holdAgain(payment: Payment): void {
    for (const hold of this.holds) {
      if (hold.cause !== payment || hold.state !== 'released' || !('invited' in hold.of)) continue;
      const other = this.proof(hold.of.invited);
      const available = this.available(hold.user);
      if (other) hold.cause = other;
      else if (available > 0) {
        Object.assign(hold, { state: 'open', points: Math.min(hold.points, available), cause: undefined });
      }
    }
  }
}
