import { render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';

async function showAt(path: string) {
  window.history.replaceState(null, '', '/quest/1');
  document.body.innerHTML =
    '<div data-first-page><a href="/browse">Back</a><div data-first-content><h1>Sent</h1></div></div>';
  vi.resetModules();
  const { FirstContent } = await import('./first-content');
  document.body.innerHTML = '';
  return (part: 'page' | 'content') =>
    render(
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route path="*" element={<FirstContent part={part} fallback={<p>Loading</p>} />} />
        </Routes>
      </MemoryRouter>,
    );
}

it("BEY-17 the prerendered text remains while the page's code and data load", async () => {
  const show = await showAt('/quest/1');
  const { unmount } = show('page');
  expect(screen.getByRole('heading', { name: 'Sent' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back' })).toBeVisible();
  expect(screen.queryByText('Loading')).toBeNull();
  unmount();
  show('content');
  expect(screen.getByRole('heading', { name: 'Sent' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Back' })).toBeNull();
});

it('another address shows its own placeholder', async () => {
  (await showAt('/quest/2'))('page');
  expect(screen.getByText('Loading')).toBeVisible();
  expect(screen.queryByText('Sent')).toBeNull();
});
