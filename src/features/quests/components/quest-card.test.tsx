import { screen } from '@testing-library/react';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { questListItem, slots } from '../testing/samples';
import { QuestCard } from './quest-card';

it('HUB-04 reads View Details for visitors and leads to the public page', () => {
  renderApp(<QuestCard quest={questListItem()} slots={slots()} />, { identity: signedOut });
  expect(screen.getByRole('link', { name: 'View Details' })).toHaveAttribute('href', '/browse/quest/q1');
  expect(screen.getByRole('link', { name: 'Fly your first lesson' })).toHaveAttribute('href', '/browse/quest/q1');
});

it('HUB-04 reads Join Quest for members and leads to the community page', () => {
  renderApp(<QuestCard quest={questListItem()} slots={slots()} />, { identity: signedIn() });
  expect(screen.getByRole('link', { name: 'Join Quest' })).toHaveAttribute('href', '/community/quest/q1');
});

it('HUB-05 leads from the project’s name to the project', () => {
  renderApp(<QuestCard quest={questListItem()} slots={slots()} />);
  expect(screen.getByRole('link', { name: /Paperkite.*Verified/ })).toHaveAttribute('href', '/community/project/p1');
});

it('HUB-08 disables the button of a full quest', () => {
  renderApp(<QuestCard quest={questListItem()} slots={slots({ available_slots: 0, is_quest_full: true })} />);
  expect(screen.getByRole('button', { name: 'Quest Full' })).toBeDisabled();
  expect(screen.queryByRole('link', { name: 'View Details' })).not.toBeInTheDocument();
});

it('HUB-08 C-34 keeps the button of a quest without statistics enabled', () => {
  renderApp(<QuestCard quest={questListItem()} slots={null} />);
  expect(screen.getByRole('link', { name: 'View Details' })).toBeInTheDocument();
});

it('HUB-10 shows the capped average reward and the spots left', () => {
  renderApp(<QuestCard quest={questListItem({ average_reward: 250, task_count: 2 })} slots={slots()} />);
  expect(screen.getByText('100')).toHaveTextContent('100 points');
  expect(screen.getByText('15 of 20 spots left')).toBeInTheDocument();
  expect(screen.getByText('per task, 2 tasks')).toBeInTheDocument();
});

it('shows a custom reward in place of no points', () => {
  renderApp(
    <QuestCard quest={questListItem({ average_reward: 0, custom_reward_title: 'A free loaf' })} slots={slots()} />,
  );
  expect(screen.getByText('A free loaf')).toBeInTheDocument();
  expect(screen.queryByText(/points/)).not.toBeInTheDocument();
});
