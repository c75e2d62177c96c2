import { act, screen } from '@testing-library/react';
import { renderApp } from '@/lib/testing/render';
import { CopyButton } from './copy-button';

function clipboard(writeText: () => Promise<void>) {
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
}

async function press(name: string) {
  await act(async () => screen.getByRole('button', { name }).click());
}

describe('CopyButton', () => {
  it('says Copied for 2 seconds', async () => {
    vi.useFakeTimers();
    const writeText = vi.fn(() => Promise.resolve());
    renderApp(<CopyButton text="REF12345678" label="Copy code" />);
    clipboard(writeText);
    await press('Copy code');
    expect(writeText).toHaveBeenCalledWith('REF12345678');
    await act(() => vi.advanceTimersByTimeAsync(1999));
    expect(screen.getByRole('button', { name: 'Copied' })).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeInTheDocument();
  });

  it('shows the text for copying by hand when the browser refuses', async () => {
    renderApp(<CopyButton text="REF12345678" />);
    clipboard(() => Promise.reject(new Error('denied')));
    await press('Copy');
    expect(await screen.findByRole('alertdialog')).toHaveTextContent(
      'Failed to copy. Please manually copy: REF12345678.',
    );
  });
});
