import { screen, waitFor } from '@testing-library/react';
import * as csv from '@/lib/csv';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import QuestCreatePage from '../pages/quest-create-page';
import { createRoutes, questRow } from '../testing/rows';

const sources = (...known: string[]) => Response.json({ ok: true, sources: known });

async function openCheck(answer: unknown) {
  const api = fakeApi(
    createRoutes({
      'POST /functions/v1/check-task': answer,
      'rpc create_quest': questRow(),
      'rpc check_incentives': [],
    }),
  );
  const view = renderApp(<QuestCreatePage />, { identity: signedIn('startup_verified') });
  await view.user.click(await screen.findByRole('radio', { name: /^Endpoint check/ }));
  return { ...view, api };
}

describe('the target of a check', () => {
  it('BEY-13 a merged pull request can be chosen where configured, without link or test, and reaches the server', async () => {
    const { user, api } = await openCheck(sources('endpoint', 'github_pull_request'));
    await user.type(screen.getByLabelText(/Quest title/), 'Fix a typo');
    await user.type(screen.getByLabelText(/^Description/), 'Send us a pull request.');
    await user.type(screen.getByLabelText(/^Endpoint URL/), 'https://shop.example/done');
    await user.selectOptions(await screen.findByLabelText('Check with'), 'GitHub, a merged pull request');
    expect(screen.getByLabelText(/^Repository/)).toHaveValue('');
    expect(screen.getByText(/put a token of their own into the description/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Test this address' })).not.toBeInTheDocument();
    await user.type(screen.getByLabelText(/^Repository/), 'questboard');
    await user.click(screen.getByRole('button', { name: 'Create Quest' }));
    expect(await screen.findAllByText('Please enter the repository as owner/name')).not.toHaveLength(0);
    await user.type(screen.getByLabelText(/^Repository/), '/app');
    await user.click(screen.getByRole('button', { name: 'Create Quest' }));
    await waitFor(() => expect(api.calls.some(({ path }) => path === 'rpc/create_quest')).toBe(true));
    expect(api.calls.find(({ path }) => path === 'rpc/create_quest')?.body).toMatchObject({
      p_task: { verification: 'check', check_source: 'github_pull_request', check_target: 'questboard/app' },
    });
  });

  it.each([
    ['it is not configured', sources('endpoint')],
    ['the request fails', refuse(500, null, 'down')],
  ])("BEY-13 only the project's own address is offered when %s", async (_, answer) => {
    await openCheck(answer);
    expect(await screen.findByLabelText(/^Endpoint URL/)).toBeInTheDocument();
    expect(screen.queryByLabelText('Check with')).not.toBeInTheDocument();
  });
});

it('BEY-13 asks for what the chosen verification needs, also after another one was chosen', async () => {
  fakeApi(createRoutes({ 'POST /functions/v1/check-task': sources('endpoint') }));
  const { user } = renderApp(<QuestCreatePage />, { identity: signedIn('startup_verified') });
  const fields = () =>
    ['Shared code', 'Link', 'Endpoint URL'].filter((label) =>
      screen.queryByRole('textbox', { name: new RegExp(`^${label}`) }),
    );
  await user.click(await screen.findByRole('radio', { name: /^Code/ }));
  await waitFor(() => expect(fields()).toEqual(['Shared code']));
  await user.click(screen.getByRole('radio', { name: /^Signed call/ }));
  await waitFor(() => expect(fields()).toEqual(['Link']));
  await user.click(screen.getByRole('radio', { name: /^Endpoint check/ }));
  await waitFor(() => expect(fields()).toEqual(['Link', 'Endpoint URL']));
});

it('BEY-13 says how many spots have no code of their own, as after more spots are added', async () => {
  vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
  fakeApi(createRoutes({}));
  const { user } = renderApp(<QuestCreatePage />, { identity: signedIn('startup_verified') });
  const spots = await screen.findByRole('textbox', { name: /Max participants/ });
  const make = () => user.click(screen.getByRole('button', { name: 'Or create single-use codes' }));
  await user.clear(spots);
  await user.type(spots, '2');
  await user.click(screen.getByRole('radio', { name: /^Code/ }));
  expect(screen.queryByText(/no code yet/)).not.toBeInTheDocument();
  await make();
  expect(await screen.findByText(/^2 codes downloaded/)).toBeInTheDocument();
  expect(screen.queryByText(/no code yet/)).not.toBeInTheDocument();
  await user.clear(spots);
  await user.type(spots, '3');
  expect(await screen.findByText('1 spot has no code yet.')).toBeInTheDocument();
  await make();
  await waitFor(() => expect(screen.queryByText(/no code yet/)).not.toBeInTheDocument());
});
