import { Gift } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import { Form } from '@/components/form';
import { StickyAction } from '@/components/main-action';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Card } from '@/components/ui/card';
import { Field, Input, Select } from '@/components/ui/field';
import type { Project } from '@/features/projects';
import { useIsBeta } from '@/features/settings';
import { formatHours, formatPoints } from '@/lib/format';
import { checkingSentence } from '@/lib/send-once';
import type { Quest } from '../queries';
import { promisedHours } from '../quest';
import {
  type QuestFormValues,
  questSummary,
  reviewTimes,
  rewardParts,
  taskInstructions,
  verificationPayload,
} from '../quest-form';
import { budgetRange, type Problem, type QuestBounds, questProblems } from '../quest-problems';
import {
  FormSection,
  NumberField,
  QuestBoundsContext,
  TextField,
  useQuestBounds,
  useQuestForm,
  useQuestValue,
} from './form-fields';
import { QuestCard } from './quest-card';
import { statusLabel } from './quest-status';
import { EmailFields, RewardFields } from './reward-fields';
import { TaskIncentives, TaskProof } from './task-fields';
import { TaskList } from './task-list';
import { TemplateLinkField, TemplatePicker } from './template-fields';

type QuestFormProps = {
  /** For buttons outside of the form element. */
  id: string;
  label: string;
  form: UseFormReturn<QuestFormValues>;
  bounds: QuestBounds;
  project: Project;
  onSave: (values: QuestFormValues) => Promise<void>;
  /** The outcome of a lost answer is being looked up (C-99). */
  isChecking: boolean;
  /** The buttons, below the preview, sticky at the bottom on phones. */
  actions: ReactNode;
};

/** The form of a quest with preview: a new one with template and one task, a stored one with all its tasks (C-75). */
export function QuestForm({ id, label, form, bounds, project, onSave, isChecking, actions }: QuestFormProps) {
  const isNew = bounds.stored === null;
  return (
    <FormProvider {...form}>
      <QuestBoundsContext value={bounds}>
        <Form
          id={id}
          aria-label={label}
          onSubmit={form.handleSubmit(onSave, () => focusFirstProblem(form, bounds))}
          className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]"
        >
          <div className="grid gap-6">
            {isNew ? <NewQuestFields /> : <StoredQuestFields />}
            <FormSection title="Reward">
              <RewardFields />
            </FormSection>
            {isNew && (
              <FormSection title="Proof">
                <TaskProof index={0} />
              </FormSection>
            )}
            <FormSection title="Email addresses">
              <EmailFields />
            </FormSection>
            <FormSection title="When" text="Leave both empty to start at once and run until every spot is taken.">
              <ScheduleFields />
            </FormSection>
            <FormSection
              title="Your promise"
              text="Members see this before they start. A proof that you do not review in time is approved and paid; we remind you twice first."
            >
              <ReviewTimeField />
            </FormSection>
          </div>
          {/* On phones, `contents` puts its children into the form's column, so that the action bar sticks along the
              whole form. */}
          <div className="contents lg:sticky lg:top-20 lg:grid lg:gap-4">
            <h2 className="text-xl">As members will see it</h2>
            <QuestPreview project={project} />
            <ErrorSummary />
            {isChecking && <p role="status">{checkingSentence}</p>}
            <StickyAction>{actions}</StickyAction>
          </div>
        </Form>
      </QuestBoundsContext>
    </FormProvider>
  );
}

/** Focuses the first invalid field, whose error screen readers announce with it (C-113). */
export function focusFirstProblem(form: UseFormReturn<QuestFormValues>, bounds: QuestBounds) {
  const [first] = questProblems(form.getValues(), bounds);
  if (first) focusField(form, first.field);
}

/** A browser does not scroll to what is in the window already, were it under the bar at the bottom, or its message. */
function focusField(form: UseFormReturn<QuestFormValues>, field: Problem['field']) {
  form.setFocus(field);
  document.activeElement?.scrollIntoView({ block: 'nearest' });
}

/** Error summary after the first attempt to save; each entry leads to its field (C-113). */
function ErrorSummary() {
  const form = useQuestForm();
  const bounds = useQuestBounds();
  const problems = useQuestValue((values) => questProblems(values, bounds));
  if (form.formState.submitCount === 0 || problems.length === 0) return null;
  return (
    <section aria-label="What to correct" className="grid gap-2 rounded-card border border-danger bg-card p-4">
      <h2 className="text-base">
        {problems.length === 1 ? 'One thing to correct' : `${problems.length} things to correct`}
      </h2>
      <ul className="grid gap-1">
        {problems.map(({ field, message, summary }) => (
          <li key={field}>
            <button
              type="button"
              onClick={() => focusField(form, field)}
              className="min-h-6 text-left text-danger text-sm underline underline-offset-2 [overflow-wrap:anywhere] hover:no-underline"
            >
              {summary ?? message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NewQuestFields() {
  return (
    <>
      <FormSection title="Start from a template" text="It fills in the form. You can change everything.">
        <TemplatePicker />
      </FormSection>
      <FormSection title="What members do">
        <TextField name="title" label="Quest title" isRequired />
        <TemplateLinkField />
        <TextField
          name="tasks.0.instructions"
          label="Description"
          hint="The instructions that members follow. Links and **bold** work."
          isRequired
          rows={4}
        />
        <TaskIncentives index={0} />
      </FormSection>
    </>
  );
}

/** Label of the status box: the stored status, Active when published (C-74). */
function statusWord(quest: Quest): string {
  return quest.status === 'published' ? 'Active' : statusLabel(quest);
}

/** The quest itself (QEDIT-04) and its tasks. */
function StoredQuestFields() {
  const bounds = useQuestBounds();
  const { enablePoints } = rewardParts(useQuestValue(({ rewardType }) => rewardType));
  const budget = budgetRange(bounds);
  return (
    <>
      <FormSection title="Quest Details">
        <TextField name="title" label="Quest title" isRequired />
        <TextField name="summary" label="Summary" hint="One or two lines for the quest's card." isRequired />
        <TextField name="details" label="Details" hint="Links and **bold** work." isRequired rows={6} />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {enablePoints && (
            <NumberField
              name="budgetPoints"
              label="Points budget"
              hint={`The most that this quest may pay out: ${formatPoints(budget.min)} to ${formatPoints(budget.max)} points`}
              fallback={0}
              max={10_000_000}
            />
          )}
          <Field label="Status">
            <Input readOnly value={bounds.stored ? statusWord(bounds.stored.quest) : 'Draft'} />
          </Field>
        </div>
      </FormSection>
      <TaskList />
    </>
  );
}

/** Review time (BEY-22); the promise for pending proofs does not change. */
function ReviewTimeField() {
  const isBeta = useIsBeta();
  const { register } = useQuestForm();
  const chosen = useQuestValue(({ reviewHours }) => reviewHours);
  const times = [...new Set([...reviewTimes, chosen])].sort((a, b) => a - b);
  return (
    <Field
      label="You review within"
      hint={
        isBeta
          ? 'Applies after the beta; until then every proof is approved at once.'
          : 'A change applies to proofs sent from then on.'
      }
    >
      <Select {...register('reviewHours', { valueAsNumber: true })}>
        {times.map((hours) => (
          <option key={hours} value={hours}>
            {formatHours(hours)}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Without it, browsers accept years of six digits, which no Date can parse. */
const lastTime = '9999-12-31T23:59';

/** Start and end (BEY-07). */
function ScheduleFields() {
  const { register, formState } = useQuestForm();
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <Field label="Starts" hint="In your time zone" error={formState.errors.startsAt?.message}>
        <Input type="datetime-local" max={lastTime} {...register('startsAt')} />
      </Field>
      <Field label="Ends" hint="In your time zone" error={formState.errors.endsAt?.message}>
        <Input type="datetime-local" max={lastTime} {...register('endsAt')} />
      </Field>
    </div>
  );
}

/** Live preview of the quest as members will see it: card, then page (BEY-07). */
function QuestPreview({ project }: { project: Project }) {
  const values = useQuestValue((all) => all);
  const bounds = useQuestBounds();
  const [now] = useState(() => new Date().toISOString());
  const quest = {
    ...previewQuest(values, bounds, project, now),
    review_hours: promisedHours(values.tasks.map(verificationPayload), values.reviewHours, useIsBeta()),
  };
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  const purpose = values.emailCollectionPurpose.trim();
  const isNew = bounds.stored === null;

  return (
    <section aria-label="Preview" className="grid gap-4">
      {/* Inert, because the card's links have no target yet. */}
      <div inert>
        <QuestCard as="article" quest={quest} />
      </div>
      <Card className="grid gap-4">
        <div className="grid gap-2">
          <p className="font-bold font-display text-xl [overflow-wrap:anywhere]">{quest.title}</p>
          {enablePoints && <Points value={quest.reward_points} />}
          {!isNew && values.details.trim() !== '' && <Markdown text={values.details} />}
        </div>
        {enableCustomReward && (
          <div className="grid gap-1 border-t pt-4">
            <p className="flex items-center gap-2 font-semibold">
              <Gift aria-hidden="true" className="size-4 shrink-0 text-action" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{quest.custom_reward_title}</span>
            </p>
            <p className="text-muted text-sm [overflow-wrap:anywhere]">{values.customRewardDescription}</p>
          </div>
        )}
        {values.tasks.map((task, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved task has no other key
          <div key={index} className="grid gap-2 border-t pt-4">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">
                {index + 1}. {(isNew ? quest.title : task.title.trim()) || 'Task title'}
              </p>
              <StatusBadge status="Not Started" />
            </div>
            <Markdown text={taskInstructions(values, task) || 'What members should do appears here.'} />
            {enablePoints && <Points value={task.rewardPoints} />}
          </div>
        ))}
        {values.collectEmail && (
          <p className="text-muted text-sm">Asks for an email address{purpose ? `: ${purpose}` : '.'}</p>
        )}
      </Card>
    </section>
  );
}

/** The form's values as props of the quest card. `now` as an ISO time. */
function previewQuest(values: QuestFormValues, { stored }: QuestBounds, project: Project, now: string) {
  const { enablePoints, enableCustomReward } = rewardParts(values.rewardType);
  const slots = values.tasks.reduce((sum, task) => sum + task.maxCompletions, 0);
  const taken = stored ? stored.quest.approved_count + stored.quest.pending_count + stored.quest.kept_count : 0;
  return {
    id: 'preview',
    title: values.title.trim() || 'Your quest',
    summary: stored ? values.summary.trim() : questSummary(values.tasks[0]?.instructions ?? ''),
    custom_reward_title: enableCustomReward ? values.customRewardTitle.trim() || 'Custom reward' : null,
    task_count: values.tasks.length,
    reward_points: enablePoints ? values.tasks.reduce((sum, task) => sum + task.rewardPoints, 0) : 0,
    total_slots: slots,
    open_slots: Math.max(0, slots - taken),
    is_full: slots <= taken,
    published_at: stored?.quest.published_at ?? now,
    starts_at: values.startsAt || null,
    ends_at: values.endsAt || null,
    startup_id: project.id,
    startup_name: project.name,
    startup_logo_url: project.logo_url,
    startup_verified: project.status === 'verified',
  };
}
