import { BadgeCheck, ExternalLink } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Startup } from '../queries';
import { shownAddress } from '../website';
import { StartupLogo } from './startup-logo';

/** Who the project is (PROJ-01). */
export function ProjectHeader({ startup }: { startup: Startup }) {
  return (
    <header className="flex flex-col gap-5 py-4 sm:flex-row sm:items-start">
      <StartupLogo name={startup.name} logoUrl={startup.logo_url} className="size-20 text-2xl sm:size-24" />
      <div className="grid min-w-0 gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-3xl [overflow-wrap:anywhere] sm:text-4xl">{startup.name}</h1>
          {startup.status === 'verified' && (
            <Badge tone="action">
              <BadgeCheck aria-hidden="true" />
              Verified
            </Badge>
          )}
        </div>
        {startup.description && <p className="max-w-prose whitespace-pre-line text-lg">{startup.description}</p>}
        <p className="flex flex-wrap items-center gap-x-4 text-muted">
          <span>{startup.industry}</span>
          {startup.website && (
            <a
              href={startup.website}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-h-11 items-center gap-1.5 font-medium text-action underline underline-offset-4"
            >
              {shownAddress(startup.website)}
              <ExternalLink aria-hidden="true" className="size-4" />
            </a>
          )}
        </p>
      </div>
    </header>
  );
}
