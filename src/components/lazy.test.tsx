import { screen } from '@testing-library/react';
import { type ComponentType, useState } from 'react';
import { renderApp } from '@/lib/testing/render';
import { expectConsoleError } from '@/lib/testing/setup';
import { lazyDialog } from './lazy-dialog';

type Props = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

function Page({ Dialog }: { Dialog: ComponentType<Props> }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Submit proof
      </button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} />
    </>
  );
}

it('BEY-12 a dialog whose code could not be fetched is fetched again with the next press', async () => {
  expectConsoleError(/Failed to fetch dynamically imported module/);
  let isOnline = false;
  const Dialog = lazyDialog<Props>(async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: ({ isOpen }: Props) => isOpen && <p>Your proof</p> };
  });
  const { user } = renderApp(<Page Dialog={Dialog} />);
  await user.click(screen.getByRole('button', { name: 'Submit proof' }));
  expect(await screen.findByText(/Please try again, or reload the page/)).toBeInTheDocument();
  isOnline = true;
  await user.click(screen.getByRole('button', { name: 'Submit proof' }));
  expect(await screen.findByText('Your proof')).toBeInTheDocument();
});
