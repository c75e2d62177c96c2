import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedOut } from '@/lib/testing/render';
import { createButton, fillFollow, openCreatePage, pick } from '../testing/create-page';
import { alertSentence, field, retype, toCorrect } from '../testing/form-fields';
import { projectRow, questRow } from '../testing/rows';
import QuestCreatePage from './quest-create-page';

test('QNEW-01 without a session the form shows Not Authenticated and offers to sign in', async () => {
  fakeApi({});
  renderApp(<QuestCreatePage />, { identity: signedOut });
  expect(screen.getByRole('heading', { name: 'Not Authenticated' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', expect.stringMatching('/auth/signin'));
});

test('QNEW-01 without a startup profile it redirects to creating one', async () => {
  const { pathname } = openCreatePage({ 'GET startup_profiles': [] });
  await waitFor(() => expect(pathname()).toBe('/startup/create'));
});

test('SEC-12 an unverified project gets no form', async () => {
  openCreatePage({ 'GET startup_profiles': [projectRow({ status: 'pending' })] });
  expect(await screen.findByText('Your project must be verified before you can create quests.')).toBeVisible();
  expect(screen.queryByText(/it is live/)).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Create Quest' })).not.toBeInTheDocument();
});

test('QNEW-02 the back link and Cancel lead to the dashboard', async () => {
  const { user, pathname } = openCreatePage();
  expect(await screen.findByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/startup');
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(pathname()).toBe('/startup');
});

test('QNEW-12 defaults are 25 points for 20 people, first come first serve; upcoming options cannot be chosen', async () => {
  openCreatePage();
  await createButton();
  expect(field(/Points per person/)).toHaveValue('25');
  expect(field(/Max participants/)).toHaveValue('20');
  expect(pick(/First come, first served/)).toBeChecked();
  for (const name of [/Cash reward: Coming Soon/, /Lucky Draw: Coming Soon/, /Equal Distribution: Coming Soon/]) {
    expect(pick(name)).toBeDisabled();
  }
  expect(screen.getByRole('radiogroup', { name: 'Reward type' })).toHaveTextContent(/Points.*Custom reward.*Both/);
});

test('QNEW-11 BEY-22 every field is present, and its value reaches the server', async () => {
  const { user, api } = openCreatePage({ 'rpc create_quest': questRow() });
  await createButton();
  // selectedTemplate with its own field, one after the other: each template shows one of the five.
  const linkFields = [
    [/Sign up for product/, /Product URL/],
    [/Follow on Twitter/, /Twitter\/X handle/],
    [/Join Discord/, /Discord invite/],
    [/Subscribe to newsletter/, /Newsletter URL/],
    [/Custom quest/, /Custom instructions/],
  ] as const;
  for (const [template, label] of linkFields) {
    await user.click(pick(template));
    expect(field(label)).toHaveValue('');
  }
  await retype(user, field(/Custom instructions/), 'Find three typos');
  await retype(user, field(/Quest title/), 'Proofread our page');
  await retype(user, field(/Description/), 'Read our start page.');
  // Cash is only announced (C-108).
  expect(pick(/Cash reward/)).toBeDisabled();
  await user.click(pick(/^Both/));
  await retype(user, field(/Points per person/), '30');
  await retype(user, field(/Max participants/), '12');
  await retype(user, field(/Custom reward title/), 'A kite');
  await retype(user, field(/Custom reward description/), 'By mail');
  expect(pick(/First come, first served/)).toBeChecked();
  await user.click(pick(/^Screenshot/));
  await user.click(screen.getByRole('checkbox', { name: /Collect participants/ }));
  const autoVerify = screen.getByRole('checkbox', { name: 'Verify automatically' });
  expect(autoVerify).toBeChecked();
  await user.click(autoVerify);
  await user.selectOptions(screen.getByLabelText(/You review within/), '5 days');
  await user.click(await createButton());
  await waitFor(() => expect(api.calls.map(({ path }) => path)).toContain('rpc/create_quest'));
  expect(api.calls.find(({ path }) => path === 'rpc/create_quest')?.body).toEqual({
    p_idempotency_key: expect.any(String),
    p_startup_id: projectRow().id,
    p_campaign: {
      title: 'Proofread our page',
      summary: 'Read our start page.',
      details_md: 'Read our start page.',
      custom_reward_title: 'A kite',
      custom_reward_description: 'By mail',
      collect_emails: true,
      email_collection_purpose: null,
      starts_at: null,
      ends_at: null,
      review_hours: 120,
    },
    p_task: {
      title: 'Proofread our page',
      type: 'others',
      instructions_md: 'Read our start page.\n\nFind three typos',
      reward_points: 30,
      max_completions: 12,
      requires_proof: true,
      proof_type: 'screenshot',
      verification: 'review',
    },
  });
});

test.each([
  [/^No proof/, false, 'text'],
  [/^Link/, true, 'link'],
  [/^Screenshot/, true, 'screenshot'],
  [/^Text/, true, 'text'],
])('QNEW-11 verification %s', async (name, requires_proof, proof_type) => {
  const { user, api } = openCreatePage({ 'rpc create_quest': questRow() });
  await createButton();
  await fillFollow(user);
  await user.click(pick(name));
  await user.click(await createButton());
  await waitFor(() => expect(api.calls.map(({ path }) => path)).toContain('rpc/create_quest'));
  expect(api.calls.find(({ path }) => path === 'rpc/create_quest')?.body).toMatchObject({
    p_task: { requires_proof, proof_type },
  });
});

test('QNEW-07 QNEW-08 choosing one of the eight templates fills the form and clears its link fields', async () => {
  const { user } = openCreatePage();
  await createButton();
  const templates = screen.getByRole('radiogroup', { name: 'Quest template' });
  expect(within(templates).getAllByRole('radio')).toHaveLength(8);
  expect(templates).toHaveTextContent(/Follow on Twitter\/X25 points, counts right away/);
  expect(templates).toHaveTextContent(/Write a product review75 points, asks for a link/);
  await user.click(pick(/Sign up for product/));
  await retype(user, field(/Product URL/), 'old.example.com');
  await user.click(pick(/Write a product review/));
  expect(field(/Quest title/)).toHaveValue('Write an honest review');
  expect(field(/Points per person/)).toHaveValue('75');
  expect(pick(/^Link/)).toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'Verify automatically' })).not.toBeChecked();
  expect(field(/Product URL/)).toHaveValue('');
});

test('QNEW-10 a pasted address loses its prefix at once', async () => {
  const { user } = openCreatePage();
  await createButton();
  await user.click(pick(/Visit website/));
  expect(field(/Website URL/).previousSibling).toHaveTextContent('https://');
  await user.click(field(/Website URL/));
  await user.paste('https://www.example.com/start');
  expect(field(/Website URL/)).toHaveValue('example.com/start');
  await user.click(pick(/Join Discord/));
  await user.click(field(/Discord invite/));
  await user.paste('discord.gg/kites');
  expect(field(/Discord invite/)).toHaveValue('kites');
});

test('QNEW-14 C-37 Create is disabled while the title is blank, and submitting with Enter says why', async () => {
  const { user } = openCreatePage();
  const button = await createButton();
  expect(button).toBeDisabled();
  fireEvent.submit(screen.getByRole('form', { name: 'Create a quest' }));
  await waitFor(() => expect(field(/Quest title/)).toHaveAccessibleDescription(/Please enter a quest title/));
  expect(field(/Quest title/)).toHaveFocus();
  await retype(user, field(/Quest title/), '   ');
  expect(button).toBeDisabled();
  await retype(user, field(/Quest title/), 'A quest');
  expect(button).toBeEnabled();
});

test('C-113 QNEW-15 QNEW-16 all problems are shown at once, at their fields and in a summary that links there', async () => {
  const { user, api } = openCreatePage();
  await createButton();
  await user.click(pick(/Follow on Twitter/));
  await user.click(pick(/^Both/));
  await retype(user, field(/Points per person/), 'abc');
  await user.click(await createButton());
  const sentences = [
    [/Twitter\/X handle/, 'Please fill in: Twitter/X handle'],
    [/Points per person/, 'Please enter a valid reward amount (minimum 1 point)'],
    [/Custom reward title/, 'Please enter a custom reward title'],
    [/Custom reward description/, 'Please enter a custom reward description'],
  ] as const;
  await waitFor(() => expect(field(/Twitter\/X handle/)).toHaveFocus());
  for (const [name, sentence] of sentences) {
    expect(field(name)).toBeInvalid();
    expect(within(field(name).closest('div.grid') as HTMLElement).getByText(sentence)).toBeVisible();
  }
  expect(toCorrect()).toEqual(sentences.map(([, sentence]) => sentence));
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();

  await user.click(screen.getByRole('button', { name: 'Please enter a custom reward description' }));
  expect(field(/Custom reward description/)).toHaveFocus();
  await user.paste('By mail');
  expect(toCorrect()).toHaveLength(3);
  expect(api.calls.map(({ path }) => path)).not.toContain('rpc/create_quest');
});

test('C-113 each text counts its characters, and too many are reported, not cut off', async () => {
  const { user } = openCreatePage();
  await createButton();
  const title = field(/Quest title/);
  expect(screen.getByText('0 / 200')).toBeVisible();
  await retype(user, title, 'x'.repeat(201));
  expect(title).toHaveValue('x'.repeat(201));
  expect(screen.getByText('201 / 200')).toBeVisible();
  await user.click(await createButton());
  await waitFor(() => expect(title).toHaveAccessibleDescription('Please use at most 200 characters'));
});

test('QNEW-16 C-36 participants and points are 1 to 1000, and the form says so in advance', async () => {
  const { user } = openCreatePage();
  await createButton();
  expect(field(/Points per person/)).toHaveAccessibleDescription('1 to 500 points');
  expect(field(/Max participants/)).toHaveAccessibleDescription('1 to 1,000 people');
  for (const [typed, understood] of [
    ['0', '1'],
    ['5000', '1000'],
  ] as const) {
    for (const name of [/Points per person/, /Max participants/]) {
      await retype(user, field(name), typed);
      await user.tab();
      expect(field(name)).toHaveValue(understood);
    }
  }
  await user.clear(field(/Max participants/));
  await user.tab();
  expect(field(/Max participants/)).toHaveValue('1');
});

test('QNEW-19 QNEW-14 QNEW-02 the quest is created with its task in one call, while Create is disabled, followed by the dashboard', async () => {
  const created = Promise.withResolvers<unknown>();
  const { user, api, pathname } = openCreatePage({ 'rpc create_quest': () => created.promise });
  const button = await createButton();
  await fillFollow(user);
  await user.click(button);
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'true'));
  expect(screen.getByRole('button', { name: 'Save as draft' })).toBeDisabled();
  await user.click(button);
  created.resolve(questRow());
  await waitFor(() => expect(pathname()).toBe('/startup'));
  const [call, ...more] = api.calls.filter((sent) => sent.path === 'rpc/create_quest');
  expect(more).toEqual([]);
  expect(call?.body).toMatchObject({
    p_startup_id: projectRow().id,
    p_campaign: { title: 'Follow us on X', collect_emails: false },
    p_task: { reward_points: 25, max_completions: 20, requires_proof: false, proof_type: 'text', type: 'others' },
  });
  expect(JSON.stringify(call?.body)).toContain('https://x.com/paperkite');
});

test('QNEW-20 a server refusal is shown and the form remains; until then Cancel is disabled', async () => {
  const reply = Promise.withResolvers<unknown>();
  const { user, pathname } = openCreatePage({ 'rpc create_quest': () => reply.promise });
  await createButton();
  await fillFollow(user);
  await user.click(await createButton());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled());
  reply.resolve(refuse(409, 'INSUFFICIENT_POINTS', 'Insufficient points balance'));
  expect(await alertSentence(user)).toContain(
    "You don't have enough points to create this quest. Please check your wallet balance.",
  );
  expect(pathname()).toBe('/startup/campaigns/new');
  expect(field(/Quest title/)).toHaveValue('Follow us on X');
});

test('C-113 a server refusal about the title is shown at the title, not in a dialog', async () => {
  const { user } = openCreatePage({ 'rpc create_quest': refuse(400, 'RESERVED_NAME', 'This name is reserved') });
  await createButton();
  await fillFollow(user);
  await user.click(await createButton());
  await waitFor(() => expect(field(/Quest title/)).toHaveAccessibleDescription('This name is reserved'));
  expect(field(/Quest title/)).toHaveFocus();
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});

test('e-mails are collected for the purpose that is written when the toggle is on', async () => {
  const { user, api } = openCreatePage({ 'rpc create_quest': questRow() });
  await createButton();
  await fillFollow(user);
  await user.click(screen.getByRole('checkbox', { name: /Collect participants/ }));
  await retype(user, field(/What you use the emails for/), 'Beta invitations');
  await user.click(await createButton());
  await waitFor(() => expect(api.calls.map((call) => call.path)).toContain('rpc/create_quest'));
  expect(api.calls.find((call) => call.path === 'rpc/create_quest')?.body).toMatchObject({
    p_campaign: { collect_emails: true, email_collection_purpose: 'Beta invitations' },
  });
});

test('leaving with unsaved changes asks for confirmation', async () => {
  const { user, pathname } = openCreatePage();
  await createButton();
  await retype(user, field(/Quest title/), 'Half a quest');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(pathname()).toBe('/startup/campaigns/new');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Leave page' }));
  await waitFor(() => expect(pathname()).toBe('/startup'));
});

test('C-85 the same form saves a draft, which is not published', async () => {
  const { user, api, pathname } = openCreatePage({ 'rpc create_quest': questRow({ status: 'draft' }) });
  await createButton();
  await fillFollow(user);
  await user.click(screen.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(pathname()).toBe('/startup'));
  const calls = api.calls.filter(({ path }) => path === 'rpc/create_quest');
  expect(calls).toMatchObject([{ body: { p_publish: false, p_campaign: { title: 'Follow us on X' } } }]);
});

test('BEY-11 a draft that another tab has sent is not sent once more without a word', async () => {
  const { user, api, pathname } = openCreatePage({ 'rpc create_quest': questRow() });
  const create = await createButton();
  await fillFollow(user);
  const key = Object.keys(localStorage).find((name) => name.includes('quest-draft'));
  // As browsers tell the other tabs of what one of them has removed.
  window.dispatchEvent(new StorageEvent('storage', { key: 'another', newValue: null }));
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: '{}' }));
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
  const sent = () => api.calls.filter(({ path }) => path === 'rpc/create_quest');
  await user.click(create);
  expect(await alertSentence(user)).toContain('This draft was published or discarded in another tab.');
  expect(sent()).toHaveLength(0);
  await user.click(create);
  await waitFor(() => expect(pathname()).toBe('/startup'));
  expect(sent()).toHaveLength(1);
});

test('BEY-07 start and end are sent as timestamps; an invalid end is reported at its field', async () => {
  const { user, api } = openCreatePage({ 'rpc create_quest': questRow() });
  await createButton();
  await fillFollow(user);
  fireEvent.change(screen.getByLabelText('Starts'), { target: { value: '2099-05-02T09:00' } });
  fireEvent.change(screen.getByLabelText('Ends'), { target: { value: '2099-05-01T09:00' } });
  await user.click(await createButton());
  expect((await screen.findAllByText('The end must be after the start'))[0]).toBeVisible();
  const created = () => api.calls.filter(({ path }) => path === 'rpc/create_quest').map(({ body }) => body);
  expect(created()).toEqual([]);
  fireEvent.change(screen.getByLabelText('Ends'), { target: { value: '2099-05-03T09:00' } });
  await user.click(await createButton());
  const starts_at = new Date('2099-05-02T09:00').toISOString();
  const ends_at = new Date('2099-05-03T09:00').toISOString();
  await waitFor(() => expect(created()).toMatchObject([{ p_campaign: { starts_at, ends_at } }]));
});

test("BEY-15 a template that breaks a platform's rule says so, and one press replaces it", async () => {
  const { user, api } = openCreatePage({
    'rpc check_incentives': [
      {
        id: 'x',
        place: 'X',
        rule: 'X does not allow apps that reward people for follows.',
        source_url: 'https://rules.example.org',
        source_date: '2026-01-15',
        alternative_title: 'Look at our profile on X',
        alternative: 'Open our profile on X and tell us here what you would like to read.',
        is_forbidden: true,
      },
    ],
  });
  await createButton();
  await fillFollow(user);
  expect(await screen.findByText('X may not allow this')).toBeInTheDocument();
  const asked = () => api.calls.findLast(({ path }) => path === 'rpc/check_incentives')?.body;
  const words = { p_title: 'Follow us on X', p_instructions: expect.stringContaining('x.com/paperkite') };
  await waitFor(() => expect(asked()).toMatchObject(words));
  await user.click(screen.getByRole('button', { name: 'Use this wording' }));
  expect(field(/Quest title/)).toHaveValue('Look at our profile on X');
  expect(field(/Description/)).toHaveValue('Open our profile on X and tell us here what you would like to read.');
});
