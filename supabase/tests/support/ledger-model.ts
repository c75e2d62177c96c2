/** What the product does with points, in memory and without a database: the plainest thing that can be right. */
export interface ModelTask {
  reward: number;
  slots: number;
  submissions: Map<string, { status: 'pending' | 'approved' | 'rejected'; points: number }>;
}

export interface ModelQuest {
  status: 'draft' | 'published' | 'closed';
  reserve: number;
  task: ModelTask;
}

export class LedgerModel {
  /** Points of members. */
  readonly members = new Map<string, number>();
  readonly lifetime = new Map<string, number>();
  free = 500;
  quest: ModelQuest | undefined;
  stock = 0;
  redeemed: { user: string; cost: number; status: 'pending' | 'fulfilled' | 'cancelled' }[] = [];

  /** Points that the quest may still have to pay. */
  private required({ status, task }: ModelQuest): number {
    const held = [...task.submissions.values()].filter(({ status: s }) => s !== 'rejected');
    const pending = held.filter(({ status: s }) => s === 'pending').reduce((sum, { points }) => sum + points, 0);
    return pending + (status === 'closed' ? 0 : task.reward * (task.slots - held.length));
  }

  /** Moves points between project and reserve until the reserve is what is required; false when the project cannot. */
  private settle(quest: ModelQuest): boolean {
    const difference = this.required(quest) - quest.reserve;
    if (difference > this.free) return false;
    this.free -= difference;
    quest.reserve += difference;
    return true;
  }

  /** As far as the project can pay. */
  private settleAffordable(quest: ModelQuest): string {
    const total = this.free + quest.reserve;
    quest.reserve = Math.min(this.required(quest), total);
    this.free = total - quest.reserve;
    return 'ok';
  }

  create(reward: number, slots: number): string {
    if (this.quest) return 'QUEST_LIMIT';
    if (reward * slots > 500) return 'BUDGET_LIMIT';
    const quest: ModelQuest = { status: 'published', reserve: 0, task: { reward, slots, submissions: new Map() } };
    if (!this.settle(quest)) return 'INSUFFICIENT_POINTS';
    this.quest = quest;
    return 'ok';
  }

  edit(reward: number, slots: number): string {
    const quest = this.quest;
    if (!quest) return 'CAMPAIGN_NOT_FOUND';
    const held = [...quest.task.submissions.values()].filter(({ status }) => status !== 'rejected').length;
    if (held > slots) return 'TASK_SLOTS_TAKEN';
    if (reward * slots > 500) return 'OVER_BUDGET';
    const next = { ...quest, task: { ...quest.task, reward, slots } };
    if (!this.settle(next)) return 'INSUFFICIENT_POINTS';
    this.quest = next;
    return 'ok';
  }

  setStatus(status: ModelQuest['status']): string {
    const quest = this.quest;
    if (!quest) return 'CAMPAIGN_NOT_FOUND';
    const next = { ...quest, status };
    // Only closing and what leaves "closed" moves points; publishing fills up as well.
    const isMoving = status !== quest.status && (status !== 'draft' || quest.status === 'closed');
    if (isMoving && !this.settle(next)) return 'INSUFFICIENT_POINTS';
    this.quest = next;
    return 'ok';
  }

  remove(isApprovingWaiting: boolean): string {
    if (!this.quest) return 'CAMPAIGN_NOT_FOUND';
    const waiting = [...this.quest.task.submissions].filter(([, { status }]) => status === 'pending');
    if (waiting.length > 0 && !isApprovingWaiting) return 'PROOFS_WAITING';
    for (const [user] of waiting) this.review(user, true);
    this.free += this.quest.reserve;
    this.quest = undefined;
    return 'ok';
  }

  submit(user: string): string {
    const quest = this.quest;
    if (!quest) return 'TASK_NOT_FOUND';
    if (quest.status !== 'published') return 'QUEST_NOT_OPEN';
    const { task } = quest;
    const old = task.submissions.get(user);
    if (old && old.status !== 'rejected') return 'ALREADY_SUBMITTED';
    if ([...task.submissions.values()].filter(({ status }) => status !== 'rejected').length >= task.slots)
      return 'QUEST_FULL';
    task.submissions.set(user, { status: 'pending', points: task.reward });
    return 'ok';
  }

  review(user: string, isApproved: boolean): string {
    const submission = this.quest?.task.submissions.get(user);
    if (!this.quest || !submission) return 'FORBIDDEN';
    if (submission.status !== 'pending') return 'ALREADY_REVIEWED';
    submission.status = isApproved ? 'approved' : 'rejected';
    if (!isApproved) return this.settleAffordable(this.quest);
    this.quest.reserve -= submission.points;
    this.add(user, submission.points);
    return 'ok';
  }

  credit(user: string, points: number): string {
    this.add(user, points);
    return 'ok';
  }

  debit(user: string, points: number): string {
    if (this.pointsOf(user) < points) return 'INSUFFICIENT_POINTS';
    this.members.set(user, this.pointsOf(user) - points);
    return 'ok';
  }

  redeem(user: string, cost: number): string {
    if (this.pointsOf(user) < cost) return 'REWARD_TOO_EXPENSIVE';
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

  pointsOf = (user: string): number => this.members.get(user) ?? 0;

  private add(user: string, points: number): void {
    this.members.set(user, this.pointsOf(user) + points);
    this.lifetime.set(user, (this.lifetime.get(user) ?? 0) + points);
  }
}
