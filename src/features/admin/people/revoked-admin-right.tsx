import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { formatDateTime } from '@/lib/format';
import { peopleQueries } from './queries';

/**
 * Notice of a revoked admin right, with the way to restore it (TRUST-19); nothing for everybody else. The reason is in
 * the history of the same facts, which also shows a loading failure.
 */
export function RevokedAdminRight({ userId, onRestore }: { userId: string; onRestore: () => void }) {
  const revokedAt = useQuery(peopleQueries.facts(userId)).data?.admin_revoked_at;
  if (!revokedAt) return null;
  return (
    <Notice
      tone="waiting"
      title="The admin right is revoked"
      actions={
        <Button variant="secondary" onClick={onRestore}>
          Restore admin right
        </Button>
      }
    >
      <p>Since {formatDateTime(revokedAt)}, whatever the identity provider says.</p>
    </Notice>
  );
}
