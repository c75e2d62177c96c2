import { BadgeCheck, ExternalLink } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { type Startup, StartupLogo } from '@/features/startups';
import { paths } from '@/lib/paths';

/** Whose quest it is (QUEST-03). */
export function StartupCard({ startup }: { startup: Startup }) {
  return (
    <Card as="section" aria-label="Project" className="grid gap-3">
      <div className="flex items-center gap-3">
        <StartupLogo name={startup.name} logoUrl={startup.logo_url} />
        <div className="min-w-0">
          <Link
            to={paths.project(startup.id)}
            className="inline-flex min-h-11 items-center font-bold font-display text-lg leading-tight hover:underline"
          >
            {startup.name}
          </Link>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {startup.status === 'verified' && (
          <Badge tone="action">
            <BadgeCheck aria-hidden="true" />
            Verified
          </Badge>
        )}
        <Badge>{startup.industry}</Badge>
      </div>
      {startup.description && <p className="line-clamp-4 text-muted">{startup.description}</p>}
      {startup.website && (
        <a
          href={startup.website}
          target="_blank"
          rel="noopener nofollow"
          className="inline-flex min-h-11 items-center gap-2 font-medium text-action underline underline-offset-4"
        >
          Visit website
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      )}
    </Card>
  );
}
