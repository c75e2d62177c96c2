import { screen, waitFor, within } from '@testing-library/react';
import { projectRow } from '@/features/projects/testing';
import { myQuest, questListItem } from '@/features/quests/testing/samples';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import MyQuestsPage from './my-quests-page';

function setUp(quests: unknown, identity = signedIn()) {
  const api = fakeApi({ 'rpc list_my_quests': quests });
  return { api, ...renderApp(<MyQuestsPage />, { identity, path: '/community/quests' }) };
}
const quest = async (name: string) => within(await screen.findByRole('listitem', { name }));

describe('BEY-21 my quests', () => {
  it('show the proof, the decision and the next step', async () => {
    setUp([
      myQuest({ campaign_id: 'a', title: 'Two pages', state: 'rejected', can_continue: true }),
      myQuest({ campaign_id: 'b', title: 'One leaf', state: 'complete' }),
    ]);
    const again = await quest('Two pages');
    expect(again.getAllByText('Try Again')).toHaveLength(2);
    expect(again.getByText('Incomplete: Page two is missing')).toBeInTheDocument();
    expect(again.getByText('What I saw')).toBeInTheDocument();
    expect(again.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/community/quest/a');
    const done = await quest('One leaf');
    expect(done.getByText('Done')).toBeInTheDocument();
    expect(done.getByText(/^Approved by the project/)).toBeInTheDocument();
    expect(done.getByRole('link', { name: 'View Quest' })).toHaveAttribute('href', '/community/quest/b');
  });

  it('BEY-23 say that an appeal is being decided when nothing else is', async () => {
    const appeal = { kept_until: '2026-01-13T00:00:00Z', appealed_at: '2026-01-07T00:00:00Z' };
    const [rejected] = myQuest({ state: 'rejected' }).submissions.map((proof) => ({ ...proof, ...appeal }));
    const [pending] = myQuest({ state: 'waiting' }).submissions.map((proof) => ({ ...proof, task_id: 't2', id: 's2' }));
    const { api } = setUp([]);
    api.routes['GET appeals'] = [];
    api.routes['rpc list_my_quests'] = [
      myQuest({ campaign_id: 'a', title: 'Two pages', submissions: rejected ? [rejected] : [] }),
      myQuest({
        campaign_id: 'b',
        title: 'One leaf',
        task_count: 2,
        submissions: [rejected, pending].flatMap((each) => each ?? []),
      }),
    ];
    expect((await quest('Two pages')).getByText('Under Appeal')).toBeInTheDocument();
    expect((await quest('One leaf')).getAllByText('In Review')).toHaveLength(1);
  });

  it('offer no resubmission where none is accepted', async () => {
    setUp([myQuest({ title: 'Two pages', state: 'rejected', can_continue: false })]);
    expect((await quest('Two pages')).getByRole('link', { name: 'View Quest' })).toBeInTheDocument();
  });

  it('request the states of a view, and the next page, from the server', async () => {
    const page = Array.from({ length: 20 }, (_, index) =>
      myQuest({ campaign_id: `q${index}`, title: `Quest ${index}`, cursor: `after-${index}` }),
    );
    const { api, user } = setUp(page);
    await quest('Quest 0');
    api.routes['rpc list_my_quests'] = offline();
    await user.click(screen.getByRole('button', { name: 'Show more quests' }));
    expect(await screen.findByText(/^Network error/)).toBeVisible();
    api.routes['rpc list_my_quests'] = [myQuest({ campaign_id: 'last', title: 'The last' })];
    await user.click(screen.getByRole('button', { name: 'Show more quests' }));
    await quest('The last');
    expect(api.calls.at(-1)?.body).toEqual({ p_limit: 20, p_cursor: 'after-19' });
    api.routes['rpc list_my_quests'] = [];
    await user.click(screen.getByRole('tab', { name: 'To do' }));
    expect(await screen.findByText('Nothing here')).toBeInTheDocument();
    expect(api.calls.at(-1)?.body).toEqual({ p_states: ['rejected', 'started'], p_limit: 20 });
  });

  it.each([
    ['none', []],
    ['some', [myQuest({ title: 'One leaf', state: 'rejected' })]],
  ])('TRUST-14 the quests of a tab are its own, before its list is there, too: after %s', async (_, all) => {
    const { api, user } = setUp(all);
    await screen.findByText(all[0]?.title ?? 'No quests started yet');
    const answer = Promise.withResolvers<unknown>();
    api.routes['rpc list_my_quests'] = () => answer.promise;
    await user.click(screen.getByRole('tab', { name: 'Done' }));
    expect(screen.getByRole('tab', { name: 'Done' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.queryByText('Nothing here')).not.toBeInTheDocument();
    expect(screen.queryByText('One leaf')).not.toBeInTheDocument();
    answer.resolve([myQuest({ title: 'Two pages', state: 'complete' })]);
    await quest('Two pages');
  });

  it('BEY-18 list saved quests, which can be removed; the focus moves to the next card', async () => {
    const { api, user } = setUp([]);
    await screen.findByText('No quests started yet');
    const [kept, other] = [
      questListItem({ id: 'kept', title: 'Kept for later' }),
      questListItem({ id: 'other', title: 'Kept as well' }),
    ];
    api.routes['rpc list_saved_quests'] = [kept, other];
    api.routes['GET saved_quests'] = [{ campaign_id: 'kept' }, { campaign_id: 'other' }];
    api.routes['rpc get_own_quest_states'] = [];
    api.routes['rpc set_quest_saved'] = false;
    await user.click(screen.getByRole('tab', { name: 'Saved' }));
    const button = await screen.findByRole('button', { name: 'Save Kept for later', pressed: true });
    api.routes['rpc list_saved_quests'] = [other];
    await user.click(button);
    await waitFor(() => expect(screen.getByRole('link', { name: 'Kept as well' })).toHaveFocus());
    api.routes['rpc list_saved_quests'] = [];
    await user.click(screen.getByRole('button', { name: 'Save Kept as well' }));
    expect(await screen.findByText('Nothing saved yet')).toBeInTheDocument();
    expect(screen.getByRole('tabpanel', { name: 'Saved' })).toHaveFocus();
  });

  it('BEY-18 list followed projects, which can be unfollowed; the focus moves to the next card', async () => {
    const { api, user } = setUp([]);
    await screen.findByText('No quests started yet');
    const [kite, lantern] = [
      projectRow({ id: 'kite', name: 'Paper Kite' }),
      projectRow({ id: 'lamp', name: 'Lantern' }),
    ];
    api.routes['rpc list_followed_projects'] = [kite, lantern];
    api.routes['rpc set_project_followed'] = false;
    await user.click(screen.getByRole('tab', { name: 'Following' }));
    expect(await screen.findByRole('link', { name: 'Paper Kite' })).toHaveAttribute('href', '/community/project/kite');
    const button = await screen.findByRole('button', { name: 'Unfollow Paper Kite' });
    api.routes['rpc list_followed_projects'] = [lantern];
    await user.click(button);
    expect(api.calls.find(({ path }) => path === 'rpc/set_project_followed')?.body).toEqual({
      p_startup_id: 'kite',
      p_is_followed: false,
    });
    await waitFor(() => expect(screen.getByRole('link', { name: 'Lantern' })).toHaveFocus());
    api.routes['rpc list_followed_projects'] = [];
    await user.click(screen.getByRole('button', { name: 'Unfollow Lantern' }));
    expect(await screen.findByText('You are not following any projects yet')).toBeInTheDocument();
    expect(screen.getByRole('tabpanel', { name: 'Following' })).toHaveFocus();
  });

  it('C-99 unfollow without calling it a failure when only the answer was lost', async () => {
    const { api, user } = setUp([]);
    await screen.findByText('No quests started yet');
    api.routes['rpc list_followed_projects'] = [projectRow({ id: 'kite', name: 'Paper Kite' })];
    api.routes['rpc set_project_followed'] = offline();
    api.routes['GET followed_projects'] = [];
    await user.click(screen.getByRole('tab', { name: 'Following' }));
    const button = await screen.findByRole('button', { name: 'Unfollow Paper Kite' });
    api.routes['rpc list_followed_projects'] = [];
    await user.click(button);
    expect(await screen.findByText('You are not following any projects yet')).toBeInTheDocument();
    expect(screen.queryByText(/^Network error/)).not.toBeInTheDocument();
  });

  it('TRUST-14 say when the followed projects could not be loaded', async () => {
    const { api, user } = setUp([]);
    await screen.findByText('No quests started yet');
    api.routes['rpc list_followed_projects'] = refuse(500, null, 'x');
    await user.click(screen.getByRole('tab', { name: 'Following' }));
    expect(await screen.findByText('The projects that you follow could not be loaded')).toBeInTheDocument();
  });

  it('invite to a first quest, and TRUST-14 say when they could not be loaded', async () => {
    const { unmount } = setUp([]);
    expect(await screen.findByText('No quests started yet')).toBeInTheDocument();
    unmount();
    setUp(refuse(500, null, 'x'));
    expect(await screen.findByText('Your quests could not be loaded')).toBeInTheDocument();
  });

  it('C-15 say so when nobody is signed in', () => {
    setUp([], signedOut);
    expect(screen.getByRole('heading', { name: 'Not Signed In' })).toBeInTheDocument();
  });
});
