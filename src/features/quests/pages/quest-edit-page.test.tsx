import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { toast } from '@/components/ui/toast';
import { invalidateNews } from '@/lib/stale-queries';
import { offline, refuse } from '@/lib/testing/fake-api';
import { requestsSent } from '@/lib/testing/render';
import { inTask, openEditPage as open, saveButton, taskItem } from '../testing/edit-page';
import { alertSentence, field, retype, toCorrect } from '../testing/form-fields';
import { projectLimits, questId, questRow, taskRow } from '../testing/rows';

test('whoever leaves while the quest is being saved is not taken to the dashboard afterwards', async () => {
  const answer = Promise.withResolvers<unknown>();
  const { user, api, router, pathname } = open({ 'rpc update_campaign': () => answer.promise });
  const save = await saveButton();
  await retype(user, field(/^Summary/), 'A longer task');
  await user.click(save);
  await waitFor(() => expect(api.calls.at(-1)?.path).toBe('rpc/update_campaign'));
  await act(() => router.navigate('/rewards'));
  await user.click(await screen.findByRole('button', { name: 'Leave page' }));
  expect(pathname()).toBe('/rewards');
  answer.resolve(questRow());
  expect(await screen.findByText('Quest saved')).toBeVisible();
  expect(pathname()).toBe('/rewards');
});

test("QEDIT-01 it says 'Loading quest...', then shows the form with its exits (QEDIT-03)", async () => {
  open();
  expect(screen.getByText('Loading quest...')).toBeVisible();
  expect(await saveButton()).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Delete Quest' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/startup');
});

test.each([
  ['QEDIT-01 a missing campaign', { 'GET campaigns': [] }],
  ['QEDIT-01 a campaign that fails to load', { 'GET campaigns': refuse(500, null, 'broken') }],
  ['QEDIT-01 tasks that fail to load', { 'GET tasks': offline() }],
  ["QEDIT-02 C-42 another project's campaign", { 'GET campaigns': [questRow({ startup_id: 'someone-else' })] }],
  ['QEDIT-02 a founder without a project', { 'GET startup_profiles': [] }],
])('%s redirects to the dashboard', async (_, overrides) => {
  const { pathname } = open(overrides);
  await waitFor(() => expect(pathname()).toBe('/startup'));
});

test('QEDIT-01 whoever follows an old link to a quest that was deleted is told so', async () => {
  const { pathname } = open({ 'GET campaigns': [] });
  expect(await screen.findByText('This quest was not found. It may have been deleted.')).toBeVisible();
  expect(pathname()).toBe('/startup');
});

test('QEDIT-01 an id that is none asks the server for nothing, and promises nothing of another try', async () => {
  const { api, router, pathname } = open({ 'GET campaigns': refuse(400, null, 'invalid input syntax for type uuid') });
  await waitFor(() => expect(pathname()).toBe('/startup'));
  expect(await screen.findByText(/could not be loaded\. Please try again/)).toBeVisible();
  const before = api.calls.length;
  const shown = vi.spyOn(toast, 'error');
  await act(() => router.navigate('/startup/campaigns/nothing/edit'));
  await waitFor(() => expect(pathname()).toBe('/startup'));
  expect(api.calls.slice(before).map(({ path }) => path)).not.toContain('campaigns');
  expect(shown).not.toHaveBeenCalled();
});

test.each(['Starts', 'Ends'])(
  'BEY-07 %s takes no year of more than four digits, which could not be sent',
  async (name) => {
    open();
    await saveButton();
    expect(screen.getByLabelText(name)).toHaveAttribute('max', '9999-12-31T23:59');
  },
);

test('a failed refetch, as after a notification, does not take the edited form away', async () => {
  const { user, api, queryClient, pathname } = open();
  await saveButton();
  await retype(user, field(/^Summary/), 'A longer task');
  api.routes['GET campaigns'] = offline();
  await act(() => invalidateNews(queryClient));
  // Their results are rendered after them.
  await requestsSent();
  expect(field(/^Summary/)).toHaveValue('A longer task');
  expect(pathname()).toContain('/edit');
});

test.each([
  [{ status: 'draft', published_at: null }, 'Draft'],
  [{ status: 'draft' }, 'Paused'],
  [{ status: 'published' }, 'Active'],
  [{ status: 'closed' }, 'Closed'],
] as const)(
  'QEDIT-04 C-27 C-74 the details are there; of %j the status says %s, which cannot be changed',
  async (stored, word) => {
    open({ 'GET campaigns': [questRow(stored)] });
    await saveButton();
    expect(field(/^Quest title/)).toHaveValue('Test our app');
    expect(field(/^Summary/)).toHaveValue('A short task');
    expect(field(/^Details/)).toHaveValue('All about it');
    expect(field(/^Details/)).toBeRequired();
    expect(field(/^Points budget/)).toHaveValue('500');
    expect(field(/^Status/)).toHaveValue(word);
    expect(field(/^Status/)).toHaveAttribute('readonly');
  },
);

test('C-75 everything that a new quest has can be edited, and reaches the server', async () => {
  const { user, sent } = open({ 'rpc update_campaign': questRow() });
  const save = await saveButton();
  await user.click(screen.getByRole('radio', { name: /^Both/ }));
  await retype(user, field(/Custom reward title/), 'A kite');
  await retype(user, field(/Custom reward description/), 'By mail');
  await user.click(screen.getByRole('checkbox', { name: /Collect participants/ }));
  await retype(user, field(/What you use the emails for/), 'Beta invitations');
  await user.click(within(taskItem(1)).getByRole('radio', { name: /^No proof/ }));
  await user.click(within(taskItem(1)).getByRole('checkbox', { name: 'Verify automatically' }));
  fireEvent.change(screen.getByLabelText('Starts'), { target: { value: '2030-05-01T09:00' } });
  fireEvent.change(screen.getByLabelText('Ends'), { target: { value: '2030-06-01T09:00' } });
  await user.click(save);
  await waitFor(() =>
    expect(sent()).toMatchObject({
      p_campaign: {
        custom_reward_title: 'A kite',
        custom_reward_description: 'By mail',
        collect_emails: true,
        email_collection_purpose: 'Beta invitations',
        starts_at: new Date('2030-05-01T09:00').toISOString(),
        ends_at: new Date('2030-06-01T09:00').toISOString(),
      },
      p_tasks: [{ id: 'task-1', requires_proof: false, verification: 'automatic' }, { id: 'task-2' }],
    }),
  );
});

test('C-75 with proofs, the form offers nothing below what was promised, and says so', async () => {
  const promised = {
    submission_count: 1,
    custom_reward_title: 'A mug',
    custom_reward_description: 'By post',
    collect_emails: true,
    email_collection_purpose: 'Beta invitations',
  };
  const { user, sent } = open({ 'GET campaigns': [questRow(promised)] });
  const save = await saveButton();
  expect(screen.getByRole('radio', { name: 'Points: Members were promised more' })).toBeDisabled();
  expect(screen.getByRole('radio', { name: 'Custom reward: Members were promised more' })).toBeDisabled();
  expect(field(/What you use the emails for/)).toHaveAttribute('readonly');
  expect(inTask(1, /Reward points/)).toHaveAccessibleDescription('25 to 500 points');
  await retype(user, inTask(1, /Reward points/), '24');
  await retype(user, field(/Custom reward title/), 'A pin');
  await user.click(save);
  const points = 'Members have taken part for the 25 points of Task 1. You can raise them, not lower them.';
  const words = 'Members have taken part for the custom reward. You can add to its words, not change or remove them.';
  await waitFor(() => expect(toCorrect()).toEqual([points, words]));
  expect(inTask(1, /Reward points/)).toHaveFocus();
  expect(sent()).toBeUndefined();
});

test('C-75 members who took part without giving an address are not asked for one later', async () => {
  open({ 'GET campaigns': [questRow({ submission_count: 1 })] });
  await saveButton();
  expect(screen.getByRole('checkbox', { name: /Collect participants/ })).toBeDisabled();
});

test('BEY-07 the preview shows the card and the page as members will see them', async () => {
  const { user } = open();
  await saveButton();
  const preview = within(screen.getByRole('region', { name: 'Preview' }));
  await retype(user, field(/^Quest title/), 'Fly a kite');
  await retype(user, field(/^Details/), 'On a hill');
  await retype(user, inTask(2, /Task title/), 'Send a picture');
  expect(preview.getAllByText('Fly a kite')).toHaveLength(2);
  expect(preview.getByText('A short task')).toBeVisible();
  expect(await preview.findByText('On a hill')).toBeVisible();
  expect(preview.getByText('2. Send a picture')).toBeVisible();
  // As the quest's page says during the beta.
  expect(preview.getByText('Approved at once')).toBeVisible();
});

test('QEDIT-05 QEDIT-06 an empty list invites the first task, which starts with the defaults', async () => {
  const { user } = open({ 'GET tasks': [] });
  await user.click(await screen.findByRole('button', { name: 'Create Your First Task' }));
  expect(inTask(1, /Task title/)).toHaveValue('');
  expect(inTask(1, /Reward points/)).toHaveValue('50');
  expect(inTask(1, /Max completions/)).toHaveValue('1');
  expect(within(taskItem(1)).getByRole('combobox', { name: /^Type/ })).toHaveValue('visit');
  expect(within(taskItem(1)).getByRole('radio', { name: /^Screenshot/ })).toBeChecked();
});

test('QEDIT-06 C-33 five types are offered, and a stored type from creation is kept', async () => {
  open();
  await saveButton();
  const types = (number: number) =>
    within(within(taskItem(number)).getByRole('combobox', { name: /^Type/ }))
      .getAllByRole('option')
      .map((option) => option.getAttribute('value'));
  expect(types(1)).toEqual(['visit', 'signup', 'follow', 'share', 'custom']);
  expect(types(2)).toEqual(['others', 'visit', 'signup', 'follow', 'share', 'custom']);
});

test.each([
  [/^No proof/, false, 'text'],
  [/^Link/, true, 'link'],
  [/^Screenshot/, true, 'screenshot'],
  [/^Text/, true, 'text'],
])('QEDIT-06 C-75 each task shows how it is verified: %s', async (name, requires_proof, proof_type) => {
  const { user, sent } = open({ 'rpc update_campaign': questRow() });
  const save = await saveButton();
  await user.click(within(taskItem(2)).getByRole('radio', { name }));
  await user.click(save);
  await waitFor(() => expect(sent()).toMatchObject({ p_tasks: [{}, { requires_proof, proof_type }] }));
});

test('QEDIT-08 the bar is green up to 80 percent, orange above, red when over, with its text', async () => {
  const { user } = open({ 'GET tasks': [taskRow({ reward_points: 40, max_completions: 10 })] });
  await saveButton();
  const fill = () => screen.getByRole('meter', { name: 'Allocated' }).nextElementSibling?.firstElementChild;
  expect(fill()).toHaveClass('bg-action');
  await retype(user, inTask(1, /Reward points/), '41');
  expect(fill()).toHaveClass('bg-points');
  await retype(user, inTask(1, /Reward points/), '50');
  expect(screen.getByText('Budget fully allocated')).toBeVisible();
  await retype(user, inTask(1, /Reward points/), '60');
  expect(fill()).toHaveClass('bg-danger');
  expect(screen.getByText('Over budget by 100 points!')).toBeVisible();
  expect(screen.getByText('Reduce task points or increase budget to save.')).toBeVisible();
});

test('QEDIT-09 no task can be added to a full budget, and trying shows the numbers', async () => {
  const { user } = open({ 'GET tasks': [taskRow({ reward_points: 50, max_completions: 10 })] });
  await saveButton();
  const add = screen.getByRole('button', { name: 'Add Task' });
  expect(add).toHaveAttribute('aria-disabled', 'true');
  await user.hover(add);
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Cannot add more tasks - budget fully allocated');
  await user.click(add);
  expect(await alertSentence(user)).toContain(
    'Cannot add more tasks. You have 500 points budget and have already allocated 500 points to existing tasks.',
  );
  expect(screen.getAllByRole('listitem', { name: /^Task/ })).toHaveLength(1);
});

test('QEDIT-09 without a budget the first task cannot be created', async () => {
  const { user } = open({ 'GET tasks': [] });
  await saveButton();
  await retype(user, field(/^Points budget/), '');
  expect(screen.getByRole('button', { name: 'Create Your First Task' })).toBeDisabled();
});

test('QEDIT-10 QEDIT-11 QEDIT-12 C-57 C-113 all problems are shown at once, shorter at the field than in the summary', async () => {
  const { user, sent } = open();
  const save = await saveButton();
  await retype(user, field(/^Quest title/), '');
  await retype(user, field(/^Summary/), '');
  await retype(user, field(/^Points budget/), 'many');
  await retype(user, inTask(2, /Task title/), '');
  await retype(user, inTask(2, /Instructions/), '');
  await retype(user, inTask(2, /Reward points/), 'many');
  await retype(user, inTask(2, /Max completions/), 'many');
  await user.click(save);
  await waitFor(() =>
    expect(toCorrect()).toEqual([
      'Please enter a quest title.',
      'Please enter a quest summary.',
      'Budget must be between 1 and 500 points.',
      'Please enter a title for Task 2.',
      'Please enter instructions for Task 2.',
      'Task 2: Points must be between 1 and 500',
    ]),
  );
  expect(field(/^Points budget/)).toHaveValue('0');
  expect(inTask(2, /Reward points/)).toHaveValue('0');
  expect(inTask(2, /Reward points/)).toHaveAccessibleDescription(/Points must be between 1 and 500/);
  expect(inTask(2, /Max completions/)).toHaveValue('1');
  expect(field(/^Quest title/)).toHaveFocus();
  expect(field(/^Quest title/)).toHaveAccessibleDescription(/^Quest title is required/);
  expect(field(/^Summary/)).toHaveAccessibleDescription(/^Quest summary is required/);
  expect(inTask(2, /Task title/)).toHaveAccessibleDescription('Task title is required');
  await user.click(screen.getByRole('button', { name: 'Please enter a title for Task 2.' }));
  expect(inTask(2, /Task title/)).toHaveFocus();
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  expect(sent()).toBeUndefined();
});

test('QEDIT-11 C-75 on trial a stored budget below 100 is shown as 500, and can be kept', async () => {
  const { user, sent } = open({
    'GET campaigns': [questRow({ budget_points: 40 })],
    'GET tasks': [taskRow({ reward_points: 4 })],
    'rpc get_quest_limits': [projectLimits({ quest_count: 1, budget_used: 40 })],
    'rpc update_campaign': questRow(),
  });
  const save = await saveButton();
  expect(field(/^Points budget/)).toHaveValue('500');
  await retype(user, field(/^Points budget/), '40');
  await user.click(save);
  await waitFor(() => expect(sent()).toMatchObject({ p_campaign: { budget_points: 40 } }));
});

test('QEDIT-11 C-23 where the trial allows another quest a small budget is unchanged, so that it leaves room for that', async () => {
  open({
    'GET campaigns': [questRow({ budget_points: 40 })],
    'GET tasks': [taskRow({ reward_points: 4 })],
    'rpc get_quest_limits': [projectLimits({ quest_count: 1, quest_limit: 3, budget_used: 40 })],
  });
  await saveButton();
  expect(field(/^Points budget/)).toHaveValue('40');
});

test('BEY-20 C-75 with bought points a small budget is unchanged, so that it takes nothing from the next quest', async () => {
  open({
    'GET campaigns': [questRow({ budget_points: 40 })],
    'GET tasks': [taskRow({ reward_points: 4 })],
    'rpc get_quest_limits': [
      projectLimits({ quest_count: 2, quest_limit: null, budget_used: 90, budget_limit: 1500, bought_points: 1000 }),
    ],
  });
  await saveButton();
  expect(field(/^Points budget/)).toHaveValue('40');
});

test('QEDIT-13 saving over budget is blocked', async () => {
  const { user, sent } = open();
  const save = await saveButton();
  await retype(user, inTask(1, /Reward points/), '100');
  await user.click(save);
  await waitFor(() =>
    expect(toCorrect()).toEqual([
      'Cannot save: Total task points (1100) exceed your budget (500 points). Please reduce task points or increase your budget.',
    ]),
  );
  expect(field(/^Points budget/)).toHaveFocus();
  expect(sent()).toBeUndefined();
});

test('QEDIT-14 saving sends the details and every task in order; removed ones are omitted', async () => {
  const { user, sent, pathname } = open({ 'rpc update_campaign': questRow() });
  const save = await saveButton();
  await retype(user, field(/^Quest title/), 'New title');
  await user.click(screen.getByRole('button', { name: 'Add Task' }));
  await retype(user, inTask(3, /Task title/), 'Third');
  await retype(user, inTask(3, /Instructions/), 'Do it');
  await user.click(screen.getByRole('button', { name: 'Move task 3 up' }));
  await user.click(screen.getByRole('button', { name: 'Remove task 1' }));
  await user.click(save);
  await waitFor(() => expect(pathname()).toBe('/startup'));
  expect(sent()).toMatchObject({
    p_campaign_id: questId,
    p_campaign: { title: 'New title', summary: 'A short task', details_md: 'All about it', budget_points: 500 },
    p_tasks: [
      { title: 'Third', type: 'visit', reward_points: 50 },
      { id: 'task-2', title: 'Tell a friend', type: 'others' },
    ],
  });
});

test('QEDIT-14 a failure is shown and no input is lost', async () => {
  const { user } = open({
    // The limits were higher when the form was opened.
    'rpc get_quest_limits': [projectLimits({ quest_count: 1, budget_used: 500, budget_limit: 900 })],
    'rpc update_campaign': refuse(409, 'BUDGET_LIMIT', 'Total budget exceeds trial limit of 500 points'),
  });
  const save = await saveButton();
  await retype(user, field(/^Points budget/), '600');
  await user.click(save);
  expect(await alertSentence(user)).toContain('Failed to update quest: Total budget exceeds trial limit of 500 points');
  expect(field(/^Points budget/)).toHaveValue('600');
});

test('C-99 TRUST-21 after a lost answer, saving checks whether it succeeded and then reports the result', async () => {
  const found = Promise.withResolvers<unknown>();
  const { user, api, pathname } = open({
    'rpc update_campaign': offline(),
    'rpc get_quest_by_key': () => found.promise,
  });
  await user.click(await saveButton());
  expect(await screen.findByText('We are checking whether it went through…')).toBeVisible();
  expect(screen.queryByText(/Failed/)).not.toBeInTheDocument();
  found.resolve([questRow()]);
  expect(await screen.findByText('Quest saved')).toBeVisible();
  expect(pathname()).toBe('/startup');
  const [saved] = api.calls.filter(({ path }) => path === 'rpc/update_campaign');
  const [asked] = api.calls.filter(({ path }) => path === 'rpc/get_quest_by_key');
  const key = asked?.params.get('p_idempotency_key');
  expect(key).toEqual(expect.any(String));
  expect(saved?.body).toMatchObject({ p_idempotency_key: key });
});

test('C-25 a quest on hold shows the reason', async () => {
  open({
    'GET campaigns': [
      questRow({
        status: 'draft',
        hold_reason: 'Misleading link',
        held_by: 'questboard',
        held_at: '2026-01-07T00:00:00Z',
        hold_cause: 'moderation',
      }),
    ],
  });
  expect(await screen.findByText('Misleading link')).toBeVisible();
  expect(screen.getByText('On hold by moderation')).toBeVisible();
});
