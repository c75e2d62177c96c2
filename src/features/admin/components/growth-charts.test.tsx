import { screen, within } from '@testing-library/react';
import { renderApp } from '@/lib/testing/render';
import { DayChart, niceMax } from './growth-charts';

type Day = { day: string; issued: number; redeemed: number };
const days: Day[] = [
  { day: '2026-02-01', issued: 83, redeemed: 0 },
  { day: '2026-02-02', issued: 0, redeemed: 20 },
  { day: '2026-02-03', issued: 17, redeemed: 5 },
];

function open(rows: readonly Day[] = days) {
  return renderApp(
    <DayChart
      title="Points issued and redeemed"
      days={rows}
      series={[
        { name: 'Issued', value: ({ issued }) => issued, tone: 'points' },
        { name: 'Redeemed', value: ({ redeemed }) => redeemed, tone: 'action' },
      ]}
    />,
  );
}

describe('ADMIN-11 a daily chart', () => {
  it('has the same numbers as a table, latest day first, and shows the sums', async () => {
    const { user } = open();
    const figure = within(screen.getByRole('figure', { name: 'Points issued and redeemed' }));
    expect(figure.getByText('Issued', { selector: 'span' }).parentElement).toHaveTextContent('Issued100');
    expect(figure.getByText('Redeemed', { selector: 'span' }).parentElement).toHaveTextContent('Redeemed25');
    await user.click(figure.getByText('Show as table'));
    const rows = figure.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['Day (UTC)', 'Issued', 'Redeemed'],
      ['Feb 3, 2026', '17', '5'],
      ['Feb 2, 2026', '0', '20'],
      ['Feb 1, 2026', '83', '0'],
    ]);
  });

  it('draws all values to the same scale, up to a round number', () => {
    const { container } = open();
    const bars = [...container.querySelectorAll('rect')];
    expect(bars.map((bar) => Number(bar.getAttribute('height')))).toEqual([83, 0, 0, 20, 17, 5]);
    expect(screen.getByText('100', { selector: 'p' })).toBeInTheDocument();
    expect(screen.getByText('50', { selector: 'p' })).toBeInTheDocument();
    for (const label of ['Feb 1, 2026', 'Feb 2, 2026', 'Feb 3, 2026'])
      expect(screen.getByText(label, { selector: 'span' })).toBeInTheDocument();
  });

  it('shows nothing for no days, and empty bars for days without activity', () => {
    const { container, unmount } = open([]);
    expect(container.querySelector('figure')).toBeNull();
    unmount();
    const quiet = open([{ day: '2026-02-01', issued: 0, redeemed: 0 }]);
    const heights = [...quiet.container.querySelectorAll('rect')].map((bar) => bar.getAttribute('height'));
    expect(heights).toEqual(['0', '0']);
  });
});

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
