import { Banknote, Coins, Dices, Gift, Layers, Scale, Zap } from 'lucide-react';
import { BudgetBar } from '@/components/budget-bar';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { RadioCards } from '@/components/ui/radio-cards';
import { formatCount } from '@/lib/format';
import { allocatedPoints, type RewardType, rewardParts } from '../quest-form';
import { affordableParticipants, remainingPoints, totalLimitMessage } from '../quest-limits';
import { hasProofs, promisedReward } from '../quest-problems';
import { CheckboxField, TextField, useQuestBounds, useQuestForm, useQuestValue } from './form-fields';
import { TaskReward } from './task-fields';

/** `cash` and the other distributions are announced, but cannot be chosen (QNEW-12). */
const rewardOptions = [
  { value: 'points', title: 'Points', text: 'Paid from your budget', icon: Coins },
  { value: 'custom', title: 'Custom reward', text: 'Something of yours: access, a discount, a gift', icon: Gift },
  { value: 'both', title: 'Both', text: 'Points and a custom reward', icon: Layers },
  {
    value: 'cash',
    title: 'Cash reward',
    text: 'Coming Soon: cash payouts start with the full launch',
    icon: Banknote,
    isDisabled: true,
  },
] as const;

const distributionOptions = [
  { value: 'fcfs', title: 'First come, first served', text: 'Until every spot is taken', icon: Zap },
  {
    value: 'lucky_draw',
    title: 'Lucky Draw',
    text: 'Coming Soon: winners drawn at the end',
    icon: Dices,
    isDisabled: true,
  },
  {
    value: 'equal',
    title: 'Equal Distribution',
    text: 'Coming Soon: the budget split among all',
    icon: Scale,
    isDisabled: true,
  },
] as const;

/** Reward types; one that participants were promised cannot be removed (C-75). */
function useRewardOptions() {
  const bounds = useQuestBounds();
  if (!hasProofs(bounds)) return rewardOptions;
  const isLess: Partial<Record<string, boolean>> = {
    points: promisedReward(bounds) !== null,
    custom: bounds.stored?.tasks.some((task) => task.reward_points > 0),
  };
  return rewardOptions.map((option) =>
    isLess[option.value] ? { ...option, text: 'Members were promised more', isDisabled: true } : option,
  );
}

/** Reward, number of participants, and cost (QNEW-12, QNEW-16, QNEW-17). */
export function RewardFields() {
  const { setValue } = useQuestForm();
  const bounds = useQuestBounds();
  const isNew = bounds.stored === null;
  const rewardType = useQuestValue((values) => values.rewardType);
  const { enablePoints, enableCustomReward } = rewardParts(rewardType);
  const isPromised = promisedReward(bounds) !== null;

  return (
    <>
      <RadioCards
        label="Reward type"
        options={useRewardOptions()}
        value={rewardType}
        onChange={(value) => setValue('rewardType', value as RewardType, { shouldDirty: true })}
      />
      {isNew && <TaskReward index={0} />}
      {isNew && enablePoints && <NewBudgetBar />}
      {enableCustomReward && (
        <>
          <TextField
            name="customRewardTitle"
            label="Custom reward title"
            hint={isPromised && 'Members have taken part for this: you can only add to it.'}
            isRequired
            placeholder="One month of the Pro plan"
          />
          <TextField
            name="customRewardDescription"
            label="Custom reward description"
            hint={isPromised && 'You can only add to it.'}
            isRequired
            rows={3}
            placeholder="How members get it"
          />
        </>
      )}
      <RadioCards label="Distribution" options={distributionOptions} value="fcfs" onChange={() => undefined} />
    </>
  );
}

/** Live cost of the quest against the trial's limit; red when it exceeds it (QNEW-17). */
function NewBudgetBar() {
  const { setValue } = useQuestForm();
  const { limits } = useQuestBounds();
  const total = useQuestValue(allocatedPoints);
  const rewardPoints = useQuestValue(({ tasks }) => tasks[0]?.rewardPoints ?? 0);
  const remaining = remainingPoints(total, limits);

  if (remaining === null || limits.budgetPoints === null) {
    return (
      <p className="flex flex-wrap items-center gap-2">
        Total budget: <Points value={total} />
      </p>
    );
  }

  const fitting = affordableParticipants(rewardPoints, limits);
  return (
    <div className="grid gap-2">
      <BudgetBar
        label={limits.usedPoints > 0 ? 'Total budget of all your quests' : 'Total budget'}
        used={total + limits.usedPoints}
        budget={limits.budgetPoints}
      />
      <div aria-live="polite" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        {remaining >= 0 ? (
          <p className="text-muted text-sm">{formatCount(remaining, 'point')} remaining</p>
        ) : (
          <>
            <p className="font-medium text-danger text-sm">{totalLimitMessage(limits)}</p>
            {fitting * rewardPoints <= limits.budgetPoints - limits.usedPoints && (
              <Button
                variant="link"
                onClick={() => setValue('tasks.0.maxCompletions', fitting, { shouldDirty: true, shouldValidate: true })}
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

/** Whether to collect members' e-mail addresses, and the purpose (QNEW-11, C-75). */
export function EmailFields() {
  const isCollecting = useQuestValue(({ collectEmail }) => collectEmail);
  const bounds = useQuestBounds();
  const isPromised = hasProofs(bounds);
  const wasCollecting = bounds.stored?.quest.collect_emails ?? false;
  return (
    <>
      <CheckboxField
        name="collectEmail"
        label="Collect participants’ emails"
        hint={
          isPromised && !wasCollecting
            ? 'Members have taken part without giving an address. A copy of this quest can ask for it.'
            : 'Members see that their address goes to you and why. You can download the list at any time.'
        }
        disabled={isPromised && !wasCollecting}
      />
      {isCollecting && (
        <TextField
          name="emailCollectionPurpose"
          label="What you use the emails for"
          hint={
            isPromised
              ? 'Members have given their address for this. You can stop collecting, not change what it is for.'
              : 'Shown to members beside the field, such as “Beta invitations”.'
          }
          readOnly={isPromised}
        />
      )}
    </>
  );
}
