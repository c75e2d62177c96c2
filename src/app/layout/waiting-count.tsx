import { useQuery } from '@tanstack/react-query';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { submissionQueries } from '@/features/submissions';
import { formatNumber } from '@/lib/format';

/** Number of the founder's pending proofs; nothing for zero or while loading. */
export default function WaitingCount() {
  const counts = useQuery(submissionQueries.counts()).data ?? [];
  const waiting = counts.reduce((total, { pending_count }) => total + pending_count, 0);
  if (waiting === 0) return null;
  return (
    <>
      {' '}
      <span className="ml-1.5 inline-grid min-w-6 place-items-center rounded-full bg-points px-1.5 font-semibold text-on-points text-sm tabular-nums">
        {formatNumber(waiting)}
      </span>{' '}
      <VisuallyHidden>waiting</VisuallyHidden>
    </>
  );
}
