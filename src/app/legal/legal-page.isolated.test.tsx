import { screen } from '@testing-library/react';
import { renderApp } from '@/lib/testing/render';
import LegalPage from './legal-page';

describe('the legal texts', () => {
  it.each([
    ['privacy', 'Privacy policy'],
    ['terms', 'Terms of use'],
    ['cookies', 'Cookie policy'],
  ] as const)('%s has a title and a date', (text, title) => {
    const { container } = renderApp(<LegalPage text={text} />);
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    const date = container.querySelector('time');
    expect(date).toHaveAttribute('datetime', expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/));
    expect(date?.textContent).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
  });

  it('the privacy policy names the processors, the retention periods and how to delete the data', () => {
    renderApp(<LegalPage text="privacy" />);
    for (const name of ['Clerk', 'Supabase', 'Stripe', 'Resend']) {
      expect(screen.getByText(new RegExp(`^${name}`))).toBeInTheDocument();
    }
    // As in private.remove_expired().
    for (const term of [
      'Usage statistics: 90 days.',
      'When you first opened a quest: 90 days.',
      'Notifications: 180 days.',
      'A postal address: 90 days after the reward was sent.',
      'Feedback from visitors without an account: one year.',
      'An address that was entered for our news and never confirmed: 7 days.',
    ]) {
      expect(screen.getByText(term)).toBeInTheDocument();
    }
    expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings');
    expect(screen.getByText(/under Manage account/)).toBeInTheDocument();
  });

  it('TRUST-28 the privacy policy mentions error tracking where it is configured', async () => {
    const { unmount } = renderApp(<LegalPage text="privacy" />);
    expect(screen.queryByText(/error tracking/)).not.toBeInTheDocument();
    unmount();
    vi.stubEnv('VITE_SENTRY_DSN', 'https://key@o1.ingest.example/1');
    vi.resetModules();
    const { default: TrackedPage } = await import('./legal-page');
    const { renderApp: renderAgain } = await import('@/lib/testing/render');
    renderAgain(<TrackedPage text="privacy" />);
    expect(screen.getByText(/error tracking service is told when something on the site breaks/)).toBeInTheDocument();
  });

  it('the responsible party comes from the configuration; without it none is named', async () => {
    const { unmount } = renderApp(<LegalPage text="terms" />);
    expect(screen.getByText(/Share Feedback in your menu/)).toBeInTheDocument();
    expect(screen.queryByText(/is run by/)).not.toBeInTheDocument();
    unmount();

    vi.stubEnv('VITE_LEGAL_NAME', 'Harbour Works Ltd');
    vi.stubEnv('VITE_LEGAL_ADDRESS', '1 Quay, Porttown');
    vi.stubEnv('VITE_LEGAL_EMAIL', 'legal@harbour.example');
    // The environment is read once.
    vi.resetModules();
    const { default: ConfiguredPage } = await import('./legal-page');
    const { renderApp: renderAgain } = await import('@/lib/testing/render');
    renderAgain(<ConfiguredPage text="terms" />);
    expect(screen.getByText(/Questboard is run by Harbour Works Ltd, 1 Quay, Porttown\./)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'legal@harbour.example' })).toHaveAttribute(
      'href',
      'mailto:legal@harbour.example',
    );
  });
});
