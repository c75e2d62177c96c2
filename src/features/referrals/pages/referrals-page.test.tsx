import { act, screen, waitFor, within } from '@testing-library/react';
import { accountQueries } from '@/features/account';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow, settingsRow } from '@/lib/testing/rows';
import { keepPendingReferral } from '../referral-link';
import ReferralsPage from './referrals-page';

const stats = {
  referral_code: 'REF12345678',
  clicks: 42,
  successful_referrals: 3,
  total_referrals: 4,
  total_points_earned: 1500,
  code_active: true,
  held_points: 500,
  can_be_referred: false,
};
const referral = (id: number, status: 'completed' | 'pending') => ({
  id: `referral-${id}`,
  status,
  points: status === 'completed' ? 500 : 0,
  held_points: 0,
  created_at: '2026-02-01T12:00:00Z',
});
const link = `${window.location.origin}/?ref=REF12345678`;

function setUp(routes: Record<string, unknown> = {}, identity = signedIn()) {
  const api = fakeApi({
    'rpc get_user_referral_stats': [stats],
    'rpc list_own_referrals': [referral(2, 'completed'), referral(1, 'pending')],
    'GET app_settings': [settingsRow()],
    ...routes,
  });
  return { ...renderApp(<ReferralsPage />, { identity, path: '/community/referrals' }), api };
}

const figure = async (label: string) => (await screen.findByText(label)).nextElementSibling;

describe('referral page', () => {
  it("REF-06 says 'Sign In Required' when nobody is signed in", () => {
    setUp({}, signedOut);
    expect(screen.getByRole('heading', { name: 'Sign In Required' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      '/auth/signin?redirect=%2Fcommunity%2Freferrals',
    );
  });

  it('REF-06 links back to /community and shows code, clicks, successful referrals and total points', async () => {
    setUp();
    await screen.findByText('42');
    expect(await figure('Clicks')).toHaveTextContent('42');
    expect(await figure('Successful referrals')).toHaveTextContent('3');
    expect(await figure('Total points earned')).toHaveTextContent('1,500');
    expect(screen.getByLabelText('Your code')).toHaveValue('REF12345678');
    expect(screen.getByRole('link', { name: 'Back to community' })).toHaveAttribute('href', '/community');
  });

  it('leads on to the quests whoever has just signed up and has nothing to see here yet', async () => {
    const nothing = { ...stats, clicks: 0, successful_referrals: 0, total_points_earned: 0, held_points: 0 };
    setUp({ 'rpc get_user_referral_stats': [nothing], 'rpc list_own_referrals': [] });
    await screen.findByText('Nobody has joined with your link yet');
    expect(screen.getByRole('link', { name: 'See the open quests' })).toHaveAttribute('href', '/browse');
  });

  it('REF-01 explains the program in three steps with both bonuses, shares on X and refreshes', async () => {
    const { user, api } = setUp();
    expect(screen.getByText('You earn 500 / They earn 250')).toBeInTheDocument();
    expect(within(screen.getByRole('list', { name: 'How it works' })).getAllByRole('listitem')).toHaveLength(3);
    const share = await screen.findByRole('link', { name: 'Share on X' });
    expect(new URL(share.getAttribute('href') ?? '').searchParams.get('url')).toBe(link);

    api.routes['rpc get_user_referral_stats'] = [{ ...stats, clicks: 43 }];
    await user.click(screen.getByRole('button', { name: 'Refresh Stats' }));
    expect(await screen.findByText('43')).toBeInTheDocument();
  });

  it.each([
    [{ referred_points: 0 }, 'You earn 500', 'You get points at once'],
    [{ referrer_points: 0 }, 'They earn 250', 'They get points at once'],
    [{ referrer_points: 0, referred_points: 0 }, null, null],
  ])('REF-01 promises nobody the points of a bonus that is switched off: %o', async (settings, headline, lastStep) => {
    setUp({ 'GET app_settings': [settingsRow(settings)] });
    const steps = within(screen.getByRole('list', { name: 'How it works' }));
    await waitFor(() => expect(steps.queryByText(/^You both get points/)).not.toBeInTheDocument());
    expect(steps.queryByText(/get points at once/)?.textContent ?? null).toEqual(
      lastStep && `${lastStep}, to redeem after their first approved task.`,
    );
    expect(screen.queryByText(/^(You|They) earn/)?.textContent ?? null).toBe(headline);
  });

  it('REF-02 code and link are read-only and can be copied; the copied state lasts 2 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = setUp();
    expect(await screen.findByLabelText('Your code')).toHaveAttribute('readonly');
    expect(screen.getByLabelText('Your link')).toHaveAttribute('readonly');
    expect(screen.getByLabelText('Your link')).toHaveValue(link);

    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(link);
    await act(() => vi.advanceTimersByTimeAsync(1800));
    expect(screen.getByRole('button', { name: 'Copied' })).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(screen.getByRole('button', { name: 'Copy link' })).toBeInTheDocument();
  });

  it('REF-02 a failed copy shows the text for copying by hand', async () => {
    const { user } = setUp();
    await screen.findByLabelText('Your code');
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await user.click(screen.getByRole('button', { name: 'Copy code' }));
    expect(await screen.findByRole('alertdialog')).toHaveTextContent(
      'Failed to copy. Please manually copy: REF12345678.',
    );
  });

  it('REF-07 lists the latest 10: completed ones with points, others as Pending', async () => {
    const { api } = setUp();
    const [completed, pending, ...others] = await within(
      await screen.findByRole('region', { name: 'Latest referrals' }),
    ).findAllByRole('listitem');
    expect(completed).toHaveTextContent('+500');
    expect(within(completed as HTMLElement).getByText('Completed')).toHaveClass('text-action');
    expect(within(pending as HTMLElement).getByText('Pending')).toHaveClass('text-warning');
    expect(pending).not.toHaveTextContent('points');
    expect(others).toEqual([]);
    const asked = api.calls.find(({ path }) => path === 'rpc/list_own_referrals')?.params;
    expect(asked?.get('p_limit')).toBe('10');
  });

  it('DB-28 reads the table where the procedure is missing', async () => {
    setUp({
      'rpc get_user_referral_stats': Response.json(
        { code: 'PGRST202', message: 'Could not find the function' },
        { status: 404 },
      ),
      'GET referral_codes': [
        { user_id: 'user_other', code: 'REFOTHER1', clicks: 9, successful_referrals: 0, total_rewards_earned: 0 },
        { user_id: 'user_test', code: 'REFTABLE1', clicks: 7, successful_referrals: 1, total_rewards_earned: 500 },
      ],
    });
    expect(await screen.findByLabelText('Your code')).toHaveValue('REFTABLE1');
    expect(await figure('Clicks')).toHaveTextContent('7');
  });

  it("REF-11 creates a missing code on request, and shows the service's sentence when that fails", async () => {
    const none = { ...stats, referral_code: null, clicks: 0, successful_referrals: 0, total_points_earned: 0 };
    const { user, api } = setUp({
      'rpc get_user_referral_stats': [none],
      'rpc create_user_referral_code': refuse(500, null, 'deadlock detected'),
    });
    await user.click(await screen.findByRole('button', { name: 'Get my code' }));
    expect(await screen.findByText('Failed to create referral record')).toBeInTheDocument();

    api.routes['rpc create_user_referral_code'] = null;
    await user.click(screen.getByRole('button', { name: 'Get my code' }));
    expect(await screen.findByText('Failed to fetch created referral record')).toBeInTheDocument();

    api.routes['rpc create_user_referral_code'] = { code: 'REF12345678' };
    api.routes['rpc get_user_referral_stats'] = [stats];
    await user.click(screen.getByRole('button', { name: 'Get my code' }));
    expect(await screen.findByLabelText('Your code')).toHaveValue('REF12345678');
  });

  it('AUTH-08 shows the code as soon as the sign-in has made it', async () => {
    const none = { ...stats, referral_code: null };
    const { api, queryClient } = setUp({ 'rpc get_user_referral_stats': [none] });
    await screen.findByRole('button', { name: 'Get my code' });
    api.routes['rpc get_user_referral_stats'] = [stats];
    act(() => queryClient.setQueryData(accountQueries.profile('user_test').queryKey, profileRow()));
    expect(await screen.findByLabelText('Your code')).toHaveValue('REF12345678');
  });

  it('TRUST-14 a failed read is shown as such, with Retry', async () => {
    setUp({ 'rpc get_user_referral_stats': refuse(500, null, 'x'), 'rpc list_own_referrals': refuse(500, null, 'x') });
    expect(await screen.findByText('Your referrals could not be loaded')).toBeInTheDocument();
    expect(await screen.findByText('Your latest referrals could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('Nobody has joined with your link yet')).not.toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(2);
  });

  it('C-80 shows the held points, in total and per referral', async () => {
    setUp({ 'rpc list_own_referrals': [{ ...referral(1, 'completed'), held_points: 500 }, referral(2, 'completed')] });
    await screen.findByText('42');
    expect(await figure('Total points earned')).toHaveTextContent('500 held');
    expect(screen.getByRole('link', { name: 'When is that?' })).toHaveAttribute('href', '/rewards#held-points');
    const [held, free] = (await screen.findAllByText('A friend joined')).map((line) => line.closest('li'));
    expect(held).toHaveTextContent('500 held');
    expect(free).not.toHaveTextContent('held');
  });

  describe('the code of a friend', () => {
    const invited = { ...stats, can_be_referred: true };
    const field = () => screen.getByLabelText('Code or link of your friend');

    it('REF-05 is taken from a new member who came without the link, alone or in a link; then the bonus is named', async () => {
      const { user, api } = setUp({
        'rpc get_user_referral_stats': [invited],
        'rpc process_referral_signup': refuse(400, 'INVALID_REFERRAL_CODE', 'Invalid referral code'),
      });
      const send = await screen.findByRole('button', { name: 'Use code' });
      expect(await screen.findByText(/It brings you 250 points, to redeem after/)).toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: 'Invited by a friend? Enter their code.' }));
      expect(field()).toHaveFocus();
      await user.click(send);
      expect(field()).toHaveAccessibleDescription('Enter the code or the link that you were sent');
      await user.type(field(), 'refnobody1');
      await user.click(send);
      await waitFor(() => expect(field()).toHaveAccessibleDescription('Invalid referral code'));
      expect(field()).toHaveValue('refnobody1');

      api.routes['rpc process_referral_signup'] = { referred_reward_points: 250 };
      api.routes['rpc get_user_referral_stats'] = [stats];
      await user.clear(field());
      await user.type(field(), 'https://questboard.example/?ref=ref2345abcd');
      await user.click(send);
      const result = await screen.findByText(/You have 250 points from your invitation/);
      expect(result.closest('[role=status]')).toHaveFocus();
      const asked = api.calls.filter(({ path }) => path === 'rpc/process_referral_signup').map(({ body }) => body);
      expect(asked).toEqual([
        { p_user_id: 'user_test', p_code: 'REFNOBODY1' },
        { p_user_id: 'user_test', p_code: 'REF2345ABCD' },
      ]);
    });

    it('C-99 counts when its answer was lost and the member is referred by now', async () => {
      const { user, api } = setUp({
        'rpc get_user_referral_stats': [invited],
        'rpc process_referral_signup': () => {
          api.routes['rpc get_user_referral_stats'] = [stats];
          return offline();
        },
      });
      await user.type(await screen.findByLabelText('Code or link of your friend'), 'REF2345ABCD');
      await user.click(screen.getByRole('button', { name: 'Use code' }));
      expect(await screen.findByText('Your invitation counts')).toBeInTheDocument();
    });

    it('promises no points when the bonus is switched off', async () => {
      const { user } = setUp({
        'rpc get_user_referral_stats': [invited],
        'rpc process_referral_signup': { referred_reward_points: 0 },
        'GET app_settings': [settingsRow({ referred_points: 0 })],
      });
      await user.type(await screen.findByLabelText('Code or link of your friend'), 'REF2345ABCD');
      expect(screen.queryByText(/It brings you/)).not.toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: 'Use code' }));
      expect(await screen.findByText('Your friend sees that you have joined.')).toBeInTheDocument();
    });

    it('is not asked for while that of a link waits, nor from a member who cannot be referred any more', async () => {
      keepPendingReferral('REF2345ABCD');
      const { api, queryClient } = setUp({ 'rpc get_user_referral_stats': [invited] });
      await screen.findByLabelText('Your code');
      expect(screen.queryByText('Did a friend invite you?')).not.toBeInTheDocument();
      act(() => keepPendingReferral(null));
      expect(await screen.findByText('Did a friend invite you?')).toBeInTheDocument();
      api.routes['rpc get_user_referral_stats'] = [stats];
      await act(() => queryClient.invalidateQueries());
      await waitFor(() => expect(screen.queryByText('Did a friend invite you?')).not.toBeInTheDocument());
    });
  });

  it("opens the device's share sheet; messengers, mail and a QR code carry the link", async () => {
    const shared = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share: shared }));
    const { user } = setUp();
    await user.click(await screen.findByRole('button', { name: 'Share your link' }));
    expect(shared).toHaveBeenCalledWith(expect.objectContaining({ url: link }));
    for (const name of ['WhatsApp', 'Telegram', 'Email']) {
      const href = screen.getByRole('link', { name }).getAttribute('href') ?? '';
      expect(decodeURIComponent(href)).toContain('?ref=REF12345678');
    }
    await user.click(screen.getByRole('button', { name: 'QR code' }));
    expect(await screen.findByRole('img', { name: 'QR code of your referral link' })).toBeInTheDocument();
    vi.unstubAllGlobals();
  });
});
