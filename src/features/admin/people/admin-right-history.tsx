import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/notice';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { formatDateTime } from '@/lib/format';
import { PersonLink } from '../components/person-link';
import { peopleQueries } from './queries';

type AdminRightHistoryProps = { userId: string; onRestore: () => void };

/** That an admin right was revoked, with all that was decided about it; nothing for those whose right nobody touched (TRUST-19). */
export function AdminRightHistory({ userId, onRestore }: AdminRightHistoryProps) {
  const decisions = useQuery(peopleQueries.adminRight(userId));
  return (
    <QueryView
      query={decisions}
      failure="What was decided about the admin right could not be loaded"
      pending={<Skeleton className="h-11" />}
    >
      {(lines) => {
        const [latest] = lines;
        if (!latest) return null;
        const isRevoked = latest.action === 'admin.revoke';
        return (
          <Notice
            tone={isRevoked ? 'waiting' : 'info'}
            title={isRevoked ? 'The admin right is revoked' : 'The admin right was revoked and restored'}
            actions={
              isRevoked && (
                <Button variant="secondary" onClick={onRestore}>
                  Restore admin right
                </Button>
              )
            }
          >
            <ul aria-label="Decisions about the admin right">
              {lines.map(({ id, action, actor_id, note, created_at }) => (
                <li key={id} className="[overflow-wrap:anywhere]">
                  {action === 'admin.revoke' ? 'Revoked' : 'Restored'} on {formatDateTime(created_at)} by{' '}
                  <PersonLink userId={actor_id} name={actor_id} />: “{note}”
                </li>
              ))}
            </ul>
          </Notice>
        );
      }}
    </QueryView>
  );
}
