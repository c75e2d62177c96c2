import { byReach, checkRedeem, distanceTo, explanationOf, formatStock, nextReward } from './redeem-check';

const reward = (points_cost: number, stock_quantity: number | null) => ({ points_cost, stock_quantity });

describe('REWARD-09 redeeming', () => {
  it('requires enough points and stock that is unlimited or above 0', () => {
    expect(checkRedeem(reward(500, null), 500)).toEqual({
      canRedeem: true,
      shortfall: 0,
      balanceAfter: 0,
      reasons: [],
    });
    expect(checkRedeem(reward(500, 1), 1200)).toMatchObject({ canRedeem: true, balanceAfter: 700 });
  });

  it('says how many points are missing', () => {
    expect(checkRedeem(reward(2500, null), 1300)).toEqual({
      canRedeem: false,
      shortfall: 1200,
      balanceAfter: null,
      reasons: ['You need 1,200 more points to redeem this reward.'],
    });
  });

  it('C-80 TRUST-16 uses the available points, and says when only held points are missing', () => {
    expect(checkRedeem(reward(500, null), 60, 500)).toEqual({
      canRedeem: false,
      shortfall: 440,
      balanceAfter: null,
      reasons: ['You have 560 points, but 500 of them are held and cannot be redeemed yet.'],
    });
    expect(checkRedeem(reward(600, null), 60, 500).reasons).toEqual(['You need 40 more points to redeem this reward.']);
    expect(checkRedeem(reward(60, null), 60, 500)).toMatchObject({ canRedeem: true, balanceAfter: 0 });
  });

  it('says that the stock is gone, even when points are missing too', () => {
    expect(checkRedeem(reward(500, 0), 900).reasons).toEqual(['This reward is currently out of stock.']);
    expect(checkRedeem(reward(500, 0), 400).reasons).toHaveLength(2);
  });
});

it('C-93 explains a status according to the delivery', () => {
  expect(explanationOf({ status: 'fulfilled', delivery: 'code' })).toBe('Your code is ready.');
  expect(explanationOf({ status: 'pending', delivery: 'post' })).toBe('We are packing it for you.');
  expect(explanationOf({ status: 'cancelled', delivery: 'mail' })).toBe('The points are back in your wallet.');
});

it('words the stock', () => {
  expect([null, 0, 1, 12].map(formatStock)).toEqual(['Unlimited', 'Out of stock', '1 left', '12 left']);
});

it('words the way to a reward', () => {
  const far = (points: number, held = 0) => distanceTo({ points_cost: 1500 }, points, held);
  expect([far(0), far(1499), far(900, 600)]).toEqual([
    '1,500 more points to go',
    '1 more point to go',
    'Enough once your held points are released',
  ]);
});

describe('affordable rewards', () => {
  const item = (id: string, points_cost: number, stock_quantity: number | null = null) => ({
    id,
    points_cost,
    stock_quantity,
  });
  const list = [item('gone', 10, 0), item('dear', 900), item('near', 300, 2), item('cheap', 50)];

  it('are sorted by missing points, sold-out ones last', () => {
    expect(byReach(list).map(({ id }) => id)).toEqual(['cheap', 'near', 'dear', 'gone']);
  });

  it('the next one is the cheapest in stock that the points do not cover yet', () => {
    expect(nextReward(list, 0)?.id).toBe('cheap');
    expect(nextReward(list, 50)?.id).toBe('near');
    expect(nextReward(list, 899)?.id).toBe('dear');
    expect(nextReward(list, 900)).toBeNull();
  });
});
