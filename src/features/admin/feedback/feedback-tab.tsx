import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataColumn } from '@/components/data-table';
import { QueryView } from '@/components/query-view';
import { Stars } from '@/components/star-rating';
import { StatCards, StatCardsSkeleton } from '@/components/stat-cards';
import { Button } from '@/components/ui/button';
import type { CsvColumn } from '@/lib/csv';
import { formatNumber, isoDay } from '@/lib/format';
import { useUrlChoice } from '@/lib/url-state';
import type { Tables } from '@/types/database';
import { ExportButton, formatRowCount } from '../components/export-button';
import { DateText } from '../components/time';
import { downloadCsv } from '../export';
import { AdminList, FilterSelect, ListToolbar, useAdminList, useListFilters } from '../list';
import { FeedbackDialog, FeedbackStatus, PriorityBadge, TypeBadge, typeLabels } from './feedback-dialog';
import { adminFeedbackQueries, type Feedback, fetchAllFeedback } from './queries';

const statuses = [
  ['new', 'New'],
  ['reviewed', 'Reviewed'],
  ['resolved', 'Resolved'],
] as const;
const types = ['all', ...Object.keys(typeLabels)] as [string, ...string[]];
const feedbackKey = ({ id }: Feedback) => id;

/** Feedback on the product (ADMIN-05, ADMIN-06). */
export default function FeedbackTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const [type, setType] = useUrlChoice('type', types);
  const list = useAdminList(adminFeedbackQueries.list(filter.filters, type === 'all' ? null : type), feedbackKey);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const opened = list.rows.find(({ id }) => id === openedId);

  const columns: DataColumn<Feedback>[] = [
    {
      key: 'title',
      header: 'Feedback',
      cell: (feedback) => (
        <div className="min-w-0 font-normal">
          <button
            type="button"
            className="text-left font-semibold hover:underline [overflow-wrap:anywhere]"
            onClick={() => setOpenedId(feedback.id)}
          >
            {feedback.title}
          </button>
          <p className="line-clamp-2 max-w-md text-muted text-sm">{feedback.description}</p>
        </div>
      ),
    },
    { key: 'type', header: 'Type', cell: (feedback) => <TypeBadge type={feedback.type} /> },
    { key: 'status', header: 'Status', cell: (feedback) => <FeedbackStatus status={feedback.status} /> },
    { key: 'priority', header: 'Priority', cell: (feedback) => <PriorityBadge priority={feedback.priority} /> },
    {
      key: 'rating',
      header: 'Rating',
      cell: (feedback) => (feedback.rating ? <Stars value={feedback.rating} /> : <span className="text-muted">—</span>),
    },
    { key: 'created', header: 'Created', cell: (feedback) => <DateText at={feedback.created_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      cell: (feedback) => (
        <Button variant="secondary" aria-label={`View ${feedback.title}`} onClick={() => setOpenedId(feedback.id)}>
          View
        </Button>
      ),
    },
  ];

  return (
    <div className="grid gap-5">
      <FeedbackFigures />
      <div>
        <ListToolbar filter={filter} searchLabel="Search feedback" statuses={statuses} allLabel="Any status">
          <FilterSelect
            label="Type"
            value={type}
            onChange={setType}
            choices={[['all', 'All types'], ...Object.entries(typeLabels)]}
          />
          <ExportButton
            label="Export Feedback"
            failure="Failed to export feedback"
            run={async (onProgress) => {
              const rows = await fetchAllFeedback((count) => onProgress(formatRowCount(count)));
              await downloadCsv('feedback', rows, feedbackColumns);
              return `Exported ${formatRowCount(rows.length)} of feedback`;
            }}
          />
        </ListToolbar>
        <AdminList
          list={list}
          noun="piece of feedback"
          plural="feedback"
          columns={columns}
          rowKey={feedbackKey}
          emptyText="What people send with the feedback button appears here."
          isFiltered={filter.search !== '' || filter.status !== 'all' || type !== 'all'}
          onReset={filter.reset}
        />
      </div>
      {opened && (
        <FeedbackDialog key={opened.id} feedback={opened} onChanged={list.accept} onClose={() => setOpenedId(null)} />
      )}
    </div>
  );
}

function FeedbackFigures() {
  const stats = useQuery(adminFeedbackQueries.stats());
  return (
    <QueryView query={stats} failure="The feedback's figures could not be loaded" pending={<StatCardsSkeleton />}>
      {({ total, average_rating, by_type }) => (
        <StatCards
          label="Feedback figures"
          stats={[
            { label: 'Total Feedback', value: formatNumber(total) },
            { label: 'Average Rating', value: average_rating > 0 ? average_rating.toFixed(1) : '—' },
            { label: 'Bug Reports', value: formatNumber(by_type.bug) },
            { label: 'Feature Requests', value: formatNumber(by_type.feature) },
          ]}
        />
      )}
    </QueryView>
  );
}

/** Columns of the export: the table's fields, days in ISO 8601 (C-55). */
const feedbackColumns: CsvColumn<Tables<'beta_feedback'>>[] = [
  { header: 'id', value: (row) => row.id },
  { header: 'user_id', value: (row) => row.user_id },
  { header: 'email', value: (row) => row.email },
  { header: 'type', value: (row) => row.type },
  { header: 'title', value: (row) => row.title },
  { header: 'description', value: (row) => row.description },
  { header: 'rating', value: (row) => row.rating },
  { header: 'status', value: (row) => row.status },
  { header: 'priority', value: (row) => row.priority },
  { header: 'admin_notes', value: (row) => row.admin_notes },
  { header: 'created_at', value: (row) => isoDay(row.created_at) },
  { header: 'updated_at', value: (row) => isoDay(row.updated_at) },
];
