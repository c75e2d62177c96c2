import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { type Drawing, LineDrawing } from '@/components/ui/line-drawing';
import { paths } from '@/lib/paths';

type EmptyStateProps = {
  title: string;
  text?: ReactNode;
  drawing?: Drawing;
  /** The next step: a button or a link. */
  action?: ReactNode;
  /** Heading level of the title. */
  level?: 2 | 3;
};

/** Empty state: a message, a small drawing and the next step. */
export function EmptyState({ title, text, drawing = 'board', action, level = 2 }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="board-grain grid justify-items-center gap-3 rounded-card border border-dashed px-4 py-12 text-center">
      <LineDrawing name={drawing} />
      <Heading className="text-xl">{title}</Heading>
      {text && <p className="max-w-prose text-muted">{text}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** A search or filter that matched nothing; Reset Filters shows everything again (HUB). */
export function NoResults({ title, text, onReset }: { title: string; text?: ReactNode; onReset: () => void }) {
  const handleReset = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // The button unmounts with the empty state, so the focus moves to the search field.
    const search = (currentTarget.closest('main') ?? document).querySelector<HTMLElement>('input[type="search"]');
    const target = search ?? currentTarget.closest<HTMLElement>('[role="tabpanel"]');
    onReset();
    target?.focus();
  };
  return (
    <EmptyState
      title={title}
      text={text}
      drawing="search"
      action={
        <Button variant="secondary" onClick={handleReset}>
          Reset Filters
        </Button>
      }
    />
  );
}

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
