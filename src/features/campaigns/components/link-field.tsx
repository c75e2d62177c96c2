import { Controller } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { linkFields } from '../link-fields';
import { findTemplate } from '../quest-templates';
import { PrefixInput } from './prefix-input';
import { useQuestForm } from './quest-context';

/** The one field that the chosen template asks for (QNEW-09, QNEW-10). */
export function LinkField() {
  const { control, register, watch, formState } = useQuestForm();
  const template = findTemplate(watch('selectedTemplate'));
  if (!template) return null;
  const name = template.requires;
  const { prefix, placeholder, clean } = linkFields[name];

  return (
    <Field label={template.requiresLabel} isRequired error={formState.errors[name]?.message}>
      {prefix === '' ? (
        <Textarea {...register(name)} placeholder={placeholder} />
      ) : (
        <Controller
          control={control}
          name={name}
          render={({ field }) => <PrefixInput {...field} prefix={prefix} placeholder={placeholder} clean={clean} />}
        />
      )}
    </Field>
  );
}
