import { useState } from 'react';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { errorMessage } from '@/lib/errors';
import { useRedeemReward } from '../mutations';
import type { Reward } from '../queries';
import { checkRedeem, formatStock } from '../redeem-check';
import { RewardPicture } from './reward-picture';

type RedeemProps = {
  reward: Reward;
  /** Points that can be redeemed. */
  balance: number;
  /** Points that cannot be yet. */
  held?: number;
  onClose: () => void;
};

/** Cost, stock and the balance before and after (REWARD-08). */
function RedeemSummary({ reward, balance, held = 0 }: Omit<RedeemProps, 'onClose'>) {
  const { balanceAfter } = checkRedeem(reward, balance);
  const lines = [
    { label: 'Cost', value: <Points value={reward.points_cost} /> },
    { label: 'Remaining stock', value: formatStock(reward.stock_quantity) },
    { label: 'Balance before', value: <Points value={balance} /> },
    ...(held > 0 ? [{ label: 'Held, not redeemable yet', value: <Points value={held} /> }] : []),
    { label: 'Balance after', value: balanceAfter === null ? 'Not enough points' : <Points value={balanceAfter} /> },
  ];
  return (
    <dl className="grid gap-2 rounded-control bg-sunken p-4">
      {lines.map(({ label, value }) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-muted">{label}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Lives as long as one opening of the dialog, and so does its idempotency key: two presses redeem once (RULE-16). */
function RedeemForm({ reward, balance, held, onClose }: RedeemProps) {
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const redeem = useRedeemReward();
  const { canRedeem, reasons } = checkRedeem(reward, balance, held);

  const handleRedeem = () => {
    redeem.mutate(
      { rewardId: reward.id, idempotencyKey },
      {
        onSuccess: () => {
          toast.success(`${reward.title} is yours. We will tell you when it is on its way.`);
          onClose();
        },
      },
    );
  };

  return (
    <>
      <div className="grid gap-4">
        <RewardPicture reward={reward} className="aspect-21/9 w-full" />
        <div>
          <h3 className="text-lg">{reward.title}</h3>
          {reward.description && <p className="whitespace-pre-line text-muted">{reward.description}</p>}
        </div>
        <RedeemSummary reward={reward} balance={balance} held={held} />
        {reasons.map((reason) => (
          <p key={reason} className="rounded-control bg-warning-soft px-4 py-3 font-medium text-warning">
            {reason}
          </p>
        ))}
        {redeem.isError && <FieldError>{errorMessage(redeem.error)}</FieldError>}
      </div>
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!canRedeem} isLoading={redeem.isPending} onClick={handleRedeem}>
          Redeem
        </Button>
      </DialogActions>
    </>
  );
}

type RedeemDialogProps = Omit<RedeemProps, 'reward'> & { reward: Reward | null };

/** Redeem Reward: what it costs, what is left, and the decision (REWARD-08, REWARD-09, REWARD-11). */
export function RedeemDialog({ reward, balance, held, onClose }: RedeemDialogProps) {
  return (
    <Dialog isOpen={reward !== null} onOpenChange={(isOpen) => !isOpen && onClose()} title="Redeem Reward">
      {reward && <RedeemForm reward={reward} balance={balance} held={held} onClose={onClose} />}
    </Dialog>
  );
}
