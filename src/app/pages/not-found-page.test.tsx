import { act, screen, waitFor, within } from '@testing-library/react';
import { questListItem } from '@/features/quests/testing/samples';
import type { Role } from '@/lib/role';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import NotFoundPage from './not-found-page';
import PricingPage from './pricing-page';

const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const otherPages = () =>
  within(screen.getByRole('navigation', { name: 'Other pages' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

describe('the 404 page', () => {
  beforeEach(() => {
    fakeApi({ 'rpc list_published_quests': [], 'rpc get_own_quest_states': [] });
  });

  it('suggests up to three open quests', async () => {
    const api = fakeApi({ 'rpc list_published_quests': [questListItem({ id: 'q1', title: 'Draw the harbour' })] });
    renderApp(<NotFoundPage />);
    expect(await screen.findByRole('link', { name: 'Draw the harbour' })).toHaveAttribute('href', '/browse/quest/q1');
    const [call] = api.calls;
    expect([call?.params.get('p_limit'), call?.params.get('p_view')]).toEqual(['3', 'open']);
  });

  it("BEY-21 the quests show the member's progress", async () => {
    fakeApi({
      'rpc list_published_quests': [questListItem({ id: 'q1', title: 'Draw the harbour' })],
      'rpc get_own_quest_states': [{ campaign_id: 'q1', state: 'complete' }],
    });
    renderApp(<NotFoundPage />, { identity: signedIn() });
    expect(await screen.findByText('Done')).toBeInTheDocument();
    expect(screen.queryByText('Join Quest')).not.toBeInTheDocument();
  });

  it('is complete without quests when they cannot be loaded', async () => {
    const api = fakeApi({ 'rpc list_published_quests': offline() });
    const { queryClient } = renderApp(<NotFoundPage />);
    await waitFor(() => expect([api.calls.length, queryClient.isFetching()]).toEqual([1, 0]));
    expect(screen.getByRole('heading', { name: 'Page Not Found' })).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('ROUTE-19 shows the specified sentence', () => {
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
    expect(otherPages()).toEqual([
      ['Home', '/'],
      ['Browse Quests', '/browse'],
      ['Sign In', '/auth/signin'],
    ]);
  });

  it('ROUTE-21 shows a member Profile and Settings instead of Sign In', () => {
    renderApp(<NotFoundPage />, { identity: signedIn() });
    expect(otherPages()).toEqual([
      ['Home', '/'],
      ['Browse Quests', '/browse'],
      ['Profile', '/profile'],
      ['Settings', '/settings'],
    ]);
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

it('ROUTE-05 C-28 pricing is a placeholder', () => {
  renderApp(<PricingPage />);
  expect(screen.getByRole('heading', { name: 'Pricing - Coming Soon' })).toBeInTheDocument();
});
