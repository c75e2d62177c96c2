// @vitest-environment jsdom
import { readStorage } from '@/lib/storage';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { profileRow } from '@/lib/testing/rows';
import { runMutation } from '@/lib/testing/run-mutation';
import { sendWelcomeEmail, useSwitchRole, useSyncProfile } from './mutations';
import { useSaveInterests, useUpdateProfile } from './profile-mutations';
import { accountQueries } from './queries';

const saved = profileRow({ display_name: 'Robin R.' });
const names = {
  username: 'robin',
  displayName: 'Robin R.',
  email: 'robin@example.org',
  changed: { username: true, displayName: true, email: true },
};

it.each([
  ['AUTH-08', 'sync_current_user', () => runMutation(useSyncProfile, 'user_test'), {}],
  ['HEAD-04', 'switch_role', () => runMutation(useSwitchRole, 'startup'), { p_role: 'startup' }],
  [
    'PROF-05',
    'update_profile',
    () => runMutation(useUpdateProfile, names),
    { p_username: 'robin', p_display_name: 'Robin R.', p_email: 'robin@example.org' },
  ],
  ['C-116', 'save_interests', () => runMutation(useSaveInterests, { Gaming: true }), { p_interests: ['Gaming'] }],
])('%s the profile returned by %s is shown at once', async (_, procedure, run, body) => {
  const api = fakeApi({ [`rpc ${procedure}`]: saved, 'GET user_profiles': [] });
  const { data, queryClient } = await run();
  expect(data).toEqual(saved);
  expect(api.calls.find(({ path }) => path === `rpc/${procedure}`)?.body).toEqual(body);
  expect(queryClient.getQueryData(accountQueries.profile('user_test').queryKey)).toEqual(saved);
});

it.each([
  ['startup', 'startup_verified', 'startup_verified'],
  ['startup', 'admin', 'startup_unverified'],
  ['community', 'admin', 'community'],
] as const)(
  'HEAD-04 C-10 C-11 after a switch to %s with %s in the profile, %s is the role here',
  async (side, role, active) => {
    fakeApi({ 'rpc switch_role': profileRow({ role }) });
    await runMutation(useSwitchRole, side);
    expect([readStorage('selectedRole'), readStorage('roleOwner')]).toEqual([active, 'user_test']);
  },
);

it('HEAD-04 C-99 a switch whose answer was lost is made, and a refused one is not sent again', async () => {
  const api = fakeApi({});
  const answers = [offline(), profileRow({ role: 'startup_verified' })];
  api.routes['rpc switch_role'] = () => answers.shift();
  await runMutation(useSwitchRole, 'startup');
  expect(readStorage('selectedRole')).toBe('startup_verified');
  api.routes['rpc switch_role'] = refuse(403, 'SUSPENDED', 'Your account is suspended.');
  api.calls.length = 0;
  expect((await runMutation(useSwitchRole, 'community')).error?.message).toBe('Your account is suspended.');
  expect(api.calls).toHaveLength(1);
});

it.each([
  [
    'C-116 interests',
    'save_interests',
    () => runMutation(useSaveInterests, { Gaming: true }),
    [['quests', 'suggested']],
  ],
  [
    'PROF-05 names',
    'update_profile',
    () => runMutation(useUpdateProfile, names),
    [
      ['rewards', 'leaderboard'],
      ['rewards', 'profile'],
    ],
  ],
] as const)('%s are read again wherever else they count', async (_, procedure, run, keys) => {
  fakeApi({ [`rpc ${procedure}`]: saved, 'GET user_profiles': [] });
  expect((await run()).stale).toEqual(keys);
});

it('C-99 interests whose answer was lost are saved, and the profile is shown with them', async () => {
  let sent = 0;
  fakeApi({
    'GET user_profiles': [],
    'rpc save_interests': () => {
      sent += 1;
      return sent === 1 ? offline() : saved;
    },
  });
  const { data, error, queryClient } = await runMutation(useSaveInterests, { Gaming: true });
  expect({ data, error }).toEqual({ data: saved, error: null });
  expect(queryClient.getQueryData(accountQueries.profile('user_test').queryKey)).toEqual(saved);
});

it('a refusal leaves the profile unchanged', async () => {
  fakeApi({ 'rpc update_profile': refuse(403, 'SUSPENDED', 'This account is suspended'), 'GET user_profiles': [] });
  const { error, queryClient } = await runMutation(useUpdateProfile, names);
  expect(error).toMatchObject({ message: 'This account is suspended' });
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});

describe('AUTH-08 a sync', () => {
  beforeEach(() => localStorage.clear());
  const sync = async (saved: Parameters<typeof profileRow>[0] = {}) => {
    const api = fakeApi({ 'rpc sync_current_user': profileRow(saved) });
    await runMutation(useSyncProfile, 'user_test');
    return { body: api.calls[0]?.body, role: readStorage('selectedRole'), owner: readStorage('roleOwner') };
  };

  it('sends the role chosen before signing in, and keeps the one that the database returns', async () => {
    localStorage.setItem('selectedRole', 'startup_unverified');
    expect(await sync({ role: 'startup_verified' })).toEqual({
      body: { p_selected_role: 'startup_unverified' },
      role: 'startup_verified',
      owner: 'user_test',
    });
  });

  it("does not send another person's choice", async () => {
    localStorage.setItem('selectedRole', 'startup_unverified');
    localStorage.setItem('questboard.role-owner', 'user_other');
    expect(await sync()).toEqual({ body: {}, role: 'community', owner: 'user_test' });
  });
});

describe('MAIL-04 the welcome mail', () => {
  const route = 'POST /api/send-email';

  it("sends the person's id, first name and role", async () => {
    const api = fakeApi({ [route]: { ok: true } });
    const profile = profileRow({ display_name: '  Robin  Reed ', email: 'robin@example.org' });
    expect(await sendWelcomeEmail(profile)).toBe(true);
    await sendWelcomeEmail({ ...profile, display_name: null });
    await sendWelcomeEmail({ ...profile, display_name: ' ' });
    await sendWelcomeEmail({ ...profile, display_name: `${'x'.repeat(81)} Reed` });
    const nameless = { type: 'welcome', recipient: { email: 'robin@example.org' }, userRole: 'community' };
    const long = 'x'.repeat(80);
    expect(api.calls.map(({ body }) => body)).toEqual([
      { ...nameless, recipient: { email: 'robin@example.org', name: 'Robin  Reed' }, firstName: 'Robin' },
      nameless,
      nameless,
      { ...nameless, recipient: { email: 'robin@example.org', name: long }, firstName: long },
    ]);
  });

  it.each([
    ['is refused', refuse(400, 'INVALID_INPUT', 'No')],
    ['gets no answer', offline()],
  ])('MAIL-05 that %s shows no error', async (_, answer) => {
    fakeApi({ [route]: answer });
    expect(await sendWelcomeEmail(profileRow())).toBe(false);
  });
});
