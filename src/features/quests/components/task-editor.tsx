import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type PointerEvent, useCallback, useState } from 'react';
import { Controller, useFieldArray } from 'react-hook-form';
import { useParams } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { BudgetBar } from '@/components/budget-bar';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import { Tooltip } from '@/components/ui/tooltip';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { formatCount, formatPoints } from '@/lib/format';
import {
  addTaskRefusal,
  budgetNotice,
  newTask,
  proofTypes,
  type TaskBudget,
  taskBudget,
  taskTypes,
} from '../edit-form';
import { useQuestEditForm } from '../form-contexts';
import type { Task } from '../queries';
import { keyIndex, useDragOrder } from '../use-drag-order';
import { FormSection, NumberInput } from './form-fields';
import { WaitingProofs } from './waiting-proofs';

/** The tasks of a quest: add, remove, reorder, and what they cost together (QEDIT-05..09). */
export function TaskList({ stored }: { stored: readonly Task[] }) {
  const { control, getValues, watch } = useQuestEditForm();
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
function TaskEditor(props: TaskEditorProps) {
  const { index, count, stored, onMove, dropMark } = props;
  const [reward, completions] = useQuestEditForm().watch([
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
  const { id: questId = '' } = useParams();
  const waiting = stored?.pending_count ?? 0;
  const submissions = (stored?.approved_count ?? 0) + waiting;
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
        confirmLabel={waiting > 0 ? 'Approve and pay all' : 'Remove task'}
        onConfirm={onRemove}
      >
        {waiting > 0 && <WaitingProofs waiting={waiting} questId={questId} what="Saving without the task" />}
      </ConfirmDialog>
    </>
  );
}

const typeLabels = { visit: 'Visit', signup: 'Sign up', follow: 'Follow', share: 'Share', custom: 'Custom' } as const;
const proofLabels = { screenshot: 'Screenshot', link: 'Link', text: 'Text' } as const;

/** Type and proof of a task; the proof type counts only while proof is required (QEDIT-06). */
function TaskKind({ index, isOther }: { index: number; isOther: boolean }) {
  const { control, register, watch } = useQuestEditForm();
  const requiresProof = watch(`tasks.${index}.requiresProof`);
  return (
    <div className="grid items-start gap-x-5 gap-y-3 sm:grid-cols-2">
      <Field label="Type" isRequired>
        <Select {...register(`tasks.${index}.type`)}>
          {isOther && <option value="others">Other (as created)</option>}
          {taskTypes.map((type) => (
            <option key={type} value={type}>
              {typeLabels[type]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Proof type">
        <Select
          {...register(`tasks.${index}.proofType`)}
          aria-disabled={!requiresProof || undefined}
          disabled={!requiresProof}
        >
          {proofTypes.map((type) => (
            <option key={type} value={type}>
              {proofLabels[type]}
            </option>
          ))}
        </Select>
      </Field>
      <Controller
        control={control}
        name={`tasks.${index}.requiresProof`}
        render={({ field: { value, onChange, ...field } }) => (
          <Checkbox
            {...field}
            className="sm:col-start-2 sm:row-start-2"
            checked={value}
            onCheckedChange={(checked) => onChange(checked === true)}
            label="Requires proof"
          />
        )}
      />
    </div>
  );
}

type TaskFieldsProps = {
  index: number;
  /** The task is stored as `others`, which can be kept but not chosen (C-33). */
  isOther: boolean;
  /** Submissions that hold a spot; fewer completions cannot be allowed. */
  taken: number;
};

/** The fields of one task in the editor (QEDIT-06, QEDIT-12). */
function TaskFields({ index, isOther, taken }: TaskFieldsProps) {
  const { control, register, formState } = useQuestEditForm();
  const errors = formState.errors.tasks?.[index];
  return (
    <div className="grid gap-5">
      <Field label="Task title" isRequired error={errors?.title?.message}>
        <Input {...register(`tasks.${index}.title`)} maxLength={200} />
      </Field>
      <Field label="Instructions" isRequired error={errors?.instructions?.message}>
        <Textarea {...register(`tasks.${index}.instructions`)} rows={3} maxLength={5000} />
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Reward points" hint="10 to 500 per completion" isRequired error={errors?.rewardPoints?.message}>
          <Controller
            control={control}
            name={`tasks.${index}.rewardPoints`}
            render={({ field }) => <NumberInput {...field} fallback={0} max={1_000_000} />}
          />
        </Field>
        <Field
          label="Max completions"
          hint={taken > 0 ? `${taken} already taken` : undefined}
          isRequired
          error={errors?.maxCompletions?.message}
        >
          <Controller
            control={control}
            name={`tasks.${index}.maxCompletions`}
            render={({ field }) => <NumberInput {...field} fallback={1} max={100_000} />}
          />
        </Field>
      </div>
      <TaskKind index={index} isOther={isOther} />
    </div>
  );
}

/** What the tasks take of the budget, while one edits (QEDIT-07, QEDIT-08). */
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
          <p className="text-muted">{formatPoints(budget.remaining)} points remaining</p>
        )}
        {isOver && <p>Reduce task points or increase budget to save.</p>}
      </div>
    </div>
  );
}
