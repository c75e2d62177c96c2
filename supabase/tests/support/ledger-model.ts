import type { Hold, ModelQuest, ModelTask, Payment, Proof, Start, Verification } from './ledger-model-types.ts';
import { WEEK } from './members-model.ts';
import { ProjectModel } from './project-model.ts';

/** Review time in days. */
const REVIEW_DAYS = 3;

/** In-memory reference model of the product's points: the simplest implementation that can be correct. */
export class LedgerModel extends ProjectModel {
  /** Payments by a review and bonuses, which `reverse` undoes by their number; not what a deletion pays when it approves all. */
  private readonly earned: (Payment | Hold)[] = [];
  /** The project's calls by their id: the token of each, and the stored answer. */
  private readonly calls = new Map<number, { token: Start | undefined; answer: string | undefined }>();
  private rejections = 0;

  create(reward: number, slots: number, verification: Verification): string {
    // Who has bought points may have further quests, but the model has one.
    if (this.quest) return this.bought > 0 ? 'skipped' : 'TRIAL_QUEST_LIMIT';
    if (reward * slots > 500 + this.bought) return this.bought > 0 ? 'POINTS_BUDGET_LIMIT' : 'BUDGET_LIMIT';
    const task: ModelTask = {
      reward,
      slots,
      verification,
      started: new Map(),
      reversed: new Set(),
      submissions: new Map(),
    };
    const quest: ModelQuest = {
      status: 'published',
      isFunded: true,
      isDeleted: false,
      reserve: { points: 0, trial: 0 },
      task,
    };
    if (!this.settle(quest)) return 'INSUFFICIENT_POINTS';
    this.quest = quest;
    return 'ok';
  }

  edit(reward: number, slots: number, verification: Verification): string {
    const quest = this.quest;
    if (!quest) return 'CAMPAIGN_NOT_FOUND';
    if (reward < quest.task.reward && quest.task.submissions.size > 0) return 'REWARD_PROMISED';
    if (this.held(quest.task).length > slots) return 'TASK_SLOTS_TAKEN';
    if (reward * slots > 500) return 'OVER_BUDGET';
    const before = { reward: quest.task.reward, slots: quest.task.slots, verification: quest.task.verification };
    Object.assign(quest.task, { reward, slots, verification });
    if (this.settle(quest)) return 'ok';
    Object.assign(quest.task, before);
    return 'INSUFFICIENT_POINTS';
  }

  setStatus(status: ModelQuest['status']): string {
    const quest = this.quest;
    if (!quest) return 'CAMPAIGN_NOT_FOUND';
    const { status: before, isFunded } = quest;
    // Points move only when a quest becomes or stops being closed, and on publishing, which tops up the reserve.
    const isMoving = status !== before && (status !== 'draft' || before === 'closed');
    Object.assign(quest, { status, isFunded: isFunded || status === 'published' });
    // Closing never fails, also when more is promised than the project has.
    if (isMoving && status === 'closed') return this.settleAffordable(quest);
    if (!isMoving || this.settle(quest)) return 'ok';
    Object.assign(quest, { status: before, isFunded });
    return 'INSUFFICIENT_POINTS';
  }

  remove(isApprovingWaiting: boolean): string {
    if (!this.quest) return 'CAMPAIGN_NOT_FOUND';
    if ([...this.quest.task.submissions.values()].some(({ isKept }) => isKept)) return 'APPEAL_POSSIBLE';
    const waiting = [...this.quest.task.submissions].filter(([, { status }]) => status === 'pending');
    if (waiting.length > 0 && !isApprovingWaiting) return 'PROOFS_WAITING';
    if (!this.canPay(this.quest, ...waiting.map(([, submission]) => submission))) return 'STARTUP_INSUFFICIENT_POINTS';
    for (const [user] of waiting) this.decide(user, true);
    this.fill(this.quest, 0);
    this.quest.isDeleted = true;
    this.quest = undefined;
    return 'ok';
  }

  submit(user: string): string {
    return this.take(user, 'review');
  }

  enterCode(user: string): string {
    return this.take(user, 'code');
  }

  /** `shown`: the points that the member was shown, if any. */
  start(user: string, shown: 'nothing' | 'today' | 'promised'): string {
    const quest = this.quest;
    if (!quest) return 'TASK_NOT_FOUND';
    if (quest.status !== 'published') return 'QUEST_NOT_OPEN';
    const { task } = quest;
    if (task.verification !== 'call' && task.verification !== 'check') return 'WRONG_VERIFICATION';
    const start = task.started.get(user);
    if (!start) task.started.set(user, { points: task.reward });
    else if (shown === 'today') start.points = task.reward;
    else if (shown === 'nothing') start.points = Math.max(start.points, task.reward);
    return 'ok';
  }

  /** The project calls with the member's token: once per call id, whatever it contains when repeated. */
  call(user: string, id: number): string {
    const token = this.quest?.task.started.get(user);
    const call = this.calls.get(id) ?? { token, answer: undefined };
    this.calls.set(id, call);
    if (call.token !== token) return 'CALL_ID_REUSED';
    if (call.answer) return call.answer;
    const answer = token ? this.complete(user, 'call') : 'TOKEN_UNKNOWN';
    if (['COMPLETED', 'ALREADY_COMPLETED', 'WAITING'].includes(answer)) call.answer = answer;
    return answer;
  }

  /** The member presses Verify, which also starts the task; the project says whether it is done. */
  verify(user: string, isDone: boolean): string {
    const started = this.start(user, 'nothing');
    if (started !== 'ok' || !this.quest) return started;
    const { submissions, verification } = this.quest.task;
    if ((submissions.get(user)?.status ?? 'rejected') !== 'rejected') return 'ALREADY_SUBMITTED';
    if (verification !== 'check') return 'CHECK_SWITCHED_OFF';
    return isDone ? this.complete(user, 'check') : 'NOT_COMPLETED';
  }

  private complete(user: string, by: 'call' | 'check'): string {
    const task = this.quest?.task;
    if (task?.submissions.get(user)?.status === 'approved') return 'ALREADY_COMPLETED';
    const answer = this.take(user, by, task?.started.get(user)?.points);
    if (answer === 'ALREADY_SUBMITTED') return 'WAITING';
    if (answer !== 'ok') return answer;
    return task?.submissions.get(user)?.status === 'approved' ? 'COMPLETED' : 'WAITING';
  }

  /**
   * Takes a slot: for a proof, which becomes pending, or for a verified task, which is paid at once, from the project's free points too if
   * the reserve is short; otherwise it becomes pending as well. `promised`: what the task paid when the member started.
   */
  private take(user: string, by: Verification, promised = 0): string {
    const quest = this.quest;
    if (!quest) return 'TASK_NOT_FOUND';
    if (quest.status !== 'published') return 'QUEST_NOT_OPEN';
    const { task } = quest;
    if (task.verification !== by) return 'WRONG_VERIFICATION';
    const old = task.submissions.get(user);
    if (old && old.status !== 'rejected') return 'ALREADY_SUBMITTED';
    if (old?.appeal === 'open') return 'APPEAL_OPEN';
    if (this.held(task).length - Number(old ? this.holdsSlot(old) : false) >= task.slots) return 'QUEST_FULL';
    const isPaid =
      by !== 'review' && !task.reversed.has(user) && task.reward <= quest.reserve.points + this.free.points;
    const points = Math.max(task.reward, promised);
    const before = new Map(task.submissions);
    // Last in the order in which all are paid at once.
    task.submissions.delete(user);
    task.submissions.set(user, {
      status: 'pending',
      points,
      day: this.today,
      isKept: false,
      isReopened: false,
      rejection: 0,
      isAppealed: false,
      isJudged: false,
      appeal: old?.appeal,
    });
    if (points > task.reward && !this.settle(quest)) {
      task.submissions = before;
      return 'STARTED_REWARD_NOT_COVERED';
    }
    if (isPaid) this.decide(user, true);
    if (old?.isKept && (old.isReopened || old.points !== points)) this.settleAffordable(quest);
    return 'ok';
  }

  review(user: string, isApproved: boolean): string {
    const answer = this.decide(user, isApproved);
    const payment = this.payments.at(-1);
    if (answer === 'ok' && isApproved && payment) this.earned.push(payment);
    return answer;
  }

  private decide(user: string, isApproved: boolean, isByClock = false): string {
    const quest = this.quest;
    const submission = quest?.task.submissions.get(user);
    if (!quest || !submission) return 'FORBIDDEN';
    if (submission.status !== 'pending') return 'ALREADY_REVIEWED';
    if (isApproved && !this.canPay(quest, submission)) return 'STARTUP_INSUFFICIENT_POINTS';
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

  /**
   * In a full task where rejected proofs keep more than a tenth of the slots, frees the slot of the oldest one, if the project can pay for
   * both.
   */
  private reopenSlot(quest: ModelQuest): void {
    const { task } = quest;
    const kept = [...task.submissions.values()].filter(({ isKept, isReopened }) => isKept && !isReopened);
    const isFull = this.held(task).length >= task.slots;
    if (quest.status !== 'published' || !isFull || kept.length <= Math.max(1, Math.floor(task.slots / 10))) return;
    const [oldest] = kept.filter(({ isAppealed }) => !isAppealed).sort((one, other) => one.rejection - other.rejection);
    if (!oldest) return;
    const more = Math.min(task.reward, oldest.points);
    if (this.required(quest) + more > quest.reserve.points + this.free.points) return;
    oldest.isReopened = true;
    this.fill(quest, this.required(quest));
  }

  /** Reserve and free points pay together: a slot may cost more than the rejected or reversed proof that it comes from. */
  private canPay = (quest: ModelQuest, ...submissions: Proof[]): boolean =>
    submissions.reduce((sum, { points }) => sum + points, 0) <= quest.reserve.points + this.free.points;

  private pay(quest: ModelQuest, user: string, submission: Proof, isByClock: boolean): string {
    submission.status = 'approved';
    const { points } = submission;
    this.move(this.free, quest.reserve, Math.max(0, points - quest.reserve.points));
    const trial = Math.min(quest.reserve.trial, points);
    quest.reserve.points -= points;
    quest.reserve.trial -= trial;
    this.add(user, points);
    const payment: Payment = {
      number: this.nextNumber(),
      user,
      points,
      trial,
      day: this.today,
      quest,
      isReversed: false,
      isByClock,
    };
    submission.payment = payment;
    this.payments.push(payment);
    if (trial > 0 && !this.isVetted()) this.hold(payment.number, user, trial, { payment });
    for (const hold of this.holds) if ('invited' in hold.of && hold.of.invited === user) this.release(hold.user);
    if (points < quest.task.reward) this.settleAffordable(quest);
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
    if (isOverturned && !this.canPay(this.quest, submission)) return 'STARTUP_INSUFFICIENT_POINTS';
    Object.assign(submission, { appeal: 'decided', isKept: false, isReopened: false });
    if (!isOverturned) return this.settleAffordable(this.quest);
    const { task } = this.quest;
    // The kept slot has been taken: the task gets one more.
    if (this.held(task).length >= task.slots) task.slots += 1;
    this.pay(this.quest, user, submission, false);
    this.settleAffordable(this.quest);
    const payment = this.payments.at(-1);
    if (payment) this.earned.push(payment);
    return 'ok';
  }

  /** An admin has reviewed the project. */
  check(): string {
    this.isProjectChecked = true;
    for (const hold of this.holds) if ('payment' in hold.of && hold.state === 'open') hold.state = 'released';
    return 'ok';
  }

  /** This many days pass, and the schedule runs. */
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

  /** The member deletes the account and signs up again with the same mailbox. */
  leave(user: string, next: string): string {
    const account = this.accounts.find((a) => a.user === user);
    const submission = this.quest?.task.submissions.get(user);
    const isPromised = submission?.status === 'pending' || submission?.isKept;
    if (submission?.status === 'pending') submission.status = 'rejected';
    if (submission) Object.assign(submission, { isKept: false, isReopened: false });
    // The slot may cost more by now than what was promised.
    if (this.quest && isPromised) this.settleAffordable(this.quest);
    this.quest?.task.started.delete(user);
    this.gone.add(user);
    this.cancelWaiting(user);
    this.signUp(next, account?.person ?? -1);
    return 'ok';
  }

  // Corrections -------------------------------------------------------------------------------------------------------

  /** Gives the project points outside its trial budget. */
  fund(points: number): string {
    this.free.points += points;
    return 'ok';
  }

  /** Both bonuses are earned by the claim, the referrer's first. */
  override claim(user: string, referrer: string): string {
    const answer = super.claim(user, referrer);
    if (answer === 'ok') this.earned.push(...this.holds.slice(-2));
    return answer;
  }

  reverse(index: number): string {
    const earned = this.earned[index];
    if (!earned) return 'TRANSFER_NOT_FOUND';
    if (earned.isReversed) return 'ALREADY_REVERSED';
    const { user } = earned;
    const points = 'bonus' in earned ? earned.bonus : earned.points;
    if (this.pointsOf(user) < points) return 'INSUFFICIENT_POINTS';
    this.unhold(user, points, earned);
    earned.isReversed = true;
    this.members.set(user, this.pointsOf(user) - points);
    this.lifetime.set(user, (this.lifetime.get(user) ?? 0) - points);
    if ('quest' in earned) this.payBack(earned);
    return 'ok';
  }

  /** A reversed payment goes back to its quest, or to the project once the quest is gone. */
  private payBack(payment: Payment): void {
    const { user, points, trial, quest } = payment;
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
  }
}
