import { Link, useParams } from 'react-router-dom';
import { ErrorState } from '@/components/error-state';
import { PageMeta } from '@/components/page-meta';
import { PinnedNote } from '@/components/pinned-note';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { QuestScreen } from '../components/quest-screen';
import { QuestSkeleton } from '../components/quest-skeleton';
import { useQuest } from '../use-quest';

/** A quest, for visitors (/browse/quest, /quest), members and its owner (/community/quest) (ROUTE-02, ROUTE-04). */
export default function QuestPage() {
  const { id = '' } = useParams();
  const quest = useQuest(id);

  return (
    <div className="page-column pb-16">
      {quest.status === 'loading' && <QuestSkeleton />}
      {quest.status === 'missing' && <QuestNotFound />}
      {quest.status === 'failed' && (
        <div className="py-10">
          <PageMeta title="Quest" />
          <ErrorState
            title="The quest could not be loaded"
            error={quest.error}
            onRetry={quest.retry}
            isRetrying={quest.isRetrying}
          />
        </div>
      )}
      {quest.status === 'ready' && <QuestScreen view={quest.view} />}
    </div>
  );
}

function QuestNotFound() {
  return (
    <PinnedNote>
      <PageMeta title="Quest Not Found" />
      <h1 className="text-3xl">Quest Not Found</h1>
      <p className="text-muted">It may have been taken down, or the address is mistyped.</p>
      <Button asChild>
        <Link to={paths.community}>Back to Quest Feed</Link>
      </Button>
    </PinnedNote>
  );
}
