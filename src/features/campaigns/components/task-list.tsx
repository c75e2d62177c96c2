import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { useAlert } from '@/components/alert-provider';
import { EmptyState } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { Tooltip } from '@/components/ui/tooltip';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { newTask } from '../campaign-form';
import type { Task } from '../queries';
import { addTaskRefusal, taskBudget } from '../task-budget';
import { useDragOrder } from '../use-drag-order';
import { useCampaignForm } from './campaign-context';
import { FormSection } from './form-section';
import { TaskBudgetBar } from './task-budget-bar';
import { TaskEditor } from './task-editor';

/** The tasks of a quest: add, remove, reorder, and what they cost together (QEDIT-05..09). */
export function TaskList({ stored }: { stored: readonly Task[] }) {
  const { control, getValues, watch } = useCampaignForm();
  const { fields, append, remove, move } = useFieldArray({ control, name: 'tasks', keyName: 'key' });
  const alert = useAlert();
  const [moved, setMoved] = useState('');
  const count = fields.length;

  const handleMove = useCallback(
    (from: number, to: number) => {
      move(from, to);
      setMoved(`Task moved to position ${to + 1} of ${count}`);
    },
    [move, count],
  );
  const { list, drag, startDrag } = useDragOrder(handleMove);

  const budget = taskBudget(watch('budgetPoints'), watch('tasks'));
  const handleAdd = () => {
    const refusal = addTaskRefusal(budget);
    if (refusal) alert(refusal);
    else append(newTask(getValues()), { focusName: `tasks.${count}.title` });
  };

  const markFor = (index: number) => {
    if (!drag || drag.to === drag.from || drag.to !== index) return null;
    return drag.to < drag.from ? 'above' : 'below';
  };

  return (
    <FormSection title="Quest Tasks" text="Members do them in this order.">
      <TaskBudgetBar budget={budget} />
      {count === 0 ? (
        <EmptyState
          level={3}
          title="No tasks yet"
          text="A quest needs at least one."
          action={
            <Button onClick={handleAdd} disabled={budget.budget <= 0}>
              Create Your First Task
            </Button>
          }
        />
      ) : (
        <ol ref={list} className="grid gap-4">
          {fields.map((field, index) => (
            <TaskEditor
              key={field.key}
              index={index}
              count={count}
              stored={stored.find((task) => task.id === field.taskId)}
              onMove={handleMove}
              onRemove={remove}
              onDragStart={startDrag(index)}
              isBeingDragged={drag?.from === index}
              dropMark={markFor(index)}
            />
          ))}
        </ol>
      )}
      <AddTask isFull={budget.remaining <= 0} onAdd={handleAdd} />
      <VisuallyHidden>
        <span role="status">{moved}</span>
      </VisuallyHidden>
    </FormSection>
  );
}

/** Stays focusable when it is off, so that its reason can be reached; pressing it then says the numbers. */
function AddTask({ isFull, onAdd }: { isFull: boolean; onAdd: () => void }) {
  const button = (
    <Button variant="secondary" onClick={onAdd} aria-disabled={isFull || undefined} className="justify-self-start">
      <Plus aria-hidden="true" />
      Add Task
    </Button>
  );
  return isFull ? <Tooltip text="Cannot add more tasks - budget fully allocated">{button}</Tooltip> : button;
}
