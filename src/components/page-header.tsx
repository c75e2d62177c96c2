import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

type PageHeaderProps = {
  title: ReactNode;
  lead?: ReactNode;
  back?: { to: string; label: string };
  /** Buttons at the right; under the title on phones. */
  actions?: ReactNode;
};

/** The head of a page: way back, title, a sentence, what one can do here. */
export function PageHeader({ title, lead, back, actions }: PageHeaderProps) {
  return (
    <header className="grid gap-3 pt-6 pb-6 sm:pt-8">
      {back && (
        <Link
          to={back.to}
          className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-muted hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid max-w-prose gap-1.5">
          <h1 className="text-3xl sm:text-4xl">{title}</h1>
          {lead && <p className="text-lg text-muted">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-3 empty:hidden max-sm:w-full max-sm:[&>*]:grow">{actions}</div>}
      </div>
    </header>
  );
}

/** The main action of a page, in thumb's reach at the bottom of a phone, in place elsewhere. */
export function StickyAction({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 flex flex-col gap-3 border-t bg-paper px-4 py-3 sm:static sm:mx-0 sm:flex-row sm:border-0 sm:p-0">
      {children}
    </div>
  );
}
