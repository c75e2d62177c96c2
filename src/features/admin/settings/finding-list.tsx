import { DataTable } from '@/components/data-table';
import { Badge } from '@/components/ui/badge';
import { formatNumber } from '@/lib/format';
import type { Finding, LedgerProblem } from './mutations';

/** What the security scan found. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="mt-2 grid gap-2">
      {findings.map(({ severity, finding, object }) => (
        <li key={`${finding}${object}`} className="flex flex-wrap items-center gap-2 text-ink">
          <Badge tone={severity === 'error' ? 'danger' : 'warning'}>{severity}</Badge>
          {finding}: <code className="[overflow-wrap:anywhere]">{object}</code>
        </li>
      ))}
    </ul>
  );
}

/** Figures that differ from their recount. */
export function LedgerProblemList({ problems }: { problems: readonly LedgerProblem[] }) {
  return (
    <div className="mt-2 max-h-96 overflow-y-auto text-ink">
      <DataTable
        caption="Differences"
        rows={problems}
        rowKey={({ problem, subject_id }) => `${problem}${subject_id}`}
        columns={[
          { key: 'problem', header: 'What', cell: (row) => row.problem.replaceAll('_', ' ') },
          { key: 'subject', header: 'Of', cell: (row) => <code>{`${row.subject_type} ${row.subject_id}`}</code> },
          { key: 'expected', header: 'Recount', isNumeric: true, cell: (row) => formatNumber(row.expected) },
          { key: 'actual', header: 'Kept', isNumeric: true, cell: (row) => formatNumber(row.actual) },
        ]}
      />
    </div>
  );
}
