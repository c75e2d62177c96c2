import { screen, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import AnalyticsTab from './analytics-tab';

const zero = {
  users: 0,
  verified_startups: 0,
  published_campaigns: 0,
  submissions: 0,
  completed_tasks: 0,
  points_awarded: 0,
  points_redeemed: 0,
  revenue_cents: 0,
};

function open(transfers: unknown) {
  fakeApi({
    'rpc get_platform_stats': {
      period_days: 30,
      totals: { ...zero, points_distributed: 0, conversion_rate: 0, engagement: 0 },
      period: { ...zero, average_session_minutes: null },
      days: [
        { day: '2026-02-01', new_users: 4, submissions: 6, completions: 5, points_issued: 250, points_redeemed: 0 },
        { day: '2026-02-02', new_users: 7, submissions: 9, completions: 8, points_issued: 400, points_redeemed: 500 },
      ],
      top_campaigns: [],
      top_industries: [],
      health: {
        active_campaigns: 0,
        pending_reviews: 0,
        pending_startups: 0,
        verified_startups: 0,
        collected_emails: 0,
        open_feedback: 0,
      },
    },
    'rpc get_admin_referral_stats': refuse(403, 'FORBIDDEN', 'Forbidden'),
    'rpc get_points_transfer_stats': transfers,
  });
  return renderApp(<AnalyticsTab />, { identity: signedIn('admin') });
}

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
