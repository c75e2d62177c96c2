import { useQuery } from '@tanstack/react-query';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatCards } from '@/components/stat-cards';
import { projectQueries } from '@/features/projects';
import { formatCount, formatHours, formatPercent, formatSpan } from '@/lib/format';

/** Minimum number of decisions for a record (BEY-05). */
const leastDecisions = 10;

/** The project's promises to members and its review record (BEY-05). */
export function ProjectPromises({ projectId }: { projectId: string }) {
  const query = useQuery(projectQueries.promises(projectId));
  return (
    <section aria-labelledby="project-promises" className="grid gap-4">
      <h2 id="project-promises" className="text-2xl">
        Promises kept
      </h2>
      <QueryView query={query} failure="The project’s record could not be loaded">
        {(promises) => promises && <Record promises={promises} />}
      </QueryView>
    </section>
  );
}

type Promises = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof projectQueries.promises>['queryFn']>>>>;

function Record({ promises }: { promises: Promises }) {
  const { decided, accepted, in_time, overturned, median_seconds } = promises;
  const rejected = (decided ?? 0) - (accepted ?? 0);
  const share = (part: number | null, whole: number) => (whole > 0 ? formatPercent((part ?? 0) / whole) : '–');
  return (
    <>
      <StatCards
        label="Promises"
        stats={[
          { label: 'Points reserved', value: <Points value={promises.reserved_points} />, note: 'For its open quests' },
          {
            label: 'Answer promised within',
            value: promises.most_review_hours === null ? '–' : formatHours(promises.most_review_hours),
            note: 'Else the proof is approved',
          },
          {
            label: 'Usually answers in',
            value: median_seconds === null ? '–' : formatSpan(median_seconds),
            note: decided === null ? undefined : `${share(in_time, decided)} in time`,
          },
          {
            label: 'Proofs accepted',
            value: decided === null ? '–' : share(accepted, decided),
            note:
              decided === null
                ? undefined
                : `Of ${formatCount(decided, 'decision')} in 90 days${rejected > 0 ? `; ${share(overturned, rejected)} of rejections overturned on appeal` : ''}`,
          },
        ]}
      />
      {decided === null && (
        <p className="text-muted">How fast and how a project decides is shown from {leastDecisions} decisions on.</p>
      )}
    </>
  );
}
