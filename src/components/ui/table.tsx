import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** Table parts in the board's look. For lists that must also work on phones use components/data-table. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table {...props} className={cn('w-full border-collapse text-left', className)} />;
}

type CellProps = {
  /** In rows of 48 px, one line each. */
  isCompact?: boolean;
};

type HeadCellProps = ComponentProps<'th'> &
  CellProps & {
    /** It holds a button, which has the height. */
    hasButton?: boolean;
  };

export function TableHeadCell({ isCompact, hasButton, className, ...props }: HeadCellProps) {
  const padding = cn(isCompact ? 'px-2' : 'px-3', !hasButton && 'py-2.5');
  return <th scope="col" {...props} className={cn('border-b font-semibold text-muted text-sm', padding, className)} />;
}

export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return <tr {...props} className={cn('border-b last:border-b-0', className)} />;
}

export function TableCell({ isCompact, className, ...props }: ComponentProps<'td'> & CellProps) {
  return <td {...props} className={cn(isCompact ? 'h-12 px-2 align-middle' : 'px-3 py-3 align-top', className)} />;
}
