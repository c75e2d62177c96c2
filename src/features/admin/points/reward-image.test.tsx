import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { Tables } from '@/types/database';
import { RewardDialog } from './reward-dialog';

const fileId = '11111111-2222-4333-8444-555555555555';
const upload = `POST /storage/v1/object/reward-images/${fileId}.png`;
const address = `http://supabase.test/storage/v1/object/public/reward-images/${fileId}.png`;
/** A newly chosen file: one that was uploaded is not uploaded again. */
const picture = () => new File(['picture'], 'mug.png', { type: 'image/png' });
const mug: Tables<'rewards'> = {
  id: 'reward-1',
  title: 'Mug',
  description: 'For coffee.',
  points_cost: 500,
  cash_value_cents: null,
  image_url: 'https://example.org/old.png',
  is_active: true,
  stock_quantity: 3,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  delivery: 'other',
};

beforeEach(() => {
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(fileId);
  // Missing in jsdom.
  vi.stubGlobal('createImageBitmap', async () => ({ close: () => undefined }));
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = () => undefined;
});

async function open(answers: Record<string, unknown> = {}) {
  const api = fakeApi({ [upload]: { Key: 'x' }, 'rpc save_reward': { id: 'reward-1' }, ...answers });
  const onClose = vi.fn();
  const view = renderApp(<RewardDialog reward={mug} onClose={onClose} />, { identity: signedIn('admin') });
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit “Mug”' }));
  const saved = () => api.calls.find(({ path }) => path === 'rpc/save_reward')?.body;
  const shown = () => document.querySelector('[role=dialog] img')?.getAttribute('src');
  return { ...view, api, dialog, onClose, saved, shown };
}
type Opened = Awaited<ReturnType<typeof open>>;
const choose = ({ user, dialog }: Opened, file: File) => user.upload(dialog.getByLabelText('Picture'), file);
const save = ({ user, dialog }: Opened) => user.click(dialog.getByRole('button', { name: 'Save reward' }));

describe("C-45 a reward's image", () => {
  it('is previewed before the upload, and uploaded before the reward is saved with its address', async () => {
    const view = await open();
    expect(view.shown()).toBe('https://example.org/old.png');
    await choose(view, picture());
    // Once it has been read.
    await waitFor(() => expect(view.shown()).toBe('blob:preview'));
    expect(view.api.calls).toEqual([]);
    await save(view);
    await waitFor(() => expect(view.onClose).toHaveBeenCalled());
    expect(view.api.calls.slice(0, 2).map(({ path }) => path)).toEqual([upload.slice(5), 'rpc/save_reward']);
    expect(view.saved()).toMatchObject({ p_reward_id: 'reward-1', p_reward: { image_url: address } });
  });

  it('says why the upload failed, saves nothing and keeps the choice for another try', async () => {
    const view = await open({ [upload]: refuse(400, null, 'The object exceeded the maximum allowed size') });
    await choose(view, picture());
    await save(view);
    expect(await view.dialog.findByRole('alert')).toBeInTheDocument();
    expect(view.saved()).toBeUndefined();
    expect(view.onClose).not.toHaveBeenCalled();
    view.api.routes[upload] = { Key: 'x' };
    await save(view);
    await waitFor(() => expect(view.saved()).toMatchObject({ p_reward: { image_url: address } }));
  });

  it('C-99 says that nothing is saved when the upload was cut off', async () => {
    const view = await open({ [upload]: offline() });
    await choose(view, picture());
    await save(view);
    expect(await view.dialog.findByRole('alert')).toHaveTextContent('so nothing has been saved');
    expect(view.saved()).toBeUndefined();
  });

  it('must be readable: a file that only has the name of a picture is refused, and the previous one stays', async () => {
    const view = await open();
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not decodable')));
    await choose(view, picture());
    expect(await view.dialog.findByText(/We could not read this image/)).toBeVisible();
    expect(view.shown()).toBe('https://example.org/old.png');
  });

  it('says why saving failed after the upload', async () => {
    const view = await open({ 'rpc save_reward': refuse(404, 'REWARD_NOT_FOUND', 'Reward not found') });
    await choose(view, picture());
    await save(view);
    expect(await view.dialog.findByRole('alert')).toHaveTextContent('Reward not found');
    expect(view.onClose).not.toHaveBeenCalled();
  });

  it('is the one chosen last, also when checking the one before takes longer', async () => {
    const view = await open();
    const first = Promise.withResolvers<{ close: () => void }>();
    vi.stubGlobal('createImageBitmap', ({ name }: File) =>
      name === 'large.png' ? first.promise : Promise.resolve({ close: () => undefined }),
    );
    URL.createObjectURL = (file) => `blob:${(file as File).name}`;
    await choose(view, new File(['large'], 'large.png', { type: 'image/png' }));
    await choose(view, picture());
    await waitFor(() => expect(view.shown()).toBe('blob:mug.png'));
    await act(async () => first.resolve({ close: () => undefined }));
    expect(view.shown()).toBe('blob:mug.png');
  });

  it('is not left out when the reward is saved while it is still being read', async () => {
    const view = await open();
    const reading = Promise.withResolvers<{ close: () => void }>();
    vi.stubGlobal('createImageBitmap', () => reading.promise);
    await choose(view, picture());
    await save(view);
    await view.user.type(view.dialog.getByLabelText(/Title/), '{Enter}');
    expect(view.saved()).toBeUndefined();
    await act(async () => reading.resolve({ close: () => undefined }));
    await save(view);
    await waitFor(() => expect(view.saved()).toMatchObject({ p_reward: { image_url: address } }));
  });

  it('can be removed, after which the focus is on the button that chooses one', async () => {
    const view = await open();
    await view.user.click(view.dialog.getByRole('button', { name: 'Remove' }));
    expect(view.shown()).toBeUndefined();
    expect(view.dialog.getByRole('button', { name: 'Upload picture' })).toHaveFocus();
    await save(view);
    await waitFor(() => expect(view.saved()).toMatchObject({ p_reward: { image_url: null } }));
  });

  it('that was refused is not complained of any more once there is no picture', async () => {
    const view = await open();
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('not decodable')));
    await choose(view, picture());
    expect(await view.dialog.findByText(/We could not read this image/)).toBeVisible();
    await view.user.click(view.dialog.getByRole('button', { name: 'Remove' }));
    expect(view.dialog.queryByText(/We could not read this image/)).not.toBeInTheDocument();
  });

  it('must be an image; an invalid choice keeps the previous one', async () => {
    const view = await open();
    const script = new File(['<svg/>'], 'mug.svg', { type: 'image/svg+xml' });
    // Dropping a file bypasses the field's `accept` list.
    view.dialog.getByLabelText('Picture').removeAttribute('accept');
    await choose(view, script);
    expect(view.dialog.getByText('Please choose a PNG, JPG or WebP image')).toBeInTheDocument();
    expect(view.shown()).toBe('https://example.org/old.png');
    await choose(view, picture());
    expect(view.dialog.queryByText('Please choose a PNG, JPG or WebP image')).not.toBeInTheDocument();
  });
});
