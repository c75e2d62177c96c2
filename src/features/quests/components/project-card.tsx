import { BadgeCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { type Startup, StartupLogo } from '@/features/startups';
import { paths } from '@/lib/paths';

/** A verified project; the whole card leads to its page (HUB-05). */
export function ProjectCard({ startup }: { startup: Startup }) {
  return (
    <Card as="li" className="relative grid content-start gap-3 hover:border-field">
      <div className="flex items-center gap-3">
        <StartupLogo name={startup.name} logoUrl={startup.logo_url} />
        <div className="min-w-0">
          <h2 className="flex items-center gap-1.5 text-lg">
            <Link to={paths.project(startup.id)} className="truncate after:absolute after:inset-0 after:rounded-card">
              {startup.name}
            </Link>
            <BadgeCheck aria-hidden="true" className="size-4 shrink-0 text-action" />
            <VisuallyHidden>Verified</VisuallyHidden>
          </h2>
          <Badge>{startup.industry}</Badge>
        </div>
      </div>
      {startup.description && <p className="line-clamp-3 text-muted">{startup.description}</p>}
    </Card>
  );
}

/** A project card on its way. */
export function ProjectCardSkeleton() {
  return (
    <Card as="li" className="grid gap-3">
      <div className="flex items-center gap-3">
        <Skeleton className="size-12" />
        <Skeleton className="h-6 w-40" />
      </div>
      <Skeleton className="h-16" />
    </Card>
  );
}
