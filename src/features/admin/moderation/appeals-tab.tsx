import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { DataColumn } from '@/components/data-table';
import { Markdown } from '@/components/markdown';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { toast } from '@/components/ui/toast';
import { ProofView } from '@/features/submissions';
import { describeError } from '@/lib/errors';
import { formatCount, formatDateTime, formatNumber, formatSpan } from '@/lib/format';
import { ReasonDialog } from '../components/reason-dialog';
import { DateText, PersonLink, RelativeTime } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { adminTabPath } from '../tabs';
import { useDecideAppeal } from './mutations';
import { type AdminAppeal, appealQueries } from './queries';

const statuses = [
  ['open', 'Open'],
  ['upheld', 'Upheld'],
  ['overturned', 'Overturned'],
] as const;
const appealKey = ({ id }: AdminAppeal) => id;

const subjects = { suspension: 'Suspension', revocation: 'Verification revoked', rejection: 'Proof rejected' } as const;
const outcomes = { upheld: 'Upheld', overturned: 'Overturned' } as const;

type Asking = { decision: 'uphold' | 'overturn'; appeal: AdminAppeal };

/**
 * Appeals against suspensions, revocations and rejections, by due time; each is decided once (BEY-04, BEY-23, C-91).
 */
export default function AppealsTab() {
  const filter = useListFilters(
    statuses.map(([value]) => value),
    'open',
  );
  const list = useAdminList(appealQueries.list(filter.filters), appealKey);
  const [asking, setAsking] = useState<Asking | null>(null);

  const columns: DataColumn<AdminAppeal>[] = [
    {
      key: 'who',
      header: 'Who',
      namesRow: true,
      cell: (appeal) => (
        <div className="grid justify-items-start md:grid-cols-[9rem] gap-1 font-normal *:max-w-full">
          <PersonLink userId={appeal.user_id} name={appeal.username} />
          {appeal.startup_id && (
            <Link
              to={adminTabPath('projects', { project: appeal.startup_id })}
              className="underline underline-offset-4"
            >
              {appeal.startup_name ?? 'Deleted project'}
            </Link>
          )}
        </div>
      ),
    },
    {
      key: 'against',
      header: 'Against',
      namesRow: true,
      cell: (appeal) => (
        <div className="max-w-60 max-md:max-w-none max-md:text-left">
          <p className="font-medium">{subjects[appeal.kind]}</p>
          {appeal.task_title && (
            <p className="[overflow-wrap:anywhere]">
              <bdi>{appeal.task_title}</bdi> in <bdi>{appeal.campaign_title}</bdi>
            </p>
          )}
          <p className="text-muted text-sm [overflow-wrap:anywhere]">
            {appeal.against_reason ?? 'No reason given'} (<DateText at={appeal.against_at} />)
          </p>
        </div>
      ),
    },
    {
      key: 'words',
      header: 'In their words',
      cell: (appeal) => (
        <p className="line-clamp-4 max-w-80 dir-auto whitespace-pre-line max-md:max-w-none max-md:text-left [overflow-wrap:anywhere]">
          {appeal.words}
        </p>
      ),
    },
    {
      key: 'due',
      header: 'Due',
      cell: (appeal) => (
        <span className={appeal.status === 'open' && new Date(appeal.due_at) < new Date() ? 'text-danger' : undefined}>
          <RelativeTime at={appeal.due_at} />
        </span>
      ),
    },
    {
      key: 'decision',
      header: 'Decision',
      cell: (appeal) =>
        appeal.status === 'open' ? (
          <div className="flex flex-wrap gap-2 max-md:justify-end">
            <Button variant="secondary" onClick={() => setAsking({ decision: 'uphold', appeal })}>
              Uphold
            </Button>
            <Button variant="secondary" onClick={() => setAsking({ decision: 'overturn', appeal })}>
              Overturn
            </Button>
          </div>
        ) : (
          <div className="max-w-60">
            <Badge tone={appeal.status === 'overturned' ? 'action' : 'neutral'}>{outcomes[appeal.status]}</Badge>
            <p className="text-muted text-sm [overflow-wrap:anywhere]">{appeal.decision_note}</p>
          </div>
        ),
    },
  ];

  return (
    <>
      <AppealFigures />
      <ListToolbar filter={filter} statuses={statuses} allLabel="All appeals" hasSort={false} />
      <AdminList
        list={list}
        noun="appeal"
        columns={columns}
        rowKey={appealKey}
        emptyTitle={filter.status === 'open' ? 'No open appeals' : undefined}
        emptyText="When somebody appeals against a suspension, a revocation or a rejection, it appears here."
        filter={filter}
        isFiltered={filter.status !== 'open' && filter.status !== 'all'}
      />
      {asking && <DecisionDialog {...asking} onDone={list.applyUpdates} onClose={() => setAsking(null)} />}
    </>
  );
}

/** How well the promised 48 hours are met (BEY-23). */
function AppealFigures() {
  const figures = useQuery(appealQueries.figures()).data;
  if (!figures || figures.decided === 0) return null;
  const { decided, decided_in_time, median_seconds, overturned } = figures;
  return (
    <p className="mb-4 text-muted">
      {formatCount(decided, 'appeal')} decided in 90 days, {formatNumber(decided_in_time)} within 48 hours
      {median_seconds !== null && `, usually after ${formatSpan(median_seconds)}`}; {formatNumber(overturned)}{' '}
      overturned.
    </p>
  );
}

/** Consequence of a decision, shown before the admin makes it. */
const consequences = {
  uphold: {
    suspension: 'The suspension stays. They cannot appeal against it again.',
    revocation: 'The project stays unverified. Its owner cannot appeal against it again.',
    rejection: 'The proof stays rejected and its spot is free again. They cannot appeal against this rejection again.',
  },
  overturn: {
    suspension: 'The suspension ends at once, for all of their accounts. A project of theirs is listed again.',
    revocation: 'The project is verified again at once, and its held quests are published again.',
    rejection: 'The proof is approved at once and paid from what was kept for it. The project is told.',
  },
} as const;

function DecisionDialog({ decision, appeal, onDone, onClose }: Asking & { onDone: () => void; onClose: () => void }) {
  const decide = useDecideAppeal();
  const verb = decision === 'uphold' ? 'Uphold' : 'Overturn';
  const person = appeal.username ?? 'this person';
  const who = appeal.kind === 'rejection' ? `${person}’s proof` : (appeal.startup_name ?? person);
  return (
    <ReasonDialog
      title={`${verb} the ${appeal.kind} of ${who}?`}
      consequence={consequences[decision][appeal.kind]}
      label="Your answer"
      hint="They will read it."
      missing="Please write an answer"
      confirmLabel={`${verb} the ${appeal.kind}`}
      isDangerous={decision === 'uphold'}
      onConfirm={async (answer) => {
        await decide.mutateAsync({ appealId: appeal.id, decision, answer });
        onDone();
        toast.success(decision === 'uphold' ? 'The decision stands' : 'The decision is overturned');
      }}
      failure={(error) => describeError(error, { prefix: 'Failed to decide the appeal' })}
      subject={{ type: 'appeal', id: appeal.id }}
      onGiveUp={onDone}
      onClose={onClose}
    >
      <ScrollRegion label="The appeal" className="grid max-h-60 gap-3 rounded-control bg-sunken px-4 py-3 sm:max-h-96">
        <div>
          <p className="text-muted text-sm">
            {subjects[appeal.kind]}, {formatDateTime(appeal.against_at)}
          </p>
          <p className="[overflow-wrap:anywhere]">{appeal.against_reason ?? 'No reason given'}</p>
        </div>
        {appeal.submission_id && (
          <div>
            <p className="text-muted text-sm">
              Proof of <bdi>{appeal.task_title ?? 'a deleted task'}</bdi>
              {appeal.reward_points !== null && `, ${formatCount(appeal.reward_points, 'point')}`}
            </p>
            <ProofView proof={appeal} />
          </div>
        )}
        <div>
          <p className="text-muted text-sm">What they say</p>
          <p className="dir-auto whitespace-pre-line [overflow-wrap:anywhere]">{appeal.words}</p>
        </div>
        <TaskWording appeal={appeal} />
      </ScrollRegion>
    </ReasonDialog>
  );
}

/** What the task of a rejected proof asked for: a proof is judged by what its member has read (BEY-23). */
function TaskWording({ appeal: { instructions_md: now, earlier_instructions_md: earlier } }: { appeal: AdminAppeal }) {
  const asked = earlier ?? now;
  if (!asked) return null;
  return (
    <>
      <div>
        <p className="text-muted text-sm">What the task asked for</p>
        <Markdown text={asked} />
      </div>
      {earlier && now && (
        <div>
          <p className="text-sm text-warning">The project has rewritten it since. Now it says:</p>
          <Markdown text={now} />
        </div>
      )}
    </>
  );
}
