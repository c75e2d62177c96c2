import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ApiCall, refuse } from '@/lib/testing/fake-api';
import { inTask, openEditPage as open, saveButton, second, taskItem } from '../testing/edit-page';
import { alertSentence } from '../testing/form-fields';
import { questId, questRow, taskRow } from '../testing/rows';

describe('dragging tasks by their handle', () => {
  /** Stacks the tasks, 100 pixels each, because jsdom has no layout. */
  function layOut() {
    for (const [index, item] of screen.getAllByRole('listitem', { name: /^Task \d$/ }).entries())
      item.getBoundingClientRect = () => new DOMRect(0, index * 100, 300, 100);
  }
  const pointer = (type: 'pointermove' | 'pointerup' | 'pointercancel', clientY: number) =>
    act(() => void window.dispatchEvent(new MouseEvent(type, { clientY, bubbles: true })));
  const grab = (number: number) =>
    fireEvent.pointerDown(screen.getByRole('button', { name: `Move task ${number}` }), { button: 0 });

  test('QEDIT-05 a task dropped below another comes after it, and it is announced', async () => {
    const { user, sent } = open({ 'rpc update_campaign': questRow() });
    await saveButton();
    layOut();
    grab(1);
    pointer('pointermove', 170);
    expect(screen.getByRole('listitem', { name: 'Task 2' })).toHaveClass(/shadow/);
    expect(inTask(1, /Task title/)).toHaveValue('Try the app');
    pointer('pointerup', 170);
    expect(inTask(1, /Task title/)).toHaveValue('Tell a friend');
    expect(inTask(2, /Task title/)).toHaveValue('Try the app');
    expect(screen.getByText('Task moved to position 2 of 2')).toBeInTheDocument();
    await user.click(await saveButton());
    await waitFor(() => expect(sent()).toMatchObject({ p_tasks: [{ id: 'task-2' }, { title: 'Try the app' }] }));
  });

  test('QEDIT-05 a press without a move, Escape and a lost pointer keep the order', async () => {
    const { user } = open();
    await saveButton();
    layOut();
    grab(1);
    pointer('pointerup', 50);
    grab(1);
    pointer('pointermove', 170);
    await user.keyboard('{Escape}');
    pointer('pointerup', 170);
    grab(1);
    pointer('pointermove', 170);
    pointer('pointercancel', 170);
    pointer('pointerup', 170);
    expect(inTask(1, /Task title/)).toHaveValue('Try the app');
  });
});

test('the arrow keys reorder tasks on their handle, and it is announced', async () => {
  const { user } = open();
  await saveButton();
  screen.getByRole('button', { name: 'Move task 2' }).focus();
  await user.keyboard('{ArrowUp}');
  expect(inTask(1, /Task title/)).toHaveValue('Tell a friend');
  expect(screen.getByText('Task moved to position 1 of 2')).toBeInTheDocument();
  await user.keyboard('{ArrowUp}');
  expect(inTask(1, /Task title/)).toHaveValue('Tell a friend');
});

test('moving a task with its buttons to an end, and removing one, keep the focus in the list', async () => {
  const { user } = open();
  await saveButton();
  const press = async (name: string) => {
    screen.getByRole('button', { name }).focus();
    await user.keyboard('{Enter}');
  };
  await press('Move task 2 up');
  expect(inTask(1, /Task title/)).toHaveValue('Tell a friend');
  expect(screen.getByRole('button', { name: 'Move task 1 up' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(inTask(1, /Task title/)).toHaveValue('Tell a friend');
  await press('Remove task 1');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Move task 1' })).toHaveFocus());
  await press('Remove task 1');
  await waitFor(() => expect(document.activeElement).toContainElement(screen.getByText('No tasks yet')));
  expect(document.body).not.toHaveFocus();
});

test('a new task is not called wrong before anybody has filled it in, and is when its field is left empty', async () => {
  const { user } = open({ 'GET campaigns': [questRow({ budget_points: 1000 })] });
  await saveButton();
  await user.click(screen.getByRole('button', { name: 'Add Task' }));
  await waitFor(() => expect(inTask(3, /Task title/)).toHaveFocus());
  // The form checks its tasks after one has been added.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(within(taskItem(3)).queryByRole('alert')).not.toBeInTheDocument();
  await user.tab();
  expect(await within(taskItem(3)).findByText('Task title is required')).toBeInTheDocument();
  expect(within(taskItem(3)).queryByText('Task instructions are required')).not.toBeInTheDocument();
});

test('a task with submissions is removed only after confirmation', async () => {
  const { user } = open({ 'GET tasks': [taskRow({ approved_count: 3 }), second] });
  await saveButton();
  await user.click(screen.getByRole('button', { name: 'Remove task 1' }));
  const dialog = await screen.findByRole('alertdialog', { name: /Remove “Try the app”/ });
  expect(dialog).toHaveTextContent('3 submissions to it will be deleted when you save');
  await user.click(within(dialog).getByRole('button', { name: 'Remove task' }));
  await waitFor(() => expect(screen.getAllByRole('listitem', { name: /^Task/ })).toHaveLength(1));
});

test('a double click removes one task, not the one that moves up, too, and says so', async () => {
  open();
  await saveButton();
  // The form validates itself after a task has gone.
  const click = (detail: number) =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove task 1' }), { detail }));
  await click(1);
  await click(2);
  await click(3);
  expect(screen.getAllByRole('listitem', { name: /^Task/ })).toHaveLength(1);
  expect(screen.getByText('Task 1 removed')).toHaveAttribute('role', 'status');
  expect(inTask(1, /Task title/)).toHaveValue('Tell a friend');
});

test('QEDIT-05 a live quest is not saved without tasks, a draft is', async () => {
  const removeAll = async ({ user }: ReturnType<typeof open>) => {
    await saveButton();
    for (const number of [2, 1]) await user.click(screen.getByRole('button', { name: `Remove task ${number}` }));
    await user.click(await saveButton());
  };
  const live = open({ 'rpc update_campaign': questRow() });
  await removeAll(live);
  expect(await alertSentence(live.user)).toContain('A live quest needs at least one task.');
  expect(live.sent()).toBeUndefined();
  live.unmount();
  const draft = open({ 'GET campaigns': [questRow({ status: 'draft' })], 'rpc update_campaign': questRow() });
  await removeAll(draft);
  await waitFor(() => expect(draft.sent()).toMatchObject({ p_tasks: [] }));
});

test('QEDIT-15 deleting asks for confirmation, says that it worked and leads to the dashboard', async () => {
  const { user, pathname } = open({ 'rpc delete_campaign': undefined });
  await user.click(await screen.findByRole('button', { name: 'Delete Quest' }));
  expect(
    await screen.findByText(
      'Are you sure you want to delete "Test our app"? This action cannot be undone and will remove all associated tasks and submissions.',
    ),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete quest' }));
  expect(await alertSentence(user)).toContain('Quest deleted successfully!');
  expect(pathname()).toBe('/startup');
});

test('C-98 while proofs are pending, deleting says how many, links to their review, or approves and pays them all', async () => {
  const { user, api } = open({ 'GET campaigns': [questRow({ pending_count: 3 })], 'rpc delete_campaign': undefined });
  await user.click(await screen.findByRole('button', { name: 'Delete Quest' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent(
    '3 proofs are waiting for your decision. Deleting the quest approves and pays them all.',
  );
  expect(within(dialog).getByRole('link', { name: 'Review them first' })).toHaveAttribute(
    'href',
    `/startup/campaigns/${questId}/submissions`,
  );
  expect(within(dialog).queryByRole('button', { name: 'Delete quest' })).not.toBeInTheDocument();
  await user.click(within(dialog).getByRole('button', { name: 'Approve and pay all' }));
  await waitFor(() =>
    expect(api.calls.find(({ path }) => path === 'rpc/delete_campaign')?.body).toEqual({
      p_campaign_id: questId,
      p_approve_waiting: true,
    }),
  );
});

test('C-98 a proof sent while the form is open blocks deleting until it is approved and paid', async () => {
  const { user, api } = open({
    'rpc delete_campaign': ({ body }: ApiCall) =>
      (body as { p_approve_waiting?: boolean }).p_approve_waiting
        ? undefined
        : refuse(409, 'PROOFS_WAITING', 'Proofs are waiting for your decision: 1.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Delete Quest' }));
  await user.click(await screen.findByRole('button', { name: 'Delete quest' }));
  expect(await screen.findByText(/Proofs are waiting for your decision: 1/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Approve and pay all' }));
  expect(await alertSentence(user)).toContain('Quest deleted successfully!');
  expect(api.calls.filter(({ path }) => path === 'rpc/delete_campaign')).toHaveLength(2);
});

test('C-98 a task with pending proofs is removed only with them approved and paid, or after their review', async () => {
  const { user, sent } = open({
    'GET tasks': [taskRow({ pending_count: 2 }), second],
    'rpc update_campaign': questRow(),
  });
  await saveButton();
  await user.click(screen.getByRole('button', { name: 'Remove task 1' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: /Remove “Try the app”/ }));
  expect(dialog.getByText(/2 proofs are waiting for your decision.*approves and pays them all/)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Review them first' })).toHaveAttribute(
    'href',
    `/startup/campaigns/${questId}/submissions`,
  );
  expect(dialog.queryByRole('button', { name: 'Remove task' })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Approve and pay all' }));
  await user.click(await saveButton());
  await waitFor(() => expect(sent()).toMatchObject({ p_tasks: [{ id: 'task-2' }], p_approve_waiting: true }));
});

test('C-98 saving approves nothing unless a task with pending proofs is removed', async () => {
  const { user, sent } = open({
    'GET tasks': [taskRow({ pending_count: 2 }), second],
    'rpc update_campaign': questRow(),
  });
  await saveButton();
  await user.click(screen.getByRole('button', { name: 'Remove task 2' }));
  await user.click(await saveButton());
  await waitFor(() => expect(sent()).toMatchObject({ p_tasks: [{ title: 'Try the app' }] }));
  expect(sent()).not.toHaveProperty('p_approve_waiting');
});

test('C-98 a proof sent while the form is open requires the same decision when saving', async () => {
  const sentence = 'Proofs are waiting for your decision: 1. Approve and pay them all, or review them first.';
  const { user, api, pathname } = open({
    'rpc update_campaign': ({ body }: ApiCall) =>
      (body as { p_approve_waiting?: boolean }).p_approve_waiting
        ? questRow()
        : refuse(409, 'PROOFS_WAITING', sentence),
  });
  await saveButton();
  await user.click(screen.getByRole('button', { name: 'Remove task 2' }));
  await user.click(await saveButton());
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText(sentence)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Review them first' })).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Approve and pay all' }));
  await waitFor(() => expect(pathname()).toBe('/startup'));
  const bodies = api.calls.filter(({ path }) => path === 'rpc/update_campaign').map(({ body }) => body);
  expect(bodies).toMatchObject([{}, { p_approve_waiting: true }]);
  expect(bodies[0]).not.toHaveProperty('p_approve_waiting');
});

test('QEDIT-14 what was saved in another tab meanwhile is replaced only when that is confirmed', async () => {
  const sentence = 'This quest was changed after you opened it. Saving overwrites those changes.';
  const { user, api, pathname, queryClient } = open({
    'rpc update_campaign': ({ body }: ApiCall) => {
      const { p_campaign, p_approve_waiting } = body as { p_campaign: object; p_approve_waiting?: boolean };
      if ('updated_at' in p_campaign) return refuse(409, 'QUEST_CHANGED', sentence);
      return p_approve_waiting ? questRow() : refuse(409, 'PROOFS_WAITING', 'Proofs are waiting.');
    },
  });
  await saveButton();
  await user.click(screen.getByRole('button', { name: 'Remove task 2' }));
  // An update of the cache does not change what the form was opened with.
  api.routes['GET campaigns'] = [questRow({ title: 'Newer', updated_at: '2100-01-01T00:00:00+00:00' })];
  await act(() => queryClient.refetchQueries());
  await user.click(await saveButton());
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Replace the newer version?' }));
  expect(dialog.getByText(sentence)).toBeVisible();
  expect(dialog.getByRole('link', { name: 'See the newer version in a new tab' })).toHaveAttribute('target', '_blank');
  await user.click(dialog.getByRole('button', { name: 'Save mine' }));
  await user.click(await screen.findByRole('button', { name: 'Approve and pay all' }));
  await waitFor(() => expect(pathname()).toBe('/startup'));
  const bodies = api.calls.filter(({ path }) => path === 'rpc/update_campaign').map(({ body }) => body);
  expect(bodies).toMatchObject([
    { p_campaign: { updated_at: questRow().updated_at } },
    {},
    { p_approve_waiting: true },
  ]);
});

test('QEDIT-15 a failed deletion says why', async () => {
  const { user } = open({ 'rpc delete_campaign': refuse(403, 'FORBIDDEN', 'Forbidden') });
  await user.click(await screen.findByRole('button', { name: 'Delete Quest' }));
  await user.click(await screen.findByRole('button', { name: 'Delete quest' }));
  expect(await screen.findByText('Failed to delete quest: Forbidden')).toBeVisible();
});
