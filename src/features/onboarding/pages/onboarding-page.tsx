import { Check, Compass, type LucideIcon, Megaphone, Store, Wallet } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader, StickyAction } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Progress } from '@/components/ui/progress';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { homePathForRole, isStartupRole, type Role } from '@/lib/role';
import { useUrlText } from '@/lib/url-state';
import { completeOnboarding } from '../components/onboarding-invite';

/** /onboarding: the first steps of one's role (ONB-01). */
export default function OnboardingPage() {
  const { status, userId, role } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="First steps" />
      <PageHeader title="Welcome to Questboard" lead="A few steps, and you know your way around." />
      <Wizard userId={userId} role={role} />
    </div>
  );
}

/** The step that the address names, 1 to `count`; anything else is the first. */
function stepNumber(text: string, count: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= count ? number : 1;
}

function StepCard({ step, onAct }: { step: OnboardingStep; onAct: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step.id);
  // A step that appears takes the focus, so that its title is read; the first one leaves it where it was.
  useEffect(() => {
    if (shown.current === step.id) return;
    shown.current = step.id;
    heading.current?.focus();
  }, [step.id]);
  const { icon: Icon } = step;
  return (
    <Card className="grid justify-items-start gap-4 sm:p-8">
      <span aria-hidden="true" className="grid size-16 place-items-center rounded-full bg-points-soft text-ink">
        <Icon className="size-8" strokeWidth={1.5} />
      </span>
      <h2 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        {step.title}
      </h2>
      <p className="max-w-prose text-lg text-muted">{step.text}</p>
      <Button variant="secondary" asChild>
        <Link to={step.to} onClick={onAct}>
          {step.action}
        </Link>
      </Button>
    </Card>
  );
}

/** The steps of a role one after the other; they can be left at any time (ONB-01..03). */
function Wizard({ userId, role }: { userId: string; role: Role }) {
  const navigate = useNavigate();
  const steps = onboardingSteps(role);
  const [text, setText] = useUrlText('step');
  const number = stepNumber(text, steps.length);
  const step = steps[number - 1];
  const isLast = number === steps.length;
  const words = `Step ${number} of ${steps.length}`;
  if (!step) return null;

  const handleNext = () => {
    if (!isLast) return setText(String(number + 1));
    completeOnboarding(userId);
    navigate(homePathForRole(role));
  };

  return (
    <div className="grid max-w-form gap-6">
      <div className="grid gap-2">
        <p className="font-semibold">{words}</p>
        <Progress label="Progress" value={number} max={steps.length} valueText={words} />
      </div>
      <StepCard step={step} onAct={() => isLast && completeOnboarding(userId)} />
      <StickyAction>
        <Button onClick={handleNext}>
          {isLast && <Check aria-hidden="true" />}
          {isLast ? 'Finish' : 'Next'}
        </Button>
        {number > 1 && (
          <Button variant="secondary" onClick={() => setText(String(number - 1))}>
            Back
          </Button>
        )}
        <Button variant="ghost" className="sm:ml-auto" asChild>
          <Link to={homePathForRole(role)}>Skip for now</Link>
        </Button>
      </StickyAction>
    </div>
  );
}

/** One step of the wizard: what to do and where it is done. */
type OnboardingStep = { id: string; title: string; text: string; action: string; to: string; icon: LucideIcon };

const community: readonly OnboardingStep[] = [
  {
    id: 'first-quest',
    title: 'Complete your first quest',
    text: 'Pick a quest, do its tasks and send your proof. Points arrive as soon as it is approved.',
    action: 'Find a quest',
    to: paths.community,
    icon: Compass,
  },
  {
    id: 'check-wallet',
    title: 'Check your wallet',
    text: 'See your points, your level and what you can redeem them for.',
    action: 'Open your wallet',
    to: paths.rewards,
    icon: Wallet,
  },
];

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
    text: 'Choose a template, set the reward and publish. Your trial budget covers the first 500 points.',
    action: 'Create quest',
    to: paths.questCreate,
    icon: Megaphone,
  },
  {
    id: 'check-wallet',
    title: 'Check your wallet',
    text: 'Follow how many points are free, set aside for quests and paid out.',
    action: 'Open project wallet',
    to: paths.projectWallet,
    icon: Wallet,
  },
];

/** The steps of a role (ONB-02, ONB-03, C-66). Admins see the community's. */
function onboardingSteps(role: Role): readonly OnboardingStep[] {
  return isStartupRole(role) ? project : community;
}
