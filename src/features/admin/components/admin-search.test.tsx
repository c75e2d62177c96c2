import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { AdminSearch } from './admin-search';

const findings = [
  { kind: 'person', id: 'user_robin', title: 'robin', detail: 'robin@example.org', status: 'suspended' },
  { kind: 'project', id: 'p1', title: 'Robin Ltd', detail: null, status: 'verified' },
  { kind: 'quest', id: 'q1', title: 'Feed the robin', detail: 'Robin Ltd', status: 'held' },
  { kind: 'redemption', id: 'r1', title: 'Mug', detail: 'robin', status: 'pending' },
];

async function open(answer: unknown = findings) {
  const api = fakeApi({ 'rpc admin_search': answer });
  const view = renderApp(<AdminSearch />, { identity: signedIn('admin'), path: '/admin' });
  await view.user.click(screen.getByRole('button', { name: 'Search everything' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Search everything' }));
  return { ...view, api, dialog };
}
const searchFor = async ({ user, dialog }: Awaited<ReturnType<typeof open>>, text: string) =>
  user.type(dialog.getByRole('searchbox'), text);

describe('global search', () => {
  it('ADMIN-01 focuses the search field, is debounced, and links to each kind of result', async () => {
    const view = await open();
    const { dialog, api } = view;
    expect(dialog.getByRole('searchbox')).toHaveFocus();
    await searchFor(view, 'robin');
    await dialog.findByRole('link', { name: /robin@example.org/ });
    expect(api.calls.map(({ params }) => params.get('p_search'))).toEqual(['robin']);
    expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/admin?tab=people&person=user_robin',
      '/admin?tab=projects&project=p1',
      '/admin?tab=quests&q=q1',
      '/admin?tab=redemptions&q=r1',
    ]);
    expect(dialog.getByRole('region', { name: 'People' })).toHaveTextContent('Suspended');
    expect(dialog.getByRole('region', { name: 'Quests' })).toHaveTextContent('On hold');
    expect(dialog.getByRole('status')).toHaveTextContent('4 results');
  });

  it('closes when a result is chosen, and navigates to it', async () => {
    const view = await open();
    await searchFor(view, 'kite');
    await view.user.click(await view.dialog.findByRole('link', { name: /Robin Ltd Verified|^Robin Ltd$/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(view.router.state.location.search).toBe('?tab=projects&project=p1');
  });

  it('TRUST-14 says that nothing was found only on an empty result; a failure is shown as such', async () => {
    const nothing = await open([]);
    await searchFor(nothing, 'x');
    expect(await nothing.dialog.findByText('Nothing has that name or id.')).toBeInTheDocument();
    nothing.unmount();
    const failing = await open(offline);
    await searchFor(failing, 'x');
    expect(await failing.dialog.findByText('The search failed')).toBeInTheDocument();
    expect(failing.dialog.queryByText('Nothing has that name or id.')).not.toBeInTheDocument();
  });
});
