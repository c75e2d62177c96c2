import { zodResolver } from '@hookform/resolvers/zod';
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
import { type ComponentProps, useMemo, useState } from 'react';
import { Controller, FormProvider, useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { Form, SubmitButton } from '@/components/form';
import { StickyAction } from '@/components/page-header';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { RadioCards } from '@/components/ui/radio-cards';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import type { Project } from '@/features/projects';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { checkingSentence } from '@/lib/send-once';
import {
  createQuestErrors,
  emptyQuest,
  type QuestFormValues,
  type QuestLimits,
  questPayload,
  questProblems,
  questSchema,
  templateValues,
} from '../create-form';
import { useQuestForm } from '../form-contexts';
import { linkFields } from '../link-fields';
import { useCreateQuest } from '../mutations';
import type { Quest } from '../queries';
import { findTemplate, questTemplates } from '../quest-templates';
import { FormSection } from './form-fields';
import { QuestPreview } from './quest-preview';
import { RewardFields, VerificationFields } from './reward-fields';
import type { PublishedState } from './share-quest';

/** The creation form with its preview. A quest that is created is live at once (QNEW-19). */
export function QuestForm({ project, limits }: { project: Project; limits: QuestLimits }) {
  const schema = useMemo(() => questSchema(limits), [limits]);
  const form = useForm<QuestFormValues>({
    resolver: zodResolver(schema),
    defaultValues: emptyQuest,
    mode: 'onTouched',
  });
  const createQuest = useCreateQuest();
  const [isChecking, setIsChecking] = useState(false);
  const alert = useAlert();
  const navigate = useNavigate();
  const unsaved = useUnsavedChanges(form.formState.isDirty);
  const { errors } = form.formState;
  const isBlank = form.watch('title').trim() === '';

  const save = async (values: QuestFormValues, isDraft: boolean) => {
    let quest: Quest;
    try {
      const onChecking = () => setIsChecking(true);
      quest = await createQuest.mutateAsync({
        projectId: project.id,
        payload: questPayload(values),
        isDraft,
        onChecking,
      });
    } catch (error) {
      alert(describeError(error, createQuestErrors));
      return;
    } finally {
      setIsChecking(false);
    }
    unsaved.allowLeaving();
    toast.success(isDraft ? 'Your draft is saved' : 'Your quest is live');
    const state: PublishedState | null = isDraft ? null : { publishedQuestId: quest.id };
    navigate(paths.founder, { state });
  };
  const handleInvalid = () => {
    const [first] = questProblems(form.getValues(), limits);
    if (first) alert(first.message);
  };

  return (
    <FormProvider {...form}>
      {unsaved.dialog}
      <Form
        aria-label="Create a quest"
        onSubmit={form.handleSubmit((values) => save(values, false), handleInvalid)}
        className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]"
      >
        <div className="grid gap-6">
          <FormSection title="Start from a template" text="It fills the form. Everything stays yours to change.">
            <TemplatePicker />
          </FormSection>
          <FormSection title="What members do">
            <Field label="Quest title" isRequired error={errors.title?.message}>
              <Input {...form.register('title')} maxLength={200} />
            </Field>
            <LinkField />
            <Field
              label="Description"
              hint="The instructions that members follow. Links and **bold** work."
              isRequired
              error={errors.description?.message}
            >
              <Textarea {...form.register('description')} maxLength={4000} />
            </Field>
          </FormSection>
          <FormSection title="What they get">
            <RewardFields limits={limits} />
          </FormSection>
          <FormSection title="How you know it is done">
            <VerificationFields />
          </FormSection>
          <FormSection title="When" text="Leave both empty to start at once and go on until every spot is taken.">
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <Field label="Starts" error={errors.startsAt?.message}>
                <Input type="datetime-local" {...form.register('startsAt')} />
              </Field>
              <Field label="Ends" error={errors.endsAt?.message}>
                <Input type="datetime-local" {...form.register('endsAt')} />
              </Field>
            </div>
          </FormSection>
        </div>
        {/* On phones its children belong to the form's own column, so that the action sticks along the whole form. */}
        <div className="contents lg:sticky lg:top-20 lg:grid lg:gap-4">
          <h2 className="text-xl">As members will see it</h2>
          <QuestPreview project={project} />
          {isChecking && <p role="status">{checkingSentence}</p>}
          <StickyAction>
            <div className="flex gap-3 sm:grow">
              <SubmitButton isSubmitting={form.formState.isSubmitting} disabled={isBlank} className="grow">
                Create Quest
              </SubmitButton>
              <Button
                variant="secondary"
                disabled={isBlank || form.formState.isSubmitting}
                onClick={form.handleSubmit((values) => save(values, true), handleInvalid)}
              >
                Save as draft
              </Button>
              <Button variant="secondary" asChild>
                <Link to={paths.founder}>Cancel</Link>
              </Button>
            </div>
          </StickyAction>
        </div>
      </Form>
    </FormProvider>
  );
}

const icons: readonly LucideIcon[] = [UserRoundPlus, AtSign, MessagesSquare, PenLine, Megaphone, Globe, Mail, Sparkles];

const options = questTemplates.map((template, index) => ({
  value: String(template.id),
  title: template.name,
  text: `${template.rewardAmount} points, ${template.autoVerify ? 'counts right away' : 'you check the link'}`,
  icon: icons[index],
}));

/** The eight starting points; choosing one fills the form (QNEW-07, QNEW-08). */
function TemplatePicker() {
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

/** The one field that the chosen template asks for (QNEW-09, QNEW-10). */
function LinkField() {
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

type PrefixInputProps = Omit<ComponentProps<typeof Input>, 'prefix' | 'onChange'> & {
  /** Written before the input, not part of the value. */
  prefix: string;
  /** Keeps the value without the prefix, as one types or pastes. */
  clean: (value: string) => string;
  onChange: (value: string) => void;
};

/** An input that says how its value begins: https://, @, discord.gg/. */
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
