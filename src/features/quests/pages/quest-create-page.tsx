import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig, Compass } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { Link, useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-dialogs';
import { EmptyState } from '@/components/empty-state';
import { SubmitButton } from '@/components/form';
import { Notice } from '@/components/notice';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { takeFocus } from '@/components/take-focus';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { useFormDraft } from '@/components/zod-form';
import { ProjectDecisionNotice, SuspensionNotice } from '@/features/appeals';
import { type OwnedProject, OwnProject, type Project, ProjectLogo } from '@/features/projects';
import { useIsBeta } from '@/features/settings';
import { describeError, fillSentence } from '@/lib/errors';
import { formatAge } from '@/lib/format';
import { paths } from '@/lib/paths';
import { localFlag } from '@/lib/storage';
import * as databaseSentences from '@/types/database-errors';
import { setFieldError, useQuestFormState } from '../components/form-fields';
import { focusFirstProblem, QuestForm } from '../components/quest-form';
import type { PublishedState } from '../components/share-quest';
import {
  assumedEligible,
  type Eligibility,
  questFormQueries,
  questsToExplore,
  recentCompletions,
} from '../form-queries';
import { useCreateQuest } from '../mutations';
import { pointsAction } from '../points-action';
import { type Quest, questQueries } from '../queries';
import { publishedText } from '../quest';
import { questDrafts } from '../quest-drafts';
import { createPayload, emptyQuest, type QuestFormValues } from '../quest-form';
import { type QuestLimits, toQuestLimits, unknownLimits } from '../quest-limits';
import { createQuestErrors } from '../quest-problems';

/** Create quest, the same screen on its three routes (ROUTE-11, C-29). */
export default function QuestCreatePage() {
  return <OwnProject>{(project, userId) => <CreateQuest project={project} userId={userId} />}</OwnProject>;
}

function CreateQuest({ project, userId }: { project: OwnedProject; userId: string }) {
  const mayCreate = project.status === 'verified' && !project.suspended_at;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Create a quest" />
      <PageHeader
        title="Create a quest"
        lead={mayCreate ? 'Pick a template, add your link, and it is live.' : undefined}
        back={{ to: paths.founder, label: 'Back to Dashboard' }}
      />
      {mayCreate ? <GatedForm project={project} userId={userId} /> : <CannotCreate project={project} />}
    </div>
  );
}

/** Why no quest can be created now: an admin's decision, with the appeal, or missing verification (C-91). */
function CannotCreate({ project }: { project: OwnedProject }) {
  return (
    <div className="grid gap-4">
      {project.suspended_at && <SuspensionNotice userId={project.owner_user_id} since={project.suspended_at} />}
      <ProjectDecisionNotice project={project} />
      {project.status !== 'verified' && (
        <Notice
          tone="waiting"
          title={databaseSentences.STARTUP_NOT_VERIFIED}
          actions={
            <Button variant="secondary" asChild>
              <Link to={paths.founder}>Go to Dashboard</Link>
            </Button>
          }
        />
      )}
    </div>
  );
}

/**
 * Advice before the form for founders who have neither a quest nor a plan, when the first check failed; skipping it is
 * remembered (C-38, C-114). At the quest limit, shows the reason and what lifts it instead of the form.
 */
function GatedForm({ project, userId }: { project: Project; userId: string }) {
  const eligibility = useEligibility(userId).data;
  const bounds = useQuery(questQueries.limits(userId));
  const isBeta = useIsBeta();
  const limits = useMemo(
    () => (bounds.data ? toQuestLimits(bounds.data, isBeta) : unknownLimits),
    [bounds.data, isBeta],
  );
  const [gate, setGate] = useState<'unknown' | 'open' | 'past' | 'left'>('unknown');
  const [hasForm, setHasForm] = useState(false);

  if (eligibility && !bounds.isPending && gate === 'unknown') {
    const isNew = !bounds.data?.quest_count && !bounds.data?.has_plan && !localFlag.isSet('questGateSkipped', userId);
    setGate(eligibility.is_eligible || !isNew ? 'past' : 'open');
  }
  if (!eligibility || gate === 'unknown') return <Skeleton shape="card" className="h-96" />;
  if (gate === 'open') {
    const handleDismiss = () => {
      localFlag.set('questGateSkipped', userId);
      setGate('left');
    };
    return <EligibilityGate userId={userId} eligibility={eligibility} onDismiss={handleDismiss} />;
  }
  const { quest_limit = null, quest_count = 0 } = bounds.data ?? {};
  // Once shown, the form stays mounted, so that no input is lost.
  if (!hasForm && quest_limit !== null && quest_count >= quest_limit) return <LimitReached questLimit={quest_limit} />;
  // Cached limits may predate the quest that reached them, and the form would be refused only once it is filled in.
  if (!hasForm && bounds.isFetching) return <Skeleton shape="card" className="h-96" />;
  if (!hasForm) setHasForm(true);
  return (
    <div ref={gate === 'left' ? takeFocus : undefined} tabIndex={-1} className="grid gap-6 outline-none">
      {eligibility.trial_message && <Notice title={eligibility.trial_message} />}
      {eligibility === assumedEligible && <Notice title={eligibility.requirement_message} />}
      <NewQuest project={project} userId={userId} limits={limits} />
    </div>
  );
}

/** A new quest is published immediately (QNEW-19), unless it is kept as a draft (C-85). */
function NewQuest({ project, userId, limits }: { project: Project; userId: string; limits: QuestLimits }) {
  const bounds = useMemo(() => ({ limits, stored: null }), [limits]);
  const navigate = useNavigate();
  const form = useQuestFormState(bounds);
  const { isDirty, isSubmitting } = form.formState;
  const draft = useFormDraft(form, {
    drafts: questDrafts,
    userId,
    id: project.id,
    empty: emptyQuest,
    firstField: 'title',
  });
  const unsaved = useUnsavedChanges(isDirty, draft.forget);
  // Another tab with the same draft has published or discarded it; publishing here too would create a second quest.
  const isGone = useRef(false);
  useEffect(
    () =>
      questDrafts.onRemovedElsewhere(userId, project.id, () => {
        isGone.current = true;
      }),
    [userId, project.id],
  );
  const createQuest = useCreateQuest();
  const [isChecking, setIsChecking] = useState(false);
  const alert = useAlert();
  const isBlank = useWatch({ control: form.control, compute: ({ title }) => title.trim() === '' });

  const save = async (values: QuestFormValues, isDraft: boolean) => {
    if (isGone.current) {
      isGone.current = false;
      return alert(goneSentence);
    }
    let quest: Quest;
    try {
      const onChecking = () => setIsChecking(true);
      const payload = createPayload(values);
      quest = await createQuest.mutateAsync({ projectId: project.id, payload, isDraft, onChecking });
    } catch (error) {
      if (!setFieldError(form, error)) alert(describeError(error, createQuestErrors), pointsAction(error));
      return;
    } finally {
      setIsChecking(false);
    }
    draft.forget();
    toast.success(isDraft ? 'Your draft is saved' : publishedText('Your quest', quest));
    const state: PublishedState | null = isDraft ? null : { publishedQuestId: quest.id };
    unsaved.leave(paths.founder, { state });
  };

  return (
    <>
      {unsaved.dialog}
      {draft.notice}
      <QuestForm
        id="create-quest"
        label="Create a quest"
        form={form}
        bounds={bounds}
        project={project}
        onSave={(values) => save(values, false)}
        isChecking={isChecking}
        actions={
          <div className="flex flex-wrap gap-3 *:grow sm:grow">
            <SubmitButton isSubmitting={isSubmitting} disabled={isBlank} className="basis-64">
              Create Quest
            </SubmitButton>
            <Button
              variant="secondary"
              disabled={isBlank || isSubmitting}
              onClick={form.handleSubmit(
                (values) => save(values, true),
                () => focusFirstProblem(form, bounds),
              )}
            >
              Save as draft
            </Button>
            {/* A save under way cannot be undone, and when it fails, what was typed is still needed. */}
            <Button variant="secondary" disabled={isSubmitting} onClick={() => void navigate(paths.founder)}>
              Cancel
            </Button>
          </div>
        }
      />
    </>
  );
}

/** Shown once, instead of publishing a quest whose draft another tab has published or discarded. */
const goneSentence =
  'This draft was published or discarded in another tab. Check your dashboard first; press again to create this quest, too.';

/** Shown instead of the form at the quest limit: the reason, and what lifts it (C-114). Of the beta only during it (C-69). */
function LimitReached({ questLimit }: { questLimit: number }) {
  const isBeta = useIsBeta();
  const sentence = isBeta ? databaseSentences.QUEST_LIMIT : databaseSentences.TRIAL_QUEST_LIMIT;
  return (
    <Card as="section" aria-label="Limit reached" className="grid max-w-2xl gap-4">
      <h2 className="text-xl">{fillSentence(sentence, questLimit, questLimit === 1 ? '' : 's')}</h2>
      <p className="text-muted">
        {isBeta
          ? 'Buying points lifts this limit at once.'
          : 'Buying points lifts this limit at once, and so does OG Lifetime.'}{' '}
        You can also edit your quest, or delete it to make room for another.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button asChild>
          <Link to={paths.billing}>Buy points</Link>
        </Button>
        {!isBeta && (
          <Button variant="secondary" asChild>
            <Link to={paths.subscribe('og_lifetime')}>See OG Lifetime</Link>
          </Button>
        )}
        <Button variant="secondary" asChild>
          <Link to={paths.founder}>See your quests</Link>
        </Button>
      </div>
    </Card>
  );
}

type EligibilityGateProps = { userId: string; eligibility: Eligibility; onDismiss: () => void };

/**
 * Advice before an owner's first quest: try a quest to see what members see. Can always be skipped; when the
 * requirement is met while it is shown, it says so and continues (QNEW-03, C-38).
 */
function EligibilityGate({ userId, eligibility, onDismiss }: EligibilityGateProps) {
  const isMet = eligibility.is_eligible;
  const Icon = isMet ? CircleCheckBig : Compass;
  return (
    <div className="grid gap-8">
      <Card as="section" aria-live="polite" className="grid gap-4 sm:grid-cols-[auto_1fr_auto] sm:items-center">
        <Icon aria-hidden="true" className="size-8 text-action" />
        <div>
          <h2 className="text-xl">{isMet ? 'You are ready' : 'Explore first'}</h2>
          <p className="text-muted">{eligibility.requirement_message}</p>
        </div>
        {isMet ? (
          <Button onClick={onDismiss}>Continue</Button>
        ) : (
          <Button variant="secondary" onClick={onDismiss}>
            Skip for now
          </Button>
        )}
      </Card>
      <ExplorePanel userId={userId} eligibility={eligibility} />
    </div>
  );
}

function AvailableQuests({ userId }: { userId: string }) {
  const query = useQuery(questFormQueries.available(userId));
  return (
    <QueryView query={query} failure="The quests could not be loaded" pending={<Skeleton className="h-40" />}>
      {(available) => <QuestLinks quests={questsToExplore(available)} />}
    </QueryView>
  );
}

function QuestLinks({ quests }: { quests: ReturnType<typeof questsToExplore> }) {
  if (quests.length === 0) return <EmptyState level={3} title="No quests to try right now" />;
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {quests.map((quest) => (
        <li key={quest.campaign_id}>
          <Link
            to={paths.shortQuest(quest.campaign_id)}
            className="flex min-h-11 items-center gap-3 rounded-card border bg-card p-3 shadow-card hover:bg-sunken"
          >
            <ProjectLogo name={quest.startup_name} logoUrl={quest.startup_logo} className="size-10" />
            <span className="grid min-w-0 grow">
              <span className="font-semibold [overflow-wrap:anywhere]">{quest.campaign_title}</span>
              <span className="text-muted text-sm">{quest.startup_name}</span>
            </span>
            <Points value={quest.reward_points} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Quests to try, up to 8, and what the founder has completed lately, up to 3 (QNEW-06). */
function ExplorePanel({ userId, eligibility }: { userId: string; eligibility: Eligibility }) {
  const completions = recentCompletions(eligibility);
  return (
    <div className="grid gap-6">
      <section aria-label="Quests to try" className="grid gap-3">
        <h2 className="text-xl">Quests to try</h2>
        <AvailableQuests userId={userId} />
      </section>
      {completions.length > 0 && (
        <section aria-label="Recently completed" className="grid gap-3">
          <h2 className="text-xl">Recently completed</h2>
          <ul className="grid gap-2">
            {completions.map((quest, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: quests have no id here, and two may have the same title and time
              <li key={index} className="flex flex-wrap items-center gap-2">
                <CircleCheckBig aria-hidden="true" className="size-4 text-action" />
                <span className="font-medium">{quest.campaign_title}</span>
                <span className="text-muted text-sm">
                  {quest.startup_name}
                  {quest.completed_at && `, ${formatAge(quest.completed_at)}`}
                </span>
                <Points value={quest.reward_points} hasSign />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The eligibility of a user, checked again when the tab becomes visible or the window gains focus (QNEW-04). */
function useEligibility(userId: string) {
  const query = useQuery({ ...questFormQueries.eligibility(userId), refetchOnWindowFocus: false });
  const { refetch } = query;

  useEffect(() => {
    const recheck = () => {
      // Returning fires both events; the second one joins the pending request.
      if (document.visibilityState === 'visible') refetch({ cancelRefetch: false });
    };
    document.addEventListener('visibilitychange', recheck);
    window.addEventListener('focus', recheck);
    return () => {
      document.removeEventListener('visibilitychange', recheck);
      window.removeEventListener('focus', recheck);
    };
  }, [refetch]);

  return query;
}
