import { PageMeta } from '@/components/page-meta';
import { questProgress, taskAnchor } from '../quest-progress';
import type { QuestView } from '../use-quest';
import { JoinBanner } from './join-banner';
import { OwnerPanel } from './owner-panel';
import { ProgressCard } from './progress-card';
import { QuestAbout } from './quest-about';
import { QuestEndCard } from './quest-end-card';
import { QuestHeader } from './quest-header';
import { StartupCard } from './startup-card';
import { TaskList } from './task-list';

/** Brings a task into view and puts the keyboard there, too. */
function goToTask(taskId: string): void {
  const card = document.getElementById(taskAnchor(taskId));
  card?.scrollIntoView({ behavior: 'smooth', block: 'start' });
  card?.focus({ preventScroll: true });
}

/** A quest as who looks at it sees it: the tasks in the middle, the project and one's own part beside them. */
export function QuestScreen({ view }: { view: QuestView }) {
  const { campaign, startup, viewer } = view;
  const progress = questProgress(view.tasks, view.submissions);

  return (
    <article>
      <PageMeta title={campaign.title} description={campaign.summary} />
      <QuestHeader view={view} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-6">
          {viewer === 'visitor' && <JoinBanner campaignId={campaign.id} />}
          {viewer === 'owner' && <OwnerPanel campaign={campaign} tasks={view.tasks} />}
          <QuestAbout campaign={campaign} />
          <TaskList view={view} />
          {viewer === 'participant' && view.tasks.length > 0 && (
            <QuestEndCard
              isComplete={progress.isComplete}
              onContinue={() => progress.nextTaskId && goToTask(progress.nextTaskId)}
            />
          )}
        </div>
        {/* On phones its parts stand on their own: progress before the tasks, the project after them. */}
        <aside aria-label="Beside the tasks" className="gap-6 max-lg:contents lg:sticky lg:top-20 lg:grid">
          {viewer === 'participant' && <ProgressCard progress={progress} />}
          {startup && <StartupCard startup={startup} />}
        </aside>
      </div>
    </article>
  );
}
