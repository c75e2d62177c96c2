import { BudgetBar } from '@/components/budget-bar';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { formatCount } from '@/lib/format';
import { affordableParticipants, type QuestLimits, questTotal, remainingPoints } from '../quest-budget';
import { totalLimitMessage } from '../schema';
import { useQuestForm } from './quest-context';

/** What the quest costs against what the trial allows, while one types; red when it is over (QNEW-17). */
export function QuestBudgetBar({ limits }: { limits: QuestLimits }) {
  const { watch, setValue } = useQuestForm();
  const [rewardType, rewardAmount, maxParticipants] = watch(['rewardType', 'rewardAmount', 'maxParticipants']);
  const total = questTotal({ rewardType, rewardAmount, maxParticipants });
  const remaining = remainingPoints(total, limits);

  if (remaining === null || limits.budgetPoints === null) {
    return (
      <p className="flex flex-wrap items-center gap-2">
        Total budget: <Points value={total} />
      </p>
    );
  }

  const fitting = affordableParticipants(rewardAmount, limits);
  return (
    <div className="grid gap-2">
      <BudgetBar label="Total budget" used={total + limits.usedPoints} budget={limits.budgetPoints} />
      <div aria-live="polite" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {remaining >= 0 ? (
          <p className="text-muted text-sm">{formatCount(remaining, 'point')} remaining</p>
        ) : (
          <>
            <p className="font-medium text-danger text-sm">{totalLimitMessage(limits.budgetPoints)}</p>
            {fitting * rewardAmount <= limits.budgetPoints - limits.usedPoints && (
              <Button
                variant="link"
                onClick={() => setValue('maxParticipants', fitting, { shouldDirty: true, shouldValidate: true })}
              >
                Use {formatCount(fitting, 'participant')}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  );
}
