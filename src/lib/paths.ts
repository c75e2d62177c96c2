const enc = encodeURIComponent;

function withQuery(path: string, params: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Every path of the app. Links are built from here; app/routes.tsx has the patterns that they must match. */
export const paths = {
  home: '/',
  browse: (tab?: 'quests' | 'projects') => withQuery('/browse', { tab: tab === 'projects' ? tab : undefined }),
  rewards: '/rewards',
  walletHistory: '/rewards?view=history',
  pricing: '/pricing',
  terms: '/terms',
  privacy: '/privacy',
  cookies: '/cookies',

  publicQuest: (id: string) => `/browse/quest/${enc(id)}`,
  shortQuest: (id: string) => `/quest/${enc(id)}`,
  communityQuest: (id: string) => `/community/quest/${enc(id)}`,
  project: (id: string) => `/community/project/${enc(id)}`,
  memberProfile: (handle: string) => `/m/${enc(handle)}`,
  /** Its image for link previews. */
  preview: (kind: string, key: string, name: string) => `/previews/${enc(kind)}/${enc(key)}/${enc(name)}.png`,

  community: '/community',
  communityProfile: '/community/profile',
  communitySettings: '/community/settings',
  myQuests: '/community/quests',
  referrals: '/community/referrals',
  profile: '/profile',
  settings: '/settings',
  notifications: '/notifications',
  onboarding: '/onboarding',

  signIn: (options: { redirect?: string; role?: string } = {}) => withQuery('/auth/signin', options),
  signUp: (options: { redirect?: string; role?: string } = {}) => withQuery('/auth/signup', options),
  /** The literal URL that the plans link to for visitors; the nested query parses as intended (C-17). */
  signUpForOgLifetime: '/auth/signup?redirect=/startup/subscribe?plan=og_lifetime&role=startup_unverified',
  /** Target of Join Community for visitors (HOME-03). */
  signUpForReferrals: '/auth/signup?redirect=/community/referrals',
  appDashboard: '/app-dashboard',

  founder: '/startup',
  projectProfile: '/startup/profile',
  projectCreate: '/startup/create',
  projectEdit: '/startup/profile/edit',
  projectWallet: '/startup/wallet',
  review: '/startup/review',
  developers: '/startup/developers',
  questNew: '/startup/campaigns/new',
  questCreate: '/startup/campaigns/create',
  createQuest: '/startup/create-quest',
  questEdit: (id: string) => `/startup/campaigns/${enc(id)}/edit`,
  questSubmissions: (id: string) => `/startup/campaigns/${enc(id)}/submissions`,
  /** One submission in its quest's review list, found by its id. */
  submission: (questId: string, id = '') =>
    withQuery(`/startup/campaigns/${enc(questId)}/submissions`, { view: 'proofs', q: id }),
  billing: '/startup/billing',
  subscribe: (plan?: 'og_lifetime') => withQuery('/startup/subscribe', { plan }),

  admin: '/admin',
  adminData: '/admin/data',
  adminProjectEdit: (id: string) => `/admin/projects/${enc(id)}/edit`,
} as const;

/** Path of a quest: the members' page when signed in, the public one otherwise (HUB-05, HOME-04). */
export function questPath(id: string, isSignedIn: boolean): string {
  return isSignedIn ? paths.communityQuest(id) : paths.publicQuest(id);
}

/**
 * Where to go after signing in. Accepts paths of this site only; an external URL, an auth page (which would redirect
 * back here) or an invalid value gives /app-dashboard (C-17).
 */
export function parseRedirect(value: string | null | undefined): string {
  // URL parsers drop control characters and read backslashes as slashes: '/\t/evil' is '//evil'.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
  if (!value || !/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(value)) return paths.appDashboard;
  const url = new URL(value, 'https://questboard.invalid');
  if (url.origin !== 'https://questboard.invalid') return paths.appDashboard;
  if (url.pathname.startsWith('//') || /^\/auth(\/|$)/.test(url.pathname)) return paths.appDashboard;
  return `${url.pathname}${url.search}${url.hash}`;
}

const authPages = [paths.signIn(), paths.signUp()];

/** The provider gives each further step of signing in or up a URL below the page's; this returns the page's path. */
export function authPageOf(pathname: string): string {
  return authPages.find((page) => pathname.startsWith(`${page}/`)) ?? pathname;
}

/** Whether this is the first step, which the page introduces; the provider's form introduces the others. */
export function isFirstAuthStep(pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '');
  return authPageOf(path) === path;
}

/** Whether a text is a UUID, and so can be a row's id. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
