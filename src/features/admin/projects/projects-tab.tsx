import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { DataColumn } from '@/components/data-table';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { ProjectLogo } from '@/features/projects';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { PersonLink } from '../components/person-link';
import { ReasonDialog } from '../components/reason-dialog';
import { DateText } from '../components/time';
import { AdminList, ListToolbar, useAdminList, useListFilters } from '../list';
import { withReason } from '../use-admin-mutation';
import { useApproveProject, useCheckProject, useRejectProject } from './mutations';
import { type AdminProject, projectQueries } from './queries';

const statuses = [
  ['pending', 'Pending'],
  ['verified', 'Verified'],
  ['rejected', 'Rejected'],
] as const;
const stamps = { pending: 'Pending', verified: 'Verified', rejected: 'Rejected' } as const;
const projectKey = ({ id }: AdminProject) => id;

/** Projects with approve and reject (ADMIN-03, C-62). */
export function ProjectsTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const list = useAdminList(projectQueries.list(filter.filters), projectKey);
  const approve = useApproveProject();
  const reject = useRejectProject();
  const check = useCheckProject();
  const [checking, setChecking] = useState<AdminProject | null>(null);
  const [rejecting, setRejecting] = useState<AdminProject | null>(null);

  const handleApprove = async (project: AdminProject) => {
    try {
      await approve.mutateAsync(project.id);
      list.accept();
      toast.success(`${project.name} is verified`);
    } catch (error) {
      toast.error(withReason('Failed to approve project', error));
    }
  };

  const columns: DataColumn<AdminProject>[] = [
    { key: 'name', header: 'Project', cell: (project) => <ProjectName project={project} /> },
    {
      key: 'owner',
      header: 'Owner',
      cell: (project) => (
        <PersonLink userId={project.owner_user_id} name={project.owner_email ?? project.owner_user_id} />
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: (project) => (
        <div className="flex flex-col items-start gap-1 max-md:items-end">
          <StatusBadge status={stamps[project.status]} />
          {project.status === 'verified' && !project.checked_at && (
            <span className="text-muted text-sm">Not looked at yet</span>
          )}
          {project.has_subscription && <span className="text-muted text-sm">OG Lifetime</span>}
          {project.status === 'rejected' && <span className="max-w-56 text-muted text-sm">{project.review_note}</span>}
        </div>
      ),
    },
    { key: 'created', header: 'Created', cell: (project) => <DateText at={project.created_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      cell: (project) => (
        <div className="flex flex-wrap gap-2 max-md:justify-end xl:flex-nowrap">
          {project.status !== 'verified' && (
            <Button
              isLoading={approve.isPending && approve.variables === project.id}
              onClick={() => handleApprove(project)}
            >
              Approve
            </Button>
          )}
          {project.status === 'verified' && !project.checked_at && (
            <Button variant="secondary" onClick={() => setChecking(project)}>
              Mark as checked
            </Button>
          )}
          {project.status === 'pending' && (
            <Button variant="secondary" onClick={() => setRejecting(project)}>
              Reject
            </Button>
          )}
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
      {checking && (
        <ReasonDialog
          title={`Mark “${checking.name}” as checked?`}
          consequence="You have looked at the project and it is in order. What members earned from its trial points can be redeemed at once."
          label="Note"
          hint="For the audit log. Optional."
          confirmLabel="Mark as checked"
          isDangerous={false}
          onConfirm={async (note) => {
            await check.mutateAsync({ projectId: checking.id, note });
            list.accept();
            toast.success(`${checking.name} is checked`);
          }}
          failure={(error) => withReason('Failed to mark the project as checked', error)}
          onClose={() => setChecking(null)}
        />
      )}
      {rejecting && (
        <ReasonDialog
          title={`Reject “${rejecting.name}”?`}
          consequence="The owner reads your reason and cannot create quests. You can approve the project later."
          missing="Please give a reason"
          maxLength={500}
          confirmLabel="Reject project"
          onConfirm={async (reason) => {
            await reject.mutateAsync({ projectId: rejecting.id, reason });
            list.accept();
            toast.success(`${rejecting.name} is rejected`);
          }}
          failure={(error) => withReason('Failed to reject project', error)}
          onClose={() => setRejecting(null)}
        />
      )}
    </>
  );
}

function ProjectName({ project }: { project: AdminProject }) {
  return (
    <div className="flex min-w-0 items-center gap-3 font-normal">
      <ProjectLogo name={project.name} logoUrl={project.logo_url} className="size-10" />
      <div className="min-w-0">
        <Link to={paths.project(project.id)} className="font-semibold hover:underline">
          {project.name}
        </Link>
        <p className="text-muted text-sm">
          {project.industry} · {formatCount(project.campaign_count, 'quest')}
        </p>
      </div>
    </div>
  );
}
