import { onlineManager } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { renderApp } from '@/lib/testing/render';
import { lazyPage } from '../lazy-page';
import { RouteErrorPage } from '../pages/error-page';
import { NavigationProgress, PageBoundary } from './page-boundary';

function Broken(): never {
  throw new Error('a page of ours broke');
}

/** A layout with a loaded page and one whose code loads, or fails to load, on demand. */
function open() {
  let arrive = () => {};
  let fail = (_error: Error) => {};
  const Late = lazyPage(
    () =>
      new Promise<{ default: () => React.ReactNode }>((resolve, reject) => {
        arrive = () => resolve({ default: () => <h1>the late page</h1> });
        fail = reject;
      }),
  );
  const frame = (
    <>
      <NavigationProgress />
      <p>the frame</p>
      <PageBoundary>
        <Outlet />
      </PageBoundary>
    </>
  );
  const children = [
    { path: '/', element: <h1>the first page</h1> },
    { path: '/late', element: <Late /> },
    { path: '/broken', element: <Broken /> },
  ];
  const view = renderApp(null, { routes: [{ element: frame, errorElement: <RouteErrorPage />, children }] });
  return { ...view, arrive: () => act(async () => arrive()), fail: (error: Error) => act(async () => fail(error)) };
}

const announcement = () => screen.queryByText('Loading page');

describe('a loading page', () => {
  it('is announced at once, while the previous page remains', async () => {
    const { router, arrive } = open();
    expect(announcement()).not.toBeInTheDocument();
    await act(() => router.navigate('/late'));
    expect(screen.getByRole('status')).toHaveTextContent('Loading page');
    expect(screen.getByRole('heading')).toHaveTextContent('the first page');
    await arrive();
    expect(screen.getByRole('heading')).toHaveTextContent('the late page');
    expect(announcement()).not.toBeInTheDocument();
  });

  it('that fails to load says so inside the frame; other pages can be opened', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { router, fail } = open();
    await act(() => router.navigate('/late'));
    await fail(new TypeError('Failed to fetch dynamically imported module'));
    expect(screen.getByRole('alert')).toHaveTextContent('This page could not be loaded');
    expect(screen.getByText('the frame')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
    await act(() => router.navigate('/'));
    expect(screen.getByRole('heading')).toHaveTextContent('the first page');
  });

  it('says that the browser is offline', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { router, fail } = open();
    await act(() => router.navigate('/late'));
    await fail(new TypeError('Failed to fetch dynamically imported module'));
    expect(screen.getByRole('alert')).toHaveTextContent('You are offline');
  });

  it('says so as well when the browser notices it later', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { router, fail } = open();
    await act(() => router.navigate('/late'));
    await fail(new TypeError('Failed to fetch dynamically imported module'));
    expect(screen.getByRole('alert')).not.toHaveTextContent('You are offline');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByRole('alert')).toHaveTextContent('You are offline');
    // Its state outlives the page, and would hold back the calls of later tests.
    onlineManager.setOnline(true);
  });

  it("ERR-05 a page that breaks while rendering still gets the app's fallback", async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { router } = open();
    await act(() => router.navigate('/broken'));
    expect(screen.getByRole('heading')).toHaveTextContent('Oops! Something went wrong.');
    expect(screen.queryByText('the frame')).not.toBeInTheDocument();
  });
});
