import type { ReactNode } from 'react';
import { Points } from '@/components/points';
import { PointsBalance } from '@/components/points-balance';
import { Card } from '@/components/ui/card';
import { formatUsd } from '@/lib/format';
import type { Wallet } from '../queries';

function Figure({ label, hint, children }: { label: string; hint: string; children: ReactNode }) {
  return (
    <Card className="grid content-start gap-1">
      <dt className="font-medium text-muted">{label}</dt>
      <dd className="grid gap-1">
        <span className="font-display font-semibold text-2xl tabular-nums">{children}</span>
        <span className="text-muted text-sm">{hint}</span>
      </dd>
    </Card>
  );
}

type WalletFiguresProps = { wallet: Wallet | null; reserved: number | null };

/** A project's wallet in figures (SWAL-01). A project without a wallet yet has zeros. `reserved` null: not known. */
export function WalletFigures({ wallet, reserved }: WalletFiguresProps) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Figure label="Current balance" hint="Free for new quests and tasks">
        <PointsBalance value={wallet?.points ?? 0} />
      </Figure>
      <Figure label="Set aside" hint="Reserved for your quests' open spots">
        {reserved === null ? '–' : <Points value={reserved} />}
      </Figure>
      <Figure label="Lifetime points" hint="Everything ever credited">
        <Points value={wallet?.lifetime_points ?? 0} />
      </Figure>
      <Figure label="Cash" hint="Money set aside for rewards">
        {formatUsd((wallet?.cash_cents ?? 0) / 100)}
      </Figure>
    </dl>
  );
}
