import type { ModelQuest, ModelTask, Proof, Purse } from './ledger-model-types.ts';
import { MembersModel } from './members-model.ts';

/** What the project has: free points, the reserve of its quest, purchases. */
export class ProjectModel extends MembersModel {
  readonly free: Purse = { points: 500, trial: 500 };
  quest: ModelQuest | undefined;

  /** Points that the quest may still have to pay. */
  protected required(quest: ModelQuest): number {
    const { status, isFunded, task } = quest;
    const isOpen = status !== 'closed' && isFunded;
    return (
      this.promised(quest) + (isOpen ? task.reward * (task.slots - this.held(task).length) + this.raised(task) : 0)
    );
  }

  /** What slots that may come back cost beyond their promise since the reward was raised. */
  private raised = (task: ModelTask): number =>
    this.held(task)
      .filter(({ status }) => status !== 'approved')
      .reduce((sum, { points }) => sum + Math.max(0, task.reward - points), 0);

  /** What pending proofs and those that may be appealed are to be paid. */
  private promised = ({ task }: ModelQuest): number =>
    [...task.submissions.values()]
      .filter(({ status, isKept }) => status === 'pending' || isKept)
      .reduce((sum, { points }) => sum + points, 0);

  /** Submissions that hold a slot. */
  protected held = (task: ModelTask): Proof[] => [...task.submissions.values()].filter(this.holdsSlot);

  protected holdsSlot = ({ status, isKept, isReopened }: Proof): boolean =>
    status !== 'rejected' || (isKept && !isReopened);

  protected move(from: Purse, to: Purse, points: number): void {
    const trial = Math.min(from.trial, points);
    from.points -= points;
    from.trial -= trial;
    to.points += points;
    to.trial += trial;
  }

  protected fill(quest: ModelQuest, points: number): void {
    const difference = points - quest.reserve.points;
    if (difference > 0) this.move(this.free, quest.reserve, difference);
    else this.move(quest.reserve, this.free, -difference);
  }

  /**
   * Moves points between project and reserve until the reserve is what is required; false if the project cannot pay.
   */
  protected settle(quest: ModelQuest): boolean {
    if (this.required(quest) - quest.reserve.points > this.free.points) return false;
    this.fill(quest, this.required(quest));
    return true;
  }

  /** As far as the project can pay. */
  protected settleAffordable(quest: ModelQuest): string {
    this.fill(quest, Math.min(this.required(quest), this.free.points + quest.reserve.points));
    return 'ok';
  }

  // Purchases (BEY-20) ------------------------------------------------------------------------------------------------

  /** A payment for points, which also vouches for the project (C-94). */
  buy(points: number): string {
    this.purchases.push({ points, credited: points, status: 'paid', disputes: 0 });
    this.credited(points);
    return 'ok';
  }

  private credited(points: number): void {
    this.free.points += points;
    for (const hold of this.holds) if ('payment' in hold.of && hold.state === 'open') hold.state = 'released';
  }

  /** A payment is refunded, or disputed once more: what is unspent is taken back, and nothing that was promised. */
  end(index: number, status: 'refunded' | 'disputed'): string {
    const purchase = this.purchases[index];
    if (!purchase) return 'ok';
    if (status === 'disputed') purchase.disputes += 1;
    if (purchase.status === 'refunded') return 'ok';
    purchase.status = status;
    this.holdTrialAgain();
    this.freeReserve(purchase.credited - (this.free.points - this.free.trial));
    const quest = this.quest;
    const uncovered = quest ? Math.max(this.promised(quest) - quest.reserve.points, 0) : 0;
    const unspent = Math.max(this.free.points - this.free.trial - uncovered, 0);
    const taken = Math.min(purchase.credited, unspent);
    purchase.credited -= taken;
    this.free.points -= taken;
    return 'ok';
  }

  /** The latest open dispute of a payment is won: the points come back, unless another one is open. */
  win(index: number): string {
    const purchase = this.purchases[index];
    if (!purchase) return 'ok';
    purchase.disputes = Math.max(purchase.disputes - 1, 0);
    if (purchase.status !== 'disputed' || purchase.disputes > 0) return 'ok';
    const missing = purchase.points - purchase.credited;
    Object.assign(purchase, { status: 'paid', credited: purchase.points });
    this.credited(missing);
    return 'ok';
  }

  /** Points of the quest's reserve that nobody was promised go back, and it becomes an unfunded draft. */
  private freeReserve(missing: number): void {
    const quest = this.quest;
    if (!quest || missing <= 0 || quest.status === 'closed' || quest.reserve.points <= quest.reserve.trial) return;
    const points = quest.reserve.points - this.promised(quest);
    if (points <= 0) return;
    const trial = Math.max(points - (quest.reserve.points - quest.reserve.trial), 0);
    quest.reserve.points -= points;
    quest.reserve.trial -= trial;
    this.free.points += points;
    this.free.trial += trial;
    Object.assign(quest, { status: 'draft', isFunded: false });
  }
}
