import { screen, waitFor } from '@testing-library/react';
import { PageHeader } from '@/components/page-header';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { questListItem } from '../testing/samples';
import { QuestCard } from './quest-card';
import { SaveQuestButton } from './save-quest-button';

it('HUB-04 shows View Details to visitors and links to the public page', () => {
  renderApp(<QuestCard quest={questListItem()} />, { identity: signedOut });
  expect(screen.getByRole('link', { name: 'View Details' })).toHaveAttribute('href', '/browse/quest/q1');
  expect(screen.getByRole('link', { name: 'Fly your first lesson' })).toHaveAttribute('href', '/browse/quest/q1');
});

it('HUB-04 shows Join Quest to members and links to the community page', () => {
  renderApp(<QuestCard quest={questListItem()} />, { identity: signedIn() });
  expect(screen.getByRole('link', { name: 'Join Quest' })).toHaveAttribute('href', '/community/quest/q1');
  expect(screen.getByRole('link', { name: 'Fly your first lesson' })).toHaveAttribute('href', '/community/quest/q1');
});

it('C-73 its page links back to the list in its former state', async () => {
  const routes = [
    { path: '/browse', element: <QuestCard quest={questListItem()} /> },
    { path: '/browse/quest/:id', element: <PageHeader title="Quest" back={{ to: '/elsewhere', label: 'Back' }} /> },
  ];
  const { user, router } = renderApp(null, { identity: signedOut, routes, path: '/browse?q=kite&sort=reward' });
  await user.click(screen.getByRole('link', { name: 'View Details' }));
  expect(screen.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/browse?q=kite&sort=reward');
  await user.click(screen.getByRole('link', { name: 'Back' }));
  await waitFor(() =>
    expect(router.state.location).toMatchObject({ pathname: '/browse', search: '?q=kite&sort=reward' }),
  );
  expect(router.state.historyAction).toBe('POP');
});

it("HUB-05 links the project's name to the project", () => {
  renderApp(<QuestCard quest={questListItem()} />);
  expect(screen.getByRole('link', { name: /Paperkite.*Verified/ })).toHaveAttribute('href', '/community/project/p1');
});

it('HUB-08 disables the button of a full quest', () => {
  renderApp(<QuestCard quest={questListItem({ open_slots: 0, is_full: true, reward_points: 0 })} />);
  expect(screen.getByRole('button', { name: 'Quest Full' })).toBeDisabled();
  expect(screen.queryByRole('link', { name: 'View Details' })).not.toBeInTheDocument();
  expect(screen.queryByText(/points/)).not.toBeInTheDocument();
});

it('C-70 C-86 HUB-10 HUB-11 shows what one member can still earn, the number of tasks and the slots left', () => {
  renderApp(<QuestCard quest={questListItem({ reward_points: 250, task_count: 2 })} />);
  expect(screen.getByText('250')).toHaveTextContent('250 points');
  expect(screen.getByText('15 of 20 spots left')).toBeInTheDocument();
  expect(screen.getByText('2 tasks')).toBeInTheDocument();
});

it.each([
  [48, 'Ends in 2 days'],
  [-48, 'Ended 2 days ago'],
])('BEY-07 an end that is %i hours away reads "%s"', (hours, text) => {
  const ends_at = new Date(Date.now() + hours * 3_600_000).toISOString();
  renderApp(<QuestCard quest={questListItem({ ends_at })} />);
  expect(screen.getByText(text)).toBeInTheDocument();
});

it.each([
  ['started', 'Started', 'Continue Quest'],
  ['waiting', 'In Review', 'View Quest'],
  ['rejected', 'Try Again', 'Try Again'],
  ['complete', 'Done', 'View Quest'],
  ['closed', 'Closed', 'View Quest'],
] as const)('BEY-21 C-104 a quest that is %s says so, and its button follows', (state, badge, label) => {
  renderApp(<QuestCard quest={questListItem()} state={state} />, { identity: signedIn() });
  expect(screen.getAllByText(badge)[0]).toBeInTheDocument();
  expect(screen.getByRole('link', { name: label })).toHaveAttribute('href', '/community/quest/q1');
  expect(screen.queryByText('Join Quest')).not.toBeInTheDocument();
});

it('BEY-21 a full quest remains open to members who have started it', () => {
  const full = questListItem({ open_slots: 0, is_full: true });
  renderApp(<QuestCard quest={full} state="waiting" />, { identity: signedIn() });
  expect(screen.getByRole('link', { name: 'View Quest' })).toBeInTheDocument();
});

it('shows a custom reward instead of 0 points', () => {
  renderApp(<QuestCard quest={questListItem({ reward_points: 0, custom_reward_title: 'A free loaf' })} />);
  expect(screen.getByText('A free loaf')).toBeInTheDocument();
  expect(screen.queryByText(/points/)).not.toBeInTheDocument();
});

it('BEY-05 shows one reserved point', () => {
  renderApp(<QuestCard quest={questListItem({ review_hours: 72, reserved_points: 1 })} />);
  expect(screen.getByText('1 point reserved')).toBeInTheDocument();
});

it('BEY-05 BEY-22 shows the promise, and from ten decisions on the record', () => {
  const promise = { review_hours: 72, reserved_points: 1250 };
  const { unmount } = renderApp(<QuestCard quest={questListItem(promise)} />);
  const facts = () =>
    screen.getAllByRole('listitem').flatMap(({ textContent, children }) => (children.length === 0 ? textContent : []));
  expect(facts()).toEqual(['1,250 points reserved', 'Answer within 3 days']);
  unmount();
  const record = { decided: 20, accepted: 15, overturned: 1, median_seconds: 5 * 3_600 };
  renderApp(<QuestCard quest={questListItem({ ...promise, ...record })} />);
  expect(facts()).toEqual([
    '1,250 points reserved',
    'Answer within 3 days, usually 5 hours',
    '75% accepted',
    '20% of rejections overturned',
  ]);
});

it.each<[string, number | null | undefined, string[]]>([
  ['a proof is approved at once', null, ['Approved at once', '75% accepted', '20% of rejections overturned']],
  ['a list does not hold it, as those of saved and suggested quests', undefined, []],
])('C-06 BEY-22 promises no answer within days where %s', (_what, review_hours, expected) => {
  const record = { decided: 20, accepted: 15, overturned: 1, median_seconds: 5 * 3_600 };
  renderApp(<QuestCard quest={questListItem({ ...record, review_hours })} />);
  const shown = screen.queryByRole('list', { name: 'Promises' })?.children ?? [];
  expect(Array.from(shown, ({ textContent }) => textContent)).toEqual(expected);
});

it('BEY-18 shows the time needed only where it was measured', () => {
  const { unmount } = renderApp(<QuestCard quest={questListItem({ median_minutes: 5 })} />);
  expect(screen.getByText('1 task, about 5 minutes')).toBeInTheDocument();
  unmount();
  renderApp(<QuestCard quest={questListItem({ median_minutes: null })} />);
  expect(screen.getByText('1 task')).toBeInTheDocument();
  expect(screen.queryByText(/minute/)).not.toBeInTheDocument();
});

it('does not listen to the role, of which a list would have a hundred listeners', () => {
  const listen = vi.spyOn(window, 'addEventListener');
  const quest = questListItem();
  renderApp(<QuestCard quest={quest} corner={<SaveQuestButton quest={quest} isStored isCompact />} />, {
    identity: signedIn(),
  });
  expect(screen.getByRole('button', { name: 'Save Fly your first lesson', pressed: true })).toBeEnabled();
  expect(listen.mock.calls.map(([name]) => name)).not.toContain('role-changed');
});
