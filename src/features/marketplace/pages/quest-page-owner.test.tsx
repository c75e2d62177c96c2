import { screen, waitFor, within } from '@testing-library/react';
import { projectRow, questId, questRow, submissionRow } from '@/lib/testing/quest-rows';
import { signedIn } from '@/lib/testing/render';
import { showQuestPage } from '../testing/show-quest-page';

describe('the owner', () => {
  const owner = signedIn('startup_verified');
  const counters = {
    submission_count: 12,
    approved_count: 8,
    pending_count: 3,
    participant_count: 7,
    points_distributed: 400,
  };

  it('QUEST-11 QUEST-12 C-108 sees links, figures and three recent submissions, but no progress', async () => {
    const rows = [1, 2, 3, 4].map((number) => submissionRow({ id: `s${number}`, user_id: `member_${number}` }));
    const foreign = submissionRow({ id: 's9', user_id: 'member_9', campaign_id: 'other', task_id: 'other' });
    const { api } = showQuestPage({
      identity: owner,
      overrides: {
        'GET campaigns': [questRow(counters)],
        'GET submissions': [...rows, foreign],
        'rpc list_review_submissions': rows.slice(0, 3).map((row) => ({ ...row, flags: [], cursor: row.id })),
        'rpc get_own_startup': [projectRow()],
        'rpc get_campaign_performance_stats': {
          rejected: 1,
          completion_rate: 66.7,
          median_review_seconds: 7_000,
          days: [{ day: new Date().toISOString().slice(0, 10), submissions: 1_200 }],
        },
      },
    });
    expect(await screen.findByRole('link', { name: 'Edit Quest' })).toHaveAttribute(
      'href',
      `/startup/campaigns/${questId}/edit`,
    );
    expect(screen.getByRole('link', { name: 'View All Submissions' })).toHaveAttribute(
      'href',
      `/startup/campaigns/${questId}/submissions`,
    );
    const analytics = await screen.findByRole('region', { name: 'Quest Analytics' });
    const figure = (label: string) => within(analytics).getByText(label, { selector: 'dt' }).parentElement;
    expect(figure('Submissions')).toHaveTextContent('12');
    expect(figure('Approved')).toHaveTextContent('8');
    expect(figure('Pending')).toHaveTextContent('3');
    expect(figure('Participants')).toHaveTextContent('7');
    expect(figure('Points distributed')).toHaveTextContent('400');
    const recent = screen.getByRole('region', { name: 'Recent submissions' });
    await waitFor(() => expect(within(recent).getAllByRole('listitem')).toHaveLength(3));
    expect(api.calls.some(({ path }) => path === 'rpc/record_quest_view')).toBe(false);
    expect(await within(analytics).findByText(/66.7 % of the proofs were approved, 1 rejected./)).toHaveTextContent(
      'Median review time: 2 hours.',
    );
    expect(within(analytics).getByText(/^1,200 submissions in 30 days, most on .+ \(1,200\)$/)).toBeInTheDocument();
    expect(api.calls.filter(({ path }) => path === 'rpc/get_campaign_performance_stats')).toMatchObject([
      { params: new URLSearchParams({ p_campaign_id: questId }) },
    ]);
    const asked = api.calls.find(({ path }) => path === 'rpc/list_review_submissions')?.params;
    expect(Object.fromEntries(asked ?? [])).toEqual({ p_campaign_id: questId, p_sort: 'newest', p_limit: '3' });
    expect(screen.queryByText('Your Progress')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Submit Proof' })).not.toBeInTheDocument();
  });
});
