import { newMember, newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';

/** Marks the window if it is executed. */
const RUN = 'window.wasRun = true';
const SCRIPT = `<img src="x" onerror="${RUN}"><script>${RUN}</script>`;

const INSTRUCTIONS = `**Read** [the guide](https://guide.example/start) and [this](javascript:alert(1))

<img src="https://spy.example/pixel.png" onerror="${RUN}"> ![pixel](https://spy.example/pixel.png)

<a href="https://evil.example" onclick="${RUN}">here</a>`;

test('TRUST-13 user-written text is shown as text: no markup, no scripts, no external images', async ({
  page,
  context,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const founder = await newFounder(context);
  const owner = await newOwner();
  await unwrap(
    owner.client.rpc('update_startup_profile', {
      p_startup_id: owner.startup.id,
      // No other project may have a similar name.
      p_name: `${owner.name} ${SCRIPT}`.slice(0, 60),
      p_description: SCRIPT,
    }),
  );
  const { campaign } = await newQuest(owner, {
    campaign: { title: `<b>Bold</b> ${SCRIPT}`.slice(0, 90), summary: SCRIPT },
    task: { title: '<i>Task</i>', instructions_md: INSTRUCTIONS },
  });
  const reviewer = await newMember('writer');
  await unwrap(
    reviewer.client.rpc('submit_project_feedback', {
      p_project_id: owner.startup.id,
      p_rating: 3,
      p_feedback_text: SCRIPT,
    }),
  );
  const own = await newQuest(founder, { task: { proof_type: 'text' } });
  await unwrap(reviewer.client.rpc('submit_proof', { p_task_id: own.taskId, p_text: `=1+1 ${SCRIPT}` }));

  /** On the page that is open now: each page has a window of its own. */
  const expectOnlyText = async () => {
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
    await expect(page.locator('img[src="x"], [onerror], [onclick]')).toHaveCount(0);
  };

  await test.step('a quest', async () => {
    await page.goto(`/community/quest/${campaign.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('<b>Bold</b>');
    const task = page.getByRole('listitem', { name: '<i>Task</i>' });
    await expect(task.getByRole('link', { name: 'the guide' })).toHaveAttribute('href', 'https://guide.example/start');
    await expect(task.getByRole('link', { name: 'the guide' })).toHaveAttribute('rel', /noopener/);
    await expect(task.locator('strong')).toHaveText('Read');
    await expect(task.getByRole('link', { name: 'this' })).toHaveCount(0);
    await expect(task.locator('img')).toHaveCount(0);
    await expectOnlyText();
  });

  await test.step('a project and its feedback', async () => {
    await page.goto(`/community/project/${owner.startup.id}`);
    await expect(page.getByRole('main').getByText(SCRIPT).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Feedback' }).getByText(SCRIPT)).toBeVisible();
    await expectOnlyText();
  });

  await test.step('the hub', async () => {
    await page.goto(`/browse?q=${encodeURIComponent('<b>Bold</b>')}`);
    await expect(page.getByRole('heading', { level: 2 }).first()).toContainText('<b>Bold</b>');
    await expectOnlyText();
  });

  await test.step('a proof that the owner reads', async () => {
    await page.goto(`/startup/campaigns/${own.campaign.id}/submissions`);
    await expect(page.getByRole('main').getByText(/=1\+1/).first()).toBeVisible();
    await expectOnlyText();
  });

  expect(requests.filter((url) => /spy|evil/.test(url))).toEqual([]);
});
