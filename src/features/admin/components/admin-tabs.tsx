import { Tabs } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { useMediaQuery } from '@/lib/use-media-query';
import { type AdminTab, adminTabs, statedTabs } from '../tabs';

type AdminTabsProps = {
  value: AdminTab;
  onChange: (tab: AdminTab) => void;
  /** What waits for the admin behind a tab. */
  waiting: Partial<Record<AdminTab, number>>;
  children: ReactNode;
};

/** Too many tabs for one line: a column beside the content where there is room, a line to swipe on phones. */
export function AdminTabs({ value, onChange, waiting, children }: AdminTabsProps) {
  const isWide = useMediaQuery('(min-width: 64rem)');
  const list = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is chosen
  useEffect(() => {
    list.current?.querySelector('[data-state=active]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [value]);

  return (
    <Tabs.Root
      value={value}
      onValueChange={(next) => onChange(next as AdminTab)}
      orientation={isWide ? 'vertical' : 'horizontal'}
      activationMode="manual"
      className="grid min-w-0 gap-x-8 lg:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <Tabs.List
        ref={list}
        aria-label="Admin dashboard"
        className="scroll-x flex gap-1 border-b [scrollbar-width:none] max-lg:-mx-4 max-lg:px-4 lg:sticky lg:top-20 lg:flex-col lg:self-start lg:border-b-0"
      >
        {adminTabs.map((tab, index) => (
          <Tabs.Trigger
            key={tab.value}
            value={tab.value}
            className={cn(
              'relative inline-flex min-h-11 shrink-0 items-center justify-between gap-2 whitespace-nowrap px-3 text-left font-semibold text-muted hover:text-ink',
              'max-lg:border-transparent max-lg:border-b-3 max-lg:-outline-offset-3 max-lg:data-[state=active]:border-action data-[state=active]:text-ink',
              'lg:rounded-control lg:data-[state=active]:bg-action-soft lg:data-[state=active]:text-action',
              index === statedTabs && 'lg:mt-4',
            )}
          >
            {tab.label}
            <WaitingCount count={waiting[tab.value] ?? 0} />
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <div className="min-w-0 max-lg:pt-5">{children}</div>
    </Tabs.Root>
  );
}

function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      <span className="sr-only">, {formatNumber(count)} waiting</span>
      <span
        aria-hidden="true"
        className="min-w-6 rounded-full bg-warning-soft px-1.5 text-center text-sm text-warning tabular-nums"
      >
        {formatNumber(count)}
      </span>
    </>
  );
}

/** What a tab shows; only the chosen one is there. */
export function AdminTabPanel({ value, title, children }: { value: AdminTab; title: string; children: ReactNode }) {
  return (
    <Tabs.Content value={value} className="outline-none focus-visible:outline-3">
      <h2 className="sr-only">{title}</h2>
      {children}
    </Tabs.Content>
  );
}
