import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useCallback, useId, useState } from 'react';
import { ButtonDescription } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { useMediaQuery } from '@/lib/use-media-query';

export type DataColumn<Row> = {
  /** 'actions': the row's buttons, at the bottom of a card and without a label. */
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned, tabular figures. */
  isNumeric?: boolean;
  /** Names the row, and so describes its buttons, whose labels are the same in every row. By default only the first column does. */
  namesRow?: boolean;
  /** Makes the column sortable; its heading becomes a button. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void };
};

/** Row selection, for bulk actions. */
export type RowSelection<Row> = {
  canSelect: (row: Row) => boolean;
  isSelected: (row: Row) => boolean;
  onSelect: (row: Row, isSelected: boolean) => void;
  /** Label of a row's checkbox. */
  label: (row: Row) => string;
  all: { label: string; isSelected: boolean; onSelect: (isSelected: boolean) => void };
};

type DataTableProps<Row> = {
  /** The table's accessible name. */
  caption: string;
  columns: DataColumn<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  selection?: RowSelection<Row>;
  /** Rows of 48 px, one line each. */
  isCompact?: boolean;
  /** Renders a row as a single line on narrow screens, instead of a card: for long lists that are scanned rather than read. */
  line?: (row: Row) => ReactNode;
};

/**
 * A table; on screens narrower than 768 px one card per row, or a list of lines where `line` is given. The first column is the card's title.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isWide = useMediaQuery('(min-width: 48rem)');
  if (isWide) return <AsTable {...props} />;
  return props.line ? <AsLines {...props} line={props.line} /> : <AsCards {...props} />;
}

/** `cellId` of the cells that name their row; `content` of a cell, whose buttons they describe. */
function useRowNames<Row>(columns: readonly DataColumn<Row>[]) {
  const id = useId();
  const naming = columns.some(({ namesRow }) => namesRow)
    ? columns.filter(({ namesRow }) => namesRow)
    : columns.slice(0, 1);
  const cellId = (column: DataColumn<Row>, index: number) =>
    naming.includes(column) ? `${id}-${index}-${column.key}` : undefined;
  const content = (column: DataColumn<Row>, row: Row, index: number) =>
    naming.includes(column) ? (
      column.cell(row)
    ) : (
      <ButtonDescription value={naming.map((name) => cellId(name, index)).join(' ')}>
        {column.cell(row)}
      </ButtonDescription>
    );
  return { cellId, content };
}

function AsTable<Row>({ caption, columns, rows, rowKey, selection, isCompact }: DataTableProps<Row>) {
  const { cellId, content } = useRowNames(columns);
  return (
    <div className="overflow-hidden rounded-card border bg-card shadow-card">
      <div className="scroll-x">
        <table className="w-full border-collapse text-left">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {selection && (
                <TableHeadCell className="w-10 pr-0">
                  <SelectAll selection={selection} />
                </TableHeadCell>
              )}
              {columns.map(({ key, header, isNumeric, sort }) => (
                <TableHeadCell
                  key={key}
                  isCompact={isCompact}
                  hasButton={sort !== undefined}
                  className={cn(isNumeric && 'text-right', key === 'actions' && 'print:hidden')}
                  aria-sort={sort && sort.direction !== 'none' ? sort.direction : undefined}
                >
                  {sort ? <SortButton header={header} {...sort} /> : header}
                </TableHeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr
                key={rowKey(row)}
                data-row={rowKey(row)}
                className="scroll-mt-20 scroll-mb-32 border-b last:border-b-0"
              >
                {selection && (
                  <TableCell isCompact={isCompact} className={cn('w-10', isCompact ? 'pl-3' : 'pr-0')}>
                    {selection.canSelect(row) && <SelectRow row={row} selection={selection} />}
                  </TableCell>
                )}
                {columns.map((column) => (
                  <TableCell
                    key={column.key}
                    id={cellId(column, index)}
                    isCompact={isCompact}
                    className={cn(
                      column.isNumeric && 'text-right tabular-nums',
                      column.key === 'actions' && 'print:hidden',
                    )}
                  >
                    {content(column, row, index)}
                  </TableCell>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function AsCards<Row>({ caption, columns, rows, rowKey, selection }: DataTableProps<Row>) {
  const { cellId, content } = useRowNames(columns);
  const [title, ...rest] = columns;
  return (
    <div className="grid gap-3">
      {selection && (
        <Checkbox label={selection.all.label} checked={selection.all.isSelected} onChange={selection.all.onSelect} />
      )}
      <ul aria-label={caption} className="grid gap-3">
        {rows.map((row, index) => (
          <Card as="li" key={rowKey(row)} data-row={rowKey(row)} className="grid scroll-mt-20 scroll-mb-32 gap-2">
            <div className="flex items-start gap-3 font-semibold">
              {selection?.canSelect(row) && <SelectRow row={row} selection={selection} />}
              {title && (
                <div id={cellId(title, index)} className="min-w-0 grow">
                  {content(title, row, index)}
                </div>
              )}
            </div>
            <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
              {rest.map((column) => (
                <div key={column.key} className="col-span-2 grid grid-cols-subgrid items-baseline">
                  <dt className={cn('text-muted text-sm', column.key === 'actions' && 'sr-only')}>{column.header}</dt>
                  <dd
                    id={cellId(column, index)}
                    className={cn(
                      'min-w-0 text-right',
                      column.isNumeric && 'tabular-nums',
                      column.key === 'actions' && 'col-span-2 mt-1.5 empty:hidden print:hidden',
                    )}
                  >
                    {content(column, row, index)}
                  </dd>
                </div>
              ))}
            </dl>
          </Card>
        ))}
      </ul>
    </div>
  );
}

type LinesProps<Row> = Pick<DataTableProps<Row>, 'caption' | 'rows' | 'rowKey'> &
  Required<Pick<DataTableProps<Row>, 'line'>>;

function AsLines<Row>({ caption, rows, rowKey, line }: LinesProps<Row>) {
  return (
    <Card className="py-1 sm:py-2">
      <ul aria-label={caption}>
        {rows.map((row) => (
          <li key={rowKey(row)} className="border-b last:border-b-0">
            {line(row)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function SelectAll<Row>({ selection: { all } }: { selection: RowSelection<Row> }) {
  return (
    <Checkbox
      isCompact
      label={<VisuallyHidden>{all.label}</VisuallyHidden>}
      checked={all.isSelected}
      onChange={all.onSelect}
    />
  );
}

function SelectRow<Row>({ row, selection }: { row: Row; selection: RowSelection<Row> }) {
  return (
    <Checkbox
      isCompact
      label={<VisuallyHidden>{selection.label(row)}</VisuallyHidden>}
      checked={selection.isSelected(row)}
      onChange={(checked) => selection.onSelect(row, checked)}
    />
  );
}

const sortIcons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown } as const;

function SortButton<Row>({ header, direction, onSort }: { header: string } & NonNullable<DataColumn<Row>['sort']>) {
  const Icon = sortIcons[direction];
  return (
    <button type="button" className="inline-flex min-h-11 items-center gap-1.5 hover:text-ink" onClick={onSort}>
      {header}
      <Icon aria-hidden="true" className={cn('size-4', direction === 'none' && 'opacity-50')} />
    </button>
  );
}

type Options<Row> = Pick<RowSelection<Row>, 'canSelect' | 'label'> & {
  /** Label of the checkbox for all selectable rows, of which there are `count`. */
  allLabel: (count: number) => string;
};

/** State of a row selection. Rows that are gone or have become unselectable do not count as selected. */
export function useRowSelection<Row extends { id: string }>(
  rows: readonly Row[],
  { canSelect, label, allLabel }: Options<Row>,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selectable = rows.filter(canSelect);
  const selected = selectable.filter(({ id }) => ids.has(id));

  // A stable callback, so that memoised rows do not rerender.
  const set = useCallback((changed: readonly string[], isSelected: boolean) => {
    setIds((old) => {
      const next = new Set(old);
      for (const id of changed) isSelected ? next.add(id) : next.delete(id);
      return next;
    });
  }, []);

  const selection: RowSelection<Row> = {
    canSelect,
    isSelected: ({ id }) => ids.has(id),
    onSelect: ({ id }, isSelected) => set([id], isSelected),
    label,
    all: {
      label: allLabel(selectable.length),
      isSelected: selectable.length > 0 && selected.length === selectable.length,
      onSelect: (isSelected) =>
        set(
          selectable.map(({ id }) => id),
          isSelected,
        ),
    },
  };
  return { selectable, selected, set, clear: () => setIds(new Set()), selection };
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

function TableHeadCell({ isCompact, hasButton, className, ...props }: HeadCellProps) {
  const padding = cn(isCompact ? 'px-2' : 'px-3', !hasButton && 'py-2.5');
  return <th scope="col" {...props} className={cn('border-b font-semibold text-muted text-sm', padding, className)} />;
}

function TableCell({ isCompact, className, ...props }: ComponentProps<'td'> & CellProps) {
  return <td {...props} className={cn(isCompact ? 'h-12 px-2 align-middle' : 'px-3 py-3 align-top', className)} />;
}
