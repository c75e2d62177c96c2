import { screen, waitFor } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn, signedOut } from '@/lib/testing/render';
import { ReferralGreeting } from './referral-greeting';

function setUp(
  answer: unknown,
  path = '/?ref=REF12345678',
  identity: ReturnType<typeof signedIn> | typeof signedOut = signedOut,
) {
  const api = fakeApi({ 'rpc get_referral_greeting': answer });
  return { ...renderApp(<ReferralGreeting />, { identity, path }), api };
}
const greeting = { inviter_name: 'Robin***ler', referred_points: 250 };

describe('the referral greeting', () => {
  it("REF-04 shows the referrer's masked name and the bonus, and links to sign-up", async () => {
    const { api } = setUp(greeting);
    const section = await screen.findByRole('region', { name: 'Your invitation' });
    expect(section).toHaveTextContent('Robin***ler invites you to Questboard. You get 250 points for joining');
    expect(screen.getByRole('link', { name: 'Join Community' })).toHaveAttribute('href', '/auth/signup');
    expect(api.calls[0]?.body).toEqual({ p_code: 'REF12345678' });
  });

  it('promises no points when there are none', async () => {
    setUp({ ...greeting, referred_points: 0 });
    expect(await screen.findByRole('region', { name: 'Your invitation' })).not.toHaveTextContent('points');
  });

  it('is not shown for an invalid code', async () => {
    const { api, container } = setUp({ ...greeting, inviter_name: null });
    await waitFor(() => expect(api.calls).toHaveLength(1));
    await waitFor(() => expect(container.querySelector('[class*=bg-points-soft]')).toBeNull());
    expect(screen.queryByRole('region', { name: 'Your invitation' })).not.toBeInTheDocument();
  });

  it('requests nothing without a link, and nothing for members', async () => {
    const withoutLink = setUp(greeting, '/');
    await requestsSent();
    expect(withoutLink.api.calls).toEqual([]);
    const member = setUp(greeting, '/?ref=REF12345678', signedIn());
    await requestsSent();
    expect(member.api.calls).toEqual([]);
  });
});
