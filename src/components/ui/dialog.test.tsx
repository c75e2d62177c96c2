import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';

/** A dialog with a note that is lost when it closes. */
function Example() {
  const [isOpen, setIsOpen] = useState(true);
  const [note, setNote] = useState('');
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      <Dialog isOpen={isOpen} onOpenChange={setIsOpen} title="Note" isDirty={note !== ''}>
        <textarea aria-label="Note" value={note} onChange={(event) => setNote(event.target.value)} />
        <Button onClick={() => setIsOpen(false)}>Cancel</Button>
      </Dialog>
    </>
  );
}

const note = () => screen.getByRole('textbox', { name: 'Note' });

function open() {
  const user = userEvent.setup();
  render(<Example />);
  return user;
}
type User = ReturnType<typeof open>;

it.each([
  ['Escape', (user: User) => user.keyboard('{Escape}')],
  ['the cross', (user: User) => user.click(screen.getByRole('button', { name: 'Close' }))],
])('%s asks before what has been typed is lost', async (_, close) => {
  const user = open();
  await user.type(note(), 'Two pictures are missing');
  await close(user);
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(note()).toHaveValue('Two pictures are missing');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());

  await close(user);
  await screen.findByRole('alertdialog', { name: 'Close without saving?' });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByRole('dialog', { name: 'Note' })).toBeVisible();
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});

it('Escape answers the question with no: what has been typed stays, and so does the focus', async () => {
  const user = open();
  await user.type(note(), 'Two pictures are missing');
  await user.keyboard('{Escape}');
  await screen.findByRole('alertdialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(note()).toHaveFocus());
  expect(note()).toHaveValue('Two pictures are missing');
});

it('nothing is asked while there is nothing to lose', async () => {
  const user = open();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

it('nothing is asked by a button that says what it does', async () => {
  const user = open();
  await user.type(note(), 'Two pictures are missing');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

it('scrolls to the control that Tab has reached, also from the last one to the first', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  const user = open();
  screen.getByRole('button', { name: 'Cancel' }).focus();
  await user.tab();
  const cross = screen.getByRole('button', { name: 'Close' });
  expect(cross).toHaveFocus();
  expect(scroll.mock.contexts).toEqual([cross]);
});
