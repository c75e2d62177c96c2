import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { DataColumn } from '@/components/data-table';
import { QueryView } from '@/components/query-view';
import { Stars } from '@/components/star-rating';
import { StatCards, StatCardsSkeleton } from '@/components/stat-cards';
import { type Status, StatusBadge } from '@/components/status-badge';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError, Select, Textarea } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import type { CsvColumn } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatDateTime, formatNumber, isoDay } from '@/lib/format';
import { useUrlChoice } from '@/lib/url-state';
import { useShownChoice } from '@/lib/use-shown-choice';
import type { Tables } from '@/types/database';
import { ExportButton } from '../components/export-button';
import { Detail, DetailList, Id } from '../components/section';
import { DateText, EmailAddress } from '../components/table-cells';
import { AdminList, FilterSelect, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { type FeedbackDecision, type Priority, priorities, useSetPriority, useUpdateFeedback } from './mutations';
import { adminFeedbackQueries, type Feedback, fetchAllFeedback } from './queries';

const statuses = [
  ['new', 'New'],
  ['reviewed', 'Reviewed'],
  ['resolved', 'Resolved'],
] as const;
/** An unknown type is shown as it is. */
const typeLabels: Readonly<Record<string, string>> = {
  bug: 'Bug',
  feature: 'Feature',
  rating: 'Rating',
  general: 'General',
  other: 'Other',
};

const types = ['all', ...Object.keys(typeLabels)] as [string, ...string[]];
const feedbackKey = ({ id }: Feedback) => id;

/** Feedback on the product (ADMIN-05, ADMIN-06). */
export default function FeedbackTab() {
  const filter = useListFilters(statuses.map(([value]) => value));
  const [type, setType] = useUrlChoice('type', types);
  const list = useAdminList(adminFeedbackQueries.list(filter.filters, type === 'all' ? null : type), feedbackKey);
  const [lastOpened, setOpened] = useState<Feedback | null>(null);
  // A new status may have removed it from the filtered list; the dialog stays open until it is closed.
  const opened = list.rows.find(({ id }) => id === lastOpened?.id) ?? lastOpened;

  const columns: DataColumn<Feedback>[] = [
    {
      key: 'title',
      header: 'Feedback',
      cell: (feedback) => (
        <div className="min-w-0 font-normal">
          <button
            type="button"
            className="text-left font-semibold hover:underline [overflow-wrap:anywhere]"
            onClick={() => setOpened(feedback)}
          >
            {feedback.title}
          </button>
          <p className="dir-auto line-clamp-2 max-w-md text-muted text-sm">{feedback.description}</p>
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
        <Button variant="secondary" aria-label={`View ${feedback.title}`} onClick={() => setOpened(feedback)}>
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
            name="feedback"
            columns={feedbackColumns}
            fetchRows={fetchAllFeedback}
            what="feedback"
            failure="Failed to export feedback"
          />
        </ListToolbar>
        <AdminList
          list={list}
          noun="feedback message"
          columns={columns}
          rowKey={feedbackKey}
          emptyText="What people send with the feedback button appears here."
          filter={filter}
          isFiltered={filter.search !== '' || filter.status !== 'all' || type !== 'all'}
        />
      </div>
      {opened && (
        <FeedbackDialog
          key={opened.id}
          feedback={opened}
          onChanged={(changed) => {
            setOpened({ ...opened, ...changed });
            list.applyUpdates();
          }}
          onClose={() => setOpened(null)}
        />
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

type FeedbackDialogProps = {
  feedback: Feedback;
  /** Called without feedback when the answer was lost, so that its new state is unknown. */
  onChanged: (changed?: Feedback) => void;
  onClose: () => void;
};

/** One piece of feedback in full, with status, priority and note (ADMIN-06). */
function FeedbackDialog({ feedback, onChanged, onClose }: FeedbackDialogProps) {
  const update = useUpdateFeedback();
  const saved = feedback.admin_notes ?? '';
  // What is typed, and the note that it replaces: another admin may write a newer one meanwhile.
  const [draft, setDraft] = useState<{ notes: string; over: string } | null>(null);
  const notes = draft?.notes ?? saved;
  const isOvertaken = draft !== null && draft.over !== saved && notes !== saved;

  const mark = async (status: FeedbackDecision['status']) => {
    try {
      // An unchanged note is not sent: another admin may have written a newer one since.
      const changed = await update.mutateAsync({
        feedbackId: feedback.id,
        status,
        notes: notes === saved ? '' : notes,
      });
      setDraft(null);
      onChanged(changed);
      toast.success(`Marked as ${status}`);
    } catch {
      // The dialog shows why.
    }
  };
  const setPriority = useSetPriority();
  const handlePriority = async (priority: Priority) => {
    try {
      onChanged(await setPriority.mutateAsync({ feedbackId: feedback.id, priority }));
      toast.success(`Priority set to ${priorityWords[priority].word}`, `priority ${feedback.id}`);
    } catch (error) {
      toast.error(describeError(error, { prefix: 'Failed to set the priority' }), `priority ${feedback.id}`);
    }
  };
  const [priority, choosePriority] = useShownChoice(feedback.priority, (next) => handlePriority(next as Priority));
  const working = update.isPending ? update.variables.status : null;
  const handleClose = () => {
    // The call may have changed it even though its answer was lost.
    if (update.isError) onChanged();
    onClose();
  };

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && handleClose()}
      title="Feedback details"
      size="lg"
      isDirty={notes !== saved}
    >
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <TypeBadge type={feedback.type} />
        <PriorityBadge priority={feedback.priority} />
        <FeedbackStatus status={feedback.status} />
      </div>
      <h3 className="text-lg">{feedback.title}</h3>
      <p className="mt-1 mb-4 dir-auto whitespace-pre-line [overflow-wrap:anywhere]">
        <WithOwnLinks text={feedback.description} />
      </p>
      <DetailList>
        <Detail label="Rating">
          {feedback.rating ? (
            <span className="inline-flex flex-wrap items-center gap-2">
              <Stars value={feedback.rating} />
              {feedback.rating} out of 5
            </span>
          ) : (
            'No rating'
          )}
        </Detail>
        <Detail label="Email">
          {feedback.email ? (
            <a href={`mailto:${feedback.email}`} className="text-action underline underline-offset-4">
              <EmailAddress>{feedback.email}</EmailAddress>
            </a>
          ) : (
            'No email'
          )}
        </Detail>
        <Detail label="User ID">
          <Id>{feedback.user_id}</Id>
        </Detail>
        <Detail label="Created">{formatDateTime(feedback.created_at)}</Detail>
        <Detail label="Last updated">{formatDateTime(feedback.updated_at)}</Detail>
      </DetailList>
      <Field label="Priority" className="mt-5">
        <Select
          value={priority}
          disabled={setPriority.isPending}
          onChange={(event) => choosePriority(event.target.value)}
        >
          {priorities.map((each) => (
            <option key={each} value={each}>
              {priorityWords[each].word}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label="Notes"
        hint={
          isOvertaken
            ? `Another admin has written meanwhile: “${saved}”. Either button replaces it with yours.`
            : 'For admins only; saved with either button.'
        }
        className="mt-5"
      >
        <Textarea
          rows={2}
          maxLength={2000}
          value={notes}
          onChange={(event) => setDraft({ notes: event.target.value, over: draft?.over ?? saved })}
        />
      </Field>
      {update.isError && (
        <FieldError>{describeError(update.error, { prefix: 'Failed to update feedback status' })}</FieldError>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={handleClose}>
          Close
        </Button>
        <Button variant="secondary" isLoading={working === 'reviewed'} onClick={() => mark('reviewed')}>
          Mark as Reviewed
        </Button>
        <Button isLoading={working === 'resolved'} onClick={() => mark('resolved')}>
          Mark as Resolved
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Text whose addresses on this site are links, as that of a reported quest. Other addresses are not: anyone can write them. */
function WithOwnLinks({ text }: { text: string }) {
  const { origin } = window.location;
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    part.startsWith(`${origin}/`) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
      <Link key={index} to={part.slice(origin.length)} className="text-action underline underline-offset-4">
        {part}
      </Link>
    ) : (
      part
    ),
  );
}

function TypeBadge({ type }: Pick<Feedback, 'type'>) {
  return <Badge>{typeLabels[type] ?? type}</Badge>;
}

function FeedbackStatus({ status }: Pick<Feedback, 'status'>) {
  return <StatusBadge status={feedbackStatuses[status] ?? 'New'} />;
}

function PriorityBadge({ priority }: Pick<Feedback, 'priority'>) {
  const known = priorityWords[priority as Priority] as { word: string; tone: Tone } | undefined;
  return <Badge tone={known?.tone}>{known?.word ?? priority}</Badge>;
}

const feedbackStatuses: Readonly<Record<string, Status>> = {
  new: 'New',
  reviewed: 'Reviewed',
  resolved: 'Resolved',
};

const priorityWords: Readonly<Record<Priority, { word: string; tone: Tone }>> = {
  urgent: { word: 'Urgent', tone: 'danger' },
  high: { word: 'High', tone: 'warning' },
  medium: { word: 'Medium', tone: 'neutral' },
  other: { word: 'Other', tone: 'neutral' },
};
