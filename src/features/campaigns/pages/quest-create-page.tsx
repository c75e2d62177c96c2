import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { OwnStartup, type Startup } from '@/features/startups';
import { paths } from '@/lib/paths';
import { EligibilityGate } from '../components/eligibility-gate';
import { QuestForm } from '../components/quest-form';
import { assumedEligible } from '../eligibility';
import { useEligibility } from '../use-eligibility';
import { useQuestLimits } from '../use-quest-limits';

/** Create quest, the same screen on its three routes (ROUTE-11, C-29). */
export function QuestCreatePage() {
  return <OwnStartup>{(startup, userId) => <CreateQuest startup={startup} userId={userId} />}</OwnStartup>;
}

function CreateQuest({ startup, userId }: { startup: Startup; userId: string }) {
  return (
    <div className="page-column pb-16">
      <PageMeta title="Create a quest" />
      <PageHeader
        title="Create a quest"
        lead="Pick a template, say where, and it is live."
        back={{ to: paths.startup, label: 'Back to Dashboard' }}
      />
      {startup.status === 'verified' ? (
        <GatedForm startup={startup} userId={userId} />
      ) : (
        <Notice
          tone="waiting"
          title="Your project must be verified before you can create quests."
          actions={
            <Button variant="secondary" asChild>
              <Link to={paths.startup}>Go to Dashboard</Link>
            </Button>
          }
        />
      )}
    </div>
  );
}

/** The gate opens only when the first answer was no; it then stays until it is dismissed (C-38). */
function GatedForm({ startup, userId }: { startup: Startup; userId: string }) {
  const eligibility = useEligibility(userId).data;
  const { limits, questLimit, quests } = useQuestLimits(startup.id);
  const [gate, setGate] = useState<'unknown' | 'open' | 'past'>('unknown');

  if (eligibility && gate === 'unknown') setGate(eligibility.is_eligible ? 'past' : 'open');
  if (!eligibility || gate === 'unknown') return <Skeleton className="h-96 rounded-card" />;
  if (gate === 'open') {
    return <EligibilityGate userId={userId} eligibility={eligibility} onDismiss={() => setGate('past')} />;
  }
  return (
    <div className="grid gap-6">
      {eligibility === assumedEligible && <Notice title={eligibility.requirement_message} />}
      {questLimit !== null && quests >= questLimit && <LimitNotice questLimit={questLimit} />}
      <QuestForm startup={startup} limits={limits} />
    </div>
  );
}

function LimitNotice({ questLimit }: { questLimit: number }) {
  return (
    <Notice
      tone="waiting"
      title={`Beta limit reached: You can only create ${questLimit} quest${questLimit === 1 ? '' : 's'} during the beta period. Please wait for the full launch to create more quests.`}
      actions={
        <Button variant="secondary" asChild>
          <Link to={paths.startup}>See your quests</Link>
        </Button>
      }
    >
      You can edit your quest, or delete it to make room for another.
    </Notice>
  );
}
