import { useQuery } from '@tanstack/react-query';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { formatDate } from '@/lib/format';
import { type PointHold, walletQueries } from '../queries';

/** Condition that releases a hold, and the date. */
export function releaseText({ reason, due_at, kind }: Pick<PointHold, 'reason' | 'due_at' | 'kind'>): string {
  const isPast = due_at !== null && new Date(due_at) <= new Date();
  if (isPast) return 'We are reviewing this. Your points are released as soon as we are done.';
  if (reason === 'trial') {
    const by = due_at && `, by ${formatDate(due_at)} at the latest unless we find a problem`;
    return `Released once we have reviewed the project${by ?? ''}.`;
  }
  if (due_at) return `Released on ${formatDate(due_at)} unless we find a problem.`;
  const task =
    kind === 'welcome_bonus' ? 'your first approved task' : 'the first approved task of the member you invited';
  return `Released by ${task}: at once if the project confirmed it, seven days later if it was approved automatically.`;
}

/**
 * Held points, which cannot be redeemed yet, each with the condition that releases it (C-80, C-94). Nothing without
 * holds.
 */
export function HeldPoints({ walletId, points }: { walletId: string; points: number }) {
  const holds = useQuery({ ...walletQueries.holds(walletId), enabled: points > 0 });
  if (points === 0) return null;
  return (
    <section aria-labelledby="held-points" className="grid gap-4">
      <div>
        <h2 id="held-points" className="text-2xl">
          Held points
        </h2>
        <p className="text-muted">
          They are yours and count for your level. You can redeem them once they are released.
        </p>
      </div>
      <QueryView
        query={holds}
        failure="Your held points could not be loaded"
        pending={<Skeleton shape="card" className="h-28" />}
      >
        {(rows) => (
          <Card className="py-1 sm:py-2">
            <ul aria-label="Held points">
              {rows.map((hold) => (
                <li key={hold.id} className="flex items-start gap-4 border-b py-3 last:border-b-0">
                  <div className="min-w-0 grow">
                    <p className="font-medium leading-snug">{hold.description}</p>
                    <p className="text-muted text-sm">{releaseText(hold)}</p>
                  </div>
                  <Points value={hold.points} />
                </li>
              ))}
            </ul>
          </Card>
        )}
      </QueryView>
    </section>
  );
}
