import { screen, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import { HeldPoints, releaseText } from './held-points';

const hold = (id: number, overrides: Record<string, unknown> = {}) => ({
  id,
  wallet_id: 'wallet-1',
  reason: 'trial',
  points: 40,
  due_at: '2999-03-01T12:00:00Z',
  released_at: null,
  reversed_at: null,
  transfers: { kind: 'task_completion', description: `Task completion: number ${id}` },
  ...overrides,
});

describe('held points', () => {
  it('TRUST-16 C-94 lists current holds with what releases them, but neither released ones nor other wallets', async () => {
    fakeApi({
      'GET point_holds': [
        hold(1),
        hold(2, { released_at: '2026-01-01T00:00:00Z' }),
        hold(3, { reversed_at: '2026-01-01T00:00:00Z' }),
        hold(4, { wallet_id: 'wallet-2' }),
        hold(5, {
          reason: 'referral',
          points: 500,
          due_at: null,
          transfers: { kind: 'referral_bonus', description: 'Referral bonus' },
        }),
      ],
    });
    renderApp(<HeldPoints walletId="wallet-1" points={540} />, { identity: signedIn() });
    const list = within(await screen.findByRole('list', { name: 'Held points' }));
    const [first, second, ...others] = list.getAllByRole('listitem');
    expect(others).toEqual([]);
    expect(first).toHaveTextContent('Referral bonus');
    expect(first).toHaveTextContent('500 points');
    expect(first).toHaveTextContent(
      'Released by the first approved task of the member you invited: at once if the project confirmed it, seven days later if it was approved automatically.',
    );
    expect(second).toHaveTextContent('Task completion: number 1');
    expect(second).toHaveTextContent(/Released once we have reviewed the project, by Mar 1, 2999 at the latest/);
  });

  it('is hidden, and requests nothing, while nothing is held', async () => {
    const api = fakeApi({});
    renderApp(<HeldPoints walletId="wallet-1" points={0} />, { identity: signedIn() });
    await requestsSent();
    expect(screen.queryByRole('region', { name: 'Held points' })).not.toBeInTheDocument();
    expect(api.calls).toEqual([]);
  });

  it('TRUST-14 says when they could not be loaded', async () => {
    fakeApi({ 'GET point_holds': refuse(500, null, 'broken') });
    renderApp(<HeldPoints walletId="wallet-1" points={40} />, { identity: signedIn() });
    expect(await screen.findByText('Your held points could not be loaded')).toBeInTheDocument();
  });

  it.each([
    [
      'welcome_bonus',
      null,
      'Released by your first approved task: at once if the project confirmed it, seven days later if it was approved automatically.',
    ],
    ['welcome_bonus', '2999-03-01T12:00:00Z', 'Released on Mar 1, 2999 unless we find a problem.'],
    [
      'referral_bonus',
      '2020-03-01T12:00:00Z',
      'We are reviewing this. Your points are released as soon as we are done.',
    ],
  ] as const)('C-80 %s due %s: %s', (kind, due_at, sentence) => {
    expect(releaseText({ reason: 'referral', kind, due_at })).toBe(sentence);
  });
});
