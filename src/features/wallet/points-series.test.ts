import { transactionRow } from '@/lib/testing/rows';
import { balanceSeries, payoutsByDay, periodStart } from './points-series';

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

describe('payoutsByDay', () => {
  const now = new Date('2026-03-04T15:00:00Z');

  it('sums each day and keeps days without payouts', () => {
    const payouts = [
      { points: 25, created_at: '2026-03-04T01:00:00Z' },
      { points: 25, created_at: '2026-03-04T00:30:00Z' },
      { points: 40, created_at: '2026-03-02T23:59:00Z' },
    ];
    expect(payoutsByDay(payouts, 3, now)).toEqual([
      { day: '2026-03-02', points: 40 },
      { day: '2026-03-03', points: 0 },
      { day: '2026-03-04', points: 50 },
    ]);
  });

  it('starts its period at the first day drawn', () => {
    expect(periodStart(3, now)).toBe('2026-03-02T00:00:00Z');
  });
});
