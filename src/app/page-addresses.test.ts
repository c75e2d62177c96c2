import type { RouteObject } from 'react-router-dom';
import { pageRoute } from '@/lib/head/page-route';
import { robotsTxt } from '../../vite/hosting/crawling';
import { appRoutes } from './routes';

const site = 'https://questboard.example';
const patterns = (routes: RouteObject[]): string[] =>
  routes.flatMap(({ path, children }) => [...(path ? [path] : []), ...patterns(children ?? [])]);
const kindOf = (path: string) => pageRoute(new URL(path, site)).kind;

it('BEY-17 the host knows every page of the app, so that none is answered with 404', () => {
  const addresses = patterns(appRoutes({ isAuthConfigured: true }))
    .filter((pattern) => pattern !== '*')
    .map((pattern) => pattern.replace(/:\w+/, 'some-id').replace('*', 'signin'));
  expect(addresses.length).toBeGreaterThan(40);
  expect(addresses.filter((address) => kindOf(address) === 'unknown')).toEqual([]);
  // Matched like in the router.
  expect(['/Pricing/', '/AUTH/signin/factor-one', '/m/ada/'].map(kindOf)).toEqual(['page', 'private', 'member']);
  expect(['/nowhere', '/quest', '/quest/a/b', '/pricing/x', '/index.php'].map(kindOf)).toEqual(
    Array(5).fill('unknown'),
  );
});

it('the id in an address is decoded, and a malformed percent sign names nothing', () => {
  expect(pageRoute(new URL('/m/ada%20l', site))).toEqual({ kind: 'member', handle: 'ada l' });
  expect(pageRoute(new URL('/m/%E0%A4', site))).toEqual({ kind: 'member', handle: '' });
});

it('robots.txt excludes guarded pages but no public ones, and names the sitemap', () => {
  const robots = robotsTxt(site);
  const refused = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path ?? '');
  expect(refused).toContain('/admin');
  for (const path of ['/', '/browse', '/browse/quest/1', '/quest/1', '/community/project/1', '/rewards', '/pricing']) {
    expect(refused.filter((prefix) => path.startsWith(prefix))).toEqual([]);
  }
  expect(robots).toContain(`Sitemap: ${site}/sitemap.xml\n`);
});
