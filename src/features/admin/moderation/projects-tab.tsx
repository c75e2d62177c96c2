import { useQuery } from '@tanstack/react-query';
import { ExternalLink, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { DataColumn } from '@/components/data-table';
import { Notice } from '@/components/notice';
import { useCameFrom } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { ProjectLogo, projectStatusLabels } from '@/features/projects';
import { statusLabel } from '@/features/quests';
import { formatCount, formatDate, formatDateTime } from '@/lib/format';
import { isUuid, paths } from '@/lib/paths';
import { useUrlText } from '@/lib/url-state';
import { displayUrl } from '@/lib/web-address';
import type { Json } from '@/types/database';
import { Detail, DetailList } from '../components/section';
import { DateText, PersonLink } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { adminTabPath } from '../tabs';
import { type Decision, DecisionDialog, ProjectActions, ProjectHistory } from './project-decisions';
import { type AdminProject, projectQueries, shownQuests } from './queries';

const statuses = [
  ['pending', 'Pending'],
  ['verified', 'Verified'],
  ['rejected', 'Rejected'],
  ['changed', 'Changed'],
] as const;
const projectKey = ({ id }: AdminProject) => id;

/** Projects and decisions on them (ADMIN-03, C-62, C-91, C-96); the opened one is in the URL. */
export default function ProjectsTab() {
  const from = useCameFrom();
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
        <div className="flex flex-wrap gap-2 max-md:justify-end md:min-w-48">
          <ProjectActions
            project={project}
            onDecide={(decision) => setAsking({ decision, project })}
            onDone={list.applyUpdates}
          />
          <Button variant="ghost" aria-label={`View ${project.name}`} onClick={() => setOpenedId(project.id)}>
            View
          </Button>
          <Button asChild variant="ghost" size="icon">
            <Link to={paths.adminProjectEdit(project.id)} state={from} aria-label={`Edit ${project.name}`}>
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
        filter={filter}
        isFiltered={filter.search !== '' || filter.status !== 'all'}
      />
      {openedId && (
        <ProjectDialog
          key={openedId}
          projectId={openedId}
          onDecide={(decision, project) => setAsking({ decision, project })}
          onChanged={list.applyUpdates}
          onClose={() => setOpenedId('')}
        />
      )}
      {asking && <DecisionDialog {...asking} onDone={list.applyUpdates} onClose={() => setAsking(null)} />}
    </>
  );
}

function ProjectStatus({ project }: { project: AdminProject }) {
  return (
    <div className="flex flex-col items-start gap-1 max-md:items-end">
      <StatusBadge status={projectStatusLabels[project.status]} />
      {project.owner_deleted_at ? (
        <Badge>Owner’s account deleted</Badge>
      ) : (
        project.suspended_at && <Badge tone="danger">Owner suspended</Badge>
      )}
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

type ProjectDialogProps = {
  projectId: string;
  onDecide: (decision: Decision, project: AdminProject) => void;
  onChanged: () => void;
  onClose: () => void;
};

/** Everything needed to decide on a project: its owner, website, quests and earlier decisions. */
function ProjectDialog({ projectId, onDecide, onChanged, onClose }: ProjectDialogProps) {
  // An invalid id in the URL must not become a database error.
  const query = useQuery({ ...projectQueries.detail(projectId), enabled: isUuid(projectId) });
  const isMissing = !isUuid(projectId) || query.data === null;
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={query.data?.name ?? 'Project'} size="lg">
      {isMissing ? (
        <p className="text-muted">There is no such project. It may have been deleted.</p>
      ) : (
        <QueryView query={query} failure="This project could not be loaded">
          {(project) => project && <ProjectDetails project={project} onDecide={onDecide} onChanged={onChanged} />}
        </QueryView>
      )}
    </Dialog>
  );
}

type ProjectDetailsProps = { project: AdminProject } & Pick<ProjectDialogProps, 'onDecide' | 'onChanged'>;

function ProjectDetails({ project, onDecide, onChanged }: ProjectDetailsProps) {
  const from = useCameFrom();
  const history = useQuery(projectQueries.history(project.id));
  return (
    <div className="grid gap-5">
      {project.owner_deleted_at ? (
        <Notice
          tone="waiting"
          title={`The owner’s account was deleted on ${formatDateTime(project.owner_deleted_at)}`}
        />
      ) : (
        project.suspended_at && (
          <Notice tone="danger" title={`The owner has been suspended since ${formatDateTime(project.suspended_at)}`} />
        )
      )}
      {project.changed_at && (
        <Notice tone="waiting" title={`Changed on ${formatDate(project.changed_at)}`}>
          <ProjectChanges project={project} />
        </Notice>
      )}
      <DetailList>
        <Detail label="Status">
          <span className="inline-flex flex-wrap items-center gap-2">
            <StatusBadge status={projectStatusLabels[project.status]} />
            {project.revoked_at && <Badge tone="danger">Verification revoked</Badge>}
            {project.status === 'verified' && !project.checked_at && <Badge tone="warning">Not looked at yet</Badge>}
          </span>
          {project.review_note && <p className="mt-1 text-muted">{project.review_note}</p>}
        </Detail>
        <Detail label="Website">
          {project.website ? (
            <a
              href={project.website}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex items-center gap-1.5 text-action underline underline-offset-4"
            >
              {displayUrl(project.website)}
              <ExternalLink aria-hidden="true" className="size-4" />
            </a>
          ) : (
            'None'
          )}
        </Detail>
        <Detail label="Owner">
          <PersonLink
            userId={project.owner_user_id}
            name={project.owner_deleted_at ? 'Deleted account' : (project.owner_email ?? project.owner_user_id)}
          />
        </Detail>
        <Detail label="Industry">{project.industry}</Detail>
        {project.description && (
          <Detail label="Description">
            <p className="dir-auto whitespace-pre-line">{project.description}</p>
          </Detail>
        )}
        {project.former_name && <Detail label="Formerly">{project.former_name}</Detail>}
        <Detail label="Plan">{project.has_subscription ? 'OG Lifetime' : 'Trial'}</Detail>
        <Detail label="Created">{formatDateTime(project.created_at)}</Detail>
      </DetailList>
      <ProjectQuests project={project} />
      <section aria-label="History" className="grid gap-2">
        <h3 className="text-lg">What was decided</h3>
        <QueryView query={history} failure="The history could not be loaded">
          {(decisions) => <ProjectHistory decisions={decisions} projectName={project.name} />}
        </QueryView>
      </section>
      <DialogActions>
        {project.status === 'verified' && (
          <Button variant="ghost-danger" className="sm:mr-auto" onClick={() => onDecide('revoke', project)}>
            Revoke verification
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link to={paths.adminProjectEdit(project.id)} state={from}>
            Edit
          </Link>
        </Button>
        <ProjectActions project={project} onDecide={(decision) => onDecide(decision, project)} onDone={onChanged} />
      </DialogActions>
    </div>
  );
}

const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : 'none');

/** Name and website of a verified project when an admin last checked it (C-96). */
function ProjectChanges({ project }: { project: AdminProject }) {
  const from = project.changed_from;
  if (typeof from !== 'object' || from === null || Array.isArray(from)) return null;
  const changes = [
    ['Name', textOf(from.name), project.name],
    ['Website', textOf(from.website), project.website ?? 'none'],
  ].filter(([, before, after]) => before !== after);
  return (
    <ul className="grid gap-1">
      {changes.map(([field, before, after]) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          {field}: <bdi>{before}</bdi> → <bdi>{after}</bdi>
        </li>
      ))}
      {changes.length === 0 && <li>The name and website are back to what they were.</li>}
    </ul>
  );
}

function ProjectQuests({ project }: { project: AdminProject }) {
  const query = useQuery(projectQueries.quests(project.id));
  return (
    <section aria-label="Quests" className="grid gap-2">
      <h3 className="text-lg">{formatCount(project.campaign_count, 'quest')}</h3>
      <QueryView query={query} failure="The quests could not be loaded">
        {(quests) => (
          <ul className="grid gap-2">
            {quests.map((quest) => (
              <li key={quest.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Link
                  to={adminTabPath('quests', { q: quest.title })}
                  className="font-medium underline underline-offset-4 [overflow-wrap:anywhere]"
                >
                  {quest.title}
                </Link>
                <StatusBadge status={statusLabel(quest)} />
                {quest.held_at && <Badge tone="danger">On hold</Badge>}
                <span className="text-muted text-sm">{formatCount(quest.submission_count, 'submission')}</span>
              </li>
            ))}
            {project.campaign_count > shownQuests && (
              <li className="text-muted text-sm">The latest {shownQuests} are shown.</li>
            )}
          </ul>
        )}
      </QueryView>
    </section>
  );
}
