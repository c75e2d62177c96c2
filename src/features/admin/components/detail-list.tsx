import type { ReactNode } from 'react';

/** What is known of a thing, label and value. */
export function DetailList({ children }: { children: ReactNode }) {
  return <dl className="grid gap-3">{children}</dl>;
}

export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:grid-cols-[9rem_1fr] sm:items-baseline sm:gap-3">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** An id as the machine knows it; short where only its beginning is asked for. */
export function Id({ children, length }: { children: string | null; length?: number }) {
  if (!children) return <span className="text-muted">—</span>;
  return (
    <code className="text-sm" title={children}>
      {length ? children.slice(0, length) : children}
    </code>
  );
}
