import { headTags } from './head-tags';
import { factsOf, heads, type PageFacts, pageHead } from './page-head';
import { type PageRoute, pageRoute } from './page-route';

const SITE = 'https://questboard.example';
const route = (path: string): PageRoute => pageRoute(new URL(path, SITE));

const shown: PageFacts = {
  state: 'shown',
  key: 'k1',
  title: 'Paperkite',
  summary: 'Kites for everybody.',
  description: null,
  project_id: null,
  project_name: null,
  logo_url: null,
  reward_points: null,
  reward_title: null,
  task_count: null,
  max_participants: null,
  review_hours: null,
  open_quests: null,
  level: null,
  is_listed: true,
  preview: null,
} as PageFacts;

describe('BEY-17 the page at an address', () => {
  it.each<[string, PageRoute]>([
    ['/', { kind: 'page', name: 'home' }],
    ['/?ref=ABC', { kind: 'invitation' }],
    ['/browse', { kind: 'hub', tab: 'quests' }],
    ['/browse?tab=quests', { kind: 'hub', tab: 'quests' }],
    ['/browse?tab=projects', { kind: 'hub', tab: 'projects' }],
    ['/browse/quest/k1', { kind: 'quest', id: 'k1', isMembers: false }],
    ['/quest/k1', { kind: 'quest', id: 'k1', isMembers: false }],
    ['/quest/%E0', { kind: 'quest', id: '', isMembers: false }],
    ['/browse/quest/%E0', { kind: 'quest', id: '', isMembers: false }],
    ['/community/quest/k1', { kind: 'quest', id: 'k1', isMembers: true }],
    ['/community/quest/%E0', { kind: 'quest', id: '', isMembers: true }],
    ['/community/project/k1', { kind: 'project', id: 'k1' }],
    ['/community/project/%E0', { kind: 'project', id: '' }],
    ['/m/mina', { kind: 'member', handle: 'mina' }],
    ['/pricing', { kind: 'page', name: 'pricing' }],
    ['/startup/wallet', { kind: 'private' }],
    ['/nowhere', { kind: 'unknown' }],
  ])('%s', (path, expected) => {
    expect(route(path)).toEqual(expected);
  });

  it('is looked up in the database where it has an id', () => {
    expect(
      ['/quest/k1', '/community/project/k1', '/m/mina', '/?ref=ABC', '/browse'].map((path) => factsOf(route(path))),
    ).toEqual([
      { kind: 'quest', key: 'k1' },
      { kind: 'project', key: 'k1' },
      { kind: 'member', key: 'mina' },
      { kind: 'invitation', key: '' },
      null,
    ]);
  });
});

describe('BEY-17 the head of', () => {
  const headOf = (path: string, facts: Partial<PageFacts> | null = {}) =>
    pageHead(route(path), facts && { ...shown, ...facts });

  it('a fixed page', () => {
    expect(headOf('/pricing')).toBe(heads.pricing);
    expect(headOf('/browse')).toBe(heads.quests);
    expect(headOf('/browse?tab=projects')).toBe(heads.projects);
    expect(headOf('/admin')).toBe(heads.private);
    expect(headOf('/nowhere')).toBe(heads.notFound);
  });

  it.each<[string, Partial<PageFacts>, string]>([
    ['points of a project', { reward_points: 50, project_name: 'Lantern' }, 'Earn 50 points from Lantern. Sentence.'],
    ['one point', { reward_points: 1 }, 'Earn 1 point. Sentence.'],
    ['thousands of points', { reward_points: 1250 }, 'Earn 1,250 points. Sentence.'],
    ['points and a reward', { reward_points: 50, reward_title: 'a kite' }, 'Earn 50 points and a kite. Sentence.'],
    ['a reward alone', { reward_title: 'a kite' }, 'Earn a kite. Sentence.'],
    ['nothing but a project', { project_name: 'Lantern' }, 'A quest by Lantern. Sentence.'],
    ['nothing', {}, 'Sentence.'],
  ])('a quest that offers %s', (_what, facts, description) => {
    expect(headOf('/quest/k1', { ...facts, summary: 'Sentence.' })).toEqual({
      status: 200,
      title: 'Paperkite',
      description,
      canonicalPath: '/browse/quest/k1',
      isIndexed: true,
      type: 'article',
      trail: [{ name: 'Explore', path: '/browse' }],
    });
  });

  it('a quest without a summary', () => {
    expect(headOf('/quest/k1', { summary: null, reward_points: 50 }).description).toBe('Earn 50 points.');
  });

  it('a project', () => {
    expect(headOf('/community/project/k1')).toEqual({
      status: 200,
      title: 'Paperkite',
      description: 'Kites for everybody.',
      isIndexed: true,
      type: 'website',
      canonicalPath: '/community/project/k1',
      trail: [{ name: 'Projects', path: '/browse?tab=projects' }],
    });
    expect(headOf('/community/project/k1', { summary: '' }).description).toBe(
      'Paperkite on Questboard: its quests, and what members say about them.',
    );
  });

  it('a member', () => {
    expect(headOf('/m/mina', { key: 'mina', title: 'Mina' })).toEqual({
      status: 200,
      title: 'Mina',
      isIndexed: true,
      type: 'profile',
      trail: [],
      canonicalPath: '/m/mina',
      description: 'Mina on Questboard: quests done, projects helped and badges.',
    });
  });

  it('an invitation, with and without points', () => {
    const home = heads.home.description;
    expect(headOf('/?ref=ABC', { reward_points: 250 })).toMatchObject({
      title: 'You are invited',
      isIndexed: false,
      description: `Sign up through this invitation and get 250 points. ${home}`,
    });
    expect(headOf('/?ref=ABC', { reward_points: 0 }).description).toBe(home);
    expect(headOf('/?ref=ABC', null).description).toBe(home);
  });

  it.each<[string, string, object]>([
    ['/quest/k1', 'missing', heads.questNotFound],
    ['/quest/k1', 'gone', { ...heads.questNotFound, status: 410 }],
    ['/community/quest/k1', 'gone', heads.private],
    ['/community/project/k1', 'missing', heads.projectNotFound],
    ['/community/project/k1', 'gone', heads.projectNotFound],
    ['/m/mina', 'missing', heads.memberNotFound],
  ])('%s when it is %s', (path, state, head) => {
    expect(headOf(path, { state, key: null })).toEqual(head);
    expect(headOf(path, { state })).toEqual(head);
  });

  it('a page whose data could not be read claims nothing', () => {
    expect(headOf('/quest/k1', null)).toEqual({ status: 200, isIndexed: true, type: 'website', trail: [] });
  });

  it('a page with a preview image', () => {
    expect(headOf('/m/mina', { key: 'mina', title: 'Mina', preview: 'abc' }).image).toEqual({
      path: '/previews/member/mina/abc.png',
      alt: 'Mina: Mina on Questboard: quests done, projects helped and badges.',
    });
    expect(headOf('/?ref=ABC', { key: null, preview: 'abc' }).image?.path).toBe('/previews/invitation/all/abc.png');
    expect(headOf('/quest/k1', { preview: 'abc', title: null, summary: 'Just this.' }).image?.alt).toBe('Just this.');
    expect(headOf('/quest/k1', { preview: 'abc', state: 'gone' }).image).toBeUndefined();
  });
});

describe('BEY-17 the elements of a head', () => {
  const tags = (head: Parameters<typeof headTags>[0]) =>
    headTags(head, SITE).map(({ name, attributes, text }) => [name, ...Object.values(attributes), text]);

  it('home: who is behind the site', () => {
    const { description } = heads.home;
    const image = `${SITE}/preview.png`;
    const alt = 'Questboard: quests that pay in points';
    expect(tags(heads.home)).toEqual([
      ['title', alt],
      ['meta', 'description', description, undefined],
      ['link', 'canonical', `${SITE}/`, undefined],
      ['meta', 'og:site_name', 'Questboard', undefined],
      ['meta', 'og:type', 'website', undefined],
      ['meta', 'og:title', alt, undefined],
      ['meta', 'og:description', description, undefined],
      ['meta', 'og:url', `${SITE}/`, undefined],
      ['meta', 'og:image', image, undefined],
      ['meta', 'og:image:type', 'image/png', undefined],
      ['meta', 'og:image:width', '1200', undefined],
      ['meta', 'og:image:height', '630', undefined],
      ['meta', 'og:image:alt', alt, undefined],
      ['meta', 'twitter:card', 'summary_large_image', undefined],
      ['meta', 'twitter:image', image, undefined],
      ['meta', 'twitter:image:alt', alt, undefined],
      [
        'script',
        'application/ld+json',
        JSON.stringify({
          '@context': 'https://schema.org',
          '@type': 'Organization',
          name: 'Questboard',
          url: `${SITE}/`,
          logo: `${SITE}/icon-512.png`,
        }),
      ],
    ]);
  });

  it('a page below: the way to it', () => {
    const { text = '' } = headTags(heads.projects, SITE).at(-1) ?? {};
    const item = (position: number, name: string, path: string) => ({
      '@type': 'ListItem',
      position,
      name,
      item: `${SITE}${path}`,
    });
    expect(JSON.parse(text)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: [
        item(1, 'Questboard', '/'),
        item(2, 'Explore', '/browse'),
        item(3, 'Explore projects', '/browse?tab=projects'),
      ],
    });
  });

  it('a page that is not indexed says so, and has nothing to share', () => {
    expect(tags(heads.notFound)).toEqual([
      ['title', 'Page Not Found · Questboard'],
      ['meta', 'robots', 'noindex', undefined],
    ]);
  });
});
