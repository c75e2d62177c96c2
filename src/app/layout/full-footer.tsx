import { Link } from 'react-router-dom';
import { buttonClass } from '@/components/ui/button';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { ConsentLink } from '@/features/analytics';
import { MailingListForm } from '@/features/mailing-list';
import { useSession } from '@/lib/auth';
import { isAuthConfigured } from '@/lib/env';
import { paths } from '@/lib/paths';
import { LegalLinks, ThemeToggle } from './footer-parts';

const linkClass = 'inline-flex min-h-11 items-center hover:text-action hover:underline hover:underline-offset-4';

/** Mailing list, links, social accounts, legal texts and the theme (HEAD-10). */
export default function FullFooter() {
  return (
    <footer id="footer" className="border-t bg-card print:hidden">
      <div className="page-column grid grid-cols-2 gap-6 py-8 md:gap-8 md:py-10 md:grid-cols-[2fr_1fr_1fr]">
        <div className="max-w-md max-md:col-span-2">
          <p className="font-bold font-display text-lg">Questboard</p>
          <p className="mt-1 mb-4 text-muted">Small jobs for new products, pinned up by the people who make them.</p>
          <MailingListForm />
        </div>
        <nav aria-labelledby="footer-site">
          <h2 id="footer-site" className="font-semibold font-sans text-muted text-sm">
            Explore
          </h2>
          <SiteLinks />
        </nav>
        <div>
          <h2 className="font-semibold font-sans text-muted text-sm">Legal</h2>
          <LegalLinks />
          <ConsentLink />
        </div>
      </div>
      <div className="page-column pb-6">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t pt-4">
          <p className="text-muted text-sm">© {new Date().getFullYear()} Questboard</p>
          <div className="flex flex-wrap items-center gap-2">
            <SocialLinks />
            <ThemeToggle />
          </div>
        </div>
      </div>
    </footer>
  );
}

function SiteLinks() {
  const { status } = useSession();
  const isVisitor = status === 'signed-out' && isAuthConfigured();
  const links = [
    { to: paths.browse(), label: 'Quests and projects' },
    { to: paths.rewards, label: 'Rewards' },
    { to: paths.pricing, label: 'Pricing' },
    ...(isVisitor ? [{ to: paths.signUp(), label: 'Join' }] : []),
  ];
  return (
    <ul>
      {links.map(({ to, label }) => (
        <li key={to}>
          <Link to={to} className={linkClass}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The product's social accounts; change them here when they move. Inline SVGs instead of a brand icon library. */
const accounts = [
  { label: 'X', href: 'https://x.com/questboard', path: 'M4 4l16 16M20 4 4 20' },
  {
    label: 'LinkedIn',
    href: 'https://www.linkedin.com/company/questboard',
    path: 'M6 10v9M6 5.5v.01M11 19v-9M11 14c0-5 7-5.5 7 0v5',
  },
  {
    label: 'Discord',
    href: 'https://discord.gg/questboard',
    path: 'M8 7c3-1.3 5-1.3 8 0 2 3 3 6 3 9-1.5 1.3-3 2-4 2l-1-2h-4l-1 2c-1 0-2.5-.7-4-2 0-3 1-6 3-9zM9.5 12.5v.01M14.5 12.5v.01',
  },
];

/** HEAD-10. */
function SocialLinks() {
  return (
    <ul className="flex gap-1">
      {accounts.map(({ label, href, path }) => (
        <li key={label}>
          <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass('ghost', 'icon')}>
            <svg
              aria-hidden="true"
              viewBox="0 0 24 24"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
            >
              <path d={path} />
            </svg>
            <VisuallyHidden>Questboard on {label}</VisuallyHidden>
          </a>
        </li>
      ))}
    </ul>
  );
}
