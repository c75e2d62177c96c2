import { matchRoutes } from 'react-router-dom';
import { robotsTxt, sitemapXml } from '../../vite/site-files';
import { appRoutes } from './routes';

const site = 'https://questboard.example';
const open = appRoutes({ isAuthConfigured: false });
const isOpen = (path: string) => matchRoutes(open, path)?.at(-1)?.route.path !== '*';

it('the sitemap lists public pages only, under the address of the site', () => {
  const addresses = [...sitemapXml(site).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address ?? '');
  expect(addresses).toContain(`${site}/browse?tab=projects`);
  for (const address of addresses) expect(isOpen(new URL(address).pathname)).toBe(true);
});

it('robots.txt keeps crawlers off what is guarded, and off nothing that is public', () => {
  const refused = [...robotsTxt(site).matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path ?? '');
  expect(refused).toContain('/admin');
  for (const path of ['/', '/browse', '/browse/quest/1', '/quest/1', '/community/project/1', '/rewards', '/pricing']) {
    expect(refused.filter((prefix) => path.startsWith(prefix))).toEqual([]);
  }
});

it('robots.txt names the sitemap only where the address of the site is known', () => {
  expect(robotsTxt(site)).toContain(`Sitemap: ${site}/sitemap.xml`);
  expect(robotsTxt(undefined, 'https://api.example.com')).not.toContain('Sitemap');
  expect(robotsTxt(site, 'https://api.example.com')).toContain(
    'Sitemap: https://api.example.com/storage/v1/object/public/site/sitemap.xml',
  );
});
