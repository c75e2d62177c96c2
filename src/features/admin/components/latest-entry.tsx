import { useQuery } from '@tanstack/react-query';
import { QueryView } from '@/components/query-view';
import { useSession } from '@/lib/auth';
import { formatDateTime } from '@/lib/format';
import { formatAction } from '../audit/audit-format';
import { type AuditSubject, auditQueries } from '../queries';
import { PersonLink } from './table-cells';

/** What was done last about the subject, by whom and with which words. */
export function LatestEntry({ subject }: { subject: AuditSubject }) {
  const query = useQuery(auditQueries.latest(subject));
  const { userId } = useSession();
  return (
    <QueryView query={query} failure="What was decided could not be loaded">
      {(entry) =>
        entry && (
          <div className="rounded-control bg-sunken px-4 py-3">
            <p>
              <strong>{formatAction(entry.action)}</strong>, by {entry.actor_id === userId && 'you'}
              {entry.actor_id === 'system' && 'Questboard'}
              {entry.actor_id !== userId && entry.actor_id !== 'system' && (
                <PersonLink userId={entry.actor_id} name={entry.actor_name ?? 'somebody else'} />
              )}
            </p>
            {entry.note && <p className="[overflow-wrap:anywhere]">“{entry.note}”</p>}
            <p className="text-muted text-sm">{formatDateTime(entry.created_at)}, as the audit log says</p>
          </div>
        )
      }
    </QueryView>
  );
}
