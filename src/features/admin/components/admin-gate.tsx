import { useQuery } from '@tanstack/react-query';
import { ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { AppError, isRefusal } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { adminQueries, type PendingCounts } from '../queries';

/**
 * Renders its children only if the database confirms the admin. The route guard trusts the role in local storage, which
 * anyone can edit (C-09); whoever tampered with it sees a refusal instead of a page full of errors. So does whoever loses the right while
 * the page is open, with the next refresh (TRUST-19).
 */
export function AdminGate({ children }: { children: (todo: PendingCounts) => ReactNode }) {
  const todo = useQuery(adminQueries.todo());
  const isLost = todo.error instanceof AppError && todo.error.status === 403;
  if (todo.data && !isLost) return children(todo.data);
  return (
    <div className="page-column py-10">
      <PageMeta title="Admin" />
      {isRefusal(todo.error) ? (
        <Notice
          tone="danger"
          title="This area is for admins"
          actions={
            <Button asChild variant="secondary">
              <Link to={paths.home}>
                <ShieldX aria-hidden="true" />
                Back to Home
              </Link>
            </Button>
          }
        >
          Your account has no admin rights.
        </Notice>
      ) : (
        <QueryView
          query={todo}
          failure="The dashboard could not be loaded"
          pending={<Spinner label="Loading the dashboard..." />}
        >
          {children}
        </QueryView>
      )}
    </div>
  );
}
