import type { DataColumn } from '@/components/data-table';
import { useUrlText } from '@/lib/url-state';
import { PersonLink } from '../components/person-link';
import { Id } from '../components/section';
import { DateTime } from '../components/time';
import { AdminList, FilterSelect, ListToolbar, useAdminList, useListFilters } from '../list';
import { changesOf, formatAction, subjectLabels } from './audit-format';
import { type AuditEntry, auditQueries } from './queries';

const entryKey = ({ id }: AuditEntry) => String(id);

const columns: DataColumn<AuditEntry>[] = [
  {
    key: 'action',
    header: 'Action',
    cell: (entry) => <span className="font-semibold">{formatAction(entry.action)}</span>,
  },
  { key: 'who', header: 'Who', cell: (entry) => <PersonLink userId={entry.actor_id} name={entry.actor_name} /> },
  {
    key: 'what',
    header: 'What',
    cell: (entry) => (
      <div>
        {subjectLabels[entry.subject_type] ?? entry.subject_type} <Id length={13}>{entry.subject_id}</Id>
        {entry.note && <p className="text-muted text-sm [overflow-wrap:anywhere]">“{entry.note}”</p>}
      </div>
    ),
  },
  { key: 'changes', header: 'Before and after', cell: (entry) => <Changes entry={entry} /> },
  { key: 'when', header: 'When', cell: (entry) => <DateTime at={entry.created_at} /> },
];

/** Who did what to what, before and after. Nobody can change or delete a line (BEY-04). */
export function AuditTab() {
  const filter = useListFilters();
  const [subject, setSubject] = useUrlText('subject');
  const list = useAdminList(auditQueries.list(filter.filters.search, subject || null), entryKey);
  return (
    <>
      <ListToolbar filter={filter} searchLabel="Search who acted" hasSort={false}>
        <FilterSelect
          label="What it is about"
          value={subject}
          onChange={setSubject}
          choices={[['', 'Everything'], ...Object.entries(subjectLabels)]}
        />
      </ListToolbar>
      <AdminList
        list={list}
        noun="entry"
        plural="entries"
        columns={columns}
        rowKey={entryKey}
        emptyText="Every action of an admin is written here."
        isFiltered={filter.search !== '' || subject !== ''}
        onReset={filter.reset}
      />
    </>
  );
}

function Changes({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry.before, entry.after);
  if (changes.length === 0) return <span className="text-muted">—</span>;
  const lines = (
    <ul className="grid gap-1 text-sm">
      {changes.map(({ field, before, after }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="text-muted">{field}:</span> {before} → {after}
        </li>
      ))}
    </ul>
  );
  if (changes.length <= 2) return lines;
  return (
    <details>
      <summary className="cursor-pointer py-1 text-action underline underline-offset-4">
        {changes.length} fields
      </summary>
      {lines}
    </details>
  );
}
