import { screen, waitFor, within } from '@testing-library/react';
import { type ApiCall, fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { leaderboardEntry } from '../testing';
import { Leaderboard } from './leaderboard';

function setUp(routes: Record<string, unknown>) {
  const api = fakeApi({ 'rpc get_own_rank': [], ...routes });
  const asked = (path: string): ApiCall[] => api.calls.filter((call) => call.path === path);
  return { ...renderApp(<Leaderboard />, { identity: signedIn(), path: '/rewards' }), asked };
}

it("REWARD-04 shows the Beta Leaderboard of up to 50 with the member's own row marked", async () => {
  const { asked } = setUp({
    'rpc get_leaderboard': [
      leaderboardEntry(),
      leaderboardEntry({ rank: 2, display_name: 'Sasha…ord', total_points: 3900, is_self: true }),
    ],
  });
  const board = within(screen.getByRole('region', { name: 'Beta Leaderboard' }));
  const [first, own] = await board.findAllByRole('listitem');
  expect(first).toHaveTextContent('Robin…eed');
  expect(first).toHaveTextContent('4,200');
  expect(own).toHaveTextContent('You');
  expect(own).toHaveAttribute('aria-current', 'true');
  expect(asked('rpc/get_leaderboard')[0]?.params.get('p_limit')).toBe('50');
});

it("C-84 shows the week beside all time, and the member's own rank when outside the list", async () => {
  const { user, asked } = setUp({
    'rpc get_leaderboard': ({ params }: ApiCall) =>
      params.get('p_period') === 'week'
        ? [leaderboardEntry({ display_name: 'Quick***one', total_points: 90 })]
        : [leaderboardEntry()],
    'rpc get_own_rank': ({ params }: ApiCall) => [
      params.get('p_period') === 'week' ? { rank: 214, total_points: 5 } : { rank: 10_001, total_points: 3 },
    ],
  });
  const board = within(screen.getByRole('region', { name: 'Beta Leaderboard' }));
  expect(await board.findByRole('list', { name: 'Your place' })).toHaveTextContent('10,000+');
  await user.click(board.getByRole('tab', { name: 'This week' }));
  expect(await board.findByText('Quick***one')).toBeInTheDocument();
  await waitFor(() => expect(board.getByRole('list', { name: 'Your place' })).toHaveTextContent('214'));
  expect(asked('rpc/get_leaderboard').at(-1)?.params.get('p_period')).toBe('week');
});

it('distinguishes gold, silver and bronze by text, and requests no own rank when the member is listed', async () => {
  const { asked } = setUp({
    'rpc get_leaderboard': [1, 2, 3, 4].map((rank) =>
      leaderboardEntry({ rank, display_name: `Place ${rank}`, is_self: rank === 4 }),
    ),
  });
  const board = within(screen.getByRole('region', { name: 'Beta Leaderboard' }));
  const lines = await board.findAllByRole('listitem');
  expect(lines.map((line) => /Gold|Silver|Bronze/.exec(line.textContent)?.[0])).toEqual([
    'Gold',
    'Silver',
    'Bronze',
    undefined,
  ]);
  expect(asked('rpc/get_own_rank')).toEqual([]);
});

it("REWARD-04 says 'No leaderboard data yet' when it is empty", async () => {
  setUp({ 'rpc get_leaderboard': [] });
  expect(await screen.findByText('No leaderboard data yet')).toBeInTheDocument();
});
