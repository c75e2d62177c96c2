import { screen } from '@testing-library/react';
import { type ComponentType, type ReactElement, useState } from 'react';
import { renderApp } from '@/lib/testing/render';
import { expectConsoleError } from '@/lib/testing/setup';
import { lazyOverlay } from './lazy-overlay';

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
  const Dialog = lazyOverlay<Props>(async () => {
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

type MenuProps = Props & { trigger: ReactElement };

function Corner({ Menu }: { Menu: ComponentType<MenuProps> }) {
  const [isOpen, setIsOpen] = useState(false);
  return <Menu isOpen={isOpen} onOpenChange={setIsOpen} trigger={<button type="button">Your menu</button>} />;
}

it('BEY-12 the trigger of a menu stays while its code cannot be fetched, and works with the next press', async () => {
  expectConsoleError(/Failed to fetch dynamically imported module/);
  let isOnline = false;
  const Menu = lazyOverlay<MenuProps>(async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: ({ isOpen, trigger }: MenuProps) => [trigger, isOpen && <p key="menu">Settings</p>] };
  });
  const { user } = renderApp(<Corner Menu={Menu} />);
  const trigger = () => screen.getByRole('button', { name: 'Your menu' });
  expect(trigger()).toHaveAttribute('aria-expanded', 'false');
  await user.click(trigger());
  expect(await screen.findByText(/Please try again, or reload the page/)).toBeInTheDocument();
  isOnline = true;
  await user.click(trigger());
  expect(await screen.findByText('Settings')).toBeInTheDocument();
});

type QuestionProps = Props & { title: string };

function List({ Question }: { Question: ComponentType<QuestionProps> }) {
  const [deleting, setDeleting] = useState<string | null>(null);
  return (
    <>
      <button type="button" onClick={() => setDeleting('Mug')}>
        Delete
      </button>
      <Question isOpen={deleting !== null} onOpenChange={() => setDeleting(null)} title={`Delete ${deleting}?`} />
    </>
  );
}

it('a dialog that closes is not shown for a moment without what it was about', async () => {
  const shown: string[] = [];
  const Question = lazyOverlay<QuestionProps>(async () => ({
    default: ({ isOpen, onOpenChange, title }: QuestionProps) => {
      if (!isOpen) return null;
      shown.push(title);
      return (
        <button type="button" onClick={() => onOpenChange(false)}>
          Cancel
        </button>
      );
    },
  }));
  const { user } = renderApp(<List Question={Question} />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
  expect(new Set(shown)).toEqual(new Set(['Delete Mug?']));
});
