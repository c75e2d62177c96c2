import { EmptyState } from '@/components/empty-state';
import type { QuestView } from '../use-quest';
import { TaskCard } from './task-card';

/** The tasks, numbered, each with what this viewer can do about it (QUEST-04). */
export function TaskList({ view }: { view: QuestView }) {
  if (view.tasks.length === 0) {
    return <EmptyState title="No Tasks Yet" text="The project has not added any tasks to this quest." />;
  }
  const byTask = new Map(view.submissions.map((submission) => [submission.task_id, submission]));
  return (
    <section aria-labelledby="quest-tasks" className="grid gap-4">
      <h2 id="quest-tasks" className="text-2xl">
        Tasks
      </h2>
      <ol className="grid gap-4">
        {view.tasks.map((task, index) => (
          <TaskCard key={task.id} number={index + 1} task={task} submission={byTask.get(task.id)} view={view} />
        ))}
      </ol>
    </section>
  );
}
