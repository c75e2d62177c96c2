import { Banknote, Camera, CircleCheck, Coins, Dices, Gift, Layers, Link2, Scale, Type, Zap } from 'lucide-react';
import { Controller } from 'react-hook-form';
import { BudgetBar } from '@/components/budget-bar';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { RadioCards } from '@/components/ui/radio-cards';
import { Textarea } from '@/components/ui/textarea';
import { useIsBeta } from '@/features/settings';
import { formatCount } from '@/lib/format';
import {
  affordableParticipants,
  type QuestLimits,
  questTotal,
  type RewardType,
  remainingPoints,
  rewardParts,
  totalLimitMessage,
} from '../create-form';
import { useQuestForm } from '../form-contexts';
import { NumberInput } from './form-fields';

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

/** What the quest costs against what the trial allows, while one types; red when it is over (QNEW-17). */
function QuestBudgetBar({ limits }: { limits: QuestLimits }) {
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
            <p className="font-medium text-danger text-sm">{totalLimitMessage(limits)}</p>
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

const options = [
  { value: 'simple', title: 'No proof', text: 'One press says it is done', icon: CircleCheck },
  { value: 'link', title: 'Link', text: 'A post, a profile, a review', icon: Link2 },
  { value: 'screenshot', title: 'Screenshot', text: 'A picture of the result', icon: Camera },
  { value: 'text', title: 'Text', text: 'A few sentences', icon: Type },
] as const;

/** How members show that they did it, and whether their e-mail is asked for (QNEW-11, QNEW-18). */
export function VerificationFields() {
  const isBeta = useIsBeta();
  const { register, setValue, watch } = useQuestForm();
  return (
    <>
      <RadioCards
        label="Verification"
        options={options}
        value={watch('verification')}
        onChange={(value) => setValue('verification', value, { shouldDirty: true })}
      />
      <CheckField
        name="autoVerify"
        label="Verify automatically"
        hint={
          isBeta
            ? 'In beta every submission is approved at once. After it, unchecked means that you review each one.'
            : 'Submissions without proof are approved at once. Unchecked means that you review each one.'
        }
      />
      <CheckField
        name="collectEmail"
        label="Collect participants’ emails"
        hint="Members see that their address goes to you and why. You can download the list at any time."
      />
      {watch('collectEmail') && (
        <Field
          label="What you use the emails for"
          hint="Shown to members beside the field, such as “Beta invitations”."
        >
          <Input {...register('emailCollectionPurpose')} maxLength={500} />
        </Field>
      )}
    </>
  );
}

function CheckField({ name, ...words }: { name: 'autoVerify' | 'collectEmail'; label: string; hint: string }) {
  return (
    <Controller
      control={useQuestForm().control}
      name={name}
      render={({ field: { value, onChange, ...field } }) => (
        <Checkbox {...field} {...words} checked={value} onCheckedChange={(checked) => onChange(checked === true)} />
      )}
    />
  );
}
