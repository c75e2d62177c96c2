import { screen, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import ReferralsTab from './referrals-tab';

const report = {
  overview: {
    total_referral_codes: 276,
    total_clicks: 400,
    total_successful_referrals: 20,
    total_points_distributed: 15000,
    conversion_rate: 5,
    avg_clicks_per_code: 1.4,
    active_codes: 270,
  },
  top_referrers: [
    { user_id: 'u1', username: 'robin', referral_code: 'REF1', successful_referrals: 9, total_points_earned: 4500 },
    {
      user_id: 'u2',
      username: 'Unknown User',
      referral_code: 'REF2',
      successful_referrals: 3,
      total_points_earned: 1500,
    },
  ],
  recent_referrals: [
    {
      referrer_username: 'robin',
      referred_username: 'wren',
      referral_code: 'REF1',
      points_awarded: 750,
      completed_at: '2026-02-01T10:00:00Z',
    },
  ],
};

function open(health = { health_score: 82, users_without_codes: 4, failed_referrals: 2 }) {
  const api = fakeApi({ 'rpc get_admin_referral_stats': report, 'rpc get_referral_system_health': [health] });
  return { ...renderApp(<ReferralsTab />, { identity: signedIn('admin') }), api };
}

describe('referrals', () => {
  it('ADMIN-09 shows a loading state, then cards and metrics', async () => {
    open();
    expect(screen.getByText('Loading referral statistics...')).toBeInTheDocument();
    const cards = within(await screen.findByRole('region', { name: 'Referral figures' }));
    expect(cards.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent])).toEqual([
      ['Total Codes', '276'],
      ['Total Clicks', '400'],
      ['Successful Referrals', '20'],
      ['Points Distributed', '15,000 points'],
    ]);
    expect(screen.getByText('Conversion rate').nextSibling).toHaveTextContent('5%');
    expect(screen.getByText('Average clicks per code').nextSibling).toHaveTextContent('1.4');
    expect(screen.getByText('Active codes').nextSibling).toHaveTextContent('270');
  });

  it('ADMIN-09 Refresh Stats reloads the page, which requests and shows the new figures', async () => {
    const { user, api, unmount } = open();
    expect(await screen.findByText('276')).toBeInTheDocument();
    // jsdom has no navigation: a reload starts over with the server's current answer.
    const reload = () => {
      vi.unstubAllGlobals();
      unmount();
      api.routes['rpc get_admin_referral_stats'] = {
        ...report,
        overview: { ...report.overview, total_referral_codes: 281 },
      };
      renderApp(<ReferralsTab />, { identity: signedIn('admin') });
    };
    vi.stubGlobal('location', Object.create(window.location, { reload: { value: reload } }));
    await user.click(screen.getByRole('button', { name: 'Refresh Stats' }));
    expect(await screen.findByText('281')).toBeInTheDocument();
    expect(screen.queryByText('276')).not.toBeInTheDocument();
    expect(api.calls.filter(({ path }) => path === 'rpc/get_admin_referral_stats')).toHaveLength(2);
  });

  it.each([
    [90, 'Healthy', 'text-action'],
    [89, 'Needs attention', 'text-warning'],
    [75, 'Needs attention', 'text-warning'],
    [74, 'Unhealthy', 'text-danger'],
  ])('ADMIN-10 shows the system health of %i, with its colour in words', async (health_score, words, colour) => {
    open({ health_score, users_without_codes: 4, failed_referrals: 2 });
    expect(await screen.findByText(`${health_score}%`)).toBeInTheDocument();
    expect(screen.getByText(words)).toHaveClass(colour);
    expect(screen.getByText('Users without codes').nextSibling).toHaveTextContent('4');
    expect(screen.getByText('Failed referrals').nextSibling).toHaveTextContent('2');
  });

  it('ADMIN-10 lists the top referrers and the recent referrals', async () => {
    open();
    const top = within(await screen.findByRole('table', { name: 'Top Referrers' }));
    expect(
      top
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(['robinREF194,500 points', 'Unknown UserREF231,500 points']);
    const recent = within(screen.getByRole('table', { name: 'Recent Referrals' }));
    expect(recent.getAllByRole('row')[1]).toHaveTextContent('robin → wrenREF1750 pointsFeb 1, 2026');
  });

  it('TRUST-14 draws no funnel from figures that are not there', async () => {
    const { api } = open();
    api.routes['rpc get_referral_system_health'] = refuse(403, 'FORBIDDEN', 'Forbidden');
    expect(await screen.findByText('The referral funnel could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('Sign-ups with a code')).not.toBeInTheDocument();
  });

  it('draws the funnel from clicks to completed referrals with its numbers', async () => {
    open();
    expect(await screen.findByRole('meter', { name: 'Clicks on referral links' })).toHaveAttribute(
      'aria-valuetext',
      '400 people',
    );
    expect(await screen.findByRole('meter', { name: 'Completed referrals' })).toHaveAttribute(
      'aria-valuetext',
      '20 people',
    );
  });
});
