import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedOut } from '@/lib/testing/render';
import MemberProfilePage from './member-profile-page';

const profile = {
  handle: 'kite',
  display_name: 'Kite Flyer',
  member_since: '2026-01-01',
  lifetime_points: 2450,
  tasks_done: 31,
  projects_helped: 6,
  streak_weeks: 4,
  best_weeks: 9,
  badges: [{ badge: 'ten_tasks', week: '2026-02-02' }],
};

function setUp(answer: unknown) {
  const api = fakeApi({ 'rpc get_member_profile': answer });
  const page = (
    <Routes>
      <Route path="/m/:handle" element={<MemberProfilePage />} />
    </Routes>
  );
  return { ...renderApp(page, { identity: signedOut, path: '/m/Kite' }), api };
}

describe('BEY-08 a public profile', () => {
  it('shows name, level, figures and badges to visitors', async () => {
    const { api } = setUp([profile]);
    expect(await screen.findByRole('heading', { level: 1, name: 'Kite Flyer' })).toBeInTheDocument();
    const figure = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
    expect(
      ['Level', 'Points earned', 'Tasks done', 'Projects helped', 'Weeks in a row', 'Longest streak'].map(figure),
    ).toEqual(['3', '2,450', '31', '6', '4', '9']);
    expect(within(screen.getByRole('list', { name: 'Badges' })).getByText('10 tasks')).toBeInTheDocument();
    expect(screen.getByText('@kite · here since January 2026')).toBeInTheDocument();
    expect(api.calls[0]?.params.get('p_handle')).toBe('kite');
  });

  it('says when there is none', async () => {
    setUp([]);
    expect(await screen.findByRole('heading', { name: 'No public profile here' })).toBeInTheDocument();
  });

  it('TRUST-14 a failed read is not shown as a missing profile', async () => {
    setUp(refuse(500, null, 'out of memory'));
    expect(await screen.findByText('This profile could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No public profile here')).not.toBeInTheDocument();
  });
});
