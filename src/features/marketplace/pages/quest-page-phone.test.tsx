import { screen, waitFor, within } from '@testing-library/react';
import { questListItem } from '@/features/quests/testing/samples';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { showQuestPage } from '../testing/show-quest-page';

// A narrow screen, whose main action is in a bar at the bottom.
beforeEach(() => {
  const real = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(real(query), { matches: query === '(width < 40rem)' }),
  );
});

const task = (name: string) => screen.findByRole('listitem', { name });

it('C-72 names the next quest beside the reason for it, because its button is in the bar', async () => {
  const next = { ...questListItem({ id: 'next', title: 'Draw a leaf' }), reason: 'topic', reason_subject: 'design' };
  showQuestPage({
    identity: signedIn(),
    overrides: {
      'GET tasks': [taskRow({ id: 't1' })],
      'GET submissions': [submissionRow({ task_id: 't1', status: 'approved' })],
      'rpc list_suggested_quests': [next],
    },
  });
  const end = await screen.findByRole('region', { name: 'Quest Complete' });
  await waitFor(() => expect(end).toHaveTextContent('Next is “Draw a leaf”. Because you like design quests.'));
  expect(within(end).queryByRole('link', { name: /^Next/ })).not.toBeInTheDocument();
});

describe('C-05 BEY-10 the button that shares an address', () => {
  const show = (changes: Parameters<typeof taskRow>[0], isCollecting: boolean) =>
    showQuestPage({
      identity: signedIn(),
      overrides: {
        'GET campaigns': [questRow({ collect_emails: isCollecting })],
        'GET tasks': [taskRow({ id: 't1', title: 'First task', requires_proof: false, ...changes })],
        'GET user_profiles': [profileRow()],
        'rpc get_consent_statement': 'I agree that Paperkite gets my email address.',
      },
    });

  it.each([
    ['Quick Verify', {}],
    ['Verify', { verification: 'check', link_url: 'https://shop.example/tour' }],
    ['Open the project’s page', { verification: 'call', link_url: 'https://shop.example/tour' }],
  ] as const)('%s stands below the sentence that the member agrees to, not in the bar', async (name, changes) => {
    show(changes, true);
    const card = await task('First task');
    expect(await within(card).findByText('I agree that Paperkite gets my email address.')).toBeVisible();
    expect(within(card).getByRole('button', { name })).toBeVisible();
  });

  it('is in the bar where none is shared', async () => {
    show({}, false);
    const card = await task('First task');
    expect(await screen.findByRole('button', { name: 'Quick Verify' })).toBeVisible();
    expect(within(card).queryByRole('button', { name: 'Quick Verify' })).not.toBeInTheDocument();
  });
});
