import { BudgetBar } from '@/components/budget-bar';
import { cn } from '@/lib/cn';
import { formatPoints } from '@/lib/format';
import { budgetNotice, type TaskBudget } from '../task-budget';

/** What the tasks take of the budget, while one edits (QEDIT-07, QEDIT-08). */
export function TaskBudgetBar({ budget }: { budget: TaskBudget }) {
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
