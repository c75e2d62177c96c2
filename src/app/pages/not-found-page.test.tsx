import { act, screen } from '@testing-library/react';
import type { Role } from '@/lib/role';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { AuthNotConfiguredPage } from './auth-not-configured-page';
import { NotFoundPage } from './not-found-page';
import PricingPage from './pricing-page';

const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

describe('the 404 page', () => {
  it('ROUTE-19 says so in these words', () => {
    renderApp(<NotFoundPage />, { path: '/nope' });
    expect(screen.getByRole('heading', { name: 'Page Not Found' })).toBeInTheDocument();
    expect(screen.getByText('Error Code: 404 - Resource Not Found')).toBeInTheDocument();
  });

  it.each<[Role, string]>([
    ['admin', '/admin'],
    ['startup_unverified', '/startup'],
    ['startup_verified', '/startup'],
    ['community', '/community'],
  ])('ROUTE-20 Go to Dashboard leads %s to %s', (role, home) => {
    renderApp(<NotFoundPage />, { identity: signedIn(role) });
    expect(hrefOf('Go to Dashboard')).toBe(home);
  });

  it('ROUTE-20 ROUTE-21 a visitor gets Home, Browse Quests and Sign In', () => {
    renderApp(<NotFoundPage />, { identity: signedOut });
    expect(hrefOf('Go to Dashboard')).toBe('/');
    expect(hrefOf('Home')).toBe('/');
    expect(hrefOf('Browse Quests')).toBe('/browse');
    expect(hrefOf('Sign In')).toBe('/auth/signin');
    expect(screen.queryByRole('link', { name: 'Profile' })).not.toBeInTheDocument();
  });

  it('ROUTE-21 a member gets Profile and Settings instead of Sign In', () => {
    renderApp(<NotFoundPage />, { identity: signedIn() });
    expect(hrefOf('Profile')).toBe('/profile');
    expect(hrefOf('Settings')).toBe('/settings');
    expect(screen.queryByRole('link', { name: 'Sign In' })).not.toBeInTheDocument();
  });

  it('ROUTE-21 Go Back steps back in history', async () => {
    const routes = [
      { path: '/browse', element: <p>the hub</p> },
      { path: '*', element: <NotFoundPage /> },
    ];
    const { user, router } = renderApp(null, { routes, path: '/browse' });
    await act(() => router.navigate('/nope'));
    await user.click(await screen.findByRole('button', { name: 'Go Back' }));
    expect(await screen.findByText('the hub')).toBeInTheDocument();
  });
});

it('ROUTE-18 the auth pages say that browsing still works', () => {
  renderApp(<AuthNotConfiguredPage />);
  expect(screen.getByRole('heading', { name: 'Authentication Not Configured' })).toBeInTheDocument();
  expect(screen.getByText(/Browsing still works/)).toBeInTheDocument();
});

it('ROUTE-05 C-28 pricing is a placeholder', () => {
  renderApp(<PricingPage />);
  expect(screen.getByRole('heading', { name: 'Pricing - Coming Soon' })).toBeInTheDocument();
});
