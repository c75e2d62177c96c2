import * as z from 'zod/mini';
import type { PointPack } from '@/features/checkout';
import type { Reward } from '@/features/rewards';
import { formatNumber } from '@/lib/format';
import * as databaseSentences from '@/types/database-errors';

const rewardFields = z.object({
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, databaseSentences.REWARD_TITLE_REQUIRED),
      z.maxLength(200, databaseSentences.TEXT_TOO_LONG),
    ),
  description: z.string().check(z.maxLength(2000, databaseSentences.TEXT_TOO_LONG)),
  pointsCost: z.string().check(
    z.refine((text) => /^\s*\d+\s*$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000_000, {
      error: databaseSentences.REWARD_COST_RANGE,
    }),
  ),
  cashValue: z.string().check(z.regex(/^\s*(\d{1,7}([.]\d{1,2})?)?\s*$/, 'Please enter an amount such as 4.50')),
  /** Empty: unlimited. Of codes it is counted, and its field is not shown. */
  stock: z.string(),
  isActive: z.boolean(),
  delivery: z.enum(['code', 'mail', 'post', 'other']),
  /** New codes, one a line; only where the reward is delivered by code (C-93). */
  codes: z.string().check(
    z.refine((text) => codeLines(text).length <= 1000, { error: databaseSentences.CODES_RANGE }),
    z.refine((text) => codeLines(text).every(isShortEnough), {
      error: ({ input }) => invalidCodes(String(input), (line) => !isShortEnough(line)),
    }),
  ),
});

/** Form values of a reward; numbers are strings until they are sent (SEC-10, C-45). Same bounds as in the database. */
export const rewardSchema = rewardFields.check(
  z.refine(({ delivery, stock }) => delivery === 'code' || /^\s*\d{0,9}\s*$/.test(stock), {
    error: databaseSentences.REWARD_STOCK_RANGE,
    path: ['stock'],
    // Together with the errors of the other fields.
    when: () => true,
  }),
);

/** The codes in a text, one a line, without empty lines. */
export function codeLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

const isShortEnough = (code: string) => code.length <= 200;

/** Up to this many lines are named: somebody who pasted the wrong column does not want them all. */
const namedLines = 5;

/** What is wrong with some of the pasted codes, and in which lines: nobody finds one of a thousand otherwise. */
export function invalidCodes(text: string, isInvalid: (code: string) => boolean): string {
  const lines = text.split(/\r?\n/).flatMap((line, index) => (isInvalid(line.trim()) ? [index + 1] : []));
  if (lines.length === 0) return databaseSentences.INVALID_CODE;
  const named = lines.slice(0, namedLines).map(formatNumber).join(', ');
  const others = lines.length > namedLines ? ` and ${formatNumber(lines.length - namedLines)} more` : '';
  return `${databaseSentences.INVALID_CODE}: see ${lines.length === 1 ? 'line' : 'lines'} ${named}${others}`;
}

export type RewardForm = z.infer<typeof rewardSchema>;

/** Input of `save_reward`, without picture and codes. Empty stock means unlimited, or counted codes; cash value in US cents. */
export function rewardPayload(form: RewardForm) {
  return {
    title: form.title.trim(),
    description: form.description.trim(),
    points_cost: Number(form.pointsCost),
    cash_value_cents: form.cashValue.trim() ? Math.round(Number(form.cashValue) * 100) : null,
    stock_quantity: form.delivery !== 'code' && form.stock.trim() ? Number(form.stock) : null,
    is_active: form.isActive,
    delivery: form.delivery,
  };
}

/**
 * Input of `save_reward` from a form that was opened with `reward`: of a stored one only what was changed, because members may have
 * redeemed from its stock since, and another admin may have edited it.
 */
export function changedPayload(form: RewardForm, reward: Reward | null): Partial<ReturnType<typeof rewardPayload>> {
  const payload = rewardPayload(form);
  if (!reward) return payload;
  const stored = new Map<string, unknown>(Object.entries(rewardPayload(rewardForm(reward))));
  // A different delivery counts its stock differently, so the stored number means nothing.
  if (payload.delivery !== reward.delivery) stored.delete('stock_quantity');
  return Object.fromEntries(Object.entries(payload).filter(([key, value]) => value !== stored.get(key)));
}

/** Form values of a stored reward, or of a new one. */
export function rewardForm(reward: Reward | null): RewardForm {
  return {
    title: reward?.title ?? '',
    description: reward?.description ?? '',
    pointsCost: reward ? String(reward.points_cost) : '',
    cashValue: typeof reward?.cash_value_cents === 'number' ? (reward.cash_value_cents / 100).toFixed(2) : '',
    stock: typeof reward?.stock_quantity === 'number' ? String(reward.stock_quantity) : '',
    isActive: reward?.is_active ?? true,
    delivery: reward?.delivery ?? 'other',
    codes: '',
  };
}

/**
 * What the points of a reward cost to buy, in US cents, if that is less than the reward is worth: a project could then profit by paying a
 * friend with bought points. Null if it is not less, or while a value is missing.
 */
export function arbitragePrice(
  { pointsCost, cashValue }: Pick<RewardForm, 'pointsCost' | 'cashValue'>,
  packs: PointPack[],
) {
  const price = Math.min(...packs.map(({ points, cents }) => Math.ceil((Number(pointsCost) * cents) / points)));
  return price > 0 && price < Math.round(Number(cashValue) * 100) ? price : null;
}
