import type { Database } from '../../types/database.ts';
import { formatCount } from '../format.ts';
import { paths } from '../paths.ts';
import type { PageRoute } from './page-route.ts';

/** A public page's data from the database, the same for everybody. */
export type PageFacts = Database['public']['Functions']['get_page_facts']['Returns'][number];

/** A page's metadata for browsers, search engines and link previews. */
export type PageHead = {
  status: 200 | 404 | 410;
  /** Without the site's name, which is added. */
  title?: string;
  description?: string;
  /** The one path by which search engines should know the page. */
  canonicalPath?: string;
  /** Whether search engines may list it. */
  isIndexed: boolean;
  type: 'website' | 'article' | 'profile';
  /** Breadcrumbs between home and this page, without these two. */
  trail: { name: string; path: string }[];
  /** Home also names the organisation. */
  isHome?: boolean;
  /** The page's own image for link previews, which only the host knows; the site's by default. */
  image?: { path: string; alt: string };
};

const page = (head: Partial<PageHead>): PageHead => ({
  status: 200,
  isIndexed: true,
  type: 'website',
  trail: [],
  ...head,
});

const welcome =
  'Complete small quests for new products, prove them, and earn points. Redeem them for rewards today, and after launch also for cash.';

/** Heads without data, used by the app and the host. */
export const heads = {
  home: page({ description: welcome, canonicalPath: paths.home, isHome: true }),
  quests: page({
    title: 'Explore quests',
    description: 'Quests of young projects: do a small task, prove it, earn points.',
    canonicalPath: paths.browse(),
  }),
  projects: page({
    title: 'Explore projects',
    description: 'Young projects that pay points for honest help: see who they are and what they ask.',
    canonicalPath: paths.browse('projects'),
    trail: [{ name: 'Explore', path: paths.browse() }],
  }),
  rewards: page({
    title: 'Available Rewards',
    description: 'What the points you earn with quests can be redeemed for.',
    canonicalPath: paths.rewards,
  }),
  pricing: page({
    title: 'Pricing',
    description: 'What Questboard costs projects, and what is free.',
    canonicalPath: paths.pricing,
  }),
  terms: page({
    title: 'Terms of use',
    description: 'The rules that members, projects and Questboard agree on.',
    canonicalPath: paths.terms,
  }),
  privacy: page({
    title: 'Privacy policy',
    description: 'What Questboard keeps about you, why, for how long, and how to have it deleted.',
    canonicalPath: paths.privacy,
  }),
  cookies: page({
    title: 'Cookie policy',
    description: 'What Questboard stores in your browser, and what it does not.',
    canonicalPath: paths.cookies,
  }),
  notFound: page({ status: 404, title: 'Page Not Found', isIndexed: false }),
  questNotFound: page({ status: 404, title: 'Quest Not Found', isIndexed: false }),
  projectNotFound: page({ status: 404, title: 'Project Not Found', isIndexed: false }),
  memberNotFound: page({ status: 404, title: 'No public profile', isIndexed: false }),
  private: page({ isIndexed: false }),
} as const;

type QuestFacts = Pick<PageFacts, 'title' | 'summary' | 'project_name' | 'reward_points' | 'reward_title'> & {
  key: string;
};

/** Head of a quest, with what a member can still earn (C-70). */
export function questHead(quest: QuestFacts): PageHead {
  const { reward_points: points, reward_title: reward, project_name: project } = quest;
  const gains = [points ? formatCount(points, 'point') : null, reward].filter(Boolean).join(' and ');
  const offer = gains ? `Earn ${gains}${project ? ` from ${project}` : ''}.` : project ? `A quest by ${project}.` : '';
  return page({
    title: quest.title ?? undefined,
    description: [offer, quest.summary].filter(Boolean).join(' '),
    canonicalPath: paths.publicQuest(quest.key),
    type: 'article',
    trail: [{ name: 'Explore', path: paths.browse() }],
  });
}

/** Head of a project, with its own summary. */
export function projectHead({ key, title, summary }: Pick<PageFacts, 'title' | 'summary'> & { key: string }): PageHead {
  return page({
    title: title ?? undefined,
    description: summary || `${title} on Questboard: its quests, and what members say about them.`,
    canonicalPath: paths.project(key),
    trail: [{ name: 'Projects', path: paths.browse('projects') }],
  });
}

/** Head of a member's public profile (BEY-08). */
export function memberHead({ key, title }: Pick<PageFacts, 'title'> & { key: string }): PageHead {
  return page({
    title: title ?? undefined,
    description: `${title} on Questboard: quests done, projects helped and badges.`,
    canonicalPath: paths.memberProfile(key),
    type: 'profile',
  });
}

/** Head of home for an invited visitor. Without a canonical URL, so that the preview is of the shared link and not of home. */
const invitationHead = (points: number | null): PageHead => ({
  ...page({ isIndexed: false }),
  title: 'You are invited',
  description: `${points ? `Sign up through this invitation and get ${formatCount(points, 'point')}. ` : ''}${welcome}`,
});

/** Arguments of get_page_facts; null for pages without data. */
export function factsOf(route: PageRoute): { kind: string; key: string } | null {
  if (route.kind === 'quest' || route.kind === 'project') return { kind: route.kind, key: route.id };
  if (route.kind === 'member') return { kind: route.kind, key: route.handle };
  return route.kind === 'invitation' ? { kind: route.kind, key: '' } : null;
}

/** The head of the page at a route. When the database did not respond, `facts` is null and the head is generic. */
export function pageHead(route: PageRoute, facts: PageFacts | null): PageHead {
  const head = headOf(route, facts);
  const asked = factsOf(route);
  if (!asked || facts?.state !== 'shown' || !facts.preview) return head;
  const alt = [head.title, head.description].filter(Boolean).join(': ');
  return { ...head, image: { path: paths.preview(asked.kind, facts.key ?? 'all', facts.preview), alt } };
}

function headOf(route: PageRoute, facts: PageFacts | null): PageHead {
  if (route.kind === 'page') return heads[route.name];
  if (route.kind === 'hub') return heads[route.tab];
  if (route.kind === 'private') return heads.private;
  if (route.kind === 'unknown') return heads.notFound;
  if (route.kind === 'invitation') return invitationHead(facts?.reward_points ?? null);
  if (facts === null) return page({});
  if (facts.state !== 'shown' || facts.key === null) return missingHead(route, facts.state);
  const shown = { ...facts, key: facts.key };
  if (route.kind === 'project') return projectHead(shown);
  if (route.kind === 'member') return memberHead(shown);
  return { ...questHead(shown), isIndexed: facts.is_listed };
}

function missingHead(route: PageRoute, state: string): PageHead {
  if (route.kind === 'project') return heads.projectNotFound;
  if (route.kind === 'member') return heads.memberNotFound;
  // The owner and participants still see the quest at this URL.
  if (route.kind === 'quest' && route.isMembers) return heads.private;
  return state === 'gone' ? { ...heads.questNotFound, status: 410 } : heads.questNotFound;
}
