import { screen } from '@testing-library/react';
import type { Role } from '@/lib/role';
import { renderApp, signedIn } from '@/lib/testing/render';
import OnboardingPage from './onboarding-page';

const flag = 'questboard.onboarding-completed.user_test';

function setUp(role: Role = 'community', path = '/onboarding') {
  const routes = [
    { path: '/onboarding', element: <OnboardingPage /> },
    { path: '*', element: <p>Somewhere else</p> },
  ];
  return renderApp(null, { identity: signedIn(role), path, routes });
}

/** Walks through the wizard and notes where each step leads. */
async function walk(role: Role) {
  const view = setUp(role);
  const targets: (string | null)[] = [];
  for (;;) {
    const [action] = screen.getAllByRole('link');
    targets.push(action?.getAttribute('href') ?? null);
    const next = screen.queryByRole('button', { name: 'Next' });
    if (!next) return { ...view, targets };
    await view.user.click(next);
  }
}

describe('onboarding wizard', () => {
  it("ONB-01 shows progress, 'Step X of N' and 'Skip for now', which does not complete it", async () => {
    const { user, router } = setUp();
    expect(screen.getByText('Step 1 of 2')).toBeInTheDocument();
    const bar = screen.getByRole('progressbar', { name: 'Progress' });
    expect(bar).toHaveAttribute('value', '1');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('Step 2 of 2')).toBeInTheDocument();
    expect(bar).toHaveAttribute('value', '2');
    await user.click(screen.getByRole('link', { name: 'Skip for now' }));
    expect(router.state.location.pathname).toBe('/community');
    expect(localStorage.getItem(flag)).toBeNull();
  });

  it('ONB-01 finishing sets the onboarding-completed flag', async () => {
    const { user, router } = await walk('community');
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    expect(localStorage.getItem(flag)).toBe('true');
    expect(router.state.location.pathname).toBe('/community');
  });

  it('ONB-02 the community goes to its first quest and its wallet', async () => {
    expect((await walk('community')).targets).toEqual(['/community', '/rewards']);
  });

  it('ONB-03 startups create profile and campaign and check their wallet', async () => {
    const steps = ['/startup/create', '/startup/campaigns/create', '/startup/wallet'];
    expect((await walk('startup_unverified')).targets).toEqual(steps);
  });

  it.each(['0', '3', '-1', '1.5', 'last', '%3Cscript%3E'])(
    'ONB-01 reads %s, which is no step, as the first',
    (step) => {
      setUp('community', `/onboarding?step=${step}`);
      expect(screen.getByText('Step 1 of 2')).toBeInTheDocument();
    },
  );

  it('keeps its step in the address', () => {
    setUp('startup_verified', '/onboarding?step=3');
    expect(screen.getByText('Step 3 of 3')).toBeInTheDocument();
  });
});
