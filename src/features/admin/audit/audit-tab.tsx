import { Link } from 'react-router-dom';
import type { DataColumn } from '@/components/data-table';
import { useUrlChoice } from '@/lib/url-state';
import { Id } from '../components/section';
import { DateTime, PersonLink } from '../components/table-cells';
import { AdminList, FilterSelect, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { type AuditEntry, auditQueries } from '../queries';
import { changesOf, formatAction, subjectChoices, subjectLabel, subjectPath } from './audit-format';

/** Empty: everything. */
const subjects: [string, ...string[]] = ['', ...subjectChoices.map(([type]) => type)];
const entryKey = ({ id }: AuditEntry) => String(id);

const columns: DataColumn<AuditEntry>[] = [
  {
    key: 'action',
    header: 'Action',
    cell: (entry) => <span className="font-semibold">{formatAction(entry.action)}</span>,
  },
  {
    key: 'who',
    header: 'Who',
    cell: (entry) =>
      entry.actor_id === 'system' ? 'Questboard' : <PersonLink userId={entry.actor_id} name={entry.actor_name} />,
  },
  {
    key: 'what',
    header: 'What',
    cell: (entry) => (
      <div>
        <SubjectName entry={entry} />
        {entry.note && <p className="text-muted text-sm [overflow-wrap:anywhere]">“{entry.note}”</p>}
      </div>
    ),
  },
  { key: 'changes', header: 'Before and after', cell: (entry) => <Changes entry={entry} /> },
  { key: 'when', header: 'When', cell: (entry) => <DateTime at={entry.created_at} /> },
];

/** The audit log: actor, action, subject, before and after. Entries cannot be changed or deleted (BEY-04). */
export default function AuditTab() {
  const filter = useListFilters();
  const [subject, setSubject] = useUrlChoice('subject', subjects);
  const list = useAdminList(auditQueries.list(filter.filters.search, subject || null), entryKey);
  return (
    <>
      <ListToolbar filter={filter} searchLabel="Search people, projects, quests" hasSort={false}>
        <FilterSelect
          label="Subject"
          value={subject}
          onChange={setSubject}
          choices={[['', 'Everything'], ...subjectChoices]}
        />
      </ListToolbar>
      <AdminList
        list={list}
        noun="entry"
        plural="entries"
        columns={columns}
        rowKey={entryKey}
        emptyText="What admins and owners do, and every payment, is logged here."
        filter={filter}
        isFiltered={filter.search !== '' || subject !== ''}
      />
    </>
  );
}

/** Subject of an entry: its name, its owner, and the start of its id to tell equal names apart. */
function SubjectName({ entry }: { entry: AuditEntry }) {
  const path = subjectPath(entry);
  const name = entry.subject_name ?? entry.subject_username ?? subjectLabel(entry.subject_type);
  return (
    <div className="grid gap-0.5">
      {path ? (
        <Link to={path} className="font-medium underline underline-offset-4 [overflow-wrap:anywhere]">
          {name}
        </Link>
      ) : (
        <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
      )}
      <span className="text-muted text-sm">
        {subjectLabel(entry.subject_type)}
        {entry.subject_username && name !== entry.subject_username && ` of ${entry.subject_username}`}{' '}
        <Id length={13}>{entry.subject_id}</Id>
      </span>
    </div>
  );
}

function Changes({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry.before, entry.after);
  if (changes.length === 0) return <span className="text-muted">—</span>;
  const lines = (
    <ul className="grid gap-1 text-sm">
      {changes.map(({ field, before, after }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="text-muted">{field}:</span> <bdi>{before}</bdi> → <bdi>{after}</bdi>
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
