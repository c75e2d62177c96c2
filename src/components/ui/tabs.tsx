import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/lib/cn';

type TabsProps<Value extends string> = {
  label: string;
  /** Controlled, so that the selected tab can be kept in the URL (lib/url-state.ts). */
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: ReactNode }[];
  children: ReactNode;
  /** 'pills' for tabs inside a tab, so that the two are told apart. */
  look?: keyof typeof looks;
  className?: string;
};

const looks = {
  line: {
    list: 'border-b',
    tab: 'border-transparent border-b-3 px-3 -outline-offset-3 data-[state=active]:border-action data-[state=active]:text-ink',
  },
  pills: {
    list: 'p-1',
    tab: 'rounded-full px-4 outline-offset-1 data-[state=active]:bg-action-soft data-[state=active]:text-action',
  },
} as const;

/** For `ref` of the active tab: brings it into view where the row is too narrow for all. Only the row scrolls, never the page. */
export function showInRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  const [inside, outside] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += inside.left - outside.left - (outside.width - inside.width) / 2;
}

/** Tabs with their panels as children. They scroll sideways by themselves when a phone is too narrow. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, value, onChange, tabs, children, look = 'line', className } = props;
  return (
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as Value)} className={className}>
      <Primitive.List aria-label={label} className={cn('scroll-x flex gap-1 [scrollbar-width:none]', looks[look].list)}>
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            ref={tab.value === value ? showInRow : undefined}
            value={tab.value}
            className={cn(
              'inline-flex min-h-11 items-center gap-2 whitespace-nowrap font-semibold text-muted hover:text-ink',
              looks[look].tab,
            )}
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  );
}

type TabPanelProps = { value: string; children: ReactNode; className?: string };

/** Panel of a tab. */
export function TabPanel({ value, children, className = 'pt-5' }: TabPanelProps) {
  return (
    <Primitive.Content value={value} className={className}>
      {children}
    </Primitive.Content>
  );
}
