import { screen, waitFor } from '@testing-library/react';
import { createButton, fillFollow, openCreatePage, pick } from '../testing/create-page';
import { field, retype } from '../testing/form-fields';
import { questRow } from '../testing/rows';

beforeEach(() => localStorage.clear());

const restored = () => screen.queryByText('Draft restored');

async function openAndFill() {
  const view = openCreatePage({ 'rpc create_quest': questRow() });
  await createButton();
  await fillFollow(view.user);
  await retype(view.user, field(/Quest title/), 'Follow the paper kite');
  await retype(view.user, field(/Points per person/), '20');
  return view;
}

describe('BEY-11 what was typed into a new quest', () => {
  it('is back after the page was lost, counts as unsaved, and can be created', async () => {
    const { unmount } = await openAndFill();
    unmount();
    const { user, api } = openCreatePage({ 'rpc create_quest': questRow() });
    expect(await screen.findByText('Draft restored')).toBeVisible();
    expect(field(/Quest title/)).toHaveValue('Follow the paper kite');
    expect(field(/Twitter\/X handle/)).toHaveValue('paperkite');
    expect(screen.getByText(/^9 \/ \d+$/)).toBeVisible();
    expect(field(/Points per person/)).toHaveValue('20');
    expect(pick(/Follow on Twitter/)).toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    await user.click(await createButton());
    await waitFor(() => expect(api.calls.map(({ path }) => path)).toContain('rpc/create_quest'));
    expect(api.calls.find(({ path }) => path === 'rpc/create_quest')?.body).toMatchObject({
      p_campaign: { title: 'Follow the paper kite' },
      p_task: { reward_points: 20 },
    });
  });

  it('is gone once the quest is created', async () => {
    const { user, pathname, unmount } = await openAndFill();
    await user.click(await createButton());
    await waitFor(() => expect(pathname()).toBe('/startup'));
    unmount();
    openCreatePage();
    await createButton();
    expect(restored()).not.toBeInTheDocument();
    expect(field(/Quest title/)).toHaveValue('');
  });

  it('is gone when the founder leaves without saving', async () => {
    const { user, pathname, unmount } = await openAndFill();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Leave page' }));
    await waitFor(() => expect(pathname()).toBe('/startup'));
    unmount();
    openCreatePage();
    await createButton();
    expect(field(/Quest title/)).toHaveValue('');
  });

  it('can be discarded: the form starts over, and nothing is unsaved', async () => {
    const { unmount } = await openAndFill();
    unmount();
    const { user, pathname, unmount: close } = openCreatePage();
    await user.click(await screen.findByRole('button', { name: 'Start over' }));
    expect(restored()).not.toBeInTheDocument();
    expect(field(/Quest title/)).toHaveValue('');
    expect(field(/Quest title/)).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(pathname()).toBe('/startup'));
    close();
    openCreatePage();
    await createButton();
    expect(restored()).not.toBeInTheDocument();
  });

  it('is kept without the completion codes', async () => {
    const { user } = await openAndFill();
    await user.click(pick(/code/i));
    await retype(user, field(/Shared code/), 'KITE-SECRET');
    expect(JSON.stringify(localStorage)).toContain('Follow the paper kite');
    expect(JSON.stringify(localStorage)).not.toContain('KITE-SECRET');
  });
});
