import { levelOf, levelProgress } from './level';

describe('REWARD-02 level', () => {
  it('is floor(points / 1000) + 1', () => {
    expect([0, 999, 1000, 1999, 2000, 12_700].map(levelOf)).toEqual([1, 1, 2, 2, 3, 13]);
  });

  it('shows the distance to the next one', () => {
    expect(levelProgress(2250)).toEqual({ level: 3, missing: 750, share: 0.25 });
    expect(levelProgress(0)).toEqual({ level: 1, missing: 1000, share: 0 });
  });
});
