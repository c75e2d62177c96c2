import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CopyButton } from '@/components/copy-button';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { type Status, StatusBadge } from '@/components/status-badge';
import { takeLostFocus } from '@/components/take-focus';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { FieldError } from '@/components/ui/field';
import { describeError } from '@/lib/errors';
import { formatDate } from '@/lib/format';
import { useShowCode } from '../mutations';
import { type Redemption, rewardQueries } from '../queries';
import { explanationOf } from '../redeem-check';
import { ShowAllButton } from './show-all-button';

const words: Record<Redemption['status'], Status> = {
  pending: 'Pending',
  fulfilled: 'Fulfilled',
  cancelled: 'Cancelled',
};

function Line({ redemption }: { redemption: Redemption }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b py-3 last:border-b-0">
      <div className="min-w-40 grow">
        <p className="font-semibold">{redemption.reward_title}</p>
        <p className="text-muted text-sm">
          <time dateTime={redemption.created_at}>{formatDate(redemption.created_at)}</time> ·{' '}
          {explanationOf(redemption)}
        </p>
        {redemption.note && <p className="text-sm [overflow-wrap:anywhere]">{redemption.note}</p>}
      </div>
      <Points value={-redemption.points_cost} hasSign />
      <StatusBadge status={words[redemption.status]} />
      {redemption.delivery === 'code' && redemption.status === 'fulfilled' && (
        <div className="basis-full">
          <RewardCode redemptionId={redemption.id} />
        </div>
      )}
    </li>
  );
}

/** Redemptions shown before asking for all of them; pending ones are always there. */
const shortLength = 3;

function Lines({ redemptions }: { redemptions: readonly Redemption[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const short = redemptions.filter(({ status }, index) => index < shortLength || status === 'pending');
  return (
    <Card className="py-1 sm:py-2">
      <ul>
        {(isWhole ? redemptions : short).map((redemption) => (
          <Line key={redemption.id} redemption={redemption} />
        ))}
      </ul>
      {redemptions.length > short.length && (
        <ShowAllButton isWhole={isWhole} onChange={setIsWhole} count={redemptions.length} />
      )}
    </Card>
  );
}

/** The member's redemptions with their status (C-50); nothing before the first one. */
export function RedemptionList({ userId }: { userId: string }) {
  const redemptions = useQuery(rewardQueries.redemptions(userId));
  if (redemptions.isPending || redemptions.data?.length === 0) return null;
  return (
    <section aria-labelledby="redemptions" className="grid gap-4">
      <h2 id="redemptions" className="scroll-mt-20 text-2xl">
        Your redemptions
      </h2>
      <QueryView query={redemptions} failure="Your redemptions could not be loaded">
        {(rows) => <Lines redemptions={rows} />}
      </QueryView>
    </section>
  );
}

type RewardCodeProps = {
  redemptionId: string;
  /** Right after redeeming; later it is shown when asked for, so that nobody reads it over a shoulder. */
  isShownAtOnce?: boolean;
};

/** The code of the member's own redemption, to be read and copied (C-93). */
export function RewardCode({ redemptionId, isShownAtOnce = false }: RewardCodeProps) {
  const { mutate: showCode, data: code, error, isPending } = useShowCode();
  useEffect(() => {
    if (isShownAtOnce) showCode(redemptionId);
  }, [isShownAtOnce, redemptionId, showCode]);

  if (code === undefined) {
    return (
      <div className="grid justify-items-start gap-2">
        {error && <FieldError>{describeError(error, { prefix: 'Your code could not be read' })}</FieldError>}
        <Button variant="secondary" isLoading={isPending} onClick={() => showCode(redemptionId)}>
          Show code
        </Button>
      </div>
    );
  }
  return (
    <div
      ref={takeLostFocus}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-3 rounded-control bg-sunken p-3 outline-none"
    >
      <p className="min-w-0 grow">
        <span className="block text-muted text-sm">Your code</span>
        <code className="select-all break-all font-semibold text-lg">{code}</code>
      </p>
      <CopyButton text={code} label="Copy code" />
    </div>
  );
}
