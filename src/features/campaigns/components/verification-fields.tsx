import { Camera, CircleCheck, Link2, Type } from 'lucide-react';
import { Controller } from 'react-hook-form';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { RadioCards } from '@/components/ui/radio-cards';
import { useQuestForm } from './quest-context';

const options = [
  { value: 'simple', title: 'No proof', text: 'One press says it is done', icon: CircleCheck },
  { value: 'link', title: 'Link', text: 'A post, a profile, a review', icon: Link2 },
  { value: 'screenshot', title: 'Screenshot', text: 'A picture of the result', icon: Camera },
  { value: 'text', title: 'Text', text: 'A few sentences', icon: Type },
] as const;

/** How members show that they did it, and whether their e-mail is asked for (QNEW-11, QNEW-18). */
export function VerificationFields() {
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
        hint="In beta every submission is approved at once. After it, unchecked means that you review each one."
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
