import { Controller } from 'react-hook-form';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import { proofTypes, taskTypes } from '../campaign-form';
import { useCampaignForm } from './campaign-context';
import { NumberInput } from './number-input';

const typeLabels = { visit: 'Visit', signup: 'Sign up', follow: 'Follow', share: 'Share', custom: 'Custom' } as const;
const proofLabels = { screenshot: 'Screenshot', link: 'Link', text: 'Text' } as const;

/** Type and proof of a task; the proof type counts only while proof is required (QEDIT-06). */
function TaskKind({ index, isOther }: { index: number; isOther: boolean }) {
  const { control, register, watch } = useCampaignForm();
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
export function TaskFields({ index, isOther, taken }: TaskFieldsProps) {
  const { control, register, formState } = useCampaignForm();
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
