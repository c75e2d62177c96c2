import { act, screen, waitFor } from '@testing-library/react';
import type { Role } from '@/lib/role';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import { walletRow } from '@/lib/testing/rows';
import { walletQueries } from '../queries';
import { PointsChip } from './points-chip';

function setUp(
  role: Role,
  answer: unknown = [walletRow({ user_id: 'user_other', points: 1 }), walletRow({ points: 1250 })],
) {
  const api = fakeApi({ 'GET wallets': answer });
  return { api, ...renderApp(<PointsChip />, { identity: signedIn(role) }) };
}

describe('HEAD-06 points chip', () => {
  it("shows the wallet's points for the community role", async () => {
    const { api } = setUp('community');
    expect(await screen.findByRole('link', { name: /^1,250\s*points$/ })).toHaveAttribute('href', '/rewards');
    expect(api.calls[0]?.params.get('user_id')).toBe('eq.user_test');
  });

  it.each<Role>(['startup_unverified', 'startup_verified', 'admin'])('is hidden for the role %s', async (role) => {
    const { api } = setUp(role);
    await requestsSent();
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
    expect(api.calls).toEqual([]);
  });

  it('shows no number when the wallet cannot be read', async () => {
    const { queryClient } = setUp('community', offline());
    const read = () => queryClient.getQueryState(walletQueries.own('user_test').queryKey);
    await waitFor(() => expect(read()?.status).toBe('error'));
    expect(screen.getByRole('link', { name: 'Your points' })).toBeEmptyDOMElement();
  });

  /** The chip when the balance has just risen from 1,250 to 1,300. */
  async function showRise(isMotionReduced: boolean) {
    vi.spyOn(window, 'matchMedia').mockReturnValue(Object.assign(window.matchMedia(''), { matches: isMotionReduced }));
    const { queryClient } = setUp('community');
    await screen.findByRole('link', { name: /^1,250\s*points$/ });
    vi.useFakeTimers();
    act(() => {
      queryClient.setQueryData(walletQueries.own('user_test').queryKey, walletRow({ points: 1300 }));
    });
    await act(() => vi.advanceTimersByTimeAsync(0));
  }

  it('counts up to a new balance', async () => {
    await showRise(false);
    act(() => vi.advanceTimersByTime(100));
    expect(screen.getByRole('link')).toHaveTextContent(/^1,2[6-9]\d\s*points$/);
    act(() => vi.advanceTimersByTime(1000));
    expect(screen.getByRole('link', { name: /^1,300\s*points$/ })).toBeInTheDocument();
  });

  it('shows a new balance at once under prefers-reduced-motion', async () => {
    await showRise(true);
    expect(screen.getByRole('link', { name: /^1,300\s*points$/ })).toBeInTheDocument();
  });
});
