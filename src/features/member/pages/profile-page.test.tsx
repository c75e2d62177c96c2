import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow, walletRow } from '@/lib/testing/rows';
import ProfilePage from './profile-page';

function setUp(routes: Record<string, unknown> = {}, identity = signedIn()) {
  const api = fakeApi({
    'GET user_profiles': [profileRow({ user_id: 'user_other', display_name: 'Sam' }), profileRow()],
    'GET wallets': [
      walletRow({ user_id: 'user_other', points: 1 }),
      walletRow({ points: 1250, lifetime_points: 3400 }),
    ],
    'rpc get_user_referral_stats': [
      { referral_code: 'REF1', clicks: 1, successful_referrals: 2, total_points_earned: 0 },
    ],
    'rpc update_profile': profileRow({ display_name: 'Robin R.' }),
    ...routes,
  });
  return { ...renderApp(<ProfilePage />, { identity, path: '/profile' }), api };
}

async function edit(view: ReturnType<typeof setUp>, name: string) {
  await view.user.click(await screen.findByRole('button', { name: 'Edit' }));
  const field = screen.getByRole('textbox', { name: /Display name/ });
  await view.user.clear(field);
  if (name) await view.user.type(field, name);
}

describe('PROF-01 profile page', () => {
  it("shows 'Not Authenticated' with Sign In when nobody is signed in", () => {
    setUp({}, signedOut);
    expect(screen.getByRole('heading', { name: 'Not Authenticated' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toMatch(/^\/auth\/signin/);
  });

  it('shows the title, a home link, a preview card and quick stats', async () => {
    setUp();
    expect(screen.getByRole('heading', { level: 1, name: 'Edit Profile' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
    expect(await screen.findByRole('region', { name: 'Preview' })).toHaveTextContent('Robin Reed@robin');
    const stats = within(screen.getByRole('region', { name: 'Quick stats' }));
    expect((await stats.findByText('Points')).parentElement).toHaveTextContent('1,250');
    expect(stats.getByText('Player Level').parentElement).toHaveTextContent('4');
    await waitFor(() => expect(stats.getByText('Friends who joined').parentElement).toHaveTextContent('2'));
  });

  it('leads the focus to the fields that can be edited, and back to the button', async () => {
    const view = setUp();
    await view.user.click(await screen.findByRole('button', { name: 'Edit' }));
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveFocus();
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus();
    await edit(view, 'Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus());
  });

  it('C-108 shows the picture that the session has, which a stored one lags behind', async () => {
    const stored = profileRow({ avatar_url: 'https://img.clerk.com/old' });
    setUp({ 'GET user_profiles': [stored] }, signedIn('community', { imageUrl: 'https://img.clerk.com/new' }));
    const preview = await screen.findByRole('region', { name: 'Preview' });
    expect(preview.querySelector('img')).toHaveAttribute('src', 'https://img.clerk.com/new');
  });

  it('C-108 DB-12 shows the accounts that the identity provider has verified', async () => {
    setUp({ 'GET user_profiles': [profileRow({ verified_socials: { github: 'robin' } })] });
    const preview = within(await screen.findByRole('region', { name: 'Preview' }));
    const accounts = preview.getByRole('list', { name: 'Connected accounts' });
    expect(
      within(accounts)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['github robin']);
  });

  it('is read-only until Edit; Cancel restores the saved values', async () => {
    const view = setUp();
    expect(await screen.findByRole('textbox', { name: /Display name/ })).toHaveAttribute('readonly');
    expect(screen.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument();
    await edit(view, 'Somebody');
    expect(screen.getByRole('region', { name: 'Preview' })).toHaveTextContent('Somebody');
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Robin Reed');
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveAttribute('readonly');
    expect(view.api.calls.some(({ path }) => path === 'rpc/update_profile')).toBe(false);
  });
});

describe('saving the profile', () => {
  it('cannot be cancelled any more while it is on its way, which would leave the old name in a form whose new one is stored', async () => {
    const answer = Promise.withResolvers<unknown>();
    const view = setUp({ 'rpc update_profile': () => answer.promise });
    await edit(view, 'Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.api.calls.some(({ path }) => path === 'rpc/update_profile')).toBe(true));
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    answer.resolve(profileRow({ display_name: 'Robin R.' }));
    expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Robin R.');
  });

  it("PROF-04 PROF-05 saves username, display name and email, and says 'Profile updated successfully!'", async () => {
    const view = setUp();
    await edit(view, 'Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument();
    expect(view.api.calls.find(({ path }) => path === 'rpc/update_profile')?.body).toEqual({
      p_username: 'robin',
      p_display_name: 'Robin R.',
      p_email: 'robin@example.org',
    });
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Robin R.');
    expect(screen.getByRole('button', { name: 'Edit' })).toBeInTheDocument();
  });

  it('PROF-05 does not put back what another tab has saved while this one was edited', async () => {
    const view = setUp();
    view.queryClient.setDefaultOptions({ queries: { staleTime: 30_000 } });
    await edit(view, 'Robin R.');
    view.api.routes['GET user_profiles'] = [profileRow({ username: 'robin-2', display_name: 'Rob' })];
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await waitFor(() => expect(screen.getByRole('textbox', { name: /Username/ })).toHaveValue('robin-2'));
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Profile updated successfully!');
    expect(view.api.calls.find(({ path }) => path === 'rpc/update_profile')?.body).toMatchObject({
      p_username: 'robin-2',
      p_display_name: 'Robin R.',
    });
  });

  it('PROF-05 does not put back what a window beside this one has saved, of which no event tells', async () => {
    const view = setUp();
    await edit(view, 'Robin R.');
    view.api.routes['GET user_profiles'] = [profileRow({ username: 'robin-2', display_name: 'Rob' })];
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Profile updated successfully!');
    expect(view.api.calls.find(({ path }) => path === 'rpc/update_profile')?.body).toMatchObject({
      p_username: 'robin-2',
      p_display_name: 'Robin R.',
    });
  });

  it("PROF-04 C-44 says 'Failed to update profile. Please try again.' and keeps the input", async () => {
    const view = setUp({ 'rpc update_profile': refuse(500, null, 'x') });
    await edit(view, 'Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    // What is stored is looked up three times.
    const failure = await screen.findByText('Failed to update profile. Please try again.');
    expect(failure).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: /Display name/ })).toHaveValue('Robin R.');
  });

  it('PROF-04 shows nothing of a failed save once another one has succeeded', async () => {
    const view = setUp({ 'rpc update_profile': refuse(403, 'RESERVED_NAME', 'x') });
    await edit(view, 'Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    view.api.routes['rpc update_profile'] = profileRow({ display_name: 'Robin R.' });
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Profile updated successfully!');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('PROF-04 C-99 calls the profile updated when only the answer was lost', async () => {
    const view = setUp();
    await edit(view, 'Robin R.');
    Object.assign(view.api.routes, {
      'rpc update_profile': offline(),
      'GET user_profiles': [profileRow({ username: 'robin', display_name: 'Robin R.' })],
    });
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument();
    expect(screen.queryByText(/Failed to update/)).not.toBeInTheDocument();
  });

  it('keeps what is typed while the names are being saved, and goes on editing', async () => {
    const answer = Promise.withResolvers<unknown>();
    const view = setUp({ 'rpc update_profile': () => answer.promise });
    await edit(view, 'Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    const username = () => screen.getByRole('textbox', { name: /Username/ });
    await view.user.type(username(), '2');
    answer.resolve(profileRow({ display_name: 'Robin R.' }));
    await screen.findByText('Profile updated successfully!');
    await view.user.type(username(), '3');
    expect(username()).toHaveValue('robin23');
    view.api.routes['rpc update_profile'] = profileRow({ display_name: 'Robin R.', username: 'robin23' });
    await view.user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeInTheDocument();
    expect(view.api.calls.findLast(({ path }) => path === 'rpc/update_profile')?.body).toMatchObject({
      p_username: 'robin23',
    });
  });

  it("PROF-04 says 'Please sign in to update your profile' when the session has ended", async () => {
    const view = setUp({ 'rpc update_profile': refuse(401, 'UNAUTHENTICATED', 'Please sign in to continue.') });
    await edit(view, 'Robin R.');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please sign in to update your profile')).toBeInTheDocument();
  });

  it('PROF-03 marks display name and email as required, hints at verification, and does not validate them itself', async () => {
    const view = setUp();
    await edit(view, '');
    const email = screen.getByRole('textbox', { name: /Email/ });
    expect(screen.getByRole('textbox', { name: /Display name/ })).toBeRequired();
    expect(email).toBeRequired();
    expect(email).toHaveAccessibleDescription(/requires verification/);
    expect(screen.getByRole('textbox', { name: /Username/ })).not.toBeRequired();
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(view.api.calls.some(({ path }) => path === 'rpc/update_profile')).toBe(true));
  });

  it('C-65 says that an unverified address is not stored yet', async () => {
    const view = setUp({ 'rpc update_profile': profileRow() });
    await view.user.click(await screen.findByRole('button', { name: 'Edit' }));
    const email = screen.getByRole('textbox', { name: /Email/ });
    await view.user.clear(email);
    await view.user.type(email, 'new@example.org');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/stays robin@example.org until new@example.org is verified/)).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: /Email/ })).toHaveValue('robin@example.org');
  });

  it('TRUST-14 shows no form when the profile failed to load', async () => {
    setUp({ 'GET user_profiles': refuse(500, null, 'x') });
    expect(await screen.findByText('Your profile could not be loaded')).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });
});
