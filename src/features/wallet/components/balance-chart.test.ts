import { transactionRow } from '@/lib/testing/rows';
import { balanceSeries, stepAreaPath } from './balance-chart';

describe('balanceSeries', () => {
  const history = [
    transactionRow({ id: 2, type: 'debit', points: 100, balance_after: 200, created_at: '2026-02-02T00:00:00Z' }),
    transactionRow({ id: 1, type: 'credit', points: 250, balance_after: 300, created_at: '2026-02-01T00:00:00Z' }),
  ];

  it('turns the newest-first history into a line from the earliest balance to the current one', () => {
    const series = balanceSeries(history, new Date('2026-02-05T00:00:00Z'));
    expect(series.map(({ points }) => points)).toEqual([50, 300, 200, 200]);
    expect(series.at(-1)?.at).toBe('2026-02-05T00:00:00.000Z');
  });

  it('does not run backwards when the local clock is behind', () => {
    expect(balanceSeries(history, new Date('2026-02-01T12:00:00Z')).at(-1)?.at).toBe('2026-02-02T00:00:00.000Z');
  });

  it('does not run backwards when an entry has an earlier time than the one before it', () => {
    const crossed = [
      transactionRow({ id: 2, points: 10, balance_after: 60, created_at: '2026-02-01T00:00:00Z' }),
      transactionRow({ id: 1, points: 50, balance_after: 50, created_at: '2026-02-01T00:00:01Z' }),
    ];
    const series = balanceSeries(crossed, new Date('2026-02-05T00:00:00Z'));
    expect(series.map(({ points }) => points)).toEqual([0, 50, 60, 60]);
    const times = series.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('is empty without transactions', () => {
    expect(balanceSeries([])).toEqual([]);
  });
});

const at = (day: number) => `2026-01-0${day}T00:00:00Z`;

it('draws steps over time, with 0 at the bottom', () => {
  const series = [
    { at: at(1), points: 0 },
    { at: at(3), points: 100 },
    { at: at(5), points: 50 },
  ];
  expect(stepAreaPath(series, 200, 40)).toEqual({
    line: 'M0 40H100V0H200V20H200',
    fill: 'M0 40H100V0H200V20H200V40H0Z',
  });
});

it('spreads transactions with the same time evenly', () => {
  const series = [0, 10, 20].map((points) => ({ at: at(1), points }));
  expect(stepAreaPath(series, 100, 10)?.line).toBe('M0 10H50V5H100V0H100');
});

it('draws nothing for fewer than two points', () => {
  expect(stepAreaPath([], 100, 10)).toBeNull();
  expect(stepAreaPath([{ at: at(1), points: 5 }], 100, 10)).toBeNull();
});
