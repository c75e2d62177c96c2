import { useQuery } from '@tanstack/react-query';
import { Button } from '@/components/ui/button';
import type { Task } from '@/features/campaigns';
import { formatNumber } from '@/lib/format';
import { submissionQueries } from '../queries';

type TaskFilterProps = {
  tasks: Task[];
  total: number;
  selected: string | null;
  onSelect: (taskId: string | null) => void;
};

/** One button per task with its count; nothing where there is only one task (SUBM-04). */
export function TaskFilter({ tasks, total, selected, onSelect }: TaskFilterProps) {
  const counts = useQuery({ ...submissionQueries.taskTotals(tasks.map(({ id }) => id)), enabled: tasks.length > 1 });
  if (tasks.length < 2) return null;
  const choices = [
    { id: null, label: 'All Tasks', count: total },
    ...tasks.map(({ id, title }) => ({ id, label: title, count: counts.data?.[id] })),
  ];
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Filter by Task</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ id, label, count }) => (
          <Button
            key={id}
            variant={id === selected ? 'primary' : 'secondary'}
            aria-pressed={id === selected}
            onClick={() => onSelect(id)}
          >
            {label} {count !== undefined && `(${formatNumber(count)})`}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
