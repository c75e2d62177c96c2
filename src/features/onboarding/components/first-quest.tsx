import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Hourglass } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { ProjectLogo } from '@/features/projects';
import { questQueries, RewardDisclosure, useOwnQuestStates } from '@/features/quests';
import { QuickVerify, submissionQueries } from '@/features/submissions';
import { paths } from '@/lib/paths';
import { onboardingQueries, pickQuickQuest, type QuickQuest } from '../queries';

/** Number of quests searched for a one-press task. */
const searched = 50;

type FirstQuestProps = {
  userId: string;
  /** False for a member who has completed a quest before. */
  isFirst: boolean;
  onSubmitted: () => void;
};

/** The first quest: a one-press task to do right here if there is one, otherwise a link to the board (C-116). */
export function FirstQuest({ userId, ...props }: FirstQuestProps) {
  const quests = useQuery(questQueries.list({ limit: searched, view: 'open' }));
  const ids = quests.data?.map(({ id }) => id) ?? [];
  const tasks = useQuery({ ...onboardingQueries.quickTasks(ids), enabled: ids.length > 0 });
  const states = useQuery(questQueries.ownStates(userId));
  const isEmpty = quests.data?.length === 0;
  return (
    <QueryView
      query={isEmpty ? [quests, states] : [quests, tasks, states]}
      failure="The quests could not be loaded"
      pending={<Skeleton shape="card" className="h-52 w-full" />}
    >
      {() => (
        <FirstOffer
          pick={pickQuickQuest(quests.data ?? [], tasks.data ?? [], states.data ?? {})}
          userId={userId}
          {...props}
        />
      )}
    </QueryView>
  );
}

/** Keeps the quest that was offered first, which once completed would no longer be returned. */
function FirstOffer({ pick, ...props }: FirstQuestProps & { pick: QuickQuest | null }) {
  const [offered] = useState(pick);
  return offered ? <QuickQuestCard {...offered} {...props} /> : <NoQuickQuest />;
}

function QuickQuestCard({ quest, task, userId, isFirst, onSubmitted }: QuickQuest & FirstQuestProps) {
  const mine = useQuery(submissionQueries.mine(userId, quest.id));
  const card = useRef<HTMLElement>(null);
  // The button disappears when the quest is completed.
  const handleSubmitted = () => {
    card.current?.focus({ preventScroll: true });
    onSubmitted();
  };
  return (
    <article ref={card} tabIndex={-1} className="grid w-full gap-3 rounded-card border p-4 outline-none">
      <div className="flex items-center gap-3">
        <ProjectLogo name={quest.startup_name} logoUrl={quest.startup_logo_url} className="size-10" />
        <p className="min-w-0 grow truncate font-medium">{quest.startup_name}</p>
        {task.reward_points > 0 && <Points value={task.reward_points} className="font-display text-xl" />}
      </div>
      <h3 className="text-xl">{task.title}</h3>
      {task.instructions_md && <Markdown text={task.instructions_md} />}
      <RewardDisclosure task={task} />
      <QueryView query={mine} failure="The quest could not be loaded" pending={<Skeleton className="h-11 w-40" />}>
        {(submissions) => {
          const sent = submissions.find(({ task_id }) => task_id === task.id);
          if (sent?.status === 'approved') return <Outcome isDone isFirst={isFirst} points={sent.reward_points} />;
          if (sent?.status === 'pending') return <Outcome />;
          return <QuickVerify task={task} quest={quest} userId={userId} isMain onSubmitted={handleSubmitted} />;
        }}
      </QueryView>
    </article>
  );
}

function Outcome({ isDone = false, isFirst = false, points = 0 }) {
  const Icon = isDone ? CircleCheck : Hourglass;
  return (
    <p role="status" className="flex items-center gap-3 rounded-control bg-action-soft px-4 py-3 font-semibold">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-action" />
      {isDone ? (
        <span>
          {isFirst ? 'Your first quest is done.' : 'Done.'} <Points value={points} hasSign /> for you.
        </span>
      ) : (
        'Sent. The project will review it.'
      )}
    </p>
  );
}

function NoQuickQuest() {
  const hasBegun = Object.keys(useOwnQuestStates()).length > 0;
  return (
    <div className="grid gap-3">
      <p>
        {hasBegun
          ? 'You have already started a quest. There are more on the board.'
          : 'Every open quest needs a little more than one press right now. Pick the one that you like best.'}
      </p>
      <Button asChild className="justify-self-start">
        <Link to={paths.browse()}>See the open quests</Link>
      </Button>
    </div>
  );
}
