import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { Badge } from '@/components/ui/badge';
import { Skeleton } from '@/components/ui/skeleton';
import { projectStatusLabels } from '@/features/projects';
import { describeFlag } from '@/features/submissions';
import { formatCount, formatDate, formatNumber } from '@/lib/format';
import { formatAction } from '../audit/audit-format';
import { Detail, DetailList } from '../components/section';
import { PersonLink } from '../components/table-cells';
import { adminTabPath } from '../tabs';
import { type PersonFacts, peopleQueries } from './queries';

/**
 * What an admin needs to decide, besides profile and wallets: proofs, flags, related accounts, held points, earlier
 * admin actions.
 */
export function PersonFactsView({ userId }: { userId: string }) {
  const facts = useQuery(peopleQueries.facts(userId));
  return (
    <QueryView
      query={facts}
      failure="The rest of what is known could not be loaded"
      pending={<Skeleton className="h-40" />}
    >
      {(known) => (
        <div className="grid gap-5">
          <DetailList>
            <Detail label="Submissions">
              {known.submissions.total === 0 ? 'None' : <Submissions counts={known.submissions} />}
            </Detail>
            <Detail label="Redemptions">
              <Redemptions {...known.redemptions} />
            </Detail>
            {known.project && (
              <Detail label="Project">
                <span className="inline-flex flex-wrap items-center gap-2">
                  <Link
                    to={adminTabPath('projects', { project: known.project.id })}
                    className="font-medium underline underline-offset-4"
                  >
                    {known.project.name}
                  </Link>
                  <StatusBadge status={projectStatusLabels[known.project.status]} />
                </span>
              </Detail>
            )}
          </DetailList>
          <Flags flags={known.flags} count={known.flag_count} />
          <RelatedAccounts accounts={known.related} />
          <Holds holds={known.holds} heldBy={userId} />
          <History entries={known.history} />
        </div>
      )}
    </QueryView>
  );
}

function Submissions({ counts }: { counts: PersonFacts['submissions'] }) {
  return (
    <>
      {formatNumber(counts.total)}: {formatNumber(counts.approved)} approved, {formatNumber(counts.pending)} pending,{' '}
      {formatNumber(counts.rejected)} rejected
    </>
  );
}

function Redemptions({ total, pending, cancelled, points }: PersonFacts['redemptions']) {
  if (total === 0) return 'None';
  return (
    <>
      {formatNumber(total)} for {formatCount(points, 'point')}
      {pending > 0 && `, ${formatNumber(pending)} pending`}
      {cancelled > 0 && `, ${formatNumber(cancelled)} cancelled`}
    </>
  );
}

function Flags({ flags, count }: { flags: PersonFacts['flags']; count: number }) {
  if (count === 0) return null;
  return (
    <section aria-label="Flags" className="grid gap-2">
      <h3 className="text-lg">{formatCount(count, 'open flag')}</h3>
      <ul className="grid gap-2">
        {flags.map((flag) => (
          <li key={`${flag.submission_id} ${flag.kind}`}>
            <p className="[overflow-wrap:anywhere]">{describeFlag(flag)}</p>
            <p className="text-muted text-sm">
              {flag.quest ?? 'Deleted quest'}, {formatDate(flag.at)}
            </p>
          </li>
        ))}
        {count > flags.length && <li className="text-muted text-sm">The latest {flags.length} are shown.</li>}
      </ul>
    </section>
  );
}

const relationWords = {
  same_mailbox: 'uses the same mailbox',
  referrer: 'invited them',
  referred: 'was invited by them',
} as const;

function RelatedAccounts({ accounts }: { accounts: PersonFacts['related'] }) {
  if (accounts.length === 0) return null;
  return (
    <section aria-label="Related accounts" className="grid gap-2">
      <h3 className="text-lg">Related accounts</h3>
      <ul className="grid gap-1">
        {accounts.map(({ user_id: userId, relation, name, is_suspended: isSuspended }) => (
          <li key={`${userId} ${relation}`} className="flex flex-wrap items-center gap-x-2">
            {name === null ? 'Deleted account' : <PersonLink userId={userId} name={name} />}
            <span className="text-muted">{relationWords[relation]}</span>
            {isSuspended && <Badge tone="danger">Suspended</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Holds({ holds, heldBy }: { holds: PersonFacts['holds']; heldBy: string }) {
  if (holds.length === 0) return null;
  return (
    <section aria-label="Held points" className="grid gap-2">
      <h3 className="text-lg">Held points</h3>
      <ul className="grid gap-1">
        {holds.map(({ reason, points, due_at: dueAt, depends_on: userId, name }) => (
          <li key={`${reason} ${userId}`}>
            {formatCount(points, 'point')}{' '}
            {reason === 'trial' ? 'from the trial budget of ' : userId !== heldBy && 'for the referral of '}
            {/* What came with an invitation waits for the person's own first task. */}
            {userId === heldBy ? 'for joining by an invitation' : <PersonLink userId={userId} name={name} />}
            {dueAt && `, until ${formatDate(dueAt)} at the latest`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ entries }: { entries: PersonFacts['history'] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-label="History" className="grid gap-2">
      <h3 className="text-lg">What admins did</h3>
      <ol className="grid gap-3 border-l-2 pl-4">
        {entries.map(({ id, action, at, note, actor }) => (
          <li key={id}>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-semibold">{formatAction(action)}</span>
              <span className="text-muted text-sm">
                {formatDate(at)}
                {actor && `, ${actor}`}
              </span>
            </p>
            {note && <p className="text-muted text-sm [overflow-wrap:anywhere]">{note}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
