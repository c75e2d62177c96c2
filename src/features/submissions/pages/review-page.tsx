import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { formatAge, formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { ReviewDesk } from '../components/review-desk';
import { projectSubmissionColumns, SubmissionsCsv, submissionFileName } from '../components/submissions-csv';
import { allOfQuest, type ReviewCounts, submissionQueries } from '../queries';
import { isOverdue } from '../submission';

/** '67 proofs are waiting, the first is due in 5 hours.' */
function waitingSentence(counts: readonly ReviewCounts[]): string {
  const count = counts.reduce((total, row) => total + row.pending_count, 0);
  if (count === 0) return 'No proofs are waiting for you.';
  const next = counts.flatMap(({ next_due_at }) => next_due_at ?? []).sort()[0];
  const due = next && `, the first ${isOverdue(next) ? 'was' : 'is'} due ${formatAge(next)}`;
  return `${formatCount(count, 'proof is waiting', 'proofs are waiting')}${due ?? ''}.`;
}

/** /startup/review: submissions to all quests of the project, pending ones first (BEY-01). */
export default function ReviewPage() {
  const counts = useQuery(submissionQueries.counts());
  return (
    <div className="page-column pb-16" data-work-page>
      <PageMeta title="Review" />
      <PageHeader
        title="Review"
        lead={counts.data && waitingSentence(counts.data)}
        back={{ to: paths.founder, label: 'Back to Dashboard' }}
        actions={
          <SubmissionsCsv
            filters={allOfQuest(null)}
            columns={projectSubmissionColumns}
            fileName={() => submissionFileName('all quests')}
          />
        }
      />
      <QueryView
        query={counts}
        failure="The submissions could not be loaded"
        pending={<Spinner label="Loading submissions..." />}
      >
        {(rows) => (
          <ReviewDesk
            questId={null}
            counts={rows}
            empty={
              <EmptyState
                title="No submissions yet"
                text="What members send to your quests appears here."
                action={
                  <Button variant="secondary" asChild>
                    <Link to={paths.founder}>See your quests</Link>
                  </Button>
                }
              />
            }
          />
        )}
      </QueryView>
    </div>
  );
}
