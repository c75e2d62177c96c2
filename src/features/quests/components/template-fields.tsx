import {
  AtSign,
  Globe,
  type LucideIcon,
  Mail,
  Megaphone,
  MessagesSquare,
  PenLine,
  Sparkles,
  UserRoundPlus,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import { Controller } from 'react-hook-form';
import { Field, Input } from '@/components/ui/field';
import { RadioCards } from '@/components/ui/radio-cards';
import { formatNumber } from '@/lib/format';
import { templateValues } from '../quest-form';
import { textLimit } from '../quest-problems';
import { findTemplate, linkFormats, questTemplates } from '../quest-templates';
import { TextField, useQuestForm, useQuestValue } from './form-fields';

const icons: readonly LucideIcon[] = [UserRoundPlus, AtSign, MessagesSquare, PenLine, Megaphone, Globe, Mail, Sparkles];

const options = questTemplates.map((template, index) => ({
  value: String(template.id),
  title: template.name,
  text: `${template.rewardAmount} points, ${template.autoVerify ? 'counts right away' : 'asks for a link'}`,
  icon: icons[index],
}));

/** The eight templates; choosing one fills the form (QNEW-07, QNEW-08). */
export function TemplatePicker() {
  const { setValue, clearErrors } = useQuestForm();
  const selected = useQuestValue(({ selectedTemplate }) => selectedTemplate);

  const handleChange = (id: string) => {
    const { quest, task } = templateValues(Number(id));
    for (const [name, value] of Object.entries(quest)) {
      setValue(name as keyof typeof quest, value, { shouldDirty: true });
    }
    for (const [name, value] of Object.entries(task)) {
      setValue(`tasks.0.${name as keyof typeof task}`, value, { shouldDirty: true });
    }
    clearErrors();
  };

  return (
    <RadioCards
      label="Quest template"
      isLabelHidden
      className="grid-cols-2 gap-2 sm:gap-3"
      options={options}
      value={selected === null ? null : String(selected)}
      onChange={handleChange}
    />
  );
}

/** The field that the chosen template requires (QNEW-09, QNEW-10). */
export function TemplateLinkField() {
  const { control, getFieldState, formState } = useQuestForm();
  const template = findTemplate(useQuestValue(({ selectedTemplate }) => selectedTemplate));
  const length = useQuestValue((values) => {
    const requires = findTemplate(values.selectedTemplate)?.requires;
    return requires ? values[requires].length : 0;
  });
  if (!template) return null;
  const name = template.requires;
  const { prefix, placeholder, clean } = linkFormats[name];
  if (prefix === '') {
    return <TextField name={name} label={template.requiresLabel} isRequired rows={4} placeholder={placeholder} />;
  }
  return (
    <Field
      label={template.requiresLabel}
      isRequired
      error={getFieldState(name, formState).error?.message}
      aside={`${formatNumber(length)} / ${formatNumber(textLimit(name))}`}
    >
      <Controller
        control={control}
        name={name}
        render={({ field }) => <PrefixInput {...field} prefix={prefix} placeholder={placeholder} clean={clean} />}
      />
    </Field>
  );
}

type PrefixInputProps = Omit<ComponentProps<typeof Input>, 'prefix' | 'onChange'> & {
  /** Shown before the input, not part of the value. */
  prefix: string;
  /** Strips the prefix from typed or pasted input. */
  clean: (value: string) => string;
  onChange: (value: string) => void;
};

/** An input with a visible prefix: https://, @, discord.gg/. */
function PrefixInput({ prefix, clean, onChange, ...props }: PrefixInputProps) {
  return (
    <div className="flex">
      <span className="grid shrink-0 place-items-center rounded-l-control border border-field border-r-0 bg-sunken px-3 text-muted">
        {prefix}
      </span>
      <Input
        {...props}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        className="rounded-l-none"
        onChange={(event) => onChange(clean(event.target.value))}
      />
    </div>
  );
}
