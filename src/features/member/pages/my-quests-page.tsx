import { useInfiniteQuery } from '@tanstack/react-query';
import { type FocusEvent, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState, NotAuthenticated } from '@/components/empty-state';
import { PageHeader, useCameFrom } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { useMemberSwitch } from '@/components/use-member-switch';
import { type FollowedProject, ProjectLogo, projectQueries, useFollowProject } from '@/features/projects';
import {
  type MyQuest,
  QuestCard,
  type QuestState,
  questQueries,
  SaveQuestButton,
  useOwnQuestStates,
  useSavedQuestIds,
} from '@/features/quests';
import { RejectionNotice, SentProof, taskStatus } from '@/features/submissions';
import { useSession } from '@/lib/auth';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlChoice } from '@/lib/url-state';
import { questStatus, stepLabel } from '../my-quest';

const views = [
  { value: 'all', label: 'All' },
  { value: 'todo', label: 'To do' },
  { value: 'review', label: 'In review' },
  { value: 'done', label: 'Done' },
  { value: 'saved', label: 'Saved' },
  { value: 'following', label: 'Following' },
] as const;
type View = Exclude<(typeof views)[number]['value'], 'saved' | 'following'>;

const statesOf: Record<View, readonly QuestState[]> = {
  all: [],
  todo: ['rejected', 'started'],
  review: ['waiting'],
  done: ['complete'],
};

const emptyTexts: Record<View, string> = {
  all: 'Quests you start appear here, with your proofs and the decisions on them.',
  todo: 'There is nothing to send again or to finish.',
  review: 'None of your proofs is waiting for a decision.',
  done: 'Quests move here when all their tasks are approved.',
};

/**
 * /community/quests: the quests that the member has started, most recent activity first (BEY-21), and what they keep: saved quests and
 * followed projects (BEY-18).
 */
export default function MyQuestsPage() {
  const { status, userId } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated title="Not Signed In" text="Sign in to see your quests." />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="My quests" />
      <PageHeader
        back={{ to: paths.community, label: 'Back' }}
        title="My quests"
        lead="Quests you have started, the proofs you sent, and what to do next."
      />
      <MyQuests userId={userId} />
    </div>
  );
}

function MyQuests({ userId }: { userId: string }) {
  const [view, setView] = useUrlChoice('view', ['all', 'todo', 'review', 'done', 'saved', 'following']);
  return (
    <Tabs label="Quests by state" look="pills" value={view} onChange={setView} tabs={views}>
      <TabPanel value={view}>
        {view === 'saved' ? (
          <SavedQuests userId={userId} />
        ) : view === 'following' ? (
          <FollowedProjects userId={userId} />
        ) : (
          <BegunQuests userId={userId} view={view} />
        )}
      </TabPanel>
    </Tabs>
  );
}

/** Saved quests that are still open (BEY-18). */
function SavedQuests({ userId }: { userId: string }) {
  const list = useInfiniteQuery(questQueries.saved(userId));
  const states = useOwnQuestStates();
  const savedIds = useSavedQuestIds();
  const keepsFocus = useFocusAfterRemoval();
  return (
    <div {...keepsFocus}>
      <QueryView query={list} failure="Your saved quests could not be loaded">
        {({ pages }) => {
          const quests = pages.flat();
          if (quests.length === 0)
            return (
              <EmptyState
                title="Nothing saved yet"
                text="Bookmark a quest to find it here."
                action={<ExploreQuests />}
              />
            );
          return (
            <div className="grid gap-5">
              <ul className="card-grid">
                {quests.map((quest) => (
                  <QuestCard
                    key={quest.id}
                    quest={quest}
                    state={states[quest.id]}
                    level={2}
                    corner={<SaveQuestButton quest={quest} isStored={savedIds.includes(quest.id)} isCompact />}
                  />
                ))}
              </ul>
              <ShowMore list={list}>Show more quests</ShowMore>
            </div>
          );
        }}
      </QueryView>
    </div>
  );
}

/** The projects whose new quests the member is told of, and the way to stop that (BEY-18). */
function FollowedProjects({ userId }: { userId: string }) {
  const list = useInfiniteQuery(projectQueries.followedList(userId));
  const keepsFocus = useFocusAfterRemoval();
  return (
    <div {...keepsFocus} className="grid max-w-3xl gap-5">
      <QueryView query={list} failure="The projects that you follow could not be loaded">
        {({ pages }) => {
          const projects = pages.flat();
          return projects.length === 0 ? (
            <EmptyState
              title="You are not following any projects yet"
              text="Press Follow on a project’s page, and we will tell you when it has a new quest."
              action={
                <Button variant="secondary" asChild>
                  <Link to={paths.browse('projects')}>Meet the projects</Link>
                </Button>
              }
            />
          ) : (
            <>
              <ul className="grid divide-y rounded-card border bg-card">
                {projects.map((project) => (
                  <FollowedProjectRow key={project.id} project={project} />
                ))}
              </ul>
              <ShowMore list={list}>Show more projects</ShowMore>
            </>
          );
        }}
      </QueryView>
    </div>
  );
}

function FollowedProjectRow({ project: { id, name, logo_url, industry } }: { project: FollowedProject }) {
  const { isOn, handlePress } = useMemberSwitch('follow-project', id, true, useFollowProject());
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <ProjectLogo name={name} logoUrl={logo_url} className="size-10 shrink-0" />
      <div className="min-w-0 grow">
        <h2 className="text-lg [overflow-wrap:anywhere]">
          <Link to={paths.project(id)} className="hover:underline">
            {name}
          </Link>
        </h2>
        <p className="text-muted text-sm">{industry}</p>
      </div>
      <Button variant="secondary" isLoading={!isOn} aria-label={`Unfollow ${name}`} onClick={handlePress}>
        Unfollow
      </Button>
    </li>
  );
}

/** When the focused card is removed, focuses the next one, or the tab panel when none is left. Spread on the list's container. */
function useFocusAfterRemoval() {
  const place = useRef<HTMLDivElement>(null);
  const position = useRef(-1);
  const findTitles = () => [...(place.current?.querySelectorAll<HTMLElement>('li h2 a') ?? [])];
  useEffect(() => {
    if (position.current < 0 || document.activeElement !== document.body) return;
    const titles = findTitles();
    const next = titles[Math.min(position.current, titles.length - 1)];
    position.current = -1;
    (next ?? place.current?.closest<HTMLElement>('[role="tabpanel"]'))?.focus();
  });
  return {
    ref: place,
    onFocus: ({ target }: FocusEvent) => {
      position.current = findTitles().findIndex((title) => title.closest('li')?.contains(target));
    },
    // React does not fire this when the focused card is removed.
    onBlur: () => {
      position.current = -1;
    },
  };
}

function ExploreQuests() {
  return (
    <Button variant="secondary" asChild>
      <Link to={paths.browse()}>Explore quests</Link>
    </Button>
  );
}

function BegunQuests({ userId, view }: { userId: string; view: View }) {
  const list = useInfiniteQuery(questQueries.mine(userId, statesOf[view]));
  return (
    <div className="grid max-w-3xl gap-5">
      <QueryView query={list} failure="Your quests could not be loaded">
        {({ pages }) => {
          const quests = pages.flat();
          return quests.length === 0 ? (
            <EmptyState
              title={view === 'all' ? 'No quests started yet' : 'Nothing here'}
              text={emptyTexts[view]}
              action={<ExploreQuests />}
            />
          ) : (
            <>
              <MyQuestList quests={quests} />
              <ShowMore list={list}>Show more quests</ShowMore>
            </>
          );
        }}
      </QueryView>
    </div>
  );
}

/** Started quests, each with its state, submissions, decisions, and the next step (BEY-21). */
function MyQuestList({ quests }: { quests: readonly MyQuest[] }) {
  return (
    <ul className="grid gap-4">
      {quests.map((quest) => (
        <MyQuestCard key={quest.campaign_id} quest={quest} />
      ))}
    </ul>
  );
}

function MyQuestCard({ quest }: { quest: MyQuest }) {
  const from = useCameFrom();
  return (
    <Card as="li" aria-label={quest.title} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 gap-3">
          <ProjectLogo name={quest.startup_name} logoUrl={quest.startup_logo_url} className="size-10 shrink-0" />
          <div className="min-w-0">
            <h2 className="text-xl [overflow-wrap:anywhere]">
              <Link to={paths.communityQuest(quest.campaign_id)} state={from} className="hover:underline">
                {quest.title}
              </Link>
            </h2>
            <p className="text-muted text-sm">
              {quest.startup_name}, {quest.approved_count} of {formatCount(quest.task_count, 'task')} done
            </p>
          </div>
        </div>
        <StatusBadge status={questStatus(quest)} />
      </div>
      <ol className="grid gap-3">
        {quest.submissions.map((submission) => (
          <li key={submission.task_id} className="grid gap-2">
            {quest.task_count > 1 && (
              <p className="flex flex-wrap items-center justify-between gap-2 font-medium">
                <span className="min-w-0 [overflow-wrap:anywhere]">{submission.task_title}</span>
                <StatusBadge status={taskStatus(submission)} />
              </p>
            )}
            <RejectionNotice submission={submission} />
            <SentProof submission={submission} />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="inline-flex items-center gap-1.5">
          <Points value={quest.points_earned} /> earned
        </span>
        <Button variant="secondary" className="max-sm:w-full" asChild>
          <Link to={paths.communityQuest(quest.campaign_id)} state={from}>
            {stepLabel(quest)}
          </Link>
        </Button>
      </div>
    </Card>
  );
}
