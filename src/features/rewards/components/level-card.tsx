import { useQuery } from '@tanstack/react-query';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { accountQueries, OgBadge } from '@/features/account';
import type { Wallet } from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { formatPoints } from '@/lib/format';
import { levelOf, levelProgress } from '../level';
import { ProgressRing } from './progress-ring';

/** Who one is here: the badge counts points in hand, the player level everything ever earned (REWARD-02). */
export function LevelCard({ wallet }: { wallet: Wallet }) {
  const session = useSession();
  const { data: profile } = useQuery({
    ...accountQueries.profile(session.userId ?? ''),
    enabled: session.userId !== null,
  });
  const name = profile?.display_name || profile?.username || session.name || 'You';
  const { level, missing, share } = levelProgress(wallet.lifetime_points);
  const next = `${formatPoints(missing)} points to level ${level + 1}`;

  return (
    <Card as="section" aria-label="Profile and level" className="flex items-center gap-4 sm:gap-5">
      <ProgressRing share={share} label="Progress to the next level" valueText={next}>
        <span className="block font-bold font-display text-3xl tabular-nums leading-none">{level}</span>
        <span className="text-muted text-xs">Player Level</span>
      </ProgressRing>
      <div className="grid min-w-0 grow gap-2">
        <div className="flex items-center gap-3">
          <Avatar name={name} src={profile?.avatar_url ?? session.imageUrl} />
          <div className="min-w-0">
            <h2 className="truncate text-xl">{name}</h2>
            {profile && <p className="truncate text-muted text-sm">@{profile.username}</p>}
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Badge tone="action">Level {levelOf(wallet.points)}</Badge>
          <OgBadge />
        </div>
        <p className="text-muted text-sm">
          {next}, from {formatPoints(wallet.lifetime_points)} lifetime points.
        </p>
      </div>
    </Card>
  );
}
