import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { AppError } from '@/lib/errors';
import { renderApp } from '@/lib/testing/render';
import { ConfirmDialog } from './alert-dialogs';

function Example({ onConfirm }: { onConfirm: () => unknown }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      title="Delete “Try our app”?"
      consequence="Its tasks and submissions are removed."
      confirmLabel="Delete quest"
      onConfirm={onConfirm}
    />
  );
}

describe('ConfirmDialog', () => {
  it('names the subject and the consequence, and closes on success', async () => {
    const onConfirm = vi.fn(() => Promise.resolve());
    const { user } = renderApp(<Example onConfirm={onConfirm} />);
    const dialog = screen.getByRole('alertdialog', { name: 'Delete “Try our app”?' });
    expect(dialog).toHaveAccessibleDescription('Its tasks and submissions are removed.');
    await user.click(screen.getByRole('button', { name: 'Delete quest' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('stays open and says why on failure', async () => {
    const refuse = () => Promise.reject(new AppError('FORBIDDEN', 'Forbidden', 403));
    const { user } = renderApp(<Example onConfirm={refuse} />);
    await user.click(screen.getByRole('button', { name: 'Delete quest' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Forbidden');
    expect(screen.getByRole('alertdialog')).toBeInTheDocument();
  });

  it('does not run the action twice while it is pending', async () => {
    const onConfirm = vi.fn(() => new Promise(() => undefined));
    const { user } = renderApp(<Example onConfirm={onConfirm} />);
    const button = screen.getByRole('button', { name: 'Delete quest' });
    await user.dblClick(button);
    expect(onConfirm).toHaveBeenCalledOnce();
    expect(button).toHaveAttribute('aria-busy', 'true');
  });
});
