import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from './button';
import { AlertCancel, AlertDialog, Dialog } from './dialog';

/** Opened by state, like all dialogs of the app; the second one has a control with autoFocus. */
function Example() {
  const [open, setOpen] = useState<'plain' | 'form' | 'alert' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen('plain')}>Open plain</Button>
      <Button onClick={() => setOpen('form')}>Open form</Button>
      <Button onClick={() => setOpen('alert')}>Open alert</Button>
      <Dialog isOpen={open === 'plain'} onOpenChange={close} title="Plain">
        Text
      </Dialog>
      {open === 'form' && (
        <Dialog isOpen onOpenChange={close} title="Form">
          <input autoFocus aria-label="Reason" />
        </Dialog>
      )}
      <AlertDialog
        isOpen={open === 'alert'}
        onOpenChange={close}
        title="Alert"
        description="Sure?"
        actions={
          <AlertCancel>
            <Button>Cancel</Button>
          </AlertCancel>
        }
      />
    </>
  );
}

it.each(['plain', 'form', 'alert'])(
  'a closed dialog (%s) returns the focus to the element that opened it, which may have left the window',
  async (kind) => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    const user = userEvent.setup();
    render(<Example />);
    const opener = screen.getByRole('button', { name: `Open ${kind}` });
    await user.click(opener);
    expect(opener).not.toHaveFocus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(opener).toHaveFocus());
    // Without a layout everything is outside the window.
    expect(scroll.mock.contexts).toEqual([opener]);
  },
);

/** Like a list whose last thing is deleted: the button goes with it. */
function Deleting() {
  const [step, setStep] = useState<'list' | 'asking' | 'done'>('list');
  return (
    <main id="main" tabIndex={-1}>
      {step !== 'done' && <Button onClick={() => setStep('asking')}>Delete</Button>}
      <AlertDialog
        isOpen={step === 'asking'}
        onOpenChange={() => setStep('list')}
        title="Delete it?"
        description="Sure?"
        actions={<Button onClick={() => setStep('done')}>Yes</Button>}
      />
    </main>
  );
}

it('a closed dialog gives the focus to the page when what opened it has gone', async () => {
  const user = userEvent.setup();
  render(<Deleting />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

/** Like a task's card, and like a quest's among one's own: what was sent takes the button that opened the form with it. */
function Sending({ isFocusable }: { isFocusable: boolean }) {
  const [step, setStep] = useState<'open' | 'writing' | 'sent'>('open');
  return (
    <main id="main" tabIndex={-1}>
      <ul>
        <li aria-label="Task" tabIndex={isFocusable ? -1 : undefined}>
          <a href="/elsewhere">Elsewhere</a>
          {step !== 'sent' && <Button onClick={() => setStep('writing')}>Appeal</Button>}
          <Dialog isOpen={step === 'writing'} onOpenChange={() => setStep('open')} title="Appeal">
            <Button onClick={() => setStep('sent')}>Send</Button>
          </Dialog>
        </li>
      </ul>
    </main>
  );
}

it.each([
  ['that can have it', true, () => screen.getByRole('listitem', { name: 'Task' })],
  ['whose first control is a link', false, () => screen.getByRole('link', { name: 'Elsewhere' })],
])('keeps the focus in the list item %s when what opened a dialog in it has gone', async (_, isFocusable, target) => {
  const user = userEvent.setup();
  render(<Sending isFocusable={isFocusable} />);
  await user.click(screen.getByRole('button', { name: 'Appeal' }));
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(target()).toHaveFocus());
});

/** Like a person's details: the answer replaces the button that asked. */
function Lifting() {
  const [step, setStep] = useState<'suspended' | 'asking' | 'lifted'>('suspended');
  return (
    <main id="main" tabIndex={-1}>
      <Dialog isOpen onOpenChange={() => {}} title="Robin">
        {step !== 'lifted' && <Button onClick={() => setStep('asking')}>Lift suspension</Button>}
        {step === 'asking' && (
          <Dialog isOpen onOpenChange={() => setStep('suspended')} title="Lift it?">
            <Button onClick={() => setStep('lifted')}>Yes</Button>
          </Dialog>
        )}
      </Dialog>
    </main>
  );
}

it('keeps the focus in the dialog that is still open when what opened the second one has gone', async () => {
  const user = userEvent.setup();
  render(<Lifting />);
  await user.click(screen.getByRole('button', { name: 'Lift suspension' }));
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  await waitFor(() =>
    expect(screen.getByRole('dialog', { name: 'Robin' })).toContainElement(document.activeElement as HTMLElement),
  );
});
