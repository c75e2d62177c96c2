import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';

/** Table parts in the board's look. For lists that must also work on phones use components/data-table. */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table {...props} className={cn('w-full border-collapse text-left', className)} />;
}

export function TableHeadCell({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th scope="col" {...props} className={cn('border-b px-3 py-2.5 font-semibold text-muted text-sm', className)} />
  );
}

export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return <tr {...props} className={cn('border-b last:border-b-0', className)} />;
}

export function TableCell({ className, ...props }: ComponentProps<'td'>) {
  return <td {...props} className={cn('px-3 py-3 align-top', className)} />;
}
