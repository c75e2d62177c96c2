import { Banknote, Coins, Dices, Gift, Layers, Scale, Zap } from 'lucide-react';
import { Controller } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { RadioCards } from '@/components/ui/radio-cards';
import { Textarea } from '@/components/ui/textarea';
import type { QuestLimits } from '../quest-budget';
import { type RewardType, rewardParts } from '../quest-form';
import { NumberInput } from './number-input';
import { QuestBudgetBar } from './quest-budget-bar';
import { useQuestForm } from './quest-context';

/** `cash` and the other distributions are announced only: they cannot be chosen (QNEW-12). */
const rewardOptions = [
  { value: 'points', title: 'Points', text: 'Paid from your budget', icon: Coins },
  { value: 'custom', title: 'Custom reward', text: 'Something of yours: access, a discount, a gift', icon: Gift },
  { value: 'both', title: 'Both', text: 'Points and a custom reward', icon: Layers },
  {
    value: 'cash',
    title: 'Cash reward',
    text: 'Coming Soon: paying money needs the full launch',
    icon: Banknote,
    isDisabled: true,
  },
] as const;

const distributionOptions = [
  { value: 'fcfs', title: 'First come, first serve', text: 'Until every spot is taken', icon: Zap },
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

function CustomRewardFields() {
  const { register, formState } = useQuestForm();
  return (
    <>
      <Field label="Custom reward title" isRequired error={formState.errors.customRewardTitle?.message}>
        <Input {...register('customRewardTitle')} maxLength={200} placeholder="One month of the Pro plan" />
      </Field>
      <Field label="Custom reward description" isRequired error={formState.errors.customRewardDescription?.message}>
        <Textarea {...register('customRewardDescription')} rows={3} maxLength={2000} placeholder="How members get it" />
      </Field>
    </>
  );
}

/** What members get, how many of them, and what it costs (QNEW-12, QNEW-16, QNEW-17). */
export function RewardFields({ limits }: { limits: QuestLimits }) {
  const { control, setValue, watch, formState } = useQuestForm();
  const { enablePoints, enableCustomReward } = rewardParts(watch('rewardType'));

  return (
    <>
      <RadioCards
        label="Reward type"
        options={rewardOptions}
        value={watch('rewardType')}
        onChange={(value) => setValue('rewardType', value as RewardType, { shouldDirty: true })}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {enablePoints && (
          <Field label="Points per person" isRequired error={formState.errors.rewardAmount?.message}>
            <Controller
              control={control}
              name="rewardAmount"
              render={({ field }) => <NumberInput {...field} fallback={0} max={1000} />}
            />
          </Field>
        )}
        <Field label="Max participants" isRequired error={formState.errors.maxParticipants?.message}>
          <Controller
            control={control}
            name="maxParticipants"
            render={({ field }) => <NumberInput {...field} fallback={1} max={1000} />}
          />
        </Field>
      </div>
      {enablePoints && <QuestBudgetBar limits={limits} />}
      {enableCustomReward && <CustomRewardFields />}
      <RadioCards label="Distribution" options={distributionOptions} value="fcfs" onChange={() => undefined} />
    </>
  );
}
