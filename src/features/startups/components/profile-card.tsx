import { ExternalLink, Pencil } from 'lucide-react';
import { Link } from 'react-router-dom';
import { StatusStamp } from '@/components/status-stamp';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { paths } from '@/lib/paths';
import type { Startup } from '../queries';
import { shownAddress } from '../website';
import { DeleteStartup } from './delete-startup';
import { StartupLogo } from './startup-logo';
import { startupStatusWord } from './startup-status';

/** The own project on its dashboard (SDASH-02). */
export function ProfileCard({ startup }: { startup: Startup }) {
  return (
    <Card as="section" aria-label="Project profile" className="grid gap-4 sm:grid-cols-[auto_1fr_auto] sm:items-center">
      <StartupLogo name={startup.name} logoUrl={startup.logo_url} className="size-16 text-xl" />
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="text-2xl [overflow-wrap:anywhere]">{startup.name}</h2>
          <StatusStamp status={startupStatusWord(startup.status)} />
        </div>
        <p className="flex flex-wrap gap-x-4 text-muted">
          <span>{startup.industry}</span>
          {startup.website && (
            <a
              href={startup.website}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex items-center gap-1 underline underline-offset-4 hover:text-ink"
            >
              {shownAddress(startup.website)}
              <ExternalLink aria-hidden="true" className="size-3.5" />
            </a>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" asChild>
          <Link to={paths.startupEdit}>
            <Pencil aria-hidden="true" />
            Edit Profile
          </Link>
        </Button>
        <DeleteStartup startup={startup} />
      </div>
    </Card>
  );
}
