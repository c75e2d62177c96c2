import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { BudgetBar, budgetUsage } from './budget-bar';
import { DataTable } from './data-table';
import { NoResults } from './empty-state';
import { SubmitButton } from './form';
import { Points, PointsBalance } from './points';
import { SpotProgress } from './spot-progress';
import { StarRating } from './star-rating';
import { StatusBadge } from './status-badge';

it('an empty result offers Reset Filters', async () => {
  const onReset = vi.fn();
  render(<NoResults title="No projects found" onReset={onReset} />);
  await userEvent.click(screen.getByRole('button', { name: 'Reset Filters' }));
  expect(onReset).toHaveBeenCalledOnce();
});

it('a form that takes long to send says so on its button, and the button is back afterwards', () => {
  vi.useFakeTimers();
  const { rerender } = render(<SubmitButton isSubmitting>Save</SubmitButton>);
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true');
  act(() => vi.advanceTimersByTime(6000));
  expect(screen.getByRole('status')).toHaveTextContent('Still sending…');
  expect(screen.getByRole('button', { name: 'Still sending…' })).toHaveAttribute('aria-disabled', 'true');
  rerender(<SubmitButton isSubmitting={false}>Save</SubmitButton>);
  expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
  rerender(<SubmitButton isSubmitting>Save</SubmitButton>);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

it('a balance that changes again while it counts goes on from the number on the screen', () => {
  vi.useFakeTimers();
  const { container, rerender } = render(<PointsBalance value={0} />);
  const shown = () => Number.parseInt(container.textContent?.replaceAll(',', '') ?? '', 10);
  rerender(<PointsBalance value={1000} />);
  act(() => vi.advanceTimersByTime(100));
  const before = shown();
  expect(before).toBeGreaterThan(0);
  rerender(<PointsBalance value={1100} />);
  act(() => vi.advanceTimersByTime(17));
  expect(shown()).toBeGreaterThanOrEqual(before);
  expect(shown()).toBeLessThan(1000);
  act(() => vi.advanceTimersByTime(1000));
  expect(shown()).toBe(1100);
});

it.each([
  [{ value: 12700, hasSign: true }, '+12,700 points'],
  [{ value: 12700 }, '12,700 points'],
  [{ value: 1 }, '1 point'],
  [{ value: -1, hasSign: true }, '-1 point'],
])('points have separators, an optional sign, and their unit for screen readers: %o', (props, text) => {
  expect(render(<Points {...props} />).container.textContent).toBe(text);
});

it('a status is shown as text with an icon, not by colour alone', () => {
  const { container } = render(<StatusBadge status="Try Again" />);
  expect(container).toHaveTextContent('Try Again');
  expect(container.querySelector('svg')).not.toBeNull();
});

it.each([
  [3, 20, '3 of 20 spots left', 3],
  [1, 1, '1 of 1 spot left', 1],
  [0, 20, 'No spots left', 0],
  [7, 0, '7 spots left', 1],
])('%i left of %i reads %s, and the meter says the same', (left, total, text, value) => {
  const { container } = render(<SpotProgress left={left} total={total} />);
  const meter = screen.getByRole('meter', { name: 'Spots left' });
  expect(meter).toHaveAttribute('aria-valuetext', text);
  expect(meter).toHaveAttribute('value', String(value));
  expect(container.querySelector('[style]')).toHaveStyle({ width: `${(value / Math.max(total, 1)) * 100}%` });
});

describe('the budget bar', () => {
  it('C-41 is 0 when nothing is budgeted and nothing used', () => {
    expect(budgetUsage(0, 0)).toBe(0);
    expect(budgetUsage(400, 500)).toBe(0.8);
  });

  it.each([
    [400, 'bg-action'],
    [401, 'bg-points'],
    [501, 'bg-danger'],
  ])('C-41 QEDIT-08 at %i of 500 is %s', (used, fill) => {
    const { container } = render(<BudgetBar label="Budget" used={used} budget={500} />);
    expect(container.querySelector(`.${fill}`)).not.toBeNull();
  });
});

function RatingExample() {
  const [value, setValue] = useState(0);
  const captions = ['Click to rate', 'Poor', 'Fair', 'Good', 'Very Good', 'Excellent'];
  return <StarRating label="Rating" value={value} onChange={setValue} captions={captions} isClearable />;
}

it('a star rating can be chosen with the keyboard and announces its meaning', async () => {
  render(<RatingExample />);
  expect(screen.getByText('Click to rate')).toBeInTheDocument();
  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(screen.getByRole('radio', { name: /stars?: Good/ })).toBeChecked();
  await userEvent.click(screen.getByRole('button', { name: 'Clear rating' }));
  expect(screen.getByText('Click to rate')).toBeInTheDocument();
});

describe('the data table', () => {
  const props = {
    caption: 'Members',
    rows: [{ name: 'Robin', points: 5 }],
    rowKey: (row: { name: string }) => row.name,
    columns: [
      { key: 'name', header: 'Name', cell: (row: { name: string }) => row.name },
      { key: 'points', header: 'Points', cell: (row: { points: number }) => row.points, isNumeric: true },
    ],
  };

  it('is a table on wide screens', () => {
    render(<DataTable {...props} />);
    expect(within(screen.getByRole('table', { name: 'Members' })).getAllByRole('cell')).toHaveLength(2);
  });

  it('is a list of cards on phones', () => {
    const real = window.matchMedia;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(real(query), { matches: false }));
    render(<DataTable {...props} />);
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    expect(within(screen.getByRole('list', { name: 'Members' })).getByText('Points')).toBeInTheDocument();
  });
});
