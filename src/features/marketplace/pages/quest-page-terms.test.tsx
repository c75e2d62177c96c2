import { screen } from '@testing-library/react';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import { showQuestPage } from '../testing/show-quest-page';

// The page lazy-loads it, which on a busy machine takes longer than a test waits.
beforeAll(() => import('@/components/markdown-renderer'));

describe("QNEW-13 C-71 the quest's terms", () => {
  const term = (label: string) => screen.getByText(label, { selector: 'dt' }).parentElement;

  it('C-70 are generated from the current quest, once, and never taken from its text', async () => {
    showQuestPage({
      overrides: {
        'GET campaigns': [
          questRow({ open_reward_points: 90, custom_reward_title: 'A mug', details_md: 'We build **kites**.' }),
        ],
        'GET tasks': [taskRow({ id: 't1', max_completions: 5 }), taskRow({ id: 't2', max_completions: 8 })],
      },
    });
    await screen.findByText('Reward per person');
    expect(term('Reward per person')).toHaveTextContent('90 points+A mug2 tasks');
    expect(term('Distribution')).toHaveTextContent('First come, first served');
    expect(term('Max participants')).toHaveTextContent('8 people');
    expect(await screen.findByText('kites')).toHaveProperty('tagName', 'STRONG');
  });

  it('BEY-18 include the time needed only where it was measured', async () => {
    const { unmount } = showQuestPage({ overrides: { 'GET campaigns': [questRow({ median_minutes: 5 })] } });
    await screen.findByText('Distribution');
    expect(term('Time needed')).toHaveTextContent('about 5 minutes');
    unmount();
    showQuestPage();
    await screen.findByText('Distribution');
    expect(screen.queryByText('Time needed')).not.toBeInTheDocument();
  });

  it('omit the reward when nothing more can be earned', async () => {
    showQuestPage({ overrides: { 'GET campaigns': [questRow({ open_reward_points: 0, is_full: true })] } });
    await screen.findByText('Distribution');
    expect(screen.queryByText('Reward per person')).not.toBeInTheDocument();
    expect(screen.getByText('Quest Full')).toBeInTheDocument();
  });

  it('C-69 BEY-22 say after the beta when a proof will be answered, and no longer that it is the beta', async () => {
    showQuestPage({ identity: signedIn(), overrides: { 'GET app_settings': [settingsRow({ beta_mode: false })] } });
    expect(await screen.findByText('Reviewed within 3 days, or approved and paid automatically')).toBeInTheDocument();
    expect(screen.queryByText('BETA MODE')).not.toBeInTheDocument();
  });

  it('do not promise approval at once to somebody whose proof waits in the beta', async () => {
    const waiting = [submissionRow({ task_id: 't1', status: 'pending' })];
    showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': waiting } });
    expect(await screen.findByText('Reviewed within 3 days, or approved and paid automatically')).toBeVisible();
    expect(screen.queryByText(/Approved and paid at once/)).not.toBeInTheDocument();
  });
});
