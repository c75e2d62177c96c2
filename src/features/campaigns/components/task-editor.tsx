import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { type PointerEvent, useState } from 'react';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/cn';
import { formatCount } from '@/lib/format';
import { keyIndex } from '../drag-order';
import type { Task } from '../queries';
import { useCampaignForm } from './campaign-context';
import { TaskFields } from './task-fields';

type TaskEditorProps = {
  index: number;
  count: number;
  /** The task as it is stored; undefined for one that was added here. */
  stored: Task | undefined;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  onDragStart: (event: PointerEvent) => void;
  /** Marks where a dragged task would land. */
  isBeingDragged: boolean;
  dropMark: 'above' | 'below' | null;
};

/** One task: its number, how to move it (drag, arrow keys on the handle, buttons), and its fields. */
export function TaskEditor(props: TaskEditorProps) {
  const { index, count, stored, onMove, dropMark } = props;
  const [reward, completions] = useCampaignForm().watch([
    `tasks.${index}.rewardPoints`,
    `tasks.${index}.maxCompletions`,
  ]);
  const number = index + 1;

  return (
    <li
      aria-label={`Task ${number}`}
      className={cn(
        'rounded-card border bg-card p-4',
        props.isBeingDragged && 'opacity-60 outline-2 outline-action outline-dashed',
        dropMark === 'above' && 'shadow-[0_-4px_0_0_var(--color-action)]',
        dropMark === 'below' && 'shadow-[0_4px_0_0_var(--color-action)]',
      )}
    >
      <div className="mb-4 flex items-center sm:gap-1">
        <Button
          variant="ghost"
          size="icon"
          className="-ml-2 cursor-grab touch-none"
          aria-label={`Move task ${number}`}
          aria-description="Drag, or press the up and down arrow keys"
          onPointerDown={props.onDragStart}
          onKeyDown={(event) => {
            const to = keyIndex(event.key, index, count);
            if (to === null) return;
            event.preventDefault();
            onMove(index, to);
          }}
        >
          <GripVertical aria-hidden="true" />
        </Button>
        <h3 className="mr-auto whitespace-nowrap text-lg">Task {number}</h3>
        <Points value={reward * completions} className="mr-2 text-sm max-sm:hidden" />
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Move task ${number} up`}
          disabled={index === 0}
          onClick={() => onMove(index, index - 1)}
        >
          <ArrowUp aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Move task ${number} down`}
          disabled={number === count}
          onClick={() => onMove(index, index + 1)}
        >
          <ArrowDown aria-hidden="true" />
        </Button>
        <RemoveTask number={number} stored={stored} onRemove={() => props.onRemove(index)} />
      </div>
      <TaskFields
        index={index}
        isOther={stored?.type === 'others'}
        taken={(stored?.approved_count ?? 0) + (stored?.pending_count ?? 0)}
      />
    </li>
  );
}

/** Removes at once what nobody has worked on; asks when submissions would go with it. */
function RemoveTask({ number, stored, onRemove }: { number: number; stored: Task | undefined; onRemove: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const submissions = (stored?.approved_count ?? 0) + (stored?.pending_count ?? 0);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove task ${number}`}
        onClick={() => (submissions > 0 ? setIsAsking(true) : onRemove())}
      >
        <Trash2 aria-hidden="true" />
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Remove “${stored?.title ?? `Task ${number}`}”?`}
        consequence={`${formatCount(submissions, 'submission')} to it will be deleted when you save. Points that members earned stay theirs.`}
        confirmLabel="Remove task"
        onConfirm={onRemove}
      />
    </>
  );
}
