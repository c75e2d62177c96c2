import { isValidElement } from 'react';
import { matchRoutes, type RouteObject } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { RequireSession } from './guards';
import { appRoutes } from './routes';

const configured = appRoutes({ isAuthConfigured: true });
const notConfigured = appRoutes({ isAuthConfigured: false });

/** The pattern that a path matches ('*' is the 404 page), and the roles of its guard. */
function resolve(path: string, routes: RouteObject[] = configured) {
  const matches = matchRoutes(routes, path) ?? [];
  const guard = matches
    .map(({ route }) => route.element)
    .find(
      (element) =>
        typeof element === 'object' && element !== null && 'type' in element && element.type === RequireSession,
    );
  const props =
    typeof guard === 'object' && guard !== null && 'props' in guard ? (guard.props as { roles?: string[] }) : null;
  return { pattern: matches.at(-1)?.route.path, access: props === null ? 'everyone' : (props.roles ?? 'members') };
}

/** An address of every route in the table, except of those that end with a star. */
const addresses = (configured[0]?.children ?? [])
  .flatMap(({ path, children = [] }) => [path, ...children.map((child) => child.path)])
  .flatMap((path) => (path && !path.endsWith('*') ? path.replace(/:\w+/, '1') : []));

const withoutIdentity = ['/', '/browse', '/browse/quest/1', '/rewards', '/pricing'];
const everyone = [...withoutIdentity, ...['/quest/1', '/community/project/1', '/terms', '/privacy', '/cookies']];
const auth = [
  '/auth/signin',
  '/auth/signup',
  '/auth/signin/sso-callback',
  '/auth/signup/verify-email-address',
  '/auth/x',
];
const members = [
  ...['/community', '/community/quest/1', '/profile', '/settings', '/notifications'],
  ...['/community/profile', '/community/settings', '/community/referrals', '/community/quests'],
  ...['/app-dashboard', '/onboarding', '/startup/subscribe'],
];
const project = [
  ...['/startup', '/startup/create', '/startup/profile', '/startup/profile/edit', '/startup/wallet'],
  ...['/startup/campaigns/new', '/startup/campaigns/create', '/startup/create-quest'],
  ...['/startup/campaigns/1/edit', '/startup/campaigns/1/submissions'],
];

describe('the route table', () => {
  it.each([...everyone, ...auth])('ROUTE-01 ROUTE-02 ROUTE-05 ROUTE-06 %s is open to everyone', (path) => {
    expect(resolve(path).access).toBe('everyone');
    expect(resolve(path).pattern).not.toBe('*');
  });

  it.each(members)('ROUTE-03 ROUTE-04 ROUTE-07 ROUTE-12 %s admits every signed-in role', (path) => {
    expect(resolve(path).access).toBe('members');
  });

  it.each([
    ['C-29 ROUTE-11', ['/startup/campaigns/new', '/startup/campaigns/create', '/startup/create-quest']],
    ['C-32', ['/profile', '/community/profile']],
    ['C-32', ['/settings', '/community/settings']],
  ])('%s %j are one page', (_rows, paths) => {
    const pages = paths.map((path) => matchRoutes(configured, path)?.at(-1)?.route.element);
    expect(pages.every(isValidElement)).toBe(true);
    expect(new Set(pages.map((page) => isValidElement(page) && page.type)).size).toBe(1);
  });

  it.each(project)('ROUTE-09 ROUTE-10 ROUTE-11 %s exists', (path) => {
    expect(addresses).toContain(path);
  });

  it.each(addresses.filter((path) => path.startsWith('/startup') && path !== '/startup/subscribe'))(
    'ROUTE-08 %s admits the two startup roles',
    (path) => {
      expect(resolve(path).access).toEqual(['startup_unverified', 'startup_verified']);
    },
  );

  it.each(['/admin', '/admin/data', '/admin/projects/1/edit'])('ROUTE-13 ROUTE-14 %s admits admins only', (path) => {
    expect(resolve(path).access).toEqual(['admin']);
  });

  it.each(['/nope', '/startup/nope', '/browse/nope/1', '/admin/nope'])('ROUTE-19 %s shows the 404 page', (path) => {
    expect(resolve(path).pattern).toBe('*');
  });

  it('covers every path that links are built from', () => {
    // An image is not a page: the host serves it.
    const { preview: _, ...pages } = paths;
    const built = Object.values(pages).map((path) => (typeof path === 'function' ? path('1' as never) : path));
    for (const path of built) expect([path, resolve(path.split('?')[0] ?? '').pattern]).not.toContain('*');
  });
});

describe('without an identity provider', () => {
  it('ROUTE-17 C-63 only the public pages work', () => {
    const working = addresses.filter((path) => resolve(path, notConfigured).pattern !== '*');
    expect(working.toSorted()).toEqual(withoutIdentity.toSorted());
  });

  it('ROUTE-18 every /auth address shows the page that explains it', () => {
    for (const path of auth) expect(resolve(path, notConfigured).pattern).toBe('/auth/*');
  });
});
