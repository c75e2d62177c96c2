import { checkRedeem, formatStock } from './redeem-check';

const reward = (points_cost: number, stock_quantity: number | null) => ({ points_cost, stock_quantity });

describe('REWARD-09 redeeming', () => {
  it('needs points for the cost and stock that is unlimited or above 0', () => {
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

  it('says that the stock is gone, also when points are missing', () => {
    expect(checkRedeem(reward(500, 0), 900).reasons).toEqual(['This reward is currently out of stock.']);
    expect(checkRedeem(reward(500, 0), 400).reasons).toHaveLength(2);
  });
});

it('words the stock', () => {
  expect([null, 0, 1, 12].map(formatStock)).toEqual(['Unlimited', 'Out of stock', '1 piece left', '12 pieces left']);
});
