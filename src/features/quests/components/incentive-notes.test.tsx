import { screen, waitFor } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { taskRow } from '@/lib/testing/quest-rows';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import { IncentiveNotice, RewardDisclosure } from './incentive-notes';

const trustpilot = {
  id: 'trustpilot',
  place: 'Trustpilot',
  rule: 'Trustpilot allows no incentive of any kind for a review.',
  source_url: 'https://support.example.org/rules',
  source_date: '2026-11-22',
  alternative_title: 'Tell us what you think',
  alternative: 'Say here what worked.',
  is_forbidden: true,
};
const endorsement = { ...trustpilot, id: 'endorsement', place: 'Public posts', rule: 'Say so.', is_forbidden: false };

function open(answer: unknown, words = { title: 'Review us', instructions: 'Write on Trustpilot' }) {
  const api = fakeApi({ 'rpc check_incentives': answer });
  const onReplace = vi.fn();
  const notice = <IncentiveNotice {...words} onReplace={onReplace} />;
  return { api, onReplace, ...renderApp(notice, { identity: signedIn('startup_verified') }) };
}

describe('IncentiveNotice', () => {
  it('BEY-15 names the broken rule, with its source, and inserts an allowed wording', async () => {
    const { user, api, onReplace } = open([trustpilot, endorsement]);
    expect(await screen.findByText('Trustpilot may not allow this')).toBeInTheDocument();
    expect(screen.getByText(/no incentive of any kind/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Rule as of/ })).toHaveAttribute('href', trustpilot.source_url);
    expect(screen.queryByText('Members must disclose the reward')).not.toBeInTheDocument();
    expect(api.calls.map(({ body }) => body)).toEqual([
      { p_title: 'Review us', p_instructions: 'Write on Trustpilot' },
    ]);
    await user.click(screen.getByRole('button', { name: 'Use this wording' }));
    expect(onReplace).toHaveBeenCalledExactlyOnceWith({
      title: 'Tell us what you think',
      instructions: 'Say here what worked.',
    });
  });

  it('BEY-15 says that members must disclose the reward if that is the only requirement', async () => {
    open([endorsement]);
    expect(await screen.findByText('Members must disclose the reward')).toBeInTheDocument();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('BEY-15 sends no request for empty text, and a failed check blocks nothing', async () => {
    const empty = open([trustpilot], { title: ' ', instructions: '' });
    await requestsSent();
    expect(empty.api.calls).toEqual([]);
    empty.unmount();
    const { api } = open(refuse(500, null, 'deadlock detected'));
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });
});

describe('RewardDisclosure', () => {
  it('BEY-15 asks members to say that they were rewarded, if the task matches a rule', () => {
    const { unmount } = renderApp(<RewardDisclosure task={taskRow({ incentive_rules: ['endorsement'] })} />);
    expect(screen.getByText(/I received Questboard points for this/)).toBeInTheDocument();
    unmount();
    renderApp(<RewardDisclosure task={taskRow()} />);
    expect(screen.queryByText(/You earn points for this/)).not.toBeInTheDocument();
  });
});
