import { useQuery } from '@tanstack/react-query';
import { ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ErrorState } from '@/components/error-state';
import { Notice } from '@/components/notice';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { isRefusal } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { adminQueries, type PendingCounts } from '../queries';

/**
 * Lets in whom the database calls an admin. The role that this browser remembers has opened the route, and anyone can write
 * that (C-09): who tampered with it meets a closed door instead of a page full of errors.
 */
export function AdminGate({ children }: { children: (todo: PendingCounts) => ReactNode }) {
  const todo = useQuery(adminQueries.todo());
  if (todo.data) return children(todo.data);
  return (
    <div className="page-column py-10">
      <PageMeta title="Admin" />
      {todo.isPending ? (
        <Spinner label="Loading the dashboard..." />
      ) : isRefusal(todo.error) ? (
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
        <ErrorState
          title="The dashboard could not be loaded"
          error={todo.error}
          onRetry={() => todo.refetch()}
          isRetrying={todo.isFetching}
        />
      )}
    </div>
  );
}
