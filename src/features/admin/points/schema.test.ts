import type { Reward } from '@/features/rewards';
import * as databaseSentences from '@/types/database-errors';
import { arbitragePrice, changedPayload, codeLines, rewardForm, rewardPayload, rewardSchema } from './schema';

const reward: Reward = {
  id: 'reward-1',
  title: 'Mug',
  description: 'For coffee.',
  points_cost: 500,
  cash_value_cents: 1250,
  image_url: null,
  is_active: false,
  stock_quantity: 0,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  delivery: 'other',
};
const problems = (changes: Partial<ReturnType<typeof rewardForm>>) =>
  rewardSchema.safeParse({ ...rewardForm(reward), ...changes }).error?.issues.map(({ message }) => message);

describe('C-45 the reward form', () => {
  it('returns a stored reward unchanged', () => {
    expect(rewardPayload(rewardForm(reward))).toEqual({
      title: 'Mug',
      description: 'For coffee.',
      points_cost: 500,
      cash_value_cents: 1250,
      stock_quantity: 0,
      is_active: false,
      delivery: 'other',
    });
  });

  it('sends of a stored reward only what was changed, so that a stock redeemed meanwhile is not put back', () => {
    const form = rewardForm(reward);
    expect(changedPayload(form, reward)).toEqual({});
    expect(changedPayload({ ...form, title: 'Cup', stock: '' }, reward)).toEqual({
      title: 'Cup',
      stock_quantity: null,
    });
    expect(changedPayload({ ...form, delivery: 'post' }, reward)).toEqual({ delivery: 'post', stock_quantity: 0 });
    expect(changedPayload(form, null)).toEqual(rewardPayload(form));
  });

  it('sends what was typed without the spaces around it', () => {
    const typed = {
      ...rewardForm(reward),
      title: ' Mug ',
      description: ' For tea. ',
      pointsCost: ' 7 ',
      cashValue: ' 4.50 ',
    };
    expect(rewardPayload({ ...typed, stock: ' 3 ' })).toMatchObject({
      title: 'Mug',
      description: 'For tea.',
      points_cost: 7,
      cash_value_cents: 450,
      stock_quantity: 3,
    });
  });

  it('is empty for a new reward, which is active and delivered in another way', () => {
    expect(rewardForm(null)).toEqual({
      title: '',
      description: '',
      pointsCost: '',
      cashValue: '',
      stock: '',
      isActive: true,
      delivery: 'other',
      codes: '',
    });
    const { stock, cashValue, delivery, isActive } = rewardForm({
      ...reward,
      stock_quantity: null,
      cash_value_cents: null,
      delivery: 'post',
    });
    expect({ stock, cashValue, delivery, isActive }).toEqual({
      stock: '',
      cashValue: '',
      delivery: 'post',
      isActive: false,
    });
  });

  it('reads codes line by line', () => {
    expect(codeLines(' KITE-1 \r\n\nKITE-2\n  ')).toEqual(['KITE-1', 'KITE-2']);
    const codes = (count: number, length = 5) => Array(count).fill('x'.repeat(length)).join('\n');
    expect(problems({ codes: codes(1000, 200) })).toBeUndefined();
    expect(problems({ codes: codes(1001) })).toEqual([databaseSentences.CODES_RANGE]);
    const tooLong = 'x'.repeat(201);
    expect(problems({ codes: `fine\n\n${tooLong}` })).toEqual([`${databaseSentences.INVALID_CODE}: see line 3`]);
    expect(problems({ codes: `${tooLong}\nfine\n${codes(6, 201)}` })).toEqual([
      `${databaseSentences.INVALID_CODE}: see lines 1, 3, 4, 5, 6 and 2 more`,
    ]);
  });

  it('has unlimited stock and no cash value when those are left empty', () => {
    expect(rewardPayload({ ...rewardForm(reward), stock: ' ', cashValue: '' })).toMatchObject({
      stock_quantity: null,
      cash_value_cents: null,
    });
  });

  it('is not refused for a stock that was typed before it became one of codes, whose field is not shown', () => {
    const typed = { stock: '1.5', delivery: 'code' } as const;
    expect(problems(typed)).toBeUndefined();
    expect(rewardPayload({ ...rewardForm(reward), ...typed })).toMatchObject({ stock_quantity: null });
    expect(problems({ ...typed, delivery: 'post', title: '' })).toEqual([
      'Please enter a reward title',
      'Stock must be empty or a whole number from 0',
    ]);
  });

  it('refuses what the database would refuse', () => {
    expect(problems({})).toBeUndefined();
    expect(problems({ title: ' ' })).toEqual(['Please enter a reward title']);
    expect(problems({ pointsCost: '0' })).toEqual(['Cost must be between 1 and 10,000,000 points']);
    expect(problems({ pointsCost: '1' })).toBeUndefined();
    expect(problems({ pointsCost: '10000000' })).toBeUndefined();
    expect(problems({ pointsCost: '10000001' })).toEqual(['Cost must be between 1 and 10,000,000 points']);
    expect(problems({ pointsCost: '1.5' })).toEqual(['Cost must be between 1 and 10,000,000 points']);
    expect(problems({ stock: '-1' })).toEqual(['Stock must be empty or a whole number from 0']);
    expect(problems({ cashValue: '4,50' })).toEqual(['Please enter an amount such as 4.50']);
  });

  it('BEY-20 finds a reward that is worth more than its points cost in the cheapest pack, to the cent', () => {
    const packs = [
      { id: 'points_small', points: 1000, cents: 4900 },
      { id: 'points_large', points: 20_000, cents: 69_900 },
    ];
    const priceOf = (pointsCost: string, cashValue: string) => arbitragePrice({ pointsCost, cashValue }, packs);
    expect(priceOf('250', '15')).toBe(874);
    expect(priceOf('250', '8.75')).toBe(874);
    expect(priceOf('250', '8.74')).toBeNull();
    for (const unfinished of ['', 'x', '0', '-1']) {
      expect(priceOf(unfinished, '15')).toBeNull();
      expect(priceOf('250', unfinished)).toBeNull();
    }
    expect(arbitragePrice({ pointsCost: '250', cashValue: '15' }, [])).toBeNull();
  });
});
