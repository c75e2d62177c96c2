import { render, screen } from '@testing-library/react';

it('ADMIN-11 names a UTC day the same in New Zealand, where noon UTC is the next day', async () => {
  // Formatters keep the time zone that they were made in.
  vi.stubEnv('TZ', 'Pacific/Auckland');
  vi.resetModules();
  const { DayChart } = await import('./growth-charts');
  const days = [{ day: '2026-02-01', members: 3 }];
  render(
    <DayChart
      title="New members"
      days={days}
      series={[{ name: 'Members', value: (day) => day.members, tone: 'action' }]}
    />,
  );
  expect(screen.getByRole('figure')).toHaveTextContent('Feb 1, 2026');
  expect(screen.getByRole('figure')).not.toHaveTextContent('Feb 2, 2026');
});
