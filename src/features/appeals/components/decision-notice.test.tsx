import { screen, waitFor, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { projectRow } from '@/features/projects/testing';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { AppealDialog } from './appeal';
import { ProjectDecisionNotice, SuspensionNotice } from './decision-notice';

// Lazy-loaded, which on a busy machine takes longer than a test waits.
beforeAll(AppealDialog.preload);

const at = '2026-02-01T10:00:00+00:00';
const revoked = projectRow({ status: 'rejected', revoked_at: at, review_note: 'Sells followers' });
const appeal = {
  id: 'appeal-1',
  user_id: 'user_test',
  kind: 'revocation',
  against_at: at,
  words: 'We only sell kites.',
  status: 'open',
  decision_note: null as string | null,
  created_at: '2026-02-02T10:00:00+00:00',
  due_at: '2026-02-04T10:00:00+00:00',
};

function open(notice: ReactElement, routes: Record<string, unknown> = {}) {
  const api = fakeApi({ 'GET appeals': [], 'rpc submit_appeal': [{ id: 'appeal-1' }], ...routes });
  return { ...renderApp(notice, { identity: signedIn('startup_unverified') }), api };
}
const sent = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter(({ path }) => path === 'rpc/submit_appeal').map(({ body }) => body);

describe('a revoked project', () => {
  it('C-91 BEY-04 shows the reason and the consequence, and accepts one appeal', async () => {
    const { user, api } = open(<ProjectDecisionNotice project={revoked} />);
    expect(screen.getByText('The verification of your project was revoked')).toBeVisible();
    expect(screen.getByText('Sells followers')).toBeVisible();
    expect(screen.getByText(/quests are on hold. Their points stay reserved/)).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Appeal' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText(/Why should the decision change/)).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
    expect(dialog.getByText('Please say why the decision should change')).toBeVisible();
    expect(dialog.getByLabelText(/Why should the decision change/)).toHaveFocus();
    expect(sent(api)).toEqual([]);
    await user.type(dialog.getByLabelText(/Why should the decision change/), 'We only sell kites.');
    api.routes['GET appeals'] = [appeal];
    await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText(/You appealed on Feb 2, 2026/)).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument();
    expect(sent(api)).toEqual([{ p_kind: 'revocation', p_words: 'We only sell kites.' }]);
  });

  it('C-91 shows the outcome of the appeal, and offers no second one', async () => {
    open(<ProjectDecisionNotice project={revoked} />, {
      'GET appeals': [{ ...appeal, status: 'upheld', decision_note: 'The shop is still there.' }],
    });
    expect(await screen.findByText(/The decision stands:/)).toBeVisible();
    expect(screen.getByText('The shop is still there.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument();
  });

  it('an appeal against an earlier decision does not use up the one against this decision', async () => {
    open(<ProjectDecisionNotice project={revoked} />, {
      'GET appeals': [
        { ...appeal, against_at: '2026-01-01T10:00:00+00:00', status: 'upheld', decision_note: 'No.' },
        { ...appeal, kind: 'suspension', status: 'upheld', decision_note: 'No.' },
        { ...appeal, user_id: 'somebody_else' },
      ],
    });
    expect(await screen.findByRole('button', { name: 'Appeal' })).toBeVisible();
    expect(screen.queryByText('No.')).not.toBeInTheDocument();
  });

  it('C-99 looks up an appeal whose answer was lost before it says anything of a failure, and keeps the text', async () => {
    const { user, api } = open(<ProjectDecisionNotice project={revoked} />, { 'rpc submit_appeal': offline() });
    await user.click(await screen.findByRole('button', { name: 'Appeal' }));
    const words = await screen.findByLabelText(/Why should the decision change/);
    await user.type(words, 'We only sell kites.');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText(/We are checking whether it went through/)).toBeVisible();
    expect(screen.queryByText(/Failed/)).not.toBeInTheDocument();
    expect(await screen.findByText(/Failed to send: It did not go through/)).toBeVisible();
    expect(screen.queryByText(/We are checking/)).not.toBeInTheDocument();
    expect(words).toHaveValue('We only sell kites.');
    api.routes['rpc submit_appeal'] = refuse(409, 'APPEAL_EXISTS', 'You have already appealed this decision');
    api.routes['GET appeals'] = [appeal];
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByText(/You appealed on Feb 2, 2026/)).toBeVisible();
  });

  it('promises an answer where it certainly comes, for the mails can be switched off', async () => {
    open(<ProjectDecisionNotice project={revoked} />, { 'GET appeals': [appeal] });
    expect(await screen.findByText(/, here and in your notifications\.$/)).toBeVisible();
  });

  it('TRUST-14 does not offer an appeal until it is known whether there is one', async () => {
    open(<ProjectDecisionNotice project={revoked} />, { 'GET appeals': offline() });
    expect(await screen.findByText('Your appeal could not be loaded')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument();
  });
});

it('a rejected project is shown the reason, line by line, and sent to support', () => {
  const review_note = 'No website.\nNo name.';
  open(<ProjectDecisionNotice project={projectRow({ status: 'rejected', review_note })} />);
  expect(screen.getByText('Your project was not approved')).toBeVisible();
  expect(screen.getByText('No website. No name.')).toHaveClass('whitespace-pre-line');
  expect(screen.getByText(/^Please contact support/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument();
});

describe('a suspended person', () => {
  const suspended = profileRow({ user_id: 'user_test', suspended_at: at, suspension_reason: 'Copied proofs' });

  it('BEY-04 is shown the reason and can appeal against the suspension', async () => {
    const { user, api } = open(<SuspensionNotice userId="user_test" />, { 'GET user_profiles': [suspended] });
    expect(await screen.findByText('Copied proofs')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Appeal' }));
    await user.type(await screen.findByLabelText(/Why should the decision change/), 'They were my own.');
    await user.click(screen.getByRole('button', { name: 'Send appeal' }));
    expect(await screen.findByText('Your appeal is sent')).toBeVisible();
    expect(sent(api)).toEqual([{ p_kind: 'suspension', p_words: 'They were my own.' }]);
  });

  it('is told through the project while the profile cannot be read', async () => {
    open(<SuspensionNotice userId="user_test" since={at} />, { 'GET user_profiles': offline() });
    expect(await screen.findByText('Your account is suspended')).toBeVisible();
  });

  it('others see nothing', async () => {
    const { queryClient, container } = open(<SuspensionNotice userId="user_test" />, {
      'GET user_profiles': [profileRow({ user_id: 'user_test' })],
    });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(container).not.toHaveTextContent('suspended');
  });
});
