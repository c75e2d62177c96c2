import { screen } from '@testing-library/react';
import { EnvError } from '@/lib/env';
import { renderApp } from '@/lib/testing/render';
import { expectConsoleError } from '@/lib/testing/setup';
import { ErrorPage, RouteErrorPage } from './error-page';

function Broken(): never {
  throw new Error('secret detail');
}

describe('the error page', () => {
  it('ERR-05 replaces a page that broke while rendering, without showing the raw error', async () => {
    expectConsoleError(/secret detail|React Router|error boundary/i);
    renderApp(null, { routes: [{ path: '/', element: <Broken />, errorElement: <RouteErrorPage /> }] });
    expect(await screen.findByRole('heading', { name: 'Oops! Something went wrong.' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/');
    expect(screen.queryByText(/secret detail/)).not.toBeInTheDocument();
  });

  it('names the missing variable when the app is not configured', () => {
    renderApp(<ErrorPage error={new EnvError('VITE_SUPABASE_URL is missing')} />);
    expect(screen.getByText('VITE_SUPABASE_URL is missing')).toBeInTheDocument();
  });
});
