import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { StickyAction } from '@/components/page-header';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Progress } from '@/components/ui/progress';
import { homeOf, type Role } from '@/lib/role';
import { useUrlText } from '@/lib/url-state';
import { completeOnboarding } from '../onboarding-flag';
import { type OnboardingStep, onboardingSteps } from '../steps';

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
export function Wizard({ userId, role }: { userId: string; role: Role }) {
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
    navigate(homeOf(role));
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
          <Link to={homeOf(role)}>Skip for now</Link>
        </Button>
      </StickyAction>
    </div>
  );
}
