import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import AppealsTab from './appeals-tab';
import type { AdminAppeal } from './queries';

const appeal: AdminAppeal = {
  id: 'appeal-1',
  user_id: 'user_owner',
  username: 'kim',
  kind: 'revocation',
  startup_id: 'project-1',
  startup_name: 'Paper Kite',
  against_at: '2026-02-01T10:00:00Z',
  against_reason: 'Sells followers',
  words: 'We only sell kites.',
  status: 'open',
  decision_note: null,
  decided_by: null,
  created_at: '2026-02-02T10:00:00Z',
  decided_at: null,
  cursor: 'cursor-1',
  due_at: '2026-02-04T10:00:00Z',
  submission_id: null,
  campaign_id: null,
  campaign_title: null,
  task_title: null,
  reward_points: null,
  proof_url: null,
  proof_text: null,
  instructions_md: null,
  earlier_instructions_md: null,
};
const figures = { decided: 4, decided_in_time: 3, median_seconds: 90_000, overturned: 1, open: 1, overdue: 0 };

function open(rows: unknown = [appeal], path = '/admin?tab=appeals') {
  const api = fakeApi({
    'rpc admin_list_appeals': rows,
    'rpc decide_appeal': [{ id: 'appeal-1' }],
    'rpc get_appeal_figures': figures,
  });
  return { ...renderApp(<AppealsTab />, { identity: signedIn('admin'), path }), api };
}
const decisions = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter(({ path }) => path === 'rpc/decide_appeal').map(({ body }) => body);

describe('appeals', () => {
  it('BEY-04 shows open appeals first, with the appellant and the decision', async () => {
    const { api } = open();
    expect(await screen.findByText('We only sell kites.')).toBeInTheDocument();
    expect(api.calls.find(({ path }) => path === 'rpc/admin_list_appeals')?.params.get('p_status')).toBe('open');
    expect(screen.getByText(/Sells followers/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'kim' })).toHaveAttribute('href', '/admin?tab=people&person=user_owner');
    expect(screen.getByRole('link', { name: 'Paper Kite' })).toHaveAttribute(
      'href',
      '/admin?tab=projects&project=project-1',
    );
  });

  it.each([
    ['Uphold', 'uphold', /stays unverified.*cannot appeal against it again/, 'The decision stands'],
    ['Overturn', 'overturn', /verified again at once.*published again/, 'The decision is overturned'],
  ])(
    'BEY-04 C-91 %s: states the consequence, shows both sides, and requires an answer',
    async (verb, decision, follows, done) => {
      const { user, api } = open();
      await user.click(await screen.findByRole('button', { name: verb }));
      const dialog = within(await screen.findByRole('dialog', { name: `${verb} the revocation of Paper Kite?` }));
      expect(dialog.getByText(follows)).toBeInTheDocument();
      expect(dialog.getByText('Sells followers')).toBeInTheDocument();
      expect(dialog.getByText('We only sell kites.')).toBeInTheDocument();
      await user.click(dialog.getByRole('button', { name: `${verb} the revocation` }));
      expect(dialog.getByRole('alert')).toHaveTextContent('Please write an answer');
      expect(decisions(api)).toEqual([]);
      await user.type(dialog.getByLabelText(/Your answer/), 'We looked again.');
      await user.click(dialog.getByRole('button', { name: `${verb} the revocation` }));
      expect(await screen.findByText(done)).toBeInTheDocument();
      expect(decisions(api)).toEqual([{ p_appeal_id: 'appeal-1', p_decision: decision, p_note: 'We looked again.' }]);
    },
  );

  it('BEY-23 shows the proof of a rejected member, the due time of the answer, and what overturning pays', async () => {
    const { user, api } = open([
      {
        ...appeal,
        kind: 'rejection',
        submission_id: 's1',
        campaign_id: 'q1',
        campaign_title: 'Fly your first lesson',
        task_title: 'Take off',
        reward_points: 25,
        proof_text: 'I flew on Tuesday',
        against_reason: 'The proof is incomplete.',
        instructions_md: 'Fly around the world.',
        earlier_instructions_md: 'Fly for an hour.',
      },
    ]);
    expect(await screen.findByText('Proof rejected')).toBeInTheDocument();
    expect(
      await screen.findByText('4 appeals decided in 90 days, 3 within 48 hours, usually after 25 hours; 1 overturned.'),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Overturn' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Overturn the rejection of kim’s proof?' }));
    expect(dialog.getByText('I flew on Tuesday')).toBeInTheDocument();
    // Isolated, or the points would be read before a task in a right-to-left script.
    expect(dialog.getByText('Take off', { selector: 'bdi' }).parentElement).toHaveTextContent(
      'Proof of Take off, 25 points',
    );
    expect(dialog.getByText('What the task asked for').parentElement).toHaveTextContent('Fly for an hour.');
    expect(dialog.getByText(/rewritten it since/).parentElement).toHaveTextContent('Fly around the world.');
    expect(dialog.getByText(/approved at once and paid/)).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Your answer/), 'It is there.');
    await user.click(dialog.getByRole('button', { name: 'Overturn the rejection' }));
    expect(await screen.findByText('The decision is overturned')).toBeInTheDocument();
    expect(decisions(api)).toEqual([{ p_appeal_id: 'appeal-1', p_decision: 'overturn', p_note: 'It is there.' }]);
  });

  it('says that another admin was faster and how they decided, and then offers the decision no more', async () => {
    const { user, api } = open();
    const entry = {
      subject_type: 'appeal',
      subject_id: 'appeal-1',
      actor_id: 'user_ada',
      created_at: '2026-02-03T10:00:00Z',
    };
    api.routes['GET audit_log'] = [
      { ...entry, id: 7, action: 'appeal.overturn', note: 'The links were real.' },
      { ...entry, id: 8, action: 'appeal.uphold', note: 'Another one.', subject_id: 'appeal-2' },
    ];
    api.routes['GET user_profiles'] = [profileRow({ user_id: 'user_ada', username: 'ada' })];
    await screen.findByText('We only sell kites.');
    api.routes['rpc admin_list_appeals'] = [];
    api.routes['rpc decide_appeal'] = refuse(409, 'APPEAL_DECIDED', 'This appeal has already been decided');
    await user.click(await screen.findByRole('button', { name: 'Uphold' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Your answer/), 'No.');
    await user.click(dialog.getByRole('button', { name: 'Uphold the revocation' }));
    expect(await dialog.findByText(/This appeal has already been decided/)).toBeInTheDocument();
    const decision = (await dialog.findByText('Overturned a decision')).closest('div');
    expect(decision).toHaveTextContent('Overturned a decision, by ada“The links were real.”');
    expect(dialog.queryByLabelText(/Your answer/)).not.toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'Uphold the revocation' })).not.toBeInTheDocument();
    expect(dialog.getByText('Close').closest('button')).toHaveFocus();
    await user.click(dialog.getByText('Close'));
    expect(await screen.findByRole('heading', { name: 'No open appeals' })).toBeInTheDocument();
  });

  it('C-99 does not call it failed when a second press is refused because the first went through', async () => {
    const { user, api } = open();
    api.routes['rpc decide_appeal'] = offline();
    await user.click(await screen.findByRole('button', { name: 'Uphold' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Your answer/), 'No.');
    const press = () => user.click(dialog.getByRole('button', { name: 'Uphold the revocation' }));
    await press();
    expect(await dialog.findByText(/^No answer came/)).toBeInTheDocument();
    api.routes['rpc decide_appeal'] = refuse(403, 'OWN_DECISION', 'Another admin has to decide it.');
    await press();
    expect(await dialog.findByText(/^Failed to decide the appeal: Another admin/)).toBeInTheDocument();
    api.routes['rpc decide_appeal'] = refuse(409, 'APPEAL_DECIDED', 'This appeal has already been decided');
    api.routes['GET audit_log'] = [
      {
        id: 7,
        subject_type: 'appeal',
        subject_id: 'appeal-1',
        actor_id: 'user_test',
        action: 'appeal.uphold',
        note: 'No.',
        created_at: '2026-02-03T10:00:00Z',
      },
    ];
    api.routes['GET user_profiles'] = [profileRow()];
    await press();
    expect(
      await dialog.findByText(/^This has already been decided, perhaps by your own earlier press/),
    ).toBeInTheDocument();
    expect((await dialog.findByText('Upheld a decision')).parentElement).toHaveTextContent(/, by you$/);
  });

  it('shows the outcome of a decided appeal and offers no second decision', async () => {
    open([{ ...appeal, status: 'overturned', decision_note: 'We were wrong.', decided_at: '2026-02-03T10:00:00Z' }]);
    const row = within((await screen.findAllByRole('row'))[1] as HTMLElement);
    expect(row.getByText('Overturned')).toBeInTheDocument();
    expect(row.getByText('We were wrong.')).toBeInTheDocument();
    expect(row.queryByRole('button')).not.toBeInTheDocument();
  });

  it('TRUST-14 a list that failed to load is not shown as empty', async () => {
    open(offline());
    expect(await screen.findByText('The appeals could not be loaded')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('No open appeals')).not.toBeInTheDocument());
  });

  it('when every appeal is decided, does not say that there have been none yet', async () => {
    open([]);
    expect(await screen.findByRole('heading', { name: 'No open appeals' })).toBeInTheDocument();
  });
});
