import { formatCount, formatPoints } from '@/lib/format';
import type { Reward } from './queries';

export type RedeemCheck = {
  canRedeem: boolean;
  /** Points missing, 0 when there are enough. */
  shortfall: number;
  /** Balance after redeeming; null when the points do not suffice. */
  balanceAfter: number | null;
  /** Why not, in the specified words; both can be true at once. */
  reasons: string[];
};

/**
 * Whether what is available buys a reward (REWARD-09); `held` points would suffice with it, but cannot be redeemed yet (C-80).
 * The database decides again; this steers the button.
 */
export function checkRedeem(
  reward: Pick<Reward, 'points_cost' | 'stock_quantity'>,
  balance: number,
  held = 0,
): RedeemCheck {
  const shortfall = Math.max(reward.points_cost - balance, 0);
  const isOutOfStock = reward.stock_quantity !== null && reward.stock_quantity <= 0;
  const reasons = [
    ...(isOutOfStock ? ['This reward is currently out of stock.'] : []),
    ...(shortfall > 0
      ? [
          shortfall <= held
            ? `You have ${formatPoints(balance + held)} points, but ${formatPoints(held)} of them are held and cannot be redeemed yet.`
            : `You need ${formatPoints(shortfall - held)} more points to redeem this reward.`,
        ]
      : []),
  ];
  return {
    canRedeem: reasons.length === 0,
    shortfall,
    balanceAfter: shortfall > 0 ? null : balance - reward.points_cost,
    reasons,
  };
}

/** Remaining stock in words; empty stock means unlimited (DB-14). */
export function formatStock(stock: number | null): string {
  if (stock === null) return 'Unlimited';
  return stock > 0 ? `${formatCount(stock, 'piece')} left` : 'Out of stock';
}
