import { Link } from 'react-router-dom';
import { Points } from '@/components/points';
import { Badge } from '@/components/ui/badge';
import { formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { RedemptionSource } from './queries';

const kinds: Partial<Record<RedemptionSource['kind'], string>> = {
  task_completion: 'A deleted quest',
  referral_bonus: 'Referral bonus',
  welcome_bonus: 'Welcome bonus',
  adjustment: 'Points given by an admin or the system',
};

/** Short labels of flags. */
const flagLabels: Readonly<Record<string, string>> = {
  same_link: 'same link',
  same_picture: 'same picture',
  similar_picture: 'similar picture',
  similar_text: 'similar text',
  too_fast: 'too fast',
  related_account: 'related account',
  disposable_mailbox: 'disposable mailbox',
  aliased_mailbox: 'aliased mailbox',
};

const total = (sources: readonly RedemptionSource[], key: 'trial_points' | 'flagged_points' | 'related_points') =>
  sources.reduce((sum, source) => sum + source[key], 0);

/** Sources of a redemption's points, with the suspicious share (TRUST-17, C-95). */
export function RedemptionSources({ sources }: { sources: readonly RedemptionSource[] }) {
  return (
    <section aria-labelledby="redemption-sources" className="grid gap-2 rounded-control bg-sunken p-4">
      <h3 id="redemption-sources" className="text-lg">
        Where the points came from
      </h3>
      <SourceShares sources={sources} />
      <ul className="grid gap-2">
        {sources.map((source) => (
          <Source key={`${source.kind} ${source.campaign_id} ${source.startup_id}`} source={source} />
        ))}
      </ul>
    </section>
  );
}

/** One sentence on each suspicious share, or that there is none. */
export function SourceShares({
  sources,
  isShort = false,
}: {
  sources: readonly RedemptionSource[];
  /** Without the flagged share, which the row marks already. */
  isShort?: boolean;
}) {
  const shares = [
    { points: isShort ? 0 : total(sources, 'flagged_points'), text: 'from flagged proofs' },
    { points: total(sources, 'related_points'), text: 'from projects of related people' },
    { points: total(sources, 'trial_points'), text: 'from trial budgets' },
  ].filter(({ points }) => points > 0);
  if (shares.length === 0) {
    if (isShort) return null;
    return <p className="text-muted">Nothing flagged, no related people, no trial budgets.</p>;
  }
  return (
    <p className="font-medium text-warning">
      {shares.map(({ points, text }) => `${formatPoints(points)} ${text}`).join(' · ')}
    </p>
  );
}

function Source({ source }: { source: RedemptionSource }) {
  const title = source.campaign_title ?? kinds[source.kind] ?? source.kind;
  return (
    <li className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">
          {title}
          {source.startup_id && source.startup_name && (
            <>
              {'\u00a0· '}
              <Link to={paths.project(source.startup_id)} className="underline">
                {source.startup_name}
              </Link>
            </>
          )}
        </p>
        <div className="flex flex-wrap gap-1">
          {source.flags.map((flag) => (
            <Badge key={flag} tone="warning">
              {flagLabels[flag] ?? flag}
            </Badge>
          ))}
        </div>
      </div>
      <Points value={source.points} />
    </li>
  );
}
