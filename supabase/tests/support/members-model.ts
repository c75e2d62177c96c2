import type { Hold, Payment, Purchase, Redemption } from './ledger-model-types.ts';

/** In days. */
export const WEEK = 7;

/** What members have: accounts and referrals, free and held points, redemptions. */
export class MembersModel {
  /** Points of members. */
  readonly members = new Map<string, number>();
  readonly lifetime = new Map<string, number>();
  readonly holds: Hold[] = [];
  readonly payments: Payment[] = [];
  stock = 0;
  /** Those of the code reward that nobody has, oldest first. */
  codes: string[] = [];
  redeemed: Redemption[] = [];
  /** Accounts in the order of their sign-up, with the person behind each. */
  protected readonly accounts: { user: string; person: number }[] = [];
  private readonly referred = new Set<string>();
  private numbers = 0;
  /** Deleted accounts. */
  protected readonly gone = new Set<string>();
  protected isProjectChecked = false;
  readonly purchases: Purchase[] = [];
  protected today = 0;

  credit(user: string, points: number): string {
    this.add(user, points);
    return 'ok';
  }

  debit(user: string, points: number): string {
    if (this.available(user) < points) return 'INSUFFICIENT_POINTS';
    this.members.set(user, this.pointsOf(user) - points);
    return 'ok';
  }

  redeem(user: string, cost: number, isCode: boolean): string {
    if (this.available(user) < cost) this.release(user);
    if (this.pointsOf(user) < cost) return 'REWARD_TOO_EXPENSIVE';
    if (this.available(user) < cost) return 'POINTS_HELD';
    if ((isCode ? this.codes.length : this.stock) < 1) return 'OUT_OF_STOCK';
    this.members.set(user, this.pointsOf(user) - cost);
    const code = isCode ? this.codes.shift() : undefined;
    if (!isCode) this.stock -= 1;
    this.redeemed.push({ user, cost, code, isShown: false, status: isCode ? 'fulfilled' : 'pending' });
    return 'ok';
  }

  handle(index: number, status: 'fulfilled' | 'cancelled'): string {
    const redemption = this.redeemed[index];
    if (!redemption) return 'REDEMPTION_NOT_FOUND';
    const { code, isShown } = redemption;
    const isDelivered = code !== undefined && redemption.status === 'fulfilled';
    if (redemption.status !== 'pending' && !(isDelivered && status === 'cancelled')) return 'REDEMPTION_HANDLED';
    redemption.status = status;
    if (status === 'cancelled') {
      if (code === undefined) this.stock += 1;
      else if (!isShown) this.codes = [...this.codes, code].sort();
      this.members.set(redemption.user, this.pointsOf(redemption.user) + redemption.cost);
    }
    return 'ok';
  }

  /** The member reads the code of a redemption: from then on it never returns to the stock. */
  show(index: number): string {
    const redemption = this.redeemed[index];
    if (redemption && this.gone.has(redemption.user)) return 'skipped';
    if (redemption?.code === undefined || redemption.status === 'cancelled') return 'CODE_NOT_FOUND';
    redemption.isShown = true;
    return redemption.code;
  }

  /** Undelivered redemptions of a deleted account. */
  protected cancelWaiting(user: string): void {
    for (const [index, redemption] of this.redeemed.entries())
      if (redemption.user === user && redemption.status === 'pending') this.handle(index, 'cancelled');
  }

  /** A new account of a person, the first one or one after the last was deleted. */
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
    this.hold(this.nextNumber(), referrer, 500, { invited: user });
    this.add(user, 250);
    this.hold(this.nextNumber(), user, 250, { invited: user });
    return 'ok';
  }

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

  pointsOf = (user: string): number => this.members.get(user) ?? 0;

  /** All accounts that ever existed. */
  everybody = (): string[] => this.accounts.map(({ user }) => user);

  heldBy = (user: string): number => this.openHolds(user).reduce((sum, { points }) => sum + points, 0);

  private available = (user: string): number => this.pointsOf(user) - this.heldBy(user);

  /** Oldest payment first; a hold may begin long after it. */
  private openHolds = (user: string): Hold[] =>
    this.holds.filter((h) => h.user === user && h.state === 'open').sort((one, other) => one.number - other.number);

  protected add(user: string, points: number): void {
    this.members.set(user, this.pointsOf(user) + points);
    this.lifetime.set(user, (this.lifetime.get(user) ?? 0) + points);
  }

  protected hold(number: number, user: string, points: number, of: Hold['of']): void {
    this.holds.push({ number, user, points, bonus: points, state: 'open', of, isReversed: false });
  }

  /** Payments and bonuses are numbered in the order in which they were made. */
  protected nextNumber(): number {
    this.numbers += 1;
    return this.numbers;
  }

  protected get bought(): number {
    return this.purchases.filter(({ status }) => status === 'paid').reduce((sum, { points }) => sum + points, 0);
  }

  /** Whether the project's trial points are paid without a hold. */
  protected isVetted = (): boolean => this.isProjectChecked || this.bought > 0;

  /** What the trial budget paid within a week is held as if the project had never paid, as far as it is unspent. */
  protected holdTrialAgain(): void {
    if (this.isVetted()) return;
    for (const payment of this.payments) {
      const { number, user, trial, day, isReversed } = payment;
      if (trial === 0 || isReversed || this.gone.has(user) || day + WEEK <= this.today) continue;
      const hold = this.holds.find(({ of }) => 'payment' in of && of.payment === payment);
      const points = Math.min(hold?.points ?? trial, this.available(user));
      if (points <= 0 || (hold && hold.state !== 'released')) continue;
      if (hold) Object.assign(hold, { state: 'open', points });
      else this.hold(number, user, points, { payment });
    }
  }

  /** The approved task that confirms a referred member: a person's decision, or a week after the payment once its quest is gone. */
  private proof = (invited: string): Payment | undefined =>
    this.payments.find(
      (p) =>
        p.user === invited && !p.isReversed && ((!p.quest.isDeleted && !p.isByClock) || p.day + WEEK <= this.today),
    );

  protected release(user: string): void {
    for (const hold of this.openHolds(user)) {
      const cause = 'invited' in hold.of ? this.proof(hold.of.invited) : undefined;
      const isDue = 'invited' in hold.of ? cause : this.isVetted() || hold.of.payment.day + WEEK <= this.today;
      if (isDue) Object.assign(hold, { state: 'released', cause });
    }
  }

  /** Before points are taken back: what is held of these first, then available points, then the latest holds. */
  protected unhold(user: string, points: number, earned?: Payment | Hold): void {
    for (const hold of this.openHolds(user)) if (hold.number === earned?.number) hold.state = 'reversed';
    let missing = points - this.available(user);
    for (const hold of this.openHolds(user).reverse()) {
      if (missing <= 0) return;
      const taken = Math.min(hold.points, missing);
      if (taken === hold.points) hold.state = 'reversed';
      else hold.points -= taken;
      missing -= taken;
    }
  }

  /** Bonuses that a payment had released are held again, as far as they are unspent, unless another payment confirms them. */
  protected holdAgain(payment: Payment): void {
    for (const hold of this.holds) {
      if (hold.cause !== payment || hold.state !== 'released' || hold.isReversed || !('invited' in hold.of)) continue;
      const other = this.proof(hold.of.invited);
      const available = this.available(hold.user);
      if (other) hold.cause = other;
      else if (available > 0) {
        Object.assign(hold, { state: 'open', points: Math.min(hold.points, available), cause: undefined });
      }
    }
  }
}
