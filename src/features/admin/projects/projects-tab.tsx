import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { DataColumn } from '@/components/data-table';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ProjectLogo } from '@/features/projects';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlText } from '@/lib/url-state';
import { PersonLink } from '../components/person-link';
import { DateText } from '../components/time';
import { AdminList, ListToolbar, useAdminList, useListFilters } from '../list';
import { type Decision, DecisionDialog, ProjectActions } from './project-decisions';
import { ProjectChanges, ProjectDialog, projectStamps } from './project-dialog';
import { type AdminProject, projectQueries } from './queries';

const statuses = [
  ['pending', 'Pending'],
  ['verified', 'Verified'],
  ['rejected', 'Rejected'],
  ['changed', 'Changed'],
] as const;
const projectKey = ({ id }: AdminProject) => id;

/** Projects and decisions on them (ADMIN-03, C-62, C-91, C-96); the opened one is in the URL. */
export default function ProjectsTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const list = useAdminList(projectQueries.list(filter.filters), projectKey);
  const [openedId, setOpenedId] = useUrlText('project');
  const [asking, setAsking] = useState<{ decision: Decision; project: AdminProject } | null>(null);

  const columns: DataColumn<AdminProject>[] = [
    {
      key: 'name',
      header: 'Project',
      cell: (project) => <ProjectName project={project} onOpen={() => setOpenedId(project.id)} />,
    },
    {
      key: 'owner',
      header: 'Owner',
      cell: (project) => (
        <PersonLink userId={project.owner_user_id} name={project.owner_email ?? project.owner_user_id} />
      ),
    },
    { key: 'status', header: 'Status', cell: (project) => <ProjectStatus project={project} /> },
    { key: 'created', header: 'Created', cell: (project) => <DateText at={project.created_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      cell: (project) => (
        <div className="flex flex-wrap gap-2 max-md:justify-end">
          <ProjectActions
            project={project}
            onDecide={(decision) => setAsking({ decision, project })}
            onDone={list.accept}
          />
          <Button variant="ghost" aria-label={`View ${project.name}`} onClick={() => setOpenedId(project.id)}>
            View
          </Button>
          <Button asChild variant="ghost" size="icon">
            <Link to={paths.adminProjectEdit(project.id)} aria-label={`Edit ${project.name}`}>
              <Pencil aria-hidden="true" />
            </Link>
          </Button>
        </div>
      ),
    },
  ];

  return (
    <>
      <ListToolbar
        filter={filter}
        searchLabel="Search projects or owners"
        statuses={statuses}
        allLabel="All projects"
      />
      <AdminList
        list={list}
        noun="project"
        columns={columns}
        rowKey={projectKey}
        emptyText="Projects appear here as soon as a founder creates one."
        isFiltered={filter.search !== '' || filter.status !== 'all'}
        onReset={filter.reset}
      />
      {openedId && (
        <ProjectDialog
          key={openedId}
          projectId={openedId}
          onDecide={(decision, project) => setAsking({ decision, project })}
          onChanged={list.accept}
          onClose={() => setOpenedId('')}
        />
      )}
      {asking && <DecisionDialog {...asking} onDone={list.accept} onClose={() => setAsking(null)} />}
    </>
  );
}

function ProjectStatus({ project }: { project: AdminProject }) {
  return (
    <div className="flex flex-col items-start gap-1 max-md:items-end">
      <StatusBadge status={projectStamps[project.status]} />
      {project.suspended_at && <Badge tone="danger">Owner suspended</Badge>}
      {project.revoked_at && <Badge tone="danger">Verification revoked</Badge>}
      {project.status === 'verified' && !project.checked_at && (
        <span className="text-muted text-sm">Not looked at yet</span>
      )}
      {project.has_subscription && <span className="text-muted text-sm">OG Lifetime</span>}
      {project.status === 'rejected' && <span className="max-w-56 text-muted text-sm">{project.review_note}</span>}
      {project.changed_at && (
        <div className="max-w-56 text-warning text-sm">
          <ProjectChanges project={project} />
        </div>
      )}
    </div>
  );
}

function ProjectName({ project, onOpen }: { project: AdminProject; onOpen: () => void }) {
  return (
    <div className="flex min-w-0 items-center gap-3 font-normal">
      <ProjectLogo name={project.name} logoUrl={project.logo_url} className="size-10" />
      <div className="min-w-0">
        <button
          type="button"
          className="text-left font-semibold hover:underline [overflow-wrap:anywhere]"
          onClick={onOpen}
        >
          {project.name}
        </button>
        <p className="text-muted text-sm">
          {project.industry} · {formatCount(project.campaign_count, 'quest')}
        </p>
      </div>
    </div>
  );
}
