import { Camera, CircleCheck, KeyRound, Link2, MessageCircleQuestion, Type, Webhook } from 'lucide-react';
import { Controller } from 'react-hook-form';
import { RadioCards } from '@/components/ui/radio-cards';
import { useIsBeta } from '@/features/settings';
import { formatCount, formatPoints } from '@/lib/format';
import { emptyQuest, rewardParts, taskInstructions } from '../quest-form';
import { completionsRange, rewardRange } from '../quest-problems';
import type { Verification } from '../quest-templates';
import { useQuestBounds, useQuestForm, useQuestValue } from '../use-quest-form';
import { CheckField, NumberField } from './form-fields';
import { IncentiveNotice } from './incentive-notes';
import { VerificationFields } from './verification-fields';

/** Task fields shared by the sections of a new quest and the tasks of a stored one. */
type TaskFieldsProps = { index: number };

/** Reward per completion and maximum completions; shows the ranges up front (C-113). */
export function TaskReward({ index }: TaskFieldsProps) {
  const bounds = useQuestBounds();
  const rewardType = useQuestValue((form) => form.rewardType);
  const task = useQuestValue(({ tasks }) => tasks[index]);
  if (!task) return null;
  const values = { ...emptyQuest, rewardType };
  const points = rewardRange(values, task, bounds);
  const completions = completionsRange(task, bounds);
  const isNew = bounds.stored === null;
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      {rewardParts(values.rewardType).enablePoints && (
        <NumberField
          name={`tasks.${index}.rewardPoints`}
          label={isNew ? 'Points per person' : 'Reward points'}
          hint={`${formatPoints(points.min)} to ${formatPoints(points.max)} points`}
          isRequired
          fallback={0}
          min={isNew ? 1 : 0}
          max={1000}
        />
      )}
      <NumberField
        name={`tasks.${index}.maxCompletions`}
        label={isNew ? 'Max participants' : 'Max completions'}
        hint={
          completions.min > 1
            ? `${formatCount(completions.min, 'spot')} taken, up to ${formatPoints(completions.max)}`
            : `1 to ${formatPoints(completions.max)} people`
        }
        isRequired
        fallback={1}
        min={1}
        max={completions.max}
      />
    </div>
  );
}

/** Advice on whether the task may be rewarded (BEY-15). The only task of a new quest has the quest's title. */
export function TaskIncentives({ index }: TaskFieldsProps) {
  const { setValue } = useQuestForm();
  const { stored } = useQuestBounds();
  const words = useQuestValue((values) => {
    const task = values.tasks[index];
    return task && { title: stored ? task.title : values.title, instructions: taskInstructions(values, task) };
  });
  if (!words) return null;
  return (
    <IncentiveNotice
      {...words}
      onReplace={({ title, instructions }) => {
        const options = { shouldDirty: true, shouldValidate: true };
        setValue(stored ? `tasks.${index}.title` : 'title', title, options);
        setValue(`tasks.${index}.instructions`, instructions, options);
      }}
    />
  );
}

const verificationOptions: readonly { value: Verification; title: string; text: string; icon: typeof Camera }[] = [
  { value: 'simple', title: 'No proof', text: 'One press says it is done', icon: CircleCheck },
  { value: 'link', title: 'Link', text: 'A post, a profile, a review', icon: Link2 },
  { value: 'screenshot', title: 'Screenshot', text: 'A picture of the result', icon: Camera },
  { value: 'text', title: 'Text', text: 'A few sentences', icon: Type },
  { value: 'code', title: 'Code', text: 'Members who finish get a code from you', icon: KeyRound },
  { value: 'call', title: 'Your call', text: 'Your system tells us', icon: Webhook },
  { value: 'check', title: 'Our check', text: 'We ask your system', icon: MessageCircleQuestion },
];

/** Proof type and verification (QNEW-11, QNEW-18, QEDIT-06). */
export function TaskProof({ index }: TaskFieldsProps) {
  const isBeta = useIsBeta();
  const { control } = useQuestForm();
  const isVerified = useQuestValue(({ tasks }) => ['code', 'call', 'check'].includes(tasks[index]?.verification ?? ''));
  return (
    <div className="grid gap-3">
      <Controller
        control={control}
        name={`tasks.${index}.verification`}
        render={({ field: { value, onChange } }) => (
          <RadioCards label="Verification" options={verificationOptions} value={value} onChange={onChange} />
        )}
      />
      {isVerified ? (
        <VerificationFields index={index} />
      ) : (
        <CheckField
          name={`tasks.${index}.autoVerify`}
          label="Verify automatically"
          hint={
            isBeta
              ? 'In beta every submission is approved at once. After it, unchecked means that you review each one.'
              : 'Submissions without proof are approved at once. Unchecked means that you review each one.'
          }
        />
      )}
    </div>
  );
}
