import { fillSentence } from '@/lib/errors';
import { formatCount, formatNumber, formatPoints } from '@/lib/format';
import * as databaseSentences from '@/types/database-errors';
import type { Redemption, Reward } from './queries';

export type RedeemCheck = {
  canRedeem: boolean;
  /** Points missing, 0 when there are enough. */
  shortfall: number;
  /** Balance after redeeming; null when the points do not suffice. */
  balanceAfter: number | null;
  /** Why not, in the specified words; both can be true at once. */
  reasons: string[];
};

/** Empty stock means unlimited (DB-14). */
export const isOutOfStock = ({ stock_quantity }: Pick<Reward, 'stock_quantity'>): boolean =>
  stock_quantity !== null && stock_quantity <= 0;

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
  const reasons = [
    ...(isOutOfStock(reward) ? [databaseSentences.OUT_OF_STOCK] : []),
    ...(shortfall > 0
      ? [
          shortfall <= held
            ? fillSentence(databaseSentences.POINTS_HELD, formatPoints(balance + held), formatPoints(held))
            : fillSentence(databaseSentences.REWARD_TOO_EXPENSIVE, formatPoints(shortfall - held)),
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
  return stock > 0 ? `${formatNumber(stock)} left` : 'Out of stock';
}

const explanations: Record<Redemption['status'], Record<Redemption['delivery'], string>> = {
  pending: {
    code: databaseSentences.CODE_NOT_READY,
    mail: 'We are preparing your email.',
    post: 'We are packing it for you.',
    other: 'We are preparing it.',
  },
  fulfilled: {
    code: 'Your code is ready.',
    mail: 'It is in your inbox.',
    post: 'It is on its way to you or already there.',
    other: 'It is on its way to you or already there.',
  },
  cancelled: {
    code: 'The points are back in your wallet.',
    mail: 'The points are back in your wallet.',
    post: 'The points are back in your wallet.',
    other: 'The points are back in your wallet.',
  },
};

/** What a status means for the member, by how the reward is delivered (C-93). */
export const explanationOf = ({ status, delivery }: Pick<Redemption, 'status' | 'delivery'>): string =>
  explanations[status][delivery];

/** Sorts rewards for browsing: the cheapest first, sold-out ones last. */
export function byReach<Item extends Pick<Reward, 'id' | 'points_cost' | 'stock_quantity'>>(
  rewards: readonly Item[],
): Item[] {
  return rewards.toSorted((a, b) => Number(isOutOfStock(a)) - Number(isOutOfStock(b)) || a.points_cost - b.points_cost);
}

/** How far a member is from a reward that the available points do not buy; `held` ones count as soon as they are released. */
export function distanceTo({ points_cost }: Pick<Reward, 'points_cost'>, balance: number, held: number): string {
  const missing = points_cost - balance - held;
  return missing > 0 ? `${formatCount(missing, 'more point')} to go` : 'Enough once your held points are released';
}

/** The next reward that a balance does not buy yet; null when it buys everything that is left. */
export function nextReward<Item extends Pick<Reward, 'id' | 'points_cost' | 'stock_quantity'>>(
  rewards: readonly Item[],
  balance: number,
): Item | null {
  return byReach(rewards).find((reward) => !isOutOfStock(reward) && reward.points_cost > balance) ?? null;
}
