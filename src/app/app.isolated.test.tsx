import { render, screen } from '@testing-library/react';
import { ErrorBoundary } from 'react-error-boundary';

it('the app names a missing variable instead of showing nothing', async () => {
  vi.stubEnv('VITE_SUPABASE_URL', '');
  vi.stubEnv('VITE_SUPABASE_ANON_KEY', '');
  // The environment is read once.
  vi.resetModules();
  const { App } = await import('./root');
  const { ErrorPage } = await import('./pages/error-page');
  const app = (
    <ErrorBoundary FallbackComponent={ErrorPage}>
      <App />
    </ErrorBoundary>
  );
  render(app, { onCaughtError: () => undefined });
  expect(
    screen.getByText(
      'Questboard is not configured: VITE_SUPABASE_URL is missing, VITE_SUPABASE_ANON_KEY is missing. See .env.example.',
    ),
  ).toBeInTheDocument();
});
