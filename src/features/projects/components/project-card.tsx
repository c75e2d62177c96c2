import { BadgeCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { paths } from '@/lib/paths';
import type { Project } from '../queries';
import { ProjectLogo } from './project-logo';

type ProjectCardProps = {
  project: Pick<Project, 'id' | 'name' | 'logo_url' | 'industry' | 'description'>;
  as?: 'li' | 'article';
};

/** A verified project; the whole card leads to its page (HUB-05). */
export function ProjectCard({ project, as = 'li' }: ProjectCardProps) {
  return (
    <Card as={as} className="relative grid content-start gap-3 hover:border-field">
      <div className="flex items-center gap-3">
        <ProjectLogo name={project.name} logoUrl={project.logo_url} />
        <div className="min-w-0">
          <h2 className="flex items-center gap-1.5 text-lg">
            <Link to={paths.project(project.id)} className="card-link truncate">
              {project.name}
            </Link>
            <BadgeCheck aria-hidden="true" className="size-4 shrink-0 text-action" />
            <VisuallyHidden>Verified</VisuallyHidden>
          </h2>
          <Badge>{project.industry}</Badge>
        </div>
      </div>
      {project.description && <p className="dir-auto line-clamp-3 text-muted">{project.description}</p>}
    </Card>
  );
}
