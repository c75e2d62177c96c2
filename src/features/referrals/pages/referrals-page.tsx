import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState, NotAuthenticated } from '@/components/empty-state';
import { Form, SubmitButton } from '@/components/form';
import { Notice } from '@/components/notice';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { takeFocus } from '@/components/take-focus';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field, Input } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { settingsQueries } from '@/features/settings';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { formatCount, formatDate, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { ReferralCard } from '../components/referral-card';
import { useProcessReferral } from '../mutations';
import { type Referral, referralQueries } from '../queries';
import { arrivalText, typedReferralCode, usePendingReferral } from '../referral-link';

/** /community/referrals: the member's code, figures and latest referrals (REF-06, C-32). */
export default function ReferralsPage() {
  const { userId, status } = useSession();
  const { data: stats } = useQuery({ ...referralQueries.stats(userId ?? ''), enabled: userId !== null });
  // While the code of a link waits to be claimed, another one is not asked for.
  const canBeReferred = usePendingReferral() === null && stats?.canBeReferred === true;
  const codeField = useRef<HTMLInputElement>(null);
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated title="Sign In Required" text="Sign in to see your referrals." />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Referrals" description="Invite friends to Questboard." />
      <PageHeader
        title="Referrals"
        lead={
          canBeReferred ? (
            <button
              type="button"
              className="cursor-pointer text-left text-action underline underline-offset-4"
              onClick={() => codeField.current?.focus()}
            >
              Invited by a friend? Enter their code.
            </button>
          ) : (
            'Bring people who like to try new things.'
          )
        }
        back={{ to: paths.community, label: 'Back to community' }}
        // Signing up by "Join Community" leads here (HOME-03), and what is earned here counts after a first task.
        actions={
          <Button variant="secondary" asChild>
            <Link to={paths.browse()}>See the open quests</Link>
          </Button>
        }
      />
      <div className="grid gap-10">
        <ReferralCard userId={userId} hasRefresh />
        {/* Not at the top, where it would push the rest down once it is known that it may be asked for; the lead leads to it. */}
        <InvitationCode userId={userId} canBeReferred={canBeReferred} field={codeField} />
        <ReferralHistory userId={userId} />
      </div>
    </div>
  );
}

type InvitationCodeProps = { userId: string; canBeReferred: boolean; field: RefObject<HTMLInputElement | null> };

/**
 * Lets a new member say who has invited them, for whom the link did not: they got the code alone, or have opened the link on another device.
 */
function InvitationCode({ userId, canBeReferred, field }: InvitationCodeProps) {
  const { data: settings } = useQuery(settingsQueries.app());
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  /** The points that the code has brought. */
  const [earned, setEarned] = useState<number | null>(null);
  const { mutateAsync: processReferral, isPending } = useProcessReferral();

  const handleSubmit = async () => {
    const code = typedReferralCode(typed);
    setProblem(code === null ? 'Enter the code or the link that you were sent' : null);
    if (code === null) return;
    try {
      setEarned((await processReferral({ userId, code })).referred_reward_points);
    } catch (error) {
      setProblem(describeError(error));
    }
  };

  // Also after an answer that was lost, or in another tab: then the member cannot be referred any more.
  if (earned !== null || (problem !== null && !canBeReferred)) {
    return (
      <div ref={takeFocus} tabIndex={-1} role="status" className="outline-none">
        <Notice tone="success" title="Your invitation counts">
          {earned ? arrivalText(earned) : 'Your friend sees that you have joined.'}
        </Notice>
      </div>
    );
  }
  if (!canBeReferred) return null;
  const bonus = settings?.referred_points ?? 0;
  return (
    <Card as="section" aria-labelledby="invitation-title" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="invitation-title" className="text-xl">
          Did a friend invite you?
        </h2>
        <p className="text-muted">
          Enter their code on the day you join.
          {bonus > 0 && ` It brings you ${formatCount(bonus, 'point')}, to redeem after your first approved task.`}
        </p>
      </div>
      <Form onSubmit={handleSubmit} className="grid max-w-form gap-4 sm:grid-cols-[1fr_auto] sm:items-start">
        <Field label="Code or link of your friend" error={problem ?? undefined}>
          <Input
            ref={field}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <SubmitButton isSubmitting={isPending} variant="secondary" className="sm:mt-7.25">
          Use code
        </SubmitButton>
      </Form>
    </Card>
  );
}

function HistoryLine({ referral }: { referral: Referral }) {
  const isCompleted = referral.status === 'completed';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-3 last:border-b-0">
      <span
        aria-hidden="true"
        className="grid size-10 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-5"
      >
        <UserRound />
      </span>
      <div className="grow">
        <p className="font-semibold">A friend joined</p>
        <p className="text-muted text-sm">
          <time dateTime={referral.created_at}>{formatDate(referral.created_at)}</time>
        </p>
      </div>
      {isCompleted && <Points value={referral.points} hasSign />}
      {referral.held_points > 0 && <Badge tone="warning">{formatPoints(referral.held_points)} held</Badge>}
      <StatusBadge status={isCompleted ? 'Completed' : 'Pending'} />
    </li>
  );
}

/** The latest 10 referrals: completed ones with their points, others pending (REF-07). */
function ReferralHistory({ userId }: { userId: string }) {
  const latest = useQuery(referralQueries.latest(userId));
  return (
    <section aria-labelledby="referral-history" className="grid gap-4">
      <h2 id="referral-history" className="text-2xl">
        Latest referrals
      </h2>
      <QueryView
        query={latest}
        failure="Your latest referrals could not be loaded"
        pending={<Skeleton shape="card" className="h-40" />}
        showsRefreshError
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              level={3}
              title="Nobody has joined with your link yet"
              text="Share your link: everyone who signs up with it appears here."
            />
          ) : (
            <Card className="py-1 sm:py-2">
              <ul>
                {rows.map((referral) => (
                  <HistoryLine key={referral.id} referral={referral} />
                ))}
              </ul>
            </Card>
          )
        }
      </QueryView>
    </section>
  );
}
