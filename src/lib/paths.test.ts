import { isUuid, parseRedirect, paths, questPath } from './paths';

describe('parseRedirect', () => {
  it.each([
    '/community/quest/1?tab=tasks#task-2',
    '/startup/subscribe?plan=og_lifetime',
    '/authors',
    '/m/auth',
    '/m/auth/x',
    '/',
  ])('C-17 accepts the path %s of this site', (path) => {
    expect(parseRedirect(path)).toBe(path);
  });

  it.each([
    null,
    '',
    'community',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '\\\\evil.example',
    'see /rewards',
    '/rewards\\x',
    '/rewards\n',
    'javascript:alert(1)',
    '/auth',
    '/auth/signin',
    '/rewards/../auth/signin',
    '/auth/signup?redirect=/x',
  ])('C-17 AUTH-03 replaces %j with /app-dashboard', (value) => {
    expect(parseRedirect(value)).toBe('/app-dashboard');
  });

  it('C-17 parses redirect and role from the literal plan link', () => {
    const params = new URL(paths.signUpForOgLifetime, 'https://site.example').searchParams;
    expect(parseRedirect(params.get('redirect'))).toBe('/startup/subscribe?plan=og_lifetime');
    expect(params.get('role')).toBe('startup_unverified');
  });
});

describe('paths', () => {
  it('escapes ids and omits empty parameters', () => {
    expect(paths.communityQuest('a/b')).toBe('/community/quest/a%2Fb');
    expect(paths.signIn()).toBe('/auth/signin');
    expect(paths.signIn({ redirect: '/rewards?x=1' })).toBe('/auth/signin?redirect=%2Frewards%3Fx%3D1');
    expect(paths.browse('projects')).toBe('/browse?tab=projects');
    expect(paths.browse('quests')).toBe('/browse');
    expect(paths.signUp({ role: 'community' })).toBe('/auth/signup?role=community');
    expect(paths.submission('q 1', 's1')).toBe('/startup/campaigns/q%201/submissions?view=proofs&q=s1');
    expect(paths.subscribe('og_lifetime')).toBe('/startup/subscribe?plan=og_lifetime');
    expect(paths.preview('quest', 'a/b', 'x')).toBe('/previews/quest/a%2Fb/x.png');
  });

  it('opens a quest on the public side for visitors', () => {
    expect(questPath('q1', false)).toBe('/browse/quest/q1');
    expect(questPath('q1', true)).toBe('/community/quest/q1');
  });
});

const id = '0a1b2c3d-0000-4000-8000-00000000000f';

it('isUuid accepts an id in either case, and nothing that only contains or resembles one', () => {
  expect(isUuid(id)).toBe(true);
  expect(isUuid(id.toUpperCase())).toBe(true);
  const others = [`x${id}`, `${id}0`, id.slice(1), id.slice(0, -1), id.replaceAll('-', ''), id.replace('-0000', '')];
  expect(others.filter(isUuid)).toEqual([]);
  expect(['', 'new', id.replace('a', 'g'), id.replace('4000', '400'), id.replace('f', 'g')].filter(isUuid)).toEqual([]);
});
