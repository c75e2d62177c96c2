import { platformStats } from '../testing/figures';
import { keyFigures, revenue, sessionTime, userGrowth } from './figures';

const stats = platformStats();

describe('DATA-07 C-52 figures without data', () => {
  it('show a dash instead of a made-up number', () => {
    const empty = platformStats({
      totals: { ...stats.totals, users: 0, revenue_cents: 0 },
      period: { ...stats.period, users: 0, revenue_cents: 0, average_session_minutes: null },
    });
    expect([userGrowth(empty), revenue(empty), sessionTime(empty)]).toEqual(['—', '—', '—']);
  });

  it('show measured values', () => {
    const measured = platformStats({
      totals: { ...stats.totals, users: 110, revenue_cents: 19800 },
      period: { ...stats.period, users: 10, revenue_cents: 9900, average_session_minutes: 3.4 },
    });
    expect([userGrowth(measured), revenue(measured), sessionTime(measured)]).toEqual(['+10%', '$99', '3.4 min']);
  });

  it('show zero revenue for this period only if nothing was ever paid', () => {
    expect(
      revenue({ totals: { ...stats.totals, revenue_cents: 9900 }, period: { ...stats.period, revenue_cents: 0 } }),
    ).toBe('$0');
  });
});

it('DATA-06 DATA-07 shows conversion, engagement and points distributed as the database calculated them, and what was measured', () => {
  const shown = Object.fromEntries(keyFigures(stats).map(({ label, value }) => [label, value]));
  expect(shown).toMatchObject({
    'Conversion Rate': '9.1%',
    Engagement: '3.74',
    'Points Distributed': '12,000',
    'User Growth': '+10.8%',
    'Average Session Time': '4.2 min',
    'Total Revenue': '$99',
  });
});

it('says that revenue counts points as well as plans, and not the payments that were returned', () => {
  const revenueCard = keyFigures(stats).find(({ label }) => label === 'Total Revenue');
  expect(revenueCard?.note).toBe('plans and points, less payments returned');
});
