import { screen, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { platformStats } from '../testing/figures';
import AnalyticsTab from './analytics-tab';

function open(transfers: unknown) {
  fakeApi({
    'rpc get_platform_stats': platformStats(),
    'rpc get_admin_referral_stats': refuse(403, 'FORBIDDEN', 'Forbidden'),
    'rpc get_points_transfer_stats': transfers,
  });
  return renderApp(<AnalyticsTab />, { identity: signedIn('admin') });
}

it('ADMIN-11 shows the top industries and the health of the platform', async () => {
  open(refuse(403, 'FORBIDDEN', 'Forbidden'));
  const health = within(await screen.findByRole('region', { name: 'Platform Health' }));
  expect(health.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent])).toEqual([
    ['Active Quests', '25'],
    ['Pending Reviews', '16'],
    ['Verified Projects', '12'],
    ['Email Collection', '188'],
  ]);
  const industries = within(screen.getByRole('heading', { name: 'Top Industries' }).closest('section') as HTMLElement);
  expect(industries.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['SaaS4', 'Gaming2']);
});

it('C-108 DB-26 shows how points have moved, by kind, and who holds them now', async () => {
  open({
    total_transfers: 12,
    total_points: 3_400,
    last_transfer_at: null,
    by_kind: [
      { kind: 'redemption', transfers: 2, points: 400 },
      { kind: 'task_completion', transfers: 10, points: 3_000 },
    ],
    balances: { members: 1_500, startups: 250, reserves: 90 },
  });
  expect(await screen.findByText(/^12 transfers of 3,400 points since the beginning/)).toBeInTheDocument();
  const value = (label: string) => screen.getByText(label, { selector: 'dt' }).nextSibling;
  expect(value('Members hold')).toHaveTextContent('1,500');
  expect(value('Projects hold')).toHaveTextContent('250');
  expect(value('Reserved for quests')).toHaveTextContent('90');
  const table = within(screen.getByRole('table', { name: 'Point transfers by kind' }));
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Kind/),
    expect.stringMatching(/^Redemption2.*400/),
    expect.stringMatching(/^Task completion10.*3,000/),
  ]);
});

it('C-112 repeats no chart of the overview', async () => {
  open(refuse(403, 'FORBIDDEN', 'Forbidden'));
  expect(await screen.findByRole('heading', { name: 'Top Industries' })).toBeInTheDocument();
  expect(screen.queryByRole('figure')).not.toBeInTheDocument();
});

it('TRUST-14 says that the funnel is missing, instead of leaving it out', async () => {
  open(refuse(403, 'FORBIDDEN', 'Forbidden'));
  expect(await screen.findByText('The referral funnel could not be loaded')).toBeInTheDocument();
});
