import { screen } from '@testing-library/react';
import { formatDateTime } from '@/lib/format';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp } from '@/lib/testing/render';
import type { Streak } from '../queries';
import { StreakCard } from './streak';

afterEach(() => {
  vi.useRealTimers();
});

function open(streak: Partial<Streak>) {
  const own = {
    weeks: 3,
    best_weeks: 3,
    is_active_this_week: false,
    has_freeze: false,
    is_freeze_in_use: false,
    ...streak,
  };
  fakeApi({ 'rpc get_own_streak': [own] });
  renderApp(<StreakCard userId="user_test" />);
}

describe('BEY-08 the streak names the moment at which the week ends, in the time zone of the reader', () => {
  const monday = '2026-03-16T00:00:00Z';
  it.each([
    ['on the first minute', '2026-03-09T00:01:00Z'],
    ['on the last minute', '2026-03-15T23:59:00Z'],
    ['in the middle', '2026-03-11T12:00:00Z'],
  ])('%s of the week', async (_, now) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
    open({ has_freeze: false, is_freeze_in_use: false });
    expect(await screen.findByText(`Complete a task by ${formatDateTime(monday)} to keep it.`)).toBeVisible();
  });

  it.each([
    [{ is_active_this_week: true }, `This week counts. The next one starts on ${formatDateTime(monday)}.`],
    [{ has_freeze: true }, `Complete a task by ${formatDateTime(monday)}. If you cannot, your freeze covers one week.`],
  ])('for %j', async (streak, sentence) => {
    vi.useFakeTimers({ now: new Date('2026-03-15T23:59:00Z'), toFake: ['Date'] });
    open(streak);
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('while a freeze covers it', async () => {
    vi.useFakeTimers({ now: new Date('2026-03-11T12:00:00Z'), toFake: ['Date'] });
    open({ has_freeze: false, is_freeze_in_use: true });
    expect(await screen.findByText(new RegExp(`by ${formatDateTime(monday)} to keep it`))).toBeVisible();
  });
});

it.each([
  [5, 'Your streak has ended'],
  [0, 'No streak yet'],
])('BEY-08 tells those whose longest streak was %i weeks apart from newcomers', async (best_weeks, title) => {
  open({ weeks: 0, best_weeks });
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  expect(screen.getByText('Complete a task this week to start one.')).toBeVisible();
});
