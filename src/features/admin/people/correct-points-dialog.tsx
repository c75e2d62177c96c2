import { useState } from 'react';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/components/form';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError, Input, Textarea } from '@/components/ui/field';
import { useZodForm } from '@/components/zod-form';
import type { Wallet } from '@/features/wallet';
import { describeError, toAppError } from '@/lib/errors';
import { formatCount } from '@/lib/format';
import { checkingSentence } from '@/lib/send-once';
import * as databaseSentences from '@/types/database-errors';
import { useCorrectPoints } from './mutations';

const million = 1_000_000;
const range = databaseSentences.INVALID_ADJUSTMENT;
const correction = z.object({
  points: z.pipe(
    // Digits only: Number() would read 1e3 as a thousand.
    z.string().check(z.trim(), z.regex(/^[+-]?\d+$/, { error: range })),
    z.coerce.number<string>().check(
      z.minimum(-million, { error: range }),
      z.maximum(million, { error: range }),
      z.refine((points) => points !== 0, { error: range }),
    ),
  ),
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'Please give a reason' }),
      z.maxLength(400, { error: 'Please use at most 400 characters' }),
    ),
});

type CorrectPointsDialogProps = {
  wallet: Wallet;
  /** Name of the wallet's owner, for the texts. */
  name: string;
  /** Called with the id of the new transfer. */
  onCorrected: (transferId: number) => void;
  onClose: () => void;
};

/** Adds or removes points of a wallet, with a reason that its owner reads (TRUST-23). */
export function CorrectPointsDialog({ wallet, name, onCorrected, onClose }: CorrectPointsDialogProps) {
  const correct = useCorrectPoints();
  const [isChecking, setIsChecking] = useState(false);
  const { register, handleSubmit, setError, watch, formState } = useZodForm(correction, {
    defaultValues: { points: '', reason: '' },
  });
  const entered = correction.shape.points.safeParse(watch('points'));
  const points = entered.success ? entered.data : 0;

  const handleCorrect = async (values: z.output<typeof correction>) => {
    try {
      const onChecking = () => setIsChecking(true);
      const { id } = await correct.mutateAsync({ walletId: wallet.id, onChecking, ...values });
      onCorrected(id);
      onClose();
    } catch (error) {
      // Shown at the field, where a smaller amount can be entered; any other failure is shown below.
      if (toAppError(error).code === 'INSUFFICIENT_POINTS') {
        correct.reset();
        setError('points', { message: describeError(error) }, { shouldFocus: true });
      }
    } finally {
      setIsChecking(false);
    }
  };

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !correct.isPending && onClose()}
      title={`Correct the points of ${name}`}
      description={`${wallet.kind === 'user' ? 'The personal wallet' : 'The project wallet'} has ${formatCount(wallet.points, 'point')}. The owner reads your reason in the wallet's history, and it is written to the audit log.`}
      isDirty={!correct.isPending && formState.isDirty}
    >
      <Form className="grid gap-4" onSubmit={handleSubmit(handleCorrect)}>
        <Field
          label="Points"
          hint="30 gives 30 points, -30 takes them away. Redeemable points are taken before held ones."
          isRequired
          error={formState.errors.points?.message}
        >
          {/* No numeric keyboard: that of an iPhone has no minus. */}
          <Input data-autofocus autoComplete="off" {...register('points')} />
        </Field>
        <Field label="Reason" isRequired error={formState.errors.reason?.message}>
          <Textarea rows={3} maxLength={400} {...register('reason')} />
        </Field>
        {points !== 0 && (
          <p className="rounded-control bg-sunken px-4 py-3 font-medium">
            {wallet.points + points < 0
              ? `${name} has only ${formatCount(wallet.points, 'point')}: no more can be taken.`
              : `${name} will have ${formatCount(wallet.points + points, 'point')}.`}
          </p>
        )}
        {isChecking && <p role="status">{checkingSentence}</p>}
        {correct.isError && Object.keys(formState.errors).length === 0 && (
          <FieldError>{describeError(correct.error)}</FieldError>
        )}
        <DialogActions>
          <Button variant="secondary" disabled={correct.isPending} onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton variant={points < 0 ? 'danger' : 'primary'} isSubmitting={correct.isPending}>
            {points === 0
              ? 'Correct points'
              : `${points > 0 ? 'Give' : 'Take'} ${formatCount(Math.abs(points), 'point')}`}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
