import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { Link, useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { Form, SubmitButton } from '@/components/form';
import { StickyAction } from '@/components/page-header';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import type { Startup } from '@/features/startups';
import { paths } from '@/lib/paths';
import { useCreateQuest } from '../mutations';
import type { QuestLimits } from '../quest-budget';
import { createQuestMessage } from '../quest-errors';
import { emptyQuest, type QuestFormValues } from '../quest-form';
import { questPayload } from '../quest-payload';
import { questProblems, questSchema } from '../schema';
import { FormSection } from './form-section';
import { LinkField } from './link-field';
import { QuestPreview } from './quest-preview';
import { RewardFields } from './reward-fields';
import { TemplatePicker } from './template-picker';
import { VerificationFields } from './verification-fields';

/** The creation form with its preview. A quest that is created is live at once (QNEW-19). */
export function QuestForm({ startup, limits }: { startup: Startup; limits: QuestLimits }) {
  const schema = useMemo(() => questSchema(limits), [limits]);
  const form = useForm<QuestFormValues>({
    resolver: zodResolver(schema),
    defaultValues: emptyQuest,
    mode: 'onTouched',
  });
  const createQuest = useCreateQuest();
  const alert = useAlert();
  const navigate = useNavigate();
  const unsaved = useUnsavedChanges(form.formState.isDirty);
  const { errors } = form.formState;
  const isBlank = form.watch('title').trim() === '';

  const handleValid = async (values: QuestFormValues) => {
    try {
      await createQuest.mutateAsync({ startupId: startup.id, payload: questPayload(values) });
    } catch (error) {
      alert(createQuestMessage(error));
      return;
    }
    unsaved.allowLeaving();
    toast.success('Your quest is live');
    navigate(paths.startup);
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
        onSubmit={form.handleSubmit(handleValid, handleInvalid)}
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
        </div>
        {/* On phones its children belong to the form's own column, so that the action sticks along the whole form. */}
        <div className="contents lg:sticky lg:top-20 lg:grid lg:gap-4">
          <h2 className="text-xl">As members will see it</h2>
          <QuestPreview startup={startup} />
          <StickyAction>
            <div className="flex gap-3 sm:grow">
              <SubmitButton isSubmitting={form.formState.isSubmitting} disabled={isBlank} className="grow">
                Create Quest
              </SubmitButton>
              <Button variant="secondary" asChild>
                <Link to={paths.startup}>Cancel</Link>
              </Button>
            </div>
          </StickyAction>
        </div>
      </Form>
    </FormProvider>
  );
}
