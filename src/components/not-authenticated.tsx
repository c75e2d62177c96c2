import { Link, useLocation } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';

type NotAuthenticatedProps = { title?: string; text?: string };

/** What a screen shows when its guard has let nobody in: the session ended, or the screen stands alone (C-15). */
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
