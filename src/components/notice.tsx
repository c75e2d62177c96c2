import { CircleAlert, CircleCheckBig, Hourglass, Info, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';

const tones = {
  info: { icon: Info, box: 'border-l-action', ink: 'text-action' },
  success: { icon: CircleCheckBig, box: 'border-l-action', ink: 'text-action' },
  waiting: { icon: Hourglass, box: 'border-l-warning', ink: 'text-warning' },
  danger: { icon: CircleAlert, box: 'border-l-danger', ink: 'text-danger' },
} as const satisfies Record<string, { icon: LucideIcon; box: string; ink: string }>;

type NoticeProps = {
  tone?: keyof typeof tones;
  title: ReactNode;
  children?: ReactNode;
  /** Buttons or links at the right; under the text on phones. */
  actions?: ReactNode;
  className?: string;
};

/** A persistent message about a state; results of actions are toasts. */
export function Notice({ tone = 'info', title, children, actions, className }: NoticeProps) {
  const { icon: Icon, box, ink } = tones[tone];
  return (
    <section
      className={cn(
        'flex flex-col gap-3 rounded-card border border-l-4 bg-card p-4 shadow-card sm:flex-row sm:items-center',
        box,
        className,
      )}
    >
      <div className="flex min-w-0 grow gap-3">
        <Icon aria-hidden="true" className={cn('mt-0.5 size-5 shrink-0', ink)} />
        <div className="min-w-0">
          <p className="font-semibold">{title}</p>
          {children && <div className="text-muted">{children}</div>}
        </div>
      </div>
      {actions && <div className="flex shrink-0 flex-wrap gap-3">{actions}</div>}
    </section>
  );
}
