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
import { RadioCards } from '@/components/ui/radio-cards';
import { templateValues } from '../quest-form';
import { questTemplates } from '../quest-templates';
import { useQuestForm } from './quest-context';

const icons: readonly LucideIcon[] = [UserRoundPlus, AtSign, MessagesSquare, PenLine, Megaphone, Globe, Mail, Sparkles];

const options = questTemplates.map((template, index) => ({
  value: String(template.id),
  title: template.name,
  text: `${template.rewardAmount} points, ${template.autoVerify ? 'counts right away' : 'you check the link'}`,
  icon: icons[index],
}));

/** The eight starting points; choosing one fills the form (QNEW-07, QNEW-08). */
export function TemplatePicker() {
  const { watch, setValue, clearErrors } = useQuestForm();
  const selected = watch('selectedTemplate');

  const handleChange = (id: string) => {
    for (const [name, value] of Object.entries(templateValues(Number(id)))) {
      setValue(name as keyof ReturnType<typeof templateValues>, value, { shouldDirty: true });
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
