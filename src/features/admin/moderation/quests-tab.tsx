import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ConfirmDialog } from '@/components/alert-dialogs';
import type { DataColumn } from '@/components/data-table';
import { useCameFrom } from '@/components/page-header';
import { Points } from '@/components/points';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { statusLabel } from '@/features/quests';
import { describeError } from '@/lib/errors';
import { formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { ReasonDialog } from '../components/reason-dialog';
import { DateText } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { adminTabPath } from '../tabs';
import { useLiftHold, useTakeDownQuest } from './mutations';
import { type AdminQuest, adminQuestQueries } from './queries';

const statuses = [
  ['published', 'Published'],
  ['draft', 'Draft'],
  ['closed', 'Closed'],
  ['held', 'On hold'],
  ['risky', 'Breaks a rule'],
] as const;
const questKey = ({ id }: AdminQuest) => id;

/** Quests, which an admin can take down: a hold with a reason, until an admin lifts it (ADMIN-04, C-25, C-78). */
export default function QuestsTab() {
  const from = useCameFrom();
  const filter = useListFilters(statuses.map(([value]) => value));
  const list = useAdminList(adminQuestQueries.list(filter.filters), questKey);
  const takeDown = useTakeDownQuest();
  const lift = useLiftHold();
  const [takingDown, setTakingDown] = useState<AdminQuest | null>(null);
  const [lifting, setLifting] = useState<AdminQuest | null>(null);

  const columns: DataColumn<AdminQuest>[] = [
    {
      key: 'title',
      header: 'Quest',
      cell: (quest) => (
        <div className="min-w-0 font-normal">
          <Link
            to={paths.communityQuest(quest.id)}
            state={from}
            className="inline-block min-h-6 font-semibold hover:underline [overflow-wrap:anywhere]"
          >
            {quest.title}
          </Link>
          <p className="text-muted text-sm">
            <Link
              to={adminTabPath('projects', { project: quest.startup_id })}
              className="inline-block min-h-6 hover:underline [overflow-wrap:anywhere]"
            >
              {quest.startup_name}
            </Link>
          </p>
        </div>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: (quest) => (
        <div className="flex flex-col items-start gap-1.5 max-md:items-end">
          <StatusBadge status={statusLabel(quest)} />
          {quest.held_at && (
            <>
              <Badge tone="danger">On hold</Badge>
              <p className="dir-auto line-clamp-4 max-w-56 text-muted text-sm [overflow-wrap:anywhere]">
                {quest.hold_reason}
              </p>
            </>
          )}
          {quest.incentive_rules.map((place) => (
            <Badge key={place} tone="warning">
              Rewards on {place}
            </Badge>
          ))}
        </div>
      ),
    },
    { key: 'budget', header: 'Budget', isNumeric: true, cell: (quest) => <Points value={quest.budget_points} /> },
    {
      key: 'work',
      header: 'Submissions',
      isNumeric: true,
      cell: (quest) => (
        <>
          {formatNumber(quest.submission_count)}
          <p className="text-muted text-sm">
            {formatNumber(quest.approved_count)} approved
            {quest.pending_count > 0 && `, ${formatNumber(quest.pending_count)} pending`}
          </p>
        </>
      ),
    },
    { key: 'created', header: 'Created', cell: (quest) => <DateText at={quest.created_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      cell: (quest) =>
        quest.hold_cause === null ? (
          <Button variant="secondary" className="whitespace-nowrap" onClick={() => setTakingDown(quest)}>
            Take down
          </Button>
        ) : quest.hold_cause === 'moderation' ? (
          <Button variant="secondary" className="whitespace-nowrap" onClick={() => setLifting(quest)}>
            Lift hold
          </Button>
        ) : (
          <p className="text-muted text-sm">Comes back with its project</p>
        ),
    },
  ];

  return (
    <>
      <ListToolbar filter={filter} searchLabel="Search quests" statuses={statuses} allLabel="All quests" />
      <AdminList
        list={list}
        noun="quest"
        columns={columns}
        rowKey={questKey}
        emptyText="Quests of every status appear here."
        filter={filter}
        isFiltered={filter.search !== '' || filter.status !== 'all'}
      />
      {takingDown && (
        <ReasonDialog
          title={`Take down “${takingDown.title}”?`}
          consequence="It goes on hold: nobody sees it, its points stay reserved, waiting proofs are kept. The owner reads your reason and can publish it again only after you lift the hold."
          missing="Please give a reason"
          confirmLabel="Take down"
          onConfirm={async (reason) => {
            await takeDown.mutateAsync({ questId: takingDown.id, reason });
            list.applyUpdates();
            toast.success('The quest is taken down');
          }}
          failure={(error) =>
            describeError(error, {
              prefix: 'Failed to take down quest',
              fallback: 'Failed to delete quest. Please try again.',
            })
          }
          onGiveUp={list.applyUpdates}
          onClose={() => setTakingDown(null)}
        />
      )}
      <ConfirmDialog
        isOpen={lifting !== null}
        onOpenChange={() => setLifting(null)}
        title={`Lift the hold on “${lifting?.title}”?`}
        consequence={`It stays a draft; its owner may publish it again. It was taken down for this reason: “${lifting?.hold_reason}”`}
        confirmLabel="Lift hold"
        isDangerous={false}
        onConfirm={async () => {
          if (!lifting) return;
          await lift.mutateAsync(lifting.id).finally(list.applyUpdates);
          toast.success('The hold is lifted');
        }}
      />
    </>
  );
}
