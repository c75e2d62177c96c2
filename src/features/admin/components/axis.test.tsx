import { niceMax } from './growth-charts';

describe("a chart's axis", () => {
  it.each([
    [0, 2],
    [1, 2],
    [3, 4],
    [5, 6],
    [10, 10],
    [11, 12],
    [19, 20],
    [21, 40],
    [83, 100],
    [4550, 6000],
    [19_999, 20_000],
    [1_000_001, 1_200_000],
  ])('for %i ends at %i', (top, end) => {
    expect(niceMax(top)).toBe(end);
  });

  it('is never below the values, has an integer middle and leaves at most half of the height empty', () => {
    for (let top = 1; top < 5000; top += 1) {
      const end = niceMax(top);
      expect(end).toBeGreaterThanOrEqual(top);
      expect(Number.isInteger(end / 2)).toBe(true);
      expect(end).toBeLessThanOrEqual(top * 2);
    }
  });
});
