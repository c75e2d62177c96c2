import { Link } from 'react-router-dom';
import { useSession } from '@/lib/auth';
import { isAuthConfigured } from '@/lib/env';
import { paths } from '@/lib/paths';
import { LegalLinks } from './legal-links';
import { ConsentLink, MailingListForm } from './plugs';
import { SocialLinks } from './social-links';
import { ThemeToggle } from './theme-toggle';

const linkClass = 'inline-flex min-h-11 items-center hover:text-action hover:underline hover:underline-offset-4';

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

/** Mailing list, links, social accounts, legal texts and the theme (HEAD-10). */
export function Footer() {
  return (
    <footer id="footer" className="mt-16 border-t bg-card">
      <div className="page-column grid grid-cols-2 gap-8 py-10 md:grid-cols-[2fr_1fr_1fr]">
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
          <ConsentLink className={linkClass} />
        </div>
      </div>
      {/* Room below the last row for the floating feedback button. */}
      <div className="page-column pb-20">
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
