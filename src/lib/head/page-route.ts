/** The page at a URL, as far as its head depends on it. */
export type PageRoute =
  | { kind: 'page'; name: 'home' | 'rewards' | 'pricing' | 'terms' | 'privacy' | 'cookies' }
  | { kind: 'hub'; tab: 'quests' | 'projects' }
  | { kind: 'invitation' }
  /** `isMembers`: the members' URL of the quest, which responds with 200 to everybody and sends visitors to sign in. */
  | { kind: 'quest'; id: string; isMembers: boolean }
  | { kind: 'project'; id: string }
  | { kind: 'member'; handle: string }
  /** A page that depends on the user: never indexed. */
  | { kind: 'private' }
  | { kind: 'unknown' };

type Params = Record<string, string>;

/** The routes of app/routes.tsx, in the same notation; a test compares the two. Anything else is a 404. */
const routes: readonly [pattern: string, route: (params: Params, query: URLSearchParams) => PageRoute][] = [
  ['/', (_, query) => (query.has('ref') ? { kind: 'invitation' } : { kind: 'page', name: 'home' })],
  ['/browse', (_, query) => ({ kind: 'hub', tab: query.get('tab') === 'projects' ? 'projects' : 'quests' })],
  ['/browse/quest/:id', ({ id = '' }) => ({ kind: 'quest', id, isMembers: false })],
  ['/quest/:id', ({ id = '' }) => ({ kind: 'quest', id, isMembers: false })],
  ['/community/quest/:id', ({ id = '' }) => ({ kind: 'quest', id, isMembers: true })],
  ['/community/project/:id', ({ id = '' }) => ({ kind: 'project', id })],
  ['/m/:handle', ({ handle = '' }) => ({ kind: 'member', handle })],
  ...(['rewards', 'pricing', 'terms', 'privacy', 'cookies'] as const).map((name): [string, () => PageRoute] => [
    `/${name}`,
    () => ({ kind: 'page', name }),
  ]),
  ...[
    '/confirm-subscription',
    '/unsubscribe',
    '/auth/*',
    '/community',
    '/community/profile',
    '/community/settings',
    '/community/quests',
    '/community/referrals',
    '/profile',
    '/settings',
    '/notifications',
    '/app-dashboard',
    '/onboarding',
    '/startup',
    '/startup/create',
    '/startup/profile',
    '/startup/profile/edit',
    '/startup/subscribe',
    '/startup/review',
    '/startup/wallet',
    '/startup/billing',
    '/startup/developers',
    '/startup/campaigns/new',
    '/startup/campaigns/create',
    '/startup/create-quest',
    '/startup/campaigns/:id/edit',
    '/startup/campaigns/:id/submissions',
    '/admin',
    '/admin/data',
    '/admin/projects/:id/edit',
  ].map((pattern): [string, () => PageRoute] => [pattern, () => ({ kind: 'private' })]),
];

/** Like the router, ignores case and trailing slashes. */
const compiled = routes.map(([pattern, route]) => {
  const source = pattern.replace(/\/\*$/, '(?:/.*)?').replace(/:(\w+)/g, '(?<$1>[^/]+)');
  return [new RegExp(`^${source}/*$`, 'i'), route] as const;
});

/** The page at a URL of this site. */
export function pageRoute({ pathname, searchParams }: URL): PageRoute {
  for (const [pattern, route] of compiled) {
    const match = pattern.exec(pathname);
    if (match) return route(decoded(match.groups ?? {}), searchParams);
  }
  return { kind: 'unknown' };
}

function decoded(params: Params): Params {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // A malformed escape sequence, which no id contains.
    return {};
  }
}
