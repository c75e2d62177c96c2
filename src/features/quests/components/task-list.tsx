import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type PointerEvent, useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray } from 'react-hook-form';
import { Link, useParams } from 'react-router-dom';
import { ConfirmDialog, useAlert } from '@/components/alert-dialogs';
import { BudgetBar } from '@/components/budget-bar';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/field';
import { Tooltip } from '@/components/ui/tooltip';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { useRowFocus } from '@/components/use-row-focus';
import { cn } from '@/lib/cn';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { Task } from '../queries';
import { allocatedPoints, newTask, taskTypes } from '../quest-form';
import { addTaskRefusal, budgetNotice, type TaskBudget, taskBudget } from '../quest-limits';
import { keyIndex, useDragOrder } from '../use-drag-order';
import { FormSection, TextField, useQuestBounds, useQuestForm, useQuestValue } from './form-fields';
import { TaskIncentives, TaskProof, TaskReward } from './task-fields';

/** The tasks of a stored quest: add, remove, reorder, and their total cost (QEDIT-05..09). */
export function TaskList() {
  const { control, getValues } = useQuestForm();
  const { stored } = useQuestBounds();
  const { fields, append, remove, move } = useFieldArray({ control, name: 'tasks', keyName: 'key' });
  const alert = useAlert();
  /** The last change of the list, announced to screen readers. */
  const [news, setNews] = useState('');
  const count = fields.length;

  const handleMove = useCallback(
    (from: number, to: number) => {
      move(from, to);
      setNews(`Task moved to position ${to + 1} of ${count}`);
    },
    [move, count],
  );
  const handleRemove = (index: number) => {
    remove(index);
    setNews(`Task ${index + 1} removed`);
  };
  const { list, drag, startDrag } = useDragOrder(handleMove);
  // A dragged task is under the pointer; one that is moved by keyboard may leave the window together with the focus.
  const handlePress = (from: number, to: number) => {
    flushSync(() => handleMove(from, to));
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  };
  const focus = useRowFocus(fields.map(({ key }) => key));

  const { budgetPoints, tasks, rewardType } = useQuestValue((values) => ({
    budgetPoints: values.budgetPoints,
    tasks: values.tasks,
    rewardType: values.rewardType,
  }));
  const budget = taskBudget(budgetPoints, allocatedPoints({ tasks, rewardType }));
  // With a custom reward only, tasks cost no points.
  const isPaying = rewardType !== 'custom';
  const handleAdd = () => {
    const refusal = isPaying ? addTaskRefusal(budget) : null;
    if (refusal) alert(refusal);
    else append(newTask(getValues()), { focusName: `tasks.${count}.title` });
  };

  const markFor = (index: number) => {
    if (!drag || drag.to === drag.from || drag.to !== index) return null;
    return drag.to < drag.from ? 'above' : 'below';
  };

  return (
    <FormSection title="Quest Tasks" text="Members do them in this order.">
      {isPaying && <TaskBudgetBar budget={budget} />}
      <div ref={focus.list} tabIndex={-1} className="outline-none">
        {count === 0 ? (
          <EmptyState
            level={3}
            title="No tasks yet"
            text="A quest needs at least one."
            action={
              <Button onClick={handleAdd} disabled={isPaying && budget.budget <= 0}>
                Create Your First Task
              </Button>
            }
          />
        ) : (
          <ol ref={list} className="grid gap-4">
            {fields.map((field, index) => (
              <TaskEditor
                key={field.key}
                id={field.key}
                index={index}
                count={count}
                stored={stored?.tasks.find((task) => task.id === field.taskId)}
                onMove={handlePress}
                onRemove={handleRemove}
                onDragStart={startDrag(index)}
                isBeingDragged={drag?.from === index}
                dropMark={markFor(index)}
              />
            ))}
          </ol>
        )}
      </div>
      <AddTask isFull={isPaying && budget.remaining <= 0} onAdd={handleAdd} />
      <VisuallyHidden>
        <span role="status">{news}</span>
      </VisuallyHidden>
    </FormSection>
  );
}

/** Stays focusable when disabled (aria-disabled), so that the reason can be read; pressing it shows the figures. */
function AddTask({ isFull, onAdd }: { isFull: boolean; onAdd: () => void }) {
  const button = (
    <Button variant="secondary" onClick={onAdd} aria-disabled={isFull || undefined} className="justify-self-start">
      <Plus aria-hidden="true" />
      Add Task
    </Button>
  );
  return isFull ? <Tooltip text="Cannot add more tasks - budget fully allocated">{button}</Tooltip> : button;
}

type TaskEditorProps = {
  id: string;
  index: number;
  count: number;
  /** The stored task; undefined for a new one. */
  stored: Task | undefined;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  onDragStart: (event: PointerEvent) => void;
  /** Marks the drop position of a dragged task. */
  isBeingDragged: boolean;
  dropMark: 'above' | 'below' | null;
};

/**
 * One task: its number, how to move it (drag, arrow keys on the handle, buttons), and its fields. At the ends the buttons stay focusable
 * (aria-disabled), because the last press has brought the task there.
 */
function TaskEditor(props: TaskEditorProps) {
  const { id, index, count, stored, onMove, dropMark } = props;
  const [rewardType, reward = 0, completions = 0] = useQuestValue(
    ({ rewardType: type, tasks }) => [type, tasks[index]?.rewardPoints, tasks[index]?.maxCompletions] as const,
  );
  const number = index + 1;

  return (
    <li
      data-row={id}
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
        {rewardType !== 'custom' && <Points value={reward * completions} className="mr-2 text-sm max-sm:hidden" />}
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Move task ${number} up`}
          aria-disabled={index === 0 || undefined}
          onClick={() => index > 0 && onMove(index, index - 1)}
        >
          <ArrowUp aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Move task ${number} down`}
          aria-disabled={number === count || undefined}
          onClick={() => number < count && onMove(index, index + 1)}
        >
          <ArrowDown aria-hidden="true" />
        </Button>
        <RemoveTask number={number} stored={stored} onRemove={() => props.onRemove(index)} />
      </div>
      <TaskFields index={index} isOther={stored?.type === 'others'} />
    </li>
  );
}

/** Removes a task immediately when it has no submissions; otherwise asks for confirmation. */
function RemoveTask({ number, stored, onRemove }: { number: number; stored: Task | undefined; onRemove: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const { id: questId = '' } = useParams();
  const waiting = stored?.pending_count ?? 0;
  const submissions = (stored?.approved_count ?? 0) + waiting;
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove task ${number}`}
        onClick={({ detail }) => {
          // The further clicks of a double click would remove the next task, which has moved up.
          if (detail > 1) return;
          if (submissions > 0) setIsAsking(true);
          else onRemove();
        }}
      >
        <Trash2 aria-hidden="true" />
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Remove “${stored?.title ?? `Task ${number}`}”?`}
        consequence={`${formatCount(submissions, 'submission')} to it will be deleted when you save. Points that members earned stay theirs.`}
        confirmLabel={waiting > 0 ? 'Approve and pay all' : 'Remove task'}
        onConfirm={onRemove}
      >
        {waiting > 0 && <WaitingProofsWarning waiting={waiting} questId={questId} what="Saving without the task" />}
      </ConfirmDialog>
    </>
  );
}

const typeLabels = { visit: 'Visit', signup: 'Sign up', follow: 'Follow', share: 'Share', custom: 'Custom' } as const;

/**
 * The fields of one task (QEDIT-06, QEDIT-12). `isOther`: stored as `others`, which can be kept but not chosen (C-33).
 */
function TaskFields({ index, isOther }: { index: number; isOther: boolean }) {
  return (
    <div className="grid gap-5">
      <TextField name={`tasks.${index}.title`} label="Task title" isRequired />
      <TextField name={`tasks.${index}.instructions`} label="Instructions" isRequired rows={3} />
      <TaskIncentives index={index} />
      <TaskReward index={index} />
      <Field label="Type" isRequired>
        <Select {...useQuestForm().register(`tasks.${index}.type`)}>
          {isOther && <option value="others">Other (as created)</option>}
          {taskTypes.map((type) => (
            <option key={type} value={type}>
              {typeLabels[type]}
            </option>
          ))}
        </Select>
      </Field>
      <TaskProof index={index} />
    </div>
  );
}

/** Live share of the budget that the tasks use (QEDIT-07, QEDIT-08). */
function TaskBudgetBar({ budget }: { budget: TaskBudget }) {
  const notice = budgetNotice(budget);
  const isOver = budget.remaining < 0;
  return (
    <div className="grid gap-2">
      <BudgetBar label="Allocated" used={budget.allocated} budget={budget.budget} />
      <div aria-live="polite" className="text-sm">
        {notice ? (
          <p className={cn('font-medium', isOver ? 'text-danger' : 'text-warning')}>{notice}</p>
        ) : (
          <p className="text-muted">{formatCount(budget.remaining, 'point')} remaining</p>
        )}
        {isOver && <p>Reduce task points or increase budget to save.</p>}
      </div>
    </div>
  );
}

type WaitingProofsWarningProps = {
  /** Number of pending proofs. */
  waiting: number;
  questId: string;
  /** The action that would approve them: 'Deleting the quest'. */
  what: string;
};

/** Part of a confirmation that affects pending proofs: what happens to them, and a link to review them first (C-98). */
export function WaitingProofsWarning({ waiting, questId, what }: WaitingProofsWarningProps) {
  return (
    <p className="mt-2 rounded-control bg-warning-soft px-4 py-3 text-warning">
      {formatCount(waiting, 'proof is waiting', 'proofs are waiting')} for your decision. {what} approves and pays them
      all.{' '}
      <Link to={paths.questSubmissions(questId)} className="font-semibold underline">
        Review them first
      </Link>
    </p>
  );
}
