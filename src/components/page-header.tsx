import { ArrowLeft } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';

type PageHeaderProps = {
  title: ReactNode;
  lead?: ReactNode;
  /**
   * Target of Back when the page was opened directly; after a link with `useCameFrom`, Back returns to the page of the
   * link (C-73).
   */
  back?: { to: string; label: string };
  /** Buttons at the right; under the title on phones. */
  actions?: ReactNode;
};

/** Header of a page: back link, title, description, actions. */
export function PageHeader({ title, lead, back, actions }: PageHeaderProps) {
  return (
    <header className="grid gap-3 pt-6 pb-6 sm:pt-8">
      {back && <BackLink {...back} />}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid min-w-0 max-w-prose gap-1.5">
          <h1 className="text-3xl sm:text-4xl">{title}</h1>
          {lead && <p className="dir-auto text-lg text-muted">{lead}</p>}
        </div>
        {actions && (
          <div className="flex flex-wrap gap-3 empty:hidden print:hidden in-data-member:has-data-visitors-only:hidden max-sm:w-full max-sm:[&>*]:grow">
            {actions}
          </div>
        )}
      </div>
    </header>
  );
}

/** Link state that makes Back on the target page return here, with the current filters (C-73). */
export function useCameFrom(): { from: string } {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/** The page of the link that led here, with its filters, if it had `useCameFrom`; null otherwise. */
export function useOrigin(): string | null {
  const { state } = useLocation();
  return typeof state?.from === 'string' ? state.from : null;
}

function BackLink({ to, label }: { to: string; label: string }) {
  const navigate = useNavigate();
  const from = useOrigin();
  const handleClick = (event: MouseEvent) => {
    if (from === null || event.metaKey || event.ctrlKey || event.shiftKey) return;
    // The previous history entry is that page, with its scroll position.
    event.preventDefault();
    navigate(-1);
  };
  return (
    <Link
      to={from ?? to}
      onClick={handleClick}
      className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-muted hover:text-ink print:hidden"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {label}
    </Link>
  );
}
