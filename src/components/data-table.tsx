import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { Table, TableCell, TableHeadCell, TableRow } from '@/components/ui/table';
import { cn } from '@/lib/cn';
import { useMediaQuery } from '@/lib/use-media-query';

export type DataColumn<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, tabular figures. */
  isNumeric?: boolean;
};

type DataTableProps<Row> = {
  /** Names the table for those who do not see it. */
  caption: string;
  columns: DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
};

/** Rows as a table, or as one card each where the screen is narrower than 768 px. The first column titles the card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isWide = useMediaQuery('(min-width: 48rem)');
  return isWide ? <AsTable {...props} /> : <AsCards {...props} />;
}

function AsTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className="overflow-x-auto rounded-card border bg-card shadow-card">
      <Table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, header, isNumeric }) => (
              <TableHeadCell key={key} className={cn(isNumeric && 'text-right')}>
                {header}
              </TableHeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={rowKey(row)}>
              {columns.map(({ key, cell, isNumeric }) => (
                <TableCell key={key} className={cn(isNumeric && 'text-right tabular-nums')}>
                  {cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function AsCards<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  const [title, ...rest] = columns;
  return (
    <ul aria-label={caption} className="grid gap-3">
      {rows.map((row) => (
        <Card as="li" key={rowKey(row)} className="grid gap-2">
          <div className="font-semibold">{title?.cell(row)}</div>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {rest.map(({ key, header, cell, isNumeric }) => (
              <div key={key} className="col-span-2 grid grid-cols-subgrid">
                <dt className="text-muted text-sm">{header}</dt>
                <dd className={cn('min-w-0 text-right', isNumeric && 'tabular-nums')}>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </Card>
      ))}
    </ul>
  );
}
