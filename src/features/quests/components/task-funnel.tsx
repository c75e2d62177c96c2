import type { Task } from '@/features/campaigns';
import { formatNumber } from '@/lib/format';

/** How far each task is filled: approved, then in review, then free. Shows where members stop. */
export function TaskFunnel({ tasks }: { tasks: Task[] }) {
  return (
    <section aria-labelledby="task-funnel" className="grid gap-2">
      <h3 id="task-funnel" className="text-base">
        Task by task
      </h3>
      <ol className="grid gap-3">
        {tasks.map((task) => (
          <li key={task.id} className="grid gap-1">
            <div className="flex flex-wrap justify-between gap-x-4 text-sm">
              <span className="min-w-0 truncate font-medium">{task.title}</span>
              <span className="text-muted tabular-nums">
                {formatNumber(task.approved_count)} approved
                {task.pending_count > 0 && `, ${formatNumber(task.pending_count)} in review`} of{' '}
                {formatNumber(task.max_completions)}
              </span>
            </div>
            <div aria-hidden="true" className="flex h-2.5 overflow-hidden rounded-full bg-sunken">
              <div className="bg-action" style={{ width: `${(task.approved_count / task.max_completions) * 100}%` }} />
              <div className="bg-points" style={{ width: `${(task.pending_count / task.max_completions) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
