import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { Activity } from '../data/queries';
import { RecentActivity } from './recent-activity';

const happened = (title: string): Activity => ({
  kind: 'startup',
  id: title,
  title,
  detail: 'SaaS',
  status: 'verified',
  at: '2026-02-02T10:00:00Z',
});
const shown = () =>
  within(screen.getByRole('list', { name: 'Recent activity' }))
    .getAllByRole('listitem')
    .map((line) => line.querySelector('p')?.textContent);

function open(answer: unknown) {
  const api = fakeApi({ 'rpc get_recent_activity': answer });
  const view = renderApp(<RecentActivity days={30} emptyText="Nothing yet." failure="Could not be loaded" />, {
    identity: signedIn('admin'),
  });
  return { ...view, api };
}

describe('ADMIN-01 recent activity', () => {
  it('keeps its rows in place on a refresh; new ones wait', async () => {
    const { api, user, queryClient } = open([happened('Kites'), happened('Boats')]);
    await screen.findByText('Kites');
    api.routes['rpc get_recent_activity'] = [happened('Trains'), happened('Kites'), happened('Boats')];
    await act(() => queryClient.refetchQueries());
    const button = await screen.findByRole('button', { name: 'Show 1 new event' });
    expect(shown()).toEqual(['Kites', 'Boats']);
    await user.click(button);
    expect(shown()).toEqual(['Trains', 'Kites', 'Boats']);
    await waitFor(() => expect(button).not.toBeInTheDocument());
  });

  it('shows a failure as such, not as empty', async () => {
    const { unmount } = open([]);
    expect(await screen.findByText('Nothing yet.')).toBeInTheDocument();
    unmount();
    open(offline());
    expect(await screen.findByText('Could not be loaded')).toBeInTheDocument();
  });
});
