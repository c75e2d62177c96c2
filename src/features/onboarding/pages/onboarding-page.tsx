import { useQuery } from '@tanstack/react-query';
import { Check, Compass, type LucideIcon, Megaphone, Store, Wallet } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { NotAuthenticated } from '@/components/empty-state';
import { StickyAction } from '@/components/main-action';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { PointsBalance } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field, Input } from '@/components/ui/field';
import { Progress } from '@/components/ui/progress';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import {
  accountQueries,
  applyChoices,
  type InterestChoices,
  useSaveInterests,
  useUpdateProfile,
} from '@/features/account';
import { INDUSTRIES, projectQueries } from '@/features/projects';
import { questQueries } from '@/features/quests';
import { settingsQueries } from '@/features/settings';
import { walletQueries } from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { homePathForRole, isStartupRole, type Role } from '@/lib/role';
import { FirstQuest } from '../components/first-quest';
import { completeOnboarding } from '../components/onboarding-invite';

/** /onboarding: the first steps, by role (ONB-01). */
export default function OnboardingPage() {
  const { status, userId, role } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="First steps" />
      <PageHeader title="Welcome to Questboard" lead="A few steps, and you know your way around." />
      {isStartupRole(role) ? (
        <FounderWizard userId={userId} role={role} />
      ) : (
        <MemberWizard userId={userId} role={role} />
      )}
    </div>
  );
}

const finishAtOnce = () => Promise.resolve(true);

/** The project's steps; what is there already is not asked for again (ONB-03). */
function FounderWizard({ userId, role }: { userId: string; role: Role }) {
  const { data: own } = useQuery(projectQueries.own(userId));
  const { data: quests = [] } = useQuery({ ...questQueries.own(own?.id ?? ''), enabled: Boolean(own) });
  const points = useQuery(settingsQueries.app()).data?.trial_budget_points ?? 0;
  const known: Readonly<Record<string, Partial<OnboardingStep> | false | null | undefined>> = {
    'create-profile': own && {
      text: `${own.name} has its profile. You can change it at any time.`,
      action: 'Edit profile',
      to: paths.projectEdit,
      isDone: true,
    },
    'first-quest':
      quests.length > 0
        ? {
            text: 'You have your first quest. Your dashboard shows how it is doing.',
            action: 'See your quests',
            to: paths.founder,
            isDone: true,
          }
        : points > 0 && {
            text: `Choose a template, set the reward and publish. Your trial budget covers the first ${formatPoints(points)} points.`,
          },
  };
  const steps = project.map((step) => ({ ...step, ...known[step.id] }));
  return <Wizard userId={userId} role={role} steps={steps} onFinish={finishAtOnce} />;
}

/** The member's steps, with real actions: a quest, the wallet with its points, the profile (ONB-02, C-116). */
function MemberWizard({ userId, role }: { userId: string; role: Role }) {
  const profile = useQuery(accountQueries.profile(userId));
  const updateProfile = useUpdateProfile();
  const saveInterests = useSaveInterests();
  // Only what was typed here: the rest may change in another tab meanwhile.
  const [typedName, setTypedName] = useState<string>();
  const [choices, setChoices] = useState<InterestChoices>({});
  const [hasSent, setHasSent] = useState(false);
  const isFirst = useIsFirstQuest(userId);
  const savedName = profile.data?.display_name ?? '';
  const displayName = typedName ?? savedName;
  const isRenamed = displayName.trim() !== savedName;
  const saved = profile.data?.interests ?? [];
  const interests = applyChoices(saved, choices);
  const isDirty = isRenamed || String(interests) !== String(saved);

  const handleFinish = async () => {
    if (!profile.data) return true;
    try {
      if (isRenamed) {
        const { username, email } = profile.data;
        const input = { username, displayName, email: email ?? '' };
        await updateProfile.mutateAsync({ ...input, changed: { displayName: true } });
      }
      if (Object.keys(choices).length > 0) await saveInterests.mutateAsync(choices);
      return true;
    } catch (error) {
      toast.error(describeError(error));
      return false;
    }
  };

  const steps = [
    {
      ...firstQuest,
      title: isFirst ? firstQuest.title : 'Complete another quest',
      isDone: hasSent,
      content: <FirstQuest userId={userId} isFirst={isFirst} onSubmitted={() => setHasSent(true)} />,
    },
    {
      ...checkWallet,
      content: (
        <>
          <OwnPoints userId={userId} />
          {profile.data && (
            <AboutYouFields
              displayName={displayName}
              onNameChange={setTypedName}
              interests={interests}
              onChoose={(industry, isChosen) => setChoices({ ...choices, [industry]: isChosen })}
            />
          )}
        </>
      ),
    },
  ];
  return (
    <Wizard
      userId={userId}
      role={role}
      steps={steps}
      isDirty={isDirty}
      onFinish={handleFinish}
      isSaving={updateProfile.isPending || saveInterests.isPending}
    />
  );
}

/** Whether the member arrived without a completed quest; stays true after completing one here. */
function useIsFirstQuest(userId: string): boolean {
  const states = useQuery(questQueries.ownStates(userId)).data;
  const [isFirst, setIsFirst] = useState<boolean | null>(null);
  if (isFirst === null && states) setIsFirst(!Object.values(states).includes('complete'));
  return isFirst ?? true;
}

/** The current balance. */
function OwnPoints({ userId }: { userId: string }) {
  const wallet = useQuery(walletQueries.own(userId));
  return (
    <QueryView
      query={wallet}
      failure="Your wallet could not be loaded"
      pending={<Skeleton shape="card" className="h-16 w-full" />}
    >
      {(own) => (
        <p className="flex w-full flex-wrap items-baseline gap-x-3 rounded-card bg-points-soft px-4 py-3">
          <PointsBalance value={own?.points ?? 0} weight="bold" className="font-display text-3xl" />
          <span>
            in your wallet
            {own && own.held_points > 0 && `, ${formatPoints(own.held_points)} of them held until they are confirmed`}
          </span>
        </p>
      )}
    </QueryView>
  );
}

/** The step in the URL, 1 to `count`; anything else is the first. */
function stepNumber(text: string, count: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= count ? number : 1;
}

type StepCardProps = { step: OnboardingStep; isLast: boolean; onAct: (event: MouseEvent) => void };

function StepCard({ step, isLast, onAct }: StepCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step.id);
  // A new step takes the focus, so that screen readers read its title; the first one does not.
  useEffect(() => {
    if (shown.current === step.id) return;
    shown.current = step.id;
    heading.current?.focus();
  }, [step.id]);
  const { icon: Icon } = step;
  return (
    <Card padding="xl" className="grid justify-items-start gap-4">
      <div className="flex items-center gap-4">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-full bg-points-soft text-ink"
        >
          <Icon className="size-6" strokeWidth={1.5} />
        </span>
        <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
          {step.title}
        </h2>
      </div>
      <p className="max-w-prose text-lg text-muted">{step.text}</p>
      {step.content}
      <Button variant={step.content || step.isDone ? 'link' : isLast ? 'secondary' : 'primary'} asChild>
        <Link to={step.to} onClick={onAct}>
          {step.action}
        </Link>
      </Button>
    </Card>
  );
}

type WizardProps = {
  userId: string;
  role: Role;
  steps: readonly OnboardingStep[];
  /** Something was entered that only finishing saves. */
  isDirty?: boolean;
  /** Saves the input; false on failure, which keeps the wizard on this step. */
  onFinish: () => Promise<boolean>;
  isSaving?: boolean;
};

/** A sequence of steps that can be left at any time (ONB-01). */
function Wizard({ userId, role, steps, isDirty = false, onFinish, isSaving = false }: WizardProps) {
  // Nothing is lost by moving on while it is being saved.
  const unsaved = useUnsavedChanges(isDirty && !isSaving);
  const [params, setParams] = useSearchParams();
  const number = stepNumber(params.get('step') ?? '', steps.length);
  // Each step is a history entry of its own, so that the browser's Back leads to the one before.
  const show = (next: number) => setParams({ step: String(next) }, { preventScrollReset: true });
  const step = steps[number - 1];
  const isLast = number === steps.length;
  const words = `Step ${number} of ${steps.length}`;
  if (!step) return null;

  const finish = async (to: string) => {
    if (!(await onFinish())) return;
    completeOnboarding(userId);
    unsaved.leave(to);
  };
  const handleNext = ({ detail }: MouseEvent) => {
    // The further clicks of a double click would pass over the next step.
    if (detail > 1) return;
    if (isLast) void finish(homePathForRole(role));
    else show(number + 1);
  };
  // The last step's link finishes, too, with what was typed. One to a new tab leaves this page open.
  const handleAct = (event: MouseEvent) => {
    if (!isLast || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!isSaving) void finish(step.to);
  };

  return (
    <div className="grid max-w-form gap-6">
      <div className="grid gap-2">
        <p className="font-semibold">{words}</p>
        <Progress label="Progress" value={number} max={steps.length} valueText={words} />
      </div>
      <StepCard step={step} isLast={isLast} onAct={handleAct} />
      <StickyAction>
        <div className="flex w-full flex-wrap gap-3 max-sm:*:grow">
          <Button onClick={handleNext} isLoading={isSaving} variant={isLast || step.isDone ? 'primary' : 'secondary'}>
            {isLast && <Check aria-hidden="true" />}
            {isLast ? 'Finish' : 'Next'}
          </Button>
          {number > 1 && (
            <Button variant="secondary" onClick={() => show(number - 1)}>
              Back
            </Button>
          )}
          <Button variant="ghost" className="sm:ml-auto" asChild>
            <Link to={homePathForRole(role)}>Skip for now</Link>
          </Button>
        </div>
      </StickyAction>
      {unsaved.dialog}
    </div>
  );
}

/** One step of the wizard: what to do, and a link to it. */
type OnboardingStep = {
  id: string;
  title: string;
  text: string;
  action: string;
  to: string;
  icon: LucideIcon;
  /** Action within the step. */
  content?: ReactNode;
  /** The step's own action is done, so Next becomes the primary button. */
  isDone?: boolean;
};

const firstQuest: OnboardingStep = {
  id: 'first-quest',
  title: 'Complete your first quest',
  text: 'Do what it asks and press the button: the points are yours as soon as it is approved.',
  action: 'Find a quest',
  to: paths.community,
  icon: Compass,
};

const checkWallet: OnboardingStep = {
  id: 'check-wallet',
  title: 'Check your wallet',
  text: 'This is what you have. Tell us who you are, and you are done.',
  action: 'Open your wallet',
  to: paths.rewards,
  icon: Wallet,
};

/** ONB-03, C-66. */
const project: readonly OnboardingStep[] = [
  {
    id: 'create-profile',
    title: 'Create your project profile',
    text: 'A name, a logo and a sentence about what you build. It is what people see on every quest.',
    action: 'Create profile',
    to: paths.projectCreate,
    icon: Store,
  },
  {
    id: 'first-quest',
    title: 'Create your first quest',
    text: 'Choose a template, set the reward and publish.',
    action: 'Create quest',
    to: paths.questCreate,
    icon: Megaphone,
  },
  {
    id: 'check-wallet',
    title: 'Check your wallet',
    text: 'See how many points are free, reserved for quests and paid out.',
    action: 'Open project wallet',
    to: paths.projectWallet,
    icon: Wallet,
  },
];

type AboutYouFieldsProps = {
  displayName: string;
  onNameChange: (name: string) => void;
  interests: readonly string[];
  onChoose: (industry: string, isChosen: boolean) => void;
};

/** The member's display name and interests, both optional (C-116). */
function AboutYouFields({ displayName, onNameChange, interests, onChoose }: AboutYouFieldsProps) {
  return (
    <div className="grid w-full gap-5">
      <Field label="What should we call you?" hint="Others see it partly masked.">
        <Input
          value={displayName}
          onChange={(event) => onNameChange(event.target.value)}
          autoComplete="name"
          maxLength={120}
        />
      </Field>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-semibold text-[0.95rem]">What interests you?</legend>
        <div className="flex flex-wrap gap-2">
          {INDUSTRIES.map((industry) => (
            <label
              key={industry}
              className="inline-flex min-h-11 cursor-pointer items-center rounded-full border border-field bg-card px-4 font-medium text-sm has-checked:border-action has-checked:bg-action-soft has-checked:text-action has-focus-visible:outline-3 has-focus-visible:outline-action has-focus-visible:outline-offset-2"
            >
              <input
                type="checkbox"
                checked={interests.includes(industry)}
                onChange={(event) => onChoose(industry, event.target.checked)}
                className="sr-only"
              />
              {industry}
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
