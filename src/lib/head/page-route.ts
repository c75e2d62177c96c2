/** What an address shows, as far as its head needs to know. */
export type PageRoute =
  | { kind: 'page'; name: 'home' | 'rewards' | 'pricing' | 'terms' | 'privacy' | 'cookies' }
  | { kind: 'hub'; tab: 'quests' | 'projects' }
  | { kind: 'invitation' }
  /** `isMembers`: the member's side of the same quest, which answers 200 to everybody and sends visitors to sign in. */
  | { kind: 'quest'; id: string; isMembers: boolean }
  | { kind: 'project'; id: string }
  | { kind: 'member'; handle: string }
  /** Somebody's own, or a step on the way: never listed. */
  | { kind: 'private' }
  | { kind: 'unknown' };

type Parameters = Record<string, string>;

/**
 * The addresses of app/routes.tsx, in its own notation; a test holds the two together. What is not here is answered with 404.
 */
const routes: readonly [pattern: string, route: (parameters: Parameters, query: URLSearchParams) => PageRoute][] = [
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

/** As the router matches: upper case and a slash at the end make no difference. */
const compiled = routes.map(([pattern, route]) => {
  const source = pattern.replace(/\/\*$/, '(?:/.*)?').replace(/:(\w+)/g, '(?<$1>[^/]+)');
  return [new RegExp(`^${source}/*$`, 'i'), route] as const;
});

/** The page at an address of this site. */
export function pageRoute({ pathname, searchParams }: URL): PageRoute {
  for (const [pattern, route] of compiled) {
    const match = pattern.exec(pathname);
    if (match) return route(decoded(match.groups ?? {}), searchParams);
  }
  return { kind: 'unknown' };
}

function decoded(parameters: Parameters): Parameters {
  try {
    return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // A stray percent sign: nothing has such an id.
    return {};
  }
}
