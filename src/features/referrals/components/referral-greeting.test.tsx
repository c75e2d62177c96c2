import { screen, waitFor } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn, signedOut } from '@/lib/testing/render';
import { readPendingReferral } from '../referral-link';
import { ReferralGreeting } from './referral-greeting';

function setUp(
  answer: unknown,
  path = '/?ref=REFGREETED',
  identity: ReturnType<typeof signedIn> | typeof signedOut = signedOut,
) {
  const api = fakeApi({ 'rpc get_referral_greeting': answer, 'rpc track_referral_click': true });
  return { ...renderApp(<ReferralGreeting />, { identity, path }), api };
}
const greetingsAsked = ({ calls }: ReturnType<typeof fakeApi>) =>
  calls.filter(({ path }) => path === 'rpc/get_referral_greeting').map(({ body }) => body);
const greeting = { inviter_name: 'Robin***ler', referred_points: 250 };

describe('the referral greeting', () => {
  it("REF-04 shows the referrer's masked name and the bonus, and links to sign-up", async () => {
    const { api } = setUp(greeting);
    const section = await screen.findByRole('region', { name: 'Your invitation' });
    expect(section).toHaveTextContent('Robin***ler invites you to Questboard. You get 250 points for joining');
    expect(screen.getByRole('link', { name: 'Join Community' })).toHaveAttribute('href', '/auth/signup');
    expect(greetingsAsked(api)).toEqual([{ p_code: 'REFGREETED' }]);
  });

  it('promises no points when there are none', async () => {
    setUp({ ...greeting, referred_points: 0 });
    expect(await screen.findByRole('region', { name: 'Your invitation' })).not.toHaveTextContent('points');
  });

  it('is not shown for an invalid code', async () => {
    const { api, container } = setUp({ ...greeting, inviter_name: null });
    await waitFor(() => expect(greetingsAsked(api)).toHaveLength(1));
    await waitFor(() => expect(container.querySelector('[class*=bg-points-soft]')).toBeNull());
    expect(screen.queryByRole('region', { name: 'Your invitation' })).not.toBeInTheDocument();
  });

  it('requests nothing without a link', async () => {
    const { api } = setUp(greeting, '/');
    await requestsSent();
    expect(api.calls).toEqual([]);
  });

  it('asks for no greeting of members', async () => {
    const { api } = setUp(greeting, '/?ref=REFGREETED', signedIn());
    await requestsSent();
    expect(greetingsAsked(api)).toEqual([]);
  });

  it("REF-04 keeps a link's code and counts its click", async () => {
    // A code of its own: a page load counts a click once, and all files of a run share one.
    const { api } = setUp(greeting, '/?ref=REFKEPT');
    await waitFor(() =>
      expect(api.calls.find(({ path }) => path === 'rpc/track_referral_click')?.body).toEqual({ p_code: 'REFKEPT' }),
    );
    expect(readPendingReferral()).toBe('REFKEPT');
  });
});
