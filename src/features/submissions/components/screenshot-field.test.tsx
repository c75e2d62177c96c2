import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { fakeApi } from '@/lib/testing/fake-api';
import { questRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { browserPictures, fakeUploads } from '../testing/fake-upload';
import { ProofDialog } from './task-actions';

// Lazy-loaded, which on a busy machine takes longer than a test waits.
beforeAll(ProofDialog.preload);
beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

function Harness() {
  const [isOpen, setIsOpen] = useState(true);
  const task = taskRow({ proof_type: 'screenshot' });
  return <ProofDialog task={task} quest={questRow()} userId="user_test" isOpen={isOpen} onOpenChange={setIsOpen} />;
}
const show = () => renderApp(<Harness />, { identity: signedIn() });
const png = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], 'shot.png', { type: 'image/png' });

it('QUEST-16 a picture that is dropped beside its field does not take the place of the page', async () => {
  fakeApi({});
  const { user } = show();
  // False: the browser's own answer, which opens the file, was prevented.
  expect([fireEvent.dragOver(document.body), fireEvent.drop(document.body)]).toEqual([false, false]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(fireEvent.drop(document.body)).toBe(true);
});

it('QUEST-16 the focus follows the picture: to removing one that was chosen, to choosing after it was removed', async () => {
  fakeUploads();
  browserPictures({ canDecode: true });
  fakeApi({});
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'Choose image' }));
  await user.upload(screen.getByLabelText('Screenshot'), png);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel upload' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Choose image' })).toHaveFocus());
});
