import { Link, useLocation } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';

type NotAuthenticatedProps = { title?: string; text?: string };

/** Shown when there is no session: it has ended, or the screen is rendered without a guard (C-15). */
export function NotAuthenticated({
  title = 'Not Authenticated',
  text = 'Sign in to continue.',
}: NotAuthenticatedProps) {
  const { pathname, search } = useLocation();
  return (
    <div className="page-column py-8">
      <EmptyState
        title={title}
        text={text}
        action={
          <Button asChild>
            <Link to={paths.signIn({ redirect: `${pathname}${search}` })}>Sign In</Link>
          </Button>
        }
      />
    </div>
  );
}
