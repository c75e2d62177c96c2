import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig, Code, ExternalLink, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { Notice } from '@/components/notice';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ProjectDecisionNotice, SuspensionNotice } from '@/features/appeals';
import {
  type OwnedProject,
  ProjectLogo,
  projectErrors,
  projectQueries,
  projectStatusLabels,
  useDeleteProject,
} from '@/features/projects';
import { questQueries } from '@/features/quests';
import { settingsQueries, useIsBeta } from '@/features/settings';
import { rethrow } from '@/lib/errors';
import { formatCount, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useMoveOn } from '@/lib/router-context';
import { displayUrl } from '@/lib/web-address';

/** The owner's project on the dashboard (SDASH-02). */
export function ProfileCard({ project }: { project: OwnedProject }) {
  return (
    <Card
      as="section"
      aria-label="Project profile"
      className="grid gap-4 sm:grid-cols-[auto_1fr] sm:items-center lg:grid-cols-[auto_1fr_auto]"
    >
      <ProjectLogo name={project.name} logoUrl={project.logo_url} className="size-16 text-xl" />
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="text-2xl [overflow-wrap:anywhere]">{project.name}</h2>
          <StatusBadge status={projectStatusLabels[project.status]} />
        </div>
        <p className="flex flex-wrap gap-x-4 text-muted">
          <span>{project.industry}</span>
          {project.website && (
            <a
              href={project.website}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-w-0 items-center gap-1 underline pointer-coarse:-my-2.5 pointer-coarse:min-h-11 underline-offset-4 [overflow-wrap:anywhere] hover:text-ink"
            >
              {displayUrl(project.website)}
              <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
            </a>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 sm:col-span-2 lg:col-span-1">
        <Button variant="secondary" asChild>
          <Link to={paths.projectEdit}>
            <Pencil aria-hidden="true" />
            Edit Profile
          </Link>
        </Button>
        <Button variant="ghost" asChild>
          <Link to={paths.developers}>
            <Code aria-hidden="true" />
            For developers
          </Link>
        </Button>
        <DeleteProject project={project} />
      </div>
    </Card>
  );
}

/** Deletes the profile after confirmation, then redirects to creating another (SPROF-07, SPROF-08). */
function DeleteProject({ project }: { project: OwnedProject }) {
  const [isAsking, setIsAsking] = useState(false);
  const deleteProject = useDeleteProject();
  const startMove = useMoveOn();

  const handleConfirm = async () => {
    const moveOn = startMove();
    await deleteProject.mutateAsync(project).catch(rethrow(projectErrors.delete));
    await moveOn(paths.projectCreate);
  };

  return (
    <>
      <Button variant="ghost" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Delete “${project.name}”?`}
        consequence="The profile is removed from the board and cannot be brought back. Its points wait in your wallet for a new profile."
        confirmLabel="Delete profile"
        onConfirm={handleConfirm}
      />
    </>
  );
}

/** What the project's status means, and decisions on it and its owner (SDASH-05, C-91); one quiet line once verified. */
export function ProjectStatusBanner({ project }: { project: OwnedProject }) {
  const isBeta = useIsBeta();
  if (project.suspended_at) return <SuspensionNotice userId={project.owner_user_id} since={project.suspended_at} />;
  if (project.status === 'pending') {
    return (
      <Notice tone="waiting" title="Your project is under review">
        {project.review_note && <p>What was decided about an earlier project of yours: {project.review_note}</p>}
        <p>You can create quests once it is verified. The bell and an email will tell you.</p>
      </Notice>
    );
  }
  if (project.status === 'rejected') return <ProjectDecisionNotice project={project} />;
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-x-2 px-1 text-muted text-sm">
      <CircleCheckBig aria-hidden="true" className="size-4 text-action" />
      <span className="font-medium text-ink">Your project is verified.</span>
      {isBeta && <span>Projects are verified automatically during the beta.</span>}
    </p>
  );
}

/**
 * The project's limits, and what lifts them when (SDASH-03, C-117): those of the trial for projects known to have no
 * active subscription, those of the beta for all.
 */
export function TrialBanner({ project }: { project: OwnedProject }) {
  const subscription = useQuery(projectQueries.subscription(project.id)).data;
  const settings = useQuery(settingsQueries.app()).data;
  const limits = useQuery(questQueries.limits(project.owner_user_id));
  const isBeta = useIsBeta();
  if (project.status !== 'verified' || subscription === undefined || limits.isPending) return null;
  if (subscription && !isBeta) return null;
  // Bought points lift the number of quests and raise the budget.
  const quests = limits.data ? limits.data.quest_limit : (settings?.trial_quest_limit ?? 1);
  const points = limits.data?.budget_limit ?? settings?.trial_budget_points ?? 500;
  const [both, them] = quests === null ? ['it', 'it'] : ['both', 'them'];
  const lifting = isBeta ? `OG Lifetime lifts ${both} when the beta ends` : `Subscribing lifts ${both}`;
  const terms = [
    ...(quests === null ? [] : [`${formatCount(quests, 'quest')} live`]),
    `${formatPoints(points)} points budget`,
  ].join(', ');
  return (
    <Notice
      title={subscription ? `During the beta: ${terms}` : `Trial: ${terms}`}
      actions={
        !subscription && (
          <Button variant="secondary" asChild>
            <Link to={paths.subscribe('og_lifetime')}>See OG Lifetime</Link>
          </Button>
        )
      }
    >
      {subscription &&
        `${quests === null ? 'This limit holds' : 'These limits hold'} while the beta lasts. Your plan lifts ${both} when it ends.`}
      {!subscription && `${lifting}. Buying points raises ${them} at once.`}
      {/* C-23: somebody who has closed their quest would expect room for another one. */}
      {quests !== null && <span className="block">Drafts and closed quests count until they are deleted.</span>}
    </Notice>
  );
}
