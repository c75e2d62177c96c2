import { Controller } from 'react-hook-form';
import { StatusStamp } from '@/components/status-stamp';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { statusWord } from '../campaign-status';
import type { Campaign } from '../queries';
import { useCampaignForm } from './campaign-context';
import { FormSection } from './form-section';
import { NumberInput } from './number-input';

/** The quest itself (QEDIT-04). The status box always says Active; what is stored stands below it (C-27). */
export function CampaignDetails({ status }: { status: Campaign['status'] }) {
  const { control, register, formState } = useCampaignForm();
  const { errors } = formState;
  return (
    <FormSection title="Campaign Details">
      <Field label="Title" isRequired error={errors.title?.message}>
        <Input {...register('title')} maxLength={200} />
      </Field>
      <Field label="Summary" hint="One or two lines for the quest's card." isRequired error={errors.summary?.message}>
        <Input {...register('summary')} maxLength={500} />
      </Field>
      <Field label="Details" hint="Links and **bold** work." isRequired error={errors.details?.message}>
        <Textarea {...register('details')} rows={6} maxLength={10_000} />
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Points budget" hint="100 to 5000 points" isRequired error={errors.budgetPoints?.message}>
          <Controller
            control={control}
            name="budgetPoints"
            render={({ field }) => <NumberInput {...field} fallback={0} max={1_000_000} />}
          />
        </Field>
        <div className="grid gap-1.5">
          <Field label="Status">
            <Input readOnly value="Active" />
          </Field>
          <p className="flex items-center gap-2 text-muted text-sm">
            Now: <StatusStamp status={statusWord(status)} />
          </p>
        </div>
      </div>
    </FormSection>
  );
}
